"""AP adjusted for chance, against its expectation over every table with the margins."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core import METRICS, AdjustedAP, ContingencyTable, TableError, ap_adjusted, score, score_many
from core.cells import CellBatch
from core.chance import random_tables as module
from core.metrics.ap_adjusted import expected_ap, expected_ap_parts
from tests.core import exact
from tests.core.strategies import (
    HUGE,
    SMALL,
    Table,
    identical_partitions,
    nearly_independent,
    refinements,
    tables,
)

KEYS = ("ap_adjusted", "ap_adjusted_error", "ap_expected")
FIGURE_1 = [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]]
ANY = st.one_of(
    tables(),
    tables(SMALL),
    tables(HUGE),
    nearly_independent(),
    refinements(),
    identical_partitions(),
)
FEW = settings(max_examples=40)


def equal_classes(k: int, total: int) -> Table:
    """Return a table of k equal classes and clusters."""
    return [[total // k if i == j else 0 for j in range(k)] for i in range(k)]


# The expectation


@pytest.mark.parametrize(("total", "right"), [(2520, 0.09), (100, 0.29), (40, 0.36)])
def test_four_equal_classes_have_another_ap_by_chance(total: int, right: float) -> None:
    found = ap_adjusted(equal_classes(4, total), draws=4000)
    assert abs(found.expected - right) < 0.005 + 4 * found.expected_error
    assert 0.0 < found.expected_error < 0.005


def test_figure_1_has_ap_by_chance() -> None:
    found = ap_adjusted(FIGURE_1)
    assert found.expected < 0.001
    assert found.value == pytest.approx(found.ap, abs=0.001)
    assert found.ap == score(FIGURE_1, ["ap"])["ap"]


@pytest.mark.parametrize("empty", [0, 2])
@pytest.mark.parametrize(
    "table",
    [
        *[[[2, 1], [1, 1]], [[3, 1, 1], [0, 2, 1]], [[2, 1], [1, 0], [0, 1]]],
        *[[[2, 0, 0], [0, 2, 0], [0, 0, 2]], [[5, 0], [1, 1], [0, 2]], [[4, 3], [3, 4]]],
    ],
    ids=str,
)
def test_the_expectation_is_not_that_of_all_tables(table: Table, empty: int) -> None:
    right = exact.expected_ap([sum(r) for r in table], [sum(c) for c in zip(*table, strict=True)])
    found = ap_adjusted(table, draws=20_000)
    assert abs(found.expected - float(right)) <= 4.5 * found.expected_error
    value = (exact.ap(table) - right) / (1 - right)
    assert abs(found.value - float(value)) <= 4.5 * found.error

    padded = [*table, *[[0] * len(table[0])] * empty]
    rows, columns = [sum(r) for r in table], [sum(c) for c in zip(*table, strict=True)]
    right = exact.expected_ap(rows, columns, empty)
    found = ap_adjusted(padded, draws=20_000, empty_truth="zero")
    assert abs(found.expected - float(right)) <= 4.5 * found.expected_error
    assert found.ap == pytest.approx(float(exact.ap(table, empty)), rel=1e-14)


def test_a_tie_in_a_random_table_goes_to_the_largest_cluster() -> None:
    # With six items in clusters of 4, 1 and 1 most tables have ties; in the order of size,
    # either way, their mean AP is another.
    table = [[2, 1, 0], [2, 0, 1]]
    right = exact.expected_ap([3, 3], [4, 1, 1])
    ordered = [
        sum(exact.probability(t) * exact.ap(t) for t in exact.tables_with_margins([3, 3], columns))
        for columns in ([4, 1, 1], [1, 1, 4])
    ]
    found = ap_adjusted(table, draws=50_000)
    assert abs(found.expected - float(right)) < 4.5 * found.expected_error
    for other in ordered:
        assert abs(found.expected - float(other)) > 9 * found.expected_error


def test_the_standard_errors_are_off() -> None:
    table = [[6, 2, 1], [1, 5, 2], [2, 2, 4]]
    found = [ap_adjusted(table, draws=100, seed=seed) for seed in range(300)]
    for value, error in (("value", "error"), ("expected", "expected_error")):
        spread = np.std([getattr(f, value) for f in found], ddof=1)
        assert spread == pytest.approx(np.mean([getattr(f, error) for f in found]), rel=0.15)
    right = ap_adjusted(table, draws=50_000)
    mean = np.mean([f.expected for f in found])
    assert abs(mean - right.expected) < 4 * right.expected_error * math.hypot(1, 5 / 3)


def test_the_error_does_not_follow_from_that_of_the_expectation() -> None:
    found = ap_adjusted([[6, 2, 1], [1, 5, 2]], draws=50)
    slope = (1 - found.ap) / (1 - found.expected) ** 2
    assert found.error == pytest.approx(slope * found.expected_error, rel=1e-12)
    assert found.value == pytest.approx((found.ap - found.expected) / (1 - found.expected))
    more = ap_adjusted([[6, 2, 1], [1, 5, 2]], draws=5000)
    assert more.error == pytest.approx(found.error / 10, rel=0.4)


def test_giant_counts_leave_another_ap_by_chance() -> None:
    # The cells are normal then, and AP is twice the peakiness. They are drawn by scipy, by
    # numpy and by rejection.
    centre = np.eye(4) - 0.25
    cells = centre @ np.random.default_rng(1).standard_normal((100_000, 4, 4)) @ centre
    associated = np.ptp(cells.argmax(axis=2), axis=1) > 0
    ordered = np.sort(cells, axis=2)
    limit = 8.0 * (ordered[:, :, 3] - ordered[:, :, 2]).mean(axis=1) * associated
    for total in (1_600_000, 160_000_000, 16 * 10**9, 16 * 10**12):
        found = ap_adjusted(equal_classes(4, total), draws=4000)
        off = found.expected * math.sqrt(total) - limit.mean()
        assert abs(off) < 4 * found.expected_error * math.sqrt(total) + 0.03


# What a value must be whatever is drawn


@FEW
@given(identical_partitions())
@example([[1, 0], [0, 1]])
@example([[2, 0, 0], [0, 1, 0], [0, 0, 10**12]])
@example([[0, 3], [3, 0]])
def test_identical_partitions_are_adjusted_to_less_than_1(table: Table) -> None:
    found = score(table, metrics=KEYS, draws=8)
    if len(table) == 1:
        assert all(math.isnan(found[key]) for key in KEYS)
        return
    assert (found["ap_adjusted"], found["ap_adjusted_error"]) == (1.0, 0.0)
    assert found["ap_expected"] <= 1.0


@pytest.mark.parametrize(
    ("table", "empty_truth"),
    [
        ([[5], [3], [9]], "exclude"),
        ([[1, 0], [1, 0], [0, 1]], "exclude"),
        ([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 0], [0, 0, 0, 0, 0, 1]], "exclude"),
        ([[1, 1, 0, 0], [0, 0, 1, 1]], "exclude"),
        ([[1, 0], [0, 1], [0, 0]], "zero"),
        ([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]], "zero"),
    ],
    ids=str,
)
def test_a_table_like_every_other_lies_above_or_below_chance(
    table: Table, empty_truth: Any
) -> None:
    # However the items fall, these margins give the same AP.
    found = ap_adjusted(table, draws=7, empty_truth=empty_truth)
    assert found.expected == found.ap
    assert (found.value, found.error, found.why) == (0.0, 0.0, None)


@FEW
@given(ANY)
@example([[1, 1], [0, 1]])
@example([[1, 0], [1, 0], [0, 7]])
def test_an_adjusted_value_leaves_its_range_or_is_nan_unexplained(table: Table) -> None:
    with warnings.catch_warnings(), np.errstate(all="warn"):
        warnings.simplefilter("error")
        for draws, empty_truth in ((2, "exclude"), (5, "zero")):
            found = score(table, metrics=KEYS, draws=draws, empty_truth=empty_truth)  # type: ignore[arg-type]
            for key in KEYS:
                if found.why(key) is None:
                    assert METRICS[key].low <= found[key] <= METRICS[key].high
                    assert math.isfinite(found[key])
                else:
                    assert math.isnan(found[key])


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([[3, 4], [0, 0]], "associativity needs two truth classes that have items"),
        ([[0, 0]], "the table has no items: enter at least one count"),
    ],
)
def test_an_adjusted_value_that_does_not_exist_is_a_number(table: Table, words: str) -> None:
    found = ap_adjusted(table)
    assert all(math.isnan(v) for v in (found.value, found.error, found.ap, found.expected))
    assert found.why == words
    scores = score(table, metrics=KEYS)
    for key in KEYS:
        assert math.isnan(scores[key])
        assert scores.why(key) == words


def test_a_table_too_large_for_memory_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_NUMBERS", 3)
    many = score_many([[[8, 2], [1, 9]], [[5], [3]]], metrics=KEYS)
    for key in KEYS:
        assert math.isnan(many[key][0])
        assert many.why(key, 0) == (
            "a random table with so many cells and items does not fit in memory"
        )
        assert many.why(key, 1) is None


def test_chance_estimated_as_1_divides_by_zero() -> None:
    # One in three tables with these margins is a perfect match: two draws may both be.
    found = [ap_adjusted([[1, 1], [0, 1]], draws=2, seed=seed) for seed in range(30)]
    ones = [f for f in found if f.expected == 1.0]
    assert 0 < len(ones) < 15
    for f in found:
        assert math.isnan(f.value) == math.isnan(f.error) == (f.expected == 1.0)
        assert (f.why is None) == (f.expected != 1.0)
    assert "draw more of them" in str(ones[0].why)
    assert ap_adjusted([[1, 0], [0, 2]], draws=2, seed=found.index(ones[0])).value == 1.0


# The same table scores the same


@FEW
@given(st.lists(ANY, min_size=1, max_size=4), st.sampled_from(["exclude", "zero"]))
def test_the_company_of_a_table_changes_its_adjusted_value(
    given_tables: list[Table], empty_truth: Any
) -> None:
    doubled = [*given_tables, *reversed(given_tables)]
    many = score_many(doubled, metrics=KEYS, draws=6, seed=3, empty_truth=empty_truth)
    for i, table in enumerate(doubled):
        alone = score(table, metrics=KEYS, draws=6, seed=3, empty_truth=empty_truth)
        for key in KEYS:
            np.testing.assert_array_equal(many[key][i], alone[key])
            assert many.why(key, i) == alone.why(key)


@FEW
@given(ANY, st.data())
def test_the_order_of_a_table_changes_its_expected_ap(table: Table, data: st.DataObject) -> None:
    rows = data.draw(st.permutations(range(len(table))))
    columns = data.draw(st.permutations(range(len(table[0]))))
    plain = score(table, metrics=(*KEYS, "ap"), draws=6)
    turned = score([[table[i][j] for j in columns] for i in rows], metrics=(*KEYS, "ap"), draws=6)
    np.testing.assert_array_equal(turned["ap_expected"], plain["ap_expected"])
    if not plain.tied_rows:
        for key in KEYS:
            right = pytest.approx(plain[key], rel=1e-12, abs=1e-12, nan_ok=True)
            assert turned[key] == right
            assert turned.why(key) == plain.why(key)


@FEW
@given(ANY)
def test_an_empty_class_or_cluster_changes_an_adjusted_value(table: Table) -> None:
    padded = [[0] * (len(table[0]) + 2), *([*row, 0, 0] for row in table)]
    plain, more = score(table, metrics=KEYS, draws=6), score(padded, metrics=KEYS, draws=6)
    for key in KEYS:
        np.testing.assert_array_equal(more[key], plain[key])
        assert more.why(key) == plain.why(key)


def test_the_blocks_of_the_draws_are_lost_or_counted_twice() -> None:
    # Five times the draws of one block.
    table = [[6, 2, 1], [1, 5, 2], [2, 2, 4]]
    parts = list(expected_ap_parts(CellBatch.of([table, table[:2], table]), "exclude", 5000, 0))
    assert [p.total for p in parts] == [10_000] * len(parts)
    done = [p.done for p in parts]
    assert done == sorted(done)
    assert done[-1] == 10_000
    assert len(parts) > 6
    last = parts[-1]
    assert last.mean[0] == last.mean[2] != last.mean[1]
    alone = expected_ap(CellBatch.of([table]), "exclude", 5000, 0)
    assert (alone.mean[0], alone.error[0]) == (last.mean[0], last.error[0])


def test_an_estimate_that_was_stopped_goes_on() -> None:
    parts = expected_ap_parts(CellBatch.of([FIGURE_1]), "exclude", 10**6, 0)
    first = next(parts)
    assert first.done < 2000 < first.total == 10**6
    assert np.isnan(first.mean).all()
    parts.close()  # type: ignore[attr-defined]
    assert list(parts) == []


def test_margins_that_are_equal_are_drawn_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Any] = []
    plain = module.random_batches

    def counted(rows: Any, columns: Any, *rest: Any) -> Any:
        drawn.append((rows.tolist(), columns.tolist()))
        return plain(rows, columns, *rest)

    monkeypatch.setattr("core.metrics.ap_adjusted.random_batches", counted)
    given_tables = [
        [[3, 1], [0, 2]],
        [[2, 2], [1, 1]],
        [[2, 0], [1, 3]],
        [[3, 3]],
        [[4, 0], [0, 2]],
    ]
    many = score_many(given_tables, metrics=KEYS)
    assert drawn == [([2, 4], [3, 3]), ([2, 4], [2, 4])]
    assert len(set(many["ap_expected"][:3].tolist())) == 1


# Options and forms


def test_a_seed_or_the_number_of_draws_has_no_effect() -> None:
    table = [[6, 2, 1], [1, 5, 2], [0, 0, 0]]
    plain = score(table, KEYS)
    changes: list[dict[str, Any]] = [{"seed": 1}, {"draws": 999}, {"empty_truth": "zero"}]
    for change in changes:
        changed = score(table, KEYS, **change)
        for key in KEYS:
            assert set(change) <= set(METRICS[key].parameters)
            assert changed[key] != plain[key], (key, change)
    again = score(table, KEYS, q=2.0, beta=3.0, average="max")
    assert [again[key] for key in KEYS] == [plain[key] for key in KEYS]
    assert not set(KEYS) & set(score(table))


def test_the_function_and_the_scores_differ() -> None:
    options: dict[str, Any] = {"draws": 50, "seed": 4, "empty_truth": "zero"}
    given_tables = [FIGURE_1, [[5, 2], [0, 0], [1, 3]], [[3, 4]], [[0]]]
    many = score_many(given_tables, [*KEYS, "ap"], **options)
    found = ap_adjusted(given_tables, **options)
    names = ("value", "error", "expected", "ap")
    for key, name in zip((*KEYS, "ap"), names, strict=True):
        np.testing.assert_array_equal(getattr(found, name), many[key])
    assert found.why == tuple(many.why("ap_adjusted", i) for i in range(4))
    assert (found.draws, found.seed, found.empty_truth) == (50, 4, "zero")
    for i, table in enumerate(given_tables):
        one = ap_adjusted(table, **options)
        for name in (*names, "expected_error"):
            assert isinstance(getattr(one, name), float)
            np.testing.assert_array_equal(getattr(one, name), getattr(found, name)[i])
        assert one.why == found.why[i]


def test_one_table_is_taken_for_many_or_many_for_one() -> None:
    table = [[8, 2], [1, 9]]
    ones: list[Any] = [table, tuple(map(tuple, table)), np.array(table), ContingencyTable(table)]
    ones += [scipy.sparse.csr_array(np.array(table)), [np.array(row) for row in table]]
    right = ap_adjusted(table, draws=5)
    for one in ones:
        found = ap_adjusted(one, draws=5)
        assert isinstance(found.value, float)
        assert found.value == right.value
    many: list[Any] = [[one] for one in ones[:5]] + [np.array([table])]
    for several in many:
        found = ap_adjusted(several, draws=5)
        assert found.value.tolist() == [right.value]
        assert found.why == (None,)
    nothing: AdjustedAP = ap_adjusted([], draws=5)
    assert nothing.value.shape == (0,)
    assert nothing.why == ()


def test_a_faulty_table_or_option_is_taken() -> None:
    bad: list[tuple[Any, str]] = [
        ([[1, -2]], "^row 1, column 2: -2 is negative"),
        ([[[1, 2]], [[1, -2]]], "^table 2, row 1, column 2: -2 is negative"),
        ([[[1, 2], [3]]], "^table 1, row 2 has 1 cells"),
        (5, "a table is a list of rows"),
    ]
    for table, words in bad:
        with pytest.raises(TableError, match=words):
            ap_adjusted(table)
    options: list[tuple[dict[str, Any], str]] = [
        ({"draws": 1}, "draws is 1"),
        ({"seed": -1}, "seed is -1"),
        ({"empty_truth": "x"}, "empty_truth is 'x'"),
    ]
    for option, words in options:
        with pytest.raises(ValueError, match=words):
            ap_adjusted([[8, 2], [1, 9]], **option)
