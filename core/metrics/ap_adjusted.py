"""AP adjusted for chance: how far it lies above AP of random tables with its margins.

AP has no constant baseline: what it is by chance depends on the margins. No formula for
that is known, so it is estimated from random tables. They follow from a seed and from the
margins in order of size, and from nothing else: a table scores the same alone, among
others, and with its rows and columns in another order.

The columns of a random table come in random order. So where a row of it has several
largest cells, its vote, which AP gives to the first, falls to each of them equally often.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch, FloatArray
from core.chance.random_tables import drawable, random_batches
from core.metrics.associativity_peakiness import ap
from core.metrics.metric import (
    AP_FAMILY,
    HAS_ITEMS,
    TWO_CLASSES,
    BoolArray,
    EmptyTruth,
    Metric,
    Requirement,
    ScoreOptions,
    ratio,
)
from core.table import ContingencyTable, IntArray

_SOURCE = "Tallyscope; the adjustment as in Hubert and Arabie, J. Classification 2 (1985)"


@dataclass(frozen=True, eq=False)
class ExpectedAP:
    """The mean AP of random tables with the margins of each table.

    Attributes
    ----------
    mean, error : ndarray of float64, shape (k,)
        The estimate and its standard error, ``sd / sqrt(draws)``; NaN where AP does not
        exist, where a random table does not fit in memory, and while it is not done.
    done, total : int
        Random tables drawn so far, and their number.
    """

    mean: FloatArray
    error: FloatArray
    done: int
    total: int


def expected_ap(batch: CellBatch, empty_truth: EmptyTruth, draws: int, seed: int) -> ExpectedAP:
    """Estimate the expectation of AP under the margins of each table.

    Parameters
    ----------
    batch : CellBatch
        k tables; those with equal margins share their random tables.
    empty_truth, draws, seed
        As in `ScoreOptions`.
    """
    *_, last = expected_ap_parts(batch, empty_truth, draws, seed)
    return last


def expected_ap_parts(
    batch: CellBatch, empty_truth: EmptyTruth, draws: int, seed: int
) -> Iterator[ExpectedAP]:
    """Yield `expected_ap` as it grows, so that a caller may stop in between.

    Yields
    ------
    ExpectedAP
        One for each block of draws, all with the same two arrays, which fill up; the last
        holds all.
    """
    mean, error = np.full((2, batch.n_tables), np.nan)
    margins = _distinct_margins(batch, empty_truth)
    done, total = 0, draws * len(margins)
    for same in margins:
        scores = np.empty(draws)
        start = done
        for drawn in random_batches(same.rows, same.columns, draws, same.entropy(seed)):
            scores[done - start : done - start + drawn.n_tables] = ap(drawn, empty_truth)
            done += drawn.n_tables
            yield ExpectedAP(mean, error, done, total)
        mean[same.tables], error[same.tables] = _mean_and_error(scores)
    yield ExpectedAP(mean, error, done, total)


@dataclass(frozen=True, eq=False)
class _Margins:
    """Margins in order of size, and the tables that have them."""

    rows: IntArray
    columns: IntArray
    tables: list[int]

    def entropy(self, seed: int) -> list[int]:
        """Return what seeds the random tables; empty rows have no part in it."""
        rows = self.rows[self.rows > 0].tolist()
        margins = [len(rows), *rows, *self.columns.tolist()]
        # Mixed once to a few words, since every block mixes it again.
        state: list[int] = np.random.SeedSequence([seed, *margins]).generate_state(8).tolist()
        return state


def _distinct_margins(batch: CellBatch, empty_truth: EmptyTruth) -> list[_Margins]:
    row_sum = batch.row_sum[np.lexsort((batch.row_sum, batch.row_table))]
    column_sum = batch.column_sum[np.lexsort((batch.column_sum, batch.column_table))]
    rows = np.split(row_sum, np.cumsum(batch.n_rows)[:-1])
    columns = np.split(column_sum, np.cumsum(batch.n_columns)[:-1])
    empty = batch.shapes[:, 0] - batch.n_rows if empty_truth == "zero" else 0 * batch.n_rows
    found: dict[tuple[int, bytes, bytes], _Margins] = {}
    for table in np.flatnonzero(_DRAWABLE.holds(batch) & TWO_CLASSES.holds(batch)).tolist():
        key = (int(empty[table]), rows[table].tobytes(), columns[table].tobytes())
        if key not in found:
            with_empty = np.pad(rows[table], (int(empty[table]), 0))
            found[key] = _Margins(with_empty, columns[table], [])
        found[key].tables.append(table)
    return list(found.values())


def _mean_and_error(scores: FloatArray) -> tuple[float, float]:
    """Return the mean and its standard error; scores that are all equal are their mean."""
    above = scores - scores[0]
    mean = np.clip(scores[0] + above.mean(), scores.min(), scores.max())
    return float(mean), float(above.std(ddof=1)) / sqrt(len(scores))


@dataclass(frozen=True, eq=False)
class _Adjusted:
    """Adjusted AP and its standard error, shape (k,) each."""

    value: FloatArray
    error: FloatArray


def _adjusted(batch: CellBatch, empty_truth: EmptyTruth, draws: int, seed: int) -> _Adjusted:
    """Return ``(AP - E) / (1 - E)``.

    Its derivative by E is ``(AP - 1) / (1 - E)^2``, which gives the standard error.
    """
    expected = batch.derive(expected_ap, empty_truth, draws, seed)
    score = batch.derive(ap, empty_truth)
    room = 1.0 - expected.mean
    value = ratio(score - expected.mean, room, np.nan)
    error = ratio((1.0 - score) * expected.error, room * room, np.nan)
    # Where AP is 1 nothing depends on the estimate, even if that is 1 as well.
    value[score == 1.0], error[score == 1.0] = 1.0, 0.0
    batch.remember(_below_one, (expected.mean != 1.0) | (score == 1.0))
    return _Adjusted(value, error)


def _below_one(batch: CellBatch) -> BoolArray:
    """Return whether some random table scored less than 1, or the table itself 1, shape (k,).

    `_adjusted` knows. With three items or more at least two of three random tables do, so
    that only a handful of draws may all score 1.
    """
    return np.ones(batch.n_tables, np.bool_)


_DRAWABLE = Requirement(
    lambda batch: drawable(batch.n_rows, batch.n_columns, batch.total),
    "a random table with so many cells and items does not fit in memory",
)
_BELOW_ONE = Requirement(
    lambda batch: batch.derive(_below_one),
    "AP of every random table drawn is 1, which leaves no room above chance: draw more of them",
)


def _of(batch: CellBatch, options: ScoreOptions) -> _Adjusted:
    return batch.derive(_adjusted, options.empty_truth, options.draws, options.seed)


def _expected(batch: CellBatch, options: ScoreOptions) -> FloatArray:
    found = batch.derive(expected_ap, options.empty_truth, options.draws, options.seed)
    return found.mean


_REQUIRES = (TWO_CLASSES, _DRAWABLE)
_PARAMETERS = ("empty_truth", "draws", "seed")

METRICS = (
    Metric(
        key="ap_adjusted",
        name="AP adjusted for chance",
        symbol="AP adj",
        family=AP_FAMILY,
        low=-np.inf,
        high=1.0,
        formula=(
            "(AP - E) / (1 - E), E the mean AP of random tables with the same margins, their "
            "clusters in random order"
        ),
        source=_SOURCE,
        compute=lambda batch, options: _of(batch, options).value,
        parameters=_PARAMETERS,
        requires=(*_REQUIRES, _BELOW_ONE),
        when="request",
    ),
    Metric(
        key="ap_adjusted_error",
        name="Standard error of AP adjusted for chance",
        symbol="AP adj error",
        family=AP_FAMILY,
        low=0.0,
        high=np.inf,
        formula="(1 - AP) / (1 - E)^2 times the standard error of E, sd / sqrt(draws)",
        source=_SOURCE,
        compute=lambda batch, options: _of(batch, options).error,
        larger_is_better=None,
        parameters=_PARAMETERS,
        requires=(*_REQUIRES, _BELOW_ONE),
        when="request",
    ),
    Metric(
        key="ap_expected",
        name="AP expected by chance",
        symbol="E[AP]",
        family=AP_FAMILY,
        low=0.0,
        high=1.0,
        formula="mean AP of random tables with the same margins, their clusters in random order",
        source="Tallyscope",
        compute=_expected,
        larger_is_better=None,
        parameters=_PARAMETERS,
        requires=_REQUIRES,
        when="request",
    ),
)


@dataclass(frozen=True, eq=False)
class AdjustedAP:
    """AP adjusted for chance, of one table (numbers) or many (arrays of shape (k,)).

    Attributes
    ----------
    value : float or ndarray of float64
        ``(AP - E) / (1 - E)``; NaN where it does not exist.
    error : float or ndarray of float64
        Standard error of the value from the random tables alone.
    ap, expected, expected_error : float or ndarray of float64
        AP, its expectation E under the margins and the standard error of that.
    why : str, None, or tuple of these
        Why a value does not exist.
    draws, seed : int
        Random tables for each set of margins, and their seed.
    empty_truth : {"exclude", "zero"}
    """

    value: Any
    error: Any
    ap: Any
    expected: Any
    expected_error: Any
    why: Any
    draws: int
    seed: int
    empty_truth: EmptyTruth


def ap_adjusted(
    tables: ContingencyTable | Sequence[ContingencyTable] | npt.ArrayLike,
    draws: int = 1000,
    seed: int = 0,
    empty_truth: EmptyTruth = "exclude",
) -> AdjustedAP:
    """Adjust the AP of one or many tables for chance.

    Parameters
    ----------
    tables : ContingencyTable, array_like of shape (r, c) or (k, r, c), or a sequence of tables
        Rows are truth classes, columns are clusters.
    draws : int
        Random tables for each set of margins, 2 or more. The standard error falls with
        their square root.
    seed : int
        Seed of these tables, 0 or more.
    empty_truth : {"exclude", "zero"}
        As in `ScoreOptions`.

    Returns
    -------
    AdjustedAP
        Numbers for one table, arrays for many.

    Raises
    ------
    TableError
        If the input is not a contingency table.
    ValueError
        If an option has no meaning.

    Examples
    --------
    >>> found = ap_adjusted([[8, 2], [1, 9]])
    >>> found.expected < found.ap, found.value < found.ap, found.error < 0.02
    (True, True, True)
    """
    options = ScoreOptions(empty_truth=empty_truth, draws=draws, seed=seed)
    one = _is_one_table(tables)
    if one and not isinstance(tables, ContingencyTable):
        tables = ContingencyTable(tables)
    batch = CellBatch.of(tables)
    adjusted, score = _of(batch, options), batch.derive(ap, empty_truth)
    expected = batch.derive(expected_ap, empty_truth, draws, seed)
    why: list[str | None] = [None] * batch.n_tables
    for requirement in (HAS_ITEMS, *METRICS[0].requires):
        for table in np.flatnonzero(~requirement.holds(batch)).tolist():
            why[table] = why[table] or requirement.otherwise
    exists = np.array([reason is None for reason in why], np.bool_)
    has_ap = HAS_ITEMS.holds(batch) & TWO_CLASSES.holds(batch)

    def shown(values: FloatArray) -> Any:
        return float(values[0]) if one else values

    return AdjustedAP(
        value=shown(np.where(exists, adjusted.value, np.nan)),
        error=shown(np.where(exists, adjusted.error, np.nan)),
        ap=shown(np.where(has_ap, score, np.nan)),
        expected=shown(expected.mean),
        expected_error=shown(expected.error),
        why=why[0] if one else tuple(why),
        draws=draws,
        seed=seed,
        empty_truth=empty_truth,
    )


def _is_one_table(tables: Any) -> bool:
    """Say whether the input is a table and not several."""
    if hasattr(tables, "__array__"):
        return bool(np.ndim(tables) == 2)
    if not isinstance(tables, Sequence):
        return True
    first: Any = tables[0] if tables else None
    if isinstance(first, Sequence):
        return not (first and isinstance(first[0], Sequence))
    return hasattr(first, "__array__") and np.ndim(first) == 1
