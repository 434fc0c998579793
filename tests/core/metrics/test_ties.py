"""The extremes of associativity over all ways to break ties, against trying them all."""

from __future__ import annotations

import itertools
import math
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core import score, score_many
from core.metrics import ties
from core.metrics.ties import SearchTooLarge, most_concentrated, most_spread
from tests.core import exact
from tests.core.strategies import Table, tables

END_KEYS = ("associativity_min", "associativity_max", "ap_min", "ap_max")
REASON = "too many rows have tied peaks to search every way to break them"


def brute(choices: list[tuple[int, ...]]) -> tuple[int, int]:
    """Return the smallest and the largest sum over all choices."""
    sums = [
        sum(k * (k - 1) for k in (chosen.count(c) for c in set(chosen)))
        for chosen in itertools.product(*choices)
    ]
    return min(sums), max(sums)


@st.composite
def choices(draw: st.DrawFn) -> list[tuple[int, ...]]:
    """Draw the columns that each of a few rows may vote for, and some votes that are fixed."""
    columns = draw(st.integers(2, 6))
    row = st.sets(st.integers(0, columns - 1), min_size=2, max_size=3)
    tied = [tuple(sorted(c)) for c in draw(st.lists(row, min_size=1, max_size=6))]
    fixed = draw(st.lists(st.integers(0, columns - 1), max_size=8))
    return [*tied, *((column,) for column in fixed)]


@settings(max_examples=500)
@given(choices())
@example([(0, 1), (1, 2), (2, 3), (3, 4), (0,), (0,), (0,), (4,)])
def test_another_choice_is_more_spread_or_more_concentrated(drawn: list[tuple[int, ...]]) -> None:
    assert (most_spread(drawn), most_concentrated(drawn)) == brute(drawn)


@given(tables(st.integers(0, 2), most=6))
def test_another_way_to_break_ties_lies_outside_the_range(table: Table) -> None:
    scores = score(table)
    if len(exact.non_empty(table)) < 2:
        assert all(math.isnan(scores[key]) for key in END_KEYS)
        return
    found = list(exact.votes_by_tie(table))
    assert scores["associativity"] == float(found[0])
    assert scores["associativity_min"] == float(min(found))
    assert scores["associativity_max"] == float(max(found))
    assert scores["ap_min"] <= scores["ap"] <= scores["ap_max"]


@given(st.lists(tables(st.integers(0, 1), most=5), min_size=1, max_size=4))
def test_the_ties_of_one_table_reach_into_another(given_tables: list[Table]) -> None:
    many = score_many(given_tables, metrics=END_KEYS)
    for i, table in enumerate(given_tables):
        alone = score(table, metrics=END_KEYS)
        for key in END_KEYS:
            np.testing.assert_array_equal(many[key][i], alone[key])


