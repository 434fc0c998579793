"""Numbers at ticks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.plots.ticks import axis_ticks, tick_texts

MINUS = "\N{MINUS SIGN}"


def test_a_minus_sign_is_lost_or_a_hyphen():
    assert tick_texts([-200, 0, 200]) == [f"{MINUS}200", "0", "200"]
    assert tick_texts([-0.5, 0.0, 0.5]) == [f"{MINUS}0.5", "0.0", "0.5"]


def test_zero_has_a_sign():
    assert tick_texts([-1.0, -0.0, 1.0])[1] == "0"


def test_thousands_run_together():
    assert tick_texts([0, 5_000, 10_000]) == ["0", "5,000", "10,000"]


def test_small_and_large_numbers_are_all_zero_or_endless():
    assert tick_texts([0, 1e-8, 2e-8]) == ["0", f"1e{MINUS}8", f"2e{MINUS}8"]
    assert tick_texts([0, 5e11, 1e12]) == ["0.0", "0.5e12", "1.0e12"]
    assert tick_texts([]) == []
    assert tick_texts([0.0]) == ["0"]


def test_counts_have_halves():
    assert axis_ticks((0, 1.05), 6, whole=True) == [0, 1]
    assert axis_ticks((0, 2.6), 6, whole=True) == [0, 1, 2]
    assert axis_ticks((0, 2500), 3, whole=True) == [0, 1000, 2000]


def value(text: str) -> float:
    return float(text.replace(MINUS, "-").replace(",", ""))


@given(
    st.floats(-1e9, 1e9),
    st.floats(1e-6, 1e9),
    st.integers(1, 8),
)
def test_a_tick_says_another_number_than_where_it_stands(low, width, most):
    # No axis is narrower than that.
    width = max(width, 1e-9 * abs(low))
    ticks = axis_ticks((low, low + width), most)
    if len(ticks) < 2:
        return
    step = ticks[1] - ticks[0]
    texts = tick_texts(ticks)
    assert len(set(texts)) == len(texts)
    for tick, text in zip(ticks, texts, strict=True):
        assert value(text) == pytest.approx(tick, abs=1e-3 * step)
