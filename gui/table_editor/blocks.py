"""A block of cells as text: what is read when it is pasted. No Qt here."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from html import unescape

import numpy as np

from core.files.counts import Blank, Thousands, is_blank, meant_as_number, read_count, trimmed
from core.files.errors import CountError, FaultKind, ReadError
from core.files.layout import (
    CORNER,
    UnclosedQuoteError,
    records,
    separator_of,
)
from core.files.survey import Layout, Survey, layout_of
from core.studies.study import Pulse, Step, run_to_end
from core.table import IntArray
from gui.table_editor.edits import MAX_CELLS

_MESSAGE = "reading what was pasted"

#: The most text that is pasted, in characters.
MAX_TEXT = 50_000_000
#: The most HTML, which is many times as long as what it says.
MAX_HTML = 10_000_000


@dataclass(frozen=True, eq=False)
class Block:
    """Counts, with their names if they came with some.

    Parameters
    ----------
    values : ndarray of int64, shape (k, l)
    truth : tuple of str, length k, or None
    clusters : tuple of str, length l, or None
    """

    values: IntArray
    truth: tuple[str, ...] | None = None
    clusters: tuple[str, ...] | None = None

    @property
    def named(self) -> bool:
        """Whether names came along."""
        return self.truth is not None or self.clusters is not None


@dataclass(frozen=True)
class BlockOptions:
    """How to read a block; what is None is found out.

    Parameters
    ----------
    separator : str, optional
        What separates the cells of a row. A tab, unless there is none.
    names : bool, optional
        False: every cell is a count.
    thousands : {".", ",", " ", "'"}, optional
        What separates thousands. Never guessed.
    blank : {"error", "zero"}
        Whether a blank cell is an error or 0.
    """

    separator: str | None = None
    names: bool | None = None
    thousands: Thousands | None = None
    blank: Blank = "error"


def read_block(text: str, options: BlockOptions | None = None) -> Block:
    r"""Read what was copied from a spreadsheet, a text or another table.

    Parameters
    ----------
    text : str
        A line for each row; a line end after the last adds none, nor do blank rows and
        columns at the end.
    options : BlockOptions, optional
        What is known already.

    Returns
    -------
    Block

    Raises
    ------
    ReadError
        If it is not a block of counts. `CountError` where one cell is at fault; `row` and
        `column` count from 0 in the block with its names, and so do the words from 1.

    Examples
    --------
    >>> block = read_block("\t0\t1\n4\t8\t2\n5\t1\t9\n")
    >>> block.values.tolist(), block.truth, block.clusters
    ([[8, 2], [1, 9]], ('4', '5'), ('0', '1'))
    """
    return run_to_end(ReadBlock(text, options or BlockOptions()))


@dataclass(frozen=True)
class ReadBlock:
    """The study that reads a block of cells from text; see `read_block`.

    Parameters
    ----------
    text : str
    options : BlockOptions
    """

    text: str
    options: BlockOptions = field(default_factory=BlockOptions)

    def run(self) -> Generator[Step[Block], None, None]:
        """Read, with a step every twentieth of a second; the last has the `Block`.

        Raises
        ------
        ReadError
            If it is not a block of counts.
        """
        block = yield from _reading(self.text, self.options)
        yield Step(1, 1, "read what was pasted", result=block)


def _reading(text: str, options: BlockOptions) -> Generator[Step[Block], None, Block]:
    yield Step(0, None, _MESSAGE)
    text = text.removeprefix("\ufeff")
    if is_blank(text[:1_000]) and is_blank(text) and options.blank == "error":
        raise ReadError("What you pasted is blank.", kind=FaultKind.EMPTY)
    separator = options.separator or separator_of_block(text)
    try:
        survey, n_rows = yield from _survey(text, separator)
        layout = _layout(survey, options)
        return (yield from _read(text, separator, layout, n_rows, options))
    except UnclosedQuoteError as error:
        raise ReadError(
            f"Line {error.line} of what you pasted opens a quotation mark and nothing closes it.",
            kind=FaultKind.QUOTE,
        ) from None


def separator_of_block(text: str) -> str | None:
    """Return what separates the cells of a row, None if each line is one cell.

    Where there is no tab, lines that are numbers as a whole stay whole: ``151,00`` from a
    column of a spreadsheet is one cell.
    """
    if "\t" in text:
        return "\t"
    if all(meant_as_number(line) for line in text.split("\n", 1_000)[:1_000] if not is_blank(line)):
        return None
    return separator_of(text)


def _rows(text: str, separator: str | None) -> Iterator[list[str]]:
    for _, _, cells in records(text, 0, 1, separator):
        yield cells or [""]


def _survey(text: str, separator: str | None) -> Generator[Step[Block], None, tuple[Survey, int]]:
    """Return what the block looks like, and its rows up to the last that is not blank."""
    survey = Survey()
    blank: list[list[str]] = []
    pulse = Pulse()
    for cells in _rows(text, separator):
        if pulse.due():
            yield Step(survey.rows, None, _MESSAGE)
        if all(map(is_blank, cells)):
            blank.append(cells)
            continue
        for earlier in blank:
            survey.add(earlier)
        blank.clear()
        survey.add(cells)
        # The first row and column may be names.
        _check_cells((survey.rows - 1) * (survey.used - 1))
    if not survey.rows:
        # Blanks alone, to be read as zeros.
        for cells in blank:
            survey.add(cells)
        survey.used = max(1, *(len(cells) for cells in blank))
    return survey, survey.rows


def _check_cells(n: int) -> None:
    if n > MAX_CELLS:
        raise ReadError(
            f"What you pasted has more than {MAX_CELLS:,} cells.", kind=FaultKind.TOO_MANY_CELLS
        )


def _layout(survey: Survey, options: BlockOptions) -> Layout:
    if options.names is False or all(map(is_blank, survey.first)):
        return Layout(survey.width, header=False, index=False)
    layout = layout_of(survey, None, None)
    if layout.titled or layout.fault:
        raise ReadError(
            "What you pasted has two lines of names: copy it without the first.",
            kind=FaultKind.TEXT,
        )
    if layout.short and not any(not is_blank(c) and not meant_as_number(c) for c in survey.first):
        # Numbers alone: a row that lost a cell rather than names.
        return Layout(survey.width, header=False, index=False)
    # A single row or column has no room for names of the other side.
    header = layout.header and survey.rows > 1
    index = layout.index and layout.width > 1
    if header != layout.header or index != layout.index:
        first = survey.first[0] if survey.first else ""
        index = index and not is_blank(first) and not meant_as_number(first)
        header = header and not is_blank(first) and not meant_as_number(first)
        return Layout(layout.width, header=header, index=index)
    return layout


def _read(
    text: str, separator: str | None, layout: Layout, n_rows: int, options: BlockOptions
) -> Generator[Step[Block], None, Block]:
    width, header, index = layout.width, layout.header, layout.index
    _check_cells((n_rows - header) * (width - index))
    values = np.empty((n_rows - header, width - index), np.int64)
    truth: list[str] = []
    clusters: tuple[str, ...] | None = None
    clean: Callable[[str], str] = trimmed
    pulse = Pulse()
    for i, cells in enumerate(_rows(text, separator)):
        if i == n_rows:
            break
        if pulse.due():
            yield Step(n_rows + i, 2 * n_rows, _MESSAGE)
        if i == 0 and cells[0] == CORNER:
            clean = str  # Our own text holds names as they are.
        if header and i == 0 and layout.short:
            clusters = tuple(map(clean, cells))
            continue
        _check_width(cells, width, i)
        if header and i == 0:
            clusters = tuple(map(clean, cells[index:width]))
            continue
        if index:
            truth.append(clean(cells[0]))
        _read_row(cells[index:width], values[i - header], i, index, options)
    return Block(values, tuple(truth) if index else None, clusters)


def _check_width(cells: list[str], width: int, row: int) -> None:
    if len(cells) < width or not all(map(is_blank, cells[width:])):
        has = f"{len(cells)} {'cell' if len(cells) == 1 else 'cells'}"
        raise ReadError(
            f"Row {row + 1} of what you pasted has {has} where the others have {width}.",
            kind=FaultKind.RAGGED,
            row=row,
        )


def _read_row(
    cells: list[str], into: IntArray, row: int, index: bool, options: BlockOptions
) -> None:
    joined = "".join(cells)
    if joined.isascii() and joined.isdigit() and all(cells) and max(map(len, cells)) < 19:
        into[:] = np.fromiter(map(int, cells), np.int64, len(cells))
        return
    for column, cell in enumerate(cells):
        try:
            into[column] = read_count(cell, thousands=options.thousands, blank=options.blank)
        except CountError as error:
            place = column + index
            raise CountError(
                f"Row {row + 1}, column {place + 1} of what you pasted: {error.fault}.",
                kind=error.kind,
                fault=error.fault,
                mark=error.mark,
                row=row,
                column=place,
                value=cell,
            ) from None


def grouped_count(text: str, mark: Thousands) -> int | None:
    """Return what a text is where a mark separates thousands, None if that is no count."""
    try:
        return read_count(text, thousands=mark)
    except CountError:
        return None


def has_table(html: str) -> bool:
    """Return whether HTML, as on the clipboard, holds a table."""
    return "<table" in html[:20_000].lower()


def text_of_html(html: str) -> str | None:
    """Return the first table of HTML as text with tabs, None if there is none."""
    rows = _rows_of_html(_without_comments(html))
    if not rows:
        return None
    return "\n".join("\t".join(map(_quoted, row)) for row in rows) + "\n"


def _quoted(cell: str) -> str:
    flat = " ".join(cell.split())
    return '"' + flat.replace('"', '""') + '"' if '"' in flat else flat


#: A tag with its name, or a declaration. Possessive: time grows with the length of the text,
#: which it does not in `html.parser`.
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[a-z][a-z0-9]*+)"
    r"(?P<rest>(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+)>|<[!?][^<>]*+>",
    re.IGNORECASE,
)
_SPAN = re.compile(r"(?<![\w-])colspan\s*+=\s*+[\"']?([0-9]{1,6})", re.IGNORECASE | re.ASCII)


def _without_comments(html: str) -> str:
    parts = []
    begin = 0
    while (end := html.find("<!--", begin)) >= 0:
        parts.append(html[begin:end])
        begin = html.find("-->", end + 4) + 3
        if begin < 3:
            # Nothing closes it.
            return "".join(parts)
    return "".join([*parts, html[begin:]])


def _rows_of_html(html: str) -> list[list[str]]:
    """Return the text of the cells of the first table; of tables within, none of their own."""
    rows: list[list[str]] = []
    cell: list[str] | None = None
    span, depth, begin = 1, 0, 0
    for tag in _TAG.finditer(html):
        if cell is not None:
            cell.append(unescape(html[begin : tag.start()]))
        begin = tag.end()
        name, is_end = (tag["name"] or "").lower(), bool(tag["end"])
        if name == "table":
            depth += -1 if is_end else 1
        elif name == "br" and cell is not None:
            cell.append(" ")
        ends = name in ("td", "th", "tr") and depth == 1
        if cell is not None and (ends or depth <= 0):
            _add_cell(rows, cell, span)
            cell = None
        if name == "table" and depth <= 0:
            if is_end and rows:
                break
            depth = max(depth, 0)
        if ends and not is_end:
            if name == "tr":
                rows.append([])
            else:
                found = _SPAN.search(tag["rest"])
                cell, span = [], min(int(found[1]), 1_000) if found else 1
    if cell is not None:
        _add_cell(rows, [*cell, unescape(html[begin:])], span)
    return rows


def _add_cell(rows: list[list[str]], cell: list[str], span: int) -> None:
    if not rows:
        rows.append([])
    rows[-1] += ["".join(cell), *[""] * (span - 1)]


__all__ = [
    "MAX_HTML",
    "MAX_TEXT",
    "Block",
    "BlockOptions",
    "ReadBlock",
    "grouped_count",
    "has_table",
    "read_block",
    "text_of_html",
]
