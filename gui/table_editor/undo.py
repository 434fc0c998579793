"""The shell that puts an edit on Qt's undo stack."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakMethod

from PySide6.QtGui import QUndoCommand

from gui.table_editor.edits import Edit


@dataclass(eq=False)
class Done:
    """An edit in the history.

    Parameters
    ----------
    label : str
        For the undo menu.
    edit : Edit
        Checked, and not a no-op: a command that fails or does nothing would still count.
    inverse : Edit, optional
        The edit that undoes it, once it has been applied.
    """

    label: str
    edit: Edit
    inverse: Edit | None = None

    def nbytes(self) -> int:
        """Return the bytes of memory that undoing and redoing take, roughly."""
        return self.edit.nbytes + (self.inverse.nbytes if self.inverse is not None else 0)


class EditCommand(QUndoCommand):
    """The command for an edit.

    Parameters
    ----------
    done : Done
    run : bound method
        Applies an edit and returns its inverse. Referred to weakly: a cycle through a
        command in which Python collects garbage crashes the interpreter.
    applied : bool
        Whether the edit has been applied already, so that the stack must not.
    """

    def __init__(self, done: Done, run: Callable[[Edit], Edit], *, applied: bool = False) -> None:
        super().__init__(done.label)
        self._done = done
        self._run = WeakMethod(run)
        self._applied = applied

    def redo(self) -> None:
        run = self._run()
        if run is not None and not self._applied:
            self._done.inverse = run(self._done.edit)
        self._applied = False

    def undo(self) -> None:
        run = self._run()
        if run is not None and self._done.inverse is not None:
            run(self._done.inverse)


__all__ = ["Done", "EditCommand"]
