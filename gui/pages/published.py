"""The page that checks what published papers print."""

from __future__ import annotations

import html
import logging
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QModelIndex, QObject, Qt, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QSplitter,
    QTextBrowser,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from core.files.errors import SaveError
from core.files.published_report import SavePublished
from core.files.writing import Saved
from core.published.finding import VERDICTS, Finding
from core.simulation.scenario import SimulationError
from core.studies.published import (
    LEAST_REPLICATIONS,
    MOST_REPLICATIONS,
    CheckPublished,
    PublishedResult,
)
from core.studies.study import Step
from gui.dialogs import Dialogs
from gui.jobs import Job, JobRunner
from gui.notice_bar import NoticeBar
from gui.pages.page import Page
from gui.published.model import MARKS, Column, FindingsModel
from gui.published.report import SavePublishedPdf
from gui.settings import Settings
from gui.table_editor.notice import Notice, Severity
from gui.theme import GRID, Theme, tabular

FILTERS = {
    "PDF, for print (*.pdf)": "pdf",
    "Markdown (*.md)": "md",
    "JSON, every digit (*.json)": "json",
}

# Seeds of the window: more than anyone types.
_MOST_SEED = 1_000_000
_PARTS = 1000

#: Least and most widths of the columns in units of the grid; the claims take the rest.
_WIDTHS = {
    Column.PLACE: (14, 23),
    Column.PRINTED: (12, 25),
    Column.OURS: (12, 25),
    Column.VERDICT: (16, 34),
}

log = logging.getLogger(__name__)


