"""Keeps the scores in step with the table that is being edited."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from core.metrics.catalogue import METRICS
from core.metrics.metric import ScoreOptions
from core.scores import Scores, checked_keys
from core.scoring import ScoringProgress, has_many_ties, score_in_parts, workload
from core.studies.study import Step, Study
from core.studies.table_scores import TableScores
from core.table import ContingencyTable
from gui.jobs import Job, JobRunner
from gui.table_editor.document import TableDocument

# A table of more cells is not even inspected in the window's thread.
_SMALL_CELLS = 10_000
# Up to this workload the scores that follow typing take some ten milliseconds ...
_SMALL_WORKLOAD = 1_000_000
# ... and up to this one those that come later do, too.
_TINY_WORKLOAD = 100_000
# Who types on within this time does not wait for the scores that come later.
_LATER_MS = 40

_ALL = frozenset(checked_keys(None))
_LIVE = frozenset(key for key in _ALL if METRICS[key].when == "live")

# Tables whose complete scores are kept.
_KEPT = 16

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Rest:
    """The study that takes up the scoring of a table where the window has left it."""

    parts: Iterator[ScoringProgress]

    def run(self) -> Iterator[Step[Scores]]:
        """Yield the scores as the families are done; the last step has them all."""
        last: Scores | None = None
        for part in self.parts:
            last = part.scores
            yield Step(part.done, part.total, f"scoring: {part.family.name.lower()}", last)
        if last is not None:
            yield Step(1, 1, "scored", last, last)


class Scorer(QObject):
    """Scores the document whenever it changes.

    The scores of a small table that are quick follow as soon as the event that changed it
    is over, the others when no change comes for a moment; what takes longer is done by a
    worker, whose result is dropped if the table has changed meanwhile.

    Signals
    -------
    stale()
        The table has changed; the scores on the screen are those of the one before.
    scored(Scores, bool)
        Scores of the present table; False while more are to come.
    failed(str)
    options_changed()
        Scores follow other conventions from now on.
    """

    stale = Signal()
    scored = Signal(object, bool)
    failed = Signal(str)
    options_changed = Signal()

    def __init__(self, document: TableDocument, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._jobs = jobs
        self._job: Job | None = None
        self._scores: Scores | None = None
        self._parts: Iterator[ScoringProgress] | None = None
        self._delivered = 0
        self._at_once = False
        self._tiny = False
        self._options = ScoreOptions()
        # Complete scores of the latest tables: who goes back and forth waits once.
        self._kept: OrderedDict[int, Scores] = OrderedDict()
        self._turn = self._timer(0, self._on_turn)
        self._later = self._timer(_LATER_MS, self._on_later)
        document.changed.connect(self._on_changed)

    def _timer(self, milliseconds: int, slot: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(slot)
        return timer

    @property
    def scores(self) -> Scores | None:
        """Complete scores of the present table; None while they are being computed."""
        return self._scores

    @property
    def at_once(self) -> bool:
        """Whether the present table is small enough to be scored as one types."""
        return self._at_once

    @property
    def options(self) -> ScoreOptions:
        """The conventions in force."""
        return self._options

    def set_options(self, options: ScoreOptions) -> None:
        """Score by other conventions."""
        if options != self._options:
            self._options = options
            self._kept.clear()
            self.refresh()
            self.options_changed.emit()

    def scores_of(self, table: ContingencyTable) -> Scores | None:
        """Return the complete scores of a table that was under edit lately; else None."""
        kept = self._kept.get(id(table))
        return kept if kept is not None and kept.table is table else None

    @Slot()
    def refresh(self) -> None:
        """Score the present table again."""
        self._on_changed(self._document.revision)

    @Slot(int)
    def _on_changed(self, _revision: int) -> None:
        self._scores = None
        self._parts = None
        self._delivered = 0
        self._later.stop()
        if self._job is not None:
            self._job.abandon()
            self._job = None
        self.stale.emit()
        self._turn.start()

    @Slot()
    def _on_turn(self) -> None:
        table = self._document.snapshot()
        known = self.scores_of(table)
        if known is not None:
            self._at_once = self._tiny = False
            self._deliver(known)
            return
        small = table.shape[0] * table.shape[1] <= _SMALL_CELLS
        work = workload(table) if small else 0
        self._at_once = small and work <= _SMALL_WORKLOAD
        self._tiny = self._at_once and work <= _TINY_WORKLOAD and not has_many_ties(table)
        if not self._at_once:
            self._start(TableScores(table, self._options))
            return
        self._parts = score_in_parts(table, self._options)
        for part in self._parts:
            if part.scores.keys() >= _LIVE:
                self._deliver(part.scores)
                break
        if self._scores is None:
            self._later.start()

    @Slot()
    def _on_later(self) -> None:
        parts, self._parts = self._parts, None
        if parts is None:
            return
        if not self._tiny:
            self._start(_Rest(parts))
            return
        *_, last = parts
        self._deliver(last.scores)

    def _start(self, study: Study[Scores]) -> None:
        job = self._jobs.create(study, "Scoring the table")
        job.progressed.connect(self._on_progress)
        job.finished.connect(self._on_finished)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)
        self._job = job
        self._jobs.start(job)

    def _deliver(self, scores: Scores) -> None:
        complete = scores.keys() >= _ALL
        self._delivered = len(scores)
        self._scores = scores if complete else None
        if complete:
            # Scores hold their table, so the identity stays its own.
            self._kept[id(scores.table)] = scores
            self._kept.move_to_end(id(scores.table))
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self.scored.emit(scores, complete)

    @Slot(object)
    def _on_progress(self, step: Step[Scores]) -> None:
        partial = step.partial
        if step.result is None and partial is not None and len(partial) > self._delivered:
            self._delivered = len(partial)
            self.scored.emit(partial, False)

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
