"""Profiles as tables: CSV and TSV of times, of costs, of growth, and of machines side by side."""

from __future__ import annotations

import json
import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.files.atomic import atomic_file, encoded
from core.files.errors import SaveError, plain
from core.files.profile_file import settings_of
from core.files.profile_marks import MARK, SCALING_FORMAT
from core.files.writing import Saved, quoted, written
from core.profiling.complexity import own_complexity, published_complexity
from core.profiling.growth import AXES
from core.profiling.machine import Machine
from core.profiling.paper import paper_times
from core.profiling.summary import QUANTILES
from core.studies.profiling import ProfileResult
from core.studies.scaling import ScalingResult
from core.studies.study import Pulse, Step
from core.version import PROGRAM, __version__

TEXT_SUFFIXES = (".csv", ".tsv")
SCALING_SUFFIXES = (*TEXT_SUFFIXES, ".json")

_LINES = 500


def check_text_ending(path: Path) -> None:
    """Raise SaveError if a table of a profile cannot be written to a file of this ending."""
    if path.suffix.lower() not in TEXT_SUFFIXES:
        raise SaveError(
            f"{plain(path.name)} was not saved: times and costs are .csv or .tsv files."
        )


def check_scaling_ending(path: Path) -> None:
    """Raise SaveError if growth cannot be written to a file of this ending."""
    if path.suffix.lower() not in SCALING_SUFFIXES:
        raise SaveError(f"{plain(path.name)} was not saved: growth is a .csv, .tsv or .json file.")


@dataclass(frozen=True, eq=False)
class _SaveLines:
    """A study that writes lines of cells."""

    path: Path | str

    def lines(self, separator: str) -> Iterator[str]:
        """Yield the lines of the file, each with its end."""
        raise NotImplementedError

    def run(self) -> Generator[Step[Saved], None, None]:
        """Write, with a step every twentieth of a second; the last has the `Saved` file.

        Raises
        ------
        SaveError
            If the file cannot be written, or its ending is another one.
        """
        path = Path(self.path)
        self._check(path)
        name, pulse = plain(path.name), Pulse()
        separator = "\t" if path.suffix.lower() == ".tsv" else ","
        yield Step(0, 1, f"saving {name}")
        with atomic_file(path) as file:
            for line in self.lines(separator):
                file.write(encoded(line, path))
                if pulse.due():
                    yield Step(0, 1, f"saving {name}")
            stamp = written(file)
            yield Step(1, 1, f"saving {name}")
        yield Step(1, 1, f"saved {name}", result=Saved(path, stamp))

    def _check(self, path: Path) -> None:
        check_text_ending(path)


@dataclass(frozen=True, eq=False)
class SaveTimes(_SaveLines):
    """The study that writes every time of a profile, an instance a line, in ms.

    Attributes
    ----------
    path : Path or str
        ``.csv`` or ``.tsv``.
    result : ProfileResult
    """

    result: ProfileResult

    def lines(self, separator: str) -> Iterator[str]:
        """Yield comments, the header, and a line for each instance."""
        result = self.result
        yield from _comments("times", result, separator)
        pairs = [
            (i, j, f"{route}.{key}")
            for i, route in enumerate(result.profile.routes)
            for j, key in enumerate(result.profile.keys)
            if np.isfinite(result.times[i, j]).any()
        ]
        heads = ["instance", *(name for _, _, name in pairs), "waited", "yardstick"]
        yield separator.join(heads) + "\n"
        for n in range(result.done):
            values = [result.times[i, j, n] for i, j, _ in pairs]
            cells = map(_cell, [*values, result.waited[n], result.yardstick[n]])
            yield separator.join([str(n + 1), *cells]) + "\n"


@dataclass(frozen=True, eq=False)
class SaveCosts(_SaveLines):
    """The study that writes what each metric costs by each route, a line each, in ms.

    Attributes
    ----------
    path : Path or str
        ``.csv`` or ``.tsv``.
    result : ProfileResult
    window : (int, int), optional
        The instances that count as quiet.
    """

    result: ProfileResult
    window: tuple[int, int] | None = None

    def lines(self, separator: str) -> Iterator[str]:
        """Yield comments, the header, and a line for each metric and route."""
        yield from _comments("costs", self.result, separator, self.window)
        paper = paper_times()
        heads = ["route", "metric", "instances", "mean", "median"]
        heads += [f"q{round(100 * q):02d}" for q in QUANTILES]
        heads += ["quiet_mean", "quiet_median", "times_ap", "times_ap_low", "times_ap_high"]
        heads += ["scores_a_second", "peak_memory", "paper_mean", "paper_times_ap"]
        yield separator.join(heads) + "\n"
        for cost in self.result.costs(self.window, intervals=True):
            values = [cost.instances, cost.mean, cost.median, *cost.quantiles.values()]
            values += [cost.quiet_mean, cost.quiet_median]
            values += [cost.ratio, cost.ratio_low, cost.ratio_high, cost.per_second, cost.memory]
            values += [paper.times.get(cost.key, math.nan), paper.ratio(cost.key)]
            yield separator.join([cost.route, cost.key, *map(_cell, values)]) + "\n"


