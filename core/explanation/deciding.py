"""The conventions that decided a score: what another choice would have made otherwise."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import get_args

import numpy as np

from core.cells import CellBatch
from core.explanation.class_rows import class_rows, listed
from core.explanation.variants import explained_metric, score_with
from core.formatting import format_score
from core.metrics.associativity_peakiness import row_peakiness
from core.metrics.information import information_is_fixed
from core.metrics.metric import (
    AP_FAMILY,
    GENERALISED_FAMILY,
    INFORMATION_FAMILY,
    Average,
    EmptyTruth,
    Metric,
)
from core.metrics.wording import option_text
from core.scores import Scores

_MEANS = {
    "arithmetic": "arithmetic mean",
    "geometric": "geometric mean",
    "min": "minimum",
    "max": "maximum",
}
# What another base of logarithms would change; in a ratio the base cancels.
_IN_NATS = frozenset(
    {
        "mutual_information",
        "expected_mutual_information",
        "variation_of_information",
        "entropy_truth",
        "entropy_cluster",
        "joint_entropy",
    }
)
_OF_VOTES = frozenset({"ap", "associativity"})


def conventions_that_decided(scores: Scores, key: str, digits: int = 4) -> list[str]:
    """Return the conventions that decided a score of this table, as sentences.

    A convention that changes nothing here is not named: an empty class where there is none,
    a rule for 0/0 where nothing is divided by 0.

    Parameters
    ----------
    scores : Scores
        They need not have the key.
    key : str
        A metric of the catalogue with one value for the whole table.
    digits : int
        Decimals of the scores that are named.

    Returns
    -------
    list of str
        Empty where the formula alone decided.

    Raises
    ------
    UnknownMetricError, ValueError
        If the metric cannot be explained.

    Examples
    --------
    >>> from core.scoring import score
    >>> conventions_that_decided(score([[3, 0], [2, 0]]), "homogeneity")
    ['Cluster C2 is empty: it is left out before anything is computed.']
    """
    metric = explained_metric(key)
    if key not in scores:
        scores = score_with(scores.table, key, scores.options)
    batch = CellBatch.of(scores.table)
    said = list(_left_out(scores, metric, digits))
    if (why := scores.why(key)) is not None:
        return [*said, f"The score does not exist: {why}."]
    if not scores.table.total:
        return said
    said += _votes(scores, metric)
    said += _limits(scores, batch, metric)
    said += _options(scores, batch, metric, digits)
    return said


def why_zero(scores: Scores, key: str) -> str | None:
    """Return why AP or associativity is 0, as a sentence; None for other scores.

    Parameters
    ----------
    scores : Scores
        With the one that is asked for.
    key : str
    """
    if key not in ("ap", "associativity") or scores[key] != 0.0:
        return None
    parts = scores.only(("associativity", "peakiness"))
    if parts["associativity"] == 0.0:
        # The vote of a tie goes to the first cluster, as in associativity.
        voted = next(peaks[0] for peaks in scores.peak_clusters if peaks)
        name = scores.table.clusters[voted]
        return f"It is 0 because every truth class has its largest count in one cluster, {name}."
    return "It is 0 because in every truth class the two largest counts are equal."


def _left_out(scores: Scores, metric: Metric, digits: int) -> Iterator[str]:
    """Yield what is said of noise and of empty classes and clusters."""
    table = scores.table
    if table.noise is not None and table.noise.sentence is not None:
        sentence = table.noise.sentence
        yield f"{sentence[:1].upper()}{sentence[1:]}."
    if not table.total:
        return
    empty = [table.truth[i] for i in np.flatnonzero(table.row_sums == 0).tolist()]
    if empty:
        one = len(empty) == 1
        start = f"Class {empty[0]} is" if one else f"Classes {listed(empty)} are"
        if "empty_truth" in metric.parameters:
            yield f"{start} empty: {_empty_truth(scores, metric, digits, one)}"
        else:
            yield f"{start} empty: {'it is' if one else 'they are'} {_BEFORE}"
    empty = [table.clusters[j] for j in np.flatnonzero(table.column_sums == 0).tolist()]
    if empty:
        one = len(empty) == 1
        start = f"Cluster {empty[0]} is" if one else f"Clusters {listed(empty)} are"
        yield f"{start} empty: {'it is' if one else 'they are'} {_BEFORE}"


_BEFORE = "left out before anything is computed."


def _empty_truth(scores: Scores, metric: Metric, digits: int, one: bool) -> str:
    excluded = scores.options.empty_truth == "exclude"
    verb = "is" if one else "are"
    enter = "enters" if one else "enter"
    said = (
        f"{'it' if one else 'they'} {verb} left out of the mean peakiness"
        if excluded
        else f"{'it' if one else 'they'} {enter} the mean peakiness as 0"
    )
    if metric.when == "request":
        return f"{said}."
    choice: EmptyTruth = "zero" if excluded else "exclude"
    other = score_with(scores.table, metric.key, replace(scores.options, empty_truth=choice))
    value = format_score(other[metric.key], digits)
    what = "entering as 0" if excluded else "left out"
    return f"{said}; {what}, {'it' if one else 'they'} would make {metric.symbol} {value}."


def _votes(scores: Scores, metric: Metric) -> Iterator[str]:
    if metric.key not in _OF_VOTES or not scores.tied_rows:
        return
    found = class_rows(scores.table, scores.options)
    if found.scores[f"{metric.key}_min"] == found.scores[f"{metric.key}_max"]:
        return
    rows = found.rows
    warnings = [row.warning for row in rows if row.warning is not None]
    for warning in warnings[:5]:
        yield f"{warning[:1].upper()}{warning[1:]}."
    if len(warnings) > 5:
        yield f"So it is with {len(warnings) - 5} more classes."


# What decides where a formula says 0/0, or where rounding would decide


Rule = Callable[[CellBatch, float], str | None]


def _limits(scores: Scores, batch: CellBatch, metric: Metric) -> Iterator[str]:
    key = metric.key
    value = float(scores[key])
    rule = _RULES.get(key.partition("_")[0] if key.startswith(("ami", "nmi")) else key)
    said = rule(batch, value) if rule is not None else None
    if said is not None:
        yield said
    elif bool(batch.identical[0]) and _says_identical(metric, value):
        yield (
            "The partitions are identical but for names. That is decided from the counts, so "
            f"the score is exactly {format_score(value, 0)}, whatever rounding would make of it."
        )


def _says_identical(metric: Metric, value: float) -> bool:
    if metric.larger_is_better is None:
        return False
    return value == (1.0 if metric.larger_is_better else 0.0)


def _none_together(batch: CellBatch) -> bool:
    return bool((batch.row_sum == 1).all() and (batch.column_sum == 1).all())


def _fowlkes_mallows(batch: CellBatch, _: float) -> str | None:
    if _none_together(batch):
        return (
            "No two items are together in a class or in a cluster, so the partitions agree on "
            "every pair: 0/0 is 1."
        )
    if (batch.row_sum == 1).all() or (batch.column_sum == 1).all():
        return (
            "No two items are together in both a class and a cluster, and one of TP + FP and "
            "TP + FN is 0: 0/0 is 0."
        )
    return None


def _jaccard(batch: CellBatch, _: float) -> str | None:
    if _none_together(batch):
        return "No two items are together in a class or in a cluster: 0/0 is 1."
    return None


def _rand(batch: CellBatch, _: float) -> str | None:
    if batch.total[0] < 2:
        return "With one item there is no pair: the Rand index is 1."
    return None


def _ari(batch: CellBatch, _: float) -> str | None:
    if not batch.identical[0]:
        return None
    if len(batch.row_sum) == 1 or _none_together(batch):
        return "FP = FN = 0: the partitions are identical, and 0/0 is 1."
    return None


def _homogeneity(batch: CellBatch, _: float) -> str | None:
    if len(batch.row_sum) == 1:
        return "There is one class, so the classes have no entropy: 0/0 is 1."
    if batch.n_cells[0] == batch.n_columns[0]:
        return "Every cluster has items of one class only: that is exactly 1, seen in the counts."
    return None


def _completeness(batch: CellBatch, _: float) -> str | None:
    if len(batch.column_sum) == 1:
        return "There is one cluster, so the clusters have no entropy: 0/0 is 1."
    if batch.n_cells[0] == batch.n_rows[0]:
        return "Every class has items in one cluster only: that is exactly 1, seen in the counts."
    return None


def _v_measure(batch: CellBatch, _: float) -> str | None:
    if len(batch.row_sum) == 1 and len(batch.column_sum) == 1:
        return "One class in one cluster: homogeneity and completeness are 1 by convention."
    if len(batch.row_sum) == 1:
        return "There is one class, so homogeneity is 1 by convention; completeness is 0."
    if len(batch.column_sum) == 1:
        return "There is one cluster, so completeness is 1 by convention; homogeneity is 0."
    return None


def _nmi(batch: CellBatch, _: float) -> str | None:
    if len(batch.row_sum) == 1 and len(batch.column_sum) == 1:
        return "One class in one cluster: neither has any entropy, and 0/0 is 1."
    if len(batch.row_sum) == 1 or len(batch.column_sum) == 1:
        return "One of the two entropies is 0 and nothing is shared: the score is 0, 0/0 included."
    return None


def _ami(batch: CellBatch, _: float) -> str | None:
    if batch.identical[0]:
        if batch.derive(information_is_fixed)[0]:
            return "The partitions are identical but for names: the score is 1, 0/0 included."
        return None
    if batch.derive(information_is_fixed)[0]:
        return (
            "Every table with these margins has the same information, so MI = E[MI] exactly: the "
            "score is 0, and rounding is not divided by rounding."
        )
    return None


def _p_bound(batch: CellBatch, value: float) -> str | None:
    if batch.derive(information_is_fixed)[0]:
        return (
            "Every table with these margins has the same information, so the standardised one "
            "does not exist, and the bound is 1."
        )
    if value == 1.0:
        return "There is no more information than chance gives, so the bound is 1."
    return None


def _concordance(batch: CellBatch, _: float) -> str | None:
    if len(batch.row_sum) == 1 and len(batch.column_sum) == 1:
        return "One class in one cluster: 0/0 is 1."
    return None


def _peakiness(batch: CellBatch, _: float) -> str | None:
    if len(batch.column_sum) == 1:
        return "There is one cluster: the second largest count of every class is 0."
    return None


def _ap(batch: CellBatch, value: float) -> str | None:
    if value != 0.0:
        return None
    if len(batch.column_sum) == 1:
        return "There is one cluster that all classes vote for: A = 0, and AP with it."
    if not batch.derive(row_peakiness).any() and len(batch.row_sum) > 1:
        return "No class has a peak above its second largest count: P = 0, and AP with it."
    return None


_RULES: dict[str, Rule] = {
    "ap": _ap,
    "peakiness": _peakiness,
    "fowlkes_mallows": _fowlkes_mallows,
    "jaccard": _jaccard,
    "rand": _rand,
    "pair_agreement": _rand,
    "ari": _ari,
    "homogeneity": _homogeneity,
    "completeness": _completeness,
    "v_measure": _v_measure,
    "nmi": _nmi,
    "ami": _ami,
    "p_bound": _p_bound,
    "measure_of_concordance": _concordance,
}


# Options


def _options(scores: Scores, batch: CellBatch, metric: Metric, digits: int) -> Iterator[str]:
    options = scores.options
    if "average" in metric.parameters:
        yield from _averages(scores, metric, digits)
    if "beta" in metric.parameters and options.beta != 1.0:
        yield (
            f"Completeness is weighed by beta = {option_text(options.beta)}; "
            f"with beta = 1 the score would be {_with(scores, metric, 'beta', 1.0, digits)}."
        )
    if "q" in metric.parameters and metric.family == GENERALISED_FAMILY:
        yield f"The entropies have the order q = {option_text(options.q)}{_at_one(options.q)}."
    if "draws" in metric.parameters and not batch.identical[0]:
        yield (
            f"What chance gives is estimated from {format_score(options.draws)} random tables "
            f"(seed {options.seed})."
        )
    if metric.key in _IN_NATS and metric.family == INFORMATION_FAMILY and scores[metric.key]:
        bits = format_score(scores[metric.key] / math.log(2.0), digits)
        yield f"Logarithms are natural, so this is in nats; to base 2 it would be {bits} bits."
    if metric.family == AP_FAMILY and metric.key in ("ap_min", "ap_max") and not scores.tied_rows:
        yield "No class has its largest count in several clusters: AP is the same."


def _at_one(q: float) -> str:
    return ", Shannon's" if q == 1.0 else ""


def _averages(scores: Scores, metric: Metric, digits: int) -> Iterator[str]:
    chosen = scores.options.average
    values: dict[str, str] = {}
    for mean in get_args(Average):
        values[mean] = _with(scores, metric, "average", mean, digits)
    others = [f"the {_MEANS[mean]} {values[mean]}" for mean in values if mean != chosen]
    if len(set(values.values())) == 1:
        return
    yield (
        f"The score refers to the {_MEANS[chosen]} of the two entropies; with {_joined(others)}."
    )


def _joined(parts: Sequence[str]) -> str:
    return f"{', '.join(parts[:-1])} or {parts[-1]}" if len(parts) > 1 else parts[0]


def _with(scores: Scores, metric: Metric, option: str, value: object, digits: int) -> str:
    options = replace(scores.options, **{option: value})  # type: ignore[arg-type]
    return format_score(score_with(scores.table, metric.key, options)[metric.key], digits)
