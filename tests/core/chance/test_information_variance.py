"""Mean and variance of the information under the margins, against sums over all tables."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.cells import CellBatch, FloatArray
from core.chance.expected_information import expected_information
from core.chance.hypergeometric import CellLaw
from core.chance.information_variance import information_variance, information_variance_parts
from core.metrics.information import information_is_fixed
from core.scoring import score
from core.table import ContingencyTable
from tests.core import exact
from tests.core.chance.test_expected_information import with_margins
from tests.core.strategies import SMALL, Table, tables

ORDERS = (0.3, 0.5, 1.0, 1.2, 2.0, 3.0, 7.0)

Margins = tuple[Sequence[int], Sequence[int]]


def variance(*given_tables: Any, q: float = 1.0) -> FloatArray:
    """Return the variance of the information of tables."""
    batch = CellBatch.of(list(given_tables))
    return information_variance(batch, q) / batch.total_float**2


def mean_above(table: Any, q: float) -> float:
    """Return the expected information above independence of a table."""
    batch = CellBatch.of(table)
    return float((expected_information(batch, q) / batch.total_float)[0])


@st.composite
def small_margins(draw: st.DrawFn) -> Margins:
    """Draw margins that few enough tables have."""
    most = draw(st.integers(2, 3))
    row = st.lists(st.integers(1, 5), min_size=2, max_size=most)
    rows = sorted(draw(row))
    total = sum(rows)
    c = draw(st.integers(2, min(most, total)))
    cuts = draw(st.lists(st.integers(1, total - 1), min_size=c - 1, max_size=c - 1, unique=True))
    ends = [0, *sorted(cuts), total]
    # A class or two that hold more than half of the items, or not.
    return rows, [end - start for start, end in itertools.pairwise(ends)]


@given(small_margins(), st.sampled_from([*ORDERS, 0.01, 1 + 1e-9, 1 - 1e-6, 20.0]))
@example(((1, 1, 1, 4), (1, 1, 2, 3)), 1.0)
@example(((2, 2, 2), (3, 3)), 1.2)
@example(((1, 8), (2, 7)), 0.3)
@example(((29, 31), (15, 45)), 0.3)
@example(((30, 20), (13, 17, 20)), 0.01)
@example(((1, 1), (1, 1)), 2.0)
@example(((1, 2), (1, 2)), 50.0)
@example(((12, 1), (3, 10)), 300.0)
@example(((2, 3, 45), (5, 45)), 7.0)
def test_mean_and_variance_differ_from_the_sums_over_all_tables(margins: Margins, q: float) -> None:
    rows, columns = margins
    table = with_margins(list(rows), list(columns))
    mean, right = exact.information_moments(rows, columns, q)
    found = mean_above(table, q)
    with localcontext(exact.DIGITS):
        h, k = exact.entropy_of_order(rows, q), exact.entropy_of_order(columns, q)
        above = float(mean - (Decimal(q) - 1) * h * k)
    # Of sixty digits the difference leaves few at a high order.
    assert found == pytest.approx(above, rel=1e-11, abs=1e-55)
    if information_is_fixed(CellBatch.of(table))[0]:
        assert right < Decimal("1e-100")
    else:
        assert variance(table, q=q)[0] == pytest.approx(float(right), rel=1e-11, abs=0)


LARGE: list[Margins] = [
    ((10, 10**8 - 10), (7, 10**8 - 7)),
    ((400, 300, 300), (500, 500)),
    ((30, 20, 950), (25, 475, 500)),
    ((2000, 3000), (100, 4900)),
    ((10**6, 2 * 10**6), (10**6, 2 * 10**6)),
    ((10**12, 3 * 10**12, 5), (10**12, 2 * 10**12, 10**12 + 5)),
    ((1, 10**9), (5 * 10**8, 5 * 10**8 + 1)),
    ((3 * 10**18, 6 * 10**18), (4 * 10**18, 5 * 10**18)),
    ((10, 9 * 10**18), (10, 9 * 10**18)),
    ((10**9 - 3, 3), (10**9 - 2, 2)),
    ((10**12,) * 3, (10**12,) * 3),
    ((40,) * 4, (20,) * 8),
]


@pytest.mark.parametrize("margins", LARGE, ids=str)
@pytest.mark.parametrize("q", [2, 3, 4, 7])
def test_the_variance_of_a_whole_order_loses_digits(margins: Margins, q: int) -> None:
    table = with_margins(*map(list, margins))
    mean, right = exact.power_moments(*margins, q)
    assert variance(table, q=float(q))[0] == pytest.approx(float(right), rel=1e-11, abs=0)
    h = 1 - sum(Fraction(n) ** q for n in margins[0]) / Fraction(sum(margins[0])) ** q
    k = 1 - sum(Fraction(n) ** q for n in margins[1]) / Fraction(sum(margins[1])) ** q
    above = float(mean - h * k / (q - 1))
    assert mean_above(table, float(q)) == pytest.approx(above, rel=1e-12, abs=0)


@pytest.mark.parametrize("q", [20, 40])
@pytest.mark.parametrize(
    "margins",
    [
        ((200, 200), (200, 200)),
        ((50, 50, 900), (50, 950)),
        ((30, 970), (20, 980)),
        ((2, 2, 96), (50, 50)),
        ((2000, 3000), (100, 4900)),
        ((3000, 17000), (2500, 17500)),
        ((10**6, 2 * 10**6), (10**6, 2 * 10**6)),
    ],
    ids=str,
)
def test_a_high_order_is_summed_where_the_counts_are_usual(margins: Margins, q: int) -> None:
    # n ** q weighs counts that are far from usual: a window about the mode misses them.
    table = with_margins(*map(list, margins))
    mean, right = exact.power_moments(*margins, q)
    assert variance(table, q=float(q))[0] == pytest.approx(float(right), rel=1e-11, abs=0)
    powers = [sum(Fraction(n) ** q for n in side) for side in margins]
    total = Fraction(sum(margins[0])) ** q
    h, k = (1 - x / total for x in powers)
    above = float(mean - h * k / (q - 1))
    assert mean_above(table, float(q)) == pytest.approx(above, rel=1e-11, abs=0)


# Sums over the one free cell with fifty digits: (a, b, N), q, mean and variance of MI_q.
SUMMED = [
    ((300000, 200000, 10**6), 0.3, -0.46973007837242853, 2.4471932852450716e-08),
    ((300000, 200000, 10**6), 1.0, 5.000016458475355e-07, 5.000032917234759e-13),
    ((300000, 200000, 10**6), 1.2, 0.05055642699557781, 1.3668790188932296e-09),
    ((50, 400000, 10**6), 0.01, -0.901651583794543, 3.8060112194873227e-07),
    ((50, 400000, 10**6), 0.3, -0.04493154874626501, 6.90432905882665e-07),
    ((50, 400000, 10**6), 1.0, 5.054515168795459e-07, 5.112803122715807e-13),
    ((50, 400000, 10**6), 1.2, 3.332647229006334e-05, 1.6006883803078736e-12),
    ((999000, 400000, 10**6), 0.3, -0.11077159786293844, 1.537764228706694e-07),
    ((999000, 400000, 10**6), 1.2, 0.0005942502102209789, 2.3962787581148193e-11),
    ((10, 7, 10**8), 0.01, -5.865582122999983e-07, 4.915005550834139e-07),
    ((10, 7, 10**8), 0.3, -3.411378916245841e-09, 1.6625022080889434e-11),
    ((10, 7, 10**8), 1.0, 1.0009326006113832e-13, 1.2380505991461381e-20),
    ((10, 7, 10**8), 1.2, 4.809051615669762e-14, 2.2504811184120194e-21),
    ((600, 24, 10**4), 0.01, -0.7158614518822785, 0.1497323964232984),
    ((600, 24, 10**4), 0.3, -0.07705292882609689, 0.001861717101297785),
    ((600, 24, 10**4), 1.0, 5.827467636051211e-05, 4.8417214949341525e-09),
    ((40, 30, 1000), 0.01, -0.6727962363269365, 0.18353575105395017),
    ((40, 30, 1000), 0.3, -0.13513489462165626, 0.007783064911743467),
    ((40, 30, 1000), 1.2, 0.0029946572784735545, 2.3421335371316323e-06),
]


@pytest.mark.parametrize(("cell", "q", "mean", "right"), SUMMED, ids=str)
def test_a_broken_order_loses_digits(
    cell: tuple[int, int, int], q: float, mean: float, right: float
) -> None:
    a, b, total = cell
    scores = score(with_margins([a, total - a], [b, total - b]), ["emi_q", "var_mi_q"], q=q)
    # Below order 1 the mean is a difference of entropies.
    assert scores["emi_q"] == pytest.approx(mean, rel=1e-11, abs=1e-15 if q < 1 else 0)
    assert scores["var_mi_q"] == pytest.approx(right, rel=1e-10, abs=0)


def test_a_small_coefficient_that_meets_large_ones_is_left_out() -> None:
    # The cells in the column of 45 have coefficients of degree 10 of 1e-8, those beside them 0.1.
    right = float(exact.information_moments((29, 31), (15, 45), 0.3)[1])
    assert variance(with_margins([29, 31], [15, 45]), q=0.3)[0] == pytest.approx(right, rel=1e-12)


@pytest.mark.parametrize("n", [10**3, 10**6, 10**9, 10**12, 10**16])
@pytest.mark.parametrize(("r", "c"), [(2, 2), (4, 4), (3, 9), (6, 2)])
def test_the_variance_does_not_tend_to_half_a_chi_square(r: int, c: int, n: int) -> None:
    table = with_margins([n * c * (i + 1) for i in range(r)], [n * r * (r + 1) // 2] * c)
    found = variance(table)[0] * float(table.total) ** 2
    limit = (r - 1) * (c - 1) / 2
    # The first correction is of the order of one over the smallest expected count.
    assert found == pytest.approx(limit, rel=max(5.0 / n, 1e-11))
    assert mean_above(table, 1.0) * table.total == pytest.approx(limit, rel=max(5.0 / n, 1e-11))


@given(st.lists(tables(SMALL, most=4), min_size=1, max_size=3), st.sampled_from(ORDERS))
def test_tables_of_one_batch_disturb_each_other(given_tables: list[Table], q: float) -> None:
    huge = [[10**12, 5], [7, 10**11]]
    together = variance(*given_tables, huge, [[0]], q=q)
    alone = [variance(t, q=q)[0] for t in given_tables] + [variance(huge, q=q)[0], 0.0]
    assert together.tolist() == pytest.approx(alone, rel=1e-12, abs=1e-30)


@given(tables(SMALL, most=5), st.sampled_from(ORDERS))
def test_exchanging_rows_and_columns_changes_a_variance(table: Table, q: float) -> None:
    turned = [list(column) for column in zip(*table, strict=True)]
    assert variance(turned, q=q)[0] == pytest.approx(variance(table, q=q)[0], rel=1e-12, abs=1e-30)


@pytest.mark.parametrize("q", [0.5, 1.0, 3.0])
@pytest.mark.parametrize(("pairs", "block"), [(1, 1 << 14), (37, 501), (10**6, 64)])
def test_pairs_are_lost_or_counted_twice_where_a_chunk_ends(
    pairs: int, block: int, q: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = with_margins([*range(1, 14), 60, 500], [*range(2, 20), 462])
    second = with_margins([3, 1, 4, 900], [8, 450, 450])
    batch = [[[0, 0]], first, second, [[3]], first, [[0]]]
    right = [variance(first, q=q)[0], variance(second, q=q)[0]]
    monkeypatch.setattr("core.chance.margin_pairs._PAIRS_AT_ONCE", pairs)
    monkeypatch.setattr("core.chance.hypergeometric._BLOCK", block)
    found = variance(*batch, q=q)
    assert found[[1, 2, 4]].tolist() == pytest.approx([*right, right[0]], rel=1e-12, abs=0)
    assert np.abs(found[[0, 3, 5]]).max() < 1e-30


def test_the_parts_of_a_variance_do_not_end_with_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = CellBatch.of(with_margins([*range(1, 14), 60, 500], [*range(2, 20), 462]))
    whole = information_variance(batch, 1.0)[0]
    monkeypatch.setattr("core.chance.margin_pairs._PAIRS_AT_ONCE", 45)
    parts = list(information_variance_parts(batch, 1.0))
    assert len(parts) > 6
    assert [part.value[0] for part in parts[:-1]] == [0.0] * (len(parts) - 1)
    assert parts[-1].done == parts[-1].pairs == 15 * 19
    assert parts[-1].value[0] == pytest.approx(whole, rel=1e-13)


def test_equal_margins_cost_more_than_one(monkeypatch: pytest.MonkeyPatch) -> None:
    items = np.arange(90_000)
    many = ContingencyTable.from_labels(items % 1000, items % 700)
    seen = 0
    nodes = CellLaw.nodes

    def counted(law: CellLaw, power: float = 0.0) -> Any:
        nonlocal seen
        seen += len(law.a)
        return nodes(law, power)

    monkeypatch.setattr(CellLaw, "nodes", counted)
    assert variance(many)[0] > 0.0
    assert seen == 2


@pytest.mark.parametrize(
    ("small", "few"), [((2, 2, 2, 2), (4, 4)), ((3, 3, 3), (3, 3, 3)), ((1, 1, 1, 3), (2, 2, 2))]
)
def test_parts_of_one_size_are_not_counted_as_many(
    small: Sequence[int], few: Sequence[int]
) -> None:
    for q in ORDERS:
        right = float(exact.information_moments(small, few, q)[1])
        assert variance(with_margins(list(small), list(few)), q=q)[0] == pytest.approx(
            right, rel=1e-12
        )
