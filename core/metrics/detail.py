"""A table class by class and cluster by cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from core.cells import CellBatch, FloatArray
from core.metrics.assignment import column_largest
from core.metrics.associativity_peakiness import peaks, row_peakiness
from core.metrics.matching import column_purity, matched_count, row_accuracy
from core.metrics.metric import BoolArray, Metric, ScoreOptions
from core.table import ContingencyTable, IntArray


@dataclass(frozen=True)
class ClassDetail:
    """What the scores say of one truth class.

    Attributes
    ----------
    place : int
        Its row in the table, counted from 0.
    name : str
    size : int
        Number of its items. Without any, all that follows is NaN or empty.
    peaks : tuple of int
        The clusters, counted from 0, that hold its largest count; several on a tie.
    peakiness : float
        ``(largest - second largest) / largest``, the metric ``row_peakiness``.
    accuracy : float
        The share of it in its largest cell.
    recall : float
        The share of it in the cluster that the best one-to-one matching of classes and
        clusters gives it; 0 where it is given none. Where several matchings are best, it
        is that of one of them.
    loss_share : mapping of str to float
        For each score asked for that splits into classes, the share of this class in what
        the score loses; NaN where nothing is lost.
    """

    place: int
    name: str
    size: int
    peaks: tuple[int, ...]
    peakiness: float
    accuracy: float
    recall: float
    loss_share: Mapping[str, float] = field(hash=False)


@dataclass(frozen=True)
class ClusterDetail:
    """What a table says of one cluster.

    Attributes
    ----------
    place : int
        Its column in the table, counted from 0.
    name : str
    size : int
        Number of its items. Without any, its purity is NaN and it has no class.
    purity : float
        The share of it in its largest cell.
    classes : tuple of int
        The truth classes, counted from 0, that hold its largest count; several on a tie.
    """

    place: int
    name: str
    size: int
    purity: float
    classes: tuple[int, ...]


def class_details(
    table: ContingencyTable, batch: CellBatch, shares: Mapping[str, FloatArray]
) -> tuple[ClassDetail, ...]:
    """Return every truth class of a table, in its order, empty ones included.

    Parameters
    ----------
    table : ContingencyTable
        Of shape (r, c).
    batch : CellBatch
        The batch of this table alone.
    shares : mapping of str to ndarray of float64, shape (r,)
        The shares of the classes in what each score loses.
    """
    r = table.shape[0]
    by_class = np.array(list(shares.values()), np.float64).reshape(len(shares), r).T
    lines = zip(
        table.truth,
        table.row_sums.tolist(),
        peak_clusters(batch, r),
        _spread(batch.derive(row_peakiness), batch.row_place, r),
        _spread(batch.derive(row_accuracy), batch.row_place, r),
        _spread(batch.derive(matched_count) / batch.row_sum, batch.row_place, r),
        (dict(zip(shares, lost, strict=True)) for lost in by_class.tolist()),
        strict=True,
    )
    return tuple(ClassDetail(place, *line) for place, line in enumerate(lines))


def peak_clusters(batch: CellBatch, r: int) -> list[tuple[int, ...]]:
    """Return the clusters, counted from 0, that hold the largest count of each truth class.

    Parameters
    ----------
    batch : CellBatch
        The batch of one table.
    r : int
        Number of its rows, empty ones included.

    Returns
    -------
    list of r tuples of int
        Several on a tie, none for an empty class.
    """
    cell = np.flatnonzero(batch.derive(peaks).is_peak)
    row, column = batch.row_place[batch.row[cell]], batch.column_place[batch.column[cell]]
    return _listed(row, column, r)


def cluster_details(table: ContingencyTable, batch: CellBatch) -> tuple[ClusterDetail, ...]:
    """Return every cluster of a table, in its order, empty ones included.

    Parameters
    ----------
    table : ContingencyTable
        Of shape (r, c).
    batch : CellBatch
        The batch of this table alone.
    """
    c = table.shape[1]
    cell = np.flatnonzero(batch.count == batch.derive(column_largest)[batch.column])
    purity = _spread(batch.derive(column_purity), batch.column_place, c)
    row, column = batch.row_place[batch.row[cell]], batch.column_place[batch.column[cell]]
    lines = zip(
        table.clusters,
        table.column_sums.tolist(),
        purity,
        _listed(column, row, c),
        strict=True,
    )
    return tuple(ClusterDetail(place, *line) for place, line in enumerate(lines))


def loss_share(metric: Metric, batch: CellBatch, options: ScoreOptions, value: float) -> FloatArray:
    """Return the share of each truth class in what a score of one table loses, shape (r,).

    Parameters
    ----------
    metric : Metric
        One that has a ``loss``.
    batch : CellBatch
        The batch of one table of r rows.
    options : ScoreOptions
    value : float
        The score.

    Returns
    -------
    ndarray of float64
        They sum to 1; NaN for an empty class, and everywhere where the score does not
        exist or nothing is lost. An empty class has a share where it enters the score,
        as it enters peakiness with ``empty_truth="zero"``.
    """
    r = int(batch.shapes[0, 0])
    shares = np.full(r, np.nan)
    if metric.loss is None or np.isnan(value):
        return shares
    with np.errstate(invalid="ignore", divide="ignore"):
        loss = metric.loss(batch, options)
    total = float(loss.sum())
    empty = _is_empty(batch.row_place, r)
    enters = options.empty_truth == "zero" and "empty_truth" in metric.parameters
    if enters and empty.any():
        # What the classes with items do not lose, the others do, and all alike.
        rest = max(1.0 - value - total, 0.0)
        total += rest
        shares[empty] = rest / np.count_nonzero(empty)
    if not total > 0.0:
        return np.full(r, np.nan)
    shares[batch.row_place] = loss
    return shares / total


def _is_empty(place: IntArray, length: int) -> BoolArray:
    empty = np.ones(length, np.bool_)
    empty[place] = False
    return empty


def _spread(values: FloatArray, place: IntArray, length: int) -> list[float]:
    """Return values of non-empty rows or columns for all of them, NaN for the others."""
    spread = np.full(length, np.nan)
    spread[place] = values
    found: list[float] = spread.tolist()
    return found


def _listed(line: IntArray, other: IntArray, length: int) -> list[tuple[int, ...]]:
    """Return the places on the other side that go with each line, as they come."""
    order = np.argsort(line, kind="stable")
    ends = np.cumsum(np.bincount(line, minlength=length)).tolist()
    places: list[int] = other[order].tolist()
    return [tuple(places[i:j]) for i, j in zip([0, *ends[:-1]], ends, strict=True)]
