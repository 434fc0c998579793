"""Labels of items as codes: any hashables, sorted where they can be."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from core.counts import IntArray, TableError


def encode(labels: Iterable[Hashable], what: str) -> tuple[tuple[str, ...], IntArray]:
    """Return the names of the distinct labels and the code of each item."""
    if not isinstance(labels, np.ndarray):
        labels = np.asarray(labels) if hasattr(labels, "__array__") else _listed(labels, what)
    if isinstance(labels, np.ndarray) and labels.ndim != 1:
        raise TableError(f"{what}s must be one column, not an array of {labels.ndim} axes")
    if isinstance(labels, np.ma.MaskedArray):
        if (masked := np.flatnonzero(np.ma.getmaskarray(labels))).size:
            raise _missing(what, int(masked[0]))
        labels = labels.data
    if isinstance(labels, np.ndarray) and labels.dtype.kind in "biufUS":
        if labels.dtype.kind == "f" and np.isnan(labels).any():
            raise _missing(what, int(np.flatnonzero(np.isnan(labels))[0]))
        if labels.dtype.kind in "iu" and labels.size:
            low, high = int(labels.min()), int(labels.max())
            if high - low < 4 * labels.size + 1024 and abs(low) < 2**62:
                # Small integers: counting is several times faster than sorting.
                shifted = labels.astype(np.int64) - low
                present = np.bincount(shifted, minlength=high - low + 1) > 0
                code_of = np.cumsum(present) - 1
                values = np.flatnonzero(present) + low
                return tuple(map(str, values.tolist())), code_of[shifted]
        values, codes = np.unique(labels, return_inverse=True)
        return tuple(_label_name(v) for v in values.tolist()), codes.astype(np.int64)
    return _encode_objects(labels, what)


def _encode_objects(labels: Any, what: str) -> tuple[tuple[str, ...], IntArray]:
    code_of: dict[Hashable, int] = {}
    codes = np.empty(len(labels), dtype=np.int64)
    for i, label in enumerate(labels):
        try:
            codes[i] = code_of.setdefault(label, len(code_of))
        except TypeError:
            raise TableError(
                f"{what} {i + 1} is {label!r}, which cannot serve as a label", row=i, value=label
            ) from None
    missing = [label for label in code_of if _is_missing(label)]
    if missing:
        first = min(code_of[label] for label in missing)
        raise _missing(what, int(np.flatnonzero(codes == first)[0]))
    distinct = list(code_of)
    try:
        order = sorted(range(len(distinct)), key=distinct.__getitem__)  # type: ignore[arg-type]
    except TypeError:
        order = list(range(len(distinct)))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return tuple(_label_name(distinct[i]) for i in order), rank[codes]


def _listed(labels: Any, what: str) -> list[Any]:
    try:
        return list(labels)
    except TypeError:
        raise TableError(f"{what}s must be a list with one for each item, not {labels!r}") from None


def _is_missing(label: object) -> bool:
    """Say whether a label is None, NaN, NaT or the like: all but None differ from themselves."""
    try:
        return label is None or bool(label != label)
    except TypeError:
        # Such as pandas.NA, which neither equals itself nor differs.
        return True


def _label_name(label: object) -> str:
    return label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)


def _missing(what: str, i: int) -> TableError:
    return TableError(
        f"{what} {i + 1} is missing: drop the item or give the label a name", row=i, value=None
    )
