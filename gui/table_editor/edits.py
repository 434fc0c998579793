"""Edits of a contingency table: plain data; applying one returns the edit that undoes it.

No Qt here. An edit is checked before it is applied (`check`), so applying it cannot fail.
This module gathers them for whoever uses them.
"""

from __future__ import annotations

from gui.table_editor.boxes import HERE, Box, Place, cells_in, rectangle, runs
from gui.table_editor.cell_edits import SetCells
from gui.table_editor.line_edits import (
    DeleteColumns,
    DeleteRows,
    InsertColumns,
    InsertRows,
    RenameColumns,
    RenameRows,
)
from gui.table_editor.state import MAX_CELLS, Step, TableState
from gui.table_editor.table_edits import Edit, Group, OpenTable, Paste, ReplaceTable, Transpose

__all__ = [
    "HERE",
    "MAX_CELLS",
    "Box",
    "DeleteColumns",
    "DeleteRows",
    "Edit",
    "Group",
    "InsertColumns",
    "InsertRows",
    "OpenTable",
    "Paste",
    "Place",
    "RenameColumns",
    "RenameRows",
    "ReplaceTable",
    "SetCells",
    "Step",
    "TableState",
    "Transpose",
    "cells_in",
    "rectangle",
    "runs",
]
