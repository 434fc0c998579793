"""What can be exported of a simulation, as a menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from core.files.simulation_scores import SaveSimulatedScores
from core.files.simulation_settings import SaveSettings
from core.files.simulation_summary import SaveSimulationSummary
from core.files.simulation_tables import SaveSimulatedTables
from core.metrics.catalogue import METRICS
from core.studies.study import Study
from gui.page_exports import PageExports
from gui.simulation.correlations import CorrelationsView
from gui.simulation.figures import correlations_figure, histograms_figure, points_figure
from gui.simulation.histograms import HistogramsView
from gui.simulation.points import PointsView
from gui.simulation.runs import Run

TABLE_FILTERS = {
    "NumPy archive (*.npz)": "npz",
    "CSV, a line a table (*.csv)": "csv",
    "TSV, a line a table (*.tsv)": "tsv",
}
SCORE_FILTERS = {
    "CSV (*.csv)": "csv",
    "TSV (*.tsv)": "tsv",
    "Excel (*.xlsx)": "xlsx",
    "Parquet (*.parquet)": "parquet",
}
SUMMARY_FILTERS = {
    "CSV (*.csv)": "csv",
    "Markdown (*.md)": "md",
    "JSON (*.json)": "json",
    "TSV (*.tsv)": "tsv",
}
SETTINGS_FILTERS = {"Settings, which run it again (*.json)": "json"}


class Shown(Protocol):
    """A page that shows a simulation."""

    histograms: HistogramsView
    correlations: CorrelationsView
    points: PointsView
    stack: QStackedWidget

    @property
    def run(self) -> Run | None:
        """The simulation that is shown."""
        ...


class ExportMenu(QMenu):
    """Offers what is on the screen as a figure, and what lies behind it as files.

    Parameters
    ----------
    exports : PageExports
    page : Shown
    parent : QWidget
    """

    def __init__(self, exports: PageExports, page: Shown, parent: QWidget) -> None:
        super().__init__(parent)
        self._exports = exports
        self._page = page
        self.aboutToShow.connect(self.fill)
        self.fill()

    @Slot()
    def fill(self) -> None:
        """Offer what can be exported now."""
        self.clear()
        run = self._page.run
        if run is None:
            return
        if not run.result.done:
            self.addAction("Nothing to export: no table was scored").setEnabled(False)
            return
        self._offer_figures(run)
        if run.running or not run.result.done:
            return
        self.addSeparator()
        result, found = run.result, self._page.correlations.found
        # Of a run that was stopped, what makes the tables again that are there.
        made = replace(result.simulation, tables=result.done)
        # What was correlated belongs to the run that is shown, if it is there at all.
        correlations = () if found is None or self._page.correlations.run is not run else (found,)
        for text, stem, filters, study in (
            ("Tables", "tables", TABLE_FILTERS, partial(SaveSimulatedTables, result)),
            ("Scores", "scores", SCORE_FILTERS, partial(SaveSimulatedScores, result)),
            (
                "Summary",
                "summary",
                SUMMARY_FILTERS,
                partial(SaveSimulationSummary, result, correlations=correlations),
            ),
            ("Settings", "settings", SETTINGS_FILTERS, partial(SaveSettings, made)),
        ):
            self._offer(
                self,
                text,
                partial(
                    self._ask, f"Export the {text.lower()}", f"{run.name} {stem}", filters, study
                ),
            )

    def _ask(
        self,
        title: str,
        stem: str,
        filters: Mapping[str, str],
        study: Callable[..., Study[Any]],
    ) -> None:
        self._exports.ask(title, stem, filters, lambda path: study(path=path))

    def _offer(self, menu: QMenu, text: str, act: Callable[[], object]) -> None:
        def triggered(_checked: bool = False) -> None:
            act()

        menu.addAction(f"{text}\N{HORIZONTAL ELLIPSIS}").triggered.connect(triggered)

    def _offer_figure(self, menu: QMenu, text: str, stem: str, make: Callable[[], Any]) -> None:
        self._offer(menu, text, lambda: self._exports.ask_figure(make(), stem))

    def _offer_figures(self, run: Run) -> None:
        page, view = self._page, self._page.stack.currentWidget()
        if view is page.histograms:
            histograms = page.histograms
            self._offer_figure(
                self,
                "All histograms as a figure",
                f"{run.name} histograms",
                lambda: histograms_figure(histograms),
            )
            single = self.addMenu("One histogram as a figure")
            for key in histograms.shown_keys:
                self._offer_figure(
                    single,
                    METRICS[key].symbol,
                    f"{run.name} {key}",
                    partial(histograms_figure, histograms, key),
                )
        elif view is page.correlations:
            self._offer_figure(
                self,
                "Correlations as a figure",
                f"{run.name} correlations",
                lambda: correlations_figure(page.correlations),
            )
        elif view is page.points:
            self._offer_figure(
                self,
                "Points as a figure",
                f"{run.name} scatter",
                lambda: points_figure(page.points),
            )
