"""The smallest and the largest agreement that the margins of a table allow."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy.typing as npt

from core.cells import CellBatch, FloatArray
from core.chance.extremes import (
    Extreme,
    largest_extreme_parts,
    smallest_extreme_parts,
    sum_of_squares,
)
from core.metrics import pairs
from core.metrics.metric import HAS_ITEMS, ScoreOptions
from core.table import Cells, ContingencyTable

SCORES = ("rand", "ari", "jaccard", "fowlkes_mallows")
"""The scores that the margins and the sum of squares decide; they grow with it."""

KEYS = (
    *(f"{key}_{end}" for key in ("sum_of_squares", *SCORES) for end in ("min", "max")),
    "ari_of_max",
)

NOTHING_BEYOND_CHANCE = (
    "the margins leave room for no agreement beyond chance, so there is no maximum to compare with"
)


@dataclass(frozen=True)
class Pairs:
    """Pairs of items of one table, or of the bound of a search, as Python integers.

    Attributes
    ----------
    both, truth, cluster, all : int
        As in `core.metrics.pairs.PairCounts`.
    """

    both: int
    truth: int
    cluster: int
    all: int

    @classmethod
    def of(cls, rows: list[int], columns: list[int], squares: int) -> Pairs:
        """Return the pairs that margins and a sum of squares make."""
        total = sum(rows)
        truth, cluster = (sum(n * (n - 1) // 2 for n in sums) for sums in (rows, columns))
        return cls((squares - total) // 2, truth, cluster, total * (total - 1) // 2)

    def with_both(self, both: int) -> Pairs:
        """Return the pairs of another table with the same margins."""
        return replace(self, both=both)

    @property
    def excess(self) -> int:
        """``all`` times the pairs together in both beyond those expected by chance."""
        return self.both * self.all - self.truth * self.cluster

    def score(self, key: str) -> float:
        """Return one of the ``SCORES``, by the conventions of pair counting.

        Where it is a ratio of integers it is rounded once.
        """
        either = self.truth + self.cluster
        if key == "rand":
            return (self.all + 2 * self.both - either) / self.all if self.all else 1.0
        if key == "ari":
            room = either * self.all - 2 * self.truth * self.cluster
            return 2 * self.excess / room if room else 1.0
        if key == "jaccard":
            return self.both / (either - self.both) if either else 1.0
        if not self.both:
            return 0.0 if either else 1.0
        return min(self.both / math.sqrt(self.truth * self.cluster), 1.0)


def share_of_max(given: Pairs, largest: Pairs) -> float:
    """Return ``ari / ari_max``, rounded once; NaN where the margins leave no choice.

    Identical partitions have all of it, even where nothing could be otherwise.
    """
    if largest.excess > 0:
        return given.excess / largest.excess
    return 1.0 if given.both == given.truth == given.cluster else math.nan


@dataclass(frozen=True, eq=False)
class AgreementExtremes(Mapping[str, Any]):
    """The agreement that the margins of a table allow: a mapping of key to value.

    Keys are ``sum_of_squares``, ``rand``, ``ari``, ``jaccard`` and ``fowlkes_mallows`` with
    ``_min`` and ``_max``, and ``ari_of_max``, the adjusted Rand index as a share of its
    largest value. Sums of squares are integers.

    A value is that of the best table found. Only where ``exact_min`` (or ``exact_max``) is
    True is it proven that no table with these margins goes further; otherwise the truth lies
    in ``bracket(key)``, from the best found to a proven bound.

    Attributes
    ----------
    table : ContingencyTable
    smallest, largest : Extreme
        The two ends of the sum of squares.
    """

    table: ContingencyTable
    smallest: Extreme = field(repr=False)
    largest: Extreme = field(repr=False)

    @property
    def exact_min(self) -> bool:
        """Whether the smallest agreement is proven."""
        return self.smallest.proven

    @property
    def exact_max(self) -> bool:
        """Whether the largest agreement is proven."""
        return self.largest.proven

    @property
    def exact(self) -> bool:
        """Whether both ends are proven."""
        return self.exact_min and self.exact_max

    @property
    def steps(self) -> int:
        """Partial tables that the search for the largest agreement has looked at."""
        return self.largest.steps

    @cached_property
    def table_min(self) -> ContingencyTable:
        """The table with the smallest agreement found; same margins, same names."""
        return self._named(self.smallest.cells)

    @cached_property
    def table_max(self) -> ContingencyTable:
        """The table with the largest agreement found; same margins, same names."""
        return self._named(self.largest.cells)

    def bracket(self, key: str) -> tuple[Any, Any]:
        """Return the two values between which the true one lies; equal where it is proven."""
        try:
            return self._brackets[key]
        except KeyError:
            raise KeyError(f"there is no extreme {key!r}: choose from {', '.join(KEYS)}") from None

    def why(self, key: str) -> str | None:
        """Return the sentence that says why a value does not exist, None if it does."""
        if not math.isnan(self[key]):
            return None
        if not self.table.total:
            return HAS_ITEMS.otherwise
        return (
            NOTHING_BEYOND_CHANCE
            if self.exact_max
            else "no table better than chance is found so far"
        )

    def __getitem__(self, key: str) -> Any:
        low, high = self.bracket(key)
        if key == "ari_of_max" and self.table.total:
            return self._share
        return high if key.endswith("_min") else low

    def __iter__(self) -> Iterator[str]:
        return iter(KEYS)

    def __len__(self) -> int:
        return len(KEYS)

    def _named(self, cells: Cells) -> ContingencyTable:
        batch = CellBatch.of(self.table)
        return ContingencyTable.from_cells(
            self.table.shape,
            batch.row_place[cells.rows],
            batch.column_place[cells.columns],
            cells.counts,
            truth=self.table.truth,
            clusters=self.table.clusters,
        )

    @cached_property
    def _pairs(self) -> Callable[[int], Pairs]:
        rows, columns = self.table.row_sums.tolist(), self.table.column_sums.tolist()
        return lambda squares: Pairs.of(rows, columns, squares)

    @cached_property
    def _share(self) -> float:
        given, largest = (
            self._pairs(n) for n in (sum_of_squares(self.table.cells), self.largest.found)
        )
        return share_of_max(given, largest)

    @cached_property
    def _brackets(self) -> dict[str, tuple[Any, Any]]:
        if not self.table.total:
            return dict.fromkeys(KEYS, (math.nan, math.nan))
        low, high = self.smallest, self.largest
        found: dict[str, tuple[Any, Any]] = {
            "sum_of_squares_min": (low.bound, low.found),
            "sum_of_squares_max": (high.found, high.bound),
        }
        tables = CellBatch.of([self.table_min, self.table_max])
        for key in SCORES:
            smallest, largest = score_of(key, tables).tolist()
            # A bound is no table, so its score is taken from its pairs.
            below = smallest if low.proven else self._pairs(low.bound).score(key)
            above = largest if high.proven else self._pairs(high.bound).score(key)
            found[f"{key}_min"] = (min(below, smallest), smallest)
            found[f"{key}_max"] = (largest, max(above, largest))
        found["ari_of_max"] = self._share_bracket()
        return {key: found[key] for key in KEYS}

    def _share_bracket(self) -> tuple[float, float]:
        given = self._pairs(sum_of_squares(self.table.cells))
        at_bound = share_of_max(given, self._pairs(self.largest.bound))
        if math.isnan(at_bound):
            return at_bound, at_bound
        # Where no table better than chance is found, nothing keeps the maximum away from it.
        at_found = -math.inf if math.isnan(self._share) else self._share
        return min(at_bound, at_found), max(at_bound, at_found)


def score_of(key: str, batch: CellBatch) -> FloatArray:
    """Return one of the ``SCORES`` of each table of a batch, shape (k,)."""
    return _COMPUTE[key](batch, ScoreOptions())


_COMPUTE = {metric.key: metric.compute for metric in pairs.METRICS if metric.key in SCORES}


def agreement_extremes_parts(
    table: ContingencyTable | npt.ArrayLike, *, steps: int | None = None
) -> Iterator[AgreementExtremes]:
    """Search for the extremes of agreement, so that a caller may show or stop in between.

    Parameters
    ----------
    table : ContingencyTable, or array_like of shape (r, c)
    steps : int, optional
        Partial tables that the search for the largest agreement looks at, at most. With it
        the result depends on nothing but the table.

    Yields
    ------
    AgreementExtremes
        What is known, some milliseconds apart for tables of ordinary size; brackets never
        widen. The first comes at once.

    Raises
    ------
    TableError
        If the input is not a contingency table.
    ValueError
        If ``steps`` has no meaning.
    """
    if not isinstance(table, ContingencyTable):
        table = ContingencyTable(table)
    if steps is not None and not _is_whole(steps):
        raise ValueError(f"steps is {steps!r}: it must be a whole number, 1 or more")
    return _parts(table, steps)


def _is_whole(steps: object) -> bool:
    whole = isinstance(steps, Integral) and not isinstance(steps, bool)
    return whole and steps >= 1  # type: ignore[operator]


def _parts(table: ContingencyTable, steps: int | None) -> Iterator[AgreementExtremes]:
    batch = CellBatch.of(table)
    rows, columns = batch.row_sum.tolist(), batch.column_sum.tolist()
    known = Cells(batch.row, batch.column, batch.count)
    if not rows:
        nothing = Extreme(known, 0, 0)
        yield AgreementExtremes(table, nothing, nothing)
        return
    found = sum_of_squares(known)
    # Squares are no fewer than items, and no more than either margin's.
    low = Extreme(known, found, sum(rows))
    high = Extreme(known, found, min(sum(n * n for n in sums) for sums in (rows, columns)))
    yield AgreementExtremes(table, low, high)
    for low in smallest_extreme_parts(rows, columns, known):
        yield AgreementExtremes(table, low, high)
    for high in largest_extreme_parts(rows, columns, known, steps):
        yield AgreementExtremes(table, low, high)


def agreement_extremes(
    table: ContingencyTable | npt.ArrayLike,
    *,
    seconds: float | None = 2.0,
    steps: int | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> AgreementExtremes:
    """Return the smallest and the largest agreement that the margins of a table allow.

    The smallest is found exactly. The largest is found exactly for two classes and two
    clusters, and by a search otherwise that proves most tables of up to ten classes and
    clusters in the time given, and brackets the others.

    Parameters
    ----------
    table : ContingencyTable, or array_like of shape (r, c)
        Rows are truth classes, columns are clusters; empty ones are left out.
    seconds : float or None
        After so long the search stops with what it has; None for no limit.
    steps : int, optional
        Partial tables that the search for the largest agreement looks at, at most. With
        ``seconds=None`` the result then depends on nothing but the table.
    clock : callable
        Returns the time in seconds.

    Returns
    -------
    AgreementExtremes
        A mapping. Where ``exact_max`` (or ``exact_min``) is False, its values are those of
        the best table found, and ``bracket(key)`` gives both ends of where the truth is.

    Raises
    ------
    TableError
        If the input is not a contingency table.
    ValueError
        If ``seconds`` or ``steps`` has no meaning.

    Examples
    --------
    >>> extremes = agreement_extremes([[8, 2], [1, 9]])
    >>> round(extremes["ari_max"], 4), round(extremes["ari_of_max"], 4), extremes.exact
    (0.7996, 0.5778, True)
    >>> extremes.table_max.counts.tolist()
    [[9, 1], [0, 10]]
    """
    if seconds is not None and not seconds >= 0:
        raise ValueError(f"seconds is {seconds!r}: it must be a number, 0 or more")
    end = None if seconds is None else clock() + seconds
    parts = agreement_extremes_parts(table, steps=steps)
    best = next(parts)
    for extremes in parts:
        best = extremes
        if end is not None and clock() >= end:
            break
    return best
