"""How costs grow with a size: forecasts before, powers fitted after."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

_Floats = npt.NDArray[np.float64]

Axis = Literal["items", "shape", "tables"]

AXES: dict[str, str] = {
    "items": "items N",
    "shape": "truth classes = clusters",
    "tables": "tables",
}
"""What can grow, as axes say it."""

# What a cost is expected to grow with, at the least, where too little is known.
_NOMINAL = {
    ("items", "paper"): 1.0,
    ("items", "table"): 0.1,
    ("items", "batch"): 0.1,
    ("shape", "paper"): 1.0,
    ("shape", "table"): 1.5,
    ("shape", "batch"): 1.5,
    ("tables", "paper"): 1.0,
    ("tables", "table"): 1.0,
    ("tables", "batch"): 0.9,
}

LEAST_RUNS, MOST_RUNS, ENOUGH_SECONDS = 3, 50, 0.15
"""A point is timed so often, at least and at most, and until so much time was spent on it."""

# Costs below so many times the least are mostly what every call costs.
_ABOVE_FLOOR = 3.0
_LEAST_POINTS = 3
_CONFIDENCE = 0.95


def runs_of(seconds: float) -> int:
    """Return how often a call that takes so long is timed."""
    wanted = math.ceil(ENOUGH_SECONDS / max(seconds, 1e-9))
    return min(max(wanted, LEAST_RUNS), MOST_RUNS)


@dataclass
class Planner:
    """Foresees what points cost from those that were measured.

    Attributes
    ----------
    axis : str
    known : dict
        For each route and key, sizes and seconds in ascending order of sizes.
    """

    axis: str
    known: dict[tuple[str, str], dict[float, float]] = field(default_factory=dict)

    def add(self, route: str, key: str, size: float, seconds: float) -> None:
        """Remember a point."""
        self.known.setdefault((route, key), {})[size] = seconds

    def seconds(self, route: str, key: str, size: float) -> float:
        """Return about how long one call takes; NaN where nothing is known."""
        points = sorted(self.known.get((route, key), {}).items())
        if not points:
            return math.nan
        nominal = _NOMINAL[self.axis, route]
        if size <= points[0][0]:
            return points[0][1]
        below = [point for point in points if point[0] <= size]
        (last_size, last) = below[-1]
        power = nominal
        if len(below) > 1:
            before_size, before = below[-2]
            seen = math.log(last / before) / math.log(last_size / before_size)
            power = min(max(seen, nominal), 4.0)
        found: float = last * (size / last_size) ** power
        return found

    def total(
        self, sizes: Sequence[float], limit: float, done: set[tuple[str, str, float]]
    ) -> float:
        """Return about how long all points take together that are not done, in seconds."""
        found = 0.0
        for route, key in self.known:
            for size in sizes:
                once = self.seconds(route, key, size)
                if (route, key, size) not in done and once <= limit:
                    found += once * runs_of(once)
        return found


@dataclass(frozen=True)
class Fit:
    """A power fitted to costs.

    Attributes
    ----------
    exponent, low, high : float
        With its interval of 95 %.
    first, last : float
        Sizes between which it was fitted.
    cost : float
        On the line, at the first size.
    points : int
    flat : bool
        Whether costs never rise far above what a call costs at the least: then it says of
        the formula only that its cost is not seen.
    """

    exponent: float
    low: float
    high: float
    first: float
    last: float
    cost: float
    points: int
    flat: bool

    def at(self, sizes: _Floats) -> _Floats:
        """Return costs on the line."""
        return np.asarray(self.cost * (sizes / self.first) ** self.exponent, np.float64)


def fitted(sizes: Sequence[float] | _Floats, costs: Sequence[float] | _Floats) -> Fit | None:
    """Fit a power of the size to costs, by least squares of logarithms.

    Parameters
    ----------
    sizes, costs : sequence of float
        Of equal length; costs that are NaN are left out.

    Returns
    -------
    Fit or None
        None where there are less than three costs. Costs below three times the least are
        left out where three others remain: there what every call costs hides the growth.
    """
    from scipy import stats

    x, y = np.asarray(sizes, np.float64), np.asarray(costs, np.float64)
    there = np.isfinite(y) & (y > 0)
    x, y = x[there], y[there]
    if len(x) < _LEAST_POINTS or len(np.unique(x)) < _LEAST_POINTS:
        return None
    # From the first on that is high, so that no point is left out between others.
    high = np.flatnonzero(y < _ABOVE_FLOOR * y.min())
    start = int(high[-1]) + 1 if len(high) else 0
    flat = len(x) - start < _LEAST_POINTS
    if not flat:
        x, y = x[start:], y[start:]
    with np.errstate(all="ignore"):
        line = stats.linregress(np.log(x), np.log(y))
    # Points that lie on the line but for rounding have no error, or one that is not a number.
    error = line.stderr if math.isfinite(line.stderr) else 0.0
    reach = error * stats.t.ppf(0.5 + _CONFIDENCE / 2, len(x) - 2)
    cost = math.exp(line.intercept + line.slope * math.log(x[0]))
    return Fit(
        float(line.slope),
        float(line.slope - reach),
        float(line.slope + reach),
        float(x[0]),
        float(x[-1]),
        cost,
        len(x),
        flat,
    )
