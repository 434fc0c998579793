"""Files of a simulation: every table, every digit, and what one must know to read them."""

import csv
import json
import sys
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.files import simulation_scores
from core.files.errors import FaultKind, ReadError, SaveError
from core.files.opening import open_file
from core.files.simulation_scores import (
    MOST_SHEET_ROWS,
    SaveSimulatedScores,
    check_score_file,
)
from core.files.simulation_scores import SUFFIXES as SCORE_SUFFIXES
from core.files.simulation_settings import read_settings
from core.files.simulation_summary import SUFFIXES as SUMMARY_SUFFIXES
from core.files.simulation_summary import SaveSimulationSummary
from core.files.simulation_tables import SUFFIXES as TABLE_SUFFIXES
from core.files.simulation_tables import SaveSimulatedTables, always_quoted, cell_name
from core.files.tables import parse_table
from core.metrics.metric import ScoreOptions
from core.simulation.around import FixedMargins, Perturbed
from core.simulation.dividers import DividedTotal
from core.simulation.presets import PRESETS
from core.studies.correlations import CorrelateScores
from core.studies.simulation import Simulation, SimulationResult
from core.studies.study import run_to_end
from core.table import ContingencyTable
from core.version import __version__

NAMED = ContingencyTable([[8, 2, 1], [1, 9, 4]], ["cat,dog", "a#b"], ['x|"y"', "", "z\n1"])
KEYS = ("ap", "ami", "tp")


@pytest.fixture(scope="module")
def result():
    options = ScoreOptions(average="max")
    return run_to_end(Simulation(PRESETS["low_4x4"].scenario, 1500, KEYS, 7, options))


def correlated(result, reference, resamples=50):
    return tuple(
        run_to_end(
            CorrelateScores(
                result.keys, result.values, reference, kind, resamples, result.simulation.seed
            )
        )
        for kind in ("pearson", "spearman")
    )


@pytest.fixture(scope="module")
def found(result):
    return correlated(result, "ami")


@pytest.fixture(scope="module")
def undefined():
    return run_to_end(Simulation(DividedTotal(1, 3, 2), 40, ("ap", "ari", "tp"), 1))


def data(path, separator=","):
    lines = path.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith("# ")]
    return list(csv.reader(kept, delimiter=separator))


def said(path, separator=","):
    lines = path.read_text("utf-8").splitlines()
    found: dict[str, list[str]] = {}
    for line in lines:
        if line.startswith("# "):
            key, _, text = line[2:].partition(separator)
            found.setdefault(key, []).append(text)
    return found


def saved(study):
    return run_to_end(study).path


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_a_simulated_table_is_another_in_text(tmp_path, result, ending):
    separator = "\t" if ending == ".tsv" else ","
    path = saved(SaveSimulatedTables(result, tmp_path / f"t{ending}"))
    header, *rows = data(path, separator)
    assert header[:6] == ["table", "T1|C1", "T1|C2", "T1|C3", "T1|C4", "T2|C1"]
    assert len(rows) == 1500
    for number in (1, 2, 1024, 1025, 1500):
        (table,) = result.tables([number - 1])
        assert list(map(int, rows[number - 1])) == [number, *table.counts.reshape(-1).tolist()]


def test_a_simulated_table_is_another_in_arrays(tmp_path, result):
    path = saved(SaveSimulatedTables(result, tmp_path / "t.npz"))
    with np.load(path, allow_pickle=False) as arrays:
        made = arrays["tables"]
        assert made.dtype == np.int64
        assert arrays["truth"].tolist() == ["T1", "T2", "T3", "T4"]
        assert json.loads(str(arrays["settings"]))["seed"] == 7
        assert "average\tmax" in str(arrays["about"])
    assert made.shape == (1500, 4, 4)
    expected = np.array([table.counts for table in result.tables(range(1500))])
    np.testing.assert_array_equal(made, expected)
    opened = open_file(path)
    assert [named.table for named in opened.tables] == result.tables(range(1500))


def test_the_same_simulation_is_another_archive(tmp_path, result):
    first = saved(SaveSimulatedTables(result, tmp_path / "a.npz")).read_bytes()
    assert saved(SaveSimulatedTables(result, tmp_path / "b.npz")).read_bytes() == first


