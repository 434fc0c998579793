"""What the truth classes take from the scores, against items and pairs counted one by one."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core import METRICS, score
from core.cells import CellBatch
from core.metrics.losses import harmonic_loss
from core.metrics.metric import ScoreOptions
from core.table import ContingencyTable
from tests.core import exact
from tests.core.strategies import (
    HUGE,
    SMALL,
    Table,
    identical_partitions,
    nearly_independent,
    refinements,
    tables,
)

SPLIT = [key for key, metric in METRICS.items() if metric.loss is not None]
ANY = st.one_of(
    tables(),
    tables(SMALL),
    tables(HUGE),
    nearly_independent(),
    refinements(),
    identical_partitions(),
)


def losses(table: Table, options: ScoreOptions) -> dict[str, Any]:
    batch = CellBatch.of(ContingencyTable(table))
    with np.errstate(divide="ignore", invalid="ignore"):
        return {key: METRICS[key].loss(batch, options) for key in SPLIT}  # type: ignore[misc]


def test_a_score_that_splits_does_not_say_so() -> None:
    assert set(SPLIT) >= {
        *("ap", "associativity", "peakiness", "f1", "truth_class_accuracy", "cluster_purity"),
        *("purity", "inverse_purity", "max_matching_accuracy", "van_dongen"),
        *("bcubed_f", "bcubed_precision", "bcubed_recall"),
        *("ari", "rand", "pair_agreement", "jaccard", "wallace_truth", "wallace_cluster", "mirkin"),
        *("ami", "nmi", "v_measure", "homogeneity", "completeness", "variation_of_information"),
    }
    for key in (
        "fowlkes_mallows",
        "nmi_geometric",
        "nmi_max",
        "ami_min",
        "cramers_v",
        "chi2",
        "tp",
    ):
        assert METRICS[key].loss is None


@given(ANY, st.sampled_from([0.0, 0.5, 1.0, 7.0, 1e300]))
@example([[1]], 1.0)
@example([[5], [7]], 1.0)
@example([[4, 4], [6, 6]], 1.0)
@example([[4, 4], [6, 6]], 0.0)
@example([[5, 5]], 0.0)
@example([[4 * 10**18, 3], [2, 1]], 1.0)
def test_the_classes_take_more_or_less_than_the_score_lacks(table: Table, beta: float) -> None:
    scores = score(table, SPLIT, beta=beta)
    for key, loss in losses(table, scores.options).items():
        if scores.why(key) is None:
            assert len(loss) == sum(map(any, table))
            assert (loss >= 0.0).all(), key
            if METRICS[key].larger_is_better:
                assert loss.sum() == pytest.approx(1.0 - scores[key], rel=0, abs=1e-12), key
            else:
                assert loss.sum() == pytest.approx(scores[key], rel=1e-12, abs=1e-12), key


@given(
    tables(st.integers(0, 4), most=4), st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 4)])
)
@example([[1, 1], [1, 1]], Fraction(1))
@example([[2, 2, 0], [1, 1, 3], [0, 2, 2]], Fraction(2))
def test_a_class_takes_otherwise_than_counted_one_by_one(table: Table, beta: Fraction) -> None:
    found = losses(table, ScoreOptions(beta=float(beta)))
    right = exact.losses(exact.non_empty(table), beta)
    assert set(found) - set(right) <= {"max_matching_accuracy", "ap", "associativity", "ami"}
    for key, loss in right.items():
        assert found[key].tolist() == pytest.approx(loss, rel=1e-12, abs=1e-12), key


@given(identical_partitions())
def test_a_class_takes_something_from_a_perfect_score(table: Table) -> None:
    for key, loss in losses(table, ScoreOptions(beta=2.0)).items():
        assert not loss.any(), key


@given(tables(SMALL))
def test_a_class_takes_from_a_matching_what_it_was_given(table: Table) -> None:
    batch = CellBatch.of(ContingencyTable(table))
    loss = losses(table, ScoreOptions())["max_matching_accuracy"]
    row_losses = loss * batch.total[0]
    # What is left of each class is one of its cells, or nothing.
    rows = [row for row in table if any(row)]
    for row, lost in zip(rows, row_losses, strict=True):
        assert any(math.isclose(sum(row) - lost, n, abs_tol=1e-9) for n in [0, *row])


def test_the_order_of_tied_classes_decides_who_spoils_a_cluster() -> None:
    # Two classes of five in a cluster of eleven: each loses half of what one does.
    loss = losses([[5, 0], [5, 0], [1, 3]], ScoreOptions())
    assert loss["purity"].tolist() == pytest.approx([2.5 / 14, 2.5 / 14, 1 / 14])
    assert loss["cluster_purity"].tolist() == pytest.approx([2.5 / 22, 2.5 / 22, 1 / 22])


def test_a_collision_is_put_on_one_of_two_classes() -> None:
    # Classes 1, 2 and 3 vote for the first cluster: three of six pairs collide.
    loss = losses([[5, 0], [5, 1], [7, 3], [0, 3]], ScoreOptions())
    assert loss["associativity"].tolist() == pytest.approx([1 / 6, 1 / 6, 1 / 6, 0.0])


def test_empty_classes_push_their_loss_on_others() -> None:
    table = [[8, 2], [0, 0], [1, 9]]
    zero = losses(table, ScoreOptions(empty_truth="zero"))["peakiness"]
    assert zero.tolist() == pytest.approx([(1 - 6 / 8) / 3, (1 - 8 / 9) / 3])
    plain = losses(table, ScoreOptions())["peakiness"]
    assert plain.tolist() == pytest.approx([(1 - 6 / 8) / 2, (1 - 8 / 9) / 2])


@pytest.mark.parametrize("average", ["geometric", "min", "max"])
def test_a_mean_that_does_not_split_is_split(average: Any) -> None:
    found = losses([[5, 1], [2, 3]], ScoreOptions(average=average))
    assert np.isnan(found["nmi"]).all()
    assert np.isnan(found["ami"]).all()
    assert not np.isnan(found["v_measure"]).any()


def test_the_tables_of_a_batch_take_from_each_other() -> None:
    given_tables = [[[5, 1], [2, 3]], [[0, 0]], [[4, 4, 1], [2, 2, 9], [1, 0, 0]], [[7]]]
    batch = CellBatch.of([ContingencyTable(table) for table in given_tables])
    options = ScoreOptions(beta=2.0)
    for key in SPLIT:
        with np.errstate(divide="ignore", invalid="ignore"):
            together = METRICS[key].loss(batch, options)  # type: ignore[misc]
        alone = [losses(table, options)[key] for table in given_tables]
        assert together.tolist() == pytest.approx(np.concatenate(alone).tolist(), rel=1e-13), key


def test_two_scores_of_zero_divide_by_zero() -> None:
    batch = CellBatch.of(ContingencyTable([[1, 1], [1, 1]]))
    zero, half = np.zeros(1), np.full(2, 0.5)
    for beta in (0.0, 1.0, 3.0):
        loss = harmonic_loss(batch, zero, zero, half, np.array([1.0, 0.0]), beta)
        assert loss.sum() == pytest.approx(1.0)
        assert loss[0] - loss[1] == pytest.approx(beta / (1 + beta))
