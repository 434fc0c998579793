"""A table of a paper, before a format has laid it out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class PaperTable:
    """A first column of names, and columns of numbers.

    Attributes
    ----------
    caption : str
        As people read it.
    heads : sequence of str
        Of the names and of each column of numbers, as people read them.
    names : sequence of str
        The first column.
    longest : sequence of str
        Of each column of numbers the longest, as people read it.
    lines : callable
        Yields for a range of columns of numbers, counted from 0, the cells of each line, in
        the signs of the format.
    rule : int or None
        The line that a rule sets off from those above it.
    notes : sequence of str
        What stands below, in the signs of the format.
    """

    caption: str
    heads: Sequence[str]
    names: Sequence[str]
    longest: Sequence[str]
    lines: Callable[[range], Iterator[list[str]]]
    rule: int | None = None
    notes: Sequence[str] = ()
