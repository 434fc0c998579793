"""Profiles: what is timed, partial results, refusals. Each starts a process of its own."""

from __future__ import annotations

import multiprocessing

import numpy as np
import pytest

from core.profiling.paper import explanations, order_sentence, paper_times
from core.profiling.routes import ROUTES
from core.scores import UnknownMetricError
from core.simulation.dividers import DividedTotal
from core.simulation.presets import PAPER_METRICS
from core.simulation.scenario import SimulationError
from core.studies.profiling import Profile
from core.studies.scaling import SIZES, Scaling
from core.studies.study import run_to_end


@pytest.fixture(scope="module")
def found():
    return run_to_end(Profile(instances=60, keys=(*PAPER_METRICS, "smi_q"), seed=5))


def test_every_metric_of_every_route_has_a_time_at_every_instance(found):
    assert found.complete
    assert found.done == 60
    for route in ("paper", "table"):
        for key in PAPER_METRICS:
            assert (found.of(route, key) > 0).all()
    assert np.isnan(found.of("paper", "smi_q")).all()
    batch = np.isfinite(found.of("batch", "ap"))
    assert 25 <= batch.sum() <= 30
    assert found.batch_tables == 60


def test_costs_are_in_the_order_that_the_paper_has(found):
    ours = {cost.key: cost.quiet_median for cost in found.costs() if cost.route == "paper"}
    assert ours["ami"] > max(ours["v_measure"], ours["ari"]) > ours["f1"] > ours["ap"]
    assert order_sentence(found.costs(), "paper").startswith("AMI > ")


def test_a_batch_costs_less_a_table_than_single_calls(found):
    by = {(cost.route, cost.key): cost.quiet_median for cost in found.costs()}
    for key in PAPER_METRICS:
        assert by["batch", key] < by["table", key] / 3


def test_the_machine_and_the_clock_are_told(found):
    assert found.began.cores >= 1
    assert found.began.libraries["numpy"] == np.__version__
    assert found.ended is not None
    assert found.clock.resolution > 0
    assert found.warm_up > 0
    assert (found.waited > 0.5).all()
    assert (found.yardstick > 0).all()


def test_memory_and_stages_are_measured(found):
    assert found.memory is not None
    assert (found.memory[1] > 0).all()
    assert np.isnan(found.memory[0, -1])
    assert found.stages is not None
    by_key = {cost.key: cost for cost in found.costs() if cost.route == "paper"}
    assert found.stages.total == pytest.approx(by_key["ami"].median, rel=0.5)


def test_differences_from_the_paper_are_explained(found):
    told = " ".join(explanations(found.costs(), found.stages))
    for words in ("F1 costs", "ms of scikit-learn's AMI", "milliseconds (Dell", "SMI"):
        assert words in told


def test_the_paper_has_eight_times():
    paper = paper_times()
    assert set(paper.times) == set(PAPER_METRICS)
    assert paper.ratio("ami") == pytest.approx(5.967 / 0.085)
    assert np.isnan(paper.ratio("smi_q"))


def test_who_stops_has_the_first_instances_and_no_process():
    steps = Profile(instances=20_000, routes=("table",)).run()
    partial = next(
        step.partial for step in steps if step.partial is not None and step.partial.done > 5
    )
    steps.close()
    assert not multiprocessing.active_children()
    assert not partial.complete
    assert (partial.of("table", "ap") > 0).all()
    assert partial.quiet[1] <= partial.done
    assert len(partial.costs(intervals=True)) == 8
    assert partial.disturbances() is not None


def test_partial_results_keep_what_they_had_when_more_comes():
    steps = Profile(instances=300, routes=("table",), keys=("ap",)).run()
    partials = [step.partial for step in steps if step.partial is not None]
    for before in partials[:-1]:
        np.testing.assert_array_equal(
            before.of("table", "ap"), partials[-1].of("table", "ap")[: before.done]
        )


def test_another_table_is_timed_with_another_seed():
    task = Profile(DividedTotal(3, 5, 50), instances=3, routes=("batch",), keys=("ap",))
    assert run_to_end(task).batch_tables == 3


@pytest.mark.parametrize(
    ("setting", "changes"),
    [
        ("instances", {"instances": 0}),
        ("instances", {"instances": 20_001}),
        ("instances", {"instances": 2.5}),
        ("seed", {"seed": -1}),
        ("metrics", {"keys": ()}),
        ("metrics", {"keys": ("row_peakiness",)}),
        ("metrics", {"keys": ("smi_q",), "routes": ("paper",)}),
        ("routes", {"routes": ()}),
        ("routes", {"routes": ("fast",)}),
        ("total", {"scenario": DividedTotal(4, 4, 10**12)}),
        ("instances", {"scenario": DividedTotal(1000, 1000, 5000), "instances": 500}),
    ],
)
def test_settings_that_make_no_profile_are_refused(setting, changes):
    with pytest.raises(SimulationError) as caught:
        Profile(**changes)
    assert caught.value.setting == setting


