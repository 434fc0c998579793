"""The profile page: measures beside the window, stops, keeps, compares, exports."""

from __future__ import annotations

import json
import multiprocessing

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from core.files.profile_file import ReadProfile, SaveProfile
from core.simulation.presets import PAPER_METRICS
from core.studies.study import run_to_end
from gui.theme import DARK, LIGHT

PAGE = "Profile"


def settled(qtbot, window):
    qtbot.waitUntil(lambda: not window.jobs.jobs, timeout=30_000)
    qtbot.wait(20)
    qtbot.waitUntil(lambda: not window.jobs.jobs, timeout=30_000)


@pytest.fixture
def page(qtbot, window):
    window.show_page([page.title for page in window.pages].index(PAGE))
    return window.profile_page


def ask(page, **values):
    for key, value in values.items():
        page.form.fields[key].setText(str(value))


def run(qtbot, window, page, instances=30, **values):
    ask(page, instances=instances, **values)
    QTest.mouseClick(page.side.run_button, Qt.MouseButton.LeftButton)
    settled(qtbot, window)
    return page.kept


def test_a_newcomer_presses_one_button(qtbot, window, page):
    assert page.sample_button.isVisible()
    ask(page, instances=30)
    QTest.mouseClick(page.sample_button, Qt.MouseButton.LeftButton)
    settled(qtbot, window)
    kept = page.kept
    assert kept.result.complete
    assert kept.result.profile.keys == PAPER_METRICS
    assert len(page.traces.plot.traces) == 8
    assert len(kept.costs) == 24
    assert "30 of 30 instances" in page.side.status.text()


def test_every_tab_shows_the_profile(qtbot, window, page):
    kept = run(qtbot, window, page)
    page.show_tab("Costs")
    assert [bar.key for bar in page.costs.bars.bars] == list(PAPER_METRICS)
    by_key = {cost.key: cost for cost in kept.of_route("paper")}
    for bar in page.costs.bars.bars:
        assert bar.value == by_key[bar.key].quiet_mean
        assert bar.mark > 0
    assert page.costs.order.text().startswith("Dearest first: AMI > ")
    page.show_tab("Budget")
    assert page.budget.grid.rowCount() == 8
    assert page.budget.grid.columnCount() == 6
    page.show_tab("Why")
    text = page.why.text.toPlainText()
    for words in ("Beside the AP paper", "expected information", "Processor", "In a process"):
        assert words in text
    page.show_tab("Machines")
    assert page.machines.grid.rowCount() == 8
    assert "Save a profile on one machine" in page.machines.note.text()


def test_another_route_has_other_costs_and_no_paper(qtbot, window, page):
    run(qtbot, window, page)
    for view in (page.costs, page.traces):
        view.route.setCurrentIndex(view.route.findData("batch"))
        view.route.activated.emit(view.route.currentIndex())
    assert all(np.isnan(bar.mark) for bar in page.costs.bars.bars)
    assert all(bar.value < 0.5 for bar in page.costs.bars.bars)
    assert (page.traces.plot.traces[0].values > 0).all()


def test_a_window_that_is_dragged_changes_the_costs(qtbot, window, page):
    kept = run(qtbot, window, page, instances=60)
    canvas = page.traces.plot.canvas
    before = kept.window
    assert canvas.span == before
    a, b = (canvas.pixel_of(at + 0.5, 0.0).toPoint() for at in (2, 12))
    if before[0] <= 2 < before[1]:
        # Away from the span, so that a new one begins.
        a, b = (canvas.pixel_of(at + 0.5, 0.0).toPoint() for at in (46, 57))
    view = canvas.viewport()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=a)
    QTest.mouseMove(view, a + QPoint(9, 0))
    QTest.mouseMove(view, b)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=b)
    settled(qtbot, window)
    assert kept.chosen is not None
    assert kept.window != before
    start, stop = kept.window
    (ap,) = [cost for cost in kept.of_route("table") if cost.key == "ap"]
    assert ap.quiet_mean == pytest.approx(kept.result.of("table", "ap")[start:stop].mean())
    assert "chosen by hand" in page.traces.said.text()
    QTest.mouseClick(page.traces.again, Qt.MouseButton.LeftButton)
    settled(qtbot, window)
    assert kept.window == before


def test_a_profile_that_is_cancelled_keeps_its_first_instances(qtbot, window, page):
    ask(page, instances=20_000)
    page.start()
    kept = page.profiles.running
    qtbot.waitUntil(lambda: kept.result is not None and kept.result.done > 5, timeout=20_000)
    assert not page.side.run_button.isEnabled()
    QTest.mouseClick(page.side.cancel_button, Qt.MouseButton.LeftButton)
    settled(qtbot, window)
    assert 5 < kept.result.done < 20_000
    assert "partial" in page.notices.notice.text
    assert "partial" in page.side.status.text()
    assert kept.costs
    assert page.side.run_button.isEnabled()
    assert not multiprocessing.active_children()


