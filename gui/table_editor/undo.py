"""What was done and can be undone: edits as plain data on Qt's undo stack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol
from weakref import WeakMethod

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack
from shiboken6 import isValid

#: Steps that can be undone.
UNDO_LIMIT = 1_000
#: Bytes that the history takes; beyond, the oldest edits are forgotten.
UNDO_BYTES = 500_000_000


class Undoable(Protocol):
    """An edit that has been checked; applying it returns the edit that undoes it."""

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it takes, roughly."""
        ...


#: Applies an edit to the table of a key, and returns the edit that undoes it.
Run = Callable[[Undoable, int], Undoable]


@dataclass(eq=False)
class Done:
    """An edit in the history.

    Parameters
    ----------
    label : str
        For the undo menu.
    edit : Undoable
        Checked, and not a no-op: a command that fails or does nothing would still count.
    key : int
        Which table it belongs to, where there are several.
    inverse : Undoable, optional
        The edit that undoes it, once it has been applied.
    """

    label: str
    edit: Undoable
    key: int = 0
    inverse: Undoable | None = None

    def nbytes(self) -> int:
        """Return the bytes of memory that undoing and redoing take, roughly."""
        return self.edit.nbytes + (self.inverse.nbytes if self.inverse is not None else 0)


class EditCommand(QUndoCommand):
    """The command for an edit.

    Parameters
    ----------
    done : Done
    run : weak reference to a bound method
        Applies an edit and returns its inverse. Referred to weakly: a cycle through a
        command in which Python collects garbage crashes the interpreter.
    applied : bool
        Whether the edit has been applied already, so that the stack must not.
    """

    def __init__(self, done: Done, run: WeakMethod, *, applied: bool = False) -> None:
        super().__init__(done.label)
        self._done = done
        self._run = run
        self._applied = applied

    def redo(self) -> None:
        run = self._run()
        if run is not None and not self._applied:
            self._done.inverse = run(self._done.edit, self._done.key)
        self._applied = False

    def undo(self) -> None:
        run = self._run()
        if run is not None and self._done.inverse is not None:
            run(self._done.inverse, self._done.key)


class History(QObject):
    """Everything that was done, to one table or to a list of them, in one row.

    Attributes
    ----------
    stack : QUndoStack
        Its clean state says whether there is something to save.
    revision : int
        Grows with every edit done, undone or redone.

    Signals
    -------
    changed()
        What can be undone or redone is another edit now.
    clean_changed(bool)
        Whether everything is now as it was when it was opened or last saved.
    edited(int)
        An edit was done, undone or redone; the new revision.
    forgotten(int)
        So many of the oldest edits can no longer be undone.
    """

    changed = Signal()
    clean_changed = Signal(bool)
    edited = Signal(int)
    forgotten = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.stack = QUndoStack(self)
        self.stack.setUndoLimit(UNDO_LIMIT)
        self.revision = 0
        self.stack.cleanChanged.connect(self._on_clean_changed)
        self.stack.indexChanged.connect(self._on_index_changed)
        # Not the stack's own signals: it emits them once more while it is destroyed.
        for signal in (self.stack.undoTextChanged, self.stack.redoTextChanged):
            signal.connect(self._on_changed)
        for signal in (self.stack.canUndoChanged, self.stack.canRedoChanged):
            signal.connect(self._on_changed)
        # What is on the stack, what runs it, and the bytes of it.
        self._done: list[tuple[Done, WeakMethod, int]] = []

    def __del__(self) -> None:
        # Before Python collects the commands one by one: the stack would delete them again.
        stack = getattr(self, "stack", None)
        if stack is not None and isValid(stack):
            stack.blockSignals(True)
            stack.clear()

    def push(self, done: Done, run: Run) -> None:
        """Do an edit, and keep it so that it can be undone.

        Parameters
        ----------
        done : Done
        run : bound method
            Applies the edit, now and again, or its inverse.
        """
        stack, index = self.stack, self.stack.index()
        weak = WeakMethod(run)
        stack.push(EditCommand(done, weak))
        kept = [*self._done[:index], (done, weak, done.nbytes())]
        self._done = kept[len(kept) - stack.count() :]
        self._bound()

    def clear(self) -> None:
        """Forget everything; nothing is left to save."""
        self.stack.clear()
        self._done.clear()

    def set_clean(self) -> None:
        """Note that everything as it is now has been saved."""
        self.stack.setClean()

    def reset_clean(self) -> None:
        """Note that no file holds what there is."""
        self.stack.resetClean()

    def _bound(self) -> None:
        """Forget the oldest edits while all together take too much memory, but not the last."""
        size, kept = 0, 0
        for _, _, nbytes in reversed(self._done):
            size += nbytes
            if kept and size > UNDO_BYTES:
                break
            kept += 1
        n = len(self._done) - kept
        if not n:
            return
        # A QUndoStack cannot forget the first of its commands: fill it anew with the others.
        self._done = self._done[n:]
        stack = self.stack
        clean = stack.cleanIndex() - n
        stack.blockSignals(True)
        try:
            stack.clear()
            if clean != 0:
                stack.resetClean()
            for index, (done, run, _) in enumerate(self._done, 1):
                stack.push(EditCommand(done, run, applied=True))
                if clean == index:
                    stack.setClean()
        finally:
            stack.blockSignals(False)
        self.changed.emit()
        self.forgotten.emit(n)

    @Slot(bool)
    def _on_clean_changed(self, clean: bool) -> None:
        self.clean_changed.emit(clean)

    @Slot(int)
    def _on_index_changed(self, _index: int) -> None:
        self.revision += 1
        self.edited.emit(self.revision)

    @Slot()
    def _on_changed(self) -> None:
        self.changed.emit()


__all__ = ["Done", "EditCommand", "History", "Run", "Undoable"]
