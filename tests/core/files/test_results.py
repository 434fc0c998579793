"""Exports of scores: complete, strict, with the same digits everywhere."""

import csv
import json
import math

import numpy as np
import pytest

from core import ContingencyTable, score
from core.files.errors import SaveError
from core.files.results import (
    ScoredTable,
    scores_csv,
    scores_json,
    write_scores,
)
from core.files.samples import sample_tables
from core.files.scored import number
from core.files.tables import parse_table, read_table
from core.version import __version__
from tests.core.reference import BY_DEFAULT as METRICS

FIGURE_1 = ContingencyTable(
    [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]],
    ["4", "5", "6", "7"],
    ["0", "1", "2", "3"],
)
# One class, so no associativity; ties; an empty class and an empty cluster.
UNDEFINED = ContingencyTable([[1, 1, 0], [0, 0, 0]], ["a\nb", ""], ["x", "x", "z"])


def refuse_constant(word):
    raise AssertionError(f"{word} is not JSON")


def strict(text):
    return json.loads(text, parse_constant=refuse_constant)


def blocks(text):
    parts = text.split("\n\n")
    return [list(csv.reader(part.splitlines())) for part in parts]


def test_the_sample_is_figure_1_of_the_paper():
    assert read_table(sample_tables()[0].path).table == FIGURE_1


def test_json_carries_all_that_is_needed_to_read_it():
    scores = score(FIGURE_1, beta=2.0, average="max")
    document = strict(scores_json([ScoredTable(scores, "Figure 1", "figure_1.csv", ("note",))]))
    assert document["program"] == {"name": "Tallyscope", "version": __version__}
    assert document["options"]["beta"] == 2.0
    assert document["options"]["average"] == "max"
    assert any("maximum of the two entropies" in line for line in document["conventions"])
    assert any("beta = 2.0" in line for line in document["conventions"])
    result = document["results"][0]
    assert result["name"] == "Figure 1"
    assert result["source"] == "figure_1.csv"
    assert result["notes"] == ["note"]
    assert result["truth"] == list(FIGURE_1.truth)
    assert result["clusters"] == list(FIGURE_1.clusters)
    assert result["counts"] == FIGURE_1.counts.tolist()
    assert result["total"] == 2521
    assert list(result["scores"]) == list(METRICS)
    assert result["undefined"] == {}
    assert [row["size"] for row in result["rows"]] == FIGURE_1.row_sums.tolist()
    assert [row["peak_clusters"] for row in result["rows"]] == [["3"], ["1"], ["2"], ["0"]]
    assert result["rows"][1]["row_peakiness"] == scores["row_peakiness"][1]


def test_what_is_undefined_is_null_with_its_reason_and_never_nan():
    scores = score(UNDEFINED)
    result = strict(scores_json([ScoredTable(scores)]))["results"][0]
    undefined = [key for key in scores if METRICS[key].per == "table" and math.isnan(scores[key])]
    assert "ap" in undefined
    assert sorted(result["undefined"]) == sorted(undefined)
    for key in undefined:
        assert result["scores"][key] is None
        assert result["undefined"][key] == scores.why(key)
    assert result["scores"]["row_peakiness"] == [0.0, None]
    assert [row["peak_clusters"] for row in result["rows"]] == [["x", "x"], []]
    assert result["warnings"] == list(scores.warnings)


def test_an_empty_table_is_exported_too():
    scored = [ScoredTable(score([[0, 0]]))]
    result = strict(scores_json(scored))["results"][0]
    assert set(result["undefined"]) == set(METRICS)
    assert result["rows"] == [
        {"truth": "T1", "size": 0, "peak_clusters": [], "row_peakiness": None}
    ]
    _, metrics, rows = blocks(scores_csv(scored))
    assert {value for _, value, _ in metrics[1:]} == {""}
    assert rows[1] == ["T1", "0", "", ""]


