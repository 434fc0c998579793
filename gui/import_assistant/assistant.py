"""The window that asks what a file holds, with its first rows in view."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QColor, QKeyEvent, QPalette
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from core.files.errors import ReadError, plain
from core.files.label_files import LabelOptions
from core.files.label_preview import LabelPreview
from core.files.previews import CellPreview
from core.studies.task import Task
from gui.import_assistant.grid import GridContent, PreviewGrid, cell_content, label_content
from gui.import_assistant.label_settings import LabelSettings
from gui.import_assistant.sources import FilePreviews, Mode, PreviewSource
from gui.import_assistant.table_settings import TableSettings
from gui.jobs import Job, JobRunner
from gui.theme import GRID, LIGHT, Theme, palette

_SETTINGS_WIDTH = GRID * 43


class ImportAssistant(QWidget):
    """Asks what the columns of a file are; reads no more of it than its beginning.

    Parameters
    ----------
    path : Path
        The file.
    jobs : JobRunner
        Where previews are made.
    mode : Mode, optional
        What the file is taken for at first.
    source : PreviewSource, optional
        What makes the previews.
    parent : QWidget, optional

    Signals
    -------
    accepted(Path, LabelOptions)
        Labels shall be read like this.
    table_accepted(Path, dict)
        A table of counts shall be read like this; the keys are those of `CellOptions`.
    closed()
        The assistant has gone, whatever was chosen.
    """

    accepted = Signal(object, object)
    table_accepted = Signal(object, object)
    closed = Signal()

    def __init__(
        self,
        path: Path,
        jobs: JobRunner,
        *,
        mode: Mode = Mode.LABELS,
        source: PreviewSource | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Dialog)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(f"Import {plain(path.name)}")
        self._path = path
        self._jobs = jobs
        self._source: PreviewSource = source if source is not None else FilePreviews()
        self._job: Job | None = None
        self._asked: Any = None
        self._labels: tuple[LabelOptions, LabelPreview] | None = None
        self._cells: CellPreview | None = None
        self._theme = LIGHT
        self._is_closed = False
        self.label_settings = LabelSettings()
        self.table_settings = TableSettings()
        self.labels_button = QRadioButton("&Labels, one item a row")
        self.table_button = QRadioButton("Table of &counts")
        self.grid = PreviewGrid()
        self.summary = QLabel()
        self.summary.setTextFormat(Qt.TextFormat.PlainText)
        self.summary.setWordWrap(True)
        self.summary.setMinimumHeight(self.summary.fontMetrics().height() * 2)
        self.summary.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.reason = QLabel()
        self.import_button = QPushButton("Impor&t")
        # Until something has been seen, there is nothing to import.
        self.import_button.setEnabled(False)
        self.cancel_button = QPushButton("Cancel")
        self._lay_out()
        self.label_settings.changed.connect(self.look)
        self.table_settings.changed.connect(self.look)
        self.import_button.clicked.connect(self.accept)
        self.cancel_button.clicked.connect(self.close)
        (self.labels_button if mode is Mode.LABELS else self.table_button).setChecked(True)
        self._show_form()
        self.labels_button.toggled.connect(self._on_mode)
        self.set_theme(LIGHT)
        self._say("Looking at the file…")
        self.label_settings.truth.setFocus()
        # What is shown first is there when the window is.
        QTimer.singleShot(0, self, self.look)

    def _lay_out(self) -> None:
        group = QButtonGroup(self)
        group.addButton(self.labels_button)
        group.addButton(self.table_button)
        self._forms = QStackedWidget()
        self._forms.addWidget(self.label_settings)
        self._forms.addWidget(self.table_settings)
        scroll = QScrollArea()
        scroll.setObjectName("settings")
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self._forms)
        scroll.setFixedWidth(_SETTINGS_WIDTH)
        question = QLabel("What does this file hold?")
        question.setObjectName("question")
        modes = QHBoxLayout()
        modes.setSpacing(GRID * 2)
        modes.addWidget(question)
        modes.addWidget(self.labels_button)
        modes.addWidget(self.table_button)
        modes.addStretch(1)
        preview = QVBoxLayout()
        preview.setSpacing(GRID)
        preview.addWidget(self.grid, 1)
        preview.addWidget(self.summary)
        middle = QHBoxLayout()
        middle.setSpacing(GRID * 2)
        middle.addWidget(scroll)
        middle.addLayout(preview, 1)
        self.reason.setWordWrap(True)
        self.reason.setTextFormat(Qt.TextFormat.PlainText)
        self.reason.setMinimumHeight(self.reason.fontMetrics().height() * 2)
        self.reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.import_button.setObjectName("primary")
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self.reason, 1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.import_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID * 2, GRID * 2, GRID * 2, GRID * 2)
        layout.setSpacing(GRID * 3 // 2)
        layout.addLayout(modes)
        layout.addLayout(middle, 1)
        layout.addLayout(buttons)

    def sizeHint(self) -> QSize:
        """Return a size that fits the smallest screen."""
        return QSize(1080, 620)

    @property
    def mode(self) -> Mode:
        """What the file is taken for."""
        return Mode.LABELS if self.labels_button.isChecked() else Mode.TABLE

    @property
    def is_looking(self) -> bool:
        """Whether a preview is under way."""
        return self._job is not None

    def set_theme(self, theme: Theme) -> None:
        """Take over colours that a palette does not carry."""
        self._theme = theme
        self.grid.set_theme(theme)
        self.setStyleSheet(
            "QScrollArea#settings, QScrollArea#settings > QWidget > QWidget"
            " { background: transparent; }"
            f"QPushButton#primary:disabled {{ background: {theme.track}; color: {theme.muted};"
            f" border-color: {theme.border}; }}"
            f"QListWidget {{ background: {theme.base}; border: 1px solid {theme.border};"
            " border-radius: 5px; padding: 2px; }"
            f"QListWidget:focus {{ border: 1px solid {theme.accent}; }}"
            f"QRadioButton::indicator {{ width: 10px; height: 10px; border-radius: 7px;"
            f" border: 2px solid {theme.muted}; background: {theme.base}; }}"
            f"QRadioButton::indicator:checked {{ width: 6px; height: 6px;"
            f" border: 4px solid {theme.accent}; }}"
            f"QRadioButton:focus {{ color: {theme.accent}; }}"
            # On the line that has the keyboard Fusion's own empty box cannot be seen.
            f"QListWidget::indicator:unchecked {{ width: 11px; height: 11px;"
            f" border: 1px solid {theme.muted}; background: {theme.base}; }}"
            f"QListWidget::item:focus {{ background: {theme.info_background};"
            f" color: {theme.text}; }}"
        )
        for box in (self.label_settings.quotes, self.label_settings.predictions):
            # Fusion draws the edge of a box a little darker than the window: on dark, unseen.
            colors = palette(theme)
            colors.setColor(QPalette.ColorRole.Window, QColor(theme.muted))
            box.setPalette(colors)
        self._color_reason(wrong=self.reason.property("wrong") is True)

    # Previews

    @Slot()
    def look(self) -> None:
        """Make the preview anew; the one under way is dropped."""
        if self._is_closed:
            return
        if self._job is not None:
            self._job.abandon()
        labels = self.mode is Mode.LABELS
        options: Any = self.label_settings.options if labels else self.table_settings.options
        self._asked = options
        make: Any = self._source.labels if labels else self._source.cells
        message = f"looking at {plain(self._path.name)}"
        self._job = job = self._jobs.create(
            Task(partial(make, self._path, options), message), "preview"
        )
        job.finished.connect(self._on_seen)
        job.failed.connect(self._on_failed)
        self.import_button.setEnabled(False)
        self._jobs.start(job)

    @Slot(object)
    def _on_seen(self, seen: LabelPreview | CellPreview) -> None:
        self._job = None
        if self._is_closed:
            return
        if isinstance(seen, LabelPreview):
            self._labels, self._cells = (self._asked, seen), None
            self.grid.show_content(label_content(seen))
            if self.label_settings.show_preview(seen):
                # The labels of noise were found out, and change what the rows would give.
                self.look()
                return
            hint = seen.is_counts and "these look like counts: choose Table of counts"
        else:
            self._labels, self._cells = None, seen
            self.grid.show_content(cell_content(seen))
            self.table_settings.show_preview(seen)
            hint = seen.is_labels and "these look like labels: choose Labels, one item a row"
        self.summary.setText(seen.summary + (f"; {hint}" if hint else ""))
        self.import_button.setEnabled(seen.fault is None)
        self._say(seen.fault or "", wrong=seen.fault is not None)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._job = None
        if self._is_closed:
            return
        self._labels = self._cells = None
        self.grid.show_content(GridContent())
        self.summary.setText("")
        text = str(error)
        if not isinstance(error, ReadError):
            text = f"{plain(self._path.name)} could not be looked at: {plain(text) or 'no reason'}."
        self._say(text, wrong=True)

    def _say(self, text: str, *, wrong: bool = False) -> None:
        self.reason.setText(text)
        self.reason.setProperty("wrong", wrong)
        self.reason.setAccessibleName(text)
        self.import_button.setToolTip(text)
        self._color_reason(wrong=wrong)

    def _color_reason(self, *, wrong: bool) -> None:
        color = self._theme.error if wrong else self._theme.muted
        self.reason.setStyleSheet(f"color: {color}")

    @Slot()
    def _on_mode(self) -> None:
        self._show_form()
        self.look()

    def _show_form(self) -> None:
        labels = self.mode is Mode.LABELS
        self._forms.setCurrentWidget(self.label_settings if labels else self.table_settings)

    # The end

    @Slot()
    def accept(self) -> None:
        """Tell what was chosen, and close; nothing where there is a fault."""
        if not self.import_button.isEnabled():
            return
        if self._labels is not None:
            asked, seen = self._labels
            # What was seen is what is read; only the encoding of the rest may yet show.
            options = replace(seen.options, encoding=asked.encoding)
            self.close()
            self.accepted.emit(self._path, options)
        elif self._cells is not None:
            chosen = asdict(self._asked)
            self.close()
            self.table_accepted.emit(self._path, chosen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes, Enter imports."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.cancel_button.hasFocus():
                self.close()
            else:
                self.accept()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Drop what is under way."""
        if not self._is_closed:
            self._is_closed = True
            if self._job is not None:
                self._job.abandon()
                self._job = None
            self.closed.emit()
        super().closeEvent(event)
