"""Changes from a baseline in the panel of scores."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics

from core import ContingencyTable, score
from core.formatting import MINUS
from gui.metric_model import BAR, CHANGE, VALUE, MetricModel
from gui.metric_panel import MetricPanel
from gui.theme import DARK, tabular

FIGURE_1 = [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]]
BETTER = [[400, 88, 72, 10], [2, 630, 0, 158], [161, 0, 613, 81], [4, 0, 1, 514]]


@pytest.fixture
def panel(qtbot):
    panel = MetricPanel()
    qtbot.addWidget(panel)
    panel.resize(384, 640)
    panel.set_digits(3)
    panel.set_scores(score(ContingencyTable(BETTER)))
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def change(panel, key):
    return panel.model.index_of(key).siblingAtColumn(CHANGE)


def test_without_a_baseline_there_is_a_column_of_changes(panel):
    assert panel.tree.isColumnHidden(CHANGE)
    assert not panel._against.isVisible()
    assert panel.model.change_text("ari") == ""


def test_a_change_is_without_its_sign_or_its_meaning(panel):
    before, after = score(FIGURE_1), score(BETTER)
    panel.set_baseline(before, "Figure 1")
    assert not panel.tree.isColumnHidden(CHANGE)
    assert change(panel, "ari").data() == f"+{after['ari'] - before['ari']:.3f}"
    assert change(panel, "ari").data(MetricModel.BetterRole) is True
    # A distance that shrinks is better, and its number has a minus sign.
    less = after["van_dongen"] - before["van_dongen"]
    assert less < 0
    panel.tree.expand(panel.model.section("matching-more"))
    assert change(panel, "van_dongen").data() == f"{MINUS}{-less:.3f}"
    assert change(panel, "van_dongen").data(MetricModel.BetterRole) is True
    spoken = panel.model.index_of("van_dongen").data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.endswith(f"change {MINUS}{-less:.3f}, better")
    assert panel._against.text().startswith("Against Figure 1: AP\N{NO-BREAK SPACE}+")
    by = f"{after['ap'] - before['ap']:.3f}"
    shown = f"AP +{by} \N{BLACK UP-POINTING SMALL TRIANGLE}".replace(" ", "\N{NO-BREAK SPACE}")
    assert shown in panel._against.text()


def test_the_change_stands_behind_the_gauge(panel):
    panel.set_baseline(score(FIGURE_1), "Figure 1")
    header = panel.tree.header()
    assert header.visualIndex(VALUE) < header.visualIndex(CHANGE) < header.visualIndex(BAR)


def test_a_change_is_cut(panel):
    panel.set_baseline(score(FIGURE_1), "Figure 1")
    metrics = QFontMetrics(tabular(panel.font()))
    for key in ("ari", "ami", "purity", "nmi"):
        rect = panel.tree.visualRect(change(panel, key))
        # The arrow, the number and the gap beside it.
        assert rect.width() >= metrics.horizontalAdvance(change(panel, key).data()) + 14


def test_a_new_table_keeps_the_changes_of_the_one_before(panel):
    panel.set_baseline(score(FIGURE_1), "Figure 1")
    panel.set_scores(score(FIGURE_1))
    assert change(panel, "ari").data() == "0.000"
    assert change(panel, "ari").data(MetricModel.BetterRole) is None
    panel.set_scores(score([[3, 5, 2]]))
    assert "AP\N{NO-BREAK SPACE}\N{EM DASH}" in panel._against.text()


def test_a_baseline_cannot_be_taken_away(panel):
    panel.set_baseline(score(FIGURE_1), "Figure 1")
    panel.set_baseline(None)
    assert panel.tree.isColumnHidden(CHANGE)
    assert not panel._against.isVisible()
    assert panel.model.change_text("ari") == ""
    assert panel.tree.header().sectionSize(BAR) == 88


def test_scores_by_other_conventions_are_compared(panel):
    panel.set_baseline(score(FIGURE_1, average="max"), "Figure 1")
    assert change(panel, "ami").data() == ""
    assert change(panel, "ari").data()


def test_better_and_worse_look_alike(panel):
    panel.set_baseline(score(FIGURE_1), "Figure 1")
    better = panel.grab(panel.tree.visualRect(change(panel, "ari"))).toImage()
    panel.set_theme(DARK)
    assert panel.grab().toImage() != better
    panel.set_baseline(score([[9, 0], [0, 9]]), "Perfect")
    assert change(panel, "ari").data(MetricModel.BetterRole) is False


def test_a_line_ends_between_a_name_and_its_change(qtbot, window):
    key = window.session.document.key
    window.session.duplicate([key])
    window.session.set_baseline(key)
    window.session.document.set_cell(0, 0, 3)
    label = window.table_page.panel._against
    qtbot.waitUntil(lambda: "AP" in label.text(), timeout=5000)
    changes = label.text().partition(": ")[2]
    assert len(changes.split(" ")) == 3
