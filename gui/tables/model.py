"""The list of tables as Qt shows it: a line a table, chosen scores as columns."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Slot
from PySide6.QtGui import QFont

from core.files.sessions import ListSorting
from core.formatting import format_score
from core.metrics.catalogue import METRICS
from gui.metric_text import COUNT_DIGITS
from gui.tables.board import ScoreBoard
from gui.tables.entries import Entries, TableEntry

NAME = 0
# Behind the scores.
_SIZE, _ITEMS = "size", "items"
BASELINE_MARK = "\N{BLACK DIAMOND}"
_PENDING = "\N{HORIZONTAL ELLIPSIS}"
#: Stands before the name of the column by which tables are sorted.
SORTED = {
    Qt.SortOrder.AscendingOrder: "\N{BLACK UP-POINTING SMALL TRIANGLE}\N{NO-BREAK SPACE}",
    Qt.SortOrder.DescendingOrder: "\N{BLACK DOWN-POINTING SMALL TRIANGLE}\N{NO-BREAK SPACE}",
}

# Made once: the view asks for those of every cell that is selected.
_FLAGS = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
_NAME_FLAGS = _FLAGS | Qt.ItemFlag.ItemIsEditable

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole


class TableListModel(QAbstractTableModel):
    """Tables in the order of the session or sorted by a column.

    Parameters
    ----------
    board : ScoreBoard
    rename : callable
        Takes the key of a table and its new name; returns whether it was taken.
    """

    def __init__(self, board: ScoreBoard, rename: Callable[[int, str], bool]) -> None:
        super().__init__()
        self._board = board
        self._rename = rename
        self._entries: list[TableEntry] = []
        self._baseline: int | None = None
        self._digits = 4
        self._bold = QFont()
        self._bold.setBold(True)
        # Places in the session, in the order of the lines.
        self._order = np.zeros(0, dtype=np.int64)
        self._line: dict[int, int] = {}
        self._sorting: tuple[int, Qt.SortOrder] | None = None
        # Whether it was sorted by scores of which some are still to come.
        self._pending = False
        self._columns = board.keys
        self._best: dict[int, float] = {}
        board.changed.connect(self._on_scores)

    # What is shown

    def set_entries(self, entries: Entries) -> None:
        """Show these tables; those sorted by a column are sorted anew."""
        same = [e.key for e in entries] == [e.key for e in self._entries]
        if same:
            self._entries = list(entries)
            self._baseline = entries.baseline
            self._changed()
            return
        self.beginResetModel()
        self._entries = list(entries)
        self._baseline = entries.baseline
        self._order = self._sorted()
        self._number()
        self.endResetModel()

    def set_digits(self, digits: int) -> None:
        """Show scores with so many decimals."""
        self._digits = digits
        self._changed()

    def key_at(self, line: int) -> int:
        """Return the key of the table on a line."""
        return self._entries[self._order[line]].key

    def line_of(self, key: int) -> int | None:
        """Return the line of a table; None if it is not shown."""
        return self._line.get(key)

    def kind(self, column: int) -> int | str:
        """Return which score a column shows, counted from 0, or what else."""
        if column == NAME:
            return "name"
        if column <= len(self._columns):
            return column - 1
        return (_SIZE, _ITEMS)[column - len(self._columns) - 1]

    def title(self, column: int) -> str:
        """Return the name of a column."""
        kind = self.kind(column)
        if isinstance(kind, int):
            return METRICS[self._columns[kind]].symbol
        return {"name": "Table", _SIZE: "Size", _ITEMS: "N"}[kind]

    def _number(self) -> None:
        keys = [entry.key for entry in self._entries]
        self._line = {keys[place]: line for line, place in enumerate(self._order.tolist())}

    def _changed(self) -> None:
        if self._entries:
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    @Slot()
    def _on_scores(self) -> None:
        if self._board.keys != self._columns:
            self.beginResetModel()
            sorting = self.sorting
            self._columns = self._board.keys
            self._sorting = self._place_of(sorting)
            self._order = self._sorted()
            self._number()
            self._find_best()
            self.endResetModel()
            return
        self._find_best()
        self._changed()
        if self._pending and self._all_scored:
            # It was sorted before the scores were there.
            column, order = self._sorting or (-1, Qt.SortOrder.AscendingOrder)
            self.sort(column, order)

    @property
    def _all_scored(self) -> bool:
        return all(self._board.values(entry.key) is not None for entry in self._entries)

    def _find_best(self) -> None:
        self._best = {j: self._board.best(j) for j in range(len(self._columns))}

    # Sorting

    @property
    def sorting(self) -> ListSorting | None:
        """How the list is sorted; None where it is in the order of the session."""
        if self._sorting is None:
            return None
        column, order = self._sorting
        kind = self.kind(column)
        by = self._columns[kind] if isinstance(kind, int) else kind
        return ListSorting(by, order == Qt.SortOrder.DescendingOrder)

    def _place_of(self, sorting: ListSorting | None) -> tuple[int, Qt.SortOrder] | None:
        """Return column and order; None where no column shows what is sorted by."""
        columns = ("name", *self._columns, _SIZE, _ITEMS)
        if sorting is None or sorting.by not in columns:
            return None
        order = Qt.SortOrder.DescendingOrder if sorting.falling else Qt.SortOrder.AscendingOrder
        return columns.index(sorting.by), order

    def place_of(self, sorting: ListSorting | None) -> tuple[int, Qt.SortOrder]:
        """Return column and order of a sorting; column -1 where there is none."""
        return self._place_of(sorting) or (-1, Qt.SortOrder.DescendingOrder)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; by the session's own order where the column is negative."""
        self._sorting = None if column < 0 else (column, order)
        self.layoutAboutToBeChanged.emit()
        before = [self.key_at(i.row()) for i in self.persistentIndexList()]
        held = self.persistentIndexList()
        self._order = self._sorted()
        self._number()
        self.changePersistentIndexList(
            held,
            [self.index(self._line[k], i.column()) for k, i in zip(before, held, strict=True)],
        )
        self.layoutChanged.emit()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)

    def _sorted(self) -> np.ndarray:
        n = len(self._entries)
        self._pending = False
        if self._sorting is None:
            return np.arange(n)
        column, order = self._sorting
        self._pending = isinstance(self.kind(column), int) and not self._all_scored
        falling = order == Qt.SortOrder.DescendingOrder
        if column == NAME:
            names = [_natural(entry.name) for entry in self._entries]
            return np.array(sorted(range(n), key=names.__getitem__, reverse=falling), np.int64)
        values = np.array([self._value(entry, column) for entry in self._entries], np.float64)
        # Undefined scores stand last in either order.
        return np.argsort(-values if falling else values, kind="stable")

    def _value(self, entry: TableEntry, column: int) -> float:
        kind = self.kind(column)
        if kind == _SIZE:
            return float(math.prod(entry.table.shape))
        if kind == _ITEMS:
            return float(entry.table.total)
        values = self._board.values(entry.key)
        return math.nan if values is None or isinstance(kind, str) else float(values[kind])

    # Qt

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._entries)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 3 + len(self._columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _NAME_FLAGS if index.column() == NAME else _FLAGS

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return section + 1 if role == ROLE.DisplayRole else None
        if role == ROLE.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if section == NAME else Qt.AlignmentFlag.AlignRight
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        kind = self.kind(section)
        if role == ROLE.DisplayRole:
            column, order = self._sorting or (-1, Qt.SortOrder.AscendingOrder)
            return (SORTED[order] if column == section else "") + self.title(section)
        if role == ROLE.InitialSortOrderRole:
            # The best first; of a quantity, which is neither good nor bad, the largest.
            rises = kind == "name" or (
                isinstance(kind, int) and METRICS[self._columns[kind]].larger_is_better is False
            )
            return Qt.SortOrder.AscendingOrder if rises else Qt.SortOrder.DescendingOrder
        if role == ROLE.ToolTipRole:
            if isinstance(kind, int):
                return METRICS[self._columns[kind]].name
            return {
                "name": "Name of the table; F2 renames it",
                _SIZE: "Truth classes \N{MULTIPLICATION SIGN} clusters",
                _ITEMS: "Items",
            }[kind]
        return None

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry = self._entries[self._order[index.row()]]
        column = index.column()
        if role == ROLE.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if column == NAME else Qt.AlignmentFlag.AlignRight
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == ROLE.EditRole and column == NAME:
            return entry.name
        if role == ROLE.DisplayRole:
            return self._text(entry, column)
        if role == ROLE.FontRole:
            return self._bold if self._stands_out(entry, column) else None
        if role in (ROLE.ToolTipRole, ROLE.AccessibleDescriptionRole):
            return self._tip(entry, column)
        return None

    def setData(self, index: Index, value: Any, role: int = ROLE.EditRole) -> bool:
        if role != ROLE.EditRole or index.column() != NAME:
            return False
        return self._rename(self.key_at(index.row()), str(value))

    def _text(self, entry: TableEntry, column: int) -> str:
        kind = self.kind(column)
        if kind == _SIZE:
            r, c = entry.table.shape
            return f"{r} \N{MULTIPLICATION SIGN} {c}"
        if kind == _ITEMS:
            return format_score(entry.table.total)
        if isinstance(kind, str):
            mark = f"{BASELINE_MARK} " if entry.key == self._baseline else ""
            return mark + entry.name
        values = self._board.values(entry.key)
        return _PENDING if values is None else self._score(kind, float(values[kind]))

    def _score(self, place: int, value: float) -> str:
        if METRICS[self._columns[place]].whole and math.isfinite(value):
            return format_score(int(value), self._digits, most=COUNT_DIGITS)
        return format_score(value, self._digits)

    def _stands_out(self, entry: TableEntry, column: int) -> bool:
        """Whether a name is the baseline's, or a score the best of its column."""
        kind = self.kind(column)
        if isinstance(kind, str):
            return column == NAME and entry.key == self._baseline
        values = self._board.values(entry.key)
        return values is not None and float(values[kind]) == self._best.get(kind, math.nan)

    def _tip(self, entry: TableEntry, column: int) -> str:
        kind = self.kind(column)
        if column == NAME:
            facts = [entry.name]
            if entry.key == self._baseline:
                facts.append("the baseline: all scores are compared with those of this table")
            if entry.named.source:
                facts.append(f"from {entry.named.source}")
            return "\n".join([*facts, *entry.named.notes])
        if isinstance(kind, str):
            return ""
        values = self._board.values(entry.key)
        metric = METRICS[self._columns[kind]]
        if values is None:
            return f"{metric.name}: being computed"
        if math.isnan(values[kind]):
            return f"{metric.name}: undefined for this table; open it to see why"
        best = "; the best of the list" if self._stands_out(entry, column) else ""
        return f"{metric.name}: {float(values[kind])!r}{best}"


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Return what sorts names as people do: numbers in them by size."""
    parts: list[tuple[int, int, str]] = []
    digits = ""
    for character in name.casefold():
        if character.isascii() and character.isdigit():
            digits += character
            continue
        if digits:
            parts.append((0, int(digits[:4000]), ""))
            digits = ""
        parts.append((1, 0, character))
    if digits:
        parts.append((0, int(digits[:4000]), ""))
    return parts
