"""Which values of a JSON table are names: those under known keys, and those that look so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from core.files.counts import meant_as_number
from core.files.errors import shown
from core.files.options import ReadOptions
from core.files.survey import Layout, Survey, layout_of

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
) -> Layout:
    """Return which values of rows are names, by the rules for a text.

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
    return replace(layout, notes=(*layout.notes, *notes))


def _all_texts(cells: Sequence[Any]) -> bool:
    return bool(cells) and all(isinstance(cell, str) for cell in cells)


def _text(value: Any) -> str:
    if value is None:
        return ""
    # A truth value is no name, unless the line has a corner.
    return "0" if isinstance(value, bool) else str(value)
