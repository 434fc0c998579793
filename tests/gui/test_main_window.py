"""The window as a person uses it: real keys, real files, its one question."""

from __future__ import annotations

import csv
import json
import os
import re
import stat
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent

from core import METRICS, score
from core.files.sessions import SessionContent, write_session
from core.formatting import format_score
from core.named_table import NamedTable
from core.table import ContingencyTable
from gui.dialogs import Unsaved
from gui.metric_model import HEADLINE, TIE_KEYS
from gui.settings import Settings
from gui.table_editor.edits import Box
from gui.theme import Scheme

FIGURE_1 = [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]]
PRINTED = {
    "ap": "0.617",
    "associativity": "1.000",
    "peakiness": "0.446",
    "f1": "0.578",
    "ami": "0.2529",
    "ari": "0.1761",
}


def counts(window) -> list[list[int]]:
    return window.session.document.snapshot().counts.tolist()


def notice(window) -> str:
    bar = window.table_page.notices
    return bar.notice.text if bar.notice is not None else ""


def button(window, label):
    return next(b for b in window.table_page.notices.buttons if label in b.text())


def type_count(qtbot, window, row: int, column: int, text: str) -> None:
    view = window.table_page.view
    view.setFocus()
    view.setCurrentIndex(view.model().index(row, column))
    for character in text:
        qtbot.keyClick(
            view if view.state() != view.State.EditingState else view.focusWidget() or view,
            character,
        )
    target = window.focusWidget() or view
    qtbot.keyClick(target, Qt.Key.Key_Return)


def saved(qtbot, window):
    qtbot.waitUntil(lambda: not window.saving.is_saving, timeout=5000)


def idle(qtbot, window):
    qtbot.waitUntil(lambda: not window.jobs.jobs, timeout=10_000)


# Scores


def test_figure_1_has_the_same_digits_in_window_json_and_csv(qtbot, window, answers, tmp_path):
    exact = score(FIGURE_1)
    for key, printed in PRINTED.items():
        digits = len(printed.split(".")[1])
        assert format_score(exact[key], digits) == printed
        assert window.table_page.panel.text(key) == format_score(exact[key], 4)
    answers.save_path = tmp_path / "scored.json"
    window.commands.export.trigger()
    idle(qtbot, window)
    in_json = json.loads(answers.save_path.read_text(encoding="utf-8"))["results"][0]["scores"]
    answers.save_path = tmp_path / "scored.csv"
    window.commands.export.trigger()
    idle(qtbot, window)
    with answers.save_path.open(encoding="utf-8", newline="") as file:
        in_csv = {row[0]: row[1] for row in csv.reader(file) if len(row) >= 2}
    for key in PRINTED:
        assert in_json[key] == exact[key]
        assert in_csv[key] == repr(exact[key])
    peakiness = [0.419, 0.085, 0.486, 0.794]
    assert [round(x, 3) for x in in_json["row_peakiness"]] == peakiness
    model = window.table_page.view.model()
    shown = [model.index(i, 5).data() for i in range(4)]
    assert [round(float(text.split()[0]), 3) for text in shown] == peakiness


