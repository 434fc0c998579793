"""The agreement that margins allow: the function, its brackets, and the metrics."""

from __future__ import annotations

import doctest
import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core import (
    METRICS,
    AgreementExtremes,
    ContingencyTable,
    TableError,
    agreement_extremes,
    score,
    score_many,
)
from core.chance.extremes import largest_extreme_parts
from core.metrics import attainable, extremes
from core.metrics.attainable import KEYS, SCORES, Pairs, agreement_extremes_parts
from tests.core import exact
from tests.core.reference import ORACLE
from tests.core.strategies import HUGE, SMALL, Table, identical_partitions, tables

FEW = st.one_of(tables(st.integers(0, 4), most=3), tables(st.integers(0, 1), most=4))
ANY = st.one_of(tables(), tables(SMALL), tables(HUGE))

# Clusters smaller than the classes, which have to be split: the proof takes 500 steps, and the
# best table is not among the first.
ROWS, COLUMNS = (841, 352, 495, 833), (400, 369, 360, 284, 303, 461, 344)


def with_margins(rows: tuple[int, ...], columns: tuple[int, ...]) -> Table:
    """Return some table with these margins."""
    table = [[0] * len(columns) for _ in rows]
    left, below = list(rows), list(columns)
    for i, j in itertools.product(range(len(rows)), range(len(columns))):
        table[i][j] = min(left[i], below[j])
        left[i] -= table[i][j]
        below[j] -= table[i][j]
    return table


HARD = with_margins(ROWS, COLUMNS)


def exact_score(key: str, table: ContingencyTable) -> float:
    return float(exact.pair_scores(*exact.pair_counts(table.counts.tolist()))[key])


@given(FEW)
@example([[1, 0], [0, 1]])
@example([[1, 1], [1, 1]])
@example([[3, 0, 0], [0, 2, 0], [0, 0, 0]])
@example([[1, 1, 1]])
def test_an_extreme_is_not_the_extreme_of_all_tables(table: Table) -> None:
    found, right = agreement_extremes(table, seconds=None), exact.extremes(table)
    assert found.exact
    assert found.exact_min
    assert found.exact_max
    assert tuple(found) == KEYS
    for key in KEYS:
        if key == "ari_of_max" and key not in right:
            assert math.isnan(found[key])
            assert len(str(found.why(key)).split()) > 3
        elif key.startswith("sum_of_squares"):
            assert found[key] == right[key]
            assert type(found[key]) is int
        else:
            assert found[key] == pytest.approx(right[key], rel=1e-14, abs=0), key
            assert found.why(key) is None
        if not math.isnan(found[key]):
            assert found.bracket(key) == (found[key], found[key])


@pytest.mark.parametrize(
    "entry", [e for e in ORACLE if "extremes" in e["values"]], ids=lambda entry: entry["id"]
)
def test_an_extreme_differs_from_the_oracle(entry: dict[str, Any]) -> None:
    right = dict(entry["values"]["extremes"])
    if entry["id"] in ("one_by_one_n1", "n2_perfect"):
        # No pair is together anywhere, so the partitions agree on every pair: 1 as for the
        # score itself, where these reference values follow those who say 0.
        assert right["fowlkes_mallows_min"] == right["fowlkes_mallows_max"] == 0.0
        right["fowlkes_mallows_min"] = right["fowlkes_mallows_max"] = 1.0
    assert len(right) == 10
    found = agreement_extremes(entry["table"])
    scores = score(entry["table"], metrics=list(right))
    for key, value in right.items():
        if key.startswith("sum_of_squares"):
            assert found[key] == scores[key] == value
        else:
            assert found[key] == pytest.approx(value, rel=1e-9, abs=0), key
            assert scores[key] == pytest.approx(value, rel=1e-9, abs=0), key


@pytest.mark.parametrize("entry", ORACLE, ids=lambda entry: entry["id"])
def test_a_table_of_ordinary_size_is_not_proven(entry: dict[str, Any]) -> None:
    found = agreement_extremes(entry["table"], seconds=None, steps=2000)
    assert found.exact
    assert found.steps <= 2000
    for key in SCORES:
        given_table = exact_score(key, ContingencyTable(entry["table"]))
        assert found[f"{key}_min"] - 1e-15 <= given_table <= found[f"{key}_max"] + 1e-15


