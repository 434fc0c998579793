"""The scores of one table, and of many: values, and why some do not exist."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch, FloatArray
from core.formatting import format_score
from core.interruption import checkpoint
from core.metrics.associativity_peakiness import (
    associativity,
    least_over_ties,
    most_over_ties,
    peaks,
)
from core.metrics.catalogue import METRICS
from core.metrics.detail import (
    ClassDetail,
    ClusterDetail,
    class_details,
    cluster_details,
    loss_share,
    peak_clusters,
)
from core.metrics.metric import (
    HAS_ITEMS,
    BoolArray,
    Metric,
    Requirement,
    ScoreOptions,
)
from core.remarks import remarks, remarks_on_several
from core.table import ContingencyTable, IntArray

FEW_TIES = 12
"""Rows with several largest counts among which the search over ties is quick."""

_BEYOND = "its parts are too small for double precision: choose an order q nearer to 1"


def _near(text: str) -> list[str]:
    """Return the keys that someone may have meant by a key, a symbol or a name."""
    wanted = text.casefold().replace("-", "_").replace(" ", "_")
    for metric in METRICS.values():
        if text.casefold() in (metric.symbol.casefold(), metric.name.casefold()):
            return [metric.key]
    return [wanted] if wanted in METRICS else difflib.get_close_matches(wanted, METRICS, 3, 0.5)


class UnknownMetricError(KeyError):
    """A key that the catalogue does not have; the message offers the nearest ones."""

    def __init__(self, key: str) -> None:
        near = _near(key) if isinstance(key, str) else []
        hint = f"did you mean {' or '.join(near)}?" if near else f"choose from {', '.join(METRICS)}"
        super().__init__(f"there is no metric {key!r}: {hint}")
        self.key = key

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        # BaseException would make it anew from the message, as if that were the key.
        return type(self), (self.key,)


@dataclass(frozen=True, eq=False)
class Column:
    """The values of one metric for every table of a batch.

    Attributes
    ----------
    key : str
    values : ndarray, shape (k,), or (R,) where there is one for each row
    lacking : ndarray of uint8, shape (k,)
        0, or the number of the first requirement that does not hold; one more where the
        value is beyond double precision.
    """

    key: str
    values: npt.NDArray[Any]
    lacking: npt.NDArray[np.uint8]

    @property
    def metric(self) -> Metric:
        """The metric that this is a column of."""
        return METRICS[self.key]

    def why(self, table: int) -> str | None:
        """Return the sentence that says why a value does not exist, None if it does."""
        number = int(self.lacking[table])
        sentences = [requirement.otherwise for requirement in _requirements(self.metric)]
        return [None, *sentences, _BEYOND][number]


class Scores(Mapping[str, Any]):
    """The scores of one table: a mapping of key to float.

    A metric with one value for each truth class, such as ``row_peakiness``, maps to an
    array over the classes that have items; a count of pairs, such as ``tp``, to an int.

    Attributes
    ----------
    table : ContingencyTable
    options : ScoreOptions
    """

    def __init__(
        self,
        table: ContingencyTable,
        options: ScoreOptions,
        batch: CellBatch,
        keys: Sequence[str],
        before: Scores | None = None,
    ) -> None:
        self.table = table
        self.options = options
        self._batch = batch
        known: Mapping[str, Column] = before._columns if before is not None else {}
        new = compute_columns([key for key in keys if key not in known], batch, options)
        self._columns: dict[str, Column] = {key: known.get(key) or new[key] for key in keys}

    def __getitem__(self, key: str) -> Any:
        column = _find(self._columns, key)
        if column.metric.per == "row":
            return column.values
        return column.values[0] if column.metric.whole else float(column.values[0])

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def why(self, key: str) -> str | None:
        """Return the sentence that says why a score does not exist, None if it does."""
        return _find(self._columns, key).why(0)

    def by_row(self, key: str) -> FloatArray:
        """Return a row metric for every truth class, shape (r,), NaN for an empty one."""
        column = _find(self._columns, key)
        if column.metric.per != "row":
            raise ValueError(f"{key!r} has one value for the whole table")
        values = np.full(self.table.shape[0], np.nan)
        values[self._batch.row_place] = column.values
        return values

    def range(self, key: str) -> tuple[float, float]:
        """Return the ends of the metric's range; under the margins where a bound is known.

        An end is infinite where the metric has no bound.
        """
        metric = _find(self._columns, key).metric
        if metric.upper is None or not self.table.total:
            return metric.low, metric.high
        return metric.low, float(metric.upper(self._batch)[0])

    def loss_share(self, key: str) -> FloatArray:
        """Return the share of each truth class in what a score loses, shape (r,).

        What a similarity lacks to 1, or what a distance amounts to, is for many metrics a
        sum over the truth classes.

        Returns
        -------
        ndarray of float64
            They sum to 1; NaN for an empty class, and for every class where the score does
            not exist, loses nothing, or does not split with the options chosen.

        Raises
        ------
        ValueError
            If the metric is no sum over truth classes (``Metric.loss`` is None).
        """
        column = _find(self._columns, key)
        if column.metric.loss is None:
            raise ValueError(f"{key!r} is not a sum over truth classes")
        return loss_share(column.metric, self._batch, self.options, float(column.values[0]))

    def only(self, keys: Sequence[str]) -> Scores:
        """Return some of the scores, in the order of the keys; others are computed now.

        Raises
        ------
        UnknownMetricError
            If a key is not in the catalogue.
        """
        return Scores(self.table, self.options, self._batch, checked_keys(keys), self)

    @cached_property
    def classes(self) -> tuple[ClassDetail, ...]:
        """Every truth class, in the order of the table."""
        shares = {
            key: self.loss_share(key)
            for key, column in self._columns.items()
            if column.metric.loss is not None
        }
        return class_details(self.table, self._batch, shares)

    @cached_property
    def clusters(self) -> tuple[ClusterDetail, ...]:
        """Every cluster, in the order of the table."""
        return cluster_details(self.table, self._batch)

    @cached_property
    def peak_clusters(self) -> tuple[tuple[int, ...], ...]:
        """The clusters, counted from 0, with the largest count of each truth class."""
        return tuple(peak_clusters(self._batch, self.table.shape[0]))

    @property
    def tied_rows(self) -> tuple[int, ...]:
        """Rows whose largest count stands in several columns, counted from 0."""
        tied = self._batch.derive(peaks).tied
        return tuple(self._batch.row_place[tied].tolist())

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the scores should know: ties, empty classes, margins, names."""
        return tuple(remarks(self.table, self.tied_rows, self.ties_matter))

    @cached_property
    def ties_matter(self) -> bool | None:
        """Whether associativity depends on how ties are broken.

        None where there are so many that it would take long to find out, and the least and the
        most are not among the scores.
        """
        if not self.tied_rows:
            return False
        known = ("associativity", "associativity_min", "associativity_max")
        if len(self.tied_rows) <= FEW_TIES:
            of_ties = (associativity, least_over_ties, most_over_ties)
            first, least, most = (float(self._batch.derive(of)[0]) for of in of_ties)
        elif all(key in self for key in known):
            first, least, most = (self[key] for key in known)
        else:
            return None
        if math.isnan(least):
            # The search for the least was too large, but the first may be below the most.
            return True if first < most else None
        return least != most

    def __reduce__(self) -> tuple[Any, ...]:
        # Metrics hold functions, which cannot be pickled; scores are computed again.
        return _score_again, (self.table, self.options, tuple(self._columns))

    def __repr__(self) -> str:
        inside = ", ".join(
            f"{key}={format_score(self[key])}"
            for key, column in self._columns.items()
            if column.metric.per == "table"
        )
        return f"<Scores: {inside}>"


