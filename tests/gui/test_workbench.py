"""What a person does all day: files of every kind in, tables and figures for a paper out."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton

from core import score
from core.files.opening import open_file
from core.files.results import ScoredTable, write_scores
from core.files.sessions import SessionContent, read_session, write_session
from core.formatting import format_score
from core.metrics.metric import ScoreOptions
from core.named_table import NamedTable
from core.table import ContingencyTable

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
FIGURE_1 = [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]]
TABLE = ContingencyTable([[8, 2], [1, 9]], truth=["cat", "dog"], clusters=["a", "b"])


def names(window):
    return [entry.name for entry in window.session.entries]


def notice(window):
    shown = window.table_page.notices.notice
    return "" if shown is None else shown.text


def idle(qtbot, window):
    qtbot.waitUntil(
        lambda: not window.jobs.jobs and window.scorer.scores is not None, timeout=20_000
    )


def press(key, *modifiers):
    combined = Qt.KeyboardModifier.NoModifier
    for modifier in modifiers:
        combined |= modifier
    widget = QApplication.focusWidget()
    assert widget is not None
    QTest.keyClick(widget, key, combined)


# From a spreadsheet to a paper


def test_figure_1_goes_from_a_spreadsheet_to_latex_and_pdf_by_keys(
    qtbot, window, answers, tmp_path
):
    rows = ["\t".join(["", *"0123"])]
    rows += ["\t".join([name, *map(str, row)]) for name, row in zip("4567", FIGURE_1, strict=True)]
    QGuiApplication.clipboard().setText("\n".join(rows) + "\n")
    window.session.new()
    window.table_page.focus_first()
    QTest.keyClick(window, Qt.Key.Key_V, CTRL | SHIFT)
    qtbot.waitUntil(lambda: window.session.current.name == "Pasted table", timeout=5000)
    idle(qtbot, window)
    assert window.session.document.snapshot().counts.tolist() == FIGURE_1
    assert window.session.document.state.truth == list("4567")
    # The sample has gone; the name of the table goes into the paper.
    assert names(window) == ["Pasted table"]
    assert window.session.is_dirty
    window.table_page.tables.actions_by_name["rename"].trigger()
    editor = window.table_page.tables.list.findChild(QLineEdit)
    QTest.keyClicks(editor, "Figure 1 again")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Figure 1 again" in names(window), timeout=2000)
    answers.save_path = tmp_path / "figure.tex"
    QTest.keyClick(window, Qt.Key.Key_E, CTRL)
    qtbot.waitUntil(lambda: "figure.tex" in notice(window), timeout=10_000)
    latex = answers.save_path.read_text("utf-8")
    assert r"\toprule" in latex
    assert "0.617" in latex
    assert "Figure 1 again" in latex
    answers.save_path = tmp_path / "figure.pdf"
    QTest.keyClick(window, Qt.Key.Key_H, CTRL | SHIFT)
    qtbot.waitUntil(lambda: window.figures.dialog is not None, timeout=2000)
    QTest.keyClick(window.figures.dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "figure.pdf" in notice(window), timeout=10_000)
    assert answers.save_path.read_bytes().startswith(b"%PDF")
    idle(qtbot, window)


# Opening


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json", ".xlsx"])
def test_exported_tables_open_again_unchanged(qtbot, window, answers, tmp_path, suffix):
    tables = [
        NamedTable("first", TABLE),
        NamedTable("second", ContingencyTable([[1, 0, 3]], truth=["x"], clusters=list("pqr"))),
    ]
    window.session.show_tables(tables)
    answers.save_path = tmp_path / f"all{suffix}"
    window.commands.export_all.trigger()
    qtbot.waitUntil(lambda: answers.save_path.name in notice(window), timeout=20_000)
    idle(qtbot, window)
    window.session.new()
    window.files.open_file(answers.save_path)
    qtbot.waitUntil(lambda: names(window) == ["first", "second"], timeout=20_000)
    assert [named.table for named in window.session.tables()] == [t.table for t in tables]
    # Saving must never write a bare table over the scores.
    assert window.session.path is None
    idle(qtbot, window)


def test_arrays_and_plain_json_open(qtbot, window, tmp_path):
    np.save(tmp_path / "one.npy", TABLE.counts)
    np.savez(tmp_path / "two.npz", left=TABLE.counts, right=TABLE.counts.T)
    (tmp_path / "three.json").write_text(json.dumps([[1, 2], [3, 4]]), "utf-8")
    window.files.open_files([tmp_path / f for f in ("one.npy", "two.npz", "three.json")])
    qtbot.waitUntil(lambda: len(names(window)) == 4, timeout=10_000)
    assert names(window) == ["one", "left", "right", "three"]
    idle(qtbot, window)


def test_one_bad_file_of_several_does_not_keep_the_others_out(qtbot, window, tmp_path):
    (tmp_path / "good.csv").write_text(",a,b\nx,1,2\ny,3,4\n", "utf-8")
    (tmp_path / "bad.csv").write_text(",a,b\nx,1,-2\ny,3,4\n", "utf-8")
    window.files.open_files([tmp_path / "bad.csv", tmp_path / "good.csv"])
    qtbot.waitUntil(lambda: names(window) == ["good"], timeout=10_000)
    assert "bad.csv" in notice(window)
    assert "negative" in notice(window)
    idle(qtbot, window)


def test_two_files_of_one_name_are_told_apart(qtbot, window, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "t.csv").write_text(",a,b\nx,1,2\ny,3,4\n", "utf-8")
    window.session.document.set_cell(0, 0, 5)
    window.files.open_files([tmp_path / "a" / "t.csv", tmp_path / "b" / "t.csv"])
    qtbot.waitUntil(lambda: names(window) == ["Figure 1", "t", "t (2)"], timeout=10_000)
    idle(qtbot, window)


def test_a_line_of_totals_is_a_question_in_place(qtbot, window, tmp_path):
    file = tmp_path / "t.csv"
    file.write_text(",a,b\nx,1,2\ny,3,4\nTotal,4,7\n", "utf-8")
    window.files.open_file(file)
    qtbot.waitUntil(lambda: "otal" in notice(window), timeout=10_000)
    keep = next(b for b in window.table_page.notices.buttons if b.text().startswith("Keep"))
    keep.click()
    qtbot.waitUntil(lambda: window.session.path == file, timeout=10_000)
    assert window.session.document.state.truth == ["x", "y", "Total"]
    idle(qtbot, window)


def test_another_reading_of_a_file_takes_the_place_of_the_first(qtbot, window, tmp_path):
    (tmp_path / "other.csv").write_text(",a,b\nx,1,2\ny,3,4\n", "utf-8")
    window.files.open_file(tmp_path / "other.csv")
    qtbot.waitUntil(lambda: names(window) == ["other"], timeout=10_000)
    (tmp_path / "bare.csv").write_text("1,2\n3,4\n", "utf-8")
    window.files.open_file(tmp_path / "bare.csv")
    qtbot.waitUntil(lambda: names(window) == ["other", "bare"], timeout=10_000)
    qtbot.waitUntil(lambda: bool(window.table_page.notices.buttons), timeout=5000)
    first = next(b for b in window.table_page.notices.buttons if "First line" in b.text())
    first.click()
    qtbot.waitUntil(lambda: window.session.document.state.clusters == ["1", "2"], timeout=10_000)
    assert names(window) == ["other", "bare"]
    idle(qtbot, window)


def test_labels_are_imported_from_the_notice_that_refuses_them(qtbot, window, tmp_path):
    file = tmp_path / "labels.csv"
    rng = np.random.default_rng(1)
    truth, found = rng.integers(0, 3, 90), rng.integers(-1, 3, 90)
    lines = ["truth,dbscan", *(f"c{t},{p}" for t, p in zip(truth, found, strict=True))]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    window.files.open_file(file)
    qtbot.waitUntil(lambda: bool(window.table_page.notices.buttons), timeout=10_000)
    window.table_page.notices.buttons[0].click()
    qtbot.waitUntil(lambda: window.importing.assistant is not None, timeout=5000)
    assistant = window.importing.assistant
    qtbot.waitUntil(lambda: assistant.import_button.isEnabled(), timeout=10_000)
    QTest.mouseClick(assistant.import_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "dbscan" in names(window), timeout=10_000)
    expected = ContingencyTable.from_labels([f"c{t}" for t in truth], found.astype(str).tolist())
    assert window.session.document.snapshot().total == expected.total == 90
    assert window.session.document.snapshot().noise is not None
    assert window.session.is_dirty
    idle(qtbot, window)


def test_a_list_of_labels_is_not_taken_for_a_table_without_a_word(qtbot, window, tmp_path):
    file = tmp_path / "labels.csv"
    file.write_text("truth,found\n" + "0,1\n1,0\n" * 20, "utf-8")
    window.files.open_file(file)
    qtbot.waitUntil(lambda: bool(window.table_page.notices.buttons), timeout=10_000)
    assert "import it as labels" in notice(window) or "label" in notice(window)
    labels = [b.text() for b in window.table_page.notices.buttons]
    assert "Import labels…" in labels
    idle(qtbot, window)


# Sessions


def test_a_session_is_saved_and_opens_as_it_was(qtbot, window, answers, tmp_path):
    window.session.add([NamedTable("first", TABLE), NamedTable("second", TABLE.transpose())])
    window.session.set_baseline(window.session.entries.at(1).key)
    window._set_options(ScoreOptions(q=2.0))
    window.board.set_keys(("nmi", "purity"))
    answers.save_path = tmp_path / "mine.tallyscope"
    window.commands.save.trigger()
    qtbot.waitUntil(lambda: not window.session.is_dirty, timeout=10_000)
    assert window.windowTitle().startswith("mine.tallyscope")
    assert [t.name for t in read_session(answers.save_path).tables] == names(window)
    before = window.session.tables()
    idle(qtbot, window)
    window._set_options(ScoreOptions())
    window.session.new()
    window.files.open_file(answers.save_path)
    qtbot.waitUntil(lambda: len(names(window)) == 3, timeout=10_000)
    assert window.session.tables() == before
    assert window.session.current.name == "first"
    assert window.session.entries.baseline == window.session.entries.at(1).key
    assert window.scorer.options.q == 2.0
    assert window.board.keys == ("nmi", "purity")
    assert not window.session.is_dirty
    idle(qtbot, window)


def test_a_session_under_another_ending_is_known_by_its_content(qtbot, window, tmp_path):
    file = tmp_path / "renamed.txt"
    write_session(SessionContent((NamedTable("inside", TABLE),)), tmp_path / "s.tallyscope")
    (tmp_path / "s.tallyscope").rename(file)
    window.files.open_file(file)
    qtbot.waitUntil(lambda: names(window) == ["inside"], timeout=10_000)
    idle(qtbot, window)


def test_a_damaged_session_gives_what_is_whole(qtbot, window, tmp_path):
    file = tmp_path / "cut.tallyscope"
    tables = [NamedTable("first", TABLE), NamedTable("second", TABLE)]
    write_session(SessionContent(tuple(tables)), file)
    lines = file.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:-2]), "utf-8")
    window.files.open_file(file)
    qtbot.waitUntil(lambda: "cut.tallyscope" in notice(window), timeout=10_000)
    window.table_page.notices.buttons[0].click()
    assert names(window) == ["Figure 1", "first"]
    idle(qtbot, window)


def test_a_second_table_is_never_lost_by_saving_to_the_file_of_the_first(
    qtbot, window, answers, tmp_path
):
    file = tmp_path / "one.csv"
    file.write_text(",a,b\nx,1,2\ny,3,4\n", "utf-8")
    window.files.open_file(file)
    qtbot.waitUntil(lambda: window.session.path == file, timeout=10_000)
    window.session.add([NamedTable("more", TABLE)])
    answers.save_path = tmp_path / "both.tallyscope"
    window.commands.save.trigger()
    assert answers.asked[-1] == "Save the session"
    qtbot.waitUntil(lambda: not window.session.is_dirty, timeout=10_000)
    assert file.read_text("utf-8") == ",a,b\nx,1,2\ny,3,4\n"
    assert len(read_session(answers.save_path).tables) == 2
    idle(qtbot, window)


def test_two_windows_with_copies_of_a_session_keep_their_work_apart(qtbot, make_window, tmp_path):
    file = tmp_path / "mine.tallyscope"
    write_session(SessionContent((NamedTable("t", TABLE),)), file)
    first, second = make_window([file]), make_window([file])
    for window, count in ((first, 111), (second, 222)):
        qtbot.waitUntil(lambda w=window: w.session.path == file, timeout=10_000)
        window.session.document.set_cell(0, 0, count)
        window.recovery.keep_now()
    qtbot.waitUntil(lambda: len(list(tmp_path.glob(".mine*.tallyscope"))) == 2, timeout=10_000)
    idle(qtbot, first)
    idle(qtbot, second)
    kept = {int(read_session(p).tables[0].table.counts[0, 0]) for p in tmp_path.glob(".mine*")}
    assert kept == {111, 222}
    first.commands.save.trigger()
    qtbot.waitUntil(lambda: not first.session.is_dirty, timeout=10_000)
    # The second must not overwrite what the first has saved without a word.
    second.commands.save.trigger()
    qtbot.waitUntil(lambda: "changed by another program" in notice(second), timeout=10_000)
    assert read_session(file).tables[0].table.counts[0, 0] == 111
    assert len(list(tmp_path.glob(".mine*"))) == 1
    idle(qtbot, first)
    idle(qtbot, second)


def test_a_read_only_folder_is_one_sentence_and_recovery_goes_elsewhere(
    qtbot, window, answers, tmp_path, monkeypatch
):
    file = tmp_path / "mine.tallyscope"
    write_session(SessionContent((NamedTable("t", TABLE),)), file)
    window.files.open_file(file)
    qtbot.waitUntil(lambda: window.session.path == file, timeout=10_000)
    window.session.document.set_cell(0, 0, 5)
    opened = os.open

    def refuse(path, flags, *arguments, **options):
        # Whoever runs the tests may be allowed everything.
        if flags & os.O_CREAT and Path(path).parent == tmp_path:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, flags, *arguments, **options)

    monkeypatch.setattr(os, "open", refuse)
    window.recovery.keep_now()
    window.commands.save.trigger()
    qtbot.waitUntil(lambda: "Not saved" in notice(window), timeout=10_000)
    idle(qtbot, window)
    assert read_session(file).tables[0].table == TABLE
    assert list(window.recovery._folder.glob("*.tallyscope"))


# Explaining


def test_the_panel_shows_changes_against_the_pinned_table(qtbot, window):
    window.session.add([NamedTable("better", TABLE)])
    window.session.set_baseline(window.session.entries.at(0).key)
    idle(qtbot, window)
    model = window.table_page.panel.model
    base, now = score(ContingencyTable(FIGURE_1)), score(TABLE)
    change = now["ari"] - base["ari"]
    assert model.change_text("ari") == "+" + format_score(change)
    window.session.select(window.session.entries.at(0).key)
    idle(qtbot, window)
    assert model.change_text("ari") == ""


def test_the_selected_cell_tints_where_one_item_could_go(qtbot, window):
    page = window.table_page
    page.explanation.show_tab("One item")
    page.view.set_current(1, 0)

    def tinted(column):
        targets = page.view.table_model.targets
        return targets is not None and (targets.row, targets.column) == (1, column)

    qtbot.waitUntil(lambda: tinted(0), timeout=5000)
    targets = page.view.table_model.targets
    moved = [list(row) for row in FIGURE_1]
    moved[1][0] -= 1
    moved[1][1] += 1
    expected = score(moved, ["ap"])["ap"] - score(FIGURE_1, ["ap"])["ap"]
    assert targets.by_column[1] == pytest.approx(expected, abs=1e-15)
    # A click on such a cell says what it would change, another click takes its own items.
    view = page.view
    place = view.visualRect(view.table_model.index(1, 1)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert tinted(0)
    assert "from cluster 0 to cluster 1" in page.explanation.one_item.words.text()
    qtbot.wait(QApplication.doubleClickInterval() + 50)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: tinted(1), timeout=5000)
    page.explanation.show_tab("Meaning")
    qtbot.waitUntil(lambda: page.view.table_model.targets is None, timeout=5000)
    idle(qtbot, window)


def test_clusters_by_match_form_a_diagonal_and_the_data_stay(qtbot, window):
    view = window.table_page.view
    view.table_actions["order_columns_matching"].trigger()
    shown = [
        [int(view.table_model.index(i, j).data().replace("\u202f", "")) for j in range(4)]
        for i in range(4)
    ]
    assert sum(shown[i][i] for i in range(4)) == round(
        score(FIGURE_1, ["max_matching_accuracy"])["max_matching_accuracy"] * np.sum(FIGURE_1)
    )
    assert window.session.document.state.counts.tolist() == FIGURE_1
    assert not window.session.is_dirty
    idle(qtbot, window)


# Comparing


def test_selected_tables_are_compared_side_by_side(qtbot, window):
    tables = [NamedTable(f"t{i}", ContingencyTable([[9 - i, i], [i, 9]])) for i in range(4)]
    window.session.add(tables)
    table_list = window.table_page.tables.list
    table_list.selectRow(1)
    flag = QItemSelectionModel.SelectionFlag
    table_list.selectionModel().select(table_list.model().index(3, 0), flag.Select | flag.Rows)
    window.show_page(window.pages.index(window.compare_page))
    page = window.compare_page
    qtbot.waitUntil(lambda: page.model.comparison.names == ("t0", "t2"), timeout=10_000)
    row = page.model.comparison.keys.index("ari")
    assert page.model.text(row, 0, 4) == "1.0000"
    assert page.model.comparison.is_best(row, 0)
    page.shown.setCurrentText("Ranks, 1 is best")
    assert [page.model.text(row, j, 4) for j in (0, 1)] == ["1", "2"]
    press(Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text().startswith("\tt0\tt2\n")
    idle(qtbot, window)


def test_all_tables_are_compared_without_a_word_where_one_is_selected(qtbot, window):
    tables = [NamedTable(f"t{i}", ContingencyTable([[9 - i, i], [i, 9 + i]])) for i in range(3)]
    window.session.add(tables)
    table_list = window.table_page.tables.list
    flag = QItemSelectionModel.SelectionFlag
    select = table_list.selectionModel().select
    select(table_list.model().index(1, 0), flag.ClearAndSelect | flag.Rows)
    window.show_page(window.pages.index(window.compare_page))
    page = window.compare_page
    qtbot.waitUntil(lambda: len(page.model.comparison.names) == 4, timeout=10_000)
    idle(qtbot, window)
    said = page.findChild(QLabel, "muted").text()
    assert said.startswith("All 4 tables are compared, as fewer than two are selected in the list.")
    assert "The tables have different numbers of items" in said
    window.show_page(0)
    select(table_list.model().index(3, 0), flag.Select | flag.Rows)
    window.show_page(window.pages.index(window.compare_page))
    qtbot.waitUntil(lambda: page.model.comparison.names == ("t0", "t2"), timeout=10_000)
    idle(qtbot, window)
    assert "All" not in page.findChild(QLabel, "muted").text()


def test_one_table_has_nothing_to_compare_and_says_what_to_do(qtbot, window, answers):
    window.show_page(window.pages.index(window.compare_page))
    page = window.compare_page
    assert not page.grid.isVisible()
    button = page.findChild(QPushButton, "primary")
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert answers.asked == ["open"]


def test_what_was_exported_is_what_the_core_writes(qtbot, window, answers, tmp_path):
    answers.save_path = tmp_path / "window.csv"
    window.commands.export.trigger()
    qtbot.waitUntil(lambda: "window.csv" in notice(window), timeout=10_000)
    table = window.session.current.table
    expected = tmp_path / "core.csv"
    write_scores(expected, [ScoredTable(score(table), "Figure 1")])
    assert answers.save_path.read_bytes() == expected.read_bytes()
    assert open_file(answers.save_path).tables[0].table == table
    idle(qtbot, window)
