"""What a score would be if one item lay elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from core.cells import FloatArray
from core.explanation.difference import differences, digits_apart, is_better, signed
from core.explanation.variants import (
    Scored,
    TieRange,
    count_of,
    explained_metric,
    score_each,
    targets_of,
    with_item_moved,
)
from core.formatting import format_score
from core.metrics.catalogue import METRICS
from core.metrics.metric import BoolArray, ScoreOptions
from core.studies.study import Pulse, Step, run_to_end
from core.table import ContingencyTable

Along = Literal["cluster", "class"]


@dataclass(frozen=True, eq=False)
class Targets:
    """What the score would be with the item in each cluster, or in each truth class.

    Attributes
    ----------
    along : {"cluster", "class"}
        What the item exchanges.
    names : tuple of str, length n
    score : ndarray, shape (n,)
        The score with the item there: float64, or Python integers of any size. Where the
        item is already, it is the score of the table.
    change : ndarray of float64, shape (n,)
        By how much it differs from that of the table; from two rounded scores, so a change
        below 1e-15 of the score is 0.
    known : ndarray of bool, shape (n,)
        Whether it has been computed; where not, score and change are NaN.
    ties : dict of int to TieRange
        For places where ties decide the score: it depends on the order of the clusters. Where
        the item is already, of the table.
    """

    along: Along
    names: tuple[str, ...]
    score: npt.NDArray[Any]
    change: FloatArray
    known: BoolArray
    ties: dict[int, TieRange]
    _why: dict[int, str] = field(repr=False)

    def why(self, place: int) -> str | None:
        """Return why there is no score with the item there, None if there is one."""
        return self._why.get(place)


@dataclass(frozen=True)
class Move:
    """One item of a cell put elsewhere.

    Attributes
    ----------
    along : {"cluster", "class"}
        What the item exchanges.
    place : int
        The cluster or class that it would have, counted from 0.
    name : str
    score : float or int
        With the item there.
    change : float
        By how much it differs from that of the table.
    better : bool or None
        Whether it is for the better; None where it is neither.
    """

    along: Along
    place: int
    name: str
    score: float
    change: float
    better: bool | None


@dataclass(frozen=True, eq=False)
class Moves:
    """What the score would be if one item of a cell lay elsewhere.

    Attributes
    ----------
    table : ContingencyTable
        Of shape (r, c).
    key : str
    row, column : int
        The cell, counted from 0.
    count : int
        Its items. Without any there is nothing to move, and no target is known.
    score : float or int
        Of the table as it is.
    to_clusters : Targets
        The item in another cluster, n = c.
    to_classes : Targets
        The item with another truth class, n = r.
    complete : bool
        Whether all targets have been computed.
    """

    table: ContingencyTable
    key: str
    row: int
    column: int
    count: int
    score: float
    to_clusters: Targets
    to_classes: Targets
    complete: bool = False

    @property
    def best(self) -> Move | None:
        """The move that betters the score most, however ties are broken; None where none does."""
        first = next(iter(self.ranked(1)), None)
        if first is None:
            return None
        targets = self._side(first)
        better = METRICS[self.key].larger_is_better
        return first if is_better(float(self._sure(targets)[first.place]), better) else None

    def ranked(self, most: int | None = None) -> list[Move]:
        """Return the known moves, the best first; those to no score last.

        For a quantity that is neither good nor bad, those that change it most come first.
        Where ties decide, the least of what they may make of a score counts, so that the order
        of the clusters does not. Among equals the clusters come before the classes, in the
        order of the table.

        Parameters
        ----------
        most : int, optional
            How many at most; all by default.
        """
        metric = METRICS[self.key]
        sides = (self.to_clusters, self.to_classes)
        known = [targets.known.copy() for targets in sides]
        if self.count:
            known[0][self.column] = known[1][self.row] = False
        places = np.concatenate([np.flatnonzero(side) for side in known])
        change = np.concatenate([self._sure(t)[side] for t, side in zip(sides, known, strict=True)])
        gain = change if metric.larger_is_better else -change
        if metric.larger_is_better is None:
            gain = np.abs(change)
        order = np.argsort(np.where(np.isnan(gain), np.inf, -gain), kind="stable")[:most]
        first = int(known[0].sum())
        return [self._move(sides[i >= first], int(places[i])) for i in order.tolist()]

    def move_to(self, row: int, column: int) -> Move | None:
        """Return the move to a cell of the item's row or column; None where it is not known."""
        if row == self.row and column != self.column and self.to_clusters.known[column]:
            return self._move(self.to_clusters, column)
        if column == self.column and row != self.row and self.to_classes.known[row]:
            return self._move(self.to_classes, row)
        return None

    def _side(self, move: Move) -> Targets:
        return self.to_clusters if move.along == "cluster" else self.to_classes

    def _sure(self, targets: Targets) -> FloatArray:
        """Return the changes, with the least of those that ties leave open."""
        change = targets.change.copy()
        for place, ties in targets.ties.items():
            if not np.isnan(ties.low):
                change[place] = differences([ties.low], self.score)[0]
        return change

    def is_tied(self, move: Move) -> bool:
        """Whether ties decide the score after a move, so that it may be another."""
        return move.place in self._side(move).ties

    def _move(self, targets: Targets, place: int) -> Move:
        metric = METRICS[self.key]
        change, value = float(targets.change[place]), targets.score[place]
        value = value if metric.whole else float(value)
        better = is_better(change, metric.larger_is_better)
        return Move(targets.along, place, targets.names[place], value, change, better)

    def sentence(self, move: Move, digits: int = 4) -> str:
        """Return a move in words, with the score before and after.

        Parameters
        ----------
        move : Move
        digits : int
            Decimals of the scores; more where they would look alike.
        """
        class_name, cluster = self.table.truth[self.row], self.table.clusters[self.column]
        symbol = METRICS[self.key].symbol
        items = (
            f"the only item of class {class_name} in cluster {cluster}"
            if self.count == 1
            else f"one of the {format_score(self.count)} items of class {class_name}"
        )
        if move.along == "cluster":
            start = "" if self.count == 1 else f" from cluster {cluster}"
            what = f"Moving {items}{start} to cluster {move.name}"
        else:
            place = "" if self.count == 1 else f" in cluster {cluster}"
            what = f"Giving {items}{place} the truth class {move.name}"
        targets = self._side(move)
        why = targets.why(move.place)
        if why is not None:
            return f"{what} leaves {symbol} undefined: {why}."
        ties = targets.ties.get(move.place)
        tied = "" if ties is None else f" {ties.sentence(symbol, digits)}"
        of_table = self.to_clusters.ties.get(self.column) if self.count else None
        if of_table is not None:
            tied += f" {of_table.of_the_table(symbol, digits)}"
        if move.change:
            digits = digits_apart(self.score, move.score, digits)
        before, after = format_score(self.score, digits), format_score(move.score, digits)
        if not move.change:
            return f"{what} leaves {symbol} at {before}.{tied}"
        if np.isnan(move.change):
            return f"{what} makes {symbol} {after}; of the table as it is, it is undefined.{tied}"
        change = signed(move.change, digits)
        return f"{what} changes {symbol} from {before} to {after} ({change}).{tied}"


