"""AP in large figures, with the two numbers that it is made of."""

import math
from collections.abc import Mapping

from PySide6.QtCore import (
    QEvent,
    QObject,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.explanation.class_rows import on_ties
from core.formatting import format_score
from core.metrics.catalogue import METRICS
from core.metrics.metric import AP_FAMILY
from core.scores import Scores
from gui.metric_model import HEADLINE
from gui.metric_text import describe
from gui.theme import GRID, LIGHT, Theme, scaled, tabular


class Headline(QWidget):
    """AP in large figures, with the two numbers that it is made of."""

    picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: dict[str, QLabel] = {}
        self._names: dict[str, QLabel] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID * 2, GRID * 3 // 2, GRID * 3 // 2, GRID // 2)
        layout.setSpacing(0)
        row = QHBoxLayout()
        row.setSpacing(GRID * 3)
        layout.addLayout(row)
        for key, size in zip(HEADLINE, (2.6, 1.5, 1.5), strict=True):
            metric = METRICS[key]
            box = QVBoxLayout()
            box.setSpacing(0)
            name = QLabel(metric.symbol if key == "ap" else metric.name)
            value = QLabel()
            value.setFont(tabular(scaled(self.font(), size, bold=key == "ap")))
            value.setAccessibleName(metric.name)
            # Selectable by keyboard, too, so that Tab reaches it.
            value.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse
                | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            for label in (name, value):
                label.installEventFilter(self)
                label.setProperty("metric", key)
                box.addWidget(label, 0, Qt.AlignmentFlag.AlignLeft)
            box.insertStretch(0)
            row.addLayout(box)
            self._values[key], self._names[key] = value, name
        row.addStretch()
        self._note = QLabel()
        self._note.setWordWrap(True)
        self._note.hide()
        layout.addWidget(self._note)
        self._bar = HeadlineBar()
        layout.addSpacing(GRID // 2)
        layout.addWidget(self._bar)

    def text(self, key: str) -> str:
        """Return a value as shown."""
        return self._values[key].text()

    def show_scores(self, scores: Scores | None, digits: int, *, stale: bool, theme: Theme) -> None:
        """Show the three values; a reason where they are undefined."""
        texts = {
            key: format_score(scores[key], digits) if scores is not None and key in scores else " "
            for key in self._values
        }
        self._fit(texts, digits)
        for key, label in self._values.items():
            metric = METRICS[key]
            label.setText(texts[key])
            current = theme.families["ap"] if key == "ap" else theme.text
            colour = theme.muted if stale else current
            _colour(label, colour)
            _colour(self._names[key], theme.muted)
            for widget in (label, self._names[key]):
                widget.setToolTip(describe(metric, scores))
        self._show_note(scores, digits, theme)
        self._bar.theme = theme
        self._bar.value = scores["ap"] if scores is not None and "ap" in scores else math.nan
        self._bar.update()

    def _fit(self, texts: Mapping[str, str], digits: int) -> None:
        """Make the figures smaller where they are longer: none may be cut."""
        usual = "0." + "0" * digits
        characters = max(map(len, (usual, *texts.values())))
        sizes = ((6, 2.6, 1.5), (8, 1.9, 1.25), (10, 1.5, 1.1), (12, 1.3, 1.0))
        large, small = next(
            ((large, small) for most, large, small in sizes if characters <= most), (1.0, 0.8)
        )
        for key, label in self._values.items():
            size = large if key == "ap" else small
            label.setFont(tabular(scaled(self.font(), size, bold=key == "ap")))
            metrics = QFontMetrics(label.font())
            label.setMinimumWidth(max(map(metrics.horizontalAdvance, (usual, texts[key]))) + 2)

    def _show_note(self, scores: Scores | None, digits: int, theme: Theme) -> None:
        note = ""
        if scores is not None and "ap" in scores:
            why = scores.why("ap")
            note = f"Undefined: {why}." if why is not None else on_ties(scores, digits) or ""
        self._note.setText(note)
        _colour(self._note, theme.warning)
        self._note.setVisible(bool(note))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Explain the metric whose number is clicked, or reached by keyboard."""
        kinds = (QEvent.Type.MouseButtonPress, QEvent.Type.FocusIn)
        if event.type() in kinds and watched.property("metric"):
            self.picked.emit(watched.property("metric"))
        return super().eventFilter(watched, event)


def _colour(label: QLabel, colour: str) -> None:
    """Set the colour of a text; a style sheet that stays the same costs time, too."""
    style = f"color: {colour}"
    if label.styleSheet() != style:
        label.setStyleSheet(style)


class HeadlineBar(QWidget):
    """AP on its range."""

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.value = math.nan
        self.setFixedHeight(GRID)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the track and the value."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        track = QRectF(0, 0, self.width(), self.height())
        painter.setBrush(QColor(self.theme.track))
        painter.drawRoundedRect(track, 4, 4)
        if not math.isnan(self.value) and self.value > 0:
            painter.setBrush(self.theme.family(AP_FAMILY.key))
            track.setWidth(track.width() * min(self.value, 1.0))
            painter.drawRoundedRect(track, 4, 4)
        painter.end()
