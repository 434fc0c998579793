"""Notices: how long they stay, and how they go."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.named_table import NamedTable
from core.table import ContingencyTable
from gui.table_editor.notice import Notice, Severity

TABLE = NamedTable("made", ContingencyTable([[8, 2], [1, 9]]))
#: Its first line could be names or counts, so that a notice says how it was read.
UNNAMED = "1,2,3\n4,5,6\n7,8,9\n"


def said(window):
    notice = window.table_page.notices.notice
    return "" if notice is None else notice.text


def idle(qtbot, window):
    qtbot.waitUntil(
        lambda: not window.jobs.jobs and window.scorer.scores is not None, timeout=20_000
    )


@pytest.fixture
def with_work(qtbot, window):
    """A window in which there is something besides the sample."""
    window.session.add([TABLE])
    idle(qtbot, window)
    return window


def test_a_notice_on_a_file_stays_when_its_table_is_undone(qtbot, with_work, tmp_path):
    window = with_work
    path = tmp_path / "unnamed.csv"
    path.write_text(UNNAMED)
    window.files.open_file(path)
    qtbot.waitUntil(lambda: "unnamed.csv" in said(window), timeout=5000)
    assert window.table_page.notices.buttons
    window.session.document.set_cell(0, 0, 17)
    assert "unnamed.csv" in said(window)
    undo = window.table_page.view.table_actions["undo"]
    undo.trigger()
    assert "unnamed.csv" in said(window)
    undo.trigger()
    assert said(window) == ""


def test_a_notice_on_a_paste_stays_when_that_is_undone(qtbot, with_work):
    window = with_work
    QGuiApplication.clipboard().setText(UNNAMED.replace(",", "\t"))
    window.files.paste_table()
    qtbot.waitUntil(lambda: said(window).startswith("Pasted:"), timeout=5000)
    window.table_page.view.table_actions["undo"].trigger()
    assert said(window) == ""


def test_a_refusal_stays_after_the_next_edit(with_work):
    window = with_work
    window.session.rename(window.session.document.key, " ")
    assert "needs a name" in said(window)
    window.session.rename(window.session.document.key, "named")
    assert said(window) == ""


def test_what_an_undo_has_nothing_to_do_with_goes_with_it(with_work):
    """That a file was not saved must be read, whatever is undone meanwhile."""
    window = with_work
    window.tell(Notice("Not saved: the disk is full.", Severity.ERROR))
    window.table_page.view.table_actions["undo"].trigger()
    assert "disk" in said(window)


@pytest.mark.parametrize("place", ["view", "list", "tree", "explanation"])
def test_escape_does_not_close_a_notice(with_work, place):
    window = with_work
    page = window.table_page
    widget = {
        "view": page.view,
        "list": page.tables.list,
        "tree": page.panel.tree,
        "explanation": page.explanation.tabs,
    }[place]
    window.activateWindow()
    widget.setFocus()
    window.tell(Notice("Something was done."))
    QTest.keyClick(QApplication.focusWidget() or widget, Qt.Key.Key_Escape)
    assert said(window) == ""


def test_escape_in_a_cell_closes_the_notice_and_not_the_cell(with_work):
    window = with_work
    view = window.table_page.view
    view.setFocus()
    window.tell(Notice("Something was done."))
    QTest.keyClicks(view, "12")
    editor = view.cell_delegate.editor
    assert editor is not None
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert view.cell_delegate.editor is None
    assert said(window) == "Something was done."
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert said(window) == ""


def test_escape_takes_back_the_offer_of_lost_work(with_work):
    """That is a question, which the keyboard elsewhere must not answer."""
    window = with_work
    offers = window.table_page.offers
    offers.show_notice(Notice("Work was lost.", Severity.WARNING, (("Restore", list),)))
    window.table_page.view.setFocus()
    QTest.keyClick(window.table_page.view, Qt.Key.Key_Escape)
    assert offers.notice is not None
    QTest.keyClick(offers.buttons[0], Qt.Key.Key_Escape)
    assert offers.notice is None