class PublishedPage(Page):
    """Claims of published papers, each with what this program finds and a verdict.

    Parameters
    ----------
    jobs : JobRunner
    settings : Settings
        Knows the folder that files go to.
    dialogs : Dialogs
    """

    title: ClassVar[str] = "Published"
    question: ClassVar[str] = "Does this program find what published papers print?"

    def __init__(
        self,
        jobs: JobRunner,
        settings: Settings,
        dialogs: Dialogs,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._jobs, self._settings, self._dialogs = jobs, settings, dialogs
        self._job: Job | None = None
        self.result: PublishedResult | None = None
        self._exported_whole: dict[QObject, bool] = {}
        self._selected = ""
        self.model = FindingsModel()
        self.tree = QTreeView()
        self.tree.setModel(self.model)
        self.tree.setObjectName("published")
        self.tree.setAccessibleName("Claims and findings")
        self.tree.setFont(tabular(self.tree.font()))
        self.tree.setUniformRowHeights(True)
        self.tree.setIndentation(GRID * 3 // 2)
        self.tree.setAlternatingRowColors(True)
        self.tree.setAllColumnsShowFocus(True)
        self.tree.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.tree.selectionModel().currentRowChanged.connect(self._on_selected)
        self.explanation = QTextBrowser()
        self.explanation.setObjectName("explanation")
        self.explanation.setAccessibleName("What was found")
        self.explanation.setOpenLinks(False)
        self.check_button = QPushButton("Check")
        self.check_button.setToolTip("Compute every printed value anew, some seconds")
        self.check_button.clicked.connect(self.check)
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setToolTip("Stop the check and keep what it has found")
        self.cancel_button.clicked.connect(self._on_cancel)
        self.export_button = QPushButton("Export…")
        self.export_button.setToolTip("Write the findings as PDF, Markdown or JSON")
        self.export_button.clicked.connect(self.ask_export)
        self.replications = QSpinBox()
        self.replications.setRange(LEAST_REPLICATIONS, MOST_REPLICATIONS)
        self.replications.setValue(CheckPublished.replications)
        self.replications.setToolTip("Runs of each of the AP paper's simulations, 500 tables each")
        self.seed = QSpinBox()
        self.seed.setRange(0, _MOST_SEED)
        self.seed.setToolTip("Seed of the simulations")
        self.only_open = QCheckBox("Not confirmed only")
        self.only_open.toggled.connect(self._on_only_open)
        self.progress = QProgressBar()
        self.progress.setRange(0, _PARTS)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Progress of the check")
        self.summary = QLabel()
        self.summary.setObjectName("muted")
        self.summary.setWordWrap(True)
        self.notices: NoticeBar = NoticeBar()
        self._empty = QWidget()
        self.start_button = QPushButton("Check")
        self.start_button.setObjectName("primary")
        self.start_button.clicked.connect(self.check)
        self._found = QSplitter(Qt.Orientation.Vertical)
        self._lay_out()
        self._show_state()

    def _lay_out(self) -> None:
        question = QLabel(self.question)
        question.setObjectName("question")
        top = QHBoxLayout()
        top.addWidget(question, 1)
        for label, field in (("Replications", self.replications), ("Seed", self.seed)):
            name = QLabel(label)
            name.setBuddy(field)
            top.addWidget(name)
            top.addWidget(field)
        for button in (self.check_button, self.cancel_button, self.export_button):
            top.addWidget(button)
        state = QHBoxLayout()
        state.addWidget(self.summary, 1)
        state.addWidget(self.only_open, 0, Qt.AlignmentFlag.AlignTop)
        hint = QLabel(
            "The tables, figures and examples of four sources come with the program. Check "
            "computes each printed value anew, runs the AP paper's simulations again, and says "
            "of every claim whether it is confirmed and why not."
        )
        hint.setWordWrap(True)
        empty = QVBoxLayout(self._empty)
        empty.setContentsMargins(0, GRID * 4, 0, 0)
        empty.addWidget(hint)
        empty.addWidget(self.start_button, 0, Qt.AlignmentFlag.AlignLeft)
        empty.addStretch(1)
        self._found.addWidget(self.tree)
        self._found.addWidget(self.explanation)
        self._found.setStretchFactor(0, 4)
        self._found.setStretchFactor(1, 1)
        self._found.setChildrenCollapsible(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID * 3, GRID * 2, GRID * 3, GRID * 2)
        layout.setSpacing(GRID)
        layout.addLayout(top)
        layout.addWidget(self.notices)
        layout.addWidget(self.progress)
        layout.addLayout(state)
        layout.addWidget(self._empty, 1)
        layout.addWidget(self._found, 1)
        header = self.tree.header()
        header.setStretchLastSection(False)
        self._fit_columns()
        header.setSectionResizeMode(Column.CLAIM, QHeaderView.ResizeMode.Stretch)

    def _fit_columns(self) -> None:
        """Give every column what its texts need, within bounds; the claims take the rest."""
        header = self.tree.header()
        for column, (least, most) in _WIDTHS.items():
            width = self.tree.sizeHintForColumn(column) + GRID
            header.resizeSection(column, min(max(width, GRID * least), GRID * most))

    # Page

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self.model.set_theme(theme)
        self.tree.viewport().update()

    def focus_first(self) -> None:
        """Give the keyboard to the findings, or to the button that finds them."""
        (self.start_button if self.result is None else self.tree).setFocus()

    # Checking

    @Slot()
    def check(self) -> None:
        """Check every claim, in place of what was found before."""
        if self._job is not None:
            return
        self.notices.clear()
        try:
            study = CheckPublished(replications=self.replications.value(), seed=self.seed.value())
        except SimulationError as error:
            self._tell(f"Not checked: {error.message}.", Severity.ERROR)
            return
        job = self._jobs.create(study, "Checking published results")
        job.progressed.connect(self._on_progressed)
        job.finished.connect(self._on_finished)
        job.cancelled.connect(self._on_cancelled)
        job.failed.connect(self._on_failed)
        self._job = job
        self._take(PublishedResult(study, (), len(study.claims())))
        self._jobs.start(job)
        self._show_state()

    @Slot()
    def _on_cancel(self) -> None:
        if self._job is not None:
            self.cancel_button.setEnabled(False)
            self._job.cancel()

    @Slot(object)
    def _on_progressed(self, step: Step[PublishedResult]) -> None:
        self.progress.setValue(round((step.fraction or 0.0) * _PARTS))
        if step.partial is not None:
            self._take(step.partial)

    @Slot(object)
    def _on_finished(self, result: PublishedResult) -> None:
        self._job = None
        self._take(result)
        self._show_state()

    @Slot()
    def _on_cancelled(self) -> None:
        partial = None if self._job is None else self._job.partial
        self._job = None
        if partial is not None:
            self._take(partial)
        done = 0 if self.result is None else len(self.result.findings)
        self._tell(f"Cancelled: these are the {done} claims checked so far.", Severity.WARNING)
        self._show_state()

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._job = None
        log.error("checking failed", exc_info=error)
        self._tell(f"The claims could not be checked: {error}.", Severity.ERROR)
        self._show_state()

    # Showing

    def _show_state(self) -> None:
        running, found = self._job is not None, self.result is not None
        self._empty.setVisible(not found)
        self._found.setVisible(found)
        self.only_open.setVisible(found)
        self.summary.setVisible(found)
        self.check_button.setVisible(found and not running)
        self.check_button.setText("Check again")
        self.cancel_button.setVisible(running)
        self.cancel_button.setEnabled(running)
        self.progress.setVisible(running)
        self.progress.setValue(0)
        self.export_button.setVisible(found)
        self.export_button.setEnabled(
            not running and self.result is not None and bool(self.result.findings)
        )
        for field in (self.replications, self.seed):
            field.setEnabled(not running)

    def _take(self, result: PublishedResult) -> None:
        self.result = result
        self.summary.setText(result.summary())
        self._show_findings()

    def _show_findings(self) -> None:
        selected, scrolled = self._selected, self.tree.verticalScrollBar().value()
        if not self.model.show_result(self.result, self.only_open.isChecked()):
            return
        self.tree.expandAll()
        for row in range(self.model.rowCount()):
            self.tree.setFirstColumnSpanned(row, QModelIndex(), True)
        self._fit_columns()
        self.tree.verticalScrollBar().setValue(scrolled)
        place = self.model.index_of(selected)
        if place.isValid():
            self.tree.setCurrentIndex(place)
        else:
            self._explain(None)

    @Slot(bool)
    def _on_only_open(self, _checked: bool) -> None:
        self._show_findings()

    @Slot(QModelIndex, QModelIndex)
    def _on_selected(self, current: QModelIndex, _before: QModelIndex) -> None:
        finding = self.model.finding(current)
        if finding is not None:
            self._selected = finding.key
        self._explain(finding)

    def _explain(self, finding: Finding | None) -> None:
        if finding is None:
            self.explanation.setHtml("<p>Select a claim to read what was found.</p>")
            return
        values = [
            f"{name}: {html.escape(text)}."
            for name, text in (("Printed", finding.printed_text), ("Ours", finding.ours_text))
            if text
        ]
        self.explanation.setHtml(
            f"<p><b>{html.escape(finding.claim)}</b><br>"
            f"{html.escape(finding.source)}, {html.escape(finding.place)}</p>"
            f"<p><b>{MARKS[finding.verdict]} {html.escape(finding.verdict)}.</b> "
            f"{html.escape(VERDICTS[finding.verdict])} {' '.join(values)}</p>"
            f"<p>{html.escape(finding.explanation)}</p>"
        )

    # Exporting

    @Slot()
    def ask_export(self) -> None:
        """Ask for a file and write the findings to it."""
        if self.result is None or not self.result.findings:
            return
        folder = self._settings.folder or Path.home()
        self._dialogs.ask_save(
            self, "Export the findings", folder / "published results.pdf", FILTERS, self._export
        )

    def _export(self, path: Path) -> None:
        if self.result is None:
            return
        pdf = path.suffix.lower() == ".pdf"
        study = SavePublishedPdf(path, self.result) if pdf else SavePublished(path, self.result)
        job = self._jobs.create(study, f"Exporting {path.name}")
        # What is exported, not what is found meanwhile.
        self._exported_whole[job] = self.result.complete
        job.finished.connect(self._on_exported)
        job.failed.connect(self._on_not_exported)
        job.cancelled.connect(self._on_export_cancelled)
        self._jobs.start(job)

    @Slot(object)
    def _on_exported(self, saved: Saved) -> None:
        self._settings.folder = saved.path.parent
        partial = "" if self._exported_whole.pop(self.sender(), True) else "partial "
        self._tell(f"The {partial}findings are in {saved.path}.")

    @Slot()
    def _on_export_cancelled(self) -> None:
        self._tell("The export was cancelled; no file was written.", Severity.WARNING)

    @Slot(object)
    def _on_not_exported(self, error: Exception) -> None:
        if not isinstance(error, SaveError):
            log.error("export failed", exc_info=error)
        self._tell(f"Not exported: {error}", Severity.ERROR)

    def _tell(self, text: str, severity: Severity = Severity.INFO) -> None:
        self.notices.show_notice(Notice(text, severity))
