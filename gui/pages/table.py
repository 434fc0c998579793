"""The table page: edit a table, see every score."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.scores import Scores
from gui.baseline import Baseline
from gui.elided_label import ElidedLabel
from gui.explanation.panel import ExplanationPanel
from gui.heat_legend import HeatLegend
from gui.item_moves import ItemMoves
from gui.jobs import JobRunner
from gui.metric_panel import MetricPanel
from gui.notice_bar import NoticeBar
from gui.pages.page import Page
from gui.scorer import Scorer
from gui.session import Session
from gui.table_editor.delegate import HeatScale
from gui.table_editor.notice import Notice, Severity, Until
from gui.table_editor.view import TableView
from gui.tables.board import ScoreBoard
from gui.tables.panel import TablesPanel
from gui.theme import GRID, Theme, scaled


class TablePage(Page):
    """The list of tables, the editor, the scores on the right, an explanation below.

    Parameters
    ----------
    session : Session
    scorer : Scorer
    board : ScoreBoard
    jobs : JobRunner
    """

    title: ClassVar[str] = "Table"
    question: ClassVar[str] = "How well do these clusters match the truth classes?"

    def __init__(
        self,
        session: Session,
        scorer: Scorer,
        board: ScoreBoard,
        jobs: JobRunner,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._scorer = scorer
        self._list_wanted: bool | None = None
        self.view = TableView(session.document)
        self.tables = TablesPanel(session, board)
        self.tables.set_finish(self.view.finish_editing)
        self.view.finishing.connect(self.tables.list.finish_editing)
        self.panel = MetricPanel()
        self.notices: NoticeBar = NoticeBar()
        self.offers = NoticeBar()
        self.view.set_runner(jobs)
        self.explanation = ExplanationPanel(jobs)
        self.moves = ItemMoves(self.view, self.explanation, self)
        self.baseline = Baseline(session, scorer, jobs, self.panel, self)
        self._name = ElidedLabel()
        self._name.setFont(scaled(self.font(), 1.35, bold=True))
        self._size = ElidedLabel()
        self._size.setObjectName("muted")
        self.legend = HeatLegend()
        self._lay_out()

        session.title_changed.connect(self._show_title)
        session.noticed.connect(self.notices.show_notice)
        session.replaced.connect(self._on_replaced)
        session.entries_changed.connect(self._show_tables)
        self.tables.entered.connect(self.view.setFocus)
        session.document.notice.connect(self.notices.show_notice)
        session.document.notice_cleared.connect(self.notices.clear)
        # Edits in force when the notice came that is shown now.
        self._noticed_at = 0
        self.notices.noticed.connect(self._on_noticed)
        session.history.edited.connect(self._on_edited)
        session.document.changed.connect(self._on_changed)
        scorer.stale.connect(self._on_stale)
        scorer.scored.connect(self._on_scored)
        scorer.failed.connect(self._on_scoring_failed)
        self.panel.explained.connect(self.explanation.set_key)
        self.panel.option_editor.closed.connect(self.view.setFocus)
        for bar in (self.notices, self.offers):
            bar.left.connect(self.focus_first)
        for name, action in self.view.table_actions.items():
            if name in ("undo", "redo", "paste"):
                # They serve the whole page, wherever the keyboard is.
                self.addAction(action)
            if name not in ("copy", "copy_with_names"):
                action.triggered.connect(self.focus_first)

    def _lay_out(self) -> None:
        question = ElidedLabel()
        question.setText(self.question)
        question.setObjectName("muted")
        question.setObjectName("question")
        top = QHBoxLayout()
        top.addWidget(question, 1)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(GRID)
        top.addLayout(self._buttons)
        title = QHBoxLayout()
        title.setSpacing(GRID * 2)
        title.addWidget(self._name, 0)
        title.addWidget(self._size, 0)
        title.addWidget(self.legend, 1)
        editor = QWidget()
        column = QVBoxLayout(editor)
        column.setContentsMargins(GRID * 2, GRID * 2, GRID * 2, GRID)
        column.setSpacing(GRID)
        column.addLayout(top)
        column.addLayout(title)
        column.addWidget(self.offers)
        column.addWidget(self.notices)
        column.addWidget(self.view, 1)
        below = QWidget()
        below.setObjectName("panel")
        below.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        text = QVBoxLayout(below)
        text.setContentsMargins(GRID * 2, GRID, GRID * 2, GRID)
        text.addWidget(self.explanation)
        left = QSplitter(Qt.Orientation.Vertical)
        left.setChildrenCollapsible(False)
        left.addWidget(editor)
        left.addWidget(below)
        left.setStretchFactor(0, 1)
        # Room for the lines and warnings of an explanation from the start.
        left.setSizes([GRID * 50, GRID * 32])
        self.explanation_splitter = left
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.tables)
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.panel)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([GRID * 34, GRID * 74, GRID * 39])
        self._show_tables()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.splitter)

    def add_buttons(self, actions: list[QAction]) -> None:
        """Show actions of the window as buttons, beside the name of the table."""
        for action in actions:
            button = QToolButton()
            button.setDefaultAction(action)
            button.setObjectName("button")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self._buttons.addWidget(button)

    # Page

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self.panel.set_theme(theme)
        self.view.set_colors(theme.editor)
        self.explanation.set_theme(theme)

    def set_digits(self, digits: int) -> None:
        """Show scores with so many decimals."""
        self.panel.set_digits(digits)
        self.tables.set_digits(digits)
        self.explanation.set_digits(digits)
        self.moves.set_digits(digits)
        self.view.set_digits(digits)

    def set_heat(self, scale: HeatScale) -> None:
        """Colour the cells by another scale."""
        self.view.set_heat_scale(scale)
        self.legend.set_scale(scale)

    def menu_actions(self) -> list[QAction]:
        """Return the editor's actions."""
        return list(self.view.table_actions.values())

    @Slot()
    def focus_first(self) -> None:
        """Give the keyboard to the table."""
        if not self.view.isAncestorOf(self.focusWidget()):
            self.view.setFocus()

    # What is told

    @Slot()
    def _on_noticed(self) -> None:
        self._noticed_at = self._session.history.stack.index()

    @Slot()
    def _on_edited(self) -> None:
        """Take back a notice that no longer holds."""
        notice, now = self.notices.notice, self._session.history.stack.index()
        if notice is None or notice.until is Until.CLOSED or now == self._noticed_at:
            return
        if notice.until is Until.EDIT or now < self._noticed_at:
            self.notices.clear()

    # What changes

    @Slot()
    def _on_replaced(self) -> None:
        self.notices.clear()
        self._show_title()
        self.focus_first()

    def show_list(self, wanted: bool | None) -> None:
        """Show the list of tables or not; None shows it where there are several."""
        self._list_wanted = wanted
        self._show_tables()

    @Slot()
    def _show_tables(self) -> None:
        several = len(self._session.entries) > 1
        self.tables.setVisible(several if self._list_wanted is None else self._list_wanted)

    @Slot()
    def _show_title(self) -> None:
        self._name.setText(self._session.current.name)
        state = self._session.document.state
        rows, columns = state.shape
        self.legend.set_largest(state.largest)
        classes = "class" if rows == 1 else "classes"
        clusters = "cluster" if columns == 1 else "clusters"
        total = f"{state.total:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")
        self._size.setText(
            f"{rows} {classes} \N{MULTIPLICATION SIGN} {columns} {clusters}, N = {total}"
        )

    @Slot(int)
    def _on_changed(self, _revision: int) -> None:
        self._show_title()

    @Slot()
    def _on_stale(self) -> None:
        self.panel.set_stale()
        self.explanation.set_stale()

    @Slot(object, bool)
    def _on_scored(self, scores: Scores, complete: bool) -> None:
        self.panel.set_scores(scores, complete=complete)
        if complete or "row_peakiness" in scores:
            self.view.set_row_scores(scores)
        self.explanation.set_scores(scores, complete)

    @Slot(str)
    def _on_scoring_failed(self, text: str) -> None:
        again = (("Score again", self._scorer.refresh),)
        self.notices.show_notice(Notice(text, Severity.WARNING, again))
