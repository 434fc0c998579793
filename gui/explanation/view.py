"""What all tabs of the explanation have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QStackedLayout, QWidget

from core.scores import Scores
from core.studies.study import Study
from gui.theme import GRID, LIGHT, Theme


@dataclass(frozen=True, eq=False)
class Question:
    """What is to be explained.

    Attributes
    ----------
    scores : Scores
        Of the table; they need not have the key.
    key : str
        The metric.
    cell : (int, int) or None
        Row and column of the selected cell.
    digits : int
        Decimals of scores in sentences.
    """

    scores: Scores
    key: str
    cell: tuple[int, int] | None
    digits: int


Token = tuple[object, ...]
"""What an answer belongs to: the table itself, and what else it depends on."""


class View(QWidget):
    """A tab: what it asks for, and how it shows what was found.

    Until something is found it shows a sentence.
    """

    title: ClassVar[str] = ""
    hint: ClassVar[str] = ""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme: Theme = LIGHT
        self.digits = 4
        self._sentence = QLabel()
        self._sentence.setObjectName("muted")
        self._sentence.setWordWrap(True)
        self._sentence.setTextFormat(Qt.TextFormat.PlainText)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._sentence.setMargin(GRID // 2)
        self._sentence.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._body = QWidget()
        self._body.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._sentence)
        self._stack.addWidget(self._body)

    @property
    def sentence(self) -> str:
        """What is said instead of a result; empty where there is one."""
        return self._sentence.text() if self._stack.currentIndex() == 0 else ""

    def say(self, sentence: str) -> None:
        """Show a sentence instead of a result."""
        self._sentence.setText(sentence)
        self._stack.setCurrentIndex(0)

    def show_body(self) -> None:
        """Show a result instead of a sentence."""
        self._stack.setCurrentIndex(1)

    def corner(self) -> QWidget | None:
        """Return what stands beside the tabs while this one is seen."""
        return None

    def depends_on(self, question: Question) -> tuple[object, ...]:
        """Return what the answer depends on, beside the table."""
        return question.key, question.scores.options

    def reason_against(self, question: Question) -> str | None:
        """Return why there is nothing to find out, as a sentence; None where there is."""
        return None

    def study(self, question: Question) -> Study[Any]:
        """Return the study that finds the answer."""
        raise NotImplementedError

    def show_result(self, result: Any) -> None:
        """Show what was found, or the part of it that is known."""
        raise NotImplementedError

    def forget(self) -> None:
        """Take back what depends on the answer shown, which is that of an earlier question."""

    def recall(self) -> None:
        """Bring back what was forgotten: the answer shown is that of the present question."""

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self.theme = theme
        self.update()

    def set_digits(self, digits: int) -> None:
        """Show scores with so many decimals."""
        self.digits = digits


def token_of(view: View, question: Question) -> Token:
    """Return what the answer to a question belongs to."""
    return question.scores.table, *view.depends_on(question)


def is_same(asked: Token | None, token: Token) -> bool:
    """Return whether an answer belongs to what is asked now."""
    # Two tables of the same counts are two tables: to compare a large one takes a while.
    return asked is not None and asked[0] is token[0] and asked[1:] == token[1:]
