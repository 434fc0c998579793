"""The expected mutual information of a table under its margins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch, FloatArray
from core.chance.deviance import deviance
from core.chance.hypergeometric import TAIL_EXPONENT, CellLaw
from core.table import IntArray

# Above this variance of a cell its expectation follows from its moments to 1e-16.
_MOMENT_VARIANCE = 1e8

# Distinct pairs of margins computed at a time, and probabilities that they sum: the one
# bounds the memory, both the time (some tenths of a second) for which a caller who wants to
# stop has to wait.
_PAIRS_AT_ONCE = 1 << 16
_TERMS_AT_ONCE = 1 << 23


def expected_information(batch: CellBatch) -> FloatArray:
    """Return N times the expected mutual information, in nats, shape (k,).

    The expectation is over all tables with the margins of the given one (the
    permutation model). Each distinct pair of margins is computed once.

    Notes
    -----
    Vinh, Epps, Bailey (2010), eq. 24a, written as a sum of centred terms:
    ``sum over cells of E[n ln(n/mu) - n + mu]``.
    """
    result = np.zeros(batch.n_tables)
    for part in expected_information_parts(batch):
        result = part.value
    return result


@dataclass(frozen=True, eq=False)
class Part:
    """How far the expectation has come: pairs of margins done, and their sum."""

    done: int
    pairs: int
    value: FloatArray


def expected_information_parts(batch: CellBatch) -> Iterator[Part]:
    """Yield `expected_information` as it grows, so that a caller may stop in between.

    Yields
    ------
    Part
        The last one holds the whole.
    """
    result = np.zeros(batch.n_tables)
    rows = _Distinct(batch.row_table, batch.row_sum, batch.n_tables)
    columns = _Distinct(batch.column_table, batch.column_sum, batch.n_tables)
    # Cells of table t: every distinct row sum meets every distinct column sum.
    per_row = columns.number[rows.table]
    ends = np.cumsum(per_row)
    terms = _most_terms(rows, columns, batch.total)
    shares = np.cumsum(per_row * np.maximum(terms / _TERMS_AT_ONCE, 1.0 / _PAIRS_AT_ONCE))
    start = 0
    while start < len(ends):
        done, share = (int(ends[start - 1]), shares[start - 1]) if start else (0, 0.0)
        stop = max(start + 1, int(np.searchsorted(shares, share + 1.0, side="right")))
        row = np.repeat(np.arange(start, stop), per_row[start:stop])
        first = np.repeat(ends[start:stop] - per_row[start:stop], per_row[start:stop])
        column = columns.start[rows.table[row]] + np.arange(done, done + len(row)) - first
        table = rows.table[row]
        law = CellLaw(rows.size[row], columns.size[column], batch.total[table])
        value = expected_deviance(law) * rows.repeats[row] * columns.repeats[column]
        result = result + np.bincount(table, value, minlength=batch.n_tables)
        start = stop
        yield Part(done + len(row), int(ends[-1]), result)


def expected_deviance(law: CellLaw) -> FloatArray:
    """Return ``E[n ln(n/mu) - n + mu]`` for each cell, shape (p,)."""
    wide = law.variance > _MOMENT_VARIANCE
    if not wide.any():
        return law.expectation(deviance)
    result = np.empty(len(law.a))
    narrow = ~wide
    if narrow.any():
        result[narrow] = CellLaw(law.a[narrow], law.b[narrow], law.total[narrow]).expectation(
            deviance
        )
    result[wide] = _from_moments(CellLaw(law.a[wide], law.b[wide], law.total[wide]))
    return result


def _from_moments(law: CellLaw) -> FloatArray:
    """Return the expectation by its series in central moments.

    ``m2/(2 mu) - m3/(6 mu^2) + m4/(12 mu^3)``; the next terms are smaller by
    ``1/mu^2``, below 1e-16 where the variance (and so mu) exceeds 1e8.
    """
    n = law.total.astype(np.float64)
    share_a, share_b = law.a / n, law.b / n
    rest_a, rest_b = (law.total - law.a) / n, (law.total - law.b) / n
    mean, m2 = law.mean, law.variance
    m3 = m2 * (rest_a - share_a) * (rest_b - share_b) * (n / (n - 2.0))
    # Excess kurtosis of the hypergeometric law, for N so large that N - k is N.
    spread = share_a * rest_a * share_b * rest_b
    excess = (1.0 - 6.0 * (share_a * rest_a + share_b * rest_b) + 30.0 * spread) / (n * spread)
    m4 = m2 * m2 * (3.0 + excess)
    value: FloatArray = (m2 / 2.0 - (m3 / 6.0 - m4 / (12.0 * mean)) / mean) / mean
    return value


class _Distinct:
    """The distinct margins of each table, with how often each occurs."""

    def __init__(self, table: IntArray, size: IntArray, n_tables: int) -> None:
        order = np.lexsort((size, table))
        table, size = table[order], size[order]
        new = np.ones(len(size), dtype=np.bool_)
        new[1:] = (size[1:] != size[:-1]) | (table[1:] != table[:-1])
        first = np.flatnonzero(new)
        self.table: IntArray = table[first]
        self.size: IntArray = size[first]
        self.repeats: IntArray = np.diff(np.append(first, len(size)))
        self.number: IntArray = np.bincount(self.table, minlength=n_tables)
        self.start: IntArray = np.cumsum(self.number) - self.number


def _most_terms(rows: _Distinct, columns: _Distinct, total: IntArray) -> FloatArray:
    """Return how many probabilities a cell of each distinct row sums, at most."""
    share = columns.size / total[columns.table]
    spread = np.zeros(len(total))
    np.maximum.at(spread, columns.table, share * (1.0 - share))
    of_row = total[rows.table]
    variance = rows.size * (1.0 - rows.size / of_row) * spread[rows.table]
    return _longest_window(variance, of_row)


def _longest_window(variance: FloatArray, total: npt.NDArray[Any]) -> FloatArray:
    """Return how many probabilities a cell sums whose variance is so much or less."""
    reach = np.sqrt(2.0 * TAIL_EXPONENT * np.minimum(variance, _MOMENT_VARIANCE))
    longest: FloatArray = np.minimum(2.0 * reach + 64.0, total + 1.0)
    return longest


def information_workload(row_sums: npt.ArrayLike, column_sums: npt.ArrayLike) -> int:
    """Return how many probabilities the expectation of one table sums, at most.

    Parameters
    ----------
    row_sums, column_sums : array_like of int
        Margins of the table.
    """
    rows, columns = np.unique(np.asarray(row_sums)), np.unique(np.asarray(column_sums))
    total = np.asarray(row_sums).sum(dtype=np.float64)
    return int(len(rows) * len(columns) * _longest_window(total / 16.0, total))