def test_names_of_classes_and_clusters_break_the_columns(tmp_path):
    result = run_to_end(Simulation(Perturbed(NAMED), 10, ("ari",)))
    text = saved(SaveSimulatedTables(result, tmp_path / "t.csv")).read_text("utf-8")
    rows = list(csv.reader(text[text.index("\ntable,") + 1 :].splitlines(keepends=True)))
    assert rows[0] == [
        "table",
        'cat,dog|x\\|"y"',
        "cat,dog|",
        "cat,dog|z\n1",
        'a#b|x\\|"y"',
        "a#b|",
        "a#b|z\n1",
    ]
    # Readers that skip comments would cut a name at a # that stands in no quotation marks.
    assert '"a#b|"' in text
    assert [len(row) for row in rows] == [7] * 11
    path = saved(SaveSimulatedTables(result, tmp_path / "t.npz"))
    assert open_file(path).tables[3].table == result.tables([3])[0]


@settings(deadline=None)
@given(st.lists(st.text("a|\\", max_size=3), min_size=4, max_size=4))
def test_names_with_bars_are_confused(names):
    a, b, c, d = names
    assert (cell_name(a, b) == cell_name(c, d)) == ((a, b) == (c, d))


@settings(deadline=None)
@given(st.text(max_size=5))
def test_a_name_in_the_header_is_read_otherwise(name):
    text = always_quoted(name)
    lines = f"x,{text}\n".splitlines(keepends=True)
    assert "\0" in name or next(csv.reader(lines, strict=True)) == ["x", name]


@pytest.mark.parametrize("ending", TABLE_SUFFIXES)
def test_a_name_that_no_file_holds_is_written(tmp_path, ending):
    table = ContingencyTable([[1, 2]], ["a\0"], ["b", "c"])
    result = run_to_end(Simulation(FixedMargins(table), 3, ("ari",)))
    with pytest.raises(SaveError, match="truth class 1"):
        run_to_end(SaveSimulatedTables(result, tmp_path / f"t{ending}"))
    assert list(tmp_path.iterdir()) == []


def test_one_long_name_makes_all_as_long(tmp_path):
    names = ["x" * 100_000, *map(str, range(300))]
    table = ContingencyTable(np.ones((1, 301), np.int64), ["a"], names)
    result = run_to_end(Simulation(FixedMargins(table), 2, ("ari",)))
    with pytest.raises(SaveError, match=r"shorten it, or save the tables as \.csv"):
        run_to_end(SaveSimulatedTables(result, tmp_path / "t.npz"))
    assert len(data(saved(SaveSimulatedTables(result, tmp_path / "t.csv")))) == 3


