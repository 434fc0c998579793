"""The panel of scores and its options, by real keys and clicks."""

from __future__ import annotations

import math
import time
from types import MappingProxyType

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QColor, QFontMetrics, QImage

import core.metrics.wording
import core.scores
import gui.metric_model
import gui.scorer
from core import METRICS, score
from core.formatting import format_score
from core.metrics.catalogue import FAMILIES
from core.metrics.metric import PAIRS_FAMILY, Metric
from core.studies.study import Step
from core.table import ContingencyTable
from gui.metric_model import BAR, HEADLINE, NAME, VALUE, MetricModel
from gui.metric_panel import MetricPanel
from gui.metric_text import Gauge, describe, gauge
from gui.theme import LIGHT, tabular

FIGURE_1 = [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]]
TIES = [[5, 5, 1, 0], [2, 6, 6, 0], [4, 4, 4, 0], [0, 0, 0, 0]]
QUOTED = (
    *("f1", "purity", "ari", "rand", "fowlkes_mallows"),
    *("ami", "nmi", "v_measure", "homogeneity", "completeness"),
)
SHOWN = [
    key
    for key, metric in METRICS.items()
    if metric.per == "table" and metric.when != "request" and key not in HEADLINE
]


@pytest.fixture
def panel(window):
    return window.table_page.panel


def rect(panel, index: QModelIndex) -> QRect:
    return panel.tree.visualRect(index)


def click(qtbot, panel, index: QModelIndex, *, double: bool = False) -> None:
    panel.tree.scrollTo(index)
    press = qtbot.mouseDClick if double else qtbot.mouseClick
    press(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=rect(panel, index).center())


def unfold_all(panel) -> None:
    for section in panel.sections:
        panel.tree.expand(panel.model.section(section))


def spoken(index: QModelIndex) -> str:
    return index.data(Qt.ItemDataRole.AccessibleTextRole)


def complete(qtbot, window) -> None:
    qtbot.waitUntil(lambda: window.scorer.scores is not None, timeout=10_000)


def show(qtbot, window, counts, name="another") -> None:
    window.session.show_table(ContingencyTable(counts), name)
    complete(qtbot, window)
    qtbot.waitUntil(lambda: not window.jobs.jobs, timeout=10_000)


# Folding


@pytest.mark.parametrize("counts", [FIGURE_1, TIES], ids=["figure 1", "ties"])
def test_a_score_that_people_quote_needs_scrolling(qtbot, window, panel, counts):
    show(qtbot, window, counts)
    qtbot.wait(20)
    assert (window.width(), window.height()) == (1280, 720)
    assert panel.headline.isVisible()
    room = panel.tree.viewport().rect()
    for key in QUOTED:
        assert room.contains(rect(panel, panel.model.index_of(key))), key


def test_a_score_is_in_the_panel_twice_or_not_at_all(qtbot, window, panel):
    show(qtbot, window, TIES)
    seen = []

    def walk(parent):
        for row in range(panel.model.rowCount(parent)):
            index = panel.model.index(row, NAME, parent)
            assert panel.model.parent(index) == parent
            metric = panel.model.metric(index)
            seen.extend([metric.key] if metric else [])
            walk(index)

    walk(QModelIndex())
    assert sorted(seen) == sorted(SHOWN)


def test_a_quantity_stands_among_the_scores(panel):
    for family in FAMILIES:
        heading = panel.model.section(family.key)
        if heading.isValid():
            better = [m.larger_is_better is not None for m in panel.model.metrics_in(heading)]
            assert better == sorted(better, reverse=True), family.key


def test_a_click_on_a_heading_does_not_fold(qtbot, panel):
    heading, ari = panel.model.section("pairs"), panel.model.index_of("ari")
    assert not rect(panel, ari).isEmpty()
    click(qtbot, panel, heading)
    assert rect(panel, ari).isEmpty()
    assert spoken(heading) == "Pair counting, folded"
    click(qtbot, panel, heading)
    assert not rect(panel, ari).isEmpty()
    assert spoken(heading) == "Pair counting, unfolded"


