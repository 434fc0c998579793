"""Tables whose cells are the gaps between random dividers of the total: the AP paper's.

The paper (Zirkind and Diehl, arXiv 2604.22655) divides the total by sorted random dividers.
Where a divider of 0 has more weight than the others, many cells are empty, the values are
shuffled, and the tables score higher.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar, Literal, get_args

import numpy as np

from core.counts import IntArray
from core.simulation.scenario import (
    MOST_ITEMS,
    Scenario,
    SimulationError,
    check_shape,
    checked_number,
    checked_whole,
    generator,
    sequence,
)

Generator = Literal["fast", "paper"]

PAPER_MOST_ITEMS = 1_000_000
"""The paper's own code lists a weight for every item."""

# A weight whose sum with the others is still exact enough to tell them apart.
_MOST_WEIGHT = 1e12


@dataclass(frozen=True)
class DividedTotal(Scenario):
    """Tables that divide a total at random.

    Parameters
    ----------
    rows, columns : int
        Truth classes and clusters, 1 or more.
    total : int
        Items of every table, 1 or more.
    zero_weight : float
        Weight of a divider at 0; every other divider has weight 1. The paper's "higher
        performance" has 1,000. Unless it is 1 the values of a table are shuffled.
    generator : {"fast", "paper"}
        numpy, or Python's ``random.choices`` statement by statement: one distribution,
        other tables. The first block of "paper" follows ``random.seed(seed)``.

    Raises
    ------
    SimulationError
        If a setting has no meaning.
    """

    rows: int
    columns: int
    total: int = 2521
    zero_weight: float = 1.0
    generator: Generator = "fast"

    kind: ClassVar[str] = "divided_total"

    def __post_init__(self) -> None:
        check_shape(self.rows, self.columns)
        checked_whole("total", "the total of a table", self.total, 1, MOST_ITEMS)
        weight = checked_number("zero_weight", "the weight of a divider at 0", self.zero_weight)
        if not 0 <= weight <= _MOST_WEIGHT:
            raise SimulationError(
                "zero_weight",
                f"the weight of a divider at 0 must be from 0 to {_MOST_WEIGHT:,.0f}, "
                f"not {weight:g}",
            )
        if weight == 0 and self.total == 1:
            raise SimulationError(
                "zero_weight",
                "with a total of 1 every divider is 0: its weight cannot be 0",
            )
        if self.generator not in get_args(Generator):
            raise SimulationError(
                "generator",
                f"the generator is {' or '.join(get_args(Generator))}, not {self.generator!r}",
            )
        if self.generator == "paper" and self.total > PAPER_MOST_ITEMS:
            raise SimulationError(
                "generator",
                f"the paper's generator lists every item, at most {PAPER_MOST_ITEMS:,} of them: "
                "choose the fast one, which has the same distribution",
            )

    @property
    def shape(self) -> tuple[int, int]:
        """Truth classes and clusters of every table."""
        return self.rows, self.columns

    @property
    def shuffled(self) -> bool:
        """Whether the values of a table are shuffled, as those of the paper's higher scores."""
        return self.zero_weight != 1

    @property
    def words(self) -> str:
        """What the scenario is, in a few words."""
        weight = f", zero weight {self.zero_weight:g}" if self.shuffled else ""
        code = ", paper's generator" if self.generator == "paper" else ""
        return f"{self.rows} × {self.columns}, N = {self.total:,}{weight}{code}"

    def make(self, seed: int, block: int, tables: int) -> IntArray:
        """Return the first tables of a block, shape (tables, r, c)."""
        make = self._by_paper if self.generator == "paper" else self._by_numpy
        return make(seed, block, tables).reshape(tables, self.rows, self.columns)

    def _by_numpy(self, seed: int, block: int, tables: int) -> IntArray:
        numbers = generator(seed, block)
        cells = self.rows * self.columns
        # All tables of the block, so that the first ones do not depend on how many are wanted.
        values = gaps(
            _dividers((self.block_size, cells - 1), self.total, self.zero_weight, numbers),
            self.total,
        )
        if self.shuffled:
            numbers.permuted(values, axis=1, out=values)
        return values[:tables]

    def _by_paper(self, seed: int, block: int, tables: int) -> IntArray:
        numbers = random.Random(seed if block == 0 else _python_seed(seed, block))
        total, cells = self.total, self.rows * self.columns
        # The paper passes the weights; random.choices accumulates them anew in every call.
        weights = [self.zero_weight] + [1] * (total - 1)
        cumulative = list(accumulate(weights))
        places = range(0, total)
        made = np.empty((tables, cells), np.int64)
        for table in range(tables):
            dividers = sorted(numbers.choices(places, cum_weights=cumulative, k=cells - 1))
            values = [b - a for a, b in zip([0, *dividers], [*dividers, total], strict=True)]
            if self.shuffled:
                numbers.shuffle(values)
            made[table] = values
        return made


def _dividers(
    shape: tuple[int, int], total: int, zero_weight: float, numbers: np.random.Generator
) -> IntArray:
    """Draw dividers from 0 to total - 1, of which 0 has a weight and the others 1."""
    place = numbers.random(shape) * (zero_weight + (total - 1))
    drawn = np.floor(place - zero_weight).astype(np.int64) + 1
    # Rounding may carry a place to the very end, where no divider is.
    return np.clip(np.where(place < zero_weight, 0, drawn), 0, total - 1)


def gaps(dividers: IntArray, total: int) -> IntArray:
    """Return the values between dividers, shape (k, m) for dividers of shape (k, m - 1)."""
    ends = [np.zeros((len(dividers), 1), np.int64), np.full((len(dividers), 1), total)]
    sides = np.concatenate([ends[0], np.sort(dividers, axis=1), ends[1]], axis=1)
    values: IntArray = sides[:, 1:] - sides[:, :-1]
    return values


def divided(tables: int, parts: int, total: int, numbers: np.random.Generator) -> IntArray:
    """Divide totals at random into parts of which none is empty, shape (tables, parts)."""
    rest = total - parts
    dividers = numbers.integers(0, rest + 1, (tables, parts - 1))
    return gaps(dividers, rest) + 1


def _python_seed(seed: int, block: int) -> int:
    words = sequence(seed, block).generate_state(4, np.uint32)
    return sum(int(word) << (32 * place) for place, word in enumerate(words))
