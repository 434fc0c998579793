"""The window: pages on the left, one of them open, menus, and the work below."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
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
from core.files.sessions import SessionContent
from core.metrics.metric import Average, EmptyTruth, ScoreOptions
from core.scores import Scores
from gui.commands import make_commands
from gui.dialogs import Dialogs
from gui.exporting import Exporting
from gui.figures import Figures
from gui.file_work import Files, FileWork
from gui.importing import Importing
from gui.jobs import JobRunner
from gui.lost_work import LostWork
from gui.menus import make_menus
from gui.opening import Opening
from gui.pages.compare import ComparePage
from gui.pages.metrics import MetricsPage
from gui.pages.page import Page
from gui.pages.profile import ProfilePage
from gui.pages.published import PublishedPage
from gui.pages.simulation import SimulationPage
from gui.pages.table import TablePage
from gui.recovery import Recovery
from gui.saving import Looks, Saving
from gui.scorer import Scorer
from gui.screen_fit import ScreenFit
from gui.session import Session
from gui.settings import Settings
from gui.status import StatusBar
from gui.table_editor.delegate import HeatScale
from gui.table_editor.notice import Notice
from gui.tables.board import ScoreBoard
from gui.theme import GRID, Scheme, ThemeKeeper


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
        self._screen = ScreenFit(self)
        self._closing = self._close_after_save = False
        self.jobs = JobRunner(self)
        self.session = Session(self.jobs, self)
        self.scorer = Scorer(self.session.document, self.jobs, self)
        self.board = ScoreBoard(self.jobs, self)
        self.saving = Saving(self.session, self.jobs, self._looks, self)
        self.recovery = Recovery(
            recovery_folder or settings.path.parent / "recovery",
            self.session,
            self.saving.content,
            self.jobs,
            self,
        )
        self.setAcceptDrops(True)
        self.table_page = TablePage(self.session, self.scorer, self.board, self.jobs)
        self.opening = Opening(self.session, self.jobs, self)
        self.exporting = Exporting(self.scorer, self.jobs, self)
        self.importing = Importing(
            self, self.session, self.opening, self.jobs, settings, self._dialogs, theme
        )
        self.figures = Figures(
            self, self.table_page.view, self.session, self.jobs, settings, self._dialogs
        )
        self.files = FileWork(
            self,
            self.table_page,
            self.session,
            self.scorer,
            Files(self.opening, self.saving, self.exporting),
            settings,
            self._dialogs,
        )
        self._lost_work = LostWork(
            self.table_page, self.session, self.recovery, self.files.settle, self
        )
        self.commands = make_commands(self)
        self.table_page.add_buttons([self.commands.open, self.commands.save, self.commands.export])
        self.compare_page = ComparePage(self.session, self.scorer, self.jobs)
        self.compare_page.tables_wanted.connect(self.files.ask_open)
        shared = (self.jobs, settings, self._dialogs)
        self.simulation_page = SimulationPage(self.session, self.scorer, *shared)
        self.simulation_page.table_opened.connect(partial(self.show_page, 0))
        self.published_page = PublishedPage(*shared)
        self.profile_page = ProfilePage(self.scorer, *shared)
        self.pages: list[Page] = [
            self.table_page,
            self.simulation_page,
            self.compare_page,
            self.profile_page,
            self.published_page,
            MetricsPage(),
        ]
        self.navigation = QListWidget()
        self.stack = QStackedWidget()
        self._make_pages()
        self.recent_menu = make_menus(self)
        self.setStatusBar(StatusBar(self.jobs, self))

        self.session.title_changed.connect(self._show_title)
        self.saving.saved.connect(self._on_saved)
        self.saving.not_saved.connect(self._on_not_saved)
        self.opening.session_opened.connect(self._take_looks)
        self._lost_work.restored.connect(self._take_looks)
        self.files.opening.connect(self._on_opening)
        self.scorer.scored.connect(self._on_scored)
        for part in (self.importing, self.figures):
            part.noticed.connect(self.tell)
        self.importing.file_used.connect(self.files.note_file)
        self.table_page.tables.columns_chosen.connect(self._on_columns_chosen)
        panel = self.table_page.panel
        panel.folded.connect(self._settings.set_folded)
        panel.tree.option_asked.connect(self.edit_option)
        panel.option_editor.chosen.connect(self.set_option)
        theme.changed.connect(self._on_theme_changed)
        self._restore()

    # Making

    def _make_pages(self) -> None:
        self.navigation.setObjectName("navigation")
        self.navigation.setAccessibleName("Pages")
        widest = max(self.fontMetrics().horizontalAdvance(page.title) for page in self.pages)
        self.navigation.setFixedWidth(max(GRID * 14, widest + GRID * 6))
        self.navigation.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for page in self.pages:
            item = QListWidgetItem(page.title)
            item.setToolTip(page.question)
            # Fixed: the list is laid out before the style sheet adds its padding.
            item.setSizeHint(QSize(0, self.fontMetrics().height() + GRID * 5 // 2))
            self.navigation.addItem(item)
            self.stack.addWidget(page)
        self.navigation.currentRowChanged.connect(self._on_page)
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
            self.resize(GRID * 160, GRID * 90)
        self.table_page.splitter.restoreState(self._settings.bytes("table_splitter"))
        explanation = self.table_page.explanation_splitter
        explanation.restoreState(self._settings.bytes("explanation_splitter"))
        self.set_digits(self._settings.digits)
        self.set_heat(self._settings.heat)
        self.table_page.show_list(self._settings.show_list)
        if self._settings.columns:
            self.board.set_keys(self._settings.columns)
        sections = self.table_page.panel.sections
        folding = {section: self._settings.folded(section) for section in sections}
        self.table_page.panel.set_folding({k: v for k, v in folding.items() if v is not None})
        self._on_theme_changed()
        self._screen.fit()

    def _remember(self) -> None:
        self._settings.set_bytes("window", self.saveGeometry())
        self._settings.set_bytes("table_splitter", self.table_page.splitter.saveState())
        explanation = self.table_page.explanation_splitter
        self._settings.set_bytes("explanation_splitter", explanation.saveState())
        self._settings.sync()

    @property
    def settings(self) -> Settings:
        """What is remembered between runs."""
        return self._settings

    def set_average(self, average: Average) -> None:
        """Divide NMI and AMI by another mean of the entropies."""
        self._set_options(replace(self.scorer.options, average=average))

    def set_empty_truth(self, empty_truth: EmptyTruth) -> None:
        """Leave empty classes out of the mean peakiness, or count them as 0."""
        self._set_options(replace(self.scorer.options, empty_truth=empty_truth))

    @Slot(str)
    def edit_option(self, option: str, _checked: bool = False) -> None:
        """Let the user set a number that the scores depend on, in place."""
        self.show_page(0)
        self.table_page.panel.option_editor.open(option, getattr(self.scorer.options, option))

    @Slot(str, float)
    def set_option(self, option: str, value: float) -> None:
        """Score with another value of an option."""
        changed: dict[str, Any] = {option: value}
        self._set_options(replace(self.scorer.options, **changed))

    def set_scheme(self, scheme: Scheme) -> None:
        """Show the window light, dark or as the system does."""
        self._settings.scheme = scheme
        self._theme.set_scheme(scheme)

    def set_digits(self, digits: int) -> None:
        """Show scores with so many decimals."""
        self._settings.digits = digits
        for page in self.pages:
            page.set_digits(digits)
        self._screen.fit()

    def set_list(self, wanted: bool | None) -> None:
        """Show the list of tables, or not, or where there are several."""
        self._settings.show_list = wanted
        self.table_page.show_list(wanted)

    def set_heat(self, heat: str) -> None:
        """Colour the cells by class, by table or not at all."""
        self._settings.heat = heat
        self.table_page.set_heat(HeatScale(heat))

    @Slot()
    def _on_theme_changed(self) -> None:
        for page in self.pages:
            page.set_theme(self._theme.theme)

    @Slot(int)
    def _on_page(self, index: int) -> None:
        self.stack.setCurrentIndex(index)
        if self.pages[index] is self.compare_page and self.table_page.view.finish_editing():
            self.compare_page.compare(self.table_page.tables.selected)

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
    def _on_opening(self) -> None:
        self.show_page(0)

    @Slot(object, bool)
    def _on_scored(self, scores: Scores, complete: bool) -> None:
        if complete or all(key in scores for key in self.board.keys):
            self.session.sync()
            self.board.note(self.session.document.key, scores)

    @Slot(object)
    def _on_columns_chosen(self, keys: tuple[str, ...]) -> None:
        self._settings.columns = keys

    # What a session file keeps besides its tables

    def _looks(self) -> Looks:
        orders = self.table_page.view.orders
        sorting = self.table_page.tables.model.sorting
        order = orders.rows, orders.columns
        return Looks(self.scorer.options, self.board.keys, order, sorting)

    @Slot(object)
    def _take_looks(self, content: SessionContent) -> None:
        self._set_options(content.options)
        if content.columns:
            self.board.set_keys(content.columns)
        self.table_page.view.set_order(*content.order)
        self.table_page.tables.list.set_sorting(content.sorting)

    def _set_options(self, options: ScoreOptions) -> None:
        self.scorer.set_options(options)
        self.board.set_options(options)

    # Opening

    def open_start(self, files: list[Path]) -> None:
        """Open what the program was started with, or the sample, or offer lost work."""
        samples = sample_tables()
        if samples:
            path, title = samples[0]
            self.files.open_sample(path, title)
        else:
            self.session.new()
        self.table_page.focus_first()
        if files:
            self.files.open_files(files)
        self.recovery.search()

    @Slot(object)
    def tell(self, notice: Notice) -> None:
        """Show a notice on the table page."""
        self.table_page.notices.show_notice(notice)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the files that are dropped."""
        paths = [Path(u.toLocalFile()) for u in event.mimeData().urls() if u.isLocalFile()]
        if not paths:
            return
        event.acceptProposedAction()
        # The drag's source waits for this event to end, so ask and read after it.
        QTimer.singleShot(0, self, partial(self.files.open_files, paths))

    # Closing

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved work, then end all jobs."""
        if not self._closing:
            if not self.table_page.view.finish_editing():
                event.ignore()
                return
            if self.saving.is_saving:
                event.ignore()
                self._close_after_save = True
                return
            if self.session.is_dirty:
                event.ignore()
                self.files.settle(self._close_now)
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
        # What was offered because it could not be saved is settled.
        if self.table_page.notices.notice is not None and self.table_page.notices.notice.actions:
            self.table_page.notices.clear()
        if self._close_after_save:
            self._close_after_save = False
            QTimer.singleShot(0, self, self.close)

    @Slot()
    def _on_not_saved(self) -> None:
        self._close_after_save = False

    def show_text(self, title: str, html: str) -> None:
        """Show a text of the Help menu."""
        self._dialogs.show_text(self, title, html)
