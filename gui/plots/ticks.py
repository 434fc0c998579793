"""Numbers at the ticks of an axis: as many digits as tell them apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from core.formatting import MINUS
from core.heat import ticks_between

# Outside of these, numbers are written in powers of ten.
_LEAST, _MOST = 1e-3, 1e7
_MOST_DIGITS = 12


def axis_ticks(ends: tuple[float, float], most: int, *, whole: bool = False) -> list[float]:
    """Return round numbers between the ends of an axis.

    Parameters
    ----------
    ends : (float, float)
        The first is smaller.
    most : int
        Most steps, 1 or more.
    whole : bool
        Whether only whole numbers will do, as for counts.
    """
    found = ticks_between(*ends, max(most, 1))
    return [tick for tick in found if tick == round(tick)] if whole else found


def tick_texts(ticks: Sequence[float]) -> list[str]:
    """Return evenly spaced numbers as texts with the same decimals, a true minus sign.

    Thousands are separated as in counts; very small and very large numbers stand in powers
    of ten, all of them in the same one.
    """
    largest = max((abs(tick) for tick in ticks), default=0.0)
    if not largest:
        return ["0" for _ in ticks]
    power = 0
    if not _LEAST <= largest < _MOST:
        power = math.floor(math.log10(largest) + 1e-9)
    scaled = [tick / 10.0**power for tick in ticks]
    gaps = [b - a for a, b in pairwise(scaled)]
    step = min((abs(gap) for gap in gaps if gap), default=abs(scaled[-1]) or 1.0)
    digits = next(
        (
            digits
            for digits in range(_MOST_DIGITS)
            if all(abs(value - round(value, digits)) < 1e-6 * step for value in scaled)
        ),
        _MOST_DIGITS,
    )
    suffix = f"e{power}" if power else ""
    texts = []
    for value in scaled:
        text = f"{value:,.{digits}f}"
        if not any(digit in "123456789" for digit in text):
            texts.append(text.removeprefix("-"))
        else:
            texts.append((text + suffix).replace("-", MINUS))
    return texts
