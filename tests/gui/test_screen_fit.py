"""The window and its screen."""

from __future__ import annotations

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication


def settle():
    QTest.qWait(350)
    QApplication.processEvents()


def test_the_first_window_is_larger_than_the_screen(make_window):
    """With its frame: else the status bar and its button lie below the screen."""
    window = make_window(size=None)
    settle()
    assert window.screen().availableGeometry().contains(window.frameGeometry())


def test_a_window_that_was_made_smaller_is_made_large_again(make_window):
    window = make_window(size=(900, 540))
    settle()
    assert (window.width(), window.height()) == (900, 540)


def test_the_explanation_has_no_room_for_its_lines(make_window):
    window = make_window()
    assert window.table_page.explanation.height() >= 200
    # And the usual table is still seen as a whole.
    view = window.table_page.view
    assert view.verticalScrollBar().maximum() == 0


def test_the_height_of_the_explanation_is_forgotten(make_window):
    window = make_window()
    splitter = window.table_page.explanation_splitter
    splitter.setSizes([300, 360])
    sizes = splitter.sizes()
    window.close()
    again = make_window()
    assert again.table_page.explanation_splitter.sizes() == sizes