def test_metrics_that_nobody_knows_are_refused():
    with pytest.raises(UnknownMetricError):
        Profile(keys=("apx",))


def test_huge_tables_are_profiled_where_no_labels_are_needed():
    task = Profile(DividedTotal(4, 4, 10**12), 3, ("ap",), ("table",))
    assert run_to_end(task).complete


# Growth


@pytest.fixture(scope="module")
def grown():
    sizes = (100, 1000, 10_000, 100_000)
    return run_to_end(Scaling("items", sizes, keys=("ap", "ami", "smi_q"), limit=1.0))


def test_every_point_has_a_cost_or_a_reason(grown):
    assert grown.complete
    assert grown.left_out == {}
    for route in ("table", "batch"):
        for key in ("ap", "ami", "smi_q"):
            assert (grown.of(route, key) > 0).all()
    assert np.isnan(grown.of("paper", "smi_q")).all()
    assert grown.scaling.points == 4 * 8
    assert grown.seconds_left == 0
    assert grown.forecast > 0


def test_labels_grow_and_tables_do_not(grown):
    labels, table = grown.of("paper", "ami"), grown.of("table", "ami")
    assert labels[-1] > 2 * labels[0]
    assert table[-1] < 3 * table[0]
    fit = grown.fit("table", "ami")
    assert fit is not None
    assert fit.exponent < 0.6


def test_points_that_would_take_too_long_are_left_out_with_a_reason():
    task = Scaling(
        "items", (1000, 100_000, 10_000_000), keys=("ami",), routes=("paper",), limit=0.05
    )
    found = run_to_end(task)
    assert found.complete
    place = ("paper", "ami", 10_000_000)
    assert ("paper", "ami", 1000) not in found.left_out
    assert "one call would take about" in found.left_out[place]


def test_points_that_would_not_fit_in_memory_are_left_out_with_a_reason():
    task = Scaling("items", (1000, 10**9), keys=("ap", "ami"), routes=("paper",), memory=10**9)
    found = run_to_end(task)
    assert "120.0 GB of memory" in found.left_out["paper", "ami", 10**9]


@pytest.mark.parametrize("axis", ["shape", "tables"])
def test_other_sizes_grow_too(axis):
    found = run_to_end(Scaling(axis, (2, 5, 20), keys=("ap",)))
    assert found.complete
    assert (found.of("table", "ap") > 0).all()
    if axis == "tables":
        assert found.of("table", "ap")[2] > 4 * found.of("table", "ap")[0]


def test_who_stops_growth_has_the_first_points_and_no_process():
    steps = Scaling("items", keys=("ap",), routes=("table",)).run()
    partial = next(
        step.partial for step in steps if step.partial is not None and step.partial.done > 1
    )
    steps.close()
    assert not multiprocessing.active_children()
    assert not partial.complete
    assert np.isfinite(partial.costs).sum() == partial.done


@pytest.mark.parametrize(
    ("setting", "changes"),
    [
        ("axis", {"axis": "time"}),
        ("sizes", {"sizes": (0, 3)}),
        ("sizes", {"axis": "shape", "sizes": (5000,)}),
        ("sizes", {"axis": "tables", "sizes": (10**7,)}),
        ("rows", {"rows": 0}),
        ("total", {"total": 0}),
        ("limit", {"limit": 0.0}),
        ("limit", {"limit": float("nan")}),
        ("memory", {"memory": 0}),
        ("routes", {"routes": ("slow",)}),
    ],
)
def test_settings_that_make_no_growth_are_refused(setting, changes):
    with pytest.raises(SimulationError) as caught:
        Scaling(**changes)
    assert caught.value.setting == setting


def test_sizes_are_sorted_and_stand_once():
    assert Scaling(sizes=(10, 5, 10)).sizes == (5, 10)
    assert Scaling("shape").sizes == SIZES["shape"]
    assert Scaling("shape").total == 100_000
    assert set(Scaling().routes) == set(ROUTES)


def test_tables_of_another_size_are_compared_with_the_papers(found):
    told = " ".join(explanations(found.costs(), found.stages, DividedTotal(30, 30, 5000)))
    assert "its times are not compared" in told
    assert "milliseconds (Dell" not in told


def test_every_library_keeps_to_one_thread():
    from threadpoolctl import threadpool_info

    from core.profiling.clock import undisturbed

    with undisturbed():
        pools = threadpool_info()
    assert {pool["num_threads"] for pool in pools} == {1}
    assert any("scipy" in pool["filepath"] for pool in pools)
    assert any(pool["user_api"] == "openmp" for pool in pools)
