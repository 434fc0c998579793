"""The shell that puts an edit on Qt's undo stack."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakMethod

from PySide6.QtGui import QUndoCommand

from gui.table_editor.edits import Edit


class EditCommand(QUndoCommand):
    """An edit that was checked, and the edit that undoes it.

    Parameters
    ----------
    label : str
        For the undo menu.
    edit : Edit
        Checked, and not a no-op: a command that fails or does nothing would still count.
    run : bound method
        Applies an edit and returns its inverse. Referred to weakly: a cycle through a
        command in which Python collects garbage crashes the interpreter.
    """

    def __init__(self, label: str, edit: Edit, run: Callable[[Edit], Edit]) -> None:
        super().__init__(label)
        self._edit = edit
        self._run = WeakMethod(run)
        self._inverse: Edit | None = None

    def redo(self) -> None:
        if (run := self._run()) is not None:
            self._inverse = run(self._edit)

    def undo(self) -> None:
        run = self._run()
        if run is not None and self._inverse is not None:
            run(self._inverse)


__all__ = ["EditCommand"]
