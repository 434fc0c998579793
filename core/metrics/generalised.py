"""Generalised information: entropies of order q (Tsallis), Shannon's at q = 1."""

from __future__ import annotations

import numpy as np

from core.cells import CellBatch, FloatArray
from core.chance.deviance import centred
from core.chance.expected_information import expected_information
from core.chance.generalised_deviance import (
    centred_logarithm,
    generalised_deviance,
    logarithm_of_order,
)
from core.chance.information_variance import information_variance
from core.metrics.empty_cells import cells_with_empty
from core.metrics.information import (
    above_chance,
    adjusted_mutual_information,
    information_is_fixed,
    mutual_information,
)
from core.metrics.metric import GENERALISED_FAMILY, Metric, Requirement, ratio
from core.table import IntArray


def entropy_truth(batch: CellBatch, q: float) -> FloatArray:
    """Return the entropy of order q of the truth classes, shape (k,)."""
    terms = _entropy_terms(batch.row_sum, batch.total[batch.row_table], q)
    entropy: FloatArray = batch.sum_rows(terms)
    return entropy


def entropy_cluster(batch: CellBatch, q: float) -> FloatArray:
    """Return the entropy of order q of the clusters, shape (k,)."""
    terms = _entropy_terms(batch.column_sum, batch.total[batch.column_table], q)
    entropy: FloatArray = batch.sum_columns(terms)
    return entropy


def _entropy_terms(size: IntArray, total: IntArray, q: float) -> FloatArray:
    """Return ``(p - p^q) / (q - 1)`` of each part."""
    terms: FloatArray = -(size / total) * logarithm_of_order(size, total, q)
    return terms


def joint_entropy(batch: CellBatch, q: float) -> FloatArray:
    """Return the entropy of order q of the cells, shape (k,)."""
    entropy: FloatArray = batch.sum_cells(
        _entropy_terms(batch.count, batch.total[batch.cell_table], q)
    )
    return entropy


# Powers of so high an order that what is left of them has lost its digits.
_SMALLEST = 1e-280


def _above_independence(batch: CellBatch, q: float) -> FloatArray:
    """Return ``N (MI_q - (q-1) H_q(truth) H_q(cluster))``, shape (k,).

    A sum of generalised deviances, none negative, and of products of centred logarithms
    of order q; it has the expectation `expected_information`.
    """
    value: FloatArray = batch.derive(_above_with_size, q)[0]
    return value


def _above_with_size(batch: CellBatch, q: float) -> tuple[FloatArray, FloatArray]:
    """Return `_above_independence`, and the sum of its terms by size, which rounding follows."""
    cells = batch.derive(cells_with_empty)
    table = cells.table
    a, b, total = batch.row_sum[cells.row], batch.column_sum[cells.column], batch.total[table]
    n = total.astype(np.float64)
    share = (a / n) * (b / n)
    mean = a / n * b
    difference = np.maximum(centred(cells.count, a, b, total), -mean)
    count = cells.count.astype(np.float64)
    terms = generalised_deviance(count, mean, difference, share, q)
    # Without cells numpy counts in integers.
    value: FloatArray = np.bincount(table, terms, minlength=batch.n_tables).astype(np.float64)
    number = batch.total_float
    if not cells.whole.all():
        # Empty cells that are not listed have mu (mu/N)^(q-1) each.
        powers_row = _power_sums(batch.row_sum, batch.row_table, batch.total, q)
        powers_column = _power_sums(batch.column_sum, batch.column_table, batch.total, q)
        listed = np.bincount(table, mean * share ** (q - 1.0), minlength=batch.n_tables)
        value += np.where(cells.whole, 0.0, number * powers_row * powers_column - listed)
    size = value.copy()
    if q != 1.0:
        from_mean_row = _centred(batch.row_sum, batch.row_table, batch.total, q)
        from_mean_column = _centred(batch.column_sum, batch.column_table, batch.total, q)
        # Both factors are centred, so that where all cells are here mu may be taken off.
        moved = np.where(cells.whole[table], difference, count)
        linear = moved * from_mean_row[cells.row] * from_mean_column[cells.column]
        factor = q * (q - 1.0)
        value += factor * np.bincount(table, linear, minlength=batch.n_tables)
        size += abs(factor) * np.bincount(table, np.abs(linear), minlength=batch.n_tables)
    return value, size


