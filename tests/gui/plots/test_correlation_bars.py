"""Correlations on the screen: which bar a click means, what is written, colours."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from core.metrics.catalogue import METRICS
from core.statistics.correlation import Correlation
from core.studies.correlations import Correlations
from gui.plots.correlation_bars import CorrelationBars
from gui.theme import DARK, LIGHT, Theme

KEYS = ("ap", "ami", "ari", "f1", "v_measure")


def found(values, spread=0.05, reference="ap") -> Correlations:
    by_key = {
        key: Correlation(value, max(value - spread, -1.0), min(value + spread, 1.0), 100)
        if not math.isnan(value)
        else Correlation(math.nan, math.nan, math.nan, 1)
        for key, value in zip(KEYS, values, strict=False)
    }
    return Correlations(reference, "pearson", by_key, 1000, 0)


def show_in(bars: CorrelationBars, what: Correlations, theme: Theme = LIGHT) -> None:
    colours = {key: theme.family(METRICS[key].family.key).name() for key in what.by_key}
    bars.set_theme(theme)
    bars.set_correlations(what, {key: METRICS[key].symbol for key in what.by_key}, colours)


@pytest.fixture
def bars(shown):
    bars = CorrelationBars()
    show_in(bars, found([1.0, 0.9, -0.6, 0.3, math.nan]))
    return shown(bars, 640, 360)


@pytest.fixture
def clicked(bars):
    heard: list[str] = []
    bars.bar_clicked.connect(heard.append)
    return heard


def press(bars, point: QPoint, button=Qt.MouseButton.LeftButton):
    QTest.mouseClick(bars, button, Qt.KeyboardModifier.NoModifier, point)


def test_a_click_on_a_bar_means_another_metric(bars, clicked):
    assert bars.keys == KEYS[1:]
    for row in range(4):
        press(bars, bars.row_rect(row).center().toPoint())
    assert clicked == list(KEYS[1:])


def test_a_click_beside_the_bars_means_the_last_one(bars, clicked):
    press(bars, QPoint(300, 2))
    press(bars, QPoint(300, round(bars.row_rect(3).bottom()) + 8))
    press(bars, bars.row_rect(0).center().toPoint(), Qt.MouseButton.RightButton)
    assert clicked == []


def test_bars_cannot_be_reached_by_the_keyboard(bars, clicked):
    bars.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(3):
        QTest.keyClick(bars, Qt.Key.Key_Down)
    QTest.keyClick(bars, Qt.Key.Key_Return)
    for _ in range(9):
        QTest.keyClick(bars, Qt.Key.Key_Down)
    QTest.keyClick(bars, Qt.Key.Key_Enter)
    QTest.keyClick(bars, Qt.Key.Key_Up)
    QTest.keyClick(bars, Qt.Key.Key_Return)
    assert clicked == ["f1", "v_measure", "f1"]


def columns_in(bars, row: int, colour: QColor) -> list[int]:
    picture = bars.grab().toImage()
    # Above the whisker, inside the bar.
    y = round(bars.row_rect(row).center().y()) - 6
    return [x for x in range(picture.width()) if picture.pixelColor(x, y) == colour]


@pytest.mark.parametrize("values", [[1.0, 0.9, 0.3, 0.1], [1.0, 0.9, -0.6, 0.3]])
def test_a_bar_ends_at_another_coefficient(bars, values):
    show_in(bars, found(values, spread=0.0))
    area, low = bars._area(), min(0.0, -1.0 if min(values) < -0.25 else 0.0)
    for row, value in enumerate(values[1:]):
        family = METRICS[KEYS[row + 1]].family.key
        there = columns_in(bars, row, LIGHT.family(family))
        ends = sorted(area.left() + area.width() * (at - low) / (1.0 - low) for at in (0.0, value))
        assert there[0] == pytest.approx(ends[0], abs=2)
        assert there[-1] == pytest.approx(ends[1], abs=2)


def test_an_undefined_correlation_has_a_bar(bars):
    assert columns_in(bars, 3, LIGHT.family("information")) == []


@pytest.mark.parametrize(
    "what",
    [
        found([1.0]),
        found([math.nan] * 5),
        found([0.0] * 5, spread=0.0),
        found([-1.0, -1.0, 1.0, 1.0], spread=0.0),
        Correlations("ap", "spearman", {}, 0, 0),
    ],
)
def test_one_metric_or_none_at_all_stops_the_plot(bars, clicked, what):
    show_in(bars, what)
    bars.grab()
    press(bars, QPoint(320, 60))
    assert all(key in bars.keys for key in clicked)
    bars.clear()
    assert bars.keys == ()
    bars.grab()


def test_a_chosen_bar_outlives_its_metric(bars):
    """Fewer metrics than before: the bar under the mouse is no longer there."""
    QTest.mouseMove(bars, bars.row_rect(3).center().toPoint())
    show_in(bars, found([1.0, 0.5]))
    bars.grab()
    QTest.keyClick(bars, Qt.Key.Key_Return)
    QTest.keyClick(bars, Qt.Key.Key_Down)
    assert bars._at == 0


def test_the_other_theme_keeps_the_colours(bars, pixels):
    show_in(bars, found([1.0, 0.9, -0.6, 0.3]), DARK)
    picture = bars.grab().toImage()
    assert pixels(picture, QColor(DARK.track)) > 1000
    assert pixels(picture, DARK.family("information"), 2) > 500
    assert pixels(picture, LIGHT.family("information"), 2) == 0
