"""Traces by logarithm, and the span that is dragged over them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from gui.plots.traces import Trace, TracesPlot
from gui.theme import DARK, LIGHT

COUNT = 100


def trace(key, level, n=COUNT, **options):
    return Trace(key, key.upper(), "#0072b2", np.full(n, level), **options)


@pytest.fixture
def plot(shown):
    plot = TracesPlot()
    plot.set_theme(LIGHT)
    plot.set_axes(bottom="instance", left="ms")
    plot.set_traces([trace("ap", 0.1, strong=True), trace("ami", 10.0)], COUNT)
    plot.set_span(20, 60)
    return shown(plot, 640, 360)


@pytest.fixture
def heard(plot):
    heard: list[tuple[int, int]] = []
    plot.span_chosen.connect(lambda start, stop: heard.append((start, stop)))
    return heard


def drag(plot, start, stop):
    """Drag from one instance to another, both as edges between instances."""
    view, canvas = plot.canvas.viewport(), plot.canvas
    a, b = (canvas.pixel_of(at + 0.5, 0.0).toPoint() for at in (start, stop))
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=a)
    for share in (0.3, 0.6, 1.0):
        QTest.mouseMove(view, a + QPoint(round((b.x() - a.x()) * share), 0))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=b)


@pytest.mark.parametrize(
    ("start", "stop", "expected"),
    [
        (20, 10, (10, 60)),
        (60, 90, (20, 90)),
        (40, 50, (30, 70)),
        (70, 90, (70, 90)),
        (90, 70, (70, 90)),
        # Beyond the ends it stops there, as wide as it was.
        (40, 95, (60, 100)),
        # An edge that is drawn over the other one takes its place.
        (20, 80, (60, 80)),
    ],
)
def test_a_drag_moves_what_it_takes_hold_of(plot, heard, start, stop, expected):
    drag(plot, start, stop)
    assert len(heard) == 1
    assert heard[0] == pytest.approx(expected, abs=1)


def test_a_click_beside_the_span_leaves_it(plot, heard):
    before = plot.canvas.span
    point = plot.canvas.pixel_of(80.5, 0.0).toPoint()
    QTest.mouseClick(plot.canvas.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert plot.canvas.span == before


def test_arrow_keys_move_the_span_and_its_end(plot, heard):
    plot.canvas.setFocus()
    QTest.keyClick(plot.canvas, Qt.Key.Key_Right)
    QTest.keyClick(plot.canvas, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(plot.canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert heard == [(21, 61), (11, 51), (11, 52)]


def test_a_span_has_at_least_one_instance(plot):
    plot.canvas.setFocus()
    for _ in range(50):
        QTest.keyClick(plot.canvas, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert plot.canvas.span == (20, 21)


def test_names_stand_at_their_lines_apart_from_each_other(plot):
    levels = {"ap": 0.1, "ami": 10.0, "nmi": 10.1, "v": 9.9}
    plot.set_traces([trace(key, level) for key, level in levels.items()], COUNT)
    places = {item.toPlainText(): item.pos() for item, _ in plot.canvas._names}
    assert list(places) == ["AP", "AMI", "NMI", "V"]
    assert all(place.x() > COUNT for place in places.values())
    heights = sorted(place.y() for place in places.values())
    assert heights[0] == pytest.approx(-1.0, abs=0.05)
    pixels = [plot.canvas.pixel_of(0, height).y() for height in heights]
    line = plot.canvas.fontMetrics().height()
    gaps = [a - b for a, b in itertools.pairwise(pixels)]
    assert min(gaps) >= 0.75 * line


def test_instances_without_a_time_are_gaps(plot):
    values = np.array([1.0, math.nan, 0.0, 2.0])
    plot.set_traces([Trace("ap", "AP", "#d55e00", values)], 4)
    x, y = plot._lines["ap"].getData()
    assert x.tolist() == [1, 2, 3, 4]
    np.testing.assert_allclose(y, [0.0, np.nan, np.nan, math.log10(2)])


def test_metrics_that_are_gone_leave_no_line(plot):
    plot.set_traces([trace("ami", 10.0)], COUNT)
    assert list(plot._lines) == ["ami"]
    plot.set_traces([], COUNT)
    assert plot._lines == {}


def test_the_strong_line_is_seen_in_both_schemes(plot, pixels):
    for theme in (LIGHT, DARK):
        plot.set_theme(theme)
        plot.set_traces([Trace("ap", "", "#d55e00", np.full(COUNT, 0.1), strong=True)], COUNT)
        QTest.qWait(20)
        assert pixels(plot.grab().toImage(), QColor("#d55e00"), near=40) > 300


def test_a_spike_among_very_many_instances_is_lost(plot, qtbot):
    values = np.full(20_000, 0.1)
    values[12_345] = 50.0
    plot.set_traces([Trace("ap", "AP", "#d55e00", values)], len(values))
    qtbot.wait(20)
    x, y = plot._lines["ap"].getData()
    assert len(x) < 10_000
    assert y.max() == pytest.approx(math.log10(50.0))
