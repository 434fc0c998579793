"""Long work beside the window: a study driven by a worker thread.

The worker never touches a widget. It leaves its latest step under a lock, which the
job reads thirty times a second; signals cross only at the end. A cancel is an event
that the worker looks at after every step, and within a step of large tables too.
"""

from __future__ import annotations

import logging
import threading
from typing import Any

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot

from core.interruption import InterruptedWork, interruptible
from core.studies.study import Step, Study

_POLL_MS = 33

log = logging.getLogger(__name__)


class _Worker(QObject):
    """Drives one study in the thread that it has been moved to."""

    finished = Signal(object)
    failed = Signal(object)
    cancelled = Signal()

    def __init__(self, study: Study[Any]) -> None:
        super().__init__()
        self._study = study
        self._lock = threading.Lock()
        self._latest: Step[Any] | None = None
        self.stop = threading.Event()

    def latest(self) -> Step[Any] | None:
        """Return the newest step; called from the window's thread."""
        with self._lock:
            return self._latest

    @Slot()
    def run(self) -> None:
        try:
            with interruptible(self.stop.is_set):
                result = self._drive()
        except InterruptedWork:
            self.cancelled.emit()
            return
        except Exception as error:  # noqa: BLE001 - whatever a study raises is reported
            self.failed.emit(error)
            return
        # Work that was done before it saw the cancel is done all the same.
        if self.stop.is_set() and result is None:
            self.cancelled.emit()
        else:
            self.finished.emit(result)

    def _drive(self) -> Any:
        steps = self._study.run()
        last: Step[Any] | None = None
        try:
            for step in steps:
                last = step
                with self._lock:
                    self._latest = step
                if self.stop.is_set():
                    break
        finally:
            close = getattr(steps, "close", None)
            if close is not None:
                close()
        return None if last is None else last.result


class Job(QObject):
    """One run of a study. Exactly one of finished, failed, cancelled is emitted.

    Signals
    -------
    progressed(Step), finished(object), failed(Exception), cancelled()
    """

    progressed = Signal(object)
    finished = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    ended = Signal(object)

    def __init__(self, study: Study[Any], title: str, parent: QObject) -> None:
        super().__init__(parent)
        self.title = title
        self._seen: Step[Any] | None = None
        self._abandoned = False
        self._thread = QThread(self)
        self._thread.setObjectName(f"job: {title}")
        self._worker = _Worker(study)
        self._worker.moveToThread(self._thread)
        self._thread.started.connect(self._worker.run)
        self._worker.finished.connect(self._on_finished)
        self._worker.failed.connect(self._on_failed)
        self._worker.cancelled.connect(self._on_cancelled)
        self._poll = QTimer(self)
        self._poll.setInterval(_POLL_MS)
        self._poll.timeout.connect(self._on_poll)

    def start(self) -> None:
        """Begin the work."""
        self._poll.start()
        self._thread.start()

    @Slot()
    def cancel(self) -> None:
        """Ask the work to stop after its present step."""
        self._worker.stop.set()

    def abandon(self) -> None:
        """Cancel, and emit nothing but `ended`: the result would be stale."""
        self._abandoned = True
        self.cancel()

    @property
    def partial(self) -> Any:
        """What the work has so far."""
        step = self._worker.latest()
        return None if step is None else step.partial

    def wait(self) -> None:
        """Block until the thread has ended; only for closing the program."""
        self._poll.stop()
        self._thread.quit()
        self._thread.wait()

    @Slot()
    def _on_poll(self) -> None:
        step = self._worker.latest()
        if step is not None and step is not self._seen and not self._abandoned:
            self._seen = step
            self.progressed.emit(step)

    @Slot(object)
    def _on_finished(self, result: Any) -> None:
        self._end()
        if not self._abandoned:
            self.finished.emit(result)
        self.ended.emit(self)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._end()
        if not self._abandoned:
            self.failed.emit(error)
        self.ended.emit(self)

    @Slot()
    def _on_cancelled(self) -> None:
        self._end()
        if not self._abandoned:
            self.cancelled.emit()
        self.ended.emit(self)

    def _end(self) -> None:
        self._poll.stop()
        self._thread.quit()
        self._thread.wait()


class JobRunner(QObject):
    """Starts jobs and holds them until they end.

    Signals
    -------
    started(Job), ended(Job)
    """

    started = Signal(object)
    ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: list[Job] = []
        self._closed = False

    @property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs that are running."""
        return tuple(self._jobs)

    def create(self, study: Study[Any], title: str) -> Job:
        """Return a job, not yet started, so that its signals can be connected."""
        return Job(study, title, self)

    def start(self, job: Job) -> None:
        """Start a job and keep it until it ends; after the shutdown, do nothing."""
        if self._closed:
            job.deleteLater()
            return
        self._jobs.append(job)
        job.ended.connect(self._on_ended)
        self.started.emit(job)
        job.start()

    @Slot(object)
    def _on_ended(self, job: Job) -> None:
        if job in self._jobs:
            self._jobs.remove(job)
        self.ended.emit(job)
        job.deleteLater()

    def shutdown(self) -> None:
        """Cancel everything and wait for it: no thread outlives the window."""
        self._closed = True
        for job in self._jobs:
            job.abandon()
        for job in self._jobs:
            job.wait()
        self._jobs.clear()
