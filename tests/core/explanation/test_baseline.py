"""Changes beside a baseline."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import METRICS, ContingencyTable, score
from core.explanation.baseline import changes
from core.explanation.difference import differences, is_better, signed
from core.formatting import MINUS
from tests.core.explanation.test_costs import FIGURE_1
from tests.core.strategies import SMALL, Table, tables


def test_better_and_worse_are_confused() -> None:
    better = score([[9, 1], [0, 10]])
    worse = score([[6, 4], [4, 6]])
    found = changes(better, worse)
    assert found["ari"].difference == better["ari"] - worse["ari"] > 0
    assert found["ari"].better is True
    assert found["mirkin"].difference < 0
    assert found["mirkin"].better is True
    assert found["entropy_cluster"].better is None
    back = changes(worse, better)
    assert back["ari"].better is False
    assert back["mirkin"].better is False
    assert "row_peakiness" not in found


def test_tables_of_other_shapes_cannot_be_compared() -> None:
    found = changes(score(FIGURE_1), score([[3, 5, 2]]))
    assert math.isnan(found["ap"].difference)
    assert found["ap"].better is None
    assert not math.isnan(found["ari"].difference)


def test_scores_by_other_conventions_are_compared() -> None:
    found = changes(score(FIGURE_1, q=2.0, average="max"), score(FIGURE_1))
    assert "ami" not in found
    assert "ami_q" not in found
    assert found["ami_max"].difference == 0.0
    assert found["ami_max"].better is None


@given(st.one_of(tables(), tables(SMALL, items=False)))
def test_a_table_differs_from_itself(counts: Table) -> None:
    scores = score(counts)
    for key, change in changes(scores, scores).items():
        missing = math.isnan(scores[key])
        assert math.isnan(change.difference) if missing else change.difference == 0.0
        assert change.better is None
        assert METRICS[key].per == "table"


def test_a_count_beyond_double_precision_loses_its_last_pair() -> None:
    big = 10**15
    found = differences(np.array([big * big + 1, math.nan], object), big * big)
    assert found[0] == 1.0
    assert math.isnan(found[1])
    scores = score(ContingencyTable([[10**12, 1]]))
    assert changes(scores, score([[10**12, 0]]))["fn"].difference == 10**12


def test_rounding_looks_like_a_change() -> None:
    assert differences([0.1 + 0.2, 0.3 + 1e-12], 0.3).tolist() == [0.0, pytest.approx(1e-12, 1e-3)]


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.0123, 3, "+0.012"),
        (-0.0123, 3, f"{MINUS}0.012"),
        (0.0, 3, "0.000"),
        (-0.0, 3, "0.000"),
        (0.00001, 3, f"+1.000e{MINUS}5"),
        (123456.0, 4, "+123\N{NARROW NO-BREAK SPACE}456"),
        (math.nan, 4, "\N{EM DASH}"),
        (math.inf, 4, "+\N{INFINITY}"),
    ],
)
def test_a_change_is_written_without_its_sign(value, digits, text) -> None:
    assert signed(value, digits) == text


def test_no_change_is_for_the_better() -> None:
    assert is_better(0.0, True) is None
    assert is_better(math.nan, True) is None
    assert is_better(-0.1, False) is True
    assert is_better(0.1, None) is None


def test_ties_make_a_table_better_than_itself() -> None:
    """With its clusters exchanged, its first cluster of a tie was another."""
    counts = [[0, 4], [0, 2], [0, 1], [2, 2]]
    one, other = score(counts), score([row[::-1] for row in counts])
    found = changes(one, other)
    assert found["ap"].difference != 0.0
    for key in ("ap", "associativity"):
        assert found[key].tied
        assert found[key].better is None
    assert not found["ari"].tied
    # However its ties are broken, it is worse than a perfect one.
    clear = changes(score([[5, 0], [0, 5]]), score([[5, 5], [4, 1]]))
    assert (clear["ap"].better, clear["ap"].tied) == (True, False)
    # The range may still be to come.
    assert changes(score(counts, ["ap"]), score([[9, 1], [1, 9]], ["ap"]))["ap"].tied


def test_rounding_is_a_change_for_the_better() -> None:
    rng = np.random.default_rng(0)
    for _ in range(40):
        counts = rng.integers(0, 100_000, (5, 6))
        mixed = counts[rng.permutation(5)][:, rng.permutation(6)]
        found = changes(score(mixed), score(counts))
        assert all(change.better is None for change in found.values())
