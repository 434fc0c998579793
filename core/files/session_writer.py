"""A session as lines of JSON, piece by piece; what has not changed is not encoded again."""

from __future__ import annotations

import json
import weakref
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from numbers import Integral, Real
from typing import Any

import numpy as np

from core.files.stamp import Stamp
from core.metrics.metric import ScoreOptions
from core.named_table import NamedTable
from core.ordering import ColumnsBy, RowsBy
from core.table import ContingencyTable
from core.version import PROGRAM, __version__

SESSION_SUFFIX = ".tallyscope"
"""The ending of a file that holds a session."""

FORMAT = "tallyscope session"
FORMAT_VERSION = 1

CELLS_A_LINE = 1000
"""Cells in a line of a table that is written as a list of its non-empty ones."""

LIST_COLUMNS = ("name", "size", "items")
"""What the list of tables can be sorted by, besides metrics."""

# Names and bytes handled at a time: a few milliseconds.
_NAMES = 20_000
_PIECE = 1 << 16


@dataclass(frozen=True)
class ListSorting:
    """How the list of tables is sorted.

    Attributes
    ----------
    by : str
        The key of a metric, ``name``, ``size`` (cells) or ``items``.
    falling : bool
        Whether the largest stands first.
    """

    by: str
    falling: bool = True


@dataclass(frozen=True)
class SessionContent:
    """What a session file holds.

    Attributes
    ----------
    tables : tuple of NamedTable
        The tables, in their order. Two may have the same name.
    current : int
        The one that is open, counted from 0.
    baseline : int or None
        The one that the others are compared with, counted from 0.
    options : ScoreOptions
        The conventions chosen.
    columns : tuple of str
        Keys of the metrics that the list of tables shows.
    order : (str, str)
        In which order classes and clusters are shown, as in `core.ordering`.
    sorting : ListSorting or None
        How the list of tables is sorted; None: not at all.
    stamp : tuple of int and int, or None
        When the file was last changed, in nanoseconds, and its size, where the session was
        read from one. It does not count in a comparison.

    Raises
    ------
    ValueError
        If ``current`` or ``baseline`` is the number of no table.
    """

    tables: tuple[NamedTable, ...]
    current: int = 0
    baseline: int | None = None
    options: ScoreOptions = field(default_factory=ScoreOptions)
    columns: tuple[str, ...] = ()
    order: tuple[RowsBy, ColumnsBy] = ("table", "table")
    sorting: ListSorting | None = None
    stamp: Stamp | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        n = len(self.tables)
        if not 0 <= self.current < max(n, 1):
            raise ValueError(f"current is {self.current}: there are {n} tables")
        if self.baseline is not None and not 0 <= self.baseline < n:
            raise ValueError(f"baseline is {self.baseline}: there are {n} tables")


@dataclass(frozen=True)
class _Known:
    """The text of a table that was written before."""

    table: weakref.ref[ContingencyTable]
    named: tuple[str, str | None, tuple[str, ...]]
    head: tuple[bytes, ...]
    body: tuple[bytes, ...]

    @property
    def size(self) -> int:
        return sum(map(len, self.head)) + sum(map(len, self.body))


class SessionWriter:
    """Writes one session again and again, and encodes only the tables that are new.

    A table never changes, so its text is kept beside it for as long as it is part of the
    session. One writer serves one session, from one thread at a time.

    Parameters
    ----------
    most_bytes : int
        Text that is kept, in bytes. Tables beyond are encoded each time.
    """

    def __init__(self, most_bytes: int = 128_000_000) -> None:
        self._most_bytes = most_bytes
        self._known: dict[int, _Known] = {}

    @property
    def kept_bytes(self) -> int:
        """How much text is kept, in bytes."""
        return sum(known.size for known in self._known.values())

    def pieces(self, content: SessionContent, saved: str | None = None) -> Iterator[bytes]:
        """Yield the bytes of the file, each piece the work of a few milliseconds.

        Parameters
        ----------
        content : SessionContent
        saved : str, optional
            When it is saved, as ISO 8601 has it.

        Yields
        ------
        bytes
            Whoever stops early gets a part of a file, which is no session.
        """
        yield _line(_header(content, saved))
        kept: dict[int, _Known] = {}
        room = self._most_bytes
        for named in content.tables:
            known = yield from self._table(named)
            if id(named.table) not in kept and known.size <= room:
                # Kept at once: whoever is stopped now need not encode it again.
                kept[id(named.table)] = self._known[id(named.table)] = known
                room -= known.size
        # What is no longer part of the session goes.
        self._known = kept
        yield _line({"end": len(content.tables)})

    def _table(self, named: NamedTable) -> Generator[bytes, None, _Known]:
        """Yield the text of a table, and return it."""
        known = self._known.get(id(named.table))
        # Another table may stand at the address of one that is gone.
        if known is not None and known.table() is not named.table:
            known = None
        about = named.name, named.source, named.notes
        head = known.head if known is not None and known.named == about else _table_head(named)
        made = yield from _passed_on(head)
        body = _joined(_table_lines(named.table)) if known is None else known.body
        return _Known(weakref.ref(named.table), about, made, (yield from _passed_on(body)))


