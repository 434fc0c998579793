"""Small tables are roomy, large ones dense, whatever the font."""

from __future__ import annotations

import time

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.scoring import score
from core.table import ContingencyTable
from gui import theme
from gui.table_editor.colors import DARK, LIGHT
from gui.table_editor.density import DENSE, MEDIUM, ROOMY, density_for


def measures(editor) -> tuple[int, int]:
    view = editor.view
    return view.row_header.defaultSectionSize(), view.column_header.sectionSize(0)


def test_a_small_table_is_not_set_close(make_editor):
    for shape in ((1, 1), (4, 4), (10, 10)):
        editor = make_editor(ContingencyTable(np.ones(shape, int)))
        row, column = measures(editor)
        assert row >= 40
        assert column >= 72
        view = editor.view
        assert view.cells.count_font.pointSizeF() == pytest.approx(view.font().pointSizeF() * 1.15)
        assert view.cells.margin_font.pointSizeF() == view.font().pointSizeF()


@pytest.mark.parametrize(("shape", "row"), [((16, 5), 32), ((3, 40), 32), ((17, 5), 24)])
def test_a_large_table_is_not_roomy(make_editor, shape, row):
    editor = make_editor(ContingencyTable(np.ones(shape, int)))
    assert measures(editor) == (row, 48)
    view = editor.view
    assert view.cells.count_font.pointSizeF() == view.font().pointSizeF()


def test_one_line_more_does_not_change_every_cell(make_editor):
    editor = make_editor(ContingencyTable(np.ones((10, 10), int)))
    before = measures(editor)
    for _ in range(4):
        editor.view.table_actions["insert_row_below"].trigger()
        assert measures(editor) == before
    editor.view.table_actions["insert_row_below"].trigger()
    assert measures(editor)[0] == 32
    # Not back at once either.
    editor.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert measures(editor)[0] == 32
    for _ in range(4):
        editor.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert measures(editor) == before


