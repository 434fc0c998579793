"""How the scores of a simulation go with a chosen one."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from core.metrics.catalogue import METRICS
from core.studies.correlations import CorrelateScores, Correlations
from core.studies.study import Step
from gui.jobs import Job, JobRunner
from gui.plots.correlation_bars import CorrelationBars
from gui.simulation.runs import Run
from gui.theme import GRID, LIGHT, Theme


class CorrelationsView(QWidget):
    """Bars with bootstrap intervals over the AP paper's verbal bands.

    Signals
    -------
    pair_asked(str, str)
        A bar was clicked: the chosen metric and that of the bar are wanted as points.
    """

    title = "Correlations"

    pair_asked = Signal(str, str)

    def __init__(self, jobs: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self._run: Run | None = None
        self._asked: tuple[object, ...] = ()
        self._theme = LIGHT
        self.found: Correlations | None = None
        self.reference = QComboBox()
        self.reference.setAccessibleName("The metric that the others are correlated with")
        self.kind = QComboBox()
        self.kind.setAccessibleName("Kind of correlation")
        self.kind.addItem("Pearson", "pearson")
        self.kind.addItem("Spearman, by rank", "spearman")
        self.status = QLabel()
        self.status.setObjectName("muted")
        self.status.setWordWrap(True)
        self.bars = CorrelationBars()
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(QLabel("Correlation with"))
        row.addWidget(self.reference)
        row.addWidget(self.kind)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addLayout(row)
        layout.addWidget(self.bars, 1)
        layout.addWidget(self.status)
        self.reference.activated.connect(self.refresh)
        self.kind.activated.connect(self.refresh)
        self.bars.bar_clicked.connect(self._on_bar)

    @property
    def run(self) -> Run | None:
        """The run that is shown."""
        return self._run

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.bars.set_theme(theme)
        if self.found is not None:
            self._take(self.found)

    def set_digits(self, digits: int) -> None:
        """Coefficients have three decimals, as their intervals allow."""

    def show_run(self, run: Run | None) -> None:
        """Correlate the scores of another run."""
        if run is not self._run:
            self._drop()
            self._run = run
            self.found = None
            before = self.reference.currentData()
            self.reference.clear()
            for key in () if run is None else run.result.keys:
                self.reference.addItem(METRICS[key].symbol, key)
            self.reference.setCurrentIndex(max(self.reference.findData(before), 0))
        if self.isVisible():
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Look for the answer if another question is asked now."""
        run = self._run
        if run is None or self.reference.currentIndex() < 0:
            return
        if run.running:
            self.status.setText("The correlations follow when the run has ended.")
            self.bars.clear()
            return
        reference, kind = self.reference.currentData(), self.kind.currentData()
        asked = (run, run.result, reference, kind)
        if asked == self._asked:
            return
        self._drop()
        self._asked = asked
        result = run.result
        seed = result.simulation.seed
        study = CorrelateScores(result.keys, result.values, reference, kind, seed=seed)
        job = self._jobs.create(study, "Resampling the tables")
        job.progressed.connect(self._on_progressed)
        job.finished.connect(self._on_finished)
        job.cancelled.connect(self._on_cancelled)
        self._job = job
        self._jobs.start(job)

    def _drop(self) -> None:
        """Stop the work for a run that is not shown any more."""
        if self._job is not None:
            self._job.abandon()
            self._job = None
        self._asked = ()

    @Slot(object)
    def _on_progressed(self, step: Step[Correlations]) -> None:
        if step.result is None and step.partial is not None:
            self._take(step.partial)

    @Slot(object)
    def _on_finished(self, found: Correlations) -> None:
        self._job = None
        self._take(found)

    @Slot()
    def _on_cancelled(self) -> None:
        self._job = None
        self._asked = ()
        if self.found is not None:
            self.status.setText(f"Partial: {self.status.text()}")

    def _take(self, found: Correlations) -> None:
        self.found = found
        symbols = {key: METRICS[key].symbol for key in found.by_key}
        colours = {key: self._theme.family(METRICS[key].family.key).name() for key in found.by_key}
        self.bars.set_correlations(found, symbols, colours)
        kind = "Pearson's r" if found.kind == "pearson" else "Spearman's rank correlation"
        tables = max((each.tables for each in found.by_key.values()), default=0)
        whiskers = "There are no intervals: they need two tables or more. "
        if found.resamples and tables > 1:
            whiskers = (
                f"Whiskers: 95 % percentile bootstrap of {found.resamples:,} resamples, seed "
                f"{found.seed}. "
            )
        self.status.setText(
            f"{kind} over {tables:,} {'table' if tables == 1 else 'tables'}. {whiskers}Bands are "
            "those of the AP paper's table 9. Click a bar to see its points."
        )

    @Slot(str)
    def _on_bar(self, key: str) -> None:
        if self.found is not None and key != self.found.reference:
            self.pair_asked.emit(self.found.reference, key)
