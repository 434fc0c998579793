"""The rows of one block, from a text or a sheet, become a contingency table."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from itertools import islice
from typing import Any, Protocol

import numpy as np

from core.files.counts import is_blank, read_count, trimmed
from core.files.errors import CountError, FaultKind, ReadError, plain, sentence, shown
from core.files.layout import CORNER
from core.files.long_tables import Pairs
from core.files.options import ReadOptions
from core.files.survey import Layout, Survey
from core.files.totals import Lines, TotalError, sum_notes, without_totals
from core.studies.study import Pulse, Step
from core.table import ContingencyTable, IntArray, TableError

_LOOKED_AT = 1000

MAX_CELLS = 16_000_000
"""The largest table that is read from text, in counts: names are not among them."""


class Rows(Protocol):
    """Where the rows of a block come from.

    Attributes
    ----------
    name : str or None
        What messages call the file or the text.
    size : int
        How much there is to read, in the units of the offsets.
    own : bool
        Whether the block was written by this program, so that names are kept as they are.
    typed : bool
        Whether cells may be other than they look, as those of a sheet.
    """

    @property
    def name(self) -> str | None: ...  # noqa: D102

    @property
    def size(self) -> int: ...  # noqa: D102

    @property
    def own(self) -> bool: ...  # noqa: D102

    @property
    def typed(self) -> bool: ...  # noqa: D102

    def rows(self) -> Iterator[tuple[int, int, list[str]]]:
        """Yield the rows that are not blank: line, offset behind it, cells."""
        ...

    def place(self, line: int, column: int | None) -> list[str]:
        """Return the words that name a line, or a cell of it; columns count from 0."""
        ...


def name_notes(table: ContingencyTable) -> Iterator[str]:
    """Yield which name most classes, and most clusters, have in common."""
    for what, names in (("truth classes", table.truth), ("clusters", table.clusters)):
        name, times = Counter(names).most_common(1)[0]
        if times > 1:
            yield f"{times} {what} are named {shown(name)}"


class BlockReader:
    """Reads the rows of one block, twice: once to see its shape, once for the counts.

    Parameters
    ----------
    source : Rows
        Where the rows come from.
    options : ReadOptions
        What is known about them.
    """

    def __init__(self, source: Rows, options: ReadOptions) -> None:
        self._source = source
        self._options = options
        self._pulse = Pulse()
        self._layout = Layout(0, header=False, index=False)
        self._truth: list[str] = []
        self._clusters: list[str] | None = None
        self._blanks_read = 0
        self._sums: list[str] = []
        self._long: list[str] = []

    def survey(self) -> Generator[Step[Any], None, Survey]:
        """Return what the block looks like."""
        survey = Survey()
        for _, offset, cells in self._source.rows():
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
        if layout.fault:
            raise self.error(layout.fault, FaultKind.TEXT)
        n_rows, n_columns = survey.rows - layout.above, layout.width - layout.index
        if n_rows < 1 or n_columns < 1:
            raise self.error("there are names but no counts", FaultKind.NO_COUNTS)
        self._check_size(n_rows, n_columns)
        # Our own files hold names as they are; elsewhere blanks around them are an accident.
        own = self._source.own or survey.first[0] == CORNER
        clean = str if own else trimmed
        counts = np.empty((n_rows, n_columns), np.int64)
        rows = self._source.rows()
        if layout.titled:
            next(rows)
        if layout.header:
            line, _, cells = next(rows)
            if not layout.short:
                cells = self._fitted(cells, 0, line, survey.rows)[layout.index :]
            self._clusters = [clean(cell) for cell in cells]
        for row, (line, offset, cells) in enumerate(rows):
            if len(cells) != layout.width:
                cells = self._fitted(cells, row + layout.above, line, survey.rows)
            if layout.index:
                self._truth.append(clean(cells.pop(0)))
            self._read_counts(cells, counts[row], row, line)
            if self._pulse.due():
                yield self._step(self._source.size + offset)
        truth = self._truth if layout.index else None
        return self._made(Lines(counts, truth, self._clusters), own)

    def read_long(self, survey: Survey) -> Generator[Step[Any], None, ContingencyTable]:
        """Return the table of rows that are a class, a cluster and their count each."""
        width = survey.width
        self._layout = Layout(width, header=True, index=True)
        pairs = Pairs(survey.long is not None and survey.long.swapped)
        values: list[int] = []
        rows = self._source.rows()
        next(rows)
        for row, (line, offset, cells) in enumerate(rows):
            if len(cells) != width:
                cells = self._fitted(cells, row + 1, line, survey.rows)
            first, second = trimmed(cells[-3]), trimmed(cells[-2])
            if not first or not second:
                fault = "a class or a cluster has no name: write one"
                raise self.error(fault, FaultKind.BLANK, line=line)
            earlier = pairs.add(first, second, line)
            if earlier is not None:
                fault = (
                    f"{shown(first)} and {shown(second)} stand in line {earlier} already: add "
                    "their counts up, or say that the first line and column hold names to count "
                    "the columns"
                )
                raise self.error(fault, FaultKind.RAGGED, line=line)
            options = self._options
            try:
                count = read_count(cells[-1], thousands=options.thousands, blank=options.blank)
            except CountError as error:
                raise self._at(error, row + 1, width - 1, line, [f"{first}, {second}"]) from None
            values.append(count)
            self._blanks_read += is_blank(cells[-1])
            if self._pulse.due():
                yield self._step(self._source.size + offset)
        self._check_size(*pairs.shape)
        self._long = [pairs.note()]
        return self._made(Lines(pairs.counts(values), *pairs.names), own=False)

    def _made(self, lines: Lines, own: bool) -> ContingencyTable:
        """Return the table without its sums."""
        try:
            if own:
                self._sums = sum_notes(lines)
            else:
                lines, self._sums = without_totals(lines, self._options.totals)
        except TotalError as error:
            raise self.error(str(error), FaultKind.TOTAL) from None
        try:
            return ContingencyTable(*lines)
        except TableError as error:
            raise self.error(str(error), FaultKind.TOO_LARGE) from None

    def notes(self, table: ContingencyTable) -> Iterator[str]:
        """Yield what a reader of the table should know."""
        if self._layout.short:
            yield "the first line, one cell shorter than the others, was taken for cluster names"
        yield from self._layout.notes
        yield from self._long
        if self._blanks_read:
            n = self._blanks_read
            yield f"{n:,} blank {'cell was' if n == 1 else 'cells were'} read as 0"
        if self._options.thousands:
            yield f"{shown(self._options.thousands)} was read as the separator of thousands"
        yield from name_notes(table)
        yield from self._sums

    def error(self, fault: str, kind: FaultKind, line: int | None = None) -> ReadError:
        """Return the error for a fault of the block."""
        return ReadError(self._sentence(fault, line=line), kind=kind, line=line)

    def _check_size(self, n_rows: int, n_columns: int) -> None:
        if n_rows * n_columns > MAX_CELLS:
            raise self.error(
                f"the table has more than {MAX_CELLS:,} cells: leave out empty classes and "
                "clusters",
                FaultKind.TOO_MANY_CELLS,
            )

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
        odd = self._source.typed and set(map(type, cells)) != {str}
        joined = "" if odd else "".join(cells)
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
        if error.kind is FaultKind.BLANK and self._is_gap(column + layout.index):
            fault = "the column is blank, so two tables stand side by side: keep one in the file"
            if self._source.typed:
                fault = (
                    "the column is blank, so two tables stand side by side: choose the range of "
                    "one (--range, or Import labels or a sheet in the window)"
                )
            error = CountError(fault, kind=error.kind, fault=fault, value=error.value)
        if error.kind is FaultKind.TEXT and not self._source.typed:
            if row == 0 and not layout.header and options.header is None:
                hint = ", or say that the first line holds names"
            elif column == 0 and not layout.index and options.index is None and layout.width > 1:
                hint = ", or say that the first column holds names"
        return self._at(error, row + layout.above, column + layout.index, line, named, hint)

    def _is_gap(self, column: int) -> bool:
        """Return whether a column that is not the last is blank from top to bottom."""
        if column + 1 >= self._layout.width:
            return False
        return all(
            column >= len(cells) or is_blank(cells[column])
            for _, _, cells in islice(self._source.rows(), _LOOKED_AT)
        )

    def _at(
        self,
        error: CountError,
        row: int,
        column: int,
        line: int,
        named: Sequence[str],
        hint: str = "",
    ) -> CountError:
        return CountError(
            self._sentence(error.fault + hint, line=line, column=column, named=named),
            kind=error.kind,
            fault=error.fault,
            mark=error.mark,
            line=line,
            row=row,
            column=column,
            value=error.value,
        )

    def _step(self, done: int) -> Step[Any]:
        return Step(done, 2 * self._source.size, f"reading {self._source.name or 'the text'}")

    def _sentence(
        self,
        fault: str,
        *,
        line: int | None = None,
        column: int | None = None,
        named: Sequence[str] = (),
    ) -> str:
        name = self._source.name
        places = [name] if name else []
        if line is not None:
            places += self._source.place(line, column)
        place = ", ".join(places) + (f" ({', '.join(named)})" if named else "")
        text = f"{place}: {fault}" if place else fault
        # The name of a file keeps its own first letter.
        return text + "." if name else sentence(text)
