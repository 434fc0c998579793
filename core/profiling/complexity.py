"""How the cost of a metric grows, as papers say and as this program is made."""

from __future__ import annotations

from core.metrics.catalogue import METRICS

_AMI = "O(N max(r, c))"
_SMI = "O(N³ c max(r, c))"
_PAPER = "Romano et al. (2016)"

_CHANCE = ("ami", "expected_mutual_information", "emi_q")
_VARIANCE = ("smi_q", "var_mi_q", "p_bound", "standardized_rand")


def published_complexity(key: str) -> str:
    """Return what is published of the cost of a metric, with its source; else what it must be.

    Parameters
    ----------
    key : str
        Of the catalogue.
    """
    if key.startswith(_CHANCE):
        return f"{_AMI}, {_PAPER}"
    if key.startswith(_VARIANCE):
        return f"{_SMI}, {_PAPER}"
    return "O(N) to count the labels, O(r c) for the table"


def own_complexity(key: str) -> str:
    """Return how the cost of a metric grows in this program, which starts from tables."""
    metric = METRICS[key]
    if key.startswith(_CHANCE):
        return (
            "distinct pairs of margins times the counts that stand for a cell's law, some "
            "thirty however large N is"
        )
    if key.startswith(_VARIANCE):
        return "distinct pairs of margins times some thirty counts and a few polynomials"
    if metric.when == "request":
        return "what a search or random tables take"
    return "non-empty cells, whatever N is"
