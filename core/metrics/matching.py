"""Matching: how far classes and clusters can be paired off."""

from __future__ import annotations

import numpy as np

from core.cells import CellBatch, FloatArray
from core.metrics.associativity_peakiness import peaks
from core.metrics.metric import MATCHING_FAMILY, Metric, harmonic_mean
from core.table import IntArray


def column_largest(batch: CellBatch) -> IntArray:
    """Return the largest cell of each non-empty column, shape (C,)."""
    return batch.reduce_columns(np.maximum, batch.count)


def _truth_class_accuracy(batch: CellBatch) -> FloatArray:
    share = batch.derive(peaks).largest / batch.row_sum
    mean: FloatArray = batch.sum_rows(share) / np.maximum(batch.n_rows, 1)
    return np.minimum(mean, 1.0)


def _cluster_purity(batch: CellBatch) -> FloatArray:
    share = batch.derive(column_largest) / batch.column_sum
    mean: FloatArray = batch.sum_columns(share) / np.maximum(batch.n_columns, 1)
    return np.minimum(mean, 1.0)


def _purity(batch: CellBatch) -> FloatArray:
    share: FloatArray = batch.sum_columns(batch.derive(column_largest)) / batch.total_float
    return share


METRICS = (
    Metric(
        key="f1",
        name="F1 of accuracy and purity",
        symbol="F1",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula="harmonic mean of truth class accuracy and cluster purity",
        source="as in Zirkind and Diehl, arXiv 2604.22655 (2026), eqs. 1 to 3",
        compute=lambda batch, _: harmonic_mean(
            batch.derive(_truth_class_accuracy), batch.derive(_cluster_purity)
        ),
    ),
    Metric(
        key="truth_class_accuracy",
        name="Truth class accuracy",
        symbol="Truth class accuracy",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula="mean over truth classes of the largest cell / class size",
        source="as in Zirkind and Diehl, arXiv 2604.22655 (2026)",
        compute=lambda batch, _: batch.derive(_truth_class_accuracy),
    ),
    Metric(
        key="cluster_purity",
        name="Cluster purity",
        symbol="Cluster purity",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula="mean over clusters of the largest cell / cluster size",
        source="as in Zirkind and Diehl, arXiv 2604.22655 (2026)",
        compute=lambda batch, _: batch.derive(_cluster_purity),
    ),
    Metric(
        key="purity",
        name="Purity",
        symbol="Purity",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula="sum over clusters of the largest cell / N",
        source="Manning, Raghavan and Schütze, Introduction to Information Retrieval (2008), 16.3",
        compute=lambda batch, _: _purity(batch),
    ),
)