def _centred(size: IntArray, table: IntArray, total: IntArray, q: float) -> FloatArray:
    return centred_logarithm(size, np.ones_like(size), table, total, q)


def _power_sums(size: IntArray, table: IntArray, total: IntArray, q: float) -> FloatArray:
    """Return the sum of ``p^q`` of the parts of each table, shape (k,)."""
    powers: FloatArray = (size / total[table]) ** q
    return np.bincount(table, powers, minlength=len(total)).astype(np.float64)


def _at_independence(batch: CellBatch, q: float) -> FloatArray:
    product: FloatArray = (
        (q - 1.0) * batch.derive(entropy_truth, q) * batch.derive(entropy_cluster, q)
    )
    return product


def _lone(batch: CellBatch) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    lone: np.ndarray[tuple[int], np.dtype[np.bool_]] = (batch.n_rows <= 1) | (batch.n_columns <= 1)
    return lone


def mutual_information_q(batch: CellBatch, q: float) -> FloatArray:
    """Return ``H_q(truth) + H_q(cluster) - H_q(truth, cluster)``, shape (k,)."""
    if q == 1.0:
        return batch.derive(mutual_information)
    value = batch.derive(_at_independence, q)
    above, size = batch.derive(_above_with_size, q)
    rounding = np.abs(value) + size / batch.total_float
    value = value + above / batch.total_float
    # Where one cell has nearly all items the entropies are small, and lose less.
    both, apart = 2.0 * batch.derive(_mean_entropy, q), batch.derive(variation_of_information_q, q)
    value = np.where(both + apart < 2.0 * rounding, (both - apart) / 2.0, value)
    # Nothing is shared with a partition of one part, whatever rounding says.
    return np.where(_lone(batch), 0.0, value)


def variation_of_information_q(batch: CellBatch, q: float) -> FloatArray:
    """Return ``H_q(truth | cluster) + H_q(cluster | truth)``, shape (k,).

    ``sum of p_ij (a_i/N)^(q-1) (1 - (n_ij/a_i)^(q-1)) / (q-1)`` and the same with b_j: no
    term is negative, and none is there where the partitions are identical.
    """
    total = batch.total[batch.cell_table]
    terms = np.zeros(len(batch.count))
    for size in (batch.row_sum[batch.row], batch.column_sum[batch.column]):
        scale = (size / total) ** (q - 1.0)
        terms += -scale * logarithm_of_order(batch.count, size, q)
    value: FloatArray = batch.sum_cells(batch.count / total * terms)
    return value


def _mean_entropy(batch: CellBatch, q: float) -> FloatArray:
    mean: FloatArray = (batch.derive(entropy_truth, q) + batch.derive(entropy_cluster, q)) / 2.0
    return mean


def _nmi(batch: CellBatch, q: float) -> FloatArray:
    information = batch.derive(mutual_information_q, q)
    value = np.minimum(ratio(information, batch.derive(_mean_entropy, q), 0.0), 1.0)
    value[batch.identical] = 1.0
    return value


def expected_mutual_information_q(batch: CellBatch, q: float) -> FloatArray:
    """Return the expectation of `mutual_information_q` under the margins, shape (k,)."""
    value = batch.derive(expected_information, q) / batch.total_float
    if q != 1.0:
        value = value + batch.derive(_at_independence, q)
    fixed = batch.derive(information_is_fixed)
    return np.where(fixed, batch.derive(mutual_information_q, q), value)


def _above_expectation(batch: CellBatch, q: float) -> FloatArray:
    """Return N times the difference of the information and its expectation, shape (k,)."""
    if q == 1.0:
        value = batch.derive(above_chance).information * batch.total_float
    else:
        value = batch.derive(_above_independence, q) - batch.derive(expected_information, q)
    return np.where(batch.derive(information_is_fixed), 0.0, value)


