"""What the simulation page shows, as figures for print."""

from __future__ import annotations

from core.metrics.catalogue import METRICS
from core.studies.simulation import SimulationResult
from core.version import __version__
from gui.plots.charts import CorrelationsFigure, HistogramsFigure, Panel, PointsFigure
from gui.simulation.correlations import CorrelationsView
from gui.simulation.histograms import HistogramsView
from gui.simulation.points import PointsView
from gui.theme import LIGHT

Figure = HistogramsFigure | CorrelationsFigure | PointsFigure


def settings_of(result: SimulationResult) -> str:
    """Return what makes the same tables again, in words."""
    simulation = result.simulation
    options = simulation.options
    parts = [
        f"Tallyscope {__version__}",
        f"{simulation.scenario.kind}: {simulation.scenario.words}",
        f"{result.done} of {simulation.tables} tables",
        f"seed {simulation.seed}",
        f"q = {options.q:g}, beta = {options.beta:g}, average = {options.average}, "
        f"empty_truth = {options.empty_truth}, draws = {options.draws}",
        "rows are truth classes, columns are clusters",
    ]
    return "; ".join(parts)


def light_colour(key: str) -> str:
    """Return the colour of a metric on paper."""
    return LIGHT.family(METRICS[key].family.key).name()


def histograms_figure(view: HistogramsView, key: str | None = None) -> HistogramsFigure | None:
    """Return all histograms that are shown, or that of a metric; None while there is none."""
    runs = view.runs
    keys = [each for each in view.shown_keys if key is None or each == key]
    if not runs or not keys:
        return None
    shares = len(runs) > 1
    panels = []
    for each in keys:
        series = view.series(each)
        heights = [one.heights(shares) for one in series]
        panels.append(
            Panel(
                METRICS[each].symbol,
                view.note(each),
                light_colour(each),
                view.axis(each),
                series[0].edges,
                heights,
                view.top(each),
                view.median(each),
            )
        )
    settings = " / ".join(settings_of(run.result) for run in runs)
    return HistogramsFigure(panels, [run.title for run in runs], shares, settings)


def correlations_figure(view: CorrelationsView) -> CorrelationsFigure | None:
    """Return the correlations that are shown; None while there are none."""
    if view.found is None or view.run is None:
        return None
    keys = view.found.by_key
    return CorrelationsFigure(
        view.found,
        {key: METRICS[key].symbol for key in keys},
        {key: light_colour(key) for key in keys},
        view.run.title,
        f"{settings_of(view.run.result)}; {view.found.resamples} resamples, seed {view.found.seed}",
    )


def points_figure(view: PointsView) -> PointsFigure | None:
    """Return the points that are shown; None while there are none."""
    run = view.run
    if run is None or run.running or view.across.currentIndex() < 0:
        return None
    x, y = view.across.currentData(), view.up.currentData()
    return PointsFigure(
        run.result.of(x),
        run.result.of(y),
        (METRICS[x].symbol, METRICS[y].symbol),
        light_colour(y),
        run.title,
        settings_of(run.result),
    )
