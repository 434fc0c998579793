"""Labels in a sheet of a workbook: its rows are items."""

from __future__ import annotations

import contextlib
import warnings
import zlib
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from itertools import islice
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from core.files.counts import is_blank, trimmed
from core.files.decoding import opened
from core.files.errors import FaultKind, ReadError, shown
from core.files.label_header import is_header
from core.files.label_options import LabelOptions
from core.files.label_source import HEAD_ROWS, Block, Head, default_columns
from core.files.stamp import Stamp, stamp_of
from core.studies.study import Step

_MOST_UNPACKED = 2_000_000_000
_BLOCK = 1000
_DAMAGED = (
    BadZipFile,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    zlib.error,
    SyntaxError,
)
_ERROR_VALUES = frozenset(
    {"#N/A", "#VALUE!", "#REF!", "#DIV/0!", "#NUM!", "#NAME?", "#NULL!", "#SPILL!", "#CALC!"}
)


@contextlib.contextmanager
def workbook(path: Path, name: str) -> Iterator[Any]:
    """Open a workbook for reading, the values that formulas had when it was saved.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        What messages call it.

    Yields
    ------
    openpyxl.Workbook

    Raises
    ------
    ReadError
        If it is no workbook, is damaged, or unpacks to more than 2 GB.
    """
    with opened(path, name) as (file, _):
        try:
            with ZipFile(file) as archive:
                unpacked = sum(member.file_size for member in archive.infolist())
            if unpacked > _MOST_UNPACKED:
                raise ReadError(
                    f"{name} unpacks to {unpacked / 1e9:.1f} GB: save the sheet as CSV.",
                    kind=FaultKind.TOO_BIG,
                )
            from openpyxl import load_workbook

            with warnings.catch_warnings():
                # What is left out, such as the rules of a cell, says nothing of its value.
                warnings.simplefilter("ignore")
                book = load_workbook(file, read_only=True, data_only=True)
            try:
                yield book
            finally:
                book.close()
        except _DAMAGED as error:
            if isinstance(error, ReadError):
                raise
            raise ReadError(
                f"{name} is damaged or no workbook: save it again, or as CSV.",
                kind=FaultKind.UNREADABLE,
            ) from None


def sheet_of(book: Any, title: str | None, name: str) -> Any:
    """Return a sheet of an open workbook, by default the first that has cells; or ReadError."""
    sheets = list(book.worksheets)
    if title is not None:
        for sheet in sheets:
            if sheet.title == title:
                return sheet
        known = ", ".join(shown(sheet.title) for sheet in sheets[:12])
        raise ReadError(
            f"{name} has no sheet {shown(title)}: its sheets are {known}.", kind=FaultKind.EMPTY
        )
    for sheet in sheets:
        for row in islice(sheet_rows(sheet), 100):
            if any(row):
                return sheet
    raise ReadError(f"{name} has no sheet with cells in it.", kind=FaultKind.EMPTY)


