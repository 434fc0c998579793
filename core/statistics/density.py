"""How densely pairs of scores lie: counts in the cells of a raster."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from core.cells import FloatArray
from core.counts import IntArray

_PIECE = 1 << 17


def density(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    x_range: tuple[float, float],
    y_range: tuple[float, float],
    cells: tuple[int, int],
) -> IntArray:
    """Count pairs of values in the cells of a raster.

    Parameters
    ----------
    x, y : array_like of float, shape (n,)
        Pairs of which one is NaN, or outside the ranges, are not counted.
    x_range, y_range : (float, float)
        Ends of the raster; values on the upper ends are inside.
    cells : (int, int)
        Cells along x and along y.

    Returns
    -------
    ndarray of int64, shape (cells[0], cells[1])
    """
    first, second = np.asarray(x, np.float64), np.asarray(y, np.float64)
    counts = np.zeros(cells[0] * cells[1], np.int64)
    for start in range(0, len(first), _PIECE):
        part = slice(start, start + _PIECE)
        column = _places(first[part], x_range, cells[0])
        row = _places(second[part], y_range, cells[1])
        inside = (column >= 0) & (row >= 0)
        place = column[inside] * cells[1] + row[inside]
        counts += np.bincount(place, minlength=len(counts))
    return counts.reshape(cells)


def _places(values: FloatArray, ends: tuple[float, float], cells: int) -> IntArray:
    """Return the cell of each value along one side, -1 where it is in none."""
    low, high = ends
    inside = (values >= low) & (values <= high)
    places = np.full(len(values), -1, np.int64)
    scaled = (values[inside] - low) * (cells / (high - low))
    places[inside] = np.minimum(scaled.astype(np.int64), cells - 1)
    return places


def nearest(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    at: tuple[float, float],
    scale: tuple[float, float],
    within: float = math.inf,
) -> int | None:
    """Return the pair of values nearest to a point; None where there is none.

    Parameters
    ----------
    x, y : array_like of float, shape (n,)
    at : (float, float)
    scale : (float, float)
        Lengths along x and y that count as equal, such as those of a pixel.
    within : float
        Pairs that are farther away, in these lengths, are none.
    """
    first, second = np.asarray(x, np.float64), np.asarray(y, np.float64)
    # Most pairs of very many are ruled out by one of their values.
    reach = within * scale[0]
    near = np.flatnonzero((first >= at[0] - reach) & (first <= at[0] + reach))
    across = (first[near] - at[0]) / scale[0]
    up = (second[near] - at[1]) / scale[1]
    apart = np.hypot(across, up)
    apart[np.isnan(apart)] = math.inf
    if not len(apart):
        return None
    place = int(apart.argmin())
    return int(near[place]) if apart[place] <= within and apart[place] < math.inf else None
