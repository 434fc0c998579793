"""Tables that differ a little from a given one, and their scores, some at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from core.cells import CellBatch
from core.chance.expected_information import expected_information, expected_information_parts
from core.chance.information_variance import information_variance, information_variance_parts
from core.explanation.difference import digits_apart
from core.formatting import format_score
from core.metrics.associativity_peakiness import peaks
from core.metrics.catalogue import METRICS
from core.metrics.metric import Metric, ScoreOptions
from core.scores import FEW_TIES, Column, Scores, UnknownMetricError, compute_columns
from core.scoring import score
from core.table import ContingencyTable

# Work of a batch, in pairs of margins or cells: some twenty milliseconds.
_WORK = 1 << 14
# What a pair of margins costs whose variance is wanted, beside one that is only expected.
_VARIANCE = 10

_EXPECTED = frozenset(
    {
        "ami",
        "ami_geometric",
        "ami_min",
        "ami_max",
        "expected_mutual_information",
        "ami_q",
        "emi_q",
    }
)
OVER_TIES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "ap": ("ap_min", "ap_max"),
        "associativity": ("associativity_min", "associativity_max"),
    }
)
"""Scores that take the first of several largest cells: the least and the most of all choices."""

# What is made of such a score, and has no range of its own.
_RESTS_ON_TIES = frozenset({"ap_adjusted", "ap_adjusted_error"})

_VARYING = frozenset({"smi_q", "p_bound", "var_mi_q", "standardized_rand"})


def explained_metric(key: str, *, on_request: bool = True) -> Metric:
    """Return the metric of a key, if it is one that can be explained.

    Parameters
    ----------
    key : str
    on_request : bool
        Whether metrics that search or draw random tables are among them.

    Raises
    ------
    UnknownMetricError
        If the catalogue has no such key.
    ValueError
        If the metric has one value for each class, or takes too long to be computed of
        many tables unless that is asked for.
    """
    if key not in METRICS:
        raise UnknownMetricError(key)
    metric = METRICS[key]
    if metric.per != "table":
        raise ValueError(f"{key!r} has one value for each class: choose a score of the whole table")
    if metric.when == "request" and not on_request:
        raise ValueError(
            f"{key!r} searches or draws tables for each change, which takes long: "
            "ask for it with on_request=True"
        )
    return metric


def score_with(table: ContingencyTable, key: str, options: ScoreOptions) -> Scores:
    """Return one score of a table by given conventions."""
    return score(
        table,
        [key],
        q=options.q,
        beta=options.beta,
        average=options.average,
        empty_truth=options.empty_truth,
        draws=options.draws,
        seed=options.seed,
    )


def without_class(table: ContingencyTable, row: int) -> ContingencyTable:
    """Return a table without one of its rows; its only row is emptied instead."""
    return _without(table, 0, row)


def without_cluster(table: ContingencyTable, column: int) -> ContingencyTable:
    """Return a table without one of its columns; its only column is emptied instead."""
    return _without(table, 1, column)


def _without(table: ContingencyTable, axis: int, place: int) -> ContingencyTable:
    cells = table.cells
    lines = (cells.rows, cells.columns)
    keep = lines[axis] != place
    kept = [line[keep] for line in lines]
    shape = list(table.shape)
    if shape[axis] > 1:
        shape[axis] -= 1
        kept[axis] = kept[axis] - (kept[axis] > place)
    return ContingencyTable.from_cells((shape[0], shape[1]), kept[0], kept[1], cells.counts[keep])


def with_item_moved(
    table: ContingencyTable, source: tuple[int, int], target: tuple[int, int]
) -> ContingencyTable:
    """Return a table in which one item of a cell lies in another cell.

    Parameters
    ----------
    table : ContingencyTable
    source, target : (int, int)
        Row and column, counted from 0. The source holds at least one item.
    """
    rows, columns, counts = table.cells
    width = table.shape[1]
    code = rows * width + columns
    counts = counts.copy()
    counts[np.searchsorted(code, source[0] * width + source[1])] -= 1
    wanted = target[0] * width + target[1]
    place = int(np.searchsorted(code, wanted))
    if place < len(code) and code[place] == wanted:
        counts[place] += 1
    else:
        rows, columns, counts = (
            np.insert(array, place, value)
            for array, value in ((rows, target[0]), (columns, target[1]), (counts, 1))
        )
    return ContingencyTable.from_cells(table.shape, rows, columns, counts)


def count_of(table: ContingencyTable, cell: tuple[int, int]) -> int:
    """Return the items of a cell, given by row and column."""
    cells = table.cells
    code = cells.rows * table.shape[1] + cells.columns
    wanted = cell[0] * table.shape[1] + cell[1]
    place = int(np.searchsorted(code, wanted))
    return int(cells.counts[place]) if place < len(code) and code[place] == wanted else 0


def targets_of(table: ContingencyTable, row: int, column: int) -> list[tuple[int, int]]:
    """Return the cells that an item may go to, the largest counts of row and column first."""
    r, c = table.shape
    cells = table.cells
    in_row, in_column = np.zeros(c, np.int64), np.zeros(r, np.int64)
    of_row, of_column = cells.rows == row, cells.columns == column
    in_row[cells.columns[of_row]] = cells.counts[of_row]
    in_column[cells.rows[of_column]] = cells.counts[of_column]
    order = np.argsort(-np.concatenate([in_row, in_column]), kind="stable").tolist()
    targets = [(row, place) if place < c else (place - c, column) for place in order]
    return [target for target in targets if target != (row, column)]


@dataclass(frozen=True)
class TieRange:
    """What a score may be when the largest cell of a class stands in several clusters.

    Attributes
    ----------
    low, high : float
        The least and the most over all ways to break its ties; NaN where there are too many
        to look at all of them.
    """

    low: float
    high: float

    def sentence(self, symbol: str, digits: int = 4) -> str:
        """Return it in words, as what follows a sentence on the score."""
        said = "That depends on ties, so on the order of the clusters"
        return f"{said}: {self._told(symbol, digits)}."

    def of_the_table(self, symbol: str, digits: int = 4) -> str:
        """Return it in words, for the table that others are compared with."""
        return f"Of the table as it is, {symbol} depends on ties, too: {self._told('it', digits)}."

    def _told(self, what: str, digits: int) -> str:
        if np.isnan(self.low) or np.isnan(self.high):
            return f"{what} may be another with the clusters in another order"
        digits = digits_apart(self.low, self.high, digits)
        low, high = format_score(self.low, digits), format_score(self.high, digits)
        return f"{what} lies between {low} and {high}"


@dataclass(frozen=True, eq=False)
class Scored:
    """The scores of some tables that follow each other.

    Attributes
    ----------
    start, stop : int
        The first of them, and the one after the last.
    column : Column
        Their values, and why some do not exist.
    ties : mapping of int to TieRange
        For those whose score depends on how ties are broken, counted from 0.
    """

    start: int
    stop: int
    column: Column
    ties: Mapping[int, TieRange]


def score_each(
    tables: Iterable[ContingencyTable], key: str, options: ScoreOptions
) -> Iterator[Scored | None]:
    """Score tables that are about alike, some at a time.

    Parameters
    ----------
    tables : iterable of ContingencyTable
        Read as they are needed.
    key : str
    options : ScoreOptions

    Yields
    ------
    Scored or None
        In the order of the tables; None where a large table is still being scored, so that a
        caller may stop there.
    """
    batch: list[ContingencyTable] = []
    work = done = 0
    for table in tables:
        more = _work(table, key)
        if batch and work + more > _WORK:
            yield from _scored(batch, done, key, options)
            done += len(batch)
            batch, work = [], 0
        batch.append(table)
        work += more
    if batch:
        yield from _scored(batch, done, key, options)


def _work(table: ContingencyTable, key: str) -> int:
    r, c = table.shape
    work = len(table.cells.counts) + r + c
    if key in _EXPECTED or key in _VARYING:
        pairs = len(np.unique(table.row_sums)) * len(np.unique(table.column_sums))
        work += pairs * (_VARIANCE if key in _VARYING else 1)
    elif METRICS[key].when == "request":
        work += _WORK
    elif key == "max_matching_accuracy":
        work += r * c
    return work


def _scored(
    tables: Sequence[ContingencyTable], start: int, key: str, options: ScoreOptions
) -> Iterator[Scored | None]:
    batch = CellBatch.from_tables(tables)
    for _ in prepared(batch, key, options):
        yield None
    column = compute_columns([key], batch, options)[key]
    yield Scored(start, start + len(tables), column, over_ties(tables, batch, key, options))


def over_ties(
    tables: Sequence[ContingencyTable], batch: CellBatch, key: str, options: ScoreOptions
) -> dict[int, TieRange]:
    """Return the range of a score where it depends on how ties are broken.

    Parameters
    ----------
    tables : sequence of ContingencyTable
    batch : CellBatch
        The same tables.
    key : str
    options : ScoreOptions

    Returns
    -------
    dict of int to TieRange
        Of those tables whose score depends on it, counted from 0.
    """
    if key not in OVER_TIES and key not in _RESTS_ON_TIES:
        return {}
    number = np.bincount(batch.row_table[batch.derive(peaks).tied], minlength=len(tables))
    found = {int(i): TieRange(np.nan, np.nan) for i in np.flatnonzero(number > FEW_TIES)}
    few = np.flatnonzero((number > 0) & (number <= FEW_TIES))
    if len(few):
        low, high = OVER_TIES.get(key, OVER_TIES["ap"])
        some = CellBatch.from_tables([tables[int(i)] for i in few])
        columns = compute_columns((low, high), some, options)
        for i, least, most in zip(few, columns[low].values, columns[high].values, strict=True):
            if least < most:
                known = key in OVER_TIES
                found[int(i)] = TieRange(*((float(least), float(most)) if known else (np.nan,) * 2))
    return found


def prepared(batch: CellBatch, key: str, options: ScoreOptions) -> Iterator[None]:
    """Compute step by step what takes long, so that the metric finds it done.

    Parameters
    ----------
    batch : CellBatch
    key : str
    options : ScoreOptions

    Yields
    ------
    None
        Where a caller may stop.
    """
    if key not in _EXPECTED and key not in _VARYING:
        return
    q = 1.0
    if key == "standardized_rand":
        q = 2.0
    elif "q" in METRICS[key].parameters:
        q = options.q
    value = np.zeros(batch.n_tables)
    for part in expected_information_parts(batch, q):
        value = part.value
        yield None
    batch.remember(expected_information, value, q)
    if key in _VARYING:
        value = np.zeros(batch.n_tables)
        for step in information_variance_parts(batch, q):
            value = step.value
            yield None
        batch.remember(information_variance, value, q)
