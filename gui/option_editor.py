"""A number that the scores depend on, set in place: no dialog."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QToolButton, QVBoxLayout

from core.metrics.metric import ScoreOptions
from core.metrics.wording import option_text
from gui.theme import GRID, LIGHT, Theme


@dataclass(frozen=True)
class NumberOption:
    """A numeric field of `ScoreOptions` as people set it.

    Attributes
    ----------
    key : str
    name : str
        For the menu, with its mnemonic.
    hint : str
        What its values mean, in one sentence.
    """

    key: str
    name: str
    hint: str


NUMBER_OPTIONS = (
    NumberOption(
        "q",
        "Order &q of the generalised information",
        "Above 0: 1 is Shannon's information, 2 counts pairs.",
    ),
    NumberOption(
        "beta",
        "&Beta of the V-measure",
        "0 or more: above 1 completeness weighs more, below 1 homogeneity.",
    ),
)

_STEP = 0.1


class _Field(QLineEdit):
    """A line for a number: up and down step, Esc leaves."""

    stepped = Signal(int)
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step and leave by keys."""
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
        key = Qt.Key(event.key())
        if key in steps:
            self.stepped.emit(steps[key])
        elif key == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class OptionEditor(QFrame):
    """Edits one option at a time; hidden until it is opened.

    Signals
    -------
    chosen(str, float)
        An option and its new value, which `ScoreOptions` takes.
    closed()
    """

    chosen = Signal(str, float)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("option")
        self._option = NUMBER_OPTIONS[0]
        self._value = 1.0
        self._theme = LIGHT
        self._name = QLabel()
        self.field = _Field()
        self.field.setFixedWidth(GRID * 12)
        self.field.setMaxLength(30)
        self._name.setBuddy(self.field)
        self.usual_button = QToolButton()
        self.usual_button.setText("Usual")
        self.close_button = QToolButton()
        self.close_button.setText("Done")
        self.message = QLabel()
        self.message.setWordWrap(True)
        line = QHBoxLayout()
        line.setSpacing(GRID)
        line.addWidget(self.field)
        line.addWidget(self.usual_button)
        line.addWidget(self.close_button)
        line.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID * 2, GRID, GRID * 3 // 2, GRID)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self._name)
        layout.addLayout(line)
        layout.addWidget(self.message)
        for button in (self.usual_button, self.close_button):
            button.setObjectName("button")
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.field.editingFinished.connect(self._on_finished)
        self.field.returnPressed.connect(self.field.selectAll)
        self.field.textEdited.connect(self._on_edited)
        self.field.stepped.connect(self._on_stepped)
        self.field.left.connect(self.finish)
        self.usual_button.clicked.connect(self._on_usual)
        self.close_button.clicked.connect(self.finish)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self._say(self._option.hint)

    def open(self, key: str, value: float) -> None:
        """Show an option and give it the keyboard."""
        self._option = next(o for o in NUMBER_OPTIONS if o.key == key)
        self._value = value
        name = self._option.name.replace("&", "")
        self._name.setText(name)
        self.field.setAccessibleName(name)
        self.usual_button.setToolTip(f"Set it to {option_text(self._usual)} (Enter takes a number)")
        self._show_value()
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    @property
    def _usual(self) -> float:
        return float(getattr(ScoreOptions(), self._option.key))

    def _show_value(self) -> None:
        self.field.setText(option_text(self._value))
        self._say(self._option.hint)

    def _say(self, text: str, *, wrong: bool = False) -> None:
        self.message.setText(text)
        self.message.setStyleSheet(f"color: {self._theme.error if wrong else self._theme.muted}")

    def _take(self, value: object) -> bool:
        """Take a value over if it has a meaning, else say in one sentence what would have."""
        key = self._option.key
        changed: dict[str, Any] = {key: value}
        try:
            replace(ScoreOptions(), **changed)
        except ValueError as error:
            self._say(f"{str(error)[:120]}.", wrong=True)
            return False
        assert isinstance(value, float)
        if value != self._value:
            self._value = value
            self.chosen.emit(key, value)
        return True

    @Slot()
    def _on_edited(self) -> None:
        self._say(self._option.hint)

    @Slot()
    def _on_finished(self) -> None:
        if self.isVisible() and self._take(_number(self.field.text())):
            self._show_value()

    @Slot(int)
    def _on_stepped(self, steps: int) -> None:
        number = _number(self.field.text())
        start = number if isinstance(number, float) else self._value
        # Ten decimals: 0.1 + 0.2 is 0.3 to whoever steps.
        if self._take(round(start + steps * _STEP, 10)):
            self._show_value()
            self.field.selectAll()

    @Slot()
    def _on_usual(self) -> None:
        if self._take(self._usual):
            self._show_value()
        self.field.setFocus()

    @Slot()
    def finish(self) -> None:
        """Go away; what was not taken over is forgotten."""
        if self.isHidden():
            return
        self.hide()
        self.closed.emit()


def _number(text: str) -> object:
    """Return the number that a text is, by point or comma; the text if it is none."""
    plain = text.strip().replace("−", "-")
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    # Python would also read 1_000 and nan.
    if not plain or set(plain.lower()) - set("0123456789.-+e"):
        return text
    try:
        return float(plain)
    except ValueError:
        return text
