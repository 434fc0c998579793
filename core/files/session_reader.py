"""From the lines of a session file to its tables, or what can be saved of a damaged one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from itertools import chain
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import Any, get_args

import numpy as np

from core.counts import IntArray
from core.files.errors import FaultKind, ReadError, shown
from core.files.noise import checked_noise
from core.files.session_writer import (
    FORMAT,
    FORMAT_VERSION,
    LIST_COLUMNS,
    ListSorting,
    SessionContent,
)
from core.metrics.catalogue import METRICS
from core.metrics.metric import ScoreOptions
from core.named_table import NamedTable
from core.noise import Noise
from core.ordering import ColumnsBy, RowsBy
from core.table import ContingencyTable, TableError

# What is decoded in one call, which nothing can interrupt: some milliseconds.
_AT_ONCE = 1_000_000


class SessionError(ReadError):
    """A session file that cannot be read, or not whole.

    Parameters
    ----------
    message : str
        One sentence: the file, the line and what is wrong there.
    kind : FaultKind
        What is wrong, for code.
    rescued : tuple of NamedTable
        The tables that can be read all the same.
    line : int, optional
        Line of the file, counted from 1.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: FaultKind,
        rescued: tuple[NamedTable, ...] = (),
        line: int | None = None,
    ) -> None:
        super().__init__(message, kind=kind, line=line)
        self.rescued = rescued


class _FaultError(ValueError):
    """What is wrong with a line, as the end of a sentence that begins with it."""


class _Table:
    """A table of which not all lines have come."""

    def __init__(self, line: int, about: dict[str, Any]) -> None:
        self.line = line
        self.name = _checked(about, "table", str, "text")
        self.truth = _texts(about, "truth")
        self.clusters = _texts(about, "clusters")
        self.notes = tuple(_texts(about, "notes", []))
        self.source = about.get("source")
        if not (self.source is None or isinstance(self.source, str)):
            raise _FaultError('has a "source" that is not text')
        self.shape = len(self.truth), len(self.clusters)
        if about.get("shape") != list(self.shape) or not all(self.shape):
            raise _FaultError(
                f"has {self.shape[0]} names of classes and {self.shape[1]} of clusters, and a "
                '"shape" that says otherwise'
            )
        self.noise = _noise(about.get("noise"))
        cells = about.get("cells")
        if not (cells is None or (type(cells) is int and cells >= 0)):
            raise _FaultError('has a "cells" that is not a number of cells')
        self.n_cells: int | None = cells
        self._parts: list[IntArray] = []
        self._n = 0

    @property
    def is_whole(self) -> bool:
        return self._n >= (self.shape[0] if self.n_cells is None else self.n_cells)

    @property
    def lacks(self) -> str:
        """What is still to come, for people."""
        if self.n_cells is None:
            return f"{self._n} of its {self.shape[0]} rows are there"
        return f"{self._n} of its {self.n_cells} cells are there"

    def add(self, value: Any) -> None:
        """Take a line of counts or of cells."""
        if not isinstance(value, list):
            raise _FaultError("should be a list of counts")
        if self.n_cells is None:
            if len(value) != self.shape[1]:
                raise _FaultError(
                    f"has {len(value)} counts where the table has {self.shape[1]} clusters"
                )
            self._parts.append(_whole_numbers(value))
            self._n += 1
            return
        if not all(type(cell) is list and len(cell) == 3 for cell in value):
            raise _FaultError("should be a list of cells, each with row, column and count")
        if self._n + len(value) > self.n_cells:
            raise _FaultError(f"has more cells than the {self.n_cells} of the table")
        self._parts.append(_whole_numbers(list(chain.from_iterable(value))).reshape(-1, 3))
        self._n += len(value)

    def finished(self) -> NamedTable:
        """Return the table."""
        try:
            if self.n_cells is None:
                table = ContingencyTable(np.stack(self._parts), self.truth, self.clusters)
            else:
                empty = np.empty((0, 3), np.int64)
                rows, columns, counts = np.concatenate([empty, *self._parts]).T
                table = ContingencyTable.from_cells(
                    self.shape, rows, columns, counts, self.truth, self.clusters
                )
        except TableError as error:
            raise _FaultError(f"begins a table that is none ({error.message})") from None
        if self.noise is not None:
            table = table.with_noise(self.noise)
        return NamedTable(self.name, table, self.source, self.notes)


