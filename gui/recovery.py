"""Unsaved work, kept aside every few seconds, offered again after a kill."""

from __future__ import annotations

import json
import logging
import os
import uuid
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal, Slot

from core.files.atomic import atomic_write
from core.files.errors import ReadError
from core.files.tables import read_table, write_table
from core.studies.task import Task
from core.table import ContingencyTable, default_names
from gui.jobs import Job, JobRunner
from gui.session import Session

# A kill costs at most this much typing.
_INTERVAL_MS = 2_000

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Recovered:
    """Work that an ended program has left behind.

    Attributes
    ----------
    table : ContingencyTable
    name : str
        What the table was called.
    path : Path or None
        The file it belongs to, if it had one.
    saved : datetime
        When it was kept aside.
    base : Path
        Its files, without suffix.
    lock : QLockFile
        Held until the user has decided, so that no other window offers it too.
    """

    table: ContingencyTable
    name: str
    path: Path | None
    saved: datetime
    base: Path
    lock: QLockFile

    @property
    def label(self) -> str:
        """What tells it from other work: its name, its size and when it was kept."""
        r, c = self.table.shape
        return f"{self.name} ({r} \N{MULTIPLICATION SIGN} {c}, {self.saved:%d %b %H:%M})"


class Recovery(QObject):
    """Writes the unsaved table of a session to a file of its own.

    Each running program holds a lock beside its file, so that two windows never write
    or offer each other's work.

    Parameters
    ----------
    folder : Path
        Where the files lie.
    session : Session
    jobs : JobRunner

    Signals
    -------
    found(list of Recovered)
        The search has ended.
    trouble(str)
        Work cannot be kept aside; said once.
    """

    found = Signal(object)
    trouble = Signal(str)

    def __init__(self, folder: Path, session: Session, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._folder = folder
        self._session = session
        self._jobs = jobs
        self._job: Job | None = None
        self._again = False
        self._complained = False
        self._written = False
        self._base = folder / f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._orphans: list[Recovered] = []
        self._superseded: list[Recovered] = []
        self._lock: QLockFile | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_timer)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            log.warning("no recovery files: %s", error)
            # After the window has connected itself.
            QTimer.singleShot(0, self, partial(self._complain, f"{folder}: {error.strerror}"))
            return
        lock = QLockFile(str(self._base.with_suffix(".lock")))
        lock.setStaleLockTime(0)
        if lock.tryLock(0):
            self._lock = lock
            session.document.changed.connect(self._on_changed)
            session.saved.connect(self._on_settled)
            session.replaced.connect(self._on_settled)

    @Slot(int)
    def _on_changed(self, _revision: int) -> None:
        if not self._timer.isActive():
            self._timer.start(_INTERVAL_MS)

    @Slot()
    def _on_settled(self) -> None:
        if not self._session.is_dirty:
            self._timer.stop()
            self._remove_files()

    def keep_now(self) -> None:
        """Write the unsaved table without waiting."""
        self._timer.start(0)

    @Slot()
    def _on_timer(self) -> None:
        if self._job is not None:
            self._again = True
            return
        if not self._session.is_dirty:
            self._remove_files()
            return
        table = self._session.document.snapshot()
        facts: dict[str, object] = {
            "name": self._session.name,
            "path": str(self._session.path) if self._session.path else None,
        }
        job = self._jobs.create(
            Task(partial(_keep, self._base, table, facts), "keeping a copy"), "Keeping a copy"
        )
        job.finished.connect(self._on_kept)
        job.failed.connect(self._on_failed)
        job.ended.connect(self._on_ended)
        self._job = job
        self._written = True
        self._jobs.start(job)

    @Slot(object)
    def _on_kept(self, _done: object) -> None:
        self._give_up(self._superseded)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        log.warning("no recovery file: %s", error)
        self._complain(str(error))

    def _complain(self, why: str) -> None:
        if not self._complained:
            self._complained = True
            self.trouble.emit(
                "Unsaved work cannot be kept aside, so save often; the reason: " + why
            )

    @Slot(object)
    def _on_ended(self, _job: Job) -> None:
        self._job = None
        if not self._session.is_dirty:
            self._remove_files()
        elif self._again:
            self._again = False
            self._timer.start(_INTERVAL_MS)

    def _remove_files(self) -> None:
        if self._written and self._job is None:
            _remove(self._base)
            self._written = False

    def search(self) -> None:
        """Look beside the window for the work of programs that were killed.

        Emits `found` with a list of `Recovered`.
        """
        job = self._jobs.create(
            Task(partial(_find, self._folder, self._base), "looking for lost work"),
            "Looking for lost work",
        )
        job.finished.connect(self._on_found)
        job.failed.connect(self._on_failed)
        self._jobs.start(job)

    @Slot(object)
    def _on_found(self, orphans: list[Recovered]) -> None:
        self._orphans = list(orphans)
        self.found.emit(list(orphans))

    @property
    def orphans(self) -> tuple[Recovered, ...]:
        """Work that was found and not yet decided about."""
        return tuple(self._orphans)

    def forget(self, work: Recovered) -> None:
        """Remove the files of work that has been restored, once they are kept anew."""
        self._orphans.remove(work)
        self._superseded.append(work)

    def forget_orphans(self) -> None:
        """Remove the files of all work that is given up."""
        self._give_up(self._orphans)

    def _give_up(self, works: list[Recovered]) -> None:
        for work in works:
            _remove(work.base)
            work.lock.unlock()
        works.clear()

    def close(self) -> None:
        """End in order: the user has decided about the work, nothing is left behind."""
        self._timer.stop()
        _remove(self._base)
        self._give_up(self._superseded)
        # What is not decided about is offered again next time.
        for work in self._orphans:
            work.lock.unlock()
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None


