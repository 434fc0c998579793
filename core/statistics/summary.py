"""What a list of scores looks like in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.statistics.histogram import Histogram

QUANTILES: tuple[float, ...] = (0.05, 0.25, 0.5, 0.75, 0.95)

MODE_WIDTH = 0.05
"""Width of the bins in which the mode of scores between -1 and 1 is looked for."""


@dataclass(frozen=True)
class Summary:
    """A list of scores in numbers; those of no score are NaN.

    Attributes
    ----------
    defined, undefined : int
        Scores that exist, and those that do not.
    mean, standard_deviation : float
        The deviation divides by n - 1.
    low, high : float
        The smallest and the largest score.
    quantiles : mapping of float to float
        Interpolated linearly.
    mode : float
        Middle of the fullest bin of width 0.05, the first of several; NaN where a score
        lies outside -1 to 1.
    zeros, ones : float
        Shares of exact zeros and ones among the scores that exist.
    """

    defined: int
    undefined: int
    mean: float
    standard_deviation: float
    low: float
    high: float
    quantiles: Mapping[float, float]
    mode: float
    zeros: float
    ones: float

    @property
    def dynamic_range(self) -> float:
        """The largest score minus the smallest."""
        return self.high - self.low


def summarise(values: npt.ArrayLike) -> Summary:
    """Summarise scores, of which some may be NaN.

    Parameters
    ----------
    values : array_like of float, shape (n,)

    Returns
    -------
    Summary
    """
    array = np.asarray(values, dtype=np.float64)
    there = array[~np.isnan(array)]
    undefined = len(array) - len(there)
    if not len(there):
        nan = float("nan")
        empty = dict.fromkeys(QUANTILES, nan)
        return Summary(0, undefined, nan, nan, nan, nan, empty, nan, nan, nan)
    low, high = float(there.min()), float(there.max())
    # Scores beyond the range of floats have no spread that could be told.
    with np.errstate(over="ignore", invalid="ignore"):
        deviation = float(there.std(ddof=1)) if len(there) > 1 else float("nan")
        mean = float(there.mean())
        quantiles = np.quantile(there, QUANTILES).tolist()
    return Summary(
        defined=len(there),
        undefined=undefined,
        # The mean of equal scores is that score, whatever their sum is rounded to.
        mean=min(max(mean, low), high),
        standard_deviation=0.0 if low == high and len(there) > 1 else deviation,
        low=low,
        high=high,
        quantiles=dict(zip(QUANTILES, quantiles, strict=True)),
        mode=_mode(there, low, high),
        zeros=float(np.mean(there == 0)),
        ones=float(np.mean(there == 1)),
    )


def _mode(there: npt.NDArray[np.float64], low: float, high: float) -> float:
    if low < -1 or high > 1:
        return float("nan")
    histogram = Histogram(-1.0, 1.0, round(2 / MODE_WIDTH))
    histogram.add(there)
    fullest = int(histogram.counts.argmax())
    return float(histogram.edges[fullest : fullest + 2].mean())
