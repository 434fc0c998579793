"""What the simulation page shows before anything was run."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from gui.theme import GRID


class EmptyState(QWidget):
    """What to do, and a button that does it with the AP paper's first scenario.

    Attributes
    ----------
    button : QPushButton
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        hint = QLabel(
            "Choose a scenario and run it: random tables are made, and scored by the metrics that "
            "you choose. Histograms fill while it runs; a click on a bar, a point or a "
            "correlation leads to single tables, which open in the editor."
        )
        hint.setWordWrap(True)
        self.button = QPushButton("Run the paper's low 4 \N{MULTIPLICATION SIGN} 4 scenario")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID * 4, GRID * 4, GRID * 4, 0)
        layout.setSpacing(GRID * 2)
        layout.addWidget(hint)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)