def _passed_on(pieces: Iterable[bytes]) -> Generator[bytes, None, tuple[bytes, ...]]:
    """Yield pieces, and return all of them."""
    kept = []
    for piece in pieces:
        kept.append(piece)
        yield piece
    return tuple(kept)


def _header(content: SessionContent, saved: str | None) -> dict[str, Any]:
    header: dict[str, Any] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "program": f"{PROGRAM} {__version__}",
        "saved": saved,
        "options": {key: _plain(value) for key, value in asdict(content.options).items()},
        "columns": list(content.columns),
        "tables": len(content.tables),
        "current": content.current,
        "baseline": content.baseline,
    }
    # Only where there is one: earlier programs did not write them.
    if content.order != ("table", "table"):
        header["order"] = list(content.order)
    if content.sorting is not None:
        header["sorted_by"] = content.sorting.by
        header["falling"] = content.sorting.falling
    return header


def _plain(value: Any) -> Any:
    """Return the value of an option as JSON has it: numpy's numbers are not among them."""
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else value


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _encoded(text: str, value: Any) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        # Half of a surrogate pair has no UTF-8, but an escape.
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")


def _line(value: Any) -> bytes:
    return _encoded(_text(value), value) + b"\n"


def _table_head(named: NamedTable) -> Iterator[bytes]:
    table = named.table
    more: dict[str, Any] = {
        "source": named.source,
        "notes": list(named.notes),
        "noise": None if table.noise is None else asdict(table.noise),
        "shape": list(table.shape),
    }
    if _is_sparse(table):
        more["cells"] = len(table.cells.counts)
    yield b'{"table":' + _line(named.name)[:-1] + b',"truth":['
    yield from _names(table.truth)
    yield b'],"clusters":['
    yield from _names(table.clusters)
    yield b"]," + _line(more)[1:]


def _names(names: Sequence[str]) -> Iterator[bytes]:
    for start in range(0, len(names), _NAMES):
        yield (b"," if start else b"") + _line(names[start : start + _NAMES])[1:-2]


def _is_sparse(table: ContingencyTable) -> bool:
    """Return whether a list of the non-empty cells is shorter than rows of all of them."""
    r, c = table.shape
    n = len(table.cells.counts)
    # An empty cell costs a digit and a comma; a listed one its place and brackets.
    place = len(str(r)) + len(str(c)) + 4
    return n * place < 2 * (r * c - n)


def _table_lines(table: ContingencyTable) -> Iterator[bytes]:
    rows, columns, counts = table.cells
    r, c = table.shape
    if _is_sparse(table):
        for start in range(0, len(counts), CELLS_A_LINE):
            part = slice(start, start + CELLS_A_LINE)
            yield _line(np.stack([rows[part], columns[part], counts[part]], axis=1).tolist())
        return
    # Row by row from the cells: the whole table need not stand in memory.
    ends = np.searchsorted(rows, np.arange(r + 1)).tolist()
    for i in range(r):
        row = np.zeros(c, np.int64)
        row[columns[ends[i] : ends[i + 1]]] = counts[ends[i] : ends[i + 1]]
        yield _line(row.tolist())


def _joined(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield short lines together."""
    part: list[bytes] = []
    size = 0
    for line in lines:
        part.append(line)
        size += len(line)
        if size >= _PIECE:
            yield b"".join(part)
            part, size = [], 0
    if part:
        yield b"".join(part)
