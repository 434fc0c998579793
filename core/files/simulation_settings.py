"""The settings of a simulation as a file that runs it again; docs/simulation.md has the format."""

from __future__ import annotations

import platform
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from core.files.atomic import atomic_file
from core.files.decoding import decode, read_bytes
from core.files.errors import FaultKind, ReadError, plain, shown
from core.files.json_values import json_value
from core.files.results_json import pretty_json
from core.files.simulation_about import FORMAT_VERSION, settings_record
from core.files.simulation_marks import SETTINGS_FORMAT, SUMMARY_FORMAT
from core.files.writing import Saved, written
from core.metrics.metric import ScoreOptions
from core.scores import UnknownMetricError
from core.simulation.record import scenario_from
from core.simulation.scenario import SimulationError
from core.studies.simulation import Simulation
from core.studies.study import Pulse, Step, run_to_end

MOST_SETTINGS_BYTES = 64_000_000
"""A file that is larger is none of settings: the largest table that is simulated is smaller."""

_NEEDED = ("scenario", "tables", "seed", "metrics")
_KNOWN = ("format", "format_version", "program", "python", "numpy", *_NEEDED, "options")


class SettingsFile(NamedTuple):
    """What a settings file holds.

    Attributes
    ----------
    simulation : Simulation
    notes : tuple of str
        What may make its numbers others than they were, as sentences.
    """

    simulation: Simulation
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class SaveSettings:
    """The study that writes the settings of a simulation to a file.

    Attributes
    ----------
    simulation : Simulation
    path : Path or str
    """

    simulation: Simulation
    path: Path | str

    def run(self) -> Generator[Step[Saved], None, None]:
        """Write, with a step every twentieth of a second; the last has the `Saved` file.

        Raises
        ------
        SaveError
            If the file cannot be written; then it is as it was before.
        """
        path = Path(self.path)
        name = plain(path.name)
        pulse = Pulse()
        yield Step(0, 1, f"saving {name}")
        with atomic_file(path) as file:
            for piece in _pieces(self.simulation):
                file.write(piece)
                if pulse.due():
                    yield Step(0, 1, f"saving {name}")
            stamp = written(file)
            yield Step(1, 1, f"saving {name}")
        yield Step(1, 1, f"saved {name}", result=Saved(path, stamp))


def _pieces(simulation: Simulation) -> Iterator[bytes]:
    # Escapes hold whatever stands in the name of a class, halves of surrogate pairs too.
    for piece in pretty_json(settings_record(simulation), 0, ascii_only=True):
        yield piece.encode("ascii")
    yield b"\n"


def write_settings(simulation: Simulation, path: Path | str) -> Saved:
    """Write the settings of a simulation to a file.

    Parameters
    ----------
    simulation : Simulation
    path : Path or str

    Returns
    -------
    Saved

    Raises
    ------
    SaveError
        If the file cannot be written; then it is as it was before.
    """
    return run_to_end(SaveSettings(simulation, path))


@dataclass(frozen=True)
class ReadSettings:
    """The study that reads a settings file.

    Attributes
    ----------
    path : Path or str
    name : str, optional
        What messages call the file; its name by default.
    """

    path: Path | str
    name: str | None = None

    def run(self) -> Generator[Step[SettingsFile], None, None]:
        """Read, with a step every twentieth of a second; the last has the `SettingsFile`.

        Raises
        ------
        ReadError
            If the file cannot be read, is no settings file, or asks for what cannot be
            simulated.
        """
        path = Path(self.path)
        name = plain(self.name or path.name or str(path))
        # A pipe has no size; who reads it stops at another bound.
        if path.is_file() and path.stat().st_size > MOST_SETTINGS_BYTES:
            raise _none(name, f"it has more than {MOST_SETTINGS_BYTES / 1e6:.0f} MB")
        data, _ = yield from read_bytes(path, name)
        if not data.strip():
            raise ReadError(f"{name} is empty: there are no settings in it.", kind=FaultKind.EMPTY)
        head = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip()
        if not head.startswith(b"{"):
            raise _none(name, "it does not begin as JSON does")
        if b'"tallyscope session"' in head:
            raise _none(name, "it is a session")
        text, _ = decode(data, name, None, json=True)
        value = yield from json_value(text.removeprefix("\ufeff"), name)
        simulation = _simulation(value, name)
        yield Step(1, 1, f"read {name}", result=SettingsFile(simulation, tuple(_notes(value))))


