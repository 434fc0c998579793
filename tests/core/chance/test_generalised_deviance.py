"""The term of order q of a cell, and the strides at which its law is summed."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.cells import FloatArray
from core.chance import hypergeometric
from core.chance.deviance import centred
from core.chance.expected_information import expected_deviance
from core.chance.generalised_deviance import (
    centred_logarithm,
    generalised_deviance,
    logarithm_of_order,
)
from core.chance.hahn import hahn_coefficients
from core.chance.hypergeometric import CellLaw, Nodes
from tests.core.exact import DIGITS, decimal

ORDERS = st.sampled_from([0.01, 0.3, 0.5, 1 - 1e-6, 1 + 1e-9, 1.2, 2.0, 2.5, 3.0, 7.0, 50.0, 300.0])


def arrays(*values: int) -> list[np.ndarray]:
    return [np.array([value], np.int64) for value in values]


@st.composite
def cells(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """Draw a count with its margins and total, near its mean or far from it."""
    total = draw(st.one_of(st.integers(2, 50), st.integers(2, 10**6), st.integers(2, 10**18)))
    a, b = draw(st.integers(1, total)), draw(st.integers(1, total))
    low, high = max(0, a + b - total), min(a, b)
    near = a * b // total + draw(st.integers(-5, 5))
    return draw(st.integers(low, high) | st.just(min(max(near, low), high))), a, b, total


@given(cells(), ORDERS)
@example((10**6, 10**6, 10**6 + 1, 10**15), 7.0)
@example((1, 1, 1, 10**6), 300.0)
@example((0, 1, 1, 2), 0.01)
def test_the_term_of_order_q_loses_digits(cell: tuple[int, int, int, int], q: float) -> None:
    n, a, b, total = cell
    difference = centred(*arrays(n, a, b, total))
    mean, share = np.array([a * b / total]), np.array([a / total * (b / total)])
    difference = np.maximum(difference, -mean)
    found = generalised_deviance(np.array([float(n)]), mean, difference, share, q)
    with localcontext(DIGITS) as context:
        context.prec = 120
        mu, order = decimal(Fraction(a * b, total * total)), Decimal(q)
        mu = Decimal(a) * b / total / total
        p = Decimal(n) / total
        powered = (p.ln() * order).exp() if n else Decimal(0)
        at_mean = ((order - 1) * mu.ln()).exp()
        right = (powered - mu * at_mean - order * at_mean * (p - mu)) * total / (order - 1)
        rest = float(at_mean * total) * 1e-100
    # A power of order q multiplies the rounding of what is raised.
    assert found[0] == pytest.approx(float(right), rel=1e-13 * max(1.0, q), abs=rest)
    assert found[0] >= 0.0


@given(st.integers(1, 10**18), st.integers(1, 10**18), ORDERS)
def test_the_logarithm_of_order_q_loses_digits(x: int, y: int, q: float) -> None:
    size, total = min(x, y), max(x, y)
    found = logarithm_of_order(np.array([size]), np.array([total]), q)[0]
    with localcontext(DIGITS):
        logarithm = decimal(Fraction(size, total)).ln()
        right = (((Decimal(q) - 1) * logarithm).exp() - 1) / (Decimal(q) - 1)
    assert found == pytest.approx(float(right), rel=1e-13 * max(1.0, q), abs=1e-300)


@given(
    st.lists(st.integers(1, 10**12) | st.integers(10**9, 10**9 + 3), min_size=2, max_size=5), ORDERS
)
@example([10**9, 10**9 + 1], 2.0)
@example([1, 2, 997], 50.0)
@example([1, 10**12], 3.0)
def test_parts_of_nearly_one_size_lose_digits(sizes: list[int], q: float) -> None:
    size, total = np.array(sizes, np.int64), np.array([sum(sizes)], np.int64)
    number = np.zeros(len(sizes), np.int64)
    found = centred_logarithm(size, np.ones_like(size), number, total, q)
    with localcontext(DIGITS) as context:
        context.prec = 250
        shares = [Decimal(n) / sum(sizes) for n in sizes]
        logs = [((Decimal(q) - 1) * p.ln()).exp() / (Decimal(q) - 1) for p in shares]
        mean = sum((p * x for p, x in zip(shares, logs, strict=True)), Decimal(0))
        right = [float(x - mean) for x in logs]
    size_of_all = max(map(abs, right))
    assert found.tolist() == pytest.approx(
        right, rel=1e-12 * max(1.0, q), abs=1e-13 * size_of_all + 1e-230
    )


@pytest.mark.parametrize("q", [0.01, 0.3, 1.0, 1.2, 3.0, 7.0, 20.0])
@pytest.mark.parametrize(
    "cell",
    [
        (110, 110, 440),
        (1000, 1000, 20_000),
        (300, 400, 1000),
        (10_000, 20_000, 300_000),
        (10**6, 10**6, 10**7),
        (10**6 - 300, 5 * 10**5, 10**6),
        (900, 910, 1000),
    ],
    ids=str,
)
def test_what_a_stride_skips_is_missed(
    cell: tuple[int, int, int], q: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = CellLaw(*arrays(*cell))
    assert law.variance[0] > 5.0
    strided = expected_deviance(law, q)[0]
    few = sum(len(nodes.count) for nodes in law.nodes(q))
    monkeypatch.setattr(hypergeometric, "_strides", lambda variance: np.ones(len(variance), int))
    every = expected_deviance(law, q)[0]
    assert sum(len(nodes.count) for nodes in law.nodes(q)) >= few
    assert strided == pytest.approx(every, rel=1e-12, abs=0)


def test_the_window_of_another_cell_leaves_the_support_of_one() -> None:
    sides = [(a, b, 535_998) for a in (196_872, 151_464, 237_652) for b in (287_515, 248_473)]
    for power in (600.0, 3000.0, 155_589.6):
        for nodes in CellLaw(*np.array(sides).T).nodes(power):
            assert np.isfinite(nodes.weight).all()
            mean = np.einsum("ij,ij->j", nodes.weight, nodes.difference)
            assert np.abs(mean).max() < 1e-9
            assert (nodes.count[nodes.weight > 0.0] > 0.0).all()


@pytest.mark.parametrize("power", [0.0, 7.0, 40.0, 600.0])
@pytest.mark.parametrize(
    "cell", [(200, 200, 400), (2000, 3000, 9000), (50, 60, 10**5), (3, 10**8, 10**9)], ids=str
)
def test_the_law_that_a_high_power_is_summed_over_is_another(
    cell: tuple[int, int, int], power: float
) -> None:
    law = CellLaw(*arrays(*cell))
    (nodes,) = law.nodes(power)
    weight, difference = nodes.weight[:, 0], nodes.difference[:, 0]
    assert weight.sum() == pytest.approx(1.0, rel=1e-14)
    # Counts below the support are shown at its end, without weight.
    assert np.dot(weight, difference) == pytest.approx(0.0, abs=1e-12 * law.mean[0] + 1e-14)
    assert np.dot(weight, difference**2) == pytest.approx(law.variance[0], rel=1e-11)


@pytest.mark.parametrize("q", [0.3, 2.5, 7.0, 20.0, 50.0])
def test_cells_of_one_block_disturb_each_other(q: float) -> None:
    sizes = [3, 40, 418, 486, 513, 700, 1104, 2100]
    law = CellLaw(*np.array([(a, b, 2521) for a in sizes for b in sizes]).T)
    # By their information and by its variance, whose windows are longer.
    together = expected_deviance(law, q)
    spread = variances(law, q)
    for i in range(len(together)):
        cell = CellLaw(law.a[i : i + 1], law.b[i : i + 1], law.total[i : i + 1])
        assert together[i] == pytest.approx(expected_deviance(cell, q)[0], rel=1e-12, abs=0)
        assert spread[i] == pytest.approx(variances(cell, q)[0], rel=1e-11, abs=0)


def variances(law: CellLaw, q: float) -> FloatArray:
    """Return the variance of the term of order q of each cell."""
    share = law.share

    def term(nodes: Nodes) -> FloatArray:
        return generalised_deviance(
            nodes.count, nodes.mean, nodes.difference, share[nodes.cells], q
        )

    c = hahn_coefficients(law, term, q)
    return np.einsum("ij,ij->j", c[1:], c[1:])
