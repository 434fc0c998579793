"""What is to be profiled: tables, routes, metrics."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLabel, QLineEdit, QWidget

from core.metrics.metric import ScoreOptions
from core.profiling.routes import ROUTES
from core.simulation.dividers import DividedTotal
from core.simulation.presets import PAPER_TABLES, PRESETS
from core.simulation.scenario import SimulationError
from core.studies.profiling import DEFAULT_PRESET, Profile
from gui.theme import GRID, LIGHT, Theme

_FIELDS = {
    "rows": ("C&lasses", "Truth classes: rows of every table"),
    "columns": ("Cl&usters", "Clusters: columns of every table"),
    "total": ("Items", "Items of every table, N"),
    "instances": ("&Instances", "Tables, each timed once by every metric and route"),
    "seed": ("See&d", "The same seed makes the same tables"),
}


class ProfileSettings(QWidget):
    """A form; whatever is typed is checked when it is asked for.

    Signals
    -------
    entered()
        Enter was pressed in a field.
    """

    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self.scenario = QComboBox()
        self.scenario.setAccessibleName("Tables")
        for key, preset in PRESETS.items():
            if isinstance(preset.scenario, DividedTotal):
                self.scenario.addItem(preset.name, key)
        self.scenario.setToolTip("What the tables are made from; the fields below change it")
        self.fields: dict[str, QLineEdit] = {}
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(GRID)
        form.setVerticalSpacing(GRID // 2)
        form.addRow("Tables", self.scenario)
        for key, (label, tip) in _FIELDS.items():
            field = QLineEdit()
            field.setMaxLength(30)
            field.setMinimumWidth(GRID * 8)
            field.setToolTip(tip)
            field.setAccessibleName(label.replace("&", ""))
            field.returnPressed.connect(self.entered)
            field.textEdited.connect(self._clear_error)
            self.fields[key] = field
            form.addRow(label, field)
        self.message = QLabel()
        self.message.setWordWrap(True)
        self.message.hide()
        form.addRow(self.message)
        self.routes: dict[str, QCheckBox] = {}
        for key, route in ROUTES.items():
            box = QCheckBox(f"{route.name[:1].upper()}{route.name[1:]}")
            box.setToolTip(route.note)
            box.setChecked(True)
            box.toggled.connect(self._clear_error)
            self.routes[key] = box
            form.addRow(box)
        self.scenario.setCurrentIndex(self.scenario.findData(DEFAULT_PRESET))
        self.fields["instances"].setText(str(PAPER_TABLES))
        self.fields["seed"].setText("0")
        self.scenario.currentIndexChanged.connect(self._on_scenario)
        self._on_scenario()

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.message.setStyleSheet(f"color: {theme.error}")

    def _on_scenario(self) -> None:
        scenario = PRESETS[self.scenario.currentData()].scenario
        rows, columns = scenario.shape
        values = {"rows": rows, "columns": columns, "total": scenario.total}
        for key, value in values.items():
            self.fields[key].setText(str(value))
        self._clear_error()

    def profile(self, keys: tuple[str, ...], options: ScoreOptions) -> Profile:
        """Return what is asked for.

        Parameters
        ----------
        keys : tuple of str
            The metrics.
        options : ScoreOptions

        Raises
        ------
        SimulationError
            If a setting has no meaning; `show_error` shows it.
        """
        preset = PRESETS[self.scenario.currentData()].scenario
        weight = preset.zero_weight if isinstance(preset, DividedTotal) else 1.0
        scenario = DividedTotal(
            self._whole("rows"), self._whole("columns"), self._whole("total"), weight
        )
        routes = [key for key, box in self.routes.items() if box.isChecked()]
        return Profile(
            scenario, self._whole("instances"), keys, routes, self._whole("seed"), options
        )

    @property
    def name(self) -> str:
        """What a profile of these tables is called."""
        rows, columns = (self.fields[key].text().strip() for key in ("rows", "columns"))
        return f"This machine, {rows} × {columns}"

    def _whole(self, key: str) -> int:
        text = self.fields[key].text().strip()
        plain = text.replace(",", "").replace(" ", "").replace("\N{NARROW NO-BREAK SPACE}", "")
        if plain.isascii() and plain.isdigit():
            return int(plain)
        name = self.fields[key].accessibleName().lower()
        raise SimulationError(
            key, f"{name}: {text[:20]!r} is no whole number" if text else f"{name}: type a number"
        )

    def show_error(self, error: SimulationError) -> None:
        """Say below the fields what is wrong, and go to the field."""
        text = error.message
        self.message.setText(f"{text[:1].upper()}{text[1:]}.")
        self.message.show()
        field = self.fields.get(error.setting)
        if field is not None:
            field.setFocus()
            field.selectAll()

    def _clear_error(self) -> None:
        self.message.hide()
