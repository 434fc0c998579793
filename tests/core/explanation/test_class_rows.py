"""AP class by class, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import ContingencyTable, score
from core.explanation.class_rows import class_rows, on_ties
from core.explanation.deciding import conventions_that_decided
from core.metrics.metric import ScoreOptions
from tests.core.explanation.test_costs import FIGURE_1
from tests.core.strategies import SMALL, Table, tables


def test_the_rows_of_figure_1_are_described_wrongly() -> None:
    found = class_rows(FIGURE_1)
    rows = [
        (row.name, row.size, row.peaks, row.peak_count, row.runner_up, row.runner_up_count)
        for row in found.rows
    ]
    assert rows == [
        ("4", 571, (3,), 260, 0, 151),
        ("5", 790, (1,), 330, 0, 302),
        ("6", 555, (2,), 313, 0, 161),
        ("7", 605, (0,), 490, 2, 101),
    ]
    assert [round(row.peakiness, 3) for row in found.rows] == [0.419, 0.085, 0.486, 0.794]
    assert [row.same_vote for row in found.rows] == [0, 0, 0, 0]
    assert not found.tied
    assert found.scores["ap_min"] == found.scores["ap"] == found.scores["ap_max"]


def test_a_tie_passes_without_a_warning() -> None:
    table = ContingencyTable(
        [[5, 5, 1, 0], [2, 6, 6, 0], [4, 4, 4, 0], [0, 0, 0, 0]], truth=["a", "b", "c", "d"]
    )
    found = class_rows(table)
    assert found.tied
    assert [row.peaks for row in found.rows] == [(0, 1), (1, 2), (0, 1, 2), ()]
    assert [row.runner_up for row in found.rows] == [1, 2, 1, None]
    assert found.rows[2].warning == (
        "class c has its largest count in clusters C1, C2 and C3: it votes for C1, the first"
    )
    assert [row.same_vote for row in found.rows] == [1, 0, 1, 0]
    assert found.rows[3].warning is None
    assert math.isnan(found.rows[3].peakiness)
    # All may vote for C2.
    assert found.scores["associativity_min"] == 0.0
    assert found.scores["associativity_max"] == 1.0


def test_a_class_in_one_cluster_has_a_runner_up() -> None:
    row = class_rows(ContingencyTable([[0, 7, 0], [1, 2, 3]])).rows[0]
    assert (row.peaks, row.peak_count, row.runner_up, row.runner_up_count) == ((1,), 7, None, 0)
    assert row.peakiness == 1.0


@pytest.mark.parametrize("counts", [[[0]], [[1]], [[0, 0], [0, 0]], [[3], [4]], [[2, 2, 1]]])
def test_a_degenerate_table_breaks_it(counts) -> None:
    found = class_rows(ContingencyTable(counts))
    assert len(found.rows) == len(counts)
    assert (found.scores.why("ap") is None) == (not math.isnan(found.scores["ap"]))


@given(st.one_of(tables(), tables(SMALL), tables(SMALL, items=False)))
def test_the_rows_do_not_fit_the_scores(counts: Table) -> None:
    found = class_rows(ContingencyTable(counts), ScoreOptions(empty_truth="zero"))
    scores = score(counts, empty_truth="zero")
    filled = [row for row in found.rows if row.size]
    assert [row.peakiness for row in filled] == scores["row_peakiness"].tolist()
    for row in found.rows:
        line = np.array(counts[row.place])
        assert row.size == line.sum()
        if not row.size:
            assert (row.peaks, row.runner_up, row.peak_count) == ((), None, 0)
            continue
        assert row.peaks == tuple(np.flatnonzero(line == line.max()).tolist())
        ordered = sorted(line.tolist(), reverse=True)
        assert row.runner_up_count == (ordered[1] if len(ordered) > 1 else 0)
        assert (row.runner_up is None) == (row.runner_up_count == 0)
        if row.runner_up is not None:
            assert line[row.runner_up] == row.runner_up_count
            assert row.runner_up != row.peaks[0]
    collisions = sum(row.same_vote for row in found.rows)
    if len(filled) > 1:
        pairs = len(filled) * (len(filled) - 1)
        assert scores["associativity"] == pytest.approx(1 - collisions / pairs)


@given(tables(SMALL))
def test_sentences_on_ties_contradict_each_other(counts: Table) -> None:
    """One said that AP is the same however ties are broken, another warned of the order."""
    scores = score(counts)
    warned = any("on the order of the clusters" in warning for warning in scores.warnings)
    said = class_rows(ContingencyTable(counts)).summary()
    named = [
        any("the first" in sentence for sentence in conventions_that_decided(scores, key))
        for key in ("associativity", "ap")
    ]
    if scores.why("ap") is not None:
        assert not warned
        assert named == [False, False]
        return
    open_ends = [scores[f"{key}_min"] != scores[f"{key}_max"] for key in ("associativity", "ap")]
    assert warned == open_ends[0]
    assert named == open_ends
    assert ("associativity lies between" in said) == open_ends[0]
    assert ("AP between" in said) == open_ends[1]
    assert ("the same however" in said) == (bool(scores.tied_rows) and not open_ends[0])
    assert said.endswith("No ties.") == (not scores.tied_rows)


def test_ties_that_leave_ap_alone_are_said_to_change_it() -> None:
    said = class_rows(ContingencyTable([[5, 5], [9, 9]])).summary()
    assert said.endswith(
        "As ties are broken, associativity lies between 0.0000 and 1.0000; "
        "AP is 0.0000 all the same."
    )


def test_many_ties_that_change_nothing_are_warned_of() -> None:
    """More than a dozen were not looked at, though their range stood among the scores."""
    counts = np.kron(np.eye(14, dtype=int), [[3, 3]])
    assert score(counts, ["ap"]).ties_matter is None
    scores = score(counts)
    assert "the same however" in (on_ties(scores) or "")
    assert scores.ties_matter is False
    assert scores.warnings == ()
    assert score(np.ones((14, 3), dtype=int)).ties_matter is True
