"""Small tables of texts: what a budget buys, and machines side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDoubleSpinBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.files.profile_tables import compared
from core.formatting import UNDEFINED
from core.metrics.catalogue import METRICS
from core.profiling.routes import ROUTES
from core.profiling.summary import affordable
from gui.profile.kept import Kept
from gui.profile.route_choice import RouteChoice
from gui.profile.wording import ms_text, times_text, whole_text
from gui.theme import GRID, Theme, tabular


class TextGrid(QTableWidget):
    """Texts in rows and columns, to be read and copied."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._heads: list[str] = []
        self._names: list[str] = []
        self._texts: list[list[str]] = []
        self.setObjectName("comparison")
        self.setAccessibleName(name)
        self.setFont(tabular(self.font()))
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + GRID)
        copy = QAction("Copy", self)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self._copy)
        self.addAction(copy)

    def show_texts(
        self,
        heads: Sequence[str],
        names: Sequence[str],
        texts: Sequence[Sequence[str]],
        tips: Sequence[str] = (),
    ) -> None:
        """Show other texts: a line for each name."""
        self._heads, self._names = list(heads), list(names)
        self._texts = [list(line) for line in texts]
        self.setColumnCount(len(heads))
        self.setRowCount(len(names))
        self.setVerticalHeaderLabels(list(names))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for column, head in enumerate(heads):
            item = QTableWidgetItem(head)
            item.setTextAlignment(right)
            item.setToolTip(tips[column] if column < len(tips) else head)
            self.setHorizontalHeaderItem(column, item)
        for row, line in enumerate(texts):
            for column, text in enumerate(line):
                cell = QTableWidgetItem(text)
                cell.setTextAlignment(right)
                self.setItem(row, column, cell)
        self.resizeColumnsToContents()
        for column in range(self.columnCount()):
            self.setColumnWidth(column, min(self.columnWidth(column) + GRID, GRID * 26))

    def tab_separated(self) -> str:
        """Return all of it, for a spreadsheet."""
        lines = [["", *self._heads]]
        lines += [[name, *line] for name, line in zip(self._names, self._texts, strict=True)]
        return "\n".join("\t".join(line) for line in lines)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.tab_separated())


class BudgetView(QWidget):
    """What this laptop can afford: scores a second, and tables within a time."""

    title = "Budget"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kept: Kept | None = None
        self.seconds = QDoubleSpinBox()
        self.seconds.setRange(0.0, 1e7)
        self.seconds.setDecimals(1)
        self.seconds.setValue(60.0)
        self.seconds.setSuffix(" s")
        self.seconds.setAccessibleName("Time budget in seconds")
        self.seconds.valueChanged.connect(self._show)
        self.grid = TextGrid("What the budget buys")
        self.note = QLabel()
        self.note.setObjectName("muted")
        self.note.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        label = QLabel("How many tables can be scored within")
        label.setBuddy(self.seconds)
        row.addWidget(label)
        row.addWidget(self.seconds)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addLayout(row)
        layout.addWidget(self.grid, 1)
        layout.addWidget(self.note)

    def set_theme(self, theme: Theme) -> None:
        """The palette has all colours."""

    def show_profile(self, kept: Kept | None) -> None:
        """Show what the budget buys by the costs of a profile."""
        self._kept = kept
        self._show()

    @Slot()
    def _show(self) -> None:
        kept = self._kept
        if kept is None or not kept.costs or kept.running or kept.result is None:
            self.grid.show_texts([], [], [])
            self.note.setText("")
            return
        found = {(a.route, a.key): a for a in affordable(kept.costs, self.seconds.value())}
        routes = [route for route in kept.result.profile.routes if kept.of_route(route)]
        keys = [
            key
            for key in kept.result.profile.keys
            if any((route, key) in found for route in routes)
        ]
        heads, tips = [], []
        for route in routes:
            heads += [f"{ROUTES[route].name}: a second", "tables"]
            tips += [ROUTES[route].note, f"Tables within the budget, {ROUTES[route].name}"]
        texts = []
        for key in keys:
            line = []
            for route in routes:
                one = found.get((route, key))
                line.append(UNDEFINED if one is None else whole_text(one.per_second))
                line.append(UNDEFINED if one is None else whole_text(one.tables))
            texts.append(line)
        self.grid.show_texts(heads, [METRICS[key].symbol for key in keys], texts, tips)
        self.note.setText(
            f"For tables {kept.result.profile.scenario.words}, one core, one metric at a time, by "
            "the mean over the quiet window. Several metrics together share work in a batch and "
            "cost less than the sum."
        )


class MachinesView(QWidget):
    """Profiles side by side: those measured here, and those opened from files."""

    title = "Machines"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._profiles: list[Kept] = []
        self.route = RouteChoice()
        self.route.activated.connect(self._show)
        self.grid = TextGrid("Profiles side by side")
        self.note = QLabel()
        self.note.setObjectName("muted")
        self.note.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(self.route)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addLayout(row)
        layout.addWidget(self.grid, 1)
        layout.addWidget(self.note)

    def set_theme(self, theme: Theme) -> None:
        """The palette has all colours."""

    def show_profiles(self, profiles: Sequence[Kept]) -> None:
        """Show other profiles side by side."""
        self._profiles = [each for each in profiles if not each.running and each.costs]
        self._show()

    @Slot()
    def _show(self) -> None:
        there = [(each, each.result) for each in self._profiles if each.result is not None]
        route = self.route.route
        lines = [line for line in compared([result for _, result in there]) if line.route == route]
        names = [each.name for each, _ in there]
        heads = [*(f"{name}: ms" for name in names), *(f"{name}: × AP" for name in names)]
        tips = [each.result.began.words if each.result else "" for each, _ in there] * 2
        texts = [
            [*map(ms_text, line.costs), *map(times_text, line.ratios)]
            for line in lines
            if not all(math.isnan(cost) for cost in line.costs)
        ]
        shown = [line for line in lines if not all(math.isnan(cost) for cost in line.costs)]
        self.grid.show_texts(heads, [METRICS[line.key].symbol for line in shown], texts, tips)
        said = [f"{each.name}: {result.began.words}." for each, result in there]
        shapes = {result.profile.scenario.words for _, result in there}
        if len(shapes) > 1:
            said.append("They were measured on different tables: compare the ratios with care.")
        if len(there) < 2:
            said.append(
                "Save a profile on one machine (Export, Whole profile) and open it here to see "
                "both side by side."
            )
        self.note.setText(" ".join(said))
