"""What a sheet can hold: columns, rows, names and characters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.files.errors import SaveError, plain, shown
from core.files.scored import ScoredTable, row_keys

RECORD_SHEET = "tallyscope"
"""The hidden sheet that says where each table stands."""

MOST_TEXT = 32_767
"""Characters in a cell."""

_MOST_COLUMNS = 16_384
_MOST_ROWS = 1_048_576

# What XML does not hold, a carriage return, which it makes a line feed, and what a
# spreadsheet takes for the code of a character.
_REFUSED = re.compile("[\0-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_x[0-9A-Fa-f]{4}_")


def sheet_names(results: Sequence[ScoredTable]) -> list[str]:
    r"""Return a name for the sheet of each table, which a spreadsheet takes.

    At most 31 characters, none of ``[]:*?/\``, no two alike but for their case.
    """
    taken = {"summary", RECORD_SHEET, "history"}
    next_number: dict[str, int] = {}
    names = []
    for i, result in enumerate(results, start=1):
        base = re.sub(r"[\[\]:*?/\\]", "-", harmless(result.name).replace("\\", "-"))
        base = " ".join(base.split()).strip("' ")
        base = _cut(base, 31).strip("' ") or f"Table {i}"
        name = base
        while name.casefold() in taken:
            number = next_number.get(base, 2)
            next_number[base] = number + 1
            tail = f" ({number})"
            name = _cut(base, 31 - len(tail)) + tail
        taken.add(name.casefold())
        names.append(name)
    return names


def _cut(text: str, most: int) -> str:
    """Return the beginning of a text: a spreadsheet counts a sign beyond 16 bits twice."""
    return text.encode("utf-16-le")[: 2 * most].decode("utf-16-le", "ignore")


def harmless(text: str, most: int = MOST_TEXT // 2) -> str:
    """Return a text that is not part of a table so that a sheet can hold it."""
    text = _REFUSED.sub(lambda found: plain(found[0]).replace("_x", "_ x"), text)
    text = text.replace("\ufffe", "\\ufffe").replace("\uffff", "\\uffff")
    return text if len(text) <= most else text[: most - 1] + "…"


def check_fits(result: ScoredTable, name: str, lines_above: int) -> None:
    """Raise SaveError where a table or one of its names is more than a sheet can hold."""
    table = result.scores.table
    r, c = table.shape
    which = f" {shown(result.name)}" if result.name else ""
    columns = c + 3 + len(row_keys(result.scores))
    rows = 2 * r + lines_above + len(result.scores) + 16
    if columns > _MOST_COLUMNS:
        turn = "transpose it, or " if r + 16 < _MOST_COLUMNS and 2 * c + 200 < _MOST_ROWS else ""
        raise SaveError(
            f"{name} was not saved: the table{which} has {c:,} clusters, more than the columns of "
            f"a sheet: {turn}export it as .csv."
        )
    if rows > _MOST_ROWS:
        raise SaveError(
            f"{name} was not saved: the table{which} has {r:,} truth classes, more than a sheet "
            "has rows for: export it as .csv."
        )
    for what, names in (("truth class", table.truth), ("cluster", table.clusters)):
        for i, label in enumerate(names):
            if _REFUSED.search(label) or len(label) > MOST_TEXT // 2:
                long = len(label) > MOST_TEXT // 2
                fault = "is too long for" if long else "has a character that is not for"
                raise SaveError(
                    f"The name of {what} {i + 1}, {shown(label)}, {fault} a spreadsheet: rename "
                    "it, or export as .json."
                )
