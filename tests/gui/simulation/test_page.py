"""The simulation page: runs beside the window, fills, stops, leads to single tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core import METRICS, ContingencyTable, score
from core.files.simulation_settings import read_settings, write_settings
from core.simulation.around import Perturbed
from core.simulation.presets import PAPER_METRICS, PRESETS
from core.studies.simulation import Simulation
from core.studies.study import run_to_end
from gui.theme import DARK

PAGE = "Simulation"


def settled(qtbot, window):
    qtbot.waitUntil(lambda: not window.jobs.jobs, timeout=20_000)
    qtbot.wait(20)
    qtbot.waitUntil(lambda: not window.jobs.jobs, timeout=20_000)
    views = window.simulation_page.views
    qtbot.waitUntil(lambda: not views or views[0].drawn, timeout=20_000)


@pytest.fixture
def page(qtbot, window):
    window.show_page([page.title for page in window.pages].index(PAGE))
    return window.simulation_page


def run(qtbot, window, page, tables=500):
    page.form.fields["tables"].setText(str(tables))
    QTest.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    settled(qtbot, window)
    return page.runs.runs[-1]


def type_into(page, key, text):
    field = page.form.fields[key]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


def plot_of(page, key):
    plot = page.histograms.grid.plot(key)
    assert plot is not None
    return plot


# Running


def test_the_page_simulates_something_else_than_it_says(qtbot, window, page):
    page.form.choose("higher_4x4")
    type_into(page, "seed", "7")
    found = run(qtbot, window, page, 300).result
    expected = run_to_end(Simulation(PRESETS["higher_4x4"].scenario, 300, seed=7))
    assert found.simulation == expected.simulation
    np.testing.assert_array_equal(found.values, expected.values)
    for key in PAPER_METRICS:
        series = page.histograms.series(key)[0]
        there = expected.of(key)
        assert series.counts.sum() == np.count_nonzero(~np.isnan(there))
        counted = np.histogram(there, series.edges)[0]
        assert series.counts.tolist() == counted.tolist()
    assert page.status.text().startswith("300 of 300 tables")


def test_the_median_is_of_another_metric(qtbot, window, page):
    found = run(qtbot, window, page, 300).result
    # Plots are made one a turn.
    qtbot.waitUntil(lambda: set(page.histograms.grid.keys) == set(PAPER_METRICS), timeout=5000)
    for key in PAPER_METRICS:
        qtbot.waitUntil(plot_of(page, key).median.isVisible, timeout=5000)
        line = plot_of(page, key).median
        assert line.value() == pytest.approx(np.nanmedian(found.of(key)))
    assert "dotted: median" in page.histograms.key.text()


def test_enter_in_a_field_does_not_run(qtbot, window, page):
    type_into(page, "tables", "20")
    QTest.keyClick(page.form.fields["tables"], Qt.Key.Key_Return)
    settled(qtbot, window)
    assert page.runs.runs[-1].result.done == 20


def test_typing_a_size_keeps_the_name_of_the_preset(qtbot, window, page):
    page.form.choose("low_4x4")
    type_into(page, "rows", "5")
    assert page.form.key == "custom"
    assert run(qtbot, window, page, 10).result.simulation.scenario.shape == (5, 4)
    page.form.choose("ideal")
    type_into(page, "columns", "6")
    assert page.form.key == "ideal"
    found = run(qtbot, window, page, 10).result
    assert (found.values == 1).all()


@pytest.mark.parametrize(
    ("key", "text", "word"),
    [
        ("total", "0", "total"),
        ("total", "-3", "-3"),
        ("total", "1e9", "1e9"),
        ("rows", "", "truth classes"),
        ("columns", "2.5", "2.5"),
        ("zero_weight", "inf", "inf"),
        ("zero_weight", "-1", "from 0"),
        ("tables", "1 000 000 000", "64.0 GB"),
        ("tables", "0", "from 1"),
        ("seed", "x", "seed"),
    ],
)
def test_a_wrong_setting_runs_or_opens_a_dialog(qtbot, window, page, answers, key, text, word):
    page.form.choose("low_4x4")
    type_into(page, key, text) if text else page.form.fields[key].clear()
    QTest.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    assert not window.jobs.jobs
    assert not page.runs.runs
    assert page.form.message.isVisible()
    assert word in page.form.message.text()
    assert QApplication.focusWidget() is page.form.fields[key]
    assert not answers.texts
    # What is typed next takes the sentence away.
    QTest.keyClicks(page.form.fields[key], "1")
    assert not page.form.message.isVisible()


def test_the_table_under_edit_is_not_the_one_that_is_perturbed(qtbot, window, page):
    table = window.session.document.snapshot()
    page.form.choose("perturb")
    assert page.form.table_name.text() == window.session.current.name
    type_into(page, "share", "2,5 %")
    found = run(qtbot, window, page, 40).result
    assert found.simulation.scenario.share == 0.025
    assert found.simulation.scenario.table == table
    assert all((made.row_sums == table.row_sums).all() for made in found.tables(range(40)))
    page.form.choose("margins")
    found = run(qtbot, window, page, 40).result
    assert all((made.column_sums == table.column_sums).all() for made in found.tables(range(40)))


# Stopping


def test_cancelling_loses_the_tables_that_are_there(qtbot, window, page):
    page.form.fields["tables"].setText("2000000")
    page.run_button.click()
    qtbot.waitUntil(lambda: page.runs.runs[-1].result.done > 0, timeout=10_000)
    assert not page.run_button.isEnabled()
    QTest.mouseClick(page.cancel_button, Qt.MouseButton.LeftButton)
    settled(qtbot, window)
    found = page.runs.runs[-1]
    assert 0 < found.result.done < 2_000_000
    assert not found.running
    assert "partial" in page.notices.notice.text
    assert "partial" in page.status.text()
    assert f"{found.result.done:,} of 2,000,000" in page.choice.shown.currentText()
    assert page.histograms.series("ap")[0].counts.sum() == found.result.done
    assert page.run_button.isEnabled()
    whole = run_to_end(Simulation(found.result.simulation.scenario, found.result.done))
    np.testing.assert_array_equal(whole.values, found.result.values)


def test_a_run_begins_during_a_run(qtbot, window, page):
    page.form.fields["tables"].setText("2000000")
    page.start()
    page.start()
    assert len(page.runs.runs) == 1
    assert "is running" in page.notices.notice.text
    page.runs.cancel()
    settled(qtbot, window)


def test_closing_during_a_run_leaves_a_thread(qtbot, window, page):
    page.form.fields["tables"].setText("2000000")
    page.start()
    qtbot.waitUntil(lambda: page.runs.runs[-1].result.done > 0, timeout=10_000)
    window.session.document.set_clean()
    window.close()
    assert not window.jobs.jobs


def test_a_run_is_cancelled_before_its_first_table(qtbot, window, page):
    page.form.fields["tables"].setText("2000000")
    page.start()
    page.runs.cancel()
    settled(qtbot, window)
    assert page.notices.notice is not None
    assert page.run_button.isEnabled()
    assert run(qtbot, window, page, 30).result.complete


# Looking


def click_bar(page, key, place):
    plot = plot_of(page, key)
    series = page.histograms.series(key)[0]
    middle = float(series.edges[place : place + 2].mean())
    at = plot.canvas.pixel_of(middle, 0.5 * float(max(series.counts)) / 50)
    QTest.mouseClick(plot.canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPointF(at).toPoint())


def test_a_click_on_a_bar_lists_other_tables(qtbot, window, page):
    found = run(qtbot, window, page).result
    series = page.histograms.series("ami")[0]
    place = int(series.counts.argmax())
    click_bar(page, "ami", place)
    settled(qtbot, window)
    low, high = series.edges[place : place + 2]
    expected = np.flatnonzero((found.of("ami") >= low) & (found.of("ami") < high))
    assert page.found.model.numbers.tolist() == expected.tolist()
    assert f"{len(expected)} tables" in page.found.title.text()
    assert page.found.title.text().startswith("AMI from")


def test_a_table_that_is_opened_is_another(qtbot, window, page):
    found = run(qtbot, window, page).result
    before = len(window.session.entries)
    number = page.found.selected[0]
    assert number == int(np.nanargmax(found.of("ap")))
    QTest.mouseClick(page.found.open_button, Qt.MouseButton.LeftButton)
    settled(qtbot, window)
    assert len(window.session.entries) == before + 1
    assert window.stack.currentWidget() is window.table_page
    table = window.session.document.snapshot()
    assert table == found.tables([number])[0]
    assert score(table, ["ap"])["ap"] == np.nanmax(found.of("ap"))
    assert f"no. {number + 1}" in window.session.current.name
    assert "seed 0" in window.session.current.named.notes[0]


def test_tables_with_ap_0_are_not_found(qtbot, window, page):
    found = run(qtbot, window, page).result
    page.found.how.setCurrentIndex(page.found.how.findData("equal"))
    page.found.how.activated.emit(0)
    settled(qtbot, window)
    assert page.found.model.numbers.tolist() == np.flatnonzero(found.of("ap") == 0).tolist()
    assert "sum" in page.found.preview.text()


def test_correlations_are_of_other_scores(qtbot, window, page):
    found = run(qtbot, window, page).result
    page.show_tab("Correlations")
    settled(qtbot, window)
    bars = page.correlations.bars
    assert bars.keys == tuple(key for key in PAPER_METRICS if key != "ap")
    shown = page.correlations.found.by_key
    for key in bars.keys:
        expected = np.corrcoef(found.of("ap"), found.of(key))[0, 1]
        assert shown[key].coefficient == pytest.approx(expected)
    # A click on a bar shows its points, a click on a point its table.
    line = bars.row_rect(bars.keys.index("f1")).center().toPoint()
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=line)
    assert page.tabs.tabText(page.tabs.currentIndex()) == "Scatter"
    assert (page.points.across.currentData(), page.points.up.currentData()) == ("ap", "f1")
    number = int(np.nanargmax(found.of("f1")))
    canvas = page.points.plot.canvas
    QApplication.processEvents()
    at = canvas.pixel_of(found.of("ap")[number], found.of("f1")[number])
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=at.toPoint())
    settled(qtbot, window)
    assert page.found.selected == [number]


def test_many_points_cover_one_another(qtbot, window, page):
    run(qtbot, window, page, 5000)
    page.show_tab("Scatter")
    qtbot.wait(30)
    assert page.points.plot.is_density
    run(qtbot, window, page, 100)
    assert not page.points.plot.is_density


def test_two_runs_lie_over_one_another_by_number_not_by_share(qtbot, window, page):
    one = run(qtbot, window, page, 100)
    page.form.choose("higher_4x6")
    run(qtbot, window, page, 400)
    page.choice.lay_over(one)
    settled(qtbot, window)
    series = page.histograms.series("f1")
    assert len(series) == 2
    for each in series:
        assert each.heights(shares=True).sum() == pytest.approx(100)
    # They have the same bins.
    assert series[0].edges.tolist() == series[1].edges.tolist()
    assert "outline: Low" in page.histograms.key.text()


def test_other_bins_lose_scores(qtbot, window, page):
    found = run(qtbot, window, page).result
    page.histograms.bins.setCurrentIndex(page.histograms.bins.findData(50))
    page.histograms.bins.activated.emit(0)
    settled(qtbot, window)
    series = page.histograms.series("ari")[0]
    assert len(series.counts) == 50
    assert series.counts.sum() == found.done


def test_scores_without_a_common_range_share_its_axis(qtbot, window, page):
    page.metrics.set_keys(("ap", "mutual_information", "chi2", "smi_q"))
    page.form.choose("low_4x4")
    found = run(qtbot, window, page, 64).result
    for key in found.keys:
        series = page.histograms.series(key)[0]
        assert series.counts.sum() == 64
        assert series.edges[0] <= found.of(key).min()
        assert series.edges[-1] >= found.of(key).max()
    assert page.histograms.series("ap")[0].edges[-1] == 1.0
    assert page.histograms.series("chi2")[0].edges[-1] > 1.0


def test_undefined_scores_break_the_page(qtbot, window, page):
    page.form.choose("custom")
    for key, text in (("rows", "1"), ("columns", "3"), ("total", "5"), ("zero_weight", "1")):
        type_into(page, key, text)
    run(qtbot, window, page, 50)
    for tab in ("Correlations", "Scatter", "Numbers", "Histograms"):
        page.show_tab(tab)
        settled(qtbot, window)
    assert page.numbers.model.text(0, 0) == "\N{EM DASH}"


def test_numbers_are_those_of_numpy(qtbot, window, page):
    found = run(qtbot, window, page).result
    page.show_tab("Numbers")
    settled(qtbot, window)
    row = found.keys.index("ari")
    assert page.numbers.model.text(row, 0) == f"{found.of('ari').mean():.4f}"
    assert page.numbers.model.text(row, 5) == f"{np.median(found.of('ari')):.4f}"
    assert "tables a second" in page.numbers.note.text()
    assert page.numbers.model.tab_separated().count("\n") == len(PAPER_METRICS)


def test_a_theme_breaks_what_is_shown(qtbot, window, page):
    run(qtbot, window, page, 50)
    page.set_theme(DARK)
    page.set_digits(2)
    for tab in ("Correlations", "Scatter", "Numbers", "Histograms"):
        page.show_tab(tab)
        settled(qtbot, window)
    assert window.grab().toImage().width() > 0


def test_the_last_metric_can_be_dropped(qtbot, window, page):
    page.metrics.set_keys(("ap",))
    page.metrics.choose("ap", False)
    assert page.keys == ("ap",)
    page.metrics.choose("nmi", True)
    page.metrics.choose("f1", True)
    assert page.keys == ("ap", "f1", "nmi")
    assert all(key in METRICS for key in page.keys)


def test_a_drag_is_taken_for_a_click(qtbot, window, page):
    run(qtbot, window, page, 100)
    canvas = plot_of(page, "ap").canvas
    picked: list[object] = []
    page.histograms.picked.connect(picked.append)
    middle = canvas.viewport().rect().center()
    QTest.mousePress(canvas.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseRelease(canvas.viewport(), Qt.MouseButton.LeftButton, pos=middle + QPoint(40, 0))
    assert not picked


# Exports


def entries(menu):
    return {action.text().rstrip("\N{HORIZONTAL ELLIPSIS}"): action for action in menu.actions()}


@pytest.mark.parametrize("suffix", ["pdf", "svg", "png"])
@pytest.mark.parametrize(
    ("tab", "text"),
    [
        ("Histograms", "All histograms as a figure"),
        ("Correlations", "Correlations as a figure"),
        ("Scatter", "Points as a figure"),
    ],
)
def test_a_figure_is_not_written_or_says_nothing_of_its_seed(
    qtbot, window, page, answers, tmp_path, tab, text, suffix
):
    run(qtbot, window, page, 60)
    page.show_tab(tab)
    settled(qtbot, window)
    answers.save_path = tmp_path / f"figure.{suffix}"
    page.export_menu.fill()
    entries(page.export_menu)[text].trigger()
    settled(qtbot, window)
    content = answers.save_path.read_bytes()
    assert "figure" in page.notices.notice.text
    if suffix == "svg":
        assert b"seed 0" in content
        assert b"divided_total" in content
        assert b"AMI" in content
    assert content.startswith({"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG"}[suffix])


def test_one_histogram_cannot_be_exported_alone(qtbot, window, page, answers, tmp_path):
    run(qtbot, window, page, 60)
    answers.save_path = tmp_path / "one.svg"
    page.export_menu.fill()
    menu = entries(page.export_menu)["One histogram as a figure"].menu()
    entries(menu)["ARI"].trigger()
    settled(qtbot, window)
    content = answers.save_path.read_text("utf-8")
    assert "ARI" in content
    assert "AMI" not in content.replace("AMI, ", "")


def test_a_figure_that_cannot_be_written_is_more_than_a_sentence(
    qtbot, window, page, answers, tmp_path
):
    run(qtbot, window, page, 20)
    answers.save_path = tmp_path / "no" / "such" / "folder.pdf"
    page.export_menu.fill()
    entries(page.export_menu)["All histograms as a figure"].trigger()
    settled(qtbot, window)
    assert page.notices.notice.text.startswith("Not exported")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Tables", "t.npz"),
        ("Tables", "t.csv"),
        ("Scores", "s.csv"),
        ("Scores", "s.xlsx"),
        ("Summary", "m.md"),
        ("Summary", "m.json"),
        ("Settings", "set.json"),
    ],
)
def test_what_lies_behind_a_figure_cannot_be_exported(
    qtbot, window, page, answers, tmp_path, text, name
):
    found = run(qtbot, window, page, 30).result
    page.show_tab("Correlations")
    settled(qtbot, window)
    answers.save_path = tmp_path / name
    page.export_menu.fill()
    entries(page.export_menu)[text].trigger()
    settled(qtbot, window)
    assert answers.save_path.stat().st_size > 100
    if text == "Settings":
        assert read_settings(answers.save_path) == found.simulation
    if name == "t.npz":
        with np.load(answers.save_path) as tables:
            assert (tables["tables"][7] == found.tables([7])[0].counts).all()
    if name == "m.md":
        assert "Pearson with AP" in answers.save_path.read_text("utf-8")


def test_settings_of_a_cancelled_run_make_other_numbers(qtbot, window, page, answers, tmp_path):
    page.form.fields["tables"].setText("2000000")
    page.start()
    qtbot.waitUntil(lambda: page.runs.runs[-1].result.done > 0, timeout=10_000)
    page.runs.cancel()
    settled(qtbot, window)
    found = page.runs.runs[-1].result
    answers.save_path = tmp_path / "set.json"
    page.export_menu.fill()
    entries(page.export_menu)["Settings"].trigger()
    settled(qtbot, window)
    assert read_settings(answers.save_path).tables == found.done


def test_correlations_of_one_run_are_taken_for_those_of_another(qtbot, window, page):
    first = run(qtbot, window, page, 4000)
    page.form.choose("higher_4x4")
    second = run(qtbot, window, page, 4000)
    page.choice.show_runs(page.runs.runs, first)
    page._show_chosen()
    page.show_tab("Correlations")
    page.show_tab("Histograms")
    page.choice.show_runs(page.runs.runs, second)
    page._show_chosen()
    settled(qtbot, window)
    assert page.correlations.found is None
    page.show_tab("Correlations")
    settled(qtbot, window)
    expected = np.corrcoef(second.result.of("ap"), second.result.of("f1"))[0, 1]
    found = page.correlations.found
    assert found is not None
    assert found.by_key["f1"].coefficient == pytest.approx(expected)


def test_the_outline_of_a_run_that_was_running_stays_where_it_was(qtbot, window, page):
    first = run(qtbot, window, page, 200)
    page.form.fields["tables"].setText("20000")
    page.start()
    second = page.runs.runs[-1]
    page.choice.show_runs(page.runs.runs, first)
    page.choice.lay_over(second)
    settled(qtbot, window)
    counts = page.histograms.series("ap")[1].counts
    assert counts.sum() == 20_000


def test_closing_during_one_slow_score_of_a_large_table_does_not_wait_for_it(qtbot, window, page):
    # Minutes of work in one step, were it not left in the middle.
    window.scorer.set_options(replace(window.scorer.options, draws=1_000_000))
    page.metrics.set_keys(("ap_adjusted",))
    for name, text in {"rows": "100", "columns": "100", "total": "100000", "tables": "3"}.items():
        page.form.fields[name].setText(text)
    page.start()
    run = page.runs.running
    qtbot.wait(500)
    assert run is not None
    assert run.result.done == 0
    window.close()
    assert not window.jobs.jobs


def test_the_shown_run_is_offered_over_itself(qtbot, window, page):
    first = run(qtbot, window, page, 20)
    page.form.choose("higher_4x4")
    second = run(qtbot, window, page, 20)
    offered = [page.choice.other.itemData(i) for i in range(page.choice.other.count())]
    assert offered == [None, first]
    assert second is page.run


def test_a_long_name_of_a_table_widens_the_window(qtbot, window, page):
    width = window.width()
    window.session.rename(window.session.current.key, "a very long name " * 300)
    page.form.choose("perturb")
    found = run(qtbot, window, page, 20)
    assert len(found.name) < 100
    assert "…" in found.name
    qtbot.wait(50)
    assert window.width() == width
    assert window.minimumSizeHint().width() <= width


def test_a_run_without_tables_offers_empty_files(qtbot, window, page):
    page.form.fields["tables"].setText("100000")
    page.start()
    page.runs.cancel()
    settled(qtbot, window)
    page.export_menu.fill()
    if page.run.result.done == 0:
        (action,) = page.export_menu.actions()
        assert not action.isEnabled()
        assert "no table was scored" in action.text()


def test_a_suggested_name_has_an_underscore_for_times(qtbot, window, page, answers):
    page.form.choose("higher_4x6")
    run(qtbot, window, page, 20)
    page.exports.ask("Export", "Higher 4 × 6 scores", {"CSV (*.csv)": "csv"}, lambda _: None)
    assert answers.suggestion is not None
    assert answers.suggestion.name == "Higher 4x6 scores.csv"


def test_one_table_is_called_tables(qtbot, window, page):
    found = run(qtbot, window, page, 1)
    assert "1 table, seed" in found.title
    page.show_tab("Correlations")
    settled(qtbot, window)
    assert "over 1 table. There are no intervals" in page.correlations.status.text()


def test_settings_of_a_file_run_to_other_numbers(qtbot, window, page, answers, tmp_path):
    expected = Simulation(
        Perturbed(ContingencyTable([[30, 5], [4, 21]]), 0.2), 40, ["ap", "ari"], 9
    )
    answers.open_path = tmp_path / "mine.json"
    write_settings(expected, answers.open_path)
    QTest.mouseClick(page.settings_button, Qt.MouseButton.LeftButton)
    settled(qtbot, window)
    assert page.run.name == "mine"
    np.testing.assert_array_equal(page.run.result.values, run_to_end(expected).values)
    assert page.keys == ("ap", "ari")
    assert page.form.fields["seed"].text() == "9"


@pytest.mark.parametrize("content", ["", "{}", '{"format": "tallyscope profile"}', "a,b\n1,2\n"])
def test_a_file_without_settings_is_run(qtbot, window, page, tmp_path, content):
    path = tmp_path / "other.json"
    path.write_text(content)
    page.opener.open_file(path)
    settled(qtbot, window)
    assert page.run is None
    assert "other.json" in page.notices.notice.text


def test_the_numbers_of_a_run_that_lies_over_another_are_not_shown(qtbot, window, page):
    first = run(qtbot, window, page, 60).result
    page.form.choose("higher_4x4")
    second = run(qtbot, window, page, 50).result
    page.choice.lay_over(page.runs.runs[0])
    settled(qtbot, window)
    page.show_tab("Numbers")
    settled(qtbot, window)
    model = page.numbers.model
    assert model.rowCount() == 16
    heads = [model.headerData(row, Qt.Orientation.Vertical) for row in range(2)]
    assert heads == ["AP", "over it"]
    for row, result in enumerate((second, first)):
        assert model.text(row, 0) == f"{np.nanmean(result.of('ap')):.4f}"
    assert "Over it: Low 4 × 4, 60 tables" in page.numbers.note.text()
    assert not page.found.isVisible()
    page.show_tab("Histograms")
    assert page.found.isVisible()
