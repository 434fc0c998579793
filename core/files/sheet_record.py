"""Where the tables of an exported workbook stand: the record in its hidden sheet."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, cast

from core.files.noise import checked_noise
from core.files.sheet_cells import Box, SheetCells, box_of
from core.noise import Noise

RECORD_SHEET = "tallyscope"
"""The hidden sheet of an export that says where its tables stand."""

RECORD_COLUMNS = (
    "sheet",
    "range",
    "name",
    "source",
    "noise_choice",
    "noise_labels",
    "noise_items",
    "noise_lost",
    "noise_of",
    "notes",
    "name_exact",
    "source_exact",
)
"""Its columns.

``noise_labels`` and ``notes`` are JSON lists of strings, blank where there are none;
``name_exact`` and ``source_exact`` are JSON strings, blank where a cell holds the text as it is.
"""


class RecordedTable(NamedTuple):
    """A table of an export: its sheet, its rectangle with names, and what is known of it."""

    sheet: str
    box: Box
    name: str
    source: str | None
    noise: Noise | None
    notes: tuple[str, ...] = ()


def cell_json(value: Any) -> str:
    """Return a value as JSON that a cell holds as it is, ``_x0041_`` in a text too."""
    return json.dumps(value).replace("_x", "\\u005fx")


def recorded_tables(sheet: SheetCells) -> list[RecordedTable]:
    """Return the tables that the record of an export names; none where it is no record.

    Parameters
    ----------
    sheet : SheetCells
        The hidden sheet.
    """
    rows = list(sheet.rows.values())
    if not rows:
        return []
    right = max(rows[0].columns)
    header = [str(cell) for cell in rows[0].between(1, right)]
    if not {"sheet", "range", "name"} <= set(header):
        return []
    found: list[RecordedTable] = []
    for row in rows[1:]:
        cells = dict(zip(header, map(str, row.between(1, right)), strict=True))
        box = box_of(cells["range"])
        if box is None or not cells["sheet"]:
            return []
        found.append(
            RecordedTable(
                cells["sheet"],
                box,
                _exact(cells, "name"),
                _exact(cells, "source") or None,
                _noise(cells),
                tuple(_strings(cells.get("notes", "")) or ()),
            )
        )
    return found


def _noise(cells: dict[str, str]) -> Noise | None:
    choice, of = cells.get("noise_choice", ""), cells.get("noise_of", "")
    items, lost = cells.get("noise_items", ""), cells.get("noise_lost", "")
    if not choice or not items.isdigit() or not lost.isdigit():
        return None
    text = cells.get("noise_labels", "")
    labels = _strings(text)
    names = (text,) if labels is None else tuple(labels)
    return checked_noise(Noise(cast(Any, choice), names, int(items), int(lost), cast(Any, of)))


def _exact(cells: dict[str, str], key: str) -> str:
    """Return a text, from the column that holds it as JSON where there is one."""
    strings = _strings(f"[{cells.get(f'{key}_exact', '')}]")
    return strings[0] if strings and len(strings) == 1 else cells.get(key, "")


def _strings(text: str) -> list[str] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return list(map(str, found)) if isinstance(found, list) else None
