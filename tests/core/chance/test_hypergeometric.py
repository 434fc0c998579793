"""Expectations over the law of one cell, against whole sums and closed forms."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cells import FloatArray
from core.chance import hypergeometric
from core.chance.deviance import deviance
from core.chance.hypergeometric import CellLaw
from tests.core.exact import expected_term


def law(*cells: tuple[int, int, int]) -> CellLaw:
    a, b, total = np.array(cells, np.int64).reshape(-1, 3).T
    return CellLaw(a, b, total)


def count(n: FloatArray, mean: FloatArray, difference: FloatArray) -> FloatArray:
    return n + 0.0 * mean


def square(n: FloatArray, mean: FloatArray, difference: FloatArray) -> FloatArray:
    return difference**2


def test_the_expectation_of_a_small_cell_is_wrong() -> None:
    cells = [(a, b, n) for n in range(1, 10) for a in range(1, n + 1) for b in range(1, n + 1)]
    found = law(*cells).expectation(deviance)
    # The linear terms of the deviance have no expectation.
    right = [float(expected_term(*cell)) for cell in cells]
    assert found.tolist() == pytest.approx(right, rel=1e-13, abs=1e-18)


RARE = [
    (a, b, n)
    for n in (10**8, 10**12, 4 * 10**18)
    for a, b in ((10, 7), (10, n - 7), (n - 10, 7), (n - 10, n - 7), (10, n // 2), (1, 1), (3, n))
]


@pytest.mark.parametrize("cell", RARE, ids=str)
def test_a_rare_margin_in_a_huge_table_loses_digits(cell: tuple[int, int, int]) -> None:
    right = float(expected_term(*cell))
    assert law(cell).expectation(deviance)[0] == pytest.approx(right, rel=1e-13, abs=1e-300)


@pytest.mark.parametrize("cell", [(300, 400, 1000), (1000, 1500, 3000), (999, 2, 1000)], ids=str)
def test_the_window_of_a_cell_cuts_mass_off(cell: tuple[int, int, int]) -> None:
    right = float(expected_term(*cell))
    assert law(cell).expectation(deviance)[0] == pytest.approx(right, rel=1e-13)


@st.composite
def cells(draw: st.DrawFn) -> tuple[int, int, int]:
    total = draw(st.one_of(st.integers(2, 60), st.integers(2, 10**7), st.integers(2, 10**18)))
    near = st.one_of(
        st.integers(1, min(total, 50)), st.integers(max(1, total - 50), total),
        st.integers(1, min(total, 10**6)), st.integers(max(1, total - 10**6), total),
    )  # fmt: skip
    return draw(near), draw(near), total


@given(st.lists(cells(), min_size=1, max_size=6))
def test_mean_and_variance_differ_from_their_closed_forms(
    drawn: list[tuple[int, int, int]],
) -> None:
    cell_law = law(*drawn)
    means = [Fraction(a * b, n) for a, b, n in drawn]
    variances = [Fraction(a * b * (n - a) * (n - b), n * n * (n - 1)) for a, b, n in drawn]
    assert cell_law.mean.tolist() == pytest.approx([float(m) for m in means], rel=1e-14)
    right = pytest.approx([float(v) for v in variances], rel=1e-13, abs=0)
    assert cell_law.variance.tolist() == right
    assert cell_law.expectation(count).tolist() == pytest.approx(
        [float(m) for m in means], rel=1e-12
    )
    assert cell_law.expectation(square).tolist() == pytest.approx(
        [float(v) for v in variances], rel=1e-11, abs=0
    )


@given(st.lists(cells(), min_size=2, max_size=6))
def test_cells_of_one_batch_disturb_each_other(drawn: list[tuple[int, int, int]]) -> None:
    together = law(*drawn).expectation(deviance)
    alone = [law(cell).expectation(deviance)[0] for cell in drawn]
    assert together.tolist() == pytest.approx(alone, rel=1e-13, abs=0)


@pytest.mark.parametrize("block", [1, 7, 100])
def test_a_window_is_cut_where_a_block_ends(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = [(a, b, 5000) for a in (1, 20, 900, 4999) for b in (3, 50, 1700, 4000, 5000)]
    right = law(*drawn).expectation(deviance)
    monkeypatch.setattr(hypergeometric, "_BLOCK", block)
    assert law(*drawn).expectation(deviance).tolist() == pytest.approx(
        right.tolist(), rel=1e-13, abs=0
    )


def test_no_cells_raise_an_error() -> None:
    assert law().expectation(deviance).shape == (0,)


def test_a_long_window_overflows_or_underflows() -> None:
    # Half a million counts on either side: marched from the smallest, all would be 0.
    cell_law = law((4 * 10**10, 4 * 10**10, 16 * 10**10))
    assert cell_law.variance[0] > 5e9
    assert cell_law.expectation(count)[0] == pytest.approx(10**10, rel=1e-14)
    assert cell_law.expectation(square)[0] == pytest.approx(cell_law.variance[0], rel=1e-10)


def test_a_floating_point_trap_of_the_caller_stops_an_expectation() -> None:
    with np.errstate(all="raise"):
        assert law((1528, 1528, 7182)).expectation(deviance)[0] > 0.0
