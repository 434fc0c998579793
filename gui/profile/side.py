"""The left of the profile page: what is asked for, how far it is, which profile is shown."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.profile.settings import ProfileSettings
from gui.simulation.metrics_choice import MetricsChoice
from gui.theme import GRID

_PARTS = 1000


class ProfileSide(QWidget):
    """Settings, buttons, progress, and the list of profiles.

    Attributes
    ----------
    form : ProfileSettings
    metrics : MetricsChoice
    run_button, cancel_button, open_button : QPushButton
    progress : QProgressBar
    status : QLabel
    shown : QComboBox
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form = ProfileSettings()
        self.metrics = MetricsChoice()
        self.run_button = QPushButton("Run")
        self.run_button.setObjectName("primary")
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setToolTip("Stop; the instances timed so far stay")
        self.cancel_button.setEnabled(False)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setRange(0, _PARTS)
        self.progress.setAccessibleName("Progress of the profile")
        self.status = QLabel()
        self.status.setObjectName("muted")
        self.status.setWordWrap(True)
        self.shown = QComboBox()
        self.shown.setAccessibleName("Which profile is shown")
        self.shown.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.shown.setMinimumContentsLength(12)
        self.open_button = QPushButton("Open profile\N{HORIZONTAL ELLIPSIS}")
        self.open_button.setToolTip("A profile of another machine, or an earlier one")
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self.run_button, 1)
        buttons.addWidget(self.cancel_button)
        label = QLabel("Shown")
        label.setObjectName("muted")
        label.setBuddy(self.shown)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, GRID * 2, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self.form)
        layout.addWidget(self.metrics)
        layout.addLayout(buttons)
        layout.addWidget(self.progress)
        layout.addWidget(self.status)
        layout.addStretch(1)
        layout.addWidget(label)
        layout.addWidget(self.shown)
        layout.addWidget(self.open_button)
