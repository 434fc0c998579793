"""What a count is, and the error that says why something is not one."""

from __future__ import annotations

from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]

MAX_TOTAL = int(np.iinfo(np.int64).max)

# numpy's integers and floats are registered as Real, its boolean is not.
_NUMBERS: tuple[Any, ...] = (Real, Decimal, np.bool_)

_NO_NUMBER = "is not a number"
_NOT_WHOLE = "is not a whole number: counts are whole, weights are not counts"
_NEGATIVE = "is negative: a count must be 0 or a positive whole number"
_TOO_LARGE = f"is larger than {MAX_TOTAL}"


class TableError(ValueError):
    """Input that is not a contingency table.

    The message names the place as a person counts it, from 1; the attributes
    count from 0, as code does.

    Parameters
    ----------
    message : str
        One sentence: what is wrong, where, and what to do.
    row, column : int or None
        Zero-based place of the fault in the table, where there is one.
    value : object
        The offending value, where there is one.
    """

    def __init__(
        self,
        message: str,
        *,
        row: int | None = None,
        column: int | None = None,
        value: object = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.row = row
        self.column = column
        self.value = value


def place(row: int, column: int | None = None) -> str:
    """Return the words that name a cell, counted from 1."""
    return f"row {row + 1}" if column is None else f"row {row + 1}, column {column + 1}"


def checked_counts(counts: npt.ArrayLike, *, ndim: int = 2) -> IntArray:
    """Return counts as a fresh C-ordered int64 array, or say what is wrong with them.

    Parameters
    ----------
    counts : array_like of shape (r, c), or (k, r, c) if ``ndim`` is 3
        Non-negative whole numbers. Floats are accepted where they are whole.
    ndim : {2, 3}
        Number of axes expected.

    Returns
    -------
    ndarray of int64
        A copy: later changes to the input do not reach it.

    Raises
    ------
    TableError
        If a count is negative, fractional, missing or not a number, if the shape is
        wrong or if the total is more than 9,223,372,036,854,775,807.
    """
    if isinstance(counts, np.ma.MaskedArray):
        if np.ma.getmaskarray(counts).any():
            raise TableError("the table has masked cells: fill them with counts first")
        counts = counts.data
    counts = np.asarray(counts) if isinstance(counts, np.ndarray) else _array_of(counts)
    if counts.ndim != ndim:
        raise TableError(
            f"a table has rows and columns; this input has {counts.ndim} axes"
            if ndim == 2
            else f"a stack of tables has three axes (table, row, column), not {counts.ndim}"
        )
    if counts.shape[-1] == 0 or counts.shape[-2] == 0:
        raise TableError("the table has no cells: it needs at least one row and one column")
    if counts.dtype.kind not in "iu":
        counts = _whole_numbers(counts)
    elif counts.dtype.kind == "u" and counts.size and int(counts.max()) > MAX_TOTAL:
        where = _first(counts > MAX_TOTAL)
        raise _cell_error(where, int(counts[where]), _TOO_LARGE)
    if counts.dtype.kind == "i" and counts.size and counts.min() < 0:
        where = _first(counts < 0)
        raise _cell_error(where, int(counts[where]), _NEGATIVE)
    result = np.array(counts, dtype=np.int64, order="C")
    if result.size:
        _check_total(result)
    return result


def _check_total(counts: IntArray) -> None:
    """Refuse a table whose total does not fit 64 bits."""
    largest = int(counts.max())
    cells = counts.shape[-1] * counts.shape[-2]
    if largest * cells <= MAX_TOTAL:
        return
    for i, table in enumerate(counts.reshape(-1, cells)):
        if sum(table.tolist()) > MAX_TOTAL:
            which = f"table {i + 1}: " if counts.ndim == 3 else ""
            raise TableError(
                f"{which}the counts add up to more than {MAX_TOTAL}: divide them by a common factor"
            )


def _array_of(counts: Any) -> npt.NDArray[Any]:
    """Return nested sequences as an array; name the first ragged row."""
    if hasattr(counts, "__array__"):
        return np.asarray(counts)
    try:
        outer = list(counts)
    except TypeError:
        raise TableError(f"a table is a list of rows of counts, not {counts!r}") from None
    if not outer:
        return np.empty((0, 0), dtype=np.int64)
    lengths: list[int] = []
    for i, row in enumerate(outer):
        if isinstance(row, str | bytes) or not hasattr(row, "__len__"):
            raise TableError(
                f"{place(i)} is {row!r}: each row must be a list of counts", row=i, value=row
            )
        lengths.append(len(row))
        if lengths[i] != lengths[0]:
            raise TableError(
                f"{place(i)} has {lengths[i]} cells where row 1 has {lengths[0]}: "
                "give every row the same number of cells",
                row=i,
            )
    try:
        array = np.asarray(outer)
    except (ValueError, OverflowError):
        array = np.array(outer, dtype=object)
    if array.dtype.kind not in "biuO":
        # A mix of floats and large integers would already have lost digits, and one word
        # among numbers would have made words of all.
        array = np.array(outer, dtype=object)
    return array


def _whole_numbers(counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return booleans, floats or Python objects as integers if every one is whole."""
    if counts.dtype.kind == "b":
        return counts.astype(np.int64)
    if counts.dtype.kind == "f":
        wrong = ~np.isfinite(counts) | (counts != np.floor(counts))
        if wrong.any():
            where = _first(wrong)
            value = float(counts[where])
            raise _cell_error(where, value, _NOT_WHOLE if np.isfinite(value) else _NO_NUMBER)
        too_large = counts >= np.float64(2.0**63)  # float16 has no such number
        if too_large.any():
            where = _first(too_large)
            raise _cell_error(where, float(counts[where]), _TOO_LARGE)
        return counts.astype(np.int64)
    if counts.dtype.kind != "O":
        where = (0,) * counts.ndim
        raise _cell_error(where, counts[where].item(), _NO_NUMBER)
    whole = np.empty(counts.shape, dtype=np.int64)
    for where in np.ndindex(counts.shape):
        whole[where] = _whole_number(counts[where], where)
    return whole


def _whole_number(value: Any, where: tuple[int, ...]) -> int:
    if not isinstance(value, _NUMBERS):
        raise _cell_error(where, value, _NO_NUMBER)
    try:
        number = int(value)
    except (ValueError, OverflowError):  # NaN, infinity
        raise _cell_error(where, _plain(value), _NO_NUMBER) from None
    if number != value:
        raise _cell_error(where, _plain(value), _NOT_WHOLE)
    if number < 0:
        raise _cell_error(where, _plain(value), _NEGATIVE)
    if number > MAX_TOTAL:
        raise _cell_error(where, _plain(value), _TOO_LARGE)
    return number


def _plain(value: Any) -> object:
    """Return the Python number that a numpy scalar holds, which people read more easily."""
    return value.item() if isinstance(value, np.generic) else value


def _first(wrong: npt.NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.argwhere(wrong)[0])


def _cell_error(where: tuple[int, ...], value: object, fault: str) -> TableError:
    row, column = where[-2], where[-1]
    prefix = f"table {where[0] + 1}, " if len(where) == 3 else ""
    return TableError(
        f"{prefix}{place(row, column)}: {value!r} {fault}", row=row, column=column, value=value
    )
