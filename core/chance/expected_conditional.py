"""What a partition is expected to leave open of the other under the margins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch, FloatArray
from core.chance.hypergeometric import Nodes
from core.chance.margin_pairs import MarginPairs
from core.table import IntArray


@dataclass(frozen=True, eq=False)
class ConditionalEntropies:
    """Expected conditional entropies, N times, in nats, shape (k,) each.

    Attributes
    ----------
    truth : ndarray of float64
        Of the truth classes, given the clusters.
    cluster : ndarray of float64
        Of the clusters, given the truth classes.
    """

    truth: FloatArray
    cluster: FloatArray


def expected_conditional_entropies(
    batch: CellBatch, tables: npt.NDArray[np.bool_]
) -> ConditionalEntropies:
    """Return N times the expectation of either partition's entropy given the other.

    Where parts are tiny, an entropy and the expected information are nearly equal; this is
    their difference, a sum of terms that are never negative.

    Parameters
    ----------
    batch : CellBatch
    tables : ndarray of bool, shape (k,)
        The tables to compute; the others get 0.
    """
    truth, cluster = np.zeros(batch.n_tables), np.zeros(batch.n_tables)
    for block in MarginPairs(batch, tables):
        law = block.law
        found = np.zeros((2, len(law.a)))
        for nodes in law.nodes():
            for i, size in enumerate((law.b, law.a)):
                found[i, nodes.cells] = _expected_open(nodes, size)
        found *= block.repeats
        truth += np.bincount(block.table, found[0], minlength=batch.n_tables)
        cluster += np.bincount(block.table, found[1], minlength=batch.n_tables)
    return ConditionalEntropies(truth, cluster)


def _expected_open(nodes: Nodes, size: IntArray) -> FloatArray:
    value = _open(nodes.count, size[nodes.cells].astype(np.float64))
    expected: FloatArray = np.einsum("ij,ij->j", nodes.weight, value)
    return expected


def _open(count: FloatArray, size: FloatArray) -> FloatArray:
    """Return ``n ln(a / n)``, 0 where n is 0."""
    beside = (count - size) / size
    np.maximum(beside, -1.0 + 2.0**-53, out=beside)
    # Beyond the part's own size there is no weight.
    np.minimum(beside, 0.0, out=beside)
    value: FloatArray = -count * np.log1p(beside)
    return value
