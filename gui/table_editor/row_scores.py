"""The scores beside the rows of a table, and the marks beside them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.table import IntArray

TIE_MARK = "="
EMPTY_MARK = "∅"


class RowMark(NamedTuple):
    """A small sign beside the peakiness of a row, and the sentence it stands for."""

    glyph: str
    text: str


class RowScores(NamedTuple):
    """A score of each row of the data, and what is known of it.

    Attributes
    ----------
    values : ndarray of float64, shape (r,)
    known : ndarray of bool, shape (r,)
        Whether a value has been set since the row came.
    peaks : ndarray of int64, shape (r,)
        How many cells of the row were largest; 0 in an empty row.
    """

    values: npt.NDArray[np.float64]
    known: npt.NDArray[np.bool_]
    peaks: IntArray

    @classmethod
    def none(cls, r: int) -> RowScores:
        """Return scores of r rows, none of which has been set."""
        return cls(np.full(r, np.nan), np.zeros(r, dtype=bool), np.ones(r, dtype=np.int64))

    def with_rows(self, positions: IntArray) -> RowScores:
        """Return the scores after rows have come."""
        kept = np.ones(self.values.size + positions.size, dtype=bool)
        kept[positions] = False
        new = RowScores.none(kept.size)
        for mine, old in zip(new, self, strict=True):
            mine[kept] = old
        return new

    def without_rows(self, indices: IntArray) -> RowScores:
        """Return the scores after rows have gone."""
        kept = np.ones(self.values.size, dtype=bool)
        kept[indices] = False
        return RowScores(self.values[kept], self.known[kept], self.peaks[kept])

    def mark(self, row: int) -> RowMark | None:
        """Return the sign beside the score of a row."""
        peaks = int(self.peaks[row])
        if peaks == 1:
            return None
        if not peaks:
            return RowMark(EMPTY_MARK, "An empty class has no peakiness.\nThe class has no items.")
        return RowMark(
            TIE_MARK,
            f"{peaks:,} cells are largest: which cluster the class votes for is decided by "
            "their order.",
        )


__all__ = ["EMPTY_MARK", "TIE_MARK", "RowMark", "RowScores"]
