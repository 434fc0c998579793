"""Lines of a label file: those that are blank, how many there were, what is wrong with one."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from core.files.counts import is_blank
from core.files.layout import Separator, UnclosedQuoteError, records


def quote_fault(error: csv.Error, name: str, line: int) -> str:
    """Return what is wrong with a quotation mark, in one sentence."""
    where = f"{name}, line {line}: "
    text = str(error)
    if "field larger" in text:
        return (
            f"{where}a label has more than {csv.field_size_limit():,} characters: close the "
            "quotation mark that opens it, or shorten it."
        )
    if "expected after" in text:
        return (
            f"{where}a quotation mark closes before its cell ends: write two for one inside a "
            "label, or say that quotation marks are part of the labels."
        )
    return (
        f"{where}a quotation mark is opened and not closed: close it or delete it, or say "
        "that quotation marks are part of the labels."
    )


def is_blank_line(row: list[str]) -> bool:
    """Return whether a row is that of a blank line."""
    return not row or (len(row) == 1 and is_blank(row[0]))


class Counted:
    """Lines, and how many have been taken."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.taken = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self.taken += 1
        return line


def is_row(lines: Sequence[str], separator: Separator | None) -> bool:
    """Return whether the first line begins a row as long as most of the rows below it."""
    if separator is None:
        return False
    try:
        lengths = [
            len(cells) for _, _, cells in islice(records("".join(lines[:200]), 0, 1, separator), 20)
        ]
    except UnclosedQuoteError:
        return False
    others = Counter(length for length in lengths[1:] if length)
    return bool(others) and lengths[0] == others.most_common(1)[0][0] > 1