def test_the_second_of_two_fast_clicks_is_lost(qtbot, panel):
    heading = panel.model.section("pairs")
    click(qtbot, panel, heading)
    click(qtbot, panel, heading, double=True)
    assert panel.tree.isExpanded(heading)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_a_key_does_not_fold_a_heading(qtbot, panel, key):
    heading = panel.model.section("matching")
    panel.tree.setFocus()
    panel.tree.setCurrentIndex(heading)
    qtbot.keyClick(panel.tree, key)
    assert not panel.tree.isExpanded(heading)
    qtbot.keyClick(panel.tree, key)
    assert panel.tree.isExpanded(heading)


def test_left_and_right_do_not_fold_or_go_to_the_heading(qtbot, panel):
    heading = panel.model.section("pairs")
    panel.tree.setFocus()
    panel.tree.setCurrentIndex(panel.model.index_of("rand"))
    qtbot.keyClick(panel.tree, Qt.Key.Key_Left)
    assert panel.tree.currentIndex() == heading
    qtbot.keyClick(panel.tree, Qt.Key.Key_Left)
    assert not panel.tree.isExpanded(heading)
    qtbot.keyClick(panel.tree, Qt.Key.Key_Left)
    assert panel.tree.currentIndex() == heading
    qtbot.keyClick(panel.tree, Qt.Key.Key_Right)
    assert panel.tree.isExpanded(heading)
    qtbot.keyClick(panel.tree, Qt.Key.Key_Down)
    assert panel.model.metric(panel.tree.currentIndex()).key == "ari"


def test_every_score_cannot_be_reached_by_keys(qtbot, panel, window):
    panel.tree.setFocus()
    qtbot.keyClick(panel.tree, Qt.Key.Key_Home)
    reached, before = set(), None
    while panel.tree.currentIndex() != before:
        before = panel.tree.currentIndex()
        metric = panel.model.metric(before)
        reached |= {metric.key} if metric else set()
        qtbot.keyClick(panel.tree, Qt.Key.Key_Right)
        qtbot.keyClick(panel.tree, Qt.Key.Key_Down)
    assert reached == {key for key in SHOWN if METRICS[key].family.key != "ap"}


def test_the_keys_are_lost_in_a_section_that_is_folded(qtbot, panel):
    panel.tree.setFocus()
    panel.tree.setCurrentIndex(panel.model.index_of("rand"))
    heading = panel.model.section("pairs")
    # As a screen reader folds it: without a click, which would go there anyway.
    panel.tree.collapse(heading)
    assert panel.tree.currentIndex() == heading
    assert panel.selected == "rand"


def test_folding_is_forgotten(qtbot, make_window, settings):
    first = make_window()
    panel = first.table_page.panel
    click(qtbot, panel, panel.model.section("pairs"))
    click(qtbot, panel, panel.model.section("generalised"))
    first.close()
    assert settings.folded("pairs") is True
    assert settings.folded("generalised") is False
    assert settings.folded("matching") is None
    second = make_window().table_page.panel
    assert not second.tree.isExpanded(second.model.section("pairs"))
    assert second.tree.isExpanded(second.model.section("generalised"))
    assert second.tree.isExpanded(second.model.section("matching"))


def test_ties_move_the_selection_or_unfold_what_was_folded(qtbot, window, panel):
    panel.tree.setCurrentIndex(panel.model.index_of("ari"))
    click(qtbot, panel, panel.model.section("matching"))
    show(qtbot, window, TIES)
    assert panel.model.section("ap").row() == 0
    assert panel.model.metric(panel.tree.currentIndex()) is None or panel.selected == "ari"
    assert not panel.tree.isExpanded(panel.model.section("matching"))
    click(qtbot, panel, panel.model.section("ap"))
    shown = panel.model.index_of("ap_max")
    assert shown.siblingAtColumn(VALUE).data() == format_score(score(TIES)["ap_max"])
    show(qtbot, window, FIGURE_1)
    assert not panel.model.section("ap").isValid()
    show(qtbot, window, TIES)
    assert panel.tree.isExpanded(panel.model.section("ap"))


