"""AP class by class: peak, runner-up, peakiness, ties."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from core.explanation.class_rows import ClassRow, ClassRows, class_rows, listed
from core.formatting import UNDEFINED, format_score
from core.studies.study import Study
from core.studies.task import Task
from gui.explanation.text_table import TextTable
from gui.explanation.view import Question, View
from gui.theme import GRID

_COLUMNS = ("Class", "Items", "Peak", "Runner-up", "Peakiness", "Same vote")


class ClassRowsView(View):
    """A line for each truth class, and the range of AP over ties above them.

    Signals
    -------
    class_chosen(int)
        Its row, counted from 0.
    """

    title: ClassVar[str] = "AP's rows"
    hint: ClassVar[str] = "What each truth class gives to associativity and peakiness"

    class_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: ClassRows | None = None
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.summary.setTextFormat(Qt.TextFormat.PlainText)
        self.summary.setContentsMargins(GRID // 2, 0, 0, 0)
        self.summary.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.lines = TextTable("Truth classes of AP", _COLUMNS)
        self.lines.row_chosen.connect(self._on_chosen)
        column = QVBoxLayout(self._body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(self.summary)
        column.addWidget(self.lines, 1)

    def depends_on(self, question: Question) -> tuple[object, ...]:
        return (question.scores.options.empty_truth,)

    def reason_against(self, question: Question) -> str | None:
        if not question.scores.table.total:
            return "The table has no items: enter at least one count."
        return None

    def study(self, question: Question) -> Study[ClassRows]:
        scores = question.scores
        return Task(partial(class_rows, scores.table, scores.options), "the rows of AP")

    def show_result(self, result: ClassRows) -> None:
        self._found = result
        self._show()
        self.show_body()

    def set_digits(self, digits: int) -> None:
        super().set_digits(digits)
        self._show()

    def _show(self) -> None:
        found = self._found
        if found is None:
            return
        self.summary.setText(found.summary(self.digits))
        rows, clusters = found.rows, found.table.clusters

        def text(row: int, column: int) -> str:
            return _text(rows[row], clusters, column, self.digits)

        def tip(row: int) -> str:
            return found.sentence(row)

        self.lines.show_texts(len(rows), text, tip, _COLUMNS)

    @Slot(int)
    def _on_chosen(self, row: int) -> None:
        self.class_chosen.emit(row)


def _text(row: ClassRow, clusters: tuple[str, ...], column: int, digits: int) -> str:
    if column == 0:
        return row.name
    if column == 1:
        return format_score(row.size)
    if not row.size:
        return UNDEFINED if column in (2, 4) else ""
    if column == 2:
        names = listed([clusters[place] for place in row.peaks], 3)
        mark = "" if row.warning is None else "\N{WARNING SIGN} "
        return f"{mark}{names} ({format_score(row.peak_count)})"
    if column == 3:
        if row.runner_up is None:
            return UNDEFINED
        return f"{clusters[row.runner_up]} ({format_score(row.runner_up_count)})"
    if column == 4:
        return format_score(row.peakiness, digits)
    return format_score(row.same_vote)
