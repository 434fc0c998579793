"""What every number means and where it comes from: the catalogue, as a page."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import ClassVar

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel, QLineEdit, QTextBrowser, QVBoxLayout, QWidget

from core.metrics.catalogue import FAMILIES, METRICS
from core.metrics.metric import Family, Metric, ScoreOptions, When
from gui.metric_text import direction, range_text
from gui.pages.page import Page
from gui.theme import GRID, LIGHT, Theme

WHEN: Mapping[When, str] = {
    "live": "follows typing",
    "later": "follows a moment later",
    "request": "only on request",
}
# Options of the random tables that a metric is estimated from.
RANDOM = ("draws", "seed")
# What names say of metrics that take away, or measure by, what chance would give.
_AGAINST_CHANCE = ("adjusted", "standardi", "expected")


class MetricsPage(Page):
    """All metrics by family, with range, formula and source; typing narrows the list."""

    title: ClassVar[str] = "Metrics"
    question: ClassVar[str] = "What does each number mean, and where does it come from?"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        question = QLabel(self.question)
        question.setObjectName("question")
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Find a metric, a key or a word of its formula")
        self.filter.setAccessibleName("Find a metric")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._show)
        self.text = QTextBrowser()
        self.text.setObjectName("catalogue")
        self.text.setAccessibleName("Metrics")
        self.text.setOpenLinks(False)
        self.text.document().setDocumentMargin(GRID * 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID * 3, GRID * 2, GRID * 3, GRID * 2)
        layout.setSpacing(GRID * 3 // 2)
        layout.addWidget(question)
        layout.addWidget(self.filter)
        layout.addWidget(self.text, 1)

    def set_theme(self, theme: Theme) -> None:
        """Take over the families' colours."""
        self._theme = theme
        self._show()

    def focus_first(self) -> None:
        """Give the keyboard to the search field."""
        self.filter.setFocus()

    @Slot()
    def _show(self) -> None:
        wanted = self.filter.text().casefold().split()
        parts = []
        for family in FAMILIES:
            metrics = [
                metric
                for metric in METRICS.values()
                if metric.family == family and all(word in _words(metric) for word in wanted)
            ]
            if metrics:
                parts.append(self._family(family, metrics))
        nothing = (
            f"<p style='color:{self._theme.muted}'>No metric has these words. "
            "Clear the field to see all of them.</p>"
        )
        self.text.setHtml("".join(parts) or nothing)

    def _family(self, family: Family, metrics: list[Metric]) -> str:
        colour = self._theme.family(family.key).name()
        rows = "".join(self._metric(metric) for metric in metrics)
        return (
            f"<h3><span style='color:{colour}'>\N{BLACK SQUARE}</span> "
            f"{html.escape(family.name)}</h3>"
            f"<table width='100%' cellpadding='6' cellspacing='0'>{rows}</table>"
        )

    def _metric(self, metric: Metric) -> str:
        muted = self._theme.muted
        options = ", ".join(metric.parameters)
        return (
            "<tr>"
            f"<td width='25%'><b>{html.escape(metric.name)}</b><br>"
            f"<span style='color:{muted}'><code>{metric.key}</code></span></td>"
            f"<td width='20%'>{range_text(metric.low, metric.high)}<br>"
            f"<span style='color:{muted}'>{direction(metric)}<br>{WHEN[metric.when]}</span></td>"
            f"<td>{html.escape(metric.formula)}<br>"
            f"<span style='color:{muted}'>{html.escape(metric.source)}"
            + (f" &nbsp; options: {options}" if options else "")
            + (f"<br>{_how_to_ask(metric)}" if metric.when == "request" else "")
            + "</span></td></tr>"
        )


def _words(metric: Metric) -> str:
    return " ".join(
        (
            metric.name,
            metric.symbol,
            metric.key,
            metric.formula,
            metric.source,
            metric.family.name,
            direction(metric),
            WHEN[metric.when],
            "--metrics" if metric.when == "request" else "",
            "chance" if any(word in metric.name.casefold() for word in _AGAINST_CHANCE) else "",
        )
    ).casefold()


def _how_to_ask(metric: Metric) -> str:
    """Return the command that computes what no page does of itself."""
    given = "".join(
        f" --{name} {getattr(ScoreOptions(), name)}" for name in metric.parameters if name in RANDOM
    )
    return f"<code>main.py score FILE --metrics {metric.key}{given}</code>"
