"""Scored tables for people to read: what Markdown and LaTeX say alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Protocol

import numpy as np

from core.files.conventions import conventions
from core.files.errors import plain, sentence
from core.files.scored import (
    ScoredTable,
    common_options,
    noise_conventions,
    score_of,
    table_keys,
)
from core.formatting import UNDEFINED, format_score
from core.metrics.catalogue import METRICS
from core.metrics.wording import option_text
from core.remarks import remarks_on_several
from core.scores import checked_keys
from core.version import PROGRAM, __version__

HEADLINE = (
    "ap",
    "associativity",
    "peakiness",
    "f1",
    "purity",
    "bcubed_f",
    "ari",
    "fowlkes_mallows",
    "ami",
    "nmi",
    "v_measure",
    "variation_of_information",
)
"""The metrics that are shown where nobody has chosen others."""


class Markup(Protocol):
    """How a format writes the parts of a text."""

    def comment(self, lines: Sequence[str], names: Sequence[str]) -> str:
        """Return lines that a reader of the result does not see, for a text with some names."""
        ...

    def text(self, text: str) -> str:
        """Return any text so that it is shown as it is."""
        ...

    def value(self, text: str) -> str:
        """Return a number as `format_score` writes it, which no name is taken for."""
        ...

    def bold(self, text: str) -> str:
        """Return text, already escaped, in bold type."""
        ...

    def mark(self, number: int) -> str:
        """Return the mark of a note, counted from 1."""
        ...

    def parts(self, first: int, widths: Sequence[int]) -> tuple[str, list[slice]]:
        """Return how columns of numbers fit on a page beside a first column of text.

        Parameters
        ----------
        first : int
            Signs of the longest text of the first column.
        widths : sequence of int
            Signs of the longest text of each other column.

        Returns
        -------
        size : str
            The size of the type, for `begin`.
        parts : list of slice
            Columns that stand in a table together; one part where all of them fit.
        """
        ...

    def begin(self, caption: str, heads: Sequence[str], *, texts: int = 1, size: str = "") -> str:
        """Return what begins a table, its first columns texts and the others numbers."""
        ...

    def row(self, cells: Sequence[str]) -> str:
        """Return a line of a table."""
        ...

    def rule(self) -> str:
        """Return what sets the sums off from the counts."""
        ...

    def end(self, notes: Sequence[str]) -> str:
        """Return what ends a table, with its notes below."""
        ...


def chosen_keys(results: Sequence[ScoredTable], keys: Sequence[str] | None) -> list[str]:
    """Return the metrics that are shown, each with one value for a table.

    Parameters
    ----------
    results : sequence of ScoredTable
    keys : sequence of str, optional
        By default the headline ones among those that were computed, and all of these
        where no headline one is among them.

    Raises
    ------
    UnknownMetricError
        If a key is not in the catalogue.
    """
    if keys is not None:
        return [key for key in checked_keys(keys) if METRICS[key].per == "table"]
    computed = table_keys(results)
    return [key for key in HEADLINE if key in computed] or computed


def paper_pieces(
    results: Sequence[ScoredTable], markup: Markup, keys: Sequence[str] | None, digits: int
) -> Iterator[str]:
    """Yield a text line by line: what holds for all, a comparison of several, then each.

    Parameters
    ----------
    results : sequence of ScoredTable
        One or more, all with the same options.
    markup : Markup
    keys : sequence of str, optional
        See `chosen_keys`.
    digits : int
        Decimals shown.

    Raises
    ------
    ValueError
        If there is none, or if the options differ.
    """
    options = common_options(results)
    shown = chosen_keys(results, keys)
    lines = [
        f"{PROGRAM} {__version__}",
        "options: " + ", ".join(f"{key} = {option_text(v)}" for key, v in asdict(options).items()),
        *conventions(options, shown),
        *noise_conventions(results),
    ]
    names = [result.name for result in results]
    for result in results:
        names += [*result.scores.table.truth, *result.scores.table.clusters]
        which = f"{result.name}: " if len(results) > 1 else ""
        if result.source:
            lines.append(f"{which}source: {result.source}")
        lines += [f"{which}note: {note}" for note in result.notes]
        lines += [f"{which}warning: {warning}" for warning in result.scores.warnings]
    yield markup.comment([plain(line) for line in lines], names)
    if len(results) > 1 and shown:
        yield from _comparison(results, markup, shown, digits)
    for i, result in enumerate(results, start=1):
        yield from _counts(result, markup, _name(result, i, len(results)))
        if shown:
            yield from _scores(result, markup, shown, digits, _name(result, i, len(results)))


def _name(result: ScoredTable, number: int, of: int) -> str:
    return result.name or (f"Table {number}" if of > 1 else "")


class _Notes:
    """Reasons why scores do not exist, each said once below a table."""

    def __init__(self, markup: Markup) -> None:
        self._markup = markup
        self._numbers: dict[str, int] = {}

    def value(self, result: ScoredTable, key: str, digits: int) -> str:
        """Return a score as it is shown."""
        value, reason = score_of(result, key)
        if value is not None:
            return self._markup.value(format_score(value, digits))
        number = self._numbers.setdefault(reason, len(self._numbers) + 1)
        return self._markup.text(UNDEFINED) + self._markup.mark(number)

    @property
    def lines(self) -> list[str]:
        return [
            self._markup.mark(number) + " " + self._markup.text(sentence(reason))
            for reason, number in self._numbers.items()
        ]


def _comparison(
    results: Sequence[ScoredTable], markup: Markup, keys: Sequence[str], digits: int
) -> Iterator[str]:
    notes = _Notes(markup)
    columns = []
    for key in keys:
        column = [notes.value(result, key, digits) for result in results]
        best = best_places(results, key, digits)
        columns.append([markup.bold(t) if i in best else t for i, t in enumerate(column)])
    names = [_name(result, i, len(results)) for i, result in enumerate(results, start=1)]
    heads = [METRICS[key].symbol for key in keys]
    widths = [
        max(len(head), *(len(_shown(score_of(result, key)[0], digits)) for result in results))
        for head, key in zip(heads, keys, strict=True)
    ]
    size, parts = markup.parts(max(map(len, ("Table", *names))), widths)
    for number, part in enumerate(parts, start=1):
        caption = f"Comparison{_of(number, parts)}. The best value of a column is bold."
        yield markup.begin(
            markup.text(caption), list(map(markup.text, ["Table", *heads[part]])), size=size
        )
        for i, name in enumerate(names):
            yield markup.row([markup.text(name), *(column[i] for column in columns[part])])
        if number < len(parts):
            yield markup.end([])
    tables = [result.scores.table for result in results]
    cautions = [markup.text(sentence(said)) for said in remarks_on_several(tables)]
    yield markup.end([*notes.lines, *cautions])


def best_places(results: Sequence[ScoredTable], key: str, digits: int) -> set[int]:
    """Return which tables have the best value of a metric, counted from 0.

    What looks the same in the digits shown is equally good. There is no best value of a
    quantity that is neither good nor bad, nor where no two values can be compared.
    """
    larger = METRICS[key].larger_is_better
    values = {i: score_of(result, key)[0] for i, result in enumerate(results)}
    known = {i: value for i, value in values.items() if value is not None}
    if larger is None or len(known) < 2:
        return set()
    best = (max if larger else min)(known.values())
    return {
        i for i, value in known.items() if format_score(value, digits) == format_score(best, digits)
    }


def _counts(result: ScoredTable, markup: Markup, name: str) -> Iterator[str]:
    table = result.scores.table
    peaks = result.scores.peak_clusters
    # The places of the table in the order in which it is shown.
    r, c = table.shape
    rows, columns = (np.arange(r), np.arange(c)) if result.order is None else result.order
    place_of = np.empty(c, np.int64)
    place_of[columns] = np.arange(c)
    heads = [*(table.clusters[column] for column in columns.tolist()), "Sum"]
    sums = table.row_sums.tolist()
    bottom = [*table.column_sums[columns].tolist(), table.total]
    # No count of a column is longer than its sum.
    widths = [
        max(len(head), len(format_score(total))) for head, total in zip(heads, bottom, strict=True)
    ]
    size, parts = markup.parts(max(map(len, ("Sum", *table.truth))), widths)
    for number, part in enumerate(parts, start=1):
        what = (
            f"truth classes (rows) by clusters (columns){_of(number, parts)}, "
            f"N = {format_score(table.total)}. The largest count of each class is bold."
        )
        caption = markup.text(f"{name}: {what}" if name else sentence(what))
        yield markup.begin(caption, ["", *map(markup.text, heads[part])], size=size)
        for i in rows.tolist():
            numbers = [*table.counts[i, columns].tolist(), sums[i]][part]
            cells = [markup.value(format_score(count)) for count in numbers]
            for place in place_of[list(peaks[i])].tolist():
                if part.start <= place < part.stop:
                    cells[place - part.start] = markup.bold(cells[place - part.start])
            yield markup.row([markup.text(table.truth[i]), *cells])
        yield markup.rule()
        yield markup.row(["Sum", *(markup.value(format_score(n)) for n in bottom[part])])
        yield markup.end([])


def _shown(value: float | None, digits: int) -> str:
    return UNDEFINED if value is None else format_score(value, digits)


def _of(number: int, parts: Sequence[slice]) -> str:
    return f", part {number} of {len(parts)}" if len(parts) > 1 else ""


def _scores(
    result: ScoredTable, markup: Markup, keys: Sequence[str], digits: int, name: str
) -> Iterator[str]:
    notes = _Notes(markup)
    caption = f"{name}: scores." if name else "Scores."
    yield markup.begin(markup.text(caption), ["Score", "Value"])
    for key in keys:
        yield markup.row([markup.text(METRICS[key].name), notes.value(result, key, digits)])
    yield markup.end(notes.lines)
