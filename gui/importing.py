"""Importing files that need a word of their reader: labels of items, sheets, odd texts."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSize, Signal, Slot
from PySide6.QtWidgets import QWidget

from core.files.errors import ReadError
from core.files.label_files import LabelFile, LabelOptions, Labels
from core.files.options import OpenOptions, ReadOptions
from gui.dialogs import ALL_FILES, Dialogs
from gui.import_assistant import ImportAssistant, Mode
from gui.jobs import Job, JobRunner
from gui.opening import Opening
from gui.session import Session
from gui.settings import Settings
from gui.table_editor.notice import Notice, Severity, Until
from gui.theme import GRID, ThemeKeeper

LABEL_FILES = "Labels and tables (*.csv *.tsv *.txt *.tab *.xlsx *.npy *.npz *.parquet)"

log = logging.getLogger(__name__)


class Importing(QObject):
    """Opens the import assistant and reads what it is told to.

    Parameters
    ----------
    window : QWidget
        Parent of the assistant.
    session : Session
    opening : Opening
        Reads tables of counts.
    jobs : JobRunner
    settings : Settings
    dialogs : Dialogs
    theme : ThemeKeeper

    Signals
    -------
    noticed(Notice)
    file_used(Path)
        A file was imported.
    """

    noticed = Signal(object)
    file_used = Signal(object)

    def __init__(
        self,
        window: QWidget,
        session: Session,
        opening: Opening,
        jobs: JobRunner,
        settings: Settings,
        dialogs: Dialogs,
        theme: ThemeKeeper,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._opening = opening
        self._jobs = jobs
        self._settings = settings
        self._dialogs = dialogs
        self._theme = theme
        self._job: Job | None = None
        self._path = Path()
        self.assistant: ImportAssistant | None = None
        opening.labels_found.connect(self.show_assistant)
        theme.changed.connect(self._on_theme_changed)

    @Slot()
    def ask_import(self) -> None:
        """Ask for a file and open the assistant."""
        self._dialogs.ask_open(
            self._window,
            self._settings.folder,
            self._on_chosen,
            "Import labels or a table",
            (LABEL_FILES, ALL_FILES),
        )

    def _on_chosen(self, paths: list[Path]) -> None:
        self.show_assistant(paths[0])
        if len(paths) > 1:
            self._tell(f"One file is imported at a time: {paths[0].name} was taken.")

    @Slot(object)
    def show_assistant(self, path: Path, _checked: bool = False) -> None:
        """Open the assistant for a file, which is labels until the user says otherwise."""
        if self.assistant is not None:
            self.assistant.close()
        assistant = ImportAssistant(path, self._jobs, mode=Mode.LABELS, parent=self._window)
        assistant.set_theme(self._theme.theme)
        assistant.accepted.connect(self._import_labels)
        assistant.table_accepted.connect(self._import_table)
        assistant.closed.connect(self._on_closed)
        self.assistant = assistant
        assistant.resize(
            QSize(GRID * 125, GRID * 78).boundedTo(self._window.screen().availableSize())
        )
        assistant.show()

    @Slot()
    def _on_closed(self) -> None:
        if self.assistant is not None:
            self.assistant.deleteLater()
            self.assistant = None

    @Slot()
    def _on_theme_changed(self) -> None:
        if self.assistant is not None:
            self.assistant.set_theme(self._theme.theme)

    @Slot(object, object)
    def _import_labels(self, path: Path, options: LabelOptions) -> None:
        if self._job is not None:
            self._job.abandon()
        self._path = path
        job = self._jobs.create(LabelFile(path, options), f"Importing {path.name}")
        job.finished.connect(self._on_imported)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)
        self._job = job
        self._jobs.start(job)

    @Slot(object, object)
    def _import_table(self, path: Path, chosen: dict[str, Any]) -> None:
        read = {k: v for k, v in chosen.items() if k not in ("sheet", "range")}
        options = OpenOptions(
            ReadOptions(**read), sheet=chosen.get("sheet"), cells=chosen.get("range")
        )
        self._opening.open([path], options)

    @Slot(object)
    def _on_imported(self, labels: Labels) -> None:
        self._job = None
        if self._session.is_placeholder:
            self._session.show_tables(labels.tables)
            self._session.mark_unsaved()
        elif not self._session.add(labels.tables):
            return
        self.file_used.emit(self._path)
        notes = list(dict.fromkeys(note for table in labels.tables for note in table.notes))
        n = len(labels.tables)
        tables = "1 table" if n == 1 else f"{n} tables"
        told = f"{tables} of {labels.items:,} items from {self._path.name}."
        told = " ".join([told, *(f"{note[:1].upper()}{note[1:]}." for note in notes)])
        self.noticed.emit(Notice(told, until=Until.UNDONE))

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._job = None
        if not isinstance(error, ReadError):
            log.error("import failed", exc_info=error)
        self._tell(f"{error} What was open is as it was.", Severity.ERROR)

    @Slot()
    def _on_cancelled(self) -> None:
        self._job = None
        self._tell(f"Importing {self._path.name} was cancelled; what was open is as it was.")

    def _tell(self, text: str, severity: Severity = Severity.INFO) -> None:
        self.noticed.emit(Notice(text, severity))