@given(ANY, st.integers(1, 20))
def test_the_tables_of_the_extremes_have_other_margins_or_scores(table: Table, steps: int) -> None:
    rows, columns = len(table), len(table[0])
    names = [f"class {i}" for i in range(rows)], [f"cluster {j}" for j in range(columns)]
    named = ContingencyTable(table, *names)
    found = agreement_extremes(named, seconds=None, steps=steps)
    for end, reached in (("min", found.table_min), ("max", found.table_max)):
        assert (list(reached.truth), list(reached.clusters)) == names
        assert reached.shape == named.shape
        assert reached.row_sums.tolist() == named.row_sums.tolist()
        assert reached.column_sums.tolist() == named.column_sums.tolist()
        squares = exact.sum_of_squares(reached.counts.tolist())
        assert found[f"sum_of_squares_{end}"] == squares
        scores = score(reached, metrics=SCORES)
        for key in SCORES:
            value = found[f"{key}_{end}"]
            assert value == pytest.approx(exact_score(key, reached), rel=1e-14, abs=0)
            assert value == scores[key]
    squares = exact.sum_of_squares(table)
    assert found["sum_of_squares_min"] <= squares <= found["sum_of_squares_max"]


@given(ANY, st.integers(1, 8))
@example(HARD, 1)
@example(HARD, 20)
def test_a_bracket_leaves_the_truth_outside(table: Table, steps: int) -> None:
    right = agreement_extremes(table, seconds=None, steps=3000)
    hasty = agreement_extremes(table, seconds=None, steps=steps)
    assert hasty.exact_min
    for key in KEYS:
        low, high = hasty.bracket(key)
        if math.isnan(right[key]):
            assert math.isnan(hasty[key])
            continue
        assert low <= right.bracket(key)[0] <= right.bracket(key)[1] <= high, key
        if key != "ari_of_max":
            assert hasty[key] == (high if key.endswith("_min") else low)
        if hasty.exact:
            assert low == high == hasty[key]


def test_the_best_found_passes_for_the_maximum() -> None:
    hasty, right = agreement_extremes(HARD, steps=3), agreement_extremes(HARD, seconds=None)
    assert right.exact
    assert hasty.exact_min
    assert not hasty.exact_max
    assert not hasty.exact
    assert hasty.steps == 3
    for key in ("sum_of_squares", *SCORES):
        low, high = hasty.bracket(f"{key}_max")
        assert low == hasty[f"{key}_max"] < high
        assert low <= right[f"{key}_max"] <= high
    low, high = hasty.bracket("ari_of_max")
    assert low < high
    assert low <= right["ari_of_max"] <= high


@given(st.one_of(ANY, FEW))
@example([[3, 2, 1], [0, 4, 4]])
def test_the_share_of_the_maximum_is_rounded_twice(table: Table) -> None:
    found = agreement_extremes(table, seconds=None, steps=500)
    tp, fp, fn, tn = exact.pair_counts(table)
    most = exact.pair_counts(found.table_max.counts.tolist())[0]
    chance = Fraction((tp + fp) * (tp + fn), max(tp + fp + fn + tn, 1))
    if most != chance:
        assert found["ari_of_max"] == float((tp - chance) / (most - chance))
    elif fp or fn:
        assert math.isnan(found["ari_of_max"])
    else:
        assert found["ari_of_max"] == 1.0


@given(st.one_of(ANY, FEW))
def test_scores_from_pairs_differ_from_scores_of_tables(table: Table) -> None:
    tp, fp, fn, tn = exact.pair_counts(table)
    pairs = Pairs(tp, tp + fn, tp + fp, tp + fp + fn + tn)
    scores = score(table, metrics=SCORES)
    for key in SCORES:
        assert pairs.score(key) == scores[key], key


@given(st.one_of(FEW, ANY))
def test_a_metric_differs_from_the_function(table: Table) -> None:
    found = agreement_extremes(table, seconds=None, steps=50_000)
    scores = score(table, metrics=KEYS)
    for key in KEYS:
        if found.exact:
            np.testing.assert_array_equal(scores[key], found[key])
            assert (scores.why(key) is None) == (found.why(key) is None)


