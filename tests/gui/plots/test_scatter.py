"""Points on the screen: which table a click means, density, axes, colours."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtGui import QColor

from gui.plots.scatter import MOST_POINTS, ScatterPlot
from gui.theme import DARK, LIGHT

X = np.array([0.1, 0.5, math.nan, 0.9, 0.5])
Y = np.array([0.2, 0.8, 0.5, 0.4, math.nan])


@pytest.fixture
def plot(shown):
    plot = ScatterPlot()
    plot.set_theme(LIGHT)
    plot.set_axes("AP", "ARI", "#0072b2")
    plot.set_points(X, Y)
    return shown(plot)


@pytest.fixture
def clicked(plot):
    heard: list[int] = []
    plot.point_clicked.connect(heard.append)
    return heard


def test_a_click_on_a_point_gives_another_table(plot, clicked, click):
    """Tables without one of the scores stand between the others: numbers are theirs, too."""
    for number in (3, 0, 1):
        click(plot.canvas, X[number], Y[number], dx=2, dy=-2)
    assert clicked == [3, 0, 1]


def test_a_click_far_from_all_points_gives_a_table(plot, clicked, click):
    click(plot.canvas, 0.3, 0.5)
    assert clicked == []


def test_the_point_that_was_clicked_is_not_marked(plot, clicked, click):
    click(plot.canvas, 0.9, 0.4)
    x, y = plot.mark.getData()
    assert (x.tolist(), y.tolist()) == ([0.9], [0.4])
    plot.set_points(Y, X)
    assert len(plot.mark.getData()[0]) == 0


def test_a_click_in_a_density_gives_another_table(plot, clicked, click):
    numbers = np.random.default_rng(3)
    x, y = numbers.random(MOST_POINTS + 1) * 0.6, numbers.random(MOST_POINTS + 1)
    x[77], y[77] = 0.9, 0.5
    plot.set_points(x, y)
    assert plot.is_density
    assert len(plot.points.getData()[0]) == 0
    click(plot.canvas, 0.9, 0.5)
    assert clicked == [77]
    plot.set_points(X, Y)
    assert not plot.is_density


def test_a_million_points_hold_up_the_window(plot, clicked, click, qtbot, monkeypatch):
    """They are counted a part at a time; meanwhile no click is taken for another point."""
    monkeypatch.setattr("gui.plots.scatter._AT_ONCE", 5_000)
    monkeypatch.setattr("gui.plots.scatter._PIECE", 1_000)
    numbers = np.random.default_rng(3)
    x, y = numbers.random(20_000) * 0.6, numbers.random(20_000) * 0.5
    x[11_111], y[11_111] = 0.9, 0.9
    plot.set_points(x, y)
    assert not plot.is_density
    assert len(plot.points.getData()[0]) == 0
    click(plot.canvas, 0.9, 0.9)
    plot.set_theme(DARK)
    assert clicked == []
    qtbot.waitUntil(lambda: plot.is_density, timeout=5000)
    qtbot.wait(20)
    assert plot._counts.sum() == 20_000
    click(plot.canvas, 0.9, 0.9)
    assert clicked == [11_111]
    # Others are asked for before these are counted.
    plot.set_points(y, x)
    plot.set_points(X, Y)
    qtbot.wait(50)
    assert not plot.is_density
    assert len(plot.points.getData()[0]) == 3


@pytest.mark.parametrize(
    ("most", "other"), [((0.75, 0.25), (0.0, 1.0)), ((0.75, 2.0), (-3.0, 5.0))]
)
def test_a_density_lies_beside_its_points(plot, qtbot, most, other):
    """The picture of the cells must cover the axes exactly: one point, one cell, at its place."""
    x = np.full(MOST_POINTS + 1, most[0])
    y = np.full(MOST_POINTS + 1, most[1])
    x[0], y[0] = other
    plot.set_points(x, y)
    qtbot.wait(20)
    picture = plot.canvas.grab().toImage()
    window = QColor(LIGHT.window)
    dark = [
        (column, row)
        for column in range(picture.width())
        for row in range(picture.height())
        if picture.pixelColor(column, row).lightness() < 60
    ]
    middle = plot.canvas.pixel_of(*most)
    assert dark
    assert np.mean([c for c, _ in dark]) == pytest.approx(middle.x(), abs=5)
    assert np.mean([r for _, r in dark]) == pytest.approx(middle.y(), abs=5)
    corner = plot.canvas.pixel_of(*other).toPoint()
    assert any(
        picture.pixelColor(corner.x() + dx, corner.y() + dy) != window
        for dx in range(-2, 3)
        for dy in range(-2, 3)
    )


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([], []),
        ([math.nan], [0.5]),
        ([0.5], [0.5]),
        ([0.3] * 5, [7.0] * 5),
        ([1e9, 1e9 + 1], [-1e-9, 1e-9]),
        ([math.inf, 0.5], [0.5, -math.inf]),
        ([0.5] * (MOST_POINTS + 1), [0.5] * (MOST_POINTS + 1)),
        ([3.0] * (MOST_POINTS + 1), [-3.0] * (MOST_POINTS + 1)),
    ],
)
def test_no_points_or_equal_ones_stop_the_plot(plot, click, x, y):
    plot.set_points(np.array(x, float), np.array(y, float))
    plot.grab()
    (left, right), (low, high) = plot.canvas.bottom_axis.range, plot.canvas.left_axis.range
    assert left < right
    assert low < high
    for a, b in zip(x[:1], y[:1], strict=True):
        if math.isfinite(a) and math.isfinite(b):
            assert left <= a <= right
            assert low <= b <= high
    click(plot.canvas, (left + right) / 2, (low + high) / 2)
    plot.clear()
    plot.grab()


def test_negative_scores_are_outside_the_axes(plot):
    plot.set_points(np.array([-0.4, 1.0]), np.array([-1.0, 12.0]))
    assert plot.canvas.bottom_axis.range[0] <= -0.4
    assert plot.canvas.left_axis.range[0] <= -1.0
    assert plot.canvas.left_axis.range[1] >= 12.0


def test_the_other_theme_keeps_the_colours(plot, pixels):
    blue = plot.canvas.grab().toImage()
    assert blue.pixelColor(blue.width() - 1, 1) == QColor(LIGHT.window)
    plot.set_theme(DARK)
    plot.set_axes("AP", "ARI", DARK.family("pairs").name())
    dark = plot.canvas.grab().toImage()
    assert dark.pixelColor(dark.width() - 1, 1) == QColor(DARK.window)
    assert pixels(dark, QColor(LIGHT.window)) == 0
