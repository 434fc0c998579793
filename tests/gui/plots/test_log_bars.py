"""Bars by logarithm: how long they are, what they tell, keys."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from gui.plots.log_bars import LogBar, LogBars
from gui.theme import LIGHT

BARS = [
    LogBar("ap", "AP", "#d55e00", 0.1, mark=1.0, texts=("0.100", "1"), strong=True),
    LogBar("ami", "AMI", "#009e73", 10.0, low=9.0, high=12.0, texts=("10.000", "100")),
    LogBar("rand", "Rand", "#0072b2", math.nan),
]


@pytest.fixture
def bars(shown):
    bars = LogBars()
    bars.set_theme(LIGHT)
    bars.set_bars(BARS, "ms", ("ms", "× AP"))
    return shown(bars, 640, 260)


def length(bars, row, colour):
    """Return how many pixels of a colour stand in the middle of a row."""
    image = bars.grab().toImage()
    y = round(bars.row_rect(row).center().y() * image.devicePixelRatio()) + 3
    return sum(image.pixelColor(x, y) == QColor(colour) for x in range(image.width()))


def test_bars_grow_by_logarithm(bars):
    short, long = length(bars, 0, "#d55e00"), length(bars, 1, "#009e73")
    low, _high = (math.log10(end) for end in bars._ends())
    expected = (1 - low) / (-1 - low)
    assert long / short == pytest.approx(expected, rel=0.05)
    assert length(bars, 2, "#0072b2") == 0


def test_every_number_is_inside(bars):
    low, high = bars._ends()
    assert low <= 0.1 / 1.5
    assert high > 12


def test_a_value_that_does_not_exist_is_a_dash_and_no_fault(bars):
    bars.set_bars([BARS[2]], "ms", ("ms",))
    bars.grab()
    bars.set_bars([], "ms", ("ms",))
    bars.grab()


def test_clicks_and_keys_choose_a_bar(bars, qtbot):
    heard: list[str] = []
    bars.bar_clicked.connect(heard.append)
    point = bars.row_rect(1).center().toPoint()
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=point)
    bars.setFocus()
    QTest.mouseMove(bars, bars.row_rect(0).center().toPoint())
    qtbot.waitUntil(lambda: bars._at == 0)
    QTest.keyClick(bars, Qt.Key.Key_Down)
    QTest.keyClick(bars, Qt.Key.Key_Return)
    QTest.keyClick(bars, Qt.Key.Key_Up)
    QTest.keyClick(bars, Qt.Key.Key_Return)
    assert heard == ["ami", "ami", "ap"]


def test_numbers_are_told_to_those_who_do_not_see_them(bars):
    assert "AMI: 10.000, 100" in bars.accessibleDescription()
