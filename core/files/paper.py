"""Scored tables for people to read: what Markdown and LaTeX say alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Protocol

import numpy as np

from core.files.conventions import conventions
from core.files.errors import plain, sentence
from core.files.paper_table import PaperTable
from core.files.scored import (
    ScoredTable,
    common_options,
    names_apart,
    noise_conventions,
    score_of,
    table_keys,
)
from core.formatting import UNDEFINED, format_score
from core.metrics.catalogue import METRICS
from core.metrics.wording import option_text
from core.scores import cautions, checked_keys
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

    def is_too_wide(
        self, heads: Sequence[str], names: Sequence[str], longest: Sequence[str]
    ) -> bool:
        """Return whether a table with these texts does not fit a page in one piece."""
        ...

    def table(self, table: PaperTable) -> Iterator[str]:
        """Yield a table line by line."""
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
    apart = zip(results, names_apart(results), strict=True)
    results = [replace(result, name=name) for result, name in apart]
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
    longest = []
    for key in keys:
        column = [notes.value(result, key, digits) for result in results]
        best = best_places(results, key, digits)
        columns.append([markup.bold(t) if i in best else t for i, t in enumerate(column)])
        longest.append([_shown(result, key, digits) for result in results])
    symbols = [METRICS[key].symbol for key in keys]
    names = [_name(result, i, len(results)) for i, result in enumerate(results, start=1)]
    said = cautions(names, [result.scores for result in results], keys)
    caption = "Comparison. The best value of a column is bold."
    heads = ["Table", *symbols]
    widest = [max(texts, key=len) for texts in longest]
    if len(names) < len(symbols) and markup.is_too_wide(heads, names, widest):
        # Metrics are lines: there are fewer tables.
        heads, names = ["Metric", *names], symbols
        widest = [max(texts, key=len) for texts in zip(*longest, strict=True)]
        caption = "Comparison. The best value of a line is bold."
    else:
        columns = list(map(list, zip(*columns, strict=True)))
    below = [*notes.lines, *(markup.text(sentence(caution)) for caution in said)]
    yield from markup.table(
        PaperTable(caption, heads, names, widest, _lines_of(columns), notes=below)
    )


def _lines_of(lines: list[list[str]]) -> Callable[[range], Iterator[list[str]]]:
    return lambda block: (line[block.start : block.stop] for line in lines)


def _shown(result: ScoredTable, key: str, digits: int) -> str:
    """Return a score about as long as it is shown."""
    value, _ = score_of(result, key)
    return UNDEFINED + "1" if value is None else format_score(value, digits)


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
    r, c = table.shape
    rows, columns = (np.arange(r), np.arange(c)) if result.order is None else result.order
    # The place of each cluster in the order in which it is shown.
    place_of = np.empty(c, np.int64)
    place_of[columns] = np.arange(c)
    what = (
        f"truth classes (rows) by clusters (columns), N = {format_score(table.total)}. "
        "The largest count of each class is bold."
    )
    last = [*table.column_sums[columns].tolist(), table.total]

    def lines(block: range) -> Iterator[list[str]]:
        sums = table.row_sums.tolist()
        shown = columns[block.start : block.stop]
        for i in rows.tolist():
            cells = [markup.value(format_score(n)) for n in table.counts[i, shown].tolist()]
            for place in place_of[list(peaks[i])].tolist():
                if place in block:
                    cells[place - block.start] = markup.bold(cells[place - block.start])
            if c in block:
                cells.append(markup.value(format_score(sums[i])))
            yield cells
        yield [markup.value(format_score(last[column])) for column in block]

    yield from markup.table(
        PaperTable(
            f"{name}: {what}" if name else sentence(what),
            ["", *(table.clusters[column] for column in columns.tolist()), "Sum"],
            [*(table.truth[row] for row in rows.tolist()), "Sum"],
            [format_score(count) for count in last],
            lines,
            rule=len(table.truth),
        )
    )


def _scores(
    result: ScoredTable, markup: Markup, keys: Sequence[str], digits: int, name: str
) -> Iterator[str]:
    notes = _Notes(markup)
    caption = f"{name}: scores." if name else "Scores."
    values = [[notes.value(result, key, digits)] for key in keys]
    longest = max((_shown(result, key, digits) for key in keys), key=len)
    names = [METRICS[key].name for key in keys]
    yield from markup.table(
        PaperTable(
            caption, ["Score", "Value"], names, [longest], _lines_of(values), notes=notes.lines
        )
    )
