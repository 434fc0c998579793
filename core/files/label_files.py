"""Files of labels, one item a row, as contingency tables: one for each prediction."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.files.errors import FaultKind, ReadError, plain, sentence, shown
from core.files.label_columns import Column, Encoded, table_of
from core.files.label_decoding import NotUtf8Error
from core.files.label_header import is_truth_sure, kinds_of
from core.files.label_open import open_source
from core.files.label_options import ColumnError, ColumnRef, LabelOptions, column_at, column_title
from core.files.label_source import Head, Source
from core.files.stamp import Stamp
from core.named_table import NamedTable
from core.studies.study import Pulse, Step, run_to_end
from core.table import TableError

__all__ = [
    "ColumnError",
    "ColumnRef",
    "LabelFile",
    "LabelOptions",
    "Labels",
    "chosen_columns",
    "read_labels",
]

MAX_LABELS = 400_000_000
"""Labels of all chosen columns that are kept, four bytes each."""


@dataclass(frozen=True)
class Labels:
    """The tables of a label file, and how it was read.

    Attributes
    ----------
    tables : tuple of NamedTable
        One for each prediction, named after its column.
    truth : str
        The column of truth classes.
    items : int
        Number of items in the file.
    how : str
        How it was read, in one sentence.
    stamp : tuple of int and int, or None
        When the file was last changed, in nanoseconds, and its size.
    """

    tables: tuple[NamedTable, ...]
    truth: str
    items: int
    how: str
    stamp: Stamp | None = None


@dataclass(frozen=True)
class LabelFile:
    """The study that counts the labels of a file into tables.

    Attributes
    ----------
    path : Path or str
        A text, a workbook, a Parquet file, or arrays of NumPy.
    options : LabelOptions
        What is known already.
    name : str, optional
        What messages call the file; its name by default.
    """

    path: Path | str
    options: LabelOptions = field(default_factory=LabelOptions)
    name: str | None = None

    def run(self) -> Generator[Step[Labels], None, None]:
        """Read, with a step every twentieth of a second; the last has the `Labels`.

        Raises
        ------
        ReadError
            If the file cannot be read, a label is missing, or a column is not there.
        """
        path = Path(self.path)
        name = plain(self.name or path.name or str(path))
        yield Step(0, None, f"looking at {name}")
        source = open_source(path, name, self.options)
        try:
            labels = yield from _counted(source, name, path.name, self.options)
        except NotUtf8Error:
            source = open_source(path, name, self.options, fallback=True)
            labels = yield from _counted(source, name, path.name, self.options)
        yield Step(labels.items, labels.items, f"read {name}", result=labels)


def read_labels(
    path: Path | str, options: LabelOptions | None = None, *, name: str | None = None
) -> Labels:
    """Read a label file without looking at the steps; see `LabelFile`."""
    return run_to_end(LabelFile(path, options or LabelOptions(), name))


def chosen_columns(head: Head, options: LabelOptions, name: str) -> tuple[int, tuple[int, ...]]:
    """Return the places of the truth column and of the predictions.

    Parameters
    ----------
    head : Head
        The beginning of the file.
    options : LabelOptions
        What is known of the columns.
    name : str
        What messages call the file.

    Raises
    ------
    ColumnError
        If a column is not there, or it is not known which is truth.
    """
    names = head.names
    if len(names) < 2:
        raise ColumnError(
            f"{name} has one column: labels need two, the truth class and the cluster of each "
            "item; say what separates them if it holds both."
        )
    known = names if head.named else ("",) * len(names)
    kinds = kinds_of(known, columns_of(head))
    if options.truth is not None:
        truth = column_at(options.truth, names, name)
    elif is_truth_sure(known, kinds):
        truth = kinds.index("truth")
    else:
        raise ColumnError(
            f"{name} does not tell which of its {len(names)} columns holds the truth classes: "
            "say which."
        )
    if options.predictions is None:
        places = tuple(
            i for i, kind in enumerate(kinds) if i != truth and kind in ("prediction", "truth")
        )
        # With two columns there is no doubt, whatever they look like.
        places = places or tuple(i for i in range(len(names)) if i != truth and len(names) == 2)
    else:
        places = tuple(dict.fromkeys(column_at(p, names, name) for p in options.predictions))
    if not places:
        raise ColumnError(f"{name}: choose at least one column of predictions.")
    if truth in places:
        raise ColumnError(
            f"{name}: column {shown(column_title(truth, names))} cannot be the truth and a "
            "prediction at once: choose another."
        )
    return truth, places


def columns_of(head: Head) -> list[list[str]]:
    """Return the first labels column by column; cells that a row lacks are blank."""
    width = len(head.names)
    padded = [(*row, *[""] * (width - len(row)))[:width] for row in head.rows]
    return [[row[i] for row in padded] for i in range(width)]


def _counted(
    source: Source, name: str, file: str, options: LabelOptions
) -> Generator[Step[Any], None, Labels]:
    names = source.head.names
    truth, predictions = chosen_columns(source.head, options, name)
    places = (truth, *predictions)
    pulse = Pulse()
    encoded, items = yield from _encoded(source, places, name, pulse)
    if not items:
        raise ReadError(f"{name} has names but no labels.", kind=FaultKind.EMPTY)
    for place, column in zip(places, encoded, strict=True):
        item = column.first_missing()
        if item is not None and _refused(options, is_truth=place == truth):
            where = yield from source.place(item)
            raise _missing(name, where, column_title(place, names), options, place == truth)
    common = tuple(source.notes())
    of_truth = tuple(_column_notes(column_title(truth, names), encoded[0]))
    tables = []
    for place, column in zip(predictions, encoded[1:], strict=True):
        title = column_title(place, names)
        try:
            table, notes = yield from table_of(encoded[0], column, options, pulse)
        except TableError as error:
            raise ReadError(
                f"{name}, {title}: {_remedied(str(error))}.", kind=FaultKind.LABELS
            ) from None
        also = (*of_truth, *_column_notes(title, column))
        tables.append(NamedTable(title, table, file, (*common, *notes, *also)))
    title = column_title(truth, names)
    how = sentence(f"{shown(title)} holds the truth classes; {source.how}")
    return Labels(tuple(tables), title, items, how, source.stamp)


def _encoded(
    source: Source, places: Sequence[int], name: str, pulse: Pulse
) -> Generator[Step[Any], None, tuple[list[Encoded], int]]:
    columns = [Column() for _ in places]
    items = 0
    for block in source.blocks(places):
        for column, labels in zip(columns, block.columns, strict=True):
            column.add(labels)
        items += block.items
        if items * len(places) > MAX_LABELS:
            raise ReadError(
                f"{name} has more than {MAX_LABELS:,} labels: choose fewer predictions.",
                kind=FaultKind.TOO_BIG,
            )
        if pulse.due():
            yield Step(block.done, block.total, f"reading {name}, {items:,} items")
    encoded = []
    for column in columns:
        done = yield from column.finish(pulse)
        encoded.append(done)
    return encoded, items


def _refused(options: LabelOptions, *, is_truth: bool) -> bool:
    choice = options.missing_choice
    return choice == "refuse" or (choice == "noise" and is_truth)


def _missing(name: str, where: str, title: str, options: LabelOptions, is_truth: bool) -> ReadError:
    if is_truth and options.missing_choice == "noise":
        remedy = "a truth label is never noise, so give it one or leave such items out"
    elif is_truth:
        remedy = "give it one, or leave such items out"
    else:
        remedy = "give it one, leave such items out, or take them for noise"
    return ReadError(
        f"{name}, {where}: the item has no label in column {shown(title)}: {remedy}.",
        kind=FaultKind.MISSING,
        value=where,
    )


def _remedied(fault: str) -> str:
    """Return a fault of core with the words that people use for its options."""
    return fault.replace(
        'keep it with noise="cluster" or noise="singletons"',
        "keep it as a cluster, or each item as its own",
    )


def _column_notes(title: str, column: Encoded) -> Iterator[str]:
    if column.padded:
        yield f"blanks around labels of {shown(title)} were left out"
    if column.suspects:
        listed = " and ".join(map(shown, column.suspects[:3]))
        yield f"{listed} in {shown(title)} counts as a label, not as a missing one"
