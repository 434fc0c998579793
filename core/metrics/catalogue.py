"""The catalogue: every metric of the program, in the order in which people see them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.metrics import (
    ap_adjusted,
    associativity_peakiness,
    bcubed,
    contingency,
    entropies,
    extremes,
    generalised,
    information,
    matching,
    pairs,
)
from core.metrics.metric import Family, Metric

_ROOMS = (
    associativity_peakiness,
    ap_adjusted,
    matching,
    bcubed,
    contingency,
    pairs,
    information,
    entropies,
    generalised,
    extremes,
)

METRICS: Mapping[str, Metric] = MappingProxyType(
    {metric.key: metric for room in _ROOMS for metric in room.METRICS}
)

FAMILIES: tuple[Family, ...] = tuple(dict.fromkeys(metric.family for metric in METRICS.values()))
