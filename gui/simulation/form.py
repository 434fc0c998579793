"""What is to be simulated: a preset, or settings of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, cast

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from core.metrics.metric import ScoreOptions
from core.simulation.around import FixedMargins, Move, Perturbed
from core.simulation.dividers import DividedTotal, Generator
from core.simulation.extremes import Ideal, Worst
from core.simulation.presets import PAPER_TABLES, PRESETS
from core.simulation.scenario import Scenario, SimulationError
from core.studies.simulation import Simulation
from core.table import ContingencyTable
from gui.elided_label import ElidedLabel
from gui.theme import GRID, LIGHT, Theme

# Letters of the name of a table in the name of a run.
_MOST_NAME = 60

CUSTOM, MARGINS, PERTURB = "custom", "margins", "perturb"

_OWN: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        CUSTOM: ("Custom", "Tables that divide a total at random, of any size."),
        MARGINS: (
            "Margins of my table",
            "Random tables with the margins of the table under edit: what chance alone gives.",
        ),
        PERTURB: (
            "Perturb my table",
            "The table under edit, a share of its items in another cluster.",
        ),
    }
)

_FIELDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "rows": ("C&lasses", "Truth classes: rows of every table"),
        "columns": ("Cl&usters", "Clusters: columns of every table"),
        "total": ("Items", "Items of every table, N"),
        "zero_weight": (
            "&Zero weight",
            "Weight of a divider at 0; the others have 1. The paper's higher scores have 1000.",
        ),
        "share": ("S&hare moved", "Share of the items that change their cluster, in percent"),
        "tables": ("&Tables", "How many tables are made and scored"),
        "seed": ("See&d", "The same seed makes the same tables"),
    }
)

# Which settings each kind of scenario has.
_DIVIDED = ("rows", "columns", "total", "zero_weight", "generator")
_UNDIVIDED = ("rows", "columns", "total")
_SETTINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        CUSTOM: _DIVIDED,
        MARGINS: ("table",),
        PERTURB: ("table", "share", "move"),
        "ideal": _UNDIVIDED,
        "worst": _UNDIVIDED,
    }
)


class ScenarioForm(QWidget):
    """Settings of a simulation; whatever is typed is checked when it is asked for.

    Signals
    -------
    changed()
        A setting is another now.
    entered()
        Enter was pressed in a field: the user wants to run it.
    """

    changed = Signal()
    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._filling = False
        self.scenario = QComboBox()
        self.scenario.setAccessibleName("Scenario")
        self.scenario.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for key, preset in PRESETS.items():
            self.scenario.addItem(preset.name, key)
        self.scenario.insertSeparator(self.scenario.count())
        for key, (name, _) in _OWN.items():
            self.scenario.addItem(name, key)
        self.note = QLabel()
        self.note.setObjectName("muted")
        self.note.setWordWrap(True)
        self.note.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        # The form gives it the height of one line; of three, so that nothing below it jumps.
        self.note.setFixedHeight(3 * self.fontMetrics().lineSpacing() + 2)
        self.fields: dict[str, QLineEdit] = {}
        for key, (label, tip) in _FIELDS.items():
            field = QLineEdit()
            field.setMaxLength(30)
            field.setMinimumWidth(GRID * 8)
            field.setToolTip(tip)
            field.setAccessibleName(label.replace("&", ""))
            field.textEdited.connect(self._on_edited)
            field.returnPressed.connect(self.entered)
            self.fields[key] = field
        self.generator_choice = _choice(
            "Generator",
            {"Fast (numpy)": "fast", "The paper's (random.choices)": "paper"},
            "One distribution, other tables: the paper's follows random.seed(seed)",
        )
        self.move_choice = _choice(
            "How items move",
            {"To any other cluster": "reassign", "Exchanged among each other": "exchange"},
            "Exchanging keeps the sizes of the clusters",
        )
        self.table_name = ElidedLabel()
        self.message = QLabel()
        self.message.setWordWrap(True)
        self.message.hide()
        self._lay_out()
        self.scenario.currentIndexChanged.connect(self._on_scenario)
        for choice in (self.generator_choice, self.move_choice):
            choice.currentIndexChanged.connect(self._on_choice)
        self._put(tables=PAPER_TABLES, seed=0, share="10")
        self.choose("low_4x4")

    def _lay_out(self) -> None:
        self._form = form = QFormLayout()
        form.setHorizontalSpacing(GRID)
        form.setVerticalSpacing(GRID // 2)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow("&Scenario", self.scenario)
        form.addRow(self.note)
        self._rows: dict[str, QWidget] = {"table": self.table_name, **self.fields}
        self._rows |= {"generator": self.generator_choice, "move": self.move_choice}
        labels = {
            "table": "Table",
            "generator": "&Generator",
            "move": "&Moved",
            **{key: label for key, (label, _) in _FIELDS.items()},
        }
        order = ("table", "rows", "columns", "total", "zero_weight", "generator", "share", "move")
        for key in (*order, "tables", "seed"):
            form.addRow(labels[key], self._rows[key])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addLayout(form)
        layout.addWidget(self.message)

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.message.setStyleSheet(f"color: {theme.error}")

    def set_table_name(self, name: str) -> None:
        """Say which table margins and perturbations are of."""
        self.table_name.setText(name)

    @property
    def key(self) -> str:
        """The preset, or the kind of scenario of one's own."""
        return str(self.scenario.currentData())

    @property
    def name(self) -> str:
        """The scenario as people read it."""
        return self.scenario.currentText()

    @property
    def run_name(self) -> str:
        """What a run of these settings is called."""
        if self.key in (MARGINS, PERTURB):
            what = "Margins of" if self.key == MARGINS else "Perturbed"
            return f"{what} {shortened(self.table_name.text())}"
        if self.key == CUSTOM:
            rows, columns = (self.fields[key].text().strip() for key in ("rows", "columns"))
            return f"Custom {rows} \N{MULTIPLICATION SIGN} {columns}"
        return self.name

    def choose(self, key: str) -> None:
        """Take a preset, or a kind of scenario of one's own."""
        self.scenario.setCurrentIndex(self.scenario.findData(key))
        self._on_scenario()

    def take(self, simulation: Simulation) -> None:
        """Show the settings of a simulation, those of a table of its own excepted."""
        scenario = simulation.scenario
        self._put(tables=simulation.tables, seed=simulation.seed)
        preset = next((key for key, p in PRESETS.items() if p.scenario == scenario), None)
        if preset is not None:
            self.choose(preset)
        elif isinstance(scenario, DividedTotal):
            self.choose(CUSTOM)
            self._show_divided(scenario)
        elif isinstance(scenario, Ideal | Worst):
            self.choose(scenario.kind)
            self._put(rows=scenario.rows, columns=scenario.columns, total=scenario.total)
        elif isinstance(scenario, Perturbed):
            self.choose(PERTURB)
            self._put(share=f"{scenario.share * 100:g}")
            self.move_choice.setCurrentIndex(self.move_choice.findData(scenario.move))
        else:
            self.choose(MARGINS)

    # What is asked for

    def simulation(
        self,
        table: Callable[[], ContingencyTable],
        keys: tuple[str, ...],
        options: ScoreOptions,
    ) -> Simulation:
        """Return what is asked for.

        Parameters
        ----------
        table : callable
            Returns the table under edit.
        keys : tuple of str
            The metrics.
        options : ScoreOptions

        Raises
        ------
        SimulationError
            If a setting has no meaning; `show_error` shows it.
        """
        return Simulation(
            self._scenario(table), self._whole("tables"), keys, self._whole("seed"), options
        )

    def _scenario(self, table: Callable[[], ContingencyTable]) -> Scenario:
        if self.key == MARGINS:
            return FixedMargins(table())
        if self.key == PERTURB:
            share = self._number("share")
            percent = share / 100 if isinstance(share, float) else share
            move = cast(Move, self.move_choice.currentData())
            return Perturbed(table(), cast(float, percent), move)
        rows, columns, total = (self._whole(key) for key in ("rows", "columns", "total"))
        if self.key in ("ideal", "worst"):
            return (Ideal if self.key == "ideal" else Worst)(rows, columns, total)
        generator = cast(Generator, self.generator_choice.currentData())
        weight = cast(float, self._number("zero_weight"))
        return DividedTotal(rows, columns, total, weight, generator)

    def _whole(self, key: str) -> int:
        text = self.fields[key].text()
        plain = "".join(text.split())
        # What is no whole number goes to the core as it is, which says so.
        return int(plain) if plain.isascii() and plain.isdigit() else cast(int, text)

    def _number(self, key: str) -> object:
        text = self.fields[key].text()
        plain = "".join(text.split()).removesuffix("%")
        if plain.count(",") == 1 and "." not in plain:
            plain = plain.replace(",", ".")
        if not plain or set(plain.lower()) - set("0123456789.-+e"):
            return text
        try:
            return float(plain)
        except ValueError:
            return text

    def show_error(self, error: SimulationError) -> None:
        """Say in place what is wrong, and give the keyboard to the setting."""
        self.message.setText(f"{error.message[:1].upper()}{error.message[1:]}.")
        self.message.show()
        field = self._rows.get(error.setting)
        if field is not None and field.isVisible():
            field.setFocus()
            if isinstance(field, QLineEdit):
                field.selectAll()

    # What is chosen and typed

    @Slot()
    def _on_scenario(self) -> None:
        key = self.key
        preset = PRESETS.get(key)
        self.note.setText(preset.note if preset is not None else _OWN[key][1])
        self._filling = True
        scenario = None if preset is None else preset.scenario
        if isinstance(scenario, DividedTotal):
            self._show_divided(scenario)
        elif isinstance(scenario, Ideal | Worst):
            self._put(rows=scenario.rows, columns=scenario.columns, total=scenario.total)
        self._filling = False
        shown = {*_SETTINGS.get(key, _DIVIDED), "tables", "seed"}
        for name, widget in self._rows.items():
            self._form.setRowVisible(widget, name in shown)
        self._changed()

    def _show_divided(self, scenario: DividedTotal) -> None:
        self._put(
            rows=scenario.rows,
            columns=scenario.columns,
            total=scenario.total,
            zero_weight=f"{scenario.zero_weight:g}",
        )
        # The code that draws them is no part of what the paper's scenarios are.
        if self.key == CUSTOM:
            self.generator_choice.setCurrentIndex(
                self.generator_choice.findData(scenario.generator)
            )

    def _put(self, **values: Any) -> None:
        for key, value in values.items():
            self.fields[key].setText(str(value))

    @Slot()
    def _on_edited(self) -> None:
        typed = self.sender()
        own = [self.fields[key] for key in ("rows", "columns", "total", "zero_weight")]
        if typed in own and isinstance(self._preset_scenario(), DividedTotal):
            self._become_custom()
        self._changed()

    @Slot()
    def _on_choice(self) -> None:
        if not self._filling:
            self._changed()

    def _preset_scenario(self) -> Scenario | None:
        preset = PRESETS.get(self.key)
        return None if preset is None else preset.scenario

    def _become_custom(self) -> None:
        self.scenario.blockSignals(True)
        self.scenario.setCurrentIndex(self.scenario.findData(CUSTOM))
        self.scenario.blockSignals(False)
        self.note.setText(_OWN[CUSTOM][1])

    def _changed(self) -> None:
        self.message.hide()
        self.changed.emit()


def shortened(name: str) -> str:
    """Return a name with its middle left out where it is longer than a line of a list."""
    return name if len(name) <= _MOST_NAME else f"{name[: _MOST_NAME - 16]}…{name[-15:]}"


def _choice(name: str, options: Mapping[str, str], tip: str) -> QComboBox:
    choice = QComboBox()
    choice.setAccessibleName(name)
    choice.setToolTip(tip)
    choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    choice.setMinimumContentsLength(8)
    choice.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    for text, value in options.items():
        choice.addItem(text, value)
    return choice