def _ami(batch: CellBatch, q: float) -> FloatArray:
    if q == 1.0:
        return batch.derive(adjusted_mutual_information, "arithmetic")
    # (H + K)/2 - E[MI], without the product of entropies that H + K and E[MI] both hold:
    # at a high order it is nearly the whole of them.
    powers_row = _power_sums(batch.row_sum, batch.row_table, batch.total, q)
    powers_column = _power_sums(batch.column_sum, batch.column_table, batch.total, q)
    room = powers_row * batch.derive(entropy_cluster, q)
    room = (room + powers_column * batch.derive(entropy_truth, q)) / 2.0
    room -= batch.derive(expected_information, q) / batch.total_float
    value = ratio(batch.derive(_above_expectation, q) / batch.total_float, room, 0.0)
    value[room < _SMALLEST] = np.nan
    value[batch.derive(information_is_fixed)] = 0.0
    value[batch.identical] = 1.0
    return np.minimum(value, 1.0)


def _variance(batch: CellBatch, q: float) -> FloatArray:
    value = batch.derive(information_variance, q) / batch.total_float / batch.total_float
    # Below the smallest number of full precision there is none.
    value = np.where(value < _SMALLEST, np.nan, value)
    return np.where(batch.derive(information_is_fixed), 0.0, value)


def _standardised(batch: CellBatch, q: float) -> FloatArray:
    variance = batch.derive(_variance, q)
    deviation = np.sqrt(variance) * batch.total_float
    return ratio(batch.derive(_above_expectation, q), deviation, np.nan)


def _p_bound(batch: CellBatch, q: float) -> FloatArray:
    smi = batch.derive(_standardised, q)
    value = np.where(smi > 0.0, 1.0 / (1.0 + smi * smi), 1.0)
    value[np.isnan(smi) & ~batch.derive(information_is_fixed)] = np.nan
    return value


_VARIES = Requirement(
    lambda batch: ~batch.derive(information_is_fixed),
    "every table with these margins has the same information: there is no spread to measure by",
)

_ROMANO = "Romano, Vinh, Bailey and Verspoor, J. Machine Learning Research 17 (2016)"
_TSALLIS = "Tsallis, J. Statistical Physics 52 (1988)"

