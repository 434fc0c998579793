"""Exports that a spreadsheet saved again with every cell in quotation marks."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from core.files.counts import is_blank
from core.files.errors import FaultKind, ReadError
from core.files.export_names import EXPORT_MARK
from core.files.layout import CORNER, UnclosedQuoteError, records
from core.files.writing import quoted
from core.studies.study import Pulse, Step

QUOTED_MARK = f'"{EXPORT_MARK}"'
"""How such an export begins."""


def requoted(text: str, name: str | None) -> Generator[Step[Any], None, str]:
    """Yield steps; return an export with quotation marks only where they are needed.

    Parameters
    ----------
    text : str
        Any text; one that does not begin with `QUOTED_MARK` is returned as it is.
    name : str or None
        What messages call it.

    Raises
    ------
    ReadError
        If a quotation mark is not closed.
    """
    separator = text[len(QUOTED_MARK) : len(QUOTED_MARK) + 1]
    if not text.startswith(QUOTED_MARK) or separator not in (",", ";", "\t"):
        return text
    lines: list[str] = []
    pulse = Pulse()
    comments, behind = True, False
    try:
        for _, offset, cells in records(text, 0, 1, separator):
            used = len(cells)
            while used and is_blank(cells[used - 1]):
                used -= 1
            # As where an export begins behind another: a class has its size behind its name.
            if behind and cells[:1] == [EXPORT_MARK] and used == 2 and not cells[1].isdigit():
                comments = True
            comments = comments and cells[:1] != [CORNER]
            behind = not used
            if comments and used == 1 < len(cells):
                # What is said of a word may be nothing.
                used = 2
            texts = [quoted(cell) for cell in (cells[:used] if comments or behind else cells)]
            if comments and used:
                texts[0] = cells[0]
            lines.append(separator.join(texts) + "\n")
            if pulse.due():
                yield Step(offset, 3 * len(text), f"reading {name or 'the text'}")
    except UnclosedQuoteError as error:
        raise ReadError(
            f"{name or 'The text'}, line {error.line}: a quotation mark of the export is not "
            "closed, so counts may be missing: export the table again.",
            kind=FaultKind.CUT,
            line=error.line,
        ) from None
    return "".join(lines)
