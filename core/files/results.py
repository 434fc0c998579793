"""Scored tables as files: every digit, and what one must know to read them."""

from __future__ import annotations

import json
import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.files.atomic import atomic_file, encoded
from core.files.conventions import conventions
from core.files.errors import SaveError, plain, sentence, shown
from core.files.export_names import exact_comments
from core.files.noise import noise_comments
from core.files.parser import EXPORT_MARK
from core.files.writing import Saved, check_names, quoted, table_lines, written
from core.metrics.catalogue import METRICS
from core.metrics.metric import ScoreOptions
from core.scores import Scores
from core.studies.study import Step, run_to_end
from core.table import ContingencyTable
from core.version import PROGRAM, __version__


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
    """

    scores: Scores
    name: str = ""
    source: str | None = None
    notes: tuple[str, ...] = ()


def scores_json(results: Sequence[ScoredTable]) -> str:
    """Return scored tables as strict JSON.

    Parameters
    ----------
    results : sequence of ScoredTable
        One or more, all with the same options.

    Returns
    -------
    str
        A score that does not exist is null, and ``undefined`` says why. A metric with
        a value for each truth class is a list, null for an empty class.

    Raises
    ------
    ValueError
        If there is none, or if the options differ.
    """
    options = _common_options(results)
    document = {
        "program": {"name": PROGRAM, "version": __version__},
        "options": asdict(options),
        "conventions": [*conventions(options, _keys(results)), *_noise_conventions(results)],
        "axes": {"rows": "truth classes", "columns": "clusters"},
        "results": [_result(result) for result in results],
    }
    return _json(document) + "\n"


def scores_csv(results: Sequence[ScoredTable], separator: str = ",") -> str:
    r"""Return scored tables as CSV for spreadsheets; the program opens it as a table.

    For each table there are lines that begin with ``#``, then the table, its scores
    (``metric,value,note``) and its truth classes, with a blank line before each block.

    Parameters
    ----------
    results : sequence of ScoredTable
        One or more, all with the same options.
    separator : str
        ``","`` or ``"\t"``.

    Returns
    -------
    str
        A score that does not exist is empty, and its note says why. The digits are
        those of `scores_json`.

    Raises
    ------
    ValueError
        If there is none, or if the options differ.
    """
    options = _common_options(results)
    said = conventions(options, _keys(results))
    blocks = ("".join(_csv_lines(result, options, said, separator)) for result in results)
    return "\n".join(blocks)


@dataclass(frozen=True)
class SaveScores:
    """The study that writes scored tables to a file, by its suffix.

    Attributes
    ----------
    path : Path or str
        ``.json``, ``.csv``, or ``.tsv`` for tabs.
    results : Scores, or sequence of ScoredTable
        One or more, all with the same options.
    name : str
        What people call the table, where its scores alone are given.
    source : str or None
        Name of the file it was read from, where its scores alone are given.
    """

    path: Path | str
    results: Scores | Sequence[ScoredTable]
    name: str = ""
    source: str | None = None

    def run(self) -> Generator[Step[Saved], None, None]:
        """Write, with a step before the text is made and after; the last has the `Saved` file.

        The file is replaced between the last two steps; who stops before leaves it as
        it was.

        Raises
        ------
        SaveError
            If the suffix is another or the file cannot be written.
        ValueError
            If there is no result, or if the options differ.
        """
        path = Path(self.path)
        name = plain(path.name)
        suffix = path.suffix.lower()
        if suffix not in (".json", ".csv", ".tsv"):
            raise SaveError(f"{name} was not saved: give it the ending .json, .csv or .tsv.")
        results = self.results
        if isinstance(results, Scores):
            results = [ScoredTable(results, self.name, self.source)]
        if suffix != ".json":
            for result in results:
                check_names(result.scores.table)
        message = f"exporting {name}"
        yield Step(0, 2, message)
        if suffix == ".json":
            data = encoded(scores_json(results), path)
        else:
            data = encoded(scores_csv(results, "\t" if suffix == ".tsv" else ","), path)
        with atomic_file(self.path) as file:
            file.write(data)
            stamp = written(file)
            yield Step(1, 2, message)
        yield Step(2, 2, f"exported {name}", result=Saved(path, stamp))


def write_scores(
    path: Path | str,
    results: Scores | Sequence[ScoredTable],
    *,
    name: str = "",
    source: str | None = None,
) -> Saved:
    """Write scored tables to a file, by its suffix.

    Parameters
    ----------
    path : Path or str
        ``.json``, ``.csv``, or ``.tsv`` for tabs.
    results : Scores, or sequence of ScoredTable
        One or more, all with the same options.
    name : str
        What people call the table, where its scores alone are given.
    source : str, optional
        Name of the file it was read from, where its scores alone are given.

    Returns
    -------
    Saved

    Raises
    ------
    SaveError
        If the suffix is another or the file cannot be written.
    ValueError
        If there is no result, or if the options differ.
    """
    return run_to_end(SaveScores(path, results, name, source))


def peak_clusters(table: ContingencyTable) -> list[list[int]]:
    """Return the clusters that hold the largest count of each truth class.

    Parameters
    ----------
    table : ContingencyTable
        The table, of shape (r, c).

    Returns
    -------
    list of r lists of int
        Columns counted from 0; several on a tie, none for an empty class.
    """
    rows, columns, counts = table.cells
    largest = np.zeros(table.shape[0], np.int64)
    np.maximum.at(largest, rows, counts)
    peaks: list[list[int]] = [[] for _ in range(table.shape[0])]
    at_peak = counts == largest[rows]
    for row, column in zip(rows[at_peak].tolist(), columns[at_peak].tolist(), strict=True):
        peaks[row].append(column)
    return peaks


def _common_options(results: Sequence[ScoredTable]) -> ScoreOptions:
    if not results:
        raise ValueError("there are no scores to write")
    options = {result.scores.options for result in results}
    if len(options) > 1:
        raise ValueError("the tables were scored with different options: score them alike")
    return options.pop()


def _keys(results: Sequence[ScoredTable]) -> list[str]:
    return list(dict.fromkeys(key for result in results for key in result.scores))


def _noise_conventions(results: Sequence[ScoredTable]) -> Iterator[str]:
    """Yield how noise was dealt with, table by table where there are several."""
    for number, result in enumerate(results, start=1):
        noise = result.scores.table.noise
        if noise is not None and noise.sentence is not None:
            which = f"{shown(result.name)}: " if result.name else f"Table {number}: "
            yield sentence(noise.sentence if len(results) == 1 else which + noise.sentence)


def _row_keys(scores: Scores) -> list[str]:
    return [key for key in scores if METRICS[key].per == "row"]


def _number(value: float) -> float | None:
    # A count of pairs is an integer, of more digits than a float may hold.
    if isinstance(value, int):
        return value
    return float(value) if math.isfinite(value) else None


def _why(scores: Scores, key: str, value: float) -> str:
    """Return why a score has no finite value."""
    return scores.why(key) or ("the value is infinite" if math.isinf(value) else "it is undefined")


# JSON


def _result(result: ScoredTable) -> dict[str, Any]:
    scores, table = result.scores, result.scores.table
    values: dict[str, Any] = {}
    undefined: dict[str, str] = {}
    by_row = {key: list(map(_number, scores.by_row(key).tolist())) for key in _row_keys(scores)}
    for key in scores:
        if key in by_row:
            values[key] = by_row[key]
            if reason := scores.why(key):
                undefined[key] = reason
            continue
        values[key] = _number(scores[key])
        if values[key] is None:
            undefined[key] = _why(scores, key, scores[key])
    peaks = peak_clusters(table)
    return {
        "name": _encodable(result.name),
        "source": None if result.source is None else _encodable(result.source),
        "notes": list(result.notes),
        "truth": list(table.truth),
        "clusters": list(table.clusters),
        "counts": table.counts.tolist(),
        "total": table.total,
        "noise": None if table.noise is None else asdict(table.noise),
        "scores": values,
        "undefined": undefined,
        "warnings": list(scores.warnings),
        "rows": [
            {
                "truth": name,
                "size": size,
                "peak_clusters": [table.clusters[column] for column in peaks[i]],
                **{key: by_row[key][i] for key in by_row},
            }
            for i, (name, size) in enumerate(zip(table.truth, table.row_sums.tolist(), strict=True))
        ],
    }


def _encodable(text: str) -> str:
    """Return text that UTF-8 can hold: the name of a file may have bytes that it cannot."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _json(value: Any, depth: int = 0) -> str:
    """Return JSON with a line for each row of counts and each sentence, not each count."""
    pad, end = "  " * (depth + 1), "\n" + "  " * depth
    if isinstance(value, dict) and value:
        items = (f"{pad}{_scalar(k)}: {_json(v, depth + 1)}" for k, v in value.items())
        return "{\n" + ",\n".join(items) + end + "}"
    if isinstance(value, list) and any(
        isinstance(item, dict | list) or (isinstance(item, str) and len(item) > 40)
        for item in value
    ):
        return "[\n" + ",\n".join(pad + _json(item, depth + 1) for item in value) + end + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


