"""Matching: how far classes and clusters can be paired off."""

from __future__ import annotations

import numpy as np

from core.cells import CellBatch, FloatArray
from core.metrics.assignment import column_largest, matching
from core.metrics.associativity_peakiness import peaks
from core.metrics.losses import harmonic_loss, per_item, row_sums
from core.metrics.metric import MATCHING_FAMILY, Metric, ScoreOptions, harmonic_mean
from core.table import IntArray


def row_accuracy(batch: CellBatch) -> FloatArray:
    """Return the share of each truth class in its largest cell, shape (R,)."""
    share: FloatArray = batch.derive(peaks).largest / batch.row_sum
    return share


def column_purity(batch: CellBatch) -> FloatArray:
    """Return the share of each cluster in its largest cell, shape (C,)."""
    share: FloatArray = batch.derive(column_largest) / batch.column_sum
    return share


def matched_count(batch: CellBatch) -> IntArray:
    """Return the items of each truth class in the cluster matched to it, shape (R,).

    0 where the best one-to-one matching leaves the class without a cluster.
    """
    cell = batch.derive(matching)
    # The number -1 takes the 0 that stands last.
    return np.append(batch.count, 0)[cell]


def _truth_class_accuracy(batch: CellBatch) -> FloatArray:
    mean: FloatArray = batch.sum_rows(batch.derive(row_accuracy)) / np.maximum(batch.n_rows, 1)
    return np.minimum(mean, 1.0)


def _cluster_purity(batch: CellBatch) -> FloatArray:
    share = batch.derive(column_purity)
    mean: FloatArray = batch.sum_columns(share) / np.maximum(batch.n_columns, 1)
    return np.minimum(mean, 1.0)


def _in_row_peaks(batch: CellBatch) -> IntArray:
    items: IntArray = batch.sum_rows(batch.derive(peaks).largest)
    return items


def _in_column_peaks(batch: CellBatch) -> IntArray:
    items: IntArray = batch.sum_columns(batch.derive(column_largest))
    return items


def _max_matching_accuracy(batch: CellBatch) -> FloatArray:
    share: FloatArray = batch.sum_rows(batch.derive(matched_count)) / batch.total_float
    return share


def _van_dongen(batch: CellBatch) -> FloatArray:
    # The differences are whole numbers; their sum may need more than 64 bits.
    outside = (batch.total - batch.derive(_in_row_peaks)).astype(np.float64)
    distance: FloatArray = (outside + (batch.total - batch.derive(_in_column_peaks))) / (
        2.0 * batch.total_float
    )
    return distance


# What each truth class loses


def _accuracy_loss(batch: CellBatch, _: ScoreOptions) -> FloatArray:
    outside: FloatArray = (batch.row_sum - batch.derive(peaks).largest) / batch.row_sum
    loss: FloatArray = outside / batch.n_rows[batch.row_table]
    return loss


def _outside_column_peak(batch: CellBatch) -> FloatArray:
    """Return the items of each cell that its cluster's purity loses, shape (m,).

    Those outside the largest cell of the cluster; equal shares of several largest ones.
    """
    is_peak = batch.count == batch.derive(column_largest)[batch.column]
    n_peaks = batch.reduce_columns(np.add, is_peak.astype(np.int64))[batch.column]
    share: FloatArray = np.where(is_peak, (n_peaks - 1) / n_peaks, 1.0)
    return batch.count * share


def _cluster_purity_loss(batch: CellBatch, _: ScoreOptions) -> FloatArray:
    share = batch.derive(_outside_column_peak) / batch.column_sum[batch.column]
    loss: FloatArray = row_sums(batch, share) / batch.n_columns[batch.row_table]
    return loss


def _f1_loss(batch: CellBatch, options: ScoreOptions) -> FloatArray:
    return harmonic_loss(
        batch,
        batch.derive(_truth_class_accuracy),
        batch.derive(_cluster_purity),
        _accuracy_loss(batch, options),
        _cluster_purity_loss(batch, options),
    )


def _purity_loss(batch: CellBatch, _: ScoreOptions) -> FloatArray:
    return per_item(batch, row_sums(batch, batch.derive(_outside_column_peak)))


def _inverse_purity_loss(batch: CellBatch, _: ScoreOptions) -> FloatArray:
    return per_item(batch, (batch.row_sum - batch.derive(peaks).largest).astype(np.float64))


def _matching_loss(batch: CellBatch, _: ScoreOptions) -> FloatArray:
    return per_item(batch, (batch.row_sum - batch.derive(matched_count)).astype(np.float64))


def _van_dongen_loss(batch: CellBatch, options: ScoreOptions) -> FloatArray:
    return (_inverse_purity_loss(batch, options) + _purity_loss(batch, options)) / 2.0


_AS_IN_AP = "as in Zirkind and Diehl, arXiv 2604.22655 (2026)"
_MANNING = "Manning, Raghavan and Schütze, Introduction to Information Retrieval (2008), 16.3"
_AMIGO = "Amigó, Gonzalo, Artiles and Verdejo, Information Retrieval 12 (2009)"

METRICS = (
    Metric(
        key="f1",
        name="F1 of accuracy and purity",
        symbol="F1",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula="harmonic mean of truth class accuracy and cluster purity",
        source=f"{_AS_IN_AP}, eqs. 1 to 3",
        compute=lambda batch, _: harmonic_mean(
            batch.derive(_truth_class_accuracy), batch.derive(_cluster_purity)
        ),
        loss=_f1_loss,
    ),
    Metric(
        key="truth_class_accuracy",
        name="Truth class accuracy",
        symbol="Truth class accuracy",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula="mean over truth classes of the largest cell / class size",
        source=_AS_IN_AP,
        compute=lambda batch, _: batch.derive(_truth_class_accuracy),
        loss=_accuracy_loss,
    ),
    Metric(
        key="cluster_purity",
        name="Cluster purity",
        symbol="Cluster purity",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula="mean over clusters of the largest cell / cluster size",
        source=_AS_IN_AP,
        compute=lambda batch, _: batch.derive(_cluster_purity),
        loss=_cluster_purity_loss,
    ),
    Metric(
        key="purity",
        name="Purity",
        symbol="Purity",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula="sum over clusters of the largest cell / N",
        source=_MANNING,
        compute=lambda batch, _: batch.derive(_in_column_peaks) / batch.total_float,
        loss=_purity_loss,
    ),
    Metric(
        key="inverse_purity",
        name="Inverse purity",
        symbol="Inverse purity",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula="sum over truth classes of the largest cell / N",
        source=_AMIGO,
        compute=lambda batch, _: batch.derive(_in_row_peaks) / batch.total_float,
        loss=_inverse_purity_loss,
    ),
    Metric(
        key="max_matching_accuracy",
        name="Maximum matching accuracy",
        symbol="Matching accuracy",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula="largest sum over a one-to-one matching of classes and clusters of T_ij / N",
        source="Meilă and Heckerman, Machine Learning 42 (2001)",
        compute=lambda batch, _: batch.derive(_max_matching_accuracy),
        loss=_matching_loss,
    ),
    Metric(
        key="van_dongen",
        name="Van Dongen distance",
        symbol="Van Dongen",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula=(
            "1 - (sum over classes of the largest cell + sum over clusters of the largest cell) "
            "/ (2 N)"
        ),
        source="van Dongen, CWI report INS-R0012 (2000), divided by 2 N",
        compute=lambda batch, _: _van_dongen(batch),
        larger_is_better=False,
        loss=_van_dongen_loss,
    ),
)
