"""Scores of tables: the only way in to the metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
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
from core.chunks import apply_to_each, chunks_of
from core.metrics.associativity_peakiness import peaks
from core.metrics.catalogue import METRICS
from core.metrics.metric import (
    GENERALISED_FAMILY,
    INFORMATION_FAMILY,
    Average,
    EmptyTruth,
    Family,
    ScoreOptions,
    When,
)
from core.scores import FEW_TIES, Column, ManyScores, Scores, checked_keys, compute_columns
from core.table import ContingencyTable, IntArray


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
    tables: ContingencyTable | Iterable[ContingencyTable | npt.ArrayLike] | npt.ArrayLike,
    metrics: Sequence[str] | None = None,
    *,
    q: float = 1.0,
    beta: float = 1.0,
    average: Average = "arithmetic",
    empty_truth: EmptyTruth = "exclude",
    draws: int = 1000,
    seed: int = 0,
    n_jobs: int | None = None,
) -> ManyScores:
    """Score many tables, many at a time.

    Parameters
    ----------
    tables : iterable of ContingencyTable or array_like, or array of shape (k, r, c)
        The tables of an iterable may have different shapes. It is read once and may be
        a generator: the tables are not all held at the same time.
    metrics, q, beta, average, empty_truth, draws, seed
        As in `score`.
    n_jobs : int, optional
        Number of workers that joblib shares the tables out to, -1 for all cores. By
        default what the caller has set with ``joblib.parallel_config``, else 1. The
        scores are the same on one worker and on many.

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
    keys = checked_keys(metrics)
    score_chunk = partial(_score_chunk, options=options, keys=keys)
    parts, n_rows = zip(*apply_to_each(score_chunk, chunks_of(tables), n_jobs), strict=True)
    columns = {
        key: Column(
            key,
            _joined([part[key].values for part in parts]),
            _joined([part[key].lacking for part in parts]),
        )
        for key in keys
    }
    return ManyScores(columns, np.concatenate(n_rows), options)


def _score_chunk(
    batch: CellBatch, options: ScoreOptions, keys: Sequence[str]
) -> tuple[dict[str, Column], IntArray]:
    return compute_columns(keys, batch, options), batch.n_rows


def _joined(arrays: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    joined = np.concatenate(arrays)
    joined.flags.writeable = False
    return joined


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
    # In the order of the catalogue, as those that are computed at once.
    yield ScoringProgress(total, total, family, Scores(table, options, batch, wanted, scores))


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


def has_many_ties(table: ContingencyTable) -> bool:
    """Return whether the scores over all ways to break ties may take a while."""
    return bool(np.count_nonzero(CellBatch.of(table).derive(peaks).tied) > FEW_TIES)


def workload(table: ContingencyTable) -> int:
    """Return about how many elementary terms the scores of a table sum.

    A million take some ten milliseconds. It lets a caller decide where to compute.
    """
    pairs = margin_workload(table.row_sums, table.column_sums)
    return len(table.cells.counts) + pairs * sum(w.weight for long in _LONG.values() for w in long)
