"""Which metrics scikit-learn has, too, and how it is called for them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from core.metrics.metric import ScoreOptions

FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {
        "ari": "adjusted_rand_score",
        "rand": "rand_score",
        "pair_agreement": "rand_score",
        "fowlkes_mallows": "fowlkes_mallows_score",
        "mutual_information": "mutual_info_score",
        "nmi": "normalized_mutual_info_score",
        "ami": "adjusted_mutual_info_score",
        "homogeneity": "homogeneity_score",
        "completeness": "completeness_score",
        "v_measure": "v_measure_score",
    }
)
"""Names of its functions of two label vectors, by our keys."""

_MEANS = ("geometric", "min", "max")

PEER_KEYS = (*FUNCTIONS, *(f"{key}_{mean}" for key in ("nmi", "ami") for mean in _MEANS))
"""Metrics that scikit-learn has, too."""


def peer_call(key: str, options: ScoreOptions) -> tuple[str, dict[str, Any]]:
    """Return the name of scikit-learn's function for a metric, and what it is told.

    Parameters
    ----------
    key : str
        One of `PEER_KEYS`.
    options : ScoreOptions
        The average and beta are passed on.

    Returns
    -------
    name, arguments : str, dict
    """
    base, _, mean = key.partition("_")
    if base in ("nmi", "ami"):
        return FUNCTIONS[base], {"average_method": mean or options.average}
    if key == "v_measure" and options.beta != 1.0:
        return FUNCTIONS[key], {"beta": options.beta}
    return FUNCTIONS[key], {}
