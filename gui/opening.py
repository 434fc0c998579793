"""Reading files beside the window, and what becomes of what they hold."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from core.files.errors import CountError, FaultKind, ReadError
from core.files.opening import Opened, open_text
from core.files.options import OpenOptions, ParsedTable, ReadOptions
from core.files.session_reader import SessionError
from core.studies.task import Task
from core.table import TableError
from gui.jobs import Job, JobRunner
from gui.reading import OpenedFile, OpenedFiles, ReadFiles
from gui.session import Session
from gui.table_editor.notice import Notice, Severity, Until
from gui.tables.origin import Origin

Action = tuple[str, Callable[[], object]]

log = logging.getLogger(__name__)

# Faults that no other reading of a file mends.
_NO_TEXT = frozenset(
    (
        FaultKind.EMPTY,
        FaultKind.NOT_TEXT,
        FaultKind.TOO_BIG,
        FaultKind.UNREADABLE,
        FaultKind.DAMAGED,
        FaultKind.CUT,
        FaultKind.BLANK,
        FaultKind.THOUSANDS,
    )
)
_CLIPBOARD = "the clipboard"
# Files whose faults are told one by one; of the others their number.
_TOLD = 3


class Opening(QObject):
    """Opens files into the session.

    A session file takes the place of what is open once unsaved work is settled; tables
    of any other file are added to it, or take the place of the sample that the program
    starts with.

    Signals
    -------
    noticed(Notice)
    file_used(Path)
        A file was opened.
    file_failed(Path)
        A file could not be opened.
    session_opened(SessionContent)
        A session file is open now, with options and columns of its own.
    labels_found(Path)
        The user wants to import a file of labels.
    """

    noticed = Signal(object)
    file_used = Signal(object)
    file_failed = Signal(object)
    session_opened = Signal(object)
    labels_found = Signal(object)

    def __init__(self, session: Session, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._job: Job | None = None
        self._study = ReadFiles(())
        # The table that another reading of its file replaces, and how it was.
        self._instead: tuple[int, object] | None = None
        self._pasted = ""
        #: Runs what would replace the session once unsaved work is settled.
        self.settle: Callable[[Callable[[], None]], None] = _at_once

    def open(self, paths: Sequence[Path], options: OpenOptions | None = None) -> None:
        """Read files beside the window; what is open stays until they are read."""
        self._start(paths, options or OpenOptions(), None)

    def _start(
        self, paths: Sequence[Path], options: OpenOptions, instead: tuple[int, object] | None
    ) -> None:
        if self._job is not None:
            self._job.abandon()
        self._study = ReadFiles(tuple(paths), options)
        self._instead = instead
        what = paths[0].name if len(paths) == 1 else f"{len(paths)} files"
        job = self._jobs.create(self._study, f"Opening {what}")
        job.finished.connect(self._on_read)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)
        self._job = job
        self._jobs.start(job)

    def paste(self, text: str, options: ReadOptions | None = None) -> None:
        """Add the table that a text holds, as it comes from a spreadsheet."""
        self.forget()
        if not text.strip():
            self._tell("There is no text on the clipboard: copy a table first.", Severity.WARNING)
            return
        self._pasted = text
        asked = OpenOptions(read=options or ReadOptions())
        read = partial(open_text, text, asked, name=_CLIPBOARD, stem="Pasted table")
        job = self._jobs.create(Task(read, "reading the clipboard"), "Reading the clipboard")
        job.finished.connect(self._on_pasted)
        job.failed.connect(self._on_paste_failed)
        self._job = job
        self._jobs.start(job)

    @Slot(object)
    def _on_pasted(self, opened: Opened) -> None:
        self._job = None
        if self._session.is_placeholder:
            self._session.show_tables(opened.tables)
            self._session.mark_unsaved()
        elif not self._session.add(opened.tables):
            return
        notes = [*opened.notes, *(note for table in opened.tables for note in table.notes)]
        if opened.parsed is not None:
            notes += _unnamed(opened.parsed)
        if notes:
            self._tell(f"Pasted: {'; '.join(notes)}.", until=Until.UNDONE)

    @Slot(object)
    def _on_paste_failed(self, error: Exception) -> None:
        self._job = None
        actions: tuple[Action, ...] = ()
        if isinstance(error, CountError) and error.kind is FaultKind.THOUSANDS:
            mark = error.mark or "."
            again = partial(self.paste, self._pasted, ReadOptions(thousands=mark))
            actions = ((f'Read "{mark}" as thousands separator', again),)
        elif isinstance(error, ReadError) and error.kind is FaultKind.BLANK:
            again = partial(self.paste, self._pasted, ReadOptions(blank="zero"))
            actions = (("Read blanks as 0", again),)
        elif not isinstance(error, TableError):
            log.error("pasting failed", exc_info=error)
        self._tell(str(error), Severity.ERROR, actions)

    def forget(self) -> None:
        """Give up what is being read: another session is wanted."""
        if self._job is not None:
            self._job.abandon()
            self._job = None

    # What came of it

    @Slot(object)
    def _on_read(self, read: OpenedFiles) -> None:
        self._job = None
        sessions = [file for file in read.files if file.session is not None]
        if len(read.files) == 1 and sessions:
            self.settle(partial(self._show_session, sessions[0], read))
        elif read.files:
            self._show_tables(read)
        self._tell_failures(read)

    def _show_session(self, file: OpenedFile, read: OpenedFiles) -> None:
        assert file.session is not None
        content = file.session
        origin = Origin(file.path, content.stamp)
        self._session.show_tables(
            content.tables,
            origin,
            current=content.current,
            baseline=content.baseline,
            state=read.state,
        )
        self.session_opened.emit(content)
        self.file_used.emit(file.path)

    def _show_tables(self, read: OpenedFiles) -> None:
        tables = [table for file in read.files for table in file.tables]
        first = read.files[0]
        session = self._session
        alone = session.is_placeholder or self._replaces_all()
        if alone and read.state is not None:
            session.show_tables(tables, _origin(read), state=read.state)
        elif not session.add(tables):
            return
        shown = session.document.key
        if not alone and self._instead is not None:
            key, table = self._instead
            if key in session.entries and session.entries[key].table is table:
                name = session.entries[key].name
                session.remove([key])
                session.rename(shown, name)
        for file in read.files:
            self.file_used.emit(file.path)
        self._tell_notes(read, shown)
        if first.opened is not None and first.opened.is_export and len(read.files) == 1:
            what = "its table is" if len(first.tables) == 1 else f"its {len(tables)} tables are"
            told = f"{first.path.name} holds exported scores; {what} open as new."
            self._tell(told, until=Until.UNDONE)

    def _replaces_all(self) -> bool:
        """Whether another reading of the only file that is open was asked for."""
        session = self._session
        return (
            self._instead is not None
            and len(session.entries) == 1
            and not session.is_dirty
            and session.document.key == self._instead[0]
        )

    def _tell_notes(self, read: OpenedFiles, shown: int) -> None:
        notes = []
        labels: tuple[Action, ...] = ()
        opened = read.files[0].opened if len(read.files) == 1 else None
        if opened is not None and opened.may_be_labels:
            path = read.files[0].path
            labels = (("Import labels…", partial(self.labels_found.emit, path)),)
        for file in read.files:
            own = [note for table in file.tables for note in table.notes]
            if file.opened is not None:
                own += file.opened.notes
                if file.opened.parsed is not None:
                    own += _unnamed(file.opened.parsed)
            if own:
                notes.append(f"{file.path.name}: {'; '.join(dict.fromkeys(own))}.")
        if notes:
            actions = self._rereads(read.files[0], shown) if len(read.files) == 1 else ()
            self._tell(" ".join(notes[:_TOLD]), actions=(*actions, *labels), until=Until.UNDONE)

    def _rereads(self, file: OpenedFile, shown: int) -> tuple[Action, ...]:
        """Offer the other reading of a first line or column that could be either."""
        parsed = None if file.opened is None else file.opened.parsed
        if parsed is None or parsed.is_export or len(file.tables) != 1:
            return ()
        read = file.options.read
        again = (
            ("First line holds names", parsed.header, replace(read, header=True)),
            ("First column holds names", parsed.index, replace(read, index=True)),
            # Numbers that were taken for names may be counts.
            (
                "First line holds counts",
                not any("(header: no)" in note for note in parsed.notes),
                replace(read, header=False),
            ),
        )
        instead = (shown, self._session.entries[shown].table)
        return tuple(
            (label, self._reopening(file.path, replace(file.options, read=other), instead))
            for label, is_so, other in again
            if not is_so
        )

    def _reopening(
        self, path: Path, options: OpenOptions, instead: tuple[int, object] | None = None
    ) -> Callable[[], None]:
        return partial(self._start, (path,), options, instead)

    # Faults

    def _tell_failures(self, read: OpenedFiles) -> None:
        if not read.failures:
            return
        actions: tuple[Action, ...] = ()
        if len(read.failures) == 1:
            actions = self._remedies(*read.failures[0])
        told = [_sentence(path, error) for path, error in read.failures[:_TOLD]]
        if len(read.failures) > _TOLD:
            told.append(f"{len(read.failures) - _TOLD} more files could not be opened.")
        if not read.files:
            told.append("What was open is as it was.")
        self._tell(" ".join(told), Severity.ERROR, actions)
        for path, _ in read.failures:
            self.file_failed.emit(path)

    def _remedies(self, path: Path, error: Exception) -> tuple[Action, ...]:
        """Return what may help; the assistant at last, if the file can be read as text."""
        remedies = self._special_remedies(path, error)
        if not isinstance(error, ReadError) or isinstance(error, SessionError):
            return remedies
        if error.kind in _NO_TEXT:
            return remedies
        label = "Import labels…" if error.kind is FaultKind.LABELS else "Import…"
        return (*remedies, (label, partial(self.labels_found.emit, path)))

    def _special_remedies(self, path: Path, error: Exception) -> tuple[Action, ...]:
        options = self._study.options
        if isinstance(error, CountError) and error.kind is FaultKind.THOUSANDS:
            mark = error.mark or "."
            other = replace(options, read=replace(options.read, thousands=mark))
            return ((f'Read "{mark}" as thousands separator', self._reopening(path, other)),)
        if not isinstance(error, ReadError):
            return ()
        if error.kind is FaultKind.BLANK:
            other = replace(options, read=replace(options.read, blank="zero"))
            return (("Read blanks as 0", self._reopening(path, other)),)
        if isinstance(error, SessionError) and error.rescued:
            n = len(error.rescued)
            what = "the table that is whole" if n == 1 else f"the {n:,} tables that are whole"
            return ((f"Open {what}", partial(self._session.add, error.rescued)),)
        if error.kind is FaultKind.TOTAL:
            drop, keep = (
                replace(options, read=replace(options.read, totals=rule))
                for rule in ("drop", "keep")
            )
            return (
                ("Leave the total out", self._reopening(path, drop)),
                ("Keep it as a class or cluster", self._reopening(path, keep)),
            )
        if error.kind is FaultKind.BLANK_LINE:
            return (("Read several tables", self._reopening(path, replace(options, several=True))),)
        return ()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._job = None
        path = self._study.paths[0]
        log.error("opening %s failed", path, exc_info=error)
        self._tell(
            f"{path.name} could not be opened: {error} What was open is as it was.", Severity.ERROR
        )
        self.file_failed.emit(path)

    @Slot()
    def _on_cancelled(self) -> None:
        self._job = None
        names = self._study.paths[0].name if len(self._study.paths) == 1 else "the files"
        self._tell(f"Opening {names} was cancelled; what was open is as it was.")

    def _tell(
        self,
        text: str,
        severity: Severity = Severity.INFO,
        actions: tuple[Action, ...] = (),
        until: Until = Until.CLOSED,
    ) -> None:
        self.noticed.emit(Notice(text, severity, actions, until))


def _at_once(action: Callable[[], None]) -> None:
    action()


def _origin(read: OpenedFiles) -> Origin | None:
    """Return the file that saving may overwrite: a text file that holds a table and no more."""
    if len(read.files) != 1 or len(read.files[0].tables) != 1:
        return None
    file = read.files[0]
    opened = file.opened
    if opened is None or opened.parsed is None or opened.is_export:
        # Saving must not overwrite an export of scores, or a workbook, with a bare table.
        return None
    return Origin(file.path, opened.stamp, opened.parsed.separator)


def _sentence(path: Path, error: Exception) -> str:
    text = str(error)
    return text if path.name in text else f"{path.name}: {text}"


def _unnamed(parsed: ParsedTable) -> list[str]:
    """Return what was taken for counts where it could have been names."""
    if parsed.is_export or (parsed.header and parsed.index):
        return []
    if parsed.header:
        return ["no column names the classes"]
    if parsed.index:
        return ["no line names the clusters"]
    return ["all of it was read as counts, nothing as names"]
