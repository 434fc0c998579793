"""How costs grow, measured point by point."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from time import monotonic

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from core.metrics.catalogue import METRICS
from core.profiling.complexity import own_complexity, published_complexity
from core.profiling.growth import AXES, Fit
from core.profiling.routes import ROUTES
from core.simulation.scenario import SimulationError
from core.studies.scaling import (
    LIMIT,
    SCALING_METRICS,
    FitGrowth,
    Scaling,
    ScalingResult,
)
from core.studies.study import Step
from gui.jobs import Job, JobRunner
from gui.plots.growth import GrowthLine, GrowthPlot
from gui.plots.timing_charts import GrowthFigure
from gui.profile.route_choice import RouteChoice
from gui.profile.wording import span_text
from gui.theme import GRID, LIGHT, Theme
from gui.turns import Turns

_WHAT = {
    "items": "the items N",
    "shape": "classes and clusters",
    "tables": "the number of tables",
}

# What stands for each size in a power.
_LETTERS = {"items": "N", "shape": "r", "tables": "k"}

_DRAW_EVERY = 0.3

log = logging.getLogger(__name__)


class GrowthView(QWidget):
    """Costs against a size, with fitted powers; said beforehand how long it takes.

    Parameters
    ----------
    jobs : JobRunner
    keys : callable
        Returns the metrics that are chosen on the page.
    may_start : callable
        Returns why nothing can be measured now; empty if it can.

    Signals
    -------
    refused(str)
        Why it does not begin.
    busy_changed()
        It has begun, or ended.
    """

    title = "Growth"

    refused = Signal(str)
    busy_changed = Signal()

    def __init__(
        self,
        jobs: JobRunner,
        keys: Callable[[], tuple[str, ...]],
        may_start: Callable[[], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs, self._keys, self._may_start = jobs, keys, may_start
        self._theme = LIGHT
        self._job: Job | None = None
        self.results: dict[str, ScalingResult] = {}
        self._drawn = 0.0
        self._turns = Turns(self)
        # Axes whose powers are found.
        self._fitted: set[str] = set()
        self.axis = QComboBox()
        self.axis.setAccessibleName("What grows")
        for key, words in _WHAT.items():
            self.axis.addItem(f"With {words}", key)
        self.route = RouteChoice()
        self.limit = QDoubleSpinBox()
        self.limit.setRange(0.1, 600.0)
        self.limit.setDecimals(1)
        self.limit.setValue(LIMIT)
        self.limit.setSuffix(" s a call at most")
        self.limit.setToolTip("Sizes at which one call would take longer are left out, and said")
        self.start_button = QPushButton("Measure growth")
        self.start_button.setObjectName("primary")
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setToolTip("Stop; the points that are there stay")
        self.cancel_button.setEnabled(False)
        self.status = QLabel()
        self.status.setObjectName("muted")
        self.status.setWordWrap(True)
        self.plot = GrowthPlot()
        self.fits = QTextBrowser()
        self.fits.setAccessibleName("Fitted powers")
        self.fits.setOpenLinks(False)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        for widget in (self.axis, self.route, self.limit):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.start_button)
        row.addWidget(self.cancel_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addLayout(row)
        layout.addWidget(self.status)
        layout.addWidget(self.plot, 3)
        layout.addWidget(self.fits, 2)
        self.axis.activated.connect(self._show)
        self.route.activated.connect(self._show)
        self.start_button.clicked.connect(self.start)
        self.cancel_button.clicked.connect(self._on_cancel)
        self._show()

    @property
    def busy(self) -> bool:
        """Whether it is measuring."""
        return self._job is not None

    @property
    def result(self) -> ScalingResult | None:
        """What was measured along the axis that is shown."""
        return self.results.get(str(self.axis.currentData()))

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.plot.set_theme(theme)
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what has come while nobody looked."""
        super().showEvent(event)
        self._show()

    # Measuring

    @Slot()
    def start(self) -> None:
        """Measure along the axis that is chosen."""
        why = self._may_start()
        if why:
            self.refused.emit(why)
            return
        chosen = self._keys()
        keys = tuple(dict.fromkeys((*SCALING_METRICS, *chosen))) if chosen else SCALING_METRICS
        try:
            study = Scaling(str(self.axis.currentData()), keys=keys, limit=self.limit.value())
        except SimulationError as error:
            self.refused.emit(f"Growth was not measured: {error.message}.")
            return
        job = self._jobs.create(study, "Measuring growth")
        job.progressed.connect(self._on_progressed)
        job.finished.connect(self._on_finished)
        job.cancelled.connect(self._on_cancelled)
        job.failed.connect(self._on_failed)
        self._job = job
        self.results.pop(study.axis, None)
        self._fitted.discard(study.axis)
        self.status.setText("Finding out how long it will take…")
        self._show_state()
        self._show()
        self._jobs.start(job)
        self.busy_changed.emit()

    @Slot()
    def _on_cancel(self) -> None:
        if self._job is not None:
            self.cancel_button.setEnabled(False)
            self._job.cancel()

    @Slot(object)
    def _on_progressed(self, step: Step[ScalingResult]) -> None:
        if step.partial is not None:
            self._take(step.partial)
            self._say(step.partial)

    @Slot(object)
    def _on_finished(self, result: ScalingResult) -> None:
        self._end(result)

    @Slot()
    def _on_cancelled(self) -> None:
        self._end(None if self._job is None else self._job.partial)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        log.error("growth was not measured", exc_info=error)
        self._end(None if self._job is None else self._job.partial)
        self.refused.emit(f"The measurement stopped: {error}.")

    def _end(self, result: ScalingResult | None) -> None:
        self._job = None
        if result is not None:
            self._take(result)
            if not result.complete:
                # What was stopped has no fits yet, and they take longer than a frame.
                job = self._jobs.create(FitGrowth(result), "Fitting powers")
                job.finished.connect(self._on_fitted)
                self._jobs.start(job)
            else:
                self._fitted.add(result.scaling.axis)
        self._show_state()
        self._show()
        self.busy_changed.emit()

    @Slot(object)
    def _on_fitted(self, result: ScalingResult) -> None:
        if self.results.get(result.scaling.axis) is result:
            self._fitted.add(result.scaling.axis)
            self._show()

    def _take(self, result: ScalingResult) -> None:
        self.results[result.scaling.axis] = result
        now = monotonic()
        # Points come faster than anyone looks; all of them are drawn when they are there.
        if result is self.result and self.isVisible() and now - self._drawn > _DRAW_EVERY:
            self._drawn = now
            self._draw(result)

    def _say(self, result: ScalingResult) -> None:
        self.status.setText(
            f"{result.done} of {result.scaling.points} points; it was expected to take about "
            f"{span_text(result.forecast)} in all, and takes about "
            f"{span_text(result.seconds_left)} more."
        )

    def _show_state(self) -> None:
        running = self._job is not None
        self.start_button.setEnabled(not running)
        self.cancel_button.setEnabled(running)

    # Showing

    @Slot()
    def _show(self) -> None:
        result = self.result
        if result is None:
            self.plot.set_lines([])
            self.fits.setHtml("")
            if self._job is None:
                axis = _WHAT[str(self.axis.currentData())]
                self.status.setText(
                    f"How does the cost of each metric grow with {axis}? Before it begins it "
                    "says how long it will take; a process of its own measures."
                )
            return
        self.route.show_routes(tuple(result.scaling.routes))
        self._draw(result)
        if self._job is None or result.complete:
            self.status.setText(_told(result))
        self._turns.put("fits", self._tell_fits)

    def _tell_fits(self) -> None:
        result = self.result
        told = result is not None and self._has_fits(result)
        self.fits.setHtml(fits_html(result, self.route.route) if result and told else "")

    def _has_fits(self, result: ScalingResult) -> bool:
        return result.scaling.axis in self._fitted

    def _draw(self, result: ScalingResult) -> None:
        axis, route = result.scaling.axis, self.route.route
        self.plot.set_axes(bottom=AXES[axis], left="ms a call")
        sizes = result.scaling.sizes
        self.plot.set_lines(
            lines_of(result, route, self._theme, fits=self._has_fits(result)),
            (float(sizes[0]), float(sizes[-1])),
        )

    def figure(self) -> GrowthFigure | None:
        """Return what is shown for print; None while there is nothing."""
        result = self.result
        if result is None or not self._has_fits(result):
            return None
        lines = lines_of(result, self.route.route, LIGHT)
        if not lines:
            return None
        scaling = result.scaling
        said = f"tables of {scaling.rows} × {scaling.columns}, N = {scaling.items:,}"
        if scaling.axis == "items":
            said = f"tables of {scaling.rows} × {scaling.columns}"
        elif scaling.axis == "shape":
            said = f"N = {scaling.items:,}"
        machine = "; ".join(f"{name}: {value}" for name, value in result.began.lines())
        return GrowthFigure(
            lines,
            (AXES[scaling.axis], "ms a call"),
            f"Cost against {_WHAT[scaling.axis]}, {ROUTES[self.route.route].name}",
            f"{said}; {result.began.processor}",
            f"{said}; seed {scaling.seed}; limit {scaling.limit:g} s a call; {machine}",
        )


