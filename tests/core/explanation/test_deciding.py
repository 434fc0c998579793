"""Which conventions decided a score, table by table."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import METRICS, ContingencyTable, score
from core.explanation.deciding import conventions_that_decided, why_zero
from tests.core.explanation.test_costs import FIGURE_1, KEYS
from tests.core.strategies import SMALL, Table, identical_partitions, tables

SINGLETONS = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
IN_TWO = [[1, 0], [1, 0], [0, 1], [0, 1], [0, 1]]


def said(counts, key: str, **options) -> str:
    return " ".join(conventions_that_decided(score(counts, **options), key))


@pytest.mark.parametrize("key", ["ap", "ari", "f1", "rand", "ami_max", "purity", "homogeneity"])
def test_a_convention_is_named_that_decided_nothing(key) -> None:
    assert conventions_that_decided(score(FIGURE_1), key) == []


@pytest.mark.parametrize(
    ("counts", "key", "words"),
    [
        (SINGLETONS, "fowlkes_mallows", "0/0 is 1"),
        (SINGLETONS, "jaccard", "0/0 is 1"),
        (SINGLETONS, "ari", "FP = FN = 0"),
        (SINGLETONS, "ami", "0/0 included"),
        (IN_TWO, "fowlkes_mallows", "0/0 is 0"),
        (IN_TWO, "ami", "MI = E[MI] exactly"),
        (IN_TWO, "homogeneity", None),
        (IN_TWO, "completeness", "items in one cluster only"),
        ([[1]], "rand", "there is no pair"),
        ([[3, 5, 2]], "homogeneity", "one class"),
        ([[3, 5, 2]], "nmi", "nothing is shared"),
        ([[3, 5, 2]], "v_measure", "homogeneity is 1 by convention"),
        ([[3], [5]], "completeness", "one cluster"),
        ([[3], [5]], "peakiness", "second largest count of every class is 0"),
        ([[3], [5]], "ap", "A = 0"),
        ([[2, 2], [2, 2]], "ap", "P = 0"),
        ([[7]], "nmi", "0/0 is 1"),
        ([[7]], "measure_of_concordance", "0/0 is 1"),
        ([[25, 0, 0], [0, 2, 0], [0, 0, 3]], "v_measure", "identical but for names"),
        ([[25, 0, 0], [0, 2, 0], [0, 0, 3]], "van_dongen", "exactly 0"),
        ([[2, 4], [3, 6]], "p_bound", "the bound is 1"),
        ([[3, 5, 2]], "ap", "does not exist: associativity needs two truth classes"),
        ([[0, 0]], "ari", "does not exist: the table has no items"),
    ],
)
def test_what_decided_is_not_said(counts, key, words) -> None:
    text = said(counts, key)
    assert (words in text) if words else not text


def test_an_empty_class_is_not_named() -> None:
    table = ContingencyTable(
        [[9, 1, 0], [0, 0, 0], [2, 7, 0]], truth=["a", "b", "c"], clusters=["x", "y", "z"]
    )
    assert "Class b is empty: it is left out before anything is computed." in said(table, "ari")
    assert "Cluster z is empty" in said(table, "ari")
    text = said(table, "peakiness")
    other = score(table, ["peakiness"], empty_truth="zero")["peakiness"]
    assert "left out of the mean peakiness; entering as 0, it would make P" in text
    assert f"{other:.4f}" in text
    zero = said(table, "peakiness", empty_truth="zero")
    assert f"left out, it would make P {score(table)['peakiness']:.4f}" in zero


def test_a_tie_that_decides_is_not_named() -> None:
    table = ContingencyTable([[5, 5, 1], [2, 6, 1]], truth=["a", "b"], clusters=["x", "y", "z"])
    assert said(table, "ap") == (
        "Class a has its largest count in clusters x and y: it votes for x, the first."
    )
    assert said(table, "ari") == ""


def test_another_average_or_base_is_not_named() -> None:
    text = said(FIGURE_1, "nmi")
    scores = score(FIGURE_1)
    for key in ("nmi_geometric", "nmi_min", "nmi_max"):
        assert f"{scores[key]:.4f}" in text
    assert "refers to the arithmetic mean" in text
    bits = scores["mutual_information"] / 0.6931471805599453
    assert f"{bits:.4f} bits" in said(FIGURE_1, "mutual_information")
    assert "bits" not in said(FIGURE_1, "nmi")
    assert "with beta = 1 the score would be" in said(FIGURE_1, "v_measure", beta=2.0)
    assert "order q = 1.5" in said(FIGURE_1, "mi_q", q=1.5)


def test_noise_that_was_dropped_is_not_named() -> None:
    table = ContingencyTable.from_labels("aabb", [0, 0, 1, -1], noise="drop")
    assert said(table, "ari").startswith("1 item labelled -1 was dropped as noise.")


@given(
    st.one_of(tables(), tables(SMALL, items=False), identical_partitions()),
    st.sampled_from(KEYS),
)
@settings(deadline=None)
def test_a_table_breaks_the_sentences(counts: Table, key: str) -> None:
    scores = score(counts, [key])
    found = conventions_that_decided(scores, key)
    assert all(sentence.endswith(".") and sentence[0].isupper() for sentence in found)
    if (why := scores.why(key)) is not None:
        assert why in found[-1]
    elif any("exactly 1," in sentence for sentence in found):
        assert scores[key] == 1.0


def test_a_request_is_answered_by_a_search_for_each_option() -> None:
    assert METRICS["ap_adjusted"].when == "request"
    text = said([[4, 1], [1, 3], [0, 0]], "ap_adjusted", draws=50)
    assert "left out of the mean peakiness." in text
    assert "50 random tables (seed 0)" in text


def test_a_zero_of_ap_has_no_reason():
    one_cluster = score([[30, 1], [20, 4], [9, 0]])
    assert one_cluster["ap"] == 0
    for key in ("ap", "associativity"):
        assert why_zero(one_cluster, key) == (
            "It is 0 because every truth class has its largest count in one cluster, C1."
        )
    flat = score([[5, 5], [0, 0], [7, 7], [2, 3]])
    assert why_zero(flat, "ap") is None
    even = score([[5, 5, 0], [0, 4, 4]])
    assert even["ap"] == 0
    assert "two largest counts are equal" in (why_zero(even, "ap") or "")
    assert why_zero(even, "peakiness") is None
