"""The files that a command names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.cli.streams import complain

if TYPE_CHECKING:
    from core.files.errors import ReadError
    from core.files.tables import ParsedTable, ReadOptions


@dataclass(frozen=True)
class ReadTable:
    """A table that was read from a file."""

    file: str
    parsed: ParsedTable


def read_files(
    files: Sequence[str], options: ReadOptions, transpose: bool
) -> tuple[list[ReadTable], bool]:
    """Return the tables that could be read, and whether one could not."""
    from dataclasses import replace

    from core.files.errors import ReadError
    from core.files.tables import read_table

    read: list[ReadTable] = []
    failed = False
    for file in files:
        try:
            parsed = read_table(file, options, name="standard input" if file == "-" else file)
        except ReadError as error:
            failed = True
            complain(_with_option(error))
            continue
        if transpose:
            notes = (*parsed.notes, "rows were read as clusters, columns as classes")
            parsed = replace(parsed, table=parsed.table.transpose(), notes=notes)
        read.append(ReadTable("standard input" if file == "-" else file, parsed))
    return read, failed


def _with_option(error: ReadError) -> str:
    """Return the message of an error, with the option that is its remedy."""
    from core.files.errors import CountError

    message = str(error)
    if not isinstance(error, CountError) or error.mark is None:
        return message
    mark = '" "' if error.mark == " " else error.mark
    return f"{message.removesuffix('.')} (--thousands {mark})."
