"""Scores as people read them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np

MINUS = "\N{MINUS SIGN}"
UNDEFINED = "\N{EM DASH}"


def format_score(
    value: float | np.integer[Any], digits: int = 4, *, most: int | None = None
) -> str:
    """Return a score for people, in a form that never hides it.

    Parameters
    ----------
    value : float or int
        An integer, such as a count of pairs, is shown exactly, in groups of three.
    digits : int
        Decimals shown. From 1 up there are ``digits + 1`` significant digits, or all of the
        whole part if it has more. What fixed decimals would leave with less than two
        significant digits (with less than three decimals: with none) is shown in powers of
        ten, and so is a float of more than 15 digits.
    most : int, optional
        A longer integer is shown in powers of ten, too, rounded to so many decimals.

    Returns
    -------
    str
        With a true minus sign; a dash for NaN.

    Examples
    --------
    >>> format_score(0.61677), format_score(-0.05, 2), format_score(float("nan"))
    ('0.6168', '−0.05', '—')
    >>> format_score(400.826017), format_score(6.2243e-06)
    ('400.83', '6.2243e−6')
    """
    if isinstance(value, int | np.integer):
        number = int(value)
        if most is None or len(str(abs(number))) <= most:
            text = f"{number:,}"
        else:
            text = _powers_of_ten(Decimal(number), digits)
    elif np.isnan(value):
        return UNDEFINED
    elif np.isinf(value):
        text = f"{value:+}".replace("inf", "\N{INFINITY}").removeprefix("+")
    else:
        text = _decimals(float(value), digits)
    return text.replace(",", "\N{NARROW NO-BREAK SPACE}").replace("-", MINUS)


# A float has no more digits than this that mean anything.
_FLOAT_DIGITS = 15


def _decimals(value: float, digits: int) -> str:
    size = abs(value)
    if size >= 1.0:
        decimals = digits
        # Rounding may carry: 9.99996 has two digits before the point.
        while decimals and round(size, decimals) >= 10.0 ** (digits - decimals + 1):
            decimals -= 1
        text = f"{value:,.{decimals}f}"
        long = round(size) >= 10**_FLOAT_DIGITS
        return _powers_of_ten(value, digits) if long else text
    text = f"{value:.{digits}f}"
    if size == 0.0:
        return text.removeprefix("-")
    visible = size >= 10.0 ** (1 - digits) if digits > 2 else float(text) != 0.0
    return text if visible else _powers_of_ten(value, digits)


def _powers_of_ten(value: float | Decimal, digits: int) -> str:
    mantissa, exponent = f"{value:.{digits}e}".split("e")
    return f"{mantissa}e{int(exponent)}"
