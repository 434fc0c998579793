"""How text becomes a contingency table: options, the block of cells, its counts and names."""

from __future__ import annotations

import contextlib
import csv
import re
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from core.files.counts import Blank, Thousands, is_blank, read_count, trimmed
from core.files.errors import (
    CountError,
    FaultKind,
    ReadError,
    plain,
    sentence,
    shown,
)
from core.files.layout import (
    CORNER,
    SEPARATOR_NAMES,
    Layout,
    Separator,
    Survey,
    TooLongError,
    UnclosedQuoteError,
    are_labels,
    layout_of,
    records,
    separator_of,
)
from core.files.noise import read_noise
from core.files.stamp import Stamp
from core.studies.study import Pulse, Step
from core.table import ContingencyTable, IntArray, TableError

MAX_CELLS = 16_000_000
"""The largest table that is read from text, in counts: names are not among them."""

EXPORT_MARK = "# Tallyscope scored table"
"""How the first line of an exported scored table begins."""

_COMMENT = re.compile(r"[ \t]*(?:#(?![,;\t])[^\r\n]*)?(?:\r\n|\r|\n)|[ \t]*#(?![,;\t])[^\r\n]*\Z")
_EXCEL_HINT = re.compile(r'"?sep=([,;\t])"?[ \t]*(?:\r\n|\r|\n)', re.IGNORECASE)


@dataclass(frozen=True)
class ReadOptions:
    r"""What is known about a text before it is read; the rest is found out.

    Attributes
    ----------
    separator : {"\t", ";", ",", " "}, optional
        What separates the cells.
    header : bool, optional
        Whether the first line holds the names of the clusters.
    index : bool, optional
        Whether the first column holds the names of the classes.
    thousands : {".", ",", " ", "'"}, optional
        What separates thousands in a count. It is never guessed.
    blank : {"error", "zero"}
        Whether a blank cell is an error or 0.
    encoding : str, optional
        Encoding of a file.
    """

    separator: Separator | None = None
    header: bool | None = None
    index: bool | None = None
    thousands: Thousands | None = None
    blank: Blank = "error"
    encoding: str | None = None


@dataclass(frozen=True)
class ParsedTable:
    """A table that was read, and how.

    Attributes
    ----------
    table : ContingencyTable
        The table; rows are truth classes.
    separator : str or None
        What separates the cells, None where each line is one.
    header, index : bool
        Whether the first line and the first column hold names.
    encoding : str or None
        Encoding of the file, named for people; None for text.
    notes : tuple of str
        What a reader should know, as clauses: lines skipped, blanks read, names twice.
    is_export : bool
        Whether the text is an exported scored table, of which only the table was read.
    stamp : tuple of int and int, or None
        When the file was last changed, in nanoseconds, and its size, both taken before
        it was read; None for text and standard input.
    """

    table: ContingencyTable
    separator: Separator | None
    header: bool
    index: bool
    encoding: str | None = None
    notes: tuple[str, ...] = ()
    is_export: bool = False
    stamp: Stamp | None = None

    @property
    def how(self) -> str:
        """How the text was read, in one sentence."""
        parts = []
        if self.separator is not None:
            parts.append(f"{SEPARATOR_NAMES[self.separator]} separate the cells")
        parts.append(
            "the first line names the clusters" if self.header else "no line names the clusters"
        )
        parts.append(
            "the first column names the classes" if self.index else "no column names the classes"
        )
        if self.encoding:
            parts.append(f"the encoding is {self.encoding}")
        return sentence("; ".join(parts))


class _Block(NamedTuple):
    """Where in a text the table stands."""

    text: str
    start: int
    first_line: int
    separator: Separator | None
    is_export: bool


def parsing(
    text: str, options: ReadOptions, name: str | None, encoding: str | None
) -> Generator[Step[Any], None, ParsedTable]:
    """Yield steps while a text is read; return the table, or raise ReadError."""
    text = text.removeprefix("\ufeff")
    if is_blank(text[:1000]) and is_blank(text):
        raise ReadError(
            f"{name or 'The text'} is empty: there is no table in it.",
            kind=FaultKind.EMPTY,
        )
    block, skipped = _block(text, options)
    reader = _Reader(block, options, name)
    try:
        survey = yield from reader.survey()
        layout = layout_of(survey, options.header, options.index)
        if options.header is None and options.index is None and are_labels(survey):
            raise reader.error(
                "these are labels, one item a line, not a table of counts: count them into one, "
                "with a pivot table in a spreadsheet or ContingencyTable.from_labels in Python",
                FaultKind.LABELS,
            )
        table = yield from reader.read(survey, layout)
    except TooLongError as error:
        raise reader.error(
            f"a name has more than {csv.field_size_limit():,} characters: shorten it",
            FaultKind.TOO_LONG,
            line=error.line,
        ) from None
    except UnclosedQuoteError as error:
        if block.is_export:
            raise reader.cut() from None
        raise reader.error(
            "a quotation mark is opened and not closed: close it or delete it",
            FaultKind.QUOTE,
            line=error.line,
        ) from None
    notes = []
    if block.is_export:
        table = table.with_noise(read_noise(text[: block.start], block.separator or ","))
        tables = 1 + text.count("\n" + EXPORT_MARK)
        notes.append(
            f"the file holds {tables} scored tables, the first was read"
            if tables > 1
            else "the scores in the file were left out"
        )
    elif skipped:
        notes.append(f"{skipped} comment {'line was' if skipped == 1 else 'lines were'} skipped")
    if encoding == "Windows-1252":
        notes.append("the file is not UTF-8 and was taken for Windows-1252")
    notes.extend(reader.notes(table))
    return ParsedTable(
        table,
        block.separator,
        layout.header,
        layout.index,
        encoding,
        tuple(notes),
        block.is_export,
    )