def test_a_profile_that_is_cancelled_at_once_leaves_nothing_behind(qtbot, window, page):
    page.start()
    page.profiles.cancel()
    settled(qtbot, window)
    assert page.profiles.profiles == []
    assert page.kept is None
    assert page.sample_button.isVisible()
    assert "before the first instance" in page.notices.notice.text


def test_closing_while_it_measures_ends_the_process(qtbot, window, page):
    ask(page, instances=20_000)
    page.start()
    qtbot.waitUntil(lambda: bool(multiprocessing.active_children()), timeout=10_000)
    window.close()
    assert not multiprocessing.active_children()


def test_a_second_run_waits_for_the_first(qtbot, window, page):
    ask(page, instances=500)
    page.start()
    first = page.profiles.running
    page.start()
    assert page.profiles.running is first
    assert "A measurement is running" in page.notices.notice.text
    page.growth.start()
    assert not page.growth.busy
    page.profiles.cancel()
    settled(qtbot, window)
    assert len(page.profiles.profiles) <= 1


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        ("instances", "0", "instances"),
        ("instances", "many", "'many' is no whole number"),
        ("instances", "", "type a number"),
        ("instances", "99999", "instances"),
        ("rows", "0", "truth classes"),
        ("total", "1e9", "no whole number"),
        ("total", "100000000000", "too many"),
        ("seed", "-1", "no whole number"),
    ],
)
def test_a_bad_field_is_said_below_it(qtbot, window, page, field, text, words):
    ask(page, **{field: text})
    page.start()
    assert page.profiles.running is None
    assert words in page.form.message.text()
    assert page.form.message.isVisible()
    assert page.form.fields[field].hasFocus()
    QTest.keyClicks(page.form.fields[field], "5")
    assert not page.form.message.isVisible()


def test_no_route_is_refused(qtbot, window, page):
    for box in page.form.routes.values():
        box.setChecked(False)
    page.start()
    assert "at least one route" in page.form.message.text()


def test_metrics_that_scikit_learn_lacks_are_said(qtbot, window, page):
    page.metrics.set_keys(("ap", "smi_q"))
    run(qtbot, window, page, instances=10)
    assert "Not in scikit-learn: " in page.costs.note.text()
    assert [bar.key for bar in page.costs.bars.bars] == ["ap"]


def test_profiles_are_saved_opened_and_compared(qtbot, window, page, tmp_path):
    kept = run(qtbot, window, page)
    path = tmp_path / "laptop.json"
    run_to_end(SaveProfile(kept.result, path))
    page.open_file(path)
    settled(qtbot, window)
    assert page.kept.name == "laptop"
    page.show_tab("Machines")
    heads = [page.machines.grid.horizontalHeaderItem(i).text() for i in range(4)]
    assert heads == [
        f"{kept.name}: ms",
        "laptop: ms",
        f"{kept.name}: × AP",
        "laptop: × AP",
    ]
    text = page.machines.grid.tab_separated().splitlines()
    assert text[1].split("\t")[1] == text[1].split("\t")[2]


@pytest.mark.parametrize("content", ["", "{}", "not a profile", '{"format": "tallyscope profile"}'])
def test_a_file_that_is_no_profile_is_refused_in_place(qtbot, window, page, tmp_path, content):
    path = tmp_path / "other.json"
    path.write_text(content)
    page.open_file(path)
    settled(qtbot, window)
    assert "other.json" in page.notices.notice.text
    assert page.kept is None


def actions(page):
    page.export_menu.fill()
    return {
        action.text().rstrip("…"): action
        for action in page.export_menu.actions()
        if not action.isSeparator()
    }


def test_what_is_shown_can_be_exported(qtbot, window, page, tmp_path, monkeypatch):
    assert list(actions(page)) == ["Nothing to export yet: run a profile first"]
    kept = run(qtbot, window, page)
    written = iter(("t.svg", "p.json", "c.csv", "e.tsv"))
    paths = []

    def answer(parent, title, suggestion, filters, save):
        paths.append(tmp_path / next(written))
        assert "×" not in suggestion.name
        save(paths[-1])

    monkeypatch.setattr(page._dialogs, "ask_save", answer)
    for text in ("Traces as a figure", "Whole profile", "Costs", "Every time"):
        actions(page)[text].trigger()
        settled(qtbot, window)
    assert b"<svg" in paths[0].read_bytes()
    assert run_to_end(ReadProfile(paths[1])).done == kept.result.done
    assert "paper_times_ap" in paths[2].read_text("utf-8")
    assert "instance\tpaper.ap" in paths[3].read_text("utf-8")
    page.show_tab("Costs")
    assert "Costs as a figure" in actions(page)


