"""The AP paper's simulation, run again and again: what single runs of its size give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch, FloatArray
from core.counts import IntArray
from core.metrics.metric import BoolArray, ScoreOptions, harmonic_mean
from core.scores import compute_columns
from core.simulation.dividers import DividedTotal
from core.simulation.presets import PAPER_METRICS, PAPER_TABLES, PRESETS
from core.statistics.correlation import pearson
from core.statistics.summary import Summary, summarise

SCENARIOS = ("low_4x4", "higher_4x4", "higher_4x6", "higher_4x2")

# Tables scored between two looks at whether someone wants to stop.
_PIECE = 125


def paper_scenario(key: str) -> DividedTotal:
    """Return a scenario of the paper, made by the paper's own generator."""
    return replace(cast(DividedTotal, PRESETS[key].scenario), generator="paper")


@dataclass(frozen=True, eq=False)
class Replication:
    """One run of the paper's size.

    Attributes
    ----------
    values : ndarray of float64, shape (8, n)
        A row for each of the paper's metrics; NaN where a score does not exist.
    coded_ap : ndarray of float64, shape (n,)
        AP with empty classes treated as in the paper's code, see `coded_ap`.
    with_empty : ndarray of bool, shape (n,)
        Whether a table has a truth class without items.
    correlations, coded : ndarray of float64, shape (8,)
        Pearson's coefficients of each metric with AP, and with that of the paper's code.
    summaries : tuple of Summary, length 8
    """

    values: FloatArray
    coded_ap: FloatArray
    with_empty: BoolArray
    correlations: FloatArray
    coded: FloatArray
    summaries: tuple[Summary, ...]


def coded_ap(tables: IntArray) -> FloatArray:
    """Return AP as the paper's code has it, which differs where a truth class is empty.

    Parameters
    ----------
    tables : ndarray of int64, shape (n, r, c)
        Two classes or more, two clusters or more, one item or more in each table.

    Returns
    -------
    ndarray of float64, shape (n,)
        An empty class is left out of the mean peakiness, but votes for the first cluster
        in associativity. This program leaves it out of both.
    """
    n, rows, columns = tables.shape
    ordered = np.sort(tables, axis=2)
    largest, second = ordered[:, :, -1], ordered[:, :, -2]
    there = largest > 0
    peakiness = np.where(there, (largest - second) / np.maximum(largest, 1), 0.0)
    mean = peakiness.sum(axis=1) / there.sum(axis=1)
    votes = np.zeros((n, columns), np.int64)
    np.add.at(votes, (np.arange(n)[:, None], tables.argmax(axis=2)), 1)
    pairs = rows * (rows - 1)
    associativity = (pairs - (votes * (votes - 1)).sum(axis=1)) / pairs
    return harmonic_mean(associativity, mean)


def replicate(key: str, seed: int) -> Iterator[Replication | None]:
    """Run a scenario of the paper once; yield None while it runs, then the replication."""
    tables = paper_scenario(key).make(seed, 0, PAPER_TABLES)
    yield None
    options = ScoreOptions()
    parts = []
    for start in range(0, len(tables), _PIECE):
        batch = CellBatch.from_array(tables[start : start + _PIECE])
        columns = compute_columns(PAPER_METRICS, batch, options)
        parts.append(np.array([columns[metric].values for metric in PAPER_METRICS], np.float64))
        yield None
    values = np.concatenate(parts, axis=1)
    by_code = coded_ap(tables)
    ap = values[PAPER_METRICS.index("ap")]
    yield Replication(
        values,
        by_code,
        (tables.sum(axis=2) == 0).any(axis=1),
        np.array([pearson(ap, row) for row in values]),
        np.array([pearson(by_code, row) for row in values]),
        tuple(summarise(row) for row in values),
    )


def replicated(task: tuple[str, int]) -> Replication:
    """Run a scenario of the paper once; can be sent to another process."""
    for found in replicate(*task):
        if found is not None:
            return found
    raise RuntimeError("a replication ended without a result")


@dataclass(frozen=True, eq=False)
class Replications:
    """All runs of one scenario."""

    runs: Sequence[Replication]

    def __len__(self) -> int:
        return len(self.runs)

    def of(self, key: str) -> FloatArray:
        """Return the scores by one metric, shape (runs, tables)."""
        row = PAPER_METRICS.index(key)
        return np.stack([run.values[row] for run in self.runs])

    def summaries(self, key: str) -> list[Summary]:
        """Return the summary of one metric for each run."""
        row = PAPER_METRICS.index(key)
        return [run.summaries[row] for run in self.runs]

    def correlations(self, key: str, *, coded: bool = False) -> FloatArray:
        """Return the correlation of a metric with AP for each run, shape (runs,)."""
        row = PAPER_METRICS.index(key)
        return np.array([(run.coded if coded else run.correlations)[row] for run in self.runs])

    @cached_property
    def coded_ap(self) -> FloatArray:
        """AP of the paper's code, shape (runs, tables)."""
        return np.stack([run.coded_ap for run in self.runs])

    @cached_property
    def with_empty(self) -> npt.NDArray[np.bool_]:
        """Which tables have a truth class without items, shape (runs, tables)."""
        return np.stack([run.with_empty for run in self.runs])


Evidence = Mapping[str, Replications]
"""The runs of each scenario that has been run, by its key."""
