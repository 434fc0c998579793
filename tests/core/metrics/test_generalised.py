"""Information of order q: identities, limits, and where rounding or a convention decides."""

from __future__ import annotations

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core import METRICS, ContingencyTable, score, score_many
from core.cells import CellBatch
from core.metrics.information import information_is_fixed
from tests.core import exact
from tests.core.chance.test_expected_information import with_margins
from tests.core.metrics.test_information import partitions
from tests.core.reference import ORACLE
from tests.core.strategies import (
    HUGE,
    SMALL,
    Table,
    identical_partitions,
    nearly_independent,
    refinements,
    tables,
)

ANY = st.one_of(tables(), tables(SMALL), tables(HUGE), nearly_independent(), refinements())
OF_ORDER = [key for key in METRICS if key.endswith("_q")] + ["p_bound"]
ORDERS = st.sampled_from([0.01, 0.3, 0.5, 1.0, 1.2, 2.0, 2.5, 3.0, 7.0, 50.0])


def differs(key: str) -> float:
    """Return the absolute error of a score: some are differences of larger numbers."""
    return 1e-11 if key in ("ami_q", "smi_q", "mi_q", "emi_q", "nmi_q", "p_bound") else 1e-300


@given(tables(SMALL, most=3), ORDERS)
@example([[10, 19], [5, 26]], 0.3)
@example([[0, 1], [1, 1]], 50.0)
@example([[0, 11], [1, 8]], 20.0)
@example([[2, 7], [0, 1]], 300.0)
@example([[1, 2], [12, 0]], 300.0)
@example([[5, 0, 8], [6, 2, 9]], 50.0)
@example([[9, 18], [1, 2]], 300.0)
def test_a_small_table_is_scored_otherwise_than_by_hand(table: Table, q: float) -> None:
    given_table = exact.non_empty(table)
    rows = [sum(row) for row in given_table]
    columns = [sum(column) for column in zip(*given_table, strict=True)]
    if math.prod(math.comb(n + len(rows) - 1, n) for n in columns) > 3000:
        return
    batch_table = ContingencyTable(table)
    scores = score(batch_table, OF_ORDER, q=q)
    mean, variance = exact.information_moments(rows, columns, q)
    if variance < exact.Decimal("1e-90"):
        if scores.why("smi_q") is None:
            assert q > 50
        return
    right = exact.scores_of_order(table, q, mean, variance)
    if np.count_nonzero(given_table) == len(rows) == len(columns):
        right["ami_q"] = 1.0
    for key, value in right.items():
        absolute = 1e-13 if differs(key) > 1e-100 else 1e-55
        assert scores[key] == pytest.approx(value, rel=1e-11, abs=absolute), key


@given(ANY)
def test_order_2_is_not_pair_counting(table: Table) -> None:
    scores = score(table, ["ami_q", "vi_q", "smi_q", "standardized_rand", "ari", "rand"], q=2)
    n = sum(map(sum, table))
    assert scores["ami_q"] == pytest.approx(scores["ari"], rel=1e-10, abs=1e-11)
    np.testing.assert_array_equal(scores["smi_q"], scores["standardized_rand"])
    if n > 1:
        tp, fp, fn, tn = exact.pair_counts(table)
        apart = Fraction(fp + fn, tp + fp + fn + tn)
        vi = float(Fraction(n - 1, n) * apart)
        assert scores["vi_q"] == pytest.approx(vi, rel=1e-12, abs=0)


@pytest.mark.parametrize("entry", ORACLE, ids=lambda entry: entry["id"])
def test_an_identity_fails_on_a_table_of_the_oracle(entry: dict) -> None:
    of_two = score(entry["table"], ["ami_q", "smi_q", "vi_q"], q=2)
    of_one = score(entry["table"], ["ami_q", "ami", "mi_q", "mutual_information"], q=1)
    plain = score(entry["table"], ["ari", "rand", "standardized_rand"])
    n = sum(map(sum, entry["table"]))
    assert of_one["ami_q"] == of_one["ami"]
    assert of_one["mi_q"] == of_one["mutual_information"]
    assert of_two["ami_q"] == pytest.approx(plain["ari"], rel=1e-11, abs=1e-13)
    np.testing.assert_array_equal(of_two["smi_q"], plain["standardized_rand"])
    _, fp, fn, _ = exact.pair_counts(entry["table"])
    if n > 1:
        # Mirkin's distance is N (N - 1) (1 - Rand).
        mirkin = pytest.approx(2 * (fp + fn), rel=1e-12, abs=1e-15 * n * n)
        assert n * (n - 1) * (1 - plain["rand"]) == mirkin
    assert of_two["vi_q"] == pytest.approx(2 * (fp + fn) / n**2, rel=1e-12, abs=0)


