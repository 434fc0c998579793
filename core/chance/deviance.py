"""The centred information term of a cell, without cancellation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from core.cells import FloatArray
from core.table import IntArray

# Products of two counts stay below 2**63 up to this total.
_INT64_SAFE_TOTAL = 3_000_000_000

# Deviation beside the mean up to which the series is used; its 9 terms leave less than 1e-17.
_FAR = 0.2

_ABOVE_MINUS_ONE = -1.0 + 2.0**-53


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
    count : ndarray of float64, shape (m,) or (n, m)
        Cell counts, or n possible counts of each cell in ascending order.
    mean : ndarray of float64, shape (m,)
        Expected count mu > 0.
    difference : ndarray of float64, shape of ``count``
        ``count - mu``, from `centred`, exact to rounding, and not below ``-mu``.

    Returns
    -------
    ndarray of float64, shape of ``count``

    Notes
    -----
    Near ``n = mu``, with ``v = (n - mu) / (n + mu)``, the term is
    ``(n - mu) v + 2 n (v^3/3 + v^5/5 + ...)`` (the saddle-point deviance of Loader,
    2000, "Fast and accurate computation of binomial probabilities"). Where one of a cell's
    counts lies far from the mean, the logarithm serves them all: what it loses near the
    mean is of no account beside what the others weigh.
    """
    return by_reach(_series, _logarithm, _FAR, count, mean, difference)


CellTerm = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


def by_reach(
    near: CellTerm,
    far: CellTerm,
    limit: float,
    count: FloatArray,
    mean: FloatArray,
    difference: FloatArray,
) -> FloatArray:
    """Return a term of cells, by the way that suits how far their counts lie from the mean.

    Parameters
    ----------
    near, far : callable
        Take counts, means and differences, shapes as in `deviance`.
    limit : float
        ``far`` serves cells with a count for which ``|n - mu| / mu`` is above it.
    count, mean, difference : ndarray of float64
        As in `deviance`.

    Returns
    -------
    ndarray of float64, shape of ``count``
    """
    reach = np.abs(difference) if difference.ndim == 1 else np.abs(difference[[0, -1]]).max(axis=0)
    is_far = reach > limit * mean
    if not is_far.any():
        return near(count, mean, difference)
    if is_far.all():
        return far(count, mean, difference)
    value = np.empty(count.shape)
    for term, cells in ((near, ~is_far), (far, is_far)):
        value[..., cells] = term(count[..., cells], mean[cells], difference[..., cells])
    return value


def _series(count: FloatArray, mean: FloatArray, difference: FloatArray) -> FloatArray:
    v = count + mean
    np.divide(difference, v, out=v)
    square = v * v
    series = np.full(v.shape, 1.0 / 19.0)
    for odd in (17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0):
        series *= square
        series += 1.0 / odd
    series *= square
    series *= count
    series *= 2.0
    series += difference
    series *= v
    return series


def _logarithm(count: FloatArray, mean: FloatArray, difference: FloatArray) -> FloatArray:
    value = logarithm_of_ratio(mean, difference)
    value *= count
    value -= difference
    return value


def logarithm_of_ratio(mean: FloatArray, difference: FloatArray) -> FloatArray:
    """Return ``ln(n / mu)``, some finite value where n is 0."""
    value = difference / mean
    np.maximum(value, _ABOVE_MINUS_ONE, out=value)
    return np.log1p(value, out=value)
