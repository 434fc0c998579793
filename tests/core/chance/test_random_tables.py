"""Random tables with given margins, against the probability of every such table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from core.cells import CellBatch
from core.chance import random_tables as module
from core.chance.random_tables import (
    drawable,
    random_batches,
    random_table_blocks,
    random_tables,
)
from tests.core import exact

Margins = tuple[list[int], list[int]]

# Of few items, which scipy shuffles, and of many a cell, for which it walks from the mode.
SMALL: list[Margins] = [
    ([3, 2], [2, 2, 1]),
    ([2, 1, 1], [3, 1]),
    ([1, 1, 2], [1, 1, 2]),
    ([40, 23], [30, 33]),
    ([9, 5], [6, 5, 3]),
    ([5, 4, 4], [7, 6]),
]
DRAWS = 20_000


def by_columns(table: Any) -> tuple[Any, ...]:
    """Return what is left of a table when the order of its columns is forgotten."""
    return tuple(sorted(zip(*(map(int, row) for row in table), strict=True)))


def as_it_is(table: Any) -> tuple[Any, ...]:
    return tuple(tuple(map(int, row)) for row in table)


def p_value(margins: Margins, drawn: Iterable[Any], form: Any = as_it_is) -> float:
    """Return how likely draws stray as far from the right law by chance."""
    right: Counter[Any] = Counter()
    for table in exact.tables_with_margins(*margins):
        right[form(table)] += exact.probability(table)  # type: ignore[assignment]
    assert sum(right.values()) == 1
    seen = Counter(form(table) for table in drawn)
    assert set(seen) <= set(right)
    number = sum(seen.values())
    common = [table for table in right if right[table] * number > 5]
    observed = [seen[table] for table in common]
    expected = [float(right[table] * number) for table in common]
    if sum(observed) < number or sum(expected) < number - 1e-6:
        observed.append(number - sum(observed))
        expected.append(number - sum(expected))
    expected = [e * number / sum(expected) for e in expected]
    return float(chisquare(observed, expected).pvalue)


def dense(batch: CellBatch) -> np.ndarray:
    """Return the tables of a batch of one shape."""
    tables = np.zeros((batch.n_tables, *batch.shapes[0]), np.int64)
    row, column = batch.row_place[batch.row], batch.column_place[batch.column]
    tables[batch.cell_table, row, column] = batch.count
    return tables


@pytest.mark.parametrize("margins", SMALL, ids=str)
def test_a_table_comes_more_often_than_shuffled_labels_give_it(margins: Margins) -> None:
    assert p_value(margins, random_tables(*margins, DRAWS, seed=1)) > 1e-3


@pytest.mark.parametrize("margins", SMALL, ids=str)
def test_a_table_drawn_by_halves_comes_too_often(
    margins: Margins, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SCIPY_TOTAL", 0)
    assert p_value(margins, random_tables(*margins, DRAWS, seed=2)) > 1e-3


@pytest.mark.parametrize("dense_cells", [0, 10**9], ids=["by items", "by cells"])
@pytest.mark.parametrize("margins", SMALL[:3], ids=str)
def test_a_batch_holds_other_tables_or_columns_in_a_favoured_order(
    margins: Margins, dense_cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_DENSE_CELLS", dense_cells)
    monkeypatch.setattr(module, "_BLOCK_DRAWS", 200)
    rows, columns = [*margins[0], 0, 0], margins[1]
    tables = np.concatenate([dense(b) for b in random_batches(rows, columns, 2000, seed=3)])
    assert tables.shape == (2000, len(rows), len(columns))
    assert not tables[:, -2:].any()
    assert p_value(margins, tables[:, :-2], by_columns) > 1e-3
    largest = max(columns)
    if columns.count(largest) == 1:
        places = np.bincount((tables.sum(axis=1) == largest).argmax(axis=1))
        assert chisquare(places).pvalue > 1e-3


margin = st.lists(
    st.one_of(st.integers(0, 3), st.integers(0, 2000), st.integers(0, 10**12)),
    min_size=1,
    max_size=5,
)


@given(margin, margin, st.integers(0, 3))
def test_a_margin_is_not_kept(rows: list[int], columns: list[int], draws: int) -> None:
    short, missing = (rows, columns) if sum(rows) < sum(columns) else (columns, rows)
    short.append(sum(missing) - sum(short))
    drawn = random_tables(rows, columns, draws, seed=5)
    assert drawn.shape == (draws, len(rows), len(columns))
    assert drawn.dtype == np.int64
    assert (drawn >= 0).all()
    assert (drawn.sum(axis=2) == rows).all()
    assert (drawn.sum(axis=1) == columns).all()


@pytest.mark.parametrize(
    ("rows", "columns", "only"),
    [
        ([3], [1, 2], [[1, 2]]),
        ([1, 2], [3], [[1], [2]]),
        ([3], [3], [[3]]),
        ([0, 3], [2, 1], [[0, 0], [2, 1]]),
        ([3, 0], [0, 3], [[0, 3], [0, 0]]),
        ([0, 0], [0], [[0], [0]]),
        ([2**63 - 1], [2**62, 2**62 - 1], [[2**62, 2**62 - 1]]),
    ],
    ids=str,
)
def test_the_only_table_with_its_margins_is_not_drawn(
    rows: list[int], columns: list[int], only: list[list[int]]
) -> None:
    assert random_tables(rows, columns, 2).tolist() == [only, only]


@pytest.mark.parametrize("cell", [10**5, 10**8, 2 * 10**9, 10**12, 2 * 10**17])
def test_a_cell_of_a_large_table_has_another_mean_or_spread(cell: int) -> None:
    # From scipy, from numpy, by rejection; products of counts outgrow 64 bits on the way.
    rows, columns = [4 * cell, 3 * cell, 2 * cell], [cell, 8 * cell]
    draws = 4000
    drawn = random_tables(rows, columns, draws, seed=8)
    assert (drawn.sum(axis=2) == rows).all()
    assert (drawn.sum(axis=1) == columns).all()
    total = 9 * cell
    for i, a in enumerate(rows):
        for j, b in enumerate(columns):
            variance = a / total * b * ((total - a) / total) * ((total - b) / (total - 1))
            z = (drawn[:, i, j] - a * (b / total)) / np.sqrt(variance)
            assert abs(z.mean()) < 4 / np.sqrt(draws)
            assert abs(z.var() - 1) < 4 * np.sqrt(2 / draws)


def test_a_seed_fixes_nothing() -> None:
    margins = [5, 9, 7], [8, 13]
    drawn = random_tables(*margins, 3000, seed=4)
    np.testing.assert_array_equal(random_tables(*margins, 3000, seed=4), drawn)
    assert (random_tables(*margins, 3000, seed=5) != drawn).any()
    assert (random_tables(*margins, 3000, seed=[4, 1]) != drawn).any()
    for by in (random_batches(*margins, 9, seed=4) for _ in range(2)):
        np.testing.assert_array_equal(
            next(by).count, next(random_batches(*margins, 9, seed=4)).count
        )


@pytest.mark.parametrize("most", [0, 10**9], ids=["by halves", "by scipy"])
def test_a_block_depends_on_those_before_it(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SCIPY_TOTAL", most)
    monkeypatch.setattr(module, "_BLOCK_DRAWS", 100)
    margins = [5, 9, 7], [8, 13]
    whole = random_tables(*margins, 250, seed=4)
    blocks = list(random_table_blocks(*margins, 250, seed=4))
    assert [len(block) for block in blocks] == [100, 100, 50]
    np.testing.assert_array_equal(np.concatenate(blocks), whole)
    np.testing.assert_array_equal(random_tables(*margins, 200, seed=4), whole[:200])
    assert (blocks[0] != blocks[1]).any()


def test_zeros_in_the_margins_change_the_draws() -> None:
    drawn = random_tables([5, 9, 7], [8, 13], 20, seed=4)
    padded = random_tables([0, 5, 9, 0, 7], [8, 0, 13], 20, seed=4)
    np.testing.assert_array_equal(padded[:, [1, 2, 4]][:, :, [0, 2]], drawn)
    assert padded.sum() == drawn.sum()


def test_draws_reach_for_the_random_numbers_of_others() -> None:
    before = str(np.random.get_state())
    random_tables([5, 9, 7], [8, 13], 20)
    list(random_batches([5, 9, 7], [8, 13], 20))
    assert str(np.random.get_state()) == before


def test_a_large_table_is_drawn_with_a_thousand_others_at_once() -> None:
    ones = np.ones(1000, np.int64)
    blocks = random_table_blocks(ones, ones, 1000)
    assert next(blocks).shape == (1, 1000, 1000)
    assert next(blocks).shape == (1, 1000, 1000)


def test_a_table_of_more_cells_than_memory_is_filled_with_them() -> None:
    ones = np.ones(200_000, np.int64)
    batch = next(random_batches(ones, ones, 3))
    assert batch.n_tables == 1
    assert batch.identical.all()
    assert len(batch.count) == 200_000
    assert (batch.column_place[batch.column] != batch.row_place[batch.row]).any()


def test_a_table_too_large_to_draw_is_tried() -> None:
    n = np.array([4, 5000, 200_000, 200_000, 10**6])
    total = np.array([9 * 10**18, 10**9, 10**6, 10**8, 10**8])
    assert drawable(n, n, total).tolist() == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([1, 2], [4], 1), "the row sums add up to 3 but the column sums to 4"),
        (([1, -2], [1], 1), "row sum 2: -2 is negative"),
        (([1], [0.5, 0.5], 1), "column sum 1: 0.5 is not a whole number"),
        (([2**63], [1], 1), "row sum 1: 9223372036854775808 is larger than"),
        (([1], [2**62, 2**62], 1), "the column sums add up to more than 9223372036854775807"),
        (([], [], 1), "row sums are one list of counts"),
        (([[1]], [1], 1), "row sums are one list of counts"),
        (([1], [1], -1), "draws is -1: it must be a whole number, 0 or more"),
        (([1], [1], 1.0), "draws is 1.0: it must be"),
        (([1], [1], True), "draws is True: it must be"),
        (([1], [1], 1, -1), "seed is -1: it must be a whole number, 0 or more"),
        (([1], [1], 1, None), "seed is None: it must be"),
        (([1], [1], 1, 0.5), "seed is 0.5: it must be"),
        (([1], [1], 1, [1, -2]), r"seed is \[1, -2\]: it must be"),
    ],
    ids=str,
)
def test_what_is_no_margin_or_number_is_taken(arguments: Any, words: str) -> None:
    for draw in (random_tables, random_table_blocks, random_batches):
        with pytest.raises(ValueError, match=words):
            draw(*arguments)
