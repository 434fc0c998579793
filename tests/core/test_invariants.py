"""What holds for every score of every table."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core import ContingencyTable, Scores, score, score_many
from core.metrics.metric import ScoreOptions
from core.scoring import score_in_parts
from tests.core import exact
from tests.core.reference import BY_DEFAULT as METRICS
from tests.core.strategies import (
    HUGE,
    SMALL,
    Table,
    identical_partitions,
    nearly_independent,
    refinements,
    tables,
)

ANY = st.one_of(
    tables(), tables(SMALL), tables(HUGE), nearly_independent(), tables(SMALL, items=False)
)
SIMILARITIES = [m.key for m in METRICS.values() if m.high == 1.0 and m.larger_is_better]


def corrected_for_chance(key: str) -> bool:
    """Say whether a score is a difference, in which near 0 only the absolute error is small."""
    return "ami" in key or "smi" in key


def assert_same(found: Any, right: Any, key: str, *, rel: float = 1e-12) -> None:
    """Compare scores or lists of them; None and NaN are the same."""
    if right is None:
        right = math.nan
    elif isinstance(right, list | np.ndarray):
        right = [math.nan if value is None else value for value in right]
    found = found.tolist() if isinstance(found, np.ndarray) else found
    absolute = 1e-12 if corrected_for_chance(key) else 0.0
    assert found == pytest.approx(right, rel=rel, abs=absolute, nan_ok=True), key


def assert_identical(found: Scores, right: Scores) -> None:
    """Compare all scores to the bit, and the reasons."""
    assert list(found) == list(right)
    for key in right:
        np.testing.assert_array_equal(found[key], right[key], err_msg=key)
        assert found.why(key) == right.why(key), key


@given(ANY, st.data())
def test_an_empty_row_or_column_changes_a_score(table: Table, data: st.DataObject) -> None:
    padded = [list(row) for row in table]
    for _ in range(data.draw(st.integers(1, 3))):
        padded.insert(data.draw(st.integers(0, len(padded))), [0] * len(padded[0]))
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(padded[0])))
        padded = [[*row[:place], 0, *row[place:]] for row in padded]
    assert_identical(score(padded), score(table))


@given(ANY, st.data())
def test_the_order_of_the_classes_changes_a_score(table: Table, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(table))))
    scores, permuted = score(table), score([table[i] for i in order])
    for key in METRICS:
        if METRICS[key].per == "row":
            by_row = scores.by_row(key)
            assert_same(permuted.by_row(key), [by_row[i] for i in order], key)
        else:
            assert_same(permuted[key], scores[key], key)
        assert permuted.why(key) == scores.why(key), key


@given(ANY, st.data())
def test_the_order_of_the_clusters_changes_a_score(table: Table, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(table[0]))))
    scores, permuted = score(table), score([[row[j] for j in order] for row in table])
    assert permuted.tied_rows == scores.tied_rows
    for key in METRICS:
        if key in ("associativity", "ap") and scores.tied_rows:
            assert math.isnan(scores[key]) == math.isnan(permuted[key])
            if scores.why(key) is None and scores.why(f"{key}_min") is None:
                assert scores[f"{key}_min"] <= permuted[key] <= scores[f"{key}_max"]
        else:
            assert_same(permuted[key], scores[key], key)


@given(st.one_of(tables(HUGE), nearly_independent()))
@example([[2, 0, 2], [10**12, 10**12 + 5, 10**12 + 30000], [10**12 - 5 * 10**6, 10**12, 10**12]])
@example([[10**12, 3 * 10**11], [2 * 10**11, 10**12]])
@example([[3 * 10**9, 0], [0, 4 * 10**9]])
@example([[2 * 10**9, 1], [1, 0]])
def test_large_counts_lose_digits(table: Table) -> None:
    scores = score(table)
    right = exact.scores(table, chance=False)
    compared = [key for key in METRICS if key in right]
    assert len(compared) > 15
    for key in compared:
        assert_same(scores[key], right[key], key)


@given(tables(SMALL, most=4))
def test_a_small_table_is_scored_otherwise_than_by_hand(table: Table) -> None:
    right = exact.scores(table)
    for average in ("arithmetic", "geometric", "min", "max"):
        scores = score(table, average=average)
        suffix = "" if average == "arithmetic" else f"_{average}"
        for key, metric in METRICS.items():
            held = f"{key}{suffix}" if "average" in metric.parameters else key
            if held in right:
                assert_same(scores[key], right[held], key)


@given(identical_partitions())
@example([[1, 0], [0, 1]])
@example([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])
@example([[1]])
@example([[10**12, 0, 0], [0, 0, 1], [0, 3, 0]])
def test_identical_partitions_score_less_or_more_than_1(table: Table) -> None:
    assert len(SIMILARITIES) > 10
    for average in ("arithmetic", "geometric", "min", "max"):
        scores = score(table, metrics=SIMILARITIES, average=average, beta=0.3)
        for key in SIMILARITIES:
            if scores.why(key) is None:
                assert np.all(scores[key] == 1.0), key
            else:
                assert len(table) == 1 or max(map(max, table)) == 1, key


@given(st.one_of(ANY, identical_partitions(), refinements()), st.floats(0.0, 1e6))
def test_a_score_leaves_its_range(table: Table, beta: float) -> None:
    for average in ("arithmetic", "geometric", "min", "max"):
        scores = score(table, beta=beta, average=average)
        for key, metric in METRICS.items():
            low, high = scores.range(key)
            # Counts of pairs may be integers beyond 64 bits.
            values = np.atleast_1d(np.asarray(scores[key], np.float64))
            values = values[~np.isnan(values)]
            assert (values >= low).all(), key
            assert (values <= high).all(), key
            assert metric.low <= low <= high <= metric.high


@given(st.one_of(ANY, identical_partitions(), refinements()))
@example([[0]])
@example([[0, 0], [0, 0]])
@example([[1]])
@example([[5, 0, 7]])
@example([[5], [7]])
@example([[4 * 10**18 - 17, 7], [10, 0]])
@example([[4 * 10**18, 3], [2, 1]])
@example([[2 * 10**18, 2 * 10**18], [10**18, 10**18]])
@example([[9223372036854775807]])
def test_a_valid_table_brings_an_exception_or_a_warning_or_nan_unexplained(table: Table) -> None:
    with warnings.catch_warnings(), np.errstate(all="warn"):
        warnings.simplefilter("error")
        for options in (ScoreOptions(), ScoreOptions(0.5, 0.0, "min", "zero")):
            scores = score(
                table,
                q=options.q,
                beta=options.beta,
                average=options.average,
                empty_truth=options.empty_truth,
            )
            for key in METRICS:
                reason = scores.why(key)
                missing = np.isnan(np.asarray(scores[key], np.float64))
                assert bool(missing.any()) <= (reason is not None), key
                if reason is not None:
                    assert missing.all(), key
                    assert len(reason.split()) > 3, key
                    assert reason == reason.strip().rstrip("."), key
            assert isinstance(scores.warnings, tuple)
            assert repr(scores).startswith("<Scores: ")


@given(tables(SMALL, items=False))
def test_a_table_without_items_scores_a_number(table: Table) -> None:
    empty = [[0] * len(row) for row in table]
    scores = score(empty)
    for key, metric in METRICS.items():
        assert scores.why(key) == "the table has no items: enter at least one count"
        if metric.per == "table":
            assert math.isnan(scores[key]), key
        else:
            assert len(scores[key]) == 0
    assert scores.warnings == ()
    assert scores.tied_rows == ()


@given(st.one_of(tables(), tables(HUGE), nearly_independent(), tables(SMALL)))
def test_exchanging_truth_and_clusters_changes_a_symmetric_score(table: Table) -> None:
    scores, turned = score(table), score(ContingencyTable(table).transpose())
    pairs = {
        "homogeneity": "completeness",
        "truth_class_accuracy": "cluster_purity",
        **{key: key for key in ("ari", "rand", "fowlkes_mallows", "f1", "v_measure")},
        **{key: key for key in ("mutual_information", "nmi", "ami")},
    }
    for key, other in pairs.items():
        assert_same(turned[other], scores[key], key)


@given(refinements())
def test_clusters_within_classes_are_not_wholly_homogeneous(table: Table) -> None:
    scores = score(table)
    assert scores["homogeneity"] == 1.0
    assert scores["purity"] == 1.0
    assert scores["cluster_purity"] == 1.0
    assert score(ContingencyTable(table).transpose())["completeness"] == 1.0


def same_as_alone(many: Any, given_tables: list[Table], **options: Any) -> None:
    alone = [score(table, **options) for table in given_tables]
    assert list(many) == list(METRICS)
    for key in METRICS:
        assert len(many[key]) == len(given_tables)
        for i, scores in enumerate(alone):
            assert_same(many[key][i], scores[key], key)
            assert many.why(key, i) == scores.why(key), (key, i)


@given(st.lists(ANY, max_size=6))
def test_tables_of_mixed_shapes_disturb_each_other(given_tables: list[Table]) -> None:
    same_as_alone(score_many([ContingencyTable(t) for t in given_tables]), given_tables)


@given(st.integers(0, 5), st.integers(1, 4), st.integers(1, 4), st.data())
def test_an_array_of_tables_is_scored_otherwise_than_each(
    k: int, r: int, c: int, data: st.DataObject
) -> None:
    count = data.draw(st.sampled_from([SMALL, HUGE]))
    flat = data.draw(st.lists(count, min_size=k * r * c, max_size=k * r * c))
    array = np.array(flat, dtype=np.int64).reshape(k, r, c)
    options: dict[str, Any] = {"beta": 2.0, "average": "max", "empty_truth": "zero"}
    same_as_alone(score_many(array, **options), array.tolist(), **options)


@given(ANY)
def test_scores_in_parts_differ_from_scores_at_once(table: Table) -> None:
    options = ScoreOptions(beta=2.0, average="geometric", empty_truth="zero")
    whole = score(table, beta=2.0, average="geometric", empty_truth="zero")
    seen: list[str] = []
    done = 0
    for part in score_in_parts(ContingencyTable(table), options):
        assert set(seen) <= set(part.scores)
        seen = list(part.scores)
        for key in seen:
            np.testing.assert_array_equal(part.scores[key], whole[key])
            assert part.scores.why(key) == whole.why(key)
        assert done <= part.done <= part.total
        done = part.done
    assert seen == list(METRICS)
    assert part.done == part.total
    assert_identical(part.scores, whole)


@given(tables(SMALL, most=4))
def test_an_option_changes_a_score_that_does_not_declare_it(table: Table) -> None:
    plain = score(table)
    changes: dict[str, Any] = {"q": 2.0, "beta": 3.0, "average": "max", "empty_truth": "zero"}
    for name, value in changes.items():
        changed = score(table, **{name: value})
        for key, metric in METRICS.items():
            if name not in metric.parameters:
                np.testing.assert_array_equal(changed[key], plain[key], err_msg=f"{key}, {name}")


def test_an_option_that_a_score_declares_has_no_effect() -> None:
    table = [[5, 3, 1], [2, 6, 0], [0, 0, 0], [9, 0, 4]]
    plain = score(table)
    changes: dict[str, Any] = {"q": 2.0, "beta": 3.0, "average": "max", "empty_truth": "zero"}
    declared = {name for metric in METRICS.values() for name in metric.parameters}
    assert declared >= {"beta", "average", "empty_truth"}
    for key, metric in METRICS.items():
        for name in metric.parameters:
            assert score(table, [key], **{name: changes[name]})[key] != plain[key], (key, name)