class ManyScores(Mapping[str, Any]):
    """The scores of many tables: a mapping of key to an array of shape (k,).

    A metric with one value for each truth class maps to a tuple of k arrays, a count of
    pairs to an array of Python integers.
    """

    def __init__(
        self, columns: Mapping[str, Column], n_rows: IntArray, options: ScoreOptions
    ) -> None:
        self.options = options
        self._columns = columns
        self._n_rows = n_rows

    def __getitem__(self, key: str) -> Any:
        column = _find(self._columns, key)
        if column.metric.per == "row":
            return tuple(np.split(column.values, np.cumsum(self._n_rows))[:-1])
        return column.values

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def why(self, key: str, table: int) -> str | None:
        """Return why a score of one table (counted from 0) does not exist."""
        return _find(self._columns, key).why(table)


def checked_keys(metrics: Sequence[str] | None) -> tuple[str, ...]:
    """Return the keys asked for, once each, or raise UnknownMetricError."""
    if metrics is None:
        return tuple(key for key, metric in METRICS.items() if metric.when != "request")
    # An iterator is read once, here.
    keys = (metrics,) if isinstance(metrics, str) else tuple(metrics)
    for key in keys:
        if key not in METRICS:
            raise UnknownMetricError(key)
    return tuple(dict.fromkeys(keys))


