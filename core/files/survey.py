"""Which cells of a block are names, told by a look at its first line and its first column.

Decided by rules that can be told in a sentence. Where a line of numbers can be names as
well as counts, what it was taken for is noted, so that nobody has to find out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from core.files.corner import (
    CORNER_WORDS,
    ascends,
    counts_up,
    is_corner,
    is_pivot_line,
    is_text,
    kind_of_name,
    stem_of,
    whole,
)
from core.files.counts import OddCell, is_blank, meant_as_number, trimmed
from core.files.errors import FaultKind, shown
from core.files.long_tables import LongLook

_Y = re.compile(r"y[\s_.-]*(?:true|test|pred)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3,}(?:[\s_-]+[^\W\d_]+)*")
_STEMS = 50


@dataclass
class Survey:
    """What one look at all rows of a block tells before any count is read.

    Attributes
    ----------
    first, second : list of str
        The first two rows.
    rows : int
        Number of rows, without blank ones at the end.
    widths : Counter
        How many rows have how many cells; without the first where there are others.
    used : int
        Number of columns up to the last that is not blank.
    below_text, below_numbers : int
        How many cells of the first column, below the first row, are text, are numbers.
    runs : bool
        Whether these count up by one.
    stems : set of str
        Their first few, without their digits.
    long : LongLook or None
        A look at the rows as those of a long table, where the names may be those of one.
    """

    first: list[str] = field(default_factory=list)
    second: list[str] = field(default_factory=list)
    rows: int = 0
    widths: Counter[int] = field(default_factory=Counter)
    used: int = 0
    below_text: int = 0
    below_numbers: int = 0
    runs: bool = True
    stems: set[str] = field(default_factory=set)
    long: LongLook | None = None
    _next: str = ""

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
            self.long = LongLook.of(row)
            return
        if self.long is not None:
            self.long.add(row)
        if self.rows == 2:
            self.second = row
        self.add_line(row[0] if row else "", len(row))

    def add_line(self, cell: str, width: int) -> None:
        """Take the first cell of a row below the first into account, and its length."""
        self.widths[width] += 1
        if (cell.isascii() and cell.isdigit()) or meant_as_number(cell):
            self.below_numbers += 1
        elif not is_blank(cell):
            self.below_text += 1
            if self.below_text <= _STEMS:
                self.stems.add(kind_of_name(cell))
        if self.runs:
            self.runs = cell == self._next if self._next else cell in ("0", "1")
            if self.runs:
                self._next = str(int(cell) + 1)

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
    titled : bool
        Whether a line with one title for all clusters stands above the one with their names.
    notes : tuple of str
        What could be otherwise, as clauses.
    fault : str
        Why nobody can know which cells are names, with the remedy, as a clause.
    """

    width: int
    header: bool
    index: bool
    short: bool = False
    titled: bool = False
    notes: tuple[str, ...] = ()
    fault: str = ""

    @property
    def above(self) -> int:
        """Number of lines above the counts."""
        return self.header + self.titled


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
    sides; so does a first line that is one cell shorter than the others, and one that
    counts up from 0 or 1 behind a text, above a column of texts. Else the first
    line is names if most of its cells are text, and so is the first column. A single
    text among numbers is a bad count, not a name.
    """
    width, first = survey.width, survey.first
    cells = [*first[:width], *[""] * (width - len(first))]
    if _is_short(survey) and header is not False and index is not False:
        return Layout(width, header=True, index=True, short=True)
    if width < 2:
        alone = survey.rows > 1 and bool(cells) and is_text(cells[0])
        return Layout(width, header=alone if header is None else header, index=False)
    if header is None and index is not False and (two := _two_lines(cells, survey)) is not None:
        return two
    corner = is_corner(cells) and not _is_like_below(cells[0], survey)
    known_header, known_index = header, index
    notes: list[str] = []
    if header is None:
        header = corner or _is_header(cells, survey, index)
        if not header and _is_numbered(cells, survey, index):
            header = True
            notes.append(
                f"the first line, {_listed(cells[1:])}, was taken for names of clusters, because "
                f"it counts up behind {shown(trimmed(cells[0]))}; it can be counts (header: no)"
            )
    if index is None:
        # Numbers that count up are above texts only, so these are names.
        index = bool(notes) or (corner if corner and header else _is_index(cells, survey, header))
    notes += _doubts(cells, survey, header, index, known_header, known_index)
    return Layout(width, header, index, notes=tuple(notes))


def is_long(survey: Survey, header: bool | None, index: bool | None) -> bool:
    """Return whether each row is a class, a cluster and their count."""
    told = header is not None or index is not None
    return not told and survey.long is not None and survey.long.is_long and survey.rows > 1


def are_labels(survey: Survey) -> bool:
    """Return whether the block is a list of labels: ``truth,cluster`` over two columns."""
    cells = [trimmed(cell) for cell in survey.first]
    return (
        survey.width == len(cells) == 2
        and survey.rows > 1
        and all(CORNER_WORDS.fullmatch(cell) or _Y.fullmatch(cell) for cell in cells)
    )


def _is_short(survey: Survey) -> bool:
    first = survey.first
    if survey.rows < 2 or len(first) != survey.width - 1 or not first:
        return False
    # Names differ; counts that repeat are more likely a row that lost a cell.
    return any(map(is_text, first)) or len(set(first)) == len(first)


def _is_like_below(cell: str, survey: Survey) -> bool:
    """Return whether a cell is one of a kind with those below it, as row_1 above row_2."""
    return stem_of(cell) != trimmed(cell) and kind_of_name(cell) in survey.stems


def _is_header(cells: list[str], survey: Survey, index: bool | None) -> bool:
    others = cells[1:]
    texts = sum(map(is_text, others))
    if 2 * texts > len(others):
        return texts > 1 or is_text(cells[0])
    return not texts and index is not False and _is_corner_word(cells, survey)


def _is_corner_word(cells: list[str], survey: Survey) -> bool:
    """Return whether a word stands alone among numbers, as in ``digit,0,1`` over ``4,8,2``."""
    return (
        bool(_WORD.fullmatch(trimmed(cells[0])))
        and is_text(cells[0])
        and survey.below_numbers > 0
        and not survey.below_text
        and not any(is_blank(cell) for cell in cells)
    )


def _is_numbered(cells: list[str], survey: Survey, index: bool | None) -> bool:
    """Return whether a text stands before numbers that count up, above a column of texts."""
    if index is False or not is_text(cells[0]) or survey.below_numbers or not survey.below_text:
        return False
    if list(map(whole, cells[1:])) == [1, 2]:
        # Counts as likely as any, so they are counted, and it is said.
        return False
    # "T1,1,2" above "T2,3,4" is a class as those below are.
    return counts_up(cells[1:]) and kind_of_name(cells[0]) not in survey.stems


def _is_index(cells: list[str], survey: Survey, header: bool) -> bool:
    texts, numbers = survey.below_text, survey.below_numbers
    if not header:
        texts += is_text(cells[0])
        numbers += meant_as_number(cells[0])
    elif not texts and numbers:
        others = list(map(stem_of, cells[1:]))
        alike = len(set(others)) == 1 and stem_of(cells[0]) != others[0]
        return alike and is_text(cells[0]) and (len(others) > 1 or not others[0])
    return texts > numbers


def _two_lines(cells: list[str], survey: Survey) -> Layout | None:
    """Return the layout of a block with two lines of names, None where there is only one."""
    width, others = len(cells), [trimmed(cell) for cell in cells[1:]]
    if width > 2 and survey.rows > 2 and is_pivot_line(cells):
        note = f"the first line, {shown(others[0])}, was left out as that of a pivot table"
        return Layout(width, header=True, index=True, titled=True, notes=(note,))
    second = [*survey.second[:width], *[""] * (width - len(survey.second))]
    if width < 3 or survey.rows < 3 or not is_corner(cells) or any(map(_is_count, cells[1:])):
        return None
    below = trimmed(second[0])
    if survey.below_text + survey.below_numbers <= bool(below):
        return None
    odd = isinstance(second[0], OddCell) and second[0].kind is FaultKind.MERGED
    if below and not odd and not (is_corner(second) and counts_up(second[1:])):
        return None
    titles = {title for title in others if title}
    if len(set(others)) == len(others) or not _are_names(second[1:]):
        return None
    if len(titles) == 1 and (all(others) or sum(map(bool, others)) == 1):
        note = (
            f"the first line, {shown(max(titles))}, was taken for a title of the "
            "clusters, which the second line names"
        )
        return Layout(width, header=True, index=True, titled=True, notes=(note,))
    fault = (
        "the first two lines both seem to hold names, which are the columns of several tables or "
        "have two parts: keep one line of names, and one table"
    )
    return Layout(width, header=True, index=True, fault=fault)


def _is_count(cell: str) -> bool:
    return not isinstance(cell, OddCell) and meant_as_number(cell)


def _are_names(cells: list[str]) -> bool:
    """Return whether no cell is blank and they are texts, or numbers in order, maybe again."""
    texts = sum(map(is_text, cells))
    if any(map(is_blank, cells)):
        return False
    if texts or counts_up(cells):
        return texts in (0, len(cells))
    # Several tables side by side: 0, 1, 0, 1, 2.
    starts = [i for i, cell in enumerate(cells) if trimmed(cell) in ("0", "1")]
    values = list(map(whole, cells))
    parts = [i for i in starts if i == 0 or values[i] != (values[i - 1] or 0) + 1]
    ends = [*parts[1:], len(cells)]
    return (
        bool(parts)
        and parts[0] == 0
        and all(counts_up(cells[start:end]) for start, end in zip(parts, ends, strict=True))
    )


def _doubts(
    cells: list[str],
    survey: Survey,
    header: bool,
    index: bool,
    known_header: bool | None,
    known_index: bool | None,
) -> list[str]:
    """Return what is said of counts that look like names."""
    doubts = []
    if known_header is None and not header and survey.rows > 1:
        inside = cells[1:] if index else cells
        telling = counts_up(inside) and (index or list(map(whole, inside)) != [1, 2])
        if telling or (index and len(inside) > 2 and is_text(cells[0]) and ascends(inside)):
            doubts.append(
                f"the first line, {_listed(inside)}, was counted; it can be names of clusters "
                "(header: yes)"
            )
    if known_index is None and not index and len(cells) > 1:
        first = trimmed(cells[0])
        rows = survey.rows - header
        if rows > 2 and survey.runs:
            start = survey._next
            last = int(start) - 1
            begins = int(start) - survey.rows + 1
            if header or first == str(begins - 1):
                doubts.append(
                    f"the first column, {begins if header else first} to {last}, was counted; it "
                    "can be names of classes (index: yes)"
                )
    return doubts


def _listed(cells: Sequence[str]) -> str:
    few = [trimmed(cell) for cell in cells[:4]]
    return ", ".join(few) + (f" and so on to {trimmed(cells[-1])}" if len(cells) > 4 else "")
