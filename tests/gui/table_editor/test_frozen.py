"""The margins of a large table stay in sight, and nothing is lost beneath them."""

from __future__ import annotations

import random

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTableView, QToolTip

from core.scoring import score
from core.table import ContingencyTable
from gui.theme import LIGHT, style_sheet

K = Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def counts(r: int, c: int) -> np.ndarray:
    return np.arange(r * c).reshape(r, c) * 7 % 61


@pytest.fixture
def big(make_editor):
    """60 classes and 45 clusters, scored, in a window that shows a part of them."""
    return scored(make_editor(ContingencyTable(counts(60, 45))))


def scored(editor):
    scores = score(editor.document.snapshot(), metrics=["row_peakiness"])
    assert editor.view.set_row_scores(scores)
    return editor


def settle() -> None:
    for _ in range(3):
        QApplication.processEvents()


def picture(view) -> QImage:
    settle()
    return view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def part(view, index_or_rect, image: QImage | None = None) -> QImage:
    """Return what is on the screen at a cell, or at a rectangle of the viewport."""
    rect = index_or_rect
    if not isinstance(rect, QRect):
        rect = view.visualRect(rect)
    ratio = view.devicePixelRatio()
    rect = rect.translated(view.viewport().pos())
    sides = (int(side * ratio) for side in rect.getRect())
    return (image or picture(view)).copy(*sides)


def in_sight(editor, row: int, column: int) -> bool:
    view = editor.view
    return view.frozen.room.contains(view.visualRect(view.table_model.index(row, column)))


def bars(editor):
    settle()
    return editor.view.horizontalScrollBar(), editor.view.verticalScrollBar()


def scroll_positions(editor):
    across, down = bars(editor)
    for x in (0, 1, 333, across.maximum() - 1, across.maximum()):
        for y in (0, 1, 250, down.maximum() - 1, down.maximum()):
            across.setValue(x)
            down.setValue(y)
            yield x, y


# In sight


def test_sums_and_scores_never_scroll_away_from_a_large_table(big, make_editor):
    whole = scored(make_editor(ContingencyTable(counts(60, 45))))
    whole.window.resize(4000, 2400)
    settle()
    assert not whole.view.frozen.frozen_at_all
    painted = picture(whole.view)
    view, model = big.view, big.view.table_model
    other = whole.view.table_model
    for _ in scroll_positions(big):
        top = view.rowAt(0) + 1
        left = view.columnAt(0) + 1
        image = picture(view)
        for row, column in ((top, 45), (top + 3, 46), (60, left), (60, left + 3), (60, 45)):
            rect = view.visualRect(model.index(row, column))
            assert view.viewport().rect().contains(rect)
            expected = part(whole.view, other.index(row, column), painted)
            assert part(view, rect, image) == expected, (row, column)


def test_the_names_of_the_margins_never_scroll_away(big):
    view = big.view
    header = view.column_header
    seen = set()
    for _ in scroll_positions(big):
        start = header.section_start(45)
        names = QRect(start, -header.height(), header.extent - start, header.height())
        image = part(view, names)
        seen.add(bytes(image.constBits()))
    assert len(seen) == 1


def test_no_cell_is_out_of_reach_beneath_the_strips(big):
    for column in range(45):
        big.go(0, column)
        assert in_sight(big, 0, column), column
    for row in range(60):
        big.go(row, 44)
        assert in_sight(big, row, 44), row
    for place in ((0, 0), (59, 44), (30, 20), (59, 0), (0, 44)):
        big.go(*place)
        assert in_sight(big, *place)


def test_at_the_end_the_strips_stand_where_the_margins_do(big):
    for bar in bars(big):
        bar.setValue(bar.maximum())
    view, model = big.view, big.view.table_model
    for row, column in ((59, 45), (59, 46), (60, 44), (60, 45), (60, 46)):
        index = model.index(row, column)
        assert view.visualRect(index) == QTableView.visualRect(view, index)
    assert not view.column_header.hides
    assert not view.row_header.hides


