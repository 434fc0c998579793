"""The chosen scores of every table of a session."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from core.metrics.catalogue import METRICS
from core.metrics.metric import ScoreOptions
from core.scores import Scores
from core.studies.column_scores import ColumnScores
from core.studies.study import Step
from core.table import ContingencyTable
from gui.jobs import Job, JobRunner
from gui.tables.entries import TableEntry

#: What the list shows until the user chooses.
DEFAULT_COLUMNS = ("ap", "ami", "ari")

log = logging.getLogger(__name__)


class ScoreBoard(QObject):
    """Keeps a few scores of every table, computed beside the window.

    A table is immutable, so that its scores hold as long as the entry has this very
    table; only those of entries with another one are computed anew.

    Signals
    -------
    changed()
        Scores have come, or they are of other metrics now.
    """

    changed = Signal()

    def __init__(self, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._keys: tuple[str, ...] = DEFAULT_COLUMNS
        self._options = ScoreOptions()
        self._known: dict[int, tuple[ContingencyTable, np.ndarray]] = {}
        self._entries: list[TableEntry] = []
        self._live = 0
        # The latest scores that were computed elsewhere, and of which table.
        self._noted: tuple[int, Scores] | None = None
        self._job: Job | None = None
        self._asked: list[TableEntry] = []

    @property
    def keys(self) -> tuple[str, ...]:
        """The metrics, as keys of the catalogue."""
        return self._keys

    def set_keys(self, keys: Sequence[str]) -> None:
        """Show other metrics; unknown ones and those of rows are left out."""
        keys = tuple(dict.fromkeys(k for k in keys if k in METRICS and METRICS[k].per == "table"))
        if keys == self._keys:
            return
        known = {key: i for i, key in enumerate(self._keys)}
        if set(keys) <= set(known):
            places = [known[key] for key in keys]
            self._known = {k: (t, values[places]) for k, (t, values) in self._known.items()}
        else:
            self._known.clear()
        self._keys = keys
        if self._noted is not None and self._noted[0] == self._live:
            # Nobody computes the scores of the table under edit again because of this.
            self._keep(*self._noted)
        self._start()
        self.changed.emit()

    def set_options(self, options: ScoreOptions) -> None:
        """Score by other conventions."""
        if options != self._options:
            self._options = options
            self._known.clear()
            self._start()
            self.changed.emit()

    def set_entries(self, entries: Sequence[TableEntry], live: int) -> None:
        """Score these tables, all but the one under edit: others do that, see `note`."""
        self._entries = list(entries)
        self._live = live
        keys = {entry.key for entry in entries}
        self._known = {k: known for k, known in self._known.items() if k in keys}
        self._start(same=True)

    def note(self, key: int, scores: Scores) -> None:
        """Take over scores that were computed elsewhere, if they are all there."""
        self._noted = key, scores
        if self._keep(key, scores):
            self.changed.emit()

    def _keep(self, key: int, scores: Scores) -> bool:
        if scores.options != self._options or not all(k in scores for k in self._keys):
            return False
        values = np.array([float(scores[k]) for k in self._keys])
        self._known[key] = (scores.table, values)
        return True

    def values(self, key: int) -> np.ndarray | None:
        """Return the latest scores of a table in the order of `keys`; None until they come."""
        known = self._known.get(key)
        return None if known is None else known[1]

    def is_fresh(self, entry: TableEntry) -> bool:
        """Whether the scores of a table are those of its present counts."""
        known = self._known.get(entry.key)
        return known is not None and known[0] is entry.table

    def best(self, column: int) -> float:
        """Return the best value of a metric over all tables; NaN where there is no best one."""
        better = METRICS[self._keys[column]].larger_is_better
        if better is None or len(self._entries) < 2:
            return math.nan
        found = [values[column] for _, values in self._known.values()]
        found = [value for value in found if not math.isnan(value)]
        if len(found) < 2 or min(found) == max(found):
            return math.nan
        return max(found) if better else min(found)

    def _start(self, *, same: bool = False) -> None:
        """Score what has no scores; ``same`` if a job that runs is for the same metrics."""
        wanted = [e for e in self._entries if e.key != self._live and not self.is_fresh(e)]
        if self._job is not None:
            asked = {entry.key: entry.table for entry in self._asked}
            if same and wanted and all(asked.get(e.key) is e.table for e in wanted):
                return
            self._job.abandon()
            self._job = None
        self._asked = wanted
        if not wanted or not self._keys:
            return
        study = ColumnScores([e.table for e in self._asked], self._keys, self._options)
        job = self._jobs.create(study, "Scoring the tables")
        job.progressed.connect(self._on_progressed)
        job.finished.connect(self._on_finished)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)
        self._job = job
        self._jobs.start(job)

    @Slot(object)
    def _on_progressed(self, step: Step) -> None:
        if step.result is None and step.partial is not None:
            self._take(step.partial)

    @Slot(object)
    def _on_finished(self, values: np.ndarray) -> None:
        self._job = None
        self._take(values)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._job = None
        log.error("scoring the tables failed", exc_info=error)

    @Slot()
    def _on_cancelled(self) -> None:
        self._job = None

    def _take(self, values: np.ndarray) -> None:
        for entry, row in zip(self._asked, values, strict=False):
            self._known[entry.key] = (entry.table, row)
        self.changed.emit()
