"""What each class and each cluster costs, as ranked bars."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Literal

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.explanation.costs import Costs, CostsStudy, LineCosts
from core.explanation.difference import signed
from core.formatting import UNDEFINED
from core.metrics.catalogue import METRICS
from core.studies.study import Study
from gui.elided_label import ElidedLabel
from gui.explanation.bars import Bar, BarList
from gui.explanation.view import Question, View
from gui.theme import GRID, Theme

By = Literal["share", "cost"]


class CostsView(View):
    """Classes on the left, clusters on the right.

    Signals
    -------
    class_chosen(int), cluster_chosen(int)
        Its row or column, counted from 0.
    """

    title: ClassVar[str] = "Costs"
    hint: ClassVar[str] = "What each truth class and each cluster costs the score"

    class_chosen = Signal(int)
    cluster_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._costs: Costs | None = None
        self._by: By = "share"
        self.classes = BarList("Truth classes by what they cost")
        self.clusters = BarList("Clusters by what they cost")
        self._headings = (ElidedLabel(), ElidedLabel())
        self._instead = (QLabel(), QLabel())
        row = QHBoxLayout(self._body)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID * 2)
        sides = zip(self._headings, (self.classes, self.clusters), self._instead, strict=True)
        for heading, bars, instead in sides:
            heading.setObjectName("muted")
            instead.setObjectName("muted")
            instead.setWordWrap(True)
            instead.hide()
            side = QVBoxLayout()
            side.setSpacing(GRID // 4)
            side.addWidget(heading)
            side.addWidget(instead)
            side.addWidget(bars, 1)
            side.addStretch(0)
            row.addLayout(side, 1)
        self.classes.chosen.connect(self.class_chosen)
        self.clusters.chosen.connect(self.cluster_chosen)
        self._corner = self._buttons()

    def _buttons(self) -> QWidget:
        corner = QWidget()
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._choice = QButtonGroup(self)
        for number, (text, tip) in enumerate(
            (
                ("Share of loss", "The share of each in what the score lacks to 1"),
                ("Left out", "By how much leaving it out would better the score"),
            )
        ):
            button = QToolButton()
            button.setObjectName("segment")
            button.setText(text)
            button.setToolTip(tip)
            button.setCheckable(True)
            button.setAccessibleName(f"Costs as: {text.lower()}")
            self._choice.addButton(button, number)
            row.addWidget(button)
        self._choice.button(0).setChecked(True)
        self._choice.idClicked.connect(self._on_choice)
        return corner

    def corner(self) -> QWidget | None:
        return self._corner

    def reason_against(self, question: Question) -> str | None:
        if not question.scores.table.total:
            return "The table has no items: enter at least one count."
        if METRICS[question.key].when == "request":
            return (
                f"{METRICS[question.key].name} searches or draws many tables for each class that "
                "is left out, which takes too long here."
            )
        return None

    def study(self, question: Question) -> Study[Costs]:
        return CostsStudy(question.scores.table, question.key, question.scores.options)

    def show_result(self, result: Costs) -> None:
        self._costs = result
        self._show()
        self.show_body()

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._show()

    def set_digits(self, digits: int) -> None:
        super().set_digits(digits)
        self._show()

    @property
    def by(self) -> By:
        """What the bars show: what was chosen, where the score has it."""
        costs = self._costs
        splits = costs is None or any(
            line.share is not None for line in (costs.classes, costs.clusters)
        )
        return self._by if splits else "cost"

    @Slot(int)
    def _on_choice(self, number: int) -> None:
        self._by = "share" if number == 0 else "cost"
        self._show()

    def _show(self) -> None:
        costs = self._costs
        if costs is None:
            return
        by = self.by
        metric = METRICS[costs.key]
        splits = costs.classes.share is not None or costs.clusters.share is not None
        share = self._choice.button(0)
        share.setEnabled(splits)
        share.setToolTip(
            "The share of each in what the score lacks to 1"
            if splits
            else f"{metric.symbol} is no sum over classes or clusters"
        )
        self._choice.button(0 if by == "share" else 1).setChecked(True)
        lists = (self.classes, self.clusters)
        lines = (costs.classes, costs.clusters)
        for bars, line, heading, instead in zip(
            lists, lines, self._headings, self._instead, strict=True
        ):
            heading.setText(_heading(line, by, metric.symbol, metric.larger_is_better))
            bars.set_colours(self.theme, self.theme.family(metric.family.key))
            reason = self._reason(line, by, costs)
            instead.setText(reason)
            instead.setVisible(bool(reason))
            bars.setVisible(not reason)
            if reason:
                continue
            self._fill(bars, line, by, costs)

    @staticmethod
    def _reason(line: LineCosts, by: By, costs: Costs) -> str:
        """Return why there are no bars, empty where there are."""
        symbol = METRICS[costs.key].symbol
        if costs.why is not None:
            return f"{symbol} does not exist: {costs.why}."
        if by == "cost":
            return ""
        if line.share is None:
            what = "clusters" if line.kind == "cluster" else "classes"
            return f"{symbol} is no sum over {what}. “Left out” shows what each costs."
        if line.reach(by) == (0.0, 0.0):
            return f"{symbol} loses nothing here, or not by class with the options chosen."
        return ""

    def _fill(self, bars: BarList, line: LineCosts, by: By, costs: Costs) -> None:
        order = line.ranked(by)
        values = line.share

        def text(value: float) -> str:
            if value != value:
                return UNDEFINED
            return f"{100 * value:.1f} %" if by == "share" else signed(value, self.digits)

        def bar(row: int) -> Bar:
            place = order[row]
            if by == "share" or not line.known[place]:
                value = float("nan") if values is None else float(values[place])
                said = text(value) if by == "share" else "\N{HORIZONTAL ELLIPSIS}"
                return Bar(place, line.names[place], value, said)
            # The bar is as long as what ties leave for sure; the order is that of the bars.
            least, most = float(line.least[place]), float(line.most[place])
            said = text(least) if least == most else f"{text(least)} to {text(most)}"
            if place in line.ties:
                said = f"! {said}"
            return Bar(place, line.names[place], least, text(least) if least != least else said)

        low, high = line.reach(by)
        widest = max((text(low), text(high), text(0.0)), key=len)
        # A value in powers of ten may be longer than those at the ends.
        few = [bar(row).text for row in range(min(len(order), 50))]
        widest = max((widest, *few), key=len)
        tip = partial(line.sentence, key=costs.key, score=costs.score, digits=self.digits)
        bars.show_bars(len(order), bar, tip, (low, high), widest)


def _heading(line: LineCosts, by: By, symbol: str, larger_is_better: bool | None) -> str:
    what = "Truth classes" if line.kind == "class" else "Clusters"
    if by == "share":
        lost = symbol if larger_is_better is False else f"1 \N{MINUS SIGN} {symbol}"
        return f"{what}: share of {lost}"
    gained = {None: "raised", True: "gained"}.get(larger_is_better, "lowered")
    return f"{what}: {symbol} {gained} without it"
