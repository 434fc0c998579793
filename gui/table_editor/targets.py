"""Where one item could go, and what that would change."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gui.table_editor.heat import Rgb, mixed, text_on

_Differences = npt.NDArray[np.float64] | None

#: Vermilion and blue of Okabe and Ito: told apart by everyone.
WORSE: Rgb = (213, 94, 0)
BETTER: Rgb = (0, 114, 178)
#: Share of the colour for the smallest change that there is, and for the largest.
_LEAST, _MOST = 0.12, 0.85


@dataclass(frozen=True, eq=False)
class Targets:
    """What a score would gain or lose if one item of a cell were in another cell.

    Rows and columns are those of the data.

    Parameters
    ----------
    row, column : int
        The cell that the item is in.
    by_column : ndarray of float64, shape (c,), or None
        The change if it were in another cluster, for each; NaN where there is none.
    by_row : ndarray of float64, shape (r,), or None
        The change if it were of another class.
    sentence : callable
        Takes row, column and change; returns what the tool tip of that cell says.
    larger_is_better : bool
        Whether a rise of the score is for the better.
    """

    row: int
    column: int
    by_column: _Differences
    by_row: _Differences
    sentence: Callable[[int, int, float], str]
    larger_is_better: bool = True

    @cached_property
    def largest(self) -> float:
        """The largest change in size, 0 if there is none."""
        known = [
            np.abs(given[np.isfinite(given)])
            for given in (self.by_column, self.by_row)
            if given is not None
        ]
        return max((float(part.max()) for part in known if part.size), default=0.0)

    def difference(self, row: int, column: int) -> float:
        """Return the change for a cell; NaN where the item cannot go."""
        if (row == self.row) == (column == self.column):
            return math.nan
        along = self.by_column if row == self.row else self.by_row
        value = math.nan if along is None else float(along[column if row == self.row else row])
        return value if math.isfinite(value) else math.nan

    def look(self, row: int, column: int, background: Rgb) -> tuple[Rgb, Rgb, bool] | None:
        """Return colour, colour of the text and whether the move is for the better.

        None for a cell that is as usual.
        """
        value = self.difference(row, column)
        if math.isnan(value) or not value:
            return None
        share = _LEAST + (_MOST - _LEAST) * abs(value) / self.largest
        better = (value > 0) is self.larger_is_better
        fill = mixed(background, BETTER if better else WORSE, share)
        return fill, text_on(fill), better

    def text(self, row: int, column: int) -> str | None:
        """Return the sentence for a cell, None if the item cannot go there."""
        value = self.difference(row, column)
        return None if math.isnan(value) else self.sentence(row, column, value)


__all__ = ["BETTER", "WORSE", "Targets"]
