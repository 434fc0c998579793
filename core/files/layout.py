"""How a text is parted into rows and cells.

Decided by rules that can be told in a sentence, never by statistics: the same text is
always read the same way, and what was decided is shown.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal, TypeAlias

from core.files.counts import is_blank, meant_as_number
from core.files.long_tables import LongLook

Separator: TypeAlias = Literal["\t", ";", ",", " "]

SEPARATOR_NAMES: dict[str | None, str] = {
    "\t": "tabs",
    ";": "semicolons",
    ",": "commas",
    " ": "spaces",
    None: "nothing",
}

CORNER = "truth\\cluster"
"""What stands above the class names and left of the cluster names in our own files."""

_LINE = re.compile(r"[^\r\n]*(?:\r\r?\n|\r|\n)|[^\r\n]+")
_SAMPLE = 200_000

_QUOTED = re.compile(r'(?:(?<=[\t;, \r\n])|\A)"[^"]*(?:""[^"]*)*"')
_SPACED = re.compile(r'"[^"]*(?:""[^"]*)*"|[^ \t]+')


class Lines:
    """The lines of a text with their ends, and how many have been taken."""

    def __init__(self, text: str, start: int = 0) -> None:
        self._matches = _LINE.finditer(text, start)
        self.taken = 0
        self.offset = start

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        match = next(self._matches)
        self.taken += 1
        self.offset = match.end()
        return match[0]


def separator_of(text: str, start: int = 0) -> Separator | None:
    """Return what separates the cells of a block, None where each line is one cell.

    A tab in every line wins, then a semicolon, then a comma; then the one of these that
    stands in half of the lines or more; then runs of spaces between numbers.

    Parameters
    ----------
    text : str
        The text.
    start : int
        Where in it the block starts.

    Returns
    -------
    str or None
    """
    head = text[start : start + len(CORNER) + 1]
    if head[:-1] == CORNER and head[-1:] in ("\t", ";", ","):
        return head[-1]  # type: ignore[return-value]
    sample = text[start : start + _SAMPLE]
    if start + _SAMPLE < len(text):
        # The last line may be cut in the middle.
        sample = sample[: max(sample.rfind("\n"), sample.rfind("\r"))]
    # What is in quotes, line ends included, is the text of one cell.
    bare = _QUOTED.sub('""', sample)
    lines = [line for line in Lines(bare) if not is_blank(line)]
    marks: tuple[Separator, ...] = ("\t", ";", ",")
    shares = {mark: sum(mark in line.rstrip("\r\n") for line in lines) for mark in marks}
    for mark in marks:
        if shares[mark] == len(lines):
            return mark
    for mark in marks:
        if lines and 2 * shares[mark] >= len(lines):
            return mark
    return " " if _spaced([split_at_spaces(line) for line in Lines(sample)]) else None


def _spaced(rows: list[list[str]]) -> bool:
    """Return whether spaces separate cells: rows of one length, numbers inside."""
    rows = [row for row in rows if row]
    width = max(Counter(len(row) for row in rows[1:] or rows), default=0)
    if width < 2 or any(len(row) != width for row in rows[1:]):
        return False
    if len(rows[0]) not in (width, width - 1):
        return False
    if LongLook.of(rows[0]) and all(meant_as_number(row[-1]) for row in rows[1:]):
        return len(rows) > 1
    inside = [cell for row in rows[1:] for cell in row[1:]] or rows[0][1:]
    return 2 * sum(map(meant_as_number, inside)) > len(inside)


def split_at_spaces(line: str) -> list[str]:
    """Return the cells of a line between runs of spaces; quotes hold a name together."""
    cells = _SPACED.findall(line.strip(" \t\r\n"))
    return [
        cell[1:-1].replace('""', '"') if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell
        for cell in cells
    ]


def records(
    text: str, start: int, first_line: int, separator: str | None
) -> Iterator[tuple[int, int, list[str]]]:
    """Return the rows of a block.

    Parameters
    ----------
    text : str
        The text.
    start : int
        Where in it the block starts.
    first_line : int
        Number of that line, counted from 1.
    separator : str or None
        What separates the cells.

    Yields
    ------
    line, offset, cells : int, int, list of str
        The line where the row starts, where in the text it ends, and its cells.

    Raises
    ------
    UnclosedQuoteError
        If a quotation mark opens a cell and none closes it.
    TooLongError
        If a cell has more characters than ``csv.field_size_limit()``.
    """
    lines = Lines(text, start)
    if separator == " ":
        for spaced in lines:
            yield first_line + lines.taken - 1, lines.offset, split_at_spaces(spaced)
        return
    # A column of its own may hold any mark but a tab, which a spreadsheet would have split.
    reader = csv.reader(lines, delimiter=separator or "\t", skipinitialspace=True)
    offset = start
    last_line = first_line
    while True:
        line, before = first_line + lines.taken, lines.offset
        try:
            row = next(reader)
        except StopIteration:
            break
        except csv.Error:
            if _too_long(text, before, separator or "\t"):
                raise TooLongError(line) from None
            raise UnclosedQuoteError(line) from None
        last_line, offset = line, before
        yield line, lines.offset, row
    if '"' in text[offset:] and _unclosed(text, offset, separator or "\t"):
        raise UnclosedQuoteError(last_line)


class UnclosedQuoteError(ValueError):
    """A quotation mark that swallows the rest of the text."""

    def __init__(self, line: int) -> None:
        super().__init__(f"the quotation mark in line {line} is not closed")
        self.line = line


class TooLongError(UnclosedQuoteError):
    """A cell that is too long, though nothing is wrong with its quotation marks.

    Who does not tell the two apart catches both.
    """

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.args = (f"line {line} has a cell that is too long",)


def _too_long(text: str, start: int, separator: str) -> bool:
    """Return whether a row that csv gave up has a cell that ends, but too late."""
    ends = re.escape(separator) + r"\r\n"
    cell = re.compile(rf'"[^"]*(?:""[^"]*)*"(?=[{ends}]|\Z)|[^{ends}]*')
    while match := cell.match(text, start):
        found, start = match[0], match.end() + 1
        quoted = found[:1] == '"'
        if quoted and (len(found) == 1 or found[-1] != '"'):
            return False
        length = len(found[1:-1].replace('""', '"')) if quoted else len(found)
        if length > csv.field_size_limit():
            return True
        if text[match.end() : start] != separator:
            return False
    return False


def _unclosed(text: str, start: int, separator: str) -> bool:
    try:
        lines = Lines(text, start)
        for _ in csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True):
            pass
    except csv.Error as error:
        return "unexpected end" in str(error)
    return False