def test_a_screen_reader_does_not_hear_that_a_section_is_folded(panel):
    heading = panel.model.section("generalised")
    assert spoken(heading) == "Generalised information, q = 1, folded"
    panel.tree.expand(heading)
    assert spoken(heading) == "Generalised information, q = 1, unfolded"
    assert spoken(panel.model.section("generalised-more")).endswith(
        "more of Generalised information, folded"
    )
    interface = QAccessible.queryAccessibleInterface(panel.tree)
    names = [interface.child(i).text(QAccessible.Text.Name) for i in range(interface.childCount())]
    assert "Generalised information, q = 1, unfolded" in names
    assert f"Rand index: {panel.text('rand')}" in names


# Values


def test_a_value_does_not_fit_its_column(qtbot, window, panel):
    show(qtbot, window, [[10**12, 3], [1, 10**12 + 7]])
    metrics = QFontMetrics(tabular(panel.font()))
    for digits in (3, 4, 6, 10):
        for unfolded in (False, True):
            if unfolded:
                unfold_all(panel)
            window.set_digits(digits)
            for key in SHOWN:
                index = panel.model.index_of(key).siblingAtColumn(VALUE)
                if index.isValid() and not rect(panel, index).isEmpty():
                    needed = metrics.horizontalAdvance(panel.text(key))
                    assert needed + 8 <= rect(panel, index).width(), (key, digits)


def test_a_longer_value_of_the_next_table_does_not_fit(qtbot, window, panel):
    unfold_all(panel)
    show(qtbot, window, [[10**12, 3], [1, 10**12 + 7]])
    index = panel.model.index_of("smi_q").siblingAtColumn(VALUE)
    needed = QFontMetrics(tabular(panel.font())).horizontalAdvance(panel.text("smi_q"))
    assert len(panel.text("smi_q")) > len("0.0000")
    assert needed + 8 <= rect(panel, index).width()


def test_a_small_score_is_hidden(panel):
    exact = score(FIGURE_1)
    assert panel.text("p_bound") == format_score(exact["p_bound"]) == "6.2242e−6"
    assert panel.text("smi_q") == "400.83"


def test_a_small_peakiness_is_hidden_in_the_headline_or_the_table(qtbot, window, panel):
    show(qtbot, window, [[1_000_001, 1_000_000], [1_000_000, 1_000_001]])
    exact = score([[1_000_001, 1_000_000], [1_000_000, 1_000_001]])
    assert panel.text("peakiness") == format_score(exact["peakiness"]) == "1.0000e−6"
    assert panel.text("ap") == format_score(exact["ap"])
    model = window.table_page.view.model()
    assert model.index(0, 3).data().split()[0] == "1.0000e−6"


