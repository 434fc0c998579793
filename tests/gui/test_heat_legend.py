"""What the colours of the table mean, said beside it."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from core.table import ContingencyTable
from gui.menus import HEAT_SCALES
from gui.settings import Settings
from gui.table_editor.cells import HeatScale
from gui.table_editor.heat import heat


def colour(window, row, column):
    QApplication.processEvents()
    view = window.table_page.view
    rect = view.visualRect(view.table_model.index(row, column))
    found = view.viewport().grab().toImage().pixelColor(rect.left() + 2, rect.top() + 2)
    return found.red(), found.green(), found.blue()


def test_nobody_says_what_the_colours_mean(window):
    legend = window.table_page.legend
    texts = {}
    for name in HEAT_SCALES.values():
        window.set_heat(name)
        texts[name] = legend.text
        assert legend.isVisible() is bool(legend.text)
    assert texts == {
        "row": "largest of its class",
        "share": "100\N{NARROW NO-BREAK SPACE}% of its class",
        "table": "490",
        "off": "",
    }
    window.set_heat("table")
    window.session.document.set_cell(0, 0, 1234)
    assert legend.text == "1\N{NARROW NO-BREAK SPACE}234"
    window.session.show_table(ContingencyTable([[0, 0]]), "empty")
    assert not legend.isVisible()


def test_a_share_of_the_class_is_that_of_its_largest_count(window):
    window.set_heat("share")
    window.table_page.view.set_current(3, 3)
    assert colour(window, 1, 1) == heat(330, 790)
    # The whole class has other colours when one of its counts is another.
    window.session.document.set_cell(1, 3, 1158)
    window.table_page.view.set_current(3, 3)
    assert colour(window, 1, 1) == heat(330, 1790)


@pytest.mark.parametrize("name", HEAT_SCALES.values())
def test_a_scale_of_the_menu_is_not_remembered(settings, name):
    settings.heat = name
    assert Settings(settings.path).heat == HeatScale(name).value


def test_the_legend_takes_the_room_of_the_table_s_name(window):
    window.session.rename(window.session.document.key, "a name " * 40)
    legend = window.table_page.legend
    QApplication.processEvents()
    assert legend.width() >= legend.minimumSizeHint().width()
    assert legend.geometry().right() <= legend.parentWidget().width()
    window.grab()
