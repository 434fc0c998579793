"""Associativity and peakiness: the AP metric (Zirkind and Diehl, arXiv 2604.22655)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.cells import CellBatch, FloatArray, group_starts
from core.metrics.losses import harmonic_loss
from core.metrics.metric import (
    AP_FAMILY,
    TWO_CLASSES,
    BoolArray,
    EmptyTruth,
    Metric,
    Requirement,
    ScoreOptions,
    harmonic_mean,
)
from core.metrics.ties import SearchTooLarge, most_concentrated, most_spread
from core.table import IntArray

_SOURCE = "Zirkind and Diehl, arXiv 2604.22655 (2026)"


@dataclass(frozen=True, eq=False)
class Peaks:
    """The largest cells of each non-empty row.

    Attributes
    ----------
    first_cell : ndarray of int64, shape (R,)
        Index of each row's first largest cell.
    largest : ndarray of int64, shape (R,)
        Its count.
    is_peak : ndarray of bool, shape (m,)
        Whether a cell is as large as the largest of its row.
    tied : ndarray of bool, shape (R,)
        Whether several cells of the row are.
    """

    first_cell: IntArray
    largest: IntArray
    is_peak: BoolArray
    tied: BoolArray


def peaks(batch: CellBatch) -> Peaks:
    """Return the largest cells of each row of the batch."""
    largest = batch.reduce_rows(np.maximum, batch.count)
    is_peak = batch.count == largest[batch.row]
    cell = np.flatnonzero(is_peak)
    row = batch.row[cell]
    first = group_starts(row)
    tied = np.zeros(len(largest), np.bool_)
    tied[row[1:][row[1:] == row[:-1]]] = True
    return Peaks(cell[first], largest, is_peak, tied)


def ties_meet(batch: CellBatch) -> bool:
    """Return whether a row with ties may vote for the same column as another row.

    Then which class loses what depends on how they are broken.
    """
    found = batch.derive(peaks)
    column, row = batch.column[found.is_peak], batch.row[found.is_peak]
    shared = np.bincount(column, minlength=1)[column] > 1
    return bool((shared & found.tied[row]).any())


def row_peakiness(batch: CellBatch) -> FloatArray:
    """Return ``(max1 - max2) / max1`` of each non-empty row, shape (R,)."""
    found = batch.derive(peaks)
    others = batch.count.copy()
    others[found.first_cell] = 0
    second = batch.reduce_rows(np.maximum, others)
    peakiness: FloatArray = (found.largest - second) / found.largest
    return peakiness


def _peakiness(batch: CellBatch, empty_truth: str) -> FloatArray:
    rows = batch.shapes[:, 0] if empty_truth == "zero" else batch.n_rows
    mean: FloatArray = batch.sum_rows(batch.derive(row_peakiness)) / np.maximum(rows, 1)
    return mean


def associativity(batch: CellBatch) -> FloatArray:
    """Return the associativity of each table, the first of tied cells taken, shape (k,)."""
    votes = np.bincount(
        batch.column[batch.derive(peaks).first_cell], minlength=len(batch.column_table)
    )
    return _from_collisions(batch.sum_columns(votes * (votes - 1)), batch.n_rows)


def _from_collisions(collisions: IntArray, n_rows: IntArray) -> FloatArray:
    """Return ``1 - sum k (k-1) / m (m-1)`` from integers, rounded once."""
    pairs = n_rows * (n_rows - 1)
    share: FloatArray = (pairs - collisions) / np.maximum(pairs, 1)
    return share


def ap(batch: CellBatch, empty_truth: EmptyTruth) -> FloatArray:
    """Return AP of each table, shape (k,): 0 where it has fewer than two classes."""
    return harmonic_mean(batch.derive(associativity), batch.derive(_peakiness, empty_truth))


def least_over_ties(batch: CellBatch) -> FloatArray:
    """Return the least associativity over all ways to break ties, shape (k,).

    NaN where the search is too large.
    """
    return _over_ties(batch, most_concentrated)


def most_over_ties(batch: CellBatch) -> FloatArray:
    """Return the most associativity over all ways to break ties, shape (k,)."""
    return _over_ties(batch, most_spread)


def _over_ties(
    batch: CellBatch, collisions: Callable[[Sequence[tuple[int, ...]]], int]
) -> FloatArray:
    value = batch.derive(associativity).copy()
    for table in np.unique(batch.row_table[batch.derive(peaks).tied]):
        choices = batch.derive(_choices, int(table))
        pairs = len(choices) * (len(choices) - 1)
        try:
            value[table] = (pairs - collisions(choices)) / max(pairs, 1)
        except SearchTooLarge:
            value[table] = np.nan
    return value


def _choices(batch: CellBatch, table: int) -> list[tuple[int, ...]]:
    """Return the columns that each row of a table may vote for."""
    found = batch.derive(peaks)
    ends = np.cumsum(batch.n_cells)
    cell = np.arange(ends[table] - batch.n_cells[table], ends[table])
    cell = cell[found.is_peak[cell]]
    starts = group_starts(batch.row[cell])
    # Rows with the same choices share them: in a large table of small counts they are long.
    known: dict[bytes, tuple[int, ...]] = {}
    choices = []
    for columns in np.split(batch.column[cell], starts[1:]):
        key = columns.tobytes()
        if key not in known:
            known[key] = tuple(columns.tolist())
        choices.append(known[key])
    return choices


# What each truth class loses


def _peakiness_loss(batch: CellBatch, options: ScoreOptions) -> FloatArray:
    rows = batch.shapes[:, 0] if options.empty_truth == "zero" else batch.n_rows
    loss: FloatArray = (1.0 - batch.derive(row_peakiness)) / rows[batch.row_table]
    return loss


def _associativity_loss(batch: CellBatch, _: ScoreOptions) -> FloatArray:
    """Return the share of each class in the collisions; half of one belongs to either class."""
    column = batch.column[batch.derive(peaks).first_cell]
    others = np.bincount(column, minlength=1)[column] - 1
    pairs = (batch.n_rows * (batch.n_rows - 1))[batch.row_table]
    loss: FloatArray = others / np.maximum(pairs, 1)
    return loss


def _ap_loss(batch: CellBatch, options: ScoreOptions) -> FloatArray:
    return harmonic_loss(
        batch,
        batch.derive(associativity),
        batch.derive(_peakiness, options.empty_truth),
        _associativity_loss(batch, options),
        _peakiness_loss(batch, options),
    )


def _ap_with(
    of_ties: Callable[[CellBatch], FloatArray],
) -> Callable[[CellBatch, ScoreOptions], FloatArray]:
    return lambda batch, options: harmonic_mean(
        batch.derive(of_ties), batch.derive(_peakiness, options.empty_truth)
    )


_TIES_SEARCHED = Requirement(
    lambda batch: ~np.isnan(batch.derive(least_over_ties)),
    "too many rows have tied peaks to search every way to break them",
)

METRICS = (
    Metric(
        key="ap",
        name="Associativity-peakiness",
        symbol="AP",
        family=AP_FAMILY,
        low=0.0,
        high=1.0,
        formula="2 A P / (A + P), 0 where A + P = 0",
        source=f"{_SOURCE}, eq. 14",
        compute=lambda batch, options: ap(batch, options.empty_truth),
        parameters=("empty_truth",),
        requires=(TWO_CLASSES,),
        loss=_ap_loss,
    ),
    Metric(
        key="associativity",
        name="Associativity",
        symbol="A",
        family=AP_FAMILY,
        low=0.0,
        high=1.0,
        formula=(
            "1 - sum_j C(k_j, 2) / C(m, 2); each of the m truth classes votes for the cluster "
            "that holds most of it, the first one on a tie; k_j votes for cluster j"
        ),
        source=f"{_SOURCE}, eqs. 7 to 10",
        compute=lambda batch, _: batch.derive(associativity),
        requires=(TWO_CLASSES,),
        loss=_associativity_loss,
    ),
    Metric(
        key="peakiness",
        name="Peakiness",
        symbol="P",
        family=AP_FAMILY,
        low=0.0,
        high=1.0,
        formula="mean over truth classes of (largest - second largest) / largest",
        source=f"{_SOURCE}, eqs. 11 to 13",
        compute=lambda batch, options: batch.derive(_peakiness, options.empty_truth),
        parameters=("empty_truth",),
        loss=_peakiness_loss,
    ),
    Metric(
        key="row_peakiness",
        name="Peakiness of each truth class",
        symbol="P_i",
        family=AP_FAMILY,
        low=0.0,
        high=1.0,
        formula="(largest - second largest) / largest of the row; second largest 0 in one column",
        source=f"{_SOURCE}, eq. 11",
        compute=lambda batch, _: batch.derive(row_peakiness),
        per="row",
    ),
    Metric(
        key="associativity_min",
        name="Associativity, least over ties",
        symbol="A min",
        family=AP_FAMILY,
        low=0.0,
        high=1.0,
        formula="smallest A over all ways to break ties between a row's largest cells",
        source="Tallyscope",
        compute=lambda batch, _: batch.derive(least_over_ties),
        requires=(TWO_CLASSES, _TIES_SEARCHED),
        when="later",
    ),
    Metric(
        key="associativity_max",
        name="Associativity, most over ties",
        symbol="A max",
        family=AP_FAMILY,
        low=0.0,
        high=1.0,
        formula="largest A over all ways to break ties between a row's largest cells",
        source="Tallyscope",
        compute=lambda batch, _: batch.derive(most_over_ties),
        requires=(TWO_CLASSES,),
        when="later",
    ),
    Metric(
        key="ap_min",
        name="AP, least over ties",
        symbol="AP min",
        family=AP_FAMILY,
        low=0.0,
        high=1.0,
        formula="AP with the smallest A over all ways to break ties",
        source="Tallyscope",
        compute=_ap_with(least_over_ties),
        parameters=("empty_truth",),
        requires=(TWO_CLASSES, _TIES_SEARCHED),
        when="later",
    ),
    Metric(
        key="ap_max",
        name="AP, most over ties",
        symbol="AP max",
        family=AP_FAMILY,
        low=0.0,
        high=1.0,
        formula="AP with the largest A over all ways to break ties",
        source="Tallyscope",
        compute=_ap_with(most_over_ties),
        parameters=("empty_truth",),
        requires=(TWO_CLASSES,),
        when="later",
    ),
)
