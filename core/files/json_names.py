"""Which values of a JSON table are names: those under known keys, and those that look so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from core.files import block
from core.files.counts import meant_as_number, trimmed
from core.files.errors import FaultKind, shown
from core.files.long_tables import LongLook, Pairs
from core.files.options import ReadOptions
from core.files.survey import Layout, Survey, are_labels, is_long, layout_of


class ShapeError(ValueError):
    """A JSON value that holds no table; the message is a clause.

    Parameters
    ----------
    message : str
        What is wrong.
    kind : FaultKind
        The same for code.
    """

    def __init__(self, message: str, kind: FaultKind = FaultKind.NO_COUNTS) -> None:
        super().__init__(message)
        self.kind = kind


LABELS = (
    "these are labels, one item each, not a table of counts: save them as CSV and import that as "
    "labels"
)

COUNT_KEYS = (
    "counts",
    "table",
    "matrix",
    "contingency",
    "contingency_table",
    "contingency_matrix",
    "confusion_matrix",
    "crosstab",
)
"""What the rows of counts are called beside their names."""

TRUTH_KEYS = (
    "truth",
    "truth_classes",
    "true_labels",
    "classes",
    "class_names",
    "rows",
    "row_names",
    "row_labels",
    "rownames",
    "index",
)
CLUSTER_KEYS = (
    "clusters",
    "cluster_names",
    "cluster_labels",
    "predictions",
    "cols",
    "columns",
    "col_names",
    "column_names",
    "col_labels",
    "column_labels",
    "colnames",
)
"""What the names of classes and of clusters are called."""

_LOOKED_AT = 1000


def names_under(
    value: dict[str, Any], keys: Sequence[str], size: int
) -> tuple[str | None, list[Any] | None]:
    """Return the first key whose value is a list of names, and the list; None where none is.

    Parameters
    ----------
    value : dict
        The object that holds the counts too.
    keys : sequence of str
        What names may be called, the first of which is our own and has to be right.
    size : int
        How many there are to name.
    """
    folded = {key.casefold().replace(" ", "_").replace("-", "_"): key for key in value}
    for key in keys:
        own = folded.get(key)
        if own is None:
            continue
        names = value[own]
        if key == keys[0] or (is_bare(names) and len(names) == size):
            return own, names
    return None, None


def is_bare(value: Any) -> bool:
    """Return whether a value is a list, not empty, of values that are no lists themselves."""
    return isinstance(value, list) and bool(value) and not any(map(_is_nested, value))


def _is_nested(value: Any) -> bool:
    return isinstance(value, list | dict)


def counts_key(value: dict[str, Any]) -> str | None:
    """Return the key of the counts of an object that holds them and names, None where none is."""
    if "counts" in value:
        return None if isinstance(value["counts"], dict) else "counts"
    nested = [key for key, one in value.items() if _is_nested(one) and not is_bare(one)]
    if len(nested) != 1 or nested[0].casefold().replace(" ", "_") not in COUNT_KEYS:
        return None
    rows = value[nested[0]]
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        return None
    width = len(rows[0]) if rows else 0
    _, truth = names_under(value, TRUTH_KEYS, len(rows))
    _, clusters = names_under(value, CLUSTER_KEYS, width)
    return None if truth is None and clusters is None else nested[0]


def left_out(value: dict[str, Any], used: Sequence[str | None]) -> list[str]:
    """Return what is said of lists beside the counts that name nothing."""
    return [
        f"the list {shown(key)} was left out"
        for key, one in value.items()
        if key not in used and key != "notes" and isinstance(one, list)
    ]


def layout_in(
    first: Sequence[Any], below: Sequence[Sequence[Any]], options: ReadOptions, *, named: bool
) -> tuple[Layout, bool]:
    """Return which values of rows are names, by the rules for a text, and whether they are long.

    Parameters
    ----------
    first : sequence
        The first row, or the names of the columns.
    below : sequence of sequences
        The rows below it, none of them empty.
    options : ReadOptions
        What is known already.
    named : bool
        Whether the first row is known to be names.

    Raises
    ------
    ShapeError
        If they are labels.
    """
    survey = Survey()
    texts = list(map(_text, first))
    if len(first) == 2 and first[0] is None and not isinstance(first[1], str):
        # A count that is missing rather than a corner.
        texts[0] = "0"
    survey.add(texts)
    for row in below:
        if survey.rows == 1:
            survey.add(list(map(_text, row)))
        else:
            survey.rows += 1
            survey.used = max(survey.used, len(row))
            survey.add_line(_text(row[0]), len(row))
            if survey.long is not None:
                survey.long.add(list(map(_text, row)))
    if options.header is None and options.index is None and are_labels(survey):
        raise ShapeError(LABELS, FaultKind.LABELS)
    if is_long(survey, options.header, options.index):
        return Layout(survey.width, header=True, index=True), True
    header, index = True if named else options.header, options.index
    # Text above numbers, or beside them, are names whatever the text is.
    if header is None and below and _all_texts(first[1:] or first):
        inside = [cell for row in islice(below, _LOOKED_AT) for cell in row[1:] or row]
        header = True if not all(isinstance(cell, str) for cell in inside) else None
    notes: tuple[str, ...] = ()
    column = [row[0] for row in below]
    if index is None and _all_texts(column) and survey.width > 2:
        inside = [cell for row in islice(below, _LOOKED_AT) for cell in row[1:]]
        if not any(isinstance(cell, str) for cell in inside):
            other = header is not None or isinstance(first[0], str)
            index = True if other else None
            if index and all(meant_as_number(str(cell)) for cell in column):
                notes = (
                    "the numbers written as text in the first column were taken for names of "
                    "classes; they can be counts (index: no)",
                )
    layout = layout_of(survey, header, index)
    if layout.fault:
        raise ShapeError(layout.fault, FaultKind.TEXT)
    return replace(layout, notes=(*layout.notes, *notes)), False


def pivoted(
    names: Sequence[Any], below: Sequence[Sequence[Any]]
) -> tuple[list[list[Any]], list[str], list[str], str]:
    """Return the rows of counts of a long table, its classes and clusters, and what is said.

    Parameters
    ----------
    names : sequence
        Names of the columns.
    below : sequence of sequences
        The rows below them.

    Raises
    ------
    ShapeError
        If a class and a cluster stand in two rows, or one of them has no name.
    """
    look = LongLook(list(map(_text, names[-3:])))
    pairs = Pairs(look.swapped)
    for number, row in enumerate(below, start=1):
        if len(row) != len(names):
            fault = f"row {number} has {len(row)} cells where there are {len(names)} names"
            raise ShapeError(f"{fault}: give every row as many", FaultKind.RAGGED)
        first, second = trimmed(_text(row[-3])), trimmed(_text(row[-2]))
        if not first or not second:
            raise ShapeError(
                f"row {number} has a class or a cluster without a name: write one", FaultKind.BLANK
            )
        earlier = pairs.add(first, second, number)
        if earlier is not None:
            raise ShapeError(
                f"row {number} has {shown(first)} and {shown(second)} as row {earlier} has: add "
                "their counts up",
                FaultKind.RAGGED,
            )
    r, c = pairs.shape
    if r * c > block.MAX_CELLS:
        raise ShapeError(
            f"the table has more than {block.MAX_CELLS:,} cells: leave out empty classes and "
            "clusters",
            FaultKind.TOO_MANY_CELLS,
        )
    rows: list[list[Any]] = [[0] * c for _ in range(r)]
    for (i, j), row in zip(pairs.pairs, below, strict=True):
        rows[i][j] = row[-1]
    truth, clusters = pairs.names
    return rows, truth, clusters, pairs.note()


def _all_texts(cells: Sequence[Any]) -> bool:
    return bool(cells) and all(isinstance(cell, str) for cell in cells)


def _text(value: Any) -> str:
    if value is None:
        return ""
    # A truth value is no name, unless the line has a corner.
    return "0" if isinstance(value, bool) else str(value)
