"""The document: revisions, history, clean state, snapshots, notices."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pytest

from core.table import ContingencyTable, TableError
from gui.table_editor.document import TableDocument
from gui.table_editor.edits import Box, SetCells


@pytest.fixture
def document(qapp, figure_1):
    return TableDocument(figure_1)


def test_a_new_document_is_two_by_two_zeros(qapp):
    assert TableDocument().snapshot() == ContingencyTable([[0, 0], [0, 0]])


def test_every_change_undo_and_redo_has_a_revision_of_its_own(document):
    revisions: list = []
    document.changed.connect(revisions.append)
    document.set_cell(3, 0, 49)
    document.undo_stack.undo()
    document.undo_stack.redo()
    assert revisions == [1, 2, 3]
    assert document.revision == 3


def test_an_edit_that_changes_nothing_pushes_nothing(document):
    assert not document.set_cell(3, 0, 490)
    assert not document.rename_row(0, "4")
    assert not document.delete_rows([])
    assert document.undo_stack.count() == 0
    assert document.revision == 0
    assert document.is_clean


def test_an_edit_that_is_refused_pushes_nothing_and_says_why(document):
    notices: list = []
    document.notice.connect(notices.append)
    assert not document.set_cell(0, 0, -1)
    assert not document.delete_columns([0, 1, 2, 3])
    assert document.undo_stack.count() == 0
    assert document.revision == 0
    assert "negative" in notices[0].text
    assert "at least one cluster" in notices[1].text


def test_a_notice_is_cleared_by_the_next_change(document):
    cleared = []
    document.notice_cleared.connect(lambda: cleared.append(True))
    document.set_cell(0, 0, 1)
    assert not cleared
    document.set_cell(0, 0, -1)
    document.set_cell(0, 0, 2)
    assert cleared == [True]


def test_typing_in_different_cells_makes_separate_steps(document):
    document.set_cell(0, 0, 1)
    document.set_cell(0, 1, 2)
    assert document.undo_stack.count() == 2
    document.undo_stack.undo()
    assert document.state.counts[0, :2].tolist() == [1, 88]


def test_saving_and_undoing_drive_the_clean_state(document):
    seen: list = []
    document.clean_changed.connect(seen.append)
    document.set_cell(0, 0, 1)
    document.set_clean()
    document.undo_stack.undo()
    document.undo_stack.redo()
    assert seen == [False, True, False, True]


def test_another_table_comes_without_history(document):
    loaded = []
    document.loaded.connect(lambda: loaded.append(document.revision))
    document.set_cell(0, 0, 1)
    document.replace(ContingencyTable([[1]], ["a"], ["x"]))
    assert document.snapshot() == ContingencyTable([[1]], ["a"], ["x"])
    assert not document.undo_stack.canUndo()
    assert document.is_clean
    assert loaded == [2]


def test_a_table_too_large_for_the_editor_leaves_the_old_one(document):
    table = ContingencyTable.from_cells((8_000, 7_000), [0], [0], [1])
    with pytest.raises(TableError, match="at most 16,000,000"):
        document.replace(table)
    assert document.state.shape == (4, 4)


def test_a_snapshot_is_made_once_and_stays_as_it_was(document):
    first = document.snapshot()
    assert document.snapshot() is first
    document.set_cell(0, 0, 1)
    assert first.counts[0, 0] == 151
    assert document.snapshot().counts[0, 0] == 1


def test_a_paste_with_growth_is_one_step(document):
    document.paste(3, 3, np.arange(9).reshape(3, 3), truth=["a", "b", "c"])
    assert document.state.shape == (6, 6)
    assert document.undo_stack.count() == 1
    assert document.undo_stack.text(0) == "Paste 3 x 3"
    document.undo_stack.undo()
    assert document.state.shape == (4, 4)
    assert document.state.truth == list("4567")


def test_clearing_pieces_selects_the_pieces_again_on_undo(document):
    places: list = []
    document.touched.connect(places.append)
    boxes = [Box(0, 0, 0, 1), Box(2, 2, 3, 3)]
    document.clear_cells(boxes)
    document.undo_stack.undo()
    assert places == [tuple(boxes)] * 2


def test_emitting_does_not_eat_references_to_true(document):
    # PySide6 6.12.0 on Python 3.11 drops one at each emit, until the interpreter aborts.
    before = sys.getrefcount(True)
    for value in range(1, 200):
        document.set_cell(0, 0, value)
        document.set_clean()
    assert sys.getrefcount(True) > before - 50


def test_any_edit_can_be_applied(document):
    assert document.apply(SetCells(np.array([0, 1]), np.array([0, 1]), np.array([7, 8]), "Swap"))
    assert document.undo_stack.undoText() == "Swap"


def test_a_document_with_a_history_is_collected_without_a_crash():
    # Python would delete the commands in a cycle of garbage before the stack does.
    program = """
