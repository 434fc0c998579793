"""Two scores of every table of a simulation as points."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from core.metrics.catalogue import METRICS
from gui.plots.scatter import ScatterPlot
from gui.simulation.runs import Run
from gui.theme import GRID, LIGHT, Theme


class PointsView(QWidget):
    """A scatter of any two metrics, a density where there are many points.

    Signals
    -------
    number_asked(int)
        A point was clicked: this table is wanted, by its number from 0.
    """

    title = "Scatter"

    number_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._run: Run | None = None
        self._theme = LIGHT
        self._asked: tuple[object, ...] = ()
        self.across = QComboBox()
        self.across.setAccessibleName("Metric across")
        self.up = QComboBox()
        self.up.setAccessibleName("Metric upwards")
        self.status = QLabel()
        self.status.setObjectName("muted")
        self.status.setWordWrap(True)
        self.plot = ScatterPlot()
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addWidget(QLabel("Across"))
        row.addWidget(self.across)
        row.addWidget(QLabel("upwards"))
        row.addWidget(self.up)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addLayout(row)
        layout.addWidget(self.plot, 1)
        layout.addWidget(self.status)
        self.across.activated.connect(self.refresh)
        self.up.activated.connect(self.refresh)
        self.plot.point_clicked.connect(self.number_asked)

    @property
    def run(self) -> Run | None:
        """The run that is shown."""
        return self._run

    def set_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.plot.set_theme(theme)
        self._asked = ()
        self.refresh()

    def set_digits(self, digits: int) -> None:
        """Axes have the decimals that they need."""

    def show_run(self, run: Run | None) -> None:
        """Show the points of another run."""
        if run is not self._run:
            self._run = run
            self._asked = ()
            keys = () if run is None else run.result.keys
            for choice, place in ((self.across, 0), (self.up, 1)):
                before = choice.currentData()
                choice.clear()
                for key in keys:
                    choice.addItem(METRICS[key].symbol, key)
                known = choice.findData(before)
                choice.setCurrentIndex(known if known >= 0 else min(place, len(keys) - 1))
        self.refresh()

    def show_pair(self, across: str, up: str) -> None:
        """Show two metrics."""
        self.across.setCurrentIndex(self.across.findData(across))
        self.up.setCurrentIndex(self.up.findData(up))
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the points if others are asked for now, and can be seen."""
        run = self._run
        if run is None or not self.isVisible() or self.across.currentIndex() < 0:
            return
        if run.running:
            self.status.setText("The points follow when the run has ended.")
            self.plot.clear()
            self._asked = ()
            return
        x, y = self.across.currentData(), self.up.currentData()
        asked = (run, run.result, x, y)
        if asked == self._asked:
            return
        self._asked = asked
        colour = self._theme.family(METRICS[y].family.key).name()
        self.plot.set_axes(METRICS[x].symbol, METRICS[y].symbol, colour)
        self.plot.set_points(run.result.of(x), run.result.of(y))
        self.status.setText(
            f"{run.title}: {run.result.done:,} tables. Click a point to see its table."
        )
