"""Writing scored tables to a file, and to the clipboard as text."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from core.files.errors import SaveError
from core.files.writing import Saved
from core.named_table import NamedTable
from core.ordering import ColumnsBy, RowsBy, TableOrder
from core.studies.scored_export import ScoredExport, ScoredText
from core.studies.scored_tables import ScoredTables
from core.table import ContingencyTable
from gui.jobs import Job, JobRunner
from gui.scorer import Scorer
from gui.table_editor.notice import Notice, Severity

log = logging.getLogger(__name__)


class ScreenOrder(NamedTuple):
    """The order in which the screen shows tables, as in `ScoredTables`."""

    rows: RowsBy = "table"
    columns: ColumnsBy = "table"
    on_screen: tuple[ContingencyTable, TableOrder] | None = None


AS_ENTERED = ScreenOrder()


class Exporting(QObject):
    """Scores what is to be exported and writes it, beside the window.

    Signals
    -------
    noticed(Notice)
    file_used(Path)
        A file was written.
    """

    noticed = Signal(object)
    written = Signal(object)

    def __init__(self, scorer: Scorer, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scorer = scorer
        self._jobs = jobs
        self._copy_job: Job | None = None
        self._said = ""

    def _scoring(
        self,
        tables: Sequence[NamedTable],
        keys: Sequence[str] | None,
        order: ScreenOrder,
    ) -> ScoredTables:
        scores = self._scorer.scores
        known = () if scores is None else (scores,)
        return ScoredTables(tuple(tables), self._scorer.options, known, keys, *order)

    def export(
        self,
        path: Path,
        tables: Sequence[NamedTable],
        keys: Sequence[str] | None = None,
        order: ScreenOrder = AS_ENTERED,
    ) -> None:
        """Write tables with their scores; the ending of the name decides on the format.

        Parameters
        ----------
        path : Path
        tables : sequence of NamedTable
        keys : sequence of str, optional
            The metrics; all by default.
        order : ScreenOrder
            The order of classes and clusters in papers.
        """
        study = ScoredExport(self._scoring(tables, keys, order), path)
        job = self._jobs.create(study, f"Exporting {path.name}")
        job.finished.connect(self._on_exported)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)
        self._jobs.start(job)

    def copy(
        self,
        tables: Sequence[NamedTable],
        form: Literal["latex", "markdown"],
        what: str,
        keys: Sequence[str] | None = None,
        order: ScreenOrder = AS_ENTERED,
    ) -> None:
        """Put tables with their scores on the clipboard.

        Parameters
        ----------
        tables : sequence of NamedTable
        form : {"latex", "markdown"}
        what : str
            What it is, for people: "LaTeX".
        keys, order
            As in `export`.
        """
        if self._copy_job is not None:
            self._copy_job.abandon()
        which = "The scored table is" if len(tables) == 1 else f"{len(tables)} tables are"
        self._said = f"{which} on the clipboard as {what}."
        study = ScoredText(self._scoring(tables, keys, order), form)
        job = self._jobs.create(study, f"Copying as {what}")
        job.finished.connect(self._on_copied)
        job.failed.connect(self._on_failed)
        self._copy_job = job
        self._jobs.start(job)

    @Slot(object)
    def _on_copied(self, text: str) -> None:
        self._copy_job = None
        QGuiApplication.clipboard().setText(text)
        self._tell(self._said)

    @Slot(object)
    def _on_exported(self, written: Saved) -> None:
        self.written.emit(written.path)
        tables = "The scored table is" if written.tables == 1 else f"{written.tables} tables are"
        self._tell(f"{tables} in {written.path}.")

    @Slot()
    def _on_cancelled(self) -> None:
        self._tell("The export was cancelled; no file was written.", Severity.WARNING)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._copy_job = None
        if not isinstance(error, SaveError):
            log.error("export failed", exc_info=error)
        self._tell(f"Not exported: {error}", Severity.ERROR)

    def _tell(self, text: str, severity: Severity = Severity.INFO) -> None:
        self.noticed.emit(Notice(text, severity))