# CSV


def _csv_lines(
    result: ScoredTable, options: ScoreOptions, said: Sequence[str], separator: str
) -> Iterator[str]:
    scores, table = result.scores, result.scores.table

    def line(*cells: str) -> str:
        return separator.join(quoted(cell) for cell in cells) + "\n"

    def comment(key: str, text: str) -> str:
        return "# " + line(key, plain(text))

    yield f"{EXPORT_MARK}{separator}{__version__}\n"
    if result.name:
        yield comment("name", result.name)
    if result.source:
        yield comment("source", result.source)
    for key, text in exact_comments(result.name, result.source):
        yield comment(key, text)
    yield comment("rows", "truth classes")
    yield comment("columns", "clusters")
    for key, text in noise_comments(table.noise):
        yield comment(key, text)
    for option, value in asdict(options).items():
        yield comment(option, str(value))
    for word, sentences in (
        ("convention", [*said, *_noise_conventions([result])]),
        ("note", result.notes),
        ("warning", scores.warnings),
    ):
        for text in sentences:
            yield comment(word, text)
    yield from table_lines(table, separator)
    yield "\n"
    yield line("metric", "value", "note")
    row_keys = _row_keys(scores)
    for key in scores:
        if key in row_keys:
            continue
        number = _number(scores[key])
        if number is None:
            yield line(key, "", _why(scores, key, scores[key]))
        else:
            yield line(key, repr(number), "")
    yield "\n"
    yield line("truth", "size", "peak_clusters", *row_keys)
    by_row = [scores.by_row(key).tolist() for key in row_keys]
    sizes = table.row_sums.tolist()
    for i, peaks in enumerate(peak_clusters(table)):
        numbers = (_number(values[i]) for values in by_row)
        yield line(
            table.truth[i],
            str(sizes[i]),
            "; ".join(table.clusters[column] for column in peaks),
            *("" if number is None else repr(number) for number in numbers),
        )
