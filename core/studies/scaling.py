"""How the cost of each metric grows: with the items, the shape, or the number of tables."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from core.metrics.metric import ScoreOptions
from core.profiling.growing import GrowthBegan, GrowthEnded, GrowthTask, Point, measure_growth
from core.profiling.growth import AXES, Fit, fitted
from core.profiling.machine import Machine
from core.profiling.process import messages_of
from core.profiling.routes import ROUTES, lacking
from core.simulation.presets import PAPER_TOTAL
from core.simulation.scenario import MOST_CELLS, MOST_ITEMS, SimulationError, checked_whole
from core.studies.profiling import checked_routes, checked_timed_keys
from core.studies.study import Step

SIZES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "items": tuple(round(10 ** (power / 2)) for power in range(4, 17)),
        "shape": (2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300),
        "tables": (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000),
    }
)
"""Sizes that are measured, for each axis."""

SCALING_METRICS = ("ap", "ami", "smi_q", "ari", "v_measure", "f1")
"""Metrics that are measured unless others are asked for: one of each way to grow."""

LIMIT = 3.0
"""Seconds that one call may take unless something else is asked for."""

_SHAPE_TOTAL = 100_000

MEMORY = 4_000_000_000
"""Bytes that one call may take."""


@dataclass(frozen=True)
class Scaling:
    """Time metrics at growing sizes, in a process of its own.

    Attributes
    ----------
    axis : {"items", "shape", "tables"}
        What grows.
    sizes : sequence of int
        In ascending order; those of `SIZES` by default.
    rows, columns, total : int
        Of every table, but for what grows. Without a total it is the AP paper's, and 100,000
        where the shape grows, so that large tables are not empty.
    keys, routes : sequence of str
    seed : int
    options : ScoreOptions
    limit : float
        Seconds that one call may take: a point that would take longer is left out and said.
    memory : int
        Bytes that a call may take, in the same way.

    Raises
    ------
    SimulationError
        If a number is out of its range, or a metric or route cannot be timed.
    UnknownMetricError
        If a key is not in the catalogue.
    """

    axis: str = "items"
    sizes: Sequence[int] = ()
    rows: int = 4
    columns: int = 4
    total: int | None = None
    keys: Sequence[str] = SCALING_METRICS
    routes: Sequence[str] = tuple(ROUTES)
    seed: int = 0
    options: ScoreOptions = field(default_factory=ScoreOptions)
    limit: float = LIMIT
    memory: int = MEMORY

    def __post_init__(self) -> None:
        if self.axis not in AXES:
            raise SimulationError("axis", f"the axis is {', '.join(AXES)}, not {self.axis!r}")
        if not self.sizes:
            object.__setattr__(self, "sizes", SIZES[self.axis])
        most = {"items": MOST_ITEMS, "shape": math.isqrt(MOST_CELLS), "tables": 1_000_000}
        for size in self.sizes:
            checked_whole("sizes", "a size", size, 1, most[self.axis])
        object.__setattr__(self, "sizes", tuple(sorted(set(self.sizes))))
        if self.total is None:
            object.__setattr__(self, "total", _SHAPE_TOTAL if self.axis == "shape" else PAPER_TOTAL)
        object.__setattr__(self, "keys", checked_timed_keys(self.keys))
        object.__setattr__(self, "routes", checked_routes(self.routes, self.keys))
        checked_whole("rows", "the number of truth classes", self.rows, 1, 1_000)
        checked_whole("columns", "the number of clusters", self.columns, 1, 1_000)
        checked_whole("total", "the number of items", self.total, 1, MOST_ITEMS)
        checked_whole("seed", "the seed", self.seed, 0, 2**63 - 1)
        if not (math.isfinite(self.limit) and self.limit > 0):
            raise SimulationError("limit", f"the limit is {self.limit!r}: choose some seconds")
        checked_whole("memory", "the memory", self.memory, 1, 1 << 50)

    @property
    def items(self) -> int:
        """Items of every table where they do not grow."""
        assert self.total is not None
        return self.total

    @property
    def points(self) -> int:
        """Number of sizes times metrics times routes that lead to them."""
        pairs = sum(lacking(route, key) is None for route in self.routes for key in self.keys)
        return pairs * len(self.sizes)

    def run(self) -> Generator[Step[ScalingResult], None, None]:
        """Yield while points are timed; the first partial result says how long it will take.

        The process that measures has ended when the generator has.

        Raises
        ------
        ChildError
            If the process that measures cannot be started or ends before its time.
        """
        started = perf_counter()
        task = GrowthTask(
            self.axis,
            tuple(self.sizes),
            self.rows,
            self.columns,
            self.items,
            tuple(self.routes),
            tuple(self.keys),
            self.seed,
            self.options,
            self.limit,
            self.memory,
        )
        costs = np.full((len(self.routes), len(self.keys), len(self.sizes)), np.nan)
        left_out: dict[tuple[str, str, int], str] = {}
        began: GrowthBegan | None = None
        ended: GrowthEnded | None = None
        done, left = 0, math.nan

        def result() -> ScalingResult | None:
            if began is None:
                return None
            return ScalingResult(
                self,
                costs.copy(),
                dict(left_out),
                began.machine,
                ended.machine if ended else None,
                began.seconds,
                left,
                done,
                perf_counter() - started,
            )

        message = "finding out how long it will take"
        yield Step(0, self.points, message)
        with closing(messages_of(measure_growth, task)) as messages:
            for sent in messages:
                if isinstance(sent, GrowthBegan):
                    began, left, message = sent, sent.seconds, "timing"
                elif isinstance(sent, Point):
                    costs[sent.route, sent.key, sent.size] = sent.cost
                    if sent.why:
                        place = self.routes[sent.route], self.keys[sent.key]
                        left_out[(*place, self.sizes[sent.size])] = sent.why
                    done, left = done + 1, sent.seconds_left
                elif isinstance(sent, GrowthEnded):
                    ended = sent
                yield Step(done, self.points, message, result())
        found = result()
        if found is not None:
            # Here, and not where it is shown: it loads much of scipy.
            _ = found.fits
        yield Step(self.points, self.points, "timed", found, found)


@dataclass(frozen=True, eq=False)
class FitGrowth:
    """The study that fits powers to what is there of growing costs.

    Attributes
    ----------
    result : ScalingResult
    """

    result: ScalingResult

    def run(self) -> Generator[Step[ScalingResult], None, None]:
        """Yield a step before, and one with the result, whose powers are found then."""
        yield Step(0, 1, "fitting powers")
        _ = self.result.fits
        yield Step(1, 1, "fitted", result=self.result)


@dataclass(frozen=True, eq=False)
class ScalingResult:
    """Costs at growing sizes, all or the first of them.

    Attributes
    ----------
    scaling : Scaling
    costs : ndarray of float64, shape (R, m, s)
        In ms of one call, by route, metric and size; NaN where it was not timed.
    left_out : dict
        Why, by route, key and size.
    began, ended : Machine
        Before and after; None while it is measured.
    forecast : float
        Seconds that it was expected to take.
    seconds_left : float
        Seconds that the rest is expected to take.
    done : int
        Points that were timed or left out.
    seconds : float
        Time that it took.
    """

    scaling: Scaling
    costs: npt.NDArray[np.float64]
    left_out: Mapping[tuple[str, str, int], str]
    began: Machine
    ended: Machine | None
    forecast: float
    seconds_left: float
    done: int
    seconds: float

    @property
    def complete(self) -> bool:
        """Whether every point was timed or left out."""
        return self.done == self.scaling.points

    def of(self, route: str, key: str) -> npt.NDArray[np.float64]:
        """Return the costs of a metric by a route in ms, shape (s,)."""
        scaling = self.scaling
        place = list(scaling.routes).index(route), list(scaling.keys).index(key)
        values: npt.NDArray[np.float64] = self.costs[place]
        return values

    def fit(self, route: str, key: str) -> Fit | None:
        """Return the power fitted to the costs of a metric; None where there are too few."""
        return fitted(np.asarray(self.scaling.sizes, np.float64), self.of(route, key))

    @cached_property
    def fits(self) -> Mapping[tuple[str, str], Fit]:
        """All powers that can be fitted, by route and key; the study finds those of its end."""
        found = {}
        for route in self.scaling.routes:
            for key in self.scaling.keys:
                fit = self.fit(route, key)
                if fit is not None:
                    found[route, key] = fit
        return found
