"""What a metric is: one catalogue entry, from which every page and export reads."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch, FloatArray

BoolArray = npt.NDArray[np.bool_]

Average = Literal["arithmetic", "geometric", "min", "max"]
When = Literal["live", "later", "request"]
EmptyTruth = Literal["exclude", "zero"]


# A ten-thousandth of the spread is left of the error of a mean.
MOST_DRAWS = 100_000_000


@dataclass(frozen=True)
class ScoreOptions:
    """The conventions that a caller may choose.

    Parameters
    ----------
    q : float
        Order of the generalised entropies, above 0.
    beta : float
        Weight of completeness in the V-measure, 0 or more.
    average : {"arithmetic", "geometric", "min", "max"}
        Mean of the two entropies that NMI and AMI divide by.
    empty_truth : {"exclude", "zero"}
        Whether a truth class without items is left out of the mean peakiness (the AP
        paper's rule) or enters it as 0 (the paper's alternative).
    draws : int
        Random tables that an expectation without a formula is estimated from, 2 to
        100,000,000.
    seed : int
        Seed of these tables, 0 or more.

    Raises
    ------
    ValueError
        If an option has no meaning.
    """

    q: float = 1.0
    beta: float = 1.0
    average: Average = "arithmetic"
    empty_truth: EmptyTruth = "exclude"
    draws: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        if not (_is_finite(self.q) and self.q > 0):
            raise ValueError(f"q is {self.q!r}: it must be a number above 0")
        if not (_is_finite(self.beta) and self.beta >= 0):
            raise ValueError(f"beta is {self.beta!r}: it must be a number, 0 or more")
        if not (_is_whole(self.draws) and 2 <= self.draws <= MOST_DRAWS):
            raise ValueError(
                f"draws is {self.draws!r}: it must be a whole number from 2 to {MOST_DRAWS:,}"
            )
        if not (_is_whole(self.seed) and self.seed >= 0):
            raise ValueError(f"seed is {self.seed!r}: it must be a whole number, 0 or more")
        if self.average not in get_args(Average):
            raise ValueError(f"average is {self.average!r}: choose {', '.join(get_args(Average))}")
        if self.empty_truth not in get_args(EmptyTruth):
            raise ValueError(
                f"empty_truth is {self.empty_truth!r}: choose {', '.join(get_args(EmptyTruth))}"
            )


def _is_finite(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _is_whole(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, Integral)


@dataclass(frozen=True)
class Family:
    """A family of metrics, in the order in which people see them.

    Attributes
    ----------
    key, name : str
    option : str or None
        The field of `ScoreOptions` that its scores depend on as a whole, so that its
        heading names it.
    """

    key: str
    name: str
    option: str | None = None


AP_FAMILY = Family("ap", "Associativity and peakiness")
MATCHING_FAMILY = Family("matching", "Matching")
PAIRS_FAMILY = Family("pairs", "Pair counting")
INFORMATION_FAMILY = Family("information", "Information")
GENERALISED_FAMILY = Family("generalised", "Generalised information", "q")
EXTREMES_FAMILY = Family("extremes", "Attainable agreement")


@dataclass(frozen=True)
class Requirement:
    """What a table needs for a metric to exist.

    Attributes
    ----------
    holds : callable
        Takes a batch, returns a mask of shape (k,).
    otherwise : str
        The sentence shown where it does not hold.
    """

    holds: Callable[[CellBatch], BoolArray]
    otherwise: str


HAS_ITEMS = Requirement(
    lambda batch: batch.n_rows > 0, "the table has no items: enter at least one count"
)
TWO_CLASSES = Requirement(
    lambda batch: batch.n_rows >= 2, "associativity needs two truth classes that have items"
)


@dataclass(frozen=True)
class Metric:
    """A metric and all that is said of it.

    Attributes
    ----------
    key : str
        Its name in code, JSON, CSV headers and the command line.
    name, symbol : str
        Its name for people, and the short one of tables and axes.
    family : Family
    low, high : float
        Ends of its range; infinite where it has none.
    formula, source : str
        Plain text.
    compute : callable
        Takes a batch and options; returns shape (k,), or (R,) where ``per`` is
        ``"row"``. Values of tables that lack a requirement are replaced by NaN.
    larger_is_better : bool or None
        None for a quantity that is neither.
    parameters : tuple of str
        Names of the fields of `ScoreOptions` that it reads.
    per : {"table", "row"}
        One value a table, or one for each non-empty row.
    requires : tuple of Requirement
        Beside having items, which every metric requires.
    upper : callable or None
        The largest value under the table's margins, shape (k,), where ``high`` says less.
    when : {"live", "later", "request"}
        Cheap enough to follow typing; a moment later; or only where it is asked for by
        key, because it searches or draws random tables.
    whole : bool
        Whether the value is an exact integer, of any size.
    loss : callable or None
        Where ``1 - score``, or a distance itself, is a sum over truth classes: its terms,
        shape (R,); NaN for options under which it is none. Where empty classes enter the
        score (``empty_truth="zero"``), the rest of the sum is theirs.
    """

    key: str
    name: str
    symbol: str
    family: Family
    low: float
    high: float
    formula: str
    source: str
    compute: Callable[[CellBatch, ScoreOptions], FloatArray]
    larger_is_better: bool | None = True
    parameters: tuple[str, ...] = ()
    per: Literal["table", "row"] = "table"
    requires: tuple[Requirement, ...] = ()
    upper: Callable[[CellBatch], FloatArray] | None = field(default=None, repr=False)
    when: When = "live"
    whole: bool = False
    loss: Callable[[CellBatch, ScoreOptions], FloatArray] | None = field(default=None, repr=False)


def ratio(numerator: FloatArray, denominator: FloatArray, otherwise: float) -> FloatArray:
    """Return ``numerator / denominator``, and ``otherwise`` where the denominator is 0."""
    result = np.full(np.shape(numerator), otherwise, dtype=np.float64)
    np.divide(numerator, denominator, out=result, where=denominator != 0)
    return result


def harmonic_mean(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return ``2 x y / (x + y)``, and 0 where both are 0; never above 1 for x, y <= 1."""
    return np.minimum(ratio(2.0 * x * y, x + y, 0.0), np.maximum(x, y))
