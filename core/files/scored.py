"""Scored tables: what exports are made of, and what all of them say alike."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.files.errors import sentence, shown
from core.files.names_apart import told_apart
from core.metrics.catalogue import METRICS
from core.metrics.metric import ScoreOptions
from core.ordering import TableOrder
from core.scores import Scores


@dataclass(frozen=True)
class ScoredTable:
    """The scores of a table and where the table came from.

    Attributes
    ----------
    scores : Scores
        The scores; they know their table and options.
    name : str
        What people call the table.
    source : str or None
        Name of the file it was read from.
    notes : tuple of str
        What was noted when it was read.
    order : TableOrder or None
        The order in which Markdown and LaTeX show classes and clusters; None as in the table.
        The scores, and all other files, are of the table as it is.
    """

    scores: Scores
    name: str = ""
    source: str | None = None
    notes: tuple[str, ...] = ()
    # Arrays have no one answer to whether they are equal.
    order: TableOrder | None = field(default=None, compare=False)


def common_options(results: Sequence[ScoredTable]) -> ScoreOptions:
    """Return the options of scored tables.

    Raises
    ------
    ValueError
        If there is none, or if the options differ.
    """
    if not results:
        raise ValueError("there are no scores to write")
    options = {result.scores.options for result in results}
    if len(options) > 1:
        raise ValueError("the tables were scored with different options: score them alike")
    return options.pop()


def keys_of(results: Sequence[ScoredTable]) -> list[str]:
    """Return the metrics that any of the tables has, in order."""
    return list(dict.fromkeys(key for result in results for key in result.scores))


def table_keys(results: Sequence[ScoredTable]) -> list[str]:
    """Return the metrics with one value for a table that any of the tables has, in order."""
    return [key for key in keys_of(results) if METRICS[key].per == "table"]


def row_keys(scores: Scores) -> list[str]:
    """Return the metrics of a table that have a value for each truth class."""
    return [key for key in scores if METRICS[key].per == "row"]


def noise_conventions(results: Sequence[ScoredTable]) -> Iterator[str]:
    """Yield how noise was dealt with, table by table where there are several."""
    for number, result in enumerate(results, start=1):
        noise = result.scores.table.noise
        if noise is not None and noise.sentence is not None:
            which = f"{shown(result.name)}: " if result.name else f"Table {number}: "
            yield sentence(noise.sentence if len(results) == 1 else which + noise.sentence)


def names_apart(results: Sequence[ScoredTable]) -> list[str]:
    """Return the names of tables that stand beside each other, those of one name told apart.

    By their files in brackets where these differ, else by a number; no name stays none.
    """
    return told_apart(
        [result.name for result in results],
        [lambda i: f"{results[i].name} ({results[i].source})" if results[i].source else None],
    )


def number(value: float) -> float | None:
    """Return a score as a plain number, None where it has no finite value."""
    # A count of pairs is an integer, of more digits than a float may hold.
    if isinstance(value, int):
        return value
    return float(value) if math.isfinite(value) else None


def why(scores: Scores, key: str, value: float) -> str:
    """Return why a score has no finite value."""
    return scores.why(key) or ("the value is infinite" if math.isinf(value) else "it is undefined")


def score_of(result: ScoredTable, key: str) -> tuple[float | None, str]:
    """Return a score as a plain number, and the reason where it has no finite value."""
    if key not in result.scores:
        return None, "it was not computed"
    value = result.scores[key]
    plain_value = number(value)
    return plain_value, "" if plain_value is not None else why(result.scores, key, value)