@dataclass(frozen=True)
class MovesStudy:
    """Find out what a score would be if one item of a cell lay elsewhere.

    The most promising targets come first: the cells of the row and of the column from the
    largest count to the least.

    Attributes
    ----------
    table : ContingencyTable
    key : str
    row, column : int
        The cell, counted from 0.
    options : ScoreOptions
    """

    table: ContingencyTable
    key: str
    row: int
    column: int
    options: ScoreOptions = field(default_factory=ScoreOptions)

    def run(self) -> Iterator[Step[Moves]]:
        """Yield what is known so far; the last step has all targets.

        Raises
        ------
        UnknownMetricError
            If the catalogue has no such key.
        ValueError
            If the metric has one value for each class.
        IndexError
            If the table has no such cell.
        """
        metric = explained_metric(self.key)
        r, c = self.table.shape
        if not (0 <= self.row < r and 0 <= self.column < c):
            raise IndexError(
                f"there is no row {self.row}, column {self.column} in a table of {r} x {c}"
            )
        order = targets_of(self.table, self.row, self.column)
        source = (self.row, self.column)
        count = count_of(self.table, source)
        message = f"moving one item, {metric.symbol}"
        variants = (
            self.table if target is None else with_item_moved(self.table, source, target)
            for target in (None, *(order if count else ()))
        )
        found: Moves | None = None
        shown: Moves | None = None
        pulse = Pulse()
        total = 1 + (len(order) if count else 0)
        done = 0
        for scored in score_each(variants, self.key, self.options):
            if scored is None:
                yield Step(done, total, message, shown)
                continue
            found = _begun(self, count, scored) if found is None else found
            targets = order[max(scored.start - 1, 0) : scored.stop - 1]
            found = _with(found, targets, scored)
            done = scored.stop
            if pulse.due():
                shown = found
            yield Step(done, total, message, shown)
        if found is None:
            raise RuntimeError("a table was not scored")
        found = replace(found, complete=True)
        yield Step(total, total, "moves found", found, found)


