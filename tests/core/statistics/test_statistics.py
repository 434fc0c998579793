"""Histograms, summaries and correlations against numpy, scipy and the slow way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import pearsonr, rankdata, spearmanr

from core.statistics.correlation import BANDS, band, bootstrap, pearson, resamples_for, spearman
from core.statistics.histogram import Histogram, nice_range, nice_top
from core.statistics.summary import QUANTILES, summarise

VALUES = st.lists(
    st.one_of(st.floats(-2, 2), st.sampled_from([0.0, 1.0, 0.3, 0.05, math.nan])), max_size=60
)


# Histograms


@given(VALUES, st.integers(1, 40), st.sampled_from([(0.0, 1.0), (-1.0, 1.0), (0.1, 0.7)]))
def test_a_value_is_counted_in_another_bin_than_its_own(values, bins, ends):
    histogram = Histogram(ends[0], ends[1], bins)
    histogram.add(values[:7])
    histogram.add(values[7:])
    array = np.array(values, dtype=float)
    inside = array[(array >= ends[0]) & (array <= ends[1])]
    assert histogram.counts.tolist() == np.histogram(inside, histogram.edges)[0].tolist()
    assert histogram.below == int((array < ends[0]).sum())
    assert histogram.above == int((array > ends[1]).sum())
    assert histogram.undefined == int(np.isnan(array).sum())
    assert histogram.total == len(values)
    for value, found in zip(values, histogram.bins_of(values).tolist(), strict=True):
        if 0 <= found < bins:
            last = found == bins - 1
            low, high = histogram.edges[found : found + 2]
            assert low <= value < high or (last and value == high)


def test_a_score_on_an_edge_is_counted_below_it():
    """0.3 / 0.1 is 2.9999999999999996: dividing by the width puts it in the bin before."""
    histogram = Histogram(0, 1, 10)
    histogram.add([i / 10 for i in range(11)])
    assert histogram.counts.tolist() == [1] * 9 + [2]
    assert histogram.edges.tolist() == [i / 10 for i in range(11)]


@pytest.mark.parametrize("ends", [(1, 1), (2, 1), (0, math.inf), (math.nan, 1)])
def test_a_histogram_without_width_is_made(ends):
    with pytest.raises(ValueError, match="no width"):
        Histogram(ends[0], ends[1], 10)


@example(0.0, 5e-324)
@given(st.floats(-1e12, 1e12), st.floats(0, 1e12))
def test_a_range_leaves_values_out(low, width):
    left, right = nice_range(low, low + width)
    assert left <= low
    assert right >= low + width
    assert left < right


@given(st.floats(1e-9, 1e12))
def test_bars_are_higher_than_their_room(height):
    assert height <= nice_top(height) <= 1.3 * height
    assert nice_top(0) == 1


# Summaries


@given(VALUES)
def test_a_summary_is_not_that_of_numpy(values):
    found = summarise(values)
    array = np.array(values, dtype=float)
    there = array[~np.isnan(array)]
    assert (found.defined, found.undefined) == (len(there), len(array) - len(there))
    if not len(there):
        assert math.isnan(found.mean)
        assert math.isnan(found.dynamic_range)
        return
    assert found.low == there.min()
    assert found.high == there.max()
    assert found.low <= found.mean <= found.high
    assert found.mean == pytest.approx(there.mean(), abs=1e-12)
    if len(there) > 1:
        assert found.standard_deviation == pytest.approx(there.std(ddof=1), abs=1e-12)
    for share in QUANTILES:
        assert found.quantiles[share] == np.quantile(there, share)
    assert found.zeros == (there == 0).mean()
    assert found.ones == (there == 1).mean()
    if found.low >= -1 and found.high <= 1:
        near = (np.abs(there - found.mode) <= 0.025 + 1e-12).sum()
        assert all(
            near >= (np.abs(there - m) < 0.025 - 1e-9).sum() for m in np.arange(-0.975, 1, 0.05)
        )
    else:
        assert math.isnan(found.mode)


# Correlations

PAIRS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0, math.nan]), st.floats(-1, 1)), max_size=40
)


@given(PAIRS)
def test_a_correlation_is_not_that_of_scipy(pairs):
    x, y = (np.array([pair[i] for pair in pairs], dtype=float) for i in (0, 1))
    both = ~np.isnan(x) & ~np.isnan(y)
    for ours, theirs in ((pearson, pearsonr), (spearman, spearmanr)):
        found = ours(x, y)
        if both.sum() < 2 or np.ptp(x[both]) == 0 or np.ptp(y[both]) == 0:
            assert math.isnan(found)
        elif np.ptp(y[both]) > 1e-6:
            assert found == pytest.approx(theirs(x[both], y[both]).statistic, abs=1e-9)
        assert math.isnan(found) or abs(found) <= 1


def test_a_score_does_not_correlate_with_itself():
    x = np.random.default_rng(0).random(1000) ** 9
    assert pearson(x, x) == 1.0
    assert spearman(x, x) == 1.0


@settings(max_examples=20)
@given(st.integers(0, 1000), st.sampled_from(["pearson", "spearman"]), st.booleans())
def test_an_interval_is_not_that_of_tables_drawn_one_by_one(seed, kind, holes):
    rng = np.random.default_rng(seed)
    n, resamples = 30, 40
    # Ties, because ranks are where they matter.
    values = np.round(rng.random((3, n)), 1)
    values[1] += values[0]
    if holes:
        values[2, ::5] = np.nan
    *_, (done, found) = bootstrap(values, 0, kind, resamples, seed)
    assert done == resamples
    slow = np.random.default_rng(seed)
    drawn = [slow.integers(0, n, n) for _ in range(resamples)]
    for row in range(3):
        coefficients = []
        for numbers in drawn:
            x, y = values[0][numbers], values[row][numbers]
            both = ~np.isnan(x) & ~np.isnan(y)
            x, y = x[both], y[both]
            if kind == "spearman":
                x, y = rankdata(x), rankdata(y)
            coefficients.append(np.corrcoef(x, y)[0, 1])
        low, high = np.quantile(coefficients, [0.025, 0.975])
        assert found[row].low == pytest.approx(low, abs=1e-9)
        assert found[row].high == pytest.approx(high, abs=1e-9)
        assert found[row].tables == (~np.isnan(values[row])).sum()


def test_an_interval_of_a_score_that_does_not_vary_is_invented():
    values = np.array([[0.1, 0.2, 0.3, 0.4], [0.5, 0.5, 0.5, 0.5]])
    *_, (_, found) = bootstrap(values, 0, "pearson", 50, 0)
    assert math.isnan(found[1].coefficient)
    assert math.isnan(found[1].low)
    assert found[1].band == "undefined"


def test_many_tables_have_other_intervals_than_few_at_a_time(monkeypatch):
    rng = np.random.default_rng(1)
    values = rng.random((2, 400))
    *_, (_, whole) = bootstrap(values, 0, "spearman", 60, 3)
    monkeypatch.setattr("core.statistics.correlation._BLOCK", 1)
    *_, (_, one) = bootstrap(values, 0, "spearman", 60, 3)
    assert whole == one


def test_a_band_begins_elsewhere_than_in_the_paper():
    assert [band(r) for r in (0, 0.2499, 0.25, 0.4999, 0.5, 0.7499, 0.75, 1)] == [
        *("none", "none", "weak", "weak", "moderate", "moderate", "strong", "strong")
    ]
    assert band(-0.6) == "moderate"
    assert band(math.nan) == "undefined"
    assert BANDS[-1][0] == 1.0


def test_more_resamples_are_made_of_more_tables():
    assert [resamples_for(n) for n in (10, 10_000, 10_001, 1_000_000)] == [1000, 1000, 200, 100]
