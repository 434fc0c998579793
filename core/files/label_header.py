"""What the columns of a label file seem to be: names, truth, predictions, numbers of items."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Literal, TypeAlias

from core.files.counts import is_blank, meant_as_number, trimmed
from core.files.errors import shown

ColumnKind: TypeAlias = Literal["truth", "prediction", "id", "other"]
"""What a column seems to hold: classes, clusters, a name of each item, anything else."""

# From the surest to the one that a prediction may have as well.
_TRUTH_WORDS = (
    "ground truth|groundtruth|gold(?: standard)?|y true|true(?: (?:labels?|class(?:es)?))?|"
    "truth(?: (?:labels?|class(?:es)?))?|gt|actual(?: class)?",
    "target|reference|expected|(?:class|category|species|digit|type)(?: (?:labels?|names?))?|y",
    "labels?|classes|categories",
)
_TRUTH = tuple(re.compile(words) for words in _TRUTH_WORDS)
_PREDICTION = re.compile(
    r"(?:y )?pred(?:icted|iction|ictions)?(?: .*)?|.*\b(?:clusters?|clustering|assign(?:ed|ment)|"
    r"means|medoids|dbscan|optics|agglomerative|hierarchical|ward|gmm|spectral|birch|louvain|"
    r"leiden|partition|group|segment)\b.*|(?:k|mini ?batch ?k|x)means.*|h?dbscan.*|gmm.*"
)
_ID = re.compile(
    r"(?:(?:item|sample|row|point|object|record) ?)?(?:id|ids|index|no|nr|number|name)"
)
_WHOLE = re.compile(r"(-?[0-9]{1,300})(?:\.0+)?")

_FEWEST_FOR_ID = 3
_LOOKED_AT = 2000


def words_of(name: str) -> str:
    """Return a name in words: ``Y_True`` and ``y.true`` are ``y true``."""
    parted = re.sub(r"([a-z])([A-Z])", r"\1 \2", trimmed(name))
    return re.sub(r"[^\w]+|_+", " ", parted).strip().casefold()


def truth_rank(name: str) -> int | None:
    """Return how surely a name is that of truth, 0 being the surest; None if it is none."""
    words = words_of(name)
    return next((rank for rank, known in enumerate(_TRUTH) if known.fullmatch(words)), None)


def is_prediction_name(name: str) -> bool:
    """Return whether a name speaks of clusters or of a clustering algorithm."""
    return _PREDICTION.fullmatch(words_of(name)) is not None


def whole_number(text: str) -> int | None:
    """Return the whole number that a label is, be it ``7`` or ``7.0``; None if it is none."""
    match = _WHOLE.fullmatch(text)
    return int(match[1]) if match else None


def is_header(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row holds names.

    Parameters
    ----------
    first : sequence of str
        The first row.
    others : sequence of sequence of str
        Rows below it.

    Returns
    -------
    bool

    Notes
    -----
    A row with a word of truth or clusters does. So does one that has a text and no blank
    but in its corner, and of which no cell comes again below: labels come again.
    """
    names = [trimmed(cell) for cell in first]
    again = _again(names, others)
    if _speaks(names, again):
        return True
    if any(again) or not others or any(is_blank(name) for name in names[1:]):
        return False
    return any(name and not meant_as_number(name) for name in names)


def header_note(first: Sequence[str], others: Sequence[Sequence[str]]) -> str | None:
    """Return what is said of a first row that was taken for names and may be an item.

    Parameters
    ----------
    first : sequence of str
        The first row.
    others : sequence of sequence of str
        Rows below it.

    Returns
    -------
    str or None
        None where a word of truth or clusters is among the names.
    """
    names = [trimmed(cell) for cell in first]
    if _speaks(names, _again(names, others)):
        return None
    few = ", ".join(map(shown, names[:4])) + (" and others" if len(names) > 4 else "")
    return f"the first line, {few}, was taken for names of columns; it can be an item (header: no)"


def _again(names: Sequence[str], others: Sequence[Sequence[str]]) -> list[bool]:
    """Return which of the names come again in the column below."""
    columns = _columns(others)
    columns += [set()] * (len(names) - len(columns))
    return [bool(name) and name in below for name, below in zip(names, columns, strict=False)]


