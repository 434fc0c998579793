"""Writing the session beside the window."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from core.files.errors import SaveError
from core.files.sessions import ListSorting, SaveSession, SessionContent
from core.files.writing import Saved, SaveTable
from core.metrics.metric import ScoreOptions
from core.ordering import ColumnsBy, RowsBy
from core.studies.study import Study
from gui.jobs import Job, JobRunner
from gui.session import Session
from gui.table_editor.notice import Notice, Severity
from gui.tables.origin import SESSION_SUFFIX, Origin

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Looks:
    """What a session file keeps besides its tables; see `SessionContent`.

    Attributes
    ----------
    options : ScoreOptions
    columns : tuple of str
    order : (str, str)
    sorting : ListSorting or None
    """

    options: ScoreOptions
    columns: tuple[str, ...]
    order: tuple[RowsBy, ColumnsBy]
    sorting: ListSorting | None


class Saving(QObject):
    """Saves the session to its file, or to another one.

    Parameters
    ----------
    session : Session
    jobs : JobRunner
    looks : callable
        Returns the `Looks` of the window.

    Signals
    -------
    noticed(Notice)
    file_used(Path)
        A file was written.
    saved()
        The session is on the disk.
    not_saved()
        It could not be written, or the user has cancelled it.
    """

    noticed = Signal(object)
    file_used = Signal(object)
    saved = Signal()
    not_saved = Signal()

    def __init__(
        self,
        session: Session,
        jobs: JobRunner,
        looks: Callable[[], Looks],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._looks = looks
        self._job: Job | None = None
        self._then: Callable[[], None] | None = None
        self._revision = 0
        self._generation = 0
        self._separator: str | None = None

    @property
    def is_saving(self) -> bool:
        """Whether a file is being written."""
        return self._job is not None

    def content(self) -> SessionContent:
        """Return everything that a session file holds, as it is now."""
        entries = self._session.sync()
        looks = self._looks()
        return SessionContent(
            tables=tuple(entry.named for entry in entries),
            current=entries.index(self._session.document.key),
            baseline=None if entries.baseline is None else entries.index(entries.baseline),
            options=looks.options,
            columns=looks.columns,
            order=looks.order,
            sorting=looks.sorting,
        )

    def save(self, path: Path, then: Callable[[], None] | None = None) -> None:
        """Write the session beside the window, then call ``then`` if it worked."""
        if self._job is not None:
            self._tell("The session is still being saved; try again in a moment.")
            return
        session = self._session
        origin = session.origin
        self._separator = origin.separator if origin is not None and origin.path == path else None
        study: Study[Saved]
        if path.suffix.lower() == SESSION_SUFFIX:
            now = datetime.now().astimezone().isoformat(timespec="seconds")
            study = SaveSession(self.content(), path, now)
        elif len(session.entries) == 1:
            study = SaveTable(session.document.snapshot(), path, self._separator)
        else:
            self._tell(
                f"{path.name} can hold one table only: save the session as {SESSION_SUFFIX}, "
                "or export its tables.",
                Severity.WARNING,
            )
            self.not_saved.emit()
            return
        job = self._jobs.create(study, f"Saving {path.name}")
        self._then = then
        self._revision = session.history.revision
        self._generation = session.generation
        job.finished.connect(self._on_saved)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)
        self._job = job
        self._jobs.start(job)

    @Slot(object)
    def _on_saved(self, written: Saved) -> None:
        self._job = None
        then, self._then = self._then, None
        session = self._session
        path = written.path
        self.file_used.emit(path)
        if self._generation != session.generation:
            # Another session is open by now; it must not be taken for this file's.
            self._tell(f"{path.name} is saved.")
            self.saved.emit()
            return
        session.belongs_to(Origin(path, written.stamp, self._separator))
        if session.history.revision == self._revision:
            session.mark_saved()
        self.saved.emit()
        if then is not None:
            then()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._job = None
        self._then = None
        if not isinstance(error, SaveError):
            log.error("saving failed", exc_info=error)
        self._tell(f"Not saved: {error}", Severity.ERROR)
        self.not_saved.emit()

    @Slot()
    def _on_cancelled(self) -> None:
        self._job = None
        self._then = None
        self._tell("Saving was cancelled; the file is as it was.", Severity.WARNING)
        self.not_saved.emit()

    def _tell(self, text: str, severity: Severity = Severity.INFO) -> None:
        self.noticed.emit(Notice(text, severity))
