"""Contingency tables written as text that opens again as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.files.atomic import atomic_file
from core.files.errors import (
    SaveError,
    shown,
)
from core.files.layout import (
    CORNER,
)
from core.table import ContingencyTable

MAX_NAME = 131_072
"""The longest name that is written, in characters: readers of CSV stop there."""


def write_table(table: ContingencyTable, path: Path | str, *, separator: str | None = None) -> None:
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

    Raises
    ------
    SaveError
        If the file cannot be written, or a name has what no text file can hold.
    """
    if separator not in ("\t", ",", ";"):
        separator = "\t" if Path(path).suffix.lower() in (".tsv", ".tab", ".txt") else ","
    check_names(table)
    with atomic_file(path) as file:
        for line in table_lines(table, separator):
            file.write(line.encode("utf-8"))


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


def table_lines(table: ContingencyTable, separator: str, *, names: bool = True) -> Iterator[str]:
    """Yield the lines of a table as text, each with its end."""
    if names:
        header = [CORNER, *(quoted(name) for name in table.clusters)]
        yield separator.join(header) + "\n"
    for name, row in zip(table.truth, table.counts, strict=True):
        counts = map(str, row.tolist())
        yield separator.join([quoted(name), *counts] if names else counts) + "\n"


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
                    "file cannot hold: rename it."
                )


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


# Reading
