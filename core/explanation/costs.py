"""What each truth class and each cluster costs a score."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch, FloatArray
from core.explanation.difference import differences, digits_apart
from core.explanation.variants import (
    OVER_TIES,
    Scored,
    TieRange,
    explained_metric,
    over_ties,
    prepared,
    score_each,
    without_class,
    without_cluster,
)
from core.formatting import format_score
from core.metrics.associativity_peakiness import ties_meet
from core.metrics.catalogue import METRICS
from core.metrics.metric import BoolArray, ScoreOptions
from core.scores import Scores
from core.studies.study import Pulse, Step, run_to_end
from core.table import ContingencyTable, IntArray

Kind = Literal["class", "cluster"]

# The metric that sees the clusters as this one sees the classes: its value of the table with
# both exchanged is the same. A metric without an entry treats the two differently.
_EXCHANGED = {
    **{
        key: key
        for key in (
            *("max_matching_accuracy", "van_dongen", "bcubed_f", "f1"),
            *("ari", "rand", "jaccard", "pair_agreement", "mirkin"),
            *("ami", "nmi", "variation_of_information", "v_measure"),
        )
    },
    "truth_class_accuracy": "cluster_purity",
    "cluster_purity": "truth_class_accuracy",
    "purity": "inverse_purity",
    "inverse_purity": "purity",
    "bcubed_precision": "bcubed_recall",
    "bcubed_recall": "bcubed_precision",
    "wallace_truth": "wallace_cluster",
    "wallace_cluster": "wallace_truth",
    "homogeneity": "completeness",
    "completeness": "homogeneity",
}


@dataclass(frozen=True, eq=False)
class LineCosts:
    """What each class, or each cluster, costs a score.

    Attributes
    ----------
    kind : {"class", "cluster"}
    names : tuple of str, length n
    size : ndarray of int64, shape (n,)
        Items of each.
    share : ndarray of float64, shape (n,), or None
        Share in what the score lacks to 1, or in the distance itself; they sum to 1. NaN
        where nothing is lost and for an empty class. None where the score is no such sum.
    without : ndarray, shape (n,)
        The score of the table without it: float64, or Python integers of any size.
    cost : ndarray of float64, shape (n,)
        By how much leaving it out would better the score: positive where it costs, negative
        where it helps. For a quantity that is neither good nor bad, by how much it would rise.
    known : ndarray of bool, shape (n,)
        Whether `without` and `cost` have been computed; where not, they are NaN.
    least, most : ndarray of float64, shape (n,)
        The cost at its least and its most over all ways to break the ties of the table without
        it; `cost` itself where they do not matter, or are too many to look at.
    ties : dict of int to TieRange
        For places without which ties decide the score: it depends on the order of the clusters.
    tied_share : bool
        Whether the shares depend on ties, of which the first cluster is taken.
    tied_score : TieRange or None
        Where the score of the whole table depends on ties.
    """

    kind: Kind
    names: tuple[str, ...]
    size: IntArray
    share: FloatArray | None
    without: npt.NDArray[Any]
    cost: FloatArray
    known: BoolArray
    least: FloatArray
    most: FloatArray
    ties: dict[int, TieRange]
    tied_share: bool
    tied_score: TieRange | None
    _why: dict[int, str] = field(repr=False)

    def why(self, place: int) -> str | None:
        """Return why the table without it has no score, None if it has one."""
        return self._why.get(place)

    def ranked(self, by: Literal["share", "cost"]) -> list[int]:
        """Return the places from the greatest cost to the least; those without one last.

        Where ties decide the score, the least of what they may make of it counts: the order
        does not depend on that of the clusters. Equals stand in the order of the table.
        """
        values = self.least if by == "cost" else self.share
        if values is None:
            return list(range(len(self.names)))
        order = np.argsort(np.where(np.isnan(values), np.inf, -values), kind="stable")
        return [int(place) for place in order]

    def reach(self, by: Literal["share", "cost"]) -> tuple[float, float]:
        """Return the least and the greatest of the costs known over all ties, 0 included."""
        if by == "share" and self.share is None:
            return 0.0, 0.0
        ends = (self.least, self.most) if by == "cost" else (self.share,)
        known = np.concatenate([[0.0], *(end[~np.isnan(end)] for end in ends if end is not None)])
        return float(known.min()), float(known.max())

    def sentence(self, place: int, key: str, score: float, digits: int = 4) -> str:
        """Return in words what one of them costs.

        Parameters
        ----------
        place : int
        key : str
            The metric that the costs are of.
        score : float or int
            Of the whole table.
        digits : int
            Decimals of the scores; more where they would look alike.
        """
        symbol = METRICS[key].symbol
        items = "1 item" if self.size[place] == 1 else f"{format_score(self.size[place])} items"
        said = f"{self.kind.capitalize()} {self.names[place]}, {items}."
        if self.share is not None and not np.isnan(self.share[place]):
            lost = f"what {symbol} lacks to 1"
            if METRICS[key].larger_is_better is False:
                lost = symbol
            said += f" Its share of {lost}: {100 * self.share[place]:.1f} %"
            said += ", the first cluster of each tie taken." if self.tied_share else "."
        if not self.known[place]:
            return said
        why = self.why(place)
        if why is not None:
            return f"{said} Without it {symbol} does not exist: {why}."
        ties = self.ties.get(place)
        tied = "" if ties is None else f" {ties.sentence(symbol, digits)}"
        if self.tied_score is not None:
            tied += f" {self.tied_score.of_the_table(symbol, digits)}"
        if self.cost[place]:
            digits = digits_apart(score, self.without[place], digits)
        before, after = format_score(score, digits), format_score(self.without[place], digits)
        if not self.cost[place]:
            return f"{said} Without it {symbol} stays {after}.{tied}"
        return f"{said} Without it {symbol} would be {after} instead of {before}.{tied}"


@dataclass(frozen=True, eq=False)
class Costs:
    """What each truth class and each cluster costs a score.

    Attributes
    ----------
    table : ContingencyTable
        Of shape (r, c).
    key : str
    score : float or int
        Of the whole table.
    why : str or None
        Why it does not exist, None if it does.
    classes, clusters : LineCosts
    complete : bool
        Whether all of it has been computed.
    """

    table: ContingencyTable
    key: str
    score: float
    why: str | None
    classes: LineCosts
    clusters: LineCosts
    complete: bool = False


@dataclass(frozen=True)
class CostsStudy:
    """Find out what each truth class and each cluster costs a score, the largest first.

    Attributes
    ----------
    table : ContingencyTable
    key : str
    options : ScoreOptions
    on_request : bool
        Whether to do it for a metric that searches or draws random tables, too.
    """

    table: ContingencyTable
    key: str
    options: ScoreOptions = field(default_factory=ScoreOptions)
    on_request: bool = False

    def run(self) -> Iterator[Step[Costs]]:
        """Yield what is known so far; the last step has all of it.

        Raises
        ------
        UnknownMetricError
            If the catalogue has no such key.
        ValueError
            If the metric has one value for each class, or takes long and was not asked for.
        """
        metric = explained_metric(self.key, on_request=self.on_request)
        found = yield from _begun(self.table, self.key, self.options)
        lines = (found.classes, found.clusters)
        order = _largest_first(self.table)
        sign = -1.0 if metric.larger_is_better is False else 1.0
        pulse = Pulse()
        message = f"leaving out classes and clusters, {metric.symbol}"
        yield Step(0, len(order), message, found)
        variants = (
            without_class(self.table, place) if axis == 0 else without_cluster(self.table, place)
            for axis, place in order
        )
        done = 0
        for scored in score_each(variants, self.key, self.options):
            if scored is None:
                yield Step(done, len(order), message, found)
                continue
            done = scored.stop
            for i in (0, 1):
                lines = _with(lines, i, order, scored, found.score, sign)
            if pulse.due():
                found = replace(found, classes=lines[0], clusters=lines[1])
            yield Step(done, len(order), message, found)
        found = replace(found, classes=lines[0], clusters=lines[1], complete=True)
        yield Step(len(order), len(order), "costs found", found, found)


def costs(
    table: ContingencyTable,
    key: str,
    options: ScoreOptions | None = None,
    *,
    on_request: bool = False,
) -> Costs:
    """Return what each truth class and each cluster costs a score.

    Parameters
    ----------
    table : ContingencyTable
    key : str
        A metric of the catalogue with one value for the whole table.
    options : ScoreOptions, optional
    on_request : bool
        Whether to do it for a metric that searches or draws random tables, too.

    Returns
    -------
    Costs

    Raises
    ------
    UnknownMetricError, ValueError
        If the metric cannot be explained; see `CostsStudy`.

    Examples
    --------
    >>> found = costs(ContingencyTable([[9, 1], [5, 5]], truth=["a", "b"]), "purity")
    >>> [found.classes.names[place] for place in found.classes.ranked("share")]
    ['b', 'a']
    """
    return run_to_end(CostsStudy(table, key, options or ScoreOptions(), on_request))


def _largest_first(table: ContingencyTable) -> list[tuple[int, int]]:
    """Return the axis and place of every class and cluster, the largest first."""
    size = np.concatenate([table.row_sums, table.column_sums])
    r = table.shape[0]
    order = np.argsort(-size, kind="stable").tolist()
    return [(0, place) if place < r else (1, place - r) for place in order]


def _begun(
    table: ContingencyTable, key: str, options: ScoreOptions
) -> Generator[Step[Costs], None, Costs]:
    """Return what is known before anything is left out, in steps that can be stopped."""
    scores = yield from _scores(table, key, options)
    share = scores.loss_share(key) if METRICS[key].loss is not None else None
    batch = CellBatch.of(table)
    tied = over_ties([table], batch, key, options).get(0)
    tied_share = key in OVER_TIES and ties_meet(batch)
    classes = _unknown("class", table.truth, table.row_sums, share, tied, tied_share)
    share = yield from _cluster_shares(table, key, options)
    clusters = _unknown("cluster", table.clusters, table.column_sums, share, tied)
    return Costs(table, key, scores[key], scores.why(key), classes, clusters)


def _scores(
    table: ContingencyTable, key: str, options: ScoreOptions
) -> Generator[Step[Costs], None, Scores]:
    batch = CellBatch.of(table)
    yield Step(0, None, "scoring the table")
    for _ in prepared(batch, key, options):
        yield Step(0, None, "scoring the table")
    return Scores(table, options, batch, [key])


def _unknown(
    kind: Kind,
    names: tuple[str, ...],
    size: IntArray,
    share: FloatArray | None,
    tied_score: TieRange | None,
    tied_share: bool = False,
) -> LineCosts:
    n = len(names)
    nan, none = np.full(n, np.nan), np.zeros(n, np.bool_)
    return LineCosts(
        kind, names, size, share, nan, nan, none, nan, nan, {}, tied_share, tied_score, {}
    )


def _cluster_shares(
    table: ContingencyTable, key: str, options: ScoreOptions
) -> Generator[Step[Costs], None, FloatArray | None]:
    """Return the shares of the clusters: those of the classes with both exchanged."""
    other = _EXCHANGED.get(key)
    if other is None or METRICS[other].loss is None:
        return None
    if key == "v_measure":
        if options.beta == 0.0 or math.isinf(1.0 / options.beta):
            return None
        options = replace(options, beta=1.0 / options.beta)
    scores = yield from _scores(table.transpose(), other, options)
    return scores.loss_share(other)


def _with(
    lines: tuple[LineCosts, LineCosts],
    axis: int,
    order: list[tuple[int, int]],
    scored: Scored,
    reference: float,
    sign: float,
) -> tuple[LineCosts, LineCosts]:
    """Return what is known with the scores of some tables added."""
    line, column, start = lines[axis], scored.column, scored.start
    which = [
        (i, place)
        for i, (of, place) in enumerate(order[start : start + len(column.values)])
        if of == axis
    ]
    if not which:
        return lines
    at, places = (np.array(numbers) for numbers in zip(*which, strict=True))
    values = column.values[at]
    without = line.without.astype(column.values.dtype)
    without[places] = values
    cost, least, most = line.cost.copy(), line.least.copy(), line.most.copy()
    # 0 stays 0 and is not turned into −0.
    cost[places] = sign * differences(values, reference) + 0.0
    least[places] = most[places] = cost[places]
    known = line.known.copy()
    known[places] = True
    why, ties = dict(line._why), dict(line.ties)
    for i, place in which:
        if i in scored.ties:
            ties[place] = scored.ties[i]
            ends = sign * differences([ties[place].low, ties[place].high], reference) + 0.0
            if not np.isnan(ends).any():
                least[place], most[place] = ends.min(), ends.max()
        if (sentence := column.why(i)) is not None:
            left = line.size[place] < line.size.sum()
            why[place] = sentence if left else f"without this {line.kind} no item is left"
    changed = replace(
        line,
        without=without,
        cost=cost,
        known=known,
        least=least,
        most=most,
        ties=ties,
        _why=why,
    )
    return (changed, lines[1]) if axis == 0 else (lines[0], changed)
