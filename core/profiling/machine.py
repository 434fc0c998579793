"""The machine that times were measured on."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
import platform
import subprocess
import sys
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, cast, get_args

from core.version import __version__

Power = Literal["mains", "battery", "unknown"]

_LIBRARIES = ("numpy", "scipy", "scikit-learn")


@dataclass(frozen=True)
class Machine:
    """A machine, and the state that it is in.

    Attributes
    ----------
    processor : str
    cores : int
        Logical ones.
    memory : int or None
        In bytes; None where it is not known.
    system, python, program : str
    libraries : dict of str to str
        Versions by name.
    power : {"mains", "battery", "unknown"}
    clock_mhz, clock_most_mhz : float or None
        Of the fastest core just now, and what it may reach.
    governor : str or None
        How Linux chooses the clock.
    load : float or None
        Programs that waited for a core, mean of the last minute.
    """

    processor: str
    cores: int
    memory: int | None
    system: str
    python: str
    program: str
    libraries: dict[str, str] = field(default_factory=dict)
    power: Power = "unknown"
    clock_mhz: float | None = None
    clock_most_mhz: float | None = None
    governor: str | None = None
    load: float | None = None

    @classmethod
    def here(cls) -> Machine:
        """Look at the machine that this runs on."""
        from importlib.metadata import PackageNotFoundError, version

        libraries = {}
        for name in _LIBRARIES:
            with contextlib.suppress(PackageNotFoundError):
                libraries[name] = version(name)
        clock, most = _clock()
        return cls(
            _processor(),
            os.cpu_count() or 1,
            _memory(),
            _system(),
            f"{platform.python_implementation()} {platform.python_version()}",
            f"Tallyscope {__version__}",
            libraries,
            power_source(),
            clock,
            most,
            _line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        )

    @property
    def words(self) -> str:
        """Processor, cores, memory and system, in a line."""
        parts = [self.processor, f"{self.cores} core{'s' if self.cores != 1 else ''}"]
        if self.memory:
            parts.append(f"{self.memory / 2**30:.0f} GB")
        return ", ".join([*parts, self.system])

    def lines(self) -> list[tuple[str, str]]:
        """Return what is known, as names and values for people."""
        unknown = "not known"
        gb = unknown if self.memory is None else f"{self.memory / 2**30:.1f} GB"
        clock = unknown
        if self.clock_mhz is not None:
            clock = f"{self.clock_mhz:,.0f} MHz"
            if self.clock_most_mhz is not None:
                clock += f" of {self.clock_most_mhz:,.0f} MHz"
        load = unknown if self.load is None else f"{self.load:.2f} before the first instance"
        return [
            ("Processor", self.processor),
            ("Cores", str(self.cores)),
            ("Memory", gb),
            ("System", self.system),
            ("Python", self.python),
            ("Program", self.program),
            *self.libraries.items(),
            ("Power", unknown if self.power == "unknown" else self.power),
            ("Clock", clock + (f", governor {self.governor}" if self.governor else "")),
            ("Load", load),
        ]

    def record(self) -> dict[str, Any]:
        """Return it as a dictionary that JSON can hold."""
        return asdict(self)


def machine_from(record: object) -> Machine:
    """Return the machine of a record.

    Raises
    ------
    ValueError
        If something that every machine has is missing, or of another kind.
    """
    if not isinstance(record, dict):
        raise ValueError("a machine is an object")
    known = [part.name for part in fields(Machine)]
    for key in known[:6]:
        if key not in record:
            raise ValueError(f"{key!r} of the machine is missing")
    for key, value in record.items():
        if key not in known:
            raise ValueError(f"{key!r} is nothing that a machine has")
        if not _can_be(key, value):
            raise ValueError(f"{key!r} of the machine is {str(value)[:40]!r}")
    return Machine(**record)


# Above what any machine has; counts of bytes and cores lie below it everywhere.
_MOST = 2**63


def _can_be(key: str, value: object) -> bool:
    """Return whether something that was read can be a part of a machine."""
    if value is None:
        return key in ("memory", "clock_mhz", "clock_most_mhz", "governor", "load")
    if key == "libraries":
        return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())
    if key == "power":
        return isinstance(value, str) and value in get_args(Power)
    if key in ("cores", "memory"):
        return type(value) is int and 0 < value < _MOST
    if key in ("clock_mhz", "clock_most_mhz", "load"):
        return type(value) in (int, float) and 0 <= cast(float, value) < _MOST
    return isinstance(value, str)


# Each system in its own way; what cannot be found out is not known.


def _line(path: str) -> str | None:
    try:
        return Path(path).read_text("utf-8", "replace").strip() or None
    except OSError:
        return None


def _said(*command: str) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None


def _processor() -> str:
    if sys.platform.startswith("linux"):
        for line in (_line("/proc/cpuinfo") or "").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Model", "Hardware") and value.strip():
                return " ".join(value.split())
    elif sys.platform == "darwin":
        name = _said("sysctl", "-n", "machdep.cpu.brand_string")
        if name:
            return name
    elif sys.platform == "win32":
        name = _registry_name()
        if name:
            return name
    return platform.processor() or platform.machine() or "unknown processor"


def _registry_name() -> str | None:
    registry = importlib.import_module("winreg")
    place = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
    try:
        with registry.OpenKey(registry.HKEY_LOCAL_MACHINE, place) as key:
            return str(registry.QueryValueEx(key, "ProcessorNameString")[0]).strip() or None
    except OSError:
        return None


def _memory() -> int | None:
    if sys.platform == "win32":
        return _windows_memory()
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None


class _MemoryStatus(ctypes.Structure):
    _fields_ = (
        ("length", ctypes.c_ulong),
        ("load", ctypes.c_ulong),
        ("total", ctypes.c_ulonglong),
        *((name, ctypes.c_ulonglong) for name in ("a", "b", "c", "d", "e", "f")),
    )


class _PowerStatus(ctypes.Structure):
    _fields_ = (
        ("line", ctypes.c_ubyte),
        ("battery", ctypes.c_ubyte),
        ("percent", ctypes.c_ubyte),
        ("saver", ctypes.c_ubyte),
        ("left", ctypes.c_ulong),
        ("full", ctypes.c_ulong),
    )


def _windows_memory() -> int | None:
    kernel = _kernel32()
    status = _MemoryStatus(length=ctypes.sizeof(_MemoryStatus))
    if kernel is None or not kernel.GlobalMemoryStatusEx(ctypes.byref(status)):
        return None
    return int(status.total)


def _kernel32() -> Any:
    return getattr(getattr(ctypes, "windll", None), "kernel32", None)


def _system() -> str:
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError):
            release = platform.freedesktop_os_release()
            return f"{release.get('PRETTY_NAME', 'Linux')}, Linux {platform.release()}"
    if sys.platform == "darwin":
        return f"macOS {platform.mac_ver()[0]} {platform.machine()}"
    return f"{platform.system()} {platform.version()} {platform.machine()}".strip()


def power_source() -> Power:
    """Return where the power comes from just now."""
    found = "unknown"
    if sys.platform.startswith("linux"):
        found = _linux_power(Path("/sys/class/power_supply"))
    elif sys.platform == "win32":
        kernel, status = _kernel32(), _PowerStatus()
        if kernel is not None and kernel.GetSystemPowerStatus(ctypes.byref(status)):
            found = {0: "battery", 1: "mains"}.get(int(status.line), "unknown")
    elif sys.platform == "darwin":
        said = _said("pmset", "-g", "batt") or ""
        found = "battery" if "Battery Power" in said else "mains" if "AC Power" in said else found
    return cast(Power, found)


def _linux_power(folder: Path) -> str:
    online, battery = [], False
    try:
        supplies = sorted(folder.iterdir())
    except OSError:
        return "unknown"
    for supply in supplies:
        kind = _line(str(supply / "type"))
        if kind in ("Mains", "USB"):
            online.append(_line(str(supply / "online")) == "1")
        elif kind == "Battery" and _line(str(supply / "scope")) != "Device":
            battery = True
            if _line(str(supply / "status")) == "Discharging":
                return "battery"
    if any(online):
        return "mains"
    return "battery" if battery and online else "unknown"


def _clock() -> tuple[float | None, float | None]:
    """Return the clock of the fastest core and the highest that it may have, in MHz."""
    now: list[float] = []
    for folder in Path("/sys/devices/system/cpu").glob("cpu[0-9]*/cpufreq"):
        with contextlib.suppress(ValueError, TypeError):
            now.append(float(_line(str(folder / "scaling_cur_freq")) or "") / 1e3)
    most: float | None = None
    with contextlib.suppress(ValueError):
        most = float(_line("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq") or "") / 1e3
    if not now:
        for line in (_line("/proc/cpuinfo") or "").splitlines():
            if line.startswith("cpu MHz"):
                with contextlib.suppress(ValueError):
                    now.append(float(line.partition(":")[2]))
    if not now and sys.platform == "darwin":
        with contextlib.suppress(ValueError):
            most = float(_said("sysctl", "-n", "hw.cpufrequency_max") or "") / 1e6
    return (max(now) if now else None), most
