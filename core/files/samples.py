"""The tables that come with the program."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from core.resources import resource_path


class Sample(NamedTuple):
    """A table that comes with the program, and what to call it."""

    path: Path
    title: str


_TITLES = {
    "samples/figure_1.csv": "Figure 1",
    "samples/table_10.csv": "Table 10",
    "samples/seventeen_points.csv": "Seventeen points",
}


def sample_tables() -> tuple[Sample, ...]:
    """Return the sample tables, the one to start with first.

    Figure 1 and table 10 are those of Zirkind and Diehl, arXiv 2604.22655; the
    seventeen points are the example of Manning, Raghavan and Schütze,
    Introduction to Information Retrieval (2008), figure 16.4.
    """
    return tuple(Sample(resource_path(name), title) for name, title in _TITLES.items())
