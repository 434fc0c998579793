"""Histograms of all scores of a simulation, filling while it runs."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from core.formatting import format_score
from core.metrics.catalogue import METRICS
from core.statistics.histogram import Histogram
from core.statistics.summary import Summary
from core.studies.simulated import (
    Axis,
    FillHistograms,
    Pick,
    SummariseScores,
    own_axis,
    shared_axis,
    shared_bins,
    shares_an_axis,
)
from gui.elided_label import ElidedLabel
from gui.jobs import Job, JobRunner
from gui.plots.histogram import HistogramGrid, Series
from gui.simulation.runs import Run
from gui.theme import GRID, LIGHT, Theme
from gui.turns import Turns

#: Numbers of bins: each divides 0 to 1 at round numbers.
BINS = (10, 20, 25, 40, 50, 100)

# Scores counted in the window's thread at a time: some milliseconds' work.
_AT_ONCE = 40_000


class _Counted:
    """The histograms of a run, filled as far as it has come."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.histograms: dict[str, Histogram] = {}
        self.seen = 0
        self.summaries: dict[str, Summary] = {}

    def counts(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.histograms)


class HistogramsView(QWidget):
    """A grid of histograms with common axes; another run can lie over it.

    Parameters
    ----------
    jobs : JobRunner

    Signals
    -------
    picked(Pick)
        The tables of a bin are wanted.
    """

    title = "Histograms"

    picked = Signal(object)

    def __init__(self, jobs: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._theme = LIGHT
        self._digits = 4
        self._main: _Counted | None = None
        self._other: _Counted | None = None
        # Axes, by key, and the highest bar for which there is room.
        self._axes: dict[str, Axis] = {}
        self._tops: dict[str, float] = {}
        self._turns = Turns(self)
        self._filling: list[tuple[Job, _Counted]] = []
        self._summing: list[tuple[Job, _Counted]] = []
        self.bins = QComboBox()
        self.bins.setAccessibleName("Number of bins")
        for bins in BINS:
            self.bins.addItem(f"{bins} bins", bins)
        self.bins.setCurrentIndex(self.bins.findData(20))
        self.common = QCheckBox("Same axes")
        self.common.setToolTip("Scores up to 1 share an axis, and all bars one scale")
        self.common.setChecked(True)
        self.key = ElidedLabel()
        self.key.setObjectName("muted")
        self.grid = HistogramGrid()
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self.key, 1)
        row.addWidget(self.common)
        row.addWidget(self.bins)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addLayout(row)
        layout.addWidget(self.grid, 1)
        self.bins.activated.connect(self._recount)
        self.common.toggled.connect(self._recount)
        self.grid.bin_clicked.connect(self._on_bin)
        self.grid.made.connect(self._show)

    # What is shown

    @property
    def drawn(self) -> bool:
        """Whether all that is known stands on the screen."""
        return not self._turns.waiting

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.grid.set_theme(theme)
        if self._main is not None:
            self._name(self._main.run)
        self._show()

    def set_digits(self, digits: int) -> None:
        """Show scores with so many decimals."""
        self._digits = digits
        self._show()

    def show_runs(self, run: Run | None, other: Run | None) -> None:
        """Show the scores of a run, and those of another one over it."""
        self._drop()
        self._main = None if run is None else _Counted(run)
        same = other is not None and other is not run
        self._other = _Counted(other) if other is not None and same else None
        if run is not None:
            self._name(run)
        self.grid.setToolTip("Click a bar to list its tables")
        self._recount()

    def _name(self, run: Run) -> None:
        self.grid.set_metrics(
            [
                (key, METRICS[key].symbol, METRICS[key].name, self._colour(key))
                for key in run.result.keys
            ]
        )

    def showEvent(self, event: QShowEvent) -> None:
        """Count what has come while nobody looked."""
        super().showEvent(event)
        if self._main is not None:
            self.follow(self._main.run)

    def follow(self, run: Run) -> None:
        """Count what has come since."""
        counted = self._main
        if counted is None or counted.run is not run or self._is_filling(counted):
            return
        if run.running and not self.isVisible():
            # Nobody sees it: what has come is counted when it is looked at.
            return
        result = run.result
        if not counted.counts() or result.done - counted.seen > _AT_ONCE:
            self._recount()
            return
        for key, histogram in counted.histograms.items():
            histogram.add(result.of(key)[counted.seen : result.done])
        counted.seen = result.done
        if any(h.below or h.above for h in counted.histograms.values()):
            self._recount()
            return
        self._show()
        if not run.running:
            self._summarise(counted)

    def _colour(self, key: str) -> str:
        return self._theme.family(METRICS[key].family.key).name()

    def _drop(self) -> None:
        for job, _ in (*self._filling, *self._summing):
            job.abandon()
        self._filling.clear()
        self._summing.clear()

    # Counting

    def _is_filling(self, counted: _Counted) -> bool:
        return any(each is counted for _, each in self._filling)

    @Slot()
    def _recount(self) -> None:
        """Count everything anew: other bins, other axes, or another run."""
        for job, _ in self._filling:
            job.abandon()
        self._filling.clear()
        runs = [counted for counted in (self._main, self._other) if counted is not None]
        self._axes = self._find_axes(runs)
        for counted in runs:
            result = counted.run.result
            keys = [key for key in result.keys if key in self._axes]
            values = result.values
            if keys != list(result.keys):
                values = values[[result.keys.index(key) for key in keys]]
            axes, bins = [self._axes[k] for k in keys], [self._bins_of(k) for k in keys]
            job = self._jobs.create(FillHistograms(values, axes, bins), "Counting scores")
            job.finished.connect(self._on_filled)
            self._filling.append((job, counted))
            counted.seen, counted.histograms = result.done, {}
            self._jobs.start(job)

    def _find_axes(self, runs: list[_Counted]) -> dict[str, Axis]:
        if not runs:
            return {}
        keys = runs[0].run.result.keys
        ends: dict[str, tuple[float, float]] = {}
        for key in keys:
            lows, highs = [], []
            for counted in runs:
                if key in counted.run.result.keys:
                    low, high = ends_of(counted.run.result.of(key))
                    lows.append(low)
                    highs.append(high)
            ends[key] = (
                min((x for x in lows if not math.isnan(x)), default=math.nan),
                max((x for x in highs if not math.isnan(x)), default=math.nan),
            )
        similar = [key for key in keys if shares_an_axis(key)]
        common = shared_axis(
            [ends[k][0] for k in similar],
            [ends[k][1] for k in similar],
            self.bins.currentData(),
        )
        if not self.common.isChecked():
            return {key: own_axis(*ends[key]) for key in keys}
        return {key: common if key in similar else own_axis(*ends[key]) for key in keys}

    def _bins_of(self, key: str) -> int:
        bins: int = self.bins.currentData()
        same = self.common.isChecked() and shares_an_axis(key)
        return shared_bins(self._axes[key], bins) if same else bins

    @Slot(object)
    def _on_filled(self, histograms: list[Histogram]) -> None:
        job = self.sender()
        counted = next((each for known, each in self._filling if known is job), None)
        if counted is None:
            return
        self._filling = [(known, each) for known, each in self._filling if known is not job]
        keys = [key for key in counted.run.result.keys if key in self._axes]
        counted.histograms = dict(zip(keys, histograms, strict=True))
        if counted is self._main and counted.run.result.done > counted.seen:
            # More has come while it was counted.
            self.follow(counted.run)
            return
        self._show()
        if not counted.run.running and not counted.summaries:
            self._summarise(counted)

    def _summarise(self, counted: _Counted) -> None:
        result = counted.run.result
        if counted.summaries or any(each is counted for _, each in self._summing):
            return
        job = self._jobs.create(SummariseScores(result.keys, result.values), "Summarising")
        job.finished.connect(self._on_summed)
        self._summing.append((job, counted))
        self._jobs.start(job)

    @Slot(object)
    def _on_summed(self, summaries: dict[str, Summary]) -> None:
        job = self.sender()
        counted = next((each for known, each in self._summing if known is job), None)
        self._summing = [(known, each) for known, each in self._summing if known is not job]
        if counted is not None:
            counted.summaries = summaries
            self._show()

    # Showing

    @property
    def runs(self) -> list[Run]:
        """What is shown: a run, and the one over it."""
        return [counted.run for counted in (self._main, self._other) if counted is not None]

    @property
    def shown_keys(self) -> list[str]:
        """The metrics whose histograms are there."""
        main = self._main
        return [] if main is None else [k for k in main.run.result.keys if k in main.histograms]

    def axis(self, key: str) -> Axis:
        """Return the ends of the axis of a metric."""
        return self._axes[key]

    def top(self, key: str) -> float:
        """Return the highest bar that there is room for."""
        return self._tops.get(key, 1.0)

    def note(self, key: str) -> str:
        """Return the line below the title of a histogram."""
        return "" if self._main is None else self._note(self._main, key)

    def median(self, key: str) -> float:
        """Return the median of a metric; NaN while it is not known."""
        summary = None if self._main is None else self._main.summaries.get(key)
        return math.nan if summary is None else summary.quantiles[0.5]

    def series(self, key: str) -> list[Series]:
        """Return what the histogram of a metric shows: the run, and the one over it."""
        found = []
        for counted in (self._main, self._other):
            if counted is not None and key in counted.histograms:
                histogram = counted.histograms[key]
                found.append(Series(counted.run.title, histogram.edges, histogram.counts))
        return found

    @Slot()
    def _show(self) -> None:
        main = self._main
        if main is None or not main.counts():
            return
        keys = [key for key in main.run.result.keys if key in main.histograms]
        content = {key: self.series(key) for key in keys}
        shares = self._other is not None
        self.grid.set_shares(shares)
        tops = {
            key: max((float(s.heights(shares).max(initial=0)) for s in many), default=0.0)
            for key, many in content.items()
        }
        together = max((tops[key] for key in keys if shares_an_axis(key)), default=0.0)
        if self.common.isChecked():
            tops |= {key: together for key in keys if shares_an_axis(key)}
        self._tops = tops
        for key in keys:
            self._turns.put(key, partial(self._draw, key))
        if self._other is None:
            said, whole = main.run.title, main.run.title
        else:
            # What is chosen at the left in full; here which is which.
            said = f"bars: {main.run.name}; outline: {self._other.run.name}"
            whole = f"bars: {main.run.title}\noutline: {self._other.run.title}"
        if main.summaries:
            said += "; dotted: median"
        self.key.setText(said)
        self.key.setToolTip(whole)

    def _draw(self, key: str) -> None:
        """Show one histogram as it is by now."""
        plot, main = self.grid.plot(key), self._main
        if plot is None or main is None or key not in main.histograms:
            return
        plot.set_range(*self._axes[key])
        plot.set_top(self.top(key))
        plot.set_series(self.series(key), self._other is not None)
        plot.set_note(self._note(main, key))
        plot.set_median(self.median(key))

    def _note(self, counted: _Counted, key: str) -> str:
        summary = counted.summaries.get(key)
        if summary is None or not summary.defined:
            return ""
        digits = min(self._digits, 3)
        # Side by side, small numbers in powers of ten are harder to read than to round.
        ends = (summary.low, summary.high)
        small = all(abs(end) <= 1 for end in ends)
        low, high = (f"{x:.{digits}f}" if small else format_score(x, digits) for x in ends)
        parts = [f"{low} to {high}".replace("-", "\N{MINUS SIGN}")]
        if summary.zeros:
            parts.append(f"zeros {_percent(summary.zeros)}")
        if summary.ones:
            parts.append(f"ones {_percent(summary.ones)}")
        if summary.undefined:
            parts.append(f"{summary.undefined:,} undefined")
        return ", ".join(parts)

    @Slot(str, int, int)
    def _on_bin(self, key: str, series: int, place: int) -> None:
        counted = (self._main, self._other)[series]
        if counted is None or key not in counted.histograms or series:
            return
        edges = counted.histograms[key].edges
        last = place == len(edges) - 2
        self.picked.emit(
            Pick(key, "between", float(edges[place]), float(edges[place + 1]), closed=last)
        )


def ends_of(scores: Any) -> tuple[float, float]:
    """Return the least and the greatest score; NaN where there is none."""
    import numpy as np

    if not len(scores) or np.isnan(scores).all():
        return math.nan, math.nan
    return float(np.nanmin(scores)), float(np.nanmax(scores))


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share >= 0.0005 else "below 0.1 %"
