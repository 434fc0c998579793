"""Densities of pairs of scores against counting one by one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics import density as module
from core.statistics.density import density, nearest

SCORES = st.one_of(st.floats(-0.5, 1.5), st.sampled_from([0.0, 1.0, 0.5, 0.25, math.nan]))
PAIRS = st.lists(st.tuples(SCORES, SCORES), max_size=40)


def split(pairs) -> tuple[np.ndarray, np.ndarray]:
    array = np.array(pairs, dtype=float).reshape(-1, 2)
    return array[:, 0], array[:, 1]


@given(PAIRS, st.sampled_from([1, 2, 4, 8]), st.sampled_from([1, 4]))
def test_a_pair_is_counted_in_another_cell_or_twice(pairs, columns, rows):
    x, y = split(pairs)
    expected = np.zeros((columns, rows), int)
    for a, b in pairs:
        if 0 <= a <= 1 and 0 <= b <= 1:
            expected[min(int(a * columns), columns - 1), min(int(b * rows), rows - 1)] += 1
    found = density(x, y, (0.0, 1.0), (0.0, 1.0), (columns, rows))
    assert found.dtype == np.int64
    assert found.tolist() == expected.tolist()


@given(PAIRS)
def test_counting_in_pieces_loses_pairs(pairs):
    x, y = split(pairs)
    whole = density(x, y, (-0.5, 1.5), (-0.5, 1.5), (5, 3))
    assert whole.sum() == np.count_nonzero(~np.isnan(x) & ~np.isnan(y))
    before = module._PIECE
    module._PIECE = 7
    try:
        assert density(x, y, (-0.5, 1.5), (-0.5, 1.5), (5, 3)).tolist() == whole.tolist()
    finally:
        module._PIECE = before


def test_x_and_y_are_exchanged():
    found = density([0.9], [0.1], (0, 1), (0, 1), (2, 3))
    assert found.shape == (2, 3)
    assert found[1, 0] == 1


def test_the_largest_score_is_outside():
    assert density([1.0], [1.0], (0, 1), (0, 1), (10, 10))[9, 9] == 1


def test_infinite_scores_stop_it():
    x = [math.inf, -math.inf, 0.5]
    assert density(x, [0.5, 0.5, math.inf], (0, 1), (0, 1), (2, 2)).sum() == 0


@given(PAIRS, st.floats(-1, 2), st.floats(-1, 2))
def test_another_point_is_nearer(pairs, a, b):
    x, y = split(pairs)
    found = nearest(x, y, (a, b), (0.01, 0.02))
    apart = [math.hypot((p - a) / 0.01, (q - b) / 0.02) for p, q in pairs]
    there = [each for each in apart if not math.isnan(each)]
    if not there:
        assert found is None
    else:
        assert found is not None
        assert apart[found] == pytest.approx(min(there))


def test_a_point_is_near_in_units_that_nobody_sees():
    """One pixel across is 0.001, one upwards is 100: the second point is 2 pixels away."""
    assert nearest([0.1, 0.0], [0.0, 200.0], (0.0, 0.0), (0.001, 100.0)) == 1


@given(PAIRS, st.floats(-1, 2), st.floats(-1, 2), st.floats(0.5, 60))
def test_a_point_far_away_is_found_or_a_near_one_missed(pairs, a, b, within):
    x, y = split(pairs)
    found = nearest(x, y, (a, b), (0.01, 0.02), within)
    apart = [math.hypot((p - a) / 0.01, (q - b) / 0.02) for p, q in pairs]
    there = [each for each in apart if not math.isnan(each)]
    if found is None:
        assert all(each > within * (1 - 1e-9) for each in there)
    else:
        assert apart[found] == pytest.approx(min(there))
        assert apart[found] <= within * (1 + 1e-9)


def test_where_there_are_no_points_one_is_found():
    assert nearest([], [], (0, 0), (1, 1)) is None
    assert nearest([math.nan], [0.5], (0, 0), (1, 1)) is None
