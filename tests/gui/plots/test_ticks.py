"""Numbers at ticks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.plots.ticks import apart, axis_ticks, log_text, log_ticks, tick_texts

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


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (0.07, 6.5, 12, [0.1, 0.2, 0.5, 1, 2, 5]),
        (0.07, 6.5, 5, [0.1, 0.3, 1, 3]),
        (0.07, 6.5, 3, [0.1, 1]),
        (100, 1e8, 4, [100, 1e4, 1e6, 1e8]),
        (2.1, 2.9, 5, []),
        (1, 1000, 4, [1, 10, 100, 1000]),
    ],
)
def test_ticks_by_logarithm_are_round(low, high, most, expected):
    assert log_ticks(low, high, most) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("tick", "text"),
    [
        (0.001, "0.001"),
        (0.05, "0.05"),
        (0.2, "0.2"),
        (1.0, "1"),
        (500.0, "500"),
        (5000.0, "5,000"),
        (1e4, "10⁴"),
        (2e5, "2 × 10⁵"),
        (1e-4, "10⁻⁴"),
        (5e-6, "5 × 10⁻⁶"),
    ],
)
def test_numbers_at_ticks_by_logarithm(tick, text):
    assert log_text(tick) == text


@given(
    places=st.lists(st.floats(-50, 150), min_size=1, max_size=12),
    gap=st.floats(0.1, 30),
)
def test_labels_stand_apart_in_order_and_inside(places, gap):
    found = apart(places, gap, 0.0, 100.0)
    room = min(gap, 100.0 / max(len(places) - 1, 1))
    ordered = sorted(found)
    assert all(b - a >= room - 1e-9 for a, b in pairwise(ordered))
    assert ordered[0] >= -1e-9
    assert ordered[-1] <= 100 + 1e-9
    by_place = sorted(range(len(places)), key=lambda i: places[i])
    assert [found[i] for i in by_place] == ordered


def test_labels_that_would_touch_stand_around_their_middle():
    assert apart([10.0, 50.0, 50.0, 90.0], 10.0, 0.0, 100.0) == [10.0, 45.0, 55.0, 90.0]


def test_labels_with_room_stay_where_they_are():
    assert apart([30.0, 10.0], 5.0, 0.0, 100.0) == [30.0, 10.0]
