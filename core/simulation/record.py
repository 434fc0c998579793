"""Scenarios as plain data, for files, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from core.counts import TableError
from core.simulation.around import FixedMargins, Perturbed
from core.simulation.dividers import DividedTotal
from core.simulation.extremes import Ideal, Worst
from core.simulation.scenario import Scenario, SimulationError
from core.table import ContingencyTable

_KINDS: Mapping[str, type[Scenario]] = MappingProxyType(
    {kind.kind: kind for kind in (DividedTotal, Ideal, Worst, FixedMargins, Perturbed)}
)


def scenario_record(scenario: Scenario) -> dict[str, Any]:
    """Return a scenario as a dictionary that JSON can hold."""
    record: dict[str, Any] = {"kind": scenario.kind}
    for part in fields(scenario):
        value = getattr(scenario, part.name)
        record[part.name] = _table_record(value) if part.name == "table" else value
    return record


def scenario_from(record: object) -> Scenario:
    """Return the scenario of a record.

    Raises
    ------
    SimulationError
        If the record names no kind of scenario, lacks a setting, has one that its kind
        does not know, or one that has no meaning.
    """
    if not isinstance(record, Mapping):
        raise SimulationError("scenario", "a scenario is an object with a kind and its settings")
    kind = _KINDS.get(str(record.get("kind")))
    if kind is None:
        raise SimulationError(
            "kind", f"the kind of scenario is {', '.join(_KINDS)}, not {record.get('kind')!r}"
        )
    settings = {key: value for key, value in record.items() if key != "kind"}
    known = [part.name for part in fields(kind)]
    for key in settings:
        if key not in known:
            raise SimulationError(
                str(key), f"{kind.kind} has no setting {key!r}: it has {', '.join(known)}"
            )
    if "table" in settings:
        settings["table"] = _table_from(settings["table"])
    try:
        return kind(**settings)
    except TypeError:
        lacking = [name for name in ("rows", "columns", "table") if name in known]
        name = next((name for name in lacking if name not in settings), "settings")
        raise SimulationError(name, f"{kind.kind} needs {name!r}") from None


def _table_record(table: ContingencyTable) -> dict[str, Any]:
    return {
        "truth": list(table.truth),
        "clusters": list(table.clusters),
        "counts": table.counts.tolist(),
    }


def _table_from(record: object) -> ContingencyTable:
    if not isinstance(record, Mapping) or "counts" not in record:
        raise SimulationError("table", "a table is an object with counts, truth and clusters")
    rows = record["counts"] if isinstance(record["counts"], list) else []
    for i, row in enumerate(rows):
        for j, count in enumerate(row if isinstance(row, list) else []):
            if isinstance(count, bool):
                # Elsewhere true is 1; in a file of counts it is a mistake.
                raise SimulationError(
                    "table", f"row {i + 1}, column {j + 1} of its counts is {count}, no count"
                )
    try:
        return ContingencyTable(record["counts"], record.get("truth"), record.get("clusters"))
    except (TableError, TypeError) as error:
        raise SimulationError("table", f"the table of the scenario: {error}") from None
