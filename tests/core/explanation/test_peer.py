"""What scikit-learn says beside ours."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from core import ContingencyTable, score
from core.explanation.peer import scikit_learn
from core.metrics.metric import ScoreOptions
from core.metrics.scikit_learn import PEER_KEYS
from tests.core.explanation.test_costs import FIGURE_1
from tests.core.strategies import SMALL, Table, identical_partitions, tables

UNKNOWN = "not among those that are known"


@pytest.mark.parametrize("key", PEER_KEYS)
def test_figure_1_is_another_table_to_scikit_learn(key) -> None:
    found = scikit_learn(FIGURE_1, key)
    assert found is not None
    assert found.same is True
    assert found.value == pytest.approx(score(FIGURE_1)[key], rel=1e-12)
    assert hasattr(metrics, found.function.partition("(")[0])
    assert found.sentence.startswith("It says the same")


def test_a_score_that_it_lacks_is_compared() -> None:
    assert scikit_learn(FIGURE_1, "ap") is None
    assert scikit_learn(FIGURE_1, "jaccard") is None


def test_an_option_is_not_passed_on() -> None:
    options = ScoreOptions(average="max", beta=2.0)
    found = scikit_learn(FIGURE_1, "nmi", options)
    assert found is not None
    assert found.same is True
    assert found.value == pytest.approx(score(FIGURE_1)["nmi_max"])
    assert found.function == 'normalized_mutual_info_score(average_method="max")'
    found = scikit_learn(FIGURE_1, "v_measure", options)
    assert found is not None
    assert found.same is True
    assert found.function == "v_measure_score(beta=2.0)"


@pytest.mark.parametrize(
    ("counts", "key", "options", "words"),
    [
        ([[1, 0], [0, 1]], "fowlkes_mallows", ScoreOptions(), "agree on every pair"),
        (
            [[1, 0], [1, 0], [0, 1], [0, 1], [0, 1]],
            "ami",
            ScoreOptions(average="min"),
            "nothing is better than chance",
        ),
        ([[3 * 10**9, 0], [0, 4 * 10**9]], "mutual_information", ScoreOptions(), "overflow"),
        (
            [[10**9 + 1, 10**9], [10**9, 10**9]],
            "mutual_information",
            ScoreOptions(),
            "difference of logarithms",
        ),
    ],
)
def test_a_known_difference_is_not_explained(counts, key, options, words) -> None:
    found = scikit_learn(ContingencyTable(counts), key, options)
    assert found is not None
    assert found.same is False
    assert words in found.sentence


@given(
    st.one_of(
        tables(), tables(SMALL), identical_partitions().filter(lambda t: sum(map(sum, t)) < 1e5)
    ),
    st.sampled_from(PEER_KEYS),
)
@settings(deadline=None)
def test_a_difference_has_no_known_reason(counts: Table, key: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = scikit_learn(ContingencyTable(counts), key)
    assert found is not None
    assert found.same is not None
    assert UNKNOWN not in found.sentence


def test_labels_of_a_huge_table_are_written_out() -> None:
    table = ContingencyTable([[10**12, 1], [1, 10**12]])
    found = scikit_learn(table, "ari")
    assert found is not None
    assert found.value is None
    assert found.same is None
    assert "it takes labels, not a table" in found.sentence
    # This one takes the table.
    found = scikit_learn(table, "mutual_information")
    assert found is not None
    assert found.value is not None
    found = scikit_learn(FIGURE_1, "ari", most_items=2520)
    assert found is not None
    assert found.value is None


def test_an_expectation_that_would_stop_the_program_is_asked_for() -> None:
    table = ContingencyTable([[997 + i * j % 7 for j in range(40)] for i in range(40)])
    found = scikit_learn(table, "ami")
    assert found is not None
    assert found.value is None
    assert "stand still" in found.sentence


def test_a_table_without_items_is_asked_for() -> None:
    found = scikit_learn(ContingencyTable([[0, 0]]), "ari")
    assert found is not None
    assert found.sentence == "It is not asked here: the table has no items."
