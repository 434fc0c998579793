"""Edits: what they do, that their inverses restore everything, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.table import MAX_TOTAL, ContingencyTable, TableError
from gui.table_editor.edits import (
    HERE,
    MAX_CELLS,
    Box,
    DeleteColumns,
    DeleteRows,
    Group,
    InsertColumns,
    InsertRows,
    Paste,
    RenameColumns,
    RenameRows,
    ReplaceTable,
    SetCells,
    TableState,
    Transpose,
    rectangle,
    runs,
)


def state_of(counts, truth=None, clusters=None) -> TableState:
    return TableState.of(ContingencyTable(counts, truth, clusters))


def content(state: TableState):
    return state.counts.tolist(), list(state.truth), list(state.clusters)


def assert_margins_are_fresh(state: TableState) -> None:
    counts = state.counts
    assert counts.flags.c_contiguous
    assert counts.dtype == np.int64
    assert state.row_sums.tolist() == counts.sum(axis=1).tolist()
    assert state.column_sums.tolist() == counts.sum(axis=0).tolist()
    assert state.row_max.tolist() == counts.max(axis=1).tolist()
    peaks = [int((row == row.max()).sum()) if row.any() else 0 for row in counts]
    assert state.row_peaks.tolist() == peaks
    assert state.total == int(counts.sum())
    assert state.largest == int(counts.max())
    assert (len(state.truth), len(state.clusters)) == counts.shape


numbers = st.integers(0, 10**6)
names = st.text(st.characters(codec="utf-8"), max_size=5)


@st.composite
def edits(draw, state: TableState):
    """Draw an edit that can be applied to a state."""
    r, c = state.shape
    row, column = draw(st.integers(0, r - 1)), draw(st.integers(0, c - 1))
    kind = draw(st.sampled_from(["block", "boxes", "insert", "delete", "name", "swap", "paste"]))
    k, n = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    block = draw(st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=k, max_size=k))
    if kind == "block":
        return SetCells.block(row, column, np.array(block)[: r - row, : c - column])
    if kind == "boxes":
        boxes = [Box(row, column, r - 1, c - 1), Box(0, 0, row, column)]
        return SetCells.boxes(boxes, draw(numbers))
    rows = draw(st.booleans())
    if kind == "insert":
        length, across = (r, c) if rows else (c, r)
        at = sorted(draw(st.sets(st.integers(0, length + k - 1), min_size=k, max_size=k)))
        counts = np.array(draw(st.lists(numbers, min_size=k * across, max_size=k * across)))
        new = draw(st.lists(names, min_size=k, max_size=k))
        if rows:
            return InsertRows(np.array(at), counts.reshape(k, across), tuple(new))
        return InsertColumns(np.array(at), counts.reshape(across, k), tuple(new))
    if kind == "delete":
        length = r if rows else c
        some = draw(st.sets(st.integers(0, length - 1), max_size=length - 1))
        return (DeleteRows if rows else DeleteColumns)(np.array(sorted(some), dtype=np.int64))
    if kind == "name":
        return (
            RenameRows(np.array([row]), (draw(names),))
            if rows
            else RenameColumns(np.array([column]), (draw(names),))
        )
    if kind == "swap":
        return draw(
            st.sampled_from(
                [Transpose(), ReplaceTable(TableState(np.array(block), ["x"] * k, ["y"] * n))]
            )
        )
    return Paste(
        row,
        column,
        np.array(block),
        tuple(draw(st.lists(names, min_size=k, max_size=k))) if rows else None,
        tuple(draw(st.lists(names, min_size=n, max_size=n))) if draw(st.booleans()) else None,
    )


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_undoing_all_edits_restores_the_start_and_redoing_all_the_end(data):
    r, c = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    counts = data.draw(st.lists(st.lists(numbers, min_size=c, max_size=c), min_size=r, max_size=r))
    state = state_of(counts)
    history = [content(state)]
    done, inverses = [], []
    for _ in range(data.draw(st.integers(1, 8))):
        edit = data.draw(edits(state))
        edit.check(state)
        before = content(state)
        noop = edit.is_noop(state)
        assert edit.describe(state)
        inverses.append(edit.apply(state))
        done.append(edit)
        assert noop == (content(state) == before)
        for box in edit.place(state):
            assert box.bottom < state.shape[0]
            assert box.right < state.shape[1]
        assert_margins_are_fresh(state)
        history.append(content(state))
    again = []
    for inverse, then in zip(reversed(inverses), reversed(history[:-1]), strict=True):
        again.append(inverse.apply(state))
        assert content(state) == then
        assert_margins_are_fresh(state)
    for edit, inverse, then in zip(done, reversed(again), history[1:], strict=True):
        # The edit itself and the inverse of its inverse come to the same.
        copy = TableState(*content(state))
        inverse.apply(copy)
        edit.apply(state)
        assert content(state) == content(copy) == then


def test_a_group_is_undone_in_reverse_order():
    state = state_of([[1, 2]])
    group = Group((SetCells.block(0, 0, [[5]]), SetCells.block(0, 0, [[7]])), "twice")
    group.check(state)
    inverse = group.apply(state)
    assert state.counts.tolist() == [[7, 2]]
    inverse.apply(state)
    assert state.counts.tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (SetCells.block(0, 0, [[-3]]), "row 1, column 1: -3 is negative"),
        (SetCells.block(1, 1, [[1, 2]]), "there is no column 3"),
        (SetCells.block(2, 0, [[1]]), "there is no row 3"),
        (SetCells(np.array([0, 0]), np.array([1, 1]), np.array([4, 5])), "same cell twice"),
        (SetCells.block(0, 0, [[MAX_TOTAL]]), "add up to more than"),
        (DeleteRows(np.array([0, 1])), "at least one class"),
        (DeleteColumns(np.array([0, 1])), "at least one cluster"),
        (DeleteRows(np.array([5])), "no class 6"),
        (
            InsertRows(np.array([0]), np.array([[1, 2]]), [3]),  # type: ignore[list-item]
            "names are text",
        ),
        (InsertRows(np.array([0]), np.array([[1, 2, 3]]), ["x"]), "counts of shape"),
        (InsertColumns(np.array([4]), np.array([[1], [2]]), ["x"]), "within the table"),
        (InsertRows(np.array([0]), np.array([[MAX_TOTAL, 0]]), ["x"]), "add up to more than"),
        (InsertRows(np.arange(9_000_000), np.zeros((9_000_000, 2), int), ()), "names"),
        (RenameRows(np.array([7]), ["x"]), "no class 8"),
        (RenameRows(np.array([0, 0]), ["x", "y"]), "twice"),
        (Paste(0, 0, np.array([[1, -2]])), "0 or a positive whole number"),
        (Paste(5, 0, np.array([[1]])), "touch the table"),
        (Paste(0, 0, np.array([[1]]), truth=["a", "b"]), "2 names for 1"),
        (Paste(1, 1, np.zeros((5_000, 5_000), int)), "25,010,001 cells"),
    ],
)
def test_an_edit_that_would_fail_is_refused_before_it_is_applied(edit, words):
    state = state_of([[1, 2], [3, 4]])
    before = content(state)
    with pytest.raises(TableError, match=words):
        edit.check(state)
    assert content(state) == before


@pytest.mark.parametrize("value", [2.5, "7", -1, float("nan"), 2**63])
def test_a_value_that_is_no_count_never_becomes_one(value):
    with pytest.raises(TableError):
        SetCells.block(0, 0, [[value]]).check(state_of([[1]]))


def test_counts_near_the_64_bit_limit_keep_exact_margins():
    half = MAX_TOTAL // 2
    state = state_of([[half, 1], [1, half - 2]])
    edit = SetCells.block(0, 0, [[0, half]])
    edit.check(state)
    inverse = edit.apply(state)
    assert state.total == half + half - 1
    inverse.apply(state)
    assert state.row_sums.tolist() == [half + 1, half - 1]
    assert_margins_are_fresh(state)


def test_a_table_beyond_the_limit_is_refused_before_it_is_made_dense():
    table = ContingencyTable.from_cells((8_000, 7_000), [0], [0], [1])
    with pytest.raises(TableError, match="56,000,000 cells"):
        TableState.of(table)
    assert "counts" not in vars(table)
    assert MAX_CELLS == 16_000_000


@pytest.mark.parametrize(
    ("edit", "label"),
    [
        (SetCells.block(0, 0, [[49]]), "Type 49"),
        (SetCells.boxes([Box(0, 0, 1, 1)], 0), "Clear 4 cells"),
        (SetCells.block(0, 0, [[49, 50]]), "Change 2 cells"),
        (Paste(0, 0, np.ones((4, 4), int)), "Paste 4 x 4"),
        (DeleteRows(np.array([1])), "Delete class 5"),
        (DeleteColumns(np.array([0, 1])), "Delete 2 clusters"),
        (RenameColumns(np.array([0]), ["x"]), "Rename cluster a rather long name of a…"),
        (InsertRows(np.array([0]), np.array([[0, 0]]), ["x"]), "Insert class"),
        (Transpose(), "Transpose"),
    ],
)
def test_labels_of_the_undo_menu(edit, label):
    state = state_of([[1, 2], [3, 4]], ["4", "5"], ["a rather long name of\na cluster", "b"])
    assert edit.describe(state) == label


def test_a_snapshot_does_not_change_with_the_state():
    state = state_of([[1, 2]], ["a"], ["x", "y"])
    table = state.table()
    SetCells.block(0, 0, [[9]]).apply(state)
    RenameRows(np.array([0]), ["b"]).apply(state)
    assert table == ContingencyTable([[1, 2]], ["a"], ["x", "y"])


def test_an_edit_does_not_change_with_the_array_it_was_made_from():
    values = np.array([[1, 2]])
    edit = SetCells.block(0, 0, values)
    values[:] = 7
    state = state_of([[0, 0]])
    edit.apply(state)
    assert state.counts.tolist() == [[1, 2]]


def test_places_name_what_changed():
    state = state_of(np.ones((4, 4), int))
    assert SetCells.block(1, 1, [[1, 2], [3, 4]]).place(state) == (Box(1, 1, 2, 2),)
    assert SetCells(np.array([0, 0, 2]), np.array([0, 1, 3]), np.array(5)).place(state) == (
        Box(0, 0, 0, 1),
        Box(2, 3, 2, 3),
    )
    assert DeleteRows(np.array([0, 3])).place(state) == (Box(0, HERE, 0, HERE),)
    two = [Box(0, 0, 0, 3), Box(2, 0, 3, 0)]
    assert SetCells.boxes(two, 0).place(state) == tuple(two)


def test_a_rectangle_is_recognised_in_pieces_and_not_in_scattered_cells():
    assert rectangle([Box(0, 0, 1, 3), Box(2, 0, 2, 3)]) == Box(0, 0, 2, 3)
    assert rectangle([Box(0, 0, 0, 0), Box(1, 1, 1, 1)]) is None
    assert rectangle([Box(0, 0, 1, 1), Box(0, 0, 0, 1)]) is None
    assert rectangle([]) is None
    assert runs([0, 1, 2, 5, 7, 8]) == [(0, 2), (5, 5), (7, 8)]
