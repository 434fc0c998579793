"""What is looked up in the scores of a simulation: histograms, numbers, single tables."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.cells import FloatArray
from core.formatting import format_score
from core.metrics.catalogue import METRICS
from core.statistics.histogram import Histogram, nice_range
from core.statistics.summary import Summary, summarise
from core.studies.simulation import Simulation
from core.studies.study import Step
from core.table import ContingencyTable

# Scores looked at between two steps: some milliseconds' work.
_PIECE = 1 << 16

# An axis up to so many times as long as 0 to 1 has bins of the same width.
_MOST_LONGER = 4

Axis = tuple[float, float]


def shared_axis(lows: Sequence[float], highs: Sequence[float], bins: int = 10) -> Axis:
    """Return one axis for scores that are compared: 0 to 1, and below 0 as far as needed.

    Parameters
    ----------
    lows, highs : sequence of float
        The least and the largest score of each metric; NaN where there is none.
    bins : int
        Bins from 0 to 1; the axis has whole ones beyond, so that none lies on both sides of 0.
    """
    low = min((low for low in lows if not math.isnan(low)), default=0.0)
    high = max((high for high in highs if not math.isnan(high)), default=1.0)
    return min(math.floor(low * bins) / bins, 0.0), max(math.ceil(high * bins) / bins, 1.0)


def shared_bins(axis: Axis, bins: int) -> int:
    """Return how many bins a shared axis has that has so many from 0 to 1.

    One that is much longer has as many in all.
    """
    found = round((axis[1] - axis[0]) * bins)
    return found if found <= _MOST_LONGER * bins else bins


def shares_an_axis(key: str) -> bool:
    """Return whether a metric has 1 as its largest value, as similarities have."""
    metric = METRICS[key]
    return metric.high == 1 and metric.upper is None


def own_axis(low: float, high: float) -> Axis:
    """Return an axis for a metric that has no common range; 0 to 1 where there is no score."""
    if math.isnan(low) or math.isinf(low) or math.isinf(high):
        return 0.0, 1.0
    return nice_range(low, high)


@dataclass(frozen=True, eq=False)
class FillHistograms:
    """Count scores in the bins of histograms.

    Attributes
    ----------
    values : ndarray of float64, shape (m, n)
    axes : sequence of (float, float), length m
    bins : int or sequence of int, length m
    """

    values: FloatArray
    axes: Sequence[Axis]
    bins: int | Sequence[int]

    def run(self) -> Generator[Step[list[Histogram]], None, None]:
        """Yield while counting; the last step has a histogram for each row of values."""
        m, n = self.values.shape
        bins = [self.bins] * m if isinstance(self.bins, int) else self.bins
        histograms = [
            Histogram(low, high, n_bins)
            for (low, high), n_bins in zip(self.axes, bins, strict=True)
        ]
        for row, histogram in enumerate(histograms):
            for start in range(0, n, _PIECE):
                histogram.add(self.values[row, start : start + _PIECE])
                yield Step(row * n + start, m * n, "counting scores")
        yield Step(m * n, m * n, "counted", result=histograms)


@dataclass(frozen=True, eq=False)
class SummariseScores:
    """Summarise the scores of a simulation.

    Attributes
    ----------
    keys : sequence of str, length m
    values : ndarray of float64, shape (m, n)
    """

    keys: Sequence[str]
    values: FloatArray

    def run(self) -> Generator[Step[dict[str, Summary]], None, None]:
        """Yield metric by metric; partial results hold the first ones."""
        found: dict[str, Summary] = {}
        for key, scores in zip(self.keys, self.values, strict=True):
            yield Step(len(found), len(self.keys), "summarising scores", dict(found))
            found[key] = summarise(scores)
        yield Step(len(found), len(found), "summarised", found, found)


How = Literal["highest", "lowest", "equal", "between", "undefined"]


@dataclass(frozen=True)
class Pick:
    """Which tables of a simulation someone wants to see.

    Attributes
    ----------
    key : str
        The metric that decides.
    how : {"highest", "lowest", "equal", "between", "undefined"}
    low, high : float
        For "equal" the value is ``low``; for "between" scores from ``low`` to below ``high``,
        or up to it where ``closed``.
    closed : bool
    """

    key: str
    how: How = "highest"
    low: float = 0.0
    high: float = 1.0
    closed: bool = False

    def words(self, digits: int = 4) -> str:
        """Return it in words: ``AP from 0.5 to 0.55``."""
        symbol = METRICS[self.key].symbol
        low, high = format_score(self.low, digits), format_score(self.high, digits)
        if self.how == "between":
            return f"{symbol} from {low} to {'' if self.closed else 'below '}{high}"
        if self.how == "equal":
            return f"{symbol} exactly {self.low:g}"
        return f"{symbol} undefined" if self.how == "undefined" else f"{self.how} {symbol}"

    def chosen(self, scores: FloatArray) -> npt.NDArray[np.bool_]:
        """Return which scores are chosen; for "highest" and "lowest" all that exist."""
        if self.how == "between":
            below = scores <= self.high if self.closed else scores < self.high
            inside: npt.NDArray[np.bool_] = (scores >= self.low) & below
            return inside
        if self.how == "equal":
            return np.asarray(scores == self.low)
        missing = np.isnan(scores)
        return missing if self.how == "undefined" else ~missing


@dataclass(frozen=True, eq=False)
class Picked:
    """Tables that someone wants to see.

    Attributes
    ----------
    pick : Pick
    total : int
        How many there are.
    numbers : ndarray of int64, shape (k,)
        Their numbers from 0, the first of them: by score for "highest" and "lowest", else in
        the order in which they were made.
    """

    pick: Pick
    total: int
    numbers: npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PickTables:
    """Find tables of a simulation by a score.

    Attributes
    ----------
    scores : ndarray of float64, shape (n,)
        By the metric of the pick.
    pick : Pick
    most : int
        Tables listed at the most.
    """

    scores: FloatArray
    pick: Pick
    most: int = 1000

    def run(self) -> Generator[Step[Picked], None, None]:
        """Yield while looking; the last step has the tables."""
        n = len(self.scores)
        parts: list[npt.NDArray[np.int64]] = []
        for start in range(0, n, _PIECE):
            chosen = self.pick.chosen(self.scores[start : start + _PIECE])
            parts.append(np.flatnonzero(chosen) + start)
            yield Step(start, n, "looking for tables")
        numbers = np.concatenate(parts) if parts else np.zeros(0, np.int64)
        total = len(numbers)
        if self.pick.how in ("highest", "lowest") and total:
            sign = -1.0 if self.pick.how == "highest" else 1.0
            scores = sign * self.scores[numbers]
            most = min(self.most, total)
            # The tables with a score as good as that of the last one listed, and better ones.
            near = np.flatnonzero(scores <= np.partition(scores, most - 1)[most - 1])
            numbers = numbers[near[np.argsort(scores[near], kind="stable")]]
        yield Step(n, n, "found", result=Picked(self.pick, total, numbers[: self.most]))


@dataclass(frozen=True, eq=False)
class MakeTables:
    """Make some tables of a simulation again, as they were.

    Attributes
    ----------
    simulation : Simulation
    numbers : sequence of int
        From 0.
    """

    simulation: Simulation
    numbers: Sequence[int]

    def run(self) -> Generator[Step[list[ContingencyTable]], None, None]:
        """Yield table by table; the last step has all of them."""
        scenario, seed = self.simulation.scenario, self.simulation.seed
        made: list[ContingencyTable] = []
        total = len(self.numbers)
        for number in self.numbers:
            yield Step(len(made), total, "making tables again")
            made += scenario.tables(seed, [number])
        yield Step(total, total, "made", made, made)
