"""The panel that explains a score, by real clicks and keys."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

import gui.explanation.costs
from core import ContingencyTable, score
from core.explanation.costs import CostsStudy, costs
from core.explanation.moves import moves
from core.studies.study import Step
from gui.explanation.panel import ExplanationPanel
from gui.jobs import JobRunner
from gui.theme import DARK, LIGHT

FIGURE_1 = ContingencyTable(
    [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]],
    truth=list("4567"),
    clusters=list("0123"),
)
TIES = ContingencyTable([[5, 5, 1, 0], [2, 6, 6, 0], [4, 4, 4, 0], [0, 0, 0, 0]])
TABS = ["Meaning", "Costs", "One item", "AP's rows", "Conventions"]


@pytest.fixture
def jobs():
    runner = JobRunner()
    yield runner
    runner.shutdown()


@pytest.fixture
def panel(qtbot, jobs):
    panel = ExplanationPanel(jobs)
    qtbot.addWidget(panel)
    panel.resize(600, 200)
    panel.set_digits(3)
    panel.set_scores(score(FIGURE_1))
    panel.set_cell(1, 0)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def click_tab(qtbot, panel, title: str) -> None:
    number = TABS.index(title)
    place = panel.tabs.tabRect(number).center()
    qtbot.mouseClick(panel.tabs, Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, panel)


def settle(qtbot, panel) -> None:
    qtbot.waitUntil(lambda: panel.is_settled, timeout=60_000)


def shown(bars) -> list[tuple[str, str]]:
    return [
        (bars.bars.bar(row).name, bars.bars.bar(row).text) for row in range(bars.bars.rowCount())
    ]


def click_line(qtbot, view, row: int) -> None:
    index = view.model().index(row, 0)
    view.scrollTo(index)
    qtbot.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center()
    )


# Meaning


def test_the_meaning_of_a_score_is_lost(qtbot, panel):
    assert panel.tabs.tabText(panel.tabs.currentIndex()) == "Meaning"
    text = panel.meaning.toPlainText()
    assert "Associativity-peakiness" in text
    assert "0.6167736480" in text
    assert "arXiv 2604.22655" in text
    panel.set_key("ari")
    assert "Adjusted Rand index" in panel.meaning.toPlainText()
    panel.set_scores(score(TIES))
    assert "several largest cells" in panel.meaning.toPlainText()
    panel.set_stale()
    assert "of the table before" in panel.meaning.toPlainText()
    assert "several largest cells" not in panel.meaning.toPlainText()


def test_a_score_still_to_come_is_shown_as_if_it_were_there(panel):
    panel.set_key("smi_q")
    panel.set_scores(score(TIES, ["ap", "ari"]), complete=False)
    assert "of the table before" in panel.meaning.toPlainText()


# Costs


def test_the_costs_of_the_classes_are_not_ranked(qtbot, panel):
    click_tab(qtbot, panel, "Costs")
    assert shown(panel.costs.classes) == [
        ("5", "41.3 %"),
        ("4", "26.2 %"),
        ("6", "23.2 %"),
        ("7", "9.3 %"),
    ]
    # AP is no sum over clusters, and says so.
    assert not panel.costs.clusters.isVisible()
    assert "no sum over clusters" in panel.costs._instead[1].text()
    left_out = panel.costs._choice.button(1)
    qtbot.mouseClick(left_out, Qt.MouseButton.LeftButton)
    found = costs(FIGURE_1, "ap")
    assert shown(panel.costs.classes)[0] == ("5", f"+{found.classes.cost[1]:.3f}")
    assert [name for name, _ in shown(panel.costs.clusters)] == list("0123")
    tip = panel.costs.classes.bars.index(0).data(Qt.ItemDataRole.ToolTipRole)
    assert tip.startswith("Class 5, 790 items. Its share of what AP lacks to 1: 41.3 %.")
    assert tip.endswith("Without it AP would be 0.723 instead of 0.617.")


def test_the_order_of_the_clusters_changes_the_bars(qtbot, panel):
    """Without a class the table had a tie, of which the first cluster was taken."""
    barley = [[4, 96], [30, 30], [132, 8]]
    names = ["oat", "rye", "barley"]
    click_tab(qtbot, panel, "Costs")
    panel.costs._choice.button(1).click()
    found = []
    for counts in (barley, [row[::-1] for row in barley]):
        panel.set_scores(score(ContingencyTable(counts, truth=names)))
        settle(qtbot, panel)
        bars = panel.costs.classes.bars
        lengths = [bars.bar(row).value for row in range(bars.rowCount())]
        assert lengths == sorted(lengths, reverse=True)
        found.append(shown(panel.costs.classes))
    assert (
        found[0]
        == found[1]
        == [
            ("rye", "+0.325"),
            ("oat", "! −0.649 to −0.010"),
            ("barley", "! −0.649 to −0.001"),
        ]
    )


def test_a_click_on_a_bar_chooses_another_class(qtbot, panel):
    click_tab(qtbot, panel, "Costs")
    panel.costs._choice.button(1).click()
    with qtbot.waitSignal(panel.class_chosen) as chosen:
        click_line(qtbot, panel.costs.classes, 2)
    assert chosen.args == [2]
    with qtbot.waitSignal(panel.class_chosen) as chosen:
        click_line(qtbot, panel.costs.classes, 0)
    assert chosen.args == [1]
    with qtbot.waitSignal(panel.cluster_chosen) as chosen:
        click_line(qtbot, panel.costs.clusters, 3)
    assert chosen.args == [3]


def test_the_keyboard_does_not_reach_the_bars(qtbot, panel):
    click_tab(qtbot, panel, "Costs")
    bars = panel.costs.classes
    bars.setFocus()
    qtbot.keyClick(bars, Qt.Key.Key_Down)
    qtbot.keyClick(bars, Qt.Key.Key_Down)
    with qtbot.waitSignal(panel.class_chosen) as chosen:
        qtbot.keyClick(bars, Qt.Key.Key_Return)
    assert chosen.args == [0 if bars.currentIndex().row() == 1 else 2]
    # Tab leaves the list.
    qtbot.keyClick(bars, Qt.Key.Key_Tab)
    assert not bars.hasFocus()


def test_a_score_that_is_no_sum_offers_shares(qtbot, panel):
    panel.set_key("fowlkes_mallows")
    click_tab(qtbot, panel, "Costs")
    assert panel.costs.by == "cost"
    assert not panel.costs._choice.button(0).isEnabled()
    assert panel.costs._choice.button(1).isChecked()
    panel.set_key("purity")
    settle(qtbot, panel)
    assert panel.costs.by == "share"
    assert panel.costs._choice.button(0).isChecked()
    assert len(shown(panel.costs.clusters)) == 4


def test_a_score_that_does_not_exist_has_bars(qtbot, panel):
    panel.set_scores(score([[3, 5, 2]]))
    click_tab(qtbot, panel, "Costs")
    assert not panel.costs.classes.isVisible()
    assert "AP does not exist" in panel.costs._instead[0].text()


# One item


def test_the_best_move_is_not_said(qtbot, panel):
    with qtbot.waitSignals([panel.targets_changed], timeout=20_000):
        click_tab(qtbot, panel, "One item")
    assert panel.one_item.words.text() == (
        "Moving one of the 302 items of class 5 from cluster 0 to cluster 1 "
        "changes AP from 0.617 to 0.618 (+0.001)."
    )
    table = panel.one_item.targets
    lines = [table.texts.index(row, 0).data() for row in range(table.texts.rowCount())]
    assert lines[:2] == ["cluster 1", "class 7"]
    assert len(lines) == 6
    assert table.texts.index(0, 2).data().endswith(" +0.00138")


def test_the_targets_are_those_of_another_cell(qtbot, panel):
    heard: list[Any] = []
    panel.targets_changed.connect(heard.append)
    click_tab(qtbot, panel, "One item")
    found = heard[-1]
    expected = moves(FIGURE_1, "ap", 1, 0)
    assert np.array_equal(found.to_clusters.change, expected.to_clusters.change)
    assert np.array_equal(found.to_classes.change, expected.to_classes.change)
    panel.set_cell(0, 3)
    settle(qtbot, panel)
    assert (heard[-1].row, heard[-1].column) == (0, 3)
    # The tint must not outlive the tab, nor the table.
    click_tab(qtbot, panel, "Meaning")
    assert heard[-1] is None
    click_tab(qtbot, panel, "One item")
    assert heard[-1] is not None
    panel.set_stale()
    assert heard[-1] is None


def test_a_click_on_a_target_cell_shows_nothing(qtbot, panel):
    click_tab(qtbot, panel, "One item")
    assert panel.show_target(3, 0)
    assert panel.one_item.words.text().startswith(
        "Giving one of the 302 items of class 5 in cluster 0 the truth class 7"
    )
    assert "The best place would be cluster 1." in panel.one_item._note.text()
    assert panel.one_item.targets.currentIndex().row() == 1
    # Neither the cell itself nor one of another row and column.
    assert not panel.show_target(1, 0)
    assert not panel.show_target(2, 2)
    click_tab(qtbot, panel, "Costs")
    assert not panel.show_target(3, 0)


def test_a_target_in_the_list_leads_to_another_cell(qtbot, panel):
    click_tab(qtbot, panel, "One item")
    with qtbot.waitSignal(panel.target_chosen) as chosen:
        click_line(qtbot, panel.one_item.targets, 0)
    assert chosen.args == [1, 1]
    with qtbot.waitSignal(panel.target_chosen) as chosen:
        click_line(qtbot, panel.one_item.targets, 1)
    assert chosen.args == [3, 0]
    assert panel.one_item.words.text().startswith("Giving one")


def test_the_keyboard_does_not_reach_the_targets(qtbot, panel):
    click_tab(qtbot, panel, "One item")
    table = panel.one_item.targets
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert panel.one_item.words.text().startswith("Giving one")
    spoken = table.currentIndex().siblingAtColumn(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("class 7. Giving one of the 302 items")
    qtbot.keySequence(table, "Ctrl+C")
    copied = QGuiApplication.clipboard().text().splitlines()
    assert copied[0] == "Goes to\tAP\tChange"
    assert copied[1].startswith("class 7\t0.61760\t")


@pytest.mark.parametrize(
    ("table", "cell", "words"),
    [
        (FIGURE_1, (-1, -1), "Select a cell"),
        (FIGURE_1, (9, 0), "Select a cell"),
        (FIGURE_1, (3, 1), "No item of class 7 is in cluster 1"),
        (ContingencyTable([[7]]), (0, 0), "one cell"),
        (ContingencyTable([[0, 0]]), (0, 0), "no items"),
    ],
)
def test_a_cell_with_nothing_to_move_breaks_it(qtbot, panel, table, cell, words):
    panel.set_scores(score(table))
    panel.set_cell(*cell)
    click_tab(qtbot, panel, "One item")
    assert words in panel.one_item.sentence
    panel.set_scores(score(FIGURE_1))
    panel.set_cell(0, 0)
    settle(qtbot, panel)
    assert panel.one_item.sentence == ""


# AP's rows and conventions


def test_ties_are_not_marked(qtbot, panel):
    click_tab(qtbot, panel, "AP's rows")
    assert panel.class_rows.summary.text() == (
        "Associativity 1.000, peakiness 0.446, AP 0.617. No ties."
    )
    lines = panel.class_rows.lines.texts
    assert [lines.index(1, column).data() for column in range(6)] == [
        "5",
        "790",
        "1 (330)",
        "0 (302)",
        "0.085",
        "0",
    ]
    panel.set_scores(score(TIES))
    settle(qtbot, panel)
    assert lines.index(0, 2).data() == "\N{WARNING SIGN} C1 and C2 (5)"
    assert "votes for C1, the first" in lines.tip(0)
    assert lines.tip(3) == "Class T4 is empty: it is left out."
    with qtbot.waitSignal(panel.class_chosen) as chosen:
        click_line(qtbot, panel.class_rows.lines, 1)
    assert chosen.args == [1]


def test_conventions_do_not_stand_beside_scikit_learn(qtbot, panel):
    panel.set_key("fowlkes_mallows")
    panel.set_scores(score(np.eye(3, dtype=int)))
    click_tab(qtbot, panel, "Conventions")
    text = panel.conventions.text.toPlainText()
    assert "0/0 is 1" in text
    assert "fowlkes_mallows_score: It differs" in text
    panel.set_key("ap")
    settle(qtbot, panel)
    text = panel.conventions.text.toPlainText()
    assert "scikit-learn has no AP" in text


# What is computed, and when


def test_a_tab_that_is_not_seen_computes(qtbot, panel, jobs):
    started: list[object] = []
    jobs.started.connect(started.append)
    panel.set_key("ari")
    panel.set_scores(score(TIES))
    panel.set_cell(0, 0)
    qtbot.wait(150)
    assert started == []
    click_tab(qtbot, panel, "Costs")
    assert len(started) == 1
    # The same question is answered already.
    click_tab(qtbot, panel, "Meaning")
    click_tab(qtbot, panel, "Costs")
    assert len(started) == 1
    # More scores of the same table do not ask again.
    panel.set_scores(score(panel._scores.table))
    settle(qtbot, panel)
    assert len(started) == 1
    panel.hide()
    panel.set_scores(score(FIGURE_1))
    qtbot.wait(150)
    assert len(started) == 1
    panel.show()
    settle(qtbot, panel)
    assert len(started) == 2
    assert len(shown(panel.costs.classes)) == 4


class _Slow(CostsStudy):
    """Goes on until it is stopped."""

    def run(self):
        result = None
        for step in super().run():
            result = step.partial
        while True:
            yield Step(1, 2, "", result)


def test_a_stale_result_is_shown(qtbot, panel, jobs, monkeypatch):
    monkeypatch.setattr(gui.explanation.costs, "CostsStudy", _Slow)
    panel.tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: panel.costs.classes.bars.rowCount() == 4)
    monkeypatch.setattr(gui.explanation.costs, "CostsStudy", CostsStudy)
    panel.set_scores(score([[4, 1, 0], [0, 3, 2], [1, 1, 1]]))
    settle(qtbot, panel)
    assert panel.costs.classes.bars.rowCount() == 3
    qtbot.waitUntil(lambda: not jobs.jobs)
    assert panel.costs.classes.bars.rowCount() == 3
    assert panel.status == ""


def test_a_cancelled_explanation_passes_for_a_whole_one(qtbot, panel, jobs, monkeypatch):
    monkeypatch.setattr(gui.explanation.costs, "CostsStudy", _Slow)
    panel.tabs.setCurrentIndex(1)
    qtbot.waitUntil(lambda: "50 %" in panel.status, timeout=10_000)
    jobs.jobs[0].cancel()
    settle(qtbot, panel)
    qtbot.waitUntil(lambda: not jobs.jobs)
    monkeypatch.setattr(gui.explanation.costs, "CostsStudy", CostsStudy)
    # The study had nothing whole; it can be gone on with.
    assert "partial" in panel.status
    click_tab(qtbot, panel, "Meaning")
    assert panel.status == ""
    click_tab(qtbot, panel, "Costs")
    assert "partial" in panel.status
    assert panel._again.isVisible()
    qtbot.mouseClick(panel._again, Qt.MouseButton.LeftButton)
    settle(qtbot, panel)
    assert panel.status == ""
    assert not panel._again.isVisible()


class _Failing(CostsStudy):
    def run(self):
        yield Step(0, 1)
        raise MemoryError("no room for 3 tables")


def test_a_failure_is_swallowed(qtbot, panel, monkeypatch, caplog):
    monkeypatch.setattr(gui.explanation.costs, "CostsStudy", _Failing)
    click_tab(qtbot, panel, "Costs")
    assert panel.costs.sentence == "This could not be computed: no room for 3 tables."
    assert panel._again.isVisible()
    assert "failed" in caplog.text
    # What is left of it must not hang over another tab.
    click_tab(qtbot, panel, "AP's rows")
    assert not panel._again.isVisible()
    click_tab(qtbot, panel, "Costs")
    assert panel._again.isVisible()


def test_a_table_of_before_passes_for_the_present_one(qtbot, panel):
    click_tab(qtbot, panel, "Costs")
    panel.set_stale()
    assert panel.status == "of the table before"
    click_tab(qtbot, panel, "Meaning")
    assert panel.status == ""
    click_tab(qtbot, panel, "Costs")
    assert panel.status == "of the table before"
    panel.set_scores(score(FIGURE_1.transpose()))
    settle(qtbot, panel)
    assert panel.status == ""
    assert [name for name, _ in shown(panel.costs.classes)] != list("5467")


@pytest.mark.parametrize("counts", [[[1]], [[0]], [[3, 5, 2]], [[3], [5]], [[0, 0], [0, 4]]])
def test_a_degenerate_table_breaks_a_tab(qtbot, panel, counts):
    for key in ("ap", "ami", "tp"):
        panel.set_key(key)
        panel.set_scores(score(counts))
        panel.set_cell(0, 0)
        for title in TABS:
            click_tab(qtbot, panel, title)
            assert "could not be computed" not in getattr(panel.current, "sentence", "")


def test_a_row_score_or_a_wrong_key_replaces_the_score(panel):
    panel.set_key("row_peakiness")
    panel.set_key("nonsense")
    assert panel.key == "ap"


def test_other_digits_or_colours_reach_no_tab(qtbot, panel):
    panel.set_digits(5)
    click_tab(qtbot, panel, "AP's rows")
    assert "AP 0.61677" in panel.class_rows.summary.text()
    light = panel.grab().toImage()
    panel.set_theme(DARK)
    assert panel.grab().toImage() != light
    panel.set_theme(LIGHT)
    click_tab(qtbot, panel, "One item")
    panel.set_digits(4)
    settle(qtbot, panel)
    assert "from 0.6168 to 0.6182 (+0.0014)" in panel.one_item.words.text()


def test_a_widget_has_no_name_for_a_screen_reader(qtbot, panel):
    for title in TABS:
        click_tab(qtbot, panel, title)
        for widget in (
            panel.tabs,
            panel.meaning,
            panel.costs.classes,
            panel.costs.clusters,
            panel.conventions.text,
            panel.class_rows.lines,
            panel.one_item.targets,
        ):
            assert widget.accessibleName()


def test_the_tabs_do_not_fit_or_the_arrows_do_not_move(qtbot, panel):
    last = panel.tabs.tabRect(panel.tabs.count() - 1)
    assert panel.tabs.rect().contains(QPoint(last.right() - 1, last.center().y()))
    panel.tabs.setFocus()
    qtbot.keyClick(panel.tabs, Qt.Key.Key_Right)
    assert panel.tabs.currentIndex() == 1
    settle(qtbot, panel)
    assert panel.width() == 600
    assert panel.minimumSizeHint().width() <= 600
    assert QApplication.focusWidget() is panel.tabs