def test_growth_is_measured_and_fitted(qtbot, window, page, monkeypatch, tmp_path):
    from core.studies import scaling

    monkeypatch.setattr(
        scaling, "SIZES", {**scaling.SIZES, "items": (100, 1000, 10_000), "tables": (1, 3, 10)}
    )
    page.show_tab("Growth")
    assert "says how long it will take" in page.growth.status.text()
    page.growth.limit.setValue(0.5)
    QTest.mouseClick(page.growth.start_button, Qt.MouseButton.LeftButton)
    assert page.growth.busy
    assert not page.side.run_button.isEnabled()
    settled(qtbot, window)
    assert page.growth.result.complete
    assert "expected" in page.growth.status.text()
    assert "exponent" in page.growth.fits.toPlainText()
    labels = {line.label for line in page.growth.plot.lines}
    assert any("N^" in label or "flat" in label for label in labels)
    figure = page.growth.figure()
    assert figure is not None
    assert "limit 0.5 s" in figure.settings
    page._body.setCurrentIndex(1)
    assert "Growth as a figure" in actions(page)
    assert "Growth with items N" in actions(page)
    page.growth.axis.setCurrentIndex(page.growth.axis.findData("tables"))
    page.growth.axis.activated.emit(page.growth.axis.currentIndex())
    assert page.growth.result is None
    assert page.growth.plot.lines == []


def test_growth_that_is_cancelled_keeps_its_points_and_fits_them(qtbot, window, page):
    page.growth.start()
    qtbot.waitUntil(
        lambda: page.growth.result is not None and page.growth.result.done > 40, timeout=30_000
    )
    assert "takes about" in page.growth.status.text()
    QTest.mouseClick(page.growth.cancel_button, Qt.MouseButton.LeftButton)
    page.growth._on_cancel()
    settled(qtbot, window)
    assert not page.growth.result.complete
    assert "partial" in page.growth.status.text()
    assert page.growth.fits.toPlainText()
    assert not multiprocessing.active_children()


def test_only_so_many_profiles_are_kept(qtbot, window, page, tmp_path):
    kept = run(qtbot, window, page, instances=5)
    for number in range(10):
        page.profiles.add(f"machine {number}", kept.result)
    settled(qtbot, window)
    assert len(page.profiles.profiles) == 8
    assert page.profiles.profiles[-1].name == "machine 9"


def test_themes_and_a_budget_of_nothing(qtbot, window, page):
    run(qtbot, window, page, instances=5)
    for theme in (DARK, LIGHT):
        page.set_theme(theme)
    page.budget.seconds.setValue(0.0)
    assert page.budget.grid.item(0, 1).text() == "0"


def test_a_saved_profile_says_when_it_was_disturbed(qtbot, window, page, tmp_path):
    kept = run(qtbot, window, page, instances=5)
    path = tmp_path / "p.json"
    run_to_end(SaveProfile(kept.result, path))
    assert isinstance(json.loads(path.read_text())["disturbances"], list)


def test_a_process_that_is_killed_leaves_what_it_had(qtbot, window, page):
    ask(page, instances=20_000)
    page.start()
    kept = page.profiles.running
    qtbot.waitUntil(lambda: kept.result is not None and kept.result.done > 5, timeout=20_000)
    for child in multiprocessing.active_children():
        child.kill()
    settled(qtbot, window)
    assert "The profile stopped after" in page.notices.notice.text
    assert "ended by itself" in page.notices.notice.text
    assert kept.result.done > 5
    assert kept.costs
    assert page.side.run_button.isEnabled()


def test_closing_while_growth_is_measured_ends_the_process(qtbot, window, page):
    page.show_tab("Growth")
    page.growth.start()
    qtbot.waitUntil(lambda: bool(multiprocessing.active_children()), timeout=10_000)
    window.close()
    assert not multiprocessing.active_children()


def test_one_instance_is_a_profile(qtbot, window, page):
    kept = run(qtbot, window, page, instances=1)
    assert kept.window == (0, 1)
    for tab in ("Costs", "Budget", "Why", "Machines", "Traces"):
        page.show_tab(tab)
        qtbot.wait(20)
    assert page.traces.figure() is not None
    assert all(bar.value > 0 for bar in page.costs.bars.bars)
