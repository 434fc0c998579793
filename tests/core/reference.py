"""The reference values of tests/reference, read once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from core import METRICS

_FOLDER = Path(__file__).parents[1] / "reference"


def _read(name: str) -> Any:
    return json.loads((_FOLDER / name).read_text(encoding="utf-8"))


# Tables with values computed with fifty digits; None where a score does not exist.
ORACLE: list[dict[str, Any]] = _read("oracle.json")["tables"]

# Inputs that broke other programs, with right values or behaviour.
CASES: list[dict[str, Any]] = _read("cases.json")["cases"]

# The metrics that a table is scored with where no key is asked for.
BY_DEFAULT = {key: metric for key, metric in METRICS.items() if metric.when != "request"}
