"""The order in which classes and clusters are shown."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core import ordering
from core.ordering import column_order, natural_key, row_order
from core.table import ContingencyTable

FIGURE_1 = [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]]

small = arrays(
    np.int64,
    st.tuples(st.integers(1, 9), st.integers(1, 9)),
    elements=st.integers(0, 6),
)


@given(small)
def test_an_order_loses_or_repeats_a_line(counts: np.ndarray) -> None:
    table = ContingencyTable(counts)
    r, c = counts.shape
    for rows in (row_order(table, by) for by in ("table", "size", "name")):
        assert sorted(rows.tolist()) == list(range(r))
        assert rows.dtype == np.int64
        for by in ("table", "matching", "size", "name"):
            assert sorted(column_order(table, by, rows).tolist()) == list(range(c))


@given(small)
def test_lines_of_one_size_change_places(counts: np.ndarray) -> None:
    table = ContingencyTable(counts)
    sizes = counts.sum(axis=1)
    expected = sorted(range(len(counts)), key=lambda i: (-sizes[i], i))
    assert row_order(table, "size").tolist() == expected
    sizes = counts.sum(axis=0)
    expected = sorted(range(counts.shape[1]), key=lambda j: (-sizes[j], j))
    assert column_order(table, "size").tolist() == expected


@given(small)
def test_a_matching_leaves_more_off_the_diagonal_than_another_order(counts: np.ndarray) -> None:
    table = ContingencyTable(counts)
    rows = row_order(table, "size")
    n = min(counts.shape)
    columns = column_order(table, "matching", rows)
    # Every row that has a partner has it in its turn: the chosen cells descend.
    chosen = counts[rows][:, columns]
    from scipy.optimize import linear_sum_assignment

    i, j = linear_sum_assignment(counts, maximize=True)
    best = int(counts[i, j].sum())
    i, j = linear_sum_assignment(chosen[:, :n], maximize=True)
    assert int(chosen[:, :n][i, j].sum()) == best


@given(small)
@example(np.array([[2, 0], [9, 2]]))
@example(np.array([[0, 0, 18596], [625918, 2, 621224], [427302, 0, 3]]))
def test_a_class_without_a_cluster_shifts_the_others_off_the_diagonal(counts: np.ndarray) -> None:
    from scipy.optimize import linear_sum_assignment

    if counts.shape[0] > counts.shape[1]:
        counts = counts.T
    table = ContingencyTable(counts)
    for rows in (row_order(table, "table"), row_order(table, "size")):
        shown = counts[rows][:, column_order(table, "matching", rows)]
        i, j = linear_sum_assignment(counts, maximize=True)
        assert int(np.diag(shown).sum()) == int(counts[i, j].sum())


def test_the_diagonal_of_a_shuffled_table_is_not_found() -> None:
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 9, (12, 12)) + np.diag(rng.integers(50, 99, 12))
    shuffle = rng.permutation(12)
    table = ContingencyTable(counts[:, shuffle])
    columns = column_order(table, "matching")
    assert (counts[:, shuffle][:, columns] == counts).all()
    rows = row_order(table, "size")
    columns = column_order(table, "matching", rows)
    assert (np.diag(counts[:, shuffle][rows][:, columns]) >= 50).all()


def test_clusters_without_a_class_stand_among_the_matched_ones() -> None:
    counts = [[0, 9, 0, 4, 0, 0], [5, 0, 0, 0, 8, 0]]
    # Matched 1 and 4, then 3 of the first row, 0 of the second, then the empty ones.
    assert column_order(ContingencyTable(counts), "matching").tolist() == [1, 4, 3, 0, 2, 5]
    assert column_order(ContingencyTable(counts), "matching", [1, 0]).tolist() == [4, 1, 0, 3, 2, 5]


def test_a_table_without_items_has_no_order() -> None:
    table = ContingencyTable([[0, 0, 0]])
    assert column_order(table, "matching").tolist() == [0, 1, 2]


def test_names_are_sorted_letter_by_letter() -> None:
    names = ["class 10", "10", "9", "-1", "class 9", "2.5", "Class 9", "", "−2", "007"]
    expected = ["−2", "-1", "2.5", "007", "9", "10", "", "Class 9", "class 9", "class 10"]
    assert sorted(names, key=natural_key) == expected
    table = ContingencyTable(np.ones((len(names), 1), int), truth=names)
    assert [names[i] for i in row_order(table, "name")] == expected


@given(st.lists(st.text(max_size=12), min_size=1, max_size=30))
def test_some_names_cannot_be_compared(names: list[str]) -> None:
    table = ContingencyTable(np.ones((1, len(names)), int), clusters=names)
    order = column_order(table, "name").tolist()
    assert sorted(order) == list(range(len(names)))
    assert [names[i] for i in order] == sorted(names, key=natural_key)


def test_names_in_pieces_are_sorted_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"c{i * 37 % 101}" for i in range(101)] + ["c5", "c5"]
    table = ContingencyTable(np.ones((1, len(names)), int), clusters=names)
    whole = column_order(table, "name").tolist()
    monkeypatch.setattr(ordering, "_NAMES_AT_ONCE", 7)
    assert column_order(table, "name").tolist() == whole


def test_a_large_table_is_matched_by_something_other_than_its_peaks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(5)
    counts = rng.integers(0, 9, (30, 20))
    expected, free_rows, free_columns = [], set(range(30)), set(range(20))
    for i, j in sorted(np.ndindex(30, 20), key=lambda ij: (-counts[ij], ij)):
        if counts[i, j] and i in free_rows and j in free_columns:
            expected.append((i, j))
            free_rows.remove(i)
            free_columns.remove(j)
    monkeypatch.setattr(ordering, "MATCHED_CELLS", 1)
    monkeypatch.setattr(ordering, "_CELLS_AT_ONCE", 50)
    columns = column_order(ContingencyTable(counts), "matching").tolist()
    assert columns[: len(expected)] == [j for _, j in sorted(expected)]


def test_an_order_that_does_not_exist_is_taken_for_another() -> None:
    table = ContingencyTable(FIGURE_1)
    with pytest.raises(ValueError, match="rows cannot be ordered by 'matching'"):
        row_order(table, "matching")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one of table, matching, size, name"):
        column_order(table, "colour")  # type: ignore[arg-type]
