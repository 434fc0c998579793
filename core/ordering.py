"""In which order the classes and clusters of a table are shown."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from itertools import islice
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from core.cells import CellBatch
from core.metrics.assignment import matching
from core.studies.study import Pulse, Step, run_to_end
from core.table import ContingencyTable, IntArray

RowsBy: TypeAlias = Literal["table", "size", "name"]
ColumnsBy: TypeAlias = Literal["table", "matching", "size", "name"]

MATCHED_CELLS = 160_000
"""Cells, empty ones included, of the largest table whose best matching is looked for."""

# Names sorted, and cells looked at, in one go: some milliseconds' work.
_NAMES_AT_ONCE = 2_000
_CELLS_AT_ONCE = 1 << 16
# Digits that Python turns into a number without complaint.
_MOST_DIGITS = 4_000

_NUMBER = re.compile(r"[+\-−]?[0-9]+(\.[0-9]+)?")
_DIGITS = re.compile(r"([0-9]+)")


class TableOrder(NamedTuple):
    """The order of a table: the row, or column, of the table that stands in each place.

    Attributes
    ----------
    rows : ndarray of int64, shape (r,)
    columns : ndarray of int64, shape (c,)
    """

    rows: IntArray
    columns: IntArray


def row_order(table: ContingencyTable, by: RowsBy) -> IntArray:
    """Return the order in which to show the truth classes.

    Parameters
    ----------
    table : ContingencyTable
        Of shape (r, c).
    by : {"table", "size", "name"}
        As entered, the largest first, or by name: numbers as numbers, and before text.
        What is equal stays as entered.

    Returns
    -------
    ndarray of int64, shape (r,)
        The row of the table that stands first, second and so on.

    Raises
    ------
    ValueError
        If ``by`` is another word.

    Examples
    --------
    >>> row_order(ContingencyTable([[1, 0], [2, 3]], truth=["10", "9"]), "name").tolist()
    [1, 0]
    """
    return run_to_end(OrderTable(table, by)).rows


def column_order(
    table: ContingencyTable, by: ColumnsBy, rows: Sequence[int] | IntArray | None = None
) -> IntArray:
    """Return the order in which to show the clusters.

    Parameters
    ----------
    table : ContingencyTable
        Of shape (r, c).
    by : {"table", "matching", "size", "name"}
        As for `row_order`; or by the best one-to-one matching with the classes, so that
        large cells form a diagonal: first the cluster of the first class shown. Clusters
        without a class take the places of classes without a cluster, or follow, by the
        class that they have most items of; empty ones are last. In a table of more than
        160,000 cells the largest cells are matched first (a greedy matching): the best one
        takes too long.
    rows : array_like of int, shape (r,), optional
        The order in which the classes are shown; as entered by default.

    Returns
    -------
    ndarray of int64, shape (c,)
        The column of the table that stands first, second and so on.

    Raises
    ------
    ValueError
        If ``by`` is another word.

    Examples
    --------
    >>> table = ContingencyTable([[1, 8, 0], [9, 0, 0]])
    >>> column_order(table, "matching").tolist()
    [1, 0, 2]
    """
    fixed = None if rows is None else np.asarray(rows, np.int64)
    return run_to_end(OrderTable(table, "table", by, fixed)).columns


@dataclass(frozen=True, eq=False)
class OrderTable:
    """The study that puts the classes and clusters of a table in order.

    Attributes
    ----------
    table : ContingencyTable
    rows : {"table", "size", "name"}
    columns : {"table", "matching", "size", "name"}
        See `row_order` and `column_order`.
    shown_rows : ndarray of int64, shape (r,), optional
        The order of the classes if it is known already; then ``rows`` does not matter.
    """

    table: ContingencyTable
    rows: RowsBy = "table"
    columns: ColumnsBy = "table"
    shown_rows: IntArray | None = None

    def run(self) -> Generator[Step[TableOrder], None, None]:
        """Work, with a step every twentieth of a second; the last has the `TableOrder`.

        Raises
        ------
        ValueError
            If there is no such order.
        """
        table = self.table
        for by, known, what in (
            (self.rows, get_args(RowsBy), "rows"),
            (self.columns, get_args(ColumnsBy), "columns"),
        ):
            if by not in known:
                raise ValueError(f"{what} cannot be ordered by {by!r}: one of {', '.join(known)}")
        yield Step(0, None, "ordering the table")
        rows = self.shown_rows
        if rows is None:
            rows = yield from _lines(table, self.rows, 0)
        if self.columns == "matching":
            columns = yield from _by_matching(table, rows)
        else:
            columns = yield from _lines(table, self.columns, 1)
        yield Step(1, 1, "ordered the table", result=TableOrder(rows, columns))


_Steps: TypeAlias = Generator[Step[Any], None, IntArray]


def _lines(table: ContingencyTable, by: str, axis: int) -> _Steps:
    """Return the order of rows (axis 0) or columns by what is in them alone."""
    n = table.shape[axis]
    if by == "size":
        sizes = yield from _sizes(table, axis)
        return np.argsort(-sizes, kind="stable")
    if by == "name":
        return (yield from _by_name(table.clusters if axis else table.truth))
    return np.arange(n, dtype=np.int64)


def _sizes(table: ContingencyTable, axis: int) -> _Steps:
    cells = table.cells
    index, count = (cells.columns if axis else cells.rows), cells.counts
    sizes = np.zeros(table.shape[axis], np.int64)
    pulse = Pulse()
    for start in range(0, len(count), _CELLS_AT_ONCE):
        part = slice(start, start + _CELLS_AT_ONCE)
        np.add.at(sizes, index[part], count[part])
        if pulse.due():
            yield Step(start, len(count), "adding up")
    return sizes


def _by_name(names: Sequence[str]) -> _Steps:
    pulse = Pulse()
    runs: list[list[tuple[Any, int]]] = []
    # Sorted in pieces and merged: one call for all would hold up every other thread.
    for start in range(0, len(names), _NAMES_AT_ONCE):
        part = names[start : start + _NAMES_AT_ONCE]
        runs.append(sorted((natural_key(name), start + i) for i, name in enumerate(part)))
        if pulse.due():
            yield Step(start, 2 * len(names), "sorting the names")
    order = np.empty(len(names), np.int64)
    ranked: Iterator[int] = (place for _, place in merge(*runs))
    for start in range(0, len(names), _NAMES_AT_ONCE):
        part_order = list(islice(ranked, _NAMES_AT_ONCE))
        order[start : start + len(part_order)] = part_order
        if pulse.due():
            yield Step(len(names) + start, 2 * len(names), "sorting the names")
    return order


def natural_key(name: str) -> tuple[Any, ...]:
    """Return what a name is sorted by: numbers as numbers, then text in natural order.

    Parameters
    ----------
    name : str

    Returns
    -------
    tuple
        ``"-1"`` comes before ``"0"``, ``"9"`` before ``"10"``, all of them before text;
        ``"class 9"`` before ``"Class 10"``.
    """
    text = " ".join(name[:_MOST_DIGITS].split())
    if _NUMBER.fullmatch(text):
        plain = text.replace("−", "-")
        return 0, (float(plain) if "." in plain else int(plain)), name
    parts = _DIGITS.split(text.casefold())
    # Text and digits alternate, so like is compared with like. A number is the longer the
    # larger once its zeros are gone.
    key = tuple(
        (len(digits := part.lstrip("0")), digits) if i % 2 else part for i, part in enumerate(parts)
    )
    return 1, key, name


def _by_matching(table: ContingencyTable, rows: IntArray) -> _Steps:
    r, c = table.shape
    place = np.empty(r, np.int64)
    place[rows] = np.arange(r)
    # Where each column goes: beside the place of its row, else behind all, by that of its peak.
    keys = np.full(c, 2 * r, np.int64)
    cells = table.cells
    yield Step(0, 2, "matching classes and clusters")
    if not len(cells.counts):
        return np.arange(c, dtype=np.int64)
    if r * c <= MATCHED_CELLS:
        batch = CellBatch.of(table)
        cell = matching(batch)
        cell = cell[cell >= 0]
        matched_rows = batch.row_place[batch.row[cell]]
        matched_columns = batch.column_place[batch.column[cell]]
    else:
        matched_rows, matched_columns = yield from _greedy(table)
    yield Step(1, 2, "matching classes and clusters")
    keys = yield from _peak_places(table, place)
    keys[matched_columns] = places = place[matched_rows]
    # Where a class has none, another keeps the place, so that the others stay on the diagonal.
    gaps = np.setdiff1d(np.arange(places.max(initial=0)), places)
    free = np.setdiff1d(np.arange(c), matched_columns)
    free = free[np.argsort(keys[free], kind="stable")][: len(gaps)]
    keys[free] = gaps[: len(free)]
    return np.argsort(keys, kind="stable")


def _peak_places(table: ContingencyTable, place: IntArray) -> _Steps:
    """Return for each column r and the place of its largest cell, the first of equal ones."""
    r, c = table.shape
    cells = table.cells
    largest = np.zeros(c, np.int64)
    keys = np.full(c, 2 * r, np.int64)
    for start in range(0, len(cells.counts), _CELLS_AT_ONCE):
        part = slice(start, start + _CELLS_AT_ONCE)
        np.maximum.at(largest, cells.columns[part], cells.counts[part])
        yield Step(1, 2, "matching classes and clusters")
    for start in range(0, len(cells.counts), _CELLS_AT_ONCE):
        part = slice(start, start + _CELLS_AT_ONCE)
        column = cells.columns[part]
        peak = cells.counts[part] == largest[column]
        np.minimum.at(keys, column[peak], r + place[cells.rows[part][peak]])
        yield Step(1, 2, "matching classes and clusters")
    return keys


def _greedy(
    table: ContingencyTable,
) -> Generator[Step[Any], None, tuple[IntArray, IntArray]]:
    """Return rows and columns matched one by one, the largest cells first."""
    r, c = table.shape
    cells = table.cells
    ranked = np.argsort(-cells.counts, kind="stable")
    free_row, free_column = np.ones(r, np.bool_), np.ones(c, np.bool_)
    rows: list[int] = []
    columns: list[int] = []
    for start in range(0, len(ranked), _CELLS_AT_ONCE):
        part = ranked[start : start + _CELLS_AT_ONCE]
        row, column = cells.rows[part], cells.columns[part]
        both = free_row[row] & free_column[column]
        for i, j in zip(row[both].tolist(), column[both].tolist(), strict=True):
            if free_row[i] and free_column[j]:
                free_row[i] = free_column[j] = False
                rows.append(i)
                columns.append(j)
        if len(rows) == min(r, c):
            break
        yield Step(start, len(ranked), "matching classes and clusters")
    return np.array(rows, np.int64), np.array(columns, np.int64)
