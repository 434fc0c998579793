"""Speed of simulations beside the scikit-learn route, and what a million tables need.

Run by ``make benchmark ARGS="-k simulation"``. The peer is what a script of the AP paper does:
label vectors of each table, six functions of scikit-learn, AP and F1 in plain numpy. To make
the tables and their label vectors is not counted for it; ours makes the tables as well.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.simulation.presets import PAPER_METRICS, PRESETS
from core.studies.simulation import Simulation
from core.studies.study import run_to_end
from tests.benchmarks.peers import MissingPeerError, labels, module

ROOT = Path(__file__).parents[2]
SCENARIO = PRESETS["low_4x4"].scenario
TABLES = 500
MILLION = 1_000_000
MOST_MEMORY = 600_000_000


def ap(table: np.ndarray) -> float:
    """Return AP of a table without empty classes, by its formula."""
    ordered = np.sort(table, axis=1)
    peakiness = np.mean((ordered[:, -1] - ordered[:, -2]) / ordered[:, -1])
    votes = np.bincount(table.argmax(axis=1))
    pairs = len(table) * (len(table) - 1)
    associativity = 1 - np.sum(votes * (votes - 1)) / pairs
    both = associativity + peakiness
    return float(2 * associativity * peakiness / both) if both else 0.0


def f1(table: np.ndarray) -> float:
    """Return F1 of truth class accuracy and cluster purity."""
    accuracy = np.mean(table.max(axis=1) / table.sum(axis=1))
    purity = np.mean(table.max(axis=0) / table.sum(axis=0))
    return float(2 * accuracy * purity / (accuracy + purity))


def by_scikit_learn(tables: list[np.ndarray], vectors: list) -> np.ndarray:
    """Return the eight scores of each table, shape (8, n), in the order of the paper."""
    peer = module("sklearn.metrics")
    of_labels = (
        peer.adjusted_mutual_info_score,
        peer.adjusted_rand_score,
        peer.fowlkes_mallows_score,
        peer.completeness_score,
        peer.homogeneity_score,
        peer.v_measure_score,
    )
    found = [
        [ap(table), *(function(*pair) for function in of_labels), f1(table)]
        for table, pair in zip(tables, vectors, strict=True)
    ]
    return np.array(found).T


@pytest.mark.benchmark(group="simulation: 500 tables 4 x 4, N = 2,521, the eight scores")
class TestSimulation:
    def test_tallyscope(self, benchmark):
        simulation = Simulation(SCENARIO, TABLES, n_jobs=1)
        result = benchmark(lambda: run_to_end(simulation))
        assert result.done == TABLES

    def test_scikit_learn(self, benchmark):
        result = run_to_end(Simulation(SCENARIO, TABLES, n_jobs=1))
        tables = [np.asarray(table.counts) for table in result.tables(range(TABLES))]
        vectors = [labels(table) for table in tables]
        try:
            found = benchmark.pedantic(by_scikit_learn, (tables, vectors), rounds=3)
        except MissingPeerError as missing:
            pytest.skip(str(missing))
        # Both did the same work; where a table lacks a class or a cluster they may differ.
        whole = [bool(t.any(axis=0).all() and t.any(axis=1).all()) for t in tables]
        np.testing.assert_allclose(found[:, whole], result.values[:, whole], atol=1e-12)


CHILD = f"""
import resource, time
from core.simulation.presets import PRESETS
from core.studies.simulation import Simulation
from core.studies.study import run_to_end
started = time.perf_counter()
result = run_to_end(Simulation(PRESETS["low_4x4"].scenario, {MILLION}, n_jobs=1))
assert result.complete and len(result.keys) == {len(PAPER_METRICS)}
print(time.perf_counter() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted in other units elsewhere")
@pytest.mark.benchmark(group="simulation: a million tables 4 x 4, the eight scores")
def test_a_million_tables(benchmark):
    def run() -> tuple[float, float]:
        done = subprocess.run(
            [sys.executable, "-c", CHILD], cwd=ROOT, capture_output=True, text=True, check=True
        )
        seconds, memory = map(float, done.stdout.split())
        return seconds, memory

    seconds, memory = benchmark.pedantic(run, rounds=1)
    benchmark.extra_info |= {"seconds": seconds, "peak": memory}
    print(f"\na million tables: {seconds:.1f} s, {memory / 1e6:.0f} MB")
    assert memory < MOST_MEMORY
