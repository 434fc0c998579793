"""Long tables: a line for each class and cluster that meet, with their count behind them.

R writes a table so when it is made a data frame, and so do grouped counts. The three
columns would be read as two clusters otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

import numpy as np

from core.counts import IntArray
from core.files.counts import is_blank, meant_as_number, trimmed
from core.files.label_header import is_prediction_name, truth_rank

_COUNTS = re.compile(
    r"freqs?|frequency|frequencies|counts?|nn?|size|items|n_items|0", re.IGNORECASE
)
_ROW_NAMES = re.compile(r"|rownames|row\.names|x|index|id|unnamed: 0|\.\.\.1", re.IGNORECASE)
_FIRST, _SECOND = re.compile(r"var1", re.IGNORECASE), re.compile(r"var2", re.IGNORECASE)


class LongLook:
    """A look at rows that may be those of a long table.

    Parameters
    ----------
    names : sequence of str
        Its last three names.

    Attributes
    ----------
    swapped : bool
        Whether the clusters stand before the classes.
    """

    def __init__(self, names: Sequence[str]) -> None:
        first, second = map(trimmed, names[:2])
        self.swapped = truth_rank(first) is None and truth_rank(second) is not None
        truth, cluster = (second, first) if self.swapped else (first, second)
        self._told = bool(
            (truth_rank(truth) is not None and is_prediction_name(cluster))
            or (_FIRST.fullmatch(truth) and _SECOND.fullmatch(cluster))
        )
        self._first: set[str] = set()
        self._second: set[str] = set()
        self._rows = 0
        self._text = self._wrong = False

    @classmethod
    def of(cls, names: Sequence[str]) -> LongLook | None:
        """Look at the names of columns; None where they are not those of a long table."""
        if len(names) not in (3, 4) or not _COUNTS.fullmatch(trimmed(names[-1])):
            return None
        if len(names) == 4 and not _ROW_NAMES.fullmatch(trimmed(names[0])):
            return None
        texts = [trimmed(name) for name in names[-3:-1]]
        if any(not text or meant_as_number(text) for text in texts):
            return None
        return cls(names[-3:])

    def add(self, row: Sequence[str]) -> None:
        """Take a row below the names into account."""
        if len(row) < 3:
            self._wrong = self._wrong or any(not is_blank(cell) for cell in row)
            return
        first, second = row[-3], row[-2]
        self._text = self._text or not (is_blank(second) or meant_as_number(second))
        self._rows += 1
        self._first.add(first)
        self._second.add(second)

    @property
    def is_long(self) -> bool:
        """Whether the names tell it, a count would be text, or each class has each cluster."""
        r, c = len(self._first), len(self._second)
        each = min(r, c) > 1 and r * c == self._rows
        return not self._wrong and (self._told or self._text or each)


class Pairs:
    """Takes the lines of a long table and makes a table of them."""

    def __init__(self, swapped: bool) -> None:
        self._swapped = swapped
        self._rows: dict[str, int] = {}
        self._columns: dict[str, int] = {}
        self._places: dict[tuple[int, int], Hashable] = {}

    def add(self, first: str, second: str, place: Hashable) -> Hashable | None:
        """Take the names of a line; return the place of an earlier one with the same names."""
        truth, cluster = (second, first) if self._swapped else (first, second)
        row = self._rows.setdefault(truth, len(self._rows))
        column = self._columns.setdefault(cluster, len(self._columns))
        earlier = self._places.setdefault((row, column), place)
        return None if earlier is place else earlier

    @property
    def shape(self) -> tuple[int, int]:
        """Number of classes and of clusters."""
        return len(self._rows), len(self._columns)

    @property
    def names(self) -> tuple[list[str], list[str]]:
        """Classes and clusters, in the order of their first appearance."""
        return list(self._rows), list(self._columns)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Row and column of each line."""
        return list(self._places)

    def counts(self, values: Sequence[int]) -> IntArray:
        """Return the table of the counts of all lines, in their order."""
        counts = np.zeros(self.shape, np.int64)
        places = np.array(self.pairs, np.int64).reshape(-1, 2)
        counts[places[:, 0], places[:, 1]] = values
        return counts

    def note(self) -> str:
        """Return what is said of it."""
        n, (r, c) = len(self._places), self.shape
        absent = r * c - n
        said = f"each of the {n:,} lines was taken for a class, a cluster and their count"
        if self._swapped:
            said = f"each of the {n:,} lines was taken for a cluster, a class and their count"
        if absent:
            said += f"; {absent:,} {'pair that is' if absent == 1 else 'pairs that are'} absent"
            said += " counted as 0"
        return said
