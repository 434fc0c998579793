"""The model: margins around the counts, scores beside them, signals that tell what changed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from core.table import ContingencyTable
from gui.table_editor.document import TableDocument
from gui.table_editor.edits import Box, ReplaceTable
from gui.table_editor.model import EMPTY_MARK, TIE_MARK, TableModel

ROLES = Qt.ItemDataRole


@pytest.fixture
def document(qapp, figure_1):
    return TableDocument(figure_1)


@pytest.fixture
def model(document):
    return TableModel(document)


def text(model, row, column):
    return model.data(model.index(row, column))


def test_the_margins_stand_around_the_counts(model):
    assert (model.rowCount(), model.columnCount()) == (5, 6)
    assert model.rowCount(model.index(0, 0)) == 0
    assert text(model, 3, 0) == "490"
    assert [text(model, row, 4) for row in range(4)] == ["571", "790", "555", "605"]
    assert [text(model, 4, column) for column in range(4)] == ["1\u202f104", "418", "486", "513"]
    assert text(model, 4, 4) == "2\u202f521"
    assert text(model, 4, 5) == ""
    assert model.headerData(4, Qt.Orientation.Horizontal) == "sum"
    assert model.headerData(5, Qt.Orientation.Horizontal) == "peakiness"
    assert model.headerData(4, Qt.Orientation.Vertical) == "sum"


def test_numbers_in_cells_are_not_grouped(qapp):
    model = TableModel(TableDocument(ContingencyTable([[1234567]])))
    assert text(model, 0, 0) == "1234567"
    assert text(model, 0, 1) == "1\u202f234\u202f567"


def test_an_editor_never_gets_a_numpy_scalar(model):
    # Qt opens an empty editor on np.int64 and one rounded to two decimals on np.float64.
    for row in range(model.rowCount()):
        for column in range(model.columnCount()):
            value = model.data(model.index(row, column), ROLES.EditRole)
            assert type(value) in (int, str)
    assert type(model.data(model.index(0, 0), ROLES.DisplayRole)) is str


def test_margins_can_be_neither_selected_nor_edited(model):
    for row, column in ((4, 0), (0, 4), (0, 5), (4, 4), (4, 5)):
        index = model.index(row, column)
        assert model.flags(index) == Qt.ItemFlag.NoItemFlags
        assert not model.setData(index, 7)
    flags = model.flags(model.index(0, 0))
    assert flags & Qt.ItemFlag.ItemIsEditable
    assert flags & Qt.ItemFlag.ItemIsSelectable


def test_setting_data_goes_through_the_document(model, document):
    notices: list = []
    document.notice.connect(notices.append)
    assert model.setData(model.index(3, 0), "49")
    assert document.state.counts[3, 0] == 49
    assert not model.setData(model.index(3, 0), "2.5")
    assert "whole number" in notices[0].text
    assert document.undo_stack.count() == 1


def test_one_edit_keeps_all_margins_fresh(model, document):
    document.set_cell(3, 0, 49)
    assert text(model, 3, 4) == "164"
    assert text(model, 4, 0) == "663"
    assert text(model, 4, 4) == "2\u202f080"


def test_tool_tips_say_what_a_cell_is(model, document):
    tip = model.data(model.index(3, 0), ROLES.ToolTipRole)
    assert tip == (
        "Class 7, cluster 0: 490 items, 81.0\u00a0% of the class, 44.4\u00a0% of the cluster. "
        "The largest cell of its class"
    )
    assert model.data(model.index(1, 2), ROLES.ToolTipRole) == "Class 5, cluster 2: no items"
    assert model.headerData(0, Qt.Orientation.Vertical, ROLES.ToolTipRole) == "Class 4: 571 items"
    document.rename_column(0, "")
    tip = model.headerData(0, Qt.Orientation.Horizontal, ROLES.ToolTipRole)
    assert tip == "Cluster (no name): 1,104 items"


def test_scores_are_shown_with_their_marks_and_reasons(model):
    model.set_row_scores([0.41949, math.nan, 0.5, -0.25], [1, 0, 2, 1])
    assert [text(model, row, 5) for row in range(4)] == ["0.419", "—", "0.500", "−0.250"]
    assert model.score_mark(0) is None
    assert model.score_mark(1).glyph == EMPTY_MARK
    assert "An empty class has no peakiness." in model.data(model.index(1, 5), ROLES.ToolTipRole)
    assert model.score_mark(2).glyph == TIE_MARK
    assert "2 cells are largest" in model.data(model.index(2, 5), ROLES.ToolTipRole)
    model.set_digits(4)
    assert text(model, 0, 5) == "0.4195"


def test_scores_are_stale_from_an_edit_until_new_ones_come(model, document):
    assert model.set_row_scores(np.zeros(4), revision=0)
    assert not model.scores_stale
    document.set_cell(0, 0, 1)
    assert model.scores_stale
    assert "before the last edit" in model.data(model.index(0, 5), ROLES.ToolTipRole)
    assert not model.set_row_scores(np.ones(4), revision=0)
    assert text(model, 0, 5) == "0.000"
    assert model.set_row_scores(np.ones(4), revision=1)
    assert not model.scores_stale


def test_scores_for_another_number_of_rows_are_an_error_of_the_program(model):
    with pytest.raises(ValueError, match="4 rows"):
        model.set_row_scores([0.1, 0.2])


def test_scores_move_with_their_rows(model, document):
    model.set_row_scores([0.1, 0.2, 0.3, 0.4], [1, 1, 2, 1])
    document.insert_rows(1)
    assert [text(model, row, 5) for row in range(5)] == ["0.100", "", "0.200", "0.300", "0.400"]
    assert model.score_mark(3) is not None
    document.delete_rows([0, 2])
    assert [text(model, row, 5) for row in range(3)] == ["", "0.300", "0.400"]
    assert model.score_mark(1) is not None
    document.transpose()
    assert [text(model, row, 4) for row in range(4)] == [""] * 4


def test_the_model_keeps_qts_contract_through_every_kind_of_edit(model, document):
    tester = QAbstractItemModelTester(
        model, QAbstractItemModelTester.FailureReportingMode.Fatal, model
    )
    document.set_cell(0, 0, 1)
    document.insert_rows(4, 2)
    document.insert_columns(0)
    document.delete_rows([0, 2, 4])
    document.delete_columns([0])
    document.rename_row(0, "x")
    document.paste(1, 1, np.ones((6, 6), int), truth=list("abcdef"), clusters=list("uvwxyz"))
    document.transpose()
    document.clear_cells([Box(0, 0, 1, 1), Box(3, 3, 3, 3)])
    document.apply(ReplaceTable.of(ContingencyTable([[1]])))
    document.replace(ContingencyTable(np.ones((3, 2), int)))
    while document.undo_stack.canUndo():
        document.undo_stack.undo()
    document.insert_columns(2)
    document.undo_stack.undo()
    assert (model.rowCount(), model.columnCount()) == (4, 4)
    assert tester.model() is model


def test_one_run_of_rows_is_inserted_without_a_reset(model, document):
    resets, inserted = [], []
    model.modelReset.connect(lambda: resets.append(True))
    model.rowsInserted.connect(lambda _, first, last: inserted.append((first, last)))
    document.insert_rows(4, 2)
    document.insert_rows(0)
    assert inserted == [(4, 5), (0, 0)]
    assert not resets


def test_an_edit_tells_the_cells_that_changed_and_their_margins(model, document):
    changed = []
    model.dataChanged.connect(
        lambda a, b, *_: changed.append((a.row(), a.column(), b.row(), b.column()))
    )
    document.set_cell(0, 1, 89)
    assert (0, 0, 0, 5) in changed
    assert (4, 1, 4, 1) in changed
    assert (4, 4, 4, 4) in changed
    assert not any(box[0] <= 1 <= box[2] and box[1] <= 1 <= box[3] for box in changed)


def test_equal_and_empty_names_are_names(qapp):
    model = TableModel(TableDocument(ContingencyTable([[1, 2]], [""], ["a", "a"])))
    assert model.headerData(0, Qt.Orientation.Vertical) == ""
    assert [model.headerData(i, Qt.Orientation.Horizontal) for i in (0, 1)] == ["a", "a"]


def test_a_name_with_line_ends_is_shown_on_one_line(qapp):
    model = TableModel(TableDocument(ContingencyTable([[1]], ["a\nb"], ["x"])))
    assert model.headerData(0, Qt.Orientation.Vertical) == "a b"
    assert model.headerData(0, Qt.Orientation.Vertical, ROLES.EditRole) == "a\nb"


def test_a_place_outside_the_grid_holds_nothing(model):
    assert model.data(QModelIndex()) is None
    assert model.headerData(99, Qt.Orientation.Horizontal) is None


def test_a_name_that_looks_like_markup_is_shown_as_it_is(model, document):
    document.rename_row(0, "<b>bold</b>\nname")
    tip = model.headerData(0, Qt.Orientation.Vertical, ROLES.ToolTipRole)
    assert "&lt;b&gt;bold&lt;/b&gt; name" in tip
    spoken = model.headerData(0, Qt.Orientation.Vertical, ROLES.AccessibleTextRole)
    assert spoken == "Class <b>bold</b> name: 571 items"
    assert "&lt;b&gt;" in model.data(model.index(0, 0), ROLES.ToolTipRole)


def test_a_very_long_name_is_cut_in_headers_and_sentences(model, document):
    name = "ab cd " * 20_000
    document.rename_row(0, name)
    shown = model.headerData(0, Qt.Orientation.Vertical)
    assert shown.startswith("ab cd")
    assert "…" in shown
    assert len(shown) <= 520
    for tip in (
        model.headerData(0, Qt.Orientation.Vertical, ROLES.ToolTipRole),
        model.data(model.index(0, 0), ROLES.ToolTipRole),
    ):
        assert "…" in tip
        assert len(tip) < 250
    assert model.headerData(0, Qt.Orientation.Vertical, ROLES.EditRole) == name
