"""Information: what one partition tells of the other, in nats."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.cells import CellBatch, FloatArray
from core.chance.deviance import deviance
from core.chance.expected_conditional import expected_conditional_entropies
from core.chance.expected_information import expected_information
from core.metrics.contingency import residuals
from core.metrics.losses import harmonic_loss, row_sums
from core.metrics.metric import (
    INFORMATION_FAMILY,
    Average,
    BoolArray,
    Metric,
    ScoreOptions,
    ratio,
)
from core.table import IntArray


def surprise(part: IntArray, whole: IntArray) -> FloatArray:
    """Return ``-ln(part / whole)``, to rounding where the ratio is near 1 too.

    Parameters
    ----------
    part, whole : ndarray of int64, shape (n,)
        Counts, ``0 < part <= whole``.

    Returns
    -------
    ndarray of float64, shape (n,)
        In nats, never negative.
    """
    share = part / whole
    rest = (whole - part) / whole
    near_one = share > 0.5
    logarithm = np.empty(len(share))
    np.log(share, out=logarithm, where=~near_one)
    np.log1p(-rest, out=logarithm, where=near_one)
    return -logarithm


def entropy_terms(sizes: IntArray, total: IntArray) -> FloatArray:
    """Return ``-p ln p`` for ``p = sizes / total``, shape (n,)."""
    terms: FloatArray = sizes / total * surprise(sizes, total)
    return terms


def entropy_truth(batch: CellBatch) -> FloatArray:
    """Return the entropy of the truth classes, in nats, shape (k,)."""
    terms = entropy_terms(batch.row_sum, batch.total[batch.row_table])
    entropy: FloatArray = batch.sum_rows(terms)
    return entropy


def entropy_cluster(batch: CellBatch) -> FloatArray:
    """Return the entropy of the clusters, in nats, shape (k,)."""
    terms = entropy_terms(batch.column_sum, batch.total[batch.column_table])
    entropy: FloatArray = batch.sum_columns(terms)
    return entropy


def truth_in_cluster(batch: CellBatch) -> FloatArray:
    """Return the terms of H(truth | cluster), one for each cell, shape (m,)."""
    terms = surprise(batch.count, batch.column_sum[batch.column])
    return batch.count / batch.total_float[batch.cell_table] * terms


def cluster_in_truth(batch: CellBatch) -> FloatArray:
    """Return the terms of H(cluster | truth), one for each cell, shape (m,)."""
    terms = surprise(batch.count, batch.row_sum[batch.row])
    return batch.count / batch.total_float[batch.cell_table] * terms


def mutual_information(batch: CellBatch) -> FloatArray:
    """Return the mutual information, in nats, shape (k,).

    A sum of terms that are never negative, so that near independence it keeps its
    digits. Where one partition refines the other it is the other's entropy, to the bit.
    """
    found = batch.derive(residuals)
    terms = deviance(batch.count.astype(np.float64), found.mean, found.difference)
    value: FloatArray = (batch.sum_cells(terms) + found.in_empty) / batch.total_float
    one_class_a_cluster = batch.n_cells == batch.n_columns
    one_cluster_a_class = batch.n_cells == batch.n_rows
    value = np.where(one_cluster_a_class, batch.derive(entropy_cluster), value)
    value = np.where(one_class_a_cluster, batch.derive(entropy_truth), value)
    smaller = np.minimum(batch.derive(entropy_truth), batch.derive(entropy_cluster))
    return np.minimum(value, smaller)


def _homogeneity(batch: CellBatch) -> FloatArray:
    value = ratio(batch.derive(mutual_information), batch.derive(entropy_truth), 1.0)
    # One class in every cluster: rounding must not decide otherwise.
    value[batch.n_cells == batch.n_columns] = 1.0
    return value


def _completeness(batch: CellBatch) -> FloatArray:
    value = ratio(batch.derive(mutual_information), batch.derive(entropy_cluster), 1.0)
    value[batch.n_cells == batch.n_rows] = 1.0
    return value


def _v_measure(batch: CellBatch, beta: float) -> FloatArray:
    h, c = batch.derive(_homogeneity), batch.derive(_completeness)
    value = ratio((1.0 + beta) * h * c, beta * h + c, 0.0)
    return np.minimum(value, np.maximum(h, c))


def _mean_entropy(batch: CellBatch, average: Average) -> FloatArray:
    h, k = batch.derive(entropy_truth), batch.derive(entropy_cluster)
    if average == "arithmetic":
        mean: FloatArray = (h + k) / 2.0
        return mean
    if average == "geometric":
        root: FloatArray = np.sqrt(h * k)
        return root
    return np.minimum(h, k) if average == "min" else np.maximum(h, k)


def _nmi(batch: CellBatch, average: Average) -> FloatArray:
    mi, mean = batch.derive(mutual_information), _mean_entropy(batch, average)
    # Without information the score is 0, unless both entropies are 0 too.
    value = np.where(mi > 0.0, np.minimum(ratio(mi, mean, 0.0), 1.0), 0.0)
    value[batch.identical] = 1.0
    return value


def information_is_fixed(batch: CellBatch) -> BoolArray:
    """Return whether every table with these margins has the same information, shape (k,).

    So it is with one class, one cluster, singletons on either side, or one item against
    all others where the parts of the other side are of one size: then the information
    equals its expectation exactly, and rounding must not decide otherwise.
    """
    lone_row, even_rows = _lone_and_even(batch.row_table, batch.row_sum, batch)
    lone_column, even_columns = _lone_and_even(batch.column_table, batch.column_sum, batch)
    fixed: BoolArray = (
        (batch.n_rows == 1)
        | (batch.n_columns == 1)
        | (batch.n_rows == batch.total)
        | (batch.n_columns == batch.total)
        | (lone_row & even_columns)
        | (lone_column & even_rows)
    )
    return fixed


def _lone_and_even(
    table: IntArray, size: IntArray, batch: CellBatch
) -> tuple[BoolArray, BoolArray]:
    """Return whether one item stands against all others, and whether all parts are equal."""
    number = np.bincount(table, minlength=batch.n_tables)
    has_single = np.bincount(table[size == 1], minlength=batch.n_tables) > 0
    uneven = size != (batch.total // np.maximum(number, 1))[table]
    even = np.bincount(table[uneven], minlength=batch.n_tables) == 0
    return (number == 2) & has_single, even


# Expected information beside the smaller entropy, from which on their difference has lost
# digits and is taken in another way.
_NEARLY_ALL = 0.9


@dataclass(frozen=True, eq=False)
class _AboveChance:
    """How far the information and the entropies lie above the expected information.

    Attributes
    ----------
    information, truth, cluster : ndarray of float64, shape (k,)
        MI, H(truth) and H(cluster) less E[MI], in nats.
    """

    information: FloatArray
    truth: FloatArray
    cluster: FloatArray


def above_chance(batch: CellBatch) -> _AboveChance:
    """Return how far the information and the entropies lie above what chance gives.

    With many tiny parts all of them are nearly equal. Then H(truth) - E[MI] is taken as the
    expectation of H(truth | cluster), and MI - E[MI] as what that lies above its value.
    """
    expected = batch.derive(expected_information, 1.0) / batch.total_float
    h, k = batch.derive(entropy_truth), batch.derive(entropy_cluster)
    information = batch.derive(mutual_information) - expected
    truth, cluster = h - expected, k - expected
    near = (expected > _NEARLY_ALL * np.minimum(h, k)) & ~batch.derive(information_is_fixed)
    if near.any():
        left = expected_conditional_entropies(batch, near)
        left_truth, left_cluster = left.truth / batch.total_float, left.cluster / batch.total_float
        from_truth = left_truth - batch.sum_cells(batch.derive(truth_in_cluster))
        from_cluster = left_cluster - batch.sum_cells(batch.derive(cluster_in_truth))
        smaller = np.where(left_truth < left_cluster, from_truth, from_cluster)
        information = np.where(near, smaller, information)
        truth, cluster = np.where(near, left_truth, truth), np.where(near, left_cluster, cluster)
    return _AboveChance(information, truth, cluster)


def adjusted_mutual_information(batch: CellBatch, average: Average) -> FloatArray:
    """Return the adjusted mutual information, shape (k,)."""
    above = batch.derive(above_chance)
    value = ratio(above.information, _mean_above(batch, average), 0.0)
    value[batch.derive(information_is_fixed)] = 0.0
    value[batch.identical] = 1.0
    return np.minimum(value, 1.0)


def _mean_above(batch: CellBatch, average: Average) -> FloatArray:
    """Return the mean of the entropies less the expected information, shape (k,)."""
    above = batch.derive(above_chance)
    if average == "min":
        return np.minimum(above.truth, above.cluster)
    if average == "max":
        return np.maximum(above.truth, above.cluster)
    if average == "arithmetic":
        mean: FloatArray = (above.truth + above.cluster) / 2.0
        return mean
    # sqrt(h k) lies between h and k, in the ratio of sqrt(h) to sqrt(k).
    h, k = np.sqrt(batch.derive(entropy_truth)), np.sqrt(batch.derive(entropy_cluster))
    return ratio(above.truth * k + above.cluster * h, h + k, 0.0)


# What each truth class loses


def _homogeneity_loss(batch: CellBatch, _: ScoreOptions) -> FloatArray:
    lost = row_sums(batch, batch.derive(truth_in_cluster))
    return ratio(lost, batch.derive(entropy_truth)[batch.row_table], 0.0)


def _completeness_loss(batch: CellBatch, _: ScoreOptions) -> FloatArray:
    lost = row_sums(batch, batch.derive(cluster_in_truth))
    return ratio(lost, batch.derive(entropy_cluster)[batch.row_table], 0.0)


def _v_measure_loss(batch: CellBatch, options: ScoreOptions) -> FloatArray:
    return harmonic_loss(
        batch,
        batch.derive(_homogeneity),
        batch.derive(_completeness),
        _homogeneity_loss(batch, options),
        _completeness_loss(batch, options),
        options.beta,
    )


def variation_loss(batch: CellBatch) -> FloatArray:
    """Return the terms of the variation of information of each truth class, shape (R,)."""
    return row_sums(batch, batch.derive(truth_in_cluster) + batch.derive(cluster_in_truth))


def _nmi_loss(batch: CellBatch, options: ScoreOptions) -> FloatArray:
    """Return the terms of 1 - NMI, NaN for a mean that does not split into classes."""
    if options.average != "arithmetic":
        return np.full(len(batch.row_table), np.nan)
    both = batch.derive(entropy_truth) + batch.derive(entropy_cluster)
    return ratio(batch.derive(variation_loss), both[batch.row_table], 0.0)


def _ami_loss(batch: CellBatch, options: ScoreOptions) -> FloatArray:
    """Return the terms of 1 - AMI, NaN for a mean that does not split into classes."""
    if options.average != "arithmetic":
        return np.full(len(batch.row_table), np.nan)
    # 1 - AMI is VI / 2 over the mean entropy less the expected information. That difference
    # may have few digits, and AMI has no more: the classes share what is printed.
    terms = batch.derive(variation_loss)
    lost = (1.0 - batch.derive(adjusted_mutual_information, "arithmetic"))[batch.row_table]
    return lost * ratio(terms, batch.sum_rows(terms)[batch.row_table], 0.0)


_ROSENBERG = "Rosenberg and Hirschberg, EMNLP-CoNLL (2007)"
_VINH = "Vinh, Epps and Bailey, J. Machine Learning Research 11 (2010)"

_MEANS: tuple[tuple[Average, str, str], ...] = (
    ("geometric", "geometric mean", "geometric"),
    ("min", "smaller entropy", "min"),
    ("max", "larger entropy", "max"),
)
_MEAN_FORMULAS: dict[Average, str] = {
    "geometric": "sqrt(H(truth) H(cluster))",
    "min": "min(H(truth), H(cluster))",
    "max": "max(H(truth), H(cluster))",
}


def _ami_over(average: Average, name: str, symbol: str) -> Metric:
    return Metric(
        key=f"ami_{average}",
        name=f"Adjusted mutual information, {name}",
        symbol=f"AMI {symbol}",
        family=INFORMATION_FAMILY,
        low=-np.inf,
        high=1.0,
        formula=f"(MI - E[MI]) / (h - E[MI]), h = {_MEAN_FORMULAS[average]}; otherwise as AMI",
        source=f"{_VINH}, table 2",
        compute=lambda batch, _: batch.derive(adjusted_mutual_information, average),
    )


def _nmi_over(average: Average, name: str, symbol: str) -> Metric:
    return Metric(
        key=f"nmi_{average}",
        name=f"Normalised mutual information, {name}",
        symbol=f"NMI {symbol}",
        family=INFORMATION_FAMILY,
        low=0.0,
        high=1.0,
        formula=f"MI / h, h = {_MEAN_FORMULAS[average]}; otherwise as NMI",
        source=f"{_VINH}, table 2",
        compute=lambda batch, _: batch.derive(_nmi, average),
    )


METRICS = (
    Metric(
        key="ami",
        name="Adjusted mutual information",
        symbol="AMI",
        family=INFORMATION_FAMILY,
        low=-np.inf,
        high=1.0,
        formula=(
            "(MI - E[MI]) / (mean(H) - E[MI]); E over all tables with the same margins; "
            "1 for identical partitions, 0 where MI = E[MI]"
        ),
        source=f"{_VINH}, table 2",
        compute=lambda batch, options: batch.derive(adjusted_mutual_information, options.average),
        parameters=("average",),
        loss=_ami_loss,
    ),
    Metric(
        key="nmi",
        name="Normalised mutual information",
        symbol="NMI",
        family=INFORMATION_FAMILY,
        low=0.0,
        high=1.0,
        formula="MI / mean(H(truth), H(cluster)); 1 where both entropies are 0, 0 where MI is 0",
        source=f"{_VINH}, table 2",
        compute=lambda batch, options: batch.derive(_nmi, options.average),
        parameters=("average",),
        loss=_nmi_loss,
    ),
    Metric(
        key="v_measure",
        name="V-measure",
        symbol="V",
        family=INFORMATION_FAMILY,
        low=0.0,
        high=1.0,
        formula="(1 + beta) h c / (beta h + c), h homogeneity, c completeness",
        source=f"{_ROSENBERG}, eq. 3",
        compute=lambda batch, options: batch.derive(_v_measure, options.beta),
        parameters=("beta",),
        loss=_v_measure_loss,
    ),
    Metric(
        key="homogeneity",
        name="Homogeneity",
        symbol="Homogeneity",
        family=INFORMATION_FAMILY,
        low=0.0,
        high=1.0,
        formula="MI / H(truth); 1 where H(truth) = 0",
        source=f"{_ROSENBERG}, eq. 1",
        compute=lambda batch, _: batch.derive(_homogeneity),
        loss=_homogeneity_loss,
    ),
    Metric(
        key="completeness",
        name="Completeness",
        symbol="Completeness",
        family=INFORMATION_FAMILY,
        low=0.0,
        high=1.0,
        formula="MI / H(cluster); 1 where H(cluster) = 0",
        source=f"{_ROSENBERG}, eq. 2",
        compute=lambda batch, _: batch.derive(_completeness),
        loss=_completeness_loss,
    ),
    *(_ami_over(*mean) for mean in _MEANS),
    *(_nmi_over(*mean) for mean in _MEANS),
)
