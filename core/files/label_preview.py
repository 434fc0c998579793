"""A quick look at a label file: its columns, what they seem to be, what they would give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.files.counts import is_blank, trimmed
from core.files.errors import plain, shown
from core.files.label_files import chosen_columns, columns_of
from core.files.label_header import ColumnKind, counts_likely, kinds_of
from core.files.label_open import open_source
from core.files.label_options import ColumnError, LabelOptions, column_at, column_title, noise_among
from core.files.label_sheets import SheetSource
from core.files.label_source import Head
from core.files.label_text import TextSource
from core.files.layout import CORNER

PREVIEW_ROWS = 50
"""Rows that a preview shows."""

_FIRST_LABELS = 5
_NOISE_WORDS = ("-1", "-1.0", "noise", "outlier", "outliers", "unassigned", "unclustered")


@dataclass(frozen=True)
class PreviewColumn:
    """A column as it seems to be.

    Attributes
    ----------
    name : str
        What it is called, with its number where the name does not tell it.
    first : tuple of str
        Its first labels.
    distinct : int
        Number of distinct labels in the rows that were looked at.
    missing : int
        Number of blanks among them.
    guess : {"truth", "prediction", "id", "other"}
        What it seems to hold.
    """

    name: str
    first: tuple[str, ...]
    distinct: int
    missing: int
    guess: ColumnKind


@dataclass(frozen=True)
class LabelPreview:
    """What the beginning of a label file tells.

    Attributes
    ----------
    columns : tuple of PreviewColumn
    rows : tuple of tuple of str
        The first rows, that of names not among them.
    lines : tuple of int
        Where each stands in the file, counted from 1.
    looked_at : int
        Number of rows that were looked at.
    complete : bool
        Whether these are all.
    options : LabelOptions
        What was asked for, completed by what was found out: separator, header, encoding,
        sheet. The columns stand as places where they are known.
    truth : int or None
        The column of truth classes, None where nothing tells it.
    predictions : tuple of int
        The columns of predictions.
    noise_guess : tuple of str
        Labels in the predictions that seem to mean noise.
    is_counts : bool
        Whether the file is rather a table of counts.
    sheets : tuple of str
        Sheets of a workbook.
    is_text : bool
        Whether separator, quotation marks and encoding matter.
    summary : str
        What these rows would give, in one line.
    fault : str or None
        Why the file cannot be read like this, with the remedy, in one sentence.
    """

    columns: tuple[PreviewColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    looked_at: int
    complete: bool
    options: LabelOptions
    truth: int | None
    predictions: tuple[int, ...]
    noise_guess: tuple[str, ...]
    is_counts: bool
    sheets: tuple[str, ...]
    is_text: bool
    summary: str
    fault: str | None


def preview(path: Path | str, options: LabelOptions | None = None) -> LabelPreview:
    """Look at the beginning of a label file.

    Parameters
    ----------
    path : Path or str
        The file; a bounded part of it is read.
    options : LabelOptions, optional
        What is known already.

    Returns
    -------
    LabelPreview

    Raises
    ------
    ReadError
        If there is nothing to show, because the file cannot be read.
    """
    options = options or LabelOptions()
    path = Path(path)
    name = plain(path.name or str(path))
    source = open_source(path, name, options)
    head = source.head
    columns = columns_of(head)
    known = head.names if head.named else ("",) * len(head.names)
    kinds = kinds_of(known, columns)
    shown_columns = tuple(
        _column(column_title(i, head.names), column, kinds[i]) for i, column in enumerate(columns)
    )
    truth, predictions, fault = _chosen(head, options, kinds, name)
    resolved = replace(options, header=head.named, truth=truth, predictions=predictions)
    sheets: tuple[str, ...] = ()
    if isinstance(source, TextSource):
        resolved = replace(resolved, separator=source.separator, encoding=source.encoding)
    elif isinstance(source, SheetSource):
        resolved = replace(resolved, sheet=source.sheet)
        sheets = source.sheets
    names = [column.name for column in shown_columns]
    return LabelPreview(
        columns=shown_columns,
        rows=head.rows[:PREVIEW_ROWS],
        lines=head.lines[:PREVIEW_ROWS],
        looked_at=len(head.rows),
        complete=head.complete,
        options=resolved,
        truth=truth,
        predictions=predictions,
        noise_guess=_noise_guess(columns, predictions),
        is_counts=_is_counts(head),
        sheets=sheets,
        is_text=isinstance(source, TextSource),
        summary=_summary(head, columns, names, options, truth, predictions),
        fault=fault or _fault(head, columns, names, options, truth, predictions, name),
    )


def _column(title: str, labels: Sequence[str], kind: ColumnKind) -> PreviewColumn:
    present = [label for label in map(trimmed, labels) if label]
    return PreviewColumn(
        title,
        tuple(labels[:_FIRST_LABELS]),
        len(set(present)),
        len(labels) - len(present),
        kind,
    )


def _chosen(
    head: Head, options: LabelOptions, kinds: Sequence[ColumnKind], name: str
) -> tuple[int | None, tuple[int, ...], str | None]:
    """Return truth and predictions as far as they are known, and what is wrong with them."""
    given = options
    if given.truth is None and "truth" in kinds:
        # A guess is good enough to be shown: whoever sees it can change it.
        given = replace(given, truth=kinds.index("truth"))
    try:
        truth, predictions = chosen_columns(head, given, name)
        return truth, predictions, None
    except ColumnError as error:
        fault = str(error)
    try:
        truth_alone = None if given.truth is None else column_at(given.truth, head.names, name)
        wanted = given.predictions or ()
        places = tuple(dict.fromkeys(column_at(p, head.names, name) for p in wanted))
    except ColumnError:
        return None, (), fault
    return truth_alone, places, fault


def _noise_guess(columns: Sequence[Sequence[str]], predictions: Sequence[int]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for place in predictions:
        for label in set(map(trimmed, columns[place])):
            if label.casefold() in _NOISE_WORDS:
                found[label] = None
    return tuple(sorted(found, key=lambda label: (_NOISE_WORDS.index(label.casefold()), label)))


def _is_counts(head: Head) -> bool:
    if head.names and head.names[0] == CORNER:
        return True
    return head.complete and counts_likely(head.named, head.names, head.rows)


def _summary(
    head: Head,
    columns: Sequence[Sequence[str]],
    names: Sequence[str],
    options: LabelOptions,
    truth: int | None,
    predictions: Sequence[int],
) -> str:
    """Return what the rows would give, as ``3 classes × 4 clusters from 150 rows``."""
    n = len(head.rows)
    rows = f"{n:,} {'row' if n == 1 else 'rows'}{'' if head.complete else ' previewed'}"
    if truth is None or not predictions or not n:
        return f"{rows}, {len(head.names)} columns"
    classes = _distinct(columns[truth])
    sizes = []
    for place in predictions[:4]:
        clusters = _clusters(columns[place], options)
        of = f" ({names[place]})" if len(predictions) > 1 else ""
        sizes.append(f"{clusters:,} {'cluster' if clusters == 1 else 'clusters'}{of}")
    more = f" and {len(predictions) - 4} more" if len(predictions) > 4 else ""
    text = f"{classes:,} {'class' if classes == 1 else 'classes'} × {', '.join(sizes)}{more}"
    parts = [f"{text} from {rows}", *_noise(columns, names, options, predictions)]
    return "; ".join([*parts, *_missing(columns, options, truth, predictions)])


def _distinct(labels: Sequence[str]) -> int:
    return len({trimmed(label) for label in labels} - {""})


def _clusters(labels: Sequence[str], options: LabelOptions) -> int:
    """Return how many clusters a prediction would have, noise treated as it shall be."""
    trimmed_labels = list(map(trimmed, labels))
    present = set(trimmed_labels)
    noise = noise_among(present, options.noise_names)
    noise |= {""} if options.missing_choice == "noise" else set()
    if options.noise != "cluster":
        single = options.noise == "singletons"
        alone = sum(label in noise for label in trimmed_labels) if single else 0
        return len(present - noise - {""}) + alone
    return len(present if "" in noise else present - {""})


def _noise(
    columns: Sequence[Sequence[str]],
    names: Sequence[str],
    options: LabelOptions,
    predictions: Sequence[int],
) -> list[str]:
    labels = options.noise_names
    blank = options.missing_choice == "noise"
    parts = []
    for place in predictions[:4]:
        present = list(map(trimmed, columns[place]))
        meant = noise_among(set(present), labels)
        found = [label for label in present if label in meant]
        blanks = sum(map(is_blank, columns[place])) if blank else 0
        n = len(found) + blanks
        if not n:
            continue
        called = [*sorted(set(found)), *(["blank"] if blanks else [])]
        what = {
            "cluster": "are noise, kept as one cluster",
            "drop": "are noise, left out",
            "singletons": "are noise, each a cluster of its own",
        }[options.noise]
        if n == 1:
            what = what.replace("are ", "is ", 1).replace(", each a", ", a")
        of = f" of {names[place]}" if len(predictions) > 1 else ""
        parts.append(
            f"{n:,} {'item' if n == 1 else 'items'}{of} labelled {' or '.join(called)} {what}"
        )
    return parts


def _missing(
    columns: Sequence[Sequence[str]],
    options: LabelOptions,
    truth: int,
    predictions: Sequence[int],
) -> list[str]:
    if options.missing_choice != "drop":
        return []
    n = sum(
        any(is_blank(columns[place][i]) for place in (truth, *predictions))
        for i in range(len(columns[truth]))
    )
    if not n:
        return []
    return [
        f"{n:,} {'item lacks' if n == 1 else 'items lack'} a label and "
        f"{'is' if n == 1 else 'are'} left out"
    ]


def _fault(
    head: Head,
    columns: Sequence[Sequence[str]],
    names: Sequence[str],
    options: LabelOptions,
    truth: int | None,
    predictions: Sequence[int],
    name: str,
) -> str | None:
    """Return what is wrong with the rows that were looked at."""
    if head.fault:
        return head.fault
    if not head.rows:
        return f"{name} has names but no labels."
    width = len(head.names)
    for row, line in zip(head.rows, head.lines, strict=True):
        if len(row) < width or any(not is_blank(cell) for cell in row[width:]):
            remedy = "add what is missing" if len(row) < width else "delete what is too much"
            return (
                f"Line {line}: it has {len(row)} {'cell' if len(row) == 1 else 'cells'} where the "
                f"others have {width}: {remedy}, or choose another separator."
            )
    choice = options.missing_choice
    for place in () if truth is None else (truth, *predictions):
        if choice == "drop" or (choice == "noise" and place != truth):
            continue
        for label, line in zip(columns[place], head.lines, strict=True):
            if is_blank(label):
                return (
                    f"Line {line}: the item has no label in column {shown(names[place])}: say what "
                    "is done with missing labels, or give it one."
                )
    return None


__all__ = ["PREVIEW_ROWS", "LabelPreview", "PreviewColumn", "preview"]
