"""What scikit-learn says of a score, and why it may say something else."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.cells import CellBatch
from core.explanation.variants import explained_metric, score_with
from core.formatting import format_score
from core.metrics.information import information_is_fixed
from core.metrics.metric import ScoreOptions
from core.metrics.scikit_learn import FUNCTIONS, PEER_KEYS, peer_call
from core.table import ContingencyTable

MOST_ITEMS = 2_000_000
"""Items up to which labels are written out for functions that take no table."""

# Terms that the expectation of AMI sums in scikit-learn, which lets nothing else in the
# program run meanwhile: some twentieth of a second.
_MOST_TERMS = 800_000


@dataclass(frozen=True)
class Peer:
    """What scikit-learn says of a score.

    Attributes
    ----------
    function : str
        Its name there, with the option that is passed.
    ours, value : float
        Our score and theirs; theirs is None where it was not computed.
    same : bool or None
        Whether the two are the same within the tolerance; None where theirs was not computed.
    sentence : str
        How they compare and why they differ, or why theirs was not computed.
    """

    function: str
    ours: float
    value: float | None
    same: bool | None
    sentence: str


def scikit_learn(
    table: ContingencyTable,
    key: str,
    options: ScoreOptions | None = None,
    *,
    tolerance: float = 1e-12,
    most_items: int = MOST_ITEMS,
) -> Peer | None:
    """Return what scikit-learn says of a score.

    Parameters
    ----------
    table : ContingencyTable
    key : str
        A metric of the catalogue with one value for the whole table.
    options : ScoreOptions, optional
        The average and beta are passed on.
    tolerance : float
        Relative difference up to which two values are the same.
    most_items : int
        Items up to which labels are written out for functions that take no table.

    Returns
    -------
    Peer or None
        None where scikit-learn has no such score.

    Raises
    ------
    UnknownMetricError, ValueError
        If the metric cannot be explained.
    """
    explained_metric(key)
    if key not in PEER_KEYS:
        return None
    options = options or ScoreOptions()
    ours = float(score_with(table, key, options)[key])
    name, arguments, shown = _call(key, options)
    reason = _not_computed(table, key, most_items)
    if reason is not None:
        return Peer(shown, ours, None, None, f"It is not asked here: {reason}.")
    try:
        value = _ask(table, name, arguments)
    except (ValueError, TypeError, ArithmeticError, MemoryError) as error:
        return Peer(shown, ours, None, None, f"It gives no value: {error}".rstrip(".") + ".")
    return _compared(table, key, shown, ours, value, tolerance)


def _call(key: str, options: ScoreOptions) -> tuple[str, dict[str, Any], str]:
    name, arguments = peer_call(key, options)
    told = ", ".join(
        f'{argument}="{value}"' if isinstance(value, str) else f"{argument}={value!r}"
        for argument, value in arguments.items()
    )
    return name, arguments, f"{name}({told})" if told else name


def _not_computed(table: ContingencyTable, key: str, most_items: int) -> str | None:
    if not table.total:
        return "the table has no items"
    takes_table = FUNCTIONS.get(key) == "mutual_info_score"
    if not takes_table and table.total > most_items:
        return (
            f"it takes labels, not a table, and these would be {format_score(table.total)} of "
            f"them, more than {format_score(most_items)}"
        )
    if key.startswith("ami") and _ami_terms(table) > _MOST_TERMS:
        return "its expectation would sum so many terms that the program would stand still"
    return None


def _ami_terms(table: ContingencyTable) -> float:
    """Return about how many terms its expectation sums: the smaller margin of each cell."""
    rows, columns = np.sort(table.row_sums), np.sort(table.column_sums)
    ends = np.searchsorted(columns, rows, side="right")
    below = np.append(0, np.cumsum(columns))[ends]
    return float((below + rows.astype(np.float64) * (len(columns) - ends)).sum())


def _ask(table: ContingencyTable, name: str, arguments: dict[str, Any]) -> float:
    from sklearn import metrics

    function: Callable[..., Any] = getattr(metrics, name)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if name == "mutual_info_score":
            from scipy.sparse import coo_array

            cells = table.cells
            matrix = coo_array((cells.counts, (cells.rows, cells.columns)), shape=table.shape)
            return float(function(None, None, contingency=matrix.tocsr()))
        rows, columns, counts = table.cells
        truth, cluster = np.repeat(rows, counts), np.repeat(columns, counts)
        return float(function(truth, cluster, **arguments))


def _compared(
    table: ContingencyTable, key: str, shown: str, ours: float, value: float, tolerance: float
) -> Peer:
    if math.isnan(ours) and math.isnan(value):
        return Peer(shown, ours, value, True, "It does not exist there either.")
    if math.isclose(ours, value, rel_tol=tolerance, abs_tol=0.0):
        exact = "It says the same." if ours == value else "It says the same, but for rounding."
        return Peer(shown, ours, value, True, exact)
    return Peer(shown, ours, value, False, f"It differs: {_why(table, key, ours, value)}.")


def _why(table: ContingencyTable, key: str, ours: float, value: float) -> str:
    """Return why the two differ; docs/conventions.md has the cases."""
    batch = CellBatch.of(table)
    base = key.partition("_")[0]
    if math.isnan(value):
        return "products of margins overflow 64 bits there"
    if key == "fowlkes_mallows" and ours == 1.0:
        return (
            "no pair is together in either partition, so they agree on every pair, as the "
            "adjusted Rand index says there"
        )
    if bool(batch.identical[0]):
        return "it is rounding; identical partitions are recognised from the counts here"
    if base == "ami" and bool(batch.derive(information_is_fixed)[0]):
        return (
            "every table with these margins has the same information, so nothing is better than "
            "chance; what is divided there is rounding"
        )
    if abs(ours - value) <= 1e-13 or (base == "mutual" and abs(ours - value) <= 1e-12):
        return "a difference of logarithms keeps few digits there where the score is nearly 0"
    if abs(ours - value) <= 1e-6 * max(abs(ours), abs(value)):
        return (
            "its sums are differences of large numbers and lose digits; here no term cancels "
            "another"
        )
    return "the reason is not among those that are known, so please report it with this table"
