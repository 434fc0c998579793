"""Contingency tables in the array files of NumPy: ``.npy`` and ``.npz``.

Nothing in them is ever run: arrays of Python objects are refused. What a header claims
is compared with the bytes that are there before memory is taken for it.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.files import block
from core.files.archive import member_bytes, opened_zip
from core.files.block import name_notes
from core.files.decoding import MAX_BYTES
from core.files.errors import FaultKind, ReadError, plain, shown
from core.files.options import OpenOptions
from core.files.totals import Lines, TotalError, without_totals
from core.named_table import NamedTable
from core.studies.study import Pulse, Step
from core.table import MAX_TOTAL, ContingencyTable, IntArray, TableError, checked_counts

_PIECE = 1 << 18
_MAX_HEADER = 20_000
_NAMES = ("truth", "clusters")


class ArrayTables(NamedTuple):
    """The tables of an array file, and what is to be said of all of them."""

    tables: tuple[NamedTable, ...]
    notes: tuple[str, ...]


def npy_tables(
    data: bytes, options: OpenOptions, name: str, stem: str, source: str | None
) -> Generator[Step[Any], None, ArrayTables]:
    """Yield steps while the tables of an ``.npy`` file are read; return them.

    Parameters
    ----------
    data : bytes
        The file: an array of shape (r, c), or (k, r, c) for k tables.
    options : OpenOptions
        What is known already.
    name : str
        What messages call the file.
    stem : str
        What the table is called, with a number behind where there are more.
    source : str or None
        Name of the file.

    Returns
    -------
    ArrayTables

    Raises
    ------
    ReadError
        If it is no such array, or holds what are no counts.
    """
    array = array_in(data, name)
    tables = yield from _tables(array, stem, name, source, options, None, None)
    notes = (f"the file holds {len(tables)} tables",) if len(tables) > 1 else ()
    return ArrayTables(tuple(tables), notes)


def npz_tables(
    data: bytes, options: OpenOptions, name: str, stem: str, source: str | None
) -> Generator[Step[Any], None, ArrayTables]:
    """Yield steps while the tables of an ``.npz`` file are read; return them.

    Every array of two axes is a table by its name, one of three axes several. Arrays of
    text named ``truth`` and ``clusters`` name the lines of a single table. The parameters
    are those of `npy_tables`.

    Raises
    ------
    ReadError
        If no array is a table, or one holds what are no counts.
    """
    with opened_zip(data, name) as archive:
        members = {
            member.filename.removesuffix(".npy"): member
            for member in archive.infolist()
            if member.filename.endswith(".npy")
        }
        wanted = list(members)
        if options.array is not None:
            if options.array not in members:
                raise ReadError(
                    f"{name} has no array {shown(options.array)}: choose {_listed(wanted)}.",
                    kind=FaultKind.PART,
                )
            wanted = [options.array]
        if {"indptr", "indices", "data", "shape"} <= set(members) and options.array is None:
            raise ReadError(
                f"{name} is a sparse matrix of scipy: save its toarray() with numpy.save.",
                kind=FaultKind.NOT_TEXT,
            )
        arrays: dict[str, npt.NDArray[Any]] = {}
        left: list[str] = []
        if sum(members[key].file_size for key in wanted) > 2 * MAX_BYTES:
            raise ReadError(
                f"{name} unpacks to more than {2 * MAX_BYTES / 1e6:.0f} MB: name the array to "
                "read, or save fewer.",
                kind=FaultKind.TOO_BIG,
            )
        for key in wanted:
            member = yield from member_bytes(archive, members[key], name)
            array = array_in(member, f"{name}, array {shown(key)}")
            if array.ndim in (2, 3) or (
                key in _NAMES and array.ndim == 1 and array.dtype.kind in "Uiu"
            ):
                arrays[key] = array
            else:
                left.append(f"{shown(key)} ({array.ndim} {'axis' if array.ndim == 1 else 'axes'})")
        truth, clusters = (_texts(arrays, key) for key in _NAMES)
        if not arrays:
            has = _listed(left) if left else "nothing"
            raise ReadError(
                f"{name} holds no table: it has {has}, a table has two axes.",
                kind=FaultKind.NO_COUNTS,
            )
        alone = len(arrays) == 1
        tables: list[NamedTable] = []
        for key, array in arrays.items():
            place = f"{name}, array {shown(key)}"
            names = (truth, clusters) if alone else (None, None)
            tables += yield from _tables(array, key or stem, place, source, options, *names)
    notes = [f"the file holds {len(tables)} tables"] if len(tables) > 1 else []
    if left:
        notes.append(f"{_listed(left)} {'was' if len(left) == 1 else 'were'} left out")
    if not alone and (truth or clusters):
        notes.append("the names were left out: there are several tables")
    return ArrayTables(tuple(tables), tuple(notes))


def array_in(data: bytes, name: str) -> npt.NDArray[Any]:
    """Return the array of an ``.npy`` file, without copying its data.

    Parameters
    ----------
    data : bytes
        The file.
    name : str
        What messages call it.

    Returns
    -------
    ndarray
        Read-only, of any shape, of numbers or text.

    Raises
    ------
    ReadError
        If it is none, holds Python objects, or has fewer bytes than its header says.
    """
    try:
        shape, by_columns, dtype, start = _header(data)
    except (ValueError, TypeError, SyntaxError, KeyError, RecursionError, MemoryError):
        raise _damaged(name, "has a header that cannot be read") from None
    if dtype.hasobject:
        raise ReadError(
            f"{name} holds Python objects, which are never loaded because they could run code: "
            "save an array of integers.",
            kind=FaultKind.NOT_TEXT,
        )
    if dtype.kind not in "biufU" or dtype.itemsize == 0:
        raise ReadError(
            f"{name} holds {shown(str(dtype))}, which are no counts: save an array of integers.",
            kind=FaultKind.TEXT,
        )
    size = math.prod(shape)
    if len(data) - start < size * dtype.itemsize:
        raise _damaged(name, "has fewer numbers than its header says, so it was cut")
    if size > block.MAX_CELLS:
        raise ReadError(
            f"{name} has more than {block.MAX_CELLS:,} cells: leave out empty classes and "
            "clusters.",
            kind=FaultKind.TOO_MANY_CELLS,
        )
    flat = np.frombuffer(data, dtype, size, start)
    return flat.reshape(shape, order="F" if by_columns else "C")


def _header(data: bytes) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    """Return shape, whether columns come first, type, and where the data begin.

    numpy reads it too, but takes headers of Python 2 for granted and warns of them.
    """
    version = data[6:8]
    width = {b"\x01\x00": 2, b"\x02\x00": 4, b"\x03\x00": 4}[version]
    length = int.from_bytes(data[8 : 8 + width], "little")
    start = 8 + width + length
    if length > _MAX_HEADER or start > len(data):
        raise ValueError("the header is too long")
    text = data[8 + width : start].decode("utf-8" if version[0] == 3 else "latin-1")
    fields = ast.literal_eval(text.strip())
    shape, by_columns = fields["shape"], fields["fortran_order"]
    if not (isinstance(shape, tuple) and isinstance(by_columns, bool)):
        raise TypeError("the header has other fields")
    if not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError("the shape is none")
    return shape, by_columns, np.lib.format.descr_to_dtype(fields["descr"]), start


def _damaged(name: str, what: str) -> ReadError:
    return ReadError(f"{name} {what}: save it again.", kind=FaultKind.DAMAGED)


def _tables(
    array: npt.NDArray[Any],
    called: str,
    place: str,
    source: str | None,
    options: OpenOptions,
    truth: list[str] | None,
    clusters: list[str] | None,
) -> Generator[Step[Any], None, list[NamedTable]]:
    if array.ndim not in (2, 3):
        axes = f"{array.ndim} {'axis' if array.ndim == 1 else 'axes'}"
        hint = ""
        if array.ndim == 1:
            hint = "; labels of items are counted with ContingencyTable.from_labels in Python"
        raise ReadError(
            f"{place} is an array of {axes}: a table has two, several tables have three{hint}.",
            kind=FaultKind.NO_COUNTS,
        )
    if array.dtype.kind == "U":
        raise ReadError(
            f"{place} holds text, which are no counts: save an array of integers.",
            kind=FaultKind.TEXT,
        )
    if array.dtype.kind == "b":
        raise ReadError(
            f"{place} holds truth values, which are no counts: save it with astype(int) if they "
            "are.",
            kind=FaultKind.TEXT,
        )
    if not array.size:
        raise ReadError(f"{place} has no cells: save the counts.", kind=FaultKind.NO_COUNTS)
    several = array.ndim == 3
    tables: list[NamedTable] = []
    pulse = Pulse()
    done = 0
    for i, counts in enumerate(array if several else array[None]):
        where = f"{place}, table {i + 1}" if several else place
        whole = np.empty(counts.shape, np.int64)
        total = 0
        for start, stop, piece in _checked(counts, where):
            whole[start:stop] = piece
            # Halves cannot overflow, whatever the counts are.
            total += (int((piece >> 32).sum()) << 32) + int((piece & 0xFFFFFFFF).sum())
            done += piece.size
            if pulse.due():
                yield Step(done, array.size, f"reading {place}")
        if total > MAX_TOTAL:
            raise ReadError(
                f"{where}: the counts add up to more than {MAX_TOTAL}: divide them by a common "
                "factor.",
                kind=FaultKind.TOO_LARGE,
            )
        name = f"{called} {i + 1}" if several else called
        tables.append(_named(whole, name, where, source, options, truth, clusters))
    return tables


def _checked(counts: npt.NDArray[Any], where: str) -> Iterator[tuple[int, int, IntArray]]:
    """Yield the rows of a table in pieces of checked counts."""
    rows = max(_PIECE // counts.shape[1], 1)
    for start in range(0, len(counts), rows):
        piece = counts[start : start + rows]
        try:
            yield start, start + len(piece), checked_counts(piece)
        except TableError as error:
            if error.row is None:
                fault, row = error.message, None
            else:
                row = error.row + start
                fault = error.message.partition(": ")[2]
                fault = f"row {row + 1}, column {(error.column or 0) + 1}: {fault}"
            raise ReadError(
                f"{where}: {fault}.",
                kind=_kind(error.value),
                row=row,
                column=error.column,
                value=error.value,
            ) from None


def _kind(value: object) -> FaultKind:
    if not isinstance(value, int | float):
        return FaultKind.TOO_LARGE
    if math.isnan(value):
        return FaultKind.MISSING
    if math.isinf(value):
        return FaultKind.INFINITE
    if value < 0:
        return FaultKind.NEGATIVE
    return FaultKind.TOO_LARGE if value > MAX_TOTAL else FaultKind.FRACTION


def _named(
    counts: IntArray,
    name: str,
    where: str,
    source: str | None,
    options: OpenOptions,
    truth: list[str] | None,
    clusters: list[str] | None,
) -> NamedTable:
    for what, names, size in (("truth", truth, len(counts)), ("clusters", clusters, len(counts.T))):
        if names is not None and len(names) != size:
            raise ReadError(
                f"{where}: {what} has {len(names)} names where the counts have {size}: name them "
                "all.",
                kind=FaultKind.RAGGED,
            )
    try:
        lines, notes = without_totals(Lines(counts, truth, clusters), options.read.totals)
    except TotalError as error:
        raise ReadError(f"{where}: {error}.", kind=FaultKind.TOTAL) from None
    table = ContingencyTable(*lines)
    return NamedTable(name, table, source, (*notes, *name_notes(table)))


def _texts(arrays: dict[str, npt.NDArray[Any]], key: str) -> list[str] | None:
    """Take names out of the arrays."""
    if key in arrays and arrays[key].ndim == 1:
        return list(map(str, arrays.pop(key).tolist()))
    return None


def _listed(names: list[str]) -> str:
    few = [plain(name) for name in names[:5]]
    return ", ".join(few) + (f" and {len(names) - 5} others" if len(names) > 5 else "")
