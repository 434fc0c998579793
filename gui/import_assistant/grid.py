"""The first rows of a file, with what their columns are taken for."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from core.files.counts import trimmed
from core.files.errors import plain
from core.files.label_preview import LabelPreview
from core.files.previews import CellPreview
from gui.theme import GRID, LIGHT, Theme

_LONGEST = 200
_TINT = 0.16


class Role(StrEnum):
    """What a column or a cell is taken for, in words."""

    TRUTH = "Truth"
    PREDICTION = "Prediction"
    UNUSED = "not used"
    NAMES = "Names"
    COUNTS = "Counts"


@dataclass(frozen=True)
class GridContent:
    """What the grid shows.

    Attributes
    ----------
    rows : tuple of tuple of str
    names : tuple of str
        What the columns are called.
    roles : tuple of Role
        What each column is taken for.
    lines : tuple of int
        Where each row stands in the file.
    noise : frozenset of str
        Labels of predictions that are noise.
    named_rows : int
        How many rows hold names.
    labels : bool
        Whether a blank is a missing label.
    """

    rows: tuple[tuple[str, ...], ...] = ()
    names: tuple[str, ...] = ()
    roles: tuple[Role, ...] = ()
    lines: tuple[int, ...] = ()
    noise: frozenset[str] = field(default_factory=frozenset)
    named_rows: int = 0
    labels: bool = False


def label_content(seen: LabelPreview) -> GridContent:
    """Return what is shown of a label file."""
    roles = tuple(
        Role.TRUTH
        if place == seen.truth
        else (Role.PREDICTION if place in seen.predictions else Role.UNUSED)
        for place in range(len(seen.columns))
    )
    names = tuple(column.name for column in seen.columns)
    return GridContent(seen.rows, names, roles, seen.lines, seen.options.noise_names, labels=True)


def cell_content(seen: CellPreview) -> GridContent:
    """Return what is shown of a table of counts."""
    roles = tuple(
        Role.NAMES if place == 0 and seen.index else Role.COUNTS
        for place in range(len(seen.columns))
    )
    return GridContent(
        seen.rows, seen.columns, roles, seen.lines, named_rows=int(bool(seen.header))
    )


class GridModel(QAbstractTableModel):
    """Cells as text; nothing is edited here."""

    def __init__(self) -> None:
        super().__init__()
        self._content = GridContent()
        self._theme = LIGHT

    @property
    def content(self) -> GridContent:
        """What is shown."""
        return self._content

    def show(self, content: GridContent) -> None:
        """Show other cells."""
        self.beginResetModel()
        self._content = content
        self.endResetModel()

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self.beginResetModel()
        self._theme = theme
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._content.rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._content.names)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> Any:
        row = self._content.rows[index.row()]
        text = row[index.column()] if index.column() < len(row) else None
        kind = self._content.roles[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            if text is None:
                return ""
            if self._content.labels and kind is not Role.UNUSED and not trimmed(text):
                return "missing"
            return plain(text[:_LONGEST])
        if role == Qt.ItemDataRole.ToolTipRole:
            return None if text is None else plain(text[:2000])
        if role == Qt.ItemDataRole.BackgroundRole:
            return self._background(kind, index.row())
        if role == Qt.ItemDataRole.ForegroundRole:
            quiet = kind is Role.UNUSED or self._is_quiet(text, kind)
            return QColor(self._theme.muted if quiet else self._theme.text)
        if role == Qt.ItemDataRole.FontRole and self._is_quiet(text, kind):
            font = QFont()
            font.setItalic(True)
            return font
        if role == Qt.ItemDataRole.TextAlignmentRole and self._is_number(text):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        content = self._content
        if orientation == Qt.Orientation.Vertical:
            if role == Qt.ItemDataRole.ForegroundRole:
                return QColor(self._theme.muted)
            return str(content.lines[section]) if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{content.roles[section]}\n{plain(content.names[section][:40])}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(content.names[section])
        if role == Qt.ItemDataRole.FontRole:
            font = QFont()
            font.setBold(content.roles[section] in (Role.TRUTH, Role.PREDICTION))
            return font
        if role == Qt.ItemDataRole.BackgroundRole:
            return self._background(content.roles[section], -1)
        if role == Qt.ItemDataRole.ForegroundRole:
            unused = content.roles[section] is Role.UNUSED
            return QColor(self._theme.muted if unused else self._theme.text)
        return None

    def _is_quiet(self, text: str | None, kind: Role) -> bool:
        """Return whether a label is missing or noise."""
        if not self._content.labels or text is None or kind is Role.UNUSED:
            return False
        label = trimmed(text)
        return not label or (kind is Role.PREDICTION and label in self._content.noise)

    def _is_number(self, text: str | None) -> bool:
        return text is not None and text.lstrip("-").isdigit()

    def _background(self, kind: Role, row: int) -> QColor:
        theme = self._theme
        if kind is Role.TRUTH:
            return _mixed(theme.base, theme.families["matching"])
        if kind is Role.PREDICTION:
            return _mixed(theme.base, theme.families["pairs"])
        if kind is Role.NAMES or 0 <= row < self._content.named_rows:
            return QColor(theme.track)
        return QColor(theme.base)


def _mixed(base: str, tint: str) -> QColor:
    a, b = QColor(base), QColor(tint)
    parts = ((a.red(), b.red()), (a.green(), b.green()), (a.blue(), b.blue()))
    return QColor(*(round((1 - _TINT) * x + _TINT * y) for x, y in parts))


class PreviewGrid(QTableView):
    """Shows a `GridModel`; the arrow keys move in it, Tab leaves it."""

    def __init__(self) -> None:
        super().__init__()
        self.grid = GridModel()
        self.setModel(self.grid)
        self.setAccessibleName("The first rows of the file")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        across, down = self.horizontalHeader(), self.verticalHeader()
        across.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        across.setDefaultSectionSize(GRID * 14)
        across.setMinimumSectionSize(GRID * 8)
        across.setHighlightSections(False)
        across.setSectionsClickable(False)
        across.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        down.setHighlightSections(False)
        down.setSectionsClickable(False)
        down.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        down.setDefaultSectionSize(self.fontMetrics().height() + GRID)

    def show_content(self, content: GridContent) -> None:
        """Show other cells; widths follow where the columns are others."""
        others = content.names != self.grid.content.names
        self.grid.show(content)
        if others:
            self.resizeColumnsToContents()
            for column in range(len(content.names)):
                self.setColumnWidth(column, min(self.columnWidth(column) + GRID, GRID * 30))

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self.grid.set_theme(theme)
        self.setStyleSheet(
            f"QTableView {{ background: {theme.base}; border: 1px solid {theme.border};"
            f" gridline-color: {theme.border}; selection-background-color: {theme.accent};"
            f" selection-color: {theme.on_accent}; }}"
            f"QTableView:focus {{ border: 1px solid {theme.accent}; }}"
            f"QHeaderView {{ background: {theme.window}; border: none; }}"
            f"QTableCornerButton::section {{ background: {theme.window}; border: none; }}"
        )
