"""Association in a contingency table: chi-square and what is made of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.cells import CellBatch, FloatArray
from core.chance.deviance import centred, multipliable
from core.metrics.metric import MATCHING_FAMILY, Metric, Requirement


@dataclass(frozen=True, eq=False)
class Residuals:
    """What the non-empty cells hold beyond what independent partitions would give them.

    Attributes
    ----------
    mean : ndarray of float64, shape (m,)
        Expected count ``mu = a b / N``.
    difference : ndarray of float64, shape (m,)
        ``n - mu``, rounded once.
    in_empty : ndarray of float64, shape (k,)
        Sum of ``mu`` over the empty cells of each table, rounded once.
    """

    mean: FloatArray
    difference: FloatArray
    in_empty: FloatArray


def residuals(batch: CellBatch) -> Residuals:
    """Return the residuals of the cells of the batch.

    What is expected in the empty cells is what the others leave of N, in exact
    integers: a sum of their rounded differences would drown it where they are large.
    """
    a, b = batch.row_sum[batch.row], batch.column_sum[batch.column]
    total = batch.total[batch.cell_table]
    mean = a.astype(np.float64) / total * b
    difference = centred(batch.count, a, b, total)
    total, a, b = multipliable(batch.total, batch.total, a, b)
    in_empty = (total * total - batch.sum_cells(a * b)) / np.maximum(total, 1)
    return Residuals(mean, difference, in_empty.astype(np.float64))


def _largest_chi_square(batch: CellBatch) -> FloatArray:
    shorter = np.minimum(batch.n_rows, batch.n_columns)
    largest: FloatArray = batch.total_float * np.maximum(shorter - 1, 0)
    return largest


def chi_square(batch: CellBatch) -> FloatArray:
    """Return Pearson's chi-square of each table, shape (k,).

    A sum of terms that are never negative, so that near independence it keeps its
    digits.
    """
    found = batch.derive(residuals)
    terms = found.difference * found.difference / found.mean
    value = batch.sum_cells(terms) + found.in_empty
    largest = batch.derive(_largest_chi_square)
    # Where one partition refines the other the largest value is reached, to the bit.
    refined = (batch.n_cells == batch.n_rows) | (batch.n_cells == batch.n_columns)
    at_most: FloatArray = np.minimum(np.where(refined, largest, value), largest)
    return at_most


def _cramers_v(batch: CellBatch) -> FloatArray:
    # Tables of one row or column are told by the requirement.
    largest = np.maximum(batch.derive(_largest_chi_square), 1.0)
    root: FloatArray = np.sqrt(batch.derive(chi_square) / largest)
    return root


def _concordance(batch: CellBatch) -> FloatArray:
    area = (batch.n_rows * batch.n_columns).astype(np.float64)
    phi_square = batch.derive(chi_square) / batch.total_float
    # phi^2 / (sqrt(rc) - 1), without the difference.
    value: FloatArray = phi_square * (np.sqrt(area) + 1.0) / np.maximum(area - 1.0, 1.0)
    value[batch.identical] = 1.0
    return np.minimum(value, 1.0)


_TWO_OF_EACH = Requirement(
    lambda batch: (batch.n_rows >= 2) & (batch.n_columns >= 2),
    "Cramér's V needs two truth classes and two clusters that have items",
)

METRICS = (
    Metric(
        key="cramers_v",
        name="Cramér's V",
        symbol="V Cramér",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula="sqrt(chi2 / (N min(r - 1, c - 1)))",
        source="Cramér, Mathematical Methods of Statistics (1946)",
        compute=lambda batch, _: _cramers_v(batch),
        requires=(_TWO_OF_EACH,),
    ),
    Metric(
        key="measure_of_concordance",
        name="Measure of concordance",
        symbol="MoC",
        family=MATCHING_FAMILY,
        low=0.0,
        high=1.0,
        formula="(sum over cells of T_ij^2 / (a_i b_j) - 1) / (sqrt(r c) - 1); 1 where r = c = 1",
        source="Pfitzner, Leibbrandt and Powers, Knowledge and Information Systems 19 (2009)",
        compute=lambda batch, _: _concordance(batch),
    ),
    Metric(
        key="chi2",
        name="Chi-square",
        symbol="χ²",
        family=MATCHING_FAMILY,
        low=0.0,
        high=np.inf,
        formula="N (sum over cells of T_ij^2 / (a_i b_j) - 1)",
        source="Pearson, Philosophical Magazine 50 (1900)",
        compute=lambda batch, _: batch.derive(chi_square),
        larger_is_better=None,
        upper=_largest_chi_square,
    ),
)
