"""Every score against values that were computed with fifty digits."""

from __future__ import annotations

import math
from typing import Any

import pytest

from core import METRICS, score, score_many
from tests.core import exact
from tests.core.reference import ORACLE

# Sums over many degrees, in which more roundings meet.
VARIANCES = ("var_mi_q", "smi_q", "standardized_rand", "p_bound")


def tolerance(key: str) -> float:
    """Return how far a score may be from the oracle, relatively."""
    return 1e-11 if key in VARIANCES else 1e-12


# Options, and the key under which the oracle holds a score with these options.
VARIANTS: list[tuple[str, dict[str, Any], str]] = [
    ("plain", {}, "{}"),
    ("geometric", {"average": "geometric"}, "{}_geometric"),
    ("min", {"average": "min"}, "{}_min"),
    ("max", {"average": "max"}, "{}_max"),
    ("beta_0_5", {"beta": 0.5}, "{}_beta_0_5"),
    ("beta_2", {"beta": 2.0}, "{}_beta_2"),
    *((f"q_{q}", {"q": float(q)}, f"q:{q}:{{}}") for q in ORACLE[0]["values"]["q"]),
]


def right(entry: dict[str, Any], options: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the oracle's values by key of the catalogue, of the keys that it has."""
    found = {}
    for key, metric in METRICS.items():
        if name != "{}" and not set(options) & set(metric.parameters):
            continue
        if name.startswith("q:"):
            _, q, _ = name.split(":")
            values, held = entry["values"]["q"][q], key
        else:
            values, held = entry["values"], name.format(key)
        if key == "standardized_rand":
            found[key] = entry["values"]["q"]["2"]["smi_q"]
        elif held in values:
            found[key] = values[held]
    return found


@pytest.mark.parametrize("entry", ORACLE, ids=lambda entry: entry["id"])
def test_a_score_differs_from_the_oracle(entry: dict[str, Any]) -> None:
    compared = 0
    for _, options, name in VARIANTS:
        expected = right(entry, options, name)
        scores = score(entry["table"], metrics=list(expected), **options)
        for key, value in expected.items():
            if value is None:
                assert math.isnan(scores[key]), (key, options)
                reason = scores.why(key)
                assert reason, (key, options)
                assert len(reason.split()) > 3, (key, reason)
            else:
                assert scores[key] == pytest.approx(value, rel=tolerance(key), abs=0), (
                    key,
                    options,
                )
                assert scores.why(key) is None, (key, options)
            compared += 1
    assert compared > 20


@pytest.mark.parametrize(
    ("options", "name"), [v[1:] for v in VARIANTS], ids=[v[0] for v in VARIANTS]
)
def test_many_tables_at_once_differ_from_the_oracle(options: dict[str, Any], name: str) -> None:
    expected = [right(entry, options, name) for entry in ORACLE]
    keys = [key for key in expected[0] if METRICS[key].per == "table"]
    many = score_many([entry["table"] for entry in ORACLE], metrics=keys, **options)
    for key in keys:
        column = [math.nan if e[key] is None else e[key] for e in expected]
        assert many[key].tolist() == pytest.approx(
            column, rel=tolerance(key), abs=0, nan_ok=True
        ), key


@pytest.mark.parametrize(
    "entry",
    [e for e in ORACLE if sum(map(sum, e["table"])) < 1000],
    ids=lambda entry: entry["id"],
)
def test_the_exact_arithmetic_of_the_tests_is_wrong(entry: dict[str, Any]) -> None:
    found = exact.scores(entry["table"], chance=sum(map(sum, entry["table"])) < 200)
    shared = {key: value for key, value in entry["values"].items() if key in found}
    assert len(shared) > 30
    for key, value in shared.items():
        if value is None:
            assert found[key] is None, key
        else:
            assert found[key] == pytest.approx(value, rel=1e-14, abs=0), key
