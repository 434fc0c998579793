"""A function of one cell in the orthonormal polynomials of its hypergeometric law."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.cells import FloatArray
from core.chance.hypergeometric import CellLaw, Nodes

# What may be left out of the variance of a function, beside the whole of it.
_NEGLIGIBLE = 1e-14

# Two degrees in a row that bring less show that what is left is the rounding of the sum.
_STANDSTILL = 1e-17


def hahn_coefficients(law: CellLaw, function: Callable[[Nodes], FloatArray]) -> FloatArray:
    """Return the coefficients of a function of each cell.

    Parameters
    ----------
    law : CellLaw
        The laws of p cells.
    function : callable
        Takes `Nodes`, returns its values there, shape (n, g).

    Returns
    -------
    ndarray of float64, shape (d, p)
        Row n holds ``E[f Q_n]``, Q_n of degree n with a positive leading coefficient; row 0
        the mean of f. The squares of the others add up to its variance; they are 0 from
        where that is reached.

    Notes
    -----
    The three-term recurrence of the Hahn polynomials Q_n(x; -a-1, a-N-1, b) (Koekoek and
    Swarttouw, 1998, 1.5.3), in which ``x - mu`` is multiplied, so that nothing cancels.
    """
    degrees: list[FloatArray] = [np.zeros(len(law.a))]
    for nodes in law.nodes():
        # Far from the mode there is next to no weight.
        with np.errstate(under="ignore"):
            _add(degrees, law, nodes, function(nodes))
    return np.array(degrees)


def _add(degrees: list[FloatArray], law: CellLaw, nodes: Nodes, value: FloatArray) -> None:
    """Write the coefficients of some cells, and append degrees that were not needed before."""
    cells, difference = nodes.cells, nodes.difference
    a, b, n = (x[cells].astype(np.float64) for x in (law.a, law.b, law.total))
    mean = np.einsum("ij,ij->j", nodes.weight, value)
    degrees[0][cells] = mean
    weighted = value - mean
    variance = np.einsum("ij,ij,ij->j", nodes.weight, weighted, weighted)
    weighted *= nodes.weight
    left, last = variance.copy(), variance
    before, polynomial = np.zeros(value.shape), np.ones(value.shape)
    norm = np.zeros(len(cells))
    degree = 0
    while len(cells):
        degree += 1
        shift, next_norm = _recurrence(a, b, n, degree)
        following = difference - shift
        following *= polynomial
        following -= norm * before
        # A law of so many counts has no further polynomial.
        exists = next_norm > 0.0
        following *= np.where(exists, 1.0 / np.where(exists, next_norm, 1.0), 0.0)
        before, polynomial, norm = polynomial, following, next_norm
        coefficient = np.einsum("ij,ij->j", weighted, polynomial)
        if len(degrees) <= degree:
            degrees.append(np.zeros(len(law.a)))
        degrees[degree][cells] = coefficient
        square = coefficient * coefficient
        left -= square
        # Beyond this the recurrence may lose its hold: a cell that has all goes.
        on = exists & (left > _NEGLIGIBLE * variance)
        on &= (degree < 4) | (square + last > _STANDSTILL * variance)
        if 2 * np.count_nonzero(on) <= len(cells):
            cells, a, b, n, variance, left, norm, square = (
                x[on] for x in (cells, a, b, n, variance, left, norm, square)
            )
            difference, weighted, before, polynomial = (
                x[:, on] for x in (difference, weighted, before, polynomial)
            )
        else:
            weighted[:, ~on] = before[:, ~on] = polynomial[:, ~on] = 0.0
        last = square


def _recurrence(
    a: FloatArray, b: FloatArray, n: FloatArray, degree: int
) -> tuple[FloatArray, FloatArray]:
    """Return what is taken off ``x - mu``, and what the next polynomial is divided by.

    ``x Q_k = e_{k+1} Q_{k+1} + (mu + d_k) Q_k + e_k Q_{k-1}``: d of the degree before
    this one, and e of this degree.
    """
    k = float(degree - 1)
    # d_k = A_k + C_k - mu; the terms of the size of mu are taken out by hand.
    with np.errstate(divide="ignore", invalid="ignore"):
        up = a / n * b * (3.0 * n + 2.0 - 4.0 * k) - (n + 1.0 - k) * (a + b - k)
        shift = k * up / ((n + 1.0 - 2.0 * k) * (n - 2.0 * k))
        shift += (
            k * (n + 1.0 - b - k) / (n + 2.0 - 2.0 * k) * (n + 1.0 - a - k) / (n + 1.0 - 2.0 * k)
        )
        j = float(degree)
        square = (n + 2.0 - j) * (a - j + 1.0) / (n + 3.0 - 2.0 * j)
        square *= (b - j + 1.0) / (n + 2.0 - 2.0 * j)
        square *= j * (n + 1.0 - b - j) / (n + 2.0 - 2.0 * j)
        square *= (n + 1.0 - a - j) / (n + 1.0 - 2.0 * j)
    most = np.minimum(np.minimum(a, b), np.minimum(n - a, n - b))
    exists = most >= j
    norm: FloatArray = np.sqrt(np.where(exists, square, 0.0))
    return np.where(exists, shift, 0.0), norm
