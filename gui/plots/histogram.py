"""Histograms on the screen, in a grid with common axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from core.statistics.histogram import nice_top
from gui.plots.canvas import Canvas, faded
from gui.theme import GRID, LIGHT, Theme, scaled

# pyqtgraph after PySide6, which it then takes.
import pyqtgraph as pg  # isort: skip

_LEAST = (GRID * 22, GRID * 19)
_MOST_COLUMNS = 4


@dataclass(frozen=True, eq=False)
class Series:
    """The bars of one run.

    Attributes
    ----------
    label : str
        What people call the run.
    edges : ndarray of float64, shape (b + 1,)
    counts : ndarray of int64, shape (b,)
    """

    label: str
    edges: npt.NDArray[np.float64]
    counts: npt.NDArray[np.int64]

    def heights(self, shares: bool) -> npt.NDArray[np.float64]:
        """Return the heights of the bars: counts, or percent of all counted."""
        counts = self.counts.astype(np.float64)
        total = counts.sum()
        return 100 * counts / total if shares and total else counts


class HistogramPlot(QWidget):
    """One histogram: a run as bars, another one over it as an outline.

    Signals
    -------
    bin_clicked(int, int)
        Number of the series, and the bin that was clicked.
    """

    bin_clicked = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._themed: Theme | None = None
        self._colour = QColor(LIGHT.accent)
        self._series: list[Series] = []
        self._shares = False
        self._marked = -1
        self._top = 0.0
        self._ends = (0.0, 0.0)
        self.title = QLabel()
        self.title.setFont(scaled(self.font(), 1.05, bold=True))
        self.note = QLabel()
        self.note.setObjectName("muted")
        self.canvas = Canvas()
        self.canvas.left_axis.whole = True
        self.bars = pg.BarGraphItem(x0=[], x1=[], height=[], y0=0)
        self.outline = pg.PlotDataItem(stepMode=None)
        self.outline.setZValue(5)
        self.median = pg.InfiniteLine(angle=90, movable=False)
        self.median.setZValue(6)
        self.median.hide()
        self.canvas.plot.addItem(self.bars)
        self.canvas.plot.addItem(self.outline)
        self.canvas.plot.addItem(self.median, ignoreBounds=True)
        self.canvas.clicked.connect(self._on_clicked)
        head = QVBoxLayout()
        head.setSpacing(0)
        head.addWidget(self.title)
        head.addWidget(self.note)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 4)
        layout.addLayout(head)
        layout.addWidget(self.canvas, 1)
        self.setMinimumSize(*_LEAST)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        if theme is self._themed:
            return
        self._theme = self._themed = theme
        self.canvas.set_theme(theme)
        self.median.setPen(pg.mkPen(theme.text, width=1, style=Qt.PenStyle.DotLine))
        self._paint()

    def set_title(self, symbol: str, name: str, colour: str) -> None:
        """Name the metric."""
        self.title.setText(symbol)
        self.title.setToolTip(name)
        if QColor(colour) != self._colour:
            self._colour = QColor(colour)
            self._paint()
        self.canvas.setAccessibleName(f"Histogram of {name}")

    def set_note(self, text: str) -> None:
        """Say something of the scores, below the title."""
        self.note.setText(text)
        self.note.setToolTip(text)

    def set_median(self, score: float) -> None:
        """Mark the median of the first run; none for NaN."""
        there = not math.isnan(score)
        if there:
            self.median.setValue(score)
        self.median.setVisible(there)

    def set_range(self, low: float, high: float) -> None:
        """Show scores from one to another."""
        if (low, high) != self._ends:
            self._ends = (low, high)
            self.canvas.set_x_range(low, high)

    def set_top(self, top: float) -> None:
        """Give bars room up to a height."""
        # In steps: an axis that moves with every bar costs more to paint than all the bars.
        top = nice_top(top)
        if top != self._top:
            self._top = top
            self.canvas.set_y_range(0.0, top * 1.04)
            self.canvas.fit_left(0.0, top * 1.04, self.canvas.height())

    def set_axes(self, *, left: str, bottom: str) -> None:
        """Say what is counted, and of what; empty where a neighbour says it."""
        self.canvas.set_labels(bottom=bottom, left=left)

    def set_series(self, series: Sequence[Series], shares: bool = False) -> None:
        """Show one run, or a second one over it."""
        self._series, self._shares = list(series), shares
        self.canvas.left_axis.whole = not shares
        self._paint()

    def mark(self, place: int) -> None:
        """Let a bin stand out; none for -1."""
        if place != self._marked:
            self._marked = place
            self._paint()

    def _paint(self) -> None:
        fill = QColor(self._colour)
        if not self._series:
            self.bars.setOpts(x0=[], x1=[], height=[])
            self.outline.setData([], [])
            return
        main = self._series[0]
        heights = main.heights(self._shares)
        soft = faded(fill, 0.55 if len(self._series) > 1 else 0.85)
        brush = pg.mkBrush(soft)
        options = {
            "x0": main.edges[:-1],
            "x1": main.edges[1:],
            "height": heights,
            "pen": pg.mkPen(self._theme.base, width=1),
            "brush": brush,
            "brushes": None,
        }
        if 0 <= self._marked < len(heights):
            brushes = [brush] * len(heights)
            brushes[self._marked] = pg.mkBrush(self._theme.accent)
            options["brushes"] = brushes
        self.bars.setOpts(**options)
        if len(self._series) > 1:
            over = self._series[1]
            tops = over.heights(self._shares)
            x = np.repeat(over.edges, 2)
            y = np.concatenate([[0.0], np.repeat(tops, 2), [0.0]])
            self.outline.setData(x, y)
            self.outline.setPen(pg.mkPen(self._theme.text, width=1.5))
        else:
            self.outline.setData([], [])

    def _on_clicked(self, x: float, y: float) -> None:
        for number, series in enumerate(self._series):
            place = int(np.searchsorted(series.edges, x, side="right")) - 1
            if x == series.edges[-1]:
                place -= 1
            inside = 0 <= place < len(series.counts)
            # Anywhere above a bar is near enough: many bars are low.
            if inside and series.counts[place] and 0 <= y <= self._top * 1.04:
                self.bin_clicked.emit(number, place)
                return


class HistogramGrid(QScrollArea):
    """Histograms side by side; where they do not fit, they scroll.

    Signals
    -------
    bin_clicked(str, int, int)
        Key of the histogram, number of the series and the bin.
    made()
        All plots that were asked for are there.
    """

    bin_clicked = Signal(str, int, int)
    made = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Histograms")
        self._theme = LIGHT
        self._plots: dict[str, HistogramPlot] = {}
        self._wanted: list[tuple[str, str, str, str]] = []
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._make_next)
        self._shares = False
        self._inner = QWidget()
        self._layout = QGridLayout(self._inner)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setHorizontalSpacing(GRID * 3 // 2)
        self._layout.setVerticalSpacing(GRID)
        self.setWidget(self._inner)

    @property
    def keys(self) -> tuple[str, ...]:
        """What is shown."""
        return tuple(self._plots)

    def plot(self, key: str) -> HistogramPlot | None:
        """Return the histogram of a key; None while it is being made."""
        return self._plots.get(key)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        for plot in self._plots.values():
            plot.set_theme(theme)

    def set_metrics(self, metrics: Sequence[tuple[str, str, str, str]]) -> None:
        """Show a histogram for each: key, symbol, name and colour."""
        wanted = [key for key, *_ in metrics]
        for key in [key for key in self._plots if key not in wanted]:
            plot = self._plots.pop(key)
            self._layout.removeWidget(plot)
            plot.hide()
            plot.deleteLater()
        self._wanted = list(metrics)
        self._make_next()

    def _make_next(self) -> None:
        """Make a plot that is missing; a few at once would hold up the window."""
        for key, symbol, name, colour in self._wanted:
            missing = key not in self._plots
            if missing:
                plot = HistogramPlot()
                plot.bin_clicked.connect(
                    lambda series, place, key=key: self._on_bin(key, series, place)
                )
                plot.canvas.installEventFilter(self)
                self._plots[key] = plot
            plot = self._plots[key]
            plot.set_title(symbol, name, colour)
            plot.set_theme(self._theme)
            plot.mark(-1)
            if missing:
                self._turn.start()
                break
        if self._turn.isActive():
            return
        # All at once: every arrangement paints every plot.
        self._plots = {key: self._plots[key] for key, *_ in self._wanted}
        self._arrange()
        self.made.emit()

    def set_shares(self, shares: bool) -> None:
        """Say on the axes whether bars are tables or percent of them."""
        if shares != self._shares:
            self._shares = shares
            self._arrange()

    def clear_mark(self) -> None:
        """Let no bin stand out."""
        for plot in self._plots.values():
            plot.mark(-1)

    def _on_bin(self, key: str, series: int, place: int) -> None:
        for other, plot in self._plots.items():
            plot.mark(place if other == key and series == 0 else -1)
        self.bin_clicked.emit(key, series, place)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take as many columns as fit."""
        super().resizeEvent(event)
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Scroll the grid with the wheel over a plot."""
        if isinstance(event, QWheelEvent):
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() - event.angleDelta().y())
            return True
        return super().eventFilter(watched, event)

    def _arrange(self) -> None:
        n = len(self._plots)
        if not n or self._turn.isActive():
            return
        spacing = self._layout.horizontalSpacing()
        room = self.viewport().width() + spacing
        columns = max(1, min(_MOST_COLUMNS, n, room // (_LEAST[0] + spacing)))
        # Rows as full as each other: five are three and two, not four and one.
        rows = -(-n // columns)
        columns = -(-n // rows)
        for place in range(self._layout.columnCount()):
            self._layout.setColumnStretch(place, 1 if place < columns else 0)
        for place in range(self._layout.rowCount()):
            self._layout.setRowStretch(place, 1 if place < rows else 0)
        left = "% of tables" if self._shares else "tables"
        for place, plot in enumerate(self._plots.values()):
            row, column = divmod(place, columns)
            self._layout.addWidget(plot, row, column)
            self._layout.setColumnStretch(column, 1)
            self._layout.setRowStretch(row, 1)
            plot.set_axes(left=left if column == 0 else "", bottom="score")


__all__ = ["HistogramGrid", "HistogramPlot", "Series"]
