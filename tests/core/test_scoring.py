"""What a caller sees of scores: keys, reasons, warnings, texts."""

from __future__ import annotations

import math
import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from core import ContingencyTable, Scores, UnknownMetricError, score, score_many
from core.chance.expected_information import expected_deviance
from core.chance.hypergeometric import CellLaw
from core.formatting import format_score
from core.metrics.metric import ScoreOptions
from core.scores import checked_keys
from core.scoring import has_many_ties, score_in_parts, workload
from tests.core.reference import BY_DEFAULT as METRICS

TABLE = [[8, 2], [1, 9]]


# Keys


def test_keys_come_in_another_order_or_twice() -> None:
    assert list(score(TABLE)) == list(METRICS)
    assert list(score(TABLE, metrics=["rand", "ap", "rand"])) == ["rand", "ap"]
    assert list(score_many([TABLE], metrics=("ami",))) == ["ami"]
    assert list(score(TABLE, metrics=[])) == []
    assert list(score(TABLE, metrics="ari")) == ["ari"]


def test_keys_of_an_iterator_are_lost() -> None:
    keys: Any = (key for key in ("rand", "ap"))
    assert list(score(TABLE, metrics=keys)) == ["rand", "ap"]
    keys = iter(["nmi"])
    assert list(score_many([TABLE], metrics=keys)) == ["nmi"]


@pytest.mark.parametrize(
    ("key", "offered"),
    [
        ("aril", "did you mean ari"),
        ("vmeasure", "did you mean v_measure"),
        ("fowlkes-mallows", "did you mean fowlkes_mallows"),
        ("mutual_info", "did you mean mutual_information"),
        ("AMI", "did you mean ami?"),
        ("zzzz", "choose from ap,"),
        ("", "choose from ap,"),
        (5, "choose from ap,"),
        (None, "choose from ap,"),
    ],
)
def test_an_unknown_metric_is_refused_without_help(key: Any, offered: str) -> None:
    scores, many = score(TABLE), score_many([TABLE])
    for ask in (
        lambda: score(TABLE, metrics=["ap", key]),
        lambda: score_many([TABLE], metrics=[key]),
        lambda: checked_keys([key]),
        lambda: scores[key],
        lambda: scores.why(key),
        lambda: scores.range(key),
        lambda: scores.by_row(key),
        lambda: many[key],
        lambda: many.why(key, 0),
    ):
        with pytest.raises(UnknownMetricError) as caught:
            ask()
        assert str(caught.value).startswith(f"there is no metric {key!r}: ")
        assert offered in str(caught.value)
        assert isinstance(caught.value, KeyError)


def test_an_unknown_metric_changes_its_message_between_processes() -> None:
    error = UnknownMetricError("aril")
    back = pickle.loads(pickle.dumps(error))
    assert str(back) == str(error)
    assert back.key == "aril"


def test_a_metric_not_asked_for_is_called_unknown() -> None:
    scores, many = score(TABLE, metrics=["ap"]), score_many([TABLE], metrics=["ap"])
    for ask in (
        lambda: scores["ari"],
        lambda: scores.why("ari"),
        lambda: scores.range("ari"),
        lambda: many["ari"],
        lambda: many.why("ari", 0),
    ):
        with pytest.raises(KeyError, match="'ari' was not asked for") as caught:
            ask()
        assert not isinstance(caught.value, UnknownMetricError)
    assert "ari" not in scores
    assert "nonsense" not in many
    assert scores.get("ari") is None


def test_a_mapping_of_scores_is_none() -> None:
    scores, many = score(TABLE), score_many([TABLE, TABLE])
    for mapping in (scores, many):
        assert isinstance(mapping, Mapping)
        assert len(mapping) == len(METRICS)
        assert set(mapping.keys()) == set(METRICS)
    for key, metric in METRICS.items():
        number = int if metric.whole else float
        assert isinstance(scores[key], number if metric.per == "table" else np.ndarray)
        assert len(many[key]) == 2
        if metric.per == "table":
            assert many[key].dtype == (object if metric.whole else np.float64)
            assert all(type(value) is number for value in many[key].tolist())
        assert scores.why(key) is None


