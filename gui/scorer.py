"""Keeps the scores in step with the table that is being edited."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.metrics.metric import ScoreOptions
from core.scoring import Scores, score, workload
from core.studies.study import Step
from core.studies.table_scores import TableScores
from gui.jobs import Job, JobRunner
from gui.table_editor.document import TableDocument

# A table of more cells is not even inspected in the window's thread.
_SMALL_CELLS = 10_000
# Terms that take ten milliseconds or so to sum.
_SMALL_WORKLOAD = 400_000

log = logging.getLogger(__name__)


class Scorer(QObject):
    """Scores the document whenever it changes.

    A small table is scored as soon as the event that changed it is over; a large one
    by a worker, whose result is dropped if the table has changed meanwhile.

    Signals
    -------
    stale()
        The table has changed; the scores on the screen are those of the one before.
    scored(Scores, bool)
        Scores of the present table; False while more are to come.
    failed(str)
    """

    stale = Signal()
    scored = Signal(object, bool)
    failed = Signal(str)

    def __init__(self, document: TableDocument, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._jobs = jobs
        self._job: Job | None = None
        self._revision = -1
        self._scores: Scores | None = None
        self._partial: Scores | None = None
        self._options = ScoreOptions()
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._on_turn)
        document.changed.connect(self._on_changed)

    @property
    def scores(self) -> Scores | None:
        """Complete scores of the present table; None while they are being computed."""
        return self._scores

    @property
    def options(self) -> ScoreOptions:
        """The conventions in force."""
        return self._options

    def set_options(self, options: ScoreOptions) -> None:
        """Score by other conventions."""
        if options != self._options:
            self._options = options
            self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Score the present table again."""
        self._on_changed(self._document.revision)

    @Slot(int)
    def _on_changed(self, revision: int) -> None:
        self._revision = revision
        self._scores = None
        if self._job is not None:
            self._job.abandon()
            self._job = None
        self.stale.emit()
        self._turn.start()

    @Slot()
    def _on_turn(self) -> None:
        table = self._document.snapshot()
        small = table.shape[0] * table.shape[1] <= _SMALL_CELLS
        if small and workload(table) <= _SMALL_WORKLOAD:
            o = self._options
            self._deliver(
                score(table, q=o.q, beta=o.beta, average=o.average, empty_truth=o.empty_truth)
            )
            return
        job = self._jobs.create(TableScores(table, self._options), "Scoring the table")
        job.progressed.connect(self._on_progress)
        job.finished.connect(self._on_finished)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)
        self._job = job
        self._jobs.start(job)

    def _deliver(self, scores: Scores) -> None:
        self._scores = scores
        self.scored.emit(scores, True)

    @Slot(object)
    def _on_progress(self, step: Step[Scores]) -> None:
        if step.result is None and step.partial is not None and step.partial is not self._partial:
            self._partial = step.partial
            self.scored.emit(step.partial, False)

    @Slot(object)
    def _on_finished(self, scores: Scores) -> None:
        self._job = None
        self._deliver(scores)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._job = None
        log.error("scoring failed", exc_info=error)
        self.failed.emit(f"The table could not be scored: {error}.")

    @Slot()
    def _on_cancelled(self) -> None:
        self._job = None
        self.failed.emit("Scoring was cancelled; the scores shown are those that were ready.")
