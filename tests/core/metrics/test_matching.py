"""Matching, BCubed and association where rounding or a convention decides."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core import METRICS, ContingencyTable, score
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

KEYS = [key for key, metric in METRICS.items() if metric.family.key == "matching"]
# Ratios of counts, which are rounded once.
ONCE = ("purity", "inverse_purity", "max_matching_accuracy", "van_dongen")
ASSOCIATION = ("chi2", "cramers_v", "measure_of_concordance")


@given(st.one_of(tables(), tables(HUGE)))
def test_a_ratio_of_items_is_rounded_more_than_once(table: Table) -> None:
    scores = score(table, ONCE)
    rows, columns = table, list(zip(*table, strict=True))
    total = sum(map(sum, table))
    of_rows, of_columns = sum(map(max, rows)), sum(map(max, columns))
    assert dict(scores) == {
        "purity": float(Fraction(of_columns, total)),
        "inverse_purity": float(Fraction(of_rows, total)),
        "max_matching_accuracy": float(Fraction(exact.best_matching(table), total)),
        "van_dongen": float(1 - Fraction(of_rows + of_columns, 2 * total)),
    }


@given(st.one_of(nearly_independent(), tables(HUGE), tables(SMALL)))
@example([[10**9 + 1, 10**9], [10**9, 10**9]])
@example([[10**12 + 10**7, 10**12 - 10**7, 1], [10**12 - 10**7, 10**12 + 10**7, 0]])
@example([[10**12, 10**12], [10**12, 10**12 + 1], [0, 1]])
def test_association_near_independence_is_noise(table: Table) -> None:
    scores, right = score(table, ASSOCIATION), exact.scores(table, chance=False)
    for key in ASSOCIATION:
        if right[key] is not None:
            assert scores[key] == pytest.approx(right[key], rel=1e-13, abs=0), key


@pytest.mark.parametrize(
    "table",
    [
        [[1, 1], [1, 1]],
        [[2, 4, 6], [3, 6, 9]],
        [[7 * 10**11, 3 * 10**11], [7 * 10**11, 3 * 10**11]],
        [[10**12, 10**6], [10**6, 1]],
    ],
    ids=str,
)
def test_independent_partitions_are_associated(table: Table) -> None:
    assert set(score(table, ASSOCIATION).values()) == {0.0}


@given(refinements())
def test_clusters_within_classes_are_associated_less_than_wholly(table: Table) -> None:
    for given_table in (ContingencyTable(table), ContingencyTable(table).transpose()):
        scores = score(given_table)
        r = len(exact.non_empty(table))
        assert scores["chi2"] == pytest.approx(float(sum(map(sum, table)) * (r - 1)), rel=1e-15)
        assert scores["cramers_v"] == 1.0 or r == 1
    assert score(table)["bcubed_precision"] == 1.0
    assert score(ContingencyTable(table).transpose())["bcubed_recall"] == 1.0


def test_more_items_than_double_precision_counts_make_a_pure_cluster_impure() -> None:
    many = 2**53 + 1
    scores = score([[many, 0, 0], [0, many, 0], [0, 0, many]])
    for key in KEYS:
        if METRICS[key].larger_is_better:
            assert scores[key] == 1.0, key
    assert score([[many, many, many]])["bcubed_precision"] == 1.0
    assert score([[many], [many], [many]])["bcubed_recall"] == 1.0


def test_one_class_or_one_cluster_has_an_association() -> None:
    for table in ([[3, 5, 2]], [[3], [5]], [[7]], [[3, 0], [4, 0]]):
        scores = score(table)
        assert math.isnan(scores["cramers_v"])
        reason = "Cramér's V needs two truth classes and two clusters that have items"
        assert scores.why("cramers_v") == reason
        assert scores["chi2"] == 0.0
        assert scores["measure_of_concordance"] == float(table == [[7]])


@given(identical_partitions())
def test_identical_partitions_are_apart(table: Table) -> None:
    scores = score(table)
    for key in ("van_dongen", "mirkin", "fp", "fn", "variation_of_information"):
        assert scores[key] == 0, key


@given(st.one_of(tables(), tables(HUGE), nearly_independent(), tables(SMALL)))
def test_exchanging_truth_and_clusters_changes_more_than_the_side(table: Table) -> None:
    scores, turned = score(table), score(ContingencyTable(table).transpose())
    sides = {
        "purity": "inverse_purity",
        "bcubed_precision": "bcubed_recall",
        "wallace_truth": "wallace_cluster",
        "fp": "fn",
        "entropy_truth": "entropy_cluster",
        "homogeneity": "completeness",
        "truth_class_accuracy": "cluster_purity",
    }
    sides |= {other: key for key, other in sides.items()}
    for key, metric in METRICS.items():
        if metric.family.key in ("matching", "pairs", "information"):
            right, found = scores[key], turned[sides.get(key, key)]
            absolute = 1e-12 if "ami" in key else 0.0
            assert found == pytest.approx(right, rel=1e-12, abs=absolute, nan_ok=True), key


def test_a_pure_cluster_of_a_shared_class_loses_precision() -> None:
    # By hand: 3 items alone, 2 with 1: precision (3 + 4/3 + 1/3)/6, recall (9/5 + 4/5 + 1)/6.
    scores = score([[3, 2], [0, 1]])
    assert scores["bcubed_precision"] == pytest.approx((3 + 5 / 3) / 6, rel=1e-15)
    assert scores["bcubed_recall"] == pytest.approx((13 / 5 + 1) / 6, rel=1e-15)


def test_a_reader_finds_the_scores_behind_the_quantities() -> None:
    assert KEYS[:3] == ["f1", "truth_class_accuracy", "cluster_purity"]
    assert KEYS[-1] == "chi2"
    for family in ("pairs", "information"):
        better = [m.larger_is_better is None for m in METRICS.values() if m.family.key == family]
        assert better == sorted(better)
    for key in ("van_dongen", "mirkin", "variation_of_information"):
        assert METRICS[key].larger_is_better is False
