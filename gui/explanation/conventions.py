"""The conventions that decided a score, and scikit-learn's value beside ours."""

from __future__ import annotations

import html
from typing import ClassVar

from PySide6.QtWidgets import QTextBrowser, QVBoxLayout, QWidget

from core.explanation.account import Account, AccountStudy
from core.formatting import format_score
from core.metrics.catalogue import METRICS
from core.studies.study import Study
from gui.explanation.view import Question, View
from gui.theme import Theme

# All that a float has, so that a difference in its last digits is seen.
_ALL_DIGITS = 16


class ConventionsView(View):
    """Sentences; below them what scikit-learn says."""

    title: ClassVar[str] = "Conventions"
    hint: ClassVar[str] = "Which conventions decided the score, and what scikit-learn says"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._account: Account | None = None
        self._key = ""
        self.text = QTextBrowser()
        self.text.setObjectName("explanation")
        self.text.setAccessibleName("Conventions that decided the score")
        self.text.setOpenLinks(False)
        column = QVBoxLayout(self._body)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.text)

    def depends_on(self, question: Question) -> tuple[object, ...]:
        return *super().depends_on(question), question.digits

    def study(self, question: Question) -> Study[Account]:
        self._asked = question.key
        return AccountStudy(question.scores, question.key, question.digits)

    def show_result(self, result: Account) -> None:
        self._account = result
        self._key = self._asked
        self._show()
        self.show_body()

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._show()

    def _show(self) -> None:
        account = self._account
        if account is None:
            return
        symbol = METRICS[self._key].symbol
        if account.sentences:
            parts = [f"<p>{html.escape(sentence)}</p>" for sentence in account.sentences]
        else:
            parts = [f"<p>No convention decided {html.escape(symbol)} here: its formula did.</p>"]
        parts.append(self._peer(account, symbol))
        self.text.setHtml("".join(parts))

    def _peer(self, account: Account, symbol: str) -> str:
        muted = f'style="color:{self.theme.muted}"'
        if not account.complete:
            return f"<p {muted}>Asking scikit-learn \N{HORIZONTAL ELLIPSIS}</p>"
        peer = account.peer
        if peer is None:
            return f"<p {muted}>scikit-learn has no {html.escape(symbol)}.</p>"
        said = html.escape(peer.sentence)
        if peer.value is None:
            return f"<p>scikit-learn's {html.escape(peer.function)}: {said}</p>"
        ours, theirs = (_whole_number(value) for value in (peer.ours, peer.value))
        colour = self.theme.text if peer.same else self.theme.warning
        return (
            f'<p style="color:{colour}">scikit-learn\'s {html.escape(peer.function)}: {said}</p>'
            f"<table cellspacing='0' cellpadding='2'>"
            f"<tr><td>Tallyscope</td><td align='right'>&nbsp; {ours}</td></tr>"
            f"<tr><td>scikit-learn</td><td align='right'>&nbsp; {theirs}</td></tr></table>"
        )


def _whole_number(value: float) -> str:
    return html.escape(format_score(value, _ALL_DIGITS))
