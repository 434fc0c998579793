"""Scored tables as strict JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from core.files.conventions import conventions
from core.files.scored import (
    ScoredTable,
    common_options,
    keys_of,
    noise_conventions,
    number,
    row_keys,
    why,
)
from core.version import PROGRAM, __version__


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
    return "".join(json_pieces(results))


def json_pieces(results: Sequence[ScoredTable]) -> Iterator[str]:
    """Yield the text of `scores_json` piece by piece, row by row of counts."""
    options = common_options(results)
    head: dict[str, Any] = {
        "program": {"name": PROGRAM, "version": __version__},
        "options": asdict(options),
        "conventions": [*conventions(options, keys_of(results)), *noise_conventions(results)],
        "axes": {"rows": "truth classes", "columns": "clusters"},
    }
    yield "{\n"
    for key, value in head.items():
        yield f"  {_scalar(key)}: "
        yield from pretty_json(value, 1)
        yield ",\n"
    yield '  "results": ['
    for i, result in enumerate(results):
        yield ",\n    " if i else "\n    "
        yield from pretty_json(_result(result), 2)
    yield "\n  ]\n}\n"


def _result(result: ScoredTable) -> dict[str, Any]:
    scores, table = result.scores, result.scores.table
    values: dict[str, Any] = {}
    undefined: dict[str, str] = {}
    by_row = {key: list(map(number, scores.by_row(key).tolist())) for key in row_keys(scores)}
    for key in scores:
        if key in by_row:
            values[key] = by_row[key]
            if reason := scores.why(key):
                undefined[key] = reason
            continue
        values[key] = number(scores[key])
        if values[key] is None:
            undefined[key] = why(scores, key, scores[key])
    peaks = scores.peak_clusters
    return {
        "name": _encodable(result.name),
        "source": None if result.source is None else _encodable(result.source),
        "notes": list(result.notes),
        "truth": list(table.truth),
        "clusters": list(table.clusters),
        "counts": table.counts,
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


def pretty_json(value: Any, depth: int, *, ascii_only: bool = False) -> Iterator[str]:
    """Yield JSON with a line for each row of counts and each sentence, not each count.

    Parameters
    ----------
    value : object
        What JSON can hold; an array of two axes is a list of its rows.
    depth : int
        How far it stands inside other values.
    ascii_only : bool
        Whether all other signs are written as escapes.
    """

    def scalar(value: Any) -> str:
        return json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)

    def within(inner: Any) -> Iterator[str]:
        return pretty_json(inner, depth + 1, ascii_only=ascii_only)

    pad, end = "  " * (depth + 1), "\n" + "  " * depth
    if isinstance(value, dict) and value:
        for i, (key, inner) in enumerate(value.items()):
            yield f"{',' if i else '{'}\n{pad}{scalar(key)}: "
            yield from within(inner)
        yield end + "}"
    elif isinstance(value, np.ndarray):
        # Row by row: a large table as one list would hold up whoever waits for the interpreter.
        for i, row in enumerate(value):
            yield f"{',' if i else '['}\n{pad}{scalar(row.tolist())}"
        yield end + "]"
    elif isinstance(value, list) and any(
        isinstance(item, dict | list) or (isinstance(item, str) and len(item) > 40)
        for item in value
    ):
        for i, inner in enumerate(value):
            yield f"{',' if i else '['}\n{pad}"
            yield from within(inner)
        yield end + "]"
    else:
        yield scalar(value)


def _scalar(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
