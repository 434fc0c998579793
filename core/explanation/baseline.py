"""How the scores of a table differ from those of a baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.explanation.difference import differences, is_better
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
        Whether it is for the better; None where nothing changes, and for a quantity that is
        neither good nor bad.
    """

    before: float
    after: float
    difference: float
    better: bool | None


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
        better = is_better(difference, metric.larger_is_better)
        found[key] = Change(before, after, difference, better)
    return found
