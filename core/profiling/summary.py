"""Times in numbers: what a metric costs by each route, and how many times AP that is."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_Floats = npt.NDArray[np.float64]

QUANTILES = (0.05, 0.25, 0.75, 0.95)
RESAMPLES = 1000
_INTERVAL = (0.025, 0.975)


@dataclass(frozen=True)
class Cost:
    """What a metric costs by one route; times in ms.

    Attributes
    ----------
    route, key : str
    instances : int
        Instances with a time.
    mean, median : float
        Over all instances.
    quantiles : dict of float to float
    quiet_mean, quiet_median : float
        Over the quiet window.
    ratio, ratio_low, ratio_high : float
        How many times AP it costs by the same route, by the medians over the quiet window,
        and a bootstrap interval of 95 % over its instances; NaN where there is no AP, or no
        interval was asked for.
    memory : float
        Peak in bytes beyond what was there before; NaN where it was not measured.
    """

    route: str
    key: str
    instances: int
    mean: float
    median: float
    quantiles: dict[float, float]
    quiet_mean: float
    quiet_median: float
    ratio: float
    ratio_low: float
    ratio_high: float
    memory: float

    @property
    def per_second(self) -> float:
        """Scores a second, by the mean over the quiet window."""
        return 1e3 / self.quiet_mean if self.quiet_mean > 0 else math.nan


def costs(
    times: _Floats,
    window: tuple[int, int],
    routes: Sequence[str],
    keys: Sequence[str],
    memory: _Floats | None = None,
    *,
    resamples: int = 0,
    seed: int = 0,
) -> list[Cost]:
    """Summarise times.

    Parameters
    ----------
    times : ndarray of float64, shape (R, m, n)
        In ms; NaN where there is none.
    window : (int, int)
        The quiet window.
    routes, keys : sequence of str
        Of length R and m.
    memory : ndarray of float64, shape (R, m), optional
        Peaks in bytes.
    resamples : int
        Of the bootstrap; 0 for no intervals.
    seed : int

    Returns
    -------
    list of Cost
        Route by route; only what has a time.
    """
    found: list[Cost] = []
    quiet = times[:, :, slice(*window)]
    for i, route in enumerate(routes):
        reference = keys.index("ap") if "ap" in keys else -1
        base = _some(quiet[i, reference]) if reference >= 0 else np.zeros(0)
        for j, key in enumerate(keys):
            there = _some(times[i, j])
            if not len(there):
                continue
            inside = _some(quiet[i, j])
            if not len(inside):
                # A window that is dragged between two times of the batch.
                inside = there
            median = float(np.median(inside))
            ratio = low = high = math.nan
            if len(base):
                ratio = median / float(np.median(base))
                low = high = 1.0 if j == reference else math.nan
                if j != reference and resamples:
                    low, high = _interval(quiet[i, j], quiet[i, reference], resamples, seed)
            found.append(
                Cost(
                    route,
                    key,
                    len(there),
                    float(there.mean()),
                    float(np.median(there)),
                    {q: float(np.quantile(there, q)) for q in QUANTILES},
                    float(inside.mean()),
                    median,
                    ratio,
                    low,
                    high,
                    math.nan if memory is None else float(memory[i, j]),
                )
            )
    return found


def _some(values: _Floats) -> _Floats:
    there: _Floats = values[np.isfinite(values)]
    return there


def _interval(of: _Floats, base: _Floats, resamples: int, seed: int) -> tuple[float, float]:
    """Return a percentile interval of the ratio of two medians over the same instances."""
    both = np.isfinite(of) & np.isfinite(base)
    of, base = of[both], base[both]
    if len(of) < 2:
        return math.nan, math.nan
    places = np.random.default_rng(seed).integers(len(of), size=(resamples, len(of)))
    with warnings.catch_warnings():
        ratios = np.median(of[places], axis=1) / np.median(base[places], axis=1)
    low, high = np.quantile(ratios, _INTERVAL)
    return float(low), float(high)


@dataclass(frozen=True)
class Affordable:
    """What a budget of time buys.

    Attributes
    ----------
    route, key : str
    per_second : float
        Scores a second.
    tables : int
        Tables that the budget has time for.
    """

    route: str
    key: str
    per_second: float
    tables: int


def affordable(found: Sequence[Cost], seconds: float) -> list[Affordable]:
    """Return how many tables can be scored within some seconds, metric by metric.

    Parameters
    ----------
    found : sequence of Cost
    seconds : float
        0 or more.

    Raises
    ------
    ValueError
        If the seconds are negative or no number.
    """
    if not (math.isfinite(seconds) and seconds >= 0):
        raise ValueError(f"the budget is {seconds!r}: it must be a number of seconds, 0 or more")
    return [
        Affordable(cost.route, cost.key, cost.per_second, math.floor(seconds * cost.per_second))
        for cost in found
        if cost.per_second > 0
    ]
