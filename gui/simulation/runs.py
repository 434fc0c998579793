"""Simulations that run and have run, beside the window."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from core.studies.simulation import Simulation, SimulationResult
from core.studies.study import Step
from gui.jobs import Job, JobRunner

#: Runs that are kept to be compared, and what their scores may take together, in bytes.
MOST_RUNS, MOST_KEPT_BYTES = 8, 1 << 29

log = logging.getLogger(__name__)


@dataclass(eq=False)
class Run:
    """A simulation and what it has found so far.

    Attributes
    ----------
    name : str
        What people call it.
    result : SimulationResult
    running : bool
    """

    name: str
    result: SimulationResult
    running: bool = True

    @property
    def title(self) -> str:
        """Name, tables and seed; partial results say so."""
        result = self.result
        asked = result.simulation.tables
        tables = f"{result.done:,} {'table' if result.done == 1 else 'tables'}"
        if not result.complete:
            tables = f"{result.done:,} of {asked:,} tables"
        return f"{self.name}, {tables}, seed {result.simulation.seed}"

    @property
    def status(self) -> str:
        """How far it is, how fast, and how long it will take."""
        result = self.result
        done, asked = result.done, result.simulation.tables
        rate = done / result.seconds if result.seconds > 0 else 0.0
        said = f"{done:,} of {asked:,} tables"
        if rate:
            said += f", {rate:,.0f} a second"
        if self.running and rate:
            left = round((asked - done) / rate)
            said += f", {left // 60}:{left % 60:02d} left"
        elif not self.running and not result.complete:
            said += ": partial"
        return said


class SimulationRuns(QObject):
    """Runs one simulation at a time and keeps the last ones.

    Signals
    -------
    started(Run), progressed(Run)
    ended(Run)
        It is complete, or cancelled with what it has.
    failed(Run, str)
        It stopped with what it has, for a reason.
    """

    started = Signal(object)
    progressed = Signal(object)
    ended = Signal(object)
    failed = Signal(object, str)

    def __init__(self, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self.runs: list[Run] = []

    @property
    def running(self) -> Run | None:
        """The one that is running."""
        return self.runs[-1] if self._job is not None else None

    def start(self, simulation: Simulation, name: str) -> Run | None:
        """Begin a simulation; none while another one runs."""
        if self._job is not None:
            return None
        # An empty result: nothing of it is computed here.
        first = next(simulation.run()).partial
        assert first is not None
        run = Run(name, first)
        job = self._jobs.create(simulation, f"Simulating {name}")
        job.progressed.connect(self._on_progressed)
        job.finished.connect(self._on_finished)
        job.cancelled.connect(self._on_cancelled)
        job.failed.connect(self._on_failed)
        self._job = job
        self.runs.append(run)
        self._forget_old()
        self.started.emit(run)
        self._jobs.start(job)
        return run

    @Slot()
    def cancel(self) -> None:
        """Stop; what is there is kept."""
        if self._job is not None:
            self._job.cancel()

    def _forget_old(self) -> None:
        while len(self.runs) > MOST_RUNS or (
            len(self.runs) > 2
            and sum(run.result.values.nbytes for run in self.runs) > MOST_KEPT_BYTES
        ):
            del self.runs[0]

    @Slot(object)
    def _on_progressed(self, step: Step[SimulationResult]) -> None:
        if self._job is None or step.partial is None:
            return
        run = self.runs[-1]
        run.result = step.partial
        self.progressed.emit(run)

    @Slot(object)
    def _on_finished(self, result: SimulationResult) -> None:
        self._end(result)
        self.ended.emit(self.runs[-1])

    @Slot()
    def _on_cancelled(self) -> None:
        self._end(None if self._job is None else self._job.partial)
        self.ended.emit(self.runs[-1])

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        log.error("a simulation failed", exc_info=error)
        self._end(None if self._job is None else self._job.partial)
        self.failed.emit(self.runs[-1], str(error))

    def _end(self, result: SimulationResult | None) -> None:
        run = self.runs[-1]
        run.result = result or run.result
        run.running = False
        self._job = None
        self._forget_old()
