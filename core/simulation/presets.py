"""The scenarios of the AP paper, and the best and worst that can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.simulation.dividers import DividedTotal
from core.simulation.extremes import Ideal, Worst
from core.simulation.scenario import Scenario

PAPER_TOTAL = 2521
PAPER_TABLES = 500
PAPER_ZERO_WEIGHT = 1000


@dataclass(frozen=True)
class Preset:
    """A scenario that has a name.

    Attributes
    ----------
    key : str
    name : str
        As people read it.
    note : str
        What it is there for, one sentence.
    scenario : Scenario
    """

    key: str
    name: str
    note: str
    scenario: Scenario


def _higher(rows: int, columns: int) -> DividedTotal:
    return DividedTotal(rows, columns, PAPER_TOTAL, PAPER_ZERO_WEIGHT)


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.key: preset
        for preset in (
            Preset(
                "ideal",
                "Ideal",
                "Every truth class is a cluster of its own: every score is 1.",
                Ideal(4, 4, PAPER_TOTAL),
            ),
            Preset(
                "worst",
                "Worst",
                "All truth classes lie in one cluster: no item can be told from another.",
                Worst(4, 4, PAPER_TOTAL),
            ),
            Preset(
                "low_4x4",
                "Low 4 × 4",
                "The paper's lower performance: all cells alike.",
                DividedTotal(4, 4, PAPER_TOTAL),
            ),
            Preset(
                "higher_4x4",
                "Higher 4 × 4",
                "The paper's higher performance: many cells are empty.",
                _higher(4, 4),
            ),
            Preset(
                "higher_4x6",
                "Higher 4 × 6",
                "The paper's higher performance with more clusters than classes.",
                _higher(4, 6),
            ),
            Preset(
                "higher_4x2",
                "Higher 4 × 2",
                "The paper's higher performance with fewer clusters than classes: "
                "associativity is at most 2/3.",
                _higher(4, 2),
            ),
        )
    }
)

PAPER_METRICS: tuple[str, ...] = (
    "ap",
    "ami",
    "ari",
    "fowlkes_mallows",
    "completeness",
    "homogeneity",
    "v_measure",
    "f1",
)
"""The eight metrics that the paper compares."""
