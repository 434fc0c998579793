"""Reading files beside the window, whatever they hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.files.opening import Opened, OpenFile, is_session
from core.files.options import OpenOptions
from core.files.sessions import ReadSession, SessionContent
from core.named_table import NamedTable
from core.studies.study import Step
from core.table import TableError
from gui.table_editor.edits import MAX_CELLS, TableState
from gui.tables.origin import SESSION_SUFFIX


@dataclass(frozen=True)
class OpenedFile:
    """A file that was read."""

    path: Path
    options: OpenOptions
    tables: tuple[NamedTable, ...]
    opened: Opened | None = None
    session: SessionContent | None = None


@dataclass(frozen=True)
class OpenedFiles:
    """What came of reading some files.

    Attributes
    ----------
    files : list of OpenedFile
    failures : list of (Path, Exception)
    state : TableState or None
        The first table to be shown, made ready for the editor.
    """

    files: list[OpenedFile] = field(default_factory=list)
    failures: list[tuple[Path, Exception]] = field(default_factory=list)
    state: TableState | None = None


@dataclass(frozen=True)
class ReadFiles:
    """Read files one after the other and prepare the first table, all beside the window.

    Attributes
    ----------
    paths : sequence of Path
    options : OpenOptions
    """

    paths: Sequence[Path]
    options: OpenOptions = field(default_factory=OpenOptions)

    def run(self) -> Iterator[Step[OpenedFiles]]:
        """Yield the steps of each file; a faulty one does not keep the others from opening."""
        result = OpenedFiles()
        for path in self.paths:
            try:
                yield from self._read(path, result)
            except (TableError, OSError) as error:
                result.failures.append((path, error))
        state = None
        if result.files:
            file = result.files[0]
            first = file.tables[file.session.current if file.session else 0].table
            if first.shape[0] * first.shape[1] <= MAX_CELLS:
                state = TableState.of(first)
        yield Step(1, 1, "opened", result=replace(result, state=state))

    def _read(self, path: Path, result: OpenedFiles) -> Iterator[Step[OpenedFiles]]:
        if is_session(path) or path.suffix.lower() == SESSION_SUFFIX:
            for step in ReadSession(path).run():
                yield Step(step.done, step.total, step.message)
                if step.result is not None:
                    content = step.result
                    result.files.append(
                        OpenedFile(path, self.options, content.tables, session=content)
                    )
            return
        for found in OpenFile(path, self.options).run():
            yield Step(found.done, found.total, found.message)
            if found.result is not None:
                result.files.append(
                    OpenedFile(path, self.options, found.result.tables, found.result)
                )
