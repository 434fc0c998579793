r"""The variance of the information of a table under its margins.

The cells of a random table are dependent, and the published algorithms sum over pairs of
counts. They need not: the law of a cell has orthonormal polynomials (Hahn's), and any two
cells are diagonal in them. Let ``c_n(i, j)`` be the coefficient of degree n of a cell's
term. Two cells of one row, drawn from columns of b and b' items, have

    ``E[Q_n Q'_m] = 0`` for n != m and ``(-1)^n sqrt([b]_n [b']_n / ([N-b]_n [N-b']_n))``

for n = m, with ``[b]_n = b (b-1) ... (b-n+1)``: the conditional expectation of one count
given the other maps polynomials to polynomials of the same degree, both ways. Cells of
different rows and columns are independent given a cell that shares a row with the one and a
column with the other, so that their correlation is the product of two such. Hence

    ``Var = sum_n sum_{i,i'} sum_{j,j'} R_n(i, i') C_n(j, j') c_n(i, j) c_n(i', j')``

where R and C have ones in the diagonal and products ``g_i g_i'`` beside it, so that each
degree costs as much as there are cells. The coefficients fall faster than a geometric series.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.cells import CellBatch, FloatArray
from core.chance.expected_information import Part
from core.chance.generalised_deviance import centred_logarithm, generalised_deviance
from core.chance.hahn import hahn_coefficients
from core.chance.margin_pairs import DistinctMargins, MarginPairs, PairBlock
from core.table import IntArray


def information_variance(batch: CellBatch, q: float) -> FloatArray:
    """Return the variance of N times the information of order q, shape (k,).

    Over all tables with the margins of the given one. For q = 1 it is N squared times the
    variance of the mutual information, in nats squared.

    Parameters
    ----------
    batch : CellBatch
    q : float
        Order of the entropies, above 0.

    Returns
    -------
    ndarray of float64, shape (k,)

    Notes
    -----
    The value of Romano et al. (2016) in another way: the cost grows with the
    number of distinct pairs of margins, neither with N nor with pairs of cells.
    """
    result = np.zeros(batch.n_tables)
    for part in information_variance_parts(batch, q):
        result = part.value
    return result


def information_variance_parts(batch: CellBatch, q: float) -> Iterator[Part]:
    """Yield `information_variance` as it is computed, so that a caller may stop in between.

    Yields
    ------
    Part
        The last one holds the whole; those before it hold 0.
    """
    pairs = MarginPairs(batch)
    degrees = _Degrees(pairs)
    slopes: list[FloatArray] = []
    nothing = np.zeros(batch.n_tables)
    steps = len(pairs)
    for block in pairs:
        share = block.law.share
        c = hahn_coefficients(
            block.law,
            lambda nodes, share=share: generalised_deviance(  # type: ignore[misc]
                nodes.count, nodes.mean, nodes.difference, share[nodes.cells], q
            ),
            q,
        )
        deviation = np.sqrt(block.law.variance)
        slopes.append(np.divide(c[1], deviation, out=np.zeros(len(share)), where=deviation > 0))
        with np.errstate(all="ignore"):
            degrees.add(block, c)
        yield Part(block.done, steps, nothing)
    slope = np.concatenate(slopes) if slopes else nothing[:0]
    with np.errstate(all="ignore"):
        variance = _linear_variance(pairs, slope, q) + degrees.variance()
    yield Part(steps, steps, variance)


def _linear_variance(pairs: MarginPairs, slope: FloatArray, q: float) -> FloatArray:
    """Return the variance of ``sum g_ij n_ij``, the terms of degree 1, shape (k,).

    A sum over items of g at their row and column, of which one side is permuted:
    ``sum a_i b_j g_ij^2 / (N - 1)`` with g centred in both directions, in which no
    difference of large sums is left.

    Parameters
    ----------
    pairs : MarginPairs
    slope : ndarray of float64, shape (p,)
        Slopes of the centred terms of all pairs; those of the order itself are added.
    q : float
    """
    rows, columns, total = pairs.rows, pairs.columns, pairs.total
    n_tables = len(total)
    number = np.maximum(total, 1).astype(np.float64)
    weight_row = rows.size / number[rows.table] * rows.repeats
    weight_column = columns.size / number[columns.table] * columns.repeats
    value_row = centred_logarithm(rows.size, rows.repeats, rows.table, total, q)
    value_column = centred_logarithm(columns.size, columns.repeats, columns.table, total, q)
    row, column = pairs.places
    table = rows.table[row]
    g = slope + q * (q - 1.0) * value_row[row] * value_column[column]
    mean_row = np.bincount(row, weight_column[column] * g, minlength=len(weight_row))
    g -= mean_row[row]
    mean_column = np.bincount(column, weight_row[row] * g, minlength=len(weight_column))
    g -= mean_column[column]
    weight = weight_row[row] * weight_column[column]
    variance = np.bincount(table, weight * g * g, minlength=n_tables)
    scaled: FloatArray = variance * number * (number / np.maximum(number - 1.0, 1.0))
    return scaled


class _Ties:
    """What ties the rows (or columns) of a table to each other, degree by degree.

    The correlation of two rows is the product of their factors ``sqrt([a]_n / [N-a]_n)``.
    A class of more than half of the items stands apart: its factor is above 1, and
    differences in which it occurs would lose their digits.

    Attributes
    ----------
    above : ndarray of bool, shape (d,)
        Whether a class has more than half of the items.
    """

    def __init__(self, margins: DistinctMargins, total: IntArray) -> None:
        self.margins = margins
        self._size = margins.size.astype(np.float64)
        self._total = total[margins.table].astype(np.float64)
        self.above = 2.0 * self._size > self._total
        most = np.zeros(len(total))
        most[margins.table[self.above]] = self._size[self.above]
        self._most = most[margins.table]
        beside = ~self.above & (self._most > 0.0)
        self._factors = [np.where(self.above, 0.0, 1.0)]
        self._products = [np.where(beside, 1.0, 0.0)]

    def factor(self, degree: int) -> FloatArray:
        """Return the factor of each class, 0 for one above half, shape (d,)."""
        while len(self._factors) <= degree:
            k = len(self._factors) - 1
            left = np.maximum(self._size - k, 0.0)
            rest = np.maximum(self._total - self._size - k, 1.0)
            ratio = np.where(self.above, 0.0, left / rest)
            self._factors.append(self._factors[-1] * np.sqrt(ratio))
        return self._factors[degree]

    def product(self, degree: int) -> FloatArray:
        """Return the product of each factor and that of the class above half, shape (d,)."""
        while len(self._products) <= degree:
            k = len(self._products) - 1
            left = np.maximum(self._size - k, 0.0)
            rest = np.maximum(self._total - self._size - k, 1.0)
            most = np.maximum(self._most - k, 0.0)
            others = np.maximum(self._total - self._most - k, 1.0)
            ratio = np.where(self.above, 0.0, (left / others) * (most / rest))
            self._products.append(self._products[-1] * np.sqrt(ratio))
        return self._products[degree]


class _Degrees:
    """The quadratic forms of the degrees from 2 on, as blocks of pairs come in.

    With factors g, the classes above half apart (h, of factor H), a side's matrix is
    ``diag(1 - s g^2) + s (g g' + h (H g)' + (H g) h')``, s the sign of the degree: three
    linear forms and a diagonal, of which none is large.
    """

    def __init__(self, pairs: MarginPairs) -> None:
        self._rows = _Ties(pairs.rows, pairs.total)
        self._columns = _Ties(pairs.columns, pairs.total)
        self._n_tables = len(pairs.total)
        self._direct = np.zeros(self._n_tables)
        # For each degree the three forms over rows, for each column.
        self._of_column: list[FloatArray] = []

    def add(self, block: PairBlock, c: FloatArray) -> None:
        """Add the coefficients of some pairs, shape (d, p)."""
        rows, columns = self._rows, self._columns
        m_row = rows.margins.repeats
        # The rows of this block, and the tables that they are of, with all their columns.
        here = slice(int(block.row[0]), int(block.row[-1]) + 1)
        first, last = int(block.table[0]), int(block.table[-1])
        tables = slice(first, last + 1)
        start = columns.margins.start
        below = slice(int(start[first]), int(start[last] + columns.margins.number[last]))
        row, column, table = block.row - here.start, block.column - below.start, block.table - first
        table_of_row = rows.margins.table[here] - first
        for degree in range(2, len(c)):
            if len(self._of_column) <= degree - 2:
                self._of_column.append(np.zeros((3, len(columns.margins.size))))
            value = c[degree]
            if not value.any():
                continue
            sign = -1.0 if degree % 2 else 1.0
            g_row, g_column = rows.factor(degree), columns.factor(degree)
            rest_row, rest_column = 1.0 - sign * g_row**2, 1.0 - sign * g_column**2
            square = block.repeats * value * value
            square *= rest_row[block.row] * rest_column[block.column]
            direct = np.bincount(table, square, minlength=last + 1 - first)
            forms = _forms(columns, degree, block.column, value, row, here.stop - here.start)
            tied = sign * m_row[here] * rest_row[here] * _tied(forms)
            direct += np.bincount(table_of_row, tied, minlength=last + 1 - first)
            self._direct[tables] += direct
            self._of_column[degree - 2][:, below] += _forms(
                rows, degree, block.row, value, column, below.stop - below.start
            )

    def variance(self) -> FloatArray:
        """Return the sum over the degrees, shape (k,)."""
        columns = self._columns
        table = columns.margins.table
        result = self._direct.copy()
        for degree, of_column in enumerate(self._of_column, start=2):
            sign = -1.0 if degree % 2 else 1.0
            rest = 1.0 - sign * columns.factor(degree) ** 2
            tied = sign * columns.margins.repeats * rest * _tied(of_column)
            result += np.bincount(table, tied, minlength=self._n_tables)
            place = np.arange(len(table))
            all_forms = [
                _forms(columns, degree, place, form, table, self._n_tables) for form in of_column
            ]
            (a1, a2, a3), (b1, b2, b3), (c1, c2, c3) = all_forms
            result += a1 * a1 + 2.0 * (a2 * a3 + b1 * c1 + b2 * c3 + b3 * c2)
        return result


def _forms(
    ties: _Ties, degree: int, place: IntArray, value: FloatArray, group: IntArray, n: int
) -> FloatArray:
    """Return the three linear forms of one side, summed by group, shape (3, n)."""
    forms = np.zeros((3, n))
    repeated = ties.margins.repeats[place] * value
    forms[0] = np.bincount(group, ties.factor(degree)[place] * repeated, minlength=n)
    if ties.above.any():
        forms[1] = np.bincount(group, ties.above[place] * repeated, minlength=n)
        forms[2] = np.bincount(group, ties.product(degree)[place] * repeated, minlength=n)
    return forms


def _tied(forms: FloatArray) -> FloatArray:
    """Return the quadratic form that the three linear forms make up, shape (n,)."""
    first, above, product = forms
    tied: FloatArray = first * first + 2.0 * above * product
    return tied
