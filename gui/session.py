"""The session: any number of tables, one of them under edit, and the file they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from core.named_table import NamedTable
from core.table import ContingencyTable
from gui.jobs import Job, JobRunner
from gui.table_editor.document import TableDocument
from gui.table_editor.edits import TableState
from gui.table_editor.notice import Notice, Severity, Until
from gui.table_editor.undo import Done, History, Undoable
from gui.tables.entries import (
    MAX_TABLES,
    AddTables,
    Entries,
    EntryEdit,
    RemoveTables,
    RenameTable,
    ReplaceAll,
    SetBaseline,
    TableEntry,
    empty_table,
)
from gui.tables.origin import Origin
from gui.tables.ready import MakeReady, ReadyTables, fits, too_large

_SESSION_KEY = 0


class Session(QObject):
    """Named tables with one history over all of them.

    Signals
    -------
    title_changed()
        The name or the unsaved mark has changed.
    replaced()
        Another session is open.
    entries_changed()
        Tables were added, removed or renamed, or the baseline is another one.
    shown(int)
        The table of this key is under edit now.
    noticed(Notice)
        Something to tell the user, in place.
    """

    title_changed = Signal()
    replaced = Signal()
    entries_changed = Signal()
    shown = Signal(int)
    noticed = Signal(object)

    def __init__(self, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.history = History(self)
        start = empty_table()
        self.document = TableDocument(start.table, self, self.history)
        self.document.fetch = self._fetch
        self.history.clean_changed.connect(self.title_changed)
        self._next_key = _SESSION_KEY + 1
        self.entries = Entries()
        self._ready = ReadyTables()
        self._origin: Origin | None = None
        self._placeholder = True
        self._preparing: Job | None = None
        #: Which session is open, so that what ends late knows whether it is still meant.
        self.generation = 0
        self._put_all([start], 0, None)

    # What is open

    @property
    def origin(self) -> Origin | None:
        """The file that saving writes to; None while there is none that can hold everything."""
        origin = self._origin
        if origin is not None and not origin.is_session and len(self.entries) != 1:
            return None
        return origin

    @property
    def path(self) -> Path | None:
        """The file that saving writes to; None while there is none."""
        origin = self.origin
        return None if origin is None else origin.path

    @property
    def folder(self) -> Path | None:
        """The folder of the file that was opened, even if it cannot hold everything."""
        return None if self._origin is None else self._origin.path.parent

    @property
    def name(self) -> str:
        """What to call the session: its file's name, or its only table's."""
        path = self.path
        if path is not None:
            return path.name
        return self.current.name if len(self.entries) == 1 else "Untitled session"

    @property
    def current(self) -> TableEntry:
        """The table under edit, as it was when it was last looked at; see `sync`."""
        return self.entries[self.document.key]

    @property
    def is_dirty(self) -> bool:
        """Whether there is work that no file holds."""
        return not self.document.is_clean

    @property
    def is_placeholder(self) -> bool:
        """Whether there is only what the program starts with: nobody minds if it goes."""
        return (
            self._placeholder
            and len(self.entries) == 1
            and self.history.stack.count() == 0
            and not self.is_dirty
        )

    def sync(self) -> Entries:
        """Return all tables, the one under edit as it is now."""
        entry, table = self.current, self.document.snapshot()
        if table is not entry.table:
            self.entries.put(entry.with_table(table))
        return self.entries

    def tables(self) -> list[NamedTable]:
        """Return all tables as they are now."""
        return [entry.named for entry in self.sync()]

    # Another session

    def show_table(
        self,
        table: ContingencyTable,
        name: str,
        origin: Origin | None = None,
        *,
        placeholder: bool = False,
    ) -> None:
        """Open a session of one table."""
        self.show_tables([NamedTable(name, table)], origin, placeholder=placeholder)

    def show_tables(
        self,
        tables: Sequence[NamedTable],
        origin: Origin | None = None,
        *,
        current: int = 0,
        baseline: int | None = None,
        placeholder: bool = False,
        state: TableState | None = None,
    ) -> None:
        """Open a session of tables that are already in memory, at least one.

        Parameters
        ----------
        tables : sequence of NamedTable
        origin : Origin, optional
            The file that they belong to.
        current, baseline : int
            Places in ``tables``, counted from 0.
        placeholder : bool
            Whether the session may go without a question, as samples may.
        state : TableState, optional
            The current table, made ready for the editor.

        Raises
        ------
        TableError
            If the current table has too many cells; what was open stays.
        """
        if state is None:
            state = TableState.of(tables[current].table)
        self._stop_preparing()
        self.generation += 1
        self._origin = origin
        self._placeholder = placeholder
        self.history.clear()
        self._ready.keep_only(())
        self._put_all(tables, current, baseline, state)
        self.replaced.emit()
        self.entries_changed.emit()
        self.shown.emit(self.document.key)
        self.title_changed.emit()

    def _put_all(
        self,
        tables: Sequence[NamedTable],
        current: int,
        baseline: int | None,
        state: TableState | None = None,
    ) -> None:
        entries = self._entries_of(tables)
        self.entries = Entries(entries, None if baseline is None else entries[baseline].key)
        entry = entries[current]
        self.document.show(
            TableState.of(entry.table) if state is None else state, entry.key, entry.table
        )

    def _entries_of(self, tables: Iterable[NamedTable]) -> list[TableEntry]:
        entries = [TableEntry(self._next_key + i, named) for i, named in enumerate(tables)]
        self._next_key += len(entries)
        return entries

    def new(self) -> None:
        """Open a session with one empty table of three classes and three clusters."""
        self.show_tables([empty_table()], placeholder=True)

    def belongs_to(self, origin: Origin) -> None:
        """Note which file holds the session."""
        self._origin = origin
        self._placeholder = False
        self.title_changed.emit()

    def mark_saved(self) -> None:
        """Note that a file holds everything as it is now."""
        self.history.set_clean()
        self.title_changed.emit()

    def mark_unsaved(self) -> None:
        """Say that no file holds the session, as after a recovery."""
        self._placeholder = False
        self.history.reset_clean()
        self.title_changed.emit()

    # Which table is under edit

    def select(self, key: int) -> None:
        """Put a table under edit; a large one is made ready beside the window first."""
        self._stop_preparing()
        if key == self.document.key or key not in self.entries:
            return
        entry = self.entries[key]
        if self._ready.is_quick(key, entry.table):
            self._show(key)
            return
        if not fits(entry.table):
            self._tell(too_large(entry.name, entry.table), Severity.WARNING)
            self.shown.emit(self.document.key)
            return
        job = self._jobs.create(MakeReady(key, entry.table, entry.name), f"Showing {entry.name}")
        job.finished.connect(self._on_ready)
        job.failed.connect(self._on_not_ready)
        job.cancelled.connect(self._on_not_shown)
        self._preparing = job
        self._jobs.start(job)

    def _stop_preparing(self) -> None:
        if self._preparing is not None:
            self._preparing.abandon()
            self._preparing = None

    @Slot(object)
    def _on_ready(self, ready: tuple[int, ContingencyTable, TableState]) -> None:
        self._preparing = None
        key, table, state = ready
        if key in self.entries and self.entries[key].table is table:
            self._show(key, state)

    @Slot(object)
    def _on_not_ready(self, error: Exception) -> None:
        self._tell(f"The table could not be shown: {error}.", Severity.ERROR)
        self._on_not_shown()

    @Slot()
    def _on_not_shown(self) -> None:
        self._preparing = None
        self.shown.emit(self.document.key)

    def _fetch(self, key: int) -> None:
        """Show a table because an edit of it is undone or redone now."""
        self._stop_preparing()
        self._show(key)

    def _show(self, key: int, state: TableState | None = None) -> None:
        document = self.document
        before = document.key
        if before in self.entries:
            self.sync()
        entry = self.entries[key]
        if state is None:
            state = self._ready.take(key, entry.table)
        document.show(state, key, entry.table)
        # The state has taken over what was under edit before.
        if before in self.entries:
            self._ready.keep(before, state)
        self.shown.emit(key)
        self.title_changed.emit()

    # Edits of the list

    def add(self, tables: Sequence[NamedTable], *, label: str = "", show: bool = True) -> bool:
        """Add tables behind the one under edit, undoably, and show the first of them.

        Returns
        -------
        bool
            False if they were refused, which a notice says.
        """
        if not tables:
            return False
        if len(self.entries) + len(tables) > MAX_TABLES:
            self._tell(
                f"A session holds at most {MAX_TABLES:,} tables: put these into one of their own.",
                Severity.WARNING,
            )
            return False
        named = self.entries.told_apart(tables)
        entries = self._entries_of(named)
        start = self.entries.index(self.document.key) + 1
        if len(tables) > 1:
            # Many go to the end: they have an order of their own.
            start = len(self.entries)
        shown = next((e for e in entries if fits(e.table)), None) if show else None
        what = f"table {named[0].name}" if len(named) == 1 else f"{len(named)} tables"
        self._apply(
            AddTables(
                tuple(entries),
                tuple(range(start, start + len(entries))),
                self.document.key if shown is None else shown.key,
            ),
            label or f"Add {what}",
        )
        if show and shown is None:
            self._tell(too_large(named[0].name, named[0].table), Severity.WARNING)
        return True

    def add_empty(self) -> None:
        """Add an empty table of three classes and three clusters."""
        self.add([empty_table()])

    def duplicate(self, keys: Sequence[int]) -> None:
        """Add copies of tables."""
        chosen = [self.sync()[key].named for key in keys]
        what = "table" if len(chosen) == 1 else f"{len(chosen)} tables"
        self.add(chosen, label=f"Duplicate {what}")

    def remove(self, keys: Sequence[int]) -> None:
        """Take tables out of the session, undoably."""
        gone = set(keys)
        if not gone:
            return
        entries = self.sync()
        what = f"table {entries[keys[0]].name}" if len(gone) == 1 else f"{len(gone)} tables"
        label = f"Remove {what}"
        target = entries.after(self.document.key, gone, fits)
        if target is not None:
            self._apply(RemoveTables(tuple(gone), target), label)
            return
        # There is always one table under edit.
        others = [entry for entry in entries if entry.key not in gone]
        [empty] = self._entries_of([empty_table()])
        baseline = None if entries.baseline in gone else entries.baseline
        self._apply(ReplaceAll((*others, empty), empty.key, baseline), label)

    def rename(self, key: int, name: str) -> bool:
        """Call a table by another name, undoably; False if it is refused or the same."""
        name = name.strip()
        if not name:
            self._tell("A table needs a name; it keeps the one it had.", Severity.WARNING)
            return False
        if key not in self.entries or name == self.entries[key].name:
            return False
        self._apply(RenameTable(key, name), f"Rename table {self.entries[key].name}")
        return True

    def set_baseline(self, key: int | None) -> None:
        """Compare all scores with those of a table, or with none."""
        if key != self.entries.baseline:
            self._apply(SetBaseline(key), "Pin the baseline" if key else "Unpin the baseline")

    def _apply(self, edit: EntryEdit, label: str) -> None:
        self.history.push(Done(label, edit, _SESSION_KEY), self._run)
        self.title_changed.emit()

    def _run(self, edit: Undoable, _key: int) -> Undoable:
        assert isinstance(edit, EntryEdit)
        self._stop_preparing()
        self.sync()
        current = self.document.key
        inverse = edit.apply(self.entries, current)
        self._ready.keep_only(self.entries)
        target = (
            edit.current if isinstance(edit, AddTables | RemoveTables | ReplaceAll) else current
        )
        if target != self.document.key:
            self._show(target)
        self.entries_changed.emit()
        return inverse

    # Telling of something that was not done: the next edit makes it old

    def _tell(self, text: str, severity: Severity = Severity.INFO) -> None:
        self.noticed.emit(Notice(text, severity, until=Until.EDIT))
