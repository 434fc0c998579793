"""Figures and files of a page: asked for, written beside the window."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from core.files.errors import SaveError
from core.studies.study import Study
from gui.dialogs import Dialogs
from gui.figures import FIGURE_FILTERS
from gui.jobs import JobRunner
from gui.plots.export import SaveDrawing
from gui.settings import Settings
from gui.table_editor.notice import Notice, Severity

# pyqtgraph, which some figures load, is not needed to ask for one.
if TYPE_CHECKING:
    from gui.plots.charts import Prepared

log = logging.getLogger(__name__)


class Figure(Protocol):
    """What can be drawn for print."""

    def prepare(self) -> Prepared:
        """Return the drawing, after some steps."""
        ...


class PageExports(QObject):
    """Asks where to, and writes.

    Parameters
    ----------
    window : QWidget
        Parent of the dialogs.
    jobs : JobRunner
    settings : Settings
    dialogs : Dialogs
    nothing : str
        What is said where there is nothing to draw yet.

    Signals
    -------
    noticed(Notice)
    """

    noticed = Signal(object)

    def __init__(
        self,
        window: QWidget,
        jobs: JobRunner,
        settings: Settings,
        dialogs: Dialogs,
        nothing: str,
    ) -> None:
        super().__init__(window)
        self._nothing = nothing
        self._window = window
        self._jobs = jobs
        self._settings = settings
        self._dialogs = dialogs

    def ask_figure(self, figure: Figure | None, stem: str) -> None:
        """Ask for a file, and draw a figure to it."""
        if figure is None:
            self._tell(self._nothing, Severity.WARNING)
            return
        self.ask(
            "Export the figure",
            stem,
            FIGURE_FILTERS,
            lambda path: SaveDrawing(figure.prepare, path),
        )

    def ask(
        self,
        title: str,
        stem: str,
        filters: Mapping[str, str],
        study: Callable[[Path], Study[Any]],
    ) -> None:
        """Ask for a file, and run the study that writes it.

        Parameters
        ----------
        title : str
            Of the dialog.
        stem : str
            Of the name that is suggested.
        filters : mapping of str to str
            Kinds of files, and their suffixes; the first is suggested.
        study : callable
            Returns the study for a path.
        """
        stem = stem.replace(" \N{MULTIPLICATION SIGN} ", "x").replace(
            "\N{MULTIPLICATION SIGN}", "x"
        )
        plain = "".join(c if c.isalnum() or c in " -_." else "_" for c in stem)
        folder = self._settings.folder or Path.home()
        suggestion = folder / f"{plain}.{next(iter(filters.values()))}"

        def save(path: Path) -> None:
            self._settings.folder = path.absolute().parent
            job = self._jobs.create(study(path), f"Writing {path.name}")
            job.finished.connect(self._on_saved)
            job.failed.connect(self._on_failed)
            job.cancelled.connect(self._on_cancelled)
            self._jobs.start(job)

        self._dialogs.ask_save(self._window, title, suggestion, dict(filters), save)

    @Slot(object)
    def _on_saved(self, saved: Any) -> None:
        self._tell(f"It is in {getattr(saved, 'path', saved)}.")

    @Slot()
    def _on_cancelled(self) -> None:
        self._tell("The export was cancelled; no file was written.", Severity.WARNING)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        if not isinstance(error, SaveError):
            log.error("an export failed", exc_info=error)
        self._tell(f"Not exported: {error}", Severity.ERROR)

    def _tell(self, text: str, severity: Severity = Severity.INFO) -> None:
        self.noticed.emit(Notice(text, severity))
