"""The information term of a cell, where it is hardest: near independence, and far above."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chance.deviance import centred, deviance, multipliable
from core.chance.hypergeometric import CellLaw
from core.scoring import score
from tests.core.exact import DIGITS, decimal, expected_term
from tests.core.exact import scores as exact_scores


def exact_deviance(n: Fraction, mu: Fraction) -> float:
    with localcontext(DIGITS):
        logarithm = decimal(n / mu).ln() if n else Decimal(0)
        return float(decimal(n) * logarithm - decimal(n) + decimal(mu))


@st.composite
def margins(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """Draw a count with the margins and the total that it may have."""
    total = draw(st.one_of(st.integers(1, 50), st.integers(1, 10**13), st.integers(1, 2**63 - 1)))
    a, b = draw(st.integers(1, total)), draw(st.integers(1, total))
    return draw(st.integers(max(0, a + b - total), min(a, b))), a, b, total


def arrays(*values: int) -> list[np.ndarray]:
    return [np.array([value], np.int64) for value in values]


@given(margins())
def test_the_difference_from_the_mean_overflows_or_cancels(cell: tuple[int, int, int, int]) -> None:
    n, a, b, total = cell
    right = n - Fraction(a * b, total)
    found = centred(*arrays(n, a, b, total))
    assert found.dtype == np.float64
    assert found[0] == pytest.approx(float(right), rel=4e-16, abs=0)


@given(margins())
def test_the_deviance_of_a_cell_loses_digits(cell: tuple[int, int, int, int]) -> None:
    n, a, b, total = cell
    mu = Fraction(a * b, total)
    difference = centred(*arrays(n, a, b, total))
    found = deviance(np.array([float(n)]), np.array([float(mu)]), difference)
    assert found[0] == pytest.approx(exact_deviance(Fraction(n), mu), rel=1e-13, abs=0)


@given(
    st.floats(1e-3, 1e15),
    st.floats(1e-16, 0.99) | st.floats(0.2, 0.25),
    st.sampled_from([-1, 1]),
)
def test_series_and_logarithm_disagree_near_the_mean(mu: float, share: float, sign: int) -> None:
    # A difference of so much of the mean; the series gives way to the logarithm at about 0.22.
    difference = sign * share * mu
    n = Fraction(mu) + Fraction(difference)
    found = deviance(np.array([float(n)]), np.array([mu]), np.array([difference]))
    assert found[0] == pytest.approx(exact_deviance(n, Fraction(mu)), rel=1e-13, abs=0)


def test_an_empty_cell_has_another_deviance_than_its_mean() -> None:
    mean = np.array([1e-9, 0.5, 3.0, 1e12])
    assert deviance(np.zeros(4), mean, -mean).tolist() == mean.tolist()


def test_a_cell_at_its_mean_has_a_deviance() -> None:
    mean = np.array([1e-9, 0.5, 3.0, 1e12])
    assert deviance(mean, mean, np.zeros(4)).tolist() == [0.0] * 4


@given(st.just(0.0) | st.floats(1e-6, 1e6), st.floats(1e-6, 1e6))
def test_a_deviance_is_negative(n: float, mu: float) -> None:
    assert deviance(np.array([n]), np.array([mu]), np.array([n - mu]))[0] >= 0.0


def test_the_memory_order_of_an_array_changes_its_deviance() -> None:
    count = np.arange(12.0).reshape(3, 4)
    mean = np.linspace(0.5, 9.0, 4)
    right = deviance(count, mean, count - mean)
    turned = deviance(np.asfortranarray(count), mean, np.asfortranarray(count - mean))
    np.testing.assert_array_equal(turned, right)


def test_counts_of_a_cell_taken_together_have_another_deviance() -> None:
    count = np.arange(12.0)[:, None]
    mean = np.array([0.5, 3.0, 5.75, 1e5])
    together = deviance(count + np.zeros(4), mean, count - mean)
    for i, mu in enumerate(mean):
        alone = deviance(count[:, 0], np.full(12, mu), count[:, 0] - mu)
        assert together[:, i].tolist() == pytest.approx(alone.tolist(), rel=1e-13, abs=1e-15)


@pytest.mark.parametrize(
    "total", [3_000_000_000, 3_000_000_001, 3_037_000_500, 3_100_000_000, 2**63 - 1]
)
def test_a_product_of_two_counts_overflows(total: int) -> None:
    (n,) = arrays(total)
    (multiplied,) = multipliable(n, n)
    assert int((multiplied * multiplied)[0]) == total**2


def test_no_cells_at_all_raise_an_error() -> None:
    empty = np.empty(0, np.int64)
    assert centred(empty, empty, empty, empty).shape == (0,)
    assert deviance(*[np.empty(0)] * 3).shape == (0,)


@pytest.mark.parametrize(
    "cell",
    [(1, 1, 2**62), (2, 3, 2**62), (1, 2**27, 2**62), (3, 2**58, 2**62), (2**20, 9, 2**63 - 1)],
)
def test_a_rare_cell_of_a_huge_table_overflows(cell: tuple[int, int, int]) -> None:
    found = CellLaw(*arrays(*cell)).expectation(deviance)
    assert found[0] == pytest.approx(float(expected_term(*cell)), rel=1e-12, abs=0)


@pytest.mark.parametrize("table", [[[2, 0], [1, 2**62]], [[1, 0, 1], [0, 2**62, 1]]])
def test_a_table_of_huge_counts_overflows(table: list[list[int]]) -> None:
    found, right = score(table), exact_scores(table)
    for key in ("ami", "mutual_information"):
        assert found[key] == pytest.approx(right[key], rel=1e-12, abs=0)


def test_a_window_about_a_rare_cell_overflows() -> None:
    # Its smallest means are near 2**-60, and its windows are tens of counts wide.
    table = [[2**27, 2**33, 1, 3], [0, 1, 1, 0], [2**40, 2**60, 0, 2**60]]
    assert np.isfinite(score(table, ["ami"])["ami"])
