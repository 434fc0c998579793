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

from PySide6.QtCore import QLockFile, QObject, QTimer, Slot

from core.files.atomic import atomic_write
from core.files.errors import ReadError
from core.files.tables import read_table, write_table
from core.studies.task import Task
from core.table import ContingencyTable
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
    """

    table: ContingencyTable
    name: str
    path: Path | None
    saved: datetime
    base: Path

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
    """

    def __init__(self, folder: Path, session: Session, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._folder = folder
        self._session = session
        self._jobs = jobs
        self._job: Job | None = None
        self._again = False
        self._written = False
        self._base = folder / f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
        self._orphans: list[Recovered] = []
        self._superseded: list[Path] = []
        self._lock: QLockFile | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_timer)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            log.warning("no recovery files: %s", error)
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
        facts = {
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
        for base in self._superseded:
            _remove(base)
        self._superseded.clear()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        log.warning("the recovery file could not be written: %s", error)

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

    def take_orphans(self) -> list[Recovered]:
        """Return the work of programs that were killed, and take over its files.

        The files are removed by `forget_orphans`, once the user has decided.
        """
        found = []
        for facts_file in sorted(self._folder.glob("*.json")):
            base = facts_file.with_suffix("")
            if base == self._base:
                continue
            lock = QLockFile(str(base.with_suffix(".lock")))
            lock.setStaleLockTime(0)
            if not lock.tryLock(0):
                continue
            lock.unlock()
            try:
                facts = json.loads(facts_file.read_text(encoding="utf-8"))
                table = read_table(base.with_suffix(".csv")).table
                path = facts["path"]
                saved = datetime.fromtimestamp(facts_file.stat().st_mtime)
                where = Path(path) if path else None
                found.append(Recovered(table, str(facts["name"]), where, saved, base))
            except (OSError, ValueError, KeyError, TypeError, ReadError) as error:
                log.warning("a recovery file is damaged: %s: %s", facts_file, error)
        self._orphans = found
        return list(found)

    @property
    def orphans(self) -> tuple[Recovered, ...]:
        """Work that was found and not yet decided about."""
        return tuple(self._orphans)

    def forget(self, work: Recovered) -> None:
        """Remove the files of work that has been restored, once they are kept anew."""
        self._orphans.remove(work)
        self._superseded.append(work.base)

    def forget_orphans(self) -> None:
        """Remove the files of all work that is given up."""
        for work in self._orphans:
            _remove(work.base)
        self._orphans.clear()

    def close(self) -> None:
        """End in order: the user has decided about the work, nothing is left behind."""
        self._timer.stop()
        for base in (self._base, *self._superseded):
            _remove(base)
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None


def _keep(base: Path, table: ContingencyTable, facts: dict[str, str | None]) -> bool:
    # The table first: the facts make it count.
    write_table(table, base.with_suffix(".csv"))
    atomic_write(base.with_suffix(".json"), json.dumps(facts))
    return True


def _remove(base: Path) -> None:
    for suffix in (".json", ".csv"):
        try:
            base.with_suffix(suffix).unlink(missing_ok=True)
        except OSError as error:
            log.warning("a recovery file could not be removed: %s", error)
