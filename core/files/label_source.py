"""Where the labels of items come from, a block of items at a time."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from core.files.stamp import Stamp
from core.studies.study import Step

BLOCK_CELLS = 1 << 13
"""Cells read at a time: some milliseconds of work."""


class Block(NamedTuple):
    """Some items one after the other.

    Attributes
    ----------
    columns : list of sequence
        The labels of each column that was asked for; a blank text is a missing one.
    items : int
        Number of items.
    done, total : int
        How far the source has been read, in units of its own.
    """

    columns: list[Sequence[Any]]
    items: int
    done: int
    total: int | None


@dataclass(frozen=True)
class Head:
    """The beginning of a source.

    Attributes
    ----------
    names : tuple of str
        Names of the columns; empty where the source has none.
    named : bool
        Whether these stand in the source.
    rows : tuple of tuple of str
        The first rows, that of names not among them.
    lines : tuple of int
        Where each row stands, counted from 1 as the source does.
    complete : bool
        Whether there are no others.
    fault : str or None
        What is wrong after these rows, in one sentence.
    """

    names: tuple[str, ...]
    named: bool
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    complete: bool
    fault: str | None = None


class Source(Protocol):
    """A file of labels, open or to be opened."""

    @property
    def head(self) -> Head:
        """The beginning of the file."""
        ...

    @property
    def how(self) -> str:
        """How the file is read, as clauses."""
        ...

    @property
    def stamp(self) -> Stamp | None:
        """When the file was last changed, and its size."""
        ...

    def blocks(self, columns: Sequence[int]) -> Iterator[Block]:
        """Yield all items block by block; ReadError where one cannot be read."""
        ...

    def notes(self) -> Iterator[str]:
        """Yield what a reader should know, as clauses, after all blocks have been read."""
        ...

    def place(self, item: int) -> Generator[Step[Any], None, str]:
        """Return where an item stands, for people, as in ``line 17``."""
        ...


def default_columns(width: int) -> tuple[str, ...]:
    """Return names for columns that have none: they are called by their number."""
    return tuple(f"column {i + 1}" for i in range(width))


HEAD_ROWS = 2000
"""Rows that are looked at before a file is read, where they are not limited by bytes."""


def as_text(value: object) -> str:
    """Return the label that a value of an array or of a column of a database stands for.

    A number keeps its way to be written (``1.0`` is not ``1``); what is missing is blank.
    """
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, float) and value != value:
        return ""
    text = str(value)
    return "" if text in ("NaT", "<NA>") else text


_MOST_KEPT = 1 << 20


class Texts(dict[Any, str]):
    """The texts of the values of a column, all of one type, each made once."""

    def __missing__(self, value: Any) -> str:
        """Make a text; what is missing is not kept, as it may differ from itself."""
        text = as_text(value)
        if text and len(self) < _MOST_KEPT:
            self[value] = text
        return text
