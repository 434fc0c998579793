"""The panel below the table: why the selected score is what it is."""

from __future__ import annotations

import logging
from typing import Any

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.metrics.catalogue import METRICS
from core.scores import Scores
from core.studies.study import Step
from gui.explanation.class_rows import ClassRowsView
from gui.explanation.conventions import ConventionsView
from gui.explanation.costs import CostsView
from gui.explanation.meaning import Meaning
from gui.explanation.one_item import OneItemView
from gui.explanation.tabs import Tabs, style_sheet
from gui.explanation.view import Question, Token, View, is_same, token_of
from gui.jobs import Job, JobRunner
from gui.theme import GRID, LIGHT, Theme

# Who types or moves on within this time does not start work that would be stale at once.
_PAUSE_MS = 60
# Work that is over sooner than this is not announced, or the line would flicker.
_PATIENCE_MS = 250
log = logging.getLogger(__name__)


class ExplanationPanel(QWidget):
    """Tabs that explain the selected score; only the one that is seen computes.

    Parameters
    ----------
    jobs : JobRunner

    Signals
    -------
    class_chosen(int), cluster_chosen(int)
        The user asks for a row or column of the table.
    targets_changed(object)
        The `Moves` of the selected cell as far as they are known; None where they are not seen.
    target_chosen(int, int)
        The user asks for a cell that an item could go to.
    """

    class_chosen = Signal(int)
    cluster_chosen = Signal(int)
    targets_changed = Signal(object)
    target_chosen = Signal(int, int)

    def __init__(self, jobs: JobRunner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self._scores: Scores | None = None
        self._stale = False
        self._key = "ap"
        self._cell: tuple[int, int] | None = None
        self._theme = LIGHT
        self._digits = 4
        self._targets: object = None
        self._asked: dict[View, Token] = {}
        self._running: View | None = None
        self._partial: object = None
        # Tabs whose work ended too early, and what is said of it.
        self._unfinished: dict[View, str] = {}
        self.meaning = Meaning()
        self.costs = CostsView()
        self.one_item = OneItemView()
        self.class_rows = ClassRowsView()
        self.conventions = ConventionsView()
        self.views: tuple[View, ...] = (
            self.costs,
            self.one_item,
            self.class_rows,
            self.conventions,
        )
        self.setObjectName("panel")
        self._lay_out()
        self._pause = self._timer(_PAUSE_MS, self._on_pause_over)
        self._patience = self._timer(_PATIENCE_MS, self._on_patience_over)
        self.tabs.currentChanged.connect(self._on_tab)
        self.costs.class_chosen.connect(self.class_chosen)
        self.costs.cluster_chosen.connect(self.cluster_chosen)
        self.class_rows.class_chosen.connect(self.class_chosen)
        self.one_item.target_chosen.connect(self.target_chosen)
        self.one_item.targets_changed.connect(self._on_targets)
        self.set_theme(LIGHT)

    def _lay_out(self) -> None:
        self.tabs = Tabs()
        self.tabs.setObjectName("explanations")
        self.tabs.setAccessibleName("Ways to explain the score")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self._stack = QStackedWidget()
        self._corners = QStackedWidget()
        self._corners.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        widgets: tuple[Meaning | View, ...] = (self.meaning, *self.views)
        for widget in widgets:
            number = self.tabs.addTab(widget.title)
            self.tabs.setTabToolTip(number, widget.hint)
            self._stack.addWidget(widget)
            corner = widget.corner() if isinstance(widget, View) else None
            self._corners.addWidget(corner if corner is not None else QWidget())
        self._corners.hide()
        self._status = QLabel()
        self._status.setObjectName("muted")
        self._again = QToolButton()
        self._again.setObjectName("segment")
        self._again.setText("Go on")
        self._again.setToolTip("Compute it again, to the end")
        self._again.hide()
        self._again.clicked.connect(self._on_again)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self.tabs)
        row.addStretch(1)
        row.addWidget(self._status)
        row.addWidget(self._again)
        row.addWidget(self._corners)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addLayout(row)
        column.addWidget(self._stack, 1)

    def _timer(self, milliseconds: int, slot: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(milliseconds)
        timer.timeout.connect(slot)
        return timer

    # What is explained

    @property
    def key(self) -> str:
        """The metric that is explained."""
        return self._key

    @property
    def status(self) -> str:
        """What is said of work in progress; empty where nothing is."""
        return self._status.text()

    @property
    def is_settled(self) -> bool:
        """Whether what is seen is the answer to the present question, or all there is."""
        return not self._pause.isActive() and self._job is None

    def set_scores(self, scores: Scores, complete: bool = True) -> None:
        """Explain scores of another table, or more of the same."""
        self._scores = scores
        self._stale = False
        self.meaning.set_scores(scores, complete=complete)
        self._ask()

    @Slot()
    def set_stale(self) -> None:
        """Say that the table has changed: what is shown is of the one before."""
        self._stale = True
        self.meaning.set_stale()
        self._abandon()
        self._pause.stop()
        self._take_back()

    @Slot(str)
    def set_key(self, key: str) -> None:
        """Explain another metric."""
        if key in METRICS and METRICS[key].per == "table" and key != self._key:
            self._key = key
            self.meaning.set_key(key)
            self._ask()

    @Slot(int, int)
    def set_cell(self, row: int, column: int) -> None:
        """Take the items of another cell; a row or column of -1 takes none."""
        cell = None if row < 0 or column < 0 else (row, column)
        if cell != self._cell:
            self._cell = cell
            self._ask()

    def show_target(self, row: int, column: int) -> bool:
        """Show the move of the item to a cell, if it is one of its row or column.

        Returns
        -------
        bool
            Whether it is shown; the selected cell has then not changed.
        """
        if self.current is not self.one_item or self._stale:
            return False
        return self.one_item.show_target(row, column)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.meaning.set_theme(theme)
        for view in self.views:
            view.set_theme(theme)
        self.setStyleSheet(style_sheet(theme))

    def set_digits(self, digits: int) -> None:
        """Show scores with so many decimals."""
        self._digits = digits
        for view in self.views:
            view.set_digits(digits)
        self._ask()

    # Tabs

    @property
    def current(self) -> View | None:
        """The tab that is seen; None for the meaning, which computes nothing."""
        widget = self._stack.currentWidget()
        return widget if isinstance(widget, View) else None

    def show_tab(self, title: str) -> None:
        """Show the tab of a title, such as ``Costs``."""
        for number in range(self.tabs.count()):
            if self.tabs.tabText(number) == title:
                self.tabs.setCurrentIndex(number)

    @Slot(int)
    def _on_tab(self, number: int) -> None:
        self._stack.setCurrentIndex(number)
        self._corners.setCurrentIndex(number)
        self._show_corner()
        self._abandon()
        self._show_state()
        self._emit_targets()
        # A click waits for nothing.
        self._on_pause_over()

    def _show_corner(self) -> None:
        view = self.current
        self._corners.setVisible(view is not None and view.corner() is not None)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask()

    # The work behind the tab that is seen

    def _question(self) -> Question | None:
        if self._scores is None or self._stale:
            return None
        return Question(self._scores, self._key, self._cell, self._digits)

    def _ask(self) -> None:
        """Look whether the answer that is seen is that of the present question."""
        view, question = self.current, self._question()
        if view is None or question is None:
            return
        if is_same(self._asked.get(view), token_of(view, question)):
            # What was taken back holds after all: the table is the same.
            self._pause.stop()
            if self._job is None:
                self._show_state()
                view.recall()
            return
        self._abandon()
        self._take_back()
        self._pause.start()

    @Slot()
    def _on_pause_over(self) -> None:
        self._pause.stop()
        view, question = self.current, self._question()
        if view is None or question is None or not self.isVisible():
            return
        token = token_of(view, question)
        if is_same(self._asked.get(view), token):
            return
        self._abandon()
        self._unfinished.pop(view, None)
        self._show_state()
        reason = view.reason_against(question)
        self._asked[view] = token
        if reason is not None:
            view.say(reason)
            self._show_state()
            return
        # The scores are a snapshot: nobody changes them while the worker reads them.
        job = self._jobs.create(view.study(question), f"Explaining {METRICS[question.key].symbol}")
        job.progressed.connect(self._on_progress)
        job.finished.connect(self._on_finished)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)
        self._job, self._running = job, view
        self._patience.start()
        self._jobs.start(job)

    def _abandon(self) -> None:
        """Stop the work; what it would have found is not asked for any more."""
        if self._job is None:
            return
        job, view = self._job, self._running
        self._end()
        job.abandon()
        if view is not None:
            self._asked.pop(view, None)

    def _take_back(self) -> None:
        if self.current is not None:
            self._show_state()
            self.current.forget()

    def _show_state(self) -> None:
        """Say what is not as it should be of what is seen: of before, or not whole."""
        view = self.current
        said = ""
        if view is not None and view in self._unfinished:
            said = self._unfinished[view]
        elif view is not None and self._stale and view in self._asked and not view.sentence:
            said = "of the table before"
        self._status.setText(said)
        self._again.setVisible(view in self._unfinished)

    def _end(self) -> None:
        self._job = None
        self._running = None
        self._partial = None
        self._patience.stop()
        self._show_state()

    @Slot()
    def _on_patience_over(self) -> None:
        if self._job is not None:
            self._status.setText("computing \N{HORIZONTAL ELLIPSIS}")

    @Slot(object)
    def _on_progress(self, step: Step[Any]) -> None:
        if self.sender() is not self._job or self._running is None:
            return
        partial = step.partial
        if partial is not None and partial is not self._partial and step.result is None:
            self._partial = partial
            self._running.show_result(partial)
        if not self._patience.isActive() and step.fraction is not None:
            self._status.setText(f"computing {100 * step.fraction:.0f} %")

    @Slot(object)
    def _on_finished(self, result: Any) -> None:
        view = self._running
        if self.sender() is not self._job or view is None:
            return
        self._end()
        view.show_result(result)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        view = self._running
        if self.sender() is not self._job or view is None:
            return
        self._end()
        log.error("explaining %s failed", self._key, exc_info=error)
        view.say(f"This could not be computed: {error}.")
        self._unfinished[view] = ""
        self._show_state()

    @Slot()
    def _on_cancelled(self) -> None:
        view = self._running
        if self.sender() is not self._job or view is None:
            return
        self._end()
        self._unfinished[view] = "cancelled: what is shown is partial"
        self._show_state()

    @Slot()
    def _on_again(self) -> None:
        view = self.current
        if view is not None:
            self._asked.pop(view, None)
            self._on_pause_over()

    # Targets

    @Slot(object)
    def _on_targets(self, targets: object) -> None:
        self._targets = targets
        self._emit_targets()

    def _emit_targets(self) -> None:
        """Say what one item would change only while that is on the screen."""
        self.targets_changed.emit(self._targets if self.current is self.one_item else None)
