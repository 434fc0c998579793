"""Information where rounding or a convention decides."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import score, score_many
from core.cells import CellBatch
from core.metrics.information import entropy_cluster, entropy_truth, information_is_fixed
from core.table import ContingencyTable
from tests.core import exact
from tests.core.strategies import HUGE, Table, refinements, tables


def partitions(n: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    """Yield the ways to divide n items into parts, the largest first."""
    if n == 0:
        yield ()
    for first in range(min(n, most or n), 0, -1):
        for rest in partitions(n - first, first):
            yield (first, *rest)


@pytest.mark.parametrize("n", range(1, 7))
def test_ami_is_decided_by_rounding_where_the_margins_fix_the_information(n: int) -> None:
    for rows, columns in itertools.product(partitions(n), repeat=2):
        under = list(exact.tables_with_margins(rows, columns))
        # The margins given, the information follows from the sum of n ln n over the cells.
        fixed = len({math.prod(n**n for row in table for n in row) for table in under}) == 1
        batch = CellBatch.of(np.array(under))
        assert information_is_fixed(batch).tolist() == [fixed] * len(under), (rows, columns)
        if fixed:
            for average in ("arithmetic", "geometric", "min", "max"):
                for table, ami in zip(
                    under, score_many(under, ["ami"], average=average)["ami"], strict=True
                ):
                    identical = np.count_nonzero(table) == len(rows) == len(columns)
                    assert ami == float(identical), (table, average)


def test_ami_of_the_mean_table_is_decided_by_rounding() -> None:
    # Every table with these margins is this one with its columns permuted.
    assert score([[2, 2, 1], [0, 0, 1]])["ami"] == 0.0
    assert score([[2, 0], [2, 0], [1, 1]])["ami"] == 0.0


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
def test_independent_partitions_inform(table: Table) -> None:
    scores = score(table)
    for key in ("mutual_information", "nmi", "homogeneity", "completeness", "v_measure"):
        assert scores[key] == 0.0, key


@pytest.mark.parametrize("size", [10**6, 10**9, 10**12])
def test_the_mass_of_empty_cells_drowns_in_large_differences(size: int) -> None:
    # The empty cell's expectation is a half; the differences of the others are millions.
    step = size // 10**5
    table = [[size + step, size - step, 1], [size - step, size + step, 0]]
    right = exact.scores(table, chance=False)["mutual_information"]
    assert score(table)["mutual_information"] == pytest.approx(right, rel=1e-13, abs=0)


@given(tables(HUGE, most=4))
def test_the_entropy_of_large_counts_loses_digits(table: Table) -> None:
    batch = CellBatch.of(ContingencyTable(table))
    for entropy, sizes in (
        (entropy_truth, [sum(row) for row in table]),
        (entropy_cluster, [sum(column) for column in zip(*table, strict=True)]),
    ):
        right = float(exact.entropy(sizes))
        assert entropy(batch)[0] == pytest.approx(right, rel=1e-13, abs=0)


def test_the_entropy_of_one_item_against_a_trillion_vanishes() -> None:
    batch = CellBatch.of(ContingencyTable([[10**12], [1]]))
    assert entropy_truth(batch)[0] == pytest.approx((math.log(10**12) + 1) / 10**12, rel=1e-10)


def test_beta_weighs_the_wrong_side() -> None:
    table = [[5, 3, 1], [2, 6, 0], [9, 0, 4]]
    plain = score(table)
    h, c = plain["homogeneity"], plain["completeness"]
    assert score(table, beta=0.0)["v_measure"] == pytest.approx(h, rel=1e-14)
    assert score(table, beta=1e300)["v_measure"] == pytest.approx(c, rel=1e-14)
    assert score(table, beta=2)["v_measure"] == pytest.approx(3 * h * c / (2 * h + c), rel=1e-14)


@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0, 1e308])
def test_a_side_without_information_divides_by_zero(beta: float) -> None:
    # One class in two clusters: h is 1 by convention, c is 0.
    scores = score([[5, 5]], beta=beta)
    assert (scores["homogeneity"], scores["completeness"]) == (1.0, 0.0)
    assert scores["v_measure"] == 0.0
    assert score([[4]], beta=beta)["v_measure"] == 1.0


@given(refinements(), st.sampled_from(["arithmetic", "geometric", "min", "max"]))
def test_a_refinement_is_normalised_by_the_wrong_mean(table: Table, average: str) -> None:
    scores = score(table, average=average)  # type: ignore[arg-type]
    h, k = (
        float(exact.entropy(sizes))
        for sizes in ([sum(row) for row in table], [sum(c) for c in zip(*table, strict=True)])
    )
    mean = {
        "arithmetic": (h + k) / 2,
        "geometric": math.sqrt(h * k),
        "min": min(h, k),
        "max": max(h, k),
    }[average]
    identical = len(exact.non_empty(table)) == len(table[0])
    right = 1.0 if identical else h / mean if h else 0.0
    assert scores["nmi"] == pytest.approx(right, rel=1e-13)
    assert scores["homogeneity"] == 1.0


def test_near_independence_gives_noise() -> None:
    # Excess of one item over independence in four billion; the chi-square gives the size.
    table = [[10**9 + 1, 10**9], [10**9, 10**9]]
    n = 4 * 10**9 + 1
    right = exact.scores(table, chance=False)["mutual_information"]
    found = score(table)["mutual_information"]
    assert found == pytest.approx(right, rel=1e-13, abs=0)
    assert found == pytest.approx(float(Fraction(1, 32) * Fraction(16, n * n)), rel=1e-6)
