"""One value an instance for several metrics, by logarithm, and a span that can be dragged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.plots.canvas import faded
from gui.plots.log_canvas import LogCanvas, logs
from gui.theme import LIGHT, Theme

# pyqtgraph after PySide6, which it then takes.
import pyqtgraph as pg  # isort: skip

# An edge is taken within so many pixels of it.
_NEAR = 6.0
_STRONG, _THIN = 2.0, 1.0
# From so many instances on, a pixel is one point.
_MANY = 2_000


@dataclass(frozen=True, eq=False)
class Trace:
    """The values of one metric.

    Attributes
    ----------
    key, label, colour : str
    values : ndarray of float64, shape (n,)
        Above 0; NaN where there is none.
    strong : bool
        Whether it is the line that the eye should land on.
    """

    key: str
    label: str
    colour: str
    values: npt.NDArray[np.float64]
    strong: bool = False


class SpanCanvas(LogCanvas):
    """A canvas on which a span of whole numbers is dragged, or moved by arrow keys.

    An edge is dragged by itself, the inside moves the span, elsewhere a new one begins.

    Signals
    -------
    dragged(int, int)
        The span changed by hand: its first instance, and the one behind its last.
    dropped(int, int)
        The hand let go.
    """

    dragged = Signal(int, int)
    dropped = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.span = (0, 0)
        self.count = 0
        self._hold = ""
        self._from = 0.0
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.region = pg.LinearRegionItem(movable=False)
        self.region.setZValue(-5)
        self.plot.addItem(self.region, ignoreBounds=True)
        self.region.hide()

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        super().set_theme(theme)
        if hasattr(self, "region"):
            self._paint_region()

    def set_span(self, start: int, stop: int) -> None:
        """Show another span."""
        self.span = (start, stop)
        self.region.setVisible(stop > start)
        self.region.setRegion((start + 0.5, stop + 0.5))

    def _paint_region(self) -> None:
        accent = QColor(self._theme.accent)
        self.region.setBrush(pg.mkBrush(faded(accent, 0.18 if self.hasFocus() else 0.11)))
        for line in self.region.lines:
            line.setPen(pg.mkPen(accent, width=2 if self.hasFocus() else 1))
        self.region.update()

    # Mouse

    def _at(self, point: QPointF) -> float:
        return float(self.box.mapSceneToView(self.mapToScene(point.toPoint())).x()) - 0.5

    def _grip(self, point: QPointF) -> str:
        """Return what a press would take: an edge, the inside, or nothing of it."""
        if not self.count or not self.box.sceneBoundingRect().contains(
            self.mapToScene(point.toPoint())
        ):
            return ""
        start, stop = self.span
        if stop > start:
            for name, edge in (("start", start), ("stop", stop)):
                at = self.pixel_of(edge + 0.5, self._y[0]).x()
                if abs(at - point.x()) <= _NEAR:
                    return name
            if start < self._at(point) < stop:
                return "inside"
        return "new"

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the span."""
        event.accept()
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._hold = self._grip(event.position())
        at = self._at(event.position())
        self._from = at - self.span[0] if self._hold == "inside" else at

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag what is held."""
        event.accept()
        if not self._hold:
            shape = {
                "start": Qt.CursorShape.SplitHCursor,
                "stop": Qt.CursorShape.SplitHCursor,
                "inside": Qt.CursorShape.OpenHandCursor,
                "new": Qt.CursorShape.CrossCursor,
            }.get(self._grip(event.position()), Qt.CursorShape.ArrowCursor)
            self.viewport().setCursor(shape)
            return
        at = self._at(event.position())
        start, stop = self.span
        if self._hold == "inside":
            self._move_to(round(at - self._from), stop - start)
            return
        other = self._from if self._hold == "new" else (stop if self._hold == "start" else start)
        self._take(round(min(at, other)), round(max(at, other)))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        event.accept()
        held, self._hold = self._hold, ""
        if held and event.button() == Qt.MouseButton.LeftButton and self.span[1] > self.span[0]:
            self.dropped.emit(*self.span)

    def _move_to(self, start: int, length: int) -> None:
        start = min(max(start, 0), self.count - length)
        self._take(start, start + length)

    def _take(self, start: int, stop: int) -> None:
        start = min(max(start, 0), max(self.count - 1, 0))
        stop = max(min(stop, self.count), start + 1)
        if (start, stop) != self.span:
            self.set_span(start, stop)
            self.dragged.emit(start, stop)

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the span by arrows, its end with Shift; ten instances with Ctrl."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        step = steps.get(Qt.Key(event.key()), 0)
        start, stop = self.span
        if not step or stop <= start:
            event.ignore()
            return
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            step *= 10
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._take(start, max(stop + step, start + 1))
        else:
            self._move_to(start + step, stop - start)
        self.dropped.emit(*self.span)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._paint_region()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._paint_region()

    def event(self, event: QEvent) -> bool:
        # Keys that the graphics view would take for scrolling.
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            self.keyPressEvent(event)
            if event.isAccepted():
                return True
        return bool(super().event(event))


class TracesPlot(QWidget):
    """Lines of several metrics over the instances, and the span that is averaged.

    Signals
    -------
    span_dragged(int, int)
        The span moves under the hand.
    span_chosen(int, int)
        The hand let go.
    """

    span_dragged = Signal(int, int)
    span_chosen = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._traces: list[Trace] = []
        self._lines: dict[str, pg.PlotDataItem] = {}
        self._ends: tuple[float, float] | None = None
        self.canvas = SpanCanvas()
        self.canvas.dragged.connect(self.span_dragged)
        self.canvas.dropped.connect(self.span_chosen)
        self.canvas.setAccessibleName("Time of each metric at each instance")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.canvas)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.canvas.set_theme(theme)

    def set_axes(self, *, bottom: str, left: str) -> None:
        """Name the axes."""
        self.canvas.set_labels(bottom=bottom, left=left)

    @property
    def traces(self) -> list[Trace]:
        """What is shown."""
        return list(self._traces)

    def set_traces(self, traces: Sequence[Trace], count: int) -> None:
        """Show other values.

        Parameters
        ----------
        traces : sequence of Trace
        count : int
            Instances that there will be in the end.
        """
        self._traces = list(traces)
        self.canvas.count = max((len(each.values) for each in traces), default=0)
        for key in [key for key in self._lines if key not in {t.key for t in traces}]:
            self.canvas.plot.removeItem(self._lines.pop(key))
        ends: list[tuple[str, str, float]] = []
        low, high = np.inf, 0.0
        for trace in traces:
            line = self._lines.get(trace.key)
            if line is None:
                line = pg.PlotDataItem(connect="finite")
                self._lines[trace.key] = line
                self.canvas.plot.addItem(line)
            width = _STRONG if trace.strong else _THIN
            line.setPen(pg.mkPen(QColor(trace.colour), width=width))
            line.setZValue(10 if trace.strong else 1)
            heights = logs(trace.values)
            # Of very many points the highest and lowest of each pixel: no spike is lost.
            many = len(heights) > _MANY
            line.setDownsampling(auto=many, method="peak")
            line.setData(np.arange(1, len(heights) + 1), heights)
            there = trace.values[trace.values > 0]
            if len(there):
                low, high = min(low, float(there.min())), max(high, float(there.max()))
                ends.append((trace.label, trace.colour, float(np.log10(np.median(there)))))
        if ends:
            self._fit(low, high, count)
        self.canvas.set_names(ends)

    def _fit(self, low: float, high: float, count: int) -> None:
        """Show all; while more comes, axes move only where they must."""
        if self._ends is None or low < self._ends[0] or high > self._ends[1]:
            self._ends = (low / 1.25, high * 1.25)
        self.canvas.show_between((0.5, count + 0.5), self._ends)

    def forget_range(self) -> None:
        """Fit the axes anew when next something is shown."""
        self._ends = None

    def set_span(self, start: int, stop: int) -> None:
        """Show which instances are averaged: from the first, counted from 0, to below the last."""
        self.canvas.set_span(start, stop)
