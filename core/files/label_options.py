"""What is known of a label file before it is read: its columns, its noise, its blanks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.files.counts import trimmed
from core.files.errors import FaultKind, ReadError, shown
from core.files.label_header import whole_number
from core.files.layout import Separator
from core.noise import NoiseChoice

ColumnRef: TypeAlias = int | str
"""A column: its place, counted from 0, or its name."""

MissingChoice: TypeAlias = Literal["refuse", "drop", "noise"]
"""What is done with an item that lacks a label."""

BLANK_NAME = "(blank)"
"""The name of the cluster of items without a label, where they are taken for noise."""


@dataclass(frozen=True)
class LabelOptions:
    r"""What is known about a file of labels; the rest is found out.

    Attributes
    ----------
    truth : int or str, optional
        The column of truth classes: its place, counted from 0, or its name. By default
        the column that is named as one.
    predictions : tuple of int or str, optional
        The columns of clusters, by default all that look like labels.
    noise_labels : tuple of str
        The cluster labels that mean noise, as text. A blank means a missing label.
    noise : {"cluster", "drop", "singletons"}
        What is done with items that have one of them, as in
        `ContingencyTable.from_labels`.
    missing : {"refuse", "drop", "noise"}
        Whether an item without a label is an error, is left out, or is noise. A truth
        label is never noise.
    swap : bool
        Whether the tables are transposed: rows are then the predictions.
    separator : {"\t", ";", ",", " "}, optional
        What separates the cells of a text.
    header : bool, optional
        Whether the first line holds the names of the columns.
    quotes : bool
        Whether quotation marks hold a cell together.
    encoding : str, optional
        Encoding of a text.
    sheet : str, optional
        Sheet of a workbook, by default the first.
    """

    truth: ColumnRef | None = None
    predictions: tuple[ColumnRef, ...] | None = None
    noise_labels: tuple[str, ...] = ("-1",)
    noise: NoiseChoice = "cluster"
    missing: MissingChoice = "refuse"
    swap: bool = False
    separator: Separator | None = None
    header: bool | None = None
    quotes: bool = True
    encoding: str | None = None
    sheet: str | None = None

    @property
    def noise_names(self) -> frozenset[str]:
        """The labels that mean noise; a blank, which means a missing one, is not among them."""
        return frozenset(filter(None, map(trimmed, self.noise_labels)))

    @property
    def missing_choice(self) -> MissingChoice:
        """What is done with a missing label: a blank among the noise labels says so too."""
        blank = not all(map(trimmed, self.noise_labels))
        return "noise" if blank and self.missing == "refuse" else self.missing


def noise_among(names: Iterable[str], noise: frozenset[str]) -> frozenset[str]:
    """Return which labels mean noise: those that are named so, and ``-1.0`` where ``-1`` does.

    Parameters
    ----------
    names : iterable of str
        Labels, without blanks around them.
    noise : frozenset of str
        What means noise.
    """
    numbers = {number for label in noise if (number := whole_number(label)) is not None}
    return frozenset(name for name in names if name in noise or whole_number(name) in numbers)


class ColumnError(ReadError):
    """A column that was asked for and is not there, or a choice that makes no table.

    Parameters
    ----------
    message : str
        One sentence.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message, kind=FaultKind.LABELS)


def column_at(reference: ColumnRef, names: Sequence[str], file: str) -> int:
    """Return the place of a column, counted from 0.

    Parameters
    ----------
    reference : int or str
        Its place or its name.
    names : sequence of str
        Names of all columns.
    file : str
        What messages call the file.

    Returns
    -------
    int

    Raises
    ------
    ColumnError
        If there is no such column, or several have the name.
    """
    if isinstance(reference, int):
        if 0 <= reference < len(names):
            return reference
        raise ColumnError(
            f"{file} has no column {reference + 1}: its columns are numbered 1 to {len(names)}."
        )
    places = [i for i, name in enumerate(names) if name == reference]
    if len(places) == 1:
        return places[0]
    if places:
        numbers = " and ".join(str(place + 1) for place in places[:9])
        raise ColumnError(
            f"{file} has {len(places)} columns named {shown(reference)}: say which by its number, "
            f"{numbers}."
        )
    raise ColumnError(f"{file} has no column {shown(reference)}: {_known(names)}.")


def _known(names: Sequence[str]) -> str:
    most = 12
    listed = ", ".join(shown(name) for name in names[:most])
    if len(names) > most:
        return f"it has {len(names):,} columns, the first are {listed}"
    return f"its columns are {listed}"


def column_title(place: int, names: Sequence[str]) -> str:
    """Return what a column is called, with its number where its name does not tell it."""
    name = names[place]
    if not name:
        return f"column {place + 1}"
    if sum(other == name for other in names) > 1:
        return f"{name} (column {place + 1})"
    return name