@pytest.fixture
def counting(qtbot, monkeypatch):
    """A panel with one score more: an exact count of the user's choice."""
    count = [7]
    metric = Metric(
        key="some_count",
        name="Some count",
        symbol="Count",
        family=PAIRS_FAMILY,
        low=0.0,
        high=math.inf,
        formula="counted",
        source="a test",
        compute=lambda batch, _: np.array(count * batch.n_tables, dtype=object),
        larger_is_better=None,
        whole=True,
    )
    more = MappingProxyType({**METRICS, metric.key: metric})
    monkeypatch.setattr(core.scores, "METRICS", more)
    monkeypatch.setattr(core.metrics.wording, "METRICS", more)
    monkeypatch.setattr(gui.metric_model, "METRICS", more)
    panel = MetricPanel()
    qtbot.addWidget(panel)
    panel.resize(384, 600)

    def with_count(number):
        count[0] = number
        panel.set_scores(score(FIGURE_1, ["ap", "ari", "some_count"]))
        return panel

    return with_count


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (2521, "2\u202f521"),
        (999_999_999_999, "999\u202f999\u202f999\u202f999"),
        (10**36 + 1, "1.0000e36"),
    ],
)
def test_a_count_is_not_exact_where_it_can_be(qtbot, counting, qapp, number, shown):
    panel = counting(number)
    index = panel.model.index_of("some_count")
    assert panel.text("some_count") == shown
    assert panel.model.data(index.siblingAtColumn(BAR), MetricModel.GaugeRole) is Gauge.NONE
    assert format_score(number) in index.data(Qt.ItemDataRole.ToolTipRole)
    panel.tree.setCurrentIndex(index)
    qtbot.keyClick(panel.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert qapp.clipboard().text() == f"some_count\t{number}"


def test_copying_a_heading_copies_no_scores(qtbot, panel, qapp):
    panel.tree.setFocus()
    panel.tree.setCurrentIndex(panel.model.section("information"))
    qtbot.keyClick(panel.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = dict(line.split("\t") for line in qapp.clipboard().text().splitlines())
    exact = score(FIGURE_1)
    keys = [key for key in SHOWN if METRICS[key].family.key == "information"]
    assert copied == {key: repr(exact[key]) for key in keys}


# Gauges


def test_a_bar_is_drawn_where_it_means_nothing():
    exact = score(FIGURE_1)
    for key in SHOWN:
        metric = METRICS[key]
        low, high = exact.range(key)
        kind = gauge(metric, low, high)
        if metric.larger_is_better is None or metric.whole or math.isinf(high):
            assert kind is Gauge.NONE, key
        elif metric.larger_is_better:
            assert kind is Gauge.BAR, key
        else:
            assert kind is Gauge.MARK, key
    drawn = {gauge(METRICS[key], *exact.range(key)) for key in ("ari", "ami", "p_bound", "smi_q")}
    assert drawn == {Gauge.BAR, Gauge.MARK, Gauge.NONE}
    assert gauge(METRICS["mutual_information"], 0.0, 0.0) is Gauge.NONE


def painted(panel, key: str, colour: str) -> int:
    """Return how many pixels of a score's gauge have a colour."""
    index = panel.model.index_of(key).siblingAtColumn(BAR)
    panel.tree.scrollTo(index)
    area = rect(panel, index)
    image: QImage = panel.tree.viewport().grab(area).toImage()
    wanted = QColor(colour).rgb()
    return sum(
        image.pixel(x, y) == wanted for x in range(image.width()) for y in range(image.height())
    )


def test_a_gauge_is_painted_otherwise_than_its_kind_says(qtbot, window, panel):
    unfold_all(panel)
    show(qtbot, window, [[5, 0], [0, 5]])
    full = painted(panel, "rand", LIGHT.families["pairs"])
    assert full > 300
    colour = LIGHT.families["generalised"]
    assert painted(panel, "smi_q", colour) == 0
    assert painted(panel, "smi_q", LIGHT.track) == 0
    assert painted(panel, "entropy_truth_q", colour) == 0
    # The worst distance is a mark at the right end, not a full bar.
    show(qtbot, window, [[5, 5], [5, 5]])
    assert panel.text("p_bound") == "1.0000"
    assert 0 < painted(panel, "p_bound", colour) < full / 10


def test_what_a_mark_means_is_not_said():
    exact = score(FIGURE_1)
    assert "the further left its mark, the better" in describe(METRICS["p_bound"], exact)
    assert "its bar runs from 0 to 1" in describe(METRICS["ami"], exact)
    assert "neither good nor bad" in describe(METRICS["entropy_truth_q"], exact)
    assert "larger is better" in describe(METRICS["rand"], exact)


# Live and later


def test_the_slow_scores_hold_up_the_quick_ones_or_go_blank(qtbot, window, panel):
    panel.tree.expand(panel.model.section("generalised"))
    before = panel.text("smi_q")
    arrived = []
    window.scorer.scored.connect(lambda scores, last: arrived.append((set(scores), last)))
    window.session.document.set_cell(0, 0, 999)
    qtbot.waitUntil(lambda: bool(arrived), timeout=1000)
    changed = [row[:] for row in FIGURE_1]
    changed[0][0] = 999
    exact = score(changed)
    keys, last = arrived[0]
    assert "smi_q" not in keys
    assert not last
    assert keys == {key for key in exact if METRICS[key].when == "live"}
    assert panel.text("ari") == format_score(exact["ari"])
    assert panel.text("smi_q") == before
    assert panel.model.index_of("smi_q").data(MetricModel.DimRole)
    assert not panel.model.index_of("ari").data(MetricModel.DimRole)
    assert "being computed" in panel.description("smi_q")
    complete(qtbot, window)
    assert [last for _, last in arrived] == [False, True]
    assert panel.text("smi_q") == format_score(exact["smi_q"]) != before
    assert not panel.model.index_of("smi_q").data(MetricModel.DimRole)


def test_the_slow_scores_of_a_larger_table_are_those_of_another(qtbot, window, panel, monkeypatch):
    run = gui.scorer._Rest.run

    def slow(study):
        time.sleep(0.1)
        yield from run(study)

    monkeypatch.setattr(gui.scorer._Rest, "run", slow)
    counts = np.random.default_rng(1).integers(0, 50, size=(20, 20))
    window.session.show_table(ContingencyTable(counts), "medium")
    qtbot.waitUntil(lambda: bool(window.jobs.jobs), timeout=5000)
    assert window.scorer.at_once
    assert panel.text("ari") == format_score(score(counts)["ari"])
    # A change while the worker is busy with the table before.
    window.session.document.set_cell(0, 0, 49)
    qtbot.wait(1)
    assert window.scorer.scores is None
    complete(qtbot, window)
    counts[0, 0] = 49
    exact = score(counts)
    for key in SHOWN:
        if panel.model.index_of(key).isValid():
            assert panel.text(key) == format_score(exact[key]), key
    qtbot.waitUntil(lambda: not window.jobs.jobs, timeout=5000)


def test_a_score_that_was_there_goes_away_while_more_come(qtbot, window, panel):
    counts = np.random.default_rng(1).integers(0, 50, size=(60, 45))
    numbers = []
    window.scorer.scored.connect(lambda scores, _: numbers.append(len(scores)))
    window.session.show_table(ContingencyTable(counts), "large")
    complete(qtbot, window)
    assert len(numbers) > 1
    assert numbers == sorted(set(numbers))
    qtbot.waitUntil(lambda: not window.jobs.jobs, timeout=5000)


def test_fewer_scores_than_are_shown_replace_them(window):
    arrived = []
    window.scorer.scored.connect(lambda scores, _: arrived.append(len(scores)))
    window.scorer._delivered = 1
    for keys in (["ap"], ["ap", "ari"], ["rand", "ari"], ["ap"], ["ap", "ari", "ami"]):
        window.scorer._on_progress(Step(1, 2, "", score(FIGURE_1, keys)))
    assert arrived == [2, 3]


def test_the_export_button_flickers_while_one_types(qtbot, window):
    states = []
    window.commands.export.changed.connect(
        lambda: states.append(window.commands.export.isEnabled())
    )
    for count in range(3):
        window.session.document.set_cell(0, 0, count)
        complete(qtbot, window)
    assert states == []
    assert window.commands.export.isEnabled()


# Options


def open_editor(window, text: str):
    (menu,) = [a.menu() for a in window.menuBar().actions() if a.text() == "&Scores"]
    menu.aboutToShow.emit()
    (action,) = [a for a in menu.actions() if text in a.text()]
    action.trigger()
    return window.table_page.panel.option_editor, action


def test_the_order_cannot_be_set_by_keys(qtbot, window, panel):
    editor, action = open_editor(window, "Order")
    assert action.text() == "Order &q of the generalised information: 1"
    assert editor.field.hasFocus()
    assert editor.field.selectedText() == "1"
    qtbot.keyClicks(editor.field, "2")
    qtbot.keyClick(editor.field, Qt.Key.Key_Return)
    complete(qtbot, window)
    assert panel.text("ami_q") == panel.text("ari")
    assert panel.text("smi_q") == format_score(score(FIGURE_1, q=2)["smi_q"])
    assert panel.model.section("generalised").data() == "Generalised information, q = 2"
    assert "q = 2" in panel._conventions.text()
    assert panel._conventions.isVisible()
    _, action = open_editor(window, "Order")
    assert action.text().endswith(": 2")
    qtbot.mouseClick(editor.usual_button, Qt.MouseButton.LeftButton)
    complete(qtbot, window)
    assert not panel._conventions.isVisible()
    qtbot.keyClick(editor.field, Qt.Key.Key_Escape)
    assert editor.isHidden()
    assert window.table_page.view.hasFocus()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0", "q is 0.0: it must be a number above 0."),
        ("-1", "q is -1.0: it must be a number above 0."),
        ("", "q is '': it must be a number above 0."),
        ("two", "q is 'two': it must be a number above 0."),
        ("1_000", "q is '1_000': it must be a number above 0."),
        ("nan", "q is 'nan': it must be a number above 0."),
        ("1e999", "q is inf: it must be a number above 0."),
    ],
)
def test_an_order_without_a_meaning_is_taken(qtbot, window, panel, text, sentence):
    editor, _ = open_editor(window, "Order")
    editor.field.clear()
    qtbot.keyClicks(editor.field, text)
    qtbot.keyClick(editor.field, Qt.Key.Key_Return)
    assert editor.message.text() == sentence
    assert window.scorer.options.q == 1.0
    assert editor.field.text() == text
    qtbot.keyClick(editor.field, Qt.Key.Key_Escape)
    assert window.scorer.options.q == 1.0


