"""Associativity and peakiness where their definitions say something particular."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core import score
from core.metrics.metric import harmonic_mean, ratio


def test_an_empty_class_does_not_enter_peakiness_as_zero_when_asked_to() -> None:
    table = [[8, 2], [0, 0], [1, 9], [0, 0]]
    plain = score(table)
    zero = score(table, empty_truth="zero")
    assert plain["peakiness"] == pytest.approx((6 / 8 + 8 / 9) / 2)
    assert zero["peakiness"] == pytest.approx((6 / 8 + 8 / 9) / 4)
    assert zero["associativity"] == plain["associativity"] == 1.0
    assert zero["ap"] == pytest.approx(2 * zero["peakiness"] / (1 + zero["peakiness"]))
    assert zero["row_peakiness"].tolist() == plain["row_peakiness"].tolist()


def test_an_empty_class_enters_peakiness_of_the_wrong_table() -> None:
    from core import score_many

    many = score_many([[[8, 2], [0, 0]], [[8, 2]]], metrics=["peakiness"], empty_truth="zero")
    assert many["peakiness"].tolist() == [0.375, 0.75]


def test_a_lone_column_has_no_peak() -> None:
    assert score([[5], [7]])["row_peakiness"].tolist() == [1.0, 1.0]
    assert score([[5, 0], [7, 0]])["row_peakiness"].tolist() == [1.0, 1.0]


def test_a_tie_is_not_won_by_the_first_column() -> None:
    assert score([[5, 5], [9, 1]])["associativity"] == 0.0
    assert score([[5, 5], [1, 9]])["associativity"] == 1.0
    assert score([[0, 5, 5], [0, 1, 9]])["associativity"] == 1.0


def test_no_association_and_no_peak_divide_by_zero() -> None:
    scores = score([[4, 4], [6, 6]])
    assert scores["associativity"] == scores["peakiness"] == scores["ap"] == 0.0


def test_a_single_class_has_an_associativity() -> None:
    scores = score([[3, 4], [0, 0]])
    for key in ("associativity", "ap", "associativity_min", "ap_max"):
        assert math.isnan(scores[key])
        assert scores.why(key) == "associativity needs two truth classes that have items"
    assert scores["peakiness"] == 0.25


def test_by_row_moves_the_values_of_classes_behind_an_empty_one() -> None:
    scores = score([[0, 0], [8, 2], [0, 0], [5, 5]])
    by_row = scores.by_row("row_peakiness")
    assert by_row.tolist() == pytest.approx([math.nan, 0.75, math.nan, 0.0], nan_ok=True)
    assert scores.tied_rows == (3,)


def test_ratio_divides_by_zero() -> None:
    found = ratio(np.array([1.0, 0.0, 3.0]), np.array([2.0, 0.0, 0.0]), 7.0)
    assert found.tolist() == [0.5, 7.0, 7.0]
    assert ratio(np.empty(0), np.empty(0), 1.0).shape == (0,)


def test_a_harmonic_mean_is_above_its_terms_or_not_a_number() -> None:
    x = np.array([0.0, 0.0, 1.0, 1.0, 0.1, np.nextafter(1.0, 0.0)])
    y = np.array([0.0, 1.0, 1.0, 0.5, 0.1, np.nextafter(1.0, 0.0)])
    found = harmonic_mean(x, y)
    assert found[:4].tolist() == pytest.approx([0.0, 0.0, 1.0, 2 / 3])
    assert (found <= np.maximum(x, y)).all()
    values = np.random.default_rng(0).random((2, 10_000))
    assert (harmonic_mean(values[0], values[0]) <= values[0]).all()
