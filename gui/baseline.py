"""The scores of the pinned table, beside those of the table under edit."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, Slot

from core.scores import Scores
from core.studies.table_scores import TableScores
from gui.jobs import Job, JobRunner
from gui.metric_panel import MetricPanel
from gui.scorer import Scorer
from gui.session import Session

log = logging.getLogger(__name__)


class Baseline(QObject):
    """Keeps the panel's column of changes in step with the pinned table.

    Parameters
    ----------
    session : Session
    scorer : Scorer
        Its options are those of the baseline, too.
    jobs : JobRunner
    panel : MetricPanel
    """

    def __init__(
        self, session: Session, scorer: Scorer, jobs: JobRunner, panel: MetricPanel, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._scorer = scorer
        self._jobs = jobs
        self._panel = panel
        self._scores: Scores | None = None
        self._job: Job | None = None
        self._shown = False
        session.entries_changed.connect(self.follow)
        session.shown.connect(self._on_shown)
        scorer.options_changed.connect(self.follow)

    @Slot(int)
    def _on_shown(self, _key: int) -> None:
        self.follow()

    @Slot()
    def follow(self) -> None:
        """Show the changes against the baseline; none while it is itself under edit."""
        entries = self._session.entries
        key = entries.baseline
        if key is None or key == self._session.document.key:
            self._show(None)
            return
        table, options = entries[key].table, self._scorer.options
        scores = self._scores
        if scores is not None and scores.table is table and scores.options == options:
            self._show(scores)
            return
        live = self._scorer.scores_of(table)
        if live is not None:
            self._scores = live
            self._show(live)
            return
        if self._job is not None:
            self._job.abandon()
        job = self._jobs.create(TableScores(table, options), "Scoring the baseline")
        job.finished.connect(self._on_scored)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)
        self._job = job
        self._jobs.start(job)

    def _show(self, scores: Scores | None) -> None:
        if self._job is not None:
            self._job.abandon()
            self._job = None
        if scores is None and not self._shown:
            return
        self._shown = scores is not None
        key = self._session.entries.baseline
        name = "" if key is None or scores is None else self._session.entries[key].name
        self._panel.set_baseline(scores, name)

    @Slot(object)
    def _on_scored(self, scores: Scores) -> None:
        self._job = None
        self._scores = scores
        self.follow()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._job = None
        log.error("scoring the baseline failed", exc_info=error)

    @Slot()
    def _on_cancelled(self) -> None:
        self._job = None
