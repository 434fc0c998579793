"""The clustering evaluation lesson: its tables and Rand indices; the rest is only listed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from core.published.finding import Claim, Outcome, compared, stated
from core.published.sources import LESSON, Maker, lesson_labels, printed
from core.scoring import score
from core.table import ContingencyTable

# The lesson's values come from its published code, with every digit.
_DIGITS = 12

_AGREEMENT = "agreement with the label"

_INTERNAL = {
    "silhouette": "Silhouette",
    "scatter": "Scatter",
    "gap": "Gap statistic",
}

_claim = Maker("lesson", LESSON)


def lesson_claims() -> list[Claim]:
    """Return the claims of the lesson."""
    lesson = printed("lesson")
    claims = []
    for k in lesson["tables"]:
        claims += [
            _claim(
                f"table.{k}",
                _AGREEMENT,
                f"Counts of the partition into {k} clusters against the label",
                partial(_table, lesson, k),
            ),
            _claim(
                f"agreement.{k}",
                _AGREEMENT,
                f"Rand index of the partition into {k} clusters",
                partial(_agreement, lesson, k),
            ),
        ]
    claims.append(
        _claim(
            "single",
            _AGREEMENT,
            "Rand index of a single cluster",
            partial(_single, lesson),
        )
    )
    claims.append(
        _claim(
            "random",
            _AGREEMENT,
            f"Rand indices of random partitions into {_span(lesson['agreement'])} clusters",
            partial(_random, lesson),
        )
    )
    for data, place in (("data", "subscribers"), ("flat", "data without structure")):
        claims.append(
            _claim(
                f"{data}.within_total",
                place,
                f"Sum of the distances to the centroids for {_span(lesson[data])} clusters",
                partial(_not_yet, lesson["within_total"][data].values()),
            )
        )
        for key, name in _INTERNAL.items():
            claims.append(
                _claim(
                    f"{data}.{key}",
                    place,
                    f"{name} for {_span(lesson[data])} clusters",
                    partial(_not_yet, [values[key] for values in lesson[data].values()]),
                )
            )
    return claims


def _span(by_k: Mapping[str, Any]) -> str:
    numbers = sorted(map(int, by_k))
    return f"{numbers[0]} to {numbers[-1]}"


def _counted(k: str) -> ContingencyTable:
    labels = lesson_labels()
    return ContingencyTable.from_labels(labels["suspicious"], labels[f"k{k}"])


def _table(lesson: Mapping[str, Any], k: str) -> Outcome:
    table = _counted(k)
    # The lesson's rows and columns are the labels 0, 1, 2, …
    rows, columns = (
        [names.index(str(place)) for place in range(len(names))]
        for names in (table.truth, table.clusters)
    )
    counts = np.asarray(table.counts)[np.ix_(rows, columns)]
    return stated(
        np.array_equal(counts, lesson["tables"][k]),
        f"Counted from the labels of {table.total} subscribers, cell by cell.",
    )


def _agreement(lesson: Mapping[str, Any], k: str) -> Outcome:
    value = float(score(_counted(k), ["rand"])["rand"])
    return compared(
        [lesson["agreement"][k][0]],
        [value],
        _DIGITS,
        "Computed from the labels; equal to twelve decimals.",
    )


def _single(lesson: Mapping[str, Any]) -> Outcome:
    classes = _counted("2").row_sums
    value = float(score(classes[:, None], ["rand"])["rand"])
    return compared(
        [lesson["single"]],
        [value],
        _DIGITS,
        "All items in one cluster agree with the label on every pair within a class.",
    )


def _random(lesson: Mapping[str, Any]) -> Outcome:
    return Outcome(
        "printed only, cannot be recomputed",
        "The lesson prints the scores of its random partitions, not their labels.",
        tuple(pair[1] for pair in lesson["agreement"].values()),
        digits=4,
    )


def _not_yet(values: Iterable[float]) -> Outcome:
    return Outcome(
        "not computed by this program yet",
        "It is a score of points and their distances, not of a contingency table.",
        tuple(values),
        digits=4,
    )
