"""What a metric is: one catalogue entry, from which every page and export reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from core.cells import CellBatch, FloatArray

BoolArray = npt.NDArray[np.bool_]

Average = Literal["arithmetic", "geometric", "min", "max"]
EmptyTruth = Literal["exclude", "zero"]


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

    Raises
    ------
    ValueError
        If an option has no meaning.
    """

    q: float = 1.0
    beta: float = 1.0
    average: Average = "arithmetic"
    empty_truth: EmptyTruth = "exclude"

    def __post_init__(self) -> None:
        if not (np.isfinite(self.q) and self.q > 0):
            raise ValueError(f"q is {self.q}: it must be a number above 0")
        if not (np.isfinite(self.beta) and self.beta >= 0):
            raise ValueError(f"beta is {self.beta}: it must be 0 or more")
        if self.average not in get_args(Average):
            raise ValueError(f"average is {self.average!r}: choose {', '.join(get_args(Average))}")
        if self.empty_truth not in get_args(EmptyTruth):
            raise ValueError(
                f"empty_truth is {self.empty_truth!r}: choose {', '.join(get_args(EmptyTruth))}"
            )


@dataclass(frozen=True)
class Family:
    """A family of metrics, in the order in which people see them."""

    key: str
    name: str


AP_FAMILY = Family("ap", "Associativity and peakiness")
MATCHING_FAMILY = Family("matching", "Matching")
PAIRS_FAMILY = Family("pairs", "Pair counting")
INFORMATION_FAMILY = Family("information", "Information")


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
    lambda batch: batch.total > 0, "the table has no items: enter at least one count"
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


def ratio(numerator: FloatArray, denominator: FloatArray, otherwise: float) -> FloatArray:
    """Return ``numerator / denominator``, and ``otherwise`` where the denominator is 0."""
    result = np.full(np.shape(numerator), otherwise, dtype=np.float64)
    np.divide(numerator, denominator, out=result, where=denominator != 0)
    return result


def harmonic_mean(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return ``2 x y / (x + y)``, and 0 where both are 0; never above 1 for x, y <= 1."""
    return np.minimum(ratio(2.0 * x * y, x + y, 0.0), np.maximum(x, y))
