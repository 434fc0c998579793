"""Contingency tables in JSON: our export, plain lists and objects, what pandas writes."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple, cast

import numpy as np

from core.files import block
from core.files.block import name_notes
from core.files.counts import NOT_WHOLE, read_count
from core.files.errors import CountError, FaultKind, ReadError, plain, shown
from core.files.json_names import ShapeError
from core.files.json_shapes import JsonTable, tables_in
from core.files.json_values import json_value
from core.files.noise import checked_noise
from core.files.options import OpenOptions, ReadOptions, may_be_labels
from core.files.totals import Lines, TotalError, sum_notes, without_totals
from core.named_table import NamedTable
from core.noise import Noise
from core.studies.study import Pulse, Step
from core.table import MAX_TOTAL, ContingencyTable, IntArray, TableError

_LABELS_NOTE = "if each row is an item, save them as CSV and import that as labels"


class JsonTables(NamedTuple):
    """The tables of a JSON file.

    Attributes
    ----------
    tables : tuple of NamedTable
    notes : tuple of str
        What is to be said of all of them.
    is_export : bool
        Whether the file is one of our exports.
    """

    tables: tuple[NamedTable, ...]
    notes: tuple[str, ...]
    is_export: bool


def json_tables(
    text: str, options: OpenOptions, name: str, stem: str, source: str | None
) -> Generator[Step[Any], None, JsonTables]:
    """Yield steps while the tables of a JSON text are read; return them.

    Parameters
    ----------
    text : str
        The JSON.
    options : OpenOptions
        What is known already.
    name : str
        What messages call the file.
    stem : str
        What tables without a name are called, with a number behind where there are more.
    source : str or None
        Name of the file.

    Returns
    -------
    JsonTables

    Raises
    ------
    ReadError
        If it is not JSON or holds no table; `CountError` where one cell is at fault.
    """
    value = yield from json_value(text, name)
    try:
        found = tables_in(value, options)
    except ShapeError as error:
        raise ReadError(f"{name}: {error}.", kind=error.kind) from None
    tables: list[NamedTable] = []
    pulse = Pulse()
    for number, item in enumerate(found.tables, start=1):
        where = ""
        if len(found.tables) > 1:
            where = f"table {shown(item.name)}, " if item.name else f"table {number}, "
        reader = _Counts(item, options.read, name, where)
        for done in reader.read():
            if pulse.due():
                share = (number - 1 + done) / len(found.tables)
                yield Step(int(len(text) * (1 + share)), 2 * len(text), f"reading {name}")
        called = item.name
        if called is None:
            called = stem if len(found.tables) == 1 else f"{stem} {number}"
        notes = tuple(dict.fromkeys((*item.notes, *reader.notes)))
        if not item.own and may_be_labels(reader.table, item.truth is not None):
            notes += (_LABELS_NOTE,)
        tables.append(NamedTable(called, reader.table, item.source or source, notes))
    return JsonTables(tuple(tables), found.notes, found.is_export)


@dataclass
class _Counts:
    """Reads the counts of one table."""

    item: JsonTable
    options: ReadOptions
    name: str
    where: str

    def read(self) -> Generator[float, None, None]:
        """Yield the share that is read; then `table` and `notes` are there."""
        item = self.item
        width = len(item.rows[0]) if item.rows else 0
        if not width:
            raise self._error("it has no cells", FaultKind.NO_COUNTS)
        if len(item.rows) * width > block.MAX_CELLS:
            raise self._error(
                f"the table has more than {block.MAX_CELLS:,} cells: leave out empty classes and "
                "clusters",
                FaultKind.TOO_MANY_CELLS,
            )
        for what, names, size in (
            ("truth classes", item.truth, len(item.rows)),
            ("clusters", item.clusters, width),
        ):
            if names is not None and len(names) != size:
                raise self._error(
                    f"{len(names)} {what} are named where the counts have {size}: name them all",
                    FaultKind.RAGGED,
                )
        counts = np.empty((len(item.rows), width), np.int64)
        self._blanks = 0
        for row, cells in enumerate(item.rows):
            if len(cells) != width:
                raise self._error(
                    f"row {row + 1} has {len(cells)} cells where row 1 has {width}: give every "
                    "row the same number of cells",
                    FaultKind.RAGGED,
                    row,
                )
            self._read_row(cells, counts[row], row)
            yield row / len(item.rows)
        self.table, self.notes = self._made(counts)

    def _made(self, counts: IntArray) -> tuple[ContingencyTable, list[str]]:
        item = self.item
        lines, notes = Lines(counts, item.truth, item.clusters), []
        if self._blanks:
            n = self._blanks
            notes.append(f"{n:,} blank {'cell was' if n == 1 else 'cells were'} read as 0")
        try:
            if item.own:
                notes += sum_notes(lines)
            else:
                lines, said = without_totals(lines, self.options.totals)
                notes += said
        except TotalError as error:
            raise self._error(str(error), FaultKind.TOTAL) from None
        try:
            table = ContingencyTable(*lines)
        except TableError as error:
            raise self._error(error.message, FaultKind.TOO_LARGE) from None
        notes += name_notes(table)
        if item.noise is not None:
            noise = _noise(item.noise)
            if noise is None:
                notes.append("its record of noise could not be read")
            table = table.with_noise(noise)
        return table, notes

    def _read_row(self, cells: Sequence[Any], into: IntArray, row: int) -> None:
        if set(map(type, cells)) == {int}:
            try:
                into[:] = np.fromiter(cells, np.int64, len(cells))
            except OverflowError:
                # Named below.
                pass
            else:
                if into.min() >= 0:
                    return
        for column, cell in enumerate(cells):
            try:
                into[column] = self._count(cell)
            except CountError as error:
                raise self._placed(error, row, column) from None

    def _count(self, cell: Any) -> int:
        if isinstance(cell, str) or cell is None:
            self._blanks += not cell
            options = self.options
            return read_count(cell or "", thousands=options.thousands, blank=options.blank)
        shows = str(cell)
        if isinstance(cell, bool):
            shows = shows.lower()
            raise _fault(f"{shows} is a truth value: write 1 or 0", FaultKind.TEXT, shows)
        if isinstance(cell, list | dict):
            raise _fault("a list stands where a count should be", FaultKind.TEXT, shows[:40])
        if isinstance(cell, float) and not math.isfinite(cell):
            if math.isnan(cell):
                fault = "NaN stands for no value: write 0 if there are none"
                raise _fault(fault, FaultKind.MISSING, shows)
            raise _fault(f"a number is larger than {MAX_TOTAL}", FaultKind.TOO_LARGE, shows)
        if cell < 0:
            fault = f"{shows} is negative: a count is 0 or a positive whole number"
            raise _fault(fault, FaultKind.NEGATIVE, shows)
        if cell > MAX_TOTAL:
            fault = (
                f"{shown(shows)} is larger than {MAX_TOTAL}: divide all counts by a common factor"
            )
            raise _fault(fault, FaultKind.TOO_LARGE, shows)
        if isinstance(cell, Decimal) and cell != int(cell):
            raise _fault(f"{shows} {NOT_WHOLE}", FaultKind.FRACTION, shows)
        return int(cell)

    def _placed(self, error: CountError, row: int, column: int) -> CountError:
        item, named = self.item, []
        if item.truth is not None:
            named.append(f"class {plain(item.truth[row])}")
        if item.clusters is not None:
            named.append(f"cluster {plain(item.clusters[column])}")
        names = f" ({', '.join(named)})" if named else ""
        return CountError(
            f"{self.name}, {self.where}row {row + 1}, column {column + 1}{names}: {error.fault}.",
            kind=error.kind,
            fault=error.fault,
            mark=error.mark,
            row=row,
            column=column,
            value=error.value,
        )

    def _error(self, fault: str, kind: FaultKind, row: int | None = None) -> ReadError:
        place = f"{self.name}, {self.where}".removesuffix(", ")
        return ReadError(f"{place}: {fault}.", kind=kind, row=row)


def _fault(fault: str, kind: FaultKind, value: str) -> CountError:
    return CountError(fault, kind=kind, fault=fault, value=value)


def _noise(record: Any) -> Noise | None:
    """Return a record of noise, None where it is not one."""
    if not isinstance(record, dict):
        return None
    choice, labels, of = record.get("choice"), record.get("labels"), record.get("of")
    items, lost = record.get("items"), record.get("lost")
    if not isinstance(labels, list) or type(items) is not int or type(lost) is not int:
        return None
    if not all(isinstance(text, str) for text in (choice, of, *labels)):
        return None
    return checked_noise(Noise(cast(Any, choice), tuple(labels), items, lost, cast(Any, of)))