def test_typing_changes_ap_at_once_and_undo_brings_both_back(qtbot, window):
    panel = window.table_page.panel
    before = panel.text("ap")
    type_count(qtbot, window, 3, 0, "49")
    assert counts(window)[3][0] == 49
    qtbot.wait(1)
    changed = [row[:] for row in FIGURE_1]
    changed[3][0] = 49
    assert panel.text("ap") == format_score(score(changed)["ap"], 4) != before
    qtbot.keyClick(window.table_page.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert counts(window) == FIGURE_1
    qtbot.wait(1)
    assert panel.text("ap") == before


def test_every_metric_of_the_catalogue_can_be_read_in_the_panel(qtbot, window):
    window.session.show_table(ContingencyTable([[5, 5], [1, 3]]), "ties")
    qtbot.waitUntil(lambda: window.scorer.scores is not None)
    panel = window.table_page.panel
    for key, metric in METRICS.items():
        if metric.per == "table":
            if metric.when == "request":
                assert not panel.model.index_of(key).isValid(), key
                continue
            assert panel.text(key) == format_score(score([[5, 5], [1, 3]])[key], 4), key
            assert key in HEADLINE or panel.model.index_of(key).isValid()
    assert "As ties are broken, associativity lies between" in panel.headline._note.text()


def test_tie_rows_are_shown_only_where_there_are_ties(window):
    for key in TIE_KEYS:
        assert not window.table_page.panel.model.index_of(key).isValid()


def test_undefined_is_a_dash_with_its_reason(qtbot, window):
    window.session.show_table(ContingencyTable([[3, 5, 2]]), "one class")
    qtbot.waitUntil(lambda: window.scorer.scores is not None)
    panel = window.table_page.panel
    assert panel.text("ap") == "—"
    assert "two truth classes" in panel.headline._note.text()
    panel.explained.emit("associativity")
    assert "undefined: associativity needs two truth classes" in (
        window.table_page.explanation.meaning.toPlainText()
    )


def test_selecting_a_metric_explains_it_by_keyboard(qtbot, window):
    panel = window.table_page.panel
    panel.tree.setFocus()
    panel.tree.setCurrentIndex(panel.model.index_of("ari").parent())
    qtbot.keyClick(panel.tree, Qt.Key.Key_Down)
    text = window.table_page.explanation.meaning.toPlainText()
    assert METRICS["ari"].formula in text
    assert METRICS["ari"].source in text


def test_copying_scores_keeps_all_digits(qtbot, window, qapp):
    panel = window.table_page.panel
    panel.tree.setFocus()
    panel.tree.setCurrentIndex(panel.model.index_of("ari"))
    qtbot.keyClick(panel.tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert qapp.clipboard().text() == f"ari\t{score(FIGURE_1)['ari']!r}"


def test_a_large_table_is_scored_beside_the_window_and_a_stale_result_is_dropped(qtbot, window):
    generator = np.random.default_rng(1)
    large = ContingencyTable(generator.integers(0, 50, size=(300, 300)))
    window.session.show_table(large, "large")
    qtbot.waitUntil(lambda: bool(window.jobs.jobs), timeout=5000)
    assert window.scorer.scores is None
    window.session.show_table(ContingencyTable(FIGURE_1), "small again")
    qtbot.waitUntil(lambda: window.scorer.scores is not None, timeout=5000)
    idle(qtbot, window)
    assert window.table_page.panel.text("ari") == "0.1761"


def test_a_large_table_arrives_complete(qtbot, window):
    generator = np.random.default_rng(1)
    large = ContingencyTable(generator.integers(0, 50, size=(150, 150)))
    window.session.show_table(large, "large")
    qtbot.waitUntil(lambda: window.scorer.scores is not None, timeout=20_000)
    idle(qtbot, window)
    assert window.table_page.panel.text("ami") == format_score(score(large)["ami"], 4)


def test_decimals_are_the_same_in_the_whole_column_and_remembered(window, settings):
    window.set_digits(6)
    assert window.table_page.panel.text("ari") == "0.176114"
    assert window.table_page.panel.text("ap") == "0.616774"
    assert Settings(settings.path).digits == 6 or settings.digits == 6


def test_other_conventions_are_scored_shown_and_exported(qtbot, window, answers, tmp_path):
    window.set_average("max")
    qtbot.waitUntil(lambda: window.scorer.scores is not None)
    panel = window.table_page.panel
    assert panel.text("ami") == format_score(score(FIGURE_1, average="max")["ami"], 4)
    assert "average = max" in panel._conventions.text()
    answers.save_path = tmp_path / "scored.json"
    window.commands.export.trigger()
    idle(qtbot, window)
    exported = json.loads(answers.save_path.read_text(encoding="utf-8"))
    assert exported["options"]["average"] == "max"


# Files


def test_open_save_and_title(qtbot, window, answers, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text(",a,b\nx,1,2\ny,3,4\n", encoding="utf-8")
    answers.open_path = file
    window.commands.open.trigger()
    qtbot.waitUntil(lambda: window.session.path == file, timeout=5000)
    assert counts(window) == [[1, 2], [3, 4]]
    assert "mine.csv" in window.windowTitle()
    assert not window.isWindowModified()
    type_count(qtbot, window, 0, 0, "7")
    assert window.isWindowModified()
    window.commands.save.trigger()
    saved(qtbot, window)
    assert not window.isWindowModified()
    assert file.read_text(encoding="utf-8").splitlines()[1] == "x,7,2"
    assert window._settings.recent_files[0] == file


def test_undo_past_a_save_marks_the_table_unsaved_again(qtbot, window, answers, tmp_path):
    answers.save_path = tmp_path / "t.csv"
    type_count(qtbot, window, 0, 0, "7")
    window.commands.save.trigger()
    saved(qtbot, window)
    assert not window.isWindowModified()
    window.session.document.undo_stack.undo()
    assert window.isWindowModified()
    window.session.document.undo_stack.redo()
    assert not window.isWindowModified()


def test_an_edit_during_a_save_stays_unsaved(qtbot, window, tmp_path):
    window.session.document.set_cell(0, 0, 1)
    window.saving.save(tmp_path / "t.csv")
    window.session.document.set_cell(0, 0, 2)
    saved(qtbot, window)
    assert window.session.is_dirty
    assert "1,88" in (tmp_path / "t.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"1,2\n3,x\n", "column 2"),
        (b"1,2\n3,-4\n", "negative"),
        (b"1,2\n3,2.5\n", "2.5"),
        (b"1,2,3\n4,5,6\n7,8\n", "line 3"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "PNG"),
        (b"\0\1\2\3" * 100, "text"),
    ],
)
def test_a_bad_file_is_named_and_what_is_open_stays(qtbot, window, tmp_path, content, words):
    file = tmp_path / "bad.csv"
    file.write_bytes(content)
    window.files.open_file(file)
    qtbot.waitUntil(lambda: notice(window) != "", timeout=5000)
    assert "bad.csv" in notice(window)
    assert words in notice(window)
    assert counts(window) == FIGURE_1
    assert window.session.path is None
    idle(qtbot, window)


def test_a_300_mb_file_is_refused_without_being_read(qtbot, window, tmp_path):
    file = tmp_path / "huge.csv"
    with file.open("wb") as sparse:
        sparse.truncate(300 * 1024 * 1024)
    window.files.open_file(file)
    qtbot.waitUntil(lambda: notice(window) != "", timeout=5000)
    assert "huge.csv" in notice(window)
    assert "MB" in notice(window)
    assert counts(window) == FIGURE_1
    idle(qtbot, window)


def test_a_missing_file_leaves_the_recent_files(qtbot, window, tmp_path):
    gone = tmp_path / "gone.csv"
    window._settings.add_recent_file(gone)
    window.files.open_file(gone)
    qtbot.waitUntil(lambda: notice(window) != "", timeout=5000)
    assert gone not in window._settings.recent_files
    idle(qtbot, window)


def test_thousands_are_read_only_when_asked(qtbot, window, tmp_path):
    file = tmp_path / "german.csv"
    file.write_text(";a;b\nx;1.234;2\ny;3;4\n", encoding="utf-8")
    window.files.open_file(file)
    qtbot.waitUntil(lambda: "1.234" in notice(window), timeout=5000)
    assert counts(window) == FIGURE_1
    qtbot.mouseClick(button(window, "thousands"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.session.path == file, timeout=5000)
    assert counts(window) == [[1234, 2], [3, 4]]
    idle(qtbot, window)


def test_saving_keeps_the_separator_of_the_file(qtbot, window, tmp_path):
    file = tmp_path / "semi.csv"
    file.write_text(";a;b\nx;1;2\ny;3;4\n", encoding="utf-8")
    window.files.open_file(file)
    qtbot.waitUntil(lambda: window.session.path == file, timeout=5000)
    window.session.document.set_cell(0, 0, 9)
    window.commands.save.trigger()
    saved(qtbot, window)
    assert "x;9;2" in file.read_text(encoding="utf-8")
    idle(qtbot, window)


def test_an_export_opens_again_but_is_not_overwritten_by_save(qtbot, window, answers, tmp_path):
    file = answers.save_path = tmp_path / "scored.csv"
    window.commands.export.trigger()
    idle(qtbot, window)
    before = file.read_bytes()
    window.commands.new.trigger()
    window.files.open_file(file)
    qtbot.waitUntil(lambda: counts(window) == FIGURE_1, timeout=5000)
    assert window.session.path is None
    answers.asked.clear()
    window.commands.save.trigger()
    assert answers.asked == ["Save the table"]
    saved(qtbot, window)
    assert before != b""
    idle(qtbot, window)


def test_a_file_changed_by_another_program_is_not_overwritten_unasked(qtbot, window, tmp_path):
    file = tmp_path / "shared.csv"
    file.write_text(",a,b\nx,1,2\ny,3,4\n", encoding="utf-8")
    window.files.open_file(file)
    qtbot.waitUntil(lambda: window.session.path == file, timeout=5000)
    file.write_text(",a,b\nx,100,2\ny,3,4\n", encoding="utf-8")
    window.session.document.set_cell(0, 0, 9)
    window.commands.save.trigger()
    assert "changed by another program" in notice(window)
    assert "100" in file.read_text(encoding="utf-8")
    qtbot.mouseClick(button(window, "Overwrite"), Qt.MouseButton.LeftButton)
    saved(qtbot, window)
    assert "x,9,2" in file.read_text(encoding="utf-8")


@pytest.mark.skipif(os.name != "posix", reason="permissions of folders are POSIX")
def test_a_failed_save_says_so_and_keeps_the_work(qtbot, window, tmp_path):
    if os.geteuid() == 0:
        target = tmp_path / "file.txt" / "t.csv"
        (tmp_path / "file.txt").write_text("not a folder", encoding="utf-8")
    else:
        folder = tmp_path / "locked"
        folder.mkdir()
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
        target = folder / "t.csv"
    window.session.document.set_cell(0, 0, 9)
    window.saving.save(target)
    saved(qtbot, window)
    assert "Not saved" in notice(window)
    assert window.session.is_dirty
    assert counts(window)[0][0] == 9


def test_dropping_a_file_opens_it(qtbot, window, tmp_path):
    file = tmp_path / "dropped.csv"
    file.write_text(",a,b\nx,1,2\ny,3,4\n", encoding="utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    event = QDropEvent(
        QPointF(QPoint(50, 50)),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)
    qtbot.waitUntil(lambda: window.session.path == file, timeout=5000)
    idle(qtbot, window)


# Unsaved work


@pytest.mark.parametrize("command", ["new session", "open a session", "close"])
def test_unsaved_work_is_not_lost_without_a_question(qtbot, window, answers, tmp_path, command):
    file = tmp_path / "other.tallyscope"
    write_session(SessionContent((NamedTable("other", ContingencyTable([[1, 2], [3, 4]])),)), file)
    window.session.document.set_cell(0, 0, 9)
    answers.unsaved = Unsaved.CANCEL
    start = {
        "new session": window.commands.new_session.trigger,
        "open a session": lambda: window.files.open_file(file),
        "close": window.close,
    }[command]
    start()
    qtbot.waitUntil(lambda: answers.asked != [], timeout=5000)
    assert answers.asked[-1].startswith("unsaved")
    assert counts(window)[0][0] == 9
    assert window.isVisible()
    answers.unsaved = Unsaved.DISCARD
    start()
    if command == "close":
        qtbot.waitUntil(lambda: not window.isVisible(), timeout=5000)
    else:
        qtbot.waitUntil(lambda: counts(window)[0][0] != 9, timeout=5000)
    idle(qtbot, window)


def test_closing_saves_first_when_asked_to(qtbot, window, answers, tmp_path):
    answers.save_path = tmp_path / "t.csv"
    answers.unsaved = Unsaved.SAVE
    window.session.document.set_cell(0, 0, 9)
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=5000)
    assert "9,88" in answers.save_path.read_text(encoding="utf-8")


def test_closing_during_a_long_job_ends_its_thread(qtbot, window):
    generator = np.random.default_rng(1)
    window.session.show_table(ContingencyTable(generator.integers(0, 50, (400, 400))), "large")
    qtbot.waitUntil(lambda: bool(window.jobs.jobs), timeout=5000)
    window.close()
    assert not window.jobs.jobs
    assert not window.isVisible()


def test_work_survives_a_kill(qtbot, make_window):
    first = make_window()
    first.session.document.set_cell(0, 0, 4711)
    first.recovery.keep_now()
    qtbot.waitUntil(lambda: bool(list(first.recovery._folder.glob("*.json"))), timeout=5000)
    idle(qtbot, first)
    # A second program must not offer the work of one that still runs.
    second = make_window()
    idle(qtbot, second)
    assert second.table_page.offers.notice is None
    second.close()
    # What a kill leaves: the files, and a lock that nobody holds.
    first.recovery._lock.unlock()
    third = make_window()
    offers = third.table_page.offers
    qtbot.waitUntil(lambda: offers.notice is not None, timeout=5000)
    assert "without saving" in offers.notice.text
    # Work on the sample must neither take the offer away nor be lost by it.
    third.session.document.set_cell(0, 0, 1)
    assert offers.isVisible()
    third.session.document.undo_stack.undo()
    qtbot.mouseClick(offers.buttons[0], Qt.MouseButton.LeftButton)
    assert counts(third)[0][0] == 4711
    assert third.session.is_dirty
    idle(qtbot, third)
    idle(qtbot, first)


def test_nothing_is_kept_aside_once_the_work_is_saved_or_given_up(qtbot, make_window, tmp_path):
    window = make_window()
    window.session.document.set_cell(0, 0, 4711)
    window.recovery.keep_now()
    folder = window.recovery._folder
    qtbot.waitUntil(lambda: bool(list(folder.glob("*.json"))), timeout=5000)
    idle(qtbot, window)
    window.saving.save(tmp_path / "t.csv")
    saved(qtbot, window)
    assert not list(folder.glob("*.json"))
    assert not list(folder.glob("*.csv"))


# Found by people


def test_the_keyboard_is_back_in_the_table_after_a_notice(qtbot, window, qapp):
    view = window.table_page.view
    view.setCurrentIndex(view.model().index(0, 0))
    qapp.clipboard().setText("1.234\t5")
    view.paste()
    qtbot.mouseClick(window.table_page.notices.buttons[0], Qt.MouseButton.LeftButton)
    assert view.hasFocus()
    assert counts(window)[0][:2] == [1234, 5]
    qtbot.keyClick(window.focusWidget(), "7")
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert counts(window)[0][0] == 7


def test_digits_typed_at_a_score_change_a_count(qtbot, window):
    before = counts(window)
    tree = window.table_page.panel.tree
    row = tree.visualRect(window.table_page.panel.model.index_of("fowlkes_mallows"))
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
    for key in (Qt.Key.Key_F2, Qt.Key.Key_2, Qt.Key.Key_Return):
        qtbot.keyClick(window.focusWidget(), key)
    assert counts(window) == before


def test_pasting_works_while_a_score_is_selected(qtbot, window, qapp):
    page = window.table_page
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    page.panel.tree.setFocus()
    qapp.clipboard().setText("11\t12")
    qtbot.keyClick(page.panel.tree, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert counts(window)[0][:2] == [11, 12]


def test_a_new_table_has_the_keyboard(qtbot, window):
    window.table_page.panel.tree.setFocus()
    window.commands.new.trigger()
    assert window.table_page.view.hasFocus()


@pytest.mark.parametrize("counts", [FIGURE_1, [[1_000_001, 1_000_000], [1_000_000, 1_000_001]]])
def test_the_headline_is_never_cut(qtbot, window, counts):
    window.session.show_table(ContingencyTable(counts), "table")
    qtbot.waitUntil(lambda: window.scorer.scores is not None, timeout=5000)
    for digits in (3, 4, 6, 10):
        window.set_digits(digits)
        qtbot.wait(10)
        panel = window.table_page.panel
        for key in HEADLINE:
            label = panel.headline._values[key]
            needed = label.fontMetrics().horizontalAdvance(label.text())
            assert label.width() >= needed, (digits, key)
            assert label.mapTo(panel, QPoint(needed, 0)).x() <= panel.width(), (digits, key)


def test_a_table_of_numbers_alone_offers_to_take_names_from_it(qtbot, window, tmp_path):
    file = tmp_path / "years.csv"
    file.write_text("2019,2020,2021\n1,2,3\n4,5,6\n", encoding="utf-8")
    window.files.open_file(file)
    qtbot.waitUntil(lambda: window.session.path == file, timeout=5000)
    qtbot.mouseClick(button(window, "First line"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: counts(window) == [[1, 2, 3], [4, 5, 6]], timeout=5000)
    assert window.session.document.state.clusters == ["2019", "2020", "2021"]
    idle(qtbot, window)


def test_all_scores_can_be_copied(window, qapp):
    window.commands.copy_scores.trigger()
    lines = dict(line.split("\t") for line in qapp.clipboard().text().splitlines())
    exact = score(FIGURE_1)
    assert lines == {key: repr(exact[key]) for key in exact if METRICS[key].per == "table"}


def test_what_lies_below_the_frozen_margins_is_painted(qtbot, window):
    generator = np.random.default_rng(1)
    window.session.show_table(ContingencyTable(generator.integers(0, 9, (3, 60))), "wide")
    qtbot.waitUntil(lambda: window.scorer.scores is not None)
    picture = window.table_page.view.viewport().grab().toImage()
    around = window.table_page.view._color["surround"].rgb()
    x, y = picture.width() - 20, picture.height() - 20
    assert picture.pixel(x, y) == around
    assert picture.pixel(20, y) == around


def test_a_save_that_ends_late_does_not_take_over_another_table(qtbot, window, tmp_path):
    file = tmp_path / "a.csv"
    window.session.document.set_cell(0, 0, 1)
    window.saving.save(file)
    window.session.show_table(ContingencyTable([[9, 9], [9, 9]]), "another")
    saved(qtbot, window)
    assert window.session.path is None
    assert window.session.name == "another"
    assert file.exists()


def test_a_cancelled_save_leaves_the_file_as_it_was(qtbot, window, tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("old", encoding="utf-8")
    window.session.show_table(ContingencyTable(np.ones((1500, 1500), int)), "large")
    window.session.mark_unsaved()
    window.saving.save(file)
    window.saving._job.cancel()
    saved(qtbot, window)
    assert "cancelled" in notice(window)
    assert file.read_text(encoding="utf-8") == "old"
    assert window.session.is_dirty
    assert sorted(p.name for p in tmp_path.glob("*.*") if p.is_file()) == ["t.csv"]


def test_a_change_of_the_file_while_it_is_read_is_noticed(qtbot, window, tmp_path, monkeypatch):
    file = tmp_path / "t.csv"
    file.write_text(",a,b\nx,1,2\ny,3,4\n", encoding="utf-8")
    window.files.open_file(file)
    qtbot.waitUntil(lambda: window.session.path == file, timeout=5000)
    assert not window.session.origin.changed_elsewhere()
    file.write_text(",a,b\nx,1,2\ny,3,400\n", encoding="utf-8")
    assert window.session.origin.changed_elsewhere()
    idle(qtbot, window)


def test_what_is_typed_is_not_dropped_by_closing(qtbot, window, answers):
    view = window.table_page.view
    view.setFocus()
    view.setCurrentIndex(view.model().index(0, 0))
    qtbot.keyClick(view, "7")
    window.close()
    assert answers.asked[-1].startswith("unsaved")
    assert counts(window)[0][0] == 7
    assert window.isVisible()


def test_bad_text_in_a_cell_holds_up_closing_and_opening(qtbot, window, tmp_path):
    file = tmp_path / "other.csv"
    file.write_text(",a,b\nx,1,2\ny,3,4\n", encoding="utf-8")
    view = window.table_page.view
    view.setFocus()
    view.setCurrentIndex(view.model().index(0, 0))
    qtbot.keyClicks(view, "1")
    qtbot.keyClicks(window.focusWidget(), "2x")
    window.files.open_file(file)
    assert not window.jobs.jobs
    window.close()
    assert window.isVisible()
    view.cancel_editing()


def test_edits_during_a_save_before_closing_are_asked_about(qtbot, window, answers, tmp_path):
    answers.save_path = tmp_path / "t.csv"
    answers.unsaved = Unsaved.SAVE
    window.session.document.set_cell(0, 0, 1)
    window.close()
    assert window.saving.is_saving
    window.session.document.set_cell(0, 0, 2)
    answers.unsaved = Unsaved.CANCEL
    saved(qtbot, window)
    qtbot.wait(20)
    assert window.isVisible()
    assert counts(window)[0][0] == 2
    assert window.session.is_dirty


def test_a_file_that_is_read_late_does_not_replace_work_done_meanwhile(qtbot, window, tmp_path):
    file = tmp_path / "other.csv"
    file.write_text(",a,b\nx,1,2\ny,3,4\n", encoding="utf-8")
    window.files.open_file(file)
    window.session.document.set_cell(0, 0, 1)
    qtbot.waitUntil(lambda: len(window.session.entries) == 2, timeout=5000)
    idle(qtbot, window)
    assert counts(window) == [[1, 2], [3, 4]]
    window.session.document.undo_stack.undo()
    assert counts(window)[0][0] == 1
    assert len(window.session.entries) == 1


def test_a_new_table_is_not_replaced_by_a_file_that_was_still_being_read(qtbot, window, tmp_path):
    file = tmp_path / "other.csv"
    file.write_text(",a,b\nx,1,2\ny,3,4\n", encoding="utf-8")
    window.files.open_file(file)
    window.commands.new.trigger()
    idle(qtbot, window)
    assert window.session.path is None
    assert counts(window) == [[0] * 3] * 3


def test_a_remedy_leaves_edits_as_they_are(qtbot, window, answers, tmp_path):
    file = tmp_path / "german.csv"
    file.write_text(";a;b\nx;1.234;2\ny;3;4\n", encoding="utf-8")
    window.files.open_file(file)
    qtbot.waitUntil(lambda: "1.234" in notice(window), timeout=5000)
    remedy = button(window, "thousands")
    window.session.document.set_cell(0, 0, 1)
    remedy.click()
    qtbot.waitUntil(lambda: len(window.session.entries) == 2, timeout=5000)
    assert counts(window) == [[1234, 2], [3, 4]]
    assert window.session.tables()[0].table.counts[0, 0] == 1
    idle(qtbot, window)


def test_a_failed_save_does_not_leave_a_close_armed(qtbot, window, answers, tmp_path):
    (tmp_path / "file.txt").write_text("not a folder", encoding="utf-8")
    window.session.document.set_cell(0, 0, 1)
    window.saving.save(tmp_path / "file.txt" / "t.csv")
    window.close()
    saved(qtbot, window)
    assert window.isVisible()
    window.saving.save(tmp_path / "t.csv")
    saved(qtbot, window)
    qtbot.wait(20)
    assert window.isVisible()


def _number_kept(window) -> int:
    return len(list(window.recovery._folder.glob("*.json")))


def test_restoring_one_work_keeps_the_others(qtbot, make_window):
    lost = [make_window(), make_window()]
    for i, other in enumerate(lost):
        other.session.document.set_cell(0, 0, 1000 + i)
        other.recovery.keep_now()
        kept = partial(_number_kept, other)
        qtbot.waitUntil(lambda kept=kept, n=i: kept() == n + 1, timeout=5000)
        idle(qtbot, other)
    for other in lost:
        other.recovery._lock.unlock()
    third = make_window()
    offers = third.table_page.offers
    qtbot.waitUntil(lambda: offers.notice is not None, timeout=5000)
    assert len(offers.buttons) == 3
    qtbot.mouseClick(offers.buttons[0], Qt.MouseButton.LeftButton)
    assert len(offers.buttons) == 2
    assert counts(third)[0][0] in (1000, 1001)
    idle(qtbot, third)


def test_no_job_starts_after_the_window_is_closed(qtbot, window):
    generator = np.random.default_rng(1)
    window.session.show_table(ContingencyTable(generator.integers(0, 50, (300, 300))), "large")
    window.session.document.set_clean()
    window.close()
    qtbot.wait(50)
    assert not window.jobs.jobs


def test_cancelled_scoring_can_be_taken_up_again(qtbot, window):
    generator = np.random.default_rng(1)
    window.session.show_table(ContingencyTable(generator.integers(0, 50, (200, 200))), "large")
    qtbot.waitUntil(lambda: bool(window.jobs.jobs), timeout=5000)
    window.jobs.jobs[0].cancel()
    qtbot.waitUntil(lambda: "cancelled" in notice(window), timeout=10_000)
    qtbot.mouseClick(button(window, "Score again"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.scorer.scores is not None, timeout=20_000)
    idle(qtbot, window)


def test_a_longer_name_widens_its_column(qtbot, window):
    view = window.table_page.view
    before = view.columnWidth(1)
    window.session.document.rename_column(1, "k-means, no 1")
    assert view.columnWidth(1) > before
    window.session.document.undo_stack.undo()
    window.session.document.paste(0, 0, [[1, 2]], clusters=["agglomerative", "b"])
    assert view.columnWidth(0) > before


def test_classes_and_clusters_are_inserted_and_deleted_by_keys(qtbot, window):
    view = window.table_page.view
    view.setCurrentIndex(view.model().index(0, 0))
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    shape = window.session.document.state.shape
    qtbot.keyClick(view, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(view, Qt.Key.Key_I, both)
    assert window.session.document.state.shape == (shape[0] + 1, shape[1] + 1)
    view.select_box(Box(1, 1, 1, 1))
    qtbot.keyClick(view, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    view.select_box(Box(1, 1, 1, 1))
    qtbot.keyClick(view, Qt.Key.Key_Delete, both)
    assert window.session.document.state.shape == shape


def test_an_export_names_no_folder_of_the_user(qtbot, window, answers, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text(",a,b\nx,1,2\ny,3,4\n", encoding="utf-8")
    window.files.open_file(file)
    qtbot.waitUntil(lambda: window.session.path == file, timeout=5000)
    qtbot.waitUntil(lambda: window.scorer.scores is not None)
    answers.save_path = tmp_path / "out.json"
    window.commands.export.trigger()
    idle(qtbot, window)
    exported = json.loads(answers.save_path.read_text(encoding="utf-8"))["results"][0]
    assert (exported["name"], exported["source"]) == ("mine", "mine.csv")


# The window


def test_pages_are_reached_by_keyboard(qtbot, window):
    qtbot.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert window.stack.currentIndex() == 2
    qtbot.keyClicks(window.pages[-1].filter, "tsallis nothing")
    assert "No metric has these words" in window.pages[-1].text.toPlainText()
    window.pages[-1].filter.setText("mi h(cluster)")
    assert "completeness" in window.pages[-1].text.toPlainText()
    assert "peakiness" not in window.pages[-1].text.toPlainText()
    window.pages[-1].filter.clear()
    qtbot.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert window.stack.currentIndex() == 0
    assert window.table_page.view.hasFocus()


def test_geometry_and_choices_are_remembered(qtbot, make_window, settings):
    window = make_window()
    window.resize(760, 570)
    window.set_scheme(Scheme.DARK)
    window.set_heat("table")
    window.close()
    again = Settings(settings.path)
    assert again.scheme is Scheme.DARK
    assert again.heat == "table"
    second = make_window(size=None)
    # As narrow as the screen of the tests, which is smaller than a window should be.
    assert second.height() == 570


def test_a_damaged_settings_file_means_defaults(tmp_path):
    file = tmp_path / "s.ini"
    file.write_text("[view]\ndigits=many\nscheme=7\n[files]\nrecent=@Invalid()\n", encoding="utf-8")
    broken = Settings(file)
    assert broken.digits == 4
    assert broken.scheme is Scheme.SYSTEM
    assert broken.recent_files == []


def test_dark_and_light_reach_the_editor_and_panel(window):
    window.set_scheme(Scheme.DARK)
    dark = window.grab().toImage().pixelColor(5, window.height() // 2).lightness()
    window.set_scheme(Scheme.LIGHT)
    light = window.grab().toImage().pixelColor(5, window.height() // 2).lightness()
    assert dark < 80 < 180 < light


def test_no_two_actions_share_a_shortcut(window):
    seen: dict[str, str] = {}
    from PySide6.QtGui import QAction

    for action in set(window.findChildren(QAction)):
        for key in action.shortcuts():
            text = key.toString()
            assert text not in seen or seen[text] == action.text(), (text, action.text(), seen)
            seen[text] = action.text()


def test_two_entries_of_a_menu_have_one_letter(window):
    order = [a for n, a in window.table_page.view.table_actions.items() if n.startswith("order_")]
    tables = list(window.table_page.tables.actions_by_name.values())
    for actions in (order, tables):
        letters = [re.findall("&(.)", a.text())[0].casefold() for a in actions]
        assert len(set(letters)) == len(letters), letters


def test_keys_of_the_list_are_shown_nowhere(window):
    actions = window.table_page.tables.actions_by_name
    assert actions["rename"].text().endswith("\tF2")
    assert actions["remove"].text().endswith("\tDel")


def test_a_search_for_chance_misses_the_metrics_adjusted_for_it(window):
    page = window.pages[-1]
    page.filter.setText("chance")
    shown = page.text.toPlainText()
    for key in ("ari", "ami"):
        assert METRICS[key].name in shown
    assert METRICS["purity"].name not in shown
