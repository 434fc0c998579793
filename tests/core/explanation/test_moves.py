"""What moving one item does, against tables that are changed by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import METRICS, ContingencyTable, score
from core.explanation.moves import MovesStudy, moves
from core.explanation.variants import with_item_moved
from tests.core.explanation.test_costs import FIGURE_1, KEYS, same
from tests.core.strategies import HUGE, SMALL, Table, tables


@given(st.one_of(tables(), tables(SMALL)), st.sampled_from(KEYS), st.data())
@settings(deadline=None, max_examples=150)
def test_a_moved_item_scores_otherwise_than_by_hand(counts: Table, key: str, data) -> None:
    array = np.array(counts)
    cells = np.argwhere(array).tolist()
    row, column = data.draw(st.sampled_from(cells))
    found = moves(ContingencyTable(counts), key, row, column)
    assert found.complete
    assert found.count == array[row, column]
    for targets, axis in ((found.to_classes, 0), (found.to_clusters, 1)):
        assert targets.known.all()
        for place in range(array.shape[axis]):
            changed = array.copy()
            changed[row, column] -= 1
            changed[(place, column) if axis == 0 else (row, place)] += 1
            expected = score(changed, [key])
            same(targets.score[place], expected[key])
            assert (targets.why(place) is None) == (expected.why(key) is None)
            difference = float(expected[key]) - float(found.score)
            noise = 1e-14 * max(abs(float(expected[key])), abs(float(found.score)), 1e-300)
            assert targets.change[place] == pytest.approx(difference, nan_ok=True, abs=noise)


@given(tables(HUGE), st.data())
def test_an_item_moved_and_moved_back_leaves_another_table(counts: Table, data) -> None:
    table = ContingencyTable(counts)
    r, c = table.shape
    source = tuple(data.draw(st.sampled_from(np.argwhere(table.counts).tolist())))
    target = data.draw(st.tuples(st.integers(0, r - 1), st.integers(0, c - 1)))
    there = with_item_moved(table, source, target)
    assert there.total == table.total
    back = with_item_moved(there, target, source)
    assert np.array_equal(back.counts, table.counts)
    for key in ("ap", "ari", "f1"):
        same(score(back)[key], score(table)[key])


def test_an_item_of_figure_1_is_described_in_other_words() -> None:
    found = moves(FIGURE_1, "ap", 1, 0)
    best = found.best
    assert best is not None
    assert (best.along, best.name, best.better) == ("cluster", "1", True)
    assert found.sentence(best, 3) == (
        "Moving one of the 302 items of class 5 from cluster 0 to cluster 1 "
        "changes AP from 0.617 to 0.618 (+0.001)."
    )
    to_seven = next(move for move in found.ranked() if move.along == "class" and move.name == "7")
    assert found.sentence(to_seven, 4) == (
        "Giving one of the 302 items of class 5 in cluster 0 the truth class 7 "
        "changes AP from 0.6168 to 0.6176 (+0.0008)."
    )
    gains = [move.change for move in found.ranked()]
    assert gains == sorted(gains, reverse=True)
    assert len(gains) == 6


def test_the_best_move_of_a_distance_raises_it() -> None:
    found = moves(ContingencyTable([[8, 2], [1, 9]]), "van_dongen", 0, 1)
    best = found.best
    assert best is not None
    assert best.change < 0
    assert best.better is True
    assert found.ranked()[-1].change == max(move.change for move in found.ranked())


def test_a_perfect_clustering_is_bettered_by_a_move() -> None:
    found = moves(ContingencyTable([[8, 0], [0, 9]]), "ari", 0, 0)
    assert found.best is None
    assert all(move.better is False for move in found.ranked())


def test_a_quantity_has_a_best_move() -> None:
    found = moves(FIGURE_1, "entropy_truth", 0, 0)
    assert found.best is None
    sizes = [abs(move.change) for move in found.ranked()]
    assert sizes == sorted(sizes, reverse=True)
    # In another cluster the item keeps its class.
    assert np.array_equal(found.to_clusters.change, np.zeros(4))
    assert found.sentence(found.ranked()[-1], 2) == (
        "Moving one of the 151 items of class 4 from cluster 0 to cluster 3 leaves "
        f"{METRICS['entropy_truth'].symbol} at 1.38."
    )


def test_an_empty_cell_gives_an_item_away() -> None:
    found = moves(FIGURE_1, "ap", 3, 1)
    assert found.count == 0
    assert found.complete
    assert found.best is None
    assert found.ranked() == []
    assert not found.to_clusters.known.any()


@pytest.mark.parametrize("counts", [[[1]], [[7]], [[1, 0, 2]], [[1], [2]], [[0]], [[1, 0], [0, 0]]])
@pytest.mark.parametrize("key", ["ap", "ari", "ami", "tp", "cramers_v", "smi_q"])
def test_a_degenerate_table_breaks_it(counts, key) -> None:
    found = moves(ContingencyTable(counts), key, 0, 0)
    r, c = np.shape(counts)
    assert len(found.ranked()) == ((r + c - 2) if found.count else 0)
    for move in found.ranked():
        assert found.sentence(move).endswith(".")


def test_the_last_item_of_a_class_leaves_a_score_without_a_reason() -> None:
    found = moves(ContingencyTable([[1, 0], [0, 5]]), "ap", 0, 0)
    move = next(m for m in found.ranked() if m.along == "class")
    assert np.isnan(move.score)
    assert found.sentence(move) == (
        "Giving the only item of class T1 in cluster C1 the truth class T2 leaves AP undefined: "
        "associativity needs two truth classes that have items."
    )
    assert found.ranked()[-1] is not None
    assert np.isnan(found.ranked()[-1].change)


def test_a_cell_outside_the_table_is_taken_from_the_other_end() -> None:
    with pytest.raises(IndexError, match="no row -1"):
        moves(FIGURE_1, "ap", -1, 0)
    with pytest.raises(IndexError, match="column 4"):
        moves(FIGURE_1, "ap", 0, 4)


def test_the_peaks_are_not_tried_first() -> None:
    generator = np.random.default_rng(3)
    counts = generator.poisson(2.0, size=(300, 200))
    counts[0, 0], counts[0, 150], counts[200, 0] = 5, 90, 80
    for step in MovesStudy(ContingencyTable(counts), "ami", 0, 0).run():
        targets = step.partial and (step.partial.to_clusters, step.partial.to_classes)
        if targets and all(line.known.sum() > 1 for line in targets):
            break
    partial = step.partial
    assert partial is not None
    assert not partial.complete
    assert partial.to_clusters.known[150]
    assert partial.to_classes.known[200]
    assert not partial.to_clusters.known.all()


def test_scores_of_a_batch_differ_from_those_of_one() -> None:
    # More targets than one batch takes.
    counts = np.random.default_rng(5).poisson(1.0, size=(90, 80))
    counts[3, 4] = 2
    found = moves(ContingencyTable(counts), "ami", 3, 4)
    for place in (0, 40, 79):
        changed = counts.copy()
        changed[3, 4] -= 1
        changed[3, place] += 1
        assert found.to_clusters.score[place] == pytest.approx(score(changed)["ami"], rel=1e-12)


def test_every_metric_can_be_explained() -> None:
    for key in KEYS:
        assert moves(ContingencyTable([[4, 1], [2, 3]]), key, 0, 1).complete, METRICS[key].name


def test_a_move_into_a_tie_does_not_say_that_it_rests_on_it():
    found = moves(ContingencyTable([[31, 30], [4, 96]]), "associativity", 0, 0)
    # An item less in the first class leaves two equal counts.
    (tied,) = [move for move in found.ranked() if move.along == "class" and move.place == 1]
    assert "depends on ties" in found.sentence(tied)
    low, high = found.to_classes.ties[1].low, found.to_classes.ties[1].high
    assert low <= tied.score <= high
    assert low < high
    other = found.move_to(0, 1)
    assert other is not None
    assert "depends on ties" not in found.sentence(other)


@given(tables(SMALL, most=4), st.sampled_from(["ap", "associativity"]), st.data())
@settings(deadline=None)
def test_the_order_of_the_clusters_decides_which_move_is_the_best(counts: Table, key, data) -> None:
    array = np.array(counts)
    order = data.draw(st.permutations(range(array.shape[1])))
    row, column = data.draw(st.sampled_from(np.argwhere(array).tolist()))
    one = moves(ContingencyTable(array), key, row, column)
    other = moves(ContingencyTable(array[:, order]), key, row, order.index(column))
    if one.to_clusters.ties.get(column) is not None:
        # All changes of one order of the clusters are shifted alike.
        assert "of the table as it is" in one.sentence(one.ranked()[0]).lower()
        return
    assert (one.best is None) == (other.best is None)
    gain = [
        min(move.score, side.ties[move.place].low if found.is_tied(move) else move.score)
        for found, move in ((one, one.best), (other, other.best))
        if move is not None
        for side in [found.to_clusters if move.along == "cluster" else found.to_classes]
    ]
    if gain:
        assert gain[0] == pytest.approx(gain[1], abs=1e-12)


def test_a_change_hides_that_the_score_before_rested_on_ties() -> None:
    found = moves(ContingencyTable([[5, 5], [1, 9], [2, 7]]), "associativity", 0, 0)
    move = found.move_to(0, 1)
    assert move is not None
    assert "Of the table as it is, A depends on ties, too" in found.sentence(move)
    assert not found.is_tied(move)