@given(st.one_of(tables(), tables(SMALL)), st.data())
def test_order_or_empty_lines_change_an_extreme(table: Table, data: st.DataObject) -> None:
    right = score(table, metrics=KEYS)
    order = data.draw(st.permutations(range(len(table))))
    across = data.draw(st.permutations(range(len(table[0]))))
    moved = [[table[i][j] for j in across] for i in order]
    padded = [[0, *row, 0] for row in [[0] * len(table[0]), *table]]
    for other in (moved, padded):
        scores = score(other, metrics=KEYS)
        for key in KEYS:
            np.testing.assert_array_equal(scores[key], right[key], err_msg=key)
            assert scores.why(key) == right.why(key)


@given(st.lists(st.one_of(tables(SMALL), tables(SMALL, items=False), tables(HUGE)), max_size=5))
def test_tables_disturb_each_other(given_tables: list[Table]) -> None:
    many = score_many(given_tables, metrics=KEYS)
    for i, table in enumerate(given_tables):
        alone = score(table, metrics=KEYS)
        for key in KEYS:
            np.testing.assert_array_equal(many[key][i], alone[key], err_msg=key)
            assert many.why(key, i) == alone.why(key)


def test_margins_are_searched_again_for_every_table_or_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched = []

    def counted(*arguments: Any) -> Any:
        searched.append(arguments)
        return largest_extreme_parts(*arguments)

    monkeypatch.setattr(extremes, "largest_extreme_parts", counted)
    one, other = [[5, 2, 1], [0, 4, 4], [3, 3, 3]], [[4, 3, 1], [1, 3, 4], [3, 3, 3]]
    score_many([one, other, one], metrics=KEYS)
    assert len(searched) == 1


def test_extremes_are_computed_unasked() -> None:
    assert set(KEYS) <= set(METRICS)
    assert not set(KEYS) & set(score([[8, 2], [1, 9]]))
    assert {METRICS[key].family.key for key in KEYS} == {"extremes"}
    assert len([m for m in METRICS.values() if m.family.key == "extremes"]) == len(KEYS)


def test_a_maximum_that_is_not_proven_is_a_score(monkeypatch: pytest.MonkeyPatch) -> None:
    right = score(HARD, metrics=KEYS)
    assert not any(map(right.why, KEYS))
    monkeypatch.setattr(extremes, "_LINES", 100)
    scores = score_many([HARD, [[8, 2], [1, 9]]], metrics=KEYS)
    for key in KEYS:
        assert scores.why(key, 1) is None
        if key.endswith("_min"):
            assert scores[key][0] == right[key]
        else:
            assert math.isnan(scores[key][0]), key
            assert "is not proven" in str(scores.why(key, 0))
            assert "agreement_extremes gives a bracket" in str(scores.why(key, 0))


def test_a_table_too_large_to_even_out_is_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.chance.transport.MOST_CELLS", 3)
    scores = score([[5, 2, 1], [0, 4, 4], [3, 3, 3]], metrics=KEYS)
    for key in KEYS:
        assert math.isnan(scores[key]) == key.endswith("_min")
        assert (scores.why(key) is not None) == key.endswith("_min")
    found = agreement_extremes([[5, 2, 1], [0, 4, 4], [3, 3, 3]])
    assert found.exact_max
    assert not found.exact_min
    low, high = found.bracket("ari_min")
    assert low < high == found["ari_min"]


@given(identical_partitions())
@example([[1]])
@example([[1, 0], [0, 1]])
@example([[10**12, 0, 0], [0, 0, 1], [0, 3, 0]])
def test_identical_partitions_are_not_the_maximum(table: Table) -> None:
    scores = score(table, metrics=KEYS)
    for key in ("ari_of_max", *(f"{key}_max" for key in SCORES)):
        assert scores[key] == 1.0, key


def test_one_class_has_a_share_of_no_agreement() -> None:
    for table in ([[3, 2, 1]], [[3], [2]], [[1, 0], [1, 0], [0, 1]], [[1, 0], [0, 1]]):
        scores, found = score(table, metrics=["ari_of_max"]), agreement_extremes(table)
        if len(table) == 2 and len(table[0]) == 2:
            assert scores["ari_of_max"] == found["ari_of_max"] == 1.0
        elif found["ari_max"] == 0.0:
            assert math.isnan(scores["ari_of_max"])
            assert scores.why("ari_of_max") == found.why("ari_of_max")
            assert "no maximum to compare with" in str(found.why("ari_of_max"))
    assert agreement_extremes([[3, 2, 1]])["ari_max"] == 0.0
    assert agreement_extremes([[2, 0], [1, 0], [0, 1]])["ari_of_max"] == 1.0


