"""What is exported is what the list and the screen show."""

import pytest
from PySide6.QtGui import QGuiApplication

from core import ContingencyTable


def idle(qtbot, window):
    qtbot.waitUntil(lambda: not window.jobs.jobs, timeout=10_000)


@pytest.fixture
def shown_by_size(window):
    """A table shown by size, in which a count was changed since."""
    table = ContingencyTable([[1, 2, 9], [0, 20, 1]], ["cat", "dog"], ["x", "y", "z"])
    window.session.show_table(table, "t")
    view = window.table_page.view
    view.set_order("size", "size")
    # The line of the cat stays below, though it is the larger one now.
    assert view.model().setData(view.model().index(1, 0), "500")
    return window


def test_papers_are_in_another_order_than_the_screen(qtbot, shown_by_size, answers, tmp_path):
    window = shown_by_size
    rows, columns = window.table_page.view.table_model.shown.orders
    assert (list(rows), list(columns)) == ([1, 0], [1, 2, 0])
    window.commands.copy_markdown.trigger()
    idle(qtbot, window)
    copied = QGuiApplication.clipboard().text()
    answers.save_path = tmp_path / "t.md"
    window.commands.export.trigger()
    idle(qtbot, window)
    for text in (copied, answers.save_path.read_text("utf-8")):
        assert "|  | y | z | x | Sum |" in text
        assert 0 < text.index("| dog |") < text.index("| cat |")
    # What opens again keeps the order of the data.
    answers.save_path = tmp_path / "t.csv"
    window.commands.export.trigger()
    idle(qtbot, window)
    text = answers.save_path.read_text("utf-8")
    assert text.index("\ncat,") < text.index("\ndog,")


def test_the_metrics_of_the_list_are_not_those_of_the_export(qtbot, window, answers, tmp_path):
    window.session.show_table(ContingencyTable([[5, 1], [2, 6]]), "t")
    window.board.set_keys(("rand", "ari"))
    window.commands.export_listed.setChecked(True)
    answers.save_path = tmp_path / "t.csv"
    window.commands.export.trigger()
    idle(qtbot, window)
    text = answers.save_path.read_text("utf-8")
    assert text.index("\nrand,") < text.index("\nari,")
    assert "\nap," not in text
    window.commands.copy_latex.trigger()
    idle(qtbot, window)
    copied = QGuiApplication.clipboard().text()
    assert "Rand index" in copied
    assert "Purity" not in copied
    window.commands.export_listed.setChecked(False)
    window.commands.export.trigger()
    idle(qtbot, window)
    assert "\nap," in answers.save_path.read_text("utf-8")
