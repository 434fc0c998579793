"""Exports that another program has saved again with quotation marks around every cell."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from core.files.errors import FaultKind, ReadError
from core.files.layout import UnclosedQuoteError, records
from core.files.writing import quoted
from core.studies.study import Pulse, Step

EXPORT_MARK = "# Tallyscope scored table"
"""How the first line of an exported scored table begins."""


def is_quoted_export(text: str) -> bool:
    """Return whether a text is an export with quotation marks around its first cell."""
    return text.startswith(f'"{EXPORT_MARK}"')


def without_needless_quotes(text: str, name: str) -> Generator[Step[Any], None, str]:
    """Yield steps while such an export is written as this program writes it; return it.

    Parameters
    ----------
    text : str
        The export; each of its lines stays the line that it is.
    name : str
        What messages call it.

    Raises
    ------
    ReadError
        If a quotation mark is not closed, so that the end of the export is missing.
    """
    mark = text[len(EXPORT_MARK) + 2 : len(EXPORT_MARK) + 3]
    separator = mark if mark in (",", ";", "\t") else ","
    lines: list[str] = []
    pulse = Pulse()
    try:
        for _, offset, cells in records(text, 0, 1, separator):
            lines.append(separator.join(map(quoted, cells)))
            if pulse.due():
                yield Step(offset, 3 * len(text), f"reading {name}")
    except UnclosedQuoteError:
        raise ReadError(
            f"{name}: the export ends early, so counts may be missing: export the table again.",
            kind=FaultKind.CUT,
        ) from None
    return "\n".join(lines) + "\n"
