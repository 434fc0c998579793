"""What is measured: each row is a piece of work, ours and the peers' that do the same.

A row prepares its data first; what it returns is called and timed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.metrics.catalogue import METRICS
from core.scoring import score, score_many
from core.table import ContingencyTable
from tests.benchmarks.peers import MissingPeerError, labels, module

Work = Callable[[], object]
Prepare = Callable[[], Work]

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
LIVE = [key for key, metric in METRICS.items() if metric.when == "live"]
MILLION = 1_000_000


@dataclass(frozen=True)
class Goal:
    """How ours should compare with the peer.

    Attributes
    ----------
    ratio : float
    faster : bool
        Whether the ratio is how many times faster ours is at least, or how many of the
        peer's times it may take at most.
    """

    ratio: float
    faster: bool

    def __str__(self) -> str:
        return f"{self.ratio:g} times faster" if self.faster else f"at most {self.ratio:g} of it"

    def held(self, theirs: float, ours: float) -> bool:
        """Say whether two times hold the goal."""
        return theirs >= self.ratio * ours if self.faster else ours <= self.ratio * theirs


def faster(ratio: float) -> Goal:
    """Return the goal to be so many times faster."""
    return Goal(ratio, True)


def at_most(ratio: float) -> Goal:
    """Return the goal to take no more than so many of the peer's times."""
    return Goal(ratio, False)