@pytest.mark.parametrize(("text", "value"), [("0,5", 0.5), ("0.5", 0.5), (" 3 ", 3.0)])
def test_a_number_is_read_wrongly(qtbot, window, text, value):
    editor, _ = open_editor(window, "Beta")
    qtbot.keyClicks(editor.field, text)
    qtbot.keyClick(editor.field, Qt.Key.Key_Tab)
    assert window.scorer.options.beta == value
    complete(qtbot, window)
    exact = score(FIGURE_1, beta=value)["v_measure"]
    assert window.table_page.panel.text("v_measure") == format_score(exact)


def test_steps_leave_tenths(qtbot, window, panel):
    editor, _ = open_editor(window, "Order")
    for key in [Qt.Key.Key_Up] * 3 + [Qt.Key.Key_Down]:
        qtbot.keyClick(editor.field, key)
    assert editor.field.text() == "1.2"
    assert window.scorer.options.q == 1.2
    for _ in range(12):
        qtbot.keyClick(editor.field, Qt.Key.Key_Down)
    assert window.scorer.options.q == 0.1
    assert "above 0" in editor.message.text()
    complete(qtbot, window)


def test_f2_on_a_score_of_an_order_does_not_open_its_editor(qtbot, window, panel):
    panel.tree.setFocus()
    panel.tree.setCurrentIndex(panel.model.section("generalised"))
    qtbot.keyClick(panel.tree, Qt.Key.Key_F2)
    assert panel.option_editor.field.hasFocus()
    assert "Order q" in panel.option_editor._name.text()