class SessionLines:
    """Takes the lines of a session file one after the other.

    Parameters
    ----------
    name : str
        What messages call the file.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._line = 0
        self._header: dict[str, Any] | None = None
        self._tables: list[NamedTable] = []
        self._begun = 0
        self._table: _Table | None = None
        self._ended = False
        self._skipping = False
        self._fault: tuple[int, str] | None = None
        self._cut = False

    def take(self, line: bytes) -> None:
        """Take the next line.

        Raises
        ------
        SessionError
            If it is the first and not that of a session. Later faults are kept for the end,
            because what follows them may be whole.
        """
        self._line += 1
        self._cut = not line.endswith(b"\n")
        if self._header is None:
            self._take_header(line.removeprefix(b"\xef\xbb\xbf"))
            return
        # Behind a fault the next table is looked for.
        if not line.strip() or (self._skipping and not line.lstrip().startswith(b"{")):
            return
        try:
            self._take(_value(line))
        except _FaultError as fault:
            self._found(str(fault))
            self._table = None
            self._skipping = True

    def content(self) -> SessionContent:
        """Return the session after its last line.

        Raises
        ------
        SessionError
            If something was wrong.
        """
        if self._header is None:
            raise self._no_session()
        if self._table is not None:
            self._found(
                f"is the last, and of table {self._begun}, {shown(self._table.name)}, only "
                f"{self._table.lacks}: the end of the file is missing"
            )
        elif not self._ended:
            self._found("is the last, and the end of the file is missing")
        header, tables = self._header, tuple(self._tables)
        if header.get("tables", len(tables)) != len(tables) and self._fault is None:
            self._fault = 1, f"speaks of {header['tables']!r} tables where there are {len(tables)}"
        try:
            content = _content(header, tables)
        except (_FaultError, ValueError) as error:
            self._fault = self._fault or (1, f"has options that have no meaning ({error})")
        if self._fault is None:
            return content
        line, what = self._fault
        declared = header.get("tables")
        n = max(self._begun, len(tables), declared if isinstance(declared, int) else 0)
        left = f"{len(tables)} of its {n} tables" if len(tables) < n else f"All {n} tables"
        rest = f"{left} can still be opened." if tables else "No table can be read from it."
        raise SessionError(
            f"{self._name} is damaged: line {line} {what}. {rest}",
            kind=FaultKind.CUT if self._cut or not self._ended else FaultKind.DAMAGED,
            rescued=tables,
            line=line,
        )

    def _found(self, what: str) -> None:
        # The first fault is the one to mend; others may follow from it.
        if self._fault is None:
            self._fault = self._line, what

    def _no_session(self) -> SessionError:
        return SessionError(
            f"{self._name} is not a session of Tallyscope: its first line does not say so.",
            kind=FaultKind.DAMAGED,
            line=1,
        )

    def _take_header(self, line: bytes) -> None:
        try:
            value = _value(line)
        except _FaultError as fault:
            if FORMAT.encode("ascii") not in line:
                raise self._no_session() from None
            self._found(str(fault))
            value = {"format": FORMAT, "format_version": FORMAT_VERSION}
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            raise self._no_session()
        version = value.get("format_version")
        if type(version) is int and version > FORMAT_VERSION:
            raise SessionError(
                f"{self._name} was written by a newer Tallyscope (session format {version}, this "
                f"program knows {FORMAT_VERSION}): open it with a newer Tallyscope.",
                kind=FaultKind.NEWER,
                line=1,
            )
        if version != FORMAT_VERSION:
            self._found('has no "format_version" that is known')
        self._header = value

    def _take(self, value: Any) -> None:
        if isinstance(value, dict):
            if self._table is not None:
                unfinished, self._table = self._table, None
                self._found(
                    f"comes too early: of table {self._begun}, {shown(unfinished.name)}, only "
                    f"{unfinished.lacks}"
                )
            if self._ended:
                raise _FaultError("stands behind the line that ends the session")
            self._skipping = False
            if "table" in value:
                self._begun += 1
                self._table = _Table(self._line, value)
            elif "end" in value:
                self._ended = True
                if value["end"] != self._begun:
                    raise _FaultError(
                        f"ends {shown(str(value['end']))} tables where {self._begun} have come"
                    )
                return
            else:
                raise _FaultError("is neither a table nor the end")
        elif self._ended:
            raise _FaultError("stands behind the line that ends the session")
        elif self._table is None:
            if not self._tables:
                raise _FaultError("belongs to no table")
            # Nobody knows which of its lines is the one too many.
            surplus = self._tables.pop()
            raise _FaultError(f"is one too many for table {self._begun}, {shown(surplus.name)}")
        else:
            self._table.add(value)
        if self._table.is_whole:
            table, self._table = self._table, None
            try:
                self._tables.append(table.finished())
            except _FaultError as fault:
                # The table is at fault as a whole, and begins there.
                self._fault = self._fault or (table.line, str(fault))


def _content(header: dict[str, Any], tables: tuple[NamedTable, ...]) -> SessionContent:
    given = header.get("options", {})
    if not isinstance(given, dict):
        raise _FaultError("options are no object")
    known = {option.name for option in fields(ScoreOptions)}
    options = ScoreOptions(**{key: value for key, value in given.items() if key in known})
    # A newer program may show metrics that this one does not know.
    columns = tuple(key for key in _texts(header, "columns", []) if key in METRICS)
    current, baseline = header.get("current", 0), header.get("baseline")
    if type(current) is not int or not (baseline is None or type(baseline) is int):
        raise _FaultError("current and baseline are numbers of tables")
    return SessionContent(
        tables, current, baseline, options, columns, _order(header), _sorting(header)
    )


def _order(header: dict[str, Any]) -> tuple[RowsBy, ColumnsBy]:
    """Return in which order lines are shown; as entered, where this program knows no such order."""
    match header.get("order"):
        case [rows, columns] if rows in get_args(RowsBy) and columns in get_args(ColumnsBy):
            return rows, columns
    return "table", "table"


def _sorting(header: dict[str, Any]) -> ListSorting | None:
    """Return how the list is sorted; None where it is not, or by what is not known here."""
    by, falling = header.get("sorted_by"), header.get("falling", True)
    if not isinstance(by, str) or type(falling) is not bool:
        return None
    return ListSorting(by, falling) if by in METRICS or by in LIST_COLUMNS else None


def _noise(value: Any) -> Noise | None:
    if value is None:
        return None
    parts = {"choice": str, "labels": list, "items": int, "lost": int, "of": str}
    if not isinstance(value, dict) or any(
        type(value.get(part)) is not kind for part, kind in parts.items()
    ):
        raise _FaultError('has a "noise" that lacks something')
    labels = tuple(_texts(value, "labels"))
    choice, items, lost, of = (value[part] for part in parts if part != "labels")
    noise = checked_noise(Noise(choice, labels, items, lost, of))
    if noise is None:
        raise _FaultError('has a "noise" that has no meaning')
    return noise


def _checked(about: dict[str, Any], key: str, kind: type, what: str) -> Any:
    if not isinstance(about.get(key), kind):
        raise _FaultError(f'has a "{key}" that is not {what}')
    return about[key]


def _texts(about: dict[str, Any], key: str, default: list[str] | None = None) -> list[str]:
    value = about.get(key, default)
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise _FaultError(f'has a "{key}" that is not a list of texts')
    return value


def _whole_numbers(values: list[Any]) -> IntArray:
    # No bool, which is an int to Python, and no 1.0.
    for value in set(map(type, values)) - {int}:
        wrong = next(one for one in values if type(one) is value)
        raise _FaultError(f"has {shown(str(wrong))} where a whole number should be")
    try:
        numbers = np.array(values, np.int64)
    except OverflowError:
        raise _FaultError("has a number that is too large") from None
    if len(numbers) and numbers.min() < 0:
        raise _FaultError(f"has {int(numbers.min())}, and no count is negative")
    return numbers


def _value(line: bytes) -> Any:
    """Return the JSON value of a line."""
    try:
        text = line.decode("utf-8")
        decode = json.loads if len(text) < _AT_ONCE else _patient()
        return decode(text, parse_constant=_refuse) if decode is json.loads else decode(text)
    except UnicodeDecodeError:
        raise _FaultError("is not UTF-8") from None
    except (ValueError, RecursionError):
        end = "" if line.endswith(b"\n") else " and ends too early"
        raise _FaultError(f"is not JSON{end}") from None


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


@cache
def _patient() -> Callable[[str], Any]:
    """Return a decoder in Python, which lets others run while it reads a long line."""
    decoder = json.JSONDecoder(parse_constant=_refuse)
    decoder.scan_once = py_make_scanner(decoder)  # type: ignore[attr-defined]
    return decoder.decode
