"""What docs/conventions.md says of our scores."""

from __future__ import annotations

import math

import pytest

from core import METRICS, TableError, score
from core.metrics.metric import HAS_ITEMS
from tests.conventions import Statement, agrees, statements

STATEMENTS = statements()


@pytest.mark.parametrize("stated", STATEMENTS, ids=str)
def test_the_page_of_conventions_states_another_value(stated: Statement) -> None:
    if stated.says == "error":
        with pytest.raises(TableError, match="row 1, column"):
            score(stated.table)
        return
    scores = score(stated.table, [stated.key], **stated.options)
    assert agrees(scores[stated.key], stated.says), scores[stated.key]
    if stated.says == "—":
        reason = scores.why(stated.key)
        assert reason is not None
        assert len(reason.split()) > 3


def test_an_empty_table_has_a_score() -> None:
    scores = score([[0, 0], [0, 0]])
    for key, metric in METRICS.items():
        if key in scores:
            assert metric.per == "row" or math.isnan(scores[key]), key
            assert scores.why(key) == HAS_ITEMS.otherwise, key


def test_the_page_is_not_read() -> None:
    beside = [stated for stated in STATEMENTS if stated.peer]
    assert len(beside) > 40
    assert len(STATEMENTS) - len(beside) > 150
    assert {stated.says for stated in STATEMENTS} >= {"0", "1", "—", "error", "−0.0652"}


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (math.nextafter(1.0, 2.0), "1"),
        (1e-300, "0"),
        (0.0, "—"),
        (math.nan, "0"),
        (0.25425, "0.2544"),
        (4.3186e-10, "4.31864788e-10"),
        (0.6666666666666667, "0.6666666666666666"),
    ],
)
def test_a_value_agrees_that_should_not(value: float, says: str) -> None:
    assert not agrees(value, says)
