"""A clock for calls that take microseconds: its own cost is known and taken off."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from time import perf_counter_ns
from typing import Any

import numpy as np

_SAMPLES = 2_000
# A call is repeated until it takes so many times what reading the clock costs, or steps by.
_TIMES_THE_CLOCK = 50
_MOST_REPEATS = 1_000


@dataclass(frozen=True)
class Clock:
    """What reading the clock costs, and in which steps it goes, in nanoseconds.

    Attributes
    ----------
    overhead : float
        Median of the time between two readings with nothing in between.
    resolution : float
        The smallest step above 0 that was seen.
    """

    overhead: float
    resolution: float

    @classmethod
    def measured(cls) -> Clock:
        """Read the clock two thousand times, twice each."""
        steps = np.empty(_SAMPLES)
        for i in range(_SAMPLES):
            before = perf_counter_ns()
            steps[i] = perf_counter_ns() - before
        above = steps[steps > 0]
        return cls(float(np.median(steps)), float(above.min()) if len(above) else 1.0)

    def repeats(self, seconds: float) -> int:
        """Return how often a call that takes so long is done between two readings."""
        least = _TIMES_THE_CLOCK * max(self.overhead, self.resolution) / 1e9
        if seconds >= least:
            return 1
        return int(min(np.ceil(least / max(seconds, 1e-9)), _MOST_REPEATS))

    def time(self, call: Callable[[], Any], repeats: int = 1) -> float:
        """Return the seconds that a call takes, the clock's own taken off.

        Parameters
        ----------
        call : callable
        repeats : int
            How often it is done between two readings.
        """
        if repeats == 1:
            before = perf_counter_ns()
            call()
            spent = perf_counter_ns() - before
        else:
            before = perf_counter_ns()
            for _ in range(repeats):
                call()
            spent = perf_counter_ns() - before
        return max(spent - self.overhead, self.resolution) / repeats / 1e9


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep garbage collection and the threads of number crunching out of what is timed."""
    # Only libraries that are loaded by then can be limited.
    for name in ("scipy.linalg", "sklearn.metrics"):
        import_module(name)
    from threadpoolctl import threadpool_limits

    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        with threadpool_limits(1):
            yield
    finally:
        if was_on:
            gc.enable()


_YARDSTICK_STEPS = 1_500


def yardstick() -> int:
    """Do always the same work: where it takes longer, the processor has become slower."""
    total = 0
    for i in range(_YARDSTICK_STEPS):
        total += i * i & 7
    return total
