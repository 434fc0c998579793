"""Simulations: the same tables and scores whoever makes them, and however many at a time."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from core import METRICS, ContingencyTable, UnknownMetricError, score_many
from core.metrics.metric import ScoreOptions
from core.simulation.around import Perturbed
from core.simulation.dividers import DividedTotal
from core.simulation.presets import PAPER_METRICS, PRESETS
from core.simulation.scenario import SimulationError
from core.studies.correlations import CorrelateScores
from core.studies.simulation import MOST_BYTES, Simulation
from core.studies.study import run_to_end

LOW = PRESETS["low_4x4"].scenario
HIGHER_4X2 = PRESETS["higher_4x2"].scenario


def test_the_scores_are_not_those_of_the_tables():
    found = run_to_end(Simulation(LOW, 1500, seed=4))
    assert found.complete
    assert found.done == 1500
    tables = found.tables(range(1500))
    expected = score_many(tables, PAPER_METRICS)
    for key in PAPER_METRICS:
        np.testing.assert_allclose(found.of(key), expected[key], rtol=1e-13, atol=1e-15)
    assert found.keys == PAPER_METRICS


def test_the_first_tables_of_a_longer_simulation_are_others():
    few = run_to_end(Simulation(LOW, 300, seed=4))
    many = run_to_end(Simulation(LOW, 3000, seed=4))
    assert (few.values == many.values[:, :300]).all()
    assert (run_to_end(Simulation(LOW, 300, seed=5)).values != few.values).any()


@pytest.mark.parametrize(
    ("scenario", "keys"),
    [
        (HIGHER_4X2, PAPER_METRICS),
        (DividedTotal(4, 4, 2521, 1000, "paper"), ("ap", "ami")),
        (Perturbed(ContingencyTable([[9, 2], [3, 8]]), 0.2), ("ap", "smi_q")),
        (DividedTotal(3, 3, 40), ("ap_adjusted", "ari_max")),
    ],
)
def test_two_workers_make_other_scores_than_one(scenario, keys):
    n = 40 if "ap_adjusted" in keys else 2500 if keys is PAPER_METRICS else 200
    options = ScoreOptions(draws=50, seed=3)
    one = run_to_end(Simulation(scenario, n, keys, 7, options, n_jobs=1))
    two = run_to_end(Simulation(scenario, n, keys, 7, options, n_jobs=2))
    np.testing.assert_array_equal(one.values, two.values)
    assert one.undefined == two.undefined


def test_why_scores_do_not_exist_is_forgotten():
    found = run_to_end(Simulation(DividedTotal(2, 2, 3), 2000, ("ap", "associativity", "f1")))
    lacking = int(np.isnan(found.of("associativity")).sum())
    assert lacking > 100
    (why,) = found.undefined["associativity"]
    assert found.undefined["associativity"] == {why: lacking}
    assert "two truth classes" in why
    assert "f1" not in found.undefined


def test_whoever_stops_loses_what_is_there():
    steps = Simulation(LOW, 200_000, seed=4).run()
    partial = None
    for step in steps:
        partial = step.partial
        if step.done:
            break
    steps.close()
    assert partial is not None
    assert 0 < partial.done < 200_000
    assert not partial.complete
    whole = run_to_end(Simulation(LOW, partial.done, seed=4))
    assert (partial.values == whole.values).all()


def test_stopping_many_workers_leaves_threads_or_raises():
    before = {thread.name for thread in threading.enumerate()}
    steps = Simulation(LOW, 200_000, seed=4, n_jobs=2).run()
    next(steps)
    next(steps)
    steps.close()
    left = [t.name for t in threading.enumerate() if t.name not in before]
    # joblib keeps its processes, and what looks after them, for whoever comes next.
    kept = ("ExecutorManagerThread", "QueueFeederThread", "QueueManagerThread")
    assert not [name for name in left if not name.startswith(kept)], left


@pytest.mark.parametrize(
    ("change", "setting"),
    [
        ({"tables": 0}, "tables"),
        ({"tables": -5}, "tables"),
        ({"tables": 2.5}, "tables"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**63}, "seed"),
        ({"seed": None}, "seed"),
        ({"keys": ()}, "metrics"),
        ({"keys": ("row_peakiness",)}, "metrics"),
    ],
)
def test_a_setting_without_meaning_is_simulated(change, setting):
    with pytest.raises(SimulationError) as caught:
        Simulation(LOW, **{"tables": 10, **change})
    assert caught.value.setting == setting


def test_a_thousand_million_tables_are_begun():
    with pytest.raises(
        SimulationError, match=r"would take 64\.0 GB of memory: choose at most 16,7"
    ):
        Simulation(LOW, 1_000_000_000)
    # A million fit, whatever is asked of them at once.
    assert Simulation(LOW, 1_000_000).tables * 8 * 8 < MOST_BYTES


def test_an_unknown_metric_is_simulated():
    with pytest.raises(UnknownMetricError):
        Simulation(LOW, 10, ("nonsense",))


def test_a_metric_cannot_be_simulated():
    keys = [key for key, metric in METRICS.items() if metric.per == "table"]
    found = run_to_end(Simulation(DividedTotal(3, 3, 30), 3, keys, options=ScoreOptions(draws=20)))
    assert found.values.shape == (len(keys), 3)


def test_two_clusters_tell_four_classes_apart():
    """Associativity of four classes in two clusters is at most 2/3, AP at most 0.8."""
    found = run_to_end(Simulation(HIGHER_4X2, 5000, ("ap",), seed=2))
    ap = found.of("ap")
    assert (ap == 0).mean() > 0.02
    full = np.array([(table.row_sums > 0).all() for table in found.tables(range(5000))])
    assert 0.75 < ap[full].max() <= 0.8
    # A class without items is none: two of them can be told apart.
    assert ap[~full & ~np.isnan(ap)].max() > 0.8


def test_correlations_are_there_before_their_intervals():
    found = run_to_end(Simulation(LOW, 500, seed=1))
    steps = list(CorrelateScores(found.keys, found.values, "ap", resamples=200, seed=1).run())
    first, last = steps[0].partial, steps[-1].result
    assert first is not None
    assert last is not None
    assert first.by_key["f1"].coefficient == last.by_key["f1"].coefficient
    assert np.isnan(first.by_key["f1"].low)
    assert last.by_key["f1"].low < last.by_key["f1"].coefficient < last.by_key["f1"].high
    assert last.by_key["ap"].coefficient == 1
    assert list(last.by_key) == list(PAPER_METRICS)
    assert last.resamples == 200
