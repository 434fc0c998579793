"""The files that a command names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.cli.streams import complain

if TYPE_CHECKING:
    from core.files.errors import ReadError
    from core.files.opening import FileKind, Opened
    from core.files.options import OpenOptions, ParsedTable, ReadOptions
    from core.files.sessions import SessionContent
    from core.metrics.metric import ScoreOptions
    from core.table import ContingencyTable

STANDARD_INPUT = "standard input"


@dataclass(frozen=True)
class ReadTable:
    """A table that was read from a file.

    Attributes
    ----------
    file : str
        The file as it was named.
    parsed : ParsedTable
        The table and what was noted of it.
    name : str
        What the table is called.
    source : str
        Where it came from: the file, or the one that an export names.
    how : str
        How the file was read, in one sentence.
    alone : bool
        Whether the file holds no other table.
    """

    file: str
    parsed: ParsedTable
    name: str
    source: str
    how: str
    alone: bool = True

    @property
    def label(self) -> str:
        """What people are shown: the file, and the table where there are several."""
        return self.file if self.alone else f"{self.file}: {self.name}"


@dataclass
class ReadFiles:
    """What the files that a command names hold.

    Attributes
    ----------
    tables : list of ReadTable
        The tables that could be read.
    sessions : list of (SessionContent, int)
        The sessions among the files, each with the number of its first table.
    failed : bool
        Whether a file, or a sheet, could not be read: standard error says why.
    what_failed : str
        Files, or sheets where all files could be read.
    """

    tables: list[ReadTable] = field(default_factory=list)
    sessions: list[tuple[SessionContent, int]] = field(default_factory=list)
    failed: bool = False
    what_failed: str = "sheets"

    def score_options(self, given: dict[str, Any]) -> ScoreOptions | None:
        """Return the options of the scores: those given, else those of the sessions.

        Parameters
        ----------
        given : dict
            The options that the command names, checked.

        Returns
        -------
        ScoreOptions or None
            None where sessions differ; standard error says in what.
        """
        from dataclasses import asdict, replace

        from core.metrics.metric import ScoreOptions

        saved = [asdict(content.options) for content, _ in self.sessions]
        for option in saved[0] if saved else ():
            if option not in given and len({one[option] for one in saved}) > 1:
                complain(
                    f"The sessions were saved with different values of {option}: choose one with "
                    f"--{option.replace('_', '-')}."
                )
                return None
        options = self.sessions[0][0].options if saved else ScoreOptions()
        return replace(options, **given)

    def refuse(self, message: str) -> None:
        """Say what is wrong with a file."""
        self.failed, self.what_failed = True, "files"
        complain(message)


def read_files(
    files: Sequence[str], options: ReadOptions | OpenOptions, transpose: bool
) -> ReadFiles:
    """Return the tables that could be read.

    Parameters
    ----------
    files : sequence of str
        The files, of any format that is opened; ``"-"`` is standard input.
    options : ReadOptions or OpenOptions
        What is known about all of them.
    transpose : bool
        Whether their rows are clusters.

    Returns
    -------
    ReadFiles
        What is wrong with a file is written to standard error.
    """
    from core.files.errors import ReadError
    from core.files.opening import FileKind, OpenOptions, is_session, open_file
    from core.files.sessions import read_session

    if not isinstance(options, OpenOptions):
        options = OpenOptions(options)
    found = ReadFiles()
    for file in files:
        name = STANDARD_INPUT if file == "-" else file
        if not file:
            found.refuse("A file has no name: name the file to read, or - for standard input.")
            continue
        try:
            if is_session(file):
                content = read_session(file, name=name)
                if _suits(found, options, name, FileKind.SESSION):
                    found.sessions.append((content, len(found.tables)))
                    found.tables += _of_session(name, content, transpose)
                continue
            opened = open_file(file, options, name=name)
        except ReadError as error:
            found.refuse(_with_option(error))
            continue
        if not _suits(found, options, name, opened.kind):
            continue
        for fault in opened.left_out:
            found.failed = True
            complain(f"A sheet was left out (--sheet reads one alone): {_with_option(fault)}")
        found.tables += _tables(name, opened, transpose)
    return found


def _suits(found: ReadFiles, options: OpenOptions, name: str, kind: FileKind) -> bool:
    """Return whether a file has the parts that were asked for; else refuse it."""
    from core.files.errors import plain
    from core.files.opening import FileKind

    for given, option, needed, parts in (
        (options.sheet, "--sheet", FileKind.WORKBOOK, "sheets"),
        (options.cells, "--range", FileKind.WORKBOOK, "sheets"),
        (options.array, "--array", FileKind.ARRAY, "arrays"),
    ):
        if given is not None and kind is not needed:
            found.refuse(f"{plain(name)} has no {parts}: leave out {option}.")
            return False
    return True


def _of_session(name: str, content: SessionContent, transpose: bool) -> list[ReadTable]:
    from core.files.options import ParsedTable

    tables: list[ReadTable] = []
    for one in content.tables:
        table, notes = _turned(one.table, one.notes, transpose)
        parsed = ParsedTable(table, None, header=True, index=True, notes=notes)
        source = one.source or Path(name).name
        how = "It is a session, scored with its own options."
        tables.append(ReadTable(name, parsed, one.name, source, how, len(content.tables) == 1))
    return tables


def _turned(
    table: ContingencyTable, notes: tuple[str, ...], transpose: bool
) -> tuple[ContingencyTable, tuple[str, ...]]:
    if not transpose:
        return table, notes
    return table.transpose(), (*notes, "rows were read as clusters, columns as classes")


def _tables(file: str, opened: Opened, transpose: bool) -> list[ReadTable]:
    from core.files.options import ParsedTable

    alone = len(opened.tables) == 1
    tables: list[ReadTable] = []
    for number, one in enumerate(opened.tables, start=1):
        # What concerns the whole file is said once.
        notes = (*opened.notes, *one.notes) if number == 1 else one.notes
        table, notes = _turned(one.table, notes, transpose)
        known = opened.parsed
        parsed = ParsedTable(
            table,
            None if known is None else known.separator,
            known is not None and known.header,
            known is not None and known.index,
            None if known is None else known.encoding,
            notes,
            opened.is_export,
            opened.stamp,
        )
        path = Path(file)
        stem = path.stem if alone else f"{path.stem} {number}"
        source = one.source or path.name
        tables.append(ReadTable(file, parsed, one.name or stem, source, opened.how, alone))
    return tables


_HINTS = {
    "say that the first line holds names": "--header",
    "say that the first column holds names": "--index",
}


_OPTIONS = {
    "(header: no)": "(--no-header)",
    "(header: yes)": "(--header)",
    "(index: no)": "(--no-index)",
    "(index: yes)": "(--index)",
}


def note_with_option(note: str) -> str:
    """Return a note with the option that asks for the other reading."""
    for words, option in _OPTIONS.items():
        note = note.replace(words, option)
    return note


def _with_option(error: ReadError) -> str:
    """Return the message of an error, with the option that is its remedy."""
    from core.files.errors import CountError, FaultKind

    message = str(error)
    for hint, option in _HINTS.items():
        message = message.replace(hint, f"{hint} ({option})")
    if error.kind is FaultKind.TOTAL:
        return message.replace("(totals: ", "(--totals ")
    if error.kind is FaultKind.BLANK_LINE and "say that blank lines" in message:
        return f"{message.removesuffix('.')} (--several)."
    for place, option in (("line", "--header"), ("column", "--index")):
        said = f"say that the first {place} holds names."
        if message.endswith(said):
            return f"{message.removesuffix('.')} ({option})."
    if not isinstance(error, CountError) or error.mark is None:
        return message
    mark = '" "' if error.mark == " " else error.mark
    return f"{message.removesuffix('.')} (--thousands {mark})."