@pytest.mark.parametrize("ending", TABLE_SUFFIXES)
def test_all_tables_stand_in_memory_at_once(tmp_path, ending):
    simulation = Simulation(DividedTotal(10, 10, 500), 8_000, ("ari",))
    result = SimulationResult(simulation, np.zeros((1, 8_000)), {}, 0.0)
    tracemalloc.start()
    try:
        run_to_end(SaveSimulatedTables(result, tmp_path / f"t{ending}"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # All of them take 6.4 MB as numbers, more as text.
    assert peak < 4_000_000


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_a_digit_of_a_score_is_lost_in_text(tmp_path, result, ending):
    separator = "\t" if ending == ".tsv" else ","
    path = saved(SaveSimulatedScores(result, tmp_path / f"s{ending}"))
    header, *rows = data(path, separator)
    assert header == ["table", *KEYS]
    assert [int(row[0]) for row in rows] == list(range(1, 1501))
    read = np.array([list(map(float, row[1:])) for row in rows]).T
    np.testing.assert_array_equal(read, result.values)
    assert all("." not in row[3] for row in rows)


def test_a_digit_of_a_score_is_lost_in_a_workbook(tmp_path, result):
    import openpyxl

    path = saved(SaveSimulatedScores(result, tmp_path / "s.xlsx"))
    book = openpyxl.load_workbook(path, read_only=True)
    header, *rows = book["Scores"].iter_rows(values_only=True)
    about = dict(row[:2] for row in book["Tallyscope simulation"].iter_rows(values_only=True))
    book.close()
    assert header == ("table", *KEYS)
    np.testing.assert_array_equal(np.array(rows, dtype=float)[:, 1:].T, result.values)
    assert about["seed"] == "7"
    assert about["average"] == "max"
    assert json.loads(about["settings"])["tables"] == 1500


def test_a_score_that_does_not_exist_is_a_number(tmp_path, undefined):
    path = saved(SaveSimulatedScores(undefined, tmp_path / "s.csv"))
    assert {row[1] for row in data(path)[1:]} == {""}
    assert said(path)["undefined"][0].startswith("ap: 40 tables: associativity needs")


@pytest.mark.parametrize("what", ["tables", "scores", "summary"])
def test_a_file_lacks_what_one_must_know(tmp_path, result, found, what):
    path = tmp_path / "x.csv"
    study: Any = {
        "tables": SaveSimulatedTables(result, path),
        "scores": SaveSimulatedScores(result, path),
        "summary": SaveSimulationSummary(result, path, found),
    }[what]
    run_to_end(study)
    told = said(path)
    assert path.read_text("utf-8").startswith(f"# Tallyscope simulation {what},{__version__}\n")
    assert told["seed"] == ["7"]
    assert told["tables"] == ["1500"]
    assert told["average"] == ["max"]
    assert told["numpy"] == [np.__version__]
    assert any("maximum of the two entropies" in line for line in told["convention"])
    again = tmp_path / "again.json"
    again.write_text(told["settings"][0], "utf-8")
    assert read_settings(again) == result.simulation


def test_a_stopped_simulation_looks_whole(tmp_path, result):
    part = SimulationResult(result.simulation, result.values[:, :700], {}, 0.0)
    path = saved(SaveSimulatedScores(part, tmp_path / "s.csv"))
    assert len(data(path)) == 701
    assert said(path)["scored"] == ["700 of them: the simulation was stopped"]
    assert len(data(saved(SaveSimulatedTables(part, tmp_path / "t.csv")))) == 701
    path = saved(SaveSimulationSummary(part, tmp_path / "u.json", correlated(part, "ap", 0)))
    record = json.loads(path.read_text("utf-8"))
    assert (record["scored"], record["settings"]["tables"]) == (700, 1500)


def refuse_constant(word):
    raise AssertionError(f"{word} is not JSON")


def test_the_summary_has_other_numbers_than_the_scores(tmp_path, result, found):
    path = saved(SaveSimulationSummary(result, tmp_path / "u.json", found))
    record = json.loads(path.read_text("utf-8"), parse_constant=refuse_constant)
    assert record["correlations"] == [
        {"with": "ami", "kind": kind, "resamples": 50, "seed": 7}
        for kind in ("pearson", "spearman")
    ]
    header, *rows = data(saved(SaveSimulationSummary(result, tmp_path / "u.csv", found)))
    for key, row in zip(KEYS, rows, strict=True):
        entry = record["metrics"][key]
        values = result.of(key)
        assert entry["mean"] == values.mean()
        assert entry["standard_deviation"] == values.std(ddof=1)
        assert entry["q05"] == np.quantile(values, 0.05)
        assert entry["max"] == values.max()
        edges, counts = entry["histogram"]["edges"], entry["histogram"]["counts"]
        np.testing.assert_array_equal(counts, np.histogram(values, edges)[0])
        expected = np.corrcoef(values, result.of("ami"))[0, 1]
        assert entry["pearson_with_ami"] == pytest.approx(expected, abs=1e-12)
        assert entry["pearson_with_ami_low"] <= expected + 1e-12
        line = dict(zip(header, row, strict=True))
        assert float(line["mean"]) == entry["mean"]
        assert float(line["spearman_with_ami_low"]) == entry["spearman_with_ami_low"]
        assert line["pearson_with_ami_band"] == entry["pearson_with_ami_band"]
        assert list(map(int, line["counts"].split())) == counts
        assert [float(line["bins_from"]), float(line["bins_to"])] == [edges[0], edges[-1]]
    assert read_settings(tmp_path / "u.json") == result.simulation


def test_a_summary_has_nan_where_json_has_none(tmp_path, undefined):
    found = correlated(undefined, "ari", 5)
    path = saved(SaveSimulationSummary(undefined, tmp_path / "u.json", found))
    record = json.loads(path.read_text("utf-8"), parse_constant=refuse_constant)
    assert record["metrics"]["ap"]["mean"] is None
    assert sum(record["metrics"]["ap"]["histogram"]["counts"]) == 0
    assert record["metrics"]["ap"]["undefined"] == 40
    assert list(record["undefined"]["ap"].values()) == [40]
    assert record["metrics"]["ap"]["pearson_with_ari_band"] == "undefined"
    row = data(saved(SaveSimulationSummary(undefined, tmp_path / "u.csv", found)))[1]
    assert "nan" not in row


def test_a_comment_ends_early_in_markdown(tmp_path):
    table = ContingencyTable([[1, 2], [3, 4]], ["-->", "b"], ["c", "d"])
    result = run_to_end(Simulation(FixedMargins(table), 30, ("ap", "ari")))
    found = correlated(result, "ari", 5)
    text = saved(SaveSimulationSummary(result, tmp_path / "u.md", found)).read_text("utf-8")
    comment, _, rest = text.partition("-->")
    assert "--" not in comment.removeprefix("<!--")
    line = next(line for line in comment.splitlines() if line.startswith("settings: "))
    (tmp_path / "s.json").write_text(line.removeprefix("settings: "), "utf-8")
    assert read_settings(tmp_path / "s.json") == result.simulation
    assert "Pearson with ARI | Spearman with ARI |" in rest
    assert "| ARI |" in rest


@pytest.mark.parametrize(
    ("study", "ending"),
    [
        *((SaveSimulatedTables, ending) for ending in (".csv", ".tsv")),
        *((SaveSimulatedScores, ending) for ending in (".csv", ".tsv", ".xlsx")),
        *((SaveSimulationSummary, ending) for ending in (".csv", ".tsv", ".json")),
    ],
)
def test_a_file_of_a_simulation_opens_as_a_table(tmp_path, result, study, ending):
    path = saved(study(result, tmp_path / f"x{ending}"))
    with pytest.raises(ReadError, match=r"(simulation|one a line), not a table") as e:
        open_file(path)
    assert e.value.kind is FaultKind.NOT_TEXT
    if ending in (".csv", ".tsv"):
        with pytest.raises(ReadError, match="not a table"):
            parse_table(path.read_text("utf-8"))


@pytest.mark.parametrize(
    ("study", "ending"),
    [
        *((SaveSimulatedTables, ending) for ending in TABLE_SUFFIXES),
        *((SaveSimulatedScores, ending) for ending in SCORE_SUFFIXES if ending != ".parquet"),
        *((SaveSimulationSummary, ending) for ending in SUMMARY_SUFFIXES),
    ],
)
def test_who_stops_loses_the_old_file(tmp_path, monkeypatch, result, study, ending):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setattr("core.studies.study.STEP_SECONDS", 0.0)
    folder = tmp_path / "out"
    folder.mkdir()
    path = folder / f"x{ending}"
    path.write_text("old", "utf-8")
    for stop in (1, 2, 30):
        steps = study(result, path).run()
        for _, _ in zip(range(stop), steps, strict=False):
            pass
        steps.close()
        if stop < 30:
            assert path.read_text("utf-8") == "old"
        assert list(folder.iterdir()) == [path]
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("study", [SaveSimulatedTables, SaveSimulatedScores, SaveSimulationSummary])
def test_an_ending_that_is_no_format_is_written(tmp_path, result, study):
    for name in ("x.txt", "x"):
        with pytest.raises(SaveError, match=r"^x(\.txt)? was not saved: .*\.csv"):
            run_to_end(study(result, tmp_path / name))
    assert list(tmp_path.iterdir()) == []


def test_a_sheet_has_more_rows_than_a_spreadsheet_opens(tmp_path):
    check_score_file(tmp_path / "s.xlsx", MOST_SHEET_ROWS)
    with pytest.raises(SaveError, match=r"1,048,575 tables, not of 1,048,576: save them as \.csv"):
        check_score_file(tmp_path / "s.xlsx", MOST_SHEET_ROWS + 1)


def test_parquet_without_pyarrow_is_an_import_error(tmp_path, monkeypatch, result):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(SaveError, match=r"pyarrow writes Parquet files: install it, or .*\.csv"):
        run_to_end(SaveSimulatedScores(result, tmp_path / "s.parquet"))
    assert list(tmp_path.iterdir()) == []


def test_parquet_loses_a_digit(tmp_path, monkeypatch, undefined, result):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(simulation_scores, "_GROUP", 400)
    path = saved(SaveSimulatedScores(result, tmp_path / "s.parquet"))
    table = parquet.read_table(path)
    assert table.column_names == ["table", *KEYS]
    assert table["table"].to_pylist() == list(range(1, 1501))
    np.testing.assert_array_equal([table[key].to_numpy() for key in KEYS], result.values)
    assert table.schema.metadata[b"tallyscope.seed"] == b"7"
    path = saved(SaveSimulatedScores(undefined, tmp_path / "n.parquet"))
    assert parquet.read_table(path)["ap"].null_count == 40
