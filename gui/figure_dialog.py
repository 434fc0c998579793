"""The dialog that asks how a heat map is to look before it is exported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.heat import HeatScaleName
from core.ordering import ColumnsBy
from core.studies.study import run_to_end
from core.table import ContingencyTable
from gui.jobs import Job, JobRunner
from gui.plots.heatmap import DOUBLE_COLUMN, SINGLE_COLUMN, HeatMapFigure, HeatMapImage
from gui.table_editor.shown import Order
from gui.theme import GRID

#: The preview follows when nothing has changed for so long.
_PAUSE_MS = 80
_PREVIEW_DPI = 110
#: Cells of a table whose preview is drawn at once where there is no runner or none is needed.
_CELLS_AT_ONCE = 400


@dataclass(frozen=True)
class FigureSettings:
    """How a heat map is to look.

    Attributes
    ----------
    width_mm, font_pt : float
    counts, margins : bool
        Whether counts and sums are wanted where there is room.
    order : {"shown", "matching"}
        Lines as they are shown, or clusters by their match with the classes shown.
    scale : {"row", "peak", "table"}
        Whether colours are shares of the class, of its largest count as in the editor, or
        numbers of items.
    title : str
    """

    width_mm: float = SINGLE_COLUMN
    font_pt: float = 9.0
    counts: bool = True
    margins: bool = True
    order: Literal["shown", "matching"] = "shown"
    scale: HeatScaleName = "row"
    title: str = ""

    def figure(
        self, table: ContingencyTable, rows: Order, columns: Order, name: str = ""
    ) -> HeatMapFigure:
        """Return the heat map of a table.

        Parameters
        ----------
        table : ContingencyTable
        rows, columns : ndarray of int64, or None
            The line of the table shown at each place; None as entered.
        """
        by_columns: Order | ColumnsBy = columns
        if self.order == "matching":
            by_columns = "matching"
        return HeatMapFigure(
            table,
            "table" if rows is None else rows,
            "table" if by_columns is None else by_columns,
            self.scale,
            self.width_mm,
            self.font_pt,
            self.counts,
            self.margins,
            self.title,
            name=name,
        )


class FigureDialog(QDialog):
    """Asks how a heat map is to look, and shows it.

    Parameters
    ----------
    table : ContingencyTable
    rows, columns : ndarray of int64, or None
        The order in which it is shown.
    settings : FigureSettings, optional
        How the last figure looked.
    runner : JobRunner, optional
        Where the preview is drawn beside the window; without, the window waits for it.
    parent : QWidget, optional
    name : str
        What people call the table.
    """

    def __init__(
        self,
        table: ContingencyTable,
        rows: Order = None,
        columns: Order = None,
        settings: FigureSettings | None = None,
        runner: JobRunner | None = None,
        parent: QWidget | None = None,
        name: str = "",
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export the heat map")
        self._name = name
        self._table, self._rows, self._columns = table, rows, columns
        self._runner = runner
        self._job: Job | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._draw)
        self._make(settings or FigureSettings())
        self._lay_out()
        self._draw()

    def _make(self, settings: FigureSettings) -> None:
        self.width_choice = QComboBox()
        self.width_choice.setAccessibleName("Width of the figure")
        for label, width in (
            (f"Single column, {SINGLE_COLUMN:g} mm", SINGLE_COLUMN),
            (f"Double column, {DOUBLE_COLUMN:g} mm", DOUBLE_COLUMN),
            ("Other", None),
        ):
            self.width_choice.addItem(label, width)
        self.width_mm = QDoubleSpinBox()
        self.width_mm.setAccessibleName("Width in millimetres")
        self.width_mm.setRange(20, 1000)
        self.width_mm.setDecimals(1)
        self.width_mm.setSuffix(" mm")
        self.width_mm.setValue(settings.width_mm)
        index = self.width_choice.findData(settings.width_mm)
        self.width_choice.setCurrentIndex(index if index >= 0 else 2)
        self.font_size = QDoubleSpinBox()
        self.font_size.setAccessibleName("Size of text")
        self.font_size.setRange(5, 24)
        self.font_size.setDecimals(1)
        self.font_size.setSuffix(" pt")
        self.font_size.setValue(settings.font_pt)
        self.order = QComboBox()
        self.order.setAccessibleName("Order of clusters")
        self.order.addItem("As shown in the table", "shown")
        self.order.addItem("Clusters by their match with the classes", "matching")
        self.order.setCurrentIndex(self.order.findData(settings.order))
        self.scale = QComboBox()
        self.scale.setAccessibleName("What colours stand for")
        self.scale.addItem("Share of the class", "row")
        self.scale.addItem("Share of its largest count, as on the screen", "peak")
        self.scale.addItem("Number of items", "table")
        self.scale.setCurrentIndex(self.scale.findData(settings.scale))
        self.counts = QCheckBox("Counts, where they fit")
        self.counts.setChecked(settings.counts)
        self.margins = QCheckBox("Sums beside the cells")
        self.margins.setChecked(settings.margins)
        self.title = QLineEdit(settings.title)
        self.title.setAccessibleName("Title of the figure")
        self.title.setMaxLength(500)
        self.title.setPlaceholderText("None")
        self.preview = _Preview()
        self.size_note = QLabel()
        self.size_note.setObjectName("muted")
        self.size_note.setWordWrap(True)
        self._on_width_chosen()
        self.width_choice.currentIndexChanged.connect(self._on_width_chosen)
        for changed in (
            self.width_mm.valueChanged,
            self.font_size.valueChanged,
            self.order.currentIndexChanged,
            self.scale.currentIndexChanged,
            self.counts.toggled,
            self.margins.toggled,
            self.title.textChanged,
        ):
            changed.connect(self._on_changed)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(GRID * 2)
        form.setVerticalSpacing(GRID)
        form.addRow("&Width", self.width_choice)
        form.addRow("", self.width_mm)
        form.addRow("&Text", self.font_size)
        form.addRow("&Order", self.order)
        form.addRow("&Colours", self.scale)
        form.addRow("T&itle", self.title)
        form.addRow("", self.counts)
        form.addRow("", self.margins)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.button(QDialogButtonBox.StandardButton.Save).setText("Export…")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        left = QVBoxLayout()
        left.addLayout(form)
        left.addWidget(self.size_note)
        left.addStretch(1)
        left.addWidget(buttons)
        across = QHBoxLayout(self)
        across.setContentsMargins(GRID * 2, GRID * 2, GRID * 2, GRID * 2)
        across.setSpacing(GRID * 3)
        across.addLayout(left)
        across.addWidget(self.preview, 1)

    @property
    def settings(self) -> FigureSettings:
        """What has been chosen."""
        return FigureSettings(
            round(self.width_mm.value(), 1),
            round(self.font_size.value(), 1),
            self.counts.isChecked(),
            self.margins.isChecked(),
            self.order.currentData(),
            self.scale.currentData(),
            self.title.text().strip(),
        )

    def figure(self) -> HeatMapFigure:
        """Return the heat map as chosen, ready to be saved."""
        return self.settings.figure(self._table, self._rows, self._columns, self._name)

    @Slot()
    def _on_width_chosen(self) -> None:
        width = self.width_choice.currentData()
        self.width_mm.setEnabled(width is None)
        if width is not None:
            self.width_mm.setValue(width)

    @Slot()
    def _on_changed(self) -> None:
        self._pause.start()

    # Preview

    @Slot()
    def _draw(self) -> None:
        if self._job is not None:
            self._job.abandon()
            self._job = None
        study = HeatMapImage(self.figure(), _PREVIEW_DPI * self.devicePixelRatio())
        r, c = self._table.shape
        if self._runner is None or r * c <= _CELLS_AT_ONCE:
            self._show(run_to_end(study))
            return
        job = self._job = self._runner.create(study, "Drawing the heat map")
        job.finished.connect(self._on_drawn)
        job.failed.connect(self._on_failed)
        self._runner.start(job)

    @Slot(object)
    def _on_drawn(self, image: QImage | None) -> None:
        # A job that another one has replaced was abandoned, and emits nothing.
        self._job = None
        if image is not None:
            self._show(image)

    @Slot(object)
    def _on_failed(self, error: Exception) -> None:
        self._job = None
        self.size_note.setText(f"The preview could not be drawn: {error}")

    def _show(self, image: QImage) -> None:
        self.preview.show_image(image)
        width = self.settings.width_mm
        height = width * image.height() / image.width()
        self.size_note.setText(f"The figure is {width:.0f} × {height:.0f} mm.")

    def done(self, result: int) -> None:
        self._pause.stop()
        if self._job is not None:
            self._job.abandon()
            self._job = None
        super().done(result)


class _Preview(QWidget):
    """Shows a figure as large as there is room, on grey, as on a page."""

    def __init__(self) -> None:
        super().__init__()
        self._pixmap = QPixmap()
        self.setAccessibleName("Preview of the figure")
        self.setMinimumSize(GRID * 40, GRID * 40)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(GRID * 60, GRID * 56)

    def show_image(self, image: QImage) -> None:
        """Show another figure."""
        self._pixmap = QPixmap.fromImage(image)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self.palette().mid())
        if not self._pixmap.isNull():
            ratio = self.devicePixelRatio()
            room = self.size() - QSize(GRID * 2, GRID * 2)
            size = self._pixmap.size().scaled(room * ratio, Qt.AspectRatioMode.KeepAspectRatio)
            # Not larger than it is drawn.
            size = size.boundedTo(self._pixmap.size())
            picture = self._pixmap.scaled(
                size,
                Qt.AspectRatioMode.KeepAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            picture.setDevicePixelRatio(ratio)
            shown = picture.deviceIndependentSize()
            painter.drawPixmap(
                round((self.width() - shown.width()) / 2),
                round((self.height() - shown.height()) / 2),
                picture,
            )
        painter.end()


__all__ = ["FigureDialog", "FigureSettings"]
