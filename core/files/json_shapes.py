"""Which tables a JSON value holds, by its shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.files.errors import FaultKind, shown
from core.files.json_names import (
    CLUSTER_KEYS,
    LABELS,
    TRUTH_KEYS,
    ShapeError,
    counts_key,
    layout_in,
    left_out,
    names_under,
    pivoted,
)
from core.files.options import OpenOptions
from core.files.profile_marks import JSON_OF_PROFILES
from core.files.simulation_marks import JSON_OF_SIMULATIONS

_NO_TABLES = {**JSON_OF_SIMULATIONS, **JSON_OF_PROFILES}

_REMEDY = (
    'write a list of rows, or {"truth": [...], "clusters": [...], "counts": [[...], ...]}, or a '
    "list of these"
)


@dataclass(frozen=True)
class JsonTable:
    """A table as JSON has it, before its counts are looked at.

    Attributes
    ----------
    rows : sequence of lists
        The cells, row by row.
    truth, clusters : list of str, or None
        Names.
    name, source : str or None
        What it is called and where it came from, where the file says so.
    notes : tuple of str
        What was noted when it was first read, and what is noted now.
    noise : object
        The record of noise as it stands, None where there is none.
    own : bool
        Whether it was written by this program.
    """

    rows: Sequence[Any]
    truth: list[str] | None = None
    clusters: list[str] | None = None
    name: str | None = None
    source: str | None = None
    notes: tuple[str, ...] = ()
    noise: Any = None
    own: bool = False


@dataclass(frozen=True)
class JsonContent:
    """The tables of a file and what is to be said of all of them."""

    tables: tuple[JsonTable, ...]
    notes: tuple[str, ...] = ()
    is_export: bool = False


def tables_in(value: Any, options: OpenOptions) -> JsonContent:
    """Return the tables that a JSON value holds.

    Parameters
    ----------
    value : object
        What the file holds.
    options : OpenOptions
        ``orient`` says what the outer names of nested objects are, ``read.header`` and
        ``read.index`` whether the first row and the first column hold names.

    Returns
    -------
    JsonContent

    Raises
    ------
    ShapeError
        If it holds none.
    """
    if isinstance(value, dict):
        if isinstance(value.get("results"), list) and isinstance(value.get("program"), dict):
            return _export(value["results"], value.get("axes"))
        if value.get("format") == "tallyscope session":
            raise ShapeError("this is a session, not a table: open it as one", FaultKind.NOT_TEXT)
        if what := _NO_TABLES.get(str(value.get("format"))):
            raise ShapeError(f"these are {what}", FaultKind.NOT_TEXT)
        tables = _of_object(value, options)
    elif isinstance(value, list):
        tables = _of_list(value, options)
    else:
        raise ShapeError(f"{shown(str(value))} is not a table: {_REMEDY}")
    notes = (f"the file holds {len(tables)} tables",) if len(tables) > 1 else ()
    return JsonContent(tuple(tables), notes)


def _export(results: list[Any], axes: Any) -> JsonContent:
    if not results:
        raise ShapeError("the export holds no table", FaultKind.EMPTY)
    tables = []
    for number, result in enumerate(results, start=1):
        if not isinstance(result, dict) or not isinstance(result.get("counts"), list):
            raise ShapeError(
                f"table {number} of the export has no counts: export it again", FaultKind.CUT
            )
        tables.append(_named({"axes": axes, **result}, own=True))
    said = "the scores in the file were left out"
    if len(tables) > 1:
        said = f"the file holds {len(tables)} scored tables; their scores were left out"
    return JsonContent(tuple(tables), (said,), is_export=True)


def _named(
    value: dict[str, Any], *, own: bool = False, name: str | None = None, key: str = "counts"
) -> JsonTable:
    """Return an object with counts as a table."""
    rows = value[key]
    if not _are(rows, list) or not rows:
        raise ShapeError(f"{shown(key)} is not a list of rows: {_REMEDY}")
    said: list[str] = []
    if _has_clusters_as_rows(value.get("axes")):
        width = len(rows[0])
        if any(len(row) != width for row in rows):
            raise ShapeError("its rows have different lengths: give all as many", FaultKind.RAGGED)
        rows = list(map(list, zip(*rows, strict=True)))
        said.append("the rows of the file are clusters, so the table was transposed")
    notes = value.get("notes")
    source = value.get("source")
    called = value.get("name", name)
    truth_key, truth = names_under(value, TRUTH_KEYS, len(rows))
    clusters_key, clusters = names_under(value, CLUSTER_KEYS, len(rows[0]))
    for at, own_key in ((truth_key, "truth"), (clusters_key, "clusters")):
        if at not in (None, own_key):
            what = "truth classes" if own_key == "truth" else "clusters"
            said.append(f"the list {shown(at or '')} was taken for the names of {what}")
    if not own:
        said += left_out(value, (key, truth_key, clusters_key))
    kept = tuple(n for n in notes if isinstance(n, str)) if isinstance(notes, list) else ()
    return JsonTable(
        rows,
        _names(truth, truth_key or "truth"),
        _names(clusters, clusters_key or "clusters"),
        called if isinstance(called, str) else name,
        source if isinstance(source, str) else None,
        (*kept, *said),
        value.get("noise"),
        own,
    )


def _has_clusters_as_rows(axes: Any) -> bool:
    """Return whether a file says that its rows are clusters and its columns truth classes."""
    if not isinstance(axes, dict):
        return False
    rows, columns = (str(axes.get(key, "")).casefold() for key in ("rows", "columns"))
    return "cluster" in rows and ("truth" in columns or "class" in columns)


def _of_object(
    value: dict[str, Any], options: OpenOptions, name: str | None = None
) -> list[JsonTable]:
    values = list(value.values())
    if (key := counts_key(value)) is not None:
        return [_named(value, name=name, key=key)]
    if isinstance(value.get("schema"), dict) and _are(value.get("data"), dict):
        return [_records(value["data"], options, name, _index_of(value["schema"]))]
    if isinstance(value.get("columns"), list) and isinstance(value.get("data"), list):
        index = _names(value.get("index"), "index")
        columns = _names(value["columns"], "columns")
        rows = _rows(value["data"])
        if index is None or index == list(map(str, range(len(rows)))):
            return [_headed(columns or [], rows, options, name, index)]
        return [JsonTable(rows, index, columns, name)]
    if not values:
        raise ShapeError(f"the object is empty: {_REMEDY}", FaultKind.EMPTY)
    if _are(value.get("truth"), None) and _are(value.get("clusters"), None):
        raise ShapeError(LABELS, FaultKind.LABELS)
    if _are(values, dict):
        if any(_is_table(one) for one in values):
            return [t for key, one in value.items() for t in _of_object(one, options, key)]
        return [_nested(value, options, name)]
    if _are(values, list):
        if all(_are(one, list) and one for one in values):
            return [t for key, one in value.items() for t in _of_list(one, options, key)]
        if all(_are(one, None) for one in values):
            return [_columns(value, options, name)]
    raise ShapeError(f"no table of counts was found in the object: {_REMEDY}")


def _is_table(value: dict[str, Any]) -> bool:
    return any(isinstance(value.get(key), list) for key in ("counts", "data"))


def _of_list(value: list[Any], options: OpenOptions, name: str | None = None) -> list[JsonTable]:
    if not value:
        raise ShapeError(f"the list is empty: {_REMEDY}", FaultKind.EMPTY)
    if _are(value, dict):
        if any(map(_is_table, value)):
            return [t for one in value for t in _of_object(one, options)]
        return [_records(value, options, name, None)]
    if not _are(value, list):
        raise ShapeError(f"a table is a list of rows, each a list of counts: {_REMEDY}")
    if all(_are(one, list) and one for one in value):
        return [_plain(one, options, _numbered(name, i)) for i, one in enumerate(value, start=1)]
    return [_plain(value, options, name)]


def _numbered(name: str | None, number: int) -> str | None:
    return None if name is None else f"{name} {number}"


def _plain(rows: list[list[Any]], options: OpenOptions, name: str | None) -> JsonTable:
    """Return rows as a table; a first row and a first column of text are names."""
    if not all(rows):
        raise ShapeError("a row of the table is empty: write its counts", FaultKind.RAGGED)
    layout, is_long = layout_in(rows[0], rows[1:], options.read, named=False)
    if is_long:
        counts, truth, clusters, said = pivoted(rows[0], rows[1:])
        return JsonTable(counts, truth, clusters, name, notes=(said,))
    header, index = layout.header, layout.index
    below, head = rows[layout.above :], rows[layout.titled]
    names = list(map(name_of, head[index and not layout.short :])) if header else None
    classes = [name_of(row[0]) for row in below] if index else None
    below = [row[1:] for row in below] if index else below
    return JsonTable(below, classes, names, name, notes=layout.notes)


def _headed(
    keys: list[str],
    rows: list[list[Any]],
    options: OpenOptions,
    name: str | None,
    truth: list[str] | None = None,
    notes: tuple[str, ...] = (),
) -> JsonTable:
    """Return rows below names of columns as a table; the first column may name the classes."""
    if len(keys) > 1 and rows and all(len(row) == len(keys) for row in rows):
        layout, is_long = layout_in(keys, rows, options.read, named=True)
        if is_long:
            counts, truth, clusters, said = pivoted(keys, rows)
            return JsonTable(counts, truth, clusters, name, notes=(said,))
        if layout.index:
            truth, keys = [name_of(row[0]) for row in rows], keys[1:]
            rows = [row[1:] for row in rows]
        notes = (*notes, *layout.notes)
    return JsonTable(rows, truth, keys, name, notes=notes)


def _records(
    rows: list[dict[str, Any]], options: OpenOptions, name: str | None, index: str | None
) -> JsonTable:
    """Return a list of objects, one a row, as a table."""
    keys = list(rows[0])
    for number, row in enumerate(rows, start=1):
        if row.keys() != rows[0].keys():
            other = next(iter(row.keys() ^ rows[0].keys()))
            raise ShapeError(
                f"row {number} and row 1 do not both have {shown(other)}: give every row the same "
                "names",
                FaultKind.RAGGED,
            )
    if not keys:
        raise ShapeError("the rows are empty: write their counts", FaultKind.NO_COUNTS)
    if index not in keys:
        index = None
    truth = None if index is None else [name_of(row[index]) for row in rows]
    if truth == list(map(str, range(len(rows)))):
        # The numbers of rows that pandas gives: the names may stand behind them.
        index_free = [key for key in keys if key != index]
        return _headed(index_free, _cells(rows, index_free), options, name, truth)
    keys = [key for key in keys if key != index]
    if truth is None:
        return _headed(keys, _cells(rows, keys), options, name)
    return JsonTable(_cells(rows, keys), truth, keys, name)


def _cells(rows: list[dict[str, Any]], keys: list[str]) -> list[list[Any]]:
    return [[row[key] for key in keys] for row in rows]


def _index_of(schema: dict[str, Any]) -> str | None:
    key = schema.get("primaryKey")
    return key[0] if isinstance(key, list) and len(key) == 1 and isinstance(key[0], str) else None


def _nested(value: dict[str, Any], options: OpenOptions, name: str | None) -> JsonTable:
    """Return an object of objects as a table: that of pandas has the columns outside."""
    outer = list(value)
    inner = list(value[outer[0]])
    for key in outer:
        if value[key].keys() != value[outer[0]].keys():
            other = next(iter(value[key].keys() ^ value[outer[0]].keys()))
            raise ShapeError(
                f"{shown(key)} and {shown(outer[0])} do not both have {shown(other)}: give all "
                "the same names",
                FaultKind.RAGGED,
            )
    if not inner or any(isinstance(c, list | dict) for c in value[outer[0]].values()):
        raise ShapeError(f"no table of counts was found in the object: {_REMEDY}")
    if options.orient == "index":
        rows = [[value[key][one] for one in inner] for key in outer]
        said = "the outer names of the file were taken for truth classes"
        return JsonTable(rows, outer, inner, name, notes=(said,))
    rows = [[value[key][one] for key in outer] for one in inner]
    said = "the outer names of the file were taken for clusters, as pandas writes them"
    if inner == list(map(str, range(len(inner)))):
        return _headed(outer, rows, options, name, inner, (said,))
    return JsonTable(rows, inner, outer, name, notes=(said,))


def _columns(value: dict[str, list[Any]], options: OpenOptions, name: str | None) -> JsonTable:
    """Return an object of lists, one a column, as a table."""
    keys = list(value)
    lengths = {len(value[key]) for key in keys}
    if len(lengths) > 1 or 0 in lengths:
        raise ShapeError(
            "the lists of the object are not of one length: give each column all its counts",
            FaultKind.RAGGED,
        )
    rows = [list(row) for row in zip(*(value[key] for key in keys), strict=True)]
    said = "each list of the file was taken for the column of a cluster"
    return _headed(keys, rows, options, name, notes=(said,))


def _rows(value: Any) -> list[Any]:
    if not _are(value, list):
        raise ShapeError(f'"data" is not a list of rows: {_REMEDY}')
    rows: list[Any] = value
    return rows


def _are(value: Any, kind: type | None) -> bool:
    """Return whether a value is a list, not empty, of one kind; None stands for bare values."""
    if not isinstance(value, list) or not value:
        return False
    if kind is None:
        return not any(isinstance(one, list | dict) for one in value)
    return all(isinstance(one, kind) for one in value)


def _names(value: Any, key: str) -> list[str] | None:
    if value is None:
        return None
    if not isinstance(value, list):
        raise ShapeError(f"{shown(key)} is not a list of names: write one name for each")
    return list(map(name_of, value))


def name_of(value: Any) -> str:
    """Return a value of JSON as a name; the parts of a list are joined."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ", ".join(map(name_of, value))
    return str(value)
