"""How the scores of a table differ from those of a baseline."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.explanation.difference import differences, is_better
from core.explanation.variants import OVER_TIES
from core.metrics.catalogue import METRICS
from core.scores import Scores


@dataclass(frozen=True)
class Change:
    """How a score differs from that of the baseline.

    Attributes
    ----------
    before, after : float or int
        The score of the baseline, and that of the table.
    difference : float
        ``after - before``; NaN where one of them does not exist, 0 where they differ by no
        more than rounding.
    better : bool or None
        Whether it is for the better; None where nothing changes, where ties leave it open, and
        for a quantity that is neither good nor bad.
    tied : bool
        Whether ties of one of the tables leave it open whether it is for the better: it
        depends on the order of the clusters.
    """

    before: float
    after: float
    difference: float
    better: bool | None
    tied: bool = False


# A score above or below chance cancels near 0: the same table with its lines in another order
# may have one that differs by so much.
_NEAR_ZERO = 1e-13


def changes(scores: Scores, baseline: Scores) -> Mapping[str, Change]:
    """Return how scores differ from those of a baseline.

    Parameters
    ----------
    scores, baseline : Scores
        They may be of tables of different shapes.

    Returns
    -------
    mapping of str to Change
        For every key that both have and that is one value for the whole table, but for those
        that were computed by different conventions: they cannot be compared.
    """
    found: dict[str, Change] = {}
    for key in scores:
        metric = METRICS[key]
        if metric.per != "table" or key not in baseline:
            continue
        if any(
            getattr(scores.options, name) != getattr(baseline.options, name)
            for name in metric.parameters
        ):
            continue
        before, after = baseline[key], scores[key]
        # A whole number may be of any size.
        value = np.array([after], object if metric.whole else np.float64)
        difference = float(differences(value, before)[0])
        if metric.larger_is_better and not metric.whole and abs(difference) <= _NEAR_ZERO:
            difference = 0.0
        better = is_better(difference, metric.larger_is_better)
        tied = _is_left_open(key, scores, baseline)
        found[key] = Change(before, after, difference, None if tied else better, tied)
    return found


def _is_left_open(key: str, scores: Scores, baseline: Scores) -> bool:
    """Return whether which of two scores is larger depends on how ties are broken."""
    if key not in OVER_TIES or not (scores.ties_matter or baseline.ties_matter):
        return False
    (low, high), (low_before, high_before) = _ends(key, scores), _ends(key, baseline)
    if low == high and low_before == high_before:
        return False
    # An end that is not known leaves it open, too.
    return not (low > high_before or high < low_before)


def _ends(key: str, scores: Scores) -> tuple[float, float]:
    """Return the least and the most over all ways to break ties."""
    if not scores.ties_matter:
        return scores[key], scores[key]
    ends = [scores.get(end, math.nan) for end in OVER_TIES[key]]
    return ends[0], ends[1]
