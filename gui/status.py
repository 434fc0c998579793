"""The status bar: what is going on, how far it is, and one click to cancel it."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QStatusBar, QWidget

from core.studies.study import Step
from gui.jobs import Job, JobRunner
from gui.theme import GRID

# Work that is over sooner than this shows nothing, or the bar would flicker.
_PATIENCE_MS = 250
_PARTS = 1000


class StatusBar(QStatusBar):
    """Shows the latest job of a runner.

    Parameters
    ----------
    jobs : JobRunner
    """

    def __init__(self, jobs: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self.setSizeGripEnabled(False)
        self.message = QLabel("Ready")
        self._bar = QProgressBar()
        self._bar.setFixedWidth(GRID * 25)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Progress")
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setToolTip("Stop the work and keep what it has")
        self.cancel_button.clicked.connect(self._on_cancel)
        self.addWidget(self.message, 1)
        self.addPermanentWidget(self._bar)
        self.addPermanentWidget(self.cancel_button)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE_MS)
        self._patience.timeout.connect(self._on_patience_over)
        self._hide_progress()
        jobs.started.connect(self._on_started)
        jobs.ended.connect(self._on_ended)

    def _hide_progress(self) -> None:
        self._bar.hide()
        self.cancel_button.hide()
        self.message.setText("Ready")

    @Slot(object)
    def _on_started(self, job: Job) -> None:
        self._job = job
        job.progressed.connect(self._on_progress)
        self._patience.start()

    @Slot()
    def _on_patience_over(self) -> None:
        if self._job is None:
            return
        self.message.setText(f"{self._job.title} …")
        self._bar.setRange(0, 0)
        self._bar.show()
        self.cancel_button.setEnabled(True)
        self.cancel_button.show()

    @Slot(object)
    def _on_progress(self, step: Step[object]) -> None:
        if self.sender() is not self._job or self._job is None or self._bar.isHidden():
            return
        fraction = step.fraction
        if fraction is None:
            self._bar.setRange(0, 0)
            share = ""
        else:
            self._bar.setRange(0, _PARTS)
            self._bar.setValue(round(fraction * _PARTS))
            share = f"  {fraction:.0%}"
        self.message.setText(f"{self._job.title}: {step.message}{share}")

    @Slot()
    def _on_cancel(self) -> None:
        if self._job is not None:
            self.cancel_button.setEnabled(False)
            self._job.cancel()

    @Slot(object)
    def _on_ended(self, job: Job) -> None:
        if job is not self._job:
            return
        running = [other for other in self._jobs.jobs if other is not job]
        self._job = running[-1] if running else None
        if self._job is None:
            self._patience.stop()
            self._hide_progress()
        elif not self._bar.isHidden():
            self._on_patience_over()
