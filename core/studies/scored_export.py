"""Tables scored and written to one file, in any format of scored tables."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from core.files.latex import latex_pieces
from core.files.markdown import markdown_pieces
from core.files.results import SaveScores
from core.files.scored import ScoredTable
from core.files.writing import Saved
from core.studies.scored_tables import ScoredTables
from core.studies.study import Pulse, Step


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
        results = yield from _scored(self.scoring)
        # Whoever chose metrics wants all of them in papers, too, not the headline ones.
        yield from SaveScores(self.path, results, keys=self.scoring.keys).run()


@dataclass(frozen=True)
class ScoredText:
    """Score tables and make a text of them for people to read.

    Attributes
    ----------
    scoring : ScoredTables
    form : {"latex", "markdown"}
    """

    scoring: ScoredTables
    form: Literal["latex", "markdown"]

    def run(self) -> Generator[Step[str], None, None]:
        """Yield while scoring and writing; the last step has the text."""
        results = yield from _scored(self.scoring)
        pieces = latex_pieces if self.form == "latex" else markdown_pieces
        pulse = Pulse()
        text = []
        for piece in pieces(results, self.scoring.keys):
            text.append(piece)
            if pulse.due():
                yield Step(0, None, "writing the text")
        yield Step(1, 1, "wrote the text", result="".join(text))


def _scored(scoring: ScoredTables) -> Generator[Step[Any], None, list[ScoredTable]]:
    results: list[ScoredTable] = []
    for step in scoring.run():
        yield Step(step.done, step.total, step.message)
        results = step.result or results
    return results
