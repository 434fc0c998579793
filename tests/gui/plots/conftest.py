"""What tests of plots have in common."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest


@pytest.fixture
def shown(qtbot):
    """Return a function that shows a widget in a size, painted once."""

    def show(widget, width=480, height=320):
        qtbot.addWidget(widget)
        widget.resize(width, height)
        widget.show()
        qtbot.waitExposed(widget)
        qtbot.wait(10)
        return widget

    return show


@pytest.fixture
def click():
    """Return a function that clicks into a canvas at a point of its axes."""

    def at(canvas, x: float, y: float, dx: int = 0, dy: int = 0) -> None:
        point = canvas.pixel_of(x, y).toPoint() + QPoint(dx, dy)
        QTest.mouseClick(
            canvas.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point
        )

    return at


@pytest.fixture
def pixels():
    """Return a function that counts the pixels of a picture in about a colour."""

    def count(image: QImage, colour: QColor, near: int = 6) -> int:
        found = 0
        for y in range(image.height()):
            for x in range(image.width()):
                other = image.pixelColor(x, y)
                parts = (
                    (colour.red(), other.red()),
                    (colour.green(), other.green()),
                    (colour.blue(), other.blue()),
                )
                found += all(abs(a - b) <= near for a, b in parts)
        return found

    return count