def test_json_and_csv_have_the_same_digits():
    scored = [ScoredTable(score(FIGURE_1), "Figure 1")]
    in_json = strict(scores_json(scored))["results"][0]
    table, metrics, rows = blocks(scores_csv(scored))
    assert metrics[0] == ["metric", "value", "note"]
    assert len(metrics) > 10
    for key, text, note in metrics[1:]:
        assert text == repr(in_json["scores"][key])
        assert note == ""
    assert rows[0] == ["truth", "size", "peak_clusters", "row_peakiness"]
    for row, expected in zip(rows[1:], in_json["rows"], strict=True):
        assert row == [
            expected["truth"],
            str(expected["size"]),
            "; ".join(expected["peak_clusters"]),
            repr(expected["row_peakiness"]),
        ]
    assert table[0] == ["# Tallyscope scored table", __version__]
    assert table[-5:] == [
        ["truth\\cluster", "0", "1", "2", "3"],
        *[
            [name, *map(str, row)]
            for name, row in zip(FIGURE_1.truth, FIGURE_1.counts, strict=True)
        ],
    ]


def test_csv_writes_the_reason_in_place_of_a_value():
    scores = score(UNDEFINED, metrics=["ap", "ari"])
    _, metrics, _ = blocks(scores_csv([ScoredTable(scores)]))[:3]
    assert metrics[1] == ["ap", "", scores.why("ap")]


def test_comment_lines_stay_on_one_line_whatever_the_name():
    text = scores_csv([ScoredTable(score(FIGURE_1, ["ari"]), 'a\n"b",\r\nc')])
    head = text[: text.index("truth\\cluster")]
    assert all(line.startswith("# ") for line in head.splitlines())


def test_scores_with_different_options_are_not_mixed_in_one_file():
    mixed = [ScoredTable(score(FIGURE_1, ["ari"], beta=beta)) for beta in (1.0, 2.0)]
    for write in (scores_json, scores_csv):
        with pytest.raises(ValueError, match="different options"):
            write(mixed)
        with pytest.raises(ValueError, match="no scores"):
            write([])


def test_files_are_written_by_their_suffix(tmp_path):
    scores = score(FIGURE_1)
    for suffix in (".json", ".csv", ".tsv", ".JSON"):
        path = tmp_path / f"scores{suffix}"
        write_scores(path, scores, name="Figure 1", source="figure_1.csv")
        if suffix.lower() == ".json":
            assert strict(path.read_text("utf-8"))["results"][0]["source"] == "figure_1.csv"
        else:
            assert read_table(path).table == FIGURE_1
    with pytest.raises(SaveError, match=r"\.csv, \.tsv, \.json, \.xlsx, \.md or \.tex"):
        write_scores(tmp_path / "scores.xls", scores)
    assert not (tmp_path / "scores.xls").exists()


def test_peaks_are_all_the_largest_cells_of_a_row():
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 3, (40, 6))
    peaks = score(counts, ["ap"]).peak_clusters
    for row, found in zip(counts, peaks, strict=True):
        assert list(found) == [j for j, n in enumerate(row) if n == row.max() and n > 0]


# Noise


def from_labels(noise, label=-1):
    return ContingencyTable.from_labels(
        [0, 0, 0, 1, 1, 1, 1, 2], [-1, 0, 0, 0, 1, 1, -1, -1], noise=noise, noise_label=label
    )


SENTENCES = {
    "cluster": "3 items labelled -1 were kept as one cluster.",
    "drop": "3 items labelled -1 were dropped as noise, and with them 1 truth class that had no "
    "others.",
    "singletons": "3 items labelled -1 became clusters of their own.",
}


