"""The command ``simulate``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.options import (
    Average,
    Beta,
    Draws,
    EmptyTruth,
    Metrics,
    Q,
    metric_keys,
    score_options,
)
from core.cli.streams import complain, write

# What needs numpy or rich is imported where it is used: --help must not wait for it.
if TYPE_CHECKING:
    from core.simulation.scenario import Scenario
    from core.studies.correlations import Correlations
    from core.studies.simulation import Simulation, SimulationResult
    from core.table import ContingencyTable

_PRESETS = "ideal, worst, low_4x4, higher_4x4, higher_4x6, higher_4x2"
_TABLES, _SCORES, _SUMMARY = (
    (".csv", ".tsv", ".npz"),
    (".csv", ".tsv", ".xlsx", ".parquet"),
    (*(".csv", ".tsv", ".md", ".json"),),
)


def simulate(
    preset: Annotated[
        str | None, typer.Option(metavar="NAME", help=f"A scenario of the AP paper: {_PRESETS}.")
    ] = None,
    rows: Annotated[
        int | None, typer.Option(help="Truth classes, of a scenario of one's own.")
    ] = None,
    columns: Annotated[int | None, typer.Option(help="Clusters.")] = None,
    total: Annotated[
        int | None, typer.Option(help="Items of every table, 2521 by default.")
    ] = None,
    zero_weight: Annotated[
        float | None,
        typer.Option(
            help="Weight of a divider at 0, 1 by default; the paper's higher ones have 1000."
        ),
    ] = None,
    generator: Annotated[
        str | None,
        typer.Option(
            metavar="fast|paper", help="numpy, or the paper's code statement by statement."
        ),
    ] = None,
    margins: Annotated[
        str | None, typer.Option(metavar="FILE", help="Random tables with the margins of a table.")
    ] = None,
    perturb: Annotated[
        str | None, typer.Option(metavar="FILE", help="A table, of which a share of items moves.")
    ] = None,
    share: Annotated[float, typer.Option(help="That share, above 0 and up to 1.")] = 0.1,
    move: Annotated[
        str, typer.Option(metavar="reassign|exchange", help="How the items move.")
    ] = "reassign",
    settings: Annotated[
        str | None, typer.Option(metavar="FILE", help="Run the settings of a file again.")
    ] = None,
    tables: Annotated[int | None, typer.Option(help="Number of tables, 500 by default.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the tables, 0 by default.")] = None,
    metrics: Metrics = None,
    jobs: Annotated[int, typer.Option(help="Workers, -1 for all cores.")] = 1,
    correlate: Annotated[
        str | None,
        typer.Option("--with", metavar="KEY", help="Correlate with this metric, AP by default."),
    ] = None,
    spearman: Annotated[bool, typer.Option("--spearman", help="By rank, not Pearson's r.")] = False,
    resamples: Annotated[
        int | None, typer.Option(min=0, max=100_000, help="Of the bootstrap intervals.")
    ] = None,
    tables_out: Annotated[
        str | None, typer.Option(metavar="OUT", help="Write the tables: .csv, .tsv or .npz.")
    ] = None,
    scores_out: Annotated[
        str | None,
        typer.Option(metavar="OUT", help="Write the scores: .csv, .tsv, .xlsx or .parquet."),
    ] = None,
    summary_out: Annotated[
        str | None,
        typer.Option(metavar="OUT", help="Write the numbers printed: .csv, .tsv, .md or .json."),
    ] = None,
    settings_out: Annotated[
        str | None, typer.Option(metavar="OUT", help="Write what runs it again: .json.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
    q: Q = 1.0,
    beta: Beta = 1.0,
    average: Average = "arithmetic",
    empty_truth: EmptyTruth = "exclude",
    draws: Draws = 1000,
    draws_seed: Annotated[int, typer.Option(help="Seed of the random tables of a score.")] = 0,
) -> None:
    """Score random tables, and summarise how the metrics behave and agree."""
    outs: dict[str, tuple[str | None, Sequence[str]]] = {
        "--tables-out": (tables_out, _TABLES),
        "--scores-out": (scores_out, _SCORES),
        "--summary-out": (summary_out, _SUMMARY),
        "--settings-out": (settings_out, (".json",)),
    }
    _check_outs(outs, force)
    if jobs == 0:
        raise typer.BadParameter("choose 1 or more, or -1 for all cores", param_hint="'--jobs'")
    given_own: dict[str, object] = {"rows": rows, "columns": columns, "total": total}
    given_own |= {"zero_weight": zero_weight, "generator": generator}
    own = {key: value for key, value in given_own.items() if value is not None}
    ways = {"--preset": preset, "--margins": margins, "--perturb": perturb, "--settings": settings}
    chosen = [name for name, value in ways.items() if value is not None]
    if len(chosen) > 1 or (own and chosen and chosen != ["--preset"]):
        given = [*chosen, *(f"--{key.replace('_', '-')}" for key in own)]
        raise typer.BadParameter(f"choose one scenario, not {', '.join(given)}")
    from core.files.errors import ReadError, SaveError
    from core.simulation.scenario import SimulationError
    from core.studies.simulation import Simulation

    options = score_options(
        q=q, beta=beta, average=average, empty_truth=empty_truth, draws=draws, seed=draws_seed
    )
    try:
        if settings is not None:
            simulation = _read_settings(settings)
            # What is given beside the file changes what it asks for.
            simulation = replace(
                simulation,
                tables=simulation.tables if tables is None else tables,
                seed=simulation.seed if seed is None else seed,
                keys=simulation.keys if metrics is None else metric_keys(metrics),
            )
        else:
            from core.simulation.presets import PAPER_METRICS, PAPER_TABLES

            simulation = Simulation(
                _scenario(preset, own, margins, perturb, share, move),
                PAPER_TABLES if tables is None else tables,
                PAPER_METRICS if metrics is None else metric_keys(metrics),
                seed or 0,
                options,
            )
    except SimulationError as error:
        complain(f"{error.message[:1].upper()}{error.message[1:]}.")
        raise typer.Exit(1) from None
    except ReadError as error:
        complain(str(error))
        raise typer.Exit(1) from None
    reference = _reference(simulation, correlate)
    result = _simulated(replace(simulation, n_jobs=jobs))
    found = _correlated(result, reference, spearman, resamples)
    _print(result, found, json)
    try:
        _save(result, found, {name: out for name, (out, _) in outs.items() if out is not None})
    except SaveError as error:
        complain(str(error))
        raise typer.Exit(1) from None


def _check_outs(outs: dict[str, tuple[str | None, Sequence[str]]], force: bool) -> None:
    """Refuse files before anything is computed."""
    seen: set[str] = set()
    for name, (out, endings) in outs.items():
        if out is None:
            continue
        if Path(out).suffix.lower() not in endings:
            allowed = f"{', '.join(endings[:-1])} or {endings[-1]}" if endings[1:] else endings[0]
            raise typer.BadParameter(f"give {out!r} the ending {allowed}", param_hint=f"'{name}'")
        if out in seen:
            raise typer.BadParameter(f"{out!r} is named twice", param_hint=f"'{name}'")
        seen.add(out)
        if Path(out).exists() and not force:
            complain(f"{out} exists already: choose another name, or replace it with --force.")
            raise typer.Exit(1)


def _scenario(
    preset: str | None,
    own: dict[str, object],
    margins: str | None,
    perturb: str | None,
    share: float,
    move: str,
) -> Scenario:
    from core.simulation.around import FixedMargins, Perturbed
    from core.simulation.dividers import DividedTotal
    from core.simulation.presets import PAPER_TOTAL, PRESETS

    if margins is not None:
        return FixedMargins(_table(margins))
    if perturb is not None:
        return Perturbed(_table(perturb), share, move)  # type: ignore[arg-type]
    if preset is None and "rows" not in own and "columns" not in own:
        preset = "low_4x4"
    if preset is not None:
        if preset not in PRESETS:
            raise typer.BadParameter(
                f"there is no {preset!r}: choose {', '.join(PRESETS)}", param_hint="'--preset'"
            )
        scenario = PRESETS[preset].scenario
        if set(own) - {"rows", "columns", "total"} and not isinstance(scenario, DividedTotal):
            raise typer.BadParameter(f"{preset} has rows, columns and a total, no more")
        return replace(scenario, **own) if own else scenario
    for key in ("rows", "columns"):
        if key not in own:
            raise typer.BadParameter("name --rows and --columns", param_hint=f"'--{key}'")
    return DividedTotal(**{"total": PAPER_TOTAL, **own})  # type: ignore[arg-type]


def _table(file: str) -> ContingencyTable:
    from core.cli.reading import read_files
    from core.files.options import OpenOptions

    read, failed = read_files([file], OpenOptions(), False)
    if failed or not read:
        raise typer.Exit(1)
    if len(read) > 1:
        complain(f"{file} has {len(read)} tables: a simulation is around one of them.")
        raise typer.Exit(1)
    return read[0].parsed.table


def _read_settings(file: str) -> Simulation:
    from core.files.simulation_settings import ReadSettings
    from core.studies.study import run_to_end

    found = run_to_end(ReadSettings(file))
    for note in found.notes:
        complain(note)
    return found.simulation


def _reference(simulation: Simulation, key: str | None) -> str:
    if key is None:
        return "ap" if "ap" in simulation.keys else simulation.keys[0]
    [key] = metric_keys(key)[:1]
    if key not in simulation.keys:
        raise typer.BadParameter(
            f"{key} is not among the metrics: {', '.join(simulation.keys)}", param_hint="'--with'"
        )
    return key


def _quiet() -> bool:
    # A program without a console has no standard error.
    return sys.stderr is None or not sys.stderr.isatty()


def _simulated(simulation: Simulation) -> SimulationResult:
    """Run it, with a bar on standard error where that is a terminal."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from core.simulation.scenario import SimulationError

    latest: SimulationResult | None = None
    bars = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    try:
        with Progress(*bars, console=Console(stderr=True), transient=True, disable=_quiet()) as bar:
            task = bar.add_task("scoring random tables", total=simulation.tables, rate="")
            for step in simulation.run():
                latest = step.result or step.partial or latest
                if latest is not None and latest.seconds:
                    rate = f"{latest.done / latest.seconds:,.0f}/s"
                    bar.update(task, completed=step.done, rate=rate)
    except KeyboardInterrupt:
        done = 0 if latest is None else latest.done
        complain(
            f"Interrupted after {done:,} of {simulation.tables:,} tables; nothing was written. "
            f"The first ones come again with --tables {max(done, 1)}."
        )
        raise typer.Exit(130) from None
    except (SimulationError, ValueError) as error:
        complain(f"The simulation stopped: {error}.")
        raise typer.Exit(1) from None
    if latest is None or not latest.complete:
        raise RuntimeError("the simulation ended without a result")
    return latest


