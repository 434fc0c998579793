"""Scores of tables: the only way in to the metrics."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch, FloatArray
from core.chance.expected_information import (
    Part,
    expected_information,
    expected_information_parts,
)
from core.chance.information_variance import information_variance, information_variance_parts
from core.chance.margin_pairs import MarginPairs, margin_workload
from core.metrics.associativity_peakiness import peaks
from core.metrics.catalogue import METRICS
from core.metrics.metric import (
    GENERALISED_FAMILY,
    HAS_ITEMS,
    INFORMATION_FAMILY,
    Average,
    EmptyTruth,
    Family,
    Metric,
    ScoreOptions,
    When,
)
from core.table import ContingencyTable

_BEYOND = "its parts are too small for double precision: choose an order q nearer to 1"

MINUS = "\N{MINUS SIGN}"
UNDEFINED = "\N{EM DASH}"


class UnknownMetricError(KeyError):
    """A key that the catalogue does not have; the message offers the nearest ones."""

    def __init__(self, key: str) -> None:
        near = difflib.get_close_matches(str(key), METRICS, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"choose from {', '.join(METRICS)}"
        super().__init__(f"there is no metric {key!r}: {hint}")
        self.key = key

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        # BaseException would make it anew from the message, as if that were the key.
        return type(self), (self.key,)


@dataclass(frozen=True, eq=False)
class _Column:
    """The values of one metric for every table of a batch."""

    metric: Metric
    values: FloatArray
    reasons: tuple[str | None, ...]


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
        known: Mapping[str, _Column] = before._columns if before is not None else {}
        self._columns: dict[str, _Column] = {
            key: known.get(key) or _compute(METRICS[key], batch, options) for key in keys
        }

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
        return _find(self._columns, key).reasons[0]

    def by_row(self, key: str) -> FloatArray:
        """Return a row metric for every truth class, shape (r,), NaN for an empty one."""
        column = _find(self._columns, key)
        if column.metric.per != "row":
            raise ValueError(f"{key!r} has one value for the whole table")
        values = np.full(self.table.shape[0], np.nan)
        values[self._batch.row_place] = column.values
        return values

    def range(self, key: str) -> tuple[float, float]:
        """Return the smallest and largest value that the metric can take here.

        An end is infinite where the metric has no bound.
        """
        metric = _find(self._columns, key).metric
        if metric.upper is None or not self.table.total:
            return metric.low, metric.high
        return metric.low, float(metric.upper(self._batch)[0])

    @property
    def tied_rows(self) -> tuple[int, ...]:
        """Rows whose largest count stands in several columns, counted from 0."""
        tied = self._batch.derive(peaks).tied
        return tuple(self._batch.row_place[tied].tolist())

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the scores should know: ties, empty classes, margins, names."""
        return tuple(_warnings(self))

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

    def __init__(self, batch: CellBatch, options: ScoreOptions, keys: Sequence[str]) -> None:
        self.options = options
        self._batch = batch
        self._columns = {key: _compute(METRICS[key], batch, options) for key in keys}

    def __getitem__(self, key: str) -> Any:
        column = _find(self._columns, key)
        if column.metric.per == "row":
            ends = np.cumsum(self._batch.n_rows)
            return tuple(np.split(column.values, ends)[:-1])
        return column.values

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def why(self, key: str, table: int) -> str | None:
        """Return why a score of one table (counted from 0) does not exist."""
        return _find(self._columns, key).reasons[table]


def score(
    table: ContingencyTable | npt.ArrayLike,
    metrics: Sequence[str] | None = None,
    *,
    q: float = 1.0,
    beta: float = 1.0,
    average: Average = "arithmetic",
    empty_truth: EmptyTruth = "exclude",
    draws: int = 1000,
    seed: int = 0,
) -> Scores:
    """Score one table.

    Parameters
    ----------
    table : ContingencyTable, or array_like of shape (r, c)
        Rows are truth classes, columns are clusters.
    metrics : sequence of str, optional
        Keys of the catalogue; by default all but those that search or draw random
        tables (``Metric.when`` is ``"request"``).
    q, beta, average, empty_truth, draws, seed
        See `ScoreOptions`.

    Returns
    -------
    Scores
        A mapping of key to float; NaN where a score does not exist, and
        ``scores.why(key)`` says why.

    Raises
    ------
    TableError
        If the input is not a contingency table.
    UnknownMetricError
        If a key is not in the catalogue.
    ValueError
        If an option has no meaning.

    Examples
    --------
    >>> scores = score([[8, 2], [1, 9]], metrics=["ap", "ari"])
    >>> round(scores["ap"], 4), round(scores["ari"], 4)
    (0.9008, 0.462)
    """
    if not isinstance(table, ContingencyTable):
        table = ContingencyTable(table)
    options = ScoreOptions(q, beta, average, empty_truth, draws, seed)
    return Scores(table, options, CellBatch.of(table), checked_keys(metrics))


