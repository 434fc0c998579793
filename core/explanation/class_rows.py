"""Associativity and peakiness class by class, and what ties leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.cells import CellBatch, FloatArray
from core.explanation.difference import digits_apart
from core.formatting import format_score
from core.metrics.associativity_peakiness import peaks, row_peakiness
from core.metrics.metric import ScoreOptions
from core.scores import Scores
from core.table import ContingencyTable, IntArray

_KEYS = (
    *("ap", "associativity", "peakiness"),
    *("associativity_min", "associativity_max", "ap_min", "ap_max"),
)


@dataclass(frozen=True)
class ClassRow:
    """What one truth class gives to associativity and peakiness.

    Attributes
    ----------
    place : int
        Its row in the table, counted from 0.
    name : str
    size : int
        Its items. Without any, there is no peak, and the class is left out.
    peaks : tuple of int
        The clusters, counted from 0, that hold its largest count; several on a tie. It votes
        for the first.
    peak_count : int
        That count.
    runner_up : int or None
        The cluster with the second largest count; on a tie the second of the peaks. None
        where one cluster holds the class.
    runner_up_count : int
        That count, 0 where there is none.
    peakiness : float
        ``(peak_count - runner_up_count) / peak_count``; NaN for an empty class.
    same_vote : int
        How many other classes vote for the same cluster.
    warning : str or None
        What is said of its tie, as a sentence; None where it has none.
    """

    place: int
    name: str
    size: int
    peaks: tuple[int, ...]
    peak_count: int
    runner_up: int | None
    runner_up_count: int
    peakiness: float
    same_vote: int
    warning: str | None


@dataclass(frozen=True, eq=False)
class ClassRows:
    """Associativity and peakiness class by class.

    Attributes
    ----------
    table : ContingencyTable
    rows : tuple of ClassRow
        In the order of the table, empty classes included.
    scores : Scores
        AP, associativity and peakiness, and the first two at their least and most over all
        ways to break ties: ``ap_min``, ``ap_max``, ``associativity_min``,
        ``associativity_max``.
    """

    table: ContingencyTable
    rows: tuple[ClassRow, ...]
    scores: Scores

    @property
    def tied(self) -> bool:
        """Whether the largest count of a class stands in several clusters."""
        return bool(self.scores.tied_rows)

    def summary(self, digits: int = 4) -> str:
        """Return AP with its two numbers, and its range over ties, in words."""
        scores = self.scores
        why = scores.why("ap")
        shown = {key: format_score(scores[key], digits) for key in _KEYS}
        numbers = f"Associativity {shown['associativity']}, peakiness {shown['peakiness']}"
        if why is not None:
            return f"{numbers}. AP does not exist: {why}."
        said = f"{numbers}, AP {shown['ap']}."
        return f"{said} {on_ties(scores, digits) or 'No ties.'}"

    def sentence(self, place: int) -> str:
        """Return in words what a class gives to AP."""
        row, clusters = self.rows[place], self.table.clusters
        if not row.size:
            enters = self.scores.options.empty_truth == "zero"
            what = "it enters the mean peakiness as 0" if enters else "it is left out"
            return f"Class {row.name} is empty: {what}."
        said = f"Class {row.name} votes for cluster {clusters[row.peaks[0]]}, which holds "
        said += f"{format_score(row.peak_count)} of its {format_score(row.size)} items"
        if row.runner_up is None:
            said += "; no other cluster holds any."
        else:
            second = format_score(row.runner_up_count)
            said += f"; cluster {clusters[row.runner_up]} comes second with {second}."
        if row.same_vote:
            others = "class votes" if row.same_vote == 1 else "classes vote"
            said += f" {format_score(row.same_vote)} other {others} for the same cluster."
        if row.warning is not None:
            said += f" Tie: {row.warning}."
        return said


def on_ties(scores: Scores, digits: int = 4) -> str | None:
    """Return in words what ties leave open of AP and associativity.

    Parameters
    ----------
    scores : Scores
    digits : int
        Decimals; more where two ends would look alike.

    Returns
    -------
    str or None
        None without ties, and where both at their least and their most over all ways to break
        them are not among the scores.
    """
    if any(key not in scores for key in _KEYS if key != "peakiness"):
        return None
    if not scores.tied_rows or scores.why("ap") is not None:
        return None
    why = scores.why("ap_min")
    if why is not None:
        most = format_score(scores["ap_max"], digits)
        return f"As ties are broken, AP is at most {most}; of the least, {why}."
    if scores["associativity_min"] == scores["associativity_max"]:
        return "There are ties, but associativity and AP are the same however they are broken."
    between = _range(scores, "associativity", digits)
    said = f"As ties are broken, associativity lies between {between}"
    if scores["ap_min"] == scores["ap_max"]:
        return f"{said}; AP is {format_score(scores['ap'], digits)} all the same."
    return f"{said}, AP between {_range(scores, 'ap', digits)}."


def _range(scores: Scores, key: str, digits: int) -> str:
    low, high = scores[f"{key}_min"], scores[f"{key}_max"]
    digits = digits_apart(low, high, digits)
    return f"{format_score(low, digits)} and {format_score(high, digits)}"


def class_rows(table: ContingencyTable, options: ScoreOptions | None = None) -> ClassRows:
    """Return what each truth class gives to associativity and peakiness.

    Parameters
    ----------
    table : ContingencyTable
    options : ScoreOptions, optional
        Of these, ``empty_truth`` matters.

    Returns
    -------
    ClassRows

    Examples
    --------
    >>> found = class_rows(ContingencyTable([[5, 5, 1], [0, 2, 6]], truth=["a", "b"]))
    >>> [(row.name, row.peaks, row.runner_up, row.peakiness) for row in found.rows]
    [('a', (0, 1), 1, 0.0), ('b', (2,), 1, 0.6666666666666666)]
    """
    batch = CellBatch.of(table)
    scores = Scores(table, options or ScoreOptions(), batch, _KEYS)
    r = table.shape[0]
    found = batch.derive(peaks)
    votes = np.bincount(batch.column[found.first_cell], minlength=len(batch.column_table))
    second_cell, second = _runners_up(batch, found.first_cell)
    peakiness: FloatArray = batch.derive(row_peakiness)
    tied = _peaks_of_rows(batch, found.is_peak)
    sizes = table.row_sums.tolist()
    rows = [
        ClassRow(place, table.truth[place], sizes[place], (), 0, None, 0, float("nan"), 0, None)
        for place in range(r)
    ]
    for number, place in enumerate(batch.row_place.tolist()):
        clusters = tuple(tied[number])
        count = int(second[number])
        runner_up = int(batch.column_place[batch.column[second_cell[number]]]) if count else None
        same = int(votes[batch.column[found.first_cell[number]]]) - 1
        rows[place] = ClassRow(
            place,
            table.truth[place],
            sizes[place],
            clusters,
            int(found.largest[number]),
            runner_up,
            count,
            float(peakiness[number]),
            same,
            _warning(table, place, clusters) if len(clusters) > 1 else None,
        )
    return ClassRows(table, tuple(rows), scores)


def _runners_up(batch: CellBatch, first_cell: IntArray) -> tuple[IntArray, IntArray]:
    """Return the cell with the second largest count of each row, and the count; 0 if none."""
    others = batch.count.copy()
    others[first_cell] = 0
    second = batch.reduce_rows(np.maximum, others)
    candidates = np.flatnonzero(others == second[batch.row])
    # The first of each row; where the row has one cell, that cell.
    row = batch.row[candidates]
    cell = candidates[np.searchsorted(row, np.arange(len(batch.row_table)))]
    return cell, second


def _peaks_of_rows(
    batch: CellBatch, is_peak: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> list[list[int]]:
    cells = np.flatnonzero(is_peak)
    of_row: list[list[int]] = [[] for _ in batch.row_table]
    columns = batch.column_place[batch.column[cells]].tolist()
    for row, column in zip(batch.row[cells].tolist(), columns, strict=True):
        of_row[row].append(column)
    return of_row


def _warning(table: ContingencyTable, place: int, clusters: Sequence[int]) -> str:
    names = listed([table.clusters[column] for column in clusters])
    return (
        f"class {table.truth[place]} has its largest count in clusters {names}: "
        f"it votes for {table.clusters[clusters[0]]}, the first"
    )


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return names in words: ``a, b and c``; the number of those beyond the first few.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b"]), listed(list("abcdefg"), 3)
    ('a', 'a and b', 'a, b, c and 4 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last
