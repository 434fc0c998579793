"""Findings on published results as a tree: sources, and below each its findings."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QColor, QFont

from core.published.finding import VERDICTS, Finding, Verdict
from core.studies.published import PublishedResult
from gui.theme import LIGHT, Theme

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole

#: A mark before the word of each verdict, so that colour alone says nothing.
MARKS: Mapping[Verdict, str] = {
    "reproduced": "\N{CHECK MARK}",
    "reproduced within sampling error": "\N{ALMOST EQUAL TO}",
    "not reproduced": "\N{MULTIPLICATION SIGN}",
    "misprint": "!",
    "other data than named": "\N{LEFT RIGHT ARROW}",
    "printed only, cannot be recomputed": "\N{EN DASH}",
    "holds": "\N{CHECK MARK}",
    "does not hold": "\N{MULTIPLICATION SIGN}",
    "not computed by this program yet": "\N{EN DASH}",
}


class Column(IntEnum):
    """What stands in a column."""

    PLACE = 0
    CLAIM = 1
    PRINTED = 2
    OURS = 3
    VERDICT = 4


_HEADS = {
    Column.PLACE: "Place",
    Column.CLAIM: "Claim",
    Column.PRINTED: "Printed",
    Column.OURS: "Ours",
    Column.VERDICT: "Verdict",
}
_NUMBERS = (Column.PRINTED, Column.OURS)


class FindingsModel(QAbstractItemModel):
    """Sources with how many of their claims are confirmed, and the findings of each."""

    def __init__(self) -> None:
        super().__init__()
        self._sources: list[tuple[str, list[Finding]]] = []
        self._shown: tuple[Finding, ...] = ()
        self._only_open = False
        self._theme = LIGHT
        self._bold = QFont()
        self._bold.setBold(True)

    # What is shown

    def show_result(self, result: PublishedResult | None, only_open: bool) -> bool:
        """Show findings; return whether they are others than before.

        Parameters
        ----------
        result : PublishedResult or None
        only_open : bool
            Whether those that confirm their source are left out.
        """
        findings = () if result is None else result.findings
        if findings == self._shown and only_open == self._only_open:
            return False
        self.beginResetModel()
        self._shown, self._only_open = findings, only_open
        by_source = {} if result is None else result.by_source()
        self._sources = [
            (source, kept)
            for source, found in by_source.items()
            if (kept := [f for f in found if not only_open or f.agrees is not True])
        ]
        self.endResetModel()
        return True

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme

    def finding(self, index: Index) -> Finding | None:
        """Return the finding of a line, None for a source."""
        if not index.isValid() or index.internalId() == 0:
            return None
        return self._sources[index.internalId() - 1][1][index.row()]

    def index_of(self, key: str) -> QModelIndex:
        """Return the line of a finding; an invalid one if it is not shown."""
        for i, (_, findings) in enumerate(self._sources):
            for row, finding in enumerate(findings):
                if finding.key == key:
                    return self.createIndex(row, 0, i + 1)
        return QModelIndex()

    # What Qt asks. A source has the number 0, a finding that of its source, from 1.

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = QModelIndex()) -> QModelIndex:  # type: ignore[override]  # noqa: B008
        if not index.isValid() or index.internalId() == 0:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, 0)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        if not parent.isValid():
            return len(self._sources)
        if parent.internalId() or parent.column():
            return 0
        return len(self._sources[parent.row()][1])

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(Column)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == ROLE.DisplayRole:
            return _HEADS[Column(section)]
        return _aligned(section) if role == ROLE.TextAlignmentRole else None

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        if not index.isValid():
            return None
        finding = self.finding(index)
        if finding is None:
            return self._of_source(index, role)
        column = Column(index.column())
        if role == ROLE.DisplayRole:
            return _text(finding, column)
        if role == ROLE.TextAlignmentRole:
            return _aligned(column)
        if role == ROLE.ToolTipRole:
            return VERDICTS[finding.verdict] if column == Column.VERDICT else _text(finding, column)
        if role == ROLE.AccessibleDescriptionRole:
            return finding.explanation
        if role == ROLE.ForegroundRole and column == Column.VERDICT:
            if finding.agrees is False:
                return QBrush(QColor(self._theme.warning))
            if finding.agrees is None:
                return QBrush(QColor(self._theme.muted))
        return None

    def _of_source(self, index: Index, role: int) -> Any:
        source, _ = self._sources[index.row()]
        if role == ROLE.FontRole:
            return self._bold
        if role in (ROLE.DisplayRole, ROLE.ToolTipRole) and index.column() == 0:
            found = [finding for finding in self._shown if finding.source == source]
            count = sum(finding.agrees is True for finding in found)
            return f"{source}: {count} of {len(found)} confirmed"
        return None


def _text(finding: Finding, column: Column) -> str:
    if column == Column.PLACE:
        return finding.place
    if column == Column.CLAIM:
        return finding.claim
    if column == Column.PRINTED:
        return finding.printed_text
    if column == Column.OURS:
        return finding.ours_text
    return f"{MARKS[finding.verdict]} {finding.verdict}"


def _aligned(column: int) -> int:
    side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)
