"""The polynomials of the law of a cell: orthonormal, and complete."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.cells import FloatArray
from core.chance.deviance import deviance
from core.chance.hahn import hahn_coefficients
from core.chance.hypergeometric import CellLaw, Nodes


def law(*cells: tuple[int, int, int]) -> CellLaw:
    a, b, total = np.array(cells, np.int64).reshape(-1, 3).T
    return CellLaw(a, b, total)


def power(k: int) -> Callable[[Nodes], FloatArray]:
    return lambda nodes: nodes.difference**k


def information(nodes: Nodes) -> FloatArray:
    return deviance(nodes.count, nodes.mean, nodes.difference)


@st.composite
def small_cells(draw: st.DrawFn) -> tuple[int, int, int]:
    total = draw(st.integers(2, 40))
    return draw(st.integers(1, total)), draw(st.integers(1, total)), total


def gram_schmidt(cell: tuple[int, int, int]) -> tuple[list[float], list[list[float]]]:
    """Return the law of a cell, and its orthonormal polynomials at every count."""
    a, b, total = cell
    counts = range(max(0, a + b - total), min(a, b) + 1)
    weight = [Fraction(comb(a, n) * comb(total - a, b - n), comb(total, b)) for n in counts]
    found: list[list[Fraction]] = []
    norms: list[Fraction] = []
    for degree in range(len(counts)):
        values = [Fraction(n) ** degree for n in counts]
        for other, norm in zip(found, norms, strict=True):
            inner = sum(w * x * y for w, x, y in zip(weight, values, other, strict=True)) / norm
            values = [x - inner * y for x, y in zip(values, other, strict=True)]
        found.append(values)
        norms.append(sum((w * x * x for w, x in zip(weight, values, strict=True)), Fraction(0)))
    return [float(w) for w in weight], [
        [float(x) / float(norm) ** 0.5 for x in values]
        for values, norm in zip(found, norms, strict=True)
    ]


@given(small_cells())
def test_a_coefficient_differs_from_gram_and_schmidt(cell: tuple[int, int, int]) -> None:
    found = hahn_coefficients(law(cell), information)[:, 0]
    weight, polynomials = gram_schmidt(cell)
    a, b, total = cell
    count = np.arange(max(0, a + b - total), min(a, b) + 1, dtype=np.float64)
    mean = np.array([a * b / total])
    value = deviance(count[:, None], mean, count[:, None] - mean)[:, 0]
    right = [float(np.dot(np.multiply(weight, value), p)) for p in polynomials]
    size = np.sqrt(np.dot(weight, value**2))
    assert len(found) <= max(len(right), 2) + 1
    right += [0.0] * (len(found) - len(right))
    assert found.tolist() == pytest.approx(right[: len(found)], rel=1e-9, abs=1e-10 * size)
    assert right[len(found) :] == pytest.approx([0.0] * len(right[len(found) :]), abs=1e-10 * size)


LAWS = [
    (30, 30, 900),
    (200, 100, 4000),
    (1000, 1000, 40_000),
    (110, 110, 220),
    (3000, 3000, 22_000),
    (10_000, 20_000, 300_000),
    (10**9, 10**9, 10**10),
    (5, 10**6, 10**7),
    (40, 10**17, 10**18),
    (900, 900, 1000),
    (10, 7, 10**8),
    (10**6 - 300, 10**6 - 300, 10**6),
    (2 * 10**18, 3 * 10**18, 9 * 10**18),
]


@pytest.mark.parametrize("cell", LAWS, ids=str)
def test_the_squares_of_the_coefficients_do_not_add_up_to_the_variance(
    cell: tuple[int, int, int],
) -> None:
    cell_law = law(cell)
    for function, rel in ((information, 1e-12), (power(2), 1e-12), (power(3), 1e-11)):
        c = hahn_coefficients(cell_law, function)[:, 0]
        nodes = next(iter(cell_law.nodes()))
        value = function(nodes)[:, 0]
        mean = np.dot(nodes.weight[:, 0], value)
        right = np.dot(nodes.weight[:, 0], (value - mean) ** 2)
        assert c[0] == pytest.approx(mean, rel=1e-13, abs=1e-13 * np.sqrt(right))
        assert np.dot(c[1:], c[1:]) == pytest.approx(right, rel=rel)


@pytest.mark.parametrize("cell", LAWS, ids=str)
@pytest.mark.parametrize("degree", [1, 2, 3])
def test_a_polynomial_has_coefficients_above_its_degree(
    cell: tuple[int, int, int], degree: int
) -> None:
    c = hahn_coefficients(law(cell), power(degree))[:, 0]
    sd = np.sqrt(np.dot(c[1:], c[1:]))
    assert c[degree] > 0.0
    assert np.abs(c[degree + 1 :]).max(initial=0.0) < 1e-11 * sd
    # Nothing is left after it, so that the degrees end soon.
    assert len(c) < 12


@pytest.mark.parametrize("cell", LAWS, ids=str)
def test_rounding_that_grows_with_the_degree_is_taken_for_a_coefficient(
    cell: tuple[int, int, int],
) -> None:
    c = np.abs(hahn_coefficients(law(cell), information)[:, 0])
    size = c[1:].max()
    last = c[np.flatnonzero(c)[-1]]
    # What was added last is small beside all that was added.
    assert last < 1e-6 * size or np.count_nonzero(c) == 1 + min(cell)


def test_cells_of_one_batch_disturb_each_other() -> None:
    together = hahn_coefficients(law(*LAWS), information)
    for i, cell in enumerate(LAWS):
        alone = hahn_coefficients(law(cell), information)[:, 0]
        size = np.sqrt(np.dot(alone, alone))
        padded = np.append(alone, np.zeros(len(together) - len(alone)))
        np.testing.assert_allclose(together[:, i], padded, rtol=0, atol=1e-9 * size)


def test_a_law_of_one_count_divides_by_zero() -> None:
    c = hahn_coefficients(law((5, 5, 5), (3, 7, 7)), information)
    assert np.abs(c[1:]).max() == 0.0
