"""Studies beside the window: they end when they are asked to."""

from __future__ import annotations

import threading

from core.interruption import checkpoint
from core.studies.study import Step
from gui.jobs import JobRunner


class OneLongStep:
    """Works without a step until it is interrupted."""

    def __init__(self):
        self.began, self.left = threading.Event(), threading.Event()

    def run(self):
        yield Step(0, 2, partial="first")
        self.began.set()
        try:
            while True:
                checkpoint()
        finally:
            self.left.set()


def begun(qtbot, jobs, study):
    job = jobs.create(study, "working")
    jobs.start(job)
    qtbot.waitUntil(study.began.is_set)
    return job


def test_a_cancel_reaches_work_in_the_middle_of_a_step(qtbot):
    jobs, study = JobRunner(), OneLongStep()
    job = begun(qtbot, jobs, study)
    partial = []
    job.failed.connect(lambda error: partial.append(error))
    job.cancelled.connect(lambda: partial.append(job.partial))
    with qtbot.waitSignal(job.ended):
        job.cancel()
    assert partial == ["first"]
    assert study.left.is_set()


def test_closing_does_not_wait_for_the_end_of_a_step(qtbot):
    jobs, study = JobRunner(), OneLongStep()
    begun(qtbot, jobs, study)
    jobs.shutdown()
    assert study.left.is_set()
    assert jobs.jobs == ()


def test_work_after_an_interrupted_one_is_not_interrupted(qtbot):
    class Short:
        def run(self):
            checkpoint()
            yield Step(1, 1, result="done")

    jobs, study = JobRunner(), OneLongStep()
    begun(qtbot, jobs, study).cancel()
    job = jobs.create(Short(), "short")
    with qtbot.waitSignal(job.finished) as caught:
        jobs.start(job)
    assert caught.args == ["done"]
    qtbot.waitUntil(lambda: not jobs.jobs)
