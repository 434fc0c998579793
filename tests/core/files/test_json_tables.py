"""Tables in JSON, whatever wrote it."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files import block, json_values
from core.files.errors import CountError, FaultKind, ReadError
from core.files.opening import FileKind, OpenOptions, open_text
from core.files.options import ReadOptions
from core.studies import study
from core.table import ContingencyTable

PETS = ContingencyTable([[8, 2], [1, 9]], ["cat", "dog"], ["a", "b"])
BARE = ContingencyTable([[8, 2], [1, 9]])


def opened(value, **options):
    read = {key: options.pop(key) for key in ("totals", "blank", "index") if key in options}
    text = value if isinstance(value, str) else json.dumps(value)
    return open_text(text, OpenOptions(ReadOptions(**read), **options), name="t.json", stem="t")


def table(value, **options):
    (one,) = opened(value, **options).tables
    return one.table


def fault(value, **options):
    with pytest.raises(ReadError) as caught:
        opened(value, **options)
    message = str(caught.value)
    assert message.startswith("t.json")
    assert message.endswith(".")
    assert "\n" not in message
    return caught.value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([[8, 2], [1, 9]], BARE),
        ([["", "a", "b"], ["cat", 8, 2], ["dog", 1, 9]], PETS),
        ([["a", "b"], ["cat", 8, 2], ["dog", 1, 9]], PETS),
        ({"truth": ["cat", "dog"], "clusters": ["a", "b"], "counts": [[8, 2], [1, 9]]}, PETS),
        ({"counts": [[8, 2], [1, 9]]}, BARE),
        ({"columns": ["a", "b"], "index": ["cat", "dog"], "data": [[8, 2], [1, 9]]}, PETS),
        ({"a": {"cat": 8, "dog": 1}, "b": {"cat": 2, "dog": 9}}, PETS),
        ([{"truth": "cat", "a": 8, "b": 2}, {"truth": "dog", "a": 1, "b": 9}], PETS),
        ({"truth": ["cat", "dog"], "a": [8, 1], "b": [2, 9]}, PETS),
        (
            {
                "schema": {"fields": [], "primaryKey": ["index"]},
                "data": [{"index": "cat", "a": 8, "b": 2}, {"index": "dog", "a": 1, "b": 9}],
            },
            PETS,
        ),
        ("[[8.0, 2], [1e0, 9]]", BARE),
        ('[["8", 2], [1, "9"]]', BARE),
        ("\ufeff[[8, 2], [1, 9]]", BARE),
    ],
)
def test_a_usual_way_to_write_a_table_is_not_read(value, expected):
    assert table(value) == expected


def test_nested_objects_by_rows_are_read_as_columns():
    by_row = {"cat": {"a": 8, "b": 2}, "dog": {"a": 1, "b": 9}}
    assert table(by_row, orient="index") == PETS
    assert table(by_row) == PETS.transpose()
    assert "taken for clusters" in opened(by_row).tables[0].notes[0]


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ([[[1, 2]], [[3, 4]]], ["t 1", "t 2"]),
        ([{"counts": [[1, 2]], "name": "x"}, {"counts": [[3, 4]]}], ["x", "t 2"]),
        ({"x": [[1, 2]], "y": [[3, 4]]}, ["x", "y"]),
        ({"x": {"counts": [[1, 2]]}, "y": {"counts": [[3, 4]]}}, ["x", "y"]),
        ({"x": [[[1, 2]], [[3, 4]]]}, ["x 1", "x 2"]),
    ],
)
def test_several_tables_become_one(value, names):
    found = opened(value)
    assert [one.name for one in found.tables] == names
    assert [one.table.counts.tolist() for one in found.tables] == [[[1, 2]], [[3, 4]]]
    assert found.kind is FileKind.JSON


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        ("-1", FaultKind.NEGATIVE),
        ("1.234", FaultKind.FRACTION),
        ("0.1", FaultKind.FRACTION),
        ("NaN", FaultKind.MISSING),
        ("Infinity", FaultKind.TOO_LARGE),
        ("1e99999999", FaultKind.TOO_LARGE),
        ("9223372036854775808", FaultKind.TOO_LARGE),
        ("9007199254740992.5", FaultKind.FRACTION),
        ("null", FaultKind.BLANK),
        ("true", FaultKind.TEXT),
        ("[1]", FaultKind.TEXT),
        ('"x"', FaultKind.TEXT),
        ('"1,234"', FaultKind.THOUSANDS),
        ('"12%"', FaultKind.PERCENT),
    ],
)
def test_a_bad_count_is_not_named(cell, kind):
    error = fault('{"truth": ["cat"], "clusters": ["a", "b"], "counts": [[1, ' + cell + "]]}")
    assert isinstance(error, CountError)
    assert (error.kind, error.row, error.column) == (kind, 0, 1)
    assert "row 1, column 2 (class cat, cluster b)" in str(error)


def test_a_count_with_a_decimal_point_loses_digits():
    assert table("[[9007199254740993.0, 1]]").counts.tolist() == [[9007199254740993, 1]]


def test_null_is_zero_only_where_blanks_are():
    assert table([[1, None]], blank="zero").counts.tolist() == [[1, 0]]
    assert "1 blank cell was read as 0" in opened([[1, None]], blank="zero").tables[0].notes


def test_an_array_with_null_in_its_corner_is_a_table_with_names():
    assert fault([[None, 5], [3, 4]]).kind is FaultKind.BLANK


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[[1, 2], [3", FaultKind.DAMAGED),
        ('{"counts": [[1, 2]], "counts": [[3, 4]]}', FaultKind.DAMAGED),
        ('{"truth": ["ca', FaultKind.DAMAGED),
        ("[[1, 2],]", FaultKind.DAMAGED),
        ("[[1, 2]] [[3, 4]]", FaultKind.DAMAGED),
        ('{"a": ' * 100 + "1" + "}" * 100, FaultKind.DAMAGED),
        ("[[" + "9" * 5000 + "]]", FaultKind.DAMAGED),
        ("{}", FaultKind.EMPTY),
        ('{"results": [], "program": {}}', FaultKind.EMPTY),
        ('{"results": [{"name": "x"}], "program": {}}', FaultKind.CUT),
        ('{"a": 1}', FaultKind.NO_COUNTS),
        ("[1, 2, 3]", FaultKind.NO_COUNTS),
        ("[[1, 2], [3]]", FaultKind.RAGGED),
        ("[[1, 2], []]", FaultKind.RAGGED),
        ('[{"a": 1}, {"b": 2}]', FaultKind.RAGGED),
        ('{"a": {"x": 1}, "b": {"y": 2}}', FaultKind.RAGGED),
        ('{"a": [1, 2], "b": [1]}', FaultKind.RAGGED),
        ('{"truth": ["x", "y"], "counts": [[1, 2]]}', FaultKind.RAGGED),
        ('{"truth": [1, 2], "clusters": [0, 0]}', FaultKind.LABELS),
        ('{"counts": "x"}', FaultKind.NO_COUNTS),
        ('{"counts": []}', FaultKind.NO_COUNTS),
    ],
)
def test_what_is_no_table_has_no_sentence(text, kind):
    assert fault(text).kind is kind


def test_totals_of_a_data_frame_are_scored():
    assert table([["", "a", "All"], ["x", 1, 1], ["y", 4, 4], ["All", 5, 5]]).shape == (2, 1)
    value = {"columns": ["a"], "index": ["x", "Total"], "data": [[1], [2]]}
    assert fault(value).kind is FaultKind.TOTAL
    assert table(value, totals="keep").shape == (2, 1)


def test_a_table_that_is_too_large_is_read(monkeypatch):
    monkeypatch.setattr(block, "MAX_CELLS", 3)
    assert fault([[1, 2], [3, 4]]).kind is FaultKind.TOO_MANY_CELLS


def test_a_long_file_cannot_be_stopped(monkeypatch):
    monkeypatch.setattr(study, "STEP_SECONDS", 0.0)
    rows = [[i, i + 1] for i in range(200)]
    steps = list(json_values.json_value(json.dumps(rows), "t"))
    assert len(steps) >= 200


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)


@given(VALUES, st.integers(0, 80), st.sampled_from([None, 1, "\t"]))
def test_json_is_read_otherwise_than_by_python(value, cut, indent):
    text = json.dumps(value, indent=indent)

    def read(text):
        steps = json_values.json_value(text, "t")
        while True:
            try:
                next(steps)
            except StopIteration as end:
                return end.value

    assert read(text) == json.loads(text, parse_float=json_values._fraction)
    with contextlib.suppress(ReadError):
        read(text[:cut])
    with contextlib.suppress(ReadError):
        open_text(text, name="t.json")