@dataclass(frozen=True)
class TimedByR:
    """Work of an R package on label vectors; R itself takes the time of the call."""

    package: str
    code: str
    prepare: Callable[[], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Row:
    """One piece of work, ours and the peers'.

    Attributes
    ----------
    work : str
        What is done; the name of the group.
    ours : callable
        Prepares, and returns the work.
    peers : mapping of str to callable or TimedByR
        The same for each peer; a peer that is not installed raises MissingPeerError.
    goals : mapping of str to Goal
        By peer.
    once : tuple of str
        Who is so slow that one round must do.
    memory : bool
        Whether the peak memory of ours is taken too.
    """

    work: str
    ours: Prepare
    peers: Mapping[str, Prepare | TimedByR]
    goals: Mapping[str, Goal] = field(default_factory=dict)
    once: tuple[str, ...] = ()
    memory: bool = False


def random_tables(k: int, shape: tuple[int, int] = (4, 4), total: int = 2521) -> np.ndarray:
    """Return tables whose cells are the gaps between uniform random cuts of the total."""
    generator = np.random.default_rng(7)
    cuts = np.sort(generator.integers(0, total, size=(k, shape[0] * shape[1] - 1)), axis=1)
    edges = np.concatenate([np.zeros((k, 1), int), cuts, np.full((k, 1), total)], axis=1)
    return np.diff(edges, axis=1).reshape(k, *shape)


def random_labels(n_labels: int, n: int = MILLION) -> tuple[np.ndarray, np.ndarray]:
    """Return two independent vectors of labels, all equally likely."""
    truth, cluster = np.random.default_rng(7).integers(0, n_labels, size=(2, n))
    return truth, cluster


def zipf_labels(n_labels: int, n: int = MILLION) -> tuple[np.ndarray, np.ndarray]:
    """Return two independent vectors of labels, the k-th with a chance in proportion to 1/k."""
    chance = 1 / np.arange(1, n_labels + 1)
    truth, cluster = np.random.default_rng(7).choice(n_labels, size=(2, n), p=chance / chance.sum())
    return truth, cluster


def residues(n: int = MILLION) -> tuple[np.ndarray, np.ndarray]:
    """Return the labels i mod 8000 and i mod 7000."""
    items = np.arange(n)
    return items % 8000, items % 7000


# Ours


def many(tables: np.ndarray, keys: Sequence[str]) -> Work:
    """Return the work of scoring an array of tables."""
    return lambda: score_many(tables, keys)


def one(counts: np.ndarray, keys: Sequence[str]) -> Work:
    """Return the work of making a table of an array and scoring it."""
    return lambda: score(ContingencyTable(counts), keys)


def from_labels(data: tuple[np.ndarray, np.ndarray], key: str) -> Work:
    """Return the work of counting labels and scoring them."""
    return lambda: score(ContingencyTable.from_labels(*data), [key])


def counted(data: tuple[np.ndarray, np.ndarray], key: str) -> Work:
    """Return the work of scoring labels that are counted beforehand."""
    table = ContingencyTable.from_labels(*data)
    return lambda: score(table, [key])


# The peers


def sklearn_each(tables: Sequence[np.ndarray], *names: str) -> Work:
    """Return the work of some of scikit-learn's scores on the label vectors of tables."""
    peer = module("sklearn.metrics")
    functions = [getattr(peer, f"{name}_score") for name in names]
    data = [labels(table) for table in tables]
    return lambda: [function(*pair) for pair in data for function in functions]


def sklearn_labels(data: tuple[np.ndarray, np.ndarray], name: str) -> Work:
    """Return the work of one of scikit-learn's scores on label vectors."""
    function = getattr(module("sklearn.metrics"), f"{name}_score")
    return lambda: function(*data)


def genieclust_each(tables: np.ndarray, name: str) -> Work:
    """Return the work of one of genieclust's scores on tables, in the type that it takes."""
    function = getattr(module("genieclust.compare_partitions"), f"{name}_score")
    given = [np.array(table, np.float64, order="C") for table in tables]
    return lambda: [function(table) for table in given]


def genieclust_slow(data: tuple[np.ndarray, np.ndarray], name: str) -> Work:
    """Return the same for one large table, where the caller has asked for slow peers."""
    module("genieclust.compare_partitions")
    if not os.environ.get("SLOW_PEERS"):
        raise MissingPeerError("takes a minute: set SLOW_PEERS=1 to include it")
    return genieclust_each(ContingencyTable.from_labels(*data).counts[np.newaxis], name)


def unique_pairs(data: tuple[np.ndarray, np.ndarray]) -> Work:
    """Return the work of numpy.unique over the pairs as rows of an (N, 2) array."""
    pairs = np.column_stack(data)
    return lambda: np.unique(pairs, axis=0, return_counts=True)


def unique_codes(data: tuple[np.ndarray, np.ndarray]) -> Work:
    """Return the work of numpy.unique over the pairs as one code each."""
    truth, cluster = data
    return lambda: np.unique(truth * (cluster.max() + 1) + cluster, return_counts=True)


SIX = (
    "adjusted_mutual_info",
    "adjusted_rand",
    "fowlkes_mallows",
    "completeness",
    "homogeneity",
    "v_measure",
)

ROWS = (
    Row(
        "500 tables 4 × 4, N = 2,521: the eight scores of the AP paper; scikit-learn its six",
        ours=lambda: many(random_tables(500), EIGHT),
        peers={"scikit-learn": lambda: sklearn_each([*random_tables(500)], *SIX)},
        goals={"scikit-learn": faster(200)},
    ),
    Row(
        "the same 500: AMI",
        ours=lambda: many(random_tables(500), ["ami"]),
        peers={
            "genieclust": lambda: genieclust_each(random_tables(500), "adjusted_mi"),
            "scikit-learn": lambda: sklearn_each([*random_tables(500)], "adjusted_mutual_info"),
        },
        goals={"genieclust": faster(12)},
    ),
    Row(
        "the same 500: AP; genieclust its ARI",
        ours=lambda: many(random_tables(500), ["ap"]),
        peers={"genieclust": lambda: genieclust_each(random_tables(500), "adjusted_rand")},
        goals={"genieclust": at_most(2)},
    ),
    Row(
        "one table 4 × 4, N = 2,521: every live score; scikit-learn its AMI",
        ours=lambda: one(FIGURE_1, LIVE),
        peers={"scikit-learn": lambda: sklearn_each([FIGURE_1], "adjusted_mutual_info")},
        goals={"scikit-learn": at_most(2)},
    ),
    Row(
        "one table 4 × 4, N = 2,521: SMI, exact; scikit-learn its AMI",
        ours=lambda: one(FIGURE_1, ["smi_q"]),
        peers={"scikit-learn": lambda: sklearn_each([FIGURE_1], "adjusted_mutual_info")},
        goals={"scikit-learn": at_most(15)},
    ),
    Row(
        "labels i mod 8000 and i mod 7000, N = 1,000,000: AMI; numpy counts the pairs",
        ours=lambda: from_labels(residues(), "ami"),
        peers={
            "numpy.unique of pairs": lambda: unique_pairs(residues()),
            "numpy.unique of codes": lambda: unique_codes(residues()),
        },
        goals={"numpy.unique of pairs": at_most(5), "numpy.unique of codes": at_most(5)},
        memory=True,
    ),
    Row(
        "a table of 1,000 × 1,000 random labels, N = 1,000,000: AMI",
        ours=lambda: counted(random_labels(1000), "ami"),
        peers={"genieclust": lambda: genieclust_slow(random_labels(1000), "adjusted_mi")},
        goals={"genieclust": faster(50)},
        once=("genieclust",),
        memory=True,
    ),
    Row(
        "1,000 × 1,000 labels with Zipf margins, N = 1,000,000: AMI",
        ours=lambda: from_labels(zipf_labels(1000), "ami"),
        peers={"scikit-learn": lambda: sklearn_labels(zipf_labels(1000), "adjusted_mutual_info")},
        goals={"scikit-learn": faster(20)},
        once=("scikit-learn",),
        memory=True,
    ),
    Row(
        "50,000 × 50,000 random labels, N = 1,000,000: ARI",
        ours=lambda: from_labels(random_labels(50_000), "ari"),
        peers={
            "aricode": TimedByR("aricode", "ARI(x, y)", lambda: random_labels(50_000)),
            "scikit-learn": lambda: sklearn_labels(random_labels(50_000), "adjusted_rand"),
        },
        goals={"aricode": at_most(3)},
        memory=True,
    ),
    Row(
        "labels of 30 × 30 classes and clusters, N = 10,000: mutual information",
        ours=lambda: from_labels(random_labels(30, 10_000), "mutual_information"),
        peers={
            "mclustcomp": TimedByR(
                "mclustcomp",
                "mclustcomp(x, y, types = 'mi')$scores",
                lambda: random_labels(30, 10_000),
            ),
            "scikit-learn": lambda: sklearn_labels(random_labels(30, 10_000), "mutual_info"),
        },
    ),
)


@dataclass(frozen=True)
class Series:
    """How the cost of ours grows.

    Attributes
    ----------
    work, by : str
        What is done, and what grows.
    sizes : tuple of int
    ours : callable
        Takes a size, prepares, and returns the work.
    exponent : float or None
        The growth that it should not exceed, from the first size to the last.
    """

    work: str
    by: str
    sizes: tuple[int, ...]
    ours: Callable[[int], Work]
    exponent: float | None = None


SERIES = (
    Series(
        "SMI, figure 1 of the AP paper with its counts multiplied",
        "N / 2,521",
        (1, 10, 100),
        lambda times: one(FIGURE_1 * times, ["smi_q"]),
        exponent=1.1,
    ),
    Series(
        "AMI, the same",
        "N / 2,521",
        (1, 10, 100, 1000, 1_000_000),
        lambda times: one(FIGURE_1 * times, ["ami"]),
    ),
    Series(
        "every live score, the same",
        "N / 2,521",
        (1, 10, 100, 1000, 1_000_000),
        lambda times: one(FIGURE_1 * times, LIVE),
    ),
    Series(
        "every live score, random labels from n × n, N = 1,000 n",
        "n",
        (10, 30, 100, 300),
        lambda n: lambda: score(ContingencyTable.from_labels(*random_labels(n, 1000 * n)), LIVE),
    ),
    Series(
        "ARI from labels, 1,000 × 1,000 at random",
        "N",
        (10_000, 100_000, 1_000_000),
        lambda n: from_labels(random_labels(1000, n), "ari"),
    ),
    Series(
        "the eight scores of tables 4 × 4, N = 2,521",
        "tables",
        (1, 10, 100, 1000, 10_000),
        lambda k: many(random_tables(k), EIGHT),
    ),
)
