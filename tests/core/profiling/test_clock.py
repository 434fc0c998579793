"""The clock for short calls."""

from __future__ import annotations

import gc
import time

import pytest

from core.profiling.clock import Clock, undisturbed, yardstick


def test_the_clock_knows_what_it_costs():
    clock = Clock.measured()
    assert 0 < clock.resolution < 1e6
    assert 0 <= clock.overhead < 1e6


def test_a_sleep_takes_its_time():
    spent = Clock.measured().time(lambda: time.sleep(0.02))
    assert 0.02 <= spent < 0.2


def test_a_repeated_call_is_divided_by_its_repeats():
    calls: list[int] = []

    def call():
        calls.append(1)
        time.sleep(0.005)

    spent = Clock(40.0, 1.0).time(call, repeats=4)
    assert len(calls) == 4
    assert 0.005 <= spent < 0.05


def test_the_clock_itself_is_taken_off():
    """Nothing costs nothing, but never less."""
    dear = Clock(1e9, 1.0)
    assert dear.time(lambda: None) == pytest.approx(1e-9)


@pytest.mark.parametrize(
    ("seconds", "repeats"), [(1.0, 1), (2.1e-6, 1), (1e-6, 2), (1e-7, 20), (1e-12, 1000)]
)
def test_short_calls_are_repeated(seconds, repeats):
    assert Clock(40.0, 1.0).repeats(seconds) == repeats


def test_no_garbage_is_collected_while_it_is_timed_and_again_afterwards():
    assert gc.isenabled()
    with undisturbed():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_numbers_are_crunched_by_one_thread_while_it_is_timed():
    from threadpoolctl import threadpool_info

    with undisturbed():
        assert {pool["num_threads"] for pool in threadpool_info()} <= {1}


def test_the_yardstick_is_always_the_same_work():
    assert yardstick() == yardstick() > 0
