"""A function of one cell in the orthonormal polynomials of its hypergeometric law."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.cells import FloatArray
from core.chance.hypergeometric import CellLaw, Nodes

# Squares of two degrees in a row, beside the variance of what is not linear, after which the
# others are nothing. A small coefficient of one cell meets large ones of others, so that its
# size matters, and not its square.
_NEGLIGIBLE = 1e-20

# The variance beside the linear part is rounding where it is so little of the whole.
_ALL_ROUNDING = 1e-28

# So small a variance has lost its digits.
_UNDERFLOW = 1e-290

# A coefficient is rounding where it is less than so many times what its polynomial and the
# second one, which are orthogonal, have in common.
_ROUNDING = 8.0

# Where this is left of the variance, or two degrees bring less than that, coefficients that
# rise again are rounding.
_LEFT = 1e-14
_STANDSTILL = 1e-17


# Degrees beyond those that may rise; no function met so far has more than some thirty.
_MOST_DEGREES = 200


def hahn_coefficients(
    law: CellLaw, function: Callable[[Nodes], FloatArray], power: float = 0.0
) -> FloatArray:
    """Return the coefficients of a function of each cell.

    Parameters
    ----------
    law : CellLaw
        The laws of p cells.
    function : callable
        Takes `Nodes`, returns its values there, shape (n, g).
    power : float
        It grows as ``n ** power``: up to that degree its coefficients may rise.

    Returns
    -------
    ndarray of float64, shape (d, p)
        Row n holds ``E[f Q_n]``, Q_n of degree n with a positive leading coefficient; row 0
        the mean of f. The squares of the others add up to its variance; they are 0 from
        where they are negligible, and NaN from where they leave double precision.

    Notes
    -----
    The three-term recurrence of the Hahn polynomials Q_n(x; -a-1, a-N-1, b) (Koekoek and
    Swarttouw, 1998, 1.5.3), in which ``x - mu`` is multiplied, so that nothing cancels.
    """
    degrees: list[FloatArray] = [np.zeros(len(law.a)), np.zeros(len(law.a))]
    for nodes in law.nodes(2.0 * power):
        # Far from the mode there is next to no weight; what overflows is found below.
        with np.errstate(all="ignore"):
            _add(degrees, law, nodes, function(nodes), max(4.0, power + 2.0))
    return np.array(degrees)


def _add(
    degrees: list[FloatArray], law: CellLaw, nodes: Nodes, value: FloatArray, rising: float
) -> None:
    """Write the coefficients of some cells, and append degrees that were not needed before."""
    cells, difference = nodes.cells, nodes.difference
    a, b, n = (x[cells].astype(np.float64) for x in (law.a, law.b, law.total))
    mean = np.einsum("ij,ij->j", nodes.weight, value)
    degrees[0][cells] = mean
    rest = value - mean
    whole = np.einsum("ij,ij,ij->j", nodes.weight, rest, rest)
    # The linear part may be by far the largest: the others are judged by what is beside it.
    _, norm = _recurrence(a, b, n, 1)
    # Beyond the support, where there is no weight, polynomials of high degree overflow.
    before = (nodes.weight > 0.0).astype(np.float64)
    polynomial = difference * _inverse(norm)
    polynomial *= before
    degrees[1][cells] = slope = np.einsum("ij,ij,ij->j", nodes.weight, rest, polynomial)
    rest -= slope * polynomial
    variance = np.einsum("ij,ij,ij->j", nodes.weight, rest, rest)
    nothing = (variance <= _ALL_ROUNDING * whole) | (variance < _UNDERFLOW)
    variance[nothing] = 0.0
    weighted = rest
    weighted *= np.where(nothing, 0.0, nodes.weight)
    left, last = variance.copy(), 2.0 * variance
    two_before = lowest = np.full(len(cells), np.inf)
    second = weighted
    degree = 1
    while len(cells):
        degree += 1
        shift, next_norm = _recurrence(a, b, n, degree)
        following = difference - shift
        following *= polynomial
        following -= norm * before
        # A law of so many counts has no further polynomial.
        exists = next_norm > 0.0
        following *= _inverse(next_norm)
        before, polynomial, norm = polynomial, following, next_norm
        coefficient = np.einsum("ij,ij->j", weighted, polynomial)
        if degree == 2:
            second = nodes.weight * polynomial
        else:
            # In a law of rare items rounding grows by orders of magnitude with each degree.
            common = np.einsum("ij,ij->j", second, polynomial)
            common *= _ROUNDING
            coefficient[coefficient * coefficient <= common * common * variance] = 0.0
        if len(degrees) <= degree:
            degrees.append(np.zeros(len(law.a)))
        degrees[degree][cells] = coefficient
        # Where numbers leave double precision there is no value, and no end to wait for.
        lost = ~np.isfinite(coefficient)
        if degree >= rising + _MOST_DEGREES:
            lost |= left > _LEFT * variance
        degrees[degree][cells[lost]] = np.nan
        coefficient[lost] = 0.0
        square = coefficient * coefficient
        left -= square
        two = square + last
        # The recurrence loses its hold in the end: a cell that has all goes. What rises is
        # compared with pairs of earlier degrees.
        negligible, risen = two <= _NEGLIGIBLE * variance, two > lowest
        done = (left <= _LEFT * variance) & (negligible | risen)
        if degree >= rising:
            done |= negligible | (two <= _STANDSTILL * variance) & risen
        on = exists & ~done & ~lost
        if degree >= rising + _MOST_DEGREES:
            break
        lowest, two_before = np.minimum(lowest, two_before), two
        if 2 * np.count_nonzero(on) <= len(cells):
            cells, a, b, n, variance, left, lowest, two_before, norm, square = (
                x[on] for x in (cells, a, b, n, variance, left, lowest, two_before, norm, square)
            )
            difference, weighted, before, polynomial, second = (
                x[:, on] for x in (difference, weighted, before, polynomial, second)
            )
        else:
            weighted[:, ~on] = before[:, ~on] = polynomial[:, ~on] = 0.0
        last = square


def _inverse(norm: FloatArray) -> FloatArray:
    """Return ``1 / norm``, 0 where there is no polynomial of that norm."""
    inverse: FloatArray = np.divide(1.0, norm, out=np.zeros(len(norm)), where=norm > 0.0)
    return inverse


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
