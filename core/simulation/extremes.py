"""The best and the worst that a clustering can do: tables without any doubt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.counts import IntArray
from core.simulation.dividers import divided
from core.simulation.scenario import (
    MOST_ITEMS,
    Scenario,
    SimulationError,
    check_shape,
    checked_whole,
    generator,
)


@dataclass(frozen=True)
class _Undivided(Scenario):
    """Tables in which every truth class lies in one cluster.

    Parameters
    ----------
    rows, columns : int
        Truth classes and clusters.
    total : int
        Items of every table, at least one a class. Each class has one item and a random
        part of the others.
    """

    rows: int
    columns: int
    total: int = 2521

    def __post_init__(self) -> None:
        check_shape(self.rows, self.columns)
        checked_whole("total", "the total of a table", self.total, 1, MOST_ITEMS)
        if self.total < self.rows:
            raise SimulationError(
                "total",
                f"{self.rows:,} truth classes need at least {self.rows:,} items, "
                f"not {self.total:,}",
            )

    @property
    def shape(self) -> tuple[int, int]:
        """Truth classes and clusters of every table."""
        return self.rows, self.columns

    @property
    def words(self) -> str:
        """What the scenario is, in a few words."""
        return f"{self.rows} × {self.columns}, N = {self.total:,}"

    def _placed(self, sizes: IntArray, clusters: IntArray) -> IntArray:
        """Return tables with each class in its cluster."""
        made = np.zeros((len(sizes), self.rows, self.columns), np.int64)
        table, row = np.indices(sizes.shape)
        made[table, row, clusters] = sizes
        return made


@dataclass(frozen=True)
class Ideal(_Undivided):
    """Every truth class is a cluster of its own (the AP paper's table 4, ideal)."""

    kind: ClassVar[str] = "ideal"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.columns < self.rows:
            raise SimulationError(
                "columns",
                f"{self.rows} truth classes in {self.columns} clusters cannot be ideal: "
                f"choose at least {self.rows} clusters",
            )

    def make(self, seed: int, block: int, tables: int) -> IntArray:
        """Return the first tables of a block, shape (tables, r, c)."""
        numbers = generator(seed, block)
        sizes = divided(self.block_size, self.rows, self.total, numbers)
        order = numbers.random((self.block_size, self.columns)).argsort(axis=1)
        return self._placed(sizes, order[:, : self.rows])[:tables]


@dataclass(frozen=True)
class Worst(_Undivided):
    """All truth classes lie in one cluster (the AP paper's table 4, worst)."""

    kind: ClassVar[str] = "worst"

    def make(self, seed: int, block: int, tables: int) -> IntArray:
        """Return the first tables of a block, shape (tables, r, c)."""
        numbers = generator(seed, block)
        sizes = divided(self.block_size, self.rows, self.total, numbers)
        cluster = numbers.integers(0, self.columns, (self.block_size, 1))
        return self._placed(sizes, np.broadcast_to(cluster, sizes.shape))[:tables]
