"""Settings of a simulation opened from a file."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from core.files.errors import ReadError
from core.files.simulation_settings import ReadSettings, SettingsFile
from gui.dialogs import ALL_FILES, Dialogs
from gui.jobs import JobRunner
from gui.settings import Settings
from gui.table_editor.notice import Notice, Severity

log = logging.getLogger(__name__)


class SettingsOpener(QObject):
    """Asks for a settings file and reads it beside the window.

    Signals
    -------
    opened(Simulation, str)
        What the file asks for, and its name.
    noticed(Notice)
    """

    opened = Signal(object, str)
    noticed = Signal(object)

    def __init__(
        self, window: QWidget, jobs: JobRunner, settings: Settings, dialogs: Dialogs
    ) -> None:
        super().__init__(window)
        self._window, self._jobs = window, jobs
        self._settings, self._dialogs = settings, dialogs

    @Slot()
    def ask(self) -> None:
        """Ask for a file."""
        folder = self._settings.folder or Path.home()
        filters = ("Settings of simulations (*.json)", ALL_FILES)
        self._dialogs.ask_open(self._window, folder, self._open_first, "Open settings", filters)

    def _open_first(self, paths: list[Path]) -> None:
        if paths:
            self.open_file(paths[0])

    def open_file(self, path: Path) -> None:
        """Read a settings file."""
        job = self._jobs.create(ReadSettings(path), f"Opening {path.name}")
        job.finished.connect(partial(self._on_read, path))
        job.failed.connect(self._on_failed)
        self._jobs.start(job)

    def _on_read(self, path: Path, read: SettingsFile) -> None:
        self._settings.folder = path.absolute().parent
        self.opened.emit(read.simulation, path.stem)
        for note in read.notes:
            self.noticed.emit(Notice(note, Severity.WARNING))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if not isinstance(error, ReadError):
            log.error("settings were not opened", exc_info=error)
        self.noticed.emit(Notice(str(error), Severity.ERROR))
