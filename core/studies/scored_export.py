"""Tables scored and written to one file, in any format of scored tables."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from core.files.results import SaveScores
from core.files.scored import ScoredTable
from core.files.writing import Saved
from core.studies.scored_tables import ScoredTables
from core.studies.study import Step


@dataclass(frozen=True)
class ScoredExport:
    """Score tables and write them with their scores to a file.

    Attributes
    ----------
    scoring : ScoredTables
    path : Path
        Its ending decides on the format.
    """

    scoring: ScoredTables
    path: Path

    def run(self) -> Generator[Step[Saved], None, None]:
        """Yield while scoring and writing; the last step has the file.

        Raises
        ------
        SaveError
            If the file cannot be written.
        """
        results: list[ScoredTable] = []
        for step in self.scoring.run():
            yield Step(step.done, step.total, step.message)
            results = step.result or results
        # Whoever chose metrics wants all of them in papers, too, not the headline ones.
        yield from SaveScores(self.path, results, keys=self.scoring.keys).run()
