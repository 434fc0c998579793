"""Labels of items as codes, and the pairs of codes counted."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from decimal import Decimal
from functools import partial
from itertools import count
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.counts import IntArray, TableError

Names = tuple[str, ...] | Callable[[], tuple[str, ...]]
"""Names, or what makes them where they are asked for."""

Codes = npt.NDArray[np.signedinteger[Any]]

Distinct = npt.NDArray[Any] | tuple[str, ...]
"""Distinct labels in order, or their names."""

# Labels looked at at a time, so that what is made of them stays in the processor's cache.
_PIECE = 1 << 17

_NUMBERS: tuple[Any, ...] = (Real, Decimal, np.bool_)


class Labels(NamedTuple):
    """The labels of items.

    Attributes
    ----------
    distinct : ndarray or tuple of str
        The distinct labels in order, or their names.
    codes : ndarray of int32 or int64, shape (n,)
        Which of them each item has.
    noise : tuple of int
        Those that mean noise.
    """

    distinct: Distinct
    codes: Codes
    noise: tuple[int, ...]


def encode(labels: Iterable[Hashable], what: str, noise: tuple[Hashable, ...] = ()) -> Labels:
    """Return the labels of items as codes, or say which one is missing or no label.

    Parameters
    ----------
    labels : iterable of hashable
        A label for each item.
    what : str
        What a message calls one.
    noise : tuple of hashable
        Labels that mean noise; a number stands for its text too. Where one of them is
        missing (None, NaN), missing labels are taken for it.

    Returns
    -------
    Labels
    """
    if not isinstance(labels, np.ndarray):
        labels = np.asarray(labels) if hasattr(labels, "__array__") else _listed(labels, what)
    if not isinstance(labels, np.ndarray):
        return _encode_objects(labels, what, noise)
    if labels.ndim != 1:
        raise TableError(f"{what}s must be one column, not an array of {labels.ndim} axes")
    absent: npt.NDArray[np.bool_] | None = None
    if isinstance(labels, np.ma.MaskedArray):
        absent, labels = np.ma.getmaskarray(labels), labels.data
    if labels.dtype.kind == "f":
        unknown = np.isnan(labels)
        absent = unknown if absent is None else absent | unknown
    if absent is None or not absent.any():
        if labels.dtype.kind in "biuf":
            return _encode_numbers(labels, noise)
        return _encode_objects(labels, what, noise)
    if not any(map(_is_missing, noise)):
        raise _missing(what, int(np.flatnonzero(absent)[0]))
    objects = labels.astype(object)
    objects[absent] = None
    return _encode_objects(objects, what, noise)


# Numbers


def _encode_numbers(labels: npt.NDArray[Any], noise: tuple[Hashable, ...]) -> Labels:
    distinct, codes = _distinct_numbers(labels)
    found = (
        np.flatnonzero(distinct == number).tolist()
        for number in _numbers_like(noise, distinct.dtype)
    )
    return Labels(distinct, codes, tuple(sorted({code for part in found for code in part})))


def _numbers_like(labels: tuple[Hashable, ...], dtype: np.dtype[Any]) -> Iterator[int | float]:
    """Yield those labels that are numbers, so that an array of a type can be compared."""
    for label in labels:
        if isinstance(label, _NUMBERS) and not _is_missing(label):
            number: Any = label
            if dtype.kind == "f":
                with contextlib.suppress(OverflowError):
                    fits = abs(number) <= float(np.finfo(dtype).max) or abs(number) == np.inf
                    if fits and float(number) == number:
                        yield float(number)
            elif abs(number) < 2**64 and int(number) == number:
                yield int(number)


def _distinct_numbers(labels: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Codes]:
    """Return the distinct numbers in order and the code of each item."""
    n = len(labels)
    if labels.dtype.kind == "b":
        distinct, codes = _distinct_numbers(labels.astype(np.uint8))
        return distinct.astype(np.bool_), codes
    if labels.dtype.kind == "f" and n and max(-float(labels.min()), float(labels.max())) < 2.0**53:
        whole = labels.astype(np.int64)
        if np.array_equal(whole, labels):
            distinct, codes = _distinct_numbers(whole)
            return distinct.astype(labels.dtype), codes
    if labels.dtype.kind in "iu" and n:
        low, high = int(labels.min()), int(labels.max())
        # Small integers: counting is several times faster than sorting.
        if high - low < 4 * n + 1024:
            return _counted_numbers(labels, low, high - low + 1)
    values, inverse = np.unique(labels, return_inverse=True)
    return values, inverse.astype(_code_type(len(values)), copy=False)


def _counted_numbers(
    labels: npt.NDArray[Any], low: int, span: int
) -> tuple[npt.NDArray[Any], Codes]:
    """Return the distinct integers of ``low, ..., low + span - 1`` and the code of each item."""
    unsigned = labels.dtype.kind == "u"
    origin = np.uint64(low) if unsigned else np.int64(low)
    codes = np.empty(len(labels), dtype=_code_type(span))
    present = np.zeros(span, dtype=np.bool_)
    for piece in _pieces(len(labels)):
        # A difference wraps around where the type is too small, and is right all the same.
        from_low = labels[piece].astype(origin.dtype) - origin
        present[from_low] = True
        codes[piece] = from_low
    if present.all():
        place = np.arange(span, dtype=np.int64)
    else:
        place = np.flatnonzero(present)
        rank = np.cumsum(present, dtype=codes.dtype) - codes.dtype.type(1)
        for piece in _pieces(len(labels)):
            codes[piece] = rank[codes[piece]]
    return place.astype(origin.dtype) + origin, codes


def _code_type(n: int) -> type[np.signedinteger[Any]]:
    return np.int32 if n <= 2**31 else np.int64


def _pieces(n: int, size: int = _PIECE) -> Iterator[slice]:
    return (slice(start, start + size) for start in range(0, n, size))


# Labels of any other kind


def _encode_objects(labels: Any, what: str, noise: tuple[Hashable, ...]) -> Labels:
    # A dictionary that gives a new label the next number: no step of the loop is in Python.
    code_of: defaultdict[Hashable, int] = defaultdict(count().__next__)
    codes: Codes = np.empty(len(labels), dtype=_code_type(len(labels)))
    boxed = isinstance(labels, np.ndarray) and labels.dtype.kind in "USO"
    try:
        for piece in _pieces(len(labels)):
            items = labels[piece].tolist() if boxed else labels[piece]
            codes[piece] = np.fromiter(map(code_of.__getitem__, items), codes.dtype, len(items))
    except TypeError:
        raise _no_label(labels, what) from None
    distinct = list(code_of)
    missing = [] if set(map(type, distinct)) <= _NEVER_MISSING else [*filter(_is_missing, distinct)]
    absent = {code_of[label] for label in missing}
    stand_in = next(filter(_is_missing, noise), _NOTHING)
    if absent and stand_in is _NOTHING:
        raise _missing(what, int(np.flatnonzero(codes == min(absent))[0]))
    as_noise = {code_of[form] for form in _forms(noise) if form in code_of}
    present = _in_order([x for x in distinct if code_of[x] not in absent], code_of, as_noise)
    # All missing labels are one, and stand first, as -1 does among numbers.
    first = 1 if absent else 0
    rank = np.zeros(len(distinct), dtype=codes.dtype)
    rank[[code_of[label] for label in present]] = np.arange(first, first + len(present))
    names = (*[label_name(stand_in)][:first], *map(label_name, present))
    meaning = {int(rank[code]) for code in (*as_noise, *absent)}
    return Labels(names, rank[codes], tuple(sorted(meaning)))


def _in_order(
    labels: list[Any], code_of: Mapping[Hashable, int], as_noise: Collection[int]
) -> list[Any]:
    """Return labels sorted; where they cannot be, those that mean noise stand first."""
    try:
        return sorted(labels)
    except TypeError:
        pass
    noise = [label for label in labels if code_of[label] in as_noise]
    others = [label for label in labels if code_of[label] not in as_noise]
    with contextlib.suppress(TypeError):
        others = sorted(others)
    return noise + others


_NOTHING = object()
_NEVER_MISSING = frozenset({str, int, bool, bytes})


def _forms(labels: tuple[Hashable, ...]) -> Iterator[Hashable]:
    """Yield labels in all forms in which they may come: a number also as its text."""
    for label in labels:
        yield label
        if isinstance(label, _NUMBERS):
            label = str(label)
            yield label
        if isinstance(label, str):
            yield label.encode()


def _no_label(labels: Any, what: str) -> TableError:
    """Return the error for the first label that cannot be looked up among those before it."""
    known: set[Hashable] = set()
    for i, label in enumerate(labels):
        try:
            known.add(label)
        except TypeError:
            return TableError(
                f"{what} {i + 1} is {label!r}, which cannot serve as a label", row=i, value=label
            )
    return TableError(f"the {what}s cannot be compared with each other")


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


def _missing(what: str, i: int) -> TableError:
    return TableError(
        f"{what} {i + 1} is missing: drop the item or give the label a name", row=i, value=None
    )


# Pairs


def count_pairs(
    rows: Codes, columns: Codes, shape: tuple[int, int]
) -> tuple[IntArray, IntArray, IntArray]:
    """Count how often each pair of codes occurs.

    Parameters
    ----------
    rows, columns : ndarray of int, shape (n,)
        Codes below ``shape``.
    shape : (int, int)
        Numbers of rows and columns.

    Returns
    -------
    rows, columns, counts : ndarray of int64, shape (m,)
        The pairs that occur, in order.
    """
    n, cells = len(rows), shape[0] * shape[1]
    if cells <= 2 * n:
        flat = np.zeros(cells, dtype=np.int64)
        # As many items at a time as there are cells, so that the sums cost no more than they.
        for piece in _pieces(n, max(_PIECE, cells)):
            flat += np.bincount(
                _joined(rows[piece], columns[piece], shape[1], np.int64), None, cells
            )
        places = np.flatnonzero(flat)
        counts = flat[places]
    else:
        # Half as wide, it is sorted twice as fast.
        joined = _joined(rows, columns, shape[1], np.uint32 if cells <= 2**32 else np.int64)
        joined.sort()
        first = np.empty(n, dtype=np.bool_)
        first[:1] = True
        np.not_equal(joined[1:], joined[:-1], out=first[1:])
        starts = np.flatnonzero(first)
        counts = np.empty_like(starts)
        np.subtract(starts[1:], starts[:-1], out=counts[:-1])
        counts[-1:] = n - starts[-1:]
        places = joined[starts]
    row = places // places.dtype.type(shape[1])
    column = places - row * places.dtype.type(shape[1])
    return row.astype(np.int64, copy=False), column.astype(np.int64, copy=False), counts


def _joined(rows: Codes, columns: Codes, width: int, dtype: type[Any]) -> npt.NDArray[Any]:
    """Return ``rows * width + columns`` in a type that holds it."""
    joined: npt.NDArray[Any] = rows.astype(dtype)
    joined *= dtype(width)
    # The type is wide enough for the sum, whatever the types of its parts.
    np.add(joined, columns, out=joined, casting="unsafe")
    return joined


# Names


def label_name(label: object) -> str:
    """Return the name of a label."""
    return label.decode("utf-8", "replace") if isinstance(label, bytes) else str(label)


def label_names(distinct: Distinct, alone: IntArray | None = None) -> tuple[str, ...]:
    """Return the names of labels, then those of items that are clusters of their own.

    Parameters
    ----------
    distinct : ndarray or tuple of str
        The distinct labels, or their names.
    alone : ndarray of int64, optional
        Places of these items among all, counted from 0. Item 17 is named ``noise 17``, as
        people count, unless that is the name of another cluster.

    Returns
    -------
    tuple of str
    """
    given = distinct if isinstance(distinct, tuple) else tuple(map(label_name, distinct.tolist()))
    if alone is None:
        return given
    taken = set(given)
    names = []
    for place in alone.tolist():
        name = f"noise {place + 1}"
        while name in taken:
            name += " (single)"
        names.append(name)
    return (*given, *names)


def names_of(distinct: Distinct, alone: IntArray | None = None) -> Names:
    """Return names that are made where they are asked for: 50,000 of them take a while."""
    if isinstance(distinct, tuple) and alone is None:
        return distinct
    return partial(label_names, distinct, alone)