# The page of metrics


def test_a_metric_is_missing_on_the_page_or_not_said_when_it_comes(qtbot, window):
    qtbot.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    page = window.pages[-1]
    text = page.text.toPlainText()
    for key, metric in METRICS.items():
        assert metric.name in text
        page.filter.setText(f"{key} {metric.name}")
        alone = page.text.toPlainText()
        when = {"live": "follows typing", "later": "a moment later", "request": "only on request"}
        assert when[metric.when] in alone, key
        assert (f"--metrics {key}" in alone) == (metric.when == "request"), key
    qtbot.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)


def test_a_narrow_panel_paints_a_value_over_a_name(qtbot, window, panel):
    unfold_all(panel)
    window.table_page.splitter.setSizes([2000, 1])
    qtbot.wait(20)
    assert panel.tree.header().length() <= panel.tree.viewport().width()
    index = panel.model.index_of("ari")
    assert rect(panel, index).right() < rect(panel, index.siblingAtColumn(VALUE)).left()
    assert rect(panel, index.siblingAtColumn(VALUE)).left() > QPoint(0, 0).x()


def test_beta_cannot_be_set_at_the_score_that_reads_it(qtbot, window, panel):
    index = panel.model.index_of("v_measure")
    panel.tree.setCurrentIndex(index)
    panel.tree.setFocus()
    qtbot.keyClick(panel.tree, Qt.Key.Key_F2)
    assert panel.option_editor.isVisible()
    panel.option_editor.field.selectAll()
    qtbot.keyClicks(panel.option_editor.field, "2")
    qtbot.keyClick(panel.option_editor.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.scorer.options.beta == 2.0, timeout=5000)