def test_the_strips_never_show_what_was_before_a_change(big):
    view, model = big.view, big.view.table_model
    before = [part(view, model.index(*place)) for place in ((1, 45), (1, 46), (60, 2), (60, 45))]
    big.document.set_cell(1, 2, 5_000)
    after = [part(view, model.index(*place)) for place in ((1, 45), (1, 46), (60, 2), (60, 45))]
    assert all(a != b for a, b in zip(after, before, strict=True))
    stale = part(view, model.index(2, 46))
    scored(big)
    assert part(view, model.index(2, 46)) != stale
    view.set_digits(6)
    assert len(model.score_text(2)) == len("0.000000")
    assert part(view, model.index(2, 46)) != stale


def test_scrolling_leaves_no_traces_of_the_strips_or_of_outlines(big):
    # The screen, which scrolling moves, against a picture painted afresh.
    window, view = big.window, big.view
    across, down = bars(big)
    choice = random.Random(5)
    for step in range(60):
        kind = step % 6
        if kind == 0:
            across.setValue(choice.randrange(across.maximum()))
        elif kind == 1:
            down.setValue(down.value() + choice.randrange(-60, 90))
        elif kind == 2:
            big.press(choice.choice([K.Key_Right, K.Key_Down, K.Key_Left]), SHIFT)
        elif kind == 3:
            across.setValue(across.value() + choice.randrange(-60, 60))
            place = view.rowAt(90), view.columnAt(150)
            big.click(*place, *([SHIFT] if step % 4 else []))
        elif kind == 4:
            big.document.set_cell(choice.randrange(60), choice.randrange(45), step)
        else:
            scored(big)
        settle()
        shown = window.screen().grabWindow(window.winId()).toImage()
        fresh = window.grab().toImage()
        origin = view.mapTo(window, QPoint(0, 0))
        size = view.size()
        one, two = (
            image.convertToFormat(QImage.Format.Format_RGB32).copy(QRect(origin, size))
            for image in (shown, fresh)
        )
        assert one == two, step


# The current cell


def test_ctrl_end_does_not_stop_beneath_the_strips(big):
    big.press(K.Key_End, CTRL)
    assert big.at == (59, 44)
    assert in_sight(big, 59, 44)
    big.press(K.Key_Home, CTRL)
    assert in_sight(big, 0, 0)


@pytest.mark.parametrize("key", [K.Key_Right, K.Key_Tab, K.Key_Down, K.Key_Return, K.Key_PageDown])
def test_no_key_moves_the_current_cell_beneath_the_strips(big, key):
    for _ in range(50):
        big.press(key)
        assert in_sight(big, *big.at)


def test_the_far_corner_of_a_selection_is_not_beneath_the_strips(big):
    for step in range(40):
        big.press(K.Key_Right if step % 2 else K.Key_Down, SHIFT)
        (box,) = big.boxes
        assert in_sight(big, box[2], box[3])


def test_the_place_of_an_undo_is_not_beneath_the_strips(big):
    big.document.set_cell(40, 30, 7)
    big.go(0, 0)
    big.press(K.Key_Z, CTRL)
    assert big.at == (40, 30)
    assert in_sight(big, 40, 30)
    # The column of the widest number has just grown narrower or wider.
    big.go(5, 33)
    big.type("123456789012345")
    big.press(K.Key_Return, CTRL)
    settle()
    assert in_sight(big, 5, 33)
    big.go(0, 0)
    big.press(K.Key_Z, CTRL)
    settle()
    assert in_sight(big, 5, 33)


def test_lines_that_come_at_the_end_are_scrolled_to_in_full(big):
    big.select(30, 44, 59, 44)
    big.view.table_actions["delete_rows"].trigger()
    big.go(0, 0)
    big.press(K.Key_Z, CTRL)
    assert in_sight(big, *big.at)
    big.go(59, 44)
    big.view.table_actions["insert_row_below"].trigger()
    assert big.at == (60, 0)
    assert in_sight(big, 60, 0)
    big.go(60, 44)
    big.view.table_actions["insert_column_right"].trigger()
    assert big.at[1] == 45
    assert in_sight(big, *big.at)


