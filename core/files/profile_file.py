"""A profile as a file: everything, as JSON that opens again; docs/profiling.md has the format."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from dataclasses import asdict, dataclass, fields
from decimal import Decimal
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np
import numpy.typing as npt

from core.files.atomic import atomic_file
from core.files.decoding import decode, read_bytes
from core.files.errors import FaultKind, ReadError, plain, shown
from core.files.json_values import json_value
from core.files.profile_marks import PROFILE_FORMAT
from core.files.results_json import pretty_json
from core.files.writing import Saved, written
from core.metrics.metric import ScoreOptions
from core.profiling.clock import Clock
from core.profiling.machine import Machine, Power, machine_from
from core.profiling.stages import STAGES, Stages
from core.scores import UnknownMetricError
from core.simulation.record import scenario_from, scenario_record
from core.simulation.scenario import SimulationError
from core.studies.profiling import Profile, ProfileResult
from core.studies.study import Pulse, Step
from core.version import PROGRAM, __version__

FORMAT_VERSION = 1

# Above all times and sizes that can be; whole numbers beyond it are no floats.
_MOST = 1e300

_Floats = npt.NDArray[np.float64]


class _FaultError(ValueError):
    """What is wrong with a value, and where."""

    def __init__(self, key: str, fault: str) -> None:
        super().__init__(fault)
        self.key = key


@dataclass(frozen=True, eq=False)
class SaveProfile:
    """The study that writes a profile to a file that opens again.

    Attributes
    ----------
    result : ProfileResult
    path : Path or str
    """

    result: ProfileResult
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
            for piece in pretty_json(profile_record(self.result), 0, ascii_only=True):
                file.write(piece.encode("ascii"))
                if pulse.due():
                    yield Step(0, 1, f"saving {name}")
            file.write(b"\n")
            stamp = written(file)
            yield Step(1, 1, f"saving {name}")
        yield Step(1, 1, f"saved {name}", result=Saved(path, stamp))


def settings_of(profile: Profile) -> dict[str, Any]:
    """Return what measures a profile again, as a dictionary that JSON can hold."""
    return {
        "scenario": scenario_record(profile.scenario),
        "instances": int(profile.instances),
        "seed": int(profile.seed),
        "metrics": list(profile.keys),
        "routes": list(profile.routes),
        "options": asdict(profile.options),
    }


def profile_record(result: ProfileResult) -> dict[str, Any]:
    """Return a profile as a dictionary that JSON can hold."""
    profile = result.profile

    def by_route(values: npt.NDArray[np.float64]) -> dict[str, dict[str, Any]]:
        return {
            route: {key: _numbers(values[i, j]) for j, key in enumerate(profile.keys)}
            for i, route in enumerate(profile.routes)
        }

    start, stop = result.quiet
    return {
        "format": PROFILE_FORMAT,
        "format_version": FORMAT_VERSION,
        "program": f"{PROGRAM} {__version__}",
        "settings": settings_of(profile),
        "units": "times in ms, memory in bytes, warm_up and seconds in s",
        "machine_before": result.began.record(),
        "machine_after": None if result.ended is None else result.ended.record(),
        "powers": list(result.powers),
        "clock": {"overhead_ns": result.clock.overhead, "resolution_ns": result.clock.resolution},
        "warm_up": result.warm_up,
        "batch_tables": result.batch_tables,
        "seconds": result.seconds,
        "disturbances": result.disturbances(),
        # From the first to the last instance, counted from 1.
        "quiet_window": [start + 1, stop],
        "memory": None if result.memory is None else by_route(result.memory),
        "stages": None if result.stages is None else asdict(result.stages),
        "waited": _numbers(result.waited),
        "yardstick": _numbers(result.yardstick),
        "times": by_route(result.times),
    }


def _numbers(values: Any) -> Any:
    """Return floats as JSON has them: what does not exist is null."""
    if np.ndim(values) == 0:
        number = float(values)
        return number if math.isfinite(number) else None
    return [number if math.isfinite(number) else None for number in values.tolist()]


@dataclass(frozen=True)
class ReadProfile:
    """The study that reads a profile from a file.

    Attributes
    ----------
    path : Path or str
    name : str, optional
        What messages call the file; its name by default.
    """

    path: Path | str
    name: str | None = None

    def run(self) -> Generator[Step[ProfileResult], None, None]:
        """Read, with a step every twentieth of a second; the last has the `ProfileResult`.

        Raises
        ------
        ReadError
            If the file cannot be read or holds no profile.
        """
        path = Path(self.path)
        name = plain(self.name or path.name or str(path))
        data, _ = yield from read_bytes(path, name)
        head = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip()
        if not head.startswith(b"{"):
            raise _none(name)
        text, _ = decode(data, name, None, json=True)
        value = yield from json_value(text.removeprefix("\ufeff"), name)
        if not isinstance(value, dict) or value.get("format") != PROFILE_FORMAT:
            raise _none(name)
        version = value.get("format_version")
        if isinstance(version, int) and version > FORMAT_VERSION:
            raise ReadError(
                f"{name} was written by a newer program (format {version}): open it with that, "
                "or update this one.",
                kind=FaultKind.NEWER,
            )
        try:
            result = _profile(_readable(value))
        except _FaultError as fault:
            raise ReadError(
                f"{name}: {shown(fault.key)} {plain(str(fault)).removesuffix('.')}.",
                kind=FaultKind.DAMAGED,
            ) from None
        yield Step(1, 1, f"read {name}", result=result)


def _none(name: str) -> ReadError:
    return ReadError(
        f"{name} holds no profile: choose a file that the page Profile, or the command profile "
        "--out, wrote.",
        kind=FaultKind.NOT_TEXT,
    )


def _readable(value: Any) -> Any:
    """Return what was read with its fractions as floats, and no control characters in texts.

    A profile may come from anywhere, and what it says of its machine goes to terminals.
    """
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list):
        return [_readable(inner) for inner in value]
    if isinstance(value, dict):
        return {plain(key): _readable(inner) for key, inner in value.items()}
    return value


def _profile(value: Mapping[str, Any]) -> ProfileResult:
    profile = _settings(_part(value, "settings", dict))
    waited = _floats(_part(value, "waited", list), "waited")
    n = len(waited)
    if n > profile.instances:
        raise _FaultError("waited", f"has {n} instances, more than there are")
    yardstick = _floats(_part(value, "yardstick", list), "yardstick", n)
    times = np.full((len(profile.routes), len(profile.keys), n), np.nan)
    _fill(times, _part(value, "times", dict), profile, "times", n)
    memory: _Floats | None = None
    if value.get("memory") is not None:
        memory = np.full((len(profile.routes), len(profile.keys)), np.nan)
        _fill(memory, _part(value, "memory", dict), profile, "memory", None)
    clock = _part(value, "clock", dict)
    powers = tuple(_part(value, "powers", list)) or ("unknown",)
    if not all(power in get_args(Power) for power in powers):
        raise _FaultError("powers", "are mains, battery or unknown")
    began = _machine(value, "machine_before")
    ended = None if value.get("machine_after") is None else _machine(value, "machine_after")
    return ProfileResult(
        profile,
        times,
        waited,
        yardstick,
        began,
        ended,
        cast(tuple[Power, ...], powers),
        Clock(_number(clock, "overhead_ns"), _number(clock, "resolution_ns")),
        _number(value, "warm_up"),
        int(_number(value, "batch_tables")),
        memory,
        _stages(value.get("stages")),
        _number(value, "seconds"),
    )


def _machine(value: Mapping[str, Any], key: str) -> Machine:
    try:
        return machine_from(value.get(key))
    except ValueError as error:
        raise _FaultError(key, f"is damaged: {error}") from None


def _settings(settings: Mapping[str, Any]) -> Profile:
    try:
        options = ScoreOptions(**_known(_part(settings, "options", dict), ScoreOptions))
        return Profile(
            scenario_from(settings.get("scenario")),
            cast(int, settings.get("instances")),
            _texts(settings, "metrics"),
            _texts(settings, "routes"),
            cast(int, settings.get("seed")),
            options,
        )
    except SimulationError as error:
        raise _FaultError(error.setting, f"is wrong: {error.message}") from None
    except UnknownMetricError as error:
        raise _FaultError("metrics", f"is wrong: {error}") from None
    except (TypeError, ValueError) as error:
        if isinstance(error, _FaultError):
            raise
        raise _FaultError("settings", f"are wrong: {error}") from None


def _known(record: Mapping[str, Any], kind: type) -> dict[str, Any]:
    known = [part.name for part in fields(kind)]
    for key in record:
        if key not in known:
            raise _FaultError(key, f"is not known: there are {', '.join(known)}")
    return dict(record)


def _texts(record: Mapping[str, Any], key: str) -> list[str]:
    found = _part(record, key, list)
    if not all(isinstance(each, str) for each in found):
        raise _FaultError(key, "must be a list of texts")
    return cast(list[str], found)


def _part(record: Mapping[str, Any], key: str, kind: type) -> Any:
    if key not in record:
        raise _FaultError(key, "is missing")
    if not isinstance(record[key], kind):
        what = "an object" if kind is dict else "a list"
        raise _FaultError(key, f"must be {what}")
    return record[key]


def _number(record: Mapping[str, Any], key: str) -> float:
    value = record.get(key)
    if type(value) not in (int, float) or not 0 <= cast(float, value) < _MOST:
        raise _FaultError(key, "must be a number, 0 or more")
    return float(cast(float, value))


def _floats(values: list[Any], key: str, n: int | None = None) -> _Floats:
    if n is not None and len(values) != n:
        raise _FaultError(key, f"has {len(values)} values where there are {n} instances")
    for value in values:
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise _FaultError(key, f"has {shown(str(value))} among its numbers")
        if value is not None and not 0 <= value < _MOST:
            said = f"{value:g}" if abs(value) < _MOST else str(value)[:20]
            raise _FaultError(key, f"has {said}: times and sizes are 0 or more, and finite")
    return np.array([math.nan if value is None else value for value in values], np.float64)


def _fill(
    into: _Floats, record: Mapping[str, Any], profile: Profile, what: str, n: int | None
) -> None:
    for i, route in enumerate(profile.routes):
        of_route = _part(record, route, dict)
        for j, key in enumerate(profile.keys):
            if n is not None:
                into[i, j] = _floats(_part(of_route, key, list), f"{what} of {key}", n)
            elif key not in of_route:
                raise _FaultError(key, f"is missing in {what}")
            else:
                into[i, j] = _floats([of_route[key]], f"{what} of {key}")[0]


def _stages(value: Any) -> Stages | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise _FaultError("stages", "must be an object")
    parts = _part(value, "parts", dict)
    if set(parts) != set(STAGES):
        raise _FaultError("stages", f"are {', '.join(STAGES)}")
    return Stages(
        _number(value, "total"),
        {key: _number(parts, key) for key in STAGES},
        int(_number(value, "instances")),
    )
