"""A table class by class and cluster by cluster, by hand where it can be."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import METRICS, ClassDetail, ClusterDetail, ContingencyTable, Scores, score
from tests.core.strategies import SMALL, Table, identical_partitions, tables

FIGURE_1 = ContingencyTable(
    [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]],
    truth=["a", "b", "c", "d"],
)
SPLIT = [key for key, metric in METRICS.items() if metric.loss is not None]


def column(scores: Scores, name: str) -> list[float]:
    return [getattr(detail, name) for detail in scores.classes]


def test_the_classes_of_figure_1_are_described_wrongly() -> None:
    scores = score(FIGURE_1)
    assert column(scores, "place") == [0, 1, 2, 3]
    assert column(scores, "name") == ["a", "b", "c", "d"]
    assert column(scores, "size") == [571, 790, 555, 605]
    assert column(scores, "peaks") == [(3,), (1,), (2,), (0,)]
    peakiness = [(260 - 151) / 260, (330 - 302) / 330, (313 - 161) / 313, (490 - 101) / 490]
    assert column(scores, "peakiness") == pytest.approx(peakiness, rel=1e-15)
    accuracy = [260 / 571, 330 / 790, 313 / 555, 490 / 605]
    assert column(scores, "accuracy") == accuracy
    # The classes peak in four clusters, so that each gets its own.
    assert column(scores, "recall") == accuracy


def test_the_clusters_of_figure_1_are_described_wrongly() -> None:
    assert score(FIGURE_1).clusters == (
        ClusterDetail(0, "C1", 1104, 490 / 1104, (3,)),
        ClusterDetail(1, "C2", 418, 330 / 418, (1,)),
        ClusterDetail(2, "C3", 486, 313 / 486, (2,)),
        ClusterDetail(3, "C4", 513, 260 / 513, (0,)),
    )


def test_a_class_of_figure_1_loses_more_or_less() -> None:
    scores = score(FIGURE_1)
    # Of 2,521 items 1,393 lie in the largest cells.
    outside = [571 - 260, 790 - 330, 555 - 313, 605 - 490]
    for key in ("inverse_purity", "max_matching_accuracy", "purity", "van_dongen"):
        assert scores.loss_share(key).tolist() == pytest.approx([n / 1128 for n in outside])
    flat = [151 / 260, 302 / 330, 161 / 313, 101 / 490]
    shares = [n / sum(flat) for n in flat]
    # No two classes collide: AP loses by peakiness alone.
    for key in ("peakiness", "ap"):
        assert scores.loss_share(key).tolist() == pytest.approx(shares)
    assert np.isnan(scores.loss_share("associativity")).all()
    # Pairs of class d that the clusters part.
    parted = 490 * 101 + 490 * 14 + 101 * 14
    assert scores.loss_share("wallace_truth")[3] == pytest.approx(parted / scores["fn"])
    # Pairs of class a with others in the four clusters; half of each is a's.
    mixed = 151 * (302 + 161 + 490) + 88 * 330 + 72 * (313 + 101) + 260 * (158 + 81 + 14)
    assert scores.loss_share("wallace_cluster")[0] == pytest.approx(mixed / 2 / scores["fp"])


def test_a_class_without_a_cluster_of_its_own_is_found_again() -> None:
    scores = score([[9, 1], [8, 0], [0, 7]])
    assert column(scores, "accuracy") == [0.9, 1.0, 1.0]
    assert column(scores, "recall") == [0.9, 0.0, 1.0]
    assert column(scores, "peaks") == [(0,), (0,), (1,)]
    # The second cluster is left with nothing of the class that it would be given.
    assert column(score([[9, 0], [8, 0]]), "recall") == [1.0, 0.0]


def test_empty_classes_and_clusters_are_left_out_or_scored() -> None:
    scores = score([[0, 0, 0], [6, 0, 2], [0, 0, 0], [1, 0, 3]])
    assert len(scores.classes) == 4
    assert len(scores.clusters) == 3
    for place in (0, 2):
        empty = scores.classes[place]
        assert (empty.place, empty.name, empty.size, empty.peaks) == (place, f"T{place + 1}", 0, ())
        values = [empty.peakiness, empty.accuracy, empty.recall, *empty.loss_share.values()]
        assert np.isnan(values).all()
        assert list(empty.loss_share) == SPLIT
    assert scores.classes[3].accuracy == 0.75
    assert scores.classes[3].peaks == (2,)
    gap = scores.clusters[1]
    assert (gap.place, gap.name, gap.size, gap.classes) == (1, "C2", 0, ())
    assert math.isnan(gap.purity)
    assert scores.clusters[2].classes == (3,)


def test_ties_are_cut_to_one_cluster_or_class() -> None:
    scores = score([[5, 1, 5], [5, 4, 2]])
    assert column(scores, "peaks") == [(0, 2), (0,)]
    assert [detail.classes for detail in scores.clusters] == [(0, 1), (1,), (0,)]


def test_a_table_without_items_has_no_details() -> None:
    scores = score([[0, 0], [0, 0], [0, 0]])
    assert [detail.size for detail in scores.classes] == [0, 0, 0]
    assert [detail.size for detail in scores.clusters] == [0, 0]
    assert np.isnan(scores.loss_share("ari")).all()


def test_an_empty_class_that_enters_peakiness_loses_nothing() -> None:
    scores = score([[8, 2], [0, 0], [1, 9], [0, 0]], empty_truth="zero")
    lost = [1 - 6 / 8, 1.0, 1 - 8 / 9, 1.0]
    shares = [n / sum(lost) for n in lost]
    assert scores.loss_share("peakiness").tolist() == pytest.approx(shares)
    assert scores.loss_share("ap").tolist() == pytest.approx(shares)
    purity = scores.loss_share("purity").tolist()
    assert purity == pytest.approx([2 / 3, math.nan, 1 / 3, math.nan], nan_ok=True)


@given(st.one_of(tables(), tables(SMALL), tables(SMALL, items=False)), st.booleans())
def test_the_shares_of_the_classes_do_not_add_up(table: Table, zero: bool) -> None:
    scores = score(table, SPLIT, empty_truth="zero" if zero else "exclude", beta=2.0)
    filled = np.array([any(row) for row in table])
    for key in SPLIT:
        shares = scores.loss_share(key)
        assert shares.shape == (len(table),)
        if np.isnan(shares).all():
            lacks = scores[key] if METRICS[key].larger_is_better is False else 1.0 - scores[key]
            assert scores.why(key) is not None or abs(lacks) < 1e-15, key
            continue
        counted = shares[~np.isnan(shares)]
        assert (counted >= 0.0).all()
        assert counted.sum() == pytest.approx(1.0)
        enters = zero and "empty_truth" in METRICS[key].parameters
        assert (np.isnan(shares) == (~filled & ~enters)).all(), key


@given(identical_partitions())
def test_a_perfect_class_loses_something(table: Table) -> None:
    scores = score(table)
    for detail in scores.classes:
        assert detail.accuracy == detail.recall == detail.peakiness == 1.0
        assert np.isnan(list(detail.loss_share.values())).all()
    assert all(detail.purity == 1.0 for detail in scores.clusters)


def test_a_score_that_does_not_split_has_shares() -> None:
    scores = score(FIGURE_1)
    for key in ("fowlkes_mallows", "nmi_geometric", "tp", "row_peakiness", "entropy_truth"):
        with pytest.raises(ValueError, match=f"'{key}' is not a sum over truth classes"):
            scores.loss_share(key)
    with pytest.raises(KeyError, match="there is no metric 'aril'"):
        scores.loss_share("aril")
    with pytest.raises(KeyError, match="'ari' was not asked for"):
        score(FIGURE_1, ["ami"]).loss_share("ari")
    assert np.isnan(score(FIGURE_1, average="max").loss_share("ami")).all()


def test_scores_not_asked_for_are_split() -> None:
    scores = score(FIGURE_1, ["tp", "ari"])
    assert [list(detail.loss_share) for detail in scores.classes] == [["ari"]] * 4
    assert [list(detail.loss_share) for detail in score(FIGURE_1, []).classes] == [[]] * 4


def test_details_can_be_changed_or_are_made_twice() -> None:
    scores = score(FIGURE_1)
    assert scores.classes is scores.classes
    assert scores.clusters is scores.clusters
    with pytest.raises(FrozenInstanceError):
        scores.classes[0].size = 1  # type: ignore[misc]
    assert len({*scores.classes}) == 4
    assert [field.name for field in fields(ClassDetail)][:3] == ["place", "name", "size"]
    shares = scores.loss_share("ari")
    shares[:] = 7.0
    assert scores.loss_share("ari")[0] < 1.0


def test_thousands_of_classes_are_described_as_few() -> None:
    items = np.arange(200_000)
    table = ContingencyTable.from_labels(items % 8000, items % 7000)
    scores = score(table, ["ari", "homogeneity"])
    assert "counts" not in vars(table)
    assert len(scores.classes) == 8000
    assert len(scores.clusters) == 7000
    assert sum(detail.size for detail in scores.classes) == 200_000
    first = scores.classes[0]
    # Of 25 items, 8000 apart, the first four clusters get 4 and three others 3.
    assert first.peaks == (0, 1000, 2000, 3000)
    assert first.accuracy == 4 / 25
    assert first.recall <= first.accuracy
    assert math.fsum(d.loss_share["ari"] for d in scores.classes) == pytest.approx(1.0)
