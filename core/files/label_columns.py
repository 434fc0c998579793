"""A column of labels as codes, and the table that two of them make."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterable, Sequence
from heapq import merge
from itertools import compress, count
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.counts import TableError
from core.files.counts import trimmed
from core.files.label_header import whole_number
from core.files.label_options import BLANK_NAME, LabelOptions, noise_among
from core.labels import Labels
from core.noise import NoiseRule
from core.studies.study import Pulse, Step
from core.table import ContingencyTable

_RUN = 1 << 14
"""Labels sorted at a time: a single call of a few milliseconds."""

_PIECE = 1 << 20

Codes32 = npt.NDArray[np.int32]

# Signs for a missing value that are nevertheless taken for labels, and mentioned.
_SUSPECT = frozenset({"na", "n/a", "nan", "null", "none", "<na>", "#n/a"})


class Column:
    """Takes the labels of a column block by block; keeps each distinct one once."""

    def __init__(self) -> None:
        # A new label gets the next number: no step of the loop is in Python.
        self._code_of: defaultdict[str, int] = defaultdict(count().__next__)
        self._parts: list[Codes32] = []

    def add(self, labels: Sequence[str]) -> None:
        """Take the labels of some items."""
        codes = map(self._code_of.__getitem__, labels)
        self._parts.append(np.fromiter(codes, np.int32, len(labels)))

    def finish(self, pulse: Pulse) -> Generator[Step[Any], None, Encoded]:
        """Return the column; labels that differ in the blanks around them become one."""
        names: dict[str, int] = {}
        rank = np.empty(len(self._code_of), np.int32)
        padded = 0
        for code, label in enumerate(self._code_of):
            name = trimmed(label)
            padded += bool(name) and name != label
            rank[code] = names.setdefault(name, len(names)) if name else -1
            if code % 1000 == 0 and pulse.due():
                yield Step(code, len(rank), "comparing labels")
        n = sum(map(len, self._parts))
        codes = np.empty(n, np.int32)
        start = 0
        for part in self._parts:
            codes[start : start + len(part)] = rank[part]
            start += len(part)
            if pulse.due():
                yield Step(start, n, "comparing labels")
        self._parts = []
        self._code_of.clear()
        return Encoded(tuple(names), codes, padded)


class Encoded(NamedTuple):
    """A column of labels.

    Attributes
    ----------
    names : tuple of str
        Its distinct labels, in the order of their first appearance.
    codes : ndarray of int32, shape (n,)
        Which of them each item has, -1 where it has none.
    padded : int
        How many distinct labels had blanks around them.
    """

    names: tuple[str, ...]
    codes: Codes32
    padded: int = 0

    def first_missing(self) -> int | None:
        """Return the first item without a label, counted from 0; None if all have one."""
        for start in range(0, len(self.codes), _PIECE):
            missing = self.codes[start : start + _PIECE] < 0
            if missing.any():
                return start + int(missing.argmax())
        return None

    @property
    def suspects(self) -> tuple[str, ...]:
        """Labels that may stand for a missing value."""
        return tuple(name for name in self.names if name.casefold() in _SUSPECT)


def in_order(
    names: Iterable[str], first: frozenset[str], pulse: Pulse
) -> Generator[Step[Any], None, list[str]]:
    """Return labels in order: by number where all are whole numbers, else as text.

    Parameters
    ----------
    names : iterable of str
        Distinct labels.
    first : frozenset of str
        Those that mean noise; they do not keep the others from being numbers, and stand
        before these.
    pulse : Pulse
        Says when a step is due.
    """
    given = list(names)
    keys: list[Any] = []
    words = []
    for i, name in enumerate(given):
        number = whole_number(name)
        if number is not None:
            keys.append((number, name))
        elif name in first:
            words.append(name)
        else:
            return (yield from _sorted(given, pulse))
        if i % 1000 == 0 and pulse.due():
            yield Step(i, len(given), "putting labels in order")
    return sorted(words) + [name for _, name in (yield from _sorted(keys, pulse))]


def _sorted(keys: list[Any], pulse: Pulse) -> Generator[Step[Any], None, list[Any]]:
    """Sort in runs, because one call would hold the interpreter for as long as it takes."""
    if len(keys) <= _RUN:
        return sorted(keys)
    runs = []
    for start in range(0, len(keys), _RUN):
        runs.append(sorted(keys[start : start + _RUN]))
        if pulse.due():
            yield Step(start, len(keys), "putting labels in order")
    merged = []
    for i, key in enumerate(merge(*runs)):
        merged.append(key)
        if i % 1000 == 0 and pulse.due():
            yield Step(i, len(keys), "putting labels in order")
    return merged


def table_of(
    truth: Encoded, cluster: Encoded, options: LabelOptions, pulse: Pulse
) -> Generator[Step[Any], None, tuple[ContingencyTable, tuple[str, ...]]]:
    """Return the table of two columns, and what a reader of it should know, as clauses.

    Parameters
    ----------
    truth, cluster : Encoded
        Of the same items. A missing label has been refused before where it shall be.
    options : LabelOptions
        What is done with noise and with missing labels.
    pulse : Pulse
        Says when a step is due.

    Raises
    ------
    TableError
        If no item is left.
    """
    notes = []
    rows, columns = truth.codes, cluster.codes
    keep = rows >= 0
    if options.missing_choice != "noise":
        keep &= columns >= 0
    dropped = len(keep) - int(np.count_nonzero(keep))
    if dropped:
        if dropped == len(keep):
            raise TableError("no item has both a truth label and a prediction, so none is left")
        rows, columns = rows[keep], columns[keep]
        one = dropped == 1
        notes.append(
            f"{dropped:,} {'item' if one else 'items'} without a label "
            f"{'was' if one else 'were'} left out"
        )
    yield Step(0, None, "counting pairs")
    noise = noise_among(cluster.names, options.noise_names)
    classes = yield from _labels(truth.names, rows, frozenset(), pulse)
    clusters = yield from _labels(cluster.names, columns, noise, pulse)
    given = dict.fromkeys(name for name in map(trimmed, options.noise_labels) if name)
    labels = tuple(
        one for name in given for one in ([name] if name in noise else _as_found(name, noise))
    )
    if options.missing_choice == "noise":
        labels += (BLANK_NAME,)
    choice = options.noise if labels else "cluster"
    table = ContingencyTable.from_codes(classes, clusters, NoiseRule(choice, labels))
    if options.swap:
        table = table.transpose()
        notes.append("rows are the predictions and columns the truth classes")
    return table, tuple(notes)


def _as_found(label: str, noise: frozenset[str]) -> list[str]:
    """Return a noise label as the items have it: ``-1`` may be ``-1.0`` there."""
    return sorted(noise_among(noise, frozenset([label]))) or [label]


def _labels(
    names: tuple[str, ...], codes: Codes32, noise: frozenset[str], pulse: Pulse
) -> Generator[Step[Any], None, Labels]:
    """Return the labels that items have, in order; missing ones are noise and stand first."""
    # The last entry is that of the code -1.
    used = np.zeros(len(names) + 1, np.bool_)
    for start in range(0, len(codes), _PIECE):
        used[codes[start : start + _PIECE]] = True
        if pulse.due():
            yield Step(start, len(codes), "putting labels in order")
    has_missing = bool(used[-1])
    present = yield from in_order(compress(names, used.tolist()), noise, pulse)
    offset = int(has_missing)
    place = {name: i for i, name in enumerate(present, offset)}
    rank = np.zeros(len(names) + 1, np.int32)
    for start in range(0, len(names), _RUN):
        piece = names[start : start + _RUN]
        rank[start : start + len(piece)] = [place.get(name, 0) for name in piece]
        if pulse.due():
            yield Step(start, len(names), "putting labels in order")
    distinct = (*[BLANK_NAME][:offset], *present)
    meaning = {place[name] for name in noise if name in place} | ({0} if has_missing else set())
    return Labels(distinct, rank[codes], tuple(sorted(meaning)))