def test_a_share_of_a_maximum_below_chance_is_a_number() -> None:
    first = next(agreement_extremes_parts([[1, 1], [1, 1]]))
    assert first["ari_max"] == -0.5
    assert math.isnan(first["ari_of_max"])
    assert first.bracket("ari_of_max") == (-math.inf, -0.5)
    assert first.why("ari_of_max") == "no table better than chance is found so far"


def test_a_table_without_items_has_extremes() -> None:
    found = agreement_extremes([[0, 0], [0, 0]])
    assert found.table_max == found.table_min == found.table
    for key in KEYS:
        assert math.isnan(found[key])
        assert found.why(key) == "the table has no items: enter at least one count"
        assert all(map(math.isnan, found.bracket(key)))


def test_giant_counts_lose_digits() -> None:
    giant = 10**12
    table = [[giant, 3, 0], [7, giant - 1, 5], [0, giant // 3, 11]]
    found = agreement_extremes(table)
    assert found.exact
    for end, reached in (("min", found.table_min), ("max", found.table_max)):
        assert found[f"sum_of_squares_{end}"] == exact.sum_of_squares(reached.counts.tolist())
        for key in SCORES:
            right = exact_score(key, reached)
            assert found[f"{key}_{end}"] == pytest.approx(right, rel=1e-15, abs=0)
    two = agreement_extremes([[10**18, 1], [2, 10**18 - 5]])
    assert two.exact
    assert two["sum_of_squares_max"] == (10**18 + 1) ** 2 + (10**18 - 4) ** 2 + 1


class Clock:
    """A clock that goes on by a second whenever somebody looks at it."""

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return float(self.looks)


def test_the_search_goes_on_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.chance.concentration._LINES_AT_ONCE", 1)
    whole, clock = agreement_extremes(HARD, seconds=None), Clock()
    hasty = agreement_extremes(HARD, seconds=20, clock=clock)
    assert clock.looks == 21
    assert 0 < hasty.steps < whole.steps
    assert not hasty.exact_max
    at_once = agreement_extremes(HARD, seconds=0, clock=clock)
    assert at_once.steps == 0
    assert at_once["ari_max"] < at_once.bracket("ari_max")[1]


def test_a_search_without_a_clock_looks_at_one() -> None:
    def broken() -> float:
        raise AssertionError

    assert agreement_extremes(HARD, seconds=None, clock=broken).exact


def test_what_a_search_shows_on_its_way_is_worse_than_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("core.chance.concentration._LINES_AT_ONCE", 50)
    best = agreement_extremes(HARD, seconds=None).table_max
    for part in agreement_extremes_parts(best):
        assert part["ari_of_max"] == 1.0
    parts = list(agreement_extremes_parts(ContingencyTable(HARD)))
    assert len(parts) > 10
    assert not parts[0].exact_min
    for before, after in itertools.pairwise(parts):
        assert isinstance(after, AgreementExtremes)
        for key in KEYS:
            assert before.bracket(key)[0] <= after.bracket(key)[0], key
            assert before.bracket(key)[1] >= after.bracket(key)[1], key
    assert parts[-1].exact
    stopped = agreement_extremes_parts(HARD)
    next(stopped)
    stopped.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("steps", [0, -1, True, 1.5, "2", float("nan")])
def test_steps_without_meaning_are_taken(steps: Any) -> None:
    with pytest.raises(ValueError, match=r"^steps is "):
        agreement_extremes([[8, 2], [1, 9]], steps=steps)


@pytest.mark.parametrize("seconds", [-1, float("nan"), -math.inf])
def test_seconds_without_meaning_are_taken(seconds: Any) -> None:
    with pytest.raises(ValueError, match=r"^seconds is "):
        agreement_extremes([[8, 2], [1, 9]], seconds=seconds)


def test_a_wrong_table_or_key_is_taken() -> None:
    with pytest.raises(TableError):
        agreement_extremes([[5, -1], [1, 3]])
    with pytest.raises(KeyError, match="there is no extreme 'nmi_max': choose from"):
        agreement_extremes([[8, 2], [1, 9]])["nmi_max"]


def test_the_example_of_the_documentation_does_not_run() -> None:
    result = doctest.testmod(attainable)
    assert result.attempted == 3
    assert result.failed == 0
