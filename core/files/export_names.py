"""The name and the origin of a table in an exported scored table: written, and read back."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from typing import NamedTuple

from core.files.errors import FaultKind, ReadError, plain
from core.files.formulas import guarded
from core.version import PROGRAM

EXPORT_MARK = "# Tallyscope scored table"
"""How the first line of an exported scored table begins."""

SUMMARY_MARK = f"# {PROGRAM} summary"
"""How the first line of a summary begins: a line of scores a table, and no counts."""

_FOR_PEOPLE = (
    (SUMMARY_MARK, "a summary of scores without the counts"),
    (f'"{SUMMARY_MARK}"', "a summary of scores without the counts"),
    (f"<!--\n{PROGRAM} ", "an export of scores as Markdown"),
    (f"% {PROGRAM} ", "an export of scores as LaTeX"),
)


def refuse_what_is_for_people(text: str, name: str) -> None:
    """Raise ReadError if a text is one of our exports that are not read back."""
    head = text[:200].replace("\r\n", "\n")
    for mark, what in _FOR_PEOPLE:
        if head.startswith(mark):
            raise ReadError(
                f"{name} is {what}, which is not read back: open the table itself, or an export "
                "as .csv, .tsv, .json or .xlsx.",
                kind=FaultKind.NO_COUNTS,
            )


_NAME, _SOURCE, _NOTE = "name", "source", "note"
_EXACT = "_exact"


def readable(text: str) -> str:
    """Return a text as a comment line of an export holds it: one line, and no formula."""
    return guarded(plain(text))


def exact_comments(key: str, text: str) -> Iterator[tuple[str, str]]:
    r"""Yield a text again where the readable line before cannot hold it as it is.

    That line has control characters written out, as ``\n``, which a text may hold as
    text too.

    Parameters
    ----------
    key : str
        What begins the readable line.
    text : str
        The name of a table, its source, a note or a label.

    Yields
    ------
    key, text : str, str
        A line of comment; the text is a JSON string.
    """
    if readable(text) != text or "\\" in text or text != text.strip():
        yield key + _EXACT, json.dumps(text)


def exact_text(text: str) -> str | None:
    """Return the text of such a line, None if somebody has changed it."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


class Origin(NamedTuple):
    """What the comment lines of an export say of its table."""

    name: str
    source: str | None
    notes: tuple[str, ...]


def read_origin(comments: str, separator: str) -> Origin:
    """Return what the comment lines of an export say of its table.

    Parameters
    ----------
    comments : str
        The lines above the table.
    separator : str
        What separates key and text.
    """
    found: dict[str, str] = {}
    notes: list[str] = []
    keys = (_NAME, _SOURCE, _NOTE)
    lines = [
        line[2:] for line in comments.splitlines() if line.startswith(tuple(f"# {k}" for k in keys))
    ]
    for line in lines:
        try:
            key, text = next(csv.reader([line], delimiter=separator))[:2]
        except (csv.Error, StopIteration, ValueError):
            # Somebody has changed the line so that it says nothing.
            continue
        if key == _NOTE:
            notes.append(text)
        elif key.endswith(_EXACT) and (exact := exact_text(text)) is not None:
            if key != _NOTE + _EXACT:
                found[key.removesuffix(_EXACT)] = exact
            elif notes:
                notes[-1] = exact
        elif key in keys:
            found.setdefault(key, text)
    return Origin(found.get(_NAME, ""), found.get(_SOURCE), tuple(notes))
