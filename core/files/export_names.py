"""The name and the origin of a table in an exported scored table: written, and read back."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from typing import NamedTuple

from core.files.errors import plain

_NAME, _SOURCE, _NOTE = "name", "source", "note"
_EXACT = {"name_exact": _NAME, "source_exact": _SOURCE}


def exact_comments(name: str, source: str | None) -> Iterator[tuple[str, str]]:
    r"""Yield a name and a source again where the readable line cannot hold them as they are.

    That line has control characters written out, as ``\n``, which a name may hold as
    text too.

    Parameters
    ----------
    name : str
        What people call the table.
    source : str or None
        The file it was read from.

    Yields
    ------
    key, text : str, str
        A line of comment each; the text is a JSON string.
    """
    for key, text in (("name_exact", name), ("source_exact", source or "")):
        if plain(text) != text or "\\" in text or text != text.strip():
            yield key, json.dumps(text)


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
        elif key in _EXACT:
            exact = _string(text)
            if exact is not None:
                found[_EXACT[key]] = exact
        elif key in keys:
            found.setdefault(key, text)
    return Origin(found.get(_NAME, ""), found.get(_SOURCE), tuple(notes))


def _string(text: str) -> str | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, str) else None
