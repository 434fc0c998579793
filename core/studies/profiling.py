"""What metrics cost on this machine: the AP paper's section 9, for the reader's own laptop."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter

import numpy as np
import numpy.typing as npt

from core.metrics.catalogue import METRICS
from core.metrics.metric import ScoreOptions
from core.profiling.clock import Clock
from core.profiling.disturbance import disturbances
from core.profiling.machine import Machine, Power
from core.profiling.measuring import Began, Ended, Extra, Task, Timed, measure
from core.profiling.process import messages_of
from core.profiling.quiet import quiet_window
from core.profiling.routes import ROUTES, lacking
from core.profiling.stages import Stages
from core.profiling.summary import RESAMPLES, Cost, costs
from core.scores import checked_keys
from core.simulation.presets import PAPER_METRICS, PAPER_TABLES, PRESETS
from core.simulation.scenario import Scenario, SimulationError, checked_whole
from core.studies.study import Step

MOST_INSTANCES = 20_000
MOST_LABELS = 50_000_000
"""Items of a table at the most where label vectors are made of it."""

_MOST_CELLS = 100_000_000

DEFAULT_PRESET = "low_4x4"


@dataclass(frozen=True)
class Profile:
    """Time metrics by several routes, in a process of its own.

    Attributes
    ----------
    scenario : Scenario
        What the tables are made from; the AP paper's by default.
    instances : int
        Tables, each timed once by every metric and route.
    keys : sequence of str
        Metrics of the catalogue with one value a table; the paper's eight by default.
    routes : sequence of str
        Keys of `core.profiling.routes.ROUTES`.
    seed : int
        Fixes the tables.
    options : ScoreOptions

    Raises
    ------
    SimulationError
        If a number is out of its range, a metric has a value for each class, or no route
        leads to any of the metrics.
    UnknownMetricError
        If a key is not in the catalogue.
    """

    scenario: Scenario = field(default_factory=lambda: PRESETS[DEFAULT_PRESET].scenario)
    instances: int = PAPER_TABLES
    keys: Sequence[str] = PAPER_METRICS
    routes: Sequence[str] = tuple(ROUTES)
    seed: int = 0
    options: ScoreOptions = field(default_factory=ScoreOptions)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", checked_timed_keys(self.keys))
        object.__setattr__(self, "routes", checked_routes(self.routes, self.keys))
        checked_whole("instances", "the number of instances", self.instances, 1, MOST_INSTANCES)
        checked_whole("seed", "the seed", self.seed, 0, 2**63 - 1)
        rows, columns = self.scenario.shape
        if self.instances * rows * columns > _MOST_CELLS:
            most = max(_MOST_CELLS // (rows * columns), 1)
            raise SimulationError(
                "instances",
                f"{self.instances:,} tables of {rows} x {columns} do not fit in memory at once: "
                f"choose at most {most:,} instances",
            )
        if "paper" in self.routes and self.scenario.total > MOST_LABELS:
            raise SimulationError(
                "total",
                f"scikit-learn needs two labels of each item, and {self.scenario.total:,} items "
                f"are too many: choose at most {MOST_LABELS:,}, or the other routes",
            )

    def run(self) -> Generator[Step[ProfileResult], None, None]:
        """Yield while instances are timed; partial results hold the first ones.

        The process that measures has ended when the generator has.

        Raises
        ------
        ChildError
            If the process that measures cannot be started or ends before its time.
        """
        started = perf_counter()
        task = Task(
            self.scenario,
            self.instances,
            tuple(self.routes),
            tuple(self.keys),
            self.seed,
            self.options,
        )
        shape = (self.instances, len(self.routes), len(self.keys))
        times = np.full(shape, np.nan)
        waited, yardstick = np.full((2, self.instances), np.nan)
        began: Began | None = None
        extra: Extra | None = None
        ended: Ended | None = None
        done = 0
        message = "starting a process for the clock"

        def result() -> ProfileResult | None:
            if began is None:
                return None
            return ProfileResult(
                self,
                np.moveaxis(times[:done], 0, -1),
                waited[:done],
                yardstick[:done],
                began.machine,
                ended.machine if ended else None,
                ended.powers if ended else (began.machine.power,),
                began.clock,
                began.warm_up,
                began.batch_tables,
                extra.memory if extra else None,
                extra.stages if extra else None,
                perf_counter() - started,
            )

        total = self.instances + 1
        yield Step(0, total, message)
        with closing(messages_of(measure, task)) as messages:
            for sent in messages:
                if isinstance(sent, Began):
                    began, message = sent, "timing"
                elif isinstance(sent, Timed):
                    end = done + len(sent.times)
                    times[done:end] = sent.times
                    waited[done:end], yardstick[done:end] = sent.waited, sent.yardstick
                    done = end
                    if done == self.instances:
                        message = "measuring memory"
                elif isinstance(sent, Extra):
                    extra = sent
                elif isinstance(sent, Ended):
                    ended = sent
                yield Step(done, total, message, result())
        found = result()
        if found is not None:
            # Here, and not where it is shown: of many instances it takes a while.
            _ = found.quiet
        yield Step(total, total, "timed", found, found)


def checked_timed_keys(keys: Sequence[str]) -> tuple[str, ...]:
    """Return the keys of metrics that can be timed, once each."""
    found = checked_keys(keys)
    if not found:
        raise SimulationError("metrics", "a profile needs at least one metric")
    for key in found:
        if METRICS[key].per != "table":
            raise SimulationError(
                "metrics", f"{key} has a value for each truth class: choose scores of tables"
            )
    return found


def checked_routes(routes: Sequence[str], keys: Sequence[str]) -> tuple[str, ...]:
    """Return the routes, once each, in the order of `ROUTES`."""
    asked = (routes,) if isinstance(routes, str) else tuple(routes)
    for route in asked:
        if route not in ROUTES:
            raise SimulationError(
                "routes", f"there is no route {route!r}: choose from {', '.join(ROUTES)}"
            )
    found = tuple(route for route in ROUTES if route in asked)
    if not found:
        raise SimulationError("routes", "a profile needs at least one route")
    if all(lacking(route, key) for route in found for key in keys):
        raise SimulationError(
            "metrics", f"{lacking(found[0], keys[0])}: choose another metric or another route"
        )
    return found


@dataclass(frozen=True, eq=False)
class ProfileResult:
    """Times of a profile, all or those of the first instances.

    Attributes
    ----------
    profile : Profile
    times : ndarray of float64, shape (R, m, n)
        In ms, by route, metric and instance; NaN where a route does not lead to a metric,
        and where the batch was not timed, which is at every twentieth instance or so.
    waited : ndarray of float64, shape (n,)
        Time that an instance took over the time that the processor worked for it.
    yardstick : ndarray of float64, shape (n,)
        What always the same work took, in ms.
    began, ended : Machine
        Before and after; None while it is measured.
    powers : tuple of str
        Sources of power, one after the other.
    clock : Clock
    warm_up : float
        Seconds of the first calls, which are not among the times.
    batch_tables : int
        Tables that the batch route scores at once.
    memory : ndarray of float64, shape (R, m), or None
        Peaks in bytes of one call.
    stages : Stages or None
        Where the time of scikit-learn's AMI goes; None where it was not measured.
    seconds : float
        Time that it took in all.
    """

    profile: Profile
    times: npt.NDArray[np.float64]
    waited: npt.NDArray[np.float64]
    yardstick: npt.NDArray[np.float64]
    began: Machine
    ended: Machine | None
    powers: tuple[Power, ...]
    clock: Clock
    warm_up: float
    batch_tables: int
    memory: npt.NDArray[np.float64] | None
    stages: Stages | None
    seconds: float

    @property
    def done(self) -> int:
        """Number of instances timed."""
        return int(self.times.shape[-1])

    @property
    def complete(self) -> bool:
        """Whether all instances are there, and what is measured after them."""
        return self.done == self.profile.instances and self.ended is not None

    def of(self, route: str, key: str) -> npt.NDArray[np.float64]:
        """Return the times of a metric by a route in ms, shape (n,)."""
        place = self.profile.routes.index(route), list(self.profile.keys).index(key)
        values: npt.NDArray[np.float64] = self.times[place]
        return values

    @cached_property
    def quiet(self) -> tuple[int, int]:
        """The quiet window: its first instance, counted from 0, and the one behind its last."""
        return quiet_window(self.times)

    def costs(
        self, window: tuple[int, int] | None = None, *, intervals: bool = False
    ) -> list[Cost]:
        """Return what each metric costs by each route.

        Parameters
        ----------
        window : (int, int), optional
            The instances that count as quiet; the window found by default.
        intervals : bool
            Whether ratios have bootstrap intervals, which takes some tenths of a second.
        """
        return costs(
            self.times,
            window or self.quiet,
            self.profile.routes,
            list(self.profile.keys),
            self.memory,
            resamples=RESAMPLES if intervals else 0,
            seed=self.profile.seed,
        )

    def disturbances(self) -> list[str]:
        """Return what may have made times longer than they are, as sentences."""
        return disturbances(self.waited, self.yardstick, self.began, self.ended, self.powers)


@dataclass(frozen=True, eq=False)
class FindCosts:
    """The study that finds what each metric costs, with intervals.

    Attributes
    ----------
    result : ProfileResult
    window : (int, int) or None
        The instances that count as quiet; the window found by default.
    """

    result: ProfileResult
    window: tuple[int, int] | None = None

    def run(self) -> Generator[Step[list[Cost]], None, None]:
        """Yield a step before, and one with the costs."""
        yield Step(0, 1, "resampling the instances")
        yield Step(1, 1, "resampled", result=self.result.costs(self.window, intervals=True))
