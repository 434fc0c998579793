"""What single cells tell of names: the words of a corner, numbers that count up, texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from core.files.counts import is_blank, meant_as_number, trimmed

# The words that stand in the corner, and nothing else that would make them a name.
_CORNER_WORD = (
    "actual|assigned|category|class(?:es)?|clusters?|column|found|gold|ground|group|gt|id|index|"
    "labels?|name|observed|pred(?:s|icted|ictions?)?|reference|rows?|species|standard|target|true|truth"
)
CORNER_WORDS = re.compile(
    rf"(?:{_CORNER_WORD})(?:[\s_\-/|:,;.×]*(?:{_CORNER_WORD}|by|vs|and|x))*", re.IGNORECASE
)
# What programs write there by themselves, and words of other languages.
_CORNER_BY_HABIT = re.compile(
    r"row_?\d+|unnamed: \d+(?:_level_\d+)?|level_\d+|row\.?names?|row labels|zeilenbeschriftungen|"
    r"étiquettes de lignes|y[\s_.-]*(?:true|test|pred)|true[\s_.-]*values?|"
    r"(?:cell|leaf|tissue|true|object)[\s_.-]*types?|klassen?|kategorien?|gruppen?|wahrheit|"
    r"classes?[\s_.-]*r[ée]elles?|catégories?|clases?|categor[íi]as?|classi|categorie",
    re.IGNORECASE,
)
_WHOLE = re.compile(r"-?[0-9]{1,9}(?:[.,]0+)?")
_PIVOT_WORDS = re.compile(
    r"(?:count|sum|anzahl|summe|nombre|somme|cuenta|suma|n[uú]mero|conteggio|somma)"
    r" (?:of|von|de|di|d'|-) ?.+",
    re.IGNORECASE,
)
_COLUMN_LABELS = re.compile(
    r"column labels|spaltenbeschriftungen|étiquettes de colonnes|etiquetas de columna|"
    r"etichette di colonna",
    re.IGNORECASE,
)


def is_text(cell: str) -> bool:
    """Return whether a cell is neither blank nor meant as a number."""
    return not is_blank(cell) and not meant_as_number(cell)


def is_corner(cells: Sequence[str]) -> bool:
    """Return whether the first of the names stands above the names of classes."""
    corner, others = trimmed(cells[0]), cells[1:]
    if not corner or "\\" in corner:
        return True
    if "/" in corner and not any("/" in cell for cell in others):
        return is_text(corner)
    known = CORNER_WORDS.fullmatch(corner) or _CORNER_BY_HABIT.fullmatch(corner)
    return bool(known) and corner not in map(trimmed, others)


def is_pivot_line(cells: Sequence[str]) -> bool:
    """Return whether a line is the one that a pivot table has above its names.

    ``Count of id, Column Labels``, and nothing behind it.
    """
    first, *others = map(trimmed, cells)
    texts = [text for text in others if text]
    if len(texts) != 1 or texts[0] != others[0]:
        return False
    return bool(_COLUMN_LABELS.fullmatch(texts[0]) or _PIVOT_WORDS.fullmatch(first))


def counts_up(cells: Sequence[str]) -> bool:
    """Return whether two cells or more are 0, 1, 2 and so on, or start at 1 or -1."""
    values = list(map(whole, cells))
    if len(values) < 2 or values[0] not in (-1, 0, 1):
        return False
    return all(value == values[0] + i for i, value in enumerate(values))


def whole(cell: str) -> int | None:
    """Return the whole number that a cell is, ``1.0`` too; None if it is none."""
    text = trimmed(cell)
    return int(re.split("[.,]", text)[0]) if _WHOLE.fullmatch(text) else None


def ascends(cells: Sequence[str]) -> bool:
    """Return whether all cells are whole numbers, each larger than the one before."""
    values = [value for value in map(whole, cells) if value is not None]
    return len(values) == len(cells) and all(a < b for a, b in pairwise(values))


def stem_of(cell: str) -> str:
    """Return a name without its digits: clusters are often C1, C2, ... or 0, 1, ..."""
    return re.sub(r"\d+", "", trimmed(cell))


def kind_of_name(cell: str) -> str:
    """Return what names of one kind have in common: T1, T2, ... or x, y, z."""
    stem = stem_of(cell)
    return "?" if len(stem) == 1 and stem == trimmed(cell) else stem