def test_a_score_can_be_overwritten() -> None:
    scores, many = score(TABLE), score_many([TABLE, [[1, 2, 3]]])
    for array in (scores["row_peakiness"], many["ari"], many["row_peakiness"][0]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5.0
    with pytest.raises(TypeError):
        scores["ap"] = 1.0  # type: ignore[index]
    by_row = scores.by_row("row_peakiness")
    by_row[:] = 7.0
    assert scores.by_row("row_peakiness").tolist() == scores["row_peakiness"].tolist()


def test_a_score_of_the_whole_table_passes_for_that_of_each_class() -> None:
    with pytest.raises(ValueError, match="'ap' has one value for the whole table"):
        score(TABLE).by_row("ap")


# Many tables


def test_no_tables_crash() -> None:
    nothing: list[Any] = [[], (), np.zeros((0, 2, 3), int), np.zeros((0, 2, 3))]
    for none in nothing:
        many = score_many(none)
        for key, metric in METRICS.items():
            assert len(many[key]) == 0, key
            if metric.per == "table":
                assert many[key].shape == (0,)
                assert many[key].dtype == (object if metric.whole else np.float64)


def test_a_table_without_items_spoils_its_neighbours() -> None:
    many = score_many([[[0, 0]], TABLE, [[0]], [[5]], [[0], [0]]])
    right = score(TABLE)
    for key, metric in METRICS.items():
        for i in (0, 2, 4):
            assert many.why(key, i) == "the table has no items: enter at least one count"
            assert len(many[key][i]) == 0 if metric.per == "row" else math.isnan(many[key][i])
        assert many.why(key, 1) is None
        np.testing.assert_array_equal(many[key][1], right[key])
    assert many.why("associativity", 3) is not None
    assert many["ari"][3] == 1.0
    assert [len(rows) for rows in many["row_peakiness"]] == [0, 2, 0, 1, 0]


# Ranges


def test_the_range_of_a_score_is_wrong() -> None:
    scores = score([[5, 0], [0, 3], [0, 2]])
    assert scores.range("ari") == (-0.5, 1.0)
    assert scores.range("ami") == (-math.inf, 1.0)
    low, high = scores.range("mutual_information")
    assert (low, high) == (0.0, scores["mutual_information"])
    assert score([[5, 0], [1, 3]]).range("mutual_information")[1] < math.log(2)
    assert score([[0, 0]]).range("mutual_information") == (0.0, math.inf)


# Warnings


def warned(table: Any, **names: Any) -> tuple[str, ...]:
    return score(ContingencyTable(table, **names)).warnings


def test_a_warning_is_missing_or_wrong() -> None:
    assert warned(TABLE) == ()
    assert warned([[0, 0], [0, 0]]) == ()
    assert warned([[5, 5], [1, 9]]) == (
        "class T1 has several largest cells: associativity takes the first, "
        "so it depends on the order of the clusters",
    )
    # With one class, or where the others leave no choice, it is the same however ties are broken.
    assert warned([[5, 5]]) == ()
    assert warned([[5, 5, 0], [0, 0, 9]]) == ()
    assert warned([[5, 5], [9, 9]], truth=["cat", "dog"]) == (
        "classes cat, dog have several largest cells: associativity takes the first, "
        "so it depends on the order of the clusters",
    )
    assert warned([[8, 2], [0, 0], [1, 9]]) == ("class T2 is empty and left out",)
    assert warned([[8, 0, 2, 0], [1, 0, 9, 0]], clusters=["a", "b", "c", "d"]) == (
        "clusters b, d are empty and left out",
    )
    fewer = (
        "there are fewer clusters (1) than truth classes (2): "
        "some classes must share one, so associativity cannot reach 1"
    )
    assert warned([[5], [7]]) == (fewer,)
    assert warned([[5, 0], [7, 0]]) == ("cluster C2 is empty and left out", fewer)
    assert warned([[5, 0, 0], [0, 0, 0], [0, 0, 0]]) == (
        "classes T2, T3 are empty and left out",
        "clusters C2, C3 are empty and left out",
    )


def test_ties_are_warned_of_that_change_nothing() -> None:
    """Beside it stood that AP is the same however they are broken."""
    barley = [[4, 96], [30, 30], [132, 8]]
    scores = score(barley)
    assert scores["ap_min"] == scores["ap_max"]
    assert not any("largest cells" in warning for warning in scores.warnings)
    # Of many ties that is not looked at, unless their range is among the scores.
    many = np.ones((13, 20), dtype=int)
    assert "so it may depend on the order of the clusters" in score(many, ["ap"]).warnings[0]
    assert "so it depends on the order of the clusters" in score(many).warnings[0]


def test_a_warning_lists_a_hundred_names() -> None:
    (text,) = warned([*([[0] * 9] * 7), *np.eye(9, dtype=int).tolist()])
    assert text == "classes T1, T2, T3, T4, T5 and 2 more are empty and left out"
    (text,) = warned([*([[0] * 9] * 5), *np.eye(9, dtype=int).tolist()])
    assert text == "classes T1, T2, T3, T4, T5 are empty and left out"


def test_a_tie_is_reported_in_another_row() -> None:
    scores = score([[0, 0, 0], [3, 3, 1], [5, 2, 2], [1, 1, 1]])
    assert scores.tied_rows == (1, 3)
    assert scores.warnings[0].startswith("classes T2, T4 have several largest cells")


# Texts


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.61677, 4, "0.6168"),
        (1.0, 4, "1.0000"),
        (1.0, 2, "1.00"),
        (0.0, 4, "0.0000"),
        (-0.0, 4, "0.0000"),
        (-0.05, 2, "−0.05"),
        (-0.004, 2, "−4.00e−3"),
        (0.3, 0, "3e−1"),
        (6.2243e-6, 4, "6.2243e−6"),
        (0.00099, 4, "9.9000e−4"),
        (-0.001, 4, "−0.0010"),
        (-0.006, 2, "−0.01"),
        (0.99996, 4, "1.0000"),
        (-0.5, 0, "−5e−1"),
        (-0.6, 0, "−1"),
        (1.99712, 4, "1.9971"),
        (9.99996, 4, "10.000"),
        (400.826017, 4, "400.83"),
        (3021.66, 4, "3\u202f021.7"),
        (-999.99996, 4, "−1\u202f000.0"),
        (123456.789, 1, "123\u202f457"),
        (999999999999999.0, 4, "999\u202f999\u202f999\u202f999\u202f999"),
        (1e15, 4, "1.0000e15"),
        (1e-300, 3, "1.000e−300"),
        (-1e-300, 3, "−1.000e−300"),
        (0, 4, "0"),
        (-1234, 4, "−1\u202f234"),
        (
            10**24 + 1,
            4,
            "1\u202f000\u202f000\u202f000\u202f000\u202f000\u202f000\u202f000\u202f001",
        ),
        (np.int64(2521), 4, "2\u202f521"),
        (math.nan, 4, "—"),
        (math.inf, 4, "∞"),
        (-math.inf, 4, "−∞"),
        (np.float64(-0.5), 2, "−0.50"),
        (np.float64("nan"), 2, "—"),
    ],
)
def test_a_score_is_written_wrongly(value: float, digits: int, text: str) -> None:
    assert format_score(value, digits) == text