@pytest.mark.parametrize("columns", [2, 3, 5])
def test_a_column_keeps_a_vote_that_another_could_take(columns: int) -> None:
    # Many rows, few columns: chains run into columns that are settled already.
    rng = np.random.default_rng(columns)
    for _ in range(60):
        drawn = [
            tuple(np.flatnonzero(rng.random(columns) < 0.4).tolist()) or (0,) for _ in range(9)
        ]
        fixed = [(int(c),) for c in rng.integers(0, columns, 6) ** 2 // columns]
        assert most_spread([*drawn, *fixed]) == brute([*drawn, *fixed])[0]


def test_the_ties_of_a_thousand_classes_are_not_spread_in_time() -> None:
    rng = np.random.default_rng(3)
    whole = [tuple(range(1000))] * 1000
    half = [tuple(np.flatnonzero(row).tolist()) for row in rng.random((1000, 1000)) < 0.5]
    nested = [tuple(range(i + 1)) for i in range(1000)]
    chain = [(0,)] * 50 + [(i, i + 1) for i in range(1000)]
    started = time.process_time()
    assert [most_spread(drawn) for drawn in (whole, half, nested)] == [0, 0, 0]
    # The fifty votes cannot move; of the chain's thousand each finds a column of its own.
    assert most_spread(chain) == 50 * 49
    assert time.process_time() - started < 20.0


def test_a_large_search_stops_short_of_the_smallest_sum() -> None:
    # In blocks of 30 rows over 20 columns the best is ten columns with two votes and ten
    # with one; a chain through each block has to be found.
    drawn = [
        (20 * block + i % 20, 20 * block + (i + 1) % 20) for block in range(40) for i in range(30)
    ]
    assert most_spread(drawn) == 40 * 10 * 2


def test_a_vote_does_not_move_along_a_chain() -> None:
    # One by one each row takes its first column; only a chain of four moves evens them out.
    drawn = [(0,), (0, 1), (1, 2), (2, 3), (3, 4)]
    assert most_spread(drawn) == 0
    crowded = [(0, 1)] * 4 + [(1, 2)] * 4 + [(2, 3)] * 4
    assert most_spread(crowded) == 4 * 3 * 2


def test_the_fullest_column_is_taken_first_where_it_should_not() -> None:
    # Column 0 can take four rows, but 1 and 2 take six rows in threes with those beyond.
    drawn = [(0, 1), (0, 1), (0, 2), (0, 2), (1,), (2,), (1,), (2,)]
    assert most_concentrated(drawn) == brute(drawn)[1] == 2 * 4 * 3


def test_a_better_way_to_the_same_rows_is_cut_off() -> None:
    drawn = [(0,), (0, 1, 4), (0, 3), (1, 2), (1, 2, 3), (1, 2, 4), (2,), (3, 4)]
    assert most_concentrated(drawn) == brute(drawn)[1] == 18


@settings(max_examples=300)
@given(choices(), choices())
def test_groups_that_share_no_column_disturb_each_other(
    one: list[tuple[int, ...]], other: list[tuple[int, ...]]
) -> None:
    apart = [tuple(c + 100 for c in columns) for columns in other]
    assert most_spread(one + apart) == most_spread(one) + most_spread(other)
    assert most_concentrated(one + apart) == most_concentrated(one) + most_concentrated(other)


def test_forty_classes_with_two_or_three_tied_peaks_each_are_too_large() -> None:
    rng = np.random.default_rng(2)
    for peaks in (2, 3):
        drawn = [tuple(rng.choice(40, peaks, replace=False).tolist()) for _ in range(40)]
        assert most_concentrated(drawn) > most_spread(drawn)


def test_rows_without_ties_are_left_out_of_the_count() -> None:
    assert most_concentrated([(3,), (3,), (5,), (5, 6)]) == 4
    assert most_spread([(3,), (3,), (5,), (5, 6)]) == 2


@pytest.mark.parametrize("steps", [0, 5, 40])
def test_a_search_beyond_its_limit_goes_on(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = [tuple(c for c in range(9) if (i >> c % 5) & 1 or c == i % 9) for i in range(30)]
    monkeypatch.setattr(ties, "_STEPS", steps)
    with pytest.raises(SearchTooLarge):
        most_concentrated(drawn)


def test_a_search_too_large_has_no_reason_or_spoils_other_scores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Three columns can take all twelve rows, which a first guess spreads unevenly.
    table = [[1, 0, 1]] * 4 + [[1, 1, 0]] * 4 + [[1, 0, 0]] * 4
    free = score(table)
    assert not any(math.isnan(free[key]) for key in END_KEYS)
    monkeypatch.setattr(ties, "_STEPS", 3)
    scores = score(table)
    for key in scores:
        if key in ("associativity_min", "ap_min"):
            assert math.isnan(scores[key])
            assert scores.why(key) == REASON
        else:
            np.testing.assert_array_equal(scores[key], free[key])
            assert scores.why(key) is None
    many = score_many([[[1, 0], [0, 1]], table, [[0, 0]]], metrics=END_KEYS)
    assert many["ap_min"].tolist() == pytest.approx([1.0, math.nan, math.nan], nan_ok=True)
    assert [many.why("ap_min", i) for i in (0, 1)] == [None, REASON]
    assert "no items" in str(many.why("ap_min", 2))
    assert many["ap_max"].tolist()[:2] == [1.0, free["ap_max"]]


def test_the_ties_of_a_giant_table_are_sorted_before_they_are_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sorted_out(*_: Any) -> Any:
        raise AssertionError("the limit was not looked at first")

    monkeypatch.setattr("builtins.bytearray", sorted_out)
    with pytest.raises(SearchTooLarge):
        most_concentrated([tuple(range(6000))] * 6000)
    with pytest.raises(AssertionError):
        most_concentrated([(0, 1)])


def deep(depth: int, table: Any) -> Any:
    """Score from far down the stack, as a program with a window does."""
    return score(table, metrics=END_KEYS) if depth == 0 else deep(depth - 1, table)


def test_a_long_search_outgrows_the_stack() -> None:
    rng = np.random.default_rng(0)
    table = np.zeros((2000, 850), np.int64)
    for row in table:
        row[rng.choice(850, 2, replace=False)] = 1
    scores = deep(600, table)
    assert scores.why("associativity_min") == REASON


def test_a_table_of_twenty_classes_with_a_few_ties_each_is_too_large() -> None:
    rng = np.random.default_rng(7)
    for _ in range(5):
        table = np.where(rng.random((20, 20)) < 0.2, 9, rng.integers(0, 9, (20, 20)))
        scores = score(table, metrics=[*END_KEYS, "associativity"])
        assert scores["associativity_min"] <= scores["associativity"]
        assert scores["associativity"] <= scores["associativity_max"]


def test_the_same_ties_give_another_answer_the_second_time() -> None:
    table = np.random.default_rng(5).integers(0, 3, (40, 30))
    first, second = score(table, metrics=END_KEYS), score(table, metrics=END_KEYS)
    for key in END_KEYS:
        np.testing.assert_array_equal(first[key], second[key])
