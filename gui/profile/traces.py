"""Times at each instance while they come, and the quiet window over them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.metrics.catalogue import METRICS
from core.profiling.routes import ROUTES
from core.studies.profiling import ProfileResult
from gui.elided_label import ElidedLabel
from gui.plots.timing_charts import TracesFigure
from gui.plots.traces import Trace, TracesPlot
from gui.profile.kept import Kept
from gui.profile.route_choice import RouteChoice
from gui.theme import GRID, LIGHT, Theme


class TracesView(QWidget):
    """The AP paper's figure 21, live.

    Signals
    -------
    window_chosen(object)
        Instances that count as quiet, or None for those found.
    """

    title = "Traces"

    window_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._kept: Kept | None = None
        self.route = RouteChoice()
        self.route.activated.connect(self._on_route)
        self.said = ElidedLabel()
        self.said.setObjectName("muted")
        self.again = QPushButton("Find quiet window")
        self.again.setToolTip("Take the two fifths of the instances in which times differ least")
        self.again.clicked.connect(self._on_again)
        self.plot = TracesPlot()
        self.plot.set_axes(bottom="instance", left="ms")
        self.plot.setToolTip(
            "Drag over the instances that count as quiet; arrows move them, with Shift their end"
        )
        self.plot.span_dragged.connect(self._on_dragged)
        self.plot.span_chosen.connect(self._on_chosen)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self.route)
        row.addWidget(self.said, 1)
        row.addWidget(self.again)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addLayout(row)
        layout.addWidget(self.plot, 1)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.plot.set_theme(theme)
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what has come while nobody looked."""
        super().showEvent(event)
        self._show()

    def show_profile(self, kept: Kept | None) -> None:
        """Show another profile, or what has come of one since."""
        if kept is not self._kept:
            self.plot.forget_range()
        self._kept = kept
        if kept is not None and kept.result is not None:
            self.route.show_routes(kept.result.profile.routes)
        if self.isVisible():
            self._show()

    def _show(self) -> None:
        kept = self._kept
        if kept is None or kept.result is None:
            self.plot.set_traces([], 1)
            self.plot.set_span(0, 0)
            self.said.setText("")
            return
        result = kept.result
        self.plot.set_traces(
            traces_of(result, self.route.route, self._theme), result.profile.instances
        )
        if kept.running:
            self.plot.set_span(0, 0)
            self.said.setText("The quiet window is found when all instances are timed.")
        else:
            self.plot.set_span(*kept.window)
            self._say(*kept.window)
        self.again.setEnabled(not kept.running and kept.chosen is not None)

    def _say(self, start: int, stop: int) -> None:
        kept = self._kept
        how = "chosen by hand" if kept is not None and kept.chosen is not None else "found"
        self.said.setText(f"Quiet window: instances {start + 1:,} to {stop:,}, {how}")

    @Slot()
    def _on_route(self) -> None:
        self.plot.forget_range()
        self._show()

    @Slot(int, int)
    def _on_dragged(self, start: int, stop: int) -> None:
        self.said.setText(f"Quiet window: instances {start + 1:,} to {stop:,}")

    @Slot(int, int)
    def _on_chosen(self, start: int, stop: int) -> None:
        if self._kept is not None and not self._kept.running:
            self.window_chosen.emit((start, stop))
            self._show()

    @Slot()
    def _on_again(self) -> None:
        self.window_chosen.emit(None)
        self._show()

    def figure(self) -> TracesFigure | None:
        """Return what is shown for print; None while there is nothing."""
        kept = self._kept
        if kept is None or kept.result is None or not kept.result.done:
            return None
        traces = traces_of(kept.result, self.route.route, LIGHT)
        if not traces:
            return None
        start, stop = kept.window
        return TracesFigure(
            traces,
            (start, stop),
            ("instance", "ms"),
            f"Time of each metric, {ROUTES[self.route.route].name}",
            f"{about(kept)}; quiet window {start + 1:,} to {stop:,}; {kept.result.began.processor}",
            settings_text(kept),
        )


def traces_of(result: ProfileResult, route: str, theme: Theme) -> list[Trace]:
    """Return the traces of a route, of the metrics that have times."""
    found = []
    for key in result.profile.keys:
        values = result.of(route, key) if route in result.profile.routes else np.zeros(0)
        if np.isfinite(values).any():
            metric = METRICS[key]
            colour = theme.family(metric.family.key).name()
            if not np.isfinite(values).all():
                values = _joined(values)
            found.append(Trace(key, metric.symbol, colour, values, key == "ap"))
    return found


def _joined(values: np.ndarray) -> np.ndarray:
    """Return values that are taken now and then with each one up to the next."""
    places = np.flatnonzero(np.isfinite(values))
    last = np.maximum.accumulate(np.where(np.isfinite(values), np.arange(len(values)), -1))
    joined = values[np.where(last < 0, places[0], last)]
    return np.asarray(joined, np.float64)


def about(kept: Kept) -> str:
    """Return what was timed, in a few words."""
    assert kept.result is not None
    profile, done = kept.result.profile, f"{kept.result.done:,}"
    if not kept.result.complete:
        done += f" of {profile.instances:,}"
    return f"{done} tables {profile.scenario.words}, seed {profile.seed}"


def settings_text(kept: Kept) -> str:
    """Return how it was measured, for the document."""
    assert kept.result is not None
    result = kept.result
    machine = "; ".join(f"{name}: {value}" for name, value in result.began.lines())
    said = " ".join(result.disturbances())
    return (
        f"{about(kept)}; metrics {', '.join(result.profile.keys)}; {machine}; clock overhead "
        f"{result.clock.overhead:g} ns taken off; garbage collector off, one thread"
        + (f"; {said}" if said else "")
    )