def read_settings(path: Path | str, *, name: str | None = None) -> Simulation:
    """Read a settings file.

    Parameters
    ----------
    path : Path or str
    name : str, optional
        What messages call the file; its name by default.

    Returns
    -------
    Simulation
        It makes the numbers again that it made before; `ReadSettings` also says what may
        stand in the way.

    Raises
    ------
    ReadError
        If the file cannot be read, is no settings file, or asks for what cannot be
        simulated.
    """
    return run_to_end(ReadSettings(path, name)).simulation


def _none(name: str, fault: str) -> ReadError:
    return ReadError(
        f"{name} holds no settings of a simulation ({fault}): choose a file that the command "
        "simulate --settings-out wrote.",
        kind=FaultKind.NOT_TEXT,
    )


def _simulation(value: Any, name: str) -> Simulation:
    """Return the simulation of a JSON value, or raise ReadError."""
    # A summary has the settings of its simulation within.
    if isinstance(value, dict) and value.get("format") == SUMMARY_FORMAT:
        value = value.get("settings")
    if not isinstance(value, dict) or value.get("format") != SETTINGS_FORMAT:
        raise _none(name, f'its "format" is not "{SETTINGS_FORMAT}"')
    version = value.get("format_version")
    if type(version) is not int or version < 1:
        raise _wrong(name, "format_version", f"must be {FORMAT_VERSION}, not {_said(version)}")
    if version > FORMAT_VERSION:
        raise ReadError(
            f"{name} was written by a newer program (format {version}): open it with that, "
            "or update this one.",
            kind=FaultKind.NEWER,
        )
    for key in _NEEDED:
        if key not in value:
            raise _wrong(name, key, "is missing")
    for key in value:
        if key not in _KNOWN:
            raise _wrong(name, key, "is not a setting: delete it")
    metrics = value["metrics"]
    if not isinstance(metrics, list) or not all(isinstance(key, str) for key in metrics):
        raise _wrong(name, "metrics", "must be a list of keys")
    options = _options(value.get("options", {}), name)
    try:
        return Simulation(
            scenario_from(_with_floats(value["scenario"])),
            _with_floats(value["tables"]),
            metrics,
            _with_floats(value["seed"]),
            options,
        )
    except SimulationError as error:
        raise _wrong(name, error.setting, f"is wrong: {error.message}") from None
    except UnknownMetricError as error:
        raise _wrong(name, "metrics", f"is wrong: {error}") from None


def _options(value: Any, name: str) -> ScoreOptions:
    if not isinstance(value, Mapping):
        raise _wrong(name, "options", "must be an object")
    known = [field.name for field in fields(ScoreOptions)]
    for key in value:
        if key not in known:
            raise _wrong(name, key, f"is not an option: they are {', '.join(known)}")
    try:
        return ScoreOptions(**{key: _with_floats(one) for key, one in value.items()})
    except (ValueError, TypeError) as error:
        raise _wrong(name, "options", f"is wrong: {error}") from None


def _with_floats(value: Any) -> Any:
    """Return what was read with its fractions as floats."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, list):
        return [_with_floats(inner) for inner in value]
    if isinstance(value, dict):
        return {key: _with_floats(inner) for key, inner in value.items()}
    return value


def _wrong(name: str, key: str, fault: str) -> ReadError:
    fault = plain(fault).removesuffix(".")
    return ReadError(f"{name}: {shown(key)} {fault}.", kind=FaultKind.DAMAGED)


def _said(value: Any) -> str:
    return plain(str(value)[:60])


def _notes(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield what may make the numbers others than they were."""
    value = value.get("settings", value)
    for key, what, ours in (
        ("numpy", "numpy", np.__version__),
        ("python", "Python", platform.python_version()),
    ):
        theirs = value.get(key)
        if not isinstance(theirs, str) or theirs == ours:
            continue
        # What a version draws from a seed, its patches draw too.
        if theirs.split(".")[:2] != ours.split(".")[:2]:
            yield (
                f"The settings were written with {what} {_said(theirs)}, and this is {ours}: "
                "another version may draw other tables from the same seed."
            )
