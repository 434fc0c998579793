"""The textbook's seventeen points, and the slides' k-means on a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from core.cells import FloatArray
from core.metrics.catalogue import METRICS
from core.published.finding import Claim, Outcome, compared
from core.published.sources import TEXTBOOK, Maker, printed
from core.scoring import score

# The means of points on a line settle long before.
_MOST_ITERATIONS = 100

_POINTS = "seventeen points"
_K_MEANS = "slides, k-means"

_claim = Maker("textbook", TEXTBOOK)


def textbook_claims() -> list[Claim]:
    """Return the claims of the seventeen points and of k-means on a line."""
    book = printed("textbook")
    points, line = book["seventeen_points"], book["k_means_1d"]
    steps = line["means_by_iteration"]
    return [
        *(
            _claim(
                f"seventeen_points.{key}",
                _POINTS,
                f"{METRICS[key].name} of the seventeen points",
                partial(_score, points, key),
            )
            for key in ("purity", "rand", "tp", "fp", "fn", "tn")
        ),
        *(
            _claim(
                f"k_means.iteration_{number}",
                _K_MEANS,
                f"Means of 2, 3, 4, 10, 11, 12, 20, 25, 30 after iteration {number}, from 2 and 4",
                partial(_iteration, line, number),
            )
            for number in range(1, len(steps) + 1)
        ),
        _claim(
            "k_means.converged",
            _K_MEANS,
            "Means that no further iteration changes",
            partial(_end, line),
        ),
        _claim(
            "k_means.peer",
            _K_MEANS,
            "scikit-learn's KMeans from the same means ends at the same ones",
            partial(_peer, line),
        ),
    ]


def _score(record: Mapping[str, Any], key: str) -> Outcome:
    # The example is printed cluster by cluster.
    value = float(score(np.transpose(record["clusters_by_class"]), [key])[key])
    whole = METRICS[key].whole
    return compared(
        [record[key]],
        [value],
        0 if whole else 2,
        "Pairs of points, counted exactly." if whole else f"{METRICS[key].symbol} = {value:.4f}.",
    )


def lloyd(points: FloatArray, means: FloatArray) -> Iterator[FloatArray]:
    """Yield the means of each iteration of Lloyd's algorithm on a line, until they stay.

    Parameters
    ----------
    points : ndarray of float64, shape (n,)
    means : ndarray of float64, shape (k,)
        To start from. A point as near to several means goes to the first of them; a mean
        without points stays.

    Yields
    ------
    ndarray of float64, shape (k,)
        The last ones are those that the next iteration would give again.
    """
    for _ in range(_MOST_ITERATIONS):
        nearest = np.abs(points[:, None] - means).argmin(axis=1)
        new = np.array(
            [
                points[nearest == k].mean() if (nearest == k).any() else means[k]
                for k in range(len(means))
            ]
        )
        if np.array_equal(new, means):
            return
        means = new
        yield means


def _trace(record: Mapping[str, Sequence[float]]) -> list[FloatArray]:
    points, start = (np.array(record[name], np.float64) for name in ("points", "initial_means"))
    return list(lloyd(points, start))


def _iteration(record: Mapping[str, Any], number: int) -> Outcome:
    trace = _trace(record)
    ours = trace[min(number, len(trace)) - 1].tolist()
    return compared(
        record["means_by_iteration"][number - 1],
        ours,
        2,
        "Every point goes to the nearest mean, then each mean becomes that of its points.",
    )


def _end(record: Mapping[str, Any]) -> Outcome:
    trace = _trace(record)
    return compared(
        record["converged"],
        trace[-1].tolist(),
        2,
        f"The means no longer change after iteration {len(trace)}.",
    )


def _peer(record: Mapping[str, Any]) -> Outcome:
    from sklearn.cluster import KMeans

    start = np.array(record["initial_means"], np.float64)[:, None]
    points = np.array(record["points"], np.float64)[:, None]
    found = KMeans(len(start), init=start, n_init=1).fit(points)
    return compared(
        record["converged"],
        found.cluster_centers_[:, 0].tolist(),
        2,
        f"KMeans(init=[2, 4], n_init=1) of scikit-learn, {found.n_iter_} iterations.",
    )
