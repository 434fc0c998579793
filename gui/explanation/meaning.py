"""What a score means: its name, value, range, formula, source, and warnings of the table."""

from __future__ import annotations

import html

from PySide6.QtWidgets import QTextBrowser, QWidget

from core.explanation.deciding import why_zero
from core.metrics.catalogue import METRICS
from core.scores import Scores
from gui.metric_text import describe
from gui.theme import LIGHT, Theme

# Larger tables are looked through for warnings by who scores them, not here.
_SMALL_CELLS = 10_000


class Meaning(QTextBrowser):
    """The text on a score."""

    title = "Meaning"
    hint = "What the score is, its formula and source, and what to know of this table"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("explanation")
        self.setAccessibleName("Explanation of the selected score")
        self.setOpenLinks(False)
        self._theme: Theme = LIGHT
        self._key = "ap"
        self._scores: Scores | None = None
        self._complete = False
        self._stale = False
        self._source: dict[str, Scores] = {}

    def set_scores(self, scores: Scores, *, complete: bool) -> None:
        """Take over scores; of those still to come the earlier ones stay."""
        self._scores = scores
        self._complete = complete
        self._stale = False
        if complete:
            self._source = {}
        self._source.update(dict.fromkeys(scores, scores))
        self._show()

    def set_stale(self) -> None:
        """Say that the values are those of the table before."""
        self._stale = True
        self._show()

    def set_key(self, key: str) -> None:
        """Explain another score."""
        self._key = key
        self._show()

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self._show()

    def _show(self) -> None:
        bar = self.verticalScrollBar()
        place = bar.value()
        source = self._source.get(self._key)
        pending = self._stale or (self._scores is not None and source is not self._scores)
        parts = [f"<p>{describe(METRICS[self._key], source, pending=pending)}</p>"]
        scores = self._scores
        if scores is not None and not self._stale:
            r, c = scores.table.shape
            if self._key in scores and (reason := why_zero(scores, self._key)):
                parts.append(f"<p>{html.escape(reason)}</p>")
            if self._complete or r * c <= _SMALL_CELLS:
                parts += [
                    f'<p style="color:{self._theme.warning}">\N{WARNING SIGN} '
                    f"{html.escape(warning)}.</p>"
                    for warning in scores.warnings
                ]
        self.setHtml("".join(parts))
        bar.setValue(place)
