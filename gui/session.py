"""The open table and its file: what is on the screen, where it came from, what is saved."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal, Slot

from core.files.errors import CountError, FaultKind, ReadError, SaveError
from core.files.results import SaveScores
from core.files.stamp import Stamp, stamp_of
from core.files.tables import ParsedTable, ReadOptions, TableFile
from core.files.writing import Saved, SaveTable
from core.scores import Scores
from core.studies.study import Step
from core.table import ContingencyTable, TableError
from gui.jobs import Job, JobRunner
from gui.table_editor.document import TableDocument
from gui.table_editor.edits import TableState
from gui.table_editor.notice import Notice, Severity

UNTITLED = "Untitled"

log = logging.getLogger(__name__)


def _stamp(path: Path) -> Stamp | None:
    """Return what tells whether a file has changed."""
    try:
        return stamp_of(path.stat())
    except OSError:
        return None


class _Opened(NamedTuple):
    """A table that was read, from where and how, made ready for the editor."""

    path: Path
    options: ReadOptions
    parsed: ParsedTable
    state: TableState


@dataclass(frozen=True)
class _OpenTable:
    """Read a file and prepare its table for editing, all beside the window."""

    path: Path
    options: ReadOptions

    def run(self) -> Iterator[Step[_Opened]]:
        for step in TableFile(self.path, self.options).run():
            if step.result is None:
                yield Step(step.done, step.total, step.message)
            else:
                state = TableState.of(step.result.table)
                opened = _Opened(self.path, self.options, step.result, state)
                yield Step(step.done, step.total, step.message, result=opened)


class Session(QObject):
    """One document, its file, and the work of reading and writing it.

    Signals
    -------
    title_changed()
        The name or the unsaved mark has changed.
    replaced()
        Another table is open.
    noticed(Notice)
        Something to tell the user, in place.
    file_used(Path)
        A file was opened or saved.
    file_failed(Path)
        A file could not be opened.
    saved()
        The table is on the disk.
    not_saved()
        It could not be written, or the user has cancelled it.
    """

    title_changed = Signal()
    replaced = Signal()
    noticed = Signal(object)
    file_used = Signal(object)
    file_failed = Signal(object)
    saved = Signal()
    not_saved = Signal()

    def __init__(self, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.document = TableDocument(ContingencyTable([[0, 0], [0, 0]]), self)
        self.document.clean_changed.connect(self._on_clean_changed)
        self._path: Path | None = None
        self._name = UNTITLED
        self._separator: str | None = None
        self._stamp: Stamp | None = None
        self._opening: Job | None = None
        self._opening_path = Path()
        self._opening_options = ReadOptions()
        self._saving: Job | None = None
        self._after_save: Callable[[], None] | None = None
        # Which table is open, so that what ends late knows whether it is still meant.
        self._generation = 0
        self._saving_revision = 0
        self._saving_generation = 0
        self._opening_revision = 0
        #: Runs what would replace the table once unsaved work is settled.
        self.settle: Callable[[Callable[[], None]], None] = _at_once

    # What is open

    @property
    def path(self) -> Path | None:
        """The file of the table; None while it has none."""
        return self._path

    @property
    def name(self) -> str:
        """What to call the table: its file's name, or the sample's."""
        return self._path.name if self._path is not None else self._name

    @property
    def is_dirty(self) -> bool:
        """Whether there is work that no file holds."""
        return not self.document.is_clean

    @property
    def is_saving(self) -> bool:
        """Whether a file is being written."""
        return self._saving is not None

    def show_table(
        self,
        table: ContingencyTable | TableState,
        name: str,
        path: Path | None = None,
        stamp: Stamp | None = None,
    ) -> None:
        """Open a table that is already in memory."""
        if self._opening is not None:
            self._opening.abandon()
            self._opening = None
        self._generation += 1
        self._path = path
        self._name = name
        self._stamp = stamp
        self.document.replace(table)
        self.replaced.emit()
        self.title_changed.emit()

    def new(self) -> None:
        """Open an empty table of three classes and three clusters."""
        self._separator = None
        self.show_table(ContingencyTable([[0] * 3] * 3), UNTITLED)

    def mark_unsaved(self) -> None:
        """Say that no file holds the table, as after a recovery."""
        self.document.undo_stack.resetClean()
        self.title_changed.emit()

    # Opening

    def open(self, path: Path, options: ReadOptions | None = None) -> None:
        """Read a table file beside the window; what is open stays until it is read."""
        if self._opening is not None:
            self._opening.abandon()
        self._opening_path = path
        self._opening_options = options or ReadOptions()
        self._opening_revision = self.document.revision
        job = self._jobs.create(_OpenTable(path, self._opening_options), f"Opening {path.name}")
        job.finished.connect(self._on_opened)
        job.failed.connect(self._on_open_failed)
        job.cancelled.connect(self._on_open_cancelled)
        self._opening = job
        self._jobs.start(job)

    @Slot(object)
    def _on_opened(self, opened: _Opened) -> None:
        self._opening = None
        if self.document.revision == self._opening_revision:
            self._show_opened(opened)
            return
        show = partial(self.settle, partial(self._show_opened, opened))
        self._tell(
            f"{opened.path.name} is ready, but the table here was changed meanwhile.",
            Severity.WARNING,
            (("Show the file", show),),
        )

    def _show_opened(self, opened: _Opened) -> None:
        path, _, parsed, state = opened
        self._separator = parsed.separator
        if parsed.is_export:
            # Saving must not overwrite an export of scores with a bare table.
            self.show_table(state, path.stem.removesuffix(" scores"))
            self._tell(f"{path.name} holds exported scores; its table is open as a new document.")
        else:
            self.show_table(state, path.name, path, parsed.stamp)
            notes = [*parsed.notes, *_unnamed(parsed)]
            if notes:
                self._tell(f"{path.name}: {'; '.join(notes)}.", actions=self._rereads(opened))
        self.file_used.emit(path)

    def _rereads(self, opened: _Opened) -> tuple[tuple[str, Callable[[], None]], ...]:
        """Offer the other reading of a first line or column that could be either."""
        path, options, parsed, _ = opened
        again = (
            ("First line holds names", parsed.header, replace(options, header=True)),
            ("First column holds names", parsed.index, replace(options, index=True)),
        )
        return tuple(
            (label, self._reopening(path, other)) for label, read, other in again if not read
        )

    def _reopening(self, path: Path, options: ReadOptions) -> Callable[[], None]:
        return partial(self.settle, partial(self.open, path, options))

    @Slot(object)
    def _on_open_failed(self, error: Exception) -> None:
        self._opening = None
        path, options = self._opening_path, self._opening_options
        actions: tuple[tuple[str, Callable[[], None]], ...] = ()
        if isinstance(error, CountError) and error.kind is FaultKind.THOUSANDS:
            mark = error.mark or "."
            other = replace(options, thousands=mark)
            actions = ((f'Read "{mark}" as thousands separator', self._reopening(path, other)),)
        elif isinstance(error, ReadError) and error.kind is FaultKind.BLANK:
            other = replace(options, blank="zero")
            actions = (("Read blanks as 0", self._reopening(path, other)),)
        if isinstance(error, TableError | OSError):
            text = str(error)
        else:
            log.error("opening %s failed", path, exc_info=error)
            text = f"{path.name} could not be opened: {error}"
        self._tell(f"{text} What was open is as it was.", Severity.ERROR, actions)
        self.file_failed.emit(path)

    @Slot()
    def _on_open_cancelled(self) -> None:
        self._opening = None
        self._tell(f"Opening {self._opening_path.name} was cancelled; the table is as it was.")

    # Saving

    def file_changed_elsewhere(self) -> bool:
        """Whether another program has changed the file since it was opened or saved."""
        return (
            self._path is not None
            and self._stamp is not None
            and (_stamp(self._path) not in (self._stamp, None))
        )

    def save(self, path: Path, then: Callable[[], None] | None = None) -> None:
        """Write the table beside the window, then call ``then`` if it worked."""
        if self._saving is not None:
            self._tell("The table is still being saved; try again in a moment.")
            return
        table, revision = self.document.snapshot(), self.document.revision
        separator = self._separator if path == self._path else None
        job = self._jobs.create(SaveTable(table, path, separator), f"Saving {path.name}")
        self._after_save = then
        self._saving_revision = revision
        self._saving_generation = self._generation
        job.finished.connect(self._on_saved)
        job.failed.connect(self._on_save_failed)
        job.cancelled.connect(self._on_save_cancelled)
        self._saving = job
        self._jobs.start(job)

    @Slot(object)
    def _on_saved(self, written: Saved) -> None:
        self._saving = None
        then, self._after_save = self._after_save, None
        path = written.path
        self.file_used.emit(path)
        if self._saving_generation != self._generation:
            # Another table is open by now; it must not be taken for this file's.
            self._tell(f"{path.name} is saved.")
            self.saved.emit()
            return
        if path != self._path:
            self._separator = None
        self._path = path
        self._stamp = written.stamp
        if self.document.revision == self._saving_revision:
            self.document.undo_stack.setClean()
        self.title_changed.emit()
        self.saved.emit()
        if then is not None:
            then()

    @Slot(object)
    def _on_save_failed(self, error: Exception) -> None:
        self._saving = None
        self._after_save = None
        if not isinstance(error, SaveError):
            log.error("saving failed", exc_info=error)
        self._tell(f"Not saved: {error}", Severity.ERROR)
        self.not_saved.emit()

    @Slot()
    def _on_save_cancelled(self) -> None:
        self._saving = None
        self._after_save = None
        self._tell("Saving was cancelled; the file is as it was.", Severity.WARNING)
        self.not_saved.emit()

    # Exporting

    def export(self, path: Path, scores: Scores) -> None:
        """Write the scored table as CSV or JSON, by the name's ending."""
        # The file's name alone: an export is passed on, and folders are the user's own.
        source = self._path.name if self._path is not None else None
        name = self._path.stem if self._path is not None else self._name
        job = self._jobs.create(
            SaveScores(path, scores, name=name, source=source),
            f"Exporting {path.name}",
        )
        job.finished.connect(self._on_exported)
        job.failed.connect(self._on_export_failed)
        job.cancelled.connect(self._on_export_cancelled)
        self._jobs.start(job)

    @Slot(object)
    def _on_exported(self, written: Saved) -> None:
        self._tell(f"The scored table is in {written.path}.")

    @Slot()
    def _on_export_cancelled(self) -> None:
        self._tell("The export was cancelled; no file was written.", Severity.WARNING)

    @Slot(object)
    def _on_export_failed(self, error: Exception) -> None:
        if not isinstance(error, SaveError):
            log.error("export failed", exc_info=error)
        self._tell(f"Not exported: {error}", Severity.ERROR)

    # Telling

    @Slot(bool)
    def _on_clean_changed(self, _clean: bool) -> None:
        self.title_changed.emit()

    def _tell(
        self,
        text: str,
        severity: Severity = Severity.INFO,
        actions: tuple[tuple[str, Callable[[], None]], ...] = (),
    ) -> None:
        self.noticed.emit(Notice(text, severity, actions))


def _at_once(action: Callable[[], None]) -> None:
    action()


def _unnamed(parsed: ParsedTable) -> list[str]:
    """Return what was taken for counts where it could have been names."""
    if parsed.header and parsed.index:
        return []
    if parsed.header:
        return ["no column names the classes"]
    if parsed.index:
        return ["no line names the clusters"]
    return ["all of it was read as counts, nothing as names"]
