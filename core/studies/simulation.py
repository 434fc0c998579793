"""Scores of many random tables: the AP paper's evidence, of any size."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch, FloatArray
from core.chunks import each_result
from core.counts import IntArray
from core.metrics.catalogue import METRICS
from core.metrics.metric import ScoreOptions, When
from core.scores import checked_keys, compute_columns
from core.simulation.presets import PAPER_METRICS, PAPER_TABLES
from core.simulation.scenario import Scenario, SimulationError, checked_whole
from core.studies.study import Step
from core.table import ContingencyTable

MOST_BYTES = 1 << 30
"""Memory that the scores of a simulation may take."""

MOST_SEED = 2**63 - 1

_SCORE_BYTES = 8

# Tables scored between two looks at whether someone wants to stop.
_PIECE: Mapping[When, int] = {"live": 1 << 10, "later": 32, "request": 1}


@dataclass(frozen=True)
class Simulation:
    """Score random tables of a scenario.

    Attributes
    ----------
    scenario : Scenario
    tables : int
        Number of tables, 1 or more.
    keys : sequence of str
        Metrics of the catalogue with one value a table; the paper's eight by default.
    seed : int
        Fixes the tables: the first ones of a longer simulation are the same.
    options : ScoreOptions
    n_jobs : int or None
        Workers as joblib counts them, -1 for all cores; by default what the caller has set
        with ``joblib.parallel_config``, else 1. They change nothing but the time it takes.

    Raises
    ------
    SimulationError
        If a number is out of its range, a metric has a value for each class, or the scores
        would not fit in a gigabyte; the message says how many tables would.
    UnknownMetricError
        If a key is not in the catalogue.
    """

    scenario: Scenario
    tables: int = PAPER_TABLES
    keys: Sequence[str] = PAPER_METRICS
    seed: int = 0
    options: ScoreOptions = field(default_factory=ScoreOptions)
    n_jobs: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", checked_keys(self.keys))
        if not self.keys:
            raise SimulationError("metrics", "a simulation needs at least one metric")
        for key in self.keys:
            if METRICS[key].per != "table":
                raise SimulationError(
                    "metrics", f"{key} has a value for each truth class: choose scores of tables"
                )
        checked_whole("seed", "the seed", self.seed, 0, MOST_SEED)
        most = MOST_BYTES // (_SCORE_BYTES * len(self.keys))
        if isinstance(self.tables, int) and self.tables > most:
            size = self.tables * _SCORE_BYTES * len(self.keys) / 1e9
            raise SimulationError(
                "tables",
                f"the scores of {self.tables:,} tables by {len(self.keys)} metrics would take "
                f"{size:,.1f} GB of memory: choose at most {most:,} tables",
            )
        checked_whole("tables", "the number of tables", self.tables, 1, most)

    def run(self) -> Generator[Step[SimulationResult], None, None]:
        """Yield while tables are scored; partial results hold the first ones.

        Raises
        ------
        SimulationError, ValueError
            If a table cannot be made or scored.
        """
        started = perf_counter()
        values = np.empty((len(self.keys), self.tables))
        reasons: dict[str, dict[str, int]] = {}
        done = 0

        def result() -> SimulationResult:
            scores = values[:, :done]
            scores.flags.writeable = False
            counted = {key: dict(counts) for key, counts in reasons.items()}
            return SimulationResult(self, scores, counted, perf_counter() - started)

        message = "scoring random tables"
        yield Step(0, self.tables, message, result())
        score = _PieceScorer(self.scenario, tuple(self.keys), self.seed, self.options)
        for piece, undefined in each_result(score, self._pieces(), self.n_jobs):
            values[:, done : done + piece.shape[1]] = piece
            done += piece.shape[1]
            for key, counts in undefined.items():
                known = reasons.setdefault(key, {})
                for why, count in counts.items():
                    known[why] = known.get(why, 0) + count
            # A piece is some twentieth of a second's work at the most.
            yield Step(done, self.tables, message, result())
        yield Step(self.tables, self.tables, message, result(), result())

    def _pieces(self) -> Iterator[tuple[int, int, int]]:
        """Yield block, first and end of the tables that are scored at a time."""
        slowest = min(_PIECE[METRICS[key].when] for key in self.keys)
        for block, size in self.scenario.blocks(self.tables):
            for start in range(0, size, slowest):
                yield block, start, min(start + slowest, size)


class _PieceScorer:
    """Makes tables and scores them; can be sent to another process."""

    def __init__(
        self, scenario: Scenario, keys: tuple[str, ...], seed: int, options: ScoreOptions
    ) -> None:
        self._task = scenario, keys, seed, options
        self._made: tuple[int, IntArray] | None = None

    def __call__(self, piece: tuple[int, int, int]) -> tuple[FloatArray, dict[str, dict[str, int]]]:
        _, keys, _, options = self._task
        block, start, end = piece
        batch = CellBatch.from_array(self._tables(block, start, end))
        columns = compute_columns(keys, batch, options)
        undefined: dict[str, dict[str, int]] = {}
        for key, column in columns.items():
            for number in np.flatnonzero(np.bincount(column.lacking)[1:]) + 1:
                lacking = column.lacking == number
                why = column.why(int(lacking.argmax())) or ""
                undefined.setdefault(key, {})[why] = int(lacking.sum())
        return np.array([columns[key].values for key in keys], dtype=np.float64), undefined

    def _tables(self, block: int, start: int, end: int) -> IntArray:
        """Return the tables of a piece; those of a block that is scored in pieces once made."""
        scenario, _, seed, _ = self._task
        if self._made is None or self._made[0] != block or len(self._made[1]) < end:
            size = end if start == 0 and end == scenario.block_size else scenario.block_size
            self._made = block, scenario.make(seed, block, size)
        return self._made[1][start:end]

    def __getstate__(self) -> tuple[object, None]:
        return self._task, None

    def __setstate__(self, state: tuple[object, None]) -> None:
        self._task, self._made = state  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class SimulationResult:
    """The scores of a simulation, all or the first of them.

    Attributes
    ----------
    simulation : Simulation
    values : ndarray of float64, shape (m, n)
        A row for each key; NaN where a score does not exist.
    undefined : mapping of str to mapping of str to int
        For each key with scores that do not exist, why, and how many.
    seconds : float
        Time that it took.
    """

    simulation: Simulation
    values: FloatArray
    undefined: Mapping[str, Mapping[str, int]]
    seconds: float

    @property
    def keys(self) -> tuple[str, ...]:
        """The metrics, in the order asked for."""
        return tuple(self.simulation.keys)

    @property
    def done(self) -> int:
        """Number of tables scored."""
        return int(self.values.shape[1])

    @property
    def complete(self) -> bool:
        """Whether all tables are there that were asked for."""
        return self.done == self.simulation.tables

    def of(self, key: str) -> FloatArray:
        """Return the scores by one metric, shape (n,)."""
        if key not in self.keys:
            raise KeyError(f"{key!r} was not simulated")
        values: FloatArray = self.values[self.keys.index(key)]
        return values

    def tables(self, numbers: Sequence[int] | npt.NDArray[np.int64]) -> list[ContingencyTable]:
        """Return tables by their numbers from 0: they are made again, as they were."""
        return self.simulation.scenario.tables(self.simulation.seed, list(numbers))
