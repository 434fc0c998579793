"""What a heat map shows, and what its colours are called."""

from __future__ import annotations

from typing import NamedTuple

from core.heat import Heat, HeatScaleName
from core.table import IntArray

LABELS = {
    "row": "share of the class",
    "peak": "share of the largest count of the class",
    "table": "items",
}


class Look(NamedTuple):
    """What the drawing of a heat map needs to know of the figure."""

    scale: HeatScaleName
    title: str
    font_family: str
    settings: str
    name: str = ""


class Content(NamedTuple):
    """What a heat map shows, in its order."""

    heat: Heat
    truth: list[str]
    clusters: list[str]
    row_sums: list[str]
    column_sums: list[str]
    total: str
    longest: list[str]
    #: Only where the cells are few enough to be drawn one by one.
    counts: IntArray