def lines_of(
    result: ScalingResult, route: str, theme: Theme, *, fits: bool = True
) -> list[GrowthLine]:
    """Return the lines of a route, of the metrics that have costs."""
    sizes = np.asarray(result.scaling.sizes, np.float64)
    letter = _LETTERS[result.scaling.axis]
    found = []
    for key in result.scaling.keys:
        costs = result.of(route, key)
        there = costs > 0
        if not there.any():
            continue
        fit = result.fits.get((route, key)) if fits else None
        label, line = METRICS[key].symbol, None
        if fit is not None:
            label += "  flat" if fit.flat else f"  {letter}^{fit.exponent:.2f}"
            ends = np.array([fit.first, fit.last])
            line = ends, fit.at(ends)
        colour = theme.family(METRICS[key].family.key).name()
        found.append(GrowthLine(key, label, colour, sizes[there], costs[there], line, key == "ap"))
    return found


def _told(result: ScalingResult) -> str:
    left = len(result.left_out)
    said = (
        f"{result.done - left} points in {span_text(result.seconds)} "
        f"(expected: {span_text(result.forecast)})."
    )
    if not result.complete:
        said = f"Cancelled: partial. {said}"
    if left:
        said += f" Left out: {left}, listed below."
    return said


def fits_html(result: ScalingResult, route: str) -> str:
    """Return the fitted powers of a route as a table, and what was left out."""
    rows = []
    for key in result.scaling.keys:
        if not (result.of(route, key) > 0).any():
            continue
        fit = result.fits.get((route, key))
        known = published_complexity(key) if route == "paper" else own_complexity(key)
        published = published_complexity(key)
        told = known if route == "paper" else f"here: {known}; published: {published}"
        rows.append(
            f"<tr><td>{METRICS[key].symbol}&nbsp;&nbsp;</td><td align='right'>{_power(fit)}"
            f"&nbsp;&nbsp;</td><td>{_where(fit)}&nbsp;&nbsp;</td><td>{told}</td></tr>"
        )
    text = ""
    if rows:
        head = "<tr><td></td><td>exponent [95 %]&nbsp;&nbsp;</td><td></td><td></td></tr>"
        text = f"<table cellspacing='2'>{head}{''.join(rows)}</table>"
    left: dict[str, tuple[int, str]] = {}
    for (of, key, size), why in result.left_out.items():
        if of == route:
            left.setdefault(key, (size, why))
    said = [f"{METRICS[key].symbol} from {size:,} on: {why}." for key, (size, why) in left.items()]
    if said:
        text += f"<p>Left out by {ROUTES[route].name}: {' '.join(said)}</p>"
    return text


def _power(fit: Fit | None) -> str:
    if fit is None:
        return "\N{EM DASH}"
    numbers = f"{fit.exponent:.2f} [{fit.low:.2f}, {fit.high:.2f}]"
    return numbers.replace("-", "\N{MINUS SIGN}")


def _where(fit: Fit | None) -> str:
    if fit is None:
        return "fewer than three costs"
    if fit.flat or math.isnan(fit.first):
        return "hardly above what every call costs"
    return f"fitted from {fit.first:,.0f} on"