def test_a_count_of_many_digits_takes_the_room_of_names() -> None:
    assert format_score(999_999_999_999, most=12) == "999\u202f999\u202f999\u202f999"
    assert format_score(1_234_567_890_123, most=12) == "1.2346e12"
    # A float would round 2**200 + 1 twice.
    assert format_score(2**200 + 1, 17, most=12) == "1.60693804425899028e60"
    assert format_score(-(10**36), 2, most=12) == "−1.00e36"


@pytest.mark.parametrize("digits", [0, 1, 2, 3, 4, 6, 10, 17])
def test_a_score_that_is_not_zero_is_shown_as_zero(digits: int) -> None:
    for exponent in range(-307, 308):
        for mantissa in (1.0, 4.9, 5.0, 9.9999999):
            text = format_score(mantissa * 10.0**exponent, digits)
            assert set(text.split("e")[0]) - set("0."), (mantissa, exponent, text)
            plain = text.replace("\u202f", "").replace("−", "-")
            share = float(plain) / (mantissa * 10.0**exponent)
            assert abs(share - 1.0) <= 0.051 if digits > 2 else share > 0, (exponent, text)


def test_the_summary_of_scores_is_wrong() -> None:
    scores = score([[8, 2]], metrics=["ap", "ari", "row_peakiness"])
    assert repr(scores) == "<Scores: ap=—, ari=0.0000>"
    assert repr(score(TABLE, metrics=[])) == "<Scores: >"


