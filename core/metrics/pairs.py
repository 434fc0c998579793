"""Pair counting: of all pairs of items, how many the partitions agree on.

Every value is a ratio of integers, taken in exact arithmetic and rounded once: the
counts of pairs overflow 64 bits long before the counts of items do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch, FloatArray
from core.metrics.metric import PAIRS_FAMILY, Metric

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
        source="Hubert and Arabie, J. Classification 2 (1985), eq. 5",
        compute=lambda batch, _: batch.derive(_adjusted_rand),
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
)
