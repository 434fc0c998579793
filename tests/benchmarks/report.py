"""Prints the tables of docs/performance.md from one run of the benchmarks.

python -m tests.benchmarks.report              runs the benchmarks, then prints
python -m tests.benchmarks.report FILE.json    prints what --benchmark-json has saved

The times are the best of each benchmark's rounds: what other programs did to the machine
meanwhile disturbs them least.
"""

from __future__ import annotations

import json
import math
import platform
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.peers import PEERS, MissingPeerError, version
from tests.benchmarks.rows import ROWS, SERIES
from tests.benchmarks.test_scoring import OURS

Found = Mapping[tuple[str, Any], Mapping[str, Any]]


def run() -> dict[str, Any]:
    """Run the benchmarks and return what pytest-benchmark saves."""
    with tempfile.TemporaryDirectory() as folder:
        saved = Path(folder, "benchmarks.json")
        arguments = ["--benchmark-only", "--timeout=0", "-q", f"--benchmark-json={saved}"]
        status = pytest.main(["tests/benchmarks/test_scoring.py", "-rs", *arguments])
        if status != pytest.ExitCode.OK:
            raise SystemExit(int(status))
        found: dict[str, Any] = json.loads(saved.read_text(encoding="utf-8"))
    return found


def by_place(saved: Mapping[str, Any]) -> Found:
    """Return each benchmark by its row and who did it, or by its series and size."""
    found = {}
    for benchmark in saved["benchmarks"]:
        info = benchmark["extra_info"]
        place = (info["row"], info["who"]) if "row" in info else (info["series"], info["size"])
        found[place] = {"seconds": benchmark["stats"]["min"], **info}
    return found


def duration(seconds: float) -> str:
    """Return a time for people, with three digits.

    >>> duration(0.0001234), duration(0.0456), duration(12.34)
    ('0.123 ms', '45.6 ms', '12.3 s')
    """
    value, unit = (seconds, "s") if seconds >= 1 else (1e3 * seconds, "ms")
    return f"{digits(value)} {unit}"


def digits(value: float) -> str:
    """Return a number with three digits."""
    decimals = 2 - math.floor(math.log10(value)) if value > 0 else 0
    return f"{value:,.{max(decimals, 0)}f}"


def compared(found: Found) -> Iterator[str]:
    """Yield the table of the rows."""
    yield "| work | peer | the peer's time | Tallyscope | ratio | goal |"
    yield "|---|---|---|---|---|---|"
    for row in ROWS:
        ours = found.get((row.work, OURS))
        if ours is None:
            continue
        own = duration(ours["seconds"])
        if "peak" in ours:
            own += f", {ours['peak'] / 1e6:.0f} MB"
        for name in row.peers:
            theirs = found.get((row.work, name))
            goal = row.goals.get(name)
            if theirs is None:
                yield f"| {row.work} | {name} | not measured | {own} | | {goal or ''} |"
                continue
            times = theirs["seconds"], ours["seconds"]
            ratio = (
                f"{digits(times[1] / times[0])} of it"
                if goal and not goal.faster
                else f"{digits(times[0] / times[1])} times faster"
            )
            verdict = f"{goal}{'' if goal.held(*times) else ': missed'}" if goal else ""
            yield f"| {row.work} | {name} | {duration(times[0])} | {own} | {ratio} | {verdict} |"


def grown(found: Found) -> Iterator[str]:
    """Yield a table for each series: the time by size, and the exponent of the growth."""
    for series in SERIES:
        times = {
            size: found[series.work, size]["seconds"]
            for size in series.sizes
            if (series.work, size) in found
        }
        if len(times) < 2:
            continue
        (first, *_, last), seconds = times, list(times.values())
        exponent = math.log(seconds[-1] / seconds[0]) / math.log(last / first)
        goal = f" (goal: at most {series.exponent:g})" if series.exponent is not None else ""
        yield ""
        yield f"{series.work[0].upper()}{series.work[1:]}: exponent {exponent:.2f}{goal}."
        yield ""
        yield f"| {series.by} | " + " | ".join(f"{size:,}" for size in times) + " |"
        yield "|---" * (len(times) + 1) + "|"
        yield "| time | " + " | ".join(duration(s) for s in seconds) + " |"


def conditions() -> str:
    """Return what the figures were taken with."""
    versions = [f"Python {platform.python_version()}"]
    for name in ("numpy", *PEERS):
        try:
            versions.append(f"{name} {version(name)}")
        except MissingPeerError:
            continue
    return f"{platform.system()}, {', '.join(versions)}."


def main(arguments: list[str]) -> None:
    """Run or read, and print."""
    saved = json.loads(Path(arguments[0]).read_text("utf-8")) if arguments else run()
    found = by_place(saved)
    for line in (conditions(), "", *compared(found), *grown(found)):
        print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
