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


def sample_labels() -> tuple[Sample, ...]:
    """Return the sample files of labels, an item a row.

    The species are those of the irises of Fisher (1936), in the order of scikit-learn's
    copy; the clusters were found in the standardised measurements by scikit-learn 1.9:
    k-means and Ward linkage with three clusters, DBSCAN with a radius of 0.6 and five
    neighbours.
    """
    return (Sample(resource_path("samples/labels/iris.csv"), "Iris, labels of three algorithms"),)


def sample_tables() -> tuple[Sample, ...]:
    """Return the sample tables, the one to start with first.

    Figure 1 and table 10 are those of Zirkind and Diehl, arXiv 2604.22655; the
    seventeen points are the example of Manning, Raghavan and Schütze,
    Introduction to Information Retrieval (2008), figure 16.4.
    """
    return tuple(Sample(resource_path(name), title) for name, title in _TITLES.items())
