"""The left of a page that runs something: settings, a button, how far it is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gui.theme import GRID

_PARTS = 1000


class SidePanel(QWidget):
    """Settings above, run and cancel with progress below them, other things at the foot.

    Attributes
    ----------
    run_button, cancel_button : QPushButton
    progress : QProgressBar
    status : QLabel
    """

    def __init__(
        self,
        above: Sequence[QWidget],
        foot: Sequence[QWidget],
        cancel_tip: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.run_button = QPushButton("Run")
        self.run_button.setObjectName("primary")
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setToolTip(cancel_tip)
        self.cancel_button.setEnabled(False)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setRange(0, _PARTS)
        self.progress.setAccessibleName("Progress")
        self.status = QLabel()
        self.status.setObjectName("muted")
        self.status.setWordWrap(True)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self.run_button, 1)
        buttons.addWidget(self.cancel_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, GRID * 2, 0)
        layout.setSpacing(GRID)
        for widget in above:
            layout.addWidget(widget)
        layout.addLayout(buttons)
        layout.addWidget(self.progress)
        layout.addWidget(self.status)
        layout.addStretch(1)
        for widget in foot:
            layout.addWidget(widget)

    def scrolled(self) -> QScrollArea:
        """Return it in an area that scrolls on a low screen and makes no window higher."""
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self)
        scroll.setFixedWidth(max(GRID * 33, self.minimumSizeHint().width() + GRID * 2))
        return scroll
