"""The panel beside the table: every metric, its value, a gauge where it has a range."""

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import (
    QModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QAccessible,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from core.metrics.catalogue import METRICS
from core.metrics.wording import unusual_conventions
from core.scores import Scores
from gui.headline import Headline
from gui.metric_delegate import MetricDelegate
from gui.metric_model import BAR, CHANGE, HEADLINE, NAME, VALUE, Index, MetricModel, Node
from gui.metric_text import copied
from gui.option_editor import NUMBER_OPTIONS, OptionEditor
from gui.theme import GRID, LIGHT, Theme, tabular

# Letters of a baseline's name that are shown; the whole is in the tool tip.
_LONG_NAME = 40


class _Tree(QTreeView):
    """The list of metrics; keys and clicks fold a section, Ctrl+C copies all digits.

    Signals
    -------
    option_asked(str)
        The option with a number that the current line hangs on.
    """

    option_asked = Signal(str)

    def __init__(self, model: MetricModel) -> None:
        super().__init__()
        self._model = model
        self.setModel(model)
        self.setExpandsOnDoubleClick(False)
        self.clicked.connect(self._on_clicked)
        # The second click of two fast ones folds, too.
        self.doubleClicked.connect(self._on_clicked)

    def dataChanged(self, top_left: Index, bottom_right: Index, roles: Sequence[int] = ()) -> None:
        """Paint the values anew; no line has changed its height, so none is measured."""
        if QAccessible.isActive():
            super().dataChanged(top_left, bottom_right, roles)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, fold and unfold by keys."""
        index = self.currentIndex().siblingAtColumn(NAME)
        node = self._model.node(index)
        key = event.key()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selected()
        elif node is None:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_F2 and (option := self._option_of(node)) is not None:
            self.option_asked.emit(option)
        elif key == Qt.Key.Key_Left:
            self._fold_or_go_up(index)
        elif node.metric is None and key == Qt.Key.Key_Right:
            self.expand(index)
        elif node.metric is None and key in (
            Qt.Key.Key_Return,
            Qt.Key.Key_Enter,
            Qt.Key.Key_Space,
        ):
            self.setExpanded(index, not self.isExpanded(index))
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    @staticmethod
    def _option_of(node: Node) -> str | None:
        """Return the option with a number that a score or a section hangs on."""
        if node.metric is None:
            return node.family.option
        numbers = [option.key for option in NUMBER_OPTIONS]
        return next((key for key in node.metric.parameters if key in numbers), None)

    def _fold_or_go_up(self, index: QModelIndex) -> None:
        if self.isExpanded(index):
            self.collapse(index)
        elif index.parent().isValid():
            self.setCurrentIndex(index.parent())

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        modifiers = QGuiApplication.keyboardModifiers()
        selecting = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        index = index.siblingAtColumn(NAME)
        if self._model.metric(index) is None and not modifiers & selecting:
            self.setExpanded(index, not self.isExpanded(index))

    def copy_selected(self) -> None:
        """Put the selected scores, or those of a section, on the clipboard, one a line."""
        keys = dict.fromkeys(
            metric.key
            for index in self.selectionModel().selectedRows()
            for metric in self._model.metrics_in(index)
        )
        values = {key: self._model.value(key) for key in keys}
        lines = [copied(key, value) for key, value in values.items() if value is not None]
        if lines:
            QGuiApplication.clipboard().setText("\n".join(lines))


class MetricPanel(QWidget):
    """All scores of the table.

    Signals
    -------
    explained(str)
        The key of the metric that the user asks about.
    folded(str, bool)
        The user has folded or unfolded a section.
    """

    explained = Signal(str)
    folded = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = LIGHT
        self._digits = 4
        self._selected = "ap"
        self._folding: dict[str, bool] = {}
        self._total_digits = 0
        self.model = MetricModel(self)
        self._delegate = MetricDelegate(self)
        self.headline = Headline()
        self.headline.picked.connect(self._pick)
        self.tree = _Tree(self.model)
        self._set_up_tree()
        self.option_editor = OptionEditor()
        self._baseline_name: str | None = None
        self._against = QLabel()
        self._against.setObjectName("muted")
        self._against.setTextFormat(Qt.TextFormat.PlainText)
        self._against.setWordWrap(True)
        self._against.setContentsMargins(GRID * 2, GRID // 2, GRID, GRID // 2)
        self._against.hide()
        self._conventions = QLabel()
        self._conventions.setWordWrap(True)
        self._conventions.setContentsMargins(GRID * 2, GRID, GRID, GRID)
        self._conventions.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.headline)
        layout.addWidget(self._against)
        layout.addWidget(self.tree, 1)
        layout.addWidget(self.option_editor)
        layout.addWidget(self._conventions)
        self.model.rowsInserted.connect(self._fold_sections)
        self._fold_sections()
        self.tree.expanded.connect(self._on_expanded)
        self.tree.collapsed.connect(self._on_collapsed)

    def _set_up_tree(self) -> None:
        tree = self.tree
        tree.setObjectName("metrics")
        tree.setAccessibleName("Scores")
        tree.setItemDelegate(self._delegate)
        tree.setRootIsDecorated(False)
        tree.setHeaderHidden(True)
        tree.setIndentation(0)
        tree.setTabKeyNavigation(False)
        tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        tree.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.setMinimumWidth(GRID * 36)
        tree.selectionModel().currentChanged.connect(self._on_current)
        header = tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(VALUE, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(BAR, QHeaderView.ResizeMode.Fixed)
        header.setMinimumSectionSize(GRID * 4)
        header.resizeSection(BAR, GRID * 11)
        # A change stands beside the value, before the gauge.
        header.setSectionResizeMode(CHANGE, QHeaderView.ResizeMode.Fixed)
        header.moveSection(header.visualIndex(CHANGE), header.visualIndex(BAR))
        tree.setColumnHidden(CHANGE, True)

    @property
    def selected(self) -> str:
        """Key of the metric that is explained."""
        return self._selected

    def text(self, key: str) -> str:
        """Return a score as the panel shows it."""
        return self.headline.text(key) if key in HEADLINE else self.model.text(key)

    def description(self, key: str) -> str:
        """Return what is known of a metric and its value as HTML."""
        return self.model.description(key)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self._delegate.theme = theme
        self.option_editor.set_theme(theme)
        self._show()
        self._conventions.setStyleSheet(f"color: {theme.warning}")
        self.tree.viewport().update()

    def set_digits(self, digits: int) -> None:
        """Show so many decimals."""
        self._digits = digits
        self.model.set_digits(digits)
        self._fit_value_column()
        self._show()

    def set_baseline(self, scores: Scores | None, name: str = "") -> None:
        """Show beside each score how it differs from that of another table.

        Parameters
        ----------
        scores : Scores or None
            Of the baseline; None shows no changes.
        name : str
            What people call the baseline.
        """
        self.model.set_baseline(scores)
        self._baseline_name = None if scores is None else name
        header = self.tree.header()
        self.tree.setColumnHidden(CHANGE, scores is None)
        header.resizeSection(BAR, GRID * (11 if scores is None else 6))
        self._fit_value_column(only_wider=True)
        self._show_baseline()

    def _show_baseline(self) -> None:
        """Name the baseline, with what the headline's three figures differ by."""
        name = self._baseline_name
        self._against.setVisible(name is not None)
        if name is None:
            return
        parts = []
        for key in HEADLINE:
            change = self.model.change(key)
            if change is None:
                continue
            mark = {None: "", True: "\N{BLACK UP-POINTING SMALL TRIANGLE}"}.get(
                change.better, "\N{BLACK DOWN-POINTING SMALL TRIANGLE}"
            )
            said = f"{METRICS[key].symbol} {self.model.change_text(key)} {mark}".rstrip()
            # A line does not end between a name and its number.
            parts.append(said.replace(" ", "\N{NO-BREAK SPACE}"))
        start = f"Against {name if len(name) <= _LONG_NAME else name[:_LONG_NAME] + '…'}"
        self._against.setText(f"{start}: {', '.join(parts)}" if parts else start)
        open_ones = [key for key in HEADLINE if (of := self.model.change(key)) and of.tied]
        ties = [
            f" Ties leave it open whether {METRICS[key].symbol} is better." for key in open_ones
        ]
        self._against.setToolTip(
            f"Changes against {name}. An arrow up is a change for the better, "
            f"an arrow down one for the worse.{''.join(ties)}"
        )

    def _fit_change_column(self) -> None:
        metrics = QFontMetrics(tabular(self.font()))
        texts = ["\N{MINUS SIGN}0." + "0" * self._digits, *self._texts_in_view(CHANGE)]
        needed = max(metrics.horizontalAdvance(text) for text in texts) + GRID * 3
        self.tree.header().resizeSection(CHANGE, needed)

    @Slot()
    def set_stale(self) -> None:
        """Dim the values until new ones arrive."""
        self.model.set_stale()
        self._show()

    def set_scores(self, scores: Scores, *, complete: bool = True) -> None:
        """Show new scores; where they are not complete, earlier ones stay, dimmed."""
        self.model.set_scores(scores, complete=complete)
        chosen = unusual_conventions(scores.options, scores)
        self._conventions.setText(chosen)
        self._conventions.setVisible(bool(chosen))
        total_digits = len(str(scores.table.total))
        # The column does not move while one types, unless a longer number needs it.
        self._fit_value_column(only_wider=total_digits == self._total_digits)
        self._total_digits = total_digits
        self._show()

    def _show(self) -> None:
        self._show_baseline()
        self.headline.show_scores(
            self.model.scores, self._digits, stale=self.model.stale, theme=self._theme
        )

    def _fit_value_column(self, *, only_wider: bool = False) -> None:
        metrics = QFontMetrics(tabular(self.font()))
        texts = ["\N{MINUS SIGN}0." + "0" * self._digits, *self._texts_in_view()]
        needed = max(metrics.horizontalAdvance(text) for text in texts) + GRID * 2
        if not only_wider or needed > self.tree.header().sectionSize(VALUE):
            self.tree.header().resizeSection(VALUE, needed)
        if self._baseline_name is not None:
            self._fit_change_column()

    def _texts_in_view(self, column: int = VALUE) -> Iterator[str]:
        """Yield the values, or the changes, that are not folded away."""
        for heading in self.model.headings():
            above = heading
            while above.isValid() and self.tree.isExpanded(above):
                above = above.parent()
            if above.isValid():
                continue
            for row in range(self.model.rowCount(heading)):
                yield self.model.index(row, column, heading).data() or ""

    # Folding

    def set_folding(self, folding: Mapping[str, bool]) -> None:
        """Fold and unfold sections as they were left; the others stay as they are at first."""
        self._folding = dict(folding)
        self._fold_sections()

    @property
    def sections(self) -> list[str]:
        """Keys of all sections that can be folded."""
        return self.model.sections

    @Slot()
    def _fold_sections(self) -> None:
        blocked = self.tree.blockSignals(True)
        for heading in self.model.headings():
            node = self.model.node(heading)
            if node is not None:
                self.tree.setFirstColumnSpanned(heading.row(), heading.parent(), True)
                folded = self._folding.get(node.section, node.folded_at_first)
                self.tree.setExpanded(heading, not folded)
                self.model.set_folded(node.section, folded)
        self.tree.blockSignals(blocked)
        self._fit_value_column()

    @Slot(QModelIndex)
    def _on_expanded(self, heading: QModelIndex) -> None:
        self._remember_folding(heading, folded=False)
        last = self.model.index(self.model.rowCount(heading) - 1, NAME, heading)
        # As much of the section as there is room for, its heading in any case.
        self.tree.scrollTo(last)
        self.tree.scrollTo(heading)

    @Slot(QModelIndex)
    def _on_collapsed(self, heading: QModelIndex) -> None:
        self._remember_folding(heading, folded=True)
        above = self.tree.currentIndex()
        while above.isValid() and above.parent() != heading:
            above = above.parent()
        if above.isValid():
            # Else the keys would go on from a line that nobody sees.
            self.tree.setCurrentIndex(heading)

    def _remember_folding(self, heading: QModelIndex, *, folded: bool) -> None:
        node = self.model.node(heading)
        if node is None:
            return
        self._folding[node.section] = folded
        self.model.set_folded(node.section, folded)
        self._fit_value_column()
        self.folded.emit(node.section, folded)

    # What is explained

    @Slot(str)
    def _pick(self, key: str) -> None:
        self._selected = key
        self.tree.clearSelection()
        self.explained.emit(key)

    @Slot(QModelIndex, QModelIndex)
    def _on_current(self, current: QModelIndex, previous: QModelIndex) -> None:
        del previous
        metric = self.model.metric(current)
        if metric is not None:
            self._selected = metric.key
            self.explained.emit(metric.key)