def moves(
    table: ContingencyTable,
    key: str,
    row: int,
    column: int,
    options: ScoreOptions | None = None,
) -> Moves:
    """Return what a score would be if one item of a cell lay elsewhere.

    Exact: each target is the score of the table with the item there.

    Parameters
    ----------
    table : ContingencyTable
        Of shape (r, c).
    key : str
        A metric of the catalogue with one value for the whole table.
    row, column : int
        The cell, counted from 0.
    options : ScoreOptions, optional

    Returns
    -------
    Moves

    Raises
    ------
    UnknownMetricError, ValueError, IndexError
        As in `MovesStudy`.

    Examples
    --------
    >>> found = moves(ContingencyTable([[8, 2], [1, 9]]), "purity", 0, 1)
    >>> found.best.name, round(found.best.score, 3)
    ('C1', 0.9)
    """
    return run_to_end(MovesStudy(table, key, row, column, options or ScoreOptions()))


def _begun(study: MovesStudy, count: int, scored: Scored) -> Moves:
    """Return what is known when the first score is, that of the table."""
    column = scored.column
    table, whole = study.table, METRICS[study.key].whole
    value = column.values[0] if whole else float(column.values[0])
    targets: list[Targets] = []
    for along, names, at in (
        ("cluster", table.clusters, study.column),
        ("class", table.truth, study.row),
    ):
        n = len(names)
        score = np.full(n, np.nan, column.values.dtype)
        change, known = np.full(n, np.nan), np.zeros(n, np.bool_)
        why: dict[int, str] = {}
        if count:
            score[at], known[at] = column.values[0], True
            change[at] = differences(column.values[:1], value)[0]
            if (sentence := column.why(0)) is not None:
                why[at] = sentence
        ties = {at: scored.ties[0]} if count and 0 in scored.ties else {}
        kind: Along = "cluster" if along == "cluster" else "class"
        targets.append(Targets(kind, names, score, change, known, ties, why))
    return Moves(table, study.key, study.row, study.column, count, value, targets[0], targets[1])


def _with(found: Moves, order: list[tuple[int, int]], scored: Scored) -> Moves:
    """Return what is known with the scores of some targets added."""
    # The first batch begins with the table itself.
    column = scored.column
    skip = len(column.values) - len(order)
    changed = []
    for targets, axis in ((found.to_clusters, 1), (found.to_classes, 0)):
        which = [
            (i + skip, cell[axis])
            for i, cell in enumerate(order)
            if (cell[0] == found.row) == (axis == 1)
        ]
        score, change, known = targets.score.copy(), targets.change.copy(), targets.known.copy()
        why, ties = dict(targets._why), dict(targets.ties)
        if which:
            at, places = (np.array(numbers) for numbers in zip(*which, strict=True))
            score[places] = column.values[at]
            change[places] = differences(column.values[at], found.score)
            known[places] = True
        for i, place in which:
            if i in scored.ties:
                ties[place] = scored.ties[i]
            if (sentence := column.why(i)) is not None:
                why[place] = sentence
        changed.append(
            replace(targets, score=score, change=change, known=known, ties=ties, _why=why)
        )
    return replace(found, to_clusters=changed[0], to_classes=changed[1])
