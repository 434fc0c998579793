"""Other programs that compute the same scores: by what call, and what they return.

A score stands under our key, or under the key and its option: ``ami average=min``. Peers
are loaded where they are used; one that is not installed is missing, and nothing else.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import numpy as np

Table = Sequence[Sequence[float]]
Call = Callable[[Table], float]

AVERAGES = ("arithmetic", "geometric", "min", "max")


class MissingPeerError(Exception):
    """A peer is not installed; the message says how to get it."""


def labels(table: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the label vectors of a table: truth classes and clusters, int64, shape (N,)."""
    counts = np.asarray(table)
    if counts.sum() > 5_000_000:
        raise ValueError("the table has too many items for label vectors")
    rows, columns = np.indices(counts.shape)
    repeats = counts.ravel()
    return np.repeat(rows.ravel(), repeats), np.repeat(columns.ravel(), repeats)


def module(name: str) -> Any:
    """Import a peer from Python."""
    try:
        return import_module(name)
    except ImportError:
        raise MissingPeerError(f"{name} is not installed: run make benchmark-peers") from None


def _of_labels(function: Callable[..., Any], **options: Any) -> Call:
    return lambda table: float(function(*labels(table), **options))


def scikit_learn() -> Mapping[str, Call]:
    """Return scikit-learn's scores; it takes label vectors, and some take a table."""
    peer, inner = module("sklearn.metrics"), module("sklearn.metrics.cluster")

    def expected(table: Table) -> float:
        counts = np.asarray(table, np.int64)
        return float(inner.expected_mutual_information(counts, counts.sum()))

    def pairs(i: int, j: int) -> Call:
        return lambda table: float(inner.pair_confusion_matrix(*labels(table))[i, j] // 2)

    by_average = {
        f"{key} average={average}": _of_labels(
            getattr(peer, f"{name}_mutual_info_score"),
            average_method=average,
        )
        for key, name in (("ami", "adjusted"), ("nmi", "normalized"))
        for average in AVERAGES
    }
    return by_average | {
        "ami": by_average["ami average=arithmetic"],
        "nmi": by_average["nmi average=arithmetic"],
        "ari": _of_labels(peer.adjusted_rand_score),
        "rand": _of_labels(peer.rand_score),
        "fowlkes_mallows": _of_labels(peer.fowlkes_mallows_score),
        "homogeneity": _of_labels(peer.homogeneity_score),
        "completeness": _of_labels(peer.completeness_score),
        "v_measure": _of_labels(peer.v_measure_score),
        "mutual_information": lambda table: float(
            peer.mutual_info_score(None, None, contingency=np.asarray(table))
        ),
        "expected_mutual_information": expected,
        "tn": pairs(0, 0),
        "fp": pairs(0, 1),
        "fn": pairs(1, 0),
        "tp": pairs(1, 1),
    }


def genieclust() -> Mapping[str, Call]:
    """Return genieclust's scores; it takes a table, in C order."""
    peer = module("genieclust.compare_partitions")

    def of_table(function: Callable[..., Any]) -> Call:
        return lambda table: float(function(np.array(table, np.float64, order="C")))

    return {
        "ari": of_table(peer.adjusted_rand_score),
        "rand": of_table(peer.rand_score),
        "fowlkes_mallows": of_table(peer.fm_score),
        "mutual_information": of_table(peer.mi_score),
        "nmi": of_table(peer.normalized_mi_score),
        "ami": of_table(peer.adjusted_mi_score),
    }


def permetrics() -> Mapping[str, Call]:
    """Return the scores of permetrics."""
    peer = module("permetrics").ClusteringMetric

    def named(name: str) -> Call:
        def call(table: Table) -> float:
            truth, cluster = labels(table)
            # Two decimals are its default.
            return float(getattr(peer(truth, cluster), name)(decimal=17))

        return call

    return {
        "ari": named("adjusted_rand_score"),
        "rand": named("rand_score"),
        "fowlkes_mallows": named("fowlkes_mallows_score"),
        "jaccard": named("jaccard_score"),
        "mutual_information": named("mutual_info_score"),
        "nmi": named("normalized_mutual_info_score"),
        "homogeneity": named("homogeneity_score"),
        "completeness": named("completeness_score"),
        "v_measure": named("v_measure_score"),
        "purity": named("purity_score"),
    }


def clusim() -> Mapping[str, Call]:
    """Return the scores of clusim."""
    peer, clustering = module("clusim.sim"), module("clusim.clustering").Clustering

    def named(name: str, **options: Any) -> Call:
        def call(table: Table) -> float:
            truth, cluster = (
                clustering().from_membership_list(side.tolist()) for side in labels(table)
            )
            return float(getattr(peer, name)(truth, cluster, **options))

        return call

    return {
        "ari": named("adjrand_index"),
        "rand": named("rand_index"),
        "fowlkes_mallows": named("fowlkes_mallows_index"),
        "jaccard": named("jaccard_index"),
        "mutual_information": named("mi"),
        "variation_of_information": named("vi"),
        "nmi": named("nmi"),
        "ami": named("adj_mi"),
        "purity": named("purity_index"),
    }


def pycm() -> Mapping[str, Call]:
    """Return the scores of pycm, which is made for classifiers: a square table."""
    peer = module("pycm").ConfusionMatrix

    def named(name: str) -> Call:
        def call(table: Table) -> float:
            counts = [[int(n) if n == int(n) else n for n in row] for row in table]
            return float(getattr(peer(matrix=counts), name))

        return call

    return {
        "ari": named("ARI"),
        "chi2": named("Chi_Squared"),
        "cramers_v": named("V"),
        "mutual_information": named("MutualInformation"),
        "entropy_truth": named("ReferenceEntropy"),
        "entropy_cluster": named("ResponseEntropy"),
        "joint_entropy": named("JointEntropy"),
    }


def _r(package: str, calls: Mapping[str, str]) -> Mapping[str, Call]:
    r_version(package)

    def of(code: str) -> Call:
        return lambda table: run_r(package, code, labels(table))[0]

    return {key: of(code) for key, code in calls.items()}


def mclustcomp() -> Mapping[str, Call]:
    """Return the scores of mclustcomp, from R."""
    names = {
        "ari": "adjrand",
        "rand": "rand",
        "fowlkes_mallows": "fmi",
        "jaccard": "jaccard",
        "mirkin": "mirkin",
        "wallace_truth": "wallace1",
        "wallace_cluster": "wallace2",
        "mutual_information": "mi",
        "variation_of_information": "vi",
        "joint_entropy": "jent",
        "nmi average=geometric": "nmi1",
        "nmi": "nmi2",
        "chi2": "chisq",
        "max_matching_accuracy": "mmm",
        "inverse_purity": "mhm",
    }
    return _r(
        "mclustcomp",
        {key: f"mclustcomp(x, y, types = '{name}')$scores" for key, name in names.items()},
    )


def mclust() -> Mapping[str, Call]:
    """Return the scores of mclust, from R."""
    return _r(
        "mclust",
        {
            "ari": "adjustedRandIndex(x, y)",
            "max_matching_accuracy": "1 - classError(y, x)$errorRate",
        },
    )


def aricode() -> Mapping[str, Call]:
    """Return the scores of aricode, from R."""
    return _r(
        "aricode",
        {
            "ari": "ARI(x, y)",
            "rand": "RI(x, y)",
            "ami": "AMI(x, y)",
            "nmi": "NMI(x, y)",
            "chi2": "Chi2(x, y)",
            "entropy_truth": "entropy(x, y)$U",
        },
    )


def clue() -> Mapping[str, Call]:
    """Return the scores of clue, from R."""
    as_partitions = "as.cl_partition(x), as.cl_partition(y)"
    return _r(
        "clue",
        {
            "ari": f"cl_agreement({as_partitions}, method = 'cRand')[1]",
            "rand": f"cl_agreement({as_partitions}, method = 'Rand')[1]",
            "nmi average=geometric": f"cl_agreement({as_partitions}, method = 'NMI')[1]",
            "purity": f"cl_agreement({as_partitions}, method = 'purity')[1]",
            "max_matching_accuracy": f"cl_agreement({as_partitions}, method = 'diag')[1]",
        },
    )


PEERS: Mapping[str, Callable[[], Mapping[str, Call]]] = {
    "scikit-learn": scikit_learn,
    "genieclust": genieclust,
    "permetrics": permetrics,
    "clusim": clusim,
    "pycm": pycm,
    "mclustcomp": mclustcomp,
    "mclust": mclust,
    "clue": clue,
    "aricode": aricode,
}
IN_R = ("mclustcomp", "mclust", "clue", "aricode")


def version(peer: str) -> str:
    """Return the version of a peer."""
    if peer in IN_R:
        return r_version(peer)
    try:
        return metadata.version(peer)
    except metadata.PackageNotFoundError:
        raise MissingPeerError(f"{peer} is not installed") from None


# R is started once for a measurement and takes the time of the call itself: its own start
# and the reading of the data are nobody's score.
_TIMED = """
suppressWarnings(suppressMessages(library(PACKAGE)))
given <- commandArgs(trailingOnly = TRUE)
n <- file.size(given[1]) / 8
both <- readBin(given[1], "integer", n = 2 * n, size = 4)
x <- both[seq_len(n)]
y <- both[n + seq_len(n)]
times <- numeric(0)
for (round in seq_len(as.integer(given[2]))) {
    times <- c(times, system.time(value <- CODE, gcFirst = TRUE)[["elapsed"]])
}
cat(sprintf('{"value": "%.17g", "seconds": [%s]}', value, paste(times, collapse = ", ")))
"""


def _rscript(*arguments: str) -> str:
    program = shutil.which("Rscript")
    if program is None:
        raise MissingPeerError("Rscript is not installed (apt-get install r-base-core)")
    done = subprocess.run(
        [program, "--vanilla", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"R: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout


@cache
def r_version(package: str) -> str:
    """Return the version of an R package."""
    installed = f"nzchar(system.file(package = '{package}'))"
    found = _rscript("-e", f"if ({installed}) cat(packageDescription('{package}')$Version)")
    if not found:
        raise MissingPeerError(
            f"the R package {package} is not installed (install.packages('{package}') in R)"
        )
    return found


def run_r(
    package: str, code: str, data: tuple[np.ndarray, np.ndarray], rounds: int = 1
) -> tuple[float, list[float]]:
    """Evaluate R code of the integer vectors x and y, once a round.

    Returns
    -------
    value : float
    seconds : list of float
        What R measured for each round.
    """
    r_version(package)
    with tempfile.TemporaryDirectory() as folder:
        script, numbers = Path(folder, "timed.R"), Path(folder, "labels.bin")
        script.write_text(_TIMED.replace("PACKAGE", package).replace("CODE", code), "utf-8")
        np.concatenate(data).astype(np.int32).tofile(numbers)
        found = json.loads(_rscript(str(script), str(numbers), str(rounds)))
    return float(found["value"].replace("NA", "nan")), found["seconds"]
