"""Times as people read them."""

from __future__ import annotations

import math

from core.formatting import UNDEFINED, format_score

NARROW = "\N{NARROW NO-BREAK SPACE}"


def ms_text(value: float) -> str:
    """Return a time in ms with three significant digits, or more where it is long."""
    if math.isnan(value):
        return UNDEFINED
    digits = 3 if value >= 0.1 else 4 if value >= 0.01 else 5
    return f"{value:,.{digits}f}".replace(",", NARROW)


def times_text(value: float) -> str:
    """Return how many times something else costs."""
    if math.isnan(value):
        return UNDEFINED
    return f"{value:,.{2 if value < 10 else 1 if value < 1000 else 0}f}".replace(",", NARROW)


def whole_text(value: float) -> str:
    """Return a whole number, its thousands apart: three digits, since times have no more."""
    if math.isnan(value):
        return UNDEFINED
    if value >= 1e9:
        return format_score(float(value), 2)
    if value >= 1000:
        value = round(value, 2 - math.floor(math.log10(value)))
    return f"{value:,.0f}".replace(",", NARROW)


def span_text(seconds: float) -> str:
    """Return a span of time for people."""
    if math.isnan(seconds):
        return UNDEFINED
    if seconds < 1:
        return "less than a second"
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:.1f} hours"


def bytes_text(value: float) -> str:
    """Return a size in memory."""
    if math.isnan(value):
        return UNDEFINED
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= size:
            return f"{value / size:.1f}{NARROW}{unit}"
    return f"{value:.0f}{NARROW}B"
