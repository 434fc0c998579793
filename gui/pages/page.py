"""What the window asks of a page."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from gui.theme import Theme


class Page(QWidget):
    """A page of the window.

    Attributes
    ----------
    title : str
        What the navigation calls it.
    question : str
        The one line at its top: the question that it answers.
    """

    title: ClassVar[str] = ""
    question: ClassVar[str] = ""

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
