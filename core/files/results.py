"""Scored tables as files: every digit, and what one must know to read them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.files.atomic import atomic_file, encoded
from core.files.errors import SaveError, plain
from core.files.latex import latex_pieces, latex_text
from core.files.markdown import markdown_pieces, markdown_text
from core.files.results_csv import csv_lines, scores_csv, summary_csv, summary_lines
from core.files.results_json import json_pieces, scores_json
from core.files.scored import ScoredTable, common_options
from core.files.workbook_export import WorkbookExport
from core.files.writing import Saved, check_names, written
from core.scores import Scores
from core.studies.study import Pulse, Step, run_to_end

__all__ = [
    "SUFFIXES",
    "SaveScores",
    "ScoredTable",
    "latex_text",
    "markdown_text",
    "scores_csv",
    "scores_json",
    "summary_csv",
    "write_scores",
]

SUFFIXES = (".csv", ".tsv", ".json", ".xlsx", ".md", ".tex")
"""The endings of the files that hold scored tables, the text that opens again first."""


@dataclass(frozen=True)
class SaveScores:
    """The study that writes scored tables to a file, by its suffix.

    Attributes
    ----------
    path : Path or str
        ``.csv``, ``.tsv`` for tabs, ``.json``, ``.xlsx``, ``.md`` or ``.tex``.
    results : Scores, or sequence of ScoredTable
        One or more, all with the same options.
    name : str
        What people call the table, where its scores alone are given.
    source : str or None
        Name of the file it was read from, where its scores alone are given.
    keys : sequence of str, optional
        The metrics that ``.md`` and ``.tex`` show; the headline ones by default. The other
        formats hold all that were computed.
    digits : int
        Decimals in ``.md`` and ``.tex``; the other formats hold every digit.
    summary : bool
        Whether ``.csv`` and ``.tsv`` get one line a table and not one block.
    """

    path: Path | str
    results: Scores | Sequence[ScoredTable]
    name: str = ""
    source: str | None = None
    keys: Sequence[str] | None = None
    digits: int = 3
    summary: bool = False

    def run(self) -> Generator[Step[Saved], None, None]:
        """Write, with a step every twentieth of a second; the last has the `Saved` file.

        The file is replaced between the last two steps; who stops before leaves it as
        it was.

        Raises
        ------
        SaveError
            If the suffix is another, the file cannot be written, or it cannot hold a name
            or a table.
        UnknownMetricError
            If a key is not in the catalogue.
        ValueError
            If there is no result, or if the options differ.
        """
        path = Path(self.path)
        name = plain(path.name)
        suffix = path.suffix.lower()
        if suffix not in SUFFIXES:
            endings = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
            raise SaveError(f"{name} was not saved: give it the ending {endings}.")
        results = self.results
        if isinstance(results, Scores):
            results = [ScoredTable(results, self.name, self.source)]
        common_options(results)
        message = f"exporting {name}"
        total = 1 + sum(result.scores.table.shape[0] for result in results)
        yield Step(0, total, message)
        pulse = Pulse()
        done = 0
        if suffix == ".xlsx":
            with WorkbookExport(results, name) as workbook, atomic_file(path) as file:
                for rows in workbook.write(file):
                    done = min(rows, total - 1)
                    if pulse.due():
                        yield Step(done, total, message)
                stamp = written(file)
                yield Step(total, total, message)
        else:
            with atomic_file(path) as file:
                for piece in self._text(suffix)(results):
                    file.write(encoded(piece, path))
                    # A piece is about a line: one of the table, or one of what is said of it.
                    done = min(done + 1, total - 1)
                    if pulse.due():
                        yield Step(done, total, message)
                stamp = written(file)
                yield Step(total, total, message)
        yield Step(total, total, f"exported {name}", result=Saved(path, stamp, len(results)))

    def _text(self, suffix: str) -> Callable[[Sequence[ScoredTable]], Iterator[str]]:
        """Return what makes the text of a file, piece by piece."""
        if suffix == ".json":
            return json_pieces
        if suffix == ".md":
            return lambda results: markdown_pieces(results, self.keys, self.digits)
        if suffix == ".tex":
            return lambda results: latex_pieces(results, self.keys, self.digits)
        separator = "\t" if suffix == ".tsv" else ","
        if self.summary:
            return lambda results: summary_lines(results, separator)
        return lambda results: _checked_lines(results, separator)


def _checked_lines(results: Sequence[ScoredTable], separator: str) -> Iterator[str]:
    for result in results:
        check_names(result.scores.table)
    yield from csv_lines(results, separator)


def write_scores(
    path: Path | str,
    results: Scores | Sequence[ScoredTable],
    *,
    name: str = "",
    source: str | None = None,
    keys: Sequence[str] | None = None,
    digits: int = 3,
    summary: bool = False,
) -> Saved:
    """Write scored tables to a file, by its suffix.

    Parameters
    ----------
    path : Path or str
        ``.csv``, ``.tsv`` for tabs, ``.json``, ``.xlsx``, ``.md`` or ``.tex``.
    results : Scores, or sequence of ScoredTable
        One or more, all with the same options.
    name, source, keys, digits, summary
        As in `SaveScores`.

    Returns
    -------
    Saved

    Raises
    ------
    SaveError
        If the suffix is another, the file cannot be written, or it cannot hold a name or
        a table.
    UnknownMetricError
        If a key is not in the catalogue.
    ValueError
        If there is no result, or if the options differ.
    """
    return run_to_end(SaveScores(path, results, name, source, keys, digits, summary))
