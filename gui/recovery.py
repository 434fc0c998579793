"""Unsaved work, kept aside every few seconds, offered again after a kill.

What is kept is a session file beside the file that the work belongs to, or in the
program's own folder where it belongs to none or the other folder cannot be written. A
small file of facts in the program's folder says where it lies.
"""

from __future__ import annotations

import json
import logging
import os
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal, Slot

from core.files.atomic import atomic_write
from core.files.errors import SaveError
from core.files.session_reader import SessionError
from core.files.session_writer import SessionContent, SessionWriter
from core.files.sessions import SaveSession, read_session
from core.studies.study import Step
from core.studies.task import Task
from gui.jobs import Job, JobRunner
from gui.session import Session
from gui.tables.origin import SESSION_SUFFIX

# A kill costs at most this much typing.
_INTERVAL_MS = 2_000

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Recovered:
    """Work that an ended program has left behind.

    Attributes
    ----------
    content : SessionContent
    name : str
        What the session was called.
    path : Path or None
        The file it belongs to, if it had one.
    saved : datetime
        When it was kept aside.
    base : Path
        Its facts and its lock, without suffix.
    data : Path
        The session file that holds it.
    lock : QLockFile
        Held until the user has decided, so that no other window offers it too.
    """

    content: SessionContent
    name: str
    path: Path | None
    saved: datetime
    base: Path
    data: Path
    lock: QLockFile

    @property
    def label(self) -> str:
        """What tells it from other work: its name, its size and when it was kept."""
        tables = self.content.tables
        r, c = tables[0].table.shape
        one = f"{r} \N{MULTIPLICATION SIGN} {c}"
        size = one if len(tables) == 1 else f"{len(tables):,} tables"
        return f"{self.name} ({size}, {self.saved:%d %b %H:%M})"


@dataclass(frozen=True)
class _Keep:
    """Write a session and then the facts that make it count.

    Attributes
    ----------
    content : SessionContent
    writer : SessionWriter
        Knows the text of the tables that have not changed.
    places : tuple of Path
        Where to write the session; the next one where one cannot be written.
    base : Path
        The file of facts, without suffix.
    facts : dict
    """

    content: SessionContent
    writer: SessionWriter
    places: tuple[Path, ...]
    base: Path
    facts: dict[str, object]

    def run(self) -> Iterator[Step[Path]]:
        *others, last = self.places
        for place in others:
            try:
                yield from self._write(place)
            except SaveError as error:
                log.info("no recovery file beside the session: %s", error)
            else:
                return
        yield from self._write(last)

    def _write(self, place: Path) -> Iterator[Step[Path]]:
        for step in SaveSession(self.content, place, writer=self.writer).run():
            yield Step(step.done, step.total, step.message)
        facts = {**self.facts, "data": str(place.absolute())}
        atomic_write(self.base.with_suffix(".json"), json.dumps(facts))
        yield Step(1, 1, "kept a copy", result=place)


class Recovery(QObject):
    """Writes the unsaved session to a file of its own.

    Each running program holds a lock beside its file, so that two windows never write
    or offer each other's work.

    Parameters
    ----------
    folder : Path
        Where the files lie that belong to no other.
    session : Session
    content : callable
        Returns what the session holds now.
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

    def __init__(
        self,
        folder: Path,
        session: Session,
        content: Callable[[], SessionContent],
        jobs: JobRunner,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._content = content
        self._writer = SessionWriter()
        self._folder = folder
        self._session = session
        self._jobs = jobs
        self._job: Job | None = None
        self._again = False
        self._complained = False
        # Where copies of this session lie, none of them needed once it is saved.
        self._data: set[Path] = set()
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
            session.history.edited.connect(self._on_changed)
            session.title_changed.connect(self._on_settled)
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
        path = self._session.path
        own = self._base.with_suffix(SESSION_SUFFIX)
        places = (own,) if path is None else (_beside(path, self._base.name), own)
        facts: dict[str, object] = {
            "name": self._session.name,
            "path": None if path is None else str(path.absolute()),
        }
        study = _Keep(self._content(), self._writer, places, self._base, facts)
        job = self._jobs.create(study, "Keeping a copy")
        job.finished.connect(self._on_kept)
        job.failed.connect(self._on_failed)
        job.ended.connect(self._on_ended)
        self._job = job
        self._data.update(places)
        self._jobs.start(job)

    @Slot(object)
    def _on_kept(self, place: Path) -> None:
        # After "save as" the copy lies beside another file.
        for other in self._data - {place}:
            _remove(other)
        self._data = {place}
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
        if self._data and self._job is None:
            _remove(self._base.with_suffix(".json"), *self._data)
            self._data.clear()

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
            _remove(work.base.with_suffix(".json"), work.data)
            work.lock.unlock()
        works.clear()

    def close(self) -> None:
        """End in order: the user has decided about the work, nothing is left behind."""
        self._timer.stop()
        _remove(self._base.with_suffix(".json"), *self._data)
        self._give_up(self._superseded)
        # What is not decided about is offered again next time.
        for work in self._orphans:
            work.lock.unlock()
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None


def _beside(path: Path, name: str) -> Path:
    """Return the recovery file beside the file that work belongs to."""
    return path.with_name(f".{path.name}.{name}.recovery{SESSION_SUFFIX}")


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
        data = Path(str(facts["data"]))
        content = _content(data)
        saved = datetime.fromtimestamp(facts_file.stat().st_mtime)
        path = Path(facts["path"]) if isinstance(facts["path"], str) else None
        return Recovered(content, str(facts["name"]), path, saved, base, data, lock)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        log.warning("a recovery file is damaged: %s: %s", facts_file, error)
        return None


def _content(data: Path) -> SessionContent:
    """Return the session in a file, or of a damaged one what is whole."""
    try:
        return read_session(data)
    except SessionError as error:
        if not error.rescued:
            raise
        return SessionContent(tuple(error.rescued))


def _remove(*files: Path) -> None:
    for file in files:
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            log.warning("a recovery file could not be removed: %s", error)
