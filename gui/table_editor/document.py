"""The document: the table under edit, its undo stack, and who hears of a change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoStack

from core.table import ContingencyTable, TableError
from gui.table_editor.edits import (
    Box,
    DeleteColumns,
    DeleteRows,
    Edit,
    InsertColumns,
    InsertRows,
    OpenTable,
    Paste,
    RenameColumns,
    RenameRows,
    SetCells,
    TableState,
    Transpose,
)
from gui.table_editor.notice import Notice, Severity
from gui.table_editor.undo import Done, History, Undoable


class TableDocument(QObject):
    """The table that can be edited, one of several perhaps, and what was done to it.

    Parameters
    ----------
    table : ContingencyTable, optional
        2 x 2 zeros by default.
    parent : QObject, optional
    history : History, optional
        Where edits are kept; its own by default.

    Attributes
    ----------
    state : TableState
        The table; read it freely, change it only through the methods here.
    key : int
        Which of several tables is under edit; edits in the history remember theirs.
    fetch : callable
        Called with the key of another table before an edit of it is undone or redone;
        it must `show` that table.
    history : History
    revision : int
        Grows with every change, undo and redo included.

    Raises
    ------
    TableError
        If the table has more than 16,000,000 cells.
    """

    changed = Signal(int)
    """Counts or names changed; the new revision. Once for an edit, however large."""

    notice = Signal(object)
    """A `Notice` to show inline."""

    notice_cleared = Signal()
    """What the last notice said no longer holds."""

    clean_changed = Signal(bool)
    """Whether the table is now as it was when it was opened or last saved."""

    before_step = Signal(object)
    """A `Step` is about to change the state; one edit may take several."""

    after_step = Signal(object)
    """A `Step` has changed the state."""

    touched = Signal(object)
    """The `Place` of the edit just done, undone or redone, before `changed`."""

    history_changed = Signal()
    """What can be undone or redone is another edit now."""

    loaded = Signal()
    """Another table has come; after `changed`."""

    def __init__(
        self,
        table: ContingencyTable | None = None,
        parent: QObject | None = None,
        history: History | None = None,
    ) -> None:
        super().__init__(parent)
        if table is None:
            table = ContingencyTable(np.zeros((2, 2), dtype=np.int64))
        self.state = TableState.of(table)
        self.state.before_step = self.before_step.emit
        self.state.after_step = self.after_step.emit
        self.key = 0
        self.fetch: Callable[[int], None] | None = None
        self.history = History(self) if history is None else history
        self.history.clean_changed.connect(self._on_clean_changed)
        self.history.changed.connect(self._on_history_changed)
        self.history.forgotten.connect(self._on_forgotten)
        self._revision = 0
        self._snapshot: tuple[int, ContingencyTable] | None = None
        self._said = False

    @property
    def undo_stack(self) -> QUndoStack:
        """What can be undone; its clean state says whether there is something to save."""
        return self.history.stack

    @property
    def revision(self) -> int:
        """Number of changes so far."""
        return self._revision

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing to save."""
        return self.history.stack.isClean()

    def set_clean(self) -> None:
        """Note that the table as it is now has been saved."""
        self.history.set_clean()

    def snapshot(self) -> ContingencyTable:
        """Return the table as it is now; the same object until the next change."""
        if self._snapshot is None or self._snapshot[0] != self._revision:
            self._snapshot = (self._revision, self.state.table())
        return self._snapshot[1]

    def say(self, notice: Notice | None) -> None:
        """Emit a notice, or take back the last one."""
        if notice is not None:
            self._said = True
            self.notice.emit(notice)
        elif self._said:
            self._said = False
            self.notice_cleared.emit()

    def warn(self, text: str, actions: tuple[tuple[str, Callable[[], object]], ...] = ()) -> None:
        """Emit a notice that something asked for was not done."""
        self.say(Notice(text, Severity.WARNING, actions))

    def apply(self, edit: Edit) -> bool:
        """Do an edit, undoably.

        Parameters
        ----------
        edit : Edit

        Returns
        -------
        bool
            False if the edit was refused, which a notice says, or changes nothing.
        """
        try:
            edit.check(self.state)
        except TableError as error:
            self.warn(_sentence(error.message))
            return False
        if edit.is_noop(self.state):
            self.say(None)
            return False
        self.history.push(Done(edit.describe(self.state), edit, self.key), self._run_for)
        return True

    def replace(self, table: ContingencyTable | TableState) -> None:
        """Open another table in the place of this one: no history, nothing to save.

        Parameters
        ----------
        table : ContingencyTable or TableState
            A state, which another thread may have prepared, is taken over without a copy.

        Raises
        ------
        TableError
            If the table has more than 16,000,000 cells; the old one stays.
        """
        state = table if isinstance(table, TableState) else TableState.of(table)
        self.history.clear()
        self.show(state, self.key)

    def show(self, state: TableState, key: int, table: ContingencyTable | None = None) -> None:
        """Put another table under edit; what was done stays in the history.

        Parameters
        ----------
        state : TableState
            The table, taken over without a copy; the state holds the one before then.
        key : int
            Which table it is.
        table : ContingencyTable, optional
            The same as an immutable table, so that no copy of it is made.
        """
        self.key = key
        if table is not None:
            self._snapshot = (self._revision + 1, table)
        self._run(OpenTable(state))
        self.loaded.emit()

    def set_cell(self, row: int, column: int, value: int) -> bool:
        """Write one count. Like all methods below: undoable, True if anything changed."""
        return self.apply(SetCells.block(row, column, [[value]]))

    def fill(self, boxes: Sequence[Box], value: int, label: str = "") -> bool:
        """Write one count into every cell of some rectangles."""
        return self.apply(SetCells.boxes(boxes, value, label))

    def clear_cells(self, boxes: Sequence[Box], label: str = "") -> bool:
        """Write 0 into every cell of some rectangles."""
        if not label:
            one = len(boxes) == 1 and boxes[0].top == boxes[0].bottom
            label = "Clear cell" if one and boxes[0].left == boxes[0].right else ""
        return self.apply(SetCells.boxes(boxes, 0, label))

    def paste(
        self,
        row: int,
        column: int,
        values: npt.ArrayLike,
        *,
        truth: Sequence[str] | None = None,
        clusters: Sequence[str] | None = None,
    ) -> bool:
        """Write a block at a cell, with its names if any; the table grows to fit."""
        return self.apply(
            Paste(
                row,
                column,
                np.asarray(values),
                None if truth is None else tuple(truth),
                None if clusters is None else tuple(clusters),
            )
        )

    def insert_rows(self, at: int, n: int = 1) -> bool:
        """Insert n empty truth classes before row `at`."""
        return self.apply(InsertRows.empty(self.state, at, n))

    def insert_columns(self, at: int, n: int = 1) -> bool:
        """Insert n empty clusters before column `at`."""
        return self.apply(InsertColumns.empty(self.state, at, n))

    def delete_rows(self, indices: npt.ArrayLike) -> bool:
        """Delete truth classes; at least one stays."""
        return self.apply(DeleteRows(np.asarray(indices)))

    def delete_columns(self, indices: npt.ArrayLike) -> bool:
        """Delete clusters; at least one stays."""
        return self.apply(DeleteColumns(np.asarray(indices)))

    def rename_row(self, row: int, name: str) -> bool:
        """Rename a truth class."""
        return self.apply(RenameRows(np.array([row]), (name,)))

    def rename_column(self, column: int, name: str) -> bool:
        """Rename a cluster."""
        return self.apply(RenameColumns(np.array([column]), (name,)))

    def transpose(self) -> bool:
        """Exchange truth classes and clusters."""
        return self.apply(Transpose())

    @Slot(bool)
    def _on_clean_changed(self, clean: bool) -> None:
        self.clean_changed.emit(clean)

    @Slot()
    def _on_history_changed(self) -> None:
        self.history_changed.emit()

    @Slot(int)
    def _on_forgotten(self, n: int) -> None:
        edits = "The oldest edit" if n == 1 else f"The {n:,} oldest edits"
        self.say(Notice(f"{edits} can no longer be undone: forgotten to save memory."))

    def _run_for(self, edit: Undoable, key: int) -> Undoable:
        if key != self.key and self.fetch is not None:
            self.fetch(key)
        return self._run(cast(Edit, edit))

    def _run(self, edit: Edit) -> Edit:
        inverse = edit.apply(self.state)
        self._revision += 1
        self.say(None)
        self.touched.emit(edit.place(self.state))
        self.changed.emit(self._revision)
        return inverse


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


__all__ = ["TableDocument"]
