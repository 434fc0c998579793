"""Opening, saving and exporting the table, and the one question about unsaved work."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from core.files.tables import read_table
from core.metrics.catalogue import METRICS
from gui.dialogs import Dialogs, Unsaved
from gui.metric_text import copied
from gui.pages.table import TablePage
from gui.scorer import Scorer
from gui.session import Session
from gui.settings import Settings
from gui.table_editor.notice import Notice, Severity

TABLE_FILTERS = {"CSV, comma-separated (*.csv)": "csv", "TSV, tab-separated (*.tsv)": "tsv"}
EXPORT_FILTERS = {"CSV with table and scores (*.csv)": "csv", "JSON (*.json)": "json"}


class FileWork(QObject):
    """What the File menu does, and copying of all scores.

    Parameters
    ----------
    window : QWidget
        Parent of the dialogs.
    page : TablePage
        Where notices are shown and typing ends.
    session : Session
    scorer : Scorer
    settings : Settings
    dialogs : Dialogs

    Signals
    -------
    opening()
        A file is about to be opened.
    """

    opening = Signal()

    def __init__(
        self,
        window: QWidget,
        page: TablePage,
        session: Session,
        scorer: Scorer,
        settings: Settings,
        dialogs: Dialogs,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._page = page
        self._session = session
        self._scorer = scorer
        self._settings = settings
        self._dialogs = dialogs
        self._asking = False
        session.settle = self.settle
        session.file_used.connect(self._on_file_used)
        session.file_failed.connect(self._on_file_failed)

    def _tell(self, notice: Notice) -> None:
        self._page.notices.show_notice(notice)

    # Opening

    @Slot()
    def new_table(self) -> None:
        """Start an empty table, once unsaved work is settled."""
        self.settle(self._session.new)

    @Slot()
    def ask_open(self) -> None:
        """Ask for a file and open it."""
        self._dialogs.ask_open(self._window, self._settings.folder, self.open_file)

    def open_file(self, path: Path) -> None:
        """Open a file, once unsaved work is settled."""
        self.opening.emit()
        self.settle(partial(self._session.open, path))

    def open_files(self, paths: list[Path]) -> None:
        """Open the first of several files, and say so."""
        self.open_file(paths[0])
        if len(paths) > 1:
            self._tell(Notice(f"One table is open at a time: {paths[0].name} was taken."))

    def open_sample(self, path: Path, title: str, _checked: bool = False) -> None:
        """Open a table that comes with the program, once unsaved work is settled."""
        self.settle(partial(self._show_sample, path, title))

    def _show_sample(self, path: Path, title: str) -> None:
        self._session.show_table(read_table(path).table, title)

    @Slot(object)
    def _on_file_used(self, path: Path) -> None:
        self._settings.add_recent_file(path.absolute())
        self._settings.folder = path.absolute().parent

    @Slot(object)
    def _on_file_failed(self, path: Path) -> None:
        if not path.exists():
            self._settings.forget_recent_file(path)

    # Saving

    @Slot()
    def save(self) -> None:
        """Save to the table's file, or ask for one."""
        self._save(None)

    def _save(self, then: Callable[[], None] | None) -> None:
        if not self._page.view.finish_editing():
            return
        path = self._session.path
        if path is None:
            self._ask_save_as(then)
        elif self._session.file_changed_elsewhere():
            self._tell(
                Notice(
                    f"{path.name} was changed by another program since it was opened.",
                    Severity.WARNING,
                    (
                        ("Overwrite it", partial(self._session.save, path, then)),
                        ("Save as…", partial(self._ask_save_as, then)),
                    ),
                )
            )
        else:
            self._session.save(path, then)

    @Slot()
    def ask_save_as(self) -> None:
        """Ask for a file and save to it."""
        self._ask_save_as(None)

    def _ask_save_as(self, then: Callable[[], None] | None) -> None:
        if not self._page.view.finish_editing():
            return

        def save(path: Path) -> None:
            self._session.save(path, then)

        self._dialogs.ask_save(
            self._window, "Save the table", self._suggestion("csv"), TABLE_FILTERS, save
        )

    @Slot()
    def ask_export(self) -> None:
        """Ask for a file and export the scored table to it."""
        if not self._page.view.finish_editing():
            return
        scores = self._scorer.scores
        if scores is None:
            self._tell(Notice("The scores are still being computed; export when they are there."))
            return

        def export(path: Path) -> None:
            self._session.export(path, scores)

        self._dialogs.ask_save(
            self._window,
            "Export the scored table",
            self._suggestion("csv", " scores"),
            EXPORT_FILTERS,
            export,
        )

    def _suggestion(self, suffix: str, addition: str = "") -> Path:
        path = self._session.path
        if path is not None:
            ending = f".{suffix}" if addition or not path.suffix else path.suffix
            return path.with_name(f"{path.stem}{addition}{ending}")
        folder = self._settings.folder or Path.home()
        stem = "".join(c if c.isalnum() or c in " -_" else "_" for c in self._session.name)
        return folder / f"{stem}{addition}.{suffix}"

    @Slot()
    def copy_scores(self) -> None:
        """Put every score on the clipboard, a key and a value a line, with all digits."""
        scores = self._scorer.scores
        if scores is None:
            self._tell(
                Notice("The scores are still being computed; copy them when they are there.")
            )
            return
        lines = [copied(key, scores[key]) for key in scores if METRICS[key].per == "table"]
        QGuiApplication.clipboard().setText("\n".join(lines))
        self._tell(Notice(f"Copied {len(lines)} scores, with all their digits.", Severity.INFO))

    # Unsaved work

    def settle(self, then: Callable[[], None]) -> None:
        """Go on with ``then`` once no unsaved work can be lost by it."""
        if not self._page.view.finish_editing():
            return
        if not self._session.is_dirty:
            then()
            return
        if self._asking:
            return
        self._asking = True

        def answered(choice: Unsaved) -> None:
            self._asking = False
            if choice is Unsaved.SAVE:
                # What is typed while the file is written must be settled too.
                self._save(partial(self.settle, then))
            elif choice is Unsaved.DISCARD:
                then()

        self._dialogs.ask_unsaved(self._window, self._session.name, answered)
