"""How a block of cells is laid out: what separates the cells, and which of them are names.

Decided by rules that can be told in a sentence, never by statistics: the same text is
always read the same way, and what was decided is shown.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from core.files.counts import is_blank, meant_as_number, trimmed

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

# The words that stand in the corner, and nothing else that would make them a name.
_CORNER_WORD = (
    "actual|assigned|category|class(?:es)?|clusters?|column|found|gold|ground|group|gt|id|index|"
    "labels?|name|observed|pred(?:s|icted|ictions?)?|reference|rows?|species|standard|target|true|truth"
)
_CORNER_WORDS = re.compile(
    rf"(?:{_CORNER_WORD})(?:[\s_\-/|:,;.×]*(?:{_CORNER_WORD}|by|vs|and|x))*", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{3,}(?:[\s_-]+[^\W\d_]+)*")
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


@dataclass
class Survey:
    """What one look at all rows of a block tells before any count is read.

    Attributes
    ----------
    first : list of str
        The first row.
    rows : int
        Number of rows, without blank ones at the end.
    widths : Counter
        How many rows have how many cells; without the first where there are others.
    used : int
        Number of columns up to the last that is not blank.
    below_text, below_numbers : int
        How many cells of the first column, below the first row, are text, are numbers.
    """

    first: list[str] = field(default_factory=list)
    rows: int = 0
    widths: Counter[int] = field(default_factory=Counter)
    used: int = 0
    below_text: int = 0
    below_numbers: int = 0

    def add(self, row: list[str]) -> None:
        """Take a row into account."""
        self.rows += 1
        last = len(row)
        if last > self.used:
            while last > self.used and is_blank(row[last - 1]):
                last -= 1
            self.used = last
        if self.rows == 1:
            self.first = row
            return
        self.widths[len(row)] += 1
        cell = row[0] if row else ""
        if (cell.isascii() and cell.isdigit()) or meant_as_number(cell):
            self.below_numbers += 1
        elif not is_blank(cell):
            self.below_text += 1

    @property
    def width(self) -> int:
        """Number of cells that a row should have."""
        if not self.widths:
            return min(len(self.first), self.used)
        most = max(self.widths.values())
        tied = [width for width, count in self.widths.items() if count == most]
        return min(len(self.first) if len(self.first) in tied else tied[0], self.used)


@dataclass(frozen=True)
class Layout:
    """Which cells of a block are names.

    Attributes
    ----------
    width : int
        Number of cells in a row, the name included.
    header : bool
        Whether the first line holds names of clusters.
    index : bool
        Whether the first column holds names of classes.
    short : bool
        Whether the first line has no cell above the first column, as R writes it.
    """

    width: int
    header: bool
    index: bool
    short: bool = False


def layout_of(survey: Survey, header: bool | None, index: bool | None) -> Layout:
    """Return which cells are names.

    Parameters
    ----------
    survey : Survey
        What the block looks like.
    header, index : bool or None
        What is known already.

    Returns
    -------
    Layout

    Notes
    -----
    A blank corner, or one that speaks of classes or clusters, means names on both
    sides; so does a first line that is one cell shorter than the others. Else the first
    line is names if most of its cells are text, and so is the first column. A single
    text among numbers is a bad count, not a name.
    """
    width, first = survey.width, survey.first
    cells = [*first[:width], *[""] * (width - len(first))]
    if _is_short(survey) and header is not False and index is not False:
        return Layout(width, header=True, index=True, short=True)
    if width < 2:
        alone = survey.rows > 1 and bool(cells) and _is_text(cells[0])
        return Layout(width, header=alone if header is None else header, index=False)
    corner = _is_corner(cells)
    if header is None:
        header = corner or _is_header(cells, survey, index)
    if index is None:
        index = corner if corner and header else _is_index(cells, survey, header)
    return Layout(width, header, index)


def are_labels(survey: Survey) -> bool:
    """Return whether the block is a list of labels: ``truth,cluster`` over two columns."""
    cells = [trimmed(cell) for cell in survey.first]
    return (
        survey.width == len(cells) == 2
        and survey.rows > 1
        and all(map(_CORNER_WORDS.fullmatch, cells))
    )


def _is_text(cell: str) -> bool:
    return not is_blank(cell) and not meant_as_number(cell)


def _is_short(survey: Survey) -> bool:
    first = survey.first
    if survey.rows < 2 or len(first) != survey.width - 1 or not first:
        return False
    # Names differ; counts that repeat are more likely a row that lost a cell.
    return any(map(_is_text, first)) or len(set(first)) == len(first)


def _is_corner(cells: list[str]) -> bool:
    corner, others = trimmed(cells[0]), cells[1:]
    if not corner or "\\" in corner:
        return True
    if "/" in corner and not any("/" in cell for cell in others):
        return _is_text(corner)
    return bool(_CORNER_WORDS.fullmatch(corner)) and corner not in map(trimmed, others)


def _is_header(cells: list[str], survey: Survey, index: bool | None) -> bool:
    others = cells[1:]
    texts = sum(map(_is_text, others))
    if 2 * texts > len(others):
        return texts > 1 or _is_text(cells[0])
    return not texts and index is not False and _is_corner_word(cells, survey)


def _is_corner_word(cells: list[str], survey: Survey) -> bool:
    """Return whether a word stands alone among numbers, as in ``digit,0,1`` over ``4,8,2``."""
    return (
        bool(_WORD.fullmatch(trimmed(cells[0])))
        and _is_text(cells[0])
        and survey.below_numbers > 0
        and not survey.below_text
        and not any(is_blank(cell) for cell in cells)
    )


def _is_index(cells: list[str], survey: Survey, header: bool) -> bool:
    texts, numbers = survey.below_text, survey.below_numbers
    if not header:
        texts += _is_text(cells[0])
        numbers += meant_as_number(cells[0])
    elif not texts and numbers:
        others = list(map(_stem, cells[1:]))
        alike = len(set(others)) == 1 and _stem(cells[0]) != others[0]
        return alike and _is_text(cells[0]) and (len(others) > 1 or not others[0])
    return texts > numbers


def _stem(cell: str) -> str:
    """Return a name without its digits: clusters are often C1, C2, ... or 0, 1, ..."""
    return re.sub(r"\d+", "", trimmed(cell))
