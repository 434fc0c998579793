"""Many tables as batches of bounded size, and a function applied to each, on many cores."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import numpy as np

from core.cells import CellBatch, table_of
from core.table import ContingencyTable, TableError, checked_counts

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

# Cells, rows and columns of a batch: enough that numpy's calls cost little beside its work,
# few enough that what is made of them stays in some tens of megabytes.
_SIZE = 1 << 14

# Items that each worker gets before anybody may stop.
_ROUND = 8


def chunks_of(tables: Any) -> Iterator[CellBatch]:
    """Yield the batches of many tables, in order; at least one, which may be empty.

    Parameters
    ----------
    tables : ContingencyTable, iterable of tables, or ndarray of shape (k, r, c)
        An iterable is read once, a batch at a time.

    Yields
    ------
    CellBatch
        Where tables are divided does not depend on who scores them. A table that is
        larger than a batch is one of its own.

    Raises
    ------
    TableError
        If a table is wrong; the message counts tables through the whole input.
    """
    if isinstance(tables, ContingencyTable):
        tables = (tables,)
    if isinstance(tables, np.ndarray) and tables.ndim == 3:
        # Checked as a whole, so that a fault is found before anything is computed.
        counts = checked_counts(tables, ndim=3)
        step = max(_SIZE // (counts.shape[1] * counts.shape[2]), 1)
        for start in range(0, max(len(counts), 1), step):
            yield CellBatch.from_array(counts[start : start + step])
        return
    try:
        numbered = enumerate(tables)
    except TypeError:
        raise TableError(f"many tables are a list or an array of them, not {tables!r}") from None
    chunk: list[ContingencyTable] = []
    size = 0
    for number, item in numbered:
        table = table_of(item, number)
        more = len(table.cells.counts) + sum(table.shape)
        if chunk and size + more > _SIZE:
            yield CellBatch.from_tables(chunk)
            chunk, size = [], 0
        chunk.append(table)
        size += more
    yield CellBatch.from_tables(chunk)


def apply_to_each(
    function: Callable[[_Item], _Result], items: Iterable[_Item], n_jobs: int | None = None
) -> list[_Result]:
    """Return the results of a function in the order of the items.

    Parameters
    ----------
    function, items, n_jobs
        As in `each_result`.

    Returns
    -------
    list
    """
    return list(each_result(function, items, n_jobs))


def each_result(
    function: Callable[[_Item], _Result], items: Iterable[_Item], n_jobs: int | None = None
) -> Iterator[_Result]:
    """Yield the results of a function in the order of the items.

    Whoever stops early closes the generator: work that has not begun is not done.

    Parameters
    ----------
    function : callable
        Of one argument; it can be pickled.
    items : iterable
        Read once, not much faster than the results come.
    n_jobs : int, optional
        Number of workers as joblib counts them, -1 for all cores. By default what the
        caller has set with ``joblib.parallel_config``, else 1.

    Yields
    ------
    object
    """
    # Who has not imported joblib has not configured it, and need not wait for it.
    if n_jobs == 1 or (n_jobs is None and "joblib" not in sys.modules):
        yield from map(function, items)
        return
    import joblib

    if joblib.effective_n_jobs(n_jobs) == 1:
        yield from map(function, items)
        return
    # Round by round: whoever stops, stops between rounds, and nothing is left undone.
    with joblib.Parallel(n_jobs=n_jobs) as parallel:
        upcoming = iter(items)
        size = _ROUND * joblib.effective_n_jobs(n_jobs)
        while taken := list(itertools.islice(upcoming, size)):
            yield from parallel(joblib.delayed(function)(item) for item in taken)
