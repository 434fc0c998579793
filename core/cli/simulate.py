"""The command ``simulate``."""

# ruff: noqa: ARG001
# Options are named after arguments; many are read together, by name.

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from core.cli import simulation_options as given
from core.cli.options import (
    Array,
    Average,
    Beta,
    BlankZero,
    Cells,
    Draws,
    EmptyTruth,
    Encoding,
    Header,
    Index,
    Q,
    Separator,
    Several,
    Sheet,
    Thousands,
    Totals,
    Transpose,
    metric_keys,
    read_options,
    score_options,
)
from core.cli.progress import Interrupt, driven, start_workers
from core.cli.simulation_files import OutFiles
from core.cli.streams import complain, write, write_bytes

# What needs numpy or rich is imported where it is used: --help must not wait for it.
if TYPE_CHECKING:
    from core.files.options import OpenOptions
    from core.statistics.correlation import Kind
    from core.studies.correlations import Correlations
    from core.studies.simulation import Simulation, SimulationResult

_INTERRUPTED = 130
_SCENARIO = (
    "preset",
    "rows",
    "columns",
    "total",
    "zero_weight",
    "generator",
    "margins",
    "perturb",
    "share",
    "move",
)
_SCORING = ("q", "beta", "average", "empty_truth", "draws")


def simulate(
    context: typer.Context,
    preset: given.Preset = None,
    rows: given.Rows = None,
    columns: given.Columns = None,
    total: given.Total = None,
    zero_weight: given.ZeroWeight = None,
    generator: given.Generator = None,
    margins: given.Margins = None,
    perturb: given.Perturb = None,
    share: given.Share = None,
    move: given.Move = None,
    settings: given.Settings = None,
    tables: given.Tables = 500,
    seed: given.SimulationSeed = 0,
    metrics: given.SimulationMetrics = None,
    jobs: given.Jobs = 1,
    reference: given.With = None,
    spearman: given.Spearman = False,
    resamples: given.Resamples = None,
    json: given.Json = False,
    tables_out: given.TablesOut = None,
    scores_out: given.ScoresOut = None,
    summary_out: given.SummaryOut = None,
    settings_out: given.SettingsOut = None,
    force: given.Force = False,
    keep_partial: given.KeepPartial = False,
    q: Q = 1.0,
    beta: Beta = 1.0,
    average: Average = "arithmetic",
    empty_truth: EmptyTruth = "exclude",
    draws: Draws = 1000,
    draws_seed: given.DrawsSeed = 0,
    transpose: Transpose = False,
    separator: Separator = None,
    header: Header = None,
    index: Index = None,
    thousands: Thousands = None,
    blank_zero: BlankZero = False,
    encoding: Encoding = None,
    totals: Totals = None,
    sheet: Sheet = None,
    cells: Cells = None,
    array: Array = None,
    several: Several = None,
) -> None:
    """Score random tables, and say how the metrics go together."""
    if jobs == 0:
        raise typer.BadParameter("must be 1 or more, or -1 for all cores", param_hint="'--jobs'")
    reading = read_options(
        separator=separator,
        header=header,
        index=index,
        thousands=thousands,
        blank_zero=blank_zero,
        encoding=encoding,
        totals=totals,
        sheet=sheet,
        cells=cells,
        array=array,
        several=several,
    )
    named = {
        "tables": tables_out,
        "scores": scores_out,
        "summary": summary_out,
        "settings": settings_out,
    }
    files = OutFiles({what: path for what, path in named.items() if path is not None}, force)
    files.check_endings()
    simulation = _simulation(context.params, _chosen(context), reading, transpose)
    chosen = _reference(reference, simulation)
    files.check(simulation, [file for file in (margins, perturb, settings) if file is not None])
    kind: Kind = "spearman" if spearman else "pearson"
    # A file has both, whatever is shown.
    both = json or summary_out is not None
    kinds: tuple[Kind, ...] = ("pearson", "spearman") if both else (kind,)
    with Interrupt().watching() as interrupt:
        result, found = _run(simulation, chosen, kinds, resamples, interrupt, keep_partial)
        stopped = interrupt.pressed
        interrupt.pressed = False
        _print(result, found, kind, json)
        files.write(result, found, interrupt)
    if stopped:
        raise typer.Exit(_INTERRUPTED)


def _chosen(context: typer.Context) -> set[str]:
    """Return the options that were given, and not left at what they are by default."""
    return {
        name
        for name in context.params
        if getattr(context.get_parameter_source(name), "name", "") not in ("DEFAULT", "DEFAULT_MAP")
    }


