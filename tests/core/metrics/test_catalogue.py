"""What the catalogue says of each metric, and the options."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from core import METRICS, score
from core.metrics.catalogue import FAMILIES
from core.metrics.metric import Metric, ScoreOptions


@pytest.mark.parametrize("metric", METRICS.values(), ids=lambda metric: metric.key)
def test_an_entry_is_incomplete(metric: Metric) -> None:
    assert METRICS[metric.key] is metric
    assert metric.key == metric.key.lower()
    assert metric.key.isidentifier()
    assert metric.family in FAMILIES
    assert metric.low < metric.high
    for text in (metric.name, metric.symbol, metric.formula, metric.source):
        assert text
        assert text == text.strip()
    assert metric.name[0].isupper()
    assert set(metric.parameters) <= {field.name for field in fields(ScoreOptions)}
    for requirement in metric.requires:
        assert len(requirement.otherwise.split()) > 3


def test_two_metrics_share_a_name() -> None:
    for names in ([m.name for m in METRICS.values()], [m.symbol for m in METRICS.values()]):
        assert len(set(names)) == len(names)


def test_a_family_is_scattered_over_the_catalogue() -> None:
    order = [metric.family for metric in METRICS.values()]
    assert [f for i, f in enumerate(order) if i == 0 or order[i - 1] != f] == list(FAMILIES)


def test_the_catalogue_can_be_changed() -> None:
    with pytest.raises(TypeError):
        METRICS["mine"] = METRICS["ap"]  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        METRICS["ap"].name = "mine"  # type: ignore[misc]


@pytest.mark.parametrize(
    "options",
    [
        *({"q": q} for q in (0, 0.0, -1.0, float("nan"), float("inf"), float("-inf"))),
        *({"beta": beta} for beta in (-0.1, float("nan"), float("inf"))),
        *({"average": average} for average in ("mean", "", None, "Arithmetic", 1)),
        *({"empty_truth": empty} for empty in ("drop", "", None, 0)),
    ],
    ids=str,
)
def test_an_option_without_meaning_is_taken(options: dict[str, Any]) -> None:
    (name, value), *_ = options.items()
    with pytest.raises(ValueError, match=f"^{name} is "):
        ScoreOptions(**options)
    with pytest.raises(ValueError, match=f"^{name} is .*{value}"):
        score([[8, 2], [1, 9]], **options)


def test_an_option_at_its_end_is_refused() -> None:
    ScoreOptions(q=1e-300, beta=0.0)
    ScoreOptions(q=1, beta=2)
