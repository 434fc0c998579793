"""Labels in a sheet of a workbook: its rows are items."""

from __future__ import annotations

import contextlib
from bisect import bisect_right
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

from core.files.archive import opened_zip
from core.files.counts import OddCell, is_blank, trimmed
from core.files.decoding import opened
from core.files.errors import FaultKind, ReadError, shown
from core.files.label_header import header_note, is_header
from core.files.label_options import LabelOptions
from core.files.label_source import HEAD_ROWS, Block, Head, default_columns
from core.files.sheet_cells import sheet_rows
from core.files.stamp import Stamp, stamp_of
from core.files.workbook import SheetPart, Workbook, workbook_in
from core.studies.study import Step, returned

_MOST_UNPACKED = 2_000_000_000
_BLOCK = 1000
_ERROR_VALUES = frozenset(
    {"#N/A", "#VALUE!", "#REF!", "#DIV/0!", "#NUM!", "#NAME?", "#NULL!", "#SPILL!", "#CALC!"}
)


class OpenWorkbook(NamedTuple):
    """A workbook that is open for reading.

    Attributes
    ----------
    archive : ZipFile
    book : Workbook
        What its sheets share.
    name : str
        What messages call it.
    """

    archive: ZipFile
    book: Workbook
    name: str

    @property
    def titles(self) -> tuple[str, ...]:
        """The names of its sheets, from left to right."""
        return tuple(part.name for part in self.book.sheets)

    def rows(self, sheet: SheetPart) -> Iterator[tuple[str, ...]]:
        """Yield the rows of a sheet as text, from its first row on, blank ones included."""
        last = 0
        for number, row in sheet_rows(self.archive, self.book, sheet, self.name, _MOST_UNPACKED):
            for _ in range(last + 1, number):
                yield ()
            last = number
            yield tuple(map(label_text, row.between(1, row.columns[-1])))

    def sheet(self, title: str | None) -> SheetPart:
        """Return a sheet, by default the first that has cells; or ReadError."""
        if title is not None:
            for part in self.book.sheets:
                if part.name == title:
                    return part
            known = ", ".join(map(shown, self.titles[:12]))
            raise ReadError(
                f"{self.name} has no sheet {shown(title)}: its sheets are {known}.",
                kind=FaultKind.EMPTY,
            )
        for part in self.book.sheets:
            if any(map(any, islice(self.rows(part), 100))):
                return part
        raise ReadError(f"{self.name} has no sheet with cells in it.", kind=FaultKind.EMPTY)


@contextlib.contextmanager
def workbook(path: Path, name: str) -> Iterator[OpenWorkbook]:
    """Open a workbook for reading, the values that formulas had when it was saved.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        What messages call it.

    Raises
    ------
    ReadError
        If it is no workbook, is damaged, or unpacks to more than 2 GB.
    """
    with opened(path, name) as (file, _), opened_zip(file, name) as archive:
        unpacked = sum(member.file_size for member in archive.infolist())
        if unpacked > _MOST_UNPACKED:
            raise ReadError(
                f"{name} unpacks to {unpacked / 1e9:.1f} GB: save the sheet as CSV.",
                kind=FaultKind.TOO_BIG,
            )
        yield OpenWorkbook(archive, returned(workbook_in(archive, name)), name)


def label_text(cell: str) -> str:
    """Return the text of a cell; an error, or a formula without a value, is blank."""
    if type(cell) is str:
        return "" if cell in _ERROR_VALUES else cell
    return "" if isinstance(cell, OddCell) and cell.kind is FaultKind.FORMULA else str(cell)


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
    _doubt: str | None = field(default=None, init=False)
    _blank_rows: list[int] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        """Look at the first rows."""
        with opened(self.path, self.name) as (_, status):
            self.stamp = stamp_of(status)
        with workbook(self.path, self.name) as book:
            self.sheets = book.titles
            sheet = book.sheet(self.options.sheet)
            self.sheet = sheet.name
            rows = list(islice(book.rows(sheet), HEAD_ROWS + 1))
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
            self._doubt = header_note(records[0], records[1:]) if header else None
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
            rows = enumerate(book.rows(book.sheet(self.sheet)), 1)
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
        if self._doubt:
            yield self._doubt
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
