"""What the window can be told to do: texts, keys and tips."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QKeySequence

if TYPE_CHECKING:
    from gui.main_window import MainWindow


@dataclass(frozen=True)
class Commands:
    """The actions of the window that belong to no page, by what they do."""

    new: QAction
    new_session: QAction
    open: QAction
    save: QAction
    save_as: QAction
    export: QAction
    export_all: QAction
    export_listed: QAction
    paste_table: QAction
    import_labels: QAction
    figure: QAction
    copy_figure: QAction
    copy_latex: QAction
    copy_markdown: QAction
    copy_scores: QAction
    quit: QAction


def make_commands(window: MainWindow) -> Commands:
    """Return the actions of the window."""
    key = QKeySequence.StandardKey

    def action(
        text: str, slot: Callable[[], object], shortcut: object = None, tip: str = ""
    ) -> QAction:
        made = QAction(text, window)
        # A button would leave out the dots that say that a dialog follows.
        made.setIconText(text.replace("&", ""))
        if shortcut is not None:
            made.setShortcut(shortcut)  # type: ignore[call-overload]
        if tip:
            made.setToolTip(tip)
        made.triggered.connect(slot)
        return made

    return Commands(
        new=action("&New table", window.files.new_table, key.New),
        new_session=action("New session", window.files.new_session, QKeySequence("Ctrl+Shift+N")),
        open=action(
            "&Open…",
            window.files.ask_open,
            key.Open,
            "Open tables (CSV, TSV, XLSX, JSON, NumPy) or a session (Ctrl+O)",
        ),
        save=action("&Save", window.files.save, key.Save, "Save the table, or all tables (Ctrl+S)"),
        save_as=action("Save &as…", window.files.ask_save_as, QKeySequence("Ctrl+Shift+S")),
        export=action(
            "&Export…",
            window.files.ask_export,
            QKeySequence("Ctrl+E"),
            "Export the selected tables with their scores: CSV, Excel, LaTeX, … (Ctrl+E)",
        ),
        export_all=action(
            "Export a&ll tables…", window.files.ask_export_all, QKeySequence("Ctrl+Alt+E")
        ),
        export_listed=_export_listed(window),
        paste_table=action(
            "Paste as ne&w table",
            window.files.paste_table,
            QKeySequence("Ctrl+Shift+V"),
            "Add the table on the clipboard to the session (Ctrl+Shift+V)",
        ),
        import_labels=action(
            "&Import labels or a sheet…",
            window.importing.ask_import,
            QKeySequence("Ctrl+Shift+O"),
            "Make tables from labels of items, or choose a sheet and a range (Ctrl+Shift+O)",
        ),
        figure=action("Export &heat map…", window.figures.ask_export, QKeySequence("Ctrl+Shift+H")),
        copy_figure=action("Copy &heat map as image", window.figures.copy),
        copy_latex=action("Copy as &LaTeX", window.files.copy_latex, QKeySequence("Ctrl+Shift+L")),
        copy_markdown=action("Copy as &Markdown", window.files.copy_markdown),
        copy_scores=action(
            "&Copy all scores", window.files.copy_scores, QKeySequence("Ctrl+Shift+E")
        ),
        quit=action("&Quit", window.close, QKeySequence("Ctrl+Q")),
    )


def _export_listed(window: MainWindow) -> QAction:
    """Return the choice between all metrics and those of the list."""
    listed = QAction("Export only the metrics of the list", window)
    listed.setToolTip("Files and copies hold the scores that the list of tables shows, no others")
    listed.setCheckable(True)
    listed.setChecked(window.settings.export_listed)

    def choose(wanted: bool) -> None:
        window.settings.export_listed = wanted

    listed.toggled.connect(choose)
    return listed