def test_a_cell_is_scrolled_to_in_full_as_soon_as_its_column_has_grown(big):
    view = big.view
    big.press(K.Key_End, CTRL)
    big.press(K.Key_Home)
    view.column_header.resizeSection(44, 200)
    view.column_header.resizeSection(43, 300)
    big.press(K.Key_End)
    assert in_sight(big, 59, 44)


def test_nothing_is_typed_out_of_sight(big):
    across, down = bars(big)
    across.setValue(across.maximum())
    big.type("1")
    assert in_sight(big, 0, 0)
    down.setValue(down.maximum())
    assert not in_sight(big, 0, 0)
    big.type("2")
    assert in_sight(big, 0, 0)
    assert big.cell_editor.text() == "12"
    big.press(K.Key_Escape)
    across.setValue(across.maximum())
    big.press(K.Key_F2)
    assert in_sight(big, 0, 0)


def test_an_open_editor_does_not_cover_the_sums(big):
    view, model = big.view, big.view.table_model
    big.go(3, 2)
    big.press(K.Key_F2)
    across, _ = bars(big)
    clean = part(view, model.index(3, 45))
    across.setValue(60)
    assert big.cell_editor.geometry() == view.visualRect(model.index(3, 2))
    # Scrolled to where the strip begins.
    column = view.columnAt(view.frozen.room.right()) - 1
    across.setValue(0)
    big.press(K.Key_Escape)
    big.go(3, column)
    big.press(K.Key_F2)
    big.type("123456789")
    assert part(view, model.index(3, 45)) == clean


def test_a_smaller_window_does_not_put_the_current_cell_beneath_the_strips(big):
    room = big.view.frozen.room
    big.go(big.view.rowAt(room.bottom()) - 1, big.view.columnAt(room.right()) - 1)
    place = big.at
    assert in_sight(big, *place)
    for size in ((760, 470), (600, 400), (500, 300)):
        big.window.resize(*size)
        settle()
        assert in_sight(big, *place)


def test_a_resize_does_not_scroll_back_to_a_cell_that_was_out_of_sight(big):
    big.go(0, 0)
    across, _ = bars(big)
    across.setValue(800)
    big.window.resize(700, 450)
    settle()
    assert across.value() == 800


# The mouse


def strip_points(editor) -> list[QPoint]:
    view, model = editor.view, editor.view.table_model
    top, left = view.rowAt(40), view.columnAt(80)
    places = ((top, 45), (top, 46), (60, left), (60, 45), (60, 46))
    return [view.visualRect(model.index(*place)).center() for place in places]


def test_a_click_on_a_strip_does_not_reach_what_is_beneath(big):
    big.go(2, 2)
    for x, y in ((0, 0), (300, 200)):
        for bar, value in zip(bars(big), (x, y), strict=True):
            bar.setValue(value)
        for point in strip_points(big):
            QTest.mouseClick(big.view.viewport(), LEFT, NONE, point)
            QTest.mouseClick(big.view.viewport(), LEFT, SHIFT, point)
            QTest.mouseClick(big.view.viewport(), LEFT, CTRL, point)
            QTest.mouseDClick(big.view.viewport(), LEFT, NONE, point)
            assert big.at == (2, 2)
            assert big.boxes == [(2, 2, 2, 2)]
            assert big.cell_editor is None


def test_a_drag_that_begins_on_a_strip_selects_nothing(big):
    viewport = big.view.viewport()
    big.go(2, 2)
    for point in strip_points(big):
        QTest.mousePress(viewport, LEFT, NONE, point)
        QTest.mouseMove(viewport, big.point(4, 4))
        QTest.mouseMove(viewport, big.point(5, 3))
        QTest.mouseRelease(viewport, LEFT, NONE, big.point(5, 3))
        assert big.boxes == [(2, 2, 2, 2)]


