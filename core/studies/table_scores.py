"""The scores of one table as a study: for tables that take longer than a blink."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from core.metrics.metric import ScoreOptions
from core.scores import Scores
from core.scoring import score_in_parts
from core.studies.study import Step
from core.table import ContingencyTable


@dataclass(frozen=True)
class TableScores:
    """Score one table.

    Attributes
    ----------
    table : ContingencyTable
    options : ScoreOptions
    """

    table: ContingencyTable
    options: ScoreOptions = field(default_factory=ScoreOptions)

    def run(self) -> Iterator[Step[Scores]]:
        """Yield the scores as the families are done; the last step has them all."""
        last: Scores | None = None
        for part in score_in_parts(self.table, self.options):
            last = part.scores
            yield Step(part.done, part.total, f"scoring: {part.family.name.lower()}", last)
        if last is not None:
            # Here and not in a window's thread: a million names take a while to compare.
            _ = last.warnings
            yield Step(1, 1, "scored", last, last)
