"""The centred term of a cell in the information of order q, without cancellation."""

from __future__ import annotations

import numpy as np

from core.cells import FloatArray
from core.chance.deviance import by_reach, deviance, logarithm_of_ratio
from core.table import IntArray

# Above this exponent a power is taken of n / N at once; expm1 would overflow in the end.
_LARGE = 30.0

# Deviation beside the mean up to which the series is used, for q up to 2.
_NEAR = 0.2


def generalised_deviance(
    count: FloatArray, mean: FloatArray, difference: FloatArray, share: FloatArray, q: float
) -> FloatArray:
    r"""Return the term of order q of each cell; it is never negative.

    Parameters
    ----------
    count : ndarray of float64, shape (m,) or (n, m)
        Cell counts, or n possible counts of each cell in ascending order.
    mean : ndarray of float64, shape (m,)
        Expected count mu > 0.
    difference : ndarray of float64, shape of ``count``
        ``count - mu``, exact to rounding, and not below ``-mu``.
    share : ndarray of float64, shape (m,)
        ``mu / N``.
    q : float
        Order, above 0.

    Returns
    -------
    ndarray of float64, shape of ``count``
        ``(N (n/N)^q - N (mu/N)^q - q (mu/N)^(q-1) (n - mu)) / (q - 1)``, and for
        q = 1 its limit ``n ln(n / mu) - n + mu``.

    Notes
    -----
    With t = (n - mu) / mu it is ``mu (mu/N)^(q-1)`` times
    ``((1 + t)^q - 1 - q t) / (q - 1) = q (t^2/2 + (q-2) t^3/6 + ...)``; the value at q = 1
    is reached continuously.
    """
    if q == 1.0:
        return deviance(count, mean, difference)
    limit = _NEAR / max(1.0, q / 2.0)

    def series(count: FloatArray, mean: FloatArray, difference: FloatArray) -> FloatArray:
        t = difference / mean
        coefficients = _coefficients(q, limit)
        value = np.full(count.shape, coefficients[-1])
        for coefficient in coefficients[-2::-1]:
            value *= t
            value += coefficient
        value *= t
        value *= difference
        value *= q
        return value

    def power(count: FloatArray, mean: FloatArray, difference: FloatArray) -> FloatArray:
        exponent = logarithm_of_ratio(mean, difference)
        exponent *= q - 1.0
        value = np.expm1(np.minimum(exponent, _LARGE))
        value *= count
        value /= q - 1.0
        value -= difference
        return value

    value = by_reach(series, power, limit, count, mean, difference)
    weight = share ** (q - 1.0)
    value *= weight
    if q > 1.0:
        # (n / mu)^(q-1) overflows, (n / N)^(q-1) does not.
        large = (q - 1.0) * logarithm_of_ratio(mean, difference) > _LARGE
        if large.any():
            shape = count.shape
            n, d = count[large], difference[large]
            at = np.broadcast_to(share, shape)[large]
            mu = np.broadcast_to(mean, shape)[large]
            # In units of mu / share, which is N.
            # A window may reach beyond the support, there without weight.
            powered = n * np.minimum(n * at / mu, 1.0) ** (q - 1.0)
            value[large] = powered / (q - 1.0) - at ** (q - 1.0) * (n / (q - 1.0) + d)
    return value


def _coefficients(q: float, limit: float) -> list[float]:
    """Return the coefficients of ``t^2, t^3, ...`` as far as they matter for t up to a limit."""
    coefficients = [0.5]
    k = 2
    while abs(coefficients[-1]) * limit ** (k - 2) > 1e-18:
        coefficients.append(coefficients[-1] * (q - k) / (k + 1))
        k += 1
    return coefficients


def logarithm_of_order(size: IntArray, total: IntArray, q: float) -> FloatArray:
    """Return ``(p^(q-1) - 1) / (q - 1)`` of a share p, for q = 1 its limit ``ln p``.

    Parameters
    ----------
    size, total : ndarray of int64
        ``p = size / total``.
    q : float

    Returns
    -------
    ndarray of float64
        Exact to rounding for shares near 1 too.
    """
    share = size / total
    logarithm = np.empty(len(size))
    near_one = share > 0.5
    np.log(share, out=logarithm, where=~near_one)
    np.log1p(-(total - size) / total, out=logarithm, where=near_one)
    if q == 1.0:
        return logarithm
    value: FloatArray = np.expm1((q - 1.0) * logarithm) / (q - 1.0)
    return value


def centred_logarithm(
    size: IntArray, repeats: IntArray, table: IntArray, total: IntArray, q: float
) -> FloatArray:
    """Return `logarithm_of_order` of the parts of each table, less its mean over the items.

    Taken from the largest part, so that neither parts of nearly one size nor, at a high
    order, small ones lose digits.

    Parameters
    ----------
    size, repeats, table : ndarray of int64, shape (d,)
        Size of each part, how many there are of it, and their table.
    total : ndarray of int64, shape (k,)
        Items of each table.
    q : float

    Returns
    -------
    ndarray of float64, shape (d,)
    """
    largest = np.ones(len(total), np.int64)
    np.maximum.at(largest, table, size)
    of_table = np.maximum(total, 1).astype(np.float64)
    value = logarithm_of_order(size, largest[table], q)
    value *= ((largest / of_table) ** (q - 1.0))[table]
    share = size / of_table[table] * repeats
    mean = np.bincount(table, share * value, minlength=len(total))
    value -= mean[table]
    return value
