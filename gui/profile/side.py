"""The left of the profile page: what is asked for, and which profile is shown."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget

from gui.profile.settings import ProfileSettings
from gui.side_panel import SidePanel
from gui.simulation.metrics_choice import MetricsChoice


class ProfileSide(SidePanel):
    """Settings, buttons, progress, and the list of profiles.

    Attributes
    ----------
    form : ProfileSettings
    metrics : MetricsChoice
    shown : QComboBox
    open_button : QPushButton
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        self.form = ProfileSettings()
        self.metrics = MetricsChoice()
        self.shown = QComboBox()
        self.shown.setAccessibleName("Which profile is shown")
        self.shown.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.shown.setMinimumContentsLength(12)
        self.open_button = QPushButton("Open profile\N{HORIZONTAL ELLIPSIS}")
        self.open_button.setToolTip("A profile of another machine, or an earlier one")
        self.label = QLabel("Shown")
        self.label.setObjectName("muted")
        self.label.setBuddy(self.shown)
        super().__init__(
            (self.form, self.metrics),
            (self.label, self.shown, self.open_button),
            "Stop; the instances timed so far stay",
            parent,
        )
        self.offer_choice(False)

    def offer_choice(self, wanted: bool) -> None:
        """Show which profile is shown: before there is any, there is nothing to choose."""
        self.label.setVisible(wanted)
        self.shown.setVisible(wanted)
