"""What classes and clusters cost, against tables in which they are left out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import METRICS, ContingencyTable, UnknownMetricError, score
from core.explanation.costs import _EXCHANGED, CostsStudy, costs
from core.explanation.variants import TieRange
from core.metrics.metric import ScoreOptions
from tests.core.strategies import SMALL, Table, tables

FIGURE_1 = ContingencyTable(
    [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]],
    truth=list("4567"),
    clusters=list("0123"),
)
KEYS = [key for key, m in METRICS.items() if m.per == "table" and m.when != "request"]
SPLIT = [key for key in KEYS if METRICS[key].loss is not None]


def left_out(counts: Table, axis: int, place: int) -> np.ndarray:
    array = np.array(counts)
    if array.shape[axis] > 1:
        return np.delete(array, place, axis)
    return np.zeros_like(array)


def same(found, expected) -> None:
    assert np.asarray(found, float) == pytest.approx(np.asarray(expected, float), nan_ok=True)


@given(st.one_of(tables(), tables(SMALL), tables(SMALL, items=False)), st.sampled_from(KEYS))
@settings(deadline=None, max_examples=150)
def test_a_class_or_cluster_left_out_is_another_than_by_hand(counts: Table, key: str) -> None:
    found = costs(ContingencyTable(counts), key)
    assert found.complete
    whole = score(counts, [key])[key]
    same(found.score, whole)
    better = -1 if METRICS[key].larger_is_better is False else 1
    for axis, line in enumerate((found.classes, found.clusters)):
        assert line.known.all()
        for place in range(len(line.names)):
            bare = score(left_out(counts, axis, place), [key])
            same(line.without[place], bare[key])
            assert (line.why(place) is None) == (bare.why(key) is None)
            expected = better * (float(bare[key]) - float(whole))
            noise = 1e-14 * max(abs(float(bare[key])), abs(float(whole)), 1e-300)
            assert line.cost[place] == pytest.approx(expected, nan_ok=True, abs=noise)


def test_the_classes_of_figure_1_cost_another_share() -> None:
    found = costs(FIGURE_1, "ap")
    flat = [151 / 260, 302 / 330, 161 / 313, 101 / 490]
    assert found.classes.share is not None
    same(found.classes.share, [n / sum(flat) for n in flat])
    # Class 5 is nearly as much in cluster 0 as in cluster 1.
    assert [found.classes.names[i] for i in found.classes.ranked("share")] == list("5467")
    assert [found.classes.names[i] for i in found.classes.ranked("cost")] == list("5467")
    same(found.classes.cost[1], score(np.delete(FIGURE_1.counts, 1, 0))["ap"] - found.score)
    assert found.clusters.share is None
    assert found.clusters.names[found.clusters.ranked("cost")[0]] == "0"


@given(st.one_of(tables(), tables(SMALL)), st.sampled_from(SPLIT), st.floats(0.2, 3.0))
@settings(deadline=None, max_examples=150)
def test_shares_do_not_add_up_to_what_is_lost(counts: Table, key: str, beta: float) -> None:
    found = costs(ContingencyTable(counts), key, ScoreOptions(beta=beta))
    for line in (found.classes, found.clusters):
        if line.share is not None and not np.isnan(line.share).all():
            lost = float(found.score) if METRICS[key].larger_is_better is False else 1 - found.score
            assert lost > 0
            assert np.nansum(line.share) == pytest.approx(1.0)


@given(st.one_of(tables(), tables(SMALL)), st.sampled_from(sorted(_EXCHANGED)))
@settings(deadline=None, max_examples=150)
def test_clusters_are_charged_with_the_loss_of_another_score(counts: Table, key: str) -> None:
    other = score(np.array(counts).T, [_EXCHANGED[key]])
    same(other[_EXCHANGED[key]], score(counts, [key])[key])


def test_the_shares_of_the_clusters_are_those_of_the_classes() -> None:
    found = costs(FIGURE_1, "purity")
    outside = [1104 - 490, 418 - 330, 486 - 313, 513 - 260]
    same(found.clusters.share, [n / sum(outside) for n in outside])


def test_a_distance_that_shrinks_counts_as_a_loss() -> None:
    # Without the mixed class nothing is apart.
    found = costs(ContingencyTable([[5, 5], [8, 0]]), "van_dongen")
    assert found.classes.without[0] == 0.0
    assert found.classes.cost[0] == found.score > 0


@pytest.mark.parametrize("counts", [[[3]], [[3, 5, 2]], [[3], [5], [2]], [[1]], [[0, 0]]])
@pytest.mark.parametrize("key", ["ap", "ari", "ami", "tp", "cramers_v"])
def test_a_degenerate_table_breaks_it(counts, key) -> None:
    found = costs(ContingencyTable(counts), key)
    assert (found.why is None) == (not math.isnan(found.score))
    if np.shape(counts)[0] == 1 and np.sum(counts):
        assert found.classes.why(0) == "without this class no item is left"
        assert math.isnan(found.classes.cost[0])


def test_an_empty_class_that_enters_peakiness_costs_nothing() -> None:
    table = ContingencyTable([[9, 1], [0, 0], [2, 7]])
    usual = costs(table, "peakiness")
    assert usual.classes.cost[1] == 0.0
    zero = costs(table, "peakiness", ScoreOptions(empty_truth="zero"))
    assert zero.classes.cost[1] == pytest.approx(usual.score - zero.score)


def test_the_smallest_classes_come_first_or_steps_are_wrong() -> None:
    generator = np.random.default_rng(3)
    table = ContingencyTable(generator.poisson(2.0, size=(300, 200)))
    steps = []
    for step in CostsStudy(table, "ami").run():
        steps.append(step)
        if step.partial is not None and step.partial.classes.known.any():
            break
    partial = steps[-1].partial
    assert partial is not None
    known = partial.classes.known
    assert not partial.complete
    assert 0 < known.sum() < 300
    assert partial.classes.size[known].min() >= partial.classes.size[~known].max()
    assert np.isnan(partial.classes.cost[~known]).all()
    assert not np.isnan(partial.classes.cost[known]).any()


def test_a_faulty_key_is_explained_all_the_same() -> None:
    with pytest.raises(UnknownMetricError):
        costs(FIGURE_1, "aricode")
    with pytest.raises(ValueError, match="one value for each class"):
        costs(FIGURE_1, "row_peakiness")
    with pytest.raises(ValueError, match="on_request"):
        costs(FIGURE_1, "ari_max")
    found = costs(ContingencyTable([[4, 1], [1, 3]]), "ari_max", on_request=True)
    assert not math.isnan(found.score)


def test_counts_of_pairs_beyond_double_precision_lose_digits() -> None:
    big = 10**12
    found = costs(ContingencyTable([[big, 1], [1, big]]), "tp")
    pairs = big * (big - 1) // 2
    assert found.score == 2 * pairs
    assert found.classes.without[0] == pairs
    assert found.classes.cost[0] == float(-pairs)


# Ties

BARLEY = [[4, 96], [30, 30], [132, 8]]


@pytest.mark.parametrize("key", ["ap", "associativity"])
def test_a_cost_that_rests_on_a_tie_looks_as_sure_as_the_others(key):
    """The order of the columns decided what a class cost, and nothing said so."""
    names = ["oat", "rye", "barley"]
    one = costs(ContingencyTable(BARLEY, names), key).classes
    other = costs(ContingencyTable([row[::-1] for row in BARLEY], names), key).classes
    assert set(one.ties) == set(other.ties) == {0, 2}
    for place in one.ties:
        assert one.ties[place] == other.ties[place]
        assert one.ties[place].low <= one.without[place] <= one.ties[place].high
        assert one.without[place] != other.without[place]
        assert "depends on ties" in one.sentence(place, key, 0.6)
    assert "depends on ties" not in one.sentence(1, key, 0.6)
    assert one.without[1] == other.without[1]
    # The shares are those of the first cluster of a tie.
    assert one.tied_share
    assert "the first cluster of each tie taken" in one.sentence(0, key, 0.6)


@given(tables(SMALL, most=5), st.sampled_from(["ap", "associativity"]), st.data())
def test_the_order_of_the_clusters_decides_which_class_costs_most(table, key, data):
    """Reduced tables met ties, of which the first cluster was taken."""
    counts = np.array(table)
    columns = data.draw(st.permutations(range(counts.shape[1])))
    one = costs(ContingencyTable(counts), key)
    other = costs(ContingencyTable(counts[:, columns]), key)
    if one.classes.tied_score is None:
        for ends in ("least", "most"):
            before, after = getattr(one.classes, ends), getattr(other.classes, ends)
            assert after == pytest.approx(before, abs=1e-12, nan_ok=True)
    # Where the whole table has ties, too, all costs of one order of clusters are shifted alike.
    assert (one.classes.tied_score is None) == (other.classes.tied_score is None)
    for line in (one.classes, one.clusters):
        ranked = line.least[line.ranked("cost")]
        ranked = ranked[~np.isnan(ranked)]
        assert (np.diff(ranked) <= 0).all()
        known = ~np.isnan(line.cost)
        assert (line.least[known] <= line.cost[known]).all()
        assert (line.cost[known] <= line.most[known]).all()
        low, high = line.reach("cost")
        assert low <= np.nanmin(line.least, initial=0)
        assert high >= np.nanmax(line.most, initial=0)


def test_costs_of_a_table_with_ties_look_sure():
    """The score that all of them are measured against was itself one of several."""
    found = costs(ContingencyTable([[5, 5], [1, 9], [2, 7]]), "associativity")
    assert found.classes.tied_score is not None
    # Without the class that is tied, nothing else is.
    assert set(found.classes.ties) == {1, 2}
    for line in (found.classes, found.clusters):
        assert "Of the table as it is, A depends on ties, too" in line.sentence(
            0, "associativity", found.score
        )


def test_shares_that_no_tie_touches_are_said_to_rest_on_ties():
    found = costs(ContingencyTable([[5, 5, 0, 0], [0, 0, 9, 1], [0, 0, 8, 2]]), "ap").classes
    assert not found.tied_share
    assert "tie" not in found.sentence(0, "ap", 0.5)


def test_the_adjusted_score_hides_that_it_rests_on_ties():
    found = costs(ContingencyTable(BARLEY), "ap_adjusted", ScoreOptions(draws=50), on_request=True)
    assert set(found.classes.ties) == {0, 2}
    assert "may be another" in found.classes.sentence(0, "ap_adjusted", found.score)


def test_a_range_over_ties_looks_like_one_number():
    said = TieRange(0.50001, 0.50002).sentence("AP", 3)
    assert "between 0.50001 and 0.50002" in said


def test_scores_without_ties_are_said_to_rest_on_them():
    for key in ("ari", "f1", "ap"):
        found = costs(ContingencyTable([[8, 1], [2, 9], [1, 3]]), key).classes
        assert not found.ties
        assert not found.tied_share


def test_many_ties_are_searched_for_every_class():
    found = costs(ContingencyTable(np.ones((20, 3), dtype=int)), "ap").classes
    assert set(found.ties) == set(range(20))
    assert "may be another" in found.sentence(0, "associativity", 0.5)
