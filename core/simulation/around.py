"""Random tables around a given one: with its margins, or with some of its items moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from core.chance.dealing import deal
from core.chance.random_tables import random_tables
from core.counts import IntArray
from core.simulation.scenario import (
    MOST_ITEMS,
    Scenario,
    SimulationError,
    check_shape,
    checked_number,
    checked_whole,
    generator,
)
from core.table import ContingencyTable

Move = Literal["reassign", "exchange"]


@dataclass(frozen=True)
class _Around(Scenario):
    """Random tables around a given one.

    Parameters
    ----------
    table : ContingencyTable
    """

    table: ContingencyTable

    def __post_init__(self) -> None:
        rows, columns = self.table.shape
        check_shape(rows, columns)
        checked_whole("table", "the total of the table", self.table.total, 1, MOST_ITEMS)

    @property
    def shape(self) -> tuple[int, int]:
        """Truth classes and clusters of every table."""
        return self.table.shape

    @property
    def total(self) -> int:
        """Items of every table."""
        return self.table.total

    @property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names of the truth classes and of the clusters."""
        return self.table.truth, self.table.clusters

    @property
    def _size(self) -> str:
        rows, columns = self.shape
        return f"{rows} × {columns}, N = {self.total:,}"


@dataclass(frozen=True)
class FixedMargins(_Around):
    """Tables with the margins of a given one: what shuffled labels would give."""

    kind: ClassVar[str] = "fixed_margins"

    @property
    def words(self) -> str:
        """What the scenario is, in a few words."""
        return f"{self._size}, margins of the table"

    def make(self, seed: int, block: int, tables: int) -> IntArray:
        """Return the first tables of a block, shape (tables, r, c)."""
        made = random_tables(
            self.table.row_sums, self.table.column_sums, self.block_size, [seed, block]
        )
        return made[:tables]


@dataclass(frozen=True)
class Perturbed(_Around):
    """A given table, of which a share of the items changes its cluster at random.

    The items that move are drawn without replacement; truth classes keep their items.

    Parameters
    ----------
    table : ContingencyTable
    share : float
        Share of the items that move, above 0 and at most 1; their number is rounded to
        the nearest whole one, at least 1.
    move : {"reassign", "exchange"}
        Each goes to any other cluster with the same probability, or they exchange their
        clusters among each other, which keeps both margins. Those that exchange may get
        back the cluster that they had.

    Raises
    ------
    SimulationError
        If a setting has no meaning.
    """

    share: float = 0.1
    move: Move = "reassign"

    kind: ClassVar[str] = "perturbed"

    def __post_init__(self) -> None:
        super().__post_init__()
        share = checked_number("share", "the share of items that move", self.share)
        if not 0 < share <= 1:
            raise SimulationError(
                "share",
                f"the share of items that move must be above 0 and at most 1, not {share:g}",
            )
        if self.move not in get_args(Move):
            raise SimulationError(
                "move", f"a move is {' or '.join(get_args(Move))}, not {self.move!r}"
            )
        if self.move == "reassign" and self.shape[1] < 2:
            raise SimulationError(
                "move", "the table has one cluster: there is no other that items could move to"
            )

    @property
    def moved(self) -> int:
        """Number of items that move."""
        return min(max(round(self.share * self.total), 1), self.total)

    @property
    def words(self) -> str:
        """What the scenario is, in a few words."""
        how = "reassigned" if self.move == "reassign" else "exchanged"
        return f"{self._size}, {self.share * 100:g} % of the items {how}"

    def make(self, seed: int, block: int, tables: int) -> IntArray:
        """Return the first tables of a block, shape (tables, r, c)."""
        numbers = generator(seed, block)
        cells = self.table.cells
        size, (rows, columns) = self.block_size, self.shape
        drawn = deal(
            np.broadcast_to(cells.counts, (size, len(cells.counts))),
            np.full(size, self.moved, np.int64),
            numbers,
        )
        leaving = np.zeros((size, rows, columns), np.int64)
        leaving[:, cells.rows, cells.columns] = drawn
        stay = np.asarray(self.table.counts, dtype=np.int64) - leaving
        arrive = _exchanged if self.move == "exchange" else _reassigned
        made: IntArray = (stay + arrive(leaving, numbers))[:tables]
        return made


def _reassigned(leaving: IntArray, numbers: np.random.Generator) -> IntArray:
    """Send the items of each cell to the other clusters, each as likely."""
    columns = leaving.shape[2]
    arriving = np.zeros_like(leaving)
    for column in range(columns):
        chance = np.full(columns, 1 / (columns - 1))
        chance[column] = 0
        arriving += numbers.multinomial(leaving[:, :, column], chance)
    return arriving


def _exchanged(leaving: IntArray, numbers: np.random.Generator) -> IntArray:
    """Deal the clusters of the items to the same items again, class by class."""
    pool = leaving.sum(axis=1)
    arriving = np.empty_like(leaving)
    for row in range(leaving.shape[1]):
        arriving[:, row] = deal(pool, leaving[:, row].sum(axis=1), numbers)
        pool = pool - arriving[:, row]
    return arriving
