"""The expected information of a table under its margins, Shannon's and generalised."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.cells import CellBatch, FloatArray
from core.chance.generalised_deviance import generalised_deviance
from core.chance.hypergeometric import CellLaw
from core.chance.margin_pairs import MarginPairs


def expected_information(batch: CellBatch, q: float) -> FloatArray:
    """Return N times the expected information of order q above independence, shape (k,).

    The expectation is over all tables with the margins of the given one (the permutation
    model). For q = 1 it is N times the expected mutual information, in nats. Each distinct
    pair of margins is computed once.

    Parameters
    ----------
    batch : CellBatch
    q : float
        Order of the entropies, above 0.

    Returns
    -------
    ndarray of float64, shape (k,)
        ``N (E[MI_q] - (q - 1) H_q(truth) H_q(cluster))``.

    Notes
    -----
    Vinh, Epps and Bailey (2010), eq. 24a, and its generalisation by Romano et al. (2016),
    as a sum of terms that are never negative: ``the sum over cells of
    E[generalised_deviance]``.
    """
    result = np.zeros(batch.n_tables)
    for part in expected_information_parts(batch, q):
        result = part.value
    return result


def expected_deviance(law: CellLaw, q: float) -> FloatArray:
    """Return ``E[generalised_deviance]`` of each cell, shape (p,)."""
    share = law.share
    value = np.empty(len(share))
    for nodes in law.nodes(q):
        # What leaves double precision is NaN in the end.
        with np.errstate(all="ignore"):
            term = generalised_deviance(
                nodes.count, nodes.mean, nodes.difference, share[nodes.cells], q
            )
            value[nodes.cells] = np.einsum("ij,ij->j", nodes.weight, term)
    return value


@dataclass(frozen=True, eq=False)
class Part:
    """How far the expectation has come: pairs of margins done, and their sum."""

    done: int
    pairs: int
    value: FloatArray


def expected_information_parts(batch: CellBatch, q: float) -> Iterator[Part]:
    """Yield `expected_information` as it grows, so that a caller may stop in between.

    Yields
    ------
    Part
        The last one holds the whole.
    """
    result = np.zeros(batch.n_tables)
    for block in MarginPairs(batch):
        value = expected_deviance(block.law, q) * block.repeats
        result = result + np.bincount(block.table, value, minlength=batch.n_tables)
        yield Part(block.done, block.pairs, result)
