"""Attainable agreement: what the margins of a table allow, as metrics.

A number of steps and no clock limits the search, so that a table always has the same scores.
Where the largest agreement is not proven within them, it does not exist as a score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch, FloatArray
from core.chance.concentration import corner_table
from core.chance.extremes import Extreme, largest_extreme_parts, smallest_extreme_parts
from core.metrics.attainable import NOTHING_BEYOND_CHANCE, Pairs, score_of, share_of_max
from core.metrics.metric import EXTREMES_FAMILY, BoolArray, Metric, Requirement, ScoreOptions
from core.metrics.pairs import pair_counts
from core.table import ContingencyTable

End = Literal["min", "max"]

# Lines of partial tables that one search looks at, some half a second's work.
_LINES = 2_000_000


@dataclass(frozen=True, eq=False)
class _Ends:
    """One end of the sums of squares for every table of a batch.

    Attributes
    ----------
    squares : ndarray of object, shape (k,)
        Python integers.
    proven : ndarray of bool, shape (k,)
    tables : CellBatch
        The tables that reach them, k of them.
    """

    squares: npt.NDArray[Any]
    proven: BoolArray
    tables: CellBatch


def _ends(batch: CellBatch, end: End) -> _Ends:
    """Search for one end of each table; those with the same margins share one search."""
    reached: dict[tuple[Sequence[int], Sequence[int]], Extreme] = {}
    squares: list[int] = []
    proven = []
    tables = []
    for rows, columns in _margins(batch):
        if not rows:
            squares.append(0)
            proven.append(True)
            tables.append(ContingencyTable([[0]]))
            continue
        if (rows, columns) not in reached:
            reached[rows, columns] = _extreme(rows, columns, end)
        extreme = reached[rows, columns]
        squares.append(extreme.found)
        proven.append(extreme.proven)
        shape = (len(rows), len(columns))
        tables.append(ContingencyTable.from_cells(shape, *extreme.cells))
    return _Ends(np.array(squares, object), np.array(proven, bool), CellBatch.from_tables(tables))


def _margins(batch: CellBatch) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    rows, columns = iter(batch.row_sum.tolist()), iter(batch.column_sum.tolist())
    for r, c in zip(batch.n_rows.tolist(), batch.n_columns.tolist(), strict=True):
        yield tuple(islice(rows, r)), tuple(islice(columns, c))


def _extreme(rows: Sequence[int], columns: Sequence[int], end: End) -> Extreme:
    """Return what the margins alone lead to: not the table, nor its neighbours in a batch."""
    start = corner_table(rows, columns)
    if end == "min":
        *_, extreme = smallest_extreme_parts(rows, columns, start)
    else:
        steps = max(1, _LINES // (len(rows) + len(columns)))
        *_, extreme = largest_extreme_parts(rows, columns, start, steps)
    return extreme


def _score(batch: CellBatch, key: str, end: End) -> FloatArray:
    return score_of(key, batch.derive(_ends, end).tables)


def _share(batch: CellBatch) -> FloatArray:
    """Return ``ari / ari_max``; NaN where the margins leave no choice."""
    counts, squares = batch.derive(pair_counts), batch.derive(_ends, "max").squares
    shares = np.full(batch.n_tables, np.nan)
    columns = (counts.both, counts.truth, counts.cluster, counts.all, batch.total, squares)
    for i, (*numbers, total, square) in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
        given = Pairs(*numbers)
        shares[i] = share_of_max(given, given.with_both((square - total) // 2))
    return shares


_SMALLEST_PROVEN = Requirement(
    lambda batch: batch.derive(_ends, "min").proven,
    "the smallest agreement under these margins is not proven for so large a table: "
    "agreement_extremes gives a bracket",
)
_LARGEST_PROVEN = Requirement(
    lambda batch: batch.derive(_ends, "max").proven,
    "the largest agreement under these margins is not proven within the steps of a score: "
    "agreement_extremes gives a bracket",
)
_HAS_CHOICE = Requirement(lambda batch: ~np.isnan(batch.derive(_share)), NOTHING_BEYOND_CHANCE)

_SOURCES = {
    "min": "separable convex transportation problem; for 2 x 2 tables Chacón, "
    "J. Classification 38 (2021)",
    "max": "branch and bound, as Brusco and Steinley, J. Classification 25 (2008), put the "
    "problem; for 2 x 2 tables Chacón, J. Classification 38 (2021)",
}


def _metric(key: str, name: str, symbol: str, low: float, high: float, end: End) -> Metric:
    """Return the entry of one score at one end."""
    word = "smallest" if end == "min" else "largest"
    squares = key == "sum_of_squares"

    def compute(batch: CellBatch, _: ScoreOptions) -> npt.NDArray[Any]:
        return batch.derive(_ends, end).squares if squares else _score(batch, key, end)

    return Metric(
        key=f"{key}_{end}",
        name=f"{word.capitalize()} {name}",
        symbol=f"{symbol} {end}",
        family=EXTREMES_FAMILY,
        low=low,
        high=high,
        formula=(
            f"{word} sum of T_ij^2 over all tables with these margins"
            if squares
            else f"{symbol} of the table with the {word} sum of squares under these margins"
        ),
        source=_SOURCES[end],
        compute=compute,
        larger_is_better=None,
        requires=(_SMALLEST_PROVEN if end == "min" else _LARGEST_PROVEN,),
        when="request",
        whole=squares,
    )


METRICS = (
    Metric(
        key="ari_of_max",
        name="ARI as a share of its maximum",
        symbol="ARI / max",
        family=EXTREMES_FAMILY,
        low=-np.inf,
        high=1.0,
        formula="(TP - E) / (largest TP under these margins - E), E = S T / C(N, 2)",
        source="Hubert and Arabie, J. Classification 2 (1985), eq. 4, with the attainable maximum",
        compute=lambda batch, _: batch.derive(_share),
        requires=(_LARGEST_PROVEN, _HAS_CHOICE),
        when="request",
    ),
    *(
        _metric(key, name, symbol, low, high, end)
        for key, name, symbol, low, high in (
            ("ari", "ARI", "ARI", -0.5, 1.0),
            ("rand", "Rand", "Rand", 0.0, 1.0),
            ("jaccard", "Jaccard", "Jaccard", 0.0, 1.0),
            ("fowlkes_mallows", "Fowlkes-Mallows", "FMI", 0.0, 1.0),
            ("sum_of_squares", "sum of squares", "ΣT²", 1.0, np.inf),
        )
        for end in ("min", "max")
    ),
)
