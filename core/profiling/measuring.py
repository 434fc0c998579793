"""What the process that measures does; it tells what it has, a few instances at a time."""

from __future__ import annotations

import gc
import tracemalloc
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter, perf_counter_ns, process_time_ns
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.counts import IntArray
from core.metrics.metric import ScoreOptions
from core.profiling.clock import Clock, undisturbed, yardstick
from core.profiling.machine import Machine, Power, power_source
from core.profiling.process import Send
from core.profiling.routes import Instance, call, lacking, needs_labels
from core.profiling.stages import Stages, measured_stages
from core.simulation.scenario import Scenario

_Floats = npt.NDArray[np.float64]

_WARM_UPS = 3
_SEND_EVERY = 0.03
_POWER_EVERY = 1.0
# Instances at which the batch is timed, which scores all tables each time.
_BATCHES = 25
_STAGES = 40
_COLLECT_EVERY = 50

MOST_BATCH_CELLS = 4_000_000
"""Cells of the tables that the batch route scores at once; of larger ones it takes fewer."""


@dataclass(frozen=True)
class Task:
    """What is to be measured.

    Attributes
    ----------
    scenario : Scenario
    instances : int
    routes, keys : tuple of str
    seed : int
    options : ScoreOptions
    """

    scenario: Scenario
    instances: int
    routes: tuple[str, ...]
    keys: tuple[str, ...]
    seed: int
    options: ScoreOptions

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Places of a route and a metric that it leads to, among routes and keys."""
        return [
            (i, j)
            for i, route in enumerate(self.routes)
            for j, key in enumerate(self.keys)
            if lacking(route, key) is None
        ]


class Began(NamedTuple):
    """What is known before the first instance."""

    machine: Machine
    clock: Clock
    warm_up: float
    batch_tables: int


class Timed(NamedTuple):
    """Some instances: times in ms, shape (k, R, m); and shape (k,) each."""

    times: _Floats
    waited: _Floats
    yardstick: _Floats


class Extra(NamedTuple):
    """What is measured apart from times: peaks in bytes, shape (R, m); stages."""

    memory: _Floats
    stages: Stages | None


class Ended(NamedTuple):
    """The machine after the last instance, and its power sources in between."""

    machine: Machine
    powers: tuple[Power, ...]


def measure(task: Task, send: Send) -> None:
    """Measure, and send what there is.

    Parameters
    ----------
    task : Task
    send : callable
        Takes `Began`, then `Timed` many times, then `Extra` and `Ended`.
    """
    with warnings.catch_warnings():
        # What scikit-learn warns of concerns labels, not their times.
        warnings.simplefilter("ignore")
        machine = Machine.here()
        tables = _tables(task)
        batch = tables[: max(1, MOST_BATCH_CELLS // max(tables[0].size, 1))]
        with undisturbed():
            _measure(task, tables, batch, machine, send)


def _tables(task: Task) -> IntArray:
    blocks = [
        task.scenario.make(task.seed, block, size)
        for block, size in task.scenario.blocks(task.instances)
    ]
    return np.concatenate(blocks)


def _measure(task: Task, tables: IntArray, batch: IntArray, machine: Machine, send: Send) -> None:
    clock = Clock.measured()
    pairs, labels = task.pairs, needs_labels(task.routes)
    start = perf_counter()
    repeats = _warm_up(task, pairs, Instance.of(tables[0], with_labels=labels), batch, clock)
    send(Began(machine, clock, perf_counter() - start, len(batch)))
    every = max(task.instances // _BATCHES, 1)
    shape = (len(task.routes), len(task.keys))
    rows: list[tuple[_Floats, float, float]] = []
    sent = asked = perf_counter()
    powers: list[Power] = [machine.power]
    for number, counts in enumerate(tables):
        instance = Instance.of(counts, with_labels=labels)
        # Who is first in one instance is last in another: what drifts, drifts for all.
        turn = number % len(pairs)
        calls = [
            (i, j, call(task.routes[i], task.keys[j], instance, batch, task.options))
            for i, j in (*pairs[turn:], *pairs[:turn])
            if task.routes[i] != "batch" or number % every == 0
        ]
        times = np.full(shape, np.nan)
        wall, worked = perf_counter_ns(), process_time_ns()
        for i, j, function in calls:
            spent = clock.time(function, repeats[i, j])
            times[i, j] = 1e3 * spent / (len(batch) if task.routes[i] == "batch" else 1)
        wall, worked = perf_counter_ns() - wall, process_time_ns() - worked
        rows.append((times, wall / max(worked, 1), 1e3 * clock.time(yardstick)))
        now = perf_counter()
        if now - sent > _SEND_EVERY or number == len(tables) - 1:
            sent = now
            send(Timed(*(np.array(column) for column in zip(*rows, strict=True))))
            rows.clear()
        if now - asked > _POWER_EVERY:
            asked = now
            power = power_source()
            if power != powers[-1]:
                powers.append(power)
        if number % _COLLECT_EVERY == _COLLECT_EVERY - 1:
            gc.collect()
    send(_extra(task, pairs, tables, batch, clock))
    send(Ended(Machine.here(), tuple(powers)))


def _warm_up(
    task: Task,
    pairs: Sequence[tuple[int, int]],
    instance: Instance,
    batch: IntArray,
    clock: Clock,
) -> npt.NDArray[np.int64]:
    """Call everything some times, and return how often each is repeated between readings."""
    repeats = np.ones((len(task.routes), len(task.keys)), np.int64)
    for i, j in pairs:
        function = call(task.routes[i], task.keys[j], instance, batch, task.options)
        spent = [clock.time(function) for _ in range(_WARM_UPS)]
        if task.routes[i] == "paper":
            # A table of ours remembers what it was asked: its calls are never repeated.
            repeats[i, j] = clock.repeats(min(spent))
    for _ in range(_WARM_UPS):
        yardstick()
    return repeats


def _extra(
    task: Task,
    pairs: Sequence[tuple[int, int]],
    tables: IntArray,
    batch: IntArray,
    clock: Clock,
) -> Extra:
    memory = np.full((len(task.routes), len(task.keys)), np.nan)
    instance = Instance.of(tables[0], with_labels=needs_labels(task.routes))
    tracemalloc.start()
    try:
        for i, j in pairs:
            function = call(task.routes[i], task.keys[j], instance, batch, task.options)
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            function()
            memory[i, j] = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    stages = None
    if "paper" in task.routes and "ami" in task.keys:
        step = max(len(tables) // _STAGES, 1)
        some = (Instance.of(table) for table in tables[::step][:_STAGES])
        stages = measured_stages(some, clock)
    return Extra(memory, stages)