def test_a_right_click_on_a_strip_keeps_the_selection(big):
    big.go(2, 2)
    viewport = big.view.viewport()
    for point in strip_points(big):
        reason = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(
            viewport, QContextMenuEvent(reason, point, viewport.mapToGlobal(point))
        )
        menu = big.view.findChild(QMenu, "table_menu")
        menu.close()
        QApplication.sendPostedEvents(menu, QEvent.Type.DeferredDelete)
        assert big.boxes == [(2, 2, 2, 2)]


def test_a_drag_onto_a_strip_scrolls_and_selects_nothing_hidden(big, qtbot):
    view, viewport = big.view, big.view.viewport()
    across, _ = bars(big)
    point = strip_points(big)[0]
    last = view.columnAt(view.frozen.room.right())
    QTest.mousePress(viewport, LEFT, NONE, big.point(1, 1))
    QTest.mouseMove(viewport, point)
    (box,) = big.boxes
    assert box[3] == last
    # Held there, it scrolls on, as beyond any edge.
    qtbot.waitUntil(lambda: big.boxes[0][3] > last + 1, timeout=3000)
    assert across.value() > 0
    assert in_sight(big, *big.boxes[0][2:])
    QTest.mouseRelease(viewport, LEFT, NONE, point)
    assert big.at == (1, 1)


def test_a_click_on_a_frozen_name_does_not_reach_the_line_beneath(big):
    view = big.view
    big.go(2, 2)
    bars(big)
    for header, section in (
        (view.column_header, 45),
        (view.column_header, 46),
        (view.row_header, 60),
    ):
        middle = header.section_start(section) + header.sectionSize(section) // 2
        point = QPoint(middle, 10) if header.across else QPoint(10, middle)
        QTest.mouseClick(header.viewport(), LEFT, NONE, point)
        QTest.mouseDClick(header.viewport(), LEFT, NONE, point)
        header.customContextMenuRequested.emit(point)
        assert view.findChild(QMenu, "table_menu") is None
        assert header.editor is None
        assert big.boxes == [(2, 2, 2, 2)]
    # A name beside it is still a name.
    start = view.column_header.section_start(1)
    QTest.mouseClick(view.column_header.viewport(), LEFT, NONE, QPoint(start + 20, 10))
    assert big.boxes == [(0, 1, 59, 1)]


def test_a_drag_over_names_scrolls_and_selects_nothing_hidden(big):
    header = big.view.column_header
    bars(big)
    viewport = header.viewport()
    start = QPoint(header.section_start(1) + 20, 10)
    end = QPoint(header.section_start(46) + 20, 10)
    QTest.mousePress(viewport, LEFT, NONE, start)
    for _ in range(3):
        last = header.section_at(header.room - 1)
        QTest.mouseMove(viewport, end)
        QTest.mouseMove(viewport, end - QPoint(1, 0))
        ((top, left, bottom, right),) = big.boxes
        assert (top, left, bottom) == (0, 1, 59)
        assert last <= right <= header.section_at(header.room - 1)
        assert right < 45
    QTest.mouseRelease(viewport, LEFT, NONE, end)
    assert big.view.horizontalScrollBar().value() > 0


def test_a_tool_tip_never_tells_of_what_is_beneath_a_strip(big):
    view, model = big.view, big.view.table_model
    bars(big)

    def tip(widget, point):
        QToolTip.hideText()
        event = QHelpEvent(QEvent.Type.ToolTip, point, widget.mapToGlobal(point))
        QApplication.sendEvent(widget, event)
        return QToolTip.text()

    sizes = view.visualRect(model.index(3, 45)).center()
    assert tip(view.viewport(), sizes).startswith("Class T4: ")
    assert "cluster C3" in tip(view.viewport(), big.point(3, 2))
    total = view.visualRect(model.index(60, 45)).center()
    assert tip(view.viewport(), total).startswith("All items")
    header = view.column_header
    place = QPoint(header.section_start(46) + 20, 10)
    assert tip(header.viewport(), place).startswith("Peakiness of each class")
    place = QPoint(10, view.row_header.section_start(60) + 5)
    assert tip(view.row_header.viewport(), place) == "Size of each cluster"
    assert tip(view.row_header.viewport(), QPoint(10, 5)).startswith("Class T1: ")
    QToolTip.hideText()


