"""The files that a command names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.streams import complain

if TYPE_CHECKING:
    from core.files.errors import ReadError
    from core.files.opening import Opened
    from core.files.options import OpenOptions, ParsedTable, ReadOptions

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


def read_files(
    files: Sequence[str], options: ReadOptions | OpenOptions, transpose: bool
) -> tuple[list[ReadTable], bool]:
    """Return the tables that could be read, and whether a file could not.

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
    read, failed : list of ReadTable, bool
        What is wrong with a file is written to standard error.
    """
    from core.files.errors import ReadError
    from core.files.opening import OpenOptions, open_file

    if not isinstance(options, OpenOptions):
        options = OpenOptions(options)
    read: list[ReadTable] = []
    failed = False
    for file in files:
        name = STANDARD_INPUT if file == "-" else file
        try:
            session = _session(file, name)
            if session is not None:
                read += session
                continue
            opened = open_file(file, options, name=name)
        except ReadError as error:
            failed = True
            complain(_with_option(error))
            continue
        read += _tables(name, opened, transpose)
    return read, failed


def _session(file: str, name: str) -> list[ReadTable] | None:
    """Return the tables of a session; None if the file is none."""
    from core.files.opening import is_session
    from core.files.options import ParsedTable
    from core.files.sessions import read_session

    if not is_session(file):
        return None
    tables = read_session(file, name=name).tables
    return [
        ReadTable(
            name,
            ParsedTable(one.table, None, header=True, index=True, notes=one.notes),
            one.name,
            one.source or Path(file).name,
            "It is a session.",
            len(tables) == 1,
        )
        for one in tables
    ]


def _tables(file: str, opened: Opened, transpose: bool) -> list[ReadTable]:
    from core.files.options import ParsedTable

    alone = len(opened.tables) == 1
    tables: list[ReadTable] = []
    for number, one in enumerate(opened.tables, start=1):
        # What concerns the whole file is said once.
        notes = (*opened.notes, *one.notes) if number == 1 else one.notes
        table = one.table
        if transpose:
            notes = (*notes, "rows were read as clusters, columns as classes")
            table = table.transpose()
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
