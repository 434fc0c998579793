"""The options of the command ``simulate``, and what they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.streams import complain

# What needs numpy is imported where it is used: --help must not wait for it.
if TYPE_CHECKING:
    from core.files.options import OpenOptions
    from core.simulation.scenario import Scenario, SimulationError
    from core.table import ContingencyTable

PRESET_KEYS = ("ideal", "worst", "low_4x4", "higher_4x4", "higher_4x6", "higher_4x2")

Preset = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"A scenario of the AP paper: {', '.join(PRESET_KEYS[:-1])} or {PRESET_KEYS[-1]}; "
        "low_4x4 by default; "
        "other options change it.",
    ),
]
Rows = Annotated[int | None, typer.Option(metavar="R", help="Truth classes of each table.")]
Columns = Annotated[int | None, typer.Option(metavar="C", help="Clusters of each table.")]
Total = Annotated[
    int | None, typer.Option(metavar="N", help="Items of each table; 2521 by default.")
]
ZeroWeight = Annotated[
    float | None,
    typer.Option(
        metavar="W",
        help="Weight of a divider at 0, that of others being 1; the paper's higher performance "
        "has 1000.",
    ),
]
Generator = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="fast (numpy), or paper (the paper's own code, statement by statement)"
    ),
]
Margins = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Tables with the margins of this one; - is standard input."),
]
Perturb = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="This table, a share of its items in another cluster."),
]
Share = Annotated[
    float | None,
    typer.Option(metavar="P", help="Share of the items that move, as in 0.1, the default."),
]
Move = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        help="reassign them to other clusters, or exchange, which keeps both margins",
    ),
]
Settings = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Run again what --settings-out wrote; other options change tables, seed and scores.",
    ),
]
Tables = Annotated[int, typer.Option(metavar="N", help="Number of tables.")]
SimulationSeed = Annotated[
    int, typer.Option("--seed", metavar="N", help="Seed of the simulated tables, 0 or more.")
]
SimulationMetrics = Annotated[
    str | None,
    typer.Option(
        "--metrics",
        metavar="KEYS",
        help="Metrics to compute, as in ap,ari,v_measure; by default the eight of the AP paper.",
    ),
]
DrawsSeed = Annotated[int, typer.Option(help="Seed of these tables, 0 or more.")]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", metavar="N", help="Cores that work, -1 for all.")
]
With = Annotated[
    str | None,
    typer.Option(
        "--with",
        metavar="KEY",
        help="Metric that the others are correlated with; ap by default, or the first.",
    ),
]
Spearman = Annotated[
    bool, typer.Option("--spearman", help="Show Spearman's correlation, not Pearson's.")
]
Resamples = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=0,
        max=100_000,
        help="Resamples for the intervals of correlations; 1000 by default, fewer above 10,000 "
        "tables; 0 for none.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, with every digit.")]
TablesOut = Annotated[
    str | None, typer.Option(metavar="OUT", help="File for the tables: .csv, .tsv or .npz.")
]
ScoresOut = Annotated[
    str | None,
    typer.Option(metavar="OUT", help="File for the scores: .csv, .tsv, .xlsx or .parquet."),
]
SummaryOut = Annotated[
    str | None,
    typer.Option(metavar="OUT", help="File for the numbers: .csv, .tsv, .md or .json."),
]
SettingsOut = Annotated[
    str | None,
    typer.Option(metavar="OUT", help="File for the settings, which --settings runs again."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
KeepPartial = Annotated[
    bool,
    typer.Option(
        "--keep-partial", help="On Ctrl+C, write and print what is there; else nothing is written."
    ),
]


def ended(error: SimulationError) -> typer.Exit:
    """Say in one line what makes no simulation, and return what ends the command."""
    complain(f"{error.message[:1].upper()}{error.message[1:]}.")
    return typer.Exit(1)


def scenario_of(given: Mapping[str, Any], reading: OpenOptions, transpose: bool) -> Scenario:
    """Return the scenario that options ask for; wrong usage if they ask for none or several.

    Parameters
    ----------
    given : mapping of str to object
        The options of the scenario, None where they were not given.
    reading : OpenOptions
    transpose : bool
        How the file of a table is read.
    """
    from core.simulation.scenario import SimulationError

    settings = {key: value for key, value in given.items() if value is not None}
    files = [key for key in ("margins", "perturb") if key in settings]
    if len(files) + ("preset" in settings) > 1:
        raise typer.BadParameter("choose one scenario: --preset, --margins or --perturb")
    try:
        if files:
            return _around(files[0], settings, reading, transpose)
        return _of_shape(settings)
    except SimulationError as error:
        raise ended(error) from None


def _of_shape(settings: dict[str, Any]) -> Scenario:
    from dataclasses import fields, replace

    from core.simulation.dividers import DividedTotal
    from core.simulation.presets import PRESETS

    preset = settings.pop("preset", None)
    if preset is None:
        _refuse(settings, ("share", "move"), "is for --perturb")
        if "rows" in settings and "columns" in settings:
            return DividedTotal(**settings)
        if "rows" in settings or "columns" in settings:
            raise typer.BadParameter("name both --rows and --columns, or a --preset")
        preset = "low_4x4"
    if preset not in PRESETS:
        raise typer.BadParameter(
            f"there is no preset {preset!r}: choose {', '.join(PRESETS)}", param_hint="'--preset'"
        )
    scenario = PRESETS[preset].scenario
    known = [field.name for field in fields(scenario)]
    _refuse(
        settings,
        [key for key in settings if key not in known],
        f"is not for {preset}, which has {', '.join(known)} and no more",
    )
    return replace(scenario, **settings)


def _around(kind: str, settings: dict[str, Any], reading: OpenOptions, transpose: bool) -> Scenario:
    from core.simulation.around import FixedMargins, Perturbed

    _refuse(
        settings,
        ("rows", "columns", "total", "zero_weight", "generator"),
        f"is not for --{kind}: the table has it already",
    )
    if kind == "margins":
        _refuse(settings, ("share", "move"), "is for --perturb")
    table = _table_in(settings.pop(kind), reading, transpose)
    return FixedMargins(table) if kind == "margins" else Perturbed(table, **settings)


def _table_in(file: str, reading: OpenOptions, transpose: bool) -> ContingencyTable:
    from core.cli.reading import read_files

    read = read_files([file], reading, transpose)
    if read.failed or not read.tables:
        raise typer.Exit(1)
    if len(read.tables) > 1:
        complain(
            f"{file} holds {len(read.tables)} tables, and a simulation is around one: choose it "
            "with --sheet, --range or --array, or save it alone."
        )
        raise typer.Exit(1)
    for note in read.tables[0].parsed.notes:
        complain(f"Note: {note}.")
    return read.tables[0].parsed.table


def _refuse(settings: Mapping[str, Any], keys: Any, why: str) -> None:
    for key in keys:
        if key in settings:
            raise typer.BadParameter(why, param_hint=f"'--{key.replace('_', '-')}'")
