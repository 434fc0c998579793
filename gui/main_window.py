"""The window: pages on the left, one of them open, menus, and the work below."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QStackedWidget,
    QWidget,
)

from core.files.samples import sample_tables
from core.files.tables import read_table
from core.metrics.catalogue import METRICS
from core.metrics.metric import Average, EmptyTruth
from gui.dialogs import Dialogs, Unsaved
from gui.help import about_html, keyboard_html
from gui.jobs import JobRunner
from gui.menus import make_menus
from gui.pages.metrics import MetricsPage
from gui.pages.page import Page
from gui.pages.table import TablePage
from gui.recovery import Recovered, Recovery
from gui.scorer import Scorer
from gui.session import Session
from gui.settings import Settings
from gui.status import StatusBar
from gui.table_editor.delegate import HeatScale
from gui.table_editor.notice import Notice, Severity
from gui.theme import GRID, Scheme, ThemeKeeper

TABLE_FILTERS = {"CSV, comma-separated (*.csv)": "csv", "TSV, tab-separated (*.tsv)": "tsv"}
EXPORT_FILTERS = {"CSV with table and scores (*.csv)": "csv", "JSON (*.json)": "json"}

log = logging.getLogger(__name__)


class MainWindow(QMainWindow):
    """The program's window.

    Parameters
    ----------
    settings : Settings
    theme : ThemeKeeper
    dialogs : Dialogs, optional
        Asks for files; tests answer in its place.
    recovery_folder : Path, optional
        Where unsaved work is kept aside; beside the settings by default.
    """

    def __init__(
        self,
        settings: Settings,
        theme: ThemeKeeper,
        dialogs: Dialogs | None = None,
        recovery_folder: Path | None = None,
    ) -> None:
        super().__init__()
        self._settings = settings
        self._theme = theme
        self._dialogs = dialogs or Dialogs()
        self._closing = False
        self._close_after_save = False
        self._asking = False
        self.jobs = JobRunner(self)
        self.session = Session(self.jobs, self)
        self.scorer = Scorer(self.session.document, self.jobs, self)
        self.recovery = Recovery(
            recovery_folder or settings.path.parent / "recovery", self.session, self.jobs, self
        )
        self.setAcceptDrops(True)
        self._make_actions()
        self.table_page = TablePage(
            self.session,
            self.scorer,
            [self.open_action, self.save_action, self.export_action],
        )
        self.pages: list[Page] = [self.table_page, MetricsPage()]
        self.navigation = QListWidget()
        self.stack = QStackedWidget()
        self._make_pages()
        self.recent_menu = make_menus(self)
        self.recent_menu.aboutToShow.connect(self._fill_recent_menu)
        self.setStatusBar(StatusBar(self.jobs, self))

        self.session.settle = self._settle
        self.session.title_changed.connect(self._show_title)
        self.session.saved.connect(self._on_saved)
        self.session.not_saved.connect(self._on_not_saved)
        self.recovery.found.connect(self._on_orphans_found)
        self.recovery.trouble.connect(self._on_recovery_trouble)
        self.session.file_used.connect(self._on_file_used)
        self.session.file_failed.connect(self._on_file_failed)
        self.scorer.stale.connect(self._on_stale)
        self.scorer.scored.connect(self._on_scored)
        theme.changed.connect(self._on_theme_changed)
        self._restore()

    # Making

    def _limit_size(self) -> None:
        """Keep the window large enough to read and no larger than the screen."""
        room = self.screen().availableSize()
        needed = self.minimumSizeHint().expandedTo(QSize(GRID * 110, GRID * 64))
        self.setMinimumSize(needed.boundedTo(room))
        self.resize(self.size().boundedTo(room))

    def _action(
        self, text: str, slot: Callable[[], object], shortcut: object = None, tip: str = ""
    ) -> QAction:
        action = QAction(text, self)
        # A button would leave out the dots that say that a dialog follows.
        action.setIconText(text.replace("&", ""))
        if shortcut is not None:
            action.setShortcut(shortcut)  # type: ignore[call-overload]
        if tip:
            action.setToolTip(tip)
        action.triggered.connect(slot)
        return action

    def _make_actions(self) -> None:
        key = QKeySequence.StandardKey
        self.new_action = self._action("&New", self.new_table, key.New)
        self.open_action = self._action(
            "&Open…", self.ask_open, key.Open, "Open a CSV or TSV table (Ctrl+O)"
        )
        self.save_action = self._action("&Save", self.save, key.Save, "Save the table (Ctrl+S)")
        self.save_as_action = self._action(
            "Save &as…", self.ask_save_as, QKeySequence("Ctrl+Shift+S")
        )
        self.export_action = self._action(
            "&Export…",
            self.ask_export,
            QKeySequence("Ctrl+E"),
            "Export the table with its scores as CSV or JSON (Ctrl+E)",
        )
        self.copy_scores_action = self._action(
            "&Copy all scores", self.copy_scores, QKeySequence("Ctrl+Shift+E")
        )
        self.quit_action = self._action("&Quit", self.close, QKeySequence("Ctrl+Q"))

    def _make_pages(self) -> None:
        self.navigation.setObjectName("navigation")
        self.navigation.setAccessibleName("Pages")
        self.navigation.setFixedWidth(GRID * 17)
        self.navigation.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for page in self.pages:
            item = QListWidgetItem(page.title)
            item.setToolTip(page.question)
            # Fixed: the list is laid out before the style sheet adds its padding.
            item.setSizeHint(QSize(0, self.fontMetrics().height() + GRID * 5 // 2))
            self.navigation.addItem(item)
            self.stack.addWidget(page)
        self.navigation.currentRowChanged.connect(self.stack.setCurrentIndex)
        self.navigation.setCurrentRow(0)
        rule = QFrame()
        rule.setObjectName("rule")
        rule.setFixedWidth(1)
        body = QWidget()
        layout = QHBoxLayout(body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.navigation)
        layout.addWidget(rule)
        layout.addWidget(self.stack, 1)
        self.setCentralWidget(body)

    # What is remembered

    def _restore(self) -> None:
        if not self.restoreGeometry(self._settings.bytes("window")):
            self.resize(QSize(GRID * 160, GRID * 90).boundedTo(self.screen().availableSize()))
        self.table_page.splitter.restoreState(self._settings.bytes("table_splitter"))
        self.set_digits(self._settings.digits)
        self.set_heat(self._settings.heat)
        self._on_theme_changed()
        self._limit_size()

    def _remember(self) -> None:
        self._settings.set_bytes("window", self.saveGeometry())
        self._settings.set_bytes("table_splitter", self.table_page.splitter.saveState())
        self._settings.sync()

    @property
    def settings(self) -> Settings:
        """What is remembered between runs."""
        return self._settings

    def set_average(self, average: Average) -> None:
        """Divide NMI and AMI by another mean of the entropies."""
        self.scorer.set_options(replace(self.scorer.options, average=average))

    def set_empty_truth(self, empty_truth: EmptyTruth) -> None:
        """Leave empty classes out of the mean peakiness, or count them as 0."""
        self.scorer.set_options(replace(self.scorer.options, empty_truth=empty_truth))

    def set_scheme(self, scheme: Scheme) -> None:
        """Show the window light, dark or as the system does."""
        self._settings.scheme = scheme
        self._theme.set_scheme(scheme)

    def set_digits(self, digits: int) -> None:
        """Show scores with so many decimals."""
        self._settings.digits = digits
        for page in self.pages:
            page.set_digits(digits)
        self._limit_size()

    def set_heat(self, heat: str) -> None:
        """Colour the cells by row, by table or not at all."""
        self._settings.heat = heat
        self.table_page.view.set_heat_scale(HeatScale(heat))

    @Slot()
    def _on_theme_changed(self) -> None:
        for page in self.pages:
            page.set_theme(self._theme.theme)

    @Slot(int)
    def show_page(self, index: int, _checked: bool = False) -> None:
        """Open a page."""
        self.navigation.setCurrentRow(index)
        self.pages[index].focus_first()

    # The title

    @Slot()
    def _show_title(self) -> None:
        self.setWindowTitle(f"{self.session.name}[*] \N{EM DASH} Tallyscope")
        self.setWindowModified(self.session.is_dirty)
        path = self.session.path
        self.setWindowFilePath(str(path) if path is not None else "")

    @Slot()
    def _on_stale(self) -> None:
        self.export_action.setEnabled(False)

    @Slot(object, bool)
    def _on_scored(self, _scores: object, complete: bool) -> None:
        self.export_action.setEnabled(complete)

    # Opening

    def open_start(self, files: list[Path]) -> None:
        """Open what the program was started with, or the sample, or offer lost work."""
        samples = sample_tables()
        if samples:
            self.open_sample(*samples[0])
        else:
            self.session.new()
        self.table_page.focus_first()
        if files:
            self._open_dropped(files)
        self.recovery.search()

    @Slot(object)
    def _on_orphans_found(self, orphans: list[Recovered]) -> None:
        if orphans:
            self._offer(orphans)

    @Slot(str)
    def _on_recovery_trouble(self, text: str) -> None:
        self.tell(Notice(text, Severity.WARNING))

    def _offer(self, orphans: list[Recovered]) -> None:
        names = ", ".join(o.label for o in orphans)
        one = len(orphans) == 1
        restore = [
            ("Restore" if one else f"Restore {o.label}", partial(self._restore_work, o))
            for o in orphans
        ]
        discard = ("Discard" if one else "Discard all", self.recovery.forget_orphans)
        self.table_page.offers.show_notice(
            Notice(
                f"Tallyscope ended without saving {names}.",
                Severity.WARNING,
                (*restore, discard),
            )
        )

    def _restore_work(self, work: Recovered) -> None:
        self._settle(partial(self._show_work, work))

    def _show_work(self, work: Recovered) -> None:
        self.session.show_table(work.table, work.name, work.path)
        self.session.mark_unsaved()
        self.recovery.keep_now()
        self.recovery.forget(work)
        others = self.recovery.orphans
        if others:
            self._offer(list(others))

    def tell(self, notice: Notice) -> None:
        """Show a notice on the table page."""
        self.table_page.notices.show_notice(notice)

    @Slot()
    def new_table(self) -> None:
        """Start an empty table, once unsaved work is settled."""
        self._settle(self.session.new)

    @Slot()
    def ask_open(self) -> None:
        """Ask for a file and open it."""
        self._dialogs.ask_open(self, self._settings.folder, self.open_file)

    def open_file(self, path: Path) -> None:
        """Open a file, once unsaved work is settled."""
        self.show_page(0)
        self._settle(partial(self.session.open, path))

    def open_sample(self, path: Path, title: str, _checked: bool = False) -> None:
        """Open a table that comes with the program, once unsaved work is settled."""
        self._settle(partial(self._show_sample, path, title))

    def _show_sample(self, path: Path, title: str) -> None:
        self.session.show_table(read_table(path).table, title)

    @Slot()
    def _fill_recent_menu(self) -> None:
        self.recent_menu.clear()
        for i, path in enumerate(self._settings.recent_files):
            action = self.recent_menu.addAction(f"&{(i + 1) % 10}  {path.name.replace('&', '&&')}")
            action.setToolTip(str(path))
            action.triggered.connect(partial(self._open_recent, path))
        if not self._settings.recent_files:
            self.recent_menu.addAction("No files yet").setEnabled(False)
            return
        self.recent_menu.addSeparator()
        self.recent_menu.addAction("Forget these files", self._settings.clear_recent_files)

    def _open_recent(self, path: Path, _checked: bool = False) -> None:
        self.open_file(path)

    @Slot(object)
    def _on_file_used(self, path: Path) -> None:
        self._settings.add_recent_file(path.absolute())
        self._settings.folder = path.absolute().parent

    @Slot(object)
    def _on_file_failed(self, path: Path) -> None:
        if not path.exists():
            self._settings.forget_recent_file(path)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the file that is dropped."""
        paths = [Path(u.toLocalFile()) for u in event.mimeData().urls() if u.isLocalFile()]
        if not paths:
            return
        event.acceptProposedAction()
        # The drag's source waits for this event to end, so ask and read after it.
        QTimer.singleShot(0, self, partial(self._open_dropped, paths))

    def _open_dropped(self, paths: list[Path]) -> None:
        self.open_file(paths[0])
        if len(paths) > 1:
            self.tell(Notice(f"One table is open at a time: {paths[0].name} was taken."))

    # Saving

    @Slot()
    def save(self) -> None:
        """Save to the table's file, or ask for one."""
        self._save(None)

    def _save(self, then: Callable[[], None] | None) -> None:
        if not self.table_page.view.finish_editing():
            return
        path = self.session.path
        if path is None:
            self._ask_save_as(then)
        elif self.session.file_changed_elsewhere():
            self.tell(
                Notice(
                    f"{path.name} was changed by another program since it was opened.",
                    Severity.WARNING,
                    (
                        ("Overwrite it", partial(self.session.save, path, then)),
                        ("Save as…", partial(self._ask_save_as, then)),
                    ),
                )
            )
        else:
            self.session.save(path, then)

    @Slot()
    def ask_save_as(self) -> None:
        """Ask for a file and save to it."""
        self._ask_save_as(None)

    def _ask_save_as(self, then: Callable[[], None] | None) -> None:
        if not self.table_page.view.finish_editing():
            return

        def save(path: Path) -> None:
            self.session.save(path, then)

        self._dialogs.ask_save(self, "Save the table", self._suggestion("csv"), TABLE_FILTERS, save)

    @Slot()
    def ask_export(self) -> None:
        """Ask for a file and export the scored table to it."""
        if not self.table_page.view.finish_editing():
            return
        scores = self.scorer.scores
        if scores is None:
            self.tell(Notice("The scores are still being computed; export when they are there."))
            return

        def export(path: Path) -> None:
            self.session.export(path, scores)

        self._dialogs.ask_save(
            self,
            "Export the scored table",
            self._suggestion("csv", " scores"),
            EXPORT_FILTERS,
            export,
        )

    def _suggestion(self, suffix: str, addition: str = "") -> Path:
        path = self.session.path
        if path is not None:
            ending = f".{suffix}" if addition or not path.suffix else path.suffix
            return path.with_name(f"{path.stem}{addition}{ending}")
        folder = self._settings.folder or Path.home()
        stem = "".join(c if c.isalnum() or c in " -_" else "_" for c in self.session.name)
        return folder / f"{stem}{addition}.{suffix}"

    @Slot()
    def copy_scores(self) -> None:
        """Put every score on the clipboard, a key and a value a line, with all digits."""
        scores = self.scorer.scores
        if scores is None:
            self.tell(Notice("The scores are still being computed; copy them when they are there."))
            return
        lines = [
            f"{key}\t{'' if math.isnan(scores[key]) else repr(scores[key])}"
            for key in scores
            if METRICS[key].per == "table"
        ]
        QGuiApplication.clipboard().setText("\n".join(lines))
        self.tell(Notice(f"Copied {len(lines)} scores, with all their digits.", Severity.INFO))

    # Unsaved work

    def _settle(self, then: Callable[[], None]) -> None:
        """Go on with ``then`` once no unsaved work can be lost by it."""
        if not self.table_page.view.finish_editing():
            return
        if not self.session.is_dirty:
            then()
            return
        if self._asking:
            return
        self._asking = True

        def answered(choice: Unsaved) -> None:
            self._asking = False
            if choice is Unsaved.SAVE:
                # What is typed while the file is written must be settled too.
                self._save(partial(self._settle, then))
            elif choice is Unsaved.DISCARD:
                then()

        self._dialogs.ask_unsaved(self, self.session.name, answered)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved work, then end all jobs."""
        if not self._closing:
            if not self.table_page.view.finish_editing():
                event.ignore()
                return
            if self.session.is_saving:
                event.ignore()
                self._close_after_save = True
                return
            if self.session.is_dirty:
                event.ignore()
                self._settle(self._close_now)
                return
        self._remember()
        # Off the screen first: the end of a job may take a moment.
        self.hide()
        self.jobs.shutdown()
        self.recovery.close()
        event.accept()

    def _close_now(self) -> None:
        self._closing = True
        # Not from inside the event that asked: Qt would ignore a close within a close.
        QTimer.singleShot(0, self, self.close)

    @Slot()
    def _on_saved(self) -> None:
        if self._close_after_save:
            self._close_after_save = False
            QTimer.singleShot(0, self, self.close)

    @Slot()
    def _on_not_saved(self) -> None:
        self._close_after_save = False

    # Help

    @Slot()
    def show_keyboard(self) -> None:
        """List the keys."""
        self._dialogs.show_text(self, "Keyboard", keyboard_html())

    @Slot()
    def show_about(self) -> None:
        """Say what this is."""
        self._dialogs.show_text(self, "About Tallyscope", about_html())
