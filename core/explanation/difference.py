"""The difference of two scores, and what it means."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from core.cells import FloatArray
from core.formatting import MINUS, format_score

# All that a float has.
_MOST_DIGITS = 15
# Two scores that differ by no more than rounding does are the same.
_ROUNDING = 8 * float(np.finfo(np.float64).eps)


def differences(values: npt.ArrayLike, reference: float) -> FloatArray:
    """Return by how much values differ from a reference.

    Parameters
    ----------
    values : array_like of shape (n,)
        Floats, or Python integers, whose difference is exact.
    reference : float or int

    Returns
    -------
    ndarray of float64, shape (n,)
        0 where the two differ by no more than the rounding of double precision, NaN where
        either does not exist.
    """
    found = np.asarray(values)
    if found.dtype == object:
        return np.array([_difference(value, reference) for value in found], np.float64)
    difference: FloatArray = found.astype(np.float64) - float(reference)
    size = np.maximum(np.abs(found), abs(float(reference)))
    difference[np.abs(difference) <= _ROUNDING * size] = 0.0
    return difference


def _difference(value: Any, reference: Any) -> float:
    if isinstance(value, int) and isinstance(reference, int):
        return float(value - reference)
    return float(differences(np.array([float(value)]), float(reference))[0])


def signed(value: float, digits: int = 4) -> str:
    """Return a change with its sign, as people read it.

    Parameters
    ----------
    value : float
    digits : int
        Decimals. A change that would show none of them is given in powers of ten.

    Examples
    --------
    >>> signed(0.01234, 3), signed(-0.5, 2), signed(0.0, 3), signed(float("nan"))
    ('+0.012', '−0.50', '0.000', '—')
    """
    if math.isnan(value) or abs(value) >= 1.0:
        text = format_score(value, digits)
    else:
        text = f"{value:.{digits}f}".replace("-", MINUS)
        if value and not float(f"{value:.{digits}f}"):
            text = format_score(value, digits)
    return f"+{text}" if value > 0 else text.removeprefix("" if value else MINUS)


def digits_apart(one: float, other: float, digits: int) -> int:
    """Return as many decimals as tell two scores apart, at least ``digits``, at most 15.

    Examples
    --------
    >>> digits_apart(0.5641, 0.5643, 3), digits_apart(0.1, 0.2, 3), digits_apart(0.1, 0.1, 3)
    (4, 3, 15)
    """
    while digits < _MOST_DIGITS and format_score(one, digits) == format_score(other, digits):
        digits += 1
    return digits


def is_better(difference: float, larger_is_better: bool | None) -> bool | None:
    """Return whether a change is for the better; None where it is neither."""
    if larger_is_better is None or not difference or math.isnan(difference):
        return None
    return (difference > 0) is larger_is_better
