"""The cells of a sheet as texts, with what a sheet says beyond them."""

from __future__ import annotations

import math
import re
import zipfile
from array import array
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from core.files import block
from core.files.archive import damaged
from core.files.counts import NOT_WHOLE, OddCell
from core.files.errors import FaultKind, ReadError, shown
from core.files.workbook import MAX_SHEET, Handler, SheetPart, Workbook, unescaped, walk
from core.studies.study import Step

MAX_ROW, MAX_COLUMN = 1_048_576, 16_384

_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")


class Box(NamedTuple):
    """A rectangle of cells, counted from 1, its ends included."""

    top: int
    left: int
    bottom: int
    right: int

    def __str__(self) -> str:
        first = f"{column_letters(self.left)}{self.top}"
        last = f"{column_letters(self.right)}{self.bottom}"
        return first if first == last else f"{first}:{last}"


def box_of(text: str) -> Box | None:
    """Return the rectangle that a range such as ``B2:F6`` names, None if it names none."""
    first, colon, last = text.strip().partition(":")
    a, b = cell_of(first), cell_of(last if colon else first)
    if a is None or b is None:
        return None
    return Box(min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))


def cell_of(text: str) -> tuple[int, int] | None:
    """Return the row and column that a reference such as ``C4`` names, counted from 1."""
    match = _REFERENCE.fullmatch(text.strip())
    if match is None:
        return None
    column = 0
    for letter in match[1].upper():
        column = 26 * column + ord(letter) - 64
    row = int(match[2])
    return (row, column) if 1 <= row <= MAX_ROW and column <= MAX_COLUMN else None