def _speaks(names: Sequence[str], again: Sequence[bool]) -> bool:
    """Return whether a name that is no label speaks of truth or of clusters."""
    return any(
        truth_rank(name) is not None or is_prediction_name(name)
        for name, comes_again in zip(names, again, strict=True)
        if not comes_again
    )


def _columns(rows: Sequence[Sequence[str]]) -> list[set[str]]:
    looked_at = list(islice(rows, _LOOKED_AT))
    width = max(map(len, looked_at), default=0)
    return [{trimmed(row[i]) for row in looked_at if i < len(row)} for i in range(width)]


def kinds_of(names: Sequence[str], columns: Sequence[Sequence[str]]) -> list[ColumnKind]:
    """Return what each column seems to be; one at most is truth.

    Parameters
    ----------
    names : sequence of str
        Names of the columns, empty where they have none.
    columns : sequence of sequence of str
        Their first labels.

    Returns
    -------
    list of {"truth", "prediction", "id", "other"}
        Truth is the column whose name says so most surely, else the first that may be.
    """
    kinds: list[ColumnKind] = [
        _kind(name, column) for name, column in zip(names, columns, strict=True)
    ]
    # Where every item has its own, the word is rather that of an item.
    ranks = [
        (kinds[place] == "id", rank, place)
        for place, name in enumerate(names)
        if (rank := truth_rank(name)) is not None and kinds[place] != "other"
    ]
    if ranks:
        kinds[min(ranks)[2]] = "truth"
        return kinds
    candidates = [place for place, kind in enumerate(kinds) if kind == "prediction"]
    unnamed = [place for place in candidates if not is_prediction_name(names[place])]
    if len(candidates) > 1 and unnamed:
        kinds[unnamed[0]] = "truth"
    return kinds


def is_truth_sure(names: Sequence[str], kinds: Sequence[ColumnKind]) -> bool:
    """Return whether the column of truth is told by its name, or by there being two columns."""
    place = next((i for i, kind in enumerate(kinds) if kind == "truth"), None)
    if place is None:
        return False
    return truth_rank(names[place]) is not None or sum(k == "prediction" for k in kinds) == 1


def _kind(name: str, column: Sequence[str]) -> ColumnKind:
    labels = [label for label in map(trimmed, column) if label]
    distinct = set(labels)
    if is_prediction_name(name) or not column:
        return "prediction"
    if len(labels) >= _FEWEST_FOR_ID and len(distinct) == len(labels):
        return "id"
    if _ID.fullmatch(words_of(name)) and 2 * len(distinct) > len(labels):
        return "id"
    if not labels:
        return "other"
    measured = sum(whole_number(label) is None and meant_as_number(label) for label in distinct)
    if 2 * measured > len(distinct) and 4 * len(distinct) > len(labels) and len(labels) > 4:
        # Measurements: 5.1, 3.5, 1.4
        return "other"
    return "prediction"


def counts_likely(named: bool, names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return whether rows are rather those of a table of counts.

    Parameters
    ----------
    named : bool
        Whether there is a line of names.
    names : sequence of str
        Names of the columns.
    rows : sequence of sequence of str
        All rows below it.

    Returns
    -------
    bool
        True where the first column names each row once, or no column does, and all other
        cells are whole numbers of 0 or more, none of the columns being called a clustering.
    """
    if not rows or not names:
        return False
    if named and any(truth_rank(n) is not None or is_prediction_name(n) for n in names[1:]):
        # "cluster 0, cluster 1" over counts are names of clusters, each with its number.
        stems = {re.sub(r"[\d\s]+", "", words_of(name)) for name in names[1:]}
        if len(stems) > 1 or len(names) < 3 or not re.search(r"\d", names[-1]):
            return False
    first = [trimmed(row[0]) for row in rows if row]
    others = [cell for row in rows for cell in map(trimmed, row[1:])]
    if not others or not all(cell.isascii() and cell.isdigit() for cell in others):
        return False
    if len(set(first)) != len(first):
        return False
    if named and _ID.fullmatch(words_of(names[0])) and truth_rank(names[0]) is None:
        # An item a line: its labels come again, counts hardly do.
        return 2 * len(set(others)) > len(others)
    if named:
        return True
    return len(set(map(tuple, rows))) == len(rows) and len(rows) < 3 * len(names)