def _simulation(
    params: dict[str, Any], chosen: set[str], reading: OpenOptions, transpose: bool
) -> Simulation:
    """Return the simulation that is asked for; ends the command where there is none."""
    from dataclasses import asdict, replace

    from core.files.errors import ReadError
    from core.simulation.presets import PAPER_METRICS
    from core.simulation.scenario import SimulationError
    from core.studies.simulation import Simulation

    scoring = {name: params[name] for name in _SCORING}
    scoring["seed"] = params["draws_seed"]
    keys = PAPER_METRICS if params["metrics"] is None else metric_keys(params["metrics"])
    if params["settings"] is None:
        options = score_options(**scoring)
        scenario = given.scenario_of({name: params[name] for name in _SCENARIO}, reading, transpose)
        try:
            return Simulation(
                scenario, params["tables"], keys, params["seed"], options, params["jobs"]
            )
        except SimulationError as error:
            raise given.ended(error) from None
    for name in _SCENARIO:
        if name in chosen:
            hint = f"'--{name.replace('_', '-')}'"
            raise typer.BadParameter("choose one scenario: the settings have it", param_hint=hint)
    try:
        before = _settings(params["settings"])
    except ReadError as error:
        complain(str(error))
        raise typer.Exit(1) from None
    changes: dict[str, Any] = {name: params[name] for name in ("tables", "seed") if name in chosen}
    if "metrics" in chosen:
        changes["keys"] = keys
    changed = {name: value for name, value in scoring.items() if name in chosen}
    if "draws_seed" in chosen:
        changed["seed"] = scoring["seed"]
    else:
        changed.pop("seed", None)
    if changed:
        changes["options"] = score_options(**{**asdict(before.options), **changed})
    try:
        return replace(before, **changes, n_jobs=params["jobs"])
    except SimulationError as error:
        raise given.ended(error) from None


def _settings(file: str) -> Simulation:
    from core.files.simulation_settings import ReadSettings
    from core.studies.study import run_to_end

    read = run_to_end(ReadSettings(file, file))
    for note in read.notes:
        complain(note)
    return read.simulation


def _reference(key: str | None, simulation: Simulation) -> str:
    """Return the metric that others are correlated with; wrong usage if it is not simulated."""
    if key is None:
        return "ap" if "ap" in simulation.keys else simulation.keys[0]
    if key not in simulation.keys:
        raise typer.BadParameter(
            f"{key!r} is not among the metrics: {', '.join(simulation.keys)}",
            param_hint="'--with'",
        )
    return key


def _run(
    simulation: Simulation,
    reference: str,
    kinds: tuple[Kind, ...],
    resamples: int | None,
    interrupt: Interrupt,
    keep_partial: bool,
) -> tuple[SimulationResult, list[Correlations]]:
    """Return scores and correlations, or what is there of them; ends the command if stopped."""
    from core.studies.correlations import CorrelateScores

    start_workers(simulation.n_jobs or 1)
    try:
        result, _ = driven(simulation, interrupt, "tables")
    except ValueError as error:
        complain(f"The simulation stopped: {error}.")
        raise typer.Exit(1) from None
    if interrupt.pressed:
        done = 0 if result is None else result.done
        complain(f"Interrupted after {done:,} of {simulation.tables:,} tables.")
        _end_unless(keep_partial and done > 0, done)
        # The intervals take long, and whoever pressed Ctrl+C does not want to wait.
        resamples = 0
    assert result is not None
    stopped, interrupt.pressed = interrupt.pressed, False
    found: list[Correlations] = []
    for kind in kinds:
        study = CorrelateScores(
            result.keys, result.values, reference, kind, resamples, int(simulation.seed)
        )
        correlations, ended = driven(study, interrupt)
        if not ended:
            complain(f"Interrupted at the intervals; all {result.done:,} tables were scored.")
            _end_unless(keep_partial, result.done)
        if correlations is not None:
            found.append(correlations)
        if not ended:
            break
    interrupt.pressed = interrupt.pressed or stopped
    return result, found


def _end_unless(goes_on: bool, done: int) -> None:
    if goes_on:
        return
    again = f" The first ones come again with --tables {done}." if done else ""
    complain(f"Nothing was written.{again}")
    raise typer.Exit(_INTERRUPTED)


def _print(result: SimulationResult, found: list[Correlations], kind: Kind, json: bool) -> None:
    from core.files.simulation_summary import summary_json, summary_of

    summary = summary_of(result, found)
    if json:
        write_bytes(summary_json(summary).encode("utf-8"))
        return
    from core.cli.simulation_report import simulation_report

    write(simulation_report(summary, next((f for f in found if f.kind == kind), None)))