@given(ANY, st.sampled_from([1e-9, -1e-9, 1e-6, -1e-6, 2.0**-52, -(2.0**-53)]))
def test_a_score_jumps_where_the_order_comes_to_1(table: Table, step: float) -> None:
    near, at = score(table, OF_ORDER, q=1.0 + step), score(table, OF_ORDER, q=1.0)
    # Derivatives grow with logarithms, at most some forty a power.
    for key in OF_ORDER:
        assert near.why(key) == at.why(key)
        if at.why(key) is None and key != "p_bound":
            size = abs(at[key])
            if key == "var_mi_q":
                limit = 1e4 * abs(step) * (size + 1e-3)
            elif key == "smi_q":
                continue
            else:
                limit = 5e3 * abs(step) * (size + 1.0)
            assert near[key] == pytest.approx(at[key], rel=1e-11, abs=limit + 1e-12), key


@pytest.mark.parametrize("step", [1e-9, -1e-9, 1e-6, -1e-6])
@pytest.mark.parametrize("table", [[[10, 3, 0], [2, 8, 5]], [[500, 300], [200, 400]]], ids=str)
def test_the_standardised_score_jumps_where_the_order_comes_to_1(table: Table, step: float) -> None:
    near, at = score(table, ["smi_q"], q=1.0 + step), score(table, ["smi_q"], q=1.0)
    assert near["smi_q"] == pytest.approx(at["smi_q"], rel=10 * abs(step))
    assert near["smi_q"] != at["smi_q"]


@given(st.one_of(tables(), tables(SMALL), tables(HUGE)), ORDERS)
def test_exchanging_truth_and_clusters_changes_a_score(table: Table, q: float) -> None:
    scores = score(table, OF_ORDER, q=q)
    turned = score(ContingencyTable(table).transpose(), OF_ORDER, q=q)
    names = {"entropy_truth_q": "entropy_cluster_q", "entropy_cluster_q": "entropy_truth_q"}
    for key in OF_ORDER:
        other = names.get(key, key)
        right = pytest.approx(scores[key], rel=1e-10, abs=differs(key), nan_ok=True)
        assert turned[other] == right, key
        assert turned.why(other) == scores.why(key)


@given(st.lists(st.one_of(ANY, tables(SMALL, items=False)), min_size=1, max_size=4), ORDERS)
def test_tables_of_mixed_sizes_disturb_each_other(given_tables: list[Table], q: float) -> None:
    many = score_many([ContingencyTable(t) for t in given_tables], OF_ORDER, q=q)
    for i, table in enumerate(given_tables):
        alone = score(table, OF_ORDER, q=q)
        for key in OF_ORDER:
            right = pytest.approx(alone[key], rel=1e-10, abs=differs(key), nan_ok=True)
            assert many[key][i] == right, key
            assert many.why(key, i) == alone.why(key)


@given(identical_partitions(), ORDERS)
def test_identical_partitions_do_not_score_1(table: Table, q: float) -> None:
    scores = score(table, ["ami_q", "nmi_q", "vi_q"], q=q)
    assert (scores["ami_q"], scores["nmi_q"], scores["vi_q"]) == (1.0, 1.0, 0.0)


@given(
    st.one_of(ANY, identical_partitions(), tables(SMALL, items=False)),
    st.sampled_from([1e-300, 1e-9, 0.5, 1.0 + 2.0**-52, 2.0, 50.0, 300.0, 3e3, 1e6, 1e300]),
)
@example([[10**12, 10**11], [10**11, 10**12]], 300.0)
@example([[3, 1], [1, 3]], 3000.0)
@example([[6395, 0], [0, 6460]], 3000.0)
@example([[6169, 0], [0, 3580]], 3000.0)
@example([[4 * 10**18, 3], [2, 1]], 7.0)
@example([[2 * 10**18, 2 * 10**18], [10**18, 10**18]], 0.3)
def test_an_order_brings_a_warning_or_an_infinite_score_or_nan_unexplained(
    table: Table, q: float
) -> None:
    with warnings.catch_warnings(), np.errstate(all="warn"):
        warnings.simplefilter("error")
        scores = score(table, OF_ORDER, q=q)
    for key in OF_ORDER:
        assert not math.isinf(scores[key]), key
        reason = scores.why(key)
        assert math.isnan(scores[key]) == (reason is not None), key
        assert reason is None or len(reason.split()) > 5


