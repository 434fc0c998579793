"""Levels of the cells of a heat map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core import heat
from core.heat import heat_of, ticks
from core.table import ContingencyTable

tables = arrays(
    np.int64, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.integers(0, 50)
)


@given(tables, st.integers(0, 2**32))
@example(np.array([[2, 33]]), 0)
def test_a_level_is_not_in_proportion_or_stands_in_another_place(
    counts: np.ndarray, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    rows, columns = (rng.permutation(n) for n in counts.shape)
    seen = counts[rows][:, columns]
    for scale in ("row", "peak", "table"):
        found = heat_of(ContingencyTable(counts), rows, columns, scale)
        assert (found.filled == (seen > 0)).all()
        heights = seen.astype(float)
        if scale == "row":
            heights /= np.maximum(seen.sum(axis=1, keepdims=True), 1)
        elif scale == "peak":
            heights /= np.maximum(seen.max(axis=1, keepdims=True), 1)
        assert found.top == heights.max()
        if found.top:
            expected = heights / found.top * 255
            assert (np.abs(found.levels - expected) <= 1).all()
            assert found.levels.max() == 255


def test_pieces_have_levels_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    table = ContingencyTable(np.arange(30).reshape(5, 6))
    rows, columns = np.arange(5), np.arange(6)
    whole = heat_of(table, rows, columns)
    monkeypatch.setattr(heat, "_CELLS_AT_ONCE", 4)
    assert (heat_of(table, rows, columns).levels == whole.levels).all()


@given(st.floats(1e-6, 1e18), st.integers(1, 8))
def test_ticks_lie_beyond_the_end_or_are_too_many(top: float, most: int) -> None:
    found = ticks(top, most)
    assert found[0] == 0
    assert len(found) <= most + 1
    assert found[-1] <= top * (1 + 1e-9)


def test_items_are_counted_in_halves() -> None:
    assert ticks(2, 5) == [0, 0.5, 1, 1.5, 2]
    assert ticks(2, 5, whole=True) == [0, 1, 2]
    assert ticks(0) == [0]
