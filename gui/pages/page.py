"""What the window asks of a page."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QWidget

from gui.notice_bar import NoticeBar
from gui.theme import Theme


class Page(QWidget):
    """A page of the window.

    Attributes
    ----------
    title : str
        What the navigation calls it.
    question : str
        The one line at its top: the question that it answers.
    notices : NoticeBar or None
        Where it tells something; Escape closes what it says.
    """

    title: ClassVar[str] = ""
    question: ClassVar[str] = ""
    notices: NoticeBar | None = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close a notice by Escape where nothing else takes the key."""
        bar = self.notices
        if event.key() == Qt.Key.Key_Escape and bar is not None and bar.notice is not None:
            bar.clear()
        else:
            super().keyPressEvent(event)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours that a palette does not carry."""
        del theme

    def set_digits(self, digits: int) -> None:
        """Show scores with so many decimals."""
        del digits

    def menu_actions(self) -> list[QAction]:
        """Return the page's own actions."""
        return []

    def focus_first(self) -> None:
        """Give the keyboard to what the user works with."""
        self.setFocus()