@pytest.mark.parametrize("n", range(2, 8))
@pytest.mark.parametrize("q", [2, 3])
def test_the_information_of_some_order_is_fixed_and_not_said_to_be(n: int, q: int) -> None:
    for rows, columns in itertools.combinations_with_replacement(list(partitions(n)), 2):
        sums = set()
        for under in exact.tables_with_margins(rows, columns):
            sums.add(sum(k**q for row in under for k in row))
            if len(sums) > 1:
                break
        table = with_margins(list(rows), list(columns))
        scores = score(table, ["smi_q", "var_mi_q"], q=q)
        if len(sums) == 1:
            assert scores.why("smi_q") is not None
            assert scores["var_mi_q"] == 0.0
        else:
            assert scores.why("smi_q") is None
            assert scores["var_mi_q"] > 1e-8


@pytest.mark.parametrize("q", [1.0, 2.0, 3.0, 20.0])
@pytest.mark.parametrize("size", [10**3, 10**6])
def test_one_item_against_clusters_of_nearly_one_size_gives_noise(size: int, q: float) -> None:
    # Two values: that of the item in the first cluster, and in the second.
    table = [[1, 0], [size - 1, size + 1]]
    p = Fraction(size, 2 * size + 1)
    found = score(table, ["smi_q"], q=q)["smi_q"]
    right = math.sqrt((1 - p) / p)
    assert abs(found) == pytest.approx(right, rel=1e-15 * size + 1e-12)


def test_margins_that_fix_the_information_are_scored_by_rounding() -> None:
    for table in ([[4, 5, 6]], [[1, 0], [0, 1], [1, 0]], [[1, 1], [3, 3]], [[7]], [[0, 2], [1, 5]]):
        fixed = bool(information_is_fixed(CellBatch.of(ContingencyTable(table)))[0])
        for q in (0.3, 1.0, 2.0, 50.0):
            scores = score(table, OF_ORDER, q=q)
            assert (scores.why("smi_q") is not None) == fixed, table
            if fixed:
                assert scores["var_mi_q"] == 0.0
                assert scores["emi_q"] == scores["mi_q"]
                assert scores["p_bound"] == 1.0


@pytest.mark.parametrize("q", [300.0, 500.0, 1e5])
def test_a_high_order_of_huge_counts_has_no_end(q: float) -> None:
    table = [[34700197524178872, 2788, 109522472685], [186894670, 3, 82], [0, 594, 26005]]
    scores = score(table, ["smi_q", "var_mi_q"], q=q)
    assert np.isfinite(scores["smi_q"])
    assert scores["smi_q"] == pytest.approx(1074.304, rel=1e-5)


@pytest.mark.parametrize(
    ("table", "q"),
    [
        ([[661, 4258], [278, 2833], [6659, 8438], [2202, 4080]], 700.0),
        ([[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]], 1e300),
        ([[500, 30], [20, 400]], 500.0),
        ([[5000, 300], [200, 4000]], 300.0),
    ],
)
def test_a_variance_below_double_precision_is_shown_as_a_number(
    table: list[list[int]], q: float
) -> None:
    scores = score(table, ["smi_q", "var_mi_q", "p_bound"], q=q)
    for key in scores:
        assert np.isnan(scores[key])
        assert "double precision" in (scores.why(key) or "")


def test_the_information_of_one_overwhelming_cell_loses_digits() -> None:
    # Values by sums with sixty digits.
    table = [
        [0, 150025102612052, 0, 0, 0, 24],
        [0, 59256779508708736, 0, 240603869, 525917030984271, 55478882841883512],
        [0, 4611052480540757, 49850157, 7244, 3197929211757240, 648],
        [30813055, 0, 78922155651, 0, 0, 0],
    ]
    scores = score(table, ["mi_q"], q=0.5)
    right = float(exact.information_of_order(table, 0.5))
    assert right == pytest.approx(0.00194921293877, rel=1e-9)
    assert scores["mi_q"] == pytest.approx(right, rel=1e-9)
    other = [
        [10**13, 1, 0, 0, 0], [1, 0, 0, 1, 1], [0, 1, 1, 1, 1],
        [1, 0, 1, 1, 0], [1, 1, 1, 1, 0], [0, 0, 0, 1, 1],
    ]  # fmt: skip
    right = float(exact.information_of_order(other, 0.5))
    assert score(other, ["mi_q"], q=0.5)["mi_q"] == pytest.approx(right, rel=1e-9)
