"""SVG export: the canary for the pinned Qt and pyqtgraph."""

from __future__ import annotations

import sys
from xml.etree import ElementTree

import pyqtgraph
import PySide6  # noqa: F401 - must come before pyqtgraph
from PySide6.QtCore import QObject, Signal

from gui.plots.export import scene_svg


class _Emitter(QObject):
    told = Signal(bool)


def test_emitting_true_does_not_lose_references_to_it(qapp):
    """Some releases of Qt for Python drop one reference to True at every emit."""
    emitter = _Emitter()
    heard: list[bool] = []
    emitter.told.connect(heard.append)
    emitter.told.emit(True)
    before = sys.getrefcount(True)
    for _ in range(100):
        emitter.told.emit(True)
    after = sys.getrefcount(True)
    assert len(heard) == 101
    # Python 3.12 made True immortal; there the count does not move at all.
    assert after >= before


def test_svg_of_a_plot_parses_and_keeps_its_text(qtbot):
    plot = pyqtgraph.PlotWidget()
    qtbot.addWidget(plot)
    plot.resize(320, 200)
    plot.setLabel("bottom", "score")
    plot.plotItem.setMenuEnabled(False)
    plot.addItem(
        pyqtgraph.BarGraphItem(x0=[0.0, 0.5], x1=[0.5, 1.0], height=[3, 7], brush="#0072b2")
    )
    plot.autoRange()
    plot.grab()
    text = scene_svg(plot.scene(), plot.sceneRect(), plot.logicalDpiX(), "two bars")
    root = ElementTree.fromstring(text)
    assert root.tag.endswith("svg")
    tags = [element.tag.rsplit("}")[-1] for element in root.iter()]
    assert "path" in tags or "rect" in tags
    words = " ".join("".join(element.itertext()) for element in root.iter())
    assert "two bars" in words
    assert "score" in words
