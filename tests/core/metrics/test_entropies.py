"""Entropies and the variation of information where digits are lost."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core import score
from core.metrics.information import surprise
from tests.core import exact
from tests.core.strategies import HUGE, SMALL, Table, nearly_independent, refinements, tables

KEYS = (
    *("entropy_truth", "entropy_cluster", "joint_entropy"),
    *("variation_of_information", "mutual_information"),
)


@given(st.one_of(tables(HUGE), tables(SMALL), nearly_independent(), refinements()))
@example([[10**12, 1], [0, 1]])
@example([[10**12, 0, 0], [0, 10**12 - 1, 1]])
def test_an_entropy_loses_digits(table: Table) -> None:
    scores, right = score(table, KEYS), exact.scores(table, chance=False)
    for key in KEYS:
        assert scores[key] == pytest.approx(right[key], rel=1e-13, abs=0), key


def test_one_item_astray_in_a_trillion_vanishes() -> None:
    scores = score([[10**12, 0], [1, 10**12]], KEYS)
    # One item in the other cluster: each conditional entropy is about ln(e 1e12) / 2e12.
    right = (math.log(10**12) + 1) / 10**12
    assert scores["variation_of_information"] == pytest.approx(right, rel=1e-9)
    far = score([[10**12, 1]], KEYS)
    assert far["joint_entropy"] == far["entropy_cluster"] == far["variation_of_information"] > 0.0


@given(tables())
def test_the_information_is_not_what_the_entropies_share(table: Table) -> None:
    s = score(table, KEYS)
    both = s["entropy_truth"] + s["entropy_cluster"]
    assert s["joint_entropy"] + s["mutual_information"] == pytest.approx(both, abs=1e-13)
    assert s["variation_of_information"] == pytest.approx(
        s["joint_entropy"] - s["mutual_information"], abs=1e-13
    )


@pytest.mark.parametrize(
    ("rows", "columns"), [((2, 3), (4, 1)), ((3, 2, 1), (2, 2, 2)), ((1, 1, 2), (3, 1))]
)
def test_the_expected_information_is_not_the_mean_over_the_tables(
    rows: tuple[int, ...], columns: tuple[int, ...]
) -> None:
    total, mean = Fraction(0), Fraction(0)
    for table in exact.tables_with_margins(rows, columns):
        # The probability of a table is in proportion to 1 / prod n!.
        weight = Fraction(1, math.prod(math.factorial(n) for row in table for n in row))
        total += weight
        mean += weight * Fraction(exact.mutual_information(table))
    found = score(table, ["expected_mutual_information"])["expected_mutual_information"]
    assert found == pytest.approx(float(mean / total), rel=1e-13)


def test_a_fixed_mean_follows_the_option() -> None:
    table = [[5, 3, 1], [2, 6, 0], [9, 0, 4]]
    plain = score(table)
    for average in ("geometric", "min", "max"):
        scores = score(table, average=average)
        for key in ("nmi", "ami"):
            assert scores[key] == scores[f"{key}_{average}"] == plain[f"{key}_{average}"]
    assert len({plain[f"ami{mean}"] for mean in ("", "_geometric", "_min", "_max")}) == 4


def test_the_surprise_at_what_is_certain_is_not_0() -> None:
    part = np.array([5, 1, 10**12 - 1, 1])
    found = surprise(part, np.array([5, 2, 10**12, 10**12]))
    assert found.tolist() == pytest.approx(
        [0.0, math.log(2), 1e-12 + 5e-25, 12 * math.log(10)], rel=1e-15
    )
    assert not np.signbit(found).any()