def _find(columns: Mapping[str, Column], key: str) -> Column:
    try:
        return columns[key]
    except KeyError:
        if key in METRICS:
            raise KeyError(f"{key!r} was not asked for") from None
        raise UnknownMetricError(key) from None


def _score_again(table: ContingencyTable, options: ScoreOptions, keys: Sequence[str]) -> Scores:
    return Scores(table, options, CellBatch.of(table), keys)


def _requirements(metric: Metric) -> tuple[Requirement, ...]:
    return HAS_ITEMS, *metric.requires


def compute_columns(
    keys: Sequence[str], batch: CellBatch, options: ScoreOptions
) -> dict[str, Column]:
    """Return the columns of metrics for the tables of a batch."""
    with np.errstate(invalid="ignore", divide="ignore", under="ignore"):
        return {key: _compute(METRICS[key], batch, options) for key in keys}


def _compute(metric: Metric, batch: CellBatch, options: ScoreOptions) -> Column:
    checkpoint()
    values = metric.compute(batch, options)
    values = np.array(values, dtype=object if metric.whole else np.float64)
    lacking = np.zeros(batch.n_tables, dtype=np.uint8)
    for number, requirement in enumerate(_requirements(metric), start=1):
        lacks = batch.derive(_lacking, requirement)
        if lacks is None:
            continue
        lacking[lacks & (lacking == 0)] = number
        values[lacks if metric.per == "table" else lacks[batch.row_table]] = np.nan
    if metric.per == "table" and not metric.whole:
        lacking[np.isnan(values) & (lacking == 0)] = len(_requirements(metric)) + 1
    values.flags.writeable = False
    return Column(metric.key, values, lacking)


def _lacking(batch: CellBatch, requirement: Requirement) -> BoolArray | None:
    """Return which tables lack a requirement, shape (k,), None if no table does."""
    lacks = ~requirement.holds(batch)
    return lacks if lacks.any() else None


def cautions(names: Sequence[str], scores: Sequence[Scores], keys: Sequence[str]) -> list[str]:
    """Return what a reader should know before tables are ranked by their scores.

    Parameters
    ----------
    names : sequence of str
        What the tables are called.
    scores : sequence of Scores
        Theirs.
    keys : sequence of str
        The metrics that they are ranked by.

    Returns
    -------
    list of str
        Sentences without capital and full stop.
    """
    tied: list[str] = []
    if not {"ap", "associativity"}.isdisjoint(keys):
        tied = [name for name, of in zip(names, scores, strict=True) if of.ties_matter]
    return list(remarks_on_several([of.table for of in scores], tied))
