"""Scored tables as CSV: one block a table, or one line a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from core.files.conventions import conventions
from core.files.errors import plain
from core.files.export_names import EXPORT_MARK, SUMMARY_MARK, exact_comments, readable
from core.files.formulas import GUARDED, GUARDED_TEXT, guarded, is_formula
from core.files.noise import noise_comments
from core.files.scored import (
    ScoredTable,
    common_options,
    keys_of,
    names_apart,
    noise_conventions,
    number,
    row_keys,
    score_of,
    table_keys,
)
from core.files.writing import quoted, table_lines
from core.metrics.metric import ScoreOptions
from core.scores import cautions
from core.version import __version__

_NAMES_AT_ONCE = 10_000


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
    return "".join(csv_lines(results, separator))


def csv_lines(results: Sequence[ScoredTable], separator: str = ",") -> Iterator[str]:
    """Yield the lines of `scores_csv`, each with its end."""
    options = common_options(results)
    said = conventions(options, keys_of(results))
    for i, result in enumerate(results):
        if i:
            yield "\n"
        yield from _csv_lines(result, options, said, separator)


def summary_csv(results: Sequence[ScoredTable], separator: str = ",") -> str:
    """Return scored tables as one tidy table: a line for each, a column for each score.

    Parameters
    ----------
    results : sequence of ScoredTable
        One or more, all with the same options.
    separator : str
        What separates the cells.

    Returns
    -------
    str
        Lines that begin with ``#`` hold version, options and conventions. Then come a
        header line (``name``, ``source``, ``classes``, ``clusters``, ``N`` and the keys of
        the metrics that have one value for a table) and the tables. A score that does not
        exist is empty.

    Raises
    ------
    ValueError
        If there is none, or if the options differ.
    """
    return "".join(summary_lines(results, separator))


def summary_lines(results: Sequence[ScoredTable], separator: str = ",") -> Iterator[str]:
    """Yield the lines of `summary_csv`, each with its end."""
    options = common_options(results)

    def line(*cells: str) -> str:
        return separator.join(quoted(cell) for cell in cells) + "\n"

    yield f"{SUMMARY_MARK}{separator}{__version__}\n"
    for option, value in asdict(options).items():
        yield "# " + line(option, str(value))
    said = [*conventions(options, keys_of(results)), *noise_conventions(results)]
    for text in said:
        yield "# " + line("convention", plain(text))
    keys = table_keys(results)
    names = [result.name or f"table {i}" for i, result in enumerate(results, start=1)]
    for text in cautions(names, [result.scores for result in results], keys):
        yield "# " + line("warning", plain(text))
    yield line("name", "source", "classes", "clusters", "N", *keys)
    for result, name in zip(results, names_apart(results), strict=True):
        table = result.scores.table
        values = (score_of(result, key)[0] for key in keys)
        yield line(
            readable(name),
            readable(result.source or ""),
            *map(str, (*table.shape, table.total)),
            *("" if value is None else repr(value) for value in values),
        )


def _csv_lines(
    result: ScoredTable, options: ScoreOptions, said: Sequence[str], separator: str
) -> Iterator[str]:
    scores, table = result.scores, result.scores.table

    def line(*cells: str) -> str:
        return separator.join(quoted(cell) for cell in cells) + "\n"

    def comment(key: str, text: str) -> str:
        return "# " + line(key, readable(text))

    def exactly(key: str, text: str) -> Iterator[str]:
        yield comment(key, text)
        for more, exact in exact_comments(key, text):
            yield "# " + line(more, exact)

    yield f"{EXPORT_MARK}{separator}{__version__}\n"
    if result.name:
        yield from exactly("name", result.name)
    if result.source:
        yield from exactly("source", result.source)
    yield comment("rows", "truth classes")
    yield comment("columns", "clusters")
    for key, text in noise_comments(table.noise):
        yield comment(key, text)
    for option, value in asdict(options).items():
        yield comment(option, str(value))
    for word, sentences in (
        ("convention", [*said, *noise_conventions([result])]),
        ("note", result.notes),
        ("warning", scores.warnings),
    ):
        for text in sentences:
            yield from exactly(word, text) if word == "note" else [comment(word, text)]
    guard = False
    for names in (table.truth, table.clusters):
        for start in range(0, len(names), _NAMES_AT_ONCE):
            guard = guard or any(map(is_formula, names[start : start + _NAMES_AT_ONCE]))
            # Nothing to write yet, but whoever waits can stop here.
            yield ""
    if guard:
        yield comment(GUARDED, GUARDED_TEXT)
    yield from table_lines(table, separator, guard=guard)
    yield "\n"
    yield line("metric", "value", "note")
    by_class = row_keys(scores)
    for key in scores:
        if key in by_class:
            continue
        value, reason = score_of(result, key)
        yield line(key, "" if value is None else repr(value), reason)
    yield "\n"
    yield line("truth", "size", "peak_clusters", *by_class)
    by_row = [scores.by_row(key).tolist() for key in by_class]
    sizes = table.row_sums.tolist()
    for i, peaks in enumerate(scores.peak_clusters):
        numbers = [number(values[i]) for values in by_row]
        yield line(
            guarded(table.truth[i]),
            str(sizes[i]),
            "; ".join(guarded(table.clusters[column]) for column in peaks),
            *("" if value is None else repr(value) for value in numbers),
        )