def _keep(base: Path, table: ContingencyTable, facts: dict[str, object]) -> bool:
    # Names go into the facts, which hold any text; the counts alone are a table file.
    r, c = table.shape
    bare = ContingencyTable.from_checked(table.counts, default_names("T", r), default_names("C", c))
    facts = {**facts, "truth": table.truth, "clusters": table.clusters}
    # The table first: the facts make it count.
    write_table(bare, base.with_suffix(".csv"))
    atomic_write(base.with_suffix(".json"), json.dumps(facts))
    return True


def _find(folder: Path, own: Path) -> list[Recovered]:
    """Return the work that lies in the folder and that no running program holds."""
    found = []
    files = [*folder.glob("*.lock"), *folder.glob("*.json")]
    for base in sorted({file.with_suffix("") for file in files}):
        if base == own:
            continue
        lock = QLockFile(str(base.with_suffix(".lock")))
        lock.setStaleLockTime(0)
        if not lock.tryLock(0):
            continue
        work = _read(base, lock)
        if work is None:
            lock.unlock()
        else:
            found.append(work)
    return found


def _read(base: Path, lock: QLockFile) -> Recovered | None:
    facts_file = base.with_suffix(".json")
    if not facts_file.exists():
        return None
    try:
        facts = json.loads(facts_file.read_text(encoding="utf-8"))
        bare = read_table(base.with_suffix(".csv")).table
        table = ContingencyTable.from_cells(
            bare.shape,
            *bare.cells,
            truth=[str(name) for name in facts["truth"]],
            clusters=[str(name) for name in facts["clusters"]],
        )
        saved = datetime.fromtimestamp(facts_file.stat().st_mtime)
        path = Path(facts["path"]) if isinstance(facts["path"], str) else None
        return Recovered(table, str(facts["name"]), path, saved, base, lock)
    except (OSError, ValueError, KeyError, TypeError, RecursionError, ReadError) as error:
        log.warning("a recovery file is damaged: %s: %s", facts_file, error)
        return None


def _remove(base: Path) -> None:
    for suffix in (".json", ".csv"):
        try:
            base.with_suffix(suffix).unlink(missing_ok=True)
        except OSError as error:
            log.warning("a recovery file could not be removed: %s", error)
