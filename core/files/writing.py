"""Contingency tables written as text that opens again as it was."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from core.files.atomic import atomic_file
from core.files.errors import SaveError, plain, shown
from core.files.formulas import guarded
from core.files.layout import CORNER
from core.files.stamp import Stamp, stamp_of
from core.studies.study import Pulse, Step, run_to_end
from core.table import ContingencyTable

MAX_NAME = 131_072
"""The longest name that is written, in characters: readers of CSV stop there."""


class Saved(NamedTuple):
    """A file that was written.

    Attributes
    ----------
    path : Path
        The file.
    stamp : tuple of int and int
        When it was last changed, in nanoseconds, and its size, as it was written.
    tables : int
        How many tables it holds.
    """

    path: Path
    stamp: Stamp
    tables: int = 1


@dataclass(frozen=True)
class SaveTable:
    """The study that writes a table to a file so that it opens again as it was.

    Attributes
    ----------
    table : ContingencyTable
        The table.
    path : Path or str
        The file.
    separator : str, optional
        A tab, comma or semicolon. Else ``.tsv``, ``.tab`` and ``.txt`` get tabs, and
        everything else commas.
    """

    table: ContingencyTable
    path: Path | str
    separator: str | None = None

    def run(self) -> Generator[Step[Saved], None, None]:
        """Write, with a step every twentieth of a second; the last has the `Saved` file.

        The file is replaced between the last two steps; who stops before leaves it as
        it was.

        Raises
        ------
        SaveError
            If the file cannot be written, or a name has what no text file can hold.
        """
        path, separator = Path(self.path), self.separator
        if separator not in ("\t", ",", ";"):
            separator = "\t" if path.suffix.lower() in (".tsv", ".tab", ".txt") else ","
        check_names(self.table)
        message = f"saving {plain(path.name)}"
        total = self.table.shape[0]
        pulse = Pulse()
        with atomic_file(self.path) as file:
            for row, line in enumerate(table_lines(self.table, separator)):
                file.write(line.encode("utf-8"))
                if pulse.due():
                    yield Step(row, total, message)
            stamp = written(file)
            yield Step(total, total, message)
        yield Step(total, total, f"saved {plain(path.name)}", result=Saved(path, stamp))


def written(file: BinaryIO) -> Stamp:
    """Return the stamp of a file to which everything has been written."""
    file.flush()
    return stamp_of(os.fstat(file.fileno()))


def write_table(
    table: ContingencyTable, path: Path | str, *, separator: str | None = None
) -> Saved:
    """Write a table so that it opens again as it was.

    Parameters
    ----------
    table : ContingencyTable
        The table.
    path : Path or str
        The file.
    separator : str, optional
        A tab, comma or semicolon. Else ``.tsv``, ``.tab`` and ``.txt`` get tabs, and
        everything else commas.

    Returns
    -------
    Saved

    Raises
    ------
    SaveError
        If the file cannot be written, or a name has what no text file can hold.
    """
    return run_to_end(SaveTable(table, path, separator))


def table_text(table: ContingencyTable, separator: str = "\t", *, names: bool = True) -> str:
    """Return a table as text, for the clipboard.

    Parameters
    ----------
    table : ContingencyTable
        The table.
    separator : str
        What separates the cells: a tab is what spreadsheets take.
    names : bool
        Whether the names of classes and clusters go with it.

    Returns
    -------
    str
    """
    return "".join(table_lines(table, separator, names=names))


def table_lines(
    table: ContingencyTable, separator: str, *, names: bool = True, guard: bool = False
) -> Iterator[str]:
    """Yield the lines of a table as text, each with its end; names may be `guarded`."""
    cell = (lambda name: quoted(guarded(name))) if guard else quoted
    if names:
        header = [CORNER, *(cell(name) for name in table.clusters)]
        yield separator.join(header) + "\n"
    for name, row in zip(table.truth, table.counts, strict=True):
        counts = map(str, row.tolist())
        yield separator.join([cell(name), *counts] if names else counts) + "\n"


def quoted(text: str) -> str:
    """Return the text of a cell for CSV, in quotation marks where it needs them."""
    if text.isalnum():
        return text
    if any(character in text for character in '",;\t\r\n') or text != text.strip():
        return '"' + text.replace('"', '""') + '"'
    return text


def check_names(table: ContingencyTable) -> None:
    """Raise SaveError where a name has what no text file can hold."""
    for what, names in (("truth class", table.truth), ("cluster", table.clusters)):
        for i, name in enumerate(names):
            if len(name) > MAX_NAME:
                raise SaveError(
                    f"The name of {what} {i + 1} has more than {MAX_NAME:,} characters: shorten it."
                )
            if "\x00" in name or not _encodes(name):
                raise SaveError(
                    f"The name of {what} {i + 1}, {shown(name)}, has a character that a text "
                    "file cannot hold: rename it, or export the scores as .json."
                )


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
