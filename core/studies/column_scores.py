"""A few scores of many tables: the columns of a list of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.cells import FloatArray
from core.chunks import chunks_of
from core.metrics.metric import ScoreOptions
from core.scores import checked_keys, compute_columns
from core.studies.study import Pulse, Step
from core.table import ContingencyTable


@dataclass(frozen=True)
class ColumnScores:
    """Score many tables by a few metrics.

    Attributes
    ----------
    tables : sequence of ContingencyTable
    keys : sequence of str
        Keys of the catalogue with one value a table.
    options : ScoreOptions
    """

    tables: Sequence[ContingencyTable]
    keys: Sequence[str]
    options: ScoreOptions = field(default_factory=ScoreOptions)

    def run(self) -> Iterator[Step[FloatArray]]:
        """Yield the scores of the first tables, shape (tables so far, keys); NaN if undefined.

        Raises
        ------
        UnknownMetricError
            If a key is not in the catalogue.
        """
        keys = checked_keys(self.keys)
        values = np.full((len(self.tables), len(keys)), np.nan)
        total, done, message = len(self.tables), 0, "scoring the tables"
        pulse = Pulse()
        for batch in chunks_of(self.tables):
            columns = compute_columns(keys, batch, self.options)
            for j, key in enumerate(keys):
                values[done : done + batch.n_tables, j] = columns[key].values
            done += batch.n_tables
            if pulse.due():
                yield Step(done, total, message, values[:done].copy())
        yield Step(total, total, message, values, values)
