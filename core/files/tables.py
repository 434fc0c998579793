"""Contingency tables as text: reading what people have, writing what opens again."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.files.block import MAX_CELLS
from core.files.decoding import decode, read_bytes
from core.files.errors import plain
from core.files.export_names import EXPORT_MARK
from core.files.options import ParsedTable, ReadOptions
from core.files.parser import parsing
from core.files.stamp import Stamp, stamp_of
from core.files.standard_input import standard_input
from core.files.writing import (
    MAX_NAME,
    Saved,
    SaveTable,
    check_names,
    quoted,
    table_lines,
    table_text,
    write_table,
)
from core.studies.study import Step, returned, run_to_end

__all__ = [
    "EXPORT_MARK",
    "MAX_CELLS",
    "MAX_NAME",
    "ParsedTable",
    "ReadOptions",
    "SaveTable",
    "Saved",
    "Stamp",
    "TableFile",
    "check_names",
    "parse_table",
    "quoted",
    "read_table",
    "stamp_of",
    "table_lines",
    "table_text",
    "write_table",
]


def parse_table(
    text: str, options: ReadOptions | None = None, *, name: str | None = None
) -> ParsedTable:
    r"""Read a table from text, such as that of the clipboard.

    Parameters
    ----------
    text : str
        Rows are lines and stand for truth classes; columns stand for clusters.
    options : ReadOptions, optional
        What is known already.
    name : str, optional
        What messages call the text.

    Returns
    -------
    ParsedTable

    Raises
    ------
    ReadError
        If it is not a table of counts; `CountError` where one cell is at fault.

    Examples
    --------
    >>> parsed = parse_table(",a,b\ncat,8,2\ndog,1,9\n")
    >>> parsed.table, parsed.table.truth
    (<ContingencyTable: 2 truth classes x 2 clusters, N = 20>, ('cat', 'dog'))
    """
    return returned(parsing(text, options or ReadOptions(), name, None))


@dataclass(frozen=True)
class TableFile:
    """The study that reads a table from a file.

    Attributes
    ----------
    path : Path or str
        The file; ``"-"`` is standard input.
    options : ReadOptions
        What is known already.
    name : str, optional
        What messages call the file; its name by default.
    """

    path: Path | str
    options: ReadOptions = field(default_factory=ReadOptions)
    name: str | None = None

    def run(self) -> Generator[Step[ParsedTable], None, None]:
        """Read, with a step every twentieth of a second; the last has the `ParsedTable`.

        Raises
        ------
        ReadError
            If the file cannot be read or is not a table of counts.
        """
        stamp: Stamp | None = None
        if self.path == "-":
            name = self.name or "standard input"
            data = yield from standard_input(name)
        else:
            name = plain(self.name or Path(self.path).name or str(self.path))
            data, stamp = yield from read_bytes(Path(self.path), name)
        text, encoding = decode(data, name, self.options.encoding)
        del data
        parsed = yield from parsing(text, self.options, name, encoding)
        parsed = replace(parsed, stamp=stamp)
        yield Step(len(text), len(text), f"read {name}", result=parsed)


def read_table(
    path: Path | str, options: ReadOptions | None = None, *, name: str | None = None
) -> ParsedTable:
    """Read a table from a file.

    Parameters
    ----------
    path : Path or str
        The file; ``"-"`` is standard input.
    options : ReadOptions, optional
        What is known already.
    name : str, optional
        What messages call the file; its name by default.

    Returns
    -------
    ParsedTable

    Raises
    ------
    ReadError
        If the file cannot be read or is not a table of counts; `CountError` where one
        cell is at fault.
    """
    return run_to_end(TableFile(path, options or ReadOptions(), name))
