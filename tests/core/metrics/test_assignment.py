"""The best matching, by every solver, against a search over sets of columns."""

from __future__ import annotations

import itertools
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core import score, score_many
from core.cells import CellBatch
from core.metrics import assignment
from core.metrics.assignment import matching
from core.table import ContingencyTable
from tests.core import exact
from tests.core.strategies import HUGE, SMALL, Table, nearly_independent, tables

# Each makes one solver do all the work: which limits are moved, and where to.
SOLVERS: dict[str, dict[str, int]] = {
    "all": {},
    "dense": {"_FEW": 0},
    "sparse": {"_FEW": 0, "_DENSE_CELLS": 0, "_DENSE_SHARE": 0},
    "exact": {"_FEW": 0, "_EXACT_COUNT": 0},
    "one at a time": {"_SUMS_AT_ONCE": 1},
}
WITH_FIXTURE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(params=SOLVERS)
def solver(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    for name, value in SOLVERS[request.param].items():
        monkeypatch.setattr(assignment, name, value)
    return str(request.param)


def items_matched(batch: CellBatch) -> list[int]:
    """Return the items in the matching of each table, having looked whether it is one."""
    cell = matching(batch)
    row = np.flatnonzero(cell >= 0)
    cell = cell[row]
    assert (batch.row[cell] == row).all()
    assert len(set(batch.column[cell].tolist())) == len(cell)
    items = [0] * batch.n_tables
    for table, n in zip(batch.cell_table[cell].tolist(), batch.count[cell].tolist(), strict=True):
        items[table] += n
    return items


@WITH_FIXTURE
@given(st.one_of(tables(), tables(SMALL), tables(st.integers(0, 1)), nearly_independent()))
@example([[3, 2], [2, 0]])
@example([[1]])
def test_another_matching_is_better(solver: str, table: Table) -> None:
    batch = CellBatch.of(ContingencyTable(table))
    assert items_matched(batch) == [exact.best_matching(table)]


@WITH_FIXTURE
@given(tables(HUGE))
@example([[10**12, 10**12 - 1], [10**12 - 1, 10**12 - 3]])
def test_large_counts_are_matched_by_their_leading_digits(solver: str, table: Table) -> None:
    batch = CellBatch.of(ContingencyTable(table))
    assert items_matched(batch) == [exact.best_matching(table)]


@WITH_FIXTURE
@given(st.lists(st.one_of(tables(SMALL, most=9), tables(SMALL, items=False)), max_size=6))
def test_the_matching_of_one_table_reaches_into_another(
    solver: str, given_tables: list[Table]
) -> None:
    batch = CellBatch.of([ContingencyTable(table) for table in given_tables])
    assert items_matched(batch) == [exact.best_matching(table) for table in given_tables]


@settings(max_examples=30)
@given(tables(st.integers(0, 5), most=10))
def test_a_table_of_more_than_six_classes_is_matched_worse(table: Table) -> None:
    assert items_matched(CellBatch.of(ContingencyTable(table))) == [exact.best_matching(table)]


@pytest.mark.parametrize("shape", [(40, 40), (30, 55), (55, 30), (300, 20)])
@pytest.mark.parametrize("most", [1, 4, 10**6])
def test_the_solvers_disagree(
    shape: tuple[int, int], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    counts = rng.integers(0, most + 1, shape) * (rng.random(shape) < 0.3)
    batch = CellBatch.of(ContingencyTable(counts))
    found = set()
    for limits in SOLVERS.values():
        with monkeypatch.context() as patch:
            for name, value in limits.items():
                patch.setattr(assignment, name, value)
            found.add(items_matched(batch)[0])
    assert len(found) == 1


@pytest.mark.parametrize("size", [2**51, 2**53, 2**57, 2**58])
def test_counts_beyond_double_precision_are_matched_by_chance(size: int) -> None:
    # Which cells are best depends on ones and twos in the last digit.
    rng = np.random.default_rng(11)
    for seven in range(5):
        counts = np.zeros((7, 7), np.int64)
        counts[:3, :3] = size + rng.integers(-3, 4, (3, 3))
        counts[3:, 3:] = rng.integers(0, 3, (4, 4))
        counts[3:, 0] = seven
        table = counts.tolist()
        assert items_matched(CellBatch.of(ContingencyTable(table))) == [exact.best_matching(table)]


def test_counts_just_within_double_precision_are_rounded(solver: str) -> None:
    rng = np.random.default_rng(12)
    for _ in range(5):
        counts = 2**51 - rng.integers(0, 6, (9, 8))
        table = counts.tolist()
        assert items_matched(CellBatch.of(ContingencyTable(table))) == [exact.best_matching(table)]


def test_a_large_sparse_table_is_spread_out() -> None:
    # Blocks in which the largest cell must not be taken, and a chain through all of them.
    blocks = 2000
    row = np.arange(2 * blocks)
    block = np.arange(blocks)
    rows = np.concatenate([2 * block, 2 * block, 2 * block + 1, row[:-1]])
    columns = np.concatenate([2 * block, 2 * block + 1, 2 * block, row[1:]])
    for chained in (False, True):
        kept = np.arange(len(rows)) < (len(rows) if chained else 3 * blocks)
        counts = np.concatenate(
            [np.full(blocks, 30), np.full(2 * blocks, 20), np.ones(len(row) - 1, np.int64)]
        )
        table = ContingencyTable.from_cells(
            (2 * blocks, 2 * blocks), rows[kept], columns[kept], counts[kept]
        )
        tracemalloc.start()
        found = items_matched(CellBatch.of(table))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 2 * blocks * 2 * blocks
        assert found[0] >= 40 * blocks
        if not chained:
            assert found == [40 * blocks]


def test_peaks_in_one_cluster_count_as_a_matching() -> None:
    scores = score([[9, 1], [8, 0], [0, 7]], metrics=["max_matching_accuracy", "inverse_purity"])
    assert scores["max_matching_accuracy"] == 16 / 25
    assert scores["inverse_purity"] == 24 / 25


def test_every_injection_is_tried() -> None:
    for r, c in itertools.product(range(1, 4), range(3, 6)):
        ways = assignment._injections(r, c).tolist()
        assert (
            len({tuple(way) for way in ways})
            == len(ways)
            == len(list(itertools.permutations(range(c), r)))
        )


def test_small_tables_wait_for_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def solved(*_: Any) -> Any:
        raise AssertionError("a solver was asked")

    monkeypatch.setattr(assignment, "_solve", solved)
    monkeypatch.setattr(assignment, "_solve_parts", solved)
    rng = np.random.default_rng(0)
    score_many(rng.integers(0, 5, (20, 6, 6)), metrics=["max_matching_accuracy"])
    # Classes that peak apart are settled without one, in a table of any size.
    table = np.diag(np.full(30, 50)) + rng.integers(0, 40, (30, 30))
    assert score(table, ["max_matching_accuracy"])["max_matching_accuracy"] == (
        np.diag(table).sum() / table.sum()
    )
    wide = np.hstack([table, table // 9, rng.integers(0, 2, (30, 5))])
    score(wide, ["max_matching_accuracy"])
    score(wide.T, ["max_matching_accuracy"])