@dataclass(frozen=True, eq=False)
class SaveScaling(_SaveLines):
    """The study that writes how costs grow: a line for each point, or all as JSON.

    Attributes
    ----------
    path : Path or str
        ``.csv``, ``.tsv`` or ``.json``.
    result : ScalingResult
    """

    result: ScalingResult

    def _check(self, path: Path) -> None:
        check_scaling_ending(path)

    def lines(self, separator: str) -> Iterator[str]:
        """Yield comments, the header, and a line for each point; or JSON."""
        result, scaling = self.result, self.result.scaling
        if Path(self.path).suffix.lower() == ".json":
            yield json.dumps(scaling_record(result), indent=2, allow_nan=False) + "\n"
            return
        yield f"{MARK} growth{separator}{__version__}\n"
        about = [
            ("axis", AXES[scaling.axis]),
            ("machine", result.began.words),
            *((f"fit of {r} {k}", _fit_words(f)) for (r, k), f in result.fits.items()),
            ("settings", json.dumps(scaling_settings(result), separators=(",", ":"))),
        ]
        yield from _about_lines(about, separator)
        yield separator.join(["route", "metric", "size", "cost", "left_out"]) + "\n"
        for route in scaling.routes:
            for key in scaling.keys:
                for size, cost in zip(scaling.sizes, result.of(route, key).tolist(), strict=True):
                    why = result.left_out.get((route, key, size), "")
                    if math.isnan(cost) and not why:
                        continue
                    cells = [route, key, str(size), _cell(cost), quoted(why)]
                    yield separator.join(cells) + "\n"


def scaling_settings(result: ScalingResult) -> dict[str, Any]:
    """Return what measures growth again, as a dictionary that JSON can hold."""
    scaling = result.scaling
    return {
        "axis": scaling.axis,
        "sizes": list(scaling.sizes),
        "rows": scaling.rows,
        "columns": scaling.columns,
        "total": scaling.total,
        "metrics": list(scaling.keys),
        "routes": list(scaling.routes),
        "seed": scaling.seed,
        "limit": scaling.limit,
        "memory": scaling.memory,
    }


def scaling_record(result: ScalingResult) -> dict[str, Any]:
    """Return growth as a dictionary that JSON can hold; costs in ms."""
    scaling, fits = result.scaling, result.fits
    lines = []
    for route in scaling.routes:
        for key in scaling.keys:
            costs = result.of(route, key).tolist()
            fit = fits.get((route, key))
            lines.append(
                {
                    "route": route,
                    "metric": key,
                    "costs": [None if math.isnan(cost) else cost for cost in costs],
                    "left_out": {
                        str(size): why
                        for (r, k, size), why in result.left_out.items()
                        if (r, k) == (route, key)
                    },
                    "exponent": None if fit is None else fit.exponent,
                    "interval": None if fit is None else [fit.low, fit.high],
                    "fitted_from": None if fit is None else fit.first,
                    "flat": None if fit is None else fit.flat,
                    "published": published_complexity(key),
                    "here": own_complexity(key) if route != "paper" else "",
                }
            )
    return {
        "format": SCALING_FORMAT,
        "format_version": 1,
        "program": f"{PROGRAM} {__version__}",
        "units": "costs in ms of one call",
        "settings": scaling_settings(result),
        "machine": result.began.record(),
        "seconds": result.seconds,
        "complete": result.complete,
        "lines": lines,
    }


def _fit_words(fit: Any) -> str:
    words = f"exponent {fit.exponent:.3f} [{fit.low:.3f}, {fit.high:.3f}] from {fit.first:g} on"
    return f"{words}, hardly above what every call costs" if fit.flat else words


@dataclass(frozen=True)
class Compared:
    """What a metric costs by one route on several machines.

    Attributes
    ----------
    route, key : str
    costs : tuple of float
        Means over the quiet windows in ms, one a machine; NaN where it was not timed.
    ratios : tuple of float
        How many times AP, by medians over the quiet window.
    """

    route: str
    key: str
    costs: tuple[float, ...]
    ratios: tuple[float, ...]


def compared(results: Sequence[ProfileResult]) -> list[Compared]:
    """Return the costs of several profiles side by side, route by route.

    Parameters
    ----------
    results : sequence of ProfileResult
    """
    found = [{(cost.route, cost.key): cost for cost in each.costs()} for each in results]
    order = dict.fromkeys(pair for each in found for pair in each)
    routes = list(dict.fromkeys(route for route, _ in order))
    return [
        Compared(
            route,
            key,
            tuple(e[route, key].quiet_mean if (route, key) in e else math.nan for e in found),
            tuple(e[route, key].ratio if (route, key) in e else math.nan for e in found),
        )
        for route, key in sorted(order, key=lambda pair: routes.index(pair[0]))
    ]


def about_machine(machine: Machine) -> list[tuple[str, str]]:
    """Return what a file says of the machine."""
    return [(name.lower(), value) for name, value in machine.lines()]


def _comments(
    what: str, result: ProfileResult, separator: str, window: tuple[int, int] | None = None
) -> Iterator[str]:
    yield f"{MARK} {what}{separator}{__version__}\n"
    start, stop = window or result.quiet
    about = about_machine(result.began)
    about += [
        ("units", "times in ms, memory in bytes"),
        ("scenario", result.profile.scenario.words),
        ("timed", f"{result.done} of {result.profile.instances} instances"),
        ("batch", f"{result.batch_tables} tables at once"),
        ("quiet window", f"instances {start + 1} to {stop}"),
        ("clock", f"overhead {result.clock.overhead:g} ns, taken off"),
        *(("disturbance", sentence) for sentence in result.disturbances()),
        ("settings", json.dumps(settings_of(result.profile), separators=(",", ":"))),
    ]
    yield from _about_lines(about, separator)


def _about_lines(about: Sequence[tuple[str, str]], separator: str) -> Iterator[str]:
    for key, text in about:
        cell = text if key == "settings" else quoted(plain(text))
        yield f"# {key}{separator}{cell}\n"


def _cell(value: float) -> str:
    if isinstance(value, int):
        return str(value)
    number = float(value)
    return repr(number) if math.isfinite(number) else ""