METRICS = (
    Metric(
        key="ami_q",
        name="Adjusted mutual information of order q",
        symbol="AMI_q",
        family=GENERALISED_FAMILY,
        low=-np.inf,
        high=1.0,
        formula=(
            "(MI_q - E[MI_q]) / ((H_q(truth) + H_q(cluster))/2 - E[MI_q]); AMI for q = 1, "
            "the adjusted Rand index for q = 2; conventions as for AMI"
        ),
        source=_ROMANO,
        compute=lambda batch, options: batch.derive(_ami, options.q),
        parameters=("q",),
    ),
    Metric(
        key="nmi_q",
        name="Normalised mutual information of order q",
        symbol="NMI_q",
        family=GENERALISED_FAMILY,
        low=-np.inf,
        high=1.0,
        formula="2 MI_q / (H_q(truth) + H_q(cluster)); 1 for identical partitions",
        source=_ROMANO,
        compute=lambda batch, options: batch.derive(_nmi, options.q),
        parameters=("q",),
    ),
    Metric(
        key="mi_q",
        name="Mutual information of order q",
        symbol="MI_q",
        family=GENERALISED_FAMILY,
        low=-np.inf,
        high=np.inf,
        formula="H_q(truth) + H_q(cluster) - H_q(truth, cluster); may be negative for q < 1",
        source=_ROMANO,
        compute=lambda batch, options: batch.derive(mutual_information_q, options.q),
        parameters=("q",),
    ),
    Metric(
        key="vi_q",
        name="Variation of information of order q",
        symbol="VI_q",
        family=GENERALISED_FAMILY,
        low=0.0,
        high=np.inf,
        formula="2 H_q(truth, cluster) - H_q(truth) - H_q(cluster)",
        source=f"{_ROMANO}; Simovici, J. Multiple-Valued Logic 13 (2007)",
        compute=lambda batch, options: batch.derive(variation_of_information_q, options.q),
        larger_is_better=False,
        parameters=("q",),
    ),
    Metric(
        key="emi_q",
        name="Expected mutual information of order q",
        symbol="E[MI_q]",
        family=GENERALISED_FAMILY,
        low=-np.inf,
        high=np.inf,
        formula="mean of MI_q over all tables with the same margins",
        source=_ROMANO,
        compute=lambda batch, options: batch.derive(expected_mutual_information_q, options.q),
        larger_is_better=None,
        parameters=("q",),
    ),
    Metric(
        key="entropy_truth_q",
        name="Entropy of order q of the truth classes",
        symbol="H_q(truth)",
        family=GENERALISED_FAMILY,
        low=0.0,
        high=np.inf,
        formula="(1 - sum of (a_i/N)^q) / (q - 1), in nats for q = 1",
        source=_TSALLIS,
        compute=lambda batch, options: batch.derive(entropy_truth, options.q),
        larger_is_better=None,
        parameters=("q",),
    ),
    Metric(
        key="entropy_cluster_q",
        name="Entropy of order q of the clusters",
        symbol="H_q(cluster)",
        family=GENERALISED_FAMILY,
        low=0.0,
        high=np.inf,
        formula="(1 - sum of (b_j/N)^q) / (q - 1), in nats for q = 1",
        source=_TSALLIS,
        compute=lambda batch, options: batch.derive(entropy_cluster, options.q),
        larger_is_better=None,
        parameters=("q",),
    ),
    Metric(
        key="joint_entropy_q",
        name="Joint entropy of order q",
        symbol="H_q(truth, cluster)",
        family=GENERALISED_FAMILY,
        low=0.0,
        high=np.inf,
        formula="(1 - sum of (T_ij/N)^q) / (q - 1), in nats for q = 1",
        source=_TSALLIS,
        compute=lambda batch, options: batch.derive(joint_entropy, options.q),
        larger_is_better=None,
        parameters=("q",),
    ),
    Metric(
        key="smi_q",
        name="Standardised mutual information of order q",
        symbol="SMI_q",
        family=GENERALISED_FAMILY,
        low=-np.inf,
        high=np.inf,
        formula="(MI_q - E[MI_q]) / sqrt(Var[MI_q])",
        source=_ROMANO,
        compute=lambda batch, options: batch.derive(_standardised, options.q),
        parameters=("q",),
        requires=(_VARIES,),
        when="later",
    ),
    Metric(
        key="standardized_rand",
        name="Standardised Rand index",
        symbol="SRI",
        family=GENERALISED_FAMILY,
        low=-np.inf,
        high=np.inf,
        formula="(Rand - E[Rand]) / sqrt(Var[Rand]), which is SMI_q for q = 2",
        source=_ROMANO,
        compute=lambda batch, _: batch.derive(_standardised, 2.0),
        requires=(_VARIES,),
        when="later",
    ),
    Metric(
        key="p_bound",
        name="Bound of the p-value of SMI",
        symbol="p at most",
        family=GENERALISED_FAMILY,
        low=0.0,
        high=1.0,
        formula="1 / (1 + SMI_q^2) where SMI_q > 0 (Cantelli's inequality), else 1",
        source=_ROMANO,
        compute=lambda batch, options: batch.derive(_p_bound, options.q),
        larger_is_better=False,
        parameters=("q",),
        when="later",
    ),
    Metric(
        key="var_mi_q",
        name="Variance of the mutual information of order q",
        symbol="Var[MI_q]",
        family=GENERALISED_FAMILY,
        low=0.0,
        high=np.inf,
        formula="variance of MI_q over all tables with the same margins",
        source=_ROMANO,
        compute=lambda batch, options: batch.derive(_variance, options.q),
        larger_is_better=None,
        parameters=("q",),
        when="later",
    ),
)
