"""A quick look at the cells of a file, as text, before it is read as a table of counts."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

from core.files.counts import Blank, Thousands, is_blank
from core.files.errors import FaultKind, ReadError, plain, shown
from core.files.label_open import file_kind
from core.files.label_options import LabelOptions
from core.files.label_sheets import workbook
from core.files.label_text import TextSource
from core.files.layout import Separator, UnclosedQuoteError, records
from core.files.options import ParsedTable, ReadOptions
from core.files.tables import parse_table
from core.formatting import format_score

MOST_ROWS = 50
MOST_COLUMNS = 50
"""Cells that a preview shows."""

_LARGEST = 1 << 16


@dataclass(frozen=True)
class CellOptions:
    r"""What is known about a table of counts before it is read; the rest is found out.

    Attributes
    ----------
    separator, header, index, thousands, blank, encoding
        As in `ReadOptions`.
    sheet : str, optional
        Sheet of a workbook, by default the first with cells.
    range : str, optional
        Cells of a sheet, as in ``B2:F6``; by default all.
    """

    separator: Separator | None = None
    header: bool | None = None
    index: bool | None = None
    thousands: Thousands | None = None
    blank: Blank = "error"
    encoding: str | None = None
    sheet: str | None = None
    range: str | None = None

    @property
    def read_options(self) -> ReadOptions:
        """Those that concern a text."""
        return ReadOptions(
            self.separator, self.header, self.index, self.thousands, self.blank, self.encoding
        )


@dataclass(frozen=True)
class CellPreview:
    """The first cells of a file.

    Attributes
    ----------
    rows : tuple of tuple of str
        At most `MOST_ROWS` rows of at most `MOST_COLUMNS` cells.
    columns : tuple of str
        What the columns are called in the file: letters in a sheet, else numbers.
    lines : tuple of int
        Where each row stands, counted from 1.
    more : bool
        Whether there are cells that are not shown.
    header, index : bool or None
        Whether the first row and the first column are names, None where it is not known.
    separator, encoding : str or None
        What was found out about a text.
    sheets : tuple of str
        Sheets of a workbook.
    sheet : str or None
        The one that is shown.
    is_text : bool
        Whether separator and encoding matter.
    is_labels : bool
        Whether the file rather holds labels, one item a row.
    summary : str
        What the cells are as a table, in one line.
    fault : str or None
        Why they are no table, with the remedy, in one sentence.
    """

    rows: tuple[tuple[str, ...], ...]
    columns: tuple[str, ...]
    lines: tuple[int, ...]
    more: bool
    header: bool | None
    index: bool | None
    separator: Separator | None
    encoding: str | None
    sheets: tuple[str, ...]
    sheet: str | None
    is_text: bool
    is_labels: bool
    summary: str
    fault: str | None


def preview_cells(path: Path | str, options: CellOptions | None = None) -> CellPreview:
    """Look at the first cells of a text or a workbook.

    Parameters
    ----------
    path : Path or str
        The file; a bounded part of it is read.
    options : CellOptions, optional
        What is known already.

    Returns
    -------
    CellPreview

    Raises
    ------
    ReadError
        If there is nothing to show.
    """
    path, options = Path(path), options or CellOptions()
    name = plain(path.name or str(path))
    kind = file_kind(path, name)
    if kind == "workbook":
        return _of_sheet(path, name, options)
    if kind != "text":
        raise ReadError(
            f"{name} has no cells to choose from: it is opened as it is.", kind=FaultKind.NOT_TEXT
        )
    return _of_text(path, name, options)


def _of_text(path: Path, name: str, options: CellOptions) -> CellPreview:
    known = LabelOptions(separator=options.separator, encoding=options.encoding)
    source = TextSource(path, name, known)
    lines = list(StringIO(source.beginning, newline=""))[source.skipped :]
    rows: list[tuple[str, ...]] = []
    places: list[int] = []
    more = not source.head.complete
    fault = None
    found = records("".join(lines), 0, source.skipped + 1, source.separator)
    try:
        for line, _, cells in found:
            if len(rows) == MOST_ROWS:
                more = True
                break
            if any(not is_blank(cell) for cell in cells):
                rows.append(tuple(cells))
                places.append(line)
    except UnclosedQuoteError as error:
        fault = (
            f"Line {error.line}: a quotation mark is opened and not closed: close it or delete it."
        )
    parsed, error_of = None, None
    if source.head.complete:
        parsed, error_of = _parsed(source.beginning, options.read_options, name)
    width = max(map(len, rows), default=0)
    return CellPreview(
        rows=tuple(row[:MOST_COLUMNS] for row in rows),
        columns=tuple(str(i + 1) for i in range(min(width, MOST_COLUMNS))),
        lines=tuple(places),
        more=more or width > MOST_COLUMNS,
        header=parsed.header if parsed else options.header,
        index=parsed.index if parsed else options.index,
        separator=source.separator,
        encoding=source.encoding,
        sheets=(),
        sheet=None,
        is_text=True,
        is_labels=error_of is not None and error_of.kind is FaultKind.LABELS,
        summary=_summary(parsed, rows, width, more),
        fault=str(error_of) if error_of else fault,
    )


def _of_sheet(path: Path, name: str, options: CellOptions) -> CellPreview:
    left, top, right, bottom = _bounds(options.range, name)
    with workbook(path, name) as book:
        sheets = book.titles
        sheet = book.sheet(options.sheet)
        title = sheet.name
        rows: list[tuple[str, ...]] = []
        places: list[int] = []
        more = False
        for number, row in enumerate(islice(book.rows(sheet), _LARGEST), 1):
            if number < top:
                continue
            if bottom is not None and number > bottom:
                break
            if len(rows) == MOST_ROWS:
                more = more or any(row)
                if more:
                    break
                continue
            rows.append(row[left - 1 : right])
            places.append(number)
    while rows and not any(rows[-1]):
        rows.pop()
        places.pop()
    if options.range is None:
        rows, places, left = _without_blank_edges(rows, places, left)
    if not rows:
        raise ReadError(
            f"{name}: there are no cells in {options.range or shown(title)}: choose others.",
            kind=FaultKind.EMPTY,
        )
    width = max(map(len, rows))
    more = more or width > MOST_COLUMNS
    parsed, error = None, None
    if not more:
        parsed, error = _parsed(_as_text(rows, width), _tabbed(options), name)
    return CellPreview(
        rows=tuple((*row, *[""] * (width - len(row)))[:MOST_COLUMNS] for row in rows),
        columns=tuple(_letters(left + i) for i in range(min(width, MOST_COLUMNS))),
        lines=tuple(places),
        more=more,
        header=parsed.header if parsed else options.header,
        index=parsed.index if parsed else options.index,
        separator=None,
        encoding=None,
        sheets=sheets,
        sheet=title,
        is_text=False,
        is_labels=error is not None and error.kind is FaultKind.LABELS,
        summary=_summary(parsed, rows, width, more),
        fault=_of_rows(error, places, options) if error else None,
    )


def _of_rows(error: ReadError, places: Sequence[int], options: CellOptions) -> str:
    """Return what is wrong with cells, at their row of the sheet."""
    text = str(error)
    if error.line is not None and error.line <= len(places):
        text = text.replace(f"line {error.line}", f"row {places[error.line - 1]}", 1)
    if options.range is None:
        text = f"{text.removesuffix('.')}, or choose the range of the table."
    return text


def _parsed(
    text: str, options: ReadOptions, name: str
) -> tuple[ParsedTable | None, ReadError | None]:
    try:
        return parse_table(text, options, name=name), None
    except ReadError as error:
        return None, error


def _summary(parsed: ParsedTable | None, rows: Sequence[Any], width: int, more: bool) -> str:
    if parsed is not None:
        r, c = parsed.table.shape
        classes = f"{r:,} {'class' if r == 1 else 'classes'}"
        clusters = f"{c:,} {'cluster' if c == 1 else 'clusters'}"
        return f"{classes} × {clusters}, N = {format_score(parsed.table.total)}"
    first = "the first " if more else ""
    lines = "1 row" if len(rows) == 1 else f"{len(rows):,} rows"
    return f"{first}{lines}, {width:,} column{'' if width == 1 else 's'}"


# Sheets


def _bounds(cells: str | None, name: str) -> tuple[int, int, int | None, int | None]:
    """Return left, top, right and bottom of a range such as ``B2:F6``, counted from 1."""
    if cells is None:
        return 1, 1, None, None
    from openpyxl.utils import range_boundaries

    try:
        left, top, right, bottom = range_boundaries(cells.replace("$", "").strip().upper())
    except (ValueError, TypeError):
        left = top = right = bottom = None
    if left is None or (right is not None and right < left) or (bottom or 1) < (top or 1):
        raise ReadError(
            f"{name}: {shown(cells)} is no range of cells: write the first and the last, as in "
            "B2:F6.",
            kind=FaultKind.TEXT,
        )
    return left, top or 1, right, bottom


def _without_blank_edges(
    rows: list[tuple[str, ...]], places: list[int], left: int
) -> tuple[list[tuple[str, ...]], list[int], int]:
    start = next((i for i, row in enumerate(rows) if any(row)), len(rows))
    rows, places = rows[start:], places[start:]
    filled = [i for row in rows for i, cell in enumerate(row) if cell]
    first, end = min(filled, default=0), max(filled, default=-1) + 1
    # A blank corner belongs to the table, a blank column does not.
    return [row[first:end] for row in rows], places, left + first


def _tabbed(options: CellOptions) -> ReadOptions:
    return ReadOptions("\t", options.header, options.index, options.thousands, options.blank)


def _as_text(rows: Sequence[Sequence[str]], width: int) -> str:
    out = StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerows((*row, *[""] * (width - len(row))) for row in rows)
    return out.getvalue()


def _letters(column: int) -> str:
    """Return what a spreadsheet calls a column, counted from 1."""
    return "".join(reversed(list(_digits(column))))


def _digits(column: int) -> Iterator[str]:
    while column > 0:
        column, digit = divmod(column - 1, 26)
        yield chr(ord("A") + digit)
