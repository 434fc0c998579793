"""Inputs that broke other programs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from core import METRICS, ContingencyTable, TableError, score
from tests.core import exact
from tests.core.reference import CASES

TABLES = [case for case in CASES if "table" in case]
REJECTED = [case for case in CASES if "reject" in case]


def what(case: dict[str, Any]) -> str:
    return str(case["what"])


@pytest.mark.parametrize("case", TABLES, ids=what)
def test_a_score_that_others_got_wrong_is_wrong(case: dict[str, Any]) -> None:
    scores = score(case["table"])
    compared = 0
    for key, value in (case["values"] | case.get("also", {})).items():
        if key == "nmi_in_0_1":
            assert 0.0 <= scores["nmi"] <= 1.0
        elif key == "nmi_at_most_1":
            assert scores["nmi"] <= 1.0
        elif key in METRICS:
            assert scores[key] == pytest.approx(value, rel=1e-12, abs=0), key
            compared += 1
    assert compared >= 6


@pytest.mark.parametrize("case", REJECTED, ids=what)
def test_a_table_that_must_be_refused_is_scored(case: dict[str, Any]) -> None:
    wrong = next(
        (i, j)
        for i, row in enumerate(case["reject"])
        for j, n in enumerate(row)
        if n < 0 or n != int(n)
    )
    with pytest.raises(TableError) as caught:
        score(case["reject"])
    assert (caught.value.row, caught.value.column) == wrong
    assert f"row {wrong[0] + 1}, column {wrong[1] + 1}" in str(caught.value)
    assert str(case["reject"][wrong[0]][wrong[1]]) in str(caught.value)


def test_equal_margins_of_many_labels_lose_digits_of_ami() -> None:
    case = next(case for case in CASES if case.get("labels", {}).get("truth") == "i % 1000")
    n = case["labels"]["n"]
    assert case["labels"]["cluster"] == "i % 900"
    items = np.arange(n)
    table = ContingencyTable.from_labels(items % 1000, items % 900)
    assert table.shape == (1000, 900)
    assert "counts" not in vars(table)

    columns = table.column_sums.tolist()
    assert set(table.row_sums.tolist()) == {1000}
    assert set(columns) == {1111, 1112}
    mutual = math.fsum(
        count / n * math.log(count * n / (1000 * columns[j]))
        for j, count in zip(table.cells.columns.tolist(), table.cells.counts.tolist(), strict=True)
    )
    entropies = math.log(1000) - math.fsum(b / n * math.log(b / n) for b in columns)
    expected = sum(
        1000 * columns.count(b) * float(exact.expected_term(1000, b, n)) / n for b in set(columns)
    )
    right = (mutual - expected) / (entropies / 2 - expected)
    assert score(table, metrics=["ami"])["ami"] == pytest.approx(right, rel=1e-12)


def test_a_noise_label_is_dropped_or_split_unasked() -> None:
    case = next(case for case in CASES if "noise" in case["what"])
    table = ContingencyTable.from_labels(case["labels"]["truth"], case["labels"]["cluster"])
    assert table.clusters == ("-1", "0", "1")
    assert table.counts.tolist() == [[1, 2, 0], [1, 1, 2]]


def test_a_table_of_54_classes_is_cut_off() -> None:
    case = next(case for case in CASES if "shape" in case)
    r, c = case["shape"]
    table = ContingencyTable(np.arange(r * c).reshape(r, c))
    assert table.shape == (54, 54)
    assert (len(table.truth), len(table.clusters)) == (54, 54)
    assert len(score(table)["row_peakiness"]) == 54
    assert score(table, metrics=["ari"])["ari"] == pytest.approx(
        exact.scores(table.counts.tolist(), chance=False)["ari"], rel=1e-12
    )


def test_a_case_is_not_looked_at() -> None:
    seen = len(TABLES) + len(REJECTED) + len([c for c in CASES if "labels" in c or "shape" in c])
    assert seen == len(CASES)