def _block(text: str, options: ReadOptions) -> tuple[_Block, int]:
    """Return where the table starts, and how many comment lines stand before it."""
    start, line, comments = 0, 1, 0
    separator = options.separator
    if hint := _EXCEL_HINT.match(text):
        start, line = hint.end(), 2
        separator = separator or hint[1]  # type: ignore[assignment]
    while match := _COMMENT.match(text, start):
        comments += "#" in match[0]
        start, line = match.end(), line + 1
    if separator is None:
        separator = separator_of(text, start)
    return _Block(text, start, line, separator, text.startswith(EXPORT_MARK)), comments


_SUM_NAMES = frozenset({"sum", "sums", "total", "totals", "all", "σ", "margin", "row sum"})


def _margins(table: ContingencyTable) -> Iterator[str]:
    """Yield what seems to be a margin, which would be scored as a class or a cluster."""
    for what, names, counts in (
        ("row", table.truth, table.counts),
        ("column", table.clusters, table.counts.T),
    ):
        if (
            len(names) > 1
            and trimmed(names[-1]).casefold() in _SUM_NAMES
            and np.array_equal(counts[-1], counts[:-1].sum(axis=0))
        ):
            yield f"the last {what}, {shown(names[-1])}, is the sum of the others: delete it"


class _Reader:
    """Reads the rows of one block, twice: once to see its shape, once for the counts."""

    def __init__(self, block: _Block, options: ReadOptions, name: str | None) -> None:
        self._block = block
        self._options = options
        self._name = name
        self._pulse = Pulse()
        self._layout = Layout(0, header=False, index=False)
        self._truth: list[str] = []
        self._clusters: list[str] | None = None
        self._blanks_read = 0

    def survey(self) -> Generator[Step[Any], None, Survey]:
        """Return what the block looks like."""
        survey = Survey()
        for _, offset, cells in self._rows():
            survey.add(cells)
            # Which of them are names is not known yet: a line and a column may be.
            self._check_size(max(survey.rows - 1, 1), max(survey.used - 1, 1))
            if self._pulse.due():
                yield self._step(offset)
        if not survey.rows:
            raise self.error("there is no table in it", FaultKind.EMPTY)
        return survey

    def read(self, survey: Survey, layout: Layout) -> Generator[Step[Any], None, ContingencyTable]:
        """Return the table."""
        self._layout = layout
        n_rows, n_columns = survey.rows - layout.header, layout.width - layout.index
        if n_rows < 1 or n_columns < 1:
            raise self.error("there are names but no counts", FaultKind.NO_COUNTS)
        self._check_size(n_rows, n_columns)
        # Our own files hold names as they are; elsewhere blanks around them are an accident.
        clean = str if survey.first[0] == CORNER else trimmed
        counts = np.empty((n_rows, n_columns), np.int64)
        rows = self._rows()
        if layout.header:
            line, _, cells = next(rows)
            if not layout.short:
                cells = self._fitted(cells, 0, line, survey.rows)[layout.index :]
            self._clusters = [clean(cell) for cell in cells]
        for row, (line, offset, cells) in enumerate(rows):
            if len(cells) != layout.width:
                cells = self._fitted(cells, row + layout.header, line, survey.rows)
            if layout.index:
                self._truth.append(clean(cells.pop(0)))
            self._read_counts(cells, counts[row], row, line)
            if self._pulse.due():
                yield self._step(len(self._block.text) + offset)
        try:
            return ContingencyTable(counts, self._truth if layout.index else None, self._clusters)
        except TableError as error:
            raise self.error(str(error), FaultKind.TOO_LARGE) from None

    def notes(self, table: ContingencyTable) -> Iterator[str]:
        """Yield what a reader of the table should know."""
        if self._layout.short:
            yield "the first line, one cell shorter than the others, was taken for cluster names"
        if self._blanks_read:
            n = self._blanks_read
            yield f"{n:,} blank {'cell was' if n == 1 else 'cells were'} read as 0"
        if self._options.thousands:
            yield f"{shown(self._options.thousands)} was read as the separator of thousands"
        for what, names in (("truth classes", table.truth), ("clusters", table.clusters)):
            name, times = Counter(names).most_common(1)[0]
            if times > 1:
                yield f"{times} {what} are named {shown(name)}"
        yield from _margins(table)

    def error(self, fault: str, kind: FaultKind, line: int | None = None) -> ReadError:
        """Return the error for a fault of the block."""
        return ReadError(self._sentence(fault, line=line), kind=kind, line=line)

    def cut(self) -> ReadError:
        """Return the error for an export of which the end is missing."""
        return self.error(
            "the export ends early, so counts may be missing: export the table again",
            FaultKind.CUT,
        )

    def _check_size(self, n_rows: int, n_columns: int) -> None:
        if n_rows * n_columns > MAX_CELLS:
            raise self.error(
                f"the table has more than {MAX_CELLS:,} cells: leave out empty classes and "
                "clusters",
                FaultKind.TOO_MANY_CELLS,
            )

    def _rows(self) -> Iterator[tuple[int, int, list[str]]]:
        """Yield the rows that are not blank: line, where they end, cells.

        A blank row that others follow is an error, unless blanks are zeros and it has
        marks between its cells. In an export it is the end of the table, and must be
        there.
        """
        text, start, first_line, separator, is_export = self._block
        blank_rows: list[tuple[int, int, list[str]]] = []
        begun, end = False, start
        for line, offset, cells in records(text, start, first_line, separator):
            if not cells or (is_blank(cells[-1]) and all(map(is_blank, cells))):
                if begun and is_export:
                    # What looks blank may be the beginning of a name.
                    if text[offset - 1] not in "\r\n" or text.count('"', end, offset) % 2:
                        raise self.cut()
                    return
                if begun:
                    blank_rows.append((line, offset, cells))
                continue
            if blank_rows:
                zeros = self._options.blank == "zero"
                if not zeros or any(len(blank) < 2 for _, _, blank in blank_rows):
                    raise self.error(
                        "the line is blank but the table goes on: delete it",
                        FaultKind.BLANK_LINE,
                        line=blank_rows[0][0],
                    )
                yield from blank_rows
                blank_rows.clear()
            begun, end = True, offset
            yield line, offset, cells
        if is_export:
            raise self.cut()

    def _fitted(self, cells: list[str], row: int, line: int, rows: int) -> list[str]:
        """Return the cells of a row without blank ones that are too many."""
        width = self._layout.width
        if len(cells) >= width and all(map(is_blank, cells[width:])):
            return cells[:width]
        has = f"{len(cells)} {'cell' if len(cells) == 1 else 'cells'}"
        others = "the others have" if rows > 2 else "the other has"
        remedy = "add what is missing" if len(cells) < width else "delete what is too much"
        raise ReadError(
            self._sentence(f"the row has {has} where {others} {width}: {remedy}", line=line),
            kind=FaultKind.RAGGED,
            line=line,
            row=row,
        )

    def _read_counts(self, cells: list[str], into: IntArray, row: int, line: int) -> None:
        """Read the counts of a row, all at once if they are digits and nothing else."""
        joined = "".join(cells)
        if joined.isascii() and joined.isdigit() and all(cells):
            # One that is too large is named below.
            with contextlib.suppress(OverflowError, ValueError):
                into[:] = np.fromiter(map(int, cells), np.int64, len(cells))
                return
        options = self._options
        for column, cell in enumerate(cells):
            try:
                into[column] = read_count(cell, thousands=options.thousands, blank=options.blank)
            except CountError as error:
                raise self._placed(error, row, column, line) from None
            self._blanks_read += is_blank(cell)

    def _placed(self, error: CountError, row: int, column: int, line: int) -> CountError:
        """Return the error of a cell with its place, for people and for code."""
        layout, options = self._layout, self._options
        named = []
        if self._truth:
            named.append(f"class {plain(self._truth[-1])}")
        if self._clusters is not None:
            named.append(f"cluster {plain(self._clusters[column])}")
        hint = ""
        if error.kind is FaultKind.TEXT:
            if row == 0 and not layout.header and options.header is None:
                hint = ", or say that the first line holds names"
            elif column == 0 and not layout.index and options.index is None and layout.width > 1:
                hint = ", or say that the first column holds names"
        place = column + layout.index
        return CountError(
            self._sentence(error.fault + hint, line=line, column=place, named=named),
            kind=error.kind,
            fault=error.fault,
            mark=error.mark,
            line=line,
            row=row + layout.header,
            column=place,
            value=error.value,
        )

    def _step(self, done: int) -> Step[Any]:
        return Step(done, 2 * len(self._block.text), f"reading {self._name or 'the text'}")

    def _sentence(
        self,
        fault: str,
        *,
        line: int | None = None,
        column: int | None = None,
        named: Sequence[str] = (),
    ) -> str:
        places = [self._name] if self._name else []
        if line is not None:
            places.append(f"line {line}")
        if column is not None:
            places.append(f"column {column + 1}")
        place = ", ".join(places) + (f" ({', '.join(named)})" if named else "")
        text = f"{place}: {fault}" if place else fault
        # The name of a file keeps its own first letter.
        return text + "." if self._name else sentence(text)