def score_many(
    tables: Sequence[ContingencyTable] | npt.ArrayLike,
    metrics: Sequence[str] | None = None,
    *,
    q: float = 1.0,
    beta: float = 1.0,
    average: Average = "arithmetic",
    empty_truth: EmptyTruth = "exclude",
    draws: int = 1000,
    seed: int = 0,
) -> ManyScores:
    """Score many tables in one pass.

    Parameters
    ----------
    tables : sequence of ContingencyTable, or array_like of shape (k, r, c)
        The tables of a sequence may have different shapes.
    metrics, q, beta, average, empty_truth, draws, seed
        As in `score`.

    Returns
    -------
    ManyScores
        A mapping of key to an array of shape (k,), float64.

    Raises
    ------
    TableError, UnknownMetricError, ValueError
        As in `score`; a faulty cell is named with its table.

    Examples
    --------
    >>> many = score_many([[[8, 2], [1, 9]], [[5, 5], [5, 5]]], metrics=["ari"])
    >>> many["ari"].round(4).tolist()
    [0.462, -0.0556]
    """
    options = ScoreOptions(q, beta, average, empty_truth, draws, seed)
    return ManyScores(CellBatch.of(tables), options, checked_keys(metrics))


@dataclass(frozen=True, eq=False)
class ScoringProgress:
    """How far the scoring of one table has come.

    Attributes
    ----------
    done, total : int
        Elementary terms summed, and their number.
    family : Family
        What is being computed.
    scores : Scores
        The scores so far; the last ones are complete.
    """

    done: int
    total: int
    family: Family
    scores: Scores


def score_in_parts(
    table: ContingencyTable, options: ScoreOptions | None = None
) -> Iterator[ScoringProgress]:
    """Score one table family by family, so that a caller may show or stop in between.

    Yields
    ------
    ScoringProgress
        At most some tenths of a second apart.
    """
    options = options or ScoreOptions()
    batch = CellBatch.of(table)
    cells = len(batch.count) + 1
    pairs = len(MarginPairs(batch))
    wanted = checked_keys(None)
    # What takes long, with the pairs of margins that it costs, before what is read from it.
    order: dict[When, int] = {"live": 0, "later": 1}
    stages = sorted(
        dict.fromkeys((METRICS[key].when, METRICS[key].family) for key in wanted),
        key=lambda stage: order[stage[0]],
    )
    total = cells + pairs * sum(work.weight for long in _LONG.values() for work in long)
    done = cells
    keys: list[str] = []
    scores = Scores(table, options, batch, keys)
    for when, family in stages:
        for work in _LONG.get((when, family.key), ()):
            q = work.order(options)
            value = np.zeros(batch.n_tables)
            if not batch.knows(work.function, q):
                for part in work.parts(batch, q):
                    value = part.value
                    yield ScoringProgress(done + part.done * work.weight, total, family, scores)
                batch.remember(work.function, value, q)
            done += pairs * work.weight
        keys += [k for k in wanted if METRICS[k].family == family and METRICS[k].when == when]
        scores = Scores(table, options, batch, keys, scores)
        yield ScoringProgress(done, total, family, scores)


@dataclass(frozen=True)
class _Long:
    """An intermediate result that is computed step by step, and what a pair of it costs."""

    function: Callable[[CellBatch, float], FloatArray]
    parts: Callable[[CellBatch, float], Iterator[Part]]
    order: Callable[[ScoreOptions], float]
    weight: int


_LONG: Mapping[tuple[str, str], tuple[_Long, ...]] = MappingProxyType(
    {
        ("live", INFORMATION_FAMILY.key): (
            _Long(expected_information, expected_information_parts, lambda _: 1.0, 1),
        ),
        ("live", GENERALISED_FAMILY.key): (
            _Long(expected_information, expected_information_parts, lambda o: o.q, 2),
        ),
        ("later", GENERALISED_FAMILY.key): (
            _Long(information_variance, information_variance_parts, lambda o: o.q, 10),
            _Long(expected_information, expected_information_parts, lambda _: 2.0, 2),
            _Long(information_variance, information_variance_parts, lambda _: 2.0, 10),
        ),
    }
)


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