def _correlated(
    result: SimulationResult, reference: str, spearman: bool, resamples: int | None
) -> Correlations:
    from core.studies.correlations import CorrelateScores
    from core.studies.study import run_to_end

    kind = "spearman" if spearman else "pearson"
    return run_to_end(
        CorrelateScores(
            result.keys,
            result.values,
            reference,
            kind,  # type: ignore[arg-type]
            resamples,
            result.simulation.seed,
        )
    )


def _print(result: SimulationResult, found: Correlations, json: bool) -> None:
    from core.cli.streams import write_bytes
    from core.files.simulation_summary import summary_json, summary_of

    summary = summary_of(result, [found])
    if json:
        write_bytes(summary_json(summary).encode("utf-8"))
        return
    from rich.table import Table

    from core.cli.report import rendered
    from core.files.simulation_about import undefined
    from core.formatting import UNDEFINED, format_score
    from core.metrics.catalogue import METRICS

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    heads = ("Metric", "Mean", "SD", "Min", "5 %", "Median", "95 %", "Max", "Zeros", "Ones")
    with_symbol = METRICS[found.reference].symbol
    for head in (*heads, f"{found.kind} with {with_symbol}", "95 % interval", "Band"):
        left = head in ("Metric", "Band")
        table.add_column(head, justify="left" if left else "right", no_wrap=True)
    for key, s in summary.summaries.items():
        one = found.by_key[key]
        values = (s.mean, s.standard_deviation, s.low, *s.quantiles.values(), s.high)
        shown = [format_score(v, 3) if s.defined else UNDEFINED for v in values]
        del shown[6], shown[4]
        shares = [f"{100 * x:.1f} %" if s.defined else UNDEFINED for x in (s.zeros, s.ones)]
        interval = (
            f"{format_score(one.low, 3)} to {format_score(one.high, 3)}"
            if one.low == one.low
            else ""
        )
        r = format_score(one.coefficient, 3)
        table.add_row(METRICS[key].symbol, *shown, *shares, r, interval, one.band)
    write(rendered([table]))
    simulation = result.simulation
    write(
        f"\n{simulation.scenario.words}; {result.done:,} tables, seed {simulation.seed}; "
        f"{result.done / max(result.seconds, 1e-9):,.0f} tables a second\n"
        f"Intervals: percentile bootstrap, {found.resamples:,} resamples. Bands: the AP paper's.\n"
    )
    for text in undefined(result):
        write(f"Undefined: {text}\n")


def _save(result: SimulationResult, found: Correlations, outs: dict[str, str]) -> None:
    from core.files.simulation_scores import SaveSimulatedScores
    from core.files.simulation_settings import SaveSettings
    from core.files.simulation_summary import SaveSimulationSummary
    from core.files.simulation_tables import SaveSimulatedTables
    from core.studies.study import run_to_end

    for name, out in outs.items():
        if name == "--tables-out":
            run_to_end(SaveSimulatedTables(result, out))
        elif name == "--scores-out":
            run_to_end(SaveSimulatedScores(result, out))
        elif name == "--summary-out":
            run_to_end(SaveSimulationSummary(result, out, [found]))
        else:
            run_to_end(SaveSettings(result.simulation, out))
