"""BCubed: precision and recall of each item's cluster and class, averaged over items."""

from __future__ import annotations

import numpy as np

from core.cells import CellBatch, FloatArray
from core.metrics.losses import harmonic_loss, per_item, row_sums
from core.metrics.metric import MATCHING_FAMILY, Metric, ScoreOptions, harmonic_mean


def _precision(batch: CellBatch) -> FloatArray:
    # First the share, which is exactly 1 in a pure cluster.
    terms = batch.count * (batch.count / batch.column_sum[batch.column])
    value = batch.sum_cells(terms) / batch.total_float
    value[batch.n_cells == batch.n_columns] = 1.0
    return np.minimum(value, 1.0)


def _recall(batch: CellBatch) -> FloatArray:
    terms = batch.count * (batch.count / batch.row_sum[batch.row])
    value = batch.sum_cells(terms) / batch.total_float
    value[batch.n_cells == batch.n_rows] = 1.0
    return np.minimum(value, 1.0)


def _f(batch: CellBatch, _: ScoreOptions) -> FloatArray:
    return harmonic_mean(batch.derive(_precision), batch.derive(_recall))


def _precision_loss(batch: CellBatch, _: ScoreOptions) -> FloatArray:
    size = batch.column_sum[batch.column]
    return per_item(batch, row_sums(batch, batch.count * ((size - batch.count) / size)))


def _recall_loss(batch: CellBatch, _: ScoreOptions) -> FloatArray:
    size = batch.row_sum[batch.row]
    return per_item(batch, row_sums(batch, batch.count * ((size - batch.count) / size)))


def _f_loss(batch: CellBatch, options: ScoreOptions) -> FloatArray:
    return harmonic_loss(
        batch,
        batch.derive(_precision),
        batch.derive(_recall),
        _precision_loss(batch, options),
        _recall_loss(batch, options),
    )


_SOURCE = (
    "Bagga and Baldwin, LREC workshop on linguistic coreference (1998); "
    "Amigó, Gonzalo, Artiles and Verdejo, Information Retrieval 12 (2009)"
)

METRICS = (
    Metric(
        key="bcubed_f",
        name="BCubed F",
        symbol="B³ F",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula="harmonic mean of BCubed precision and recall",
        source=_SOURCE,
        compute=_f,
        loss=_f_loss,
    ),
    Metric(
        key="bcubed_precision",
        name="BCubed precision",
        symbol="B³ precision",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula="sum over cells of T_ij^2 / b_j, divided by N",
        source=_SOURCE,
        compute=lambda batch, _: batch.derive(_precision),
        loss=_precision_loss,
    ),
    Metric(
        key="bcubed_recall",
        name="BCubed recall",
        symbol="B³ recall",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula="sum over cells of T_ij^2 / a_i, divided by N",
        source=_SOURCE,
        compute=lambda batch, _: batch.derive(_recall),
        loss=_recall_loss,
    ),
)
