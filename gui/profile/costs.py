"""What each metric costs as bars, beside the AP paper's table 12."""

from __future__ import annotations

import math

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from core.metrics.catalogue import METRICS
from core.profiling.paper import order_sentence, paper_times
from core.profiling.routes import ROUTES, lacking
from core.profiling.summary import Cost
from gui.plots.log_bars import LogBar, LogBars
from gui.plots.timing_charts import LogBarsFigure
from gui.profile.kept import Kept
from gui.profile.route_choice import RouteChoice
from gui.profile.traces import about, settings_text
from gui.profile.wording import bytes_text, ms_text, times_text, whole_text
from gui.theme import GRID, LIGHT, Theme

_MARK = "the AP paper's table 12"


class CostsView(QWidget):
    """Means over the quiet window on a logarithmic axis, ratios to AP, the paper's column."""

    title = "Costs"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._kept: Kept | None = None
        self.route = RouteChoice()
        self.route.activated.connect(self._on_route)
        self.note = QLabel()
        self.note.setObjectName("muted")
        self.note.setWordWrap(True)
        self.order = QLabel()
        self.order.setWordWrap(True)
        self.order.setTextInteractionFlags(self.note.textInteractionFlags().TextSelectableByMouse)
        self.bars = LogBars()
        self.bars.setAccessibleName("Cost of each metric")
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(self.bars)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self.route)
        row.addWidget(self.order, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addLayout(row)
        layout.addWidget(scroll, 1)
        layout.addWidget(self.note)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.bars.set_theme(theme)
        self._show()

    def show_profile(self, kept: Kept | None) -> None:
        """Show the costs of another profile, or others of the same."""
        self._kept = kept
        if kept is not None and kept.result is not None:
            self.route.show_routes(kept.result.profile.routes)
        self._show()

    @Slot()
    def _on_route(self) -> None:
        self._show()

    def _show(self) -> None:
        kept, route = self._kept, self.route.route
        if kept is None or not kept.costs or kept.running:
            self.bars.set_bars([], "")
            waits = kept is not None and kept.running
            self.note.setText("The costs follow when all instances are timed." if waits else "")
            self.order.setText("")
            return
        self.bars.set_bars(bars_of(kept, route, self._theme), "ms a table", heads_of(route))
        self.order.setText(f"Dearest first: {order_sentence(kept.costs, route)}")
        said = f"{ROUTES[route].note} Bars: mean over the quiet window; whiskers: 5 to 95 % of the "
        said += "instances; × AP by medians over the quiet window."
        if route == "paper":
            said += f" Diamonds and its two columns: {_MARK}, another machine."
        assert kept.result is not None
        without = [key for key in kept.result.profile.keys if lacking(route, key) is not None]
        if without:
            names = ", ".join(METRICS[key].symbol for key in without)
            said += f" Not in scikit-learn: {names}."
        self.note.setText(said)

    def figure(self) -> LogBarsFigure | None:
        """Return what is shown for print; None while there is nothing."""
        kept, route = self._kept, self.route.route
        if kept is None or not kept.costs or kept.running:
            return None
        start, stop = kept.window
        processor = "" if kept.result is None else kept.result.began.processor
        return LogBarsFigure(
            bars_of(kept, route, LIGHT),
            "ms a table",
            heads_of(route),
            _MARK if route == "paper" else "",
            f"Cost of each metric, {ROUTES[route].name}",
            f"{about(kept)}; means of {start + 1:,} to {stop:,}, whiskers 5 to 95 %; {processor}",
            settings_text(kept),
        )


def heads_of(route: str) -> tuple[str, ...]:
    """Return the heads of the columns of numbers."""
    paper = ("paper", "× AP") if route == "paper" else ()
    return ("ms", "× AP", "95 % interval", *paper, "a second")


def bars_of(kept: Kept, route: str, theme: Theme) -> list[LogBar]:
    """Return a bar for each metric of a route."""
    paper = paper_times()
    return [
        LogBar(
            cost.key,
            METRICS[cost.key].symbol,
            theme.family(METRICS[cost.key].family.key).name(),
            cost.quiet_mean,
            cost.quantiles[0.05],
            cost.quantiles[0.95],
            paper.times.get(cost.key, math.nan) if route == "paper" else math.nan,
            _texts(cost, route),
            _tip(cost),
            cost.key == "ap",
        )
        for cost in kept.of_route(route)
    ]


def _texts(cost: Cost, route: str) -> tuple[str, ...]:
    interval = ""
    if not math.isnan(cost.ratio_low) and cost.key != "ap":
        interval = f"{times_text(cost.ratio_low)} to {times_text(cost.ratio_high)}"
    paper = paper_times()
    printed: tuple[str, ...] = ()
    if route == "paper":
        there = cost.key in paper.times
        printed = (
            f"{paper.times[cost.key]:.3f}" if there else "",
            times_text(paper.ratio(cost.key)) if there else "",
        )
    return (
        ms_text(cost.quiet_mean),
        times_text(cost.ratio),
        interval,
        *printed,
        whole_text(cost.per_second),
    )


def _tip(cost: Cost) -> str:
    lines = [
        METRICS[cost.key].name,
        f"mean {ms_text(cost.mean)} ms, median {ms_text(cost.median)} ms over "
        f"{cost.instances:,} instances",
        f"quiet window: mean {ms_text(cost.quiet_mean)}, median {ms_text(cost.quiet_median)} ms",
    ]
    if not math.isnan(cost.memory):
        lines.append(f"peak memory of a call {bytes_text(cost.memory)}")
    return "\n".join(lines)
