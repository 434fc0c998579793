"""The smallest and the largest sum of squares under given margins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.chance import concentration, transport
from core.chance.concentration import corner_table, largest_squares_parts
from core.chance.extremes import (
    Extreme,
    largest_extreme_parts,
    smallest_extreme_parts,
    sum_of_squares,
)
from core.chance.transport import smallest_squares_parts
from core.table import Cells
from tests.core import exact
from tests.core.strategies import HUGE, Table, tables

# Few enough items that every table with the margins can be looked at.
FEW = st.one_of(
    tables(st.integers(0, 4), most=3), tables(st.integers(0, 1), most=4), tables(HUGE, most=1)
)
GIANTS = st.one_of(tables(HUGE), tables(st.sampled_from([0, 1, 10**6, 10**17]), most=5))

# Clusters smaller than the classes, which have to be split: the proof takes 500 steps, and the
# best table is not among the first.
HARD = ((841, 352, 495, 833), (400, 369, 360, 284, 303, 461, 344))


def margins(table: Table) -> tuple[list[int], list[int]]:
    """Return the margins of a table without its empty rows and columns."""
    kept = exact.non_empty(table)
    return [sum(row) for row in kept], [sum(column) for column in zip(*kept, strict=True)]


def dense(rows: Sequence[int], columns: Sequence[int], cells: Cells) -> Table:
    """Return cells as a table, after a look at its margins."""
    table = [[0] * len(columns) for _ in rows]
    for i, j, n in zip(*(part.tolist() for part in cells), strict=True):
        assert n > 0
        table[i][j] += n
    assert [sum(row) for row in table] == list(rows)
    assert [sum(column) for column in zip(*table, strict=True)] == list(columns)
    return table


def last(parts: Any) -> Any:
    *_, end = parts
    return end


def ends(rows: Sequence[int], columns: Sequence[int]) -> tuple[Extreme, Extreme]:
    start = corner_table(rows, columns)
    return (
        last(smallest_extreme_parts(rows, columns, start)),
        last(largest_extreme_parts(rows, columns, start)),
    )


def brute(rows: Sequence[int], columns: Sequence[int]) -> tuple[int, int]:
    """Return the smallest and the largest sum of squares of all tables."""
    squares = [exact.sum_of_squares(table) for table in exact.tables_with_margins(rows, columns)]
    return min(squares), max(squares)


@given(FEW)
@example([[10, 7], [3, 0]])
@example([[7, 3, 0], [0, 4, 6]])
@example([[5, 0, 2], [0, 5, 2], [2, 2, 0]])
@example([[1, 1, 1, 1]])
def test_a_better_table_exists(table: Table) -> None:
    rows, columns = margins(table)
    for end, right in zip(ends(rows, columns), brute(rows, columns), strict=True):
        assert end.proven
        assert end.found == end.bound == right
        assert exact.sum_of_squares(dense(rows, columns, end.cells)) == right
        assert sum_of_squares(end.cells) == right


@given(FEW)
def test_the_search_beyond_two_by_two_is_wrong_in_small_tables(table: Table) -> None:
    # The closed forms for one line and for two by two do not stand in front of it here.
    rows, columns = margins(table)
    low, high = (
        last(smallest_squares_parts(rows, columns)),
        last(largest_squares_parts(rows, columns)),
    )
    assert (low.bound, high.bound) == brute(rows, columns)
    for part in (low, high):
        assert exact.sum_of_squares(dense(rows, columns, part.cells)) == part.bound


@given(tables(HUGE, most=2))
@example([[4 * 10**18, 3], [2, 1]])
@example([[9 * 10**18, 3], [2, 1]])
@example([[2 * 10**18, 2 * 10**18], [10**18, 10**18]])
@example([[10**18, 0], [0, 10**18 - 1]])
def test_two_by_two_in_closed_form_differs_from_the_search(table: Table) -> None:
    rows, columns = margins(table)
    low, high = ends(rows, columns)
    assert low.found == last(smallest_squares_parts(rows, columns)).bound
    assert high.found == last(largest_squares_parts(rows, columns)).bound
    if len(rows) == len(columns) == 2:
        least, most = max(0, rows[0] + columns[0] - sum(rows)), min(rows[0], columns[0])
        middle = (rows[0] + columns[0]) // 2 - sum(rows) // 4
        near = range(middle - 2, middle + 3)
        tried = [
            k * k + (rows[0] - k) ** 2 + (columns[0] - k) ** 2 + (rows[1] - columns[0] + k) ** 2
            for k in {least, most, *(min(max(k, least), most) for k in near)}
        ]
        assert (low.found, high.found) == (min(tried), max(tried))


@given(GIANTS)
@example([[10**17, 1, 0], [0, 10**17, 1], [1, 0, 1]])
@example([[2 * 10**18, 10**18, 1], [10**18, 7, 3], [5, 1, 10**18]])
@example([[9 * 10**18, 1, 0], [0, 10**17, 1], [1, 0, 1]])
def test_items_can_go_round_a_cycle_and_lower_the_smallest_sum(table: Table) -> None:
    rows, columns = margins(table)
    part = last(smallest_squares_parts(rows, columns))
    found = dense(rows, columns, part.cells)
    assert exact.sum_of_squares(found) == part.bound
    assert not exact.residual_cycle_costs_less(found)


def test_the_look_for_a_cycle_finds_none_where_there_is_one() -> None:
    assert exact.residual_cycle_costs_less([[2, 0], [0, 2]])
    assert exact.residual_cycle_costs_less([[3, 0, 1], [1, 3, 0], [0, 1, 3]])
    assert not exact.residual_cycle_costs_less([[1, 1], [1, 1]])
    assert not exact.residual_cycle_costs_less([[1, 0], [0, 1]])


@settings(max_examples=50)
@given(tables(HUGE, most=4))
def test_exact_potentials_are_needed_to_begin_with(table: Table) -> None:
    rows, columns = margins(table)
    right = last(smallest_squares_parts(rows, columns)).bound
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transport, "_SWEEPS", 3)
        parts = list(smallest_squares_parts(rows, columns))
    bounds = [part.bound for part in parts]
    assert bounds == sorted(bounds)
    rough = parts[-1]
    assert rough.cells is not None
    assert rough.bound == right
    assert exact.sum_of_squares(dense(rows, columns, rough.cells)) == right


@given(st.one_of(FEW, GIANTS), st.integers(1, 30))
def test_a_bracket_widens_or_leaves_the_truth_outside(table: Table, steps: int) -> None:
    rows, columns = margins(table)
    start = corner_table(rows, columns)
    low, high = ends(rows, columns)
    assert low.proven
    found, bound = sum_of_squares(start), sum(rows)
    for part in smallest_extreme_parts(rows, columns, start):
        assert bound <= part.bound <= low.found <= part.found <= found
        assert exact.sum_of_squares(dense(rows, columns, part.cells)) == part.found
        found, bound = part.found, part.bound
    found, bound = sum_of_squares(start), sum(rows) ** 2
    for part in largest_extreme_parts(rows, columns, start, steps):
        assert found <= part.found <= high.bound
        assert high.found <= part.bound <= bound
        assert part.steps <= steps
        assert exact.sum_of_squares(dense(rows, columns, part.cells)) == part.found
        found, bound = part.found, part.bound


@given(FEW, st.integers(1, 6))
def test_a_bound_on_partial_tables_is_passed(table: Table, most: int) -> None:
    rows, columns = (tuple(sorted(sums, reverse=True)) for sums in margins(table))
    allowed = [
        exact.sum_of_squares(other)
        for other in exact.tables_with_margins(rows, columns)
        if max(map(max, other)) <= most
    ]
    bound = concentration._bound(rows, columns, most)
    if allowed:
        assert bound is not None
        assert bound >= max(allowed)


@given(FEW, st.data())
def test_the_order_of_the_lines_changes_an_extreme(table: Table, data: st.DataObject) -> None:
    rows, columns = margins(table)
    permuted = data.draw(st.permutations(rows)), data.draw(st.permutations(columns))
    for end, other in zip(ends(rows, columns), ends(*permuted), strict=True):
        assert (end.found, end.bound, end.steps) == (other.found, other.bound, other.steps)
        dense(*permuted, other.cells)


@given(FEW)
def test_exchanging_rows_and_columns_changes_an_extreme(table: Table) -> None:
    rows, columns = margins(table)
    for end, turned in zip(ends(rows, columns), ends(columns, rows), strict=True):
        assert end.found == turned.found


@pytest.mark.parametrize("limit", ["_MOST_KEPT_LINES", "_MOST_LINES"])
def test_a_search_that_grows_too_large_claims_a_proof(
    monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    right = last(largest_squares_parts(*HARD))
    reached = exact.sum_of_squares(dense(*HARD, right.cells))
    assert reached == right.bound
    monkeypatch.setattr(concentration, limit, 1)
    part = last(largest_squares_parts(*HARD))
    assert part.steps < right.steps
    assert exact.sum_of_squares(dense(*HARD, part.cells)) <= reached < part.bound


def test_nobody_can_stop_the_search_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = last(largest_squares_parts(*HARD))
    monkeypatch.setattr(concentration, "_LINES_AT_ONCE", 10)
    parts = list(largest_squares_parts(*HARD))
    steps = [part.steps for part in parts]
    assert len(steps) > 6
    assert steps == sorted(steps)
    assert max(np.diff(steps)) <= 4
    assert parts[0].bound > parts[-1].bound == whole.bound
    assert steps[-1] == whole.steps


def test_the_same_search_takes_another_way() -> None:
    for steps in (7, 50):
        one, other = (last(largest_squares_parts(*HARD, steps)) for _ in range(2))
        assert (one.bound, one.steps) == (other.bound, other.steps)
        assert all(np.array_equal(a, b) for a, b in zip(one.cells, other.cells, strict=True))


def test_a_table_of_too_many_cells_is_solved_or_called_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows, columns = [9, 7, 1], [6, 6, 5]
    start = corner_table(rows, columns)
    right = last(smallest_extreme_parts(rows, columns, start))
    monkeypatch.setattr(transport, "MOST_CELLS", 8)
    end = last(smallest_extreme_parts(rows, columns, start))
    assert end.cells is start
    assert 0 < end.bound <= right.found < end.found
    assert not end.proven


def test_flows_without_end_are_called_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, columns = [90, 71, 13], [66, 60, 48]
    parts = list(smallest_squares_parts(rows, columns))
    assert parts[-1].cells is not None
    monkeypatch.setattr(transport, "_MOST_FLOWS", len(parts) - 2)
    cut = list(smallest_squares_parts(rows, columns))
    assert cut[-1].cells is None
    assert cut[-1].bound <= parts[-1].bound
    assert len(cut) == len(parts) - 1


@pytest.mark.parametrize("n", [3, 40, 1000])
def test_equal_margins_are_searched(n: int) -> None:
    sizes = [1 + i * i % 97 for i in range(n)]
    end = last(largest_squares_parts(sizes, sizes[::-1]))
    assert end.bound == sum(size * size for size in sizes)
    assert exact.sum_of_squares(dense(sizes, sizes[::-1], end.cells)) == end.bound
    assert end.steps == 0


def random_margins(n: int, total: int, seed: int) -> list[int]:
    shares = np.random.default_rng(seed).dirichlet(np.ones(n)) * (total - n)
    sizes = [1 + int(share) for share in shares]
    sizes[sizes.index(max(sizes))] += total - sum(sizes)
    return sizes


@given(FEW)
def test_the_vertices_do_not_hold_the_largest_sum(table: Table) -> None:
    rows, columns = margins(table)
    assert exact.largest_sum_of_squares(rows, columns) == brute(rows, columns)[1]


@pytest.mark.parametrize("shape", [(3, 5), (4, 4), (5, 4)])
@pytest.mark.parametrize("seed", range(8))
def test_the_search_passes_over_the_best_vertex(shape: tuple[int, int], seed: int) -> None:
    rows, columns = (random_margins(n, 2521, seed + 50 * n) for n in shape)
    end = last(largest_squares_parts(rows, columns))
    assert end.bound == exact.largest_sum_of_squares(rows, columns)


@pytest.mark.parametrize("seed", range(20))
def test_a_table_of_four_by_four_takes_long(seed: int) -> None:
    rows, columns = random_margins(4, 2521, seed), random_margins(4, 2521, seed + 100)
    end = last(largest_squares_parts(rows, columns, 200))
    assert exact.sum_of_squares(dense(rows, columns, end.cells)) == end.bound


@pytest.mark.parametrize(("r", "c", "total"), [(60, 45, 1000), (300, 300, 10**12), (2, 300, 900)])
def test_a_large_table_takes_many_flows_to_even_out(r: int, c: int, total: int) -> None:
    rows, columns = random_margins(r, total, 1), random_margins(c, total, 2)
    parts = list(smallest_squares_parts(rows, columns))
    assert len(parts) < 8
    cells = parts[-1].cells
    assert cells is not None
    table = dense(rows, columns, cells)
    assert exact.sum_of_squares(table) == parts[-1].bound


@pytest.mark.parametrize("counts", [[3 * 10**9, 1], [2**31, 2**31], [10**18] * 9, [1, 2, 3]])
def test_a_sum_of_squares_overflows(counts: list[int]) -> None:
    places = np.arange(len(counts))
    cells = Cells(places, places, np.array(counts, np.int64))
    assert sum_of_squares(cells) == sum(n * n for n in counts)
