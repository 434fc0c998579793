"""Session files: all tables, the options and what was open, in one file that people can read."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.files.atomic import atomic_file
from core.files.decoding import opened
from core.files.errors import plain
from core.files.session_reader import SessionError, SessionLines
from core.files.session_writer import (
    FORMAT_VERSION,
    SESSION_SUFFIX,
    ListSorting,
    SessionContent,
    SessionWriter,
)
from core.files.stamp import stamp_of
from core.files.writing import Saved, written
from core.studies.study import Pulse, Step, run_to_end

__all__ = [
    "FORMAT_VERSION",
    "SESSION_SUFFIX",
    "ListSorting",
    "ReadSession",
    "SaveSession",
    "SessionContent",
    "SessionError",
    "SessionWriter",
    "read_session",
    "write_session",
]

# Longer lines are read in parts, and are then no JSON: no table has such rows.
_MOST_IN_A_LINE = 256_000_000


@dataclass(frozen=True)
class ReadSession:
    """The study that reads a session file.

    Attributes
    ----------
    path : Path or str
        The file.
    name : str, optional
        What messages call the file; its name by default.
    """

    path: Path | str
    name: str | None = None

    def run(self) -> Generator[Step[SessionContent], None, None]:
        """Read, with a step every twentieth of a second; the last has the `SessionContent`.

        Raises
        ------
        ReadError
            If the file cannot be read; `SessionError` where it is no session or is damaged,
            which then holds the tables that are whole.
        """
        path = Path(self.path)
        name = plain(self.name or path.name or str(path))
        message = f"reading {name}"
        pulse = Pulse()
        lines = SessionLines(name)
        done = 0
        with opened(path, name) as (file, status):
            total = status.st_size
            yield Step(0, total, message)
            while line := file.readline(_MOST_IN_A_LINE):
                lines.take(line)
                done += len(line)
                if pulse.due():
                    yield Step(min(done, total), total, message)
        content = replace(lines.content(), stamp=stamp_of(status))
        yield Step(total, total, f"read {name}", result=content)


@dataclass(frozen=True)
class SaveSession:
    """The study that writes a session file.

    Attributes
    ----------
    content : SessionContent
        What to write.
    path : Path or str
        The file.
    saved : str, optional
        When it is saved, as ISO 8601 has it: the file says so.
    writer : SessionWriter
        Keep one to save the same session again: what has not changed is not encoded anew.
    """

    content: SessionContent
    path: Path | str
    saved: str | None = None
    writer: SessionWriter = field(default_factory=SessionWriter, compare=False)

    def run(self) -> Generator[Step[Saved], None, None]:
        """Write, with a step every twentieth of a second; the last has the `Saved` file.

        The file is replaced between the last two steps; who stops before leaves it as
        it was.

        Raises
        ------
        SaveError
            If the file cannot be written.
        """
        path = Path(self.path)
        message = f"saving {plain(path.name)}"
        # Rows say how far it is: tables differ in size.
        total = 1 + sum(named.table.shape[0] for named in self.content.tables)
        done = 0
        yield Step(0, total, message)
        pulse = Pulse()
        with atomic_file(path) as file:
            for piece in self.writer.pieces(self.content, self.saved):
                file.write(piece)
                done = min(done + piece.count(b"\n"), total - 1)
                if pulse.due():
                    yield Step(done, total, message)
            stamp = written(file)
            yield Step(total, total, message)
        yield Step(total, total, f"saved {plain(path.name)}", result=Saved(path, stamp))


def read_session(path: Path | str, *, name: str | None = None) -> SessionContent:
    """Read a session file.

    Parameters
    ----------
    path : Path or str
        The file.
    name : str, optional
        What messages call the file; its name by default.

    Returns
    -------
    SessionContent

    Raises
    ------
    ReadError
        If the file cannot be read; `SessionError` where it is no session or is damaged,
        which then holds the tables that are whole.
    """
    return run_to_end(ReadSession(path, name))


def write_session(content: SessionContent, path: Path | str, *, saved: str | None = None) -> Saved:
    """Write a session file.

    Parameters
    ----------
    content : SessionContent
        What to write.
    path : Path or str
        The file.
    saved : str, optional
        When it is saved, as ISO 8601 has it.

    Returns
    -------
    Saved

    Raises
    ------
    SaveError
        If the file cannot be written.
    """
    return run_to_end(SaveSession(content, path, saved))
