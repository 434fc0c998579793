"""What is known of a file before it is read, and what is told of it afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from core.files.counts import Blank, Thousands
from core.files.errors import sentence
from core.files.layout import SEPARATOR_NAMES, Separator
from core.files.stamp import Stamp
from core.table import ContingencyTable

Totals: TypeAlias = Literal["drop", "keep"]
"""What can be done with a line that is named like a total."""

Orient: TypeAlias = Literal["columns", "index"]
"""What the outer names of nested JSON objects can be."""


LABELS_NOTE = "if each line is an item, import it as labels"
"""What is said of a table that may be labels, one item a line."""

# Columns of labels are few, items are many, and as classes they would repeat.
_FEW, _SOME, _MANY, _LONG = 4, 4, 12, 5


@dataclass(frozen=True)
class ReadOptions:
    r"""What is known about a text before it is read; the rest is found out.

    Attributes
    ----------
    separator : {"\t", ";", ",", " "}, optional
        What separates the cells.
    header : bool, optional
        Whether the first line holds the names of the clusters.
    index : bool, optional
        Whether the first column holds the names of the classes.
    thousands : {".", ",", " ", "'"}, optional
        What separates thousands in a count. It is never guessed.
    blank : {"error", "zero"}
        Whether a blank cell is an error or 0.
    encoding : str, optional
        Encoding of a file.
    totals : {"drop", "keep"}, optional
        What is done with a line or column that is named like a total or like shares, or
        that is the last, has no name and is the sum of the others. By default it is left
        out if it is the sum of the others, and refused if it is not.
    """

    separator: Separator | None = None
    header: bool | None = None
    index: bool | None = None
    thousands: Thousands | None = None
    blank: Blank = "error"
    encoding: str | None = None
    totals: Totals | None = None


@dataclass(frozen=True)
class OpenOptions:
    """What is known about a file before it is opened, whatever its format.

    Attributes
    ----------
    read : ReadOptions
        What is known about its cells.
    sheet : str, optional
        The sheet of a workbook; by default every sheet that holds a table of counts.
    cells : str, optional
        The range of a sheet, as in ``B2:F6``, names included.
    array : str, optional
        The array of an ``.npz`` file; by default all that have two or three axes.
    several : bool, optional
        Whether blank lines separate the tables of a text; by default they do where every
        block is a table of its own.
    orient : {"columns", "index"}
        Of nested JSON objects, what the outer names are: clusters or classes.
    """

    read: ReadOptions = field(default_factory=ReadOptions)
    sheet: str | None = None
    cells: str | None = None
    array: str | None = None
    several: bool | None = None
    orient: Orient = "columns"


def may_be_labels(table: ContingencyTable, index: bool) -> bool:
    """Return whether a table may hold labels, one item a line.

    It is then long and narrow, or most of its classes have the name of another one.

    Parameters
    ----------
    table : ContingencyTable
    index : bool
        Whether its classes are named.
    """
    r, c = table.shape
    if c > _FEW:
        return False
    if r >= max(_MANY, _LONG * c):
        return True
    return index and r >= _SOME and 2 * len(set(table.truth)) <= r


@dataclass(frozen=True)
class ParsedTable:
    """A table that was read, and how.

    Attributes
    ----------
    table : ContingencyTable
        The table; rows are truth classes.
    separator : str or None
        What separates the cells, None where each line is one.
    header, index : bool
        Whether the first line and the first column hold names.
    encoding : str or None
        Encoding of the file, named for people; None for text.
    notes : tuple of str
        What a reader should know, as clauses: lines skipped, blanks read, names twice.
    is_export : bool
        Whether the text is an exported scored table, of which only the table was read.
    stamp : tuple of int and int, or None
        When the file was last changed, in nanoseconds, and its size, both taken before
        it was read; None for text and standard input.
    """

    table: ContingencyTable
    separator: Separator | None
    header: bool
    index: bool
    encoding: str | None = None
    notes: tuple[str, ...] = ()
    is_export: bool = False
    stamp: Stamp | None = None

    @property
    def may_be_labels(self) -> bool:
        """Whether the text may hold labels, one item a line, though it can be read as a table."""
        return not self.is_export and may_be_labels(self.table, self.index)

    @property
    def how(self) -> str:
        """How the text was read, in one sentence."""
        parts = []
        if self.separator is not None:
            parts.append(f"{SEPARATOR_NAMES[self.separator]} separate the cells")
        parts.append(
            "the first line names the clusters" if self.header else "no line names the clusters"
        )
        parts.append(
            "the first column names the classes" if self.index else "no column names the classes"
        )
        if self.encoding:
            parts.append(f"the encoding is {self.encoding}")
        return sentence("; ".join(parts))