def test_frozen_columns_can_be_made_wider_but_leave_room_for_counts(big):
    view, header = big.view, big.view.column_header
    bars(big)
    viewport = header.viewport()
    for section in (45, 46):
        before, frozen = header.sectionSize(section), header.frozen
        grip = QPoint(header.section_start(section) + 1, 10)
        QTest.mousePress(viewport, LEFT, NONE, grip)
        QTest.mouseMove(viewport, grip - QPoint(16, 0))
        QTest.mouseMove(viewport, grip - QPoint(32, 0))
        QTest.mouseRelease(viewport, LEFT, NONE, grip - QPoint(32, 0))
        settle()
        assert header.sectionSize(section) == before + 32
        assert header.frozen == frozen + 32
        QTest.mouseDClick(viewport, LEFT, NONE, QPoint(header.section_start(section) + 1, 10))
        assert header.sectionSize(section) == before
    # Not so wide that no count is left.
    grip = QPoint(header.section_start(45) + 1, 10)
    QTest.mousePress(viewport, LEFT, NONE, grip)
    QTest.mouseMove(viewport, QPoint(-500, 10))
    QTest.mouseRelease(viewport, LEFT, NONE, QPoint(-500, 10))
    settle()
    assert header.frozen
    assert view.frozen.room.width() >= header.extent // 2 - 1
    assert big.boxes == [(0, 0, 0, 0)]


# Frozen or not


def test_a_table_that_fits_has_its_margins_beside_it(editor):
    settle()
    view = editor.view
    assert not view.frozen.frozen_at_all
    assert view.frozen.room == view.viewport().rect()
    # The margins stand directly beside the counts.
    last = view.visualRect(view.table_model.index(3, 3))
    assert view.visualRect(view.table_model.index(3, 4)).left() == last.right() + 1
    assert view.visualRect(view.table_model.index(4, 3)).top() == last.bottom() + 1


def test_a_resized_window_gets_strips_and_loses_them(editor):
    view = editor.view
    settle()
    for size, frozen in (
        ((460, 500), (True, False)),
        ((800, 260), (False, True)),
        ((460, 260), (True, True)),
        ((800, 500), (False, False)),
    ):
        editor.window.resize(*size)
        settle()
        assert (view.column_header.frozen > 0, view.row_header.frozen > 0) == frozen
        for row, column in ((4, 0), (0, 4), (0, 5), (4, 4)):
            rect = view.visualRect(view.table_model.index(row, column))
            if (row == 4 and frozen[1]) or (column > 3 and frozen[0]):
                assert view.viewport().rect().intersects(rect)
        picture(view)


def test_strips_never_cover_more_than_half_of_a_small_view(big):
    for size in ((200, 500), (800, 150), (120, 130)):
        big.window.resize(*size)
        settle()
        room, extent = big.view.frozen.room, big.view.viewport().rect()
        assert 2 * room.width() >= extent.width() - 2
        assert 2 * room.height() >= extent.height() - 2
        big.view.grab()
    big.press(K.Key_End, CTRL)
    big.press(K.Key_Home, CTRL)


