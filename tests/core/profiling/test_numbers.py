"""What is made of times: the quiet window, costs, disturbances, fitted powers, forecasts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.profiling.disturbance import disturbances
from core.profiling.growth import Planner, fitted, runs_of
from core.profiling.machine import Machine
from core.profiling.quiet import quiet_window
from core.profiling.summary import affordable, costs

MACHINE = Machine("a processor", 4, 2**33, "a system", "Python", "Tallyscope")


def noisy(n=100, rows=3, seed=0):
    numbers = np.random.default_rng(seed)
    return np.exp(numbers.normal(0, 0.01, (rows, n))) * np.array([[0.1], [1.0], [10.0]])[:rows]


# The quiet window


@pytest.mark.parametrize("quiet_from", [0, 17, 60])
def test_the_window_is_where_it_is_quiet(quiet_from):
    times = noisy() * np.exp(np.random.default_rng(1).normal(0, 0.5, (1, 100)))
    times[:, quiet_from : quiet_from + 40] = noisy()[:, :40]
    start, stop = quiet_window(times)
    assert stop - start == 40
    assert abs(start - quiet_from) <= 2


def test_a_spike_of_one_metric_is_avoided():
    times = noisy()
    times[2, 30] *= 1000
    start, stop = quiet_window(times)
    assert not start <= 30 < stop


@given(n=st.integers(0, 60), holes=st.lists(st.integers(0, 59), max_size=60))
def test_the_window_lies_within_the_instances(n, holes):
    times = noisy(60)[:, :n]
    times[:, [hole for hole in holes if hole < n]] = np.nan
    start, stop = quiet_window(times)
    assert 0 <= start <= stop <= n
    assert stop - start == min(max(round(0.4 * n), 5), n) or n == 0


def test_equally_quiet_windows_give_the_first():
    assert quiet_window(np.ones((2, 50))) == (0, 20)


def test_metrics_that_are_timed_now_and_then_have_a_part_in_it():
    times = noisy()
    times[1] = np.nan
    times[1, ::4] = 1.0
    times[1, 0:40:4] = 30.0
    assert quiet_window(times)[0] >= 35


# Costs


def test_costs_are_those_of_numpy():
    times = noisy(60)[None]
    found = costs(times, (10, 40), ["paper"], ["ap", "ari", "ami"], resamples=200)
    for j, cost in enumerate(found):
        values = times[0, j]
        assert cost.mean == pytest.approx(values.mean())
        assert cost.quantiles[0.95] == pytest.approx(np.quantile(values, 0.95))
        assert cost.quiet_mean == pytest.approx(values[10:40].mean())
        assert cost.quiet_median == pytest.approx(np.median(values[10:40]))
        assert cost.ratio == pytest.approx(np.median(values[10:40]) / np.median(times[0, 0, 10:40]))
        assert cost.per_second == pytest.approx(1000 / values[10:40].mean())
    assert [cost.key for cost in found] == ["ap", "ari", "ami"]


def test_the_interval_of_a_ratio_holds_what_it_was_made_with():
    numbers = np.random.default_rng(5)
    inside = 0
    for _ in range(60):
        times = np.exp(numbers.normal(0, 0.3, (1, 2, 50))) * np.array([[1.0], [7.0]])
        ratio = costs(times, (0, 50), ["table"], ["ap", "ami"], resamples=200)[1]
        inside += ratio.ratio_low <= 7.0 <= ratio.ratio_high
    assert inside >= 50


def test_ratios_need_ap():
    (cost,) = costs(noisy(20, 1)[None], (0, 20), ["paper"], ["ari"], resamples=10)
    assert math.isnan(cost.ratio)
    assert math.isnan(cost.ratio_low)


def test_what_no_route_leads_to_has_no_cost():
    times = np.full((2, 2, 10), np.nan)
    times[1, 0] = 1.0
    found = costs(times, (0, 10), ["paper", "table"], ["ap", "smi_q"])
    assert [(cost.route, cost.key) for cost in found] == [("table", "ap")]


def test_a_window_between_two_times_of_the_batch_takes_all_of_them():
    times = np.full((1, 1, 100), np.nan)
    times[0, 0, ::20] = 2.0
    (cost,) = costs(times, (3, 9), ["batch"], ["ap"])
    assert cost.quiet_mean == 2.0
    assert cost.instances == 5


def test_a_budget_buys_whole_tables():
    found = costs(np.full((1, 1, 10), 3.0), (0, 10), ["table"], ["ap"])
    (bought,) = affordable(found, 1.0)
    assert bought.tables == 333
    assert affordable(found, 0.0)[0].tables == 0


@pytest.mark.parametrize("budget", [-1.0, math.nan, math.inf])
def test_a_budget_without_meaning_is_refused(budget):
    with pytest.raises(ValueError, match="budget"):
        affordable([], budget)


# Disturbances


def said(waited=1.0, yardstick=0.1, n=200, **state):
    waited = np.broadcast_to(waited, n).astype(float)
    yardstick = np.broadcast_to(yardstick, n).astype(float)
    powers = state.pop("powers", ("mains",))
    began = state.pop("began", MACHINE)
    return " ".join(disturbances(waited, yardstick, began, MACHINE, powers))


def test_a_quiet_machine_disturbs_nothing():
    assert said() == ""


def test_other_programs_at_work_are_noticed():
    waited = np.where(np.arange(200) % 5, 1.0, 1.6)
    assert "In 20 % of the instances other programs" in said(waited)


def test_a_machine_that_was_at_work_before_is_noticed():
    from dataclasses import replace

    assert "load 3.1 on 4 cores" in said(began=replace(MACHINE, load=3.1))
    assert said(began=replace(MACHINE, load=1.0)) == ""


@pytest.mark.parametrize(("slow", "where"), [(slice(0, 20), "beginning"), (slice(170, 200), "end")])
def test_a_clock_that_changes_is_noticed(slow, where):
    yardstick = np.full(200, 0.1)
    yardstick[slow] *= 1.3
    assert f"30 % longer at the {where}" in said(yardstick=yardstick)


def test_spikes_of_the_yardstick_are_no_change_of_the_clock():
    yardstick = np.full(200, 0.1)
    yardstick[::7] *= 3
    assert said(yardstick=yardstick) == ""


def test_an_unplugged_laptop_is_noticed():
    assert "from mains to battery" in said(powers=("mains", "battery"))
    assert "ran on battery" in said(powers=("battery",))
    assert said(powers=("unknown",)) == ""


def test_the_first_instances_alone_say_nothing_of_the_clock():
    assert said(yardstick=np.array([0.1, 0.3]), n=2) == ""


# Growth


@given(
    power=st.floats(-1.0, 3.0).filter(lambda p: abs(p) > 0.4),
    scale=st.floats(1e-4, 1e3),
)
def test_a_power_is_found_again(power, scale):
    sizes = np.logspace(2, 8, 13)
    fit = fitted(sizes, scale * sizes**power)
    assert fit is not None
    assert fit.exponent == pytest.approx(power, abs=1e-6)
    assert fit.low <= fit.exponent <= fit.high
    np.testing.assert_allclose(fit.at(sizes[-3:]), scale * sizes[-3:] ** power, rtol=1e-6)


def test_what_every_call_costs_does_not_flatten_a_power():
    sizes = np.logspace(2, 8, 13)
    fit = fitted(sizes, 1.0 + 1e-5 * sizes)
    assert fit is not None
    assert not fit.flat
    assert fit.first > 1e5
    assert fit.exponent == pytest.approx(1.0, abs=0.1)


def test_a_cost_that_does_not_grow_is_said_to_be_flat():
    fit = fitted([1, 10, 100, 1000], [1.0, 1.02, 0.99, 1.01])
    assert fit is not None
    assert fit.flat
    assert fit.exponent == pytest.approx(0, abs=0.02)


@pytest.mark.parametrize("costs", [[], [1.0], [1.0, 2.0], [1.0, 2.0, math.nan], [1, 0, 2]])
def test_less_than_three_costs_have_no_power(costs):
    assert fitted(range(1, len(costs) + 1), costs) is None


def test_the_interval_holds_the_power_that_noise_hides():
    numbers, inside = np.random.default_rng(0), 0
    sizes = np.logspace(2, 6, 9)
    for _ in range(100):
        fit = fitted(sizes, sizes**0.8 * np.exp(numbers.normal(0, 0.2, 9)))
        assert fit is not None
        inside += fit.low <= 0.8 <= fit.high
    assert 85 <= inside <= 100


def test_forecasts_follow_the_last_points_and_never_grow_slower_than_known():
    planner = Planner("items")
    assert math.isnan(planner.seconds("paper", "ami", 100))
    planner.add("paper", "ami", 100, 1e-3)
    assert planner.seconds("paper", "ami", 50) == 1e-3
    # Nothing is known of the growth yet: labels cost what they are.
    assert planner.seconds("paper", "ami", 1000) == pytest.approx(1e-2)
    planner.add("paper", "ami", 1000, 1e-1)
    assert planner.seconds("paper", "ami", 10_000) == pytest.approx(10.0)
    planner.add("paper", "ami", 10_000, 0.1)
    assert planner.seconds("paper", "ami", 100_000) == pytest.approx(1.0)


def test_what_is_too_slow_or_done_takes_no_more_time():
    planner = Planner("items")
    planner.add("paper", "ami", 100, 1.0)
    assert planner.total([100, 1000], 5.0, set()) == pytest.approx(3.0)
    assert planner.total([100, 1000], 5.0, {("paper", "ami", 100)}) == 0.0


@pytest.mark.parametrize(("seconds", "runs"), [(10.0, 3), (0.05, 3), (0.01, 15), (1e-6, 50)])
def test_short_calls_are_timed_often(seconds, runs):
    assert runs_of(seconds) == runs