import gc
from PySide6.QtWidgets import QApplication
app = QApplication([])
from core import ContingencyTable
from gui.table_editor.document import TableDocument
for _ in range(20):
    document = TableDocument(ContingencyTable([[1, 2]]))
    for count in range(20, 40):
        document.set_cell(0, 0, count)
    document.undo_stack.undo()
    document.cycle = document
    del document
    gc.collect()
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def big(document, value):
    return document.fill([Box(0, 0, 99, 99)], value)


@pytest.fixture
def large(qtbot):
    return TableDocument(ContingencyTable(np.arange(10_000).reshape(100, 100)))


def test_filling_with_one_value_takes_the_memory_of_one(large):
    fill = SetCells.boxes([Box(0, 0, 99, 99)], 7)
    assert fill.values.shape == (100, 100)
    assert fill.nbytes < 5_000
    undo = fill.apply(large.state)
    assert undo.nbytes > 80_000
    redo = undo.apply(large.state)
    assert redo.nbytes < 5_000
    assert large.state.counts.tolist() == np.arange(10_000).reshape(100, 100).tolist()


def test_the_oldest_edits_are_forgotten_to_save_memory(large, monkeypatch):
    monkeypatch.setattr("gui.table_editor.undo.UNDO_BYTES", 250_000)
    notices: list = []
    large.notice.connect(notices.append)
    stack = large.undo_stack
    rng = np.random.default_rng(1)
    tables = [large.state.counts.copy()]
    for step in range(6):
        large.paste(0, 0, rng.integers(0, 9, (100, 100)))
        tables.append(large.state.counts.copy())
        if step == 4:
            large.set_clean()
    # Each takes twice 80,000 bytes, and the last stays in any case.
    assert stack.count() == stack.index() == 1
    assert "can no longer be undone" in notices[-1].text
    assert not large.is_clean
    stack.undo()
    assert (large.state.counts == tables[-2]).all()
    assert large.is_clean
    assert not stack.canUndo()
    stack.redo()
    assert (large.state.counts == tables[-1]).all()
    assert not large.is_clean


def test_a_saved_table_that_was_forgotten_is_never_clean_again(large, monkeypatch):
    monkeypatch.setattr("gui.table_editor.undo.UNDO_BYTES", 250_000)
    rng = np.random.default_rng(1)
    for _ in range(3):
        large.paste(0, 0, rng.integers(0, 9, (100, 100)))
    large.set_cell(0, 0, 99)
    large.set_cell(0, 0, 98)
    assert large.undo_stack.count() == 3
    while large.undo_stack.canUndo():
        large.undo_stack.undo()
        assert not large.is_clean
    assert large.paste(0, 0, [[5]])
    assert large.undo_stack.count() == 1


def test_the_newest_edits_stay_and_can_be_undone_after_older_ones_were_forgotten(
    large, monkeypatch
):
    monkeypatch.setattr("gui.table_editor.undo.UNDO_BYTES", 170_000)
    large.paste(0, 0, np.arange(10_000)[::-1].reshape(100, 100))
    before = large.state.counts.copy()
    large.set_cell(0, 0, 1)
    large.set_clean()
    large.set_cell(0, 0, 2)
    big(large, 3)
    assert large.undo_stack.count() == 3
    large.undo_stack.undo()
    large.undo_stack.undo()
    assert large.is_clean
    large.undo_stack.undo()
    assert (large.state.counts == before).all()
    assert not large.undo_stack.canUndo()


def test_filling_a_million_cells_takes_a_moment():
    document = TableDocument(ContingencyTable(np.arange(1_000_000).reshape(-1, 1)))
    start = time.perf_counter()
    assert document.clear_cells([Box(0, 0, 999_999, 0)])
    document.undo_stack.undo()
    assert document.fill([Box(0, 0, 400_000, 0), Box(399_000, 0, 999_999, 0)], 3)
    assert time.perf_counter() - start < 1.5
    assert document.state.total == 3_000_000
