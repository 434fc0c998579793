"""Histograms on the screen: clicks, heights, colours, axes."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from core.statistics.histogram import Histogram
from gui.plots.canvas import Canvas
from gui.plots.histogram import HistogramGrid, HistogramPlot, Series
from gui.plots.ticks import tick_texts
from gui.theme import DARK, LIGHT

COUNTS = [5, 0, 3, 9, 1]


def series(counts=COUNTS, low=0.0, high=1.0, label="a run") -> Series:
    edges = Histogram(low, high, len(counts)).edges
    return Series(label, edges, np.array(counts, np.int64))


@pytest.fixture
def plot(shown):
    plot = HistogramPlot()
    plot.set_theme(LIGHT)
    plot.set_title("AP", "Associativity-peakiness", "#d55e00")
    plot.set_axes(left="tables", bottom="score")
    plot.set_range(0.0, 1.0)
    plot.set_top(9)
    plot.set_series([series()])
    return shown(plot)


@pytest.fixture
def clicked(plot):
    heard: list[tuple[int, int]] = []
    plot.bin_clicked.connect(lambda number, place: heard.append((number, place)))
    return heard


@pytest.mark.parametrize("place", [0, 2, 3, 4])
def test_a_click_on_a_bar_gives_another_bin(plot, clicked, click, place):
    click(plot.canvas, (place + 0.5) / 5, COUNTS[place] / 2)
    assert clicked == [(0, place)]


def test_a_click_beside_the_edge_of_a_bar_gives_its_neighbour(plot, clicked, click):
    click(plot.canvas, 0.6, 0.5, dx=-2)
    click(plot.canvas, 0.6, 0.5, dx=2)
    assert clicked == [(0, 2), (0, 3)]


def test_low_bars_cannot_be_hit(plot, clicked, click):
    """The bar of one table is a few pixels high: the room above it counts, too."""
    click(plot.canvas, 0.9, 8.0)
    assert clicked == [(0, 4)]


def test_a_bin_without_tables_is_clicked(plot, clicked, click):
    click(plot.canvas, 0.3, 4.0)
    click(plot.canvas, 0.5, 0.0, dy=12)
    assert clicked == []


def test_dragging_or_another_button_is_a_click(plot, clicked):
    view = plot.canvas.viewport()
    a, b = (plot.canvas.pixel_of(x, 1.0).toPoint() for x in (0.1, 0.5))
    QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, a)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, b)
    QTest.mouseClick(view, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, a)
    assert clicked == []


def test_a_click_where_only_the_other_run_has_tables_is_taken_for_the_first(plot, clicked, click):
    plot.set_series([series(), series([1, 4, 0, 0, 0])], shares=True)
    plot.set_top(80)
    click(plot.canvas, 0.3, 10.0)
    click(plot.canvas, 0.1, 10.0)
    assert clicked == [(1, 1), (0, 0)]


def test_runs_of_different_sizes_are_compared_by_counts():
    assert series([1, 3]).heights(True).tolist() == [25.0, 75.0]
    assert series([100, 300]).heights(True).tolist() == [25.0, 75.0]
    assert series([100, 300]).heights(False).tolist() == [100.0, 300.0]
    assert series([0, 0]).heights(True).tolist() == [0.0, 0.0]


def test_bars_have_other_heights_than_their_counts(plot):
    assert plot.bars.opts["height"].tolist() == COUNTS
    plot.set_series([series(), series([1, 4, 0, 0, 0])], shares=True)
    assert plot.bars.opts["height"].sum() == pytest.approx(100)
    x, y = plot.outline.getData()
    # One step a bin, down to the axis at both ends.
    assert x.tolist() == np.repeat(series().edges, 2).tolist()
    assert y.tolist() == [0, 20, 20, 80, 80, 0, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    "many", [[], [series([0, 0, 0])], [series([7])], [series([1, 1], 5.0, 5.0 + 1e-6)]]
)
def test_no_tables_or_one_value_stop_the_plot(plot, clicked, click, many):
    plot.set_range(*(many[0].edges[[0, -1]].tolist() if many else (0.0, 1.0)))
    plot.set_top(0.0)
    plot.set_series(many)
    plot.grab()
    low, high = plot.canvas.bottom_axis.range
    click(plot.canvas, (low + high) / 2, 0.5)
    counts = many[0].counts if many else np.zeros(0, int)
    assert len(clicked) == (1 if counts.any() else 0)


def test_the_other_theme_keeps_the_colours(plot, pixels):
    plot.set_title("AP", "AP", "#d55e00")
    light = plot.canvas.grab().toImage()
    assert light.pixelColor(light.width() - 1, 1) == QColor(LIGHT.window)
    plot.set_title("AP", "AP", DARK.family("ap").name())
    plot.set_theme(DARK)
    dark = plot.canvas.grab().toImage()
    assert dark.pixelColor(dark.width() - 1, 1) == QColor(DARK.window)
    assert pixels(dark, QColor(LIGHT.window)) == 0
    axis = plot.canvas.bottom_axis
    assert axis.textPen().color() == QColor(DARK.muted)


def test_the_bin_that_was_clicked_looks_like_the_others(plot, pixels):
    accent = QColor(LIGHT.accent)
    assert pixels(plot.canvas.grab().toImage(), accent) == 0
    plot.mark(3)
    assert pixels(plot.canvas.grab().toImage(), accent) > 500
    plot.mark(-1)
    assert pixels(plot.canvas.grab().toImage(), accent) == 0


def test_the_median_stands_elsewhere_or_widens_the_axis(plot):
    assert not plot.median.isVisible()
    plot.set_median(0.62)
    assert plot.median.isVisible()
    assert plot.median.value() == 0.62
    plot.set_median(float("nan"))
    assert not plot.median.isVisible()
    before = plot.canvas.bottom_axis.range
    plot.set_median(40.0)
    plot.grab()
    assert plot.canvas.bottom_axis.range == before


def test_the_axis_of_counts_has_halves_or_lacks_its_zero(plot):
    plot.set_top(1)
    axis = plot.canvas.left_axis
    ticks = axis.ticks_for(*axis.range, plot.canvas.height())
    assert ticks == [0, 1]
    plot.set_series([series()], shares=True)
    assert len(axis.ticks_for(0.0, 1.04, 300)) > 2


def test_long_numbers_run_into_the_label(plot, qtbot):
    plot.set_top(1_000_000)
    qtbot.wait(20)
    axis = plot.canvas.left_axis
    metrics = plot.fontMetrics()
    need = metrics.horizontalAdvance("1,000,000") + metrics.height()
    assert axis.width() >= need


def test_the_number_at_the_end_of_an_axis_is_not_painted(plot):
    """pyqtgraph leaves out numbers that reach beyond the axis: 0 below, and a minus sign."""
    axis = plot.canvas.left_axis
    picture = plot.canvas.grab().toImage()
    y = plot.canvas.pixel_of(0.0, 0.0).toPoint().y()
    right = int(axis.width()) - 6
    window = QColor(LIGHT.window)
    inked = sum(
        picture.pixelColor(x, row) != window
        for x in range(right - 14, right)
        for row in range(y - 6, y + 6)
    )
    assert inked > 5


def test_the_menu_of_the_library_opens(plot):
    assert not plot.canvas.plot.getViewBox().menuEnabled()
    # Nothing is zoomed or moved by the mouse.
    assert plot.canvas.box.state["mouseEnabled"] == [False, False]


def wheel(window, widget):
    """Turn the wheel over a widget, as the screen's own event."""
    at = widget.mapTo(window, widget.rect().center())
    QTest.wheelEvent(window.windowHandle(), QPointF(at), QPoint(0, -120))


