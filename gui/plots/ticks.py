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


def log_ticks(low: float, high: float, most: int) -> list[float]:
    """Return the ticks of an axis by logarithm: 1, 2 and 5 of each power, else powers of ten.

    Parameters
    ----------
    low, high : float
        Ends of the axis, both above 0.
    most : int
        Most ticks, 2 or more.
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for steps in ((1, 2, 5), (1, 3), (1,)):
        found = [
            step * 10.0**power
            for power in range(first, last + 1)
            for step in steps
            if low * (1 - 1e-9) <= step * 10.0**power <= high * (1 + 1e-9)
        ]
        if len(found) <= most:
            return found
    every = -(-len(found) // most)
    return [tick for tick in found if round(math.log10(tick)) % every == 0]


_RAISED = str.maketrans("-0123456789", "\N{SUPERSCRIPT MINUS}⁰¹²³⁴⁵⁶⁷⁸⁹")


def log_text(tick: float) -> str:
    """Return a number at a tick by logarithm: as it is from 0.001 to 9,999, else as a power."""
    power = math.floor(math.log10(tick) + 1e-9)
    if -3 <= power <= 3:
        return f"{tick:,.{max(-power, 0)}f}"
    first = round(tick / 10.0**power)
    start = "" if first == 1 else f"{first} × "
    return f"{start}10{str(power).translate(_RAISED)}"


def apart(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places near to some others, none nearer to the next one than a gap.

    Parameters
    ----------
    places : sequence of float
        Where labels would stand, in any order.
    gap : float
        Least distance.
    low, high : float
        Ends between which there is room; where it is too little they stand evenly.
    """
    n = len(places)
    order = sorted(range(n), key=lambda i: places[i])
    gap = min(gap, (high - low) / max(n - 1, 1))
    # Labels that would touch form a block around their own middle: each entry is the sum of
    # its places, less the gaps before them, and their number.
    blocks: list[tuple[float, int]] = []
    for k, i in enumerate(order):
        total, number = places[i] - k * gap, 1
        while blocks and blocks[-1][0] * number >= total * blocks[-1][1]:
            before = blocks.pop()
            total, number = total + before[0], number + before[1]
        blocks.append((total, number))
    last = high - (n - 1) * gap
    found = [0.0] * n
    k = 0
    for total, number in blocks:
        first = min(max(total / number, low), last)
        for _ in range(number):
            found[order[k]] = first + k * gap
            k += 1
    return found
