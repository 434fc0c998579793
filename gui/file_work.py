"""What the File menu does, and the one question about unsaved work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from core.files.tables import read_table
from core.metrics.catalogue import METRICS
from core.named_table import NamedTable
from core.ordering import TableOrder
from gui.dialogs import Dialogs, Unsaved
from gui.exporting import Exporting, ScreenOrder
from gui.metric_text import copied
from gui.opening import Opening
from gui.pages.table import TablePage
from gui.saving import Saving
from gui.scorer import Scorer
from gui.session import Session
from gui.settings import Settings
from gui.table_editor.notice import Notice, Severity
from gui.tables.origin import SESSION_SUFFIX

SESSION_FILTER = {"Session, all tables (*.tallyscope)": "tallyscope"}
TABLE_FILTERS = {"CSV, comma-separated (*.csv)": "csv", "TSV, tab-separated (*.tsv)": "tsv"}
EXPORT_FILTERS = {
    "CSV with tables and scores (*.csv)": "csv",
    "Excel workbook (*.xlsx)": "xlsx",
    "LaTeX, booktabs (*.tex)": "tex",
    "Markdown (*.md)": "md",
    "JSON (*.json)": "json",
}


@dataclass(frozen=True)
class Files:
    """Who reads, saves and exports.

    Attributes
    ----------
    opening : Opening
    saving : Saving
    exporting : Exporting
    """

    opening: Opening
    saving: Saving
    exporting: Exporting


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
    files : Files
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
        files: Files,
        settings: Settings,
        dialogs: Dialogs,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._page = page
        self._session = session
        self._scorer = scorer
        self._files = files
        self._settings = settings
        self._dialogs = dialogs
        self._asking = False
        files.opening.settle = self.settle
        files.opening.file_used.connect(self.note_file)
        files.opening.file_failed.connect(self._on_file_failed)
        files.saving.file_used.connect(self.note_file)
        for part in (files.opening, files.saving, files.exporting):
            part.noticed.connect(self._tell)

    @Slot(object)
    def _tell(self, notice: Notice) -> None:
        self._page.notices.show_notice(notice)

    # Opening

    @Slot()
    def new_table(self) -> None:
        """Add an empty table, or start with one where there is only a sample."""
        if not self._page.view.finish_editing():
            return
        self._files.opening.forget()
        if self._session.is_placeholder:
            self._session.new()
        else:
            self._session.add_empty()

    @Slot()
    def new_session(self) -> None:
        """Start with one empty table, once unsaved work is settled."""
        self.settle(self._start_anew)

    def _start_anew(self) -> None:
        self._files.opening.forget()
        self._session.new()

    @Slot()
    def ask_open(self) -> None:
        """Ask for files and open them."""
        self._dialogs.ask_open(self._window, self._settings.folder, self.open_files)

    def open_file(self, path: Path) -> None:
        """Open a file."""
        self.open_files([path])

    def open_files(self, paths: Sequence[Path]) -> None:
        """Open files: their tables are added, a session takes the place of what is open."""
        self.opening.emit()
        if self._page.view.finish_editing():
            self._files.opening.open(paths)

    def open_sample(self, path: Path, title: str, _checked: bool = False) -> None:
        """Add a table that comes with the program."""
        if not self._page.view.finish_editing():
            return
        self._files.opening.forget()
        table = read_table(path).table
        if self._session.is_placeholder:
            self._session.show_table(table, title, placeholder=True)
        else:
            self._session.add([NamedTable(title, table)])

    @Slot()
    def paste_table(self) -> None:
        """Add the table on the clipboard."""
        if self._page.view.finish_editing():
            self.opening.emit()
            self._files.opening.paste(QGuiApplication.clipboard().text())

    @Slot(object)
    def note_file(self, path: Path) -> None:
        """Remember a file that was opened or written."""
        self._settings.add_recent_file(path.absolute())
        self._settings.folder = path.absolute().parent

    @Slot(object)
    def _on_file_failed(self, path: Path) -> None:
        if not path.exists():
            self._settings.forget_recent_file(path)

    # Saving

    @Slot()
    def save(self) -> None:
        """Save to the session's file, or ask for one."""
        self._save(None)

    def _save(self, then: Callable[[], None] | None) -> None:
        if not self._page.view.finish_editing():
            return
        origin = self._session.origin
        saving = self._files.saving
        if origin is None:
            self._ask_save_as(then)
        elif origin.changed_elsewhere():
            self._tell(
                Notice(
                    f"{origin.path.name} was changed by another program since it was opened.",
                    Severity.WARNING,
                    (
                        ("Overwrite it", partial(saving.save, origin.path, then)),
                        ("Save as…", partial(self._ask_save_as, then)),
                    ),
                )
            )
        else:
            saving.save(origin.path, then)

    @Slot()
    def ask_save_as(self) -> None:
        """Ask for a file and save to it."""
        self._ask_save_as(None)

    def _ask_save_as(self, then: Callable[[], None] | None) -> None:
        if not self._page.view.finish_editing():
            return

        def save(path: Path) -> None:
            self._files.saving.save(path, then)

        one = len(self._session.entries) == 1
        origin = self._session.origin
        as_session = not one or (origin is not None and origin.is_session)
        filters = (
            {**SESSION_FILTER, **(TABLE_FILTERS if one else {})}
            if as_session
            else {**TABLE_FILTERS, **SESSION_FILTER}
        )
        self._dialogs.ask_save(
            self._window,
            "Save the table" if one else "Save the session",
            self._suggestion(next(iter(filters.values())), self._session.name),
            filters,
            save,
        )

    def _suggestion(self, suffix: str, name: str) -> Path:
        """Return a file name of this suffix beside what is open."""
        path = self._session.path
        folder = self._session.folder or self._settings.folder or Path.home()
        if path is not None and name == path.name:
            fits = path.suffix == f".{suffix}" or (
                suffix == "csv" and path.suffix.lower() in (".csv", ".tsv", ".txt", ".tab")
            )
            return path if fits else path.with_suffix(f".{suffix}")
        stem = "".join(c if c.isalnum() or c in " -_." else "_" for c in name)
        return folder / f"{stem}.{suffix}"

    # Exporting

    @Slot()
    def ask_export(self) -> None:
        """Ask for a file and export the selected tables, or the one under edit, to it."""
        if self._page.view.finish_editing():
            entries = self._session.sync()
            self._ask_export([entries[key].named for key in self._page.tables.selected])

    @Slot()
    def ask_export_all(self) -> None:
        """Ask for a file and export all tables to it."""
        if self._page.view.finish_editing():
            self._ask_export(self._session.tables())

    def _ask_export(self, tables: list[NamedTable]) -> None:
        # What is on the screen when the export is asked for, not when the file is named.
        keys, order = self._keys(), self._order()

        def export(path: Path) -> None:
            self._files.exporting.export(path, tables, keys, order)

        one = len(tables) == 1
        name = tables[0].name if one else Path(self._session.name).stem
        self._dialogs.ask_save(
            self._window,
            "Export the scored table" if one else f"Export {len(tables)} scored tables",
            self._suggestion("csv", f"{name} scores"),
            EXPORT_FILTERS,
            export,
        )

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

    @Slot()
    def copy_latex(self) -> None:
        """Put the selected tables with their scores on the clipboard as LaTeX."""
        self._copy("latex", "LaTeX; it needs booktabs, array and graphicx")

    @Slot()
    def copy_markdown(self) -> None:
        """Put the selected tables with their scores on the clipboard as Markdown."""
        self._copy("markdown", "Markdown")

    def _copy(self, form: Literal["latex", "markdown"], what: str) -> None:
        if self._page.view.finish_editing():
            entries = self._session.sync()
            tables = [entries[key].named for key in self._page.tables.selected]
            self._files.exporting.copy(tables, form, what, self._keys(), self._order())

    def _keys(self) -> tuple[str, ...] | None:
        """The metrics that are exported: those of the list, if that was chosen, else all."""
        return self._page.tables.column_keys if self._settings.export_listed else None

    def _order(self) -> ScreenOrder:
        """The order in which papers show a table: that of the screen."""
        view, table = self._page.view, self._session.current.table
        lines = [
            np.arange(length) if order is None else order
            for length, order in zip(table.shape, view.table_model.shown.orders, strict=True)
        ]
        shown = table, TableOrder(*lines)
        return ScreenOrder(view.orders.rows, view.orders.columns, shown)

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


__all__ = ["SESSION_SUFFIX", "FileWork", "Files"]
