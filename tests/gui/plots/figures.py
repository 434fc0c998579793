"""Figures for print, drawn and read again by tests."""

from __future__ import annotations

import math
from typing import Any
from xml.etree import ElementTree

import numpy as np
from PySide6.QtGui import QColor, QImage, QPainter

from core.studies.study import run_to_end
from gui.plots.export import DRAWING_RESOLUTION, SaveDrawing
from gui.plots.heatmap_layout import MM


def drawn(figure) -> Any:
    steps = figure.prepare()
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def saved(figure, path):
    return run_to_end(SaveDrawing(figure.prepare, path))


def words(path) -> list[str]:
    root = ElementTree.fromstring(path.read_text("utf-8"))
    texts = [each for each in root.iter() if each.tag.endswith("}text")]
    return ["".join(each.itertext()).strip() for each in texts]


def texts_of(figure, tmp_path) -> list[str]:
    return words(saved(figure, tmp_path / "figure.svg"))


def something_outside(figure) -> bool:
    """Return whether a figure paints outside of its page."""
    drawing = drawn(figure)
    dpi = 80
    scale = dpi / DRAWING_RESOLUTION
    margin = round(25 * MM * scale)
    width, height = (math.ceil(length * scale) for length in drawing.size)
    image = QImage(width + 2 * margin, height + 2 * margin, QImage.Format.Format_RGB32)
    outside = QColor("#ff00ff")
    image.fill(outside)
    painter = QPainter(image)
    painter.translate(margin, margin)
    painter.scale(scale, scale)
    for _ in drawing.paint(painter):
        pass
    painter.end()
    raw = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1).copy()
    raw &= 0xFFFFFF
    raw[margin : margin + height + 1, margin : margin + width + 1] = 0xFF00FF
    return bool((raw != 0xFF00FF).any())
