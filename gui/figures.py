"""The heat map of the table under edit as a figure: to a file, or to the clipboard."""

from __future__ import annotations

import logging
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QDialog, QWidget

from core.files.errors import SaveError
from gui.dialogs import Dialogs
from gui.figure_dialog import FigureDialog, FigureSettings
from gui.jobs import JobRunner
from gui.plots.heatmap import HeatMapImage, save_heatmap
from gui.session import Session
from gui.settings import Settings
from gui.table_editor.notice import Notice, Severity
from gui.table_editor.view import TableView

FIGURE_FILTERS = {
    "PDF, for print (*.pdf)": "pdf",
    "SVG, vector (*.svg)": "svg",
    "PNG, 300 dpi (*.png)": "png",
}

log = logging.getLogger(__name__)


class Figures(QObject):
    """Asks how the heat map is to look and where to, and writes it beside the window.

    Parameters
    ----------
    window : QWidget
        Parent of the dialogs.
    view : TableView
        Shows the table, in an order perhaps.
    session : Session
    jobs : JobRunner
    settings : Settings
    dialogs : Dialogs

    Signals
    -------
    noticed(Notice)
    """

    noticed = Signal(object)

    def __init__(
        self,
        window: QWidget,
        view: TableView,
        session: Session,
        jobs: JobRunner,
        settings: Settings,
        dialogs: Dialogs,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._view = view
        self._session = session
        self._jobs = jobs
        self._settings = settings
        self._dialogs = dialogs
        self._look = FigureSettings()
        self.dialog: FigureDialog | None = None

    @Slot()
    def ask_export(self) -> None:
        """Ask how the figure is to look, then where to."""
        if self.dialog is not None or not self._view.finish_editing():
            return
        dialog = self._make_dialog()
        dialog.accepted.connect(self._on_accepted)
        dialog.finished.connect(self._on_finished)
        self.dialog = dialog
        dialog.open()

    def _make_dialog(self) -> FigureDialog:
        rows, columns = self._view.table_model.shown.orders
        return FigureDialog(
            self._session.document.snapshot(),
            rows,
            columns,
            self._look,
            self._jobs,
            self._window,
            self._session.current.name,
        )

    @Slot()
    def _on_accepted(self) -> None:
        assert isinstance(self.dialog, FigureDialog)
        self._look = self.dialog.settings
        figure = self.dialog.figure()
        name = self._session.current.name
        stem = "".join(c if c.isalnum() or c in " -_." else "_" for c in name)
        folder = self._session.folder or self._settings.folder or Path.home()

        def save(path: Path) -> None:
            job = self._jobs.create(save_heatmap(figure, path), f"Drawing {path.name}")
            job.finished.connect(self._on_saved)
            job.failed.connect(self._on_failed)
            job.cancelled.connect(self._on_cancelled)
            self._jobs.start(job)

        self._dialogs.ask_save(
            self._window, "Export the heat map", folder / f"{stem}.pdf", FIGURE_FILTERS, save
        )

    @Slot(int)
    def _on_finished(self, _result: int) -> None:
        if isinstance(self.dialog, QDialog):
            self.dialog.deleteLater()
        self.dialog = None

    @Slot()
    def copy(self) -> None:
        """Put the heat map on the clipboard as an image."""
        if not self._view.finish_editing():
            return
        rows, columns = self._view.table_model.shown.orders
        session = self._session
        figure = self._look.figure(session.document.snapshot(), rows, columns, session.current.name)
        job = self._jobs.create(HeatMapImage(figure), "Drawing the heat map")
        job.finished.connect(self._on_drawn)
        job.failed.connect(self._on_failed)
        self._jobs.start(job)

    @Slot(object)
    def _on_drawn(self, image: QImage) -> None:
        QGuiApplication.clipboard().setImage(image)
        self._tell("The heat map is on the clipboard.")

    @Slot(object)
    def _on_saved(self, path: Path) -> None:
        self._tell(f"The heat map is in {path}.")

    @Slot()
    def _on_cancelled(self) -> None:
        self._tell("The figure was cancelled; no file was written.", Severity.WARNING)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if not isinstance(error, SaveError):
            log.error("drawing failed", exc_info=error)
        self._tell(f"Not exported: {error}", Severity.ERROR)

    def _tell(self, text: str, severity: Severity = Severity.INFO) -> None:
        self.noticed.emit(Notice(text, severity))
