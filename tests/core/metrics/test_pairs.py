"""Pair counting in exact integers, on both sides of every limit of the fast ways."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import score, score_many
from core.cells import CellBatch
from core.metrics.pairs import pair_counts
from core.table import ContingencyTable
from tests.core import exact
from tests.core.strategies import HUGE, USUAL, Table, tables

KEYS = ("rand", "ari")


def right(table: Table) -> dict[str, float]:
    """Return the indices, rounded once from fractions."""
    tp, fp, fn, tn = exact.pair_counts(table)
    pairs = tp + fp + fn + tn
    rand = Fraction(tp + tn, pairs) if pairs else Fraction(1)
    chance = Fraction((tp + fp) * (tp + fn), max(pairs, 1))
    ari = (tp - chance) / (Fraction(2 * tp + fp + fn, 2) - chance) if fp or fn else Fraction(1)
    return {"rand": float(rand), "ari": float(ari)}


@given(st.one_of(tables(), tables(HUGE), tables(st.integers(0, 5000))))
def test_an_index_is_rounded_more_than_once(table: Table) -> None:
    scores = score(table, metrics=KEYS)
    assert dict(scores) == right(table)


@given(st.lists(st.one_of(tables(USUAL), tables(HUGE)), min_size=2, max_size=4))
def test_a_large_table_changes_the_rounding_of_a_small_one(given_tables: list[Table]) -> None:
    many = score_many(given_tables, metrics=KEYS)
    for i, table in enumerate(given_tables):
        assert {key: many[key][i] for key in KEYS} == right(table)


@pytest.mark.parametrize(
    "total",
    [
        *(9_999, 10_000, 10_001, 39_999, 40_000, 40_001, 65_536, 92_681, 92_682),
        *(2**31 - 1, 2_000_000_000, 2_000_000_001, 3_037_000_500, 2**32, 10**12, 2**62),
    ],
)
def test_a_product_of_pair_counts_overflows(total: int) -> None:
    for table in (
        [[total - 1, 0], [0, 1]],
        [[total // 2, 1], [0, total - total // 2 - 1]],
        [[total // 3, total // 7], [total // 5, total - total // 3 - total // 7 - total // 5]],
        [[total - 3, 1], [1, 1]],
    ):
        scores = score(table, metrics=[*KEYS, "fowlkes_mallows"])
        assert {key: scores[key] for key in KEYS} == right(table)
        fmi = exact.scores(table, chance=False)["fowlkes_mallows"]
        assert scores["fowlkes_mallows"] == pytest.approx(fmi, rel=1e-14)


@given(st.one_of(tables(), tables(HUGE)))
def test_pairs_are_miscounted(table: Table) -> None:
    counts = pair_counts(CellBatch.of(ContingencyTable(table)))
    tp, fp, fn, tn = exact.pair_counts(table)
    assert [int(c[0]) for c in (counts.both, counts.truth, counts.cluster, counts.all)] == [
        tp,
        tp + fn,
        tp + fp,
        tp + fp + fn + tn,
    ]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_singletons_that_match_perfectly_score_0(n: int) -> None:
    table = [[int(i == j) for j in range(n)] for i in range(n)]
    assert dict(score(table, metrics=[*KEYS, "fowlkes_mallows"])) == {
        "rand": 1.0,
        "ari": 1.0,
        "fowlkes_mallows": 1.0,
    }


def test_no_pair_in_common_scores_more_than_0() -> None:
    assert score([[1, 1], [1, 1]])["fowlkes_mallows"] == 0.0
    assert score([[1, 1, 1]])["fowlkes_mallows"] == 0.0
    assert score([[1, 1], [1, 1]])["ari"] == -0.5


def test_one_item_has_no_rand_index() -> None:
    assert score([[1]])["rand"] == 1.0
    assert comb(1, 2) == 0


COUNTS = ("tp", "fp", "fn", "tn", "mirkin")


@given(st.one_of(tables(), tables(HUGE), tables(st.integers(0, 5000))))
def test_a_count_of_pairs_loses_its_last_digit(table: Table) -> None:
    scores = score(table, metrics=COUNTS)
    tp, fp, fn, tn = exact.pair_counts(table)
    assert dict(scores) == dict(zip(COUNTS, (tp, fp, fn, tn, 2 * (fp + fn)), strict=True))
    assert all(type(value) is int for value in scores.values())


def test_a_count_of_pairs_in_many_tables_overflows() -> None:
    many = score_many([[[10**12, 1], [0, 5]], [[3, 1]], [[0]]], metrics=COUNTS)
    assert many["tp"].tolist()[:2] == [comb(10**12, 2) + comb(5, 2), 3]
    assert many["tp"][2] != many["tp"][2]
    assert many.why("tp", 2) is not None


@given(st.one_of(tables(), tables(HUGE)))
def test_a_ratio_of_pairs_is_rounded_more_than_once(table: Table) -> None:
    keys = ("jaccard", "wallace_truth", "wallace_cluster", "pair_agreement")
    scores = score(table, metrics=keys)
    tp, fp, fn, tn = exact.pair_counts(table)
    for key, part, whole in (
        ("jaccard", tp, tp + fp + fn),
        ("wallace_truth", tp, tp + fn),
        ("wallace_cluster", tp, tp + fp),
        ("pair_agreement", tp + tn, tp + fp + fn + tn),
    ):
        if whole:
            assert scores[key] == float(Fraction(part, whole)), key
        elif key.startswith("wallace"):
            assert "of two items or more" in str(scores.why(key))
        else:
            assert scores[key] == 1.0, key