# The grid


def metrics(n):
    return [(f"m{i}", f"M{i}", f"metric {i}", "#0072b2") for i in range(n)]


@pytest.fixture
def grid(shown, qtbot):
    def make(n, width=960, height=520):
        grid = shown(HistogramGrid(), width, height)
        with qtbot.waitSignal(grid.made, timeout=5000):
            grid.set_metrics(metrics(n))
        qtbot.wait(20)
        for key in grid.keys:
            plot = grid.plot(key)
            plot.set_range(0.0, 1.0)
            plot.set_top(9)
            plot.set_series([series()])
        qtbot.wait(20)
        return grid

    return make


def test_eight_plots_do_not_fit_a_small_window(grid):
    found = grid(8)
    assert found.keys == tuple(f"m{i}" for i in range(8))
    rects = [found.plot(key).geometry() for key in found.keys]
    assert len({rect.left() for rect in rects}) == 4
    assert len({rect.top() for rect in rects}) == 2
    assert found.verticalScrollBar().maximum() == 0
    assert not any(a.intersects(b) for i, a in enumerate(rects) for b in rects[:i])


def test_many_plots_cannot_be_reached(grid):
    found = grid(20)
    bar = found.verticalScrollBar()
    assert bar.maximum() > 0
    # The wheel over a plot scrolls the page, not the plot.
    canvas = found.plot("m0").findChild(Canvas)
    before = canvas.bottom_axis.range
    wheel(found, canvas)
    assert bar.value() > 0
    assert canvas.bottom_axis.range == before


def test_a_click_marks_bins_in_other_plots(grid, click):
    found = grid(4)
    heard = []
    found.bin_clicked.connect(lambda *what: heard.append(what))
    click(found.plot("m2").canvas, 0.7, 2.0)
    assert heard == [("m2", 0, 3)]
    assert [found.plot(key)._marked for key in found.keys] == [-1, -1, 3, -1]
    click(found.plot("m1").canvas, 0.1, 2.0)
    assert [found.plot(key)._marked for key in found.keys] == [-1, 0, -1, -1]
    found.clear_mark()
    assert {found.plot(key)._marked for key in found.keys} == {-1}


def test_plots_are_made_anew_at_every_update(grid, qtbot):
    found = grid(4)
    before = [found.plot(key) for key in found.keys]
    with qtbot.waitSignal(found.made, timeout=5000):
        found.set_metrics([*metrics(4)[::-1], ("new", "New", "new", "#009e73")])
    assert [found.plot(f"m{i}") for i in range(4)] == before
    assert found.keys == ("m3", "m2", "m1", "m0", "new")
    found.set_metrics([])
    assert found.keys == ()


def test_a_long_note_widens_the_grid(grid):
    found = grid(8)
    for key in found.keys:
        found.plot(key).set_note("0.123 to 0.987, zeros 12.0 %, ones 3.1 %, 1,234,567 undefined")
    assert found.widget().minimumSizeHint().width() <= found.viewport().width()


def test_numbers_of_a_narrow_axis_overlap(plot):
    axis = plot.canvas.bottom_axis
    metrics = plot.fontMetrics()
    for ends in ((-0.05, 1.0), (-1000.0, 0.0), (0.0, 1e-8)):
        for size in (60, 125, 400):
            ticks = axis.ticks_for(*ends, size)
            assert ticks
            apart = size / (ends[1] - ends[0]) * min(np.diff(ticks), default=np.inf)
            widest = max(metrics.horizontalAdvance(text) for text in tick_texts(ticks))
            assert apart > widest or len(ticks) <= 2
    assert axis.ticks_for(-0.05, 1.0, 125) == [0.0, 0.5, 1.0]
    assert axis.ticks_for(0.0, 0.0, 125) == []
