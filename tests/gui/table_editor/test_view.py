"""Keys and clicks, as a user makes them."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QMenu

from core.scoring import score
from core.table import ContingencyTable
from gui.table_editor.colors import DARK
from gui.table_editor.delegate import HeatScale
from gui.table_editor.edits import Box

K = Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


# Typing


def test_typing_replaces_a_count_and_enter_goes_down(editor):
    editor.go(2, 0)
    editor.type("49")
    assert editor.cell_editor.text() == "49"
    editor.press(K.Key_Return)
    assert editor.counts[2][0] == 49
    assert editor.at == (3, 0)
    assert editor.view.hasFocus()
    assert editor.labels == ["Type 49"]


def test_f2_keeps_the_text_with_the_cursor_at_its_end(editor):
    # A digit too many is deleted, not the count typed anew.
    editor.go(3, 0)
    editor.press(K.Key_F2)
    assert editor.cell_editor.text() == "490"
    assert not editor.cell_editor.hasSelectedText()
    editor.press(K.Key_Backspace)
    editor.press(K.Key_Return)
    assert editor.counts[3][0] == 49


def test_a_double_click_edits_with_the_text_kept(editor):
    editor.double_click(3, 0)
    assert editor.cell_editor.text() == "490"
    assert editor.cell_editor.cursorPosition() == 3
    editor.press(K.Key_Escape)
    assert editor.counts[3][0] == 490


def test_escape_restores_and_pushes_nothing(editor):
    editor.go(0, 0)
    editor.type("7")
    editor.press(K.Key_Escape)
    assert editor.counts[0][0] == 151
    assert editor.labels == []
    assert editor.view.hasFocus()
    assert editor.at == (0, 0)


def test_typing_the_same_count_pushes_nothing(editor):
    editor.go(0, 0)
    editor.type("151")
    editor.press(K.Key_Return)
    assert editor.labels == []
    assert editor.at == (1, 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2.5", "whole"),
        ("-3", "negative"),
        ("x", "not a number"),
        ("1.234", "thousands"),
        ("1e3", "exponent"),
        ("99999999999999999999", "larger than"),
        ("nan", "no value"),
        ("1_000", "underscores"),
    ],
)
def test_a_text_that_is_no_count_stays_in_the_editor_and_is_named(editor, text, words):
    editor.go(0, 0)
    editor.type(text)
    editor.press(K.Key_Return)
    assert words in editor.said
    assert editor.cell_editor is not None
    assert editor.cell_editor.text() == text
    assert editor.cell_editor.at_fault
    assert editor.cell_editor.hasFocus()
    assert editor.counts[0][0] == 151
    editor.press(K.Key_Backspace)
    assert not editor.cell_editor.at_fault
    editor.press(K.Key_Escape)
    assert editor.counts[0][0] == 151
    assert editor.labels == []


def test_a_blank_is_not_a_zero_and_the_remedy_writes_one(editor):
    editor.go(0, 0)
    editor.press(K.Key_F2)
    editor.press(K.Key_A, CTRL)
    editor.press(K.Key_Delete)
    editor.press(K.Key_Return)
    assert "write 0" in editor.said
    assert editor.counts[0][0] == 151
    editor.act("Write 0")
    assert editor.counts[0][0] == 0
    assert editor.cell_editor is None
    assert editor.at == (1, 0)


def test_a_point_separates_thousands_only_when_the_user_says_so(editor):
    editor.go(0, 0)
    editor.type("1.234")
    editor.press(K.Key_Tab)
    assert editor.counts[0][0] == 151
    editor.act('Read "1.234" as 1234')
    assert editor.counts[0][0] == 1234
    assert editor.at == (0, 1)


def test_clicking_elsewhere_takes_a_count(editor):
    editor.go(0, 0)
    editor.type("7")
    editor.click(2, 2)
    assert editor.counts[0][0] == 7
    assert editor.at == (2, 2)


def test_clicking_elsewhere_gives_back_what_is_no_count_and_says_so(editor):
    editor.go(0, 0)
    editor.type("2.5")
    editor.click(2, 2)
    assert editor.counts[0][0] == 151
    assert editor.at == (2, 2)
    assert editor.said.startswith("Class 4, cluster 0 keeps 151.")
    editor.act("Edit again")
    assert editor.at == (0, 0)
    assert editor.cell_editor.text() == "2.5"


def test_a_menu_or_another_window_does_not_end_the_typing(editor):
    editor.go(0, 0)
    editor.type("7")
    for reason in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
        event = QEvent.Type.FocusOut
        from PySide6.QtGui import QFocusEvent

        QApplication.sendEvent(editor.cell_editor, QFocusEvent(event, reason))
        assert editor.cell_editor is not None
    assert editor.counts[0][0] == 151


def test_what_is_typed_can_be_taken_before_the_table_is_saved(editor):
    editor.go(0, 0)
    editor.type("7")
    assert editor.view.finish_editing()
    assert editor.counts[0][0] == 7
    editor.type("x")
    assert not editor.view.finish_editing()
    assert editor.cell_editor is not None
    editor.view.cancel_editing()
    assert editor.view.finish_editing()


# Enter, Tab


def test_enter_and_tab_move_with_shift_back(editor):
    editor.go(1, 1)
    for key, modifiers, place in (
        (K.Key_Return, (), (2, 1)),
        (K.Key_Enter, (SHIFT,), (1, 1)),
        (K.Key_Tab, (), (1, 2)),
        (K.Key_Backtab, (SHIFT,), (1, 1)),
    ):
        editor.press(key, *modifiers)
        assert editor.at == place


def test_tab_commits_and_moves_while_editing(editor):
    editor.go(1, 1)
    editor.type("5")
    editor.press(K.Key_Tab)
    editor.type("6")
    editor.press(K.Key_Backtab, SHIFT)
    assert editor.counts[1] == [302, 5, 6, 158]
    assert editor.at == (1, 1)


def test_tab_wraps_to_the_next_row_and_stays_within_the_table(editor):
    editor.go(0, 3)
    editor.press(K.Key_Tab)
    assert editor.at == (1, 0)
    editor.press(K.Key_Backtab, SHIFT)
    assert editor.at == (0, 3)
    editor.go(3, 3)
    editor.press(K.Key_Tab)
    assert editor.at == (3, 3)
    editor.press(K.Key_Return)
    assert editor.at == (3, 3)
    editor.go(0, 0)
    editor.press(K.Key_Backtab, SHIFT)
    assert editor.at == (0, 0)


def test_enter_at_the_bottom_goes_on_in_the_next_column(editor):
    editor.go(3, 0)
    editor.press(K.Key_Return)
    assert editor.at == (0, 1)
    editor.press(K.Key_Return, SHIFT)
    assert editor.at == (3, 0)


def test_enter_after_a_run_of_tabs_goes_to_where_it_began(editor):
    editor.go(0, 1)
    editor.type("1")
    editor.press(K.Key_Tab)
    editor.type("2")
    editor.press(K.Key_Tab)
    editor.type("3")
    editor.press(K.Key_Return)
    assert editor.at == (1, 1)
    assert editor.counts[0] == [151, 1, 2, 3]
    editor.press(K.Key_Return)
    assert editor.at == (2, 1)


def test_ctrl_tab_leaves_the_table(editor, qtbot):
    # Tab alone would be a trap for the keyboard.
    editor.press(K.Key_Tab, CTRL)
    assert editor.after.hasFocus()
    editor.view.setFocus()
    editor.press(K.Key_Backtab, CTRL, SHIFT)
    assert editor.before.hasFocus()
    editor.press(K.Key_Tab)
    assert editor.view.hasFocus()


def test_ctrl_tab_takes_what_is_typed_and_leaves(editor):
    editor.go(0, 0)
    editor.type("7")
    editor.press(K.Key_Tab, CTRL)
    assert editor.after.hasFocus()
    assert editor.counts[0][0] == 7


# Moving and selecting


def test_arrows_home_end_and_edges(editor):
    editor.go(1, 1)
    for key, modifiers, place in (
        (K.Key_Right, (), (1, 2)),
        (K.Key_Right, (CTRL,), (1, 3)),
        (K.Key_Right, (), (1, 3)),
        (K.Key_Down, (CTRL,), (3, 3)),
        (K.Key_Down, (), (3, 3)),
        (K.Key_Home, (), (3, 0)),
        (K.Key_End, (), (3, 3)),
        (K.Key_Home, (CTRL,), (0, 0)),
        (K.Key_End, (CTRL,), (3, 3)),
        (K.Key_Left, (CTRL,), (3, 0)),
        (K.Key_Up, (CTRL,), (0, 0)),
        (K.Key_Up, (), (0, 0)),
        (K.Key_PageDown, (), (3, 0)),
    ):
        editor.press(key, *modifiers)
        assert editor.at == place
        assert editor.boxes == [(*place, *place)]


def test_shift_extends_and_shrinks_from_the_current_cell(editor):
    editor.go(1, 1)
    editor.press(K.Key_Right, SHIFT)
    editor.press(K.Key_Down, SHIFT)
    assert editor.boxes == [(1, 1, 2, 2)]
    assert editor.at == (1, 1)
    editor.press(K.Key_Up, SHIFT)
    editor.press(K.Key_Up, SHIFT)
    assert editor.boxes == [(0, 1, 1, 2)]
    editor.press(K.Key_End, CTRL, SHIFT)
    assert editor.boxes == [(1, 1, 3, 3)]
    editor.type("9")
    editor.press(K.Key_Return)
    assert editor.counts[1][1] == 9


def test_the_margins_are_never_selected(editor):
    editor.press(K.Key_A, CTRL)
    assert editor.boxes == [(0, 0, 3, 3)]
    editor.go(2, 2)
    for margin in ((4, 1), (1, 4), (1, 5), (4, 4)):
        editor.click(*margin)
        assert editor.at == (2, 2)
        assert editor.boxes == [(2, 2, 2, 2)]
        editor.double_click(*margin)
        assert editor.cell_editor is None
    header = editor.view.column_header
    x = header.sectionViewportPosition(4) + 10
    QTest.mouseClick(
        header.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(x, 10)
    )
    assert editor.boxes == [(2, 2, 2, 2)]


def test_the_mouse_selects_and_typing_goes_to_where_it_began(editor):
    viewport = editor.view.viewport()
    none = Qt.KeyboardModifier.NoModifier
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, none, editor.point(1, 1))
    QTest.mouseMove(viewport, editor.point(2, 2))
    QTest.mouseMove(viewport, editor.point(4, 5))
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, none, editor.point(4, 5))
    assert editor.boxes == [(1, 1, 3, 3)]
    assert editor.at == (1, 1)
    editor.click(0, 0, SHIFT)
    assert editor.boxes == [(0, 0, 1, 1)]
    assert editor.at == (1, 1)


def test_ctrl_click_adds_and_takes_away(editor):
    editor.click(0, 0)
    editor.click(2, 2, CTRL)
    assert sorted(editor.boxes) == [(0, 0, 0, 0), (2, 2, 2, 2)]
    editor.click(0, 0, CTRL)
    assert editor.boxes == [(2, 2, 2, 2)]
    editor.click(2, 2, CTRL)
    assert editor.boxes == [(2, 2, 2, 2)]


def test_headers_select_lines_and_the_corner_everything(editor):
    none = Qt.KeyboardModifier.NoModifier
    rows, columns = editor.view.row_header, editor.view.column_header
    y = rows.sectionViewportPosition(1) + 10
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, none, QPoint(10, y))
    assert editor.boxes == [(1, 0, 1, 3)]
    y = rows.sectionViewportPosition(2) + 10
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, SHIFT, QPoint(10, y))
    assert editor.boxes == [(1, 0, 2, 3)]
    x = columns.sectionViewportPosition(3) + 20
    QTest.mouseClick(columns.viewport(), Qt.MouseButton.LeftButton, none, QPoint(x, 10))
    assert editor.boxes == [(0, 3, 3, 3)]
    QTest.mouseClick(editor.view.corner, Qt.MouseButton.LeftButton)
    assert editor.boxes == [(0, 0, 3, 3)]


def test_space_widens_the_selection_to_whole_lines(editor):
    editor.select(1, 1, 2, 1)
    editor.press(K.Key_Space, SHIFT)
    assert editor.boxes == [(1, 0, 2, 3)]
    editor.go(1, 1)
    editor.press(K.Key_Space, CTRL)
    assert editor.boxes == [(0, 1, 3, 1)]


# Undo


def test_undo_and_redo_restore_the_counts_and_the_place(editor):
    editor.go(3, 0)
    editor.type("49")
    editor.press(K.Key_Return)
    editor.go(0, 3)
    editor.press(K.Key_Z, CTRL)
    assert editor.counts[3][0] == 490
    assert editor.boxes == [(3, 0, 3, 0)]
    assert editor.at == (3, 0)
    editor.go(0, 3)
    editor.press(K.Key_Y, CTRL)
    assert editor.counts[3][0] == 49
    assert editor.at == (3, 0)
    editor.press(K.Key_Z, CTRL)
    editor.press(K.Key_Z, CTRL, SHIFT)
    assert editor.counts[3][0] == 49


def test_undo_while_typing_undoes_the_typing(editor):
    editor.go(0, 0)
    editor.type("1")
    editor.press(K.Key_Return)
    editor.type("2")
    editor.view.table_actions["undo"].trigger()
    assert editor.cell_editor is None
    assert editor.counts[0][0] == 1
    editor.view.table_actions["undo"].trigger()
    assert editor.counts[0][0] == 151


def test_the_undo_action_names_the_edit(editor):
    undo, redo = editor.view.table_actions["undo"], editor.view.table_actions["redo"]
    assert not undo.isEnabled()
    editor.document.rename_row(0, "R&D")
    editor.document.rename_row(0, "x")
    assert undo.text() == "&Undo Rename class R&&D"
    editor.press(K.Key_Z, CTRL)
    assert redo.isEnabled()
    assert redo.text() == "&Redo Rename class R&&D"


def test_delete_and_backspace_set_the_selection_to_zero(editor):
    editor.select(0, 0, 1, 1)
    editor.press(K.Key_Delete)
    assert editor.counts[:2] == [[0, 0, 72, 260], [0, 0, 0, 158]]
    assert editor.boxes == [(0, 0, 1, 1)]
    assert editor.labels == ["Clear 4 cells"]
    editor.press(K.Key_Z, CTRL)
    editor.go(3, 0)
    editor.press(K.Key_Backspace)
    assert editor.counts[3][0] == 0
    assert editor.labels == ["Clear cell"]
    editor.press(K.Key_Delete)
    assert editor.labels == ["Clear cell"]


# Lines


@pytest.mark.parametrize(
    ("action", "truth", "clusters", "box"),
    [
        ("insert_row_above", ["4", "T1", "5", "6", "7"], None, (1, 0, 1, 3)),
        ("insert_row_below", ["4", "5", "T1", "6", "7"], None, (2, 0, 2, 3)),
        ("insert_column_left", None, ["0", "1", "C1", "2", "3"], (0, 2, 3, 2)),
        ("insert_column_right", None, ["0", "1", "2", "C1", "3"], (0, 3, 3, 3)),
        ("delete_rows", ["4", "6", "7"], None, (1, 2, 1, 2)),
        ("delete_columns", None, ["0", "1", "3"], (1, 2, 1, 2)),
        ("transpose", ["0", "1", "2", "3"], ["4", "5", "6", "7"], (2, 1, 2, 1)),
    ],
)
def test_lines_are_inserted_deleted_and_transposed_undoably(editor, action, truth, clusters, box):
    before = editor.counts
    editor.go(1, 2)
    editor.view.table_actions[action].trigger()
    assert editor.names == (truth or list("4567"), clusters or list("0123"))
    assert editor.boxes == [box]
    after = editor.counts
    editor.press(K.Key_Z, CTRL)
    assert editor.counts == before
    assert editor.names == (list("4567"), list("0123"))
    editor.press(K.Key_Y, CTRL)
    assert editor.counts == after
    assert len(editor.labels) == 1


def test_as_many_classes_are_inserted_as_whole_rows_are_selected(editor):
    editor.select(1, 0, 2, 3)
    editor.view.table_actions["insert_row_above"].trigger()
    assert editor.names[0] == ["4", "T1", "T2", "5", "6", "7"]
    editor.select(0, 1, 1, 2)
    editor.view.table_actions["insert_column_right"].trigger()
    assert editor.names[1] == ["0", "1", "2", "C1", "3"]


def test_scattered_classes_are_deleted_as_one_step(editor):
    editor.click(0, 0)
    editor.click(2, 1, CTRL)
    action = editor.view.table_actions["delete_rows"]
    assert action.text() == "Delete 2 classes"
    action.trigger()
    assert editor.names[0] == ["5", "7"]
    editor.press(K.Key_Z, CTRL)
    assert editor.names[0] == list("4567")
    assert sorted(editor.boxes) == [(0, 0, 0, 3), (2, 0, 2, 3)]


def test_the_last_class_and_cluster_cannot_be_deleted(make_editor):
    editor = make_editor(ContingencyTable([[5]]))
    editor.view.table_actions["delete_rows"].trigger()
    assert "at least one class" in editor.said
    editor.view.table_actions["delete_columns"].trigger()
    assert "at least one cluster" in editor.said
    assert editor.counts == [[5]]
    assert editor.labels == []


def test_ctrl_t_transposes(editor):
    editor.press(K.Key_T, CTRL)
    assert editor.counts[0] == [151, 302, 161, 490]


# Names


@pytest.mark.parametrize(
    ("key", "modifier", "names"),
    [
        (K.Key_F2, SHIFT, (["4", "cat", "6", "7"], list("0123"))),
        (K.Key_F2, CTRL, (list("4567"), ["0", "1", "cat", "3"])),
    ],
)
def test_names_are_edited_by_keyboard(editor, key, modifier, names):
    editor.go(1, 2)
    editor.press(key, modifier)
    name_editor = QApplication.focusWidget()
    assert isinstance(name_editor, QLineEdit)
    assert name_editor.objectName() == "name_editor"
    assert name_editor.hasSelectedText()
    editor.type("cat")
    editor.press(K.Key_Return)
    assert editor.names == names
    assert editor.view.hasFocus()
    assert editor.at == (1, 2)
    editor.press(K.Key_Z, CTRL)
    assert editor.names == (list("4567"), list("0123"))


def test_a_name_is_edited_by_a_double_click_and_escape_restores_it(editor):
    header = editor.view.column_header
    point = QPoint(header.sectionViewportPosition(1) + 20, 10)
    button, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mouseDClick(header.viewport(), button, none, point)
    editor.type("x")
    editor.press(K.Key_Escape)
    assert editor.names[1] == list("0123")
    QTest.mouseDClick(header.viewport(), button, none, point)
    editor.type("y")
    editor.press(K.Key_Tab)
    editor.type("z")
    editor.click(0, 0)
    assert editor.names[1] == ["0", "y", "z", "3"]


def test_equal_empty_and_very_long_names_are_fine(editor):
    for name in ("0", "", "very long " * 100, "a\nb\tc", "<b>&amp;"):
        editor.document.rename_column(1, name)
        editor.document.rename_row(1, name)
        editor.view.grab()
        assert editor.view.column_header.sectionSize(1) <= 160
        assert editor.view.row_header.width() <= 240
        editor.go(1, 1)
        editor.press(K.Key_F2, CTRL)
        editor.press(K.Key_Return)
        assert editor.names[1][1] == (name if "\n" not in name else editor.names[1][1])


def test_an_untouched_name_editor_changes_nothing(editor):
    editor.document.rename_column(0, "a\nb")
    n = editor.document.undo_stack.count()
    editor.go(0, 0)
    editor.press(K.Key_F2, CTRL)
    editor.press(K.Key_Return)
    assert editor.names[1][0] == "a\nb"
    assert editor.document.undo_stack.count() == n


# Menus and shortcuts


def test_shortcuts_are_not_ambiguous_when_the_window_has_the_actions_in_menus(qtbot, figure_1):
    from gui.table_editor.document import TableDocument
    from gui.table_editor.view import TableView

    window = QMainWindow()
    qtbot.addWidget(window)
    view = TableView(TableDocument(figure_1))
    window.setCentralWidget(view)
    menu = window.menuBar().addMenu("&Edit")
    menu.addActions(view.actions())
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    view.document.set_cell(0, 0, 1)
    QTest.keyClick(view, K.Key_Z, CTRL)
    assert view.document.state.counts[0, 0] == 151
    QTest.keyClick(view, K.Key_Y, CTRL)
    assert view.document.state.counts[0, 0] == 1
    QTest.keyClick(view, K.Key_T, CTRL)
    assert view.document.state.counts[1, 0] == 88


def test_every_action_has_a_name_and_no_key_is_used_twice(editor):
    actions = editor.view.actions()
    assert {a.objectName() for a in actions} == set(editor.view.table_actions)
    keys = [key.toString() for action in actions for key in action.shortcuts()]
    assert len(keys) == len(set(keys))
    for key in ("Ctrl+Z", "Ctrl+Y", "Ctrl+Shift+Z", "Ctrl+Shift+C", "Del", "Shift+F2", "Ctrl+F2"):
        assert key in keys


def test_a_right_click_selects_the_cell_it_is_on_and_keeps_a_selection(editor):
    def right_click(row, column):
        point = editor.point(row, column)
        event = QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse, point, editor.view.viewport().mapToGlobal(point)
        )
        QApplication.sendEvent(editor.view.viewport(), event)
        menu = editor.view.findChild(QMenu, "table_menu")
        names = [action.objectName() for action in menu.actions() if action.objectName()]
        menu.close()
        QApplication.sendPostedEvents(menu, QEvent.Type.DeferredDelete)
        return names

    editor.select(0, 0, 1, 1)
    names = right_click(1, 0)
    assert editor.boxes == [(0, 0, 1, 1)]
    assert {"cut", "copy", "paste", "insert_row_above", "delete_columns", "transpose"} <= set(names)
    right_click(3, 3)
    assert editor.boxes == [(3, 3, 3, 3)]
    right_click(4, 3)
    assert editor.boxes == [(3, 3, 3, 3)]


def test_a_right_click_on_a_header_selects_its_line(editor):
    header = editor.view.row_header
    point = QPoint(5, header.sectionViewportPosition(2) + 5)
    header.customContextMenuRequested.emit(point)
    menu = editor.view.findChild(QMenu, "table_menu")
    assert "rename_row" in [action.objectName() for action in menu.actions()]
    menu.close()
    assert editor.boxes == [(2, 0, 2, 3)]


# Looks


@pytest.mark.parametrize("scale", list(HeatScale))
def test_text_is_legible_on_every_cell_that_is_painted(editor, scale):
    from gui.table_editor.heat import contrast

    cells = editor.view.cells
    for colors in (None, DARK):
        if colors is not None:
            editor.view.set_colors(colors)
        editor.view.set_heat_scale(scale)
        for row in range(4):
            for column in range(4):
                for selected in (False, True):
                    fill, ink = cells.cell_colors(row, column, selected)
                    pair = [(c.red(), c.green(), c.blue()) for c in (fill, ink)]
                    assert contrast(*pair) >= 4.5
        editor.view.grab()


def test_the_largest_cell_of_a_row_is_framed_and_others_are_not(editor):
    image = editor.view.grab().toImage()
    ratio = image.devicePixelRatio()

    def pixel(row, column, dx, dy):
        rect = editor.view.visualRect(editor.view.table_model.index(row, column))
        point = editor.view.viewport().mapTo(editor.view, rect.topLeft())
        return image.pixelColor(
            int((point.x() + dx) * ratio), int((point.y() + dy) * ratio)
        ).getRgb()[:3]

    assert pixel(3, 0, 2, 2) == (255, 234, 70)
    assert pixel(3, 0, 5, 10) == (0, 0, 0)
    assert pixel(3, 2, 5, 10) != (0, 0, 0)
    assert pixel(3, 1, 5, 10) == (255, 255, 255)


def test_scores_and_their_marks_are_painted(make_editor):
    editor = make_editor(ContingencyTable([[5, 5, 0], [0, 0, 0], [1, 2, 3]]))
    view = editor.view
    assert view.set_row_scores(score(editor.document.snapshot(), metrics=["row_peakiness"]))
    model = view.table_model
    assert [model.score_text(row) for row in range(3)] == ["0.000", "—", "0.333"]
    assert model.score_mark(0).glyph == "="
    assert "2 cells are largest" in model.score_mark(0).text
    assert model.score_mark(1).glyph == "∅"
    assert model.score_mark(2) is None
    view.grab()
    scores = score(editor.document.snapshot(), metrics=["row_peakiness"])
    editor.document.set_cell(0, 0, 6)
    assert not view.set_row_scores(scores)
    assert model.scores_stale
    view.grab()


def test_columns_fit_their_numbers_and_grow_with_them(editor):
    view = editor.view
    metrics = view.fontMetrics()
    before = view.column_header.sectionSize(0)
    editor.go(0, 0)
    editor.type("123456789012")
    editor.press(K.Key_Return)
    after = view.column_header.sectionSize(0)
    assert after > before
    assert after >= metrics.horizontalAdvance("123456789012") + 20
    assert view.column_header.sectionSize(4) >= after
    editor.press(K.Key_Z, CTRL)
    assert view.column_header.sectionSize(0) == after


def test_a_column_of_another_width_stays_so_through_edits(editor):
    editor.view.column_header.resizeSection(1, 200)
    editor.document.set_cell(0, 1, 5)
    assert editor.view.column_header.sectionSize(1) == 200


def test_a_table_of_one_cell_can_be_edited(make_editor):
    editor = make_editor(ContingencyTable([[3]]))
    for key in (K.Key_Right, K.Key_Down, K.Key_Tab, K.Key_Return, K.Key_End):
        editor.press(key)
        assert editor.at == (0, 0)
    editor.type("4")
    editor.press(K.Key_Return)
    assert editor.counts == [[4]]
    editor.view.grab()


def test_a_table_of_four_million_cells_opens_and_is_edited_without_an_object_a_cell(make_editor):
    counts = np.arange(4_000_000).reshape(2_000, 2_000) % 97
    editor = make_editor(ContingencyTable(counts))
    editor.press(K.Key_End, CTRL)
    assert editor.at == (1999, 1999)
    editor.type("123456")
    editor.press(K.Key_Return)
    assert editor.document.state.counts[1999, 1999] == 123456
    assert editor.document.state.total == int(counts.sum()) + 123456 - int(counts[-1, -1])
    editor.press(K.Key_Z, CTRL)
    editor.press(K.Key_A, CTRL)
    assert editor.boxes == [(0, 0, 1999, 1999)]
    editor.view.grab()
    editor.view.table_actions["insert_row_above"].trigger()
    assert editor.document.state.shape[0] == 4_000
    editor.press(K.Key_Z, CTRL)
    assert editor.document.state.shape == (2_000, 2_000)
    children = editor.view.viewport().children()
    assert len(children) < 10


def test_another_table_takes_the_place_of_the_old_one(editor):
    editor.go(3, 3)
    editor.type("5")
    editor.document.replace(ContingencyTable(np.ones((30, 2), int)))
    assert editor.cell_editor is None
    assert editor.at == (0, 0)
    assert editor.boxes == [(0, 0, 0, 0)]
    assert editor.view.row_header.defaultSectionSize() == 24
    assert not editor.view.table_actions["undo"].isEnabled()


def test_the_view_survives_its_document(qtbot, figure_1):
    from gui.table_editor.document import TableDocument
    from gui.table_editor.view import TableView

    document = TableDocument(figure_1)
    view = TableView(document)
    qtbot.addWidget(view)
    document.set_cell(0, 0, 1)
    document.deleteLater()
    QApplication.sendPostedEvents(document, QEvent.Type.DeferredDelete)
    view.grab()


def test_edits_from_elsewhere_select_what_they_changed(editor):
    editor.document.clear_cells([Box(1, 1, 2, 2)])
    assert editor.boxes == [(1, 1, 2, 2)]
    assert QGuiApplication.clipboard() is not None


def test_a_larger_font_gets_larger_cells(editor):
    view = editor.view
    row, column = view.row_header.defaultSectionSize(), view.column_header.sectionSize(0)
    font = view.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    view.setFont(font)
    assert view.row_header.defaultSectionSize() > row
    assert view.column_header.sectionSize(0) > column
    assert view.row_header.defaultSectionSize() > view.fontMetrics().height()
    view.grab()
