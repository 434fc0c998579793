"""Who collects garbage, and where."""

from __future__ import annotations

import gc
import threading
import weakref

from core.studies.task import Task
from gui.jobs import JobRunner


class Knot:
    """Refers to itself, so that only a collection ends it."""

    def __init__(self) -> None:
        self.me = self


def test_a_worker_destroys_what_the_window_has_left_behind(qtbot, garbage):
    where: list[int] = []
    knot = Knot()
    weakref.finalize(knot, lambda: where.append(threading.get_ident()))
    del knot
    runner = JobRunner()

    def work() -> list[list[int]]:
        # More objects than it takes for Python to collect by itself.
        return [[i] for i in range(200_000)]

    runner.start(runner.create(Task(work, "working"), "working"))
    qtbot.waitUntil(lambda: not runner.jobs, timeout=10_000)
    assert not gc.isenabled()
    gc.collect()
    assert where == [threading.get_ident()]


def test_garbage_is_never_collected(qtbot, garbage):
    ends: list[int] = []
    for _ in range(5_000):
        knot = Knot()
        weakref.finalize(knot, ends.append, 1)
    del knot
    qtbot.waitUntil(lambda: len(ends) > 4_000, timeout=5_000)
