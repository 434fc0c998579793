"""Random tables with given margins: what labels shuffled at random would give.

A table is drawn by ``scipy.stats.random_table``, but one of giant counts by halving its
margins, each half being hypergeometric. Draws come in blocks
with a seed each, so that blocks computed anywhere, in any order, make the same tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch, group_starts
from core.chance.dealing import deal, padded
from core.counts import MAX_TOTAL, IntArray, TableError, checked_counts
from core.interruption import checkpoint
from core.table import ContingencyTable

Seed = int | Sequence[int]

# scipy multiplies two counts in 64 bits: from margins of about 3e9 each on it would draw
# negative counts or crash.
_SCIPY_TOTAL = 3_000_000_000
# Its time grows with the spread of a cell: beyond so many items a cell, halving is faster.
_SCIPY_ITEMS_A_CELL = 100_000

# Draws and cells of one block: some milliseconds' work that stays in the cache.
_BLOCK_DRAWS = 1024
_BLOCK_CELLS = 1 << 18

# A table of more cells, which would be a block of its own, is drawn by its items where they
# are fewer.
_DENSE_CELLS = _BLOCK_CELLS
# Cells or items of one draw at the most: with what its scores need, some gigabytes.
_MOST_NUMBERS = 1 << 25


def random_tables(
    row_sums: npt.ArrayLike, column_sums: npt.ArrayLike, draws: int, seed: Seed = 0
) -> IntArray:
    """Return random tables with given margins.

    Each table has the probability that shuffled labels give it,
    ``prod a_i! prod b_j! / (N! prod T_ij!)``.

    Parameters
    ----------
    row_sums, column_sums : array_like of int, shape (r,) and (c,)
        The margins; zeros are allowed and give empty rows and columns.
    draws : int
        Number of tables, 0 or more.
    seed : int or sequence of int
        Fixes the result, together with the margins and the number of draws.

    Returns
    -------
    ndarray of int64, shape (draws, r, c)

    Raises
    ------
    ValueError
        If a margin is not a list of counts, the totals differ or ``draws`` is no number
        of tables.

    Examples
    --------
    >>> tables = random_tables([3, 2], [4, 1], draws=100, seed=7)
    >>> tables.shape, tables.sum(axis=2).tolist()[0], tables.sum(axis=1).tolist()[0]
    ((100, 2, 2), [3, 2], [4, 1])
    """
    blocks = random_table_blocks(row_sums, column_sums, draws, seed)
    tables = np.empty((draws, len(np.asarray(row_sums)), len(np.asarray(column_sums))), np.int64)
    done = 0
    for block in blocks:
        tables[done : done + len(block)] = block
        done += len(block)
    return tables


def random_table_blocks(
    row_sums: npt.ArrayLike, column_sums: npt.ArrayLike, draws: int, seed: Seed = 0
) -> Iterator[IntArray]:
    """Return an iterator over blocks of `random_tables`, so that a caller may stop in between.

    A block holds about a quarter of a million cells, or one table where that is larger.

    Parameters
    ----------
    row_sums, column_sums, draws, seed
        As in `random_tables`.

    Returns
    -------
    iterator of ndarray of int64, shape (b, r, c)

    Raises
    ------
    ValueError
        As `random_tables`, at once.
    """
    rows, columns = _margins(row_sums, column_sums)
    return _table_blocks(rows, columns, _checked_draws(draws), _checked_seed(seed))


def _table_blocks(rows: IntArray, columns: IntArray, draws: int, seed: Seed) -> Iterator[IntArray]:
    row, column = np.flatnonzero(rows), np.flatnonzero(columns)
    full = len(row) == len(rows) and len(column) == len(columns)
    for number, generator in _blocks(len(row) * len(column), draws, seed):
        drawn = _dense(rows[row], columns[column], number, generator)
        if full:
            yield drawn
        else:
            block = np.zeros((number, len(rows), len(columns)), np.int64)
            block[:, row[:, None], column] = drawn
            yield block


def random_batches(
    row_sums: npt.ArrayLike, column_sums: npt.ArrayLike, draws: int, seed: Seed = 0
) -> Iterator[CellBatch]:
    """Return an iterator over batches of random tables, the columns of each in random order.

    So a rule that takes the first of several columns favours none of them. A large table
    with fewer items than cells costs what its items cost, not what its cells would.

    Parameters
    ----------
    row_sums, column_sums, draws, seed
        As in `random_tables`.

    Returns
    -------
    iterator of CellBatch
        The batches hold ``draws`` tables together.

    Raises
    ------
    ValueError
        As `random_tables`, at once.
    """
    rows, columns = _margins(row_sums, column_sums)
    cells = np.count_nonzero(rows) * np.count_nonzero(columns)
    by_items = cells > _DENSE_CELLS and int(rows.sum()) < cells
    drawn = _batches_by_items if by_items else _batches_by_cells
    return drawn(rows, columns, _checked_draws(draws), _checked_seed(seed))


def _batches_by_cells(
    rows: IntArray, columns: IntArray, draws: int, seed: Seed
) -> Iterator[CellBatch]:
    for number, block in enumerate(_table_blocks(rows, columns, draws, seed)):
        generator = np.random.default_rng(_sequence(seed, 1, number))
        order = generator.random((len(block), 1, len(columns))).argsort(axis=2)
        yield CellBatch.from_array(np.take_along_axis(block, order, axis=2))


def _batches_by_items(
    rows: IntArray, columns: IntArray, draws: int, seed: Seed
) -> Iterator[CellBatch]:
    shape = (len(rows), len(columns))
    names = [("",) * n for n in shape]
    # One table a block: it is large.
    for number in range(draws):
        checkpoint()
        generator = np.random.default_rng(_sequence(seed, 0, number))
        order = generator.permutation(shape[1])
        column = order[np.repeat(np.arange(shape[1]), columns)]
        generator.shuffle(column)
        place = np.repeat(np.arange(shape[0]), rows) * shape[1] + column
        place.sort()
        first = group_starts(place)
        row, column = np.divmod(place[first], shape[1])
        count = np.diff(first, append=len(place))
        yield CellBatch.of(ContingencyTable.from_cells(shape, row, column, count, *names))


def drawable(n_rows: IntArray, n_columns: IntArray, total: IntArray) -> npt.NDArray[np.bool_]:
    """Return whether random tables of some sizes fit in memory, shape (k,).

    Parameters
    ----------
    n_rows, n_columns, total : ndarray of int64, shape (k,)
        Non-empty rows, non-empty columns and items of each.
    """
    cells = n_rows.astype(np.float64) * n_columns
    numbers = np.where(cells > _DENSE_CELLS, np.minimum(cells, total), cells)
    fits: npt.NDArray[np.bool_] = numbers <= _MOST_NUMBERS
    return fits


def _margins(row_sums: npt.ArrayLike, column_sums: npt.ArrayLike) -> tuple[IntArray, IntArray]:
    rows, columns = _margin(row_sums, "row sum"), _margin(column_sums, "column sum")
    # Each total fits 64 bits; checked_counts has seen to it.
    a, b = int(rows.sum()), int(columns.sum())
    if a != b:
        raise ValueError(f"the row sums add up to {a} but the column sums to {b}")
    return rows, columns


def _margin(sums: npt.ArrayLike, what: str) -> IntArray:
    array = sums if isinstance(sums, np.ndarray) else np.array(sums, dtype=object)
    if array.ndim != 1 or not array.size:
        raise ValueError(f"{what}s are one list of counts, with at least one of them")
    try:
        checked: IntArray = checked_counts(array[None, :])[0]
    except TableError as error:
        if error.column is None:
            raise ValueError(f"the {what}s add up to more than {MAX_TOTAL}") from None
        fault = error.message.partition(": ")[2]
        raise ValueError(f"{what} {error.column + 1}: {fault}") from None
    return checked


def _checked_draws(draws: int) -> int:
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or draws < 0:
        raise ValueError(f"draws is {draws!r}: it must be a whole number, 0 or more")
    return int(draws)


def _checked_seed(seed: Seed) -> Seed:
    try:
        if seed is None or isinstance(seed, bool):  # from None numpy would make a random one
            raise TypeError
        _sequence(seed)
    except (TypeError, ValueError):
        raise ValueError(f"seed is {seed!r}: it must be a whole number, 0 or more") from None
    return seed


def _sequence(seed: Seed, *key: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed, spawn_key=key)


def _blocks(cells: int, draws: int, seed: Seed) -> Iterator[tuple[int, np.random.Generator]]:
    """Yield the size and the generator of each block: they depend on nothing else."""
    size = min(max(_BLOCK_CELLS // max(cells, 1), 1), _BLOCK_DRAWS)
    for block, start in enumerate(range(0, draws, size)):
        checkpoint()
        yield min(size, draws - start), np.random.default_rng(_sequence(seed, 0, block))


def _dense(
    rows: IntArray, columns: IntArray, draws: int, generator: np.random.Generator
) -> IntArray:
    """Draw tables with margins of which none is 0, shape (draws, r, c)."""
    if len(rows) < 2 or len(columns) < 2:
        # scipy fills such tables with whatever is in memory.
        return np.tile(rows[:, None] if len(columns) == 1 else columns, (draws, 1, 1))
    if int(rows.sum()) > min(_SCIPY_ITEMS_A_CELL * len(rows) * len(columns), _SCIPY_TOTAL):
        return _halved(rows, columns, draws, generator)
    from scipy.stats import random_table

    tables: IntArray = random_table.rvs(rows, columns, size=draws, random_state=generator)
    return tables


# Above the limit of scipy


def _halved(
    rows: IntArray, columns: IntArray, draws: int, generator: np.random.Generator
) -> IntArray:
    """Draw tables by dealing the columns to one half of the rows, then to its halves.

    All tables and all groups of rows at once, so that the passes of numpy are as many as
    ``log r log c``.
    """
    rows, columns = padded(rows), padded(columns)
    groups = np.tile(columns, (draws, 1, 1))
    while groups.shape[1] < len(rows):
        halves = rows.reshape(2 * groups.shape[1], -1).sum(axis=1)
        dealt = deal(groups, np.tile(halves[::2], (draws, 1)), generator)
        groups = np.stack([dealt, groups - dealt], axis=2).reshape(draws, -1, len(columns))
    return groups[:, : np.count_nonzero(rows), : np.count_nonzero(columns)]
