"""Labels in arrays of NumPy and in Parquet files."""

from __future__ import annotations

import contextlib
import warnings
import zlib
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from math import prod
from pathlib import Path
from tokenize import TokenError
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np
import numpy.typing as npt

from core.files.decoding import MAX_BYTES, opened
from core.files.errors import FaultKind, ReadError, shown
from core.files.label_source import (
    BLOCK_CELLS,
    HEAD_ROWS,
    Block,
    Head,
    Texts,
    as_text,
    default_columns,
)
from core.files.stamp import Stamp, stamp_of
from core.studies.study import Step

_MOST_COLUMNS = 10_000
_DAMAGED = (
    BadZipFile,
    ValueError,
    KeyError,
    TypeError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    zlib.error,
    SyntaxError,
    # Of a header that is no Python, and of characters beyond the last one.
    TokenError,
    SystemError,
)

Array = npt.NDArray[Any]


@dataclass
class ArraySource:
    """A .npy or .npz file: arrays of one axis are columns, and so are columns of two axes.

    Attributes
    ----------
    path : Path
    name : str
        What messages call it.
    """

    path: Path
    name: str
    stamp: Stamp | None = field(default=None, init=False)
    _head: Head = field(init=False)
    _columns: list[Array] = field(init=False)
    _left_out: tuple[str, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        """Open the arrays, which are not read before they are asked for where they can be."""
        with opened(self.path, self.name) as (_, status):
            self.stamp = stamp_of(status)
        with self._reading():
            with warnings.catch_warnings():
                # Of headers that Python 2 wrote: they are read all the same.
                warnings.simplefilter("ignore")
                names, self._columns = self._flat(self._arrays())
            first = [_texts(column[:HEAD_ROWS].tolist(), Texts()) for column in self._columns]
        rows = tuple(zip(*first, strict=True))
        n = len(self._columns[0])
        lines = tuple(range(1, len(rows) + 1))
        named = any(names)
        if not named:
            names = list(default_columns(len(self._columns)))
        self._head = Head(tuple(names), named, rows, lines, n <= HEAD_ROWS)

    @property
    def head(self) -> Head:
        """The beginning of the arrays."""
        return self._head

    @property
    def how(self) -> str:
        """How the file is read."""
        return "the columns are arrays of NumPy"

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        """Say in a sentence what is wrong with the arrays."""
        try:
            yield
        except _DAMAGED as error:
            if isinstance(error, ReadError):
                raise
            raise ReadError(
                f"{self.name} is damaged or incomplete: write it again.",
                kind=FaultKind.UNREADABLE,
            ) from None

    def _arrays(self) -> list[tuple[str, Array]]:
        if self._is_single():
            return [("", np.load(self.path, mmap_mode="r", allow_pickle=False))]
        with ZipFile(self.path) as archive:
            for member in archive.infolist():
                if member.file_size > 4 * MAX_BYTES:
                    raise ReadError(
                        f"{self.name} holds an array of {member.file_size / 1e6:,.0f} MB, more "
                        f"than the {4 * MAX_BYTES / 1e6:,.0f} MB that are read: leave it out.",
                        kind=FaultKind.TOO_BIG,
                    )
                with archive.open(member) as stream:
                    self._check_size(stream, member.file_size)
        with np.load(self.path, allow_pickle=False) as loaded:
            return [(key, loaded[key]) for key in loaded.files]

    def _is_single(self) -> bool:
        """Return whether the file is one array and not an archive of several."""
        with opened(self.path, self.name) as (file, _):
            head = file.read(6)
            if head != b"\x93NUMPY":
                return False
            file.seek(0)
            self._check_size(file, None)
            return True

    def _check_size(self, stream: Any, size: int | None) -> None:
        """Refuse an array of objects, and one that says it is larger than its file."""
        form: Any = np.lib.format
        version = form.read_magic(stream)
        read = form.read_array_header_1_0 if version == (1, 0) else form.read_array_header_2_0
        shape, _, dtype = read(stream)
        self._check_objects(np.empty(0, dtype))
        if size is not None and prod(shape) * dtype.itemsize > size:
            raise ValueError("the array is larger than its file")

    def _check_objects(self, array: Array) -> None:
        if array.dtype.hasobject:
            raise ReadError(
                f"{self.name} holds Python objects, which are not read because they could run "
                "code: save the labels as numbers or as text, with astype(str).",
                kind=FaultKind.NOT_TEXT,
            )

    def _flat(self, arrays: list[tuple[str, Array]]) -> tuple[list[str], list[Array]]:
        """Return the columns that arrays are, those of one length."""
        found: dict[int, list[tuple[str, Array]]] = {}
        others = []
        for key, array in arrays:
            columns = list(_columns_of(key, array))
            if columns and len(array):
                found.setdefault(len(array), []).extend(columns)
            else:
                others.append(key)
        sizes = sorted(found, key=lambda n: len(found[n]), reverse=True)
        if not sizes:
            raise ReadError(
                f"{self.name} holds no labels: they are arrays of one axis, or the columns of one "
                "of two axes.",
                kind=FaultKind.NO_COUNTS,
            )
        if len(sizes) > 1 and len(found[sizes[0]]) == len(found[sizes[1]]):
            a, b = sizes[:2]
            raise ReadError(
                f"{self.name}: {shown(found[a][0][0])} has {a:,} items and "
                f"{shown(found[b][0][0])} {b:,}: give every item a label in each.",
                kind=FaultKind.RAGGED,
            )
        others += [name for size in sizes[1:] for name, _ in found[size]]
        self._left_out = tuple(others)
        kept = found[sizes[0]]
        if len(kept) > _MOST_COLUMNS:
            raise ReadError(
                f"{self.name} has more than {_MOST_COLUMNS:,} columns: these are hardly labels.",
                kind=FaultKind.TOO_MANY_CELLS,
            )
        return [name for name, _ in kept], [column for _, column in kept]

    def blocks(self, columns: Sequence[int]) -> Iterator[Block]:
        """Yield all items block by block."""
        n = len(self._columns[0])
        size = BLOCK_CELLS
        known = [Texts() for _ in columns]
        for start in range(0, n, size):
            stop = min(start + size, n)
            with self._reading():
                pieces = [self._columns[i][start:stop].tolist() for i in columns]
            yield Block(list(map(_texts, pieces, known)), stop - start, stop, n)

    def notes(self) -> Iterator[str]:
        """Yield what a reader should know."""
        if self._left_out:
            listed = ", ".join(map(shown, self._left_out[:5]))
            yield f"arrays that are no labels of these items were left out: {listed}"

    def place(self, item: int) -> Generator[Step[Any], None, str]:
        """Return the number of an item."""
        yield from ()
        return f"item {item + 1:,}"


def _columns_of(key: str, array: Array) -> Iterator[tuple[str, Array]]:
    if array.dtype.names and array.ndim == 1:
        for name in array.dtype.names:
            if array[name].ndim == 1:
                yield name, array[name]
    elif array.ndim == 1:
        yield key, array
    elif array.ndim == 2:
        for i in range(array.shape[1]):
            yield (f"{key} {i + 1}" if key else ""), array[:, i]


@dataclass
class ParquetSource:
    """A Parquet file, where the package that reads them is installed.

    Attributes
    ----------
    path : Path
    name : str
        What messages call it.
    """

    path: Path
    name: str
    stamp: Stamp | None = field(default=None, init=False)
    _file: Any = field(init=False)
    _head: Head = field(init=False)

    def __post_init__(self) -> None:
        """Look at the first rows."""
        with opened(self.path, self.name) as (_, status):
            self.stamp = stamp_of(status)
        try:
            parquet = import_module("pyarrow.parquet")
        except ImportError:
            raise ReadError(
                f"{self.name} is a Parquet file, which the Python package pyarrow reads: install "
                "it, or write the file as CSV.",
                kind=FaultKind.NOT_TEXT,
            ) from None
        try:
            self._file = parquet.ParquetFile(self.path)
            names = tuple(map(str, self._file.schema_arrow.names))
            batch = next(iter(self._file.iter_batches(batch_size=HEAD_ROWS)), None)
            columns = (
                []
                if batch is None
                else [_texts(batch.column(i).to_pylist(), Texts()) for i in range(len(names))]
            )
        except _DAMAGED:
            raise self._damaged() from None
        rows = tuple(zip(*columns, strict=True))
        n = int(self._file.metadata.num_rows)
        self._head = Head(names, True, rows, tuple(range(1, len(rows) + 1)), n <= len(rows))

    @property
    def head(self) -> Head:
        """The beginning of the file."""
        return self._head

    @property
    def how(self) -> str:
        """How the file is read."""
        return "the columns are those of the Parquet file"

    def blocks(self, columns: Sequence[int]) -> Iterator[Block]:
        """Yield all items block by block."""
        total, done = int(self._file.metadata.num_rows), 0
        wanted = [self._head.names[i] for i in columns]
        known = [Texts() for _ in columns]
        try:
            for batch in self._file.iter_batches(batch_size=BLOCK_CELLS, columns=wanted):
                place = {name: i for i, name in enumerate(batch.schema.names)}
                done += batch.num_rows
                pieces = [batch.column(place[name]).to_pylist() for name in wanted]
                yield Block(list(map(_texts, pieces, known)), batch.num_rows, done, total)
        except _DAMAGED:
            raise self._damaged() from None

    def _damaged(self) -> ReadError:
        return ReadError(
            f"{self.name} is damaged or incomplete: write it again.", kind=FaultKind.UNREADABLE
        )

    def notes(self) -> Iterator[str]:
        """Yield nothing: there is no doubt how it is read."""
        yield from ()

    def place(self, item: int) -> Generator[Step[Any], None, str]:
        """Return the number of an item."""
        yield from ()
        return f"item {item + 1:,}"


def _texts(values: list[Any], known: Texts) -> list[str]:
    try:
        return list(map(known.__getitem__, values))
    except TypeError:
        # Lists and the like, which Parquet has, cannot be looked up.
        return list(map(as_text, values))
