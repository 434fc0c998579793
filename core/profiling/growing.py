"""What the process does that measures how costs grow."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

import numpy as np

from core.counts import IntArray
from core.metrics.metric import ScoreOptions
from core.profiling.clock import Clock, undisturbed
from core.profiling.growth import ENOUGH_SECONDS, LEAST_RUNS, MOST_RUNS, Planner
from core.profiling.machine import Machine
from core.profiling.process import Send
from core.profiling.routes import Instance, call, lacking, needs_labels
from core.simulation.dividers import DividedTotal

# Of one item in two label vectors, and in what scikit-learn makes of them.
_BYTES_A_LABEL = 120
# Of one cell, in what is made of a table on its way to a score.
_BYTES_A_CELL = 400
# Tables whose labels are kept; more of them are gone through again and again.
_MOST_KEPT = 64


@dataclass(frozen=True)
class GrowthTask:
    """What is to be measured.

    Attributes
    ----------
    axis : {"items", "shape", "tables"}
    sizes : tuple of int
    rows, columns, total : int
        Of the tables, where the size is something else.
    routes, keys : tuple of str
    seed : int
    options : ScoreOptions
    limit : float
        Seconds that one call may take.
    memory : int
        Bytes that it may take.
    """

    axis: str
    sizes: tuple[int, ...]
    rows: int
    columns: int
    total: int
    routes: tuple[str, ...]
    keys: tuple[str, ...]
    seed: int
    options: ScoreOptions
    limit: float
    memory: int

    def scenario(self, size: int) -> DividedTotal:
        """Return what the tables of a size are made from."""
        rows, columns, total = self.rows, self.columns, self.total
        if self.axis == "items":
            total = size
        elif self.axis == "shape":
            rows = columns = size
        return DividedTotal(rows, columns, total)

    def tables(self, size: int) -> int:
        """Return how many tables a call scores."""
        return size if self.axis == "tables" else 1

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Places of a route and a metric that it leads to."""
        return [
            (i, j)
            for i, route in enumerate(self.routes)
            for j, key in enumerate(self.keys)
            if lacking(route, key) is None
        ]


class GrowthBegan(NamedTuple):
    """What is known before the first point: the machine, and about how long it will take."""

    machine: Machine
    seconds: float


class Point(NamedTuple):
    """A point: the places of size, route and key, the time in ms, or why it was left out."""

    size: int
    route: int
    key: int
    cost: float
    why: str
    seconds_left: float


class GrowthEnded(NamedTuple):
    """The machine after the last point."""

    machine: Machine


def measure_growth(task: GrowthTask, send: Send) -> None:
    """Measure, and send what there is.

    Parameters
    ----------
    task : GrowthTask
    send : callable
        Takes `GrowthBegan`, a `Point` for every size, route and key, and `GrowthEnded`.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        machine = Machine.here()
        with undisturbed():
            clock, planner = Clock.measured(), Planner(task.axis)
            _pilot(task, planner, clock)
            done: set[tuple[str, str, float]] = set()
            send(GrowthBegan(machine, planner.total(task.sizes, task.limit, done)))
            for number, size in enumerate(task.sizes):
                for point in _points(task, number, size, planner, clock, done):
                    send(point)
                gc.collect()
        send(GrowthEnded(Machine.here()))


def _pilot(task: GrowthTask, planner: Planner, clock: Clock) -> None:
    """Time everything once at the least size and at a middle one, to know what is ahead."""
    middle = task.sizes[len(task.sizes) // 2]
    for size in dict.fromkeys((task.sizes[0], middle)):
        make = _maker(task, size)
        for i, j in task.pairs:
            route, key = task.routes[i], task.keys[j]
            if planner.seconds(route, key, size) > task.limit or _too_large(task, route, size):
                continue
            first = clock.time(make(route, key))
            again = clock.time(make(route, key)) if first < ENOUGH_SECONDS else first
            planner.add(route, key, size, min(first, again))


def _points(
    task: GrowthTask,
    number: int,
    size: int,
    planner: Planner,
    clock: Clock,
    done: set[tuple[str, str, float]],
) -> Iterator[Point]:
    make: Callable[[str, str], Callable[[], object]] | None = None
    for i, j in task.pairs:
        route, key = task.routes[i], task.keys[j]
        expected = planner.seconds(route, key, size)
        why = _too_large(task, route, size)
        if not why and expected > task.limit:
            why = f"one call would take about {_span(expected)}"
        cost = float("nan")
        if not why:
            make = make or _maker(task, size)
            try:
                cost = _timed(make, route, key, clock)
            except MemoryError:
                why = "there is not enough memory"
            else:
                planner.add(route, key, size, cost)
        done.add((route, key, size))
        left = planner.total(task.sizes, task.limit, done)
        yield Point(number, i, j, 1e3 * cost, why, left)


def _span(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds / 3600:,.0f} hours"


def _too_large(task: GrowthTask, route: str, size: int) -> str:
    """Return why a point is not measured, empty if it fits."""
    scenario = task.scenario(size)
    rows, columns = scenario.shape
    need = rows * columns * _BYTES_A_CELL * (task.tables(size) if route == "batch" else 1)
    if route == "paper":
        need += scenario.total * _BYTES_A_LABEL * min(task.tables(size), _MOST_KEPT)
    if need <= task.memory:
        return ""
    what = "its labels" if route == "paper" else "its tables"
    return f"{what} would take about {need / 1e9:.1f} GB of memory"


def _timed(
    make: Callable[[str, str], Callable[[], object]], route: str, key: str, clock: Clock
) -> float:
    """Return the median time of one call, in seconds."""
    spent: list[float] = []
    start = perf_counter()
    while len(spent) < LEAST_RUNS or (
        perf_counter() - start < ENOUGH_SECONDS and len(spent) < MOST_RUNS
    ):
        spent.append(clock.time(make(route, key)))
    return float(np.median(spent))


def _maker(task: GrowthTask, size: int) -> Callable[[str, str], Callable[[], object]]:
    """Return a function that makes a call for a route and a metric."""
    scenario, many = task.scenario(size), task.tables(size)
    kept = many if "batch" in task.routes else min(many, _MOST_KEPT)
    blocks = [scenario.make(task.seed, block, n) for block, n in scenario.blocks(kept)]
    tables: IntArray = np.concatenate(blocks)
    # Labels only where they fit.
    labels = needs_labels(task.routes) and not _too_large(task, "paper", size)
    instances = [Instance.of(table, with_labels=labels) for table in tables[:_MOST_KEPT]]

    def make(route: str, key: str) -> Callable[[], object]:
        if route == "batch" or many == 1:
            return call(route, key, instances[0], tables, task.options)
        calls = [call(route, key, each, tables, task.options) for each in instances]

        def one_by_one() -> None:
            for number in range(many):
                calls[number % len(calls)]()

        return one_by_one

    return make