def column_letters(column: int) -> str:
    """Return the letters of a column, counted from 1."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


@dataclass
class SheetRow:
    """The cells of a row that are not blank, from left to right."""

    columns: array[int] = field(default_factory=lambda: array("I"))
    cells: list[str] = field(default_factory=list)
    formulas: int = 0
    large: int = 0
    hidden: bool = False

    def in_order(self) -> SheetRow:
        """Put the cells in order, where the file has them in another."""
        order = sorted(range(len(self.columns)), key=self.columns.__getitem__)
        self.columns = array("I", [self.columns[i] for i in order])
        self.cells = [self.cells[i] for i in order]
        return self

    def between(self, left: int, right: int) -> list[str]:
        """Return the cells of some columns, blank ones included."""
        columns = self.columns
        if columns[0] <= left and columns[-1] - columns[0] == len(columns) - 1:
            found = self.cells[left - columns[0] : right - columns[0] + 1]
            return found + [""] * (right - left + 1 - len(found))
        found = [""] * (right - left + 1)
        for column, cell in zip(self.columns, self.cells, strict=True):
            if left <= column <= right:
                found[column - left] = cell
        return found


@dataclass
class SheetCells:
    """What a sheet holds.

    Attributes
    ----------
    name : str
        The sheet.
    hidden : bool
        Whether it is hidden.
    rows : dict of SheetRow
        The rows that are not blank, by number, from top to bottom.
    merged : list of Box
        Cells that are merged.
    hidden_columns : list of (int, int)
        First and last of columns that are hidden.
    """

    name: str
    hidden: bool
    rows: dict[int, SheetRow]
    merged: list[Box]
    hidden_columns: list[tuple[int, int]]

    @property
    def used(self) -> Box | None:
        """The smallest rectangle that holds all cells; None where there are none."""
        return self.bounds(1, MAX_ROW)

    def bounds(self, top: int, bottom: int) -> Box | None:
        """Return the smallest rectangle that holds the cells of some rows."""
        found = {n: row for n, row in self.rows.items() if top <= n <= bottom}
        if not found:
            return None
        left = min(row.columns[0] for row in found.values())
        right = max(row.columns[-1] for row in found.values())
        return Box(min(found), left, max(found), right)


def sheet_cells(
    archive: zipfile.ZipFile, book: Workbook, sheet: SheetPart, name: str
) -> Generator[Step[Any], None, SheetCells]:
    """Yield steps while a sheet is read; return its cells.

    Parameters
    ----------
    archive : ZipFile
        The workbook.
    book : Workbook
        What its sheets share.
    sheet : SheetPart
        The sheet.
    name : str
        What messages call the workbook.

    Returns
    -------
    SheetCells
        A cell that is known to be no count is an `OddCell`.

    Raises
    ------
    ReadError
        If the sheet is damaged, or has more cells than a table may have.
    """
    # Names are not among the counts, at most as many as there are lines.
    most = block.MAX_CELLS + MAX_ROW + MAX_COLUMN
    handler = _SheetHandler(book, sheet.name, name, most)
    yield from walk(archive, sheet.member, name, handler, MAX_SHEET)
    rows = dict(sorted(handler.rows.items()))
    for number in handler.unordered:
        columns = rows[number].in_order().columns
        if len(set(columns)) < len(columns):
            # One cell twice: nobody can say which of them counts.
            raise damaged(name)
    return SheetCells(sheet.name, sheet.hidden, rows, handler.merged, handler.hidden_columns)


def sheet_rows(
    archive: zipfile.ZipFile, book: Workbook, sheet: SheetPart, name: str, most: int = MAX_SHEET
) -> Iterator[tuple[int, SheetRow]]:
    """Yield the rows of a sheet that are not blank, with their numbers, from top to bottom.

    However many there are, few are in memory at a time.

    Parameters
    ----------
    archive, book, sheet, name
        As in `sheet_cells`.
    most : int
        The most bytes that are unpacked.

    Raises
    ------
    ReadError
        If the sheet is damaged or too large, or its rows stand in no order.
    """
    handler = _SheetHandler(book, sheet.name, name)
    last = 0

    def finished(before: int) -> Iterator[tuple[int, SheetRow]]:
        nonlocal last
        for number in [number for number in handler.rows if number < before]:
            row = handler.rows.pop(number)
            if number in handler.unordered:
                handler.unordered.discard(number)
                row = row.in_order()
            if number <= last or len(set(row.columns)) < len(row.columns):
                raise damaged(name)
            last = number
            yield number, row

    for _ in walk(archive, sheet.member, name, handler, most):
        yield from finished(handler.number)
    yield from finished(MAX_ROW + 1)


class _SheetHandler(Handler):
    def __init__(self, book: Workbook, sheet: str, name: str, most: int | None = None) -> None:
        self._book, self._sheet, self._name, self._most = book, sheet, name, most
        self.rows: dict[int, SheetRow] = {}
        self.merged: list[Box] = []
        self.hidden_columns: list[tuple[int, int]] = []
        self.unordered: set[int] = set()
        self._row = SheetRow()
        self.number = self._column = 0
        self._digits = ""
        self._columns = [""]
        self._row_hidden = False
        self._kind = self._style = ""
        self._value: list[str] = []
        self._string: list[str] = []
        self._formula: list[str] | None = None
        self._into: list[str] | None = None
        self._phonetic = False
        self._count = 0
        self._plain = {str(n) for n, meaning in enumerate(book.styles) if not meaning} | {""}
        # Counts repeat, and each text is kept once.
        self._known: dict[str, str] = {}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "c":
            self._start_cell(attributes)
        elif tag == "v":
            self._into = self._value
        elif tag == "f":
            self._formula = self._into = []
        elif tag == "t":
            self._into = None if self._phonetic else self._string
        elif tag == "row":
            number = attributes.get("r", "")
            plain_number = number.isascii() and number.isdigit()
            self.number = int(number[:8]) if plain_number else self.number + 1
            self._digits = str(self.number)
            self._column = 0
            self._row_hidden = attributes.get("hidden") in ("1", "true")
            self._row = self.rows.get(self.number) or SheetRow(hidden=self._row_hidden)
        elif tag == "rPh":
            self._phonetic = True
        elif tag == "mergeCell":
            if box := box_of(attributes.get("ref", "")):
                self.merged.append(box)
        elif tag == "col" and attributes.get("hidden") in ("1", "true"):
            first, last = attributes.get("min", ""), attributes.get("max", "")
            if first.isdigit() and last.isdigit():
                self.hidden_columns.append((int(first[:6]), int(last[:6])))

    def _start_cell(self, attributes: dict[str, str]) -> None:
        self._column += 1
        reference = attributes.get("r")
        place = None
        if reference is not None and reference != self._letters(self._column) + self._digits:
            place = cell_of(reference)
        if place is not None:
            self._column = place[1]
        if place is not None and place[0] != self.number:
            self.number = place[0]
            self._digits = str(self.number)
            self._row = self.rows.get(self.number) or SheetRow(hidden=self._row_hidden)
        self._kind, self._style = attributes.get("t", "n"), attributes.get("s", "")
        self._formula = None
        self._value.clear()
        self._string.clear()

    def _letters(self, column: int) -> str:
        while len(self._columns) <= column <= MAX_COLUMN:
            self._columns.append(column_letters(len(self._columns)))
        return self._columns[column] if column <= MAX_COLUMN else ""

    def end(self, tag: str) -> None:
        if tag == "c":
            self._end_cell()
        elif tag in ("v", "f", "t"):
            self._into = None
        elif tag == "rPh":
            self._phonetic = False

    def text(self, text: str) -> None:
        if self._into is not None:
            self._into.append(text)

    def _end_cell(self) -> None:
        value = "".join(self._value)
        if self._kind == "n" and self._style in self._plain and value.isascii() and value.isdigit():
            cell = value
        else:
            cell = self._cell(value)
        if not cell:
            return
        if type(cell) is str and len(cell) < 6:
            cell = self._known.setdefault(cell, cell)
        row = self._row
        if not row.cells:
            self.rows[self.number] = row
        elif row.columns[-1] >= self._column:
            self.unordered.add(self.number)
        row.columns.append(self._column)
        row.cells.append(cell)
        row.formulas += self._formula is not None
        if len(cell) > 15 and self._kind == "n" and type(cell) is str:
            row.large += 1
        self._count += 1
        if self._most is not None and self._count > self._most:
            raise ReadError(
                f"{self._name}: sheet {shown(self._sheet)} has more than {block.MAX_CELLS:,} "
                "cells: leave out empty classes and clusters.",
                kind=FaultKind.TOO_MANY_CELLS,
            )

    def _cell(self, value: str) -> str:
        kind = self._kind
        if kind == "inlineStr":
            return unescaped("".join(self._string))
        if kind == "s":
            place = int(value) if value.isascii() and value.isdigit() and len(value) < 10 else -1
            strings = self._book.strings
            return strings[place] if 0 <= place < len(strings) else ""
        if kind == "str":
            return unescaped(value)
        if self._formula is not None and not value:
            text = "=" + "".join(self._formula)[:200]
            fault = (
                f"the formula {shown(text)} has no stored value: open the file in a spreadsheet "
                "program and save it there, or write the value"
            )
            return OddCell(text, FaultKind.FORMULA, fault)
        if kind == "b":
            text = "TRUE" if value.strip() in ("1", "true") else "FALSE"
            return OddCell(text, FaultKind.TEXT, f"{text} is a truth value: write 1 or 0")
        if kind == "e" or not value:
            return value
        if kind == "d":
            return _date(value)
        return self._numeric(value)

    def _numeric(self, value: str) -> str:
        try:
            number = Decimal(value)
        except InvalidOperation:
            return value
        if number.is_nan():
            fault = f"{shown(value)} stands for no value: write 0 if there are none"
            return OddCell(value, FaultKind.MISSING, fault)
        if number.is_infinite():
            fault = f"{shown(value)} is not finite: a count is a whole number"
            return OddCell(value, FaultKind.INFINITE, fault)
        if abs(number.adjusted()) > 400:
            return OddCell(value, FaultKind.TOO_LARGE, f"{shown(value)} is too large or too small")
        style = self._style
        styles = self._book.styles
        place = int(style) if style.isascii() and style.isdigit() and len(style) < 7 else 0
        meaning = styles[place] if place < len(styles) else ""
        if meaning == "percent":
            text = f"{float(number * 100):.10g}%"
            fault = f"{shown(text)} is a share: a count is a number of items"
            return OddCell(text, FaultKind.PERCENT, fault)
        if meaning == "date":
            return _date(_day(float(number), self._book.from_1904) or value)
        if number == number.to_integral_value():
            return str(int(number))
        text = repr(float(number)) if math.isfinite(float(number)) else value
        return OddCell(text, FaultKind.FRACTION, f"{shown(text)} {NOT_WHOLE}")


def _date(text: str) -> OddCell:
    fault = f"{shown(text)} is a date: write the count and format the cell as a number"
    return OddCell(text, FaultKind.TEXT, fault)


def _day(number: float, from_1904: bool) -> str | None:
    from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel

    try:
        day = from_excel(number, CALENDAR_MAC_1904 if from_1904 else CALENDAR_WINDOWS_1900)
    except (ValueError, OverflowError, TypeError):
        return None
    text = str(day)
    return text.removesuffix(" 00:00:00")
