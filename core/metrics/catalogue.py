"""The catalogue: every metric of the program, in the order in which people see them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.metrics import associativity_peakiness, extremes, information, matching, pairs
from core.metrics.metric import Family, Metric

METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        metric.key: metric
        for room in (associativity_peakiness, matching, pairs, information, extremes)
        for metric in room.METRICS
    }
)

FAMILIES: tuple[Family, ...] = tuple(dict.fromkeys(metric.family for metric in METRICS.values()))
