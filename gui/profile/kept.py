"""Profiles that run, have run or were opened, beside the window."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal, Slot

from core.profiling.summary import Cost
from core.studies.profiling import FindCosts, Profile, ProfileResult
from core.studies.study import Step
from gui.jobs import Job, JobRunner

#: Profiles that are kept to be compared.
MOST_KEPT = 8

log = logging.getLogger(__name__)


@dataclass(eq=False)
class Kept:
    """A profile and what is made of it.

    Attributes
    ----------
    name : str
        What people call it.
    result : ProfileResult or None
        None before the first instance.
    running : bool
    chosen : (int, int) or None
        The quiet window that was chosen by hand.
    costs : list of Cost
        Of the window that is shown, with intervals once they are found.
    """

    name: str
    result: ProfileResult | None = None
    running: bool = False
    chosen: tuple[int, int] | None = None
    costs: list[Cost] = field(default_factory=list)

    @property
    def window(self) -> tuple[int, int]:
        """The instances that count as quiet."""
        if self.result is None:
            return 0, 0
        if self.chosen is None:
            return self.result.quiet
        start, stop = self.chosen
        return min(start, max(self.result.done - 1, 0)), min(stop, self.result.done)

    @property
    def title(self) -> str:
        """Name and what was timed."""
        if self.result is None:
            return self.name
        asked = self.result.profile.instances
        done = f"{self.result.done:,}"
        if not self.running and not self.result.complete:
            done += f" of {asked:,}"
        return f"{self.name}, {done} instances"

    def of_route(self, route: str) -> list[Cost]:
        """Return the costs by a route."""
        return [cost for cost in self.costs if cost.route == route]


class KeptProfiles(QObject):
    """Measures one profile at a time and keeps the last ones.

    Signals
    -------
    started(Kept), progressed(Kept)
    ended(Kept)
        It is complete, or cancelled with what it has.
    failed(Kept, str)
        It stopped with what it has, for a reason.
    costed(Kept)
        Its costs are others now.
    """

    started = Signal(object)
    progressed = Signal(object)
    ended = Signal(object)
    failed = Signal(object, str)
    costed = Signal(object)

    def __init__(self, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self._running: Kept | None = None
        self._costing: tuple[Job, Kept] | None = None
        self.profiles: list[Kept] = []

    @property
    def running(self) -> Kept | None:
        """The one that is being measured."""
        return self._running

    def start(self, profile: Profile, name: str) -> Kept | None:
        """Begin to measure; nothing while another one is measured."""
        if self._running is not None:
            return None
        kept = Kept(name, running=True)
        job = self._jobs.create(profile, "Profiling")
        job.progressed.connect(self._on_progressed)
        job.finished.connect(self._on_finished)
        job.cancelled.connect(self._on_cancelled)
        job.failed.connect(self._on_failed)
        self._job, self._running = job, kept
        self._keep(kept)
        self.started.emit(kept)
        self._jobs.start(job)
        return kept

    def add(self, name: str, result: ProfileResult) -> Kept:
        """Keep a profile that was opened."""
        kept = Kept(name, result)
        self._keep(kept)
        self.find_costs(kept)
        return kept

    def _keep(self, kept: Kept) -> None:
        self.profiles.append(kept)
        while len(self.profiles) > MOST_KEPT:
            self.profiles.remove(next(each for each in self.profiles if not each.running))

    @Slot()
    def cancel(self) -> None:
        """Stop; what is there is kept."""
        if self._job is not None:
            self._job.cancel()

    def choose(self, kept: Kept, window: tuple[int, int] | None) -> None:
        """Take other instances as quiet; those found by default."""
        kept.chosen = window
        self.find_costs(kept)

    def find_costs(self, kept: Kept) -> None:
        """Find the costs of a profile anew, beside the window."""
        if kept.result is None or not kept.result.done:
            return
        if self._costing is not None:
            self._costing[0].abandon()
        job = self._jobs.create(FindCosts(kept.result, kept.window), "Summarising times")
        job.finished.connect(self._on_costed)
        self._costing = job, kept
        self._jobs.start(job)

    @Slot(object)
    def _on_costed(self, costs: list[Cost]) -> None:
        if self._costing is None or self.sender() is not self._costing[0]:
            return
        kept = self._costing[1]
        self._costing = None
        kept.costs = costs
        self.costed.emit(kept)

    @Slot(object)
    def _on_progressed(self, step: Step[ProfileResult]) -> None:
        if self._running is None or step.partial is None:
            return
        self._running.result = step.partial
        self.progressed.emit(self._running)

    @Slot(object)
    def _on_finished(self, result: ProfileResult) -> None:
        self.ended.emit(self._end(result))

    @Slot()
    def _on_cancelled(self) -> None:
        partial = None if self._job is None else self._job.partial
        self.ended.emit(self._end(partial))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        log.error("a profile failed", exc_info=error)
        partial = None if self._job is None else self._job.partial
        self.failed.emit(self._end(partial), str(error))

    def _end(self, result: ProfileResult | None) -> Kept:
        kept = self._running
        assert kept is not None
        kept.result = result or kept.result
        kept.running = False
        self._job = self._running = None
        if kept.result is None or not kept.result.done:
            self.profiles.remove(kept)
        else:
            self.find_costs(kept)
        return kept
