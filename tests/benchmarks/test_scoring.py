"""Speed of the scores, beside scikit-learn's in the same run.

Run by ``make benchmark``. Each group holds the peer and ours on the same tables.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as peer

from core.scoring import score, score_many
from core.table import ContingencyTable

FIGURE_1 = np.array([[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]])
EIGHT = (
    "ap",
    "ami",
    "ari",
    "fowlkes_mallows",
    "completeness",
    "homogeneity",
    "v_measure",
    "f1",
)


def random_tables(k: int, shape: tuple[int, int], total: int) -> np.ndarray:
    """Return tables whose cells are the gaps between uniform random cuts of the total."""
    generator = np.random.default_rng(7)
    cuts = np.sort(generator.integers(0, total, size=(k, shape[0] * shape[1] - 1)), axis=1)
    edges = np.concatenate([np.zeros((k, 1), int), cuts, np.full((k, 1), total)], axis=1)
    return np.diff(edges, axis=1).reshape(k, *shape)


def labels(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the label vectors of a table."""
    rows, columns = np.indices(table.shape)
    repeats = table.ravel()
    return np.repeat(rows.ravel(), repeats), np.repeat(columns.ravel(), repeats)


def peer_six(pairs):
    for truth, cluster in pairs:
        peer.adjusted_mutual_info_score(truth, cluster)
        peer.adjusted_rand_score(truth, cluster)
        peer.fowlkes_mallows_score(truth, cluster)
        peer.completeness_score(truth, cluster)
        peer.homogeneity_score(truth, cluster)
        peer.v_measure_score(truth, cluster)


@pytest.mark.benchmark(group="500 tables 4 x 4, N = 2,521: scikit-learn's six, our eight")
@pytest.mark.parametrize("who", ["scikit-learn", "tallyscope"])
def test_many_small_tables(benchmark, who):
    tables = random_tables(500, (4, 4), 2521)
    if who == "tallyscope":
        benchmark(score_many, tables, EIGHT)
    else:
        pairs = [labels(table) for table in tables]
        benchmark.pedantic(peer_six, args=(pairs,), rounds=2)


@pytest.mark.benchmark(group="figure 1: scikit-learn's AMI, every score of ours")
@pytest.mark.parametrize("who", ["scikit-learn", "tallyscope"])
def test_one_table(benchmark, who):
    if who == "tallyscope":
        benchmark(score, ContingencyTable(FIGURE_1))
    else:
        benchmark(peer.adjusted_mutual_info_score, *labels(FIGURE_1))


@pytest.mark.benchmark(group="AMI, 300 x 300 labels at random, N = 100,000")
@pytest.mark.parametrize("who", ["scikit-learn", "tallyscope"])
def test_ami_of_many_labels(benchmark, who):
    generator = np.random.default_rng(7)
    truth, cluster = generator.integers(0, 300, size=(2, 100_000))
    if who == "tallyscope":
        table = ContingencyTable.from_labels(truth, cluster)
        benchmark(lambda: score(table, ["ami"]))
    else:
        benchmark.pedantic(peer.adjusted_mutual_info_score, args=(truth, cluster), rounds=2)


@pytest.mark.benchmark(group="ARI from labels, 50,000 x 50,000 at random, N = 1,000,000")
@pytest.mark.parametrize("who", ["scikit-learn", "tallyscope"])
def test_ari_from_many_labels(benchmark, who):
    generator = np.random.default_rng(7)
    truth, cluster = generator.integers(0, 50_000, size=(2, 1_000_000))
    if who == "tallyscope":
        benchmark(lambda: score(ContingencyTable.from_labels(truth, cluster), ["ari"]))
    else:
        benchmark.pedantic(peer.adjusted_rand_score, args=(truth, cluster), rounds=3)
