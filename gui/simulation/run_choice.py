"""Which run is shown, and which one lies over it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWidget

from gui.simulation.runs import Run
from gui.theme import GRID


class RunChoice(QWidget):
    """Two lists of the runs that are kept.

    Signals
    -------
    changed()
        The user wants to see others.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown = _choice("Which run is shown")
        self.other = _choice("Which run lies over it")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        for text, choice in (("Shown", self.shown), ("Over it, as outline", self.other)):
            label = QLabel(text)
            label.setObjectName("muted")
            layout.addWidget(label)
            layout.addWidget(choice)
            choice.activated.connect(self.changed)
        # Before anything was run there is nothing to choose.
        self.hide()

    @property
    def run(self) -> Run | None:
        """The one that is shown."""
        run: Run | None = self.shown.currentData()
        return run

    @property
    def over(self) -> Run | None:
        """The one that lies over it."""
        run: Run | None = self.other.currentData()
        return run

    def show_runs(self, runs: Sequence[Run], shown: Run) -> None:
        """List runs, the newest first, and show one of them; the one over it stays."""
        over = self.over
        self.show()
        for choice in (self.shown, self.other):
            choice.clear()
        self.other.addItem("None", None)
        for run in reversed(runs):
            self.shown.addItem(run.title, run)
            # No run lies over itself.
            if run is not shown:
                self.other.addItem(run.title, run)
        self.shown.setCurrentIndex(max(self.shown.findData(shown), 0))
        self.other.setCurrentIndex(max(self.other.findData(over), 0))

    def lay_over(self, run: Run | None) -> None:
        """Lay a run over the one that is shown."""
        self.other.setCurrentIndex(max(self.other.findData(run), 0))
        self.changed.emit()


def _choice(name: str) -> QComboBox:
    choice = QComboBox()
    choice.setAccessibleName(name)
    choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    choice.setMinimumContentsLength(12)
    return choice
