"""Histograms that can be filled bit by bit."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from core.cells import FloatArray
from core.counts import IntArray


class Histogram:
    """Counts of values in bins of equal width.

    A bin holds the values from its left edge to below its right one; the last bin holds
    its right edge too.

    Parameters
    ----------
    low, high : float
        Ends of the first and the last bin; ``low < high``.
    bins : int
        1 or more.

    Attributes
    ----------
    edges : ndarray of float64, shape (bins + 1,)
    counts : ndarray of int64, shape (bins,)
    below, above, undefined : int
        Values outside the edges, and those that do not exist.
    """

    def __init__(self, low: float, high: float, bins: int) -> None:
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise ValueError(f"a histogram from {low:g} to {high:g} has no width")
        if bins < 1:
            raise ValueError(f"a histogram has at least one bin, not {bins}")
        # Divided last, so that 0.3 of 0 to 1 in ten bins is the float that people write.
        self.edges: FloatArray = low + (high - low) * np.arange(bins + 1) / bins
        self.edges[-1] = high
        # From -0.1 on, the edge at 0 would be off by a rounding error, and zeros below it.
        round_edges = np.round(self.edges, 12)
        near = np.abs(round_edges - self.edges) <= 4 * np.spacing(max(abs(low), abs(high)))
        self.edges[near] = round_edges[near] + 0.0
        self.edges[0], self.edges[-1] = low, high
        self.edges.flags.writeable = False
        self.counts: IntArray = np.zeros(bins, np.int64)
        self.below = self.above = self.undefined = 0

    @property
    def total(self) -> int:
        """Number of values seen."""
        return int(self.counts.sum()) + self.below + self.above + self.undefined

    def bins_of(self, values: npt.ArrayLike) -> IntArray:
        """Return the bin of each value: -1 below, ``bins`` above, ``bins + 1`` undefined."""
        array = np.asarray(values, dtype=np.float64)
        bins = len(self.counts)
        found = np.searchsorted(self.edges, array, side="right") - 1
        found[array == self.edges[-1]] = bins - 1
        found[np.isnan(array)] = bins + 1
        return found.astype(np.int64, copy=False)

    def add(self, values: npt.ArrayLike) -> None:
        """Count values, which may be NaN."""
        bins = len(self.counts)
        tally = np.bincount(self.bins_of(values).reshape(-1) + 1, minlength=bins + 3)
        self.counts += tally[1 : bins + 1]
        self.below += int(tally[0])
        self.above += int(tally[bins + 1])
        self.undefined += int(tally[bins + 2])


def nice_range(low: float, high: float) -> tuple[float, float]:
    """Return round ends around some values, between which there is room.

    Parameters
    ----------
    low, high : float
        The smallest and the largest value; they may be equal.
    """
    # Half of the smallest floats has no logarithm.
    if high - low < 1e-300:
        room = max(abs(low) * 0.1, 0.05)
        low, high = low - room, high + room
    # A width that the numbers cannot tell apart is no width.
    width = max(high - low, 1e-9 * max(abs(low), abs(high)))
    step = 10.0 ** math.floor(math.log10(width))
    if width / step < 2:
        step /= 5
    elif width / step < 5:
        step /= 2
    left, right = math.floor(low / step) * step, math.ceil(high / step) * step
    # Multiples of a step are rounded.
    return min(left, low), max(right, high)


_TOPS = (1.0, 1.25, 1.6, 2.0, 2.5, 3.2, 4.0, 5.0, 6.4, 8.0, 10.0)


def nice_top(height: float) -> float:
    """Return a height somewhat above another one, which bars that grow do not exceed at once.

    Parameters
    ----------
    height : float
        0 or more.
    """
    if height <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(height))
    return next((power * step for step in _TOPS if height <= power * step), height)
