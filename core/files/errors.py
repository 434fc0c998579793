"""What can be wrong with a file or with the text of a cell, for people and for code."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, TypeAlias
from unicodedata import category

from core.table import TableError

Thousands: TypeAlias = Literal[".", ",", " ", "'"]
"""What can separate the thousands in a count."""


class FaultKind(StrEnum):
    """What is wrong, so that a window can offer the remedy."""

    # A cell
    BLANK = "blank"
    """The cell is blank; remedy: ``ReadOptions(blank="zero")``."""
    THOUSANDS = "thousands"
    """Grouped digits, or a fraction; remedy: ``ReadOptions(thousands=error.mark)``."""
    NEGATIVE = "negative"
    FRACTION = "fraction"
    EXPONENT = "exponent"
    PERCENT = "percent"
    MISSING = "missing"
    """A sign for a missing value: NA, nan, a dash."""
    INFINITE = "infinite"
    FORMULA = "formula"
    TEXT = "text"
    TOO_LARGE = "too large"

    # The block of cells
    RAGGED = "ragged"
    BLANK_LINE = "blank line"
    QUOTE = "quote"
    NO_COUNTS = "no counts"
    LABELS = "labels"
    """Two columns of labels, one item a line, and not a table of counts."""
    TOO_LONG = "too long"
    """A name that is longer than readers of CSV take."""
    CUT = "cut"
    """An exported scored table of which the end is missing."""
    TOO_MANY_CELLS = "too many cells"
    TOTAL = "total"
    """A line of totals or shares; remedy: ``ReadOptions(totals="drop")`` or ``"keep"``."""
    MERGED = "merged"
    """Cells of a sheet that are merged, so that one count stands for several."""

    # The file
    EMPTY = "empty"
    NOT_TEXT = "not text"
    ENCODING = "encoding"
    TOO_BIG = "too big"
    PART = "part"
    """A sheet, a range or an array that is not in the file."""
    DAMAGED = "damaged"
    """The file ends early or contradicts itself."""
    UNREADABLE = "unreadable"
    NEWER = "newer"
    """Written by a newer program in a form that this one does not know."""


class ReadError(TableError):
    """A file or a text that cannot be read as a table.

    Parameters
    ----------
    message : str
        One sentence: the file, the line, the column, the fault and its remedy.
    kind : FaultKind
        What is wrong, for code.
    line : int, optional
        Line of the file, counted from 1 as editors do.
    row, column : int, optional
        Place in the block of cells, header line and names included, counted from 0.
    value : object
        The text of the cell, where there is one.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: FaultKind,
        line: int | None = None,
        row: int | None = None,
        column: int | None = None,
        value: object = None,
    ) -> None:
        super().__init__(message, row=row, column=column, value=value)
        self.kind = kind
        self.line = line


class CountError(ReadError):
    """The text of a cell that is not a count.

    Parameters
    ----------
    message : str
        One sentence.
    kind : FaultKind
        What is wrong, for code.
    fault : str
        The sentence without its place, its capital and its full stop.
    mark : {".", ",", " "}, optional
        What seems to separate the thousands, where ``kind`` is ``THOUSANDS``.
    line, row, column, value
        As in `ReadError`.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: FaultKind,
        fault: str,
        mark: Thousands | None = None,
        line: int | None = None,
        row: int | None = None,
        column: int | None = None,
        value: object = None,
    ) -> None:
        super().__init__(message, kind=kind, line=line, row=row, column=column, value=value)
        self.fault = fault
        self.mark = mark


class SaveError(OSError):
    """A file that could not be written; the message says why in one sentence.

    Parameters
    ----------
    message : str
        One sentence.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def shown(text: str, most: int = 40) -> str:
    """Return the text of a cell in quotes, on one line and not too long."""
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return '"' + plain(cut) + '"'


def plain(text: str) -> str:
    """Return text with its control characters written out, so that it stays on one line."""
    if text.isprintable():
        return text
    return "".join(_written_out(c) if category(c) in _UNSEEN else c for c in text)


# Controls, line and paragraph separators, halves of surrogate pairs.
_UNSEEN = frozenset({"Cc", "Zl", "Zp", "Cs"})


def _written_out(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def sentence(text: str) -> str:
    """Return text with a capital at its start and a full stop at its end."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else text + "."
