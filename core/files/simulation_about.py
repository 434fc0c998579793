"""What every file of a simulation says: what was simulated, and how to read it."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from dataclasses import asdict
from numbers import Integral, Real
from typing import Any

import numpy as np

from core.files.conventions import conventions
from core.files.errors import plain
from core.files.simulation_marks import MARK, SETTINGS_FORMAT
from core.files.writing import quoted
from core.simulation.record import scenario_record
from core.studies.simulation import Simulation, SimulationResult
from core.version import PROGRAM, __version__

FORMAT_VERSION = 1


def settings_record(simulation: Simulation) -> dict[str, Any]:
    """Return what runs a simulation again, as a dictionary that JSON can hold."""
    return {
        "format": SETTINGS_FORMAT,
        "format_version": FORMAT_VERSION,
        "program": f"{PROGRAM} {__version__}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scenario": {
            key: _plain(value) for key, value in scenario_record(simulation.scenario).items()
        },
        "tables": int(simulation.tables),
        "seed": int(simulation.seed),
        "metrics": list(simulation.keys),
        "options": {key: _plain(value) for key, value in asdict(simulation.options).items()},
    }


def settings_line(simulation: Simulation) -> str:
    """Return the same as one line of JSON, in plain signs."""
    return json.dumps(settings_record(simulation), allow_nan=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    """Return a setting as JSON has it: numpy's numbers are not among them."""
    if isinstance(value, bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else value


def about(result: SimulationResult) -> list[tuple[str, str]]:
    """Return what a file says above its data: words and what they stand for.

    The last is ``settings``: what runs the simulation again, as one line of JSON.
    """
    simulation = result.simulation
    lines = [
        ("scenario", simulation.scenario.words),
        ("tables", str(simulation.tables)),
    ]
    if not result.complete:
        lines.append(("scored", f"{result.done} of them: the simulation was stopped"))
    lines += [("seed", str(simulation.seed)), ("metrics", ", ".join(simulation.keys))]
    for option, value in asdict(simulation.options).items():
        # The tables have a seed of their own.
        lines.append(("draws_seed" if option == "seed" else option, str(value)))
    lines += [("python", platform.python_version()), ("numpy", np.__version__)]
    lines += (("convention", said) for said in said_of(simulation))
    lines += (("undefined", text) for text in undefined(result))
    lines.append(("settings", settings_line(simulation)))
    return lines


def said_of(simulation: Simulation) -> list[str]:
    """Return what one must know to read the scores, as sentences."""
    return conventions(simulation.options, simulation.keys)


def undefined(result: SimulationResult) -> Iterator[str]:
    """Yield which scores do not exist, how many of them, and why."""
    for key in result.keys:
        for why, count in result.undefined.get(key, {}).items():
            yield f"{key}: {count} {'table' if count == 1 else 'tables'}: {why}"


def comments(what: str, result: SimulationResult, separator: str) -> Iterator[str]:
    """Yield the comment lines at the top of a text of a simulation, each with its end."""
    yield f"{MARK} {what}{separator}{__version__}\n"
    for key, text in about(result):
        # The settings stand as they are: who wants them cuts the line behind the first mark.
        cell = text if key == "settings" else quoted(plain(text))
        yield f"# {key}{separator}{cell}\n"
