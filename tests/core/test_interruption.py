"""Long computations can be left in the middle."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from core.cells import CellBatch
from core.interruption import InterruptedWork, checkpoint, interruptible
from core.metrics.metric import ScoreOptions
from core.scores import compute_columns
from core.simulation.dividers import DividedTotal
from core.studies.simulation import Simulation, SimulationResult
from core.table import ContingencyTable


class After:
    """Says so many times that the work is wanted, and then no more."""

    def __init__(self, asked):
        self.left = asked

    def __call__(self):
        self.left -= 1
        return self.left < 0


def test_a_checkpoint_outside_of_any_block_lets_everything_go_on():
    checkpoint()
    with interruptible(lambda: False):
        checkpoint()
    checkpoint()


def test_blocks_within_blocks_ask_the_innermost():
    with interruptible(lambda: True):
        with interruptible(lambda: False):
            checkpoint()
        with pytest.raises(InterruptedWork):
            checkpoint()


def test_another_thread_is_not_asked():
    ended = []

    def work():
        checkpoint()
        ended.append(True)

    with interruptible(lambda: True):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert ended == [True]


@pytest.mark.parametrize(
    ("key", "asked"),
    [
        ("ap_adjusted", 20),
        ("ami", 5),
        ("smi_q", 5),
        ("p_bound", 5),
        ("standardized_rand", 5),
        ("sum_of_squares_max", 5),
    ],
)
def test_one_score_of_one_large_table_can_be_left_in_the_middle(key, asked):
    counts = np.random.default_rng(3).poisson(11, (100, 100)) ** 2
    batch = CellBatch.of(ContingencyTable(counts))
    question = After(asked)
    with pytest.raises(InterruptedWork), interruptible(question):
        compute_columns([key], batch, ScoreOptions(draws=100_000))
    # Asked again after the answer it would go on working.
    assert question.left == -1


def test_a_simulation_of_slow_scores_keeps_its_tables_when_it_is_left():
    study = Simulation(DividedTotal(60, 60, 1_000_000), 5, ["ap_adjusted"])
    done: list[SimulationResult] = []
    stop = threading.Event()

    def drive():
        for step in study.run():
            assert step.partial is not None
            done.append(step.partial)
            if step.done == 2:
                stop.set()

    with pytest.raises(InterruptedWork), interruptible(stop.is_set):
        drive()
    assert done[-1].done == 2
    assert not np.isnan(done[-1].values).any()
