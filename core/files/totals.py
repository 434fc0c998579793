"""Lines and columns of sums in a table, which are no classes and no clusters.

A line is a total if it is named like one, wherever it stands, or if it is the last and
alone has no name, and it is the sum of the others: then it is left out, and that is said.
One that is named like a total and is not the sum of the others is refused, because nobody
can know what it is; so is one that is named like shares.
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
    if len(name) > 60 or not _may_be_known(name):
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


_SHARE_WORDS = (
    "pct perc percent percents percentage percentages percentuale procent porcentaje porcentajes "
    "pourcentage pourcentages prozent prozente"
)
_SHARES = frozenset(_words(_SHARE_WORDS))


def is_share_name(name: str) -> bool:
    """Return whether a name is that of shares of a total, as in ``%`` and ``row percent``."""
    if len(name) > 60 or not _may_be_known(name):
        return False
    words = [word for word in _words(name) if word not in ("in", "within")]
    marked = "%" in name or "‰" in name
    if re.search(r"\d", name) or (not marked and _SHARES.isdisjoint(words)):
        return False
    return all(word in _KNOWN or word in _SHARES for word in words)


def _may_be_known(name: str) -> bool:
    """Return whether a name may consist of known words: of most it is told by the first."""
    if not name.isascii() or "%" in name:
        return True
    match = _FIRST_WORD.search(name)
    if match is None:
        return False
    word = match[0].lower()
    return word in _KNOWN or word in _SHARES or word in ("in", "within")


_FIRST_WORD = re.compile(r"[A-Za-z]+")


class Lines(NamedTuple):
    """The counts of a table and its names, which may be absent."""

    counts: IntArray
    truth: Sequence[str] | None
    clusters: Sequence[str] | None


class TotalError(ValueError):
    """A line that is named like a total and is not the sum of the others, or like shares."""


def without_totals(lines: Lines, rule: Totals | None) -> tuple[Lines, list[str]]:
    """Return a table without its lines of sums, and what is to be said of them.

    Parameters
    ----------
    lines : Lines
        Counts of shape (r, c), names of rows and columns or None.
    rule : {"drop", "keep"} or None
        What is done with a line that is named like a total or like shares. None leaves a
        total out if it is the sum of the others.

    Returns
    -------
    lines, notes : Lines, list of str

    Raises
    ------
    TotalError
        If a line is named like a total and is not the sum of the others, or is named like
        shares.
    """
    rows, columns = _Axis.of(lines.truth), _Axis.of(lines.clusters)
    if rule is None:
        _refuse_shares(rows, "row")
        _refuse_shares(columns, "column")
    notes: list[str] = []
    # Where sums meet is no sum of either, and shares are none at all.
    inner = lines.counts if columns.is_plain else lines.counts[:, columns.others(lines.counts.T)]
    drop_rows = _dropped(inner, rows, rule, "row", notes)
    inner = lines.counts if rows.is_plain else lines.counts[rows.others(lines.counts)]
    drop_columns = _dropped(inner.T, columns, rule, "column", notes)
    if rule is None:
        for row in set(drop_rows) & set(rows.totals or drop_rows):
            for column in set(drop_columns) & set(columns.totals or drop_columns):
                _check_corner(lines.counts, row, column, rows)
    counts, truth, clusters = lines
    if drop_rows:
        counts, truth = np.delete(counts, drop_rows, axis=0), _without(truth, drop_rows)
    if drop_columns:
        counts, clusters = np.delete(counts, drop_columns, axis=1), _without(clusters, drop_columns)
    return Lines(np.ascontiguousarray(counts), truth, clusters), notes


def sum_notes(lines: Lines) -> list[str]:
    """Return what is to be said of sums in a table of our own, which is read as it is."""
    return without_totals(lines, "keep")[1]


class _Axis(NamedTuple):
    """The lines of one side of a table that may be no classes, or no clusters.

    Attributes
    ----------
    names : sequence of str, or None
    totals, shares : list of int
        Which are named like a total, and like shares.
    unnamed : bool
        Whether the last is the only one without a name.
    """

    names: Sequence[str] | None
    totals: list[int]
    shares: list[int]
    unnamed: bool

    @classmethod
    def of(cls, names: Sequence[str] | None) -> _Axis:
        """Look at the names of a side."""
        if names is None or len(names) < 2:
            return cls(names, [], [], False)
        shares = [i for i, name in enumerate(names) if is_share_name(name)]
        totals = [i for i, name in enumerate(names) if is_total_name(name) and i not in shares]
        if len(totals) + len(shares) == len(names):
            # Something has to be left, of which the last may be the sum.
            totals = [i for i in totals if i == len(names) - 1]
            shares = shares if totals else []
        unnamed = is_blank(names[-1]) and not any(map(is_blank, names[:-1]))
        return cls(names, totals, shares, unnamed)

    @property
    def is_plain(self) -> bool:
        """Whether no line has an odd name."""
        return not self.totals and not self.shares

    def others(self, counts: IntArray) -> list[int]:
        """Return the lines that have no odd name."""
        odd = {*self.totals, *self.shares}
        return [i for i in range(len(counts)) if i not in odd]

    def called(self, place: int, what: str, count: int) -> str:
        """Return the words that name a line."""
        it = f"the last {what}" if place == count - 1 else f"{what} {place + 1}"
        if self.names is not None and not is_blank(self.names[place]):
            it += f", {shown(self.names[place])},"
        return it


def _refuse_shares(axis: _Axis, what: str) -> None:
    for place in axis.shares:
        it = axis.called(place, what, len(axis.names or ()))
        raise TotalError(
            f"{it} is named like shares, which are no counts: leave it out (totals: drop) or "
            f"count it as a {'class' if what == 'row' else 'cluster'} (totals: keep)"
        )


def _dropped(
    counts: IntArray, axis: _Axis, rule: Totals | None, what: str, notes: list[str]
) -> list[int]:
    """Return which lines are left out, and note what is said of them."""
    size = len(counts)
    if size < 2:
        return []
    dropped: list[int] = []
    if rule == "drop":
        for place in axis.shares:
            notes.append(f"{axis.called(place, what, size)} was left out")
            dropped.append(place)
    last = size - 1
    others = axis.others(counts)
    for place in axis.totals or [last]:
        it = axis.called(place, what, size)
        named = bool(axis.totals)
        if place in dropped:
            continue
        # Usually it is the last already, and nothing is copied.
        as_is = not named or (place == last and len(others) == last)
        lines = counts if as_is else counts[[*others, place]]
        wrong = _first_difference(lines)
        is_sum = wrong is None
        # One line is the sum of one other like it, and nothing is the sum of nothing, by chance.
        telling = is_sum and len(lines) > 2 and bool(lines[-1].any())
        if named and rule == "drop":
            notes.append(
                f"{it} was left out{'' if is_sum else ', though it is not the sum of the others'}"
            )
            dropped.append(place)
        elif named and rule is None:
            if wrong is not None:
                has, expected = int(lines[-1, wrong]), _sum_of(lines, wrong)
                raise TotalError(
                    f"{it} is named like a total, but has {has} where the others add up to "
                    f"{expected}: correct it, leave it out (totals: drop) or count it as a "
                    f"{'class' if what == 'row' else 'cluster'} (totals: keep)"
                )
            notes.append(f"{it} is the sum of the others and was left out")
            dropped.append(place)
        elif axis.unnamed and not named and telling and rule != "keep":
            notes.append(f"{it} has no name, is the sum of the others and was left out")
            dropped.append(place)
        elif (is_sum and named) or telling:
            notes.append(f"{it} is the sum of the others and was counted like them")
    return dropped


def _check_corner(counts: IntArray, row: int, column: int, rows: _Axis) -> None:
    others = [i for i in rows.others(counts) if i != row]
    has, expected = int(counts[row, column]), sum(counts[others, column].tolist())
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


def _without(names: Sequence[str] | None, places: list[int]) -> Sequence[str] | None:
    if names is None:
        return None
    left_out = set(places)
    return [name for i, name in enumerate(names) if i not in left_out]
