"""Lines and columns of sums at the end of a table, which are no classes and no clusters.

A last line is a total if it is named like one, or if it alone has no name, and it is the
sum of the others: then it is left out, and that is said. One that is named like a total
and is not the sum of the others is refused, because nobody can know what it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.counts import IntArray
from core.files.counts import is_blank
from core.files.errors import shown
from core.files.options import Totals

# What the totals of a table are called, without accents.
_TOTAL_WORDS = (
    "all celkem eindtotaal gesamt gesamtergebnis gesamtsumme gesamtzahl insgesamt margin margins "
    "osszesen razem soma somme soucet sum suma summa summe sums toplam totaal total totale "
    "totales totali totals totalt totalsumme yhteensa итог итого всего сумма разом "
    "合计 总计 總計 合計 総計 합계 총계 المجموع σ ∑"
)
# What stands beside these words and changes nothing.
_OTHER_WORDS = (
    "class classes cluster clusters col colonne colonnes cols column columns complessivo count "
    "counts de des der final general generale grand koncowa ligne lignes n of overall row rows "
    "spalte spalten the zeile zeilen общий"
)


def is_total_name(name: str) -> bool:
    """Return whether a name is that of a total, in one of some twenty languages.

    Examples
    --------
    >>> is_total_name("Grand Total"), is_total_name("Total général"), is_total_name("totality")
    (True, True, False)
    """
    if len(name) > 60:
        return False
    words = _words(name)
    return not _TOTAL.isdisjoint(words) and all(word in _KNOWN for word in words)


def _words(text: str) -> list[str]:
    """Return the words of a text without accents."""
    bare = unicodedata.normalize("NFKD", text).casefold()
    bare = "".join(c for c in bare if not unicodedata.combining(c))
    # Hangul comes apart under NFKD.
    return re.findall(r"[^\W\d_]+|[∑]", unicodedata.normalize("NFC", bare))


_TOTAL = frozenset(_words(_TOTAL_WORDS))
_KNOWN = _TOTAL | frozenset(_words(_OTHER_WORDS))


class Lines(NamedTuple):
    """The counts of a table and its names, which may be absent."""

    counts: IntArray
    truth: Sequence[str] | None
    clusters: Sequence[str] | None


class TotalError(ValueError):
    """A last line that is named like a total and is not the sum of the others."""


def without_totals(lines: Lines, rule: Totals | None) -> tuple[Lines, list[str]]:
    """Return a table without its lines of sums, and what is to be said of them.

    Parameters
    ----------
    lines : Lines
        Counts of shape (r, c), names of rows and columns or None.
    rule : {"drop", "keep"} or None
        What is done with a last line that is named like a total. None leaves it out if it
        is the sum of the others.

    Returns
    -------
    lines, notes : Lines, list of str

    Raises
    ------
    TotalError
        If a last line is named like a total and is not the sum of the others.
    """
    counts, truth, clusters = lines
    row, column = _suspect(truth), _suspect(clusters)
    notes: list[str] = []
    # The corner belongs to both sums.
    inner = counts[:, :-1] if column == "named" and counts.shape[1] > 1 else counts
    drop_row = _dropped(inner, truth, row, rule, "row", notes)
    inner = counts[:-1] if row == "named" and counts.shape[0] > 1 else counts
    drop_column = _dropped(inner.T, clusters, column, rule, "column", notes)
    if drop_row and drop_column and rule is None:
        _check_corner(counts)
    if drop_row:
        counts, truth = counts[:-1], _without_last(truth)
    if drop_column:
        counts, clusters = counts[:, :-1], _without_last(clusters)
    return Lines(np.ascontiguousarray(counts), truth, clusters), notes


def sum_notes(lines: Lines) -> list[str]:
    """Return what is to be said of sums in a table of our own, which is read as it is."""
    return without_totals(lines, "keep")[1]


def _suspect(names: Sequence[str] | None) -> str:
    """Return whether the last line is named like a total, is the only unnamed one, or neither."""
    if names is None or len(names) < 2:
        return ""
    if is_total_name(names[-1]):
        return "named"
    if is_blank(names[-1]) and not any(map(is_blank, names[:-1])):
        return "unnamed"
    return ""


def _dropped(
    counts: IntArray,
    names: Sequence[str] | None,
    suspect: str,
    rule: Totals | None,
    what: str,
    notes: list[str],
) -> bool:
    """Return whether the last line is left out, and note what is said of it."""
    if len(counts) < 2:
        return False
    it = f"the last {what}"
    if names is not None and not is_blank(names[-1]):
        it += f", {shown(names[-1])},"
    wrong = _first_difference(counts)
    is_sum = wrong is None
    if suspect == "named" and rule == "drop":
        notes.append(
            f"{it} was left out{'' if is_sum else ', though it is not the sum of the others'}"
        )
        return True
    # One line is the sum of one other like it, and nothing is the sum of nothing, by chance.
    telling = is_sum and len(counts) > 2 and bool(counts[-1].any())
    if suspect == "named" and rule is None:
        if wrong is not None:
            has, expected = int(counts[-1, wrong]), _sum_of(counts, wrong)
            raise TotalError(
                f"{it} is named like a total, but has {has} where the others add up to "
                f"{expected}: correct it, leave it out (totals: drop) or count it as a "
                f"{'class' if what == 'row' else 'cluster'} (totals: keep)"
            )
        notes.append(f"{it} is the sum of the others and was left out")
        return True
    if suspect == "unnamed" and telling and rule != "keep":
        notes.append(f"{it} has no name, is the sum of the others and was left out")
        return True
    if (is_sum and suspect == "named") or telling:
        notes.append(f"{it} is the sum of the others and was counted like them")
    return False


def _check_corner(counts: IntArray) -> None:
    has, expected = int(counts[-1, -1]), sum(counts[:-1, -1].tolist())
    if has != expected:
        raise TotalError(
            f"the total of all is {has} where the totals add up to {expected}: correct it, leave "
            "the totals out (totals: drop) or count them (totals: keep)"
        )


_PIECE = 1 << 16


def _first_difference(counts: IntArray) -> int | None:
    """Return the first place where the last line is not the sum of the others, None if none is."""
    # In pieces, and first without the digits that could overflow.
    width = max(_PIECE // len(counts), 1)
    for start in range(0, counts.shape[1], width):
        piece = counts[:, start : start + width]
        # Sums wrap alike, so a difference here is one of the exact sums too.
        differs = np.flatnonzero(piece[:-1].sum(axis=0) != piece[-1])
        if len(differs):
            return start + int(differs[0])
        near = piece[:-1].astype(np.float64).sum(axis=0) > 2.0**62
        for place in np.flatnonzero(near).tolist():
            if _sum_of(counts, start + place) != int(piece[-1, place]):
                return start + place
    return None


def _sum_of(counts: IntArray, place: int) -> int:
    return sum(counts[:-1, place].tolist())


def _without_last(names: Sequence[str] | None) -> Sequence[str] | None:
    return None if names is None else names[:-1]
