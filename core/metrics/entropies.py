"""Entropies and information: the quantities behind the scores, in nats."""

from __future__ import annotations

import numpy as np

from core.cells import CellBatch, FloatArray
from core.chance.expected_information import expected_information
from core.metrics.information import (
    cluster_in_truth,
    entropy_cluster,
    entropy_terms,
    entropy_truth,
    mutual_information,
    truth_in_cluster,
    variation_loss,
)
from core.metrics.metric import INFORMATION_FAMILY, Metric


def _smaller_entropy(batch: CellBatch) -> FloatArray:
    return np.minimum(batch.derive(entropy_truth), batch.derive(entropy_cluster))


def _both_entropies(batch: CellBatch) -> FloatArray:
    both: FloatArray = batch.derive(entropy_truth) + batch.derive(entropy_cluster)
    return both


def _joint_entropy(batch: CellBatch) -> FloatArray:
    entropy: FloatArray = batch.sum_cells(entropy_terms(batch.count, batch.total[batch.cell_table]))
    return np.minimum(entropy, _both_entropies(batch))


def _variation_of_information(batch: CellBatch) -> FloatArray:
    # H(truth | cluster) + H(cluster | truth): no term is negative, so nothing cancels.
    terms = batch.derive(truth_in_cluster) + batch.derive(cluster_in_truth)
    distance: FloatArray = batch.sum_cells(terms)
    return np.minimum(distance, _both_entropies(batch))


def _expected_mutual_information(batch: CellBatch) -> FloatArray:
    expected = batch.derive(expected_information, 1.0) / batch.total_float
    return np.minimum(expected, _smaller_entropy(batch))


_COVER = "Shannon (1948); Cover and Thomas, Elements of Information Theory (2006)"

METRICS = (
    Metric(
        key="variation_of_information",
        name="Variation of information",
        symbol="VI, nats",
        family=INFORMATION_FAMILY,
        low=0.0,
        high=np.inf,
        formula="H(truth | cluster) + H(cluster | truth)",
        source="Meilă, J. Multivariate Analysis 98 (2007)",
        compute=lambda batch, _: _variation_of_information(batch),
        larger_is_better=False,
        upper=_both_entropies,
        loss=lambda batch, _: batch.derive(variation_loss),
    ),
    Metric(
        key="mutual_information",
        name="Mutual information",
        symbol="MI, nats",
        family=INFORMATION_FAMILY,
        low=0.0,
        high=np.inf,
        formula="sum over cells of T_ij/N ln(N T_ij / (a_i b_j))",
        source=f"{_COVER}, eq. 2.28",
        compute=lambda batch, _: batch.derive(mutual_information),
        upper=_smaller_entropy,
    ),
    Metric(
        key="expected_mutual_information",
        name="Expected mutual information",
        symbol="E[MI], nats",
        family=INFORMATION_FAMILY,
        low=0.0,
        high=np.inf,
        formula="mean of MI over all tables with the same margins",
        source="Vinh, Epps and Bailey, J. Machine Learning Research 11 (2010), eq. 24a",
        compute=lambda batch, _: _expected_mutual_information(batch),
        larger_is_better=None,
        upper=_smaller_entropy,
    ),
    Metric(
        key="entropy_truth",
        name="Entropy of the truth classes",
        symbol="H(truth), nats",
        family=INFORMATION_FAMILY,
        low=0.0,
        high=np.inf,
        formula="-sum over truth classes of a_i/N ln(a_i/N)",
        source=_COVER,
        compute=lambda batch, _: batch.derive(entropy_truth),
        larger_is_better=None,
    ),
    Metric(
        key="entropy_cluster",
        name="Entropy of the clusters",
        symbol="H(cluster), nats",
        family=INFORMATION_FAMILY,
        low=0.0,
        high=np.inf,
        formula="-sum over clusters of b_j/N ln(b_j/N)",
        source=_COVER,
        compute=lambda batch, _: batch.derive(entropy_cluster),
        larger_is_better=None,
    ),
    Metric(
        key="joint_entropy",
        name="Joint entropy",
        symbol="H(truth, cluster), nats",
        family=INFORMATION_FAMILY,
        low=0.0,
        high=np.inf,
        formula="-sum over cells of T_ij/N ln(T_ij/N)",
        source=_COVER,
        compute=lambda batch, _: _joint_entropy(batch),
        larger_is_better=None,
        upper=_both_entropies,
    ),
)