def workload(table: ContingencyTable) -> int:
    """Return about how many elementary terms the scores of a table sum.

    A million take some ten milliseconds. It lets a caller decide where to compute.
    """
    pairs = margin_workload(table.row_sums, table.column_sums)
    return len(table.cells.counts) + pairs * sum(w.weight for long in _LONG.values() for w in long)


def format_score(value: float, digits: int = 4) -> str:
    """Return a score for people: fixed decimals, a true minus sign, a dash for NaN.

    Parameters
    ----------
    value : float
    digits : int
        Decimals shown.

    Examples
    --------
    >>> format_score(0.61677), format_score(-0.05, 2), format_score(float("nan"))
    ('0.6168', '−0.05', '—')
    """
    if np.isnan(value):
        return UNDEFINED
    text = f"{value:.{digits}f}"
    if text.startswith("-"):
        # A value that rounds to zero shows no sign.
        return MINUS + text[1:] if float(text) != 0 else text[1:]
    return text


def _find(columns: Mapping[str, _Column], key: str) -> _Column:
    try:
        return columns[key]
    except KeyError:
        if key in METRICS:
            raise KeyError(f"{key!r} was not asked for") from None
        raise UnknownMetricError(key) from None


def _compute(metric: Metric, batch: CellBatch, options: ScoreOptions) -> _Column:
    with np.errstate(invalid="ignore", divide="ignore", under="ignore"):
        values = metric.compute(batch, options)
    values = np.array(values, dtype=object if metric.whole else np.float64)
    reasons: list[str | None] = [None] * batch.n_tables
    for requirement in (HAS_ITEMS, *metric.requires):
        lacks = ~requirement.holds(batch)
        values[lacks if metric.per == "table" else lacks[batch.row_table]] = np.nan
        for table in np.flatnonzero(lacks).tolist():
            reasons[table] = reasons[table] or requirement.otherwise
    if metric.per == "table" and not metric.whole:
        for table in np.flatnonzero(np.isnan(values)).tolist():
            reasons[table] = reasons[table] or _BEYOND
    values.flags.writeable = False
    return _Column(metric, values, tuple(reasons))


def _warnings(scores: Scores) -> Iterator[str]:
    table = scores.table
    if not table.total:
        return
    tied = scores.tied_rows
    if tied:
        names = _listed([table.truth[i] for i in tied])
        one = len(tied) == 1
        yield (
            f"{'class' if one else 'classes'} {names} {'has' if one else 'have'} several largest "
            "cells: associativity takes the first, so it depends on the order of the clusters"
        )
    for sums, names_of, one_word, many in (
        (table.row_sums, table.truth, "class", "classes"),
        (table.column_sums, table.clusters, "cluster", "clusters"),
    ):
        empty = np.flatnonzero(sums == 0).tolist()
        if empty:
            names = _listed([names_of[i] for i in empty])
            word, verb = (one_word, "is") if len(empty) == 1 else (many, "are")
            yield f"{word} {names} {verb} empty and left out"
        yield from _repeated_names(names_of, one_word, many)
    yield from _margins(table)
    r, c = np.count_nonzero(table.row_sums), np.count_nonzero(table.column_sums)
    if c < r:
        yield (
            f"there are fewer clusters ({c}) than truth classes ({r}): "
            "some classes must share one, so associativity cannot reach 1"
        )


def _repeated_names(names: Sequence[str], one: str, many: str) -> Iterator[str]:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        word = f"a {one} name is" if len(twice) == 1 else f"{len(twice)} {one} names are"
        yield f"{word} used twice ({_listed(twice)}): the {many} are kept apart all the same"


# Larger tables are data, whose last line is not looked at for a sum.
_MARGIN_CELLS = 1_000_000


def _margins(table: ContingencyTable) -> Iterator[str]:
    """Yield what looks like a margin that came with the table and is scored with it."""
    r, c = table.shape
    if r * c > _MARGIN_CELLS:
        return
    for counts, sums, names, what in (
        (table.counts[:, -1], table.row_sums, table.clusters, "cluster"),
        (table.counts[-1], table.column_sums, table.truth, "class"),
    ):
        # With one other line, equal counts may well be data.
        if len(names) > 2 and np.array_equal(counts, sums - counts):
            yield (
                f"{what} {names[-1]} is the sum of the others: "
                "if it is a margin, delete it, or it is scored as data"
            )


def _listed(names: Sequence[str], most: int = 5) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
