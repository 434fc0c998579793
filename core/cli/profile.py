"""The command ``profile``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from core.cli import simulation_options as given
from core.cli.options import metric_keys
from core.cli.profile_options import (
    Budget,
    Compare,
    CostsOut,
    Instances,
    Limit,
    Out,
    Profiles,
    Quiet,
    Routes,
    ScalingAxis,
    Sizes,
    TimedMetrics,
    TimedSeed,
    TimesOut,
)
from core.cli.progress import Interrupt, driven
from core.cli.streams import complain, write, write_bytes

# What needs numpy or rich is imported where it is used: --help must not wait for it.
if TYPE_CHECKING:
    from core.studies.profiling import Profile, ProfileResult
    from core.studies.scaling import Scaling, ScalingResult
    from core.studies.study import Study

_INTERRUPTED = 130
_AXES = ("items", "shape", "tables")
_ROUTES = ("paper", "table", "batch")


def profile(
    profiles: Profiles = None,
    preset: given.Preset = None,
    rows: given.Rows = None,
    columns: given.Columns = None,
    total: given.Total = None,
    zero_weight: given.ZeroWeight = None,
    generator: given.Generator = None,
    instances: Instances = 500,
    metrics: TimedMetrics = None,
    routes: Routes = None,
    seed: TimedSeed = 0,
    scaling: ScalingAxis = None,
    sizes: Sizes = None,
    limit: Limit = None,
    budget: Budget = None,
    window: Quiet = None,
    compare: Compare = None,
    json: given.Json = False,
    out: Out = None,
    times_out: TimesOut = None,
    costs_out: CostsOut = None,
    force: given.Force = False,
    keep_partial: given.KeepPartial = False,
) -> None:
    """Measure what each metric costs on this machine, and how that grows."""
    shape = {
        "preset": preset,
        "rows": rows,
        "columns": columns,
        "total": total,
        "zero_weight": zero_weight,
        "generator": generator,
    }
    outs = {"--out": out, "--times-out": times_out, "--costs-out": costs_out}
    files = {option: path for option, path in outs.items() if path is not None}
    if profiles:
        _refuse_with_profiles(files, scaling, compare)
        _show_profiles(profiles)
        return
    keys = None if metrics is None else metric_keys(metrics)
    ways = _ROUTES if routes is None else tuple(part.strip() for part in routes.split(","))
    others = [_read(name) for name in compare or ()]
    if scaling is not None:
        for option in ("--out", "--times-out"):
            if option in files:
                raise typer.BadParameter("is not for --scaling", param_hint=f"'{option}'")
        study = _scaling(scaling, shape, sizes, limit, keys, ways, seed)
        _check_files(files, force, growth=True)
        _grow(study, files, json, keep_partial)
        return
    for option, value in (("--sizes", sizes), ("--limit", limit)):
        if value is not None:
            raise typer.BadParameter("is for --scaling", param_hint=f"'{option}'")
    task = _profile(shape, instances, keys, ways, seed)
    span = _window(window, instances)
    _check_files(files, force, growth=False)
    with Interrupt().watching() as interrupt:
        result = _run(task, interrupt, "instances", keep_partial)
        if span is not None:
            # Of what was stopped, the window that was asked for may not be there.
            span = (span[0], min(span[1], result.done)) if span[0] < result.done else None
        stopped, interrupt.pressed = interrupt.pressed, False
        _print_profile(result, span, budget, json)
        if others:
            _print_comparison([("here", result), *others])
        _write_profile(result, span, files, interrupt)
    if stopped:
        raise typer.Exit(_INTERRUPTED)


def _refuse_with_profiles(
    files: dict[str, str], scaling: str | None, compare: list[str] | None
) -> None:
    for option in files:
        raise typer.BadParameter("is for what is measured here", param_hint=f"'{option}'")
    if scaling is not None or compare:
        raise typer.BadParameter("name profiles to be shown, or something to measure, not both")


def _read(name: str) -> tuple[str, ProfileResult]:
    from core.files.errors import ReadError
    from core.files.profile_file import ReadProfile
    from core.studies.study import run_to_end

    try:
        return Path(name).stem, run_to_end(ReadProfile(name, name))
    except ReadError as error:
        complain(str(error))
        raise typer.Exit(1) from None


def _show_profiles(names: list[str]) -> None:
    found = [_read(name) for name in names]
    if len(found) == 1:
        _print_profile(found[0][1], None, None, json=False)
    else:
        _print_comparison(found)


def _profile(
    shape: dict[str, Any],
    instances: int,
    keys: tuple[str, ...] | None,
    routes: tuple[str, ...],
    seed: int,
) -> Profile:
    from core.files.options import OpenOptions
    from core.simulation.presets import PAPER_METRICS
    from core.simulation.scenario import SimulationError
    from core.studies.profiling import Profile

    scenario = given.scenario_of(shape, OpenOptions(), False)
    try:
        return Profile(scenario, instances, keys or PAPER_METRICS, routes, seed)
    except SimulationError as error:
        raise given.ended(error) from None


def _scaling(
    axis: str,
    shape: dict[str, Any],
    sizes: str | None,
    limit: float | None,
    keys: tuple[str, ...] | None,
    routes: tuple[str, ...],
    seed: int,
) -> Scaling:
    from core.simulation.scenario import SimulationError
    from core.studies.scaling import LIMIT, SCALING_METRICS, Scaling

    for name in ("preset", "zero_weight", "generator"):
        if shape[name] is not None:
            hint = f"'--{name.replace('_', '-')}'"
            raise typer.BadParameter("is not for --scaling", param_hint=hint)
    if axis not in _AXES:
        raise typer.BadParameter(
            f"{axis!r} does not grow here: choose {', '.join(_AXES)}", param_hint="'--scaling'"
        )
    try:
        numbers = [int(part) for part in (sizes or "").split(",") if part.strip()]
    except ValueError:
        raise typer.BadParameter(
            "name whole numbers, as in 100,1000", param_hint="'--sizes'"
        ) from None
    try:
        return Scaling(
            axis,
            numbers,
            4 if shape["rows"] is None else shape["rows"],
            4 if shape["columns"] is None else shape["columns"],
            shape["total"],
            keys or SCALING_METRICS,
            routes,
            seed,
            limit=LIMIT if limit is None else limit,
        )
    except SimulationError as error:
        raise given.ended(error) from None


def _window(text: str | None, instances: int) -> tuple[int, int] | None:
    """Return the instances that are averaged, from 0 and with the end behind the last."""
    if text is None:
        return None
    first, _, last = text.partition("-")
    try:
        start, stop = int(first) - 1, int(last)
    except ValueError:
        start = stop = -1
    if not 0 <= start < stop <= instances:
        raise typer.BadParameter(
            f"{text!r} names no instances: from 1 to {instances}, as in 200-400",
            param_hint="'--window'",
        )
    return start, stop


def _check_files(files: dict[str, str], force: bool, *, growth: bool) -> None:
    """End the command if a file will not be written, before anything is measured."""
    from core.files.errors import SaveError, plain
    from core.files.profile_tables import check_scaling_ending, check_text_ending

    seen: list[Path] = []
    for option, name in files.items():
        path = Path(name)
        try:
            if option != "--out":
                (check_scaling_ending if growth else check_text_ending)(path)
        except SaveError as error:
            fault = str(error).removesuffix(".").partition(" was not saved: ")[2]
            raise typer.BadParameter(f"{name!r}: {fault}", param_hint=f"'{option}'") from None
        if option == "--out" and path.suffix.lower() != ".json":
            raise typer.BadParameter(f"give {name!r} the ending .json", param_hint="'--out'")
        fault = ""
        if path.resolve() in seen:
            fault = "is named for two of the files: choose another name for one"
        elif path.is_dir():
            fault = "is a folder: choose the name of a file"
        elif not path.parent.is_dir():
            fault = f"cannot be saved: the folder {plain(str(path.parent))} does not exist"
        elif path.exists() and not force:
            fault = "exists already: choose another name, or replace it with --force"
        if fault:
            complain(f"{plain(name)} {fault}.")
            raise typer.Exit(1)
        seen.append(path.resolve())


def _run(study: Study[Any], interrupt: Interrupt, unit: str, keep_partial: bool) -> Any:
    from core.profiling.process import ChildError

    try:
        result, ended = driven(study, interrupt, unit)
    except ChildError as error:
        complain(f"Nothing was measured: {error}.")
        raise typer.Exit(1) from None
    if not ended:
        done = 0 if result is None else result.done
        complain(f"Interrupted after {done:,} {unit}.")
        if not (keep_partial and done):
            complain("Nothing was written.")
            raise typer.Exit(_INTERRUPTED)
    return result


def _print_profile(
    result: ProfileResult, span: tuple[int, int] | None, budget: float | None, json: bool
) -> None:
    from core.cli.profile_report import profile_report

    window = result.quiet if span is None else span
    if json:
        from core.files.profile_file import profile_record
        from core.files.results_json import pretty_json

        text = "".join(pretty_json(profile_record(result), 0, ascii_only=True))
        write_bytes(f"{text}\n".encode("ascii"))
        return
    write(profile_report(result, result.costs(window, intervals=True), window, budget))


def _print_comparison(found: list[tuple[str, ProfileResult]]) -> None:
    from core.cli.profile_report import comparison_report
    from core.files.profile_tables import compared

    write(comparison_report([name for name, _ in found], compared([result for _, result in found])))
    for name, result in found:
        write(f"{name}: {result.began.words}; tables {result.profile.scenario.words}\n")
    if len({result.profile.scenario for _, result in found}) > 1:
        write("They were measured on different tables: compare the ratios with care.\n")


def _write_profile(
    result: ProfileResult,
    span: tuple[int, int] | None,
    files: dict[str, str],
    interrupt: Interrupt,
) -> None:
    from core.files.profile_file import SaveProfile
    from core.files.profile_tables import SaveCosts, SaveTimes

    makers: dict[str, Any] = {
        "--out": lambda path: SaveProfile(result, path),
        "--costs-out": lambda path: SaveCosts(path, result, span),
        "--times-out": lambda path: SaveTimes(path, result),
    }
    _write(
        {option: makers[option](files[option]) for option in makers if option in files}, interrupt
    )


def _write(studies: dict[str, Any], interrupt: Interrupt) -> None:
    from core.files.errors import SaveError

    failed = False
    for study in studies.values():
        try:
            _, ended = driven(study, interrupt)
        except SaveError as error:
            complain(str(error))
            failed = True
            continue
        if not ended:
            complain("Interrupted: not all files were written.")
            raise typer.Exit(_INTERRUPTED)
    if failed:
        raise typer.Exit(1)


def _grow(study: Scaling, files: dict[str, str], json: bool, keep_partial: bool) -> None:
    from core.cli.profile_report import scaling_report
    from core.files.profile_tables import SaveScaling, scaling_record

    with Interrupt().watching() as interrupt:
        result: ScalingResult = _run(_Told(study), interrupt, "points", keep_partial)
        stopped, interrupt.pressed = interrupt.pressed, False
        if json:
            from json import dumps

            write(dumps(scaling_record(result), indent=2, allow_nan=False) + "\n")
        else:
            write(scaling_report(result))
        _write({option: SaveScaling(path, result) for option, path in files.items()}, interrupt)
    if stopped:
        raise typer.Exit(_INTERRUPTED)


class _Told:
    """Says before a long measurement how long it will take."""

    def __init__(self, study: Scaling) -> None:
        self._study = study

    def run(self) -> Any:
        told = False
        for step in self._study.run():
            if step.partial is not None and not told:
                told = True
                seconds = step.partial.forecast
                span = f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} minutes"
                complain(f"It will take about {span}; Ctrl+C stops it.")
            yield step
