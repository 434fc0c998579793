"""Pair counting: of all pairs of items, how many the partitions agree on.

Every value is a ratio of integers, taken in exact arithmetic and rounded once: the
counts of pairs overflow 64 bits long before the counts of items do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch, FloatArray
from core.metrics.losses import row_sums
from core.metrics.metric import PAIRS_FAMILY, Metric, Requirement, ScoreOptions, ratio

# Products of two pair counts, and their sums, stay below 2**53 up to this total: as floats
# they are exact, so that a ratio of them is rounded once.
_PRODUCTS_FIT = 10_000
# Pair counts stay below 2**62 up to this total.
_PAIRS_FIT = 2_000_000_000


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Pairs of items, exact; int64 or Python integers, shape (k,) each.

    Attributes
    ----------
    both : ndarray
        Pairs together in a class and in a cluster (TP).
    truth, cluster : ndarray
        Pairs together in a class (TP + FN), in a cluster (TP + FP).
    all : ndarray
        All pairs, ``N (N - 1) / 2``.
    """

    both: npt.NDArray[Any]
    truth: npt.NDArray[Any]
    cluster: npt.NDArray[Any]
    all: npt.NDArray[Any]


def pair_counts(batch: CellBatch) -> PairCounts:
    """Count the pairs of each table of the batch, exactly."""
    largest = int(batch.total.max(initial=0))
    exact = largest > _PAIRS_FIT

    def pairs(count: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        number: npt.NDArray[Any] = count.astype(object) if exact else count
        two_of: npt.NDArray[Any] = number * (number - 1) // 2
        return two_of

    counted = (
        batch.sum_cells(pairs(batch.count)),
        batch.sum_rows(pairs(batch.row_sum)),
        batch.sum_columns(pairs(batch.column_sum)),
        pairs(batch.total),
    )
    if largest > _PRODUCTS_FIT:
        return PairCounts(*(c.astype(object) for c in counted))
    return PairCounts(*counted)


def _ratio(
    numerator: npt.NDArray[Any], denominator: npt.NDArray[Any], otherwise: float
) -> FloatArray:
    """Divide integers with one rounding; ``otherwise`` where the denominator is 0."""
    result = np.full(len(denominator), otherwise)
    some = denominator != 0
    result[some] = (numerator[some] / denominator[some]).astype(np.float64)
    return result


def _rand(batch: CellBatch) -> FloatArray:
    p = batch.derive(pair_counts)
    return _ratio(p.all + 2 * p.both - p.truth - p.cluster, p.all, 1.0)


def _adjusted_rand(batch: CellBatch) -> FloatArray:
    p = batch.derive(pair_counts)
    expected = p.truth * p.cluster
    value = _ratio(
        2 * (p.both * p.all - expected), (p.truth + p.cluster) * p.all - 2 * expected, 1.0
    )
    # With fp = fn = 0 the partitions are identical, whatever the denominator is.
    value[batch.identical] = 1.0
    return value


def _fowlkes_mallows(batch: CellBatch) -> FloatArray:
    p = batch.derive(pair_counts)
    together = np.sqrt((p.truth * p.cluster).astype(np.float64))
    value = np.full(batch.n_tables, 0.0)
    some = together > 0
    value[some] = p.both[some].astype(np.float64) / together[some]
    # No pair is together anywhere: the partitions agree on every pair.
    value[(p.truth == 0) & (p.cluster == 0)] = 1.0
    value[batch.identical] = 1.0
    at_most_one: FloatArray = np.minimum(value, 1.0)
    return at_most_one


def _jaccard(batch: CellBatch) -> FloatArray:
    p = batch.derive(pair_counts)
    return _ratio(p.both, p.truth + p.cluster - p.both, 1.0)


def _wallace(batch: CellBatch, together: Callable[[PairCounts], npt.NDArray[Any]]) -> FloatArray:
    p = batch.derive(pair_counts)
    return _ratio(p.both, together(p), np.nan)


def _whole(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return counts of pairs as Python integers."""
    return values.astype(object)


def _apart_in_cluster(batch: CellBatch) -> npt.NDArray[Any]:
    """Return FN, the pairs of a class that the clusters part, shape (k,)."""
    p = batch.derive(pair_counts)
    pairs: npt.NDArray[Any] = p.truth - p.both
    return pairs


def _apart_in_truth(batch: CellBatch) -> npt.NDArray[Any]:
    """Return FP, the pairs of a cluster from two classes, shape (k,)."""
    p = batch.derive(pair_counts)
    pairs: npt.NDArray[Any] = p.cluster - p.both
    return pairs


def _apart_in_both(batch: CellBatch) -> npt.NDArray[Any]:
    """Return TN, the pairs together nowhere, shape (k,)."""
    p = batch.derive(pair_counts)
    pairs: npt.NDArray[Any] = p.all - p.truth - p.cluster + p.both
    return pairs


# What each truth class loses


def _parted(batch: CellBatch) -> FloatArray:
    """Return the pairs of each truth class that the clusters part, shape (R,)."""
    rest = batch.row_sum[batch.row] - batch.count
    return row_sums(batch, batch.count.astype(np.float64) * rest) / 2.0


def _mixed(batch: CellBatch) -> FloatArray:
    """Return the pairs that a cluster puts together across classes, shape (R,).

    Half of each pair belongs to either class.
    """
    rest = batch.column_sum[batch.column] - batch.count
    return row_sums(batch, batch.count.astype(np.float64) * rest) / 2.0


def _mispaired(batch: CellBatch) -> FloatArray:
    mispaired: FloatArray = batch.derive(_parted) + batch.derive(_mixed)
    return mispaired


def _loss(
    pairs: Callable[[CellBatch], FloatArray],
    of: Callable[[PairCounts], npt.NDArray[Any]],
) -> Callable[[CellBatch, ScoreOptions], FloatArray]:
    """Return the loss whose terms are pairs of each class over pairs of the table."""

    def loss(batch: CellBatch, _: ScoreOptions) -> FloatArray:
        whole = of(batch.derive(pair_counts)).astype(np.float64)
        return ratio(batch.derive(pairs), whole[batch.row_table], 0.0)

    return loss


def _adjusted_rand_loss(batch: CellBatch, _: ScoreOptions) -> FloatArray:
    # 1 - ARI is FP + FN times this.
    p = batch.derive(pair_counts)
    weight = _ratio(p.all, (p.truth + p.cluster) * p.all - 2 * p.truth * p.cluster, 0.0)
    loss: FloatArray = batch.derive(_mispaired) * weight[batch.row_table]
    return loss


_RAND_LOSS = _loss(_mispaired, lambda p: p.all)

_CLASS_OF_TWO = Requirement(
    lambda batch: batch.n_rows < batch.total,
    "Wallace's index of the classes needs a truth class of two items or more",
)
_CLUSTER_OF_TWO = Requirement(
    lambda batch: batch.n_columns < batch.total,
    "Wallace's index of the clusters needs a cluster of two items or more",
)

_HUBERT = "Hubert and Arabie, J. Classification 2 (1985)"
_WALLACE = "Wallace, J. Am. Stat. Assoc. 78 (1983)"

METRICS = (
    Metric(
        key="ari",
        name="Adjusted Rand index",
        symbol="ARI",
        family=PAIRS_FAMILY,
        low=-0.5,
        high=1.0,
        formula=(
            "(TP - E) / ((S + T)/2 - E), E = S T / C(N, 2), "
            "S = TP + FN, T = TP + FP; 1 where FP = FN = 0"
        ),
        source=f"{_HUBERT}, eq. 5",
        compute=lambda batch, _: batch.derive(_adjusted_rand),
        loss=_adjusted_rand_loss,
    ),
    Metric(
        key="rand",
        name="Rand index",
        symbol="Rand",
        family=PAIRS_FAMILY,
        low=0.0,
        high=1.0,
        formula="(TP + TN) / C(N, 2); 1 where N < 2",
        source="Rand, J. Am. Stat. Assoc. 66 (1971)",
        compute=lambda batch, _: batch.derive(_rand),
        loss=_RAND_LOSS,
    ),
    Metric(
        key="fowlkes_mallows",
        name="Fowlkes-Mallows index",
        symbol="FMI",
        family=PAIRS_FAMILY,
        low=0.0,
        high=1.0,
        formula=(
            "TP / sqrt((TP + FP)(TP + FN)); 0 where TP = 0, 1 where no pair is together anywhere"
        ),
        source="Fowlkes and Mallows, J. Am. Stat. Assoc. 78 (1983)",
        compute=lambda batch, _: batch.derive(_fowlkes_mallows),
    ),
    Metric(
        key="jaccard",
        name="Jaccard index",
        symbol="Jaccard",
        family=PAIRS_FAMILY,
        low=0.0,
        high=1.0,
        formula="TP / (TP + FP + FN); 1 where no pair is together anywhere",
        source="Jaccard, New Phytologist 11 (1912), of pairs",
        compute=lambda batch, _: batch.derive(_jaccard),
        loss=_loss(_mispaired, lambda p: p.truth + p.cluster - p.both),
    ),
    Metric(
        key="wallace_truth",
        name="Wallace index of the classes",
        symbol="Wallace truth",
        family=PAIRS_FAMILY,
        low=0.0,
        high=1.0,
        formula="TP / (TP + FN): of the pairs in a class, the share together in a cluster",
        source=_WALLACE,
        compute=lambda batch, _: _wallace(batch, lambda p: p.truth),
        requires=(_CLASS_OF_TWO,),
        loss=_loss(_parted, lambda p: p.truth),
    ),
    Metric(
        key="wallace_cluster",
        name="Wallace index of the clusters",
        symbol="Wallace cluster",
        family=PAIRS_FAMILY,
        low=0.0,
        high=1.0,
        formula="TP / (TP + FP): of the pairs in a cluster, the share together in a class",
        source=_WALLACE,
        compute=lambda batch, _: _wallace(batch, lambda p: p.cluster),
        requires=(_CLUSTER_OF_TWO,),
        loss=_loss(_mixed, lambda p: p.cluster),
    ),
    Metric(
        key="pair_agreement",
        name="Pair agreement",
        symbol="Pair agreement",
        family=PAIRS_FAMILY,
        low=0.0,
        high=1.0,
        formula="(TP + TN) / C(N, 2): the Rand index under another name",
        source="Rand, J. Am. Stat. Assoc. 66 (1971)",
        compute=lambda batch, _: batch.derive(_rand),
        loss=_RAND_LOSS,
    ),
    Metric(
        key="mirkin",
        name="Mirkin distance",
        symbol="Mirkin",
        family=PAIRS_FAMILY,
        low=0.0,
        high=np.inf,
        formula="2 (FP + FN)",
        source="Mirkin, Mathematical Classification and Clustering (1996)",
        compute=lambda batch, _: _whole(
            2 * (batch.derive(_apart_in_truth) + batch.derive(_apart_in_cluster))
        ),
        larger_is_better=False,
        whole=True,
        loss=lambda batch, _: 2.0 * batch.derive(_mispaired),
    ),
    Metric(
        key="tp",
        name="Pairs together in both",
        symbol="TP",
        family=PAIRS_FAMILY,
        low=0.0,
        high=np.inf,
        formula="sum over cells of C(T_ij, 2): pairs together in a class and in a cluster",
        source=_HUBERT,
        compute=lambda batch, _: _whole(batch.derive(pair_counts).both),
        larger_is_better=None,
        whole=True,
    ),
    Metric(
        key="fp",
        name="Pairs together in a cluster only",
        symbol="FP",
        family=PAIRS_FAMILY,
        low=0.0,
        high=np.inf,
        formula="sum over clusters of C(b_j, 2), less TP",
        source=_HUBERT,
        compute=lambda batch, _: _whole(batch.derive(_apart_in_truth)),
        larger_is_better=None,
        whole=True,
    ),
    Metric(
        key="fn",
        name="Pairs together in a class only",
        symbol="FN",
        family=PAIRS_FAMILY,
        low=0.0,
        high=np.inf,
        formula="sum over truth classes of C(a_i, 2), less TP",
        source=_HUBERT,
        compute=lambda batch, _: _whole(batch.derive(_apart_in_cluster)),
        larger_is_better=None,
        whole=True,
    ),
    Metric(
        key="tn",
        name="Pairs together in neither",
        symbol="TN",
        family=PAIRS_FAMILY,
        low=0.0,
        high=np.inf,
        formula="C(N, 2), less TP, FP and FN",
        source=_HUBERT,
        compute=lambda batch, _: _whole(batch.derive(_apart_in_both)),
        larger_is_better=None,
        whole=True,
    ),
)