def test_a_large_block_pasted_into_a_small_table_is_not_roomy(make_editor):
    editor = make_editor(ContingencyTable(np.zeros((3, 3), int)))
    editor.paste("\n".join("\t".join(["7"] * 30) for _ in range(40)))
    assert editor.document.state.shape == (40, 30)
    assert measures(editor)[0] == 24
    editor.press(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert measures(editor)[0] == 40


def test_density_for_shapes():
    assert density_for((10, 10)) is ROOMY
    assert density_for((10, 11)) is MEDIUM
    assert density_for((16, 900)) is MEDIUM
    assert density_for((17, 2)) is DENSE
    assert density_for((14, 14), ROOMY) is ROOMY
    assert density_for((20, 2), MEDIUM) is MEDIUM
    assert density_for((21, 2), MEDIUM) is DENSE


@pytest.mark.parametrize("factor", [1.0, 1.5, 3.0])
def test_cells_keep_their_proportions_with_a_large_font(editor, factor):
    view = editor.view
    font = view.font()
    font.setPointSizeF(font.pointSizeF() * factor)
    view.setFont(font)
    row, column = measures(editor)
    assert row % 8 == 0
    assert column % 8 == 0
    height = QFontMetrics(view.cells.count_font).height()
    assert 1.9 * height <= row <= 2.6 * height + 8
    assert 1.5 * row <= column <= 2.1 * row
    assert view.column_header.height() >= 2 * 0.8 * QFontMetrics(font).lineSpacing()
    # The corner's two names are not cut.
    assert view.row_header.width() >= view.corner.needed_width(view.corner.padding)
    view.grab()


def test_an_editor_has_the_font_and_the_place_of_the_count(editor):
    editor.go(3, 0)
    editor.press(Qt.Key.Key_F2)
    view = editor.view
    assert editor.cell_editor.font().pointSizeF() == view.cells.count_font.pointSizeF()
    assert editor.cell_editor.geometry() == view.visualRect(view.table_model.index(3, 0))


@pytest.mark.parametrize("look", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
def test_no_slab_lies_around_the_table(editor, look):
    assert look.editor.surround == look.window
    view = editor.view
    view.set_colors(look.editor)
    QApplication.processEvents()
    image = view.grab().toImage()
    ratio = view.devicePixelRatio()
    end = view.viewport().pos() + QPoint(
        view.column_header.length() + 2, view.row_header.length() + 2
    )
    for point in (
        end,
        QPoint(end.x(), 5),
        QPoint(5, end.y()),
        QPoint(view.width() - 2, view.height() - 2),
        QPoint(end.x(), view.viewport().y() + 20),
        QPoint(view.viewport().x() + 20, end.y()),
    ):
        color = image.pixelColor(int(point.x() * ratio), int(point.y() * ratio))
        assert color.name() == look.window, point


@pytest.mark.parametrize(("look", "accent"), [(LIGHT, "#3b5bdb"), (DARK, "#8ba3ff")])
def test_what_is_selected_has_the_hue_of_the_accent(look, accent):
    hue = QColor(accent).hslHue()
    for name in (
        "selection",
        "selection_edge",
        "current",
        "header_active_background",
        "header_active_text",
    ):
        assert abs(QColor(getattr(look, name)).hslHue() - hue) <= 6, name


# Widths


def test_columns_that_come_do_not_reset_the_widths_of_others(editor):
    header = editor.view.column_header
    header.resizeSection(1, 200)
    editor.go(0, 0)
    editor.view.table_actions["insert_column_right"].trigger()
    assert [header.sectionSize(i) for i in range(5)] == [72, 72, 200, 72, 72]
    editor.view.table_actions["delete_columns"].trigger()
    assert [header.sectionSize(i) for i in range(4)] == [72, 200, 72, 72]
    editor.document.set_cell(0, 3, 10**11)
    assert header.sectionSize(3) > 72
    assert header.sectionSize(1) == 200


# Speed


def test_scores_of_a_large_table_are_not_compared_cell_by_cell(make_editor, monkeypatch):
    editor = make_editor(ContingencyTable(np.ones((400, 400), int)))
    table = editor.document.snapshot()
    scores = score(table, metrics=["row_peakiness"])
    same = score(
        ContingencyTable(table.counts, table.truth, table.clusters), metrics=["row_peakiness"]
    )

    def refuse(one, other):
        raise AssertionError("compared cell by cell")

    monkeypatch.setattr(ContingencyTable, "__eq__", refuse)
    assert editor.view.set_row_scores(scores)
    assert not editor.view.set_row_scores(same)


def test_equal_small_tables_are_the_same_table(editor, figure_1):
    again = ContingencyTable(figure_1.counts, figure_1.truth, figure_1.clusters)
    assert editor.view.set_row_scores(score(again, metrics=["row_peakiness"]))
    other = ContingencyTable(figure_1.counts + 1)
    assert not editor.view.set_row_scores(score(other, metrics=["row_peakiness"]))


def test_a_click_on_the_corner_still_selects_everything(editor):
    QTest.mouseClick(editor.view.corner, Qt.MouseButton.LeftButton)
    assert editor.boxes == [(0, 0, 3, 3)]


def test_a_header_scrolled_beyond_its_end_does_not_paint_every_name(make_editor, monkeypatch):
    editor = make_editor(ContingencyTable([[1]] * 2_000))
    header = editor.view.row_header
    painted = []
    monkeypatch.setattr(header, "paintSection", lambda *given: painted.append(given[2]))
    header.setOffset(header.length() + 8_000)
    header.viewport().repaint()
    # The name of the sums stands in a strip of its own.
    assert set(painted) <= {2_000}
    header.setOffset(0)
    header.viewport().repaint()
    assert 2 < len(painted) < 100


def test_rows_that_become_lower_leave_nothing_scrolled_beyond_the_end(make_editor):
    editor = make_editor(ContingencyTable([list(range(2_000))]))
    view = editor.view
    editor.go(0, 1_999)
    offsets = []
    editor.document.changed.connect(
        lambda _: offsets.append((view.row_header.offset(), view.verticalScrollBar().maximum()))
    )
    for change in (view.transpose, view.undo, view.redo):
        change()
        assert view.row_header.offset() <= max(0, view.row_header.length() - view.row_header.extent)
        assert editor.view.frozen.room.contains(view.visualRect(view.currentIndex()))
    assert all(offset <= most for offset, most in offsets)


def test_marks_of_a_million_tied_rows_take_no_time(make_editor):
    editor = make_editor(ContingencyTable(np.ones((200_000, 2), dtype=int)))
    scores = score(editor.document.snapshot(), metrics=["row_peakiness"])
    start = time.perf_counter()
    assert editor.view.set_row_scores(scores)
    assert time.perf_counter() - start < 0.3
    assert "2 cells are largest" in editor.view.table_model.score_mark(199_999).text