def sheet_rows(sheet: Any) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a sheet as text, from its first row on, blank ones included."""
    # The size that the file claims may be wrong.
    sheet.reset_dimensions()
    for row in sheet.iter_rows(values_only=True):
        yield tuple(map(cell_text, row))


def cell_text(value: object) -> str:
    """Return the text of a cell: a whole number without a fraction, an error value as blank."""
    if value is None:
        return ""
    if isinstance(value, str):
        return "" if value in _ERROR_VALUES else value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, datetime):
        midnight = value.time() == time(0)
        return value.date().isoformat() if midnight else value.isoformat(" ")
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)


@dataclass
class SheetSource:
    """A sheet whose rows are items.

    Attributes
    ----------
    path : Path
    name : str
        What messages call the file.
    options : LabelOptions
        What is known of it.
    """

    path: Path
    name: str
    options: LabelOptions
    stamp: Stamp | None = field(default=None, init=False)
    sheets: tuple[str, ...] = field(default=(), init=False)
    sheet: str = field(default="", init=False)
    _head: Head = field(init=False)
    _first_row: int = field(default=0, init=False)
    _left: int = field(default=0, init=False)
    _blank_rows: list[int] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        """Look at the first rows."""
        with opened(self.path, self.name) as (_, status):
            self.stamp = stamp_of(status)
        with workbook(self.path, self.name) as book:
            self.sheets = tuple(sheet.title for sheet in book.worksheets)
            sheet = sheet_of(book, self.options.sheet, self.name)
            self.sheet = sheet.title
            rows = list(islice(sheet_rows(sheet), HEAD_ROWS + 1))
        complete = len(rows) <= HEAD_ROWS
        found = [(i, row) for i, row in enumerate(rows) if not all(map(is_blank, row))]
        if not found:
            raise ReadError(
                f"{self.name}: the sheet {shown(self.sheet)} has no cells in its first rows.",
                kind=FaultKind.EMPTY,
            )
        self._first_row = found[0][0]
        filled = [i for _, row in found for i, cell in enumerate(row) if not is_blank(cell)]
        self._left = min(filled)
        width = max(filled) + 1 - self._left
        records = [self._cut(row, width) for _, row in found]
        header = self.options.header
        if header is None:
            header = is_header(records[0], records[1:])
        names = tuple(map(trimmed, records[0])) if header else default_columns(width)
        self._head = Head(
            names,
            header,
            tuple(records[header:]),
            tuple(i + 1 for i, _ in found[header:]),
            complete,
        )

    def _cut(self, row: Sequence[str], width: int) -> tuple[str, ...]:
        cells = row[self._left : self._left + width]
        return (*cells, *[""] * (width - len(cells)))

    @property
    def head(self) -> Head:
        """The beginning of the sheet."""
        return self._head

    @property
    def how(self) -> str:
        """How the sheet is read."""
        first = "the first row names the columns" if self._head.named else "no row names columns"
        return f"the sheet is {shown(self.sheet)}; {first}"

    def blocks(self, columns: Sequence[int]) -> Iterator[Block]:
        """Yield all items block by block."""
        width = len(self._head.names)
        self._blank_rows = []
        with workbook(self.path, self.name) as book:
            rows = enumerate(sheet_rows(sheet_of(book, self.sheet, self.name)), 1)
            for _ in islice(rows, self._first_row + self._head.named):
                pass
            last = 0
            while piece := list(islice(rows, _BLOCK)):
                last = piece[-1][0]
                kept = []
                for number, row in piece:
                    if all(map(is_blank, row)):
                        self._blank_rows.append(number)
                        continue
                    self._check_width(row, number, width)
                    kept.append(self._cut(row, width))
                yield Block([[row[i] for row in kept] for i in columns], len(kept), last, None)
            # Blank rows after the last item are no gaps.
            while self._blank_rows and self._blank_rows[-1] == last:
                self._blank_rows.pop()
                last -= 1

    def _check_width(self, row: Sequence[str], number: int, width: int) -> None:
        end = self._left + width
        if any(row[: self._left]) or any(row[end:]):
            raise ReadError(
                f"{self.name}, sheet {shown(self.sheet)}, row {number}: there are cells beside "
                "the columns: delete them or give the column a name.",
                kind=FaultKind.RAGGED,
                line=number,
            )

    def notes(self) -> Iterator[str]:
        """Yield what a reader should know."""
        if len(self.sheets) > 1:
            yield f"the sheet {shown(self.sheet)} was read, one of {len(self.sheets)}"
        if self._blank_rows:
            n = len(self._blank_rows)
            yield f"{n:,} blank {'row was' if n == 1 else 'rows were'} skipped"

    def place(self, item: int) -> Generator[Step[Any], None, str]:
        """Return the row of an item."""
        yield from ()
        row = self._first_row + self._head.named + 1 + item
        for _ in range(len(self._blank_rows)):
            shifted = self._first_row + self._head.named + 1 + item
            shifted += bisect_right(self._blank_rows, row)
            if shifted == row:
                break
            row = shifted
        return f"sheet {shown(self.sheet)}, row {row}"
