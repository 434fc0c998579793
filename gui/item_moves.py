"""What one item of the current cell would change, on the heat map itself."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication

from core.explanation.moves import Moves
from core.metrics.catalogue import METRICS
from gui.explanation.panel import ExplanationPanel
from gui.table_editor.view import TableView


class ItemMoves(QObject):
    """Ties the explanation of a score to the table: cells, tints and clicks on them.

    Parameters
    ----------
    view : TableView
    panel : ExplanationPanel
    digits : int
        Decimals of the sentences.
    """

    def __init__(self, view: TableView, panel: ExplanationPanel, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._panel = panel
        self._moves: Moves | None = None
        self._digits = 4
        # The cell that the last click has shown as a target.
        self._target: tuple[int, int] | None = None
        # Following keys that repeat would compute what nobody looks at.
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._follow)
        view.selectionModel().currentChanged.connect(self._on_current)
        view.clicked.connect(self._on_clicked)
        view.order_changed.connect(self._on_current)
        # The cursor may stay where it is while another cell comes under it, without a word
        # from the selection.
        view.document.loaded.connect(self._on_current)
        model = view.table_model
        for changed in (
            model.modelReset,
            model.rowsInserted,
            model.rowsRemoved,
            model.columnsInserted,
            model.columnsRemoved,
            model.layoutChanged,
        ):
            changed.connect(self._on_current)
        panel.targets_changed.connect(self._on_targets)
        panel.class_chosen.connect(self._show_class)
        panel.cluster_chosen.connect(self._show_cluster)
        panel.target_chosen.connect(self._show_cell)

    def set_digits(self, digits: int) -> None:
        """Give sentences so many decimals."""
        self._digits = digits

    @Slot()
    def _on_current(self) -> None:
        # Of a click the cell is known when the button is up again.
        if not QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            self._turn.start()

    @Slot()
    def _follow(self) -> None:
        self._target = None
        self._panel.set_cell(*self._cell(self._view.currentIndex()))

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        """Show where the item would go; a second click takes the items of that cell."""
        self._turn.stop()
        cell = self._cell(index)
        if cell == self._target or not self._panel.show_target(*cell):
            self._target = None
            self._panel.set_cell(*cell)
        else:
            self._target = cell

    def _cell(self, index: QModelIndex) -> tuple[int, int]:
        """Return a cell of the data; (-1, -1) for what is no count."""
        model = self._view.table_model
        if not model.is_count(index.row(), index.column()):
            return -1, -1
        row, column = model.shown.cell(index.row(), index.column())
        return int(row), int(column)

    @Slot(object)
    def _on_targets(self, moves: Moves | None) -> None:
        self._moves = moves
        if moves is None or moves.table.shape != self._view.document.state.shape:
            self._view.clear_targets()
            return
        to_clusters, to_classes = moves.to_clusters, moves.to_classes
        self._view.set_targets(
            moves.row,
            moves.column,
            np.where(to_clusters.known, to_clusters.change, np.nan),
            np.where(to_classes.known, to_classes.change, np.nan),
            self._sentence,
            # What is neither good nor bad has the colours of a rise and a fall.
            larger_is_better=METRICS[moves.key].larger_is_better is not False,
        )

    def _sentence(self, row: int, column: int, _difference: float) -> str:
        moves = self._moves
        if moves is None:
            return ""
        move = moves.move_to(row, column)
        return "" if move is None else moves.sentence(move, self._digits)

    @Slot(int)
    def _show_class(self, row: int) -> None:
        self._view.select_line(self._view.row_header, self._view.table_model.shown.place(0, row))

    @Slot(int)
    def _show_cluster(self, column: int) -> None:
        place = self._view.table_model.shown.place(1, column)
        self._view.select_line(self._view.column_header, place)

    @Slot(int, int)
    def _show_cell(self, row: int, column: int) -> None:
        shown = self._view.table_model.shown
        index = self._view.table_model.index(shown.place(0, row), shown.place(1, column))
        self._view.scrollTo(index)
