"""Tables side by side: every score of each, and which is the best by each metric."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from core.cells import FloatArray
from core.metrics.catalogue import METRICS
from core.metrics.metric import BoolArray, ScoreOptions
from core.named_table import NamedTable
from core.scores import Scores, cautions
from core.studies.scored_tables import ScoredTables
from core.studies.study import Step


@dataclass(frozen=True, eq=False)
class Comparison:
    """Scores of several tables.

    Attributes
    ----------
    names : tuple of str
        What people call the k tables.
    scores : tuple of Scores
        All scores of each.
    keys : tuple of str
        The m metrics with one value a table, in the order of the catalogue.
    values : ndarray of float64, shape (m, k)
        NaN where a score does not exist.
    ranks : ndarray of float64, shape (m, k)
        1 for the best table by a metric, the mean of their ranks for tables that are
        equally good, which differ by no more than rounding; NaN where a score does not
        exist, or where neither more nor less of it is better.
    """

    names: tuple[str, ...]
    scores: tuple[Scores, ...]
    keys: tuple[str, ...]
    values: FloatArray
    ranks: FloatArray

    @cached_property
    def best(self) -> BoolArray:
        """Which tables are the best by each metric, some other being worse, shape (m, k)."""
        ranks = np.where(np.isnan(self.ranks), np.inf, self.ranks)
        least = ranks.min(axis=1, keepdims=True, initial=np.inf)
        known = np.where(np.isnan(self.ranks), -np.inf, self.ranks)
        most = known.max(axis=1, keepdims=True, initial=-np.inf)
        found: BoolArray = (ranks == least) & (least < most)
        return found

    def is_best(self, row: int, column: int) -> bool:
        """Whether a table is the best by a metric and some other is worse."""
        return bool(self.best[row, column])

    def wins(self) -> list[int]:
        """Return by how many metrics each table is the best, ties included, length k."""
        return [int(number) for number in self.best.sum(axis=0)]

    def summary(self, most: int = 3) -> str:
        """Return in words which tables are the best by most metrics.

        Parameters
        ----------
        most : int
            Tables named; those that win as often as the last of them are counted.
        """
        wins = self.wins()
        order = sorted(range(len(wins)), key=lambda column: -wins[column])
        order = [column for column in order if wins[column]]
        if not order:
            return "No table is better than the others by any metric."
        named, left = order[:most], order[most:]
        told = ", ".join(f"{self.names[column]} by {wins[column]}" for column in named)
        more = ""
        if left:
            equal = sum(wins[column] == wins[named[-1]] for column in left)
            others = "1 more table is" if len(left) == 1 else f"{len(left):,} more tables are"
            more = f" {others} the best by at least one"
            if equal:
                more += f", {equal:,} of them by {wins[named[-1]]} too"
            more += "."
        return f"Best, ties included: {told} of {len(self.keys)} numbers.{more}"

    @cached_property
    def cautions(self) -> tuple[str, ...]:
        """What to know before the tables are ranked, each a sentence."""
        said = cautions(self.names, self.scores, self.keys)
        return tuple(f"{text[0].upper()}{text[1:]}." for text in said)

    def differences(self, column: int) -> FloatArray:
        """Return the scores of all tables minus those of one of them, shape (m, k)."""
        return self.values - self.values[:, [column]]


@dataclass(frozen=True)
class CompareTables:
    """The study that scores tables and ranks them by each metric.

    Attributes
    ----------
    tables : sequence of NamedTable
    options : ScoreOptions
    known : sequence of Scores
        Scores that are there already.
    """

    tables: Sequence[NamedTable]
    options: ScoreOptions = field(default_factory=ScoreOptions)
    known: Sequence[Scores] = ()

    def run(self) -> Iterator[Step[Comparison]]:
        """Yield while scoring; partial results compare the tables scored so far."""
        compared = 0
        latest: Comparison | None = None
        for step in ScoredTables(self.tables, self.options, self.known).run():
            scored = step.partial or []
            if len(scored) > compared:
                compared = len(scored)
                latest = compare([s.name for s in scored], [s.scores for s in scored])
                # Looked through here: whoever shows them has no time for it.
                _ = latest.cautions
            yield Step(step.done, step.total, step.message, latest)
        latest = latest or compare([], [])
        yield Step(1, 1, "compared", latest, latest)


def compare(names: Sequence[str], scores: Sequence[Scores]) -> Comparison:
    """Return tables that are scored already, side by side.

    Parameters
    ----------
    names : sequence of str
    scores : sequence of Scores
        As many, of the same metrics.

    Returns
    -------
    Comparison
    """
    keys = tuple(key for key in (scores[0] if scores else ()) if METRICS[key].per == "table")
    values = np.array([[float(s[key]) for s in scores] for key in keys], np.float64)
    values = values.reshape(len(keys), len(scores))
    ranks = np.full(values.shape, np.nan)
    for i, key in enumerate(keys):
        metric = METRICS[key]
        if metric.larger_is_better is None:
            continue
        sign = -1 if metric.larger_is_better else 1
        if metric.whole:
            # Integers of any size, which differ or do not.
            ranks[i] = _ranks([_known(sign * s[key]) for s in scores])
        else:
            near = _NEAR_ZERO if metric.larger_is_better else 0.0
            ranks[i] = _ranks([_known(sign * float(s[key])) for s in scores], _ROUNDING, near)
    return Comparison(tuple(names), tuple(scores), keys, values, ranks)


# The same table with its lines in another order has scores that differ by some units in the
# last place. What is above chance or below it cancels near 0; a distance is a sum of terms
# none of which is negative, and a small one is as exact as a large one.
_ROUNDING = 1e-12
_NEAR_ZERO = 1e-13


def _known(value: float) -> float | None:
    # An integer may be too large for a float.
    return None if isinstance(value, float) and math.isnan(value) else value


def _ranks(
    values: Sequence[float | None], relative: float = 0.0, absolute: float = 0.0
) -> FloatArray:
    """Return ranks from 1, the smallest value first; ties share the mean of theirs.

    Values are tied that follow each other no further apart than the larger of both tolerances.
    """
    ranks = np.full(len(values), np.nan)
    known = [(value, place) for place, value in enumerate(values) if value is not None]
    known.sort()
    start = 0
    for i, (value, _) in enumerate(known):
        following = known[i + 1][0] if i + 1 < len(known) else None
        if following is not None and (
            following == value
            or following - value <= max(relative * max(abs(value), abs(following)), absolute)
        ):
            continue
        for _, place in known[start : i + 1]:
            ranks[place] = (start + 1 + i + 1) / 2
        start = i + 1
    return ranks
