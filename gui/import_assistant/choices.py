"""The fields of the assistant's forms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QSizePolicy, QWidget

SEPARATORS: tuple[tuple[str, Any], ...] = (
    ("Comma", ","),
    ("Semicolon", ";"),
    ("Tab", "\t"),
    ("Space", " "),
)

ENCODINGS: tuple[tuple[str, Any], ...] = (
    ("UTF-8", "utf-8"),
    ("UTF-16", "utf-16"),
    ("Windows-1252 (Western)", "cp1252"),
    ("Windows-1250 (Central European)", "cp1250"),
    ("Windows-1251 (Cyrillic)", "cp1251"),
    ("Mac Roman", "mac-roman"),
    ("Shift JIS (Japanese)", "shift_jis"),
    ("GB 18030 (Chinese)", "gb18030"),
    ("Big5 (Chinese)", "big5"),
    ("EUC-KR (Korean)", "euc-kr"),
)


class Choice(QComboBox):
    """A choice among values; the first may be what was found out.

    Signals
    -------
    chosen()
        The user chose another value.
    """

    chosen = Signal()

    def __init__(self, items: Iterable[tuple[str, Any]] = ()) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(12)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_items(items)
        self.activated.connect(self._on_activated)
        self._last = self.currentIndex()

    @property
    def value(self) -> Any:
        """The value that is chosen."""
        return self.currentData()

    def set_items(self, items: Iterable[tuple[str, Any]]) -> None:
        """Show other values, and keep the chosen one where it is among them."""
        items = list(items)
        if items == [(self.itemText(i), self.itemData(i)) for i in range(self.count())]:
            return
        value = self.value
        with QSignalBlocker(self):
            self.clear()
            for text, data in items:
                self.addItem(text, data)
        self.set_value(value)

    def set_value(self, value: Any) -> None:
        """Choose a value without a signal; the first where it is not among them."""
        places = [i for i in range(self.count()) if self.itemData(i) == value]
        with QSignalBlocker(self):
            self.setCurrentIndex(places[0] if places else min(0, self.count() - 1))
        self._last = self.currentIndex()

    def set_found(self, text: str) -> None:
        """Say what the first value, that was found out, is."""
        self.setItemText(0, f"As found: {text}" if text else "As found")

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the form: a value must not change by scrolling past it."""
        event.ignore()

    @Slot(int)
    def _on_activated(self, index: int) -> None:
        if index != self._last:
            self._last = index
            self.chosen.emit()


def found_first(items: tuple[tuple[str, Any], ...]) -> list[tuple[str, Any]]:
    """Return choices of which the first is what was found out."""
    return [("As found", None), *items]


def add_row(form: QFormLayout, text: str, field: QWidget) -> QLabel:
    """Add a field with its label, whose mnemonic leads to it."""
    label = QLabel(text)
    label.setBuddy(field)
    field.setAccessibleName(text.replace("&", ""))
    form.addRow(label, field)
    return label
