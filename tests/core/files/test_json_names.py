"""Names and counts in JSON: what each shape takes for which."""

import json

import pytest

from core.files.opening import OpenOptions, open_text
from core.files.options import ReadOptions


def opened(value, **options):
    found = open_text(json.dumps(value), OpenOptions(ReadOptions(**options)))
    return found.tables[0]


def parts(value, **options):
    table = opened(value, **options).table
    return table.truth, table.clusters, table.counts.tolist()


def test_counts_written_as_text_became_names():
    assert parts([["8", "2"], ["1", "9"]])[2] == [[8, 2], [1, 9]]
    assert parts([["8", "2", "0"], ["1", "9", "3"], ["4", "4", "4"]])[2][2] == [4, 4, 4]
    assert parts([["8", 2], ["1", 9]])[2] == [[8, 2], [1, 9]]
    assert parts([{"a": "8", "b": "2"}, {"a": "1", "b": "9"}])[1:] == (
        ("a", "b"),
        [[8, 2], [1, 9]],
    )
    assert parts({"a": ["8", "1"], "b": ["2", "9"]})[1:] == (("a", "b"), [[8, 2], [1, 9]])


def test_numbers_written_as_text_beside_numbers_are_names_and_it_is_said():
    table = opened([["4", 8, 2], ["5", 1, 9]])
    assert table.table.truth == ("4", "5")
    assert "they can be counts (index: no)" in table.notes[0]
    assert parts([["4", 8, 2], ["5", 1, 9]], index=False)[2] == [[4, 8, 2], [5, 1, 9]]
    assert parts([["0", "1"], [8, 2], [1, 9]])[1:] == (("0", "1"), [[8, 2], [1, 9]])


@pytest.mark.parametrize("key", ["truth", "row_0", "y_true", "class", "Unnamed: 0"])
@pytest.mark.parametrize(
    "shape",
    [
        lambda key: [{key: 0, "a": 8, "b": 2}, {key: 1, "a": 1, "b": 9}],
        lambda key: {key: [0, 1], "a": [8, 1], "b": [2, 9]},
        lambda key: {key: {"0": 0, "1": 1}, "a": {"0": 8, "1": 1}, "b": {"0": 2, "1": 9}},
        lambda key: {"columns": [key, "a", "b"], "index": [0, 1], "data": [[0, 8, 2], [1, 1, 9]]},
        lambda key: {"columns": [key, "a", "b"], "data": [[0, 8, 2], [1, 1, 9]]},
        lambda key: [[key, "a", "b"], [0, 8, 2], [1, 1, 9]],
        lambda key: {
            "schema": {"primaryKey": ["index"]},
            "data": [{"index": 0, key: 0, "a": 8, "b": 2}, {"index": 1, key: 1, "a": 1, "b": 9}],
        },
    ],
)
def test_numbers_of_classes_were_counted_as_a_cluster(key, shape):
    assert parts(shape(key)) == (("0", "1"), ("a", "b"), [[8, 2], [1, 9]])


def test_keys_that_are_all_numbers_hold_counts():
    assert parts([{"0": 8, "1": 2}, {"0": 1, "1": 9}])[1:] == (("0", "1"), [[8, 2], [1, 9]])


@pytest.mark.parametrize(
    ("rows", "columns"), [("rows", "cols"), ("classes", "clusters"), ("row_names", "col_names")]
)
@pytest.mark.parametrize("counts", ["counts", "table", "matrix"])
def test_names_under_other_keys_were_dropped_without_a_word(rows, columns, counts):
    value = {counts: [[8, 2, 1], [1, 9, 0]], rows: ["cat", "dog"], columns: ["a", "b", "c"]}
    assert parts(value)[:2] == (("cat", "dog"), ("a", "b", "c"))


def test_a_table_beside_its_names_was_taken_for_labels():
    value = {"table": [[8, 2], [1, 9]], "truth": ["cat", "dog"], "clusters": ["a", "b"]}
    assert parts(value) == (("cat", "dog"), ("a", "b"), [[8, 2], [1, 9]])


def test_what_names_nothing_is_mentioned():
    table = opened({"counts": [[8, 2], [1, 9]], "labels": ["cat", "dog"]})
    assert 'the list "labels" was left out' in table.notes


def test_the_axes_of_an_export_were_ignored():
    result = {"counts": [[8, 1], [2, 9], [0, 3]], "truth": ["x", "y"], "clusters": ["a", "b", "c"]}
    export = {
        "program": {},
        "axes": {"rows": "clusters", "columns": "truth classes"},
        "results": [result],
    }
    assert parts(export) == (("x", "y"), ("a", "b", "c"), [[8, 2, 0], [1, 9, 3]])
    assert "the table was transposed" in opened(export).notes[0]
    export["axes"] = {"rows": "truth classes", "columns": "clusters"}
    result["truth"], result["clusters"] = result["clusters"], result["truth"]
    assert parts(export)[2] == [[8, 1], [2, 9], [0, 3]]
