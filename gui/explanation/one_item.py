"""What the score would be if one item of the selected cell lay elsewhere."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from core.explanation.difference import signed
from core.explanation.moves import Move, Moves, MovesStudy
from core.formatting import format_score
from core.metrics.catalogue import METRICS
from core.studies.study import Study
from gui.explanation.text_table import TextTable
from gui.explanation.view import Question, View
from gui.theme import GRID

# Targets in the list; the others are in the table, where a click on a cell shows them.
_MOST = 200
# One item changes little, so more decimals are shown than elsewhere.
_MORE_DIGITS = 2
# Up is for the better, whatever the sign.
_ARROWS = {
    None: "",
    True: "\N{BLACK UP-POINTING SMALL TRIANGLE} ",
    False: "\N{BLACK DOWN-POINTING SMALL TRIANGLE} ",
}


class OneItemView(View):
    """A sentence on the left, the best targets on the right.

    Signals
    -------
    targets_changed(object)
        The `Moves` of the selected cell as far as they are known; None where there are none.
    target_chosen(int, int)
        Row and column of the cell that a target in the list stands for.
    """

    title: ClassVar[str] = "One item"
    hint: ClassVar[str] = "What moving one item of the selected cell would change"

    targets_changed = Signal(object)
    target_chosen = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._moves: Moves | None = None
        self._ranked: list[Move] = []
        self._picked: tuple[str, int] | None = None
        self._filling = False
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.words.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._note = QLabel()
        self._note.setObjectName("muted")
        self._note.setWordWrap(True)
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._note.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.targets = TextTable("Where one item would go", ("Goes to", "Score", "Change"))
        self.targets.row_changed.connect(self._on_row)
        self.targets.row_chosen.connect(self._on_chosen)
        left = QVBoxLayout()
        left.setSpacing(GRID)
        left.setContentsMargins(GRID // 2, GRID // 2, 0, 0)
        left.addWidget(self.words)
        left.addWidget(self._note)
        left.addStretch(1)
        row = QHBoxLayout(self._body)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID * 2)
        row.addLayout(left, 2)
        row.addWidget(self.targets, 3)

    @property
    def moves(self) -> Moves | None:
        """What is shown."""
        return self._moves

    def depends_on(self, question: Question) -> tuple[object, ...]:
        return *super().depends_on(question), question.cell

    def reason_against(self, question: Question) -> str | None:
        table = question.scores.table
        if not table.total:
            return "The table has no items: enter at least one count."
        if METRICS[question.key].when == "request":
            return (
                f"{METRICS[question.key].name} searches or draws many tables for each change, "
                "which takes too long here."
            )
        cell = question.cell
        if cell is None or not (0 <= cell[0] < table.shape[0] and 0 <= cell[1] < table.shape[1]):
            return "Select a cell of the table to see what moving one of its items would change."
        if table.shape == (1, 1):
            return "The table has one cell: there is no other place for an item."
        return None

    def study(self, question: Question) -> Study[Moves]:
        if question.cell is None:
            raise ValueError("no cell is selected")
        row, column = question.cell
        return MovesStudy(question.scores.table, question.key, row, column, question.scores.options)

    def show_result(self, result: Moves) -> None:
        before = self._moves
        if before is None or (before.key, before.row, before.column) != (
            result.key,
            result.row,
            result.column,
        ):
            self._picked = None
        self._moves = result
        self.targets_changed.emit(result if result.count else None)
        if not result.count:
            self.say(
                f"No item of class {result.table.truth[result.row]} is in cluster "
                f"{result.table.clusters[result.column]}: select a cell that holds items."
            )
            return
        self._show()
        self.show_body()

    def say(self, sentence: str) -> None:
        self._moves = None
        self.targets_changed.emit(None)
        super().say(sentence)

    def forget(self) -> None:
        self.targets_changed.emit(None)

    def recall(self) -> None:
        moves = self._moves
        self.targets_changed.emit(moves if moves is not None and moves.count else None)

    def show_target(self, row: int, column: int) -> bool:
        """Show the move to a cell; return whether it is one that the item can go to."""
        moves = self._moves
        move = None if moves is None else moves.move_to(row, column)
        if move is None:
            return False
        self._picked = (move.along, move.place)
        self._select_picked()
        self._say_in_words()
        return True

    def set_digits(self, digits: int) -> None:
        super().set_digits(digits)
        self._show()

    def _show(self) -> None:
        moves = self._moves
        if moves is None:
            return
        self._ranked = moves.ranked(_MOST)
        ranked = self._ranked

        def text(row: int, column: int) -> str:
            if row >= len(ranked):
                return ""
            move = ranked[row]
            if column == 0:
                return f"{move.along} {move.name}"
            if column == 1:
                return format_score(move.score, self.digits + _MORE_DIGITS)
            change = f"{_ARROWS[move.better]}{signed(move.change, self.digits + _MORE_DIGITS)}"
            # Ties decide it: the sentence on it says what else it may be.
            return f"! {change}" if moves.is_tied(move) else change

        def tip(row: int) -> str:
            return moves.sentence(ranked[row], self.digits)

        self._filling = True
        columns = ("Goes to", METRICS[moves.key].symbol, "Change")
        self.targets.show_texts(len(ranked), text, tip, columns)
        self._filling = False
        self._select_picked()
        self._say_in_words()

    def _select_picked(self) -> None:
        row = next(
            (i for i, move in enumerate(self._ranked) if (move.along, move.place) == self._picked),
            0 if self._picked is None else -1,
        )
        self._filling = True
        if row < 0 or not self._ranked:
            self.targets.clearSelection()
        else:
            self.targets.setCurrentIndex(self.targets.texts.index(row, 0))
        self._filling = False

    def _present(self) -> Move | None:
        moves = self._moves
        if moves is None:
            return None
        if self._picked is None:
            return self._ranked[0] if self._ranked else None
        along, place = self._picked
        cell = (moves.row, place) if along == "cluster" else (place, moves.column)
        return moves.move_to(*cell)

    def _say_in_words(self) -> None:
        moves, move = self._moves, self._present()
        if moves is None or move is None:
            self.words.setText("")
            self._note.setText("")
            return
        self.words.setText(moves.sentence(move, self.digits))
        metric = METRICS[moves.key]
        best = moves.best
        tied = any(moves.is_tied(other) for other in self._ranked)
        sure = ", however ties are broken" if tied else ""
        if not moves.complete:
            note = "More targets are being computed."
        elif metric.larger_is_better is None:
            note = f"{metric.symbol} is a quantity, neither good nor bad."
        elif best is None:
            note = f"No other place of one item of this cell would better {metric.symbol}{sure}."
        elif (best.along, best.place) == (move.along, move.place):
            note = f"It is the best place for one item of this cell{sure}."
        else:
            note = f"The best place would be {best.along} {best.name}{sure}."
        self._note.setText(note)

    @Slot(int)
    def _on_row(self, row: int) -> None:
        if self._filling or not 0 <= row < len(self._ranked):
            return
        move = self._ranked[row]
        self._picked = (move.along, move.place)
        self._say_in_words()

    @Slot(int)
    def _on_chosen(self, row: int) -> None:
        moves = self._moves
        if moves is None or not 0 <= row < len(self._ranked):
            return
        move = self._ranked[row]
        if move.along == "cluster":
            self.target_chosen.emit(moves.row, move.place)
        else:
            self.target_chosen.emit(move.place, moves.column)
