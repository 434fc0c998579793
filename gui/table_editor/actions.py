"""What can be done to a table: names and keys of the editor's actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QUndoStack
from PySide6.QtWidgets import QMenu, QWidget

from core.table import IntArray
from gui.table_editor.edits import Box
from gui.table_editor.grid import CTRL, SHIFT

_KEY = Qt.Key
_STANDARD = QKeySequence.StandardKey

_ACTIONS: tuple[tuple[str, str, tuple], ...] = (
    ("undo", "&Undo", (_STANDARD.Undo,)),
    ("redo", "&Redo", (CTRL | _KEY.Key_Y, CTRL | SHIFT | _KEY.Key_Z)),
    ("cut", "Cu&t", (_STANDARD.Cut,)),
    ("copy", "&Copy", (_STANDARD.Copy,)),
    ("copy_with_names", "Copy with &names", (CTRL | SHIFT | _KEY.Key_C,)),
    ("paste", "&Paste", (_STANDARD.Paste,)),
    ("clear", "Set to &0", (_KEY.Key_Delete, _KEY.Key_Backspace)),
    ("select_all", "Select &all", (_STANDARD.SelectAll,)),
    ("insert_row_above", "Insert class &above", ()),
    ("insert_row_below", "Insert class &below", (CTRL | _KEY.Key_I,)),
    ("insert_column_left", "Insert cluster &left", ()),
    ("insert_column_right", "Insert cluster &right", (CTRL | SHIFT | _KEY.Key_I,)),
    ("delete_rows", "Delete class", (CTRL | _KEY.Key_Delete,)),
    ("delete_columns", "Delete cluster", (CTRL | SHIFT | _KEY.Key_Delete,)),
    ("rename_row", "Rename &class…", (SHIFT | _KEY.Key_F2,)),
    ("rename_column", "Rename cl&uster…", (CTRL | _KEY.Key_F2,)),
    ("transpose", "&Transpose", (CTRL | _KEY.Key_T,)),
    ("order_rows_table", "Classes as &entered", ()),
    ("order_rows_size", "Classes by &size", ()),
    ("order_rows_name", "Classes by &name", ()),
    ("order_columns_table", "Clusters as en&tered", ()),
    ("order_columns_matching", "Clusters by &match with the classes", ()),
    ("order_columns_size", "Clusters by si&ze", ()),
    ("order_columns_name", "Clusters by n&ame", ()),
    ("fit_table", "&Fit the whole table", ()),
    ("order_again", "Order a&gain", ()),
)

_COMMON = ("cut copy paste", "clear", "transpose")
#: Groups of actions in the context menus on counts, names of classes, names of clusters.
CELL_MENU = (
    "cut copy copy_with_names paste",
    "clear",
    "insert_row_above insert_row_below insert_column_left insert_column_right",
    "delete_rows delete_columns",
    "rename_row rename_column",
    "transpose fit_table",
)
#: Groups of actions of which one is checked.
ROW_ORDERS = "order_rows_table order_rows_size order_rows_name"
COLUMN_ORDERS = "order_columns_table order_columns_matching order_columns_size order_columns_name"
CLASS_MENU = (
    "rename_row",
    "insert_row_above insert_row_below delete_rows",
    f"{ROW_ORDERS} order_again",
    *_COMMON,
)
CLUSTER_MENU = (
    "rename_column",
    "insert_column_left insert_column_right delete_columns",
    f"{COLUMN_ORDERS} order_again",
    *_COMMON,
)


def make_actions(parent: QWidget, runs: Mapping[str, Callable[[], object]]) -> dict[str, QAction]:
    """Return the actions of a table, by name.

    Parameters
    ----------
    parent : QWidget
        Where their keys work.
    runs : mapping of str to callable
        What each does.

    Returns
    -------
    dict of str to QAction
    """
    actions: dict[str, QAction] = {}
    for name, text, keys in _ACTIONS:
        action = QAction(text, parent)
        action.setObjectName(name)
        action.setShortcuts([QKeySequence(key) for key in keys])
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(partial(_call, runs[name]))
        actions[name] = action
    actions["fit_table"].setCheckable(True)
    for names in (ROW_ORDERS, COLUMN_ORDERS):
        group = QActionGroup(parent)
        for name in names.split():
            actions[name].setCheckable(True)
            group.addAction(actions[name])
    mark_order(actions, "table", "table", asked=False)
    return actions


def mark_order(actions: Mapping[str, QAction], rows: str, columns: str, asked: bool) -> None:
    """Check the order that is in force; only another than that of the table can be found again."""
    actions[f"order_rows_{rows}"].setChecked(True)
    actions[f"order_columns_{columns}"].setChecked(True)
    actions["order_again"].setEnabled(asked)


def name_actions(
    actions: Mapping[str, QAction], stack: QUndoStack, selected: Sequence[Box]
) -> None:
    """Let actions say what they would do now: undo which edit, delete how many classes."""
    for name, word, can, text in (
        ("undo", "&Undo", stack.canUndo(), stack.undoText()),
        ("redo", "&Redo", stack.canRedo(), stack.redoText()),
    ):
        action = actions[name]
        action.setEnabled(can)
        action.setText(f"{word} {text.replace('&', '&&')}".rstrip())
    rows, columns = lines_of(selected)
    for name, one, many, n in (
        ("delete_rows", "class", "classes", rows.size),
        ("delete_columns", "cluster", "clusters", columns.size),
    ):
        actions[name].setText(f"Delete {one}" if n <= 1 else f"Delete {n:,} {many}")


def pop_up(
    parent: QWidget, actions: Mapping[str, QAction], groups: Sequence[str], at: QPoint
) -> None:
    """Show a menu of groups of actions, their names separated by blanks."""
    menu = QMenu(parent)
    menu.setObjectName("table_menu")
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for i, group in enumerate(groups):
        if i:
            menu.addSeparator()
        menu.addActions([actions[name] for name in group.split()])
    menu.popup(at)


def lines_of(boxes: Sequence[Box]) -> tuple[IntArray, IntArray]:
    """Return the rows and the columns that some rectangles touch, each in order."""
    return (
        _united((box.top, box.bottom) for box in boxes),
        _united((box.left, box.right) for box in boxes),
    )


def _united(spans: Iterable[tuple[int, int]]) -> IntArray:
    """Return the whole numbers in some spans, in order, each once."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    empty: IntArray = np.zeros(0, dtype=np.int64)
    return np.concatenate([empty, *(np.arange(a, b + 1) for a, b in merged)])


def _call(run: Callable[[], object], _checked: bool = False) -> None:
    run()


__all__ = [
    "CELL_MENU",
    "CLASS_MENU",
    "CLUSTER_MENU",
    "COLUMN_ORDERS",
    "ROW_ORDERS",
    "lines_of",
    "make_actions",
    "mark_order",
    "name_actions",
    "pop_up",
]
