"""Where the time of scikit-learn's adjusted mutual information goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from core.profiling.clock import Clock
from core.profiling.routes import Instance

STAGES = {
    "checks": "labels checked",
    "contingency": "contingency table counted",
    "information": "mutual information",
    "expected": "expected information",
    "entropies": "entropies",
    "rest": "the rest: parameters checked, results put together",
}
"""The parts of ``adjusted_mutual_info_score``, in the order in which it does them."""


@dataclass(frozen=True)
class Stages:
    """Times of the parts of one call, medians in ms.

    Attributes
    ----------
    total : float
        Of the whole call.
    parts : dict of str to float
        By the keys of `STAGES`; the rest makes up the total.
    instances : int
        Tables that were measured.
    """

    total: float
    parts: dict[str, float]
    instances: int

    @property
    def share_of_formula(self) -> float:
        """Share of the whole call that computes information, its expectation and entropies."""
        computed = sum(self.parts[key] for key in ("information", "expected", "entropies"))
        return computed / self.total if self.total else float("nan")


def measured_stages(instances: Iterable[Instance], clock: Clock) -> Stages:
    """Time each part of ``adjusted_mutual_info_score`` on its own.

    Parameters
    ----------
    instances : iterable of Instance
        One or more, with labels; only one of them is held at a time.
    clock : Clock
    """
    from sklearn import metrics
    from sklearn.metrics import cluster
    from sklearn.metrics.cluster import _supervised as inner

    # Not public: what they are called has changed before.
    check = inner.check_clusterings
    entropy = getattr(inner, "_entropy", None) or inner.entropy
    times: dict[str, list[float]] = {key: [] for key in ("total", *STAGES) if key != "rest"}
    count = 0
    for instance in instances:
        truth, clusters = instance.truth, instance.clusters
        counts = cluster.contingency_matrix(truth, clusters, sparse=True)
        calls: dict[str, Callable[[], object]] = {
            "total": lambda: metrics.adjusted_mutual_info_score(truth, clusters),  # noqa: B023
            "checks": lambda: check(truth, clusters),  # noqa: B023
            "contingency": lambda: cluster.contingency_matrix(truth, clusters, sparse=True),  # noqa: B023
            "information": lambda: metrics.mutual_info_score(truth, clusters, contingency=counts),  # noqa: B023
            "expected": lambda: cluster.expected_mutual_information(counts, len(truth)),  # noqa: B023
            "entropies": lambda: (entropy(truth), entropy(clusters)),  # noqa: B023
        }
        if not count:
            for call in calls.values():
                call()
        for key, call in calls.items():
            times[key].append(clock.time(call))
        count += 1
    found = {key: 1e3 * float(np.median(spent)) for key, spent in times.items()}
    total = found.pop("total")
    return Stages(total, found | {"rest": max(total - sum(found.values()), 0.0)}, count)
