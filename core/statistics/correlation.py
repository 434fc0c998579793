"""Correlations of scores, with bootstrap intervals and the AP paper's words for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.cells import FloatArray, group_starts
from core.counts import IntArray

Kind = Literal["pearson", "spearman"]

BANDS: tuple[tuple[float, str], ...] = (
    (0.25, "none"),
    (0.5, "weak"),
    (0.75, "moderate"),
    (1.0, "strong"),
)
"""The AP paper's table 9: below each limit of the absolute coefficient, a word."""

CONFIDENCE = 0.95

# Numbers of one block of resamples.
_BLOCK = 1 << 19


def band(coefficient: float) -> str:
    """Return the AP paper's word for a correlation (table 9); "undefined" for NaN."""
    if np.isnan(coefficient):
        return "undefined"
    return next((word for limit, word in BANDS if abs(coefficient) < limit), BANDS[-1][1])


@dataclass(frozen=True)
class Correlation:
    """A correlation coefficient with its interval.

    Attributes
    ----------
    coefficient : float
        NaN where one of the two does not vary, or fewer than two tables have both.
    low, high : float
        The percentile bootstrap interval; NaN where there is none.
    tables : int
        Tables that have both scores.
    """

    coefficient: float
    low: float
    high: float
    tables: int

    @property
    def band(self) -> str:
        """The AP paper's word for it."""
        return band(self.coefficient)


def resamples_for(tables: int) -> int:
    """Return how many resamples an interval is made of: fewer where it is narrow anyway."""
    return 1000 if tables <= 10_000 else 200 if tables <= 200_000 else 100


def pearson(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Return Pearson's correlation of the pairs that have both values; NaN if none."""
    return _once(x, y, "pearson")


def spearman(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """Return Spearman's rank correlation of the pairs that have both values; NaN if none."""
    return _once(x, y, "spearman")


def _once(x: npt.ArrayLike, y: npt.ArrayLike, kind: Kind) -> float:
    pair = _Pair(np.asarray(x, np.float64), np.asarray(y, np.float64), kind)
    return float(pair.coefficients(np.ones((1, pair.tables)))[0])


def bootstrap(
    values: FloatArray, reference: int, kind: Kind, resamples: int, seed: int
) -> Iterator[tuple[int, tuple[Correlation, ...]]]:
    """Yield correlations of scores with a chosen one, the intervals better each time.

    Parameters
    ----------
    values : ndarray of float64, shape (m, n)
        m scores of n tables; NaN where a score does not exist.
    reference : int
        The row that the others are correlated with.
    kind : {"pearson", "spearman"}
    resamples : int
        Tables are drawn with replacement so many times; all scores of a table go together.
    seed : int

    Yields
    ------
    done : int
        Resamples so far, from 0.
    correlations : tuple of Correlation, length m
    """
    m, n = values.shape
    pairs = [_Pair(values[reference], values[row], kind) for row in range(m)]
    plain = [float(pair.coefficients(np.ones((1, pair.tables)))[0]) for pair in pairs]
    drawn = np.full((m, resamples), np.nan)
    yield 0, _intervals(pairs, plain, drawn[:, :0])
    numbers = np.random.default_rng(seed)
    step = max(_BLOCK // max(n, 1), 1)
    for start in range(0, resamples, step):
        count = min(step, resamples - start)
        weights = np.stack(
            [np.bincount(numbers.integers(0, n, n), minlength=n) for _ in range(count)]
        ).astype(np.float64)
        for row, pair in enumerate(pairs):
            drawn[row, start : start + count] = pair.coefficients(weights[:, pair.there])
            yield start, _intervals(pairs, plain, drawn[:, :start])
        yield start + count, _intervals(pairs, plain, drawn[:, : start + count])


def _intervals(
    pairs: list[_Pair], plain: list[float], drawn: FloatArray
) -> tuple[Correlation, ...]:
    tail = (1 - CONFIDENCE) / 2
    found: list[Correlation] = []
    for pair, coefficient, sample in zip(pairs, plain, drawn, strict=True):
        known = sample[~np.isnan(sample)]
        low, high = (
            np.quantile(known, [tail, 1 - tail]).tolist()
            if len(known) and not np.isnan(coefficient)
            else (float("nan"), float("nan"))
        )
        found.append(Correlation(coefficient, low, high, pair.tables))
    return tuple(found)


class _Pair:
    """Two scores of the tables that have both, ready to be weighted."""

    def __init__(self, x: FloatArray, y: FloatArray, kind: Kind) -> None:
        there = np.isfinite(x) & np.isfinite(y)
        self.there: slice | IntArray = slice(None) if there.all() else np.flatnonzero(there)
        self._x, self._y = x[self.there], y[self.there]
        self.tables = len(self._x)
        self._same = bool((self._x == self._y).all())
        self._ranks = (
            (_Ranks(self._x), _Ranks(self._y)) if kind == "spearman" and self.tables else None
        )

    def coefficients(self, weights: FloatArray) -> FloatArray:
        """Return the correlation for each row of weights, shape (b,) for (b, n)."""
        if self._ranks is None:
            x, y = np.broadcast_to(self._x, weights.shape), np.broadcast_to(self._y, weights.shape)
        else:
            x, y = (ranks.weighted(weights) for ranks in self._ranks)
        total = weights.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            x = x - (weights * x).sum(axis=1, keepdims=True) / total
            y = y - (weights * y).sum(axis=1, keepdims=True) / total
            weighted = weights * x
            xx = np.einsum("bn,bn->b", weighted, x)
            xy = np.einsum("bn,bn->b", weighted, y)
            yy = np.einsum("bn,bn,bn->b", weights, y, y)
            found: FloatArray = xy / (np.sqrt(xx) * np.sqrt(yy))
        # What does not vary leaves rounding errors, no spread.
        found[self._still(self._x, weights) | self._still(self._y, weights)] = np.nan
        np.clip(found, -1.0, 1.0, out=found)
        if self._same:
            found[~np.isnan(found)] = 1.0
        return found

    @staticmethod
    def _still(values: FloatArray, weights: FloatArray) -> npt.NDArray[np.bool_]:
        """Return for each row of weights whether all values that it takes are equal."""
        if not len(values):
            return np.ones(len(weights), dtype=bool)
        taken = weights > 0
        first = values[taken.argmax(axis=1)]
        varies: npt.NDArray[np.bool_] = ((values != first[:, None]) & taken).any(axis=1)
        return ~varies


class _Ranks:
    """Midranks of a sample in which every value may be there any number of times."""

    def __init__(self, values: FloatArray) -> None:
        self._order = np.argsort(values, kind="stable")
        ordered = values[self._order]
        self._start = group_starts(ordered)
        sizes = np.diff(self._start, append=len(ordered))
        group = np.empty(len(values), np.int64)
        group[self._order] = np.repeat(np.arange(len(self._start)), sizes)
        self._group = group

    def weighted(self, weights: FloatArray) -> FloatArray:
        """Return the ranks for each row of weights, shape (b, n)."""
        sizes = np.add.reduceat(weights[:, self._order], self._start, axis=1)
        ranks: FloatArray = np.cumsum(sizes, axis=1) - sizes / 2 + 0.5
        return ranks[:, self._group]
