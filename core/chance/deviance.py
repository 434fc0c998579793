"""The centred information term of a cell, without cancellation."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from core.cells import FloatArray
from core.table import IntArray

# Products of two counts stay below 2**63 up to this total.
_INT64_SAFE_TOTAL = 3_000_000_000

# Below this relative deviation the series is used; its 9 terms leave less than 1e-17.
_SERIES_LIMIT = 0.1


def multipliable(total: IntArray, *arrays: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    """Return arrays of counts up to ``total`` so that products of two of them are exact.

    They stay int64 where these fit, and become Python integers where they do not.
    """
    if not np.size(total) or int(np.max(total)) <= _INT64_SAFE_TOTAL:
        return arrays
    return tuple(array.astype(object) for array in arrays)


def centred(
    count: IntArray,
    a: IntArray,
    b: IntArray,
    total: IntArray,
) -> FloatArray:
    """Return ``n - a b / N``, the count less its expectation, rounded once.

    The difference is taken in exact integers: near independence it is many orders of
    magnitude smaller than either term.

    Parameters
    ----------
    count, a, b, total : ndarray of int64, broadcastable
        Cell count n, row sum a, column sum b, table total N > 0.

    Returns
    -------
    ndarray of float64
    """
    count, a, b, total = multipliable(total, count, a, b, total)
    difference: FloatArray = ((count * total - a * b) / total).astype(np.float64)
    return difference


def deviance(count: FloatArray, mean: FloatArray, difference: FloatArray) -> FloatArray:
    r"""Return ``n ln(n / mu) - n + mu`` for each cell; it is never negative.

    Over a table with given margins the linear terms add up to nothing, so the sum is
    N times the mutual information; unlike ``n ln(n / mu)`` no term cancels another.

    Parameters
    ----------
    count : ndarray of float64
        Cell count n >= 0.
    mean : ndarray of float64, of the same shape or broadcastable
        Expected count mu > 0.
    difference : ndarray of float64
        ``n - mu``, from `centred`, exact to rounding.

    Returns
    -------
    ndarray of float64

    Notes
    -----
    Near ``n = mu``, with ``v = (n - mu) / (n + mu)``, the term is
    ``(n - mu) v + 2 n (v^3/3 + v^5/5 + ...)`` (the saddle-point deviance of Loader,
    2000, "Fast and accurate computation of binomial probabilities").
    """
    # Counts below zero have no deviance, but a window of counts may begin there. Their v is
    # cut to where every other lies: its powers would overflow.
    with np.errstate(divide="ignore", over="ignore"):
        v = np.clip(difference / (count + mean), -1.0, 1.0)
    square = v * v
    series = np.full(v.shape, 1.0 / 19.0)
    for odd in (17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0):
        series *= square
        series += 1.0 / odd
    series *= 2.0 * count * square
    series += difference
    series *= v
    far = np.flatnonzero(square.ravel() > _SERIES_LIMIT**2)
    if far.size:
        shape = series.shape
        n = np.broadcast_to(count, shape).ravel()[far]
        mu = np.broadcast_to(mean, shape).ravel()[far]
        logarithm = np.log(np.where(n > 0.0, n / mu, 1.0))
        series.reshape(-1)[far] = n * logarithm - difference.ravel()[far]
    return series
