"""What a scenario is: a recipe for random tables, and the errors of its settings."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from core.counts import IntArray
from core.table import ContingencyTable, default_names

# Cells of a block of tables: some milliseconds' work, and of few megabytes what is made of it.
_BLOCK_CELLS = 1 << 14
_BLOCK_TABLES = 1 << 10

MOST_CELLS = 1_000_000
"""Cells of one simulated table at the most: every table is made cell by cell."""

MOST_ITEMS = 10**15
"""Items of one simulated table at the most: numbers of that size are exact as floats."""


class SimulationError(ValueError):
    """Settings that make no simulation.

    Parameters
    ----------
    setting : str
        The setting at fault, as the records of scenarios name it.
    message : str
        One sentence: what is wrong with it and what to do.
    """

    def __init__(self, setting: str, message: str) -> None:
        super().__init__(message)
        self.setting = setting
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.setting, self.message)


@dataclass(frozen=True)
class Scenario(ABC):
    """A recipe for random tables of one shape.

    Tables come in blocks, each with random numbers of its own, so that blocks made
    anywhere, in any order, are the same tables.
    """

    kind: ClassVar[str]
    """The name of this kind of recipe in records."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Truth classes and clusters of every table."""

    @property
    @abstractmethod
    def total(self) -> int:
        """Items of every table."""

    @property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names of the truth classes and of the clusters."""
        rows, columns = self.shape
        return default_names("T", rows), default_names("C", columns)

    @property
    @abstractmethod
    def words(self) -> str:
        """What the scenario is, in a few words."""

    @abstractmethod
    def make(self, seed: int, block: int, tables: int) -> IntArray:
        """Return the first tables of a block, shape (tables, r, c).

        Parameters
        ----------
        seed : int
            0 or more.
        block : int
            Number of the block, from 0.
        tables : int
            At most `block_size`.
        """

    @property
    def block_size(self) -> int:
        """Tables of a block; depends on the shape alone."""
        rows, columns = self.shape
        return min(max(_BLOCK_CELLS // (rows * columns), 1), _BLOCK_TABLES)

    def blocks(self, tables: int) -> Iterator[tuple[int, int]]:
        """Yield number and size of the blocks that hold so many tables."""
        size = self.block_size
        for block, start in enumerate(range(0, tables, size)):
            yield block, min(size, tables - start)

    def tables(self, seed: int, numbers: Sequence[int]) -> list[ContingencyTable]:
        """Return some tables of a simulation again, by their numbers from 0.

        Only the blocks that they are in are made.
        """
        wanted = np.asarray(numbers, dtype=np.int64)
        found: dict[int, ContingencyTable] = {}
        size = self.block_size
        for block in np.unique(wanted // size).tolist():
            inside = np.unique(wanted[wanted // size == block]) - block * size
            made = self.make(seed, block, int(inside.max()) + 1)
            for place in inside.tolist():
                found[block * size + place] = ContingencyTable(made[place], *self.names)
        return [found[number] for number in wanted.tolist()]


def generator(seed: int, block: int) -> np.random.Generator:
    """Return the random numbers of a block."""
    return np.random.default_rng(sequence(seed, block))


def sequence(seed: int, block: int) -> np.random.SeedSequence:
    """Return what the random numbers of a block grow from."""
    return np.random.SeedSequence(seed, spawn_key=(block,))


def checked_whole(setting: str, what: str, value: object, least: int, most: int) -> int:
    """Return a setting as an int, or raise SimulationError."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise SimulationError(setting, f"{what} must be a whole number, not {value!r}")
    if not least <= int(value) <= most:
        raise SimulationError(
            setting, f"{what} must be from {least:,} to {most:,}, not {int(value):,}"
        )
    return int(value)


def checked_number(setting: str, what: str, value: object) -> float:
    """Return a setting as a finite float, or raise SimulationError."""
    if not isinstance(value, bool) and isinstance(value, Real):
        # A whole number of hundreds of digits is none that a float can be.
        with suppress(OverflowError):
            if math.isfinite(value):
                return float(value)
    raise SimulationError(setting, f"{what} must be a finite number, not {value!r:.40}")


def check_shape(rows: object, columns: object) -> None:
    """Raise SimulationError unless tables of this shape can be simulated."""
    r = checked_whole("rows", "the number of truth classes", rows, 1, MOST_CELLS)
    c = checked_whole("columns", "the number of clusters", columns, 1, MOST_CELLS)
    if r * c > MOST_CELLS:
        raise SimulationError(
            "rows",
            f"tables of {r:,} × {c:,} have {r * c:,} cells, and a simulation makes each of them: "
            f"choose at most {MOST_CELLS:,} cells",
        )
