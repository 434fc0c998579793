"""The expected information of a table under its margins."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import ContingencyTable, score
from core.cells import CellBatch
from core.chance import expected_information as module
from core.chance.expected_information import (
    expected_deviance,
    expected_information,
    expected_information_parts,
)
from core.chance.hypergeometric import CellLaw
from core.chance.margin_pairs import margin_workload
from tests.core import exact
from tests.core.reference import ORACLE
from tests.core.strategies import SMALL, Table, tables


def emi(*given_tables: Any) -> npt.NDArray[np.float64]:
    """Return the expected mutual information of tables, in nats."""
    batch = CellBatch.of(list(given_tables))
    return expected_information(batch, 1.0) / batch.total_float


def with_margins(rows: list[int], columns: list[int]) -> ContingencyTable:
    """Return a table with these margins, filled from the north-west corner."""
    rows, columns = list(rows), list(columns)
    i = j = 0
    cells: list[tuple[int, int, int]] = []
    while i < len(rows) and j < len(columns):
        n = min(rows[i], columns[j])
        cells.append((i, j, n))
        rows[i] -= n
        columns[j] -= n
        if not rows[i]:
            i += 1
        else:
            j += 1
    assert not any(rows)
    assert not any(columns)
    where = np.array(cells).T
    return ContingencyTable.from_cells((len(rows), len(columns)), *where)


@pytest.mark.parametrize("entry", ORACLE, ids=lambda entry: entry["id"])
def test_an_expectation_differs_from_the_oracle(entry: dict[str, Any]) -> None:
    right = entry["values"]["expected_mutual_information"]
    # Where one side is a single part the expectation is 0 but for rounding.
    assert emi(entry["table"])[0] == pytest.approx(right, rel=1e-12, abs=1e-16)


@given(st.lists(tables(SMALL, most=4), min_size=1, max_size=3))
def test_an_expectation_differs_from_the_whole_sum(given_tables: list[Table]) -> None:
    right = [float(exact.expected_mutual_information(exact.non_empty(t))) for t in given_tables]
    assert emi(*given_tables).tolist() == pytest.approx(right, rel=1e-12, abs=1e-16)


@pytest.mark.parametrize(("rows", "columns"), [((2, 3, 2), (4, 1, 2)), ((1, 1, 3), (2, 3))])
def test_an_expectation_differs_from_the_mean_over_all_tables(
    rows: tuple[int, ...], columns: tuple[int, ...]
) -> None:
    weights, values = [], []
    for table in exact.tables_with_margins(rows, columns):
        weights.append(math.prod(1 / math.factorial(n) for row in table for n in row))
        values.append(float(exact.mutual_information(table)))
    right = np.average(values, weights=weights)
    assert len(values) >= 4
    assert emi(with_margins(list(rows), list(columns)))[0] == pytest.approx(right, rel=1e-13)


@pytest.mark.parametrize("n", [10**8, 10**12, 4 * 10**18])
def test_rare_margins_of_a_huge_table_lose_digits(n: int) -> None:
    rows, columns = [10, n - 10], [7, n - 7]
    right = sum(exact.expected_term(a, b, n) for a, b in itertools.product(rows, columns)) / n
    assert emi(with_margins(rows, columns))[0] == pytest.approx(float(right), rel=1e-12, abs=0)


def test_rare_margins_at_a_hundred_million_have_fewer_than_ten_digits() -> None:
    n = 10**8
    table = [[10, 0], [0, n - 10]]
    moved = [[7, 3], [0, n - 10]]
    value = emi(moved)[0]
    right = float(sum(exact.expected_term(a, b, n) for a in (10, n - 10) for b in (7, n - 7)) / n)
    assert abs(value / right - 1) < 1e-10
    assert score(table)["ami"] == 1.0


BORDER = [
    # Variances just below and above 400, in the middle and at the ends of the margins.
    (57, 57, 114),
    (1600, 1601, 6400),
    (1650, 1600, 6400),
    (800, 10**9, 2 * 10**9),
    (810, 10**9, 2 * 10**9),
    (10**12 - 810, 10**11, 10**12),
    (20_500, 20_000, 10**6),
]


@pytest.mark.parametrize("cell", BORDER, ids=str)
def test_the_switch_to_the_saddle_point_leaves_a_step(
    cell: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    law = CellLaw(*(np.array([n], np.int64) for n in cell))
    monkeypatch.setattr("core.chance.hypergeometric._MARCH_VARIANCE", math.inf)
    marched = expected_deviance(law, 1.0)[0]
    monkeypatch.setattr("core.chance.hypergeometric._MARCH_VARIANCE", 300.0)
    from_saddle_point = expected_deviance(law, 1.0)[0]
    assert from_saddle_point == pytest.approx(marched, rel=1e-13, abs=0)


def test_the_switch_to_the_saddle_point_mixes_up_cells() -> None:
    cells = [(4, 3, 10), (10**10, 10**10, 10**11), (7, 9, 50), (10**12, 10**10, 10**13), (1, 1, 2)]
    law = CellLaw(*np.array(cells, np.int64).T)
    together = expected_deviance(law, 1.0)
    for i, cell in enumerate(cells):
        alone = expected_deviance(CellLaw(*(np.array([n], np.int64) for n in cell)), 1.0)
        assert together[i] == pytest.approx(alone[0], rel=1e-14)


def distinct_margins(r: int, c: int) -> ContingencyTable:
    """Return a table in which no two rows and no two columns have the same sum."""
    rows, columns = list(range(1, r + 1)), list(range(2, c + 1))
    return with_margins([*rows, 3000], [*columns, sum(rows) + 3000 - sum(columns)])


@pytest.mark.parametrize(("pairs", "block"), [(1, 1 << 15), (97, 501), (10**6, 64)])
def test_pairs_are_lost_or_counted_twice_where_a_chunk_ends(
    pairs: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = distinct_margins(60, 50)
    other = distinct_margins(7, 11)
    law = CellLaw(
        np.repeat(table.row_sums, table.shape[1]),
        np.tile(table.column_sums, table.shape[0]),
        np.full(math.prod(table.shape), table.total),
    )
    assert len(law.a) > 3000
    right = math.fsum(expected_deviance(law, 1.0).tolist()) / table.total
    monkeypatch.setattr("core.chance.margin_pairs._PAIRS_AT_ONCE", pairs)
    monkeypatch.setattr("core.chance.hypergeometric._BLOCK", block)
    empty = [[0, 0]]
    found = emi(empty, table, other, empty, table, [[3]])
    assert found[[1, 4]].tolist() == pytest.approx([right, right], rel=1e-12)
    assert found[2] == pytest.approx(emi(other)[0], rel=1e-12)
    assert found[[0, 3, 5]].tolist() == [0.0, 0.0, 0.0]


def test_the_parts_of_an_expectation_do_not_grow_to_the_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batch = CellBatch.of(distinct_margins(20, 30))
    whole = expected_information(batch, 1.0)[0]
    monkeypatch.setattr("core.chance.margin_pairs._PAIRS_AT_ONCE", 45)
    parts = list(expected_information_parts(batch, 1.0))
    assert len(parts) > 10
    assert [part.done for part in parts] == sorted({part.done for part in parts})
    assert parts[-1].done == parts[-1].pairs == 21 * 30
    assert parts[-1].value[0] == pytest.approx(whole, rel=1e-13)
    # A part that was handed out does not change any more.
    values = [part.value[0] for part in parts]
    assert values == sorted(values)
    assert values[0] < values[-1] / 2


def test_equal_margins_are_computed_more_than_once(monkeypatch: pytest.MonkeyPatch) -> None:
    computed = 0

    def counted(law: CellLaw, q: float) -> npt.NDArray[np.float64]:
        nonlocal computed
        computed += len(law.a)
        return expected_deviance(law, q)

    monkeypatch.setattr(module, "expected_deviance", counted)
    items = np.arange(90_000)
    table = ContingencyTable.from_labels(items % 1000, items % 700)
    assert emi(table)[0] > 0
    assert computed == 2


@pytest.mark.parametrize("table", [[[4, 5, 6]], [[4], [5]], [[7]]], ids=str)
def test_a_single_class_or_cluster_is_expected_to_inform(table: Table) -> None:
    assert emi(table)[0] == pytest.approx(0.0, abs=1e-16)


def test_the_workload_says_nothing_of_the_work() -> None:
    few = with_margins([1000] * 50, [500] * 100)
    many = distinct_margins(60, 50)
    assert margin_workload(few.row_sums, few.column_sums) < 10_000
    assert margin_workload(many.row_sums, many.column_sums) > 60 * 50
    huge = np.array([10**12] * 3)
    assert margin_workload(huge, huge) < 10**6
