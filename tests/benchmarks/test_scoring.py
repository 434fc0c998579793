"""Speed of the scores, beside the peers' in the same run, and how it grows.

Run by ``make benchmark``, or ``make benchmark-peers`` with the peers that are installed
only on request. Each group holds the peers and ours on the same data.
"""

from __future__ import annotations

import time
import tracemalloc

import pytest

from tests.benchmarks.peers import MissingPeerError, run_r
from tests.benchmarks.rows import ROWS, SERIES, Row, Series, TimedByR, Work

OURS = "Tallyscope"
# Work that takes longer than this is repeated a few times only.
LONG = 0.2
ROUNDS = 3


class Clock:
    """A timer that shows the seconds that R has measured."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def measure(benchmark, work: Work, once: bool = False) -> None:
    if once:
        benchmark.pedantic(work)
        return
    start = time.perf_counter()
    work()  # also warms up
    if time.perf_counter() - start > LONG:
        benchmark.pedantic(work, rounds=ROUNDS)
    else:
        benchmark(work)


def measure_in_r(benchmark, clock: Clock, work: TimedByR) -> None:
    _, seconds = run_r(work.package, work.code, work.prepare(), ROUNDS)
    left = iter(seconds)

    def advance() -> None:
        clock.seconds += next(left)

    benchmark.pedantic(advance, rounds=ROUNDS)


def peak(work: Work) -> int:
    """Return the most bytes that the work holds at once."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def rows_and_peers():
    for row in ROWS:
        for name in (*row.peers, OURS):
            work = row.peers.get(name, row.ours)
            clock = Clock() if isinstance(work, TimedByR) else None
            marks = [pytest.mark.benchmark(timer=clock)] if clock else []
            yield pytest.param(row, name, work, clock, marks=marks, id=f"{row.work} | {name}")


@pytest.mark.parametrize(("row", "name", "work", "clock"), list(rows_and_peers()))
def test_row(benchmark, row: Row, name: str, work, clock: Clock | None) -> None:
    benchmark.group = row.work
    benchmark.extra_info |= {"row": row.work, "who": name}
    try:
        if isinstance(work, TimedByR):
            assert clock is not None
            measure_in_r(benchmark, clock, work)
            return
        prepared = work()
        if name == OURS and row.memory:
            benchmark.extra_info["peak"] = peak(prepared)
        measure(benchmark, prepared, once=name in row.once)
    except MissingPeerError as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize(
    ("series", "size"),
    [
        pytest.param(series, size, id=f"{series.work} | {size}")
        for series in SERIES
        for size in series.sizes
    ],
)
def test_growth(benchmark, series: Series, size: int) -> None:
    benchmark.group = f"growth: {series.work}"
    benchmark.extra_info |= {"series": series.work, "size": size}
    measure(benchmark, series.ours(size))