def test_scores_forget_what_they_were_computed_with() -> None:
    table = ContingencyTable(TABLE)
    scores = score(table, metrics=["ap"], q=1.5, beta=2.0, average="min", empty_truth="zero")
    assert scores.table is table
    assert scores.options == ScoreOptions(1.5, 2.0, "min", "zero")
    many = score_many([table], metrics=["ap"], q=1.5, beta=2.0, average="min")
    assert many.options == ScoreOptions(1.5, 2.0, "min")


# Parts


def test_the_parts_of_a_long_scoring_come_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.chance.margin_pairs._PAIRS_AT_ONCE", 50)
    rng = np.random.default_rng(0)
    table = ContingencyTable(rng.integers(0, 40, (30, 20)))
    parts = list(score_in_parts(table))
    assert len(parts) > 10
    assert [part.done for part in parts] == sorted(part.done for part in parts)
    assert parts[-1].done == parts[-1].total
    assert all(isinstance(part.scores, Scores) for part in parts)
    assert "ari" in parts[5].scores
    assert "ami" not in parts[5].scores
    assert "ami" in parts[len(parts) // 2].scores
    assert "smi_q" not in parts[len(parts) // 2].scores
    assert list(parts[-1].scores) == sorted(score(table), key=list(parts[-1].scores).index)
    for key in ("ami", "smi_q", "standardized_rand"):
        assert parts[-1].scores[key] == pytest.approx(score(table)[key], rel=1e-12)


def test_the_parts_of_a_long_scoring_compute_it_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    computed = 0

    def counted(law: CellLaw, q: float) -> Any:
        nonlocal computed
        computed += len(law.a)
        return expected_deviance(law, q)

    monkeypatch.setattr("core.chance.expected_information.expected_deviance", counted)
    list(score_in_parts(ContingencyTable([[5, 1, 2], [0, 7, 3], [1, 1, 9]])))
    # Of the orders 1 and 2.
    assert computed == 2 * 3 * 3


def test_a_scoring_that_was_stopped_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.chance.margin_pairs._PAIRS_AT_ONCE", 1)
    parts = score_in_parts(ContingencyTable([[5, 1, 2], [0, 7, 3], [1, 1, 9]]))
    next(parts)
    parts.close()  # type: ignore[attr-defined]
    assert list(parts) == []


def test_the_workload_of_a_small_table_is_that_of_a_large_one() -> None:
    small = ContingencyTable(TABLE)
    large = ContingencyTable.from_labels(np.arange(10**5) % 300, np.arange(10**5) ** 2 % 997)
    assert workload(small) < 30_000 < workload(large)
    assert workload(ContingencyTable([[0, 0]])) < 100


def test_a_margin_that_came_with_the_table_is_pointed_out():
    table = ContingencyTable([[1, 2, 3], [3, 4, 7]], clusters=["x", "y", "sum"])
    assert any("cluster sum is the sum of the others" in w for w in score(table).warnings)
    table = ContingencyTable([[1, 2], [3, 5], [4, 7]], truth=["a", "b", "all"])
    assert any("class all is the sum of the others" in w for w in score(table).warnings)
    assert not any("sum of the others" in w for w in score([[1, 1], [2, 2]]).warnings)


def test_names_used_twice_are_pointed_out():
    table = ContingencyTable([[1, 2], [3, 4]], truth=["a", "b"], clusters=["x", "x"])
    assert any("cluster name is used twice (x)" in w for w in score(table).warnings)


def test_scores_cannot_be_pickled() -> None:
    scores = score(TABLE, metrics=["ap", "ari", "tp", "row_peakiness"], beta=2.0)
    again = pickle.loads(pickle.dumps(scores))
    assert list(again) == list(scores)
    assert again["ari"] == scores["ari"]
    assert again["tp"] == scores["tp"]
    assert again.options == scores.options
    assert again.table == scores.table


@pytest.mark.parametrize("option", ["q", "beta", "draws"])
def test_a_number_beyond_all_bounds_is_no_value_error(option: str) -> None:
    with pytest.raises(ValueError, match=f"{option} is 1000"):
        ScoreOptions(**{option: 10**400})  # type: ignore[arg-type]


def test_ties_that_take_long_are_not_seen_coming() -> None:
    rng = np.random.default_rng(0)
    tied = [rng.permutation([1] * 2 + [0] * 98).tolist() for _ in range(100)]
    assert has_many_ties(ContingencyTable(tied))
    assert not has_many_ties(ContingencyTable(TABLE))
