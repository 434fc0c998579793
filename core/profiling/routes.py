"""The three ways to a score whose times are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from core.counts import IntArray
from core.metrics.catalogue import METRICS
from core.metrics.metric import ScoreOptions
from core.metrics.scikit_learn import PEER_KEYS, peer_call
from core.scoring import score, score_many
from core.table import ContingencyTable

RouteKey = Literal["paper", "table", "batch"]
Call = Callable[[], object]


@dataclass(frozen=True)
class Route:
    """A way to a score.

    Attributes
    ----------
    key, name : str
    note : str
        What is timed, one sentence.
    """

    key: RouteKey
    name: str
    note: str


ROUTES: Mapping[str, Route] = MappingProxyType(
    {
        route.key: route
        for route in (
            Route(
                "paper",
                "scikit-learn",
                "The AP paper's protocol: scikit-learn's functions on two label vectors, which "
                "are made before the clock starts; AP by its formula on the table, F1 from "
                "scikit-learn's contingency matrix of the vectors.",
            ),
            Route(
                "table",
                "one table a call",
                "This program: core.score() of one metric of one table, the table ready made.",
            ),
            Route(
                "batch",
                "all tables at once",
                "This program: core.score_many() of one metric of all tables of the scenario, "
                "divided by their number.",
            ),
        )
    }
)

_BY_FORMULA = ("ap", "f1")


@dataclass(frozen=True, eq=False)
class Instance:
    """One table in every form that a route starts from.

    Attributes
    ----------
    counts : ndarray of int64, shape (r, c)
    truth, clusters : ndarray of int64, shape (N,)
        Its items; of no length where no route needs them.
    """

    counts: IntArray
    truth: IntArray
    clusters: IntArray

    @classmethod
    def of(cls, counts: IntArray, *, with_labels: bool = True) -> Instance:
        """Return the instance of a table, shape (r, c)."""
        if not with_labels:
            nothing = np.zeros(0, np.int64)
            return cls(counts, nothing, nothing)
        rows, columns = np.nonzero(counts)
        number = counts[rows, columns]
        return cls(counts, np.repeat(rows, number), np.repeat(columns, number))


def lacking(route: str, key: str) -> str | None:
    """Return why a route does not lead to a metric, None if it does.

    Parameters
    ----------
    route, key : str
        Of `ROUTES` and of the catalogue.
    """
    if route == "paper" and key not in PEER_KEYS and key not in _BY_FORMULA:
        return f"scikit-learn has no {METRICS[key].name}"
    return None


def needs_labels(routes: Sequence[str]) -> bool:
    """Return whether a route among these starts from label vectors."""
    return "paper" in routes


def call(route: str, key: str, instance: Instance, tables: IntArray, options: ScoreOptions) -> Call:
    """Return a function without arguments that computes a score once.

    What is not timed happens here: tables are made and functions are found.

    Parameters
    ----------
    route, key : str
    instance : Instance
    tables : ndarray of int64, shape (n, r, c)
        All tables, which the batch route scores.
    options : ScoreOptions
    """
    if route == "paper":
        return _paper_call(key, instance, options)
    told = {
        "q": options.q,
        "beta": options.beta,
        "average": options.average,
        "empty_truth": options.empty_truth,
        "draws": options.draws,
        "seed": options.seed,
    }
    if route == "batch":
        return partial(score_many, tables, (key,), **told)  # type: ignore[arg-type]
    # A table remembers sums that it was once asked for: each call has a new one.
    return partial(score, ContingencyTable(instance.counts), (key,), **told)  # type: ignore[arg-type]


def _paper_call(key: str, instance: Instance, options: ScoreOptions) -> Call:
    if key == "ap":
        return partial(formula_ap, instance.counts)
    if key == "f1":
        return partial(label_f1, instance.truth, instance.clusters)
    from sklearn import metrics

    name, arguments = peer_call(key, options)
    function = cast(Callable[..., Any], getattr(metrics, name))
    return partial(function, instance.truth, instance.clusters, **arguments)


def formula_ap(counts: npt.NDArray[np.int64]) -> float:
    """Return AP by its formula, without checks, as a script would.

    Parameters
    ----------
    counts : ndarray of int64, shape (r, c)

    Notes
    -----
    Zirkind and Diehl (2026), eqs. 7 to 14. Classes without items are left out.
    """
    ordered = np.sort(counts[counts.any(axis=1)], axis=1)
    n = len(ordered)
    if n < 2:
        return float("nan")
    largest = ordered[:, -1]
    second = ordered[:, -2] if ordered.shape[1] > 1 else 0
    peakiness = np.mean((largest - second) / largest)
    votes = np.bincount(counts[counts.any(axis=1)].argmax(axis=1))
    associativity = 1 - np.sum(votes * (votes - 1)) / (n * (n - 1))
    both = associativity + peakiness
    return float(2 * associativity * peakiness / both) if both else 0.0


def label_f1(truth: npt.NDArray[np.int64], clusters: npt.NDArray[np.int64]) -> float:
    """Return F1 of truth class accuracy and cluster purity from label vectors.

    Parameters
    ----------
    truth, clusters : ndarray of int64, shape (N,)
    """
    from sklearn.metrics.cluster import contingency_matrix

    counts = contingency_matrix(truth, clusters)
    accuracy = np.mean(counts.max(axis=1) / counts.sum(axis=1))
    purity = np.mean(counts.max(axis=0) / counts.sum(axis=0))
    return float(2 * accuracy * purity / (accuracy + purity))
