"""How scores go with a chosen one, with intervals from resampled tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.cells import FloatArray
from core.statistics.correlation import Correlation, Kind, bootstrap, resamples_for
from core.studies.study import Pulse, Step


@dataclass(frozen=True, eq=False)
class Correlations:
    """The correlations of scores with a chosen one.

    Attributes
    ----------
    reference : str
        The metric that the others are correlated with.
    kind : {"pearson", "spearman"}
    by_key : dict of str to Correlation
        In the order of the keys, the chosen one among them.
    resamples : int
        Resamples that the intervals rest on so far.
    seed : int
    """

    reference: str
    kind: Kind
    by_key: dict[str, Correlation]
    resamples: int
    seed: int


@dataclass(frozen=True, eq=False)
class CorrelateScores:
    """Correlate the scores of many tables with a chosen one of them.

    Attributes
    ----------
    keys : sequence of str, length m
    values : ndarray of float64, shape (m, n)
        NaN where a score does not exist: a pair counts the tables that have both.
    reference : str
        One of the keys.
    kind : {"pearson", "spearman"}
    resamples : int or None
        Resamples for the intervals; by default 1,000, fewer above 10,000 tables.
    seed : int
    """

    keys: Sequence[str]
    values: FloatArray
    reference: str
    kind: Kind = "pearson"
    resamples: int | None = None
    seed: int = 0

    def run(self) -> Iterator[Step[Correlations]]:
        """Yield while the intervals improve; the coefficients are there at once."""
        keys = tuple(self.keys)
        resamples = self.resamples
        if resamples is None:
            resamples = resamples_for(self.values.shape[1])
        reference = keys.index(self.reference)
        message = "resampling the tables"
        pulse = Pulse()
        latest = Correlations(self.reference, self.kind, {}, 0, self.seed)
        for done, found in bootstrap(self.values, reference, self.kind, resamples, self.seed):
            by_key = dict(zip(keys, found, strict=True))
            latest = Correlations(self.reference, self.kind, by_key, done, self.seed)
            if done == 0 or pulse.due():
                yield Step(done, resamples, message, latest)
        yield Step(resamples, resamples, message, latest, latest)
