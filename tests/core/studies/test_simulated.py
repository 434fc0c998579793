"""What is looked up in simulations: found by a slow search, too."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import METRICS
from core.metrics.metric import ScoreOptions
from core.simulation.dividers import DividedTotal
from core.simulation.presets import PAPER_METRICS
from core.statistics.summary import summarise
from core.studies.simulated import (
    FillHistograms,
    Pick,
    PickTables,
    SummariseScores,
    own_axis,
    shared_axis,
    shared_bins,
    shares_an_axis,
)
from core.studies.simulation import Simulation
from core.studies.study import run_to_end

SCORES = st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8, 1.0, -0.1, math.nan]), max_size=50)


@given(SCORES, st.integers(1, 12), st.sampled_from(["highest", "lowest"]))
def test_the_best_tables_are_others(scores, most, how):
    array = np.array(scores, dtype=float)
    found = run_to_end(PickTables(array, Pick("ap", how), most))
    there = [(s, i) for i, s in enumerate(scores) if not math.isnan(s)]
    sign = -1 if how == "highest" else 1
    expected = [i for s, i in sorted(there, key=lambda pair: (sign * pair[0], pair[1]))]
    assert found.numbers.tolist() == expected[:most]
    assert found.total == len(there)


@given(SCORES, st.booleans())
def test_the_tables_of_a_bar_are_not_those_that_it_counts(scores, last):
    array = np.array(scores, dtype=float)
    (histogram,) = run_to_end(FillHistograms(array[None, :], [(0.0, 1.0)], 4))
    place = 3 if last else 1
    low, high = histogram.edges[place : place + 2]
    found = run_to_end(PickTables(array, Pick("ap", "between", low, high, last), 1000))
    assert found.total == histogram.counts[place]
    assert found.numbers.tolist() == np.flatnonzero(histogram.bins_of(array) == place).tolist()


@given(SCORES)
def test_zeros_and_tables_without_a_score_are_not_found(scores):
    array = np.array(scores, dtype=float)
    zeros = run_to_end(PickTables(array, Pick("ap", "equal", 0.0)))
    assert zeros.numbers.tolist() == [i for i, s in enumerate(scores) if s == 0]
    missing = run_to_end(PickTables(array, Pick("ap", "undefined")))
    assert missing.numbers.tolist() == [i for i, s in enumerate(scores) if math.isnan(s)]


def test_what_was_picked_is_not_said():
    assert Pick("ap", "between", 0.5, 0.55).words(2) == "AP from 0.50 to below 0.55"
    assert Pick("ap", "between", 0.95, 1.0, closed=True).words(2) == "AP from 0.95 to 1.00"
    assert Pick("ari", "equal", 0).words() == "ARI exactly 0"
    assert Pick("f1").words() == "highest F1"
    assert Pick("f1", "undefined").words() == "F1 undefined"


@pytest.mark.parametrize("bins", [10, 20, 25, 40, 50, 100])
def test_a_bin_of_a_shared_axis_has_zeros_beside_negative_scores(bins):
    """AP has many zeros and is never negative: its bar must not begin below 0."""
    least = -0.137
    axis = shared_axis([0.0, least], [0.9, 0.8], bins)
    n_bins = shared_bins(axis, bins)
    scores = np.array([[0.0, 0.3, 0.5, 1.0, -1e-9]])
    (histogram,) = run_to_end(FillHistograms(scores, [axis], [n_bins]))
    edges = histogram.edges
    assert axis[0] <= least
    assert np.allclose(np.diff(edges), 1 / bins)
    assert 0.0 in edges.tolist()
    zero = edges.tolist().index(0.0)
    assert histogram.counts[zero] == 1
    assert histogram.counts[zero - 1] == 1
    # Edges are the floats that people write.
    assert {i / bins for i in range(bins + 1)} <= set(edges.tolist())


def test_a_long_shared_axis_has_endless_bins():
    assert shared_bins((0.0, 1.0), 20) == 20
    assert shared_bins((-0.1, 1.0), 20) == 22
    assert shared_bins((-1e6, 1.0), 20) == 20


def test_axes_cut_scores_off_or_differ():
    assert shared_axis([0.2, 0.0], [0.9, 1.0]) == (0, 1)
    assert shared_axis([-0.13, 0.0], [0.9, math.nan]) == (-0.2, 1)
    assert shared_axis([math.nan], [math.nan]) == (0, 1)
    low, high = own_axis(-37.2, 401.3)
    assert low <= -37.2
    assert high >= 401.3
    assert own_axis(math.nan, math.nan) == (0, 1)
    assert own_axis(0, math.inf) == (0, 1)


def test_a_metric_shares_an_axis_that_it_leaves():
    assert all(shares_an_axis(key) for key in PAPER_METRICS)
    for key in ("chi2", "mirkin", "tp", "smi_q", "entropy_truth", "mutual_information"):
        assert not shares_an_axis(key)
    keys = [key for key, metric in METRICS.items() if metric.per == "table" and shares_an_axis(key)]
    for scenario in (DividedTotal(4, 4, 30), DividedTotal(3, 5, 200, 300)):
        found = run_to_end(Simulation(scenario, 30, keys, options=ScoreOptions(draws=20)))
        assert np.nanmin(found.values) >= -1.5
        assert np.nanmax(found.values) <= 1


def test_numbers_are_those_of_another_metric():
    values = np.random.default_rng(0).random((3, 500))
    found = run_to_end(SummariseScores(("ap", "ari", "f1"), values))
    assert list(found) == ["ap", "ari", "f1"]
    assert found["f1"] == summarise(values[2])
