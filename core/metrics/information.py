"""Information: what one partition tells of the other, in nats."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch, FloatArray
from core.chance.deviance import centred, deviance, multipliable
from core.chance.expected_information import expected_information
from core.metrics.metric import (
    INFORMATION_FAMILY,
    Average,
    BoolArray,
    Metric,
    ratio,
)
from core.table import IntArray


def _entropy(sizes: IntArray, total: IntArray) -> FloatArray:
    """Return ``-p ln p`` for each class; exact to rounding for p near 1 too."""
    share = sizes / total
    rest = (total - sizes) / total
    near_one = share > 0.5
    logarithm = np.empty(len(sizes))
    np.log(share, out=logarithm, where=~near_one)
    np.log1p(-rest, out=logarithm, where=near_one)
    term: FloatArray = -share * logarithm
    return term


def entropy_truth(batch: CellBatch) -> FloatArray:
    """Return the entropy of the truth classes, in nats, shape (k,)."""
    terms = _entropy(batch.row_sum, batch.total[batch.row_table])
    entropy: FloatArray = batch.sum_rows(terms)
    return entropy


def entropy_cluster(batch: CellBatch) -> FloatArray:
    """Return the entropy of the clusters, in nats, shape (k,)."""
    terms = _entropy(batch.column_sum, batch.total[batch.column_table])
    entropy: FloatArray = batch.sum_columns(terms)
    return entropy


def _expected_in_empty(batch: CellBatch) -> FloatArray:
    """Return the sum of ``a b / N`` over empty cells, which is their deviance, shape (k,).

    What is left of N by the other cells, in exact integers: a sum of their rounded
    differences would drown it where they are large.
    """
    total, a, b = multipliable(
        batch.total, batch.total, batch.row_sum[batch.row], batch.column_sum[batch.column]
    )
    left: FloatArray = (total * total - batch.sum_cells(a * b)) / np.maximum(total, 1)
    return left.astype(np.float64)


def mutual_information(batch: CellBatch) -> FloatArray:
    """Return the mutual information, in nats, shape (k,).

    A sum of terms that are never negative, so that near independence it keeps its
    digits. Where one partition refines the other it is the other's entropy, to the bit.
    """
    a, b = batch.row_sum[batch.row], batch.column_sum[batch.column]
    total = batch.total[batch.cell_table]
    mean = a.astype(np.float64) / total * b
    difference = centred(batch.count, a, b, total)
    terms = deviance(batch.count.astype(np.float64), mean, difference)
    value: FloatArray = (batch.sum_cells(terms) + _expected_in_empty(batch)) / batch.total_float
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


def adjusted_mutual_information(batch: CellBatch, average: Average) -> FloatArray:
    """Return the adjusted mutual information, shape (k,)."""
    expected = batch.derive(expected_information, 1.0) / batch.total_float
    mi = batch.derive(mutual_information)
    value = ratio(mi - expected, _mean_entropy(batch, average) - expected, 0.0)
    value[batch.derive(information_is_fixed)] = 0.0
    value[batch.identical] = 1.0
    return np.minimum(value, 1.0)


def _smaller_entropy(batch: CellBatch) -> npt.NDArray[np.float64]:
    return np.minimum(batch.derive(entropy_truth), batch.derive(entropy_cluster))


_ROSENBERG = "Rosenberg and Hirschberg, EMNLP-CoNLL (2007)"
_VINH = "Vinh, Epps and Bailey, J. Machine Learning Research 11 (2010)"

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
    ),
    Metric(
        key="mutual_information",
        name="Mutual information",
        symbol="MI, nats",
        family=INFORMATION_FAMILY,
        low=0.0,
        high=np.inf,
        formula="sum over cells of T_ij/N ln(N T_ij / (a_i b_j))",
        source="Shannon (1948); Cover and Thomas, Elements of Information Theory (2006), eq. 2.28",
        compute=lambda batch, _: batch.derive(mutual_information),
        upper=_smaller_entropy,
    ),
)
