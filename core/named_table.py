"""A table with what people call it and where it came from."""

from __future__ import annotations

from dataclasses import dataclass

from core.table import ContingencyTable


@dataclass(frozen=True)
class NamedTable:
    """A table of a session, of a file of several tables, or of any other list.

    Attributes
    ----------
    name : str
        What people call the table.
    table : ContingencyTable
        Its counts and names.
    source : str or None
        Name of the file that it was read from, without its folder.
    notes : tuple of str
        What was noted when it was read, as clauses.
    """

    name: str
    table: ContingencyTable
    source: str | None = None
    notes: tuple[str, ...] = ()
