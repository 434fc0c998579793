"""The list of tables beside the editor."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.files.sessions import ListSorting
from core.metrics.catalogue import METRICS
from gui.session import Session
from gui.tables.board import ScoreBoard
from gui.tables.model import NAME, SORTED, TableListModel
from gui.theme import GRID, tabular


class TableList(QTableView):
    """The lines of the list; Delete removes, F2 renames, Return goes to the table.

    Signals
    -------
    remove_asked()
    entered()
        The keyboard is wanted in the table.
    """

    remove_asked = Signal()
    entered = Signal()

    def __init__(self, model: TableListModel) -> None:
        super().__init__()
        self._tables = model
        self.setModel(model)
        self.setAccessibleName("Tables of the session, with their scores")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        trigger = QAbstractItemView.EditTrigger
        self.setEditTriggers(trigger.EditKeyPressed | trigger.DoubleClicked)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setObjectName("tables")
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setFont(tabular(self.font()))
        rows = self.verticalHeader()
        rows.hide()
        # Measuring thousands of lines would take a while; they are all alike.
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(self.fontMetrics().height() + GRID)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(True)
        # The model writes the arrow beside the name: Qt's would lie over a short one.
        header.setSortIndicatorShown(False)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.DescendingOrder)
        header.setMinimumSectionSize(GRID * 5)
        header.sortIndicatorChanged.connect(self.sortByColumn)
        model.modelReset.connect(self.fit)
        model.modelReset.connect(self._follow_sorting)
        self.fit()

    @Slot()
    def finish_editing(self) -> None:
        """Take the name that is being typed."""
        if (editor := self._editor()) is not None:
            self.commitData(editor)
            self._close(editor)

    @Slot()
    def cancel_editing(self) -> None:
        """Leave the name that is being typed as it was."""
        if (editor := self._editor()) is not None:
            self._close(editor)

    def _editor(self) -> QLineEdit | None:
        if self.state() != QAbstractItemView.State.EditingState:
            return None
        return self.viewport().findChild(QLineEdit)

    def _close(self, editor: QLineEdit) -> None:
        self.closeEditor(editor, QAbstractItemDelegate.EndEditHint.NoHint)

    def set_sorting(self, sorting: ListSorting | None) -> None:
        """Sort the list; None brings back the order of the session."""
        self.horizontalHeader().setSortIndicator(*self._tables.place_of(sorting))

    @Slot()
    def _follow_sorting(self) -> None:
        """Let the next click go on from what the columns are sorted by now."""
        header = self.horizontalHeader()
        blocked = header.blockSignals(True)
        header.setSortIndicator(*self._tables.place_of(self._tables.sorting))
        header.blockSignals(blocked)

    @Slot()
    def fit(self) -> None:
        """Give each column the room that its numbers need, and names the rest."""
        header, metrics = self.horizontalHeader(), self.fontMetrics()
        taken = 0
        for column in range(NAME + 1, self.model().columnCount()):
            score = isinstance(self._tables.kind(column), int)
            sample = "\N{MINUS SIGN}0.000" if score else "00\u202f000"
            title = SORTED[Qt.SortOrder.DescendingOrder] + self._tables.title(column)
            width = max(metrics.horizontalAdvance(text) for text in (sample, title)) + GRID * 3 // 2
            header.resizeSection(column, width)
            taken += width if score else 0
        header.resizeSection(NAME, max(self.viewport().width() - taken, GRID * 10))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give names the room that there is."""
        super().resizeEvent(event)
        self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Remove, go to the table, or leave to Qt."""
        if self.state() == QAbstractItemView.State.EditingState:
            super().keyPressEvent(event)
        elif event.matches(QKeySequence.StandardKey.Delete):
            self.remove_asked.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)


class TablesPanel(QWidget):
    """The list with its buttons.

    Parameters
    ----------
    session : Session
    board : ScoreBoard

    Signals
    -------
    columns_chosen(tuple of str)
        The metrics of the columns are other ones.
    entered()
        The keyboard is wanted in the table.
    """

    columns_chosen = Signal(object)
    entered = Signal()

    def __init__(self, session: Session, board: ScoreBoard, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._session = session
        self._board = board
        self._following = False
        self.model = TableListModel(board, session.rename)
        self.list = TableList(self.model)
        # Under an editor another table may come: what is typed belongs to the one before.
        self.model.modelAboutToBeReset.connect(self.list.cancel_editing)
        self._finish: Callable[[], bool] = lambda: True
        self._title = QLabel("Tables")
        self._columns = QToolButton()
        self._columns.setText("Columns")
        self._columns.setObjectName("button")
        self._columns.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._columns.setToolTip("Which scores the list shows")
        self._menu = QMenu(self._columns)
        self._columns.setMenu(self._menu)
        self._menu.aboutToShow.connect(self._fill_columns)
        self.actions_by_name = self._make_actions()
        self._lay_out()
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.remove_asked.connect(self.remove_selected)
        self.list.entered.connect(self.entered)
        session.entries_changed.connect(self._on_entries)
        session.shown.connect(self._on_shown)
        self._on_entries()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self._title, 1)
        top.addWidget(self._columns)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID, GRID * 2, GRID, GRID)
        layout.setSpacing(GRID)
        layout.addLayout(top)
        layout.addWidget(self.list, 1)

    def _make_actions(self) -> dict[str, QAction]:
        def action(text: str, slot: Callable[[], object], key: str = "") -> QAction:
            made = QAction(text, self)
            if key:
                made.setShortcut(QKeySequence(key))
            made.triggered.connect(slot)
            return made

        return {
            "duplicate": action("&Duplicate table", self.duplicate_selected, "Ctrl+D"),
            "rename": action("&Rename table\tF2", self.rename_current),
            "remove": action("Re&move table\tDel", self.remove_selected),
            "baseline": action("&Pin as baseline", self.toggle_baseline, "Ctrl+B"),
        }

    # What is selected

    @property
    def column_keys(self) -> tuple[str, ...]:
        """The metrics that the list shows."""
        return self._board.keys

    @property
    def selected(self) -> list[int]:
        """Keys of the selected tables in the order of the list; the one under edit if none."""
        # Not line by line: Qt would ask the model for every cell of thousands of them.
        lines: set[int] = set()
        selection = self.list.selectionModel().selection()
        for number in range(selection.count()):
            area = selection.at(number)
            lines.update(range(area.top(), area.bottom() + 1))
        keys = [self.model.key_at(line) for line in sorted(lines)]
        return keys or [self._session.document.key]

    def set_finish(self, finish: Callable[[], bool]) -> None:
        """Have what is being typed anywhere taken before tables come or go.

        Parameters
        ----------
        finish : callable
            Returns False if it cannot be taken.
        """
        self._finish = finish

    @Slot()
    def duplicate_selected(self) -> None:
        """Add copies of the selected tables."""
        if self._finish():
            self._session.duplicate(self.selected)

    @Slot()
    def remove_selected(self) -> None:
        """Take the selected tables out of the session; undo brings them back."""
        if self._finish():
            self._session.remove(self.selected)

    @Slot()
    def rename_current(self) -> None:
        """Type another name in place."""
        # A list that is not shown comes for the name; the next change of it hides it again.
        self.show()
        line = self.model.line_of(self._session.document.key)
        if line is not None:
            self.list.setFocus()
            self.list.edit(self.model.index(line, NAME))

    @Slot()
    def toggle_baseline(self) -> None:
        """Compare all scores with the table under edit, or with none."""
        if not self._finish():
            return
        key = self._session.document.key
        self._session.set_baseline(None if self._session.entries.baseline == key else key)

    def _show_menu(self, where: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(list(self.actions_by_name.values()))
        menu.addActions(self.actions())
        menu.popup(self.list.viewport().mapToGlobal(where))

    # Following the session

    @Slot()
    def _on_entries(self) -> None:
        entries = self._session.entries
        self._following = True
        self.model.set_entries(entries)
        self._following = False
        self._title.setText(f"Tables ({len(entries):,})" if len(entries) > 1 else "Tables")
        self._on_shown(self._session.document.key)
        pinned = entries.baseline == self._session.document.key
        self.actions_by_name["baseline"].setText(
            "Un&pin the baseline" if pinned else "&Pin as baseline"
        )

    @Slot(int)
    def _on_shown(self, key: int) -> None:
        self._board.set_entries(list(self._session.entries), key)
        line = self.model.line_of(key)
        if line is None:
            return
        index = self.model.index(line, NAME)
        selection = self.list.selectionModel()
        if index.row() == self.list.currentIndex().row() and selection.hasSelection():
            return
        flag = QItemSelectionModel.SelectionFlag
        self._following = True
        selection.setCurrentIndex(index, flag.ClearAndSelect | flag.Rows)
        self._following = False
        self.list.scrollTo(index)

    @Slot()
    def _on_current(self) -> None:
        line = self.list.currentIndex().row()
        if not self._following and line >= 0:
            self._session.select(self.model.key_at(line))

    # Columns

    @Slot()
    def _fill_columns(self) -> None:
        self._menu.clear()
        family = None
        menu = self._menu
        for key, metric in METRICS.items():
            if metric.per != "table" or metric.when == "request":
                continue
            if metric.family != family:
                family = metric.family
                menu = self._menu.addMenu(family.name)
            action = menu.addAction(metric.name)
            action.setCheckable(True)
            action.setChecked(key in self._board.keys)
            action.triggered.connect(partial(self._set_column, key))

    def _set_column(self, key: str, wanted: bool) -> None:
        keys = [k for k in self._board.keys if k != key]
        self._board.set_keys([*keys, key] if wanted else keys)
        self.columns_chosen.emit(self._board.keys)

    def set_digits(self, digits: int) -> None:
        """Show scores with so many decimals."""
        self.model.set_digits(digits)
