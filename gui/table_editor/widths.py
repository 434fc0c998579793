"""How wide the columns are."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, Qt, Slot
from PySide6.QtGui import QFontMetrics

from core.table import IntArray
from gui.table_editor.cells import CellPainter
from gui.table_editor.density import rounded
from gui.table_editor.headers import NameHeader
from gui.table_editor.model import MARGIN_COLUMNS, TIE_MARK, TableModel, grouped, header_name
from gui.table_editor.shown import Order

_EVEN_WIDTH = 72
#: Width of a margin in which nothing can be written.
_BARE_MARGIN = 8
#: Most that a name widens its column.
_MAX_NAME = 112
#: Blank pixels beside what stands in a column while the whole table is shown.
FITTED_BLANK = 6
#: Columns whose names are measured; those beyond get the width that any sum needs.
_MEASURED_COLUMNS = 256
#: Columns of a table whose widths go with them into an order.
_MOVED_COLUMNS = 2_048


class ColumnWidths(QObject):
    """Keeps columns wide enough for their sums, and so for every count in them.

    Parameters
    ----------
    model : TableModel
    header : NameHeader
    cells : CellPainter
        Knows the fonts and the blank space of cells.
    """

    def __init__(self, model: TableModel, header: NameHeader, cells: CellPainter) -> None:
        super().__init__(header)
        self._model = model
        self._header = header
        self._cells = cells
        #: Digits of the column sums that the widths were made for.
        self._fitted: IntArray = np.zeros(0, dtype=np.int64)
        # Width by number of digits.
        self._number_widths: dict[int, int] = {}

    @Slot()
    def fit_all(self) -> None:
        """Give every column the width it needs."""
        self._number_widths.clear()
        state = self._model.document.state
        c = state.shape[1]
        self._fitted = _digits(self._model.shown.column_sums)
        self._header.setDefaultSectionSize(self._number_width(int(self._fitted.max())))
        self._fit_counts(0, min(c, _MEASURED_COLUMNS) - 1)
        for column in range(c, c + MARGIN_COLUMNS):
            self._resize(column, self._needed(column))

    @Slot(QModelIndex, int, int)
    def fit_inserted(self, _parent: QModelIndex, first: int, last: int) -> None:
        """Give columns that have come the width they need; others keep theirs."""
        digits = _digits(self._model.shown.column_sums)
        if digits.size != self._fitted.size + last - first + 1 or (
            last - first >= _MEASURED_COLUMNS
        ):
            self.fit_all()
            return
        self._fitted = np.insert(self._fitted, first, digits[first : last + 1])
        self._fit_counts(first, last)

    @Slot(QModelIndex, int, int)
    def forget_removed(self, _parent: QModelIndex, first: int, last: int) -> None:
        """Note that columns have gone; others keep their width."""
        self._fitted = np.delete(self._fitted, slice(first, last + 1))

    @Slot(int)
    def fit(self, column: int) -> None:
        """Give a column the width it needs."""
        self._resize(column, self._needed(column))

    @Slot(Qt.Orientation, int, int)
    def fit_names(self, orientation: Qt.Orientation, first: int, last: int) -> None:
        """Widen columns whose names have become longer; narrow none."""
        c = self._model.document.state.shape[1]
        if orientation != Qt.Orientation.Horizontal or self._fitted.size != c:
            return
        for column in range(first, min(last, c - 1, first + _MEASURED_COLUMNS) + 1):
            needed = self._needed(column)
            if needed > self._header.sectionSize(column):
                self._resize(column, needed)

    def grow(self) -> None:
        """Widen the columns whose numbers have grown; narrow none."""
        state = self._model.document.state
        c = state.shape[1]
        digits = _digits(self._model.shown.column_sums)
        if digits.shape != self._fitted.shape:
            self.fit_all()
            return
        grown = np.flatnonzero(digits > self._fitted)
        if grown.size > _MEASURED_COLUMNS:
            self.fit_all()
            return
        self._fitted = np.maximum(digits, self._fitted)
        for column in (*grown.tolist(), c):
            needed = self._needed(column)
            if needed > self._header.sectionSize(column):
                self._resize(column, needed)

    def needed_length(self) -> int:
        """Return how wide the table is with the fonts and the density that cells have now."""
        self._number_widths.clear()
        c = self._model.document.state.shape[1]
        digits = _digits(self._model.shown.column_sums)
        even = min(self._number_width(int(digits.max())), _EVEN_WIDTH)
        kept, self._fitted = self._fitted, digits
        length = sum(max(self._needed(column), even) for column in range(c))
        self._fitted = kept
        length += self.margins_length()
        self._number_widths.clear()
        return length

    def margins_length(self) -> int:
        """Return how wide both margins are together, with fonts and density as they are now."""
        c = self._model.document.state.shape[1]
        return sum(self._needed(column) for column in range(c, c + MARGIN_COLUMNS))

    def widest_column(self) -> int:
        """Return the width in which every sum can be written, and every name of usual length."""
        largest = int(self._model.shown.column_sums.max())
        text = grouped(10 ** (len(str(largest)) - 1)).replace("1", "0")
        number = QFontMetrics(self._cells.margin_font).horizontalAdvance(text)
        return max(number + FITTED_BLANK, min(self._header.widest_name + FITTED_BLANK, _MAX_NAME))

    def measured(self) -> tuple[Order, list[int]]:
        """Return the order of the columns, and how wide those are that have a width of their own.

        Of so many columns as are measured; those beyond have one width.
        """
        c = min(self._model.shown.shape[1], _MOVED_COLUMNS)
        return self._model.shown.orders[1], [self._header.sectionSize(j) for j in range(c)]

    def follow(self, before: tuple[Order, list[int]]) -> None:
        """Let columns that are shown in other places take their width along."""
        order, sizes = before
        shown = self._model.shown
        c = shown.shape[1]
        if c > _MOVED_COLUMNS or len(sizes) != c:
            self.fit_all()
            return
        self._fitted = _digits(shown.column_sums)
        by_line = dict(zip(range(c) if order is None else order.tolist(), sizes, strict=True))
        for column in range(c):
            self._resize(column, by_line[shown.line(1, column)])

    def _fit_counts(self, first: int, last: int) -> None:
        # Columns of one width are easier to read, unless some number is long.
        even = min(self._number_width(int(self._fitted.max())), _EVEN_WIDTH)
        for column in range(first, last + 1):
            self._resize(column, max(self._needed(column), even))

    def _resize(self, column: int, width: int) -> None:
        if self._header.sectionSize(column) != width:
            self._header.resizeSection(column, width)

    def _needed(self, column: int) -> int:
        state = self._model.document.state
        c = state.shape[1]
        if self._cells.density.fitted:
            return self._cells.density.column if column < c else self._fitted_margin(column)
        blank = 2 * self._cells.density.padding + 1
        if column < c:
            name = header_name(state.clusters[self._model.shown.line(1, column)])
            numbers = self._number_width(int(self._fitted[column]))
        elif column == c:
            name = "sum"
            numbers = self._number_width(len(str(state.total)))
        else:
            name = "peakiness"
            zeros = f"0.{'0' * self._model.digits}"
            metrics = QFontMetrics(self._cells.margin_font)
            # Tied peaks have a peakiness of 0, so the mark and an exponent never meet.
            longest = max(map(metrics.horizontalAdvance, (f"{TIE_MARK}  {zeros}", f"{zeros}e−00")))
            numbers = rounded(longest + blank)
        width = self._header.fontMetrics().horizontalAdvance(name)
        if column < c:
            width = min(width, _MAX_NAME)
        return max(numbers, rounded(width + blank))

    def _fitted_margin(self, column: int) -> int:
        """Return the width of a margin while the whole table is shown."""
        if not self._cells.writes:
            return _BARE_MARGIN
        shown = self._model.shown
        text = grouped(self._model.document.state.total)
        if column > shown.shape[1]:
            text = f"{TIE_MARK}  0.{'0' * self._model.digits}"
        name = "peakiness" if column > shown.shape[1] else "sum"
        numbers = QFontMetrics(self._cells.margin_font).horizontalAdvance(text)
        return max(numbers, self._header.fontMetrics().horizontalAdvance(name)) + 8

    def _number_width(self, digits: int) -> int:
        """Return the width of a column that holds numbers of so many digits."""
        if self._cells.density.fitted:
            return self._cells.density.column
        if digits not in self._number_widths:
            zeros = "0" * digits
            count = QFontMetrics(self._cells.count_font).horizontalAdvance(zeros)
            spaced = grouped(10 ** (digits - 1)).replace("1", "0")
            total = QFontMetrics(self._cells.margin_font).horizontalAdvance(spaced)
            needed = rounded(max(count, total) + 2 * self._cells.density.padding + 1)
            self._number_widths[digits] = max(self._cells.least_width, needed)
        return self._number_widths[digits]


def _digits(numbers: IntArray) -> IntArray:
    """Return how many digits each number has."""
    powers = 10 ** np.arange(1, 19, dtype=np.int64)
    return np.searchsorted(powers, numbers, side="right").astype(np.int64) + 1


__all__ = ["ColumnWidths"]