def test_transposing_exchanges_the_strips(make_editor):
    editor = make_editor(ContingencyTable(counts(2, 60)))
    view = editor.view
    settle()
    assert view.column_header.frozen
    assert not view.row_header.frozen
    editor.press(K.Key_T, CTRL)
    settle()
    assert not view.column_header.frozen
    assert view.row_header.frozen
    assert view.table_model.text(60, 0) == view.table_model.data(view.table_model.index(60, 0))
    rect = view.visualRect(view.table_model.index(60, 0))
    assert view.viewport().rect().contains(rect)
    editor.press(K.Key_End, CTRL)
    assert in_sight(editor, 59, 1)
    editor.press(K.Key_Z, CTRL)
    settle()
    assert view.column_header.frozen
    assert in_sight(editor, *editor.at)


@pytest.mark.parametrize("shape", [(1, 200), (200, 1), (1, 1)])
def test_the_margins_of_a_table_of_one_line_are_in_sight(make_editor, shape):
    editor = scored(make_editor(ContingencyTable(counts(*shape) + 1)))
    view, (r, c) = editor.view, shape
    settle()
    assert (view.column_header.frozen > 0, view.row_header.frozen > 0) == (c > 1, r > 1)
    editor.press(K.Key_End, CTRL)
    assert in_sight(editor, r - 1, c - 1)
    for row, column in ((r - 1, c), (r - 1, c + 1), (r, c - 1), (r, c)):
        rect = view.visualRect(view.table_model.index(row, column))
        assert view.viewport().rect().contains(rect)
    editor.press(K.Key_Home, CTRL)
    assert in_sight(editor, 0, 0)
    view.grab()


@pytest.mark.parametrize(
    ("shape", "points"), [((1, 200), [(-3, -3), (3, -3)]), ((200, 1), [(-3, -3), (-3, 3)])]
)
def test_no_slab_lies_beyond_a_strip_that_ends_with_its_table(make_editor, shape, points):
    editor = make_editor(ContingencyTable(counts(*shape)))
    view = editor.view
    settle()
    for _ in range(2):
        image = part(view, view.viewport().rect())
        for x, y in points:
            color = image.pixelColor(x % image.width(), y % image.height())
            assert color.name() == LIGHT.window
        # Once more after the strip has been elsewhere.
        editor.document.transpose()
        settle()
        editor.document.transpose()


# Large tables


class Painted(QObject):
    """Adds up how many cells and pixels are painted."""

    def __init__(self, view, monkeypatch) -> None:
        super().__init__()
        self.cells = self.pixels = 0
        self._view = view
        paint = view.cells.paint

        def counted(painter, rows, columns, *rest):
            self.cells += len(rows) * len(columns)
            paint(painter, rows, columns, *rest)

        monkeypatch.setattr(view.cells, "paint", counted)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            region = event.region() & self._view.frozen.open_area
            self.pixels += sum(rect.width() * rect.height() for rect in region)
        return False

    def start(self) -> None:
        settle()
        self.cells = self.pixels = 0


def test_no_more_cells_are_painted_than_a_scroll_or_an_edit_changes(make_editor, monkeypatch):
    editor = make_editor(ContingencyTable(np.arange(4_000_000).reshape(2_000, 2_000) % 97))
    editor.window.setStyleSheet(style_sheet(LIGHT))
    view = editor.view
    painted = Painted(view, monkeypatch)
    across, down = bars(editor)
    painted.start()
    view.viewport().update()
    settle()
    whole = painted.pixels
    assert painted.cells < 2_000
    for bar in (across, down):
        bar.setValue(bar.maximum() // 2)
        painted.start()
        bar.setValue(bar.value() + 24)
        settle()
        assert 0 < painted.pixels < whole / 2
        assert painted.cells < 500
    row, column = view.rowAt(60), view.columnAt(60)
    editor.go(row, column)
    painted.start()
    # Neither the edit nor the scores that are stale now repaint what they do not change.
    editor.document.set_cell(row, column, 3)
    settle()
    assert 0 < painted.pixels < whole / 4
    editor.press(K.Key_End, CTRL)
    assert in_sight(editor, 1_999, 1_999)
    assert view.visualRect(view.table_model.index(1_999, 2_000)).right() <= view.viewport().width()