@pytest.mark.parametrize("choice", SENTENCES)
def test_an_export_does_not_say_what_became_of_noise(choice):
    table = from_labels(choice)
    scored = [ScoredTable(score(table, ["ari"]), "a")]
    document = strict(scores_json(scored))
    assert document["results"][0]["noise"] == {
        "choice": choice,
        "labels": ["-1"],
        "items": 3,
        "lost": int(choice == "drop"),
        "of": "clusters",
    }
    assert document["conventions"][-1] == SENTENCES[choice]
    for separator in (",", "\t"):
        lines = list(csv.reader(scores_csv(scored, separator).splitlines(), delimiter=separator))
        assert ["# noise", choice] in lines
        assert ["# noise_label", "-1"] in lines
        assert ["# noise_items", "3"] in lines
        assert ["# convention", SENTENCES[choice]] in lines


def test_an_export_speaks_of_noise_where_there_were_no_labels():
    scored = [ScoredTable(score(FIGURE_1, ["ari"]))]
    document = strict(scores_json(scored))
    assert document["results"][0]["noise"] is None
    assert "noise" not in " ".join(document["conventions"])
    assert "noise" not in scores_csv(scored)
    # From labels, but none of them means noise: a field, and no sentence.
    clear = [ScoredTable(score(ContingencyTable.from_labels("aab", [0, 1, 1]), ["ari"]))]
    document = strict(scores_json(clear))
    assert document["results"][0]["noise"]["items"] == 0
    assert "labelled" not in " ".join(document["conventions"])


def test_the_noise_of_one_table_passes_for_that_of_another():
    named = {"a": from_labels("drop"), "": from_labels("cluster"), "c": FIGURE_1}
    scored = [ScoredTable(score(table, ["ari"]), name) for name, table in named.items()]
    assert strict(scores_json(scored))["conventions"][-2:] == [
        f'"a": {SENTENCES["drop"]}',
        f"Table 2: {SENTENCES['cluster']}",
    ]
    first, second, third = scores_csv(scored).split("# Tallyscope scored table")[1:]
    assert SENTENCES["drop"] in first
    assert SENTENCES["cluster"] in second
    assert SENTENCES["cluster"] not in first
    assert "labelled" not in third


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@pytest.mark.parametrize("label", [-1, [-1, "a,b", 'q"'], "  -1\t"], ids=repr)
@pytest.mark.parametrize("choice", SENTENCES)
def test_the_record_of_noise_does_not_come_back(choice, label, suffix, tmp_path):
    for table in (from_labels(choice, label), from_labels(choice, label).transpose()):
        path = tmp_path / f"scores{suffix}"
        write_scores(path, score(table, ["ari"]), name="noise,drop", source="# noise_items,7")
        back = read_table(path).table
        assert back == table
        if label != "  -1\t":  # what is no text on one line is written out
            assert back.noise == table.noise


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("# noise,drop\n", ""),
        ("# noise,drop\n", "# noise\n"),
        ("# noise,drop\n", "# noise,dropped\n"),
        ("# noise,drop\n", "# noise,drop\n# noise,cluster\n"),
        ("# noise_items,3\n", "# noise_items,three\n"),
        ("# noise_items,3\n", "# noise_items,-3\n"),
        ("# noise_of,clusters\n", "# noise_of,rows\n"),
        ("# noise_label,-1\n", ""),
    ],
)
def test_a_record_of_noise_that_was_changed_by_hand_crashes_or_is_believed(line, changed):
    text = scores_csv([ScoredTable(score(from_labels("drop"), ["ari"]))])
    assert line in text
    table = parse_table(text.replace(line, changed)).table
    assert table.noise is None
    assert table.counts.tolist() == from_labels("drop").counts.tolist()


def test_a_table_that_is_no_export_has_a_record_of_noise():
    assert parse_table("# noise,drop\n,a,b\nx,1,2\ny,3,4\n").table.noise is None


def test_a_count_of_pairs_loses_digits():
    assert number(2**70 + 1) == 2**70 + 1
    assert repr(number(10**400)) == "1" + "0" * 400
    assert number(math.nan) is None
    assert number(-math.inf) is None
    assert repr(number(np.float64(0.5))) == "0.5"
