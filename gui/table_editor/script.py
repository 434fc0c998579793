"""Fonts of cells, and where in a cell they are written."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QFont, QFontMetricsF

#: Widths of texts that are remembered.
_REMEMBERED = 10_000


class Line(NamedTuple):
    """A row or column on the screen."""

    section: int
    start: int
    size: int


class Script:
    """A font, and how wide texts are in it: measuring anew each time would slow scrolling."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        self._metrics = QFontMetricsF(font)
        self._ascent, self.height = self._metrics.ascent(), self._metrics.height()
        self._widths: dict[str, float] = {}

    def width(self, text: str) -> float:
        width = self._widths.get(text)
        if width is None:
            if len(self._widths) > _REMEMBERED:
                self._widths.clear()
            width = self._widths[text] = self._metrics.horizontalAdvance(text)
        return width

    def baseline(self, row: Line) -> int:
        # One pixel less: the grid line below belongs to the cell.
        return round(row.start + (row.size - 1 - self.height) / 2 + self._ascent)


def tabular(font: QFont) -> QFont:
    """Return a font with digits of equal width."""
    figures = QFont(font)
    figures.setFeature(QFont.Tag("tnum"), 1)
    return figures


__all__ = ["Line", "Script", "tabular"]
