"""The command ``simulate``, run as a process."""

from __future__ import annotations

import json

import numpy as np
import pytest

from core.simulation.presets import PAPER_METRICS, PRESETS
from core.studies.simulation import Simulation
from core.studies.study import run_to_end


def rows_of(path):
    lines = [x for x in path.read_text("utf-8").splitlines() if not x.startswith("#")]
    return [line.split(",") for line in lines]


def test_the_summary_is_not_that_of_the_tables(program):
    done = program("simulate", "--preset", "higher_4x4", "--seed", "3", "--tables", "200", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    record = json.loads(done.stdout)
    expected = run_to_end(Simulation(PRESETS["higher_4x4"].scenario, 200, seed=3))
    for key in PAPER_METRICS:
        scores = expected.of(key)
        assert record["metrics"][key]["mean"] == pytest.approx(scores.mean())
        assert record["metrics"][key]["max"] == scores.max()
        assert sum(record["metrics"][key]["histogram"]["counts"]) == 200
        r = np.corrcoef(expected.of("ap"), scores)[0, 1]
        assert record["metrics"][key]["pearson_with_ap"] == pytest.approx(r)
    assert record["settings"]["seed"] == 3


def test_people_get_a_table(program):
    done = program("simulate", "--tables", "50", "--spearman", "--with", "f1")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert "spearman with F1" in lines[0]
    assert lines[1].startswith("AP ")
    assert lines[8].startswith("F1 ")
    assert "50 tables, seed 0" in done.stdout


def test_settings_do_not_bring_the_same_numbers_back(program, tmp_path):
    done = program(
        *("simulate", "--rows", "3", "--columns", "5", "--total", "60", "--zero-weight", "9"),
        *("--tables", "40", "--seed", "11", "--metrics", "ap,ami,smi_q", "--q", "1.5"),
        *("--settings-out", "set.json", "--scores-out", "one.csv"),
    )
    assert done.returncode == 0, done.stderr
    again = program("simulate", "--settings", "set.json", "--scores-out", "two.csv", "--jobs", "2")
    assert again.returncode == 0, again.stderr
    assert rows_of(tmp_path / "one.csv") == rows_of(tmp_path / "two.csv")
    more = program(
        "simulate", "--settings", "set.json", "--tables", "60", "--scores-out", "three.csv"
    )
    assert more.returncode == 0
    assert rows_of(tmp_path / "three.csv")[:41] == rows_of(tmp_path / "one.csv")


def test_scores_in_files_are_rounded(program, tmp_path):
    done = program("simulate", "--tables", "30", "--scores-out", "s.csv", "--scores-out", "s.csv")
    assert done.returncode == 0, done.stderr
    head, *lines = rows_of(tmp_path / "s.csv")
    assert head == ["table", *PAPER_METRICS]
    expected = run_to_end(Simulation(PRESETS["low_4x4"].scenario, 30))
    values = np.array([[float(cell) for cell in line[1:]] for line in lines])
    np.testing.assert_array_equal(values.T, expected.values)


@pytest.mark.parametrize("suffix", ["csv", "tsv", "npz"])
def test_tables_in_files_are_others(program, tmp_path, suffix):
    table = tmp_path / "t.csv"
    table.write_text(",a,b\ncat,8,2\ndog,1,9\n", "utf-8")
    done = program(
        *("simulate", "--perturb", "t.csv", "--share", "0.3", "--move", "exchange"),
        *("--tables", "25", "--tables-out", f"out.{suffix}"),
    )
    assert done.returncode == 0, done.stderr
    path = tmp_path / f"out.{suffix}"
    if suffix == "npz":
        with np.load(path) as found:
            tables = found["tables"]
            assert found["truth"].tolist() == ["cat", "dog"]
            assert json.loads(str(found["settings"]))["scenario"]["share"] == 0.3
    else:
        lines = [x for x in path.read_text("utf-8").splitlines() if not x.startswith("#")]
        separator = "\t" if suffix == "tsv" else ","
        assert lines[0].split(separator) == ["table", "cat|a", "cat|b", "dog|a", "dog|b"]
        cells = [[int(cell) for cell in line.split(separator)] for line in lines[1:]]
        assert [line[0] for line in cells] == list(range(1, 26))
        tables = np.array([line[1:] for line in cells]).reshape(-1, 2, 2)
    assert tables.shape == (25, 2, 2)
    assert (tables.sum(axis=2) == [10, 10]).all()
    assert (tables.sum(axis=1) == [9, 11]).all()


def test_simulated_tables_do_not_open_again(program):
    program("simulate", "--tables", "7", "--tables-out", "t.npz")
    done = program("score", "t.npz", "--summary", "--metrics", "ap")
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if not line.startswith("#")]
    assert len(lines) == 8


@pytest.mark.parametrize(
    ("option", "word"),
    [
        ("--tables-out", "simulated tables, one a line"),
        ("--scores-out", "the scores of a simulation"),
        ("--summary-out", "summary of a simulation"),
    ],
)
def test_a_file_of_a_simulation_is_taken_for_a_table(program, option, word):
    assert program("simulate", "--tables", "20", option, "x.csv").returncode == 0
    done = program("score", "x.csv")
    assert done.returncode == 1
    assert word in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--total", "0"), "total of a table must be from 1"),
        (("--rows", "4", "--columns", "0"), "clusters must be from 1"),
        (("--zero-weight", "inf"), "finite"),
        (("--zero-weight", "nan"), "finite"),
        (("--zero-weight", "-1"), "from 0"),
        (("--tables", "1000000000"), "64.0 GB"),
        (("--tables", "0"), "from 1"),
        (("--seed", "-1"), "seed"),
        (("--generator", "other"), "fast or paper"),
        (("--margins", "missing.csv"), "missing.csv"),
        (("--settings", "missing.json"), "missing.json"),
        (("--settings", "table.csv"), "holds no settings"),
        (("--perturb", "table.csv", "--share", "0"), "above 0"),
        (("--perturb", "table.csv", "--move", "fly"), "reassign or exchange"),
        (("--scores-out", "table.csv"), "exists already"),
        (("--summary-out", "no/such/folder.csv"), "folder"),
    ],
)
def test_a_mistake_is_more_than_one_line(program, tmp_path, arguments, word):
    (tmp_path / "table.csv").write_text(",a,b\ncat,8,2\ndog,1,9\n", "utf-8")
    before = (tmp_path / "table.csv").read_bytes()
    done = program("simulate", *arguments)
    assert done.returncode == 1
    assert word in done.stderr
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "table.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--preset", "nonsense"), "low_4x4"),
        (("--rows", "4"), "--columns"),
        (("--metrics", "nonsense"), "nonsense"),
        (("--with", "nmi"), "not among the metrics"),
        (("--jobs", "0"), "-1 for all"),
        (("--tables-out", "x.xlsx"), ".npz"),
        (("--scores-out", "x.json"), ".parquet"),
        (("--preset", "ideal", "--settings", "x.json"), "one scenario"),
        (("--settings", "x.json", "--rows", "3"), "one scenario"),
        (("--preset", "ideal", "--zero-weight", "3"), "no more"),
        (("--scores-out", "x.csv", "--summary-out", "x.csv"), "twice"),
        (("--q", "-1"), "q is"),
    ],
)
def test_wrong_usage_is_not_said(program, arguments, word):
    done = program("simulate", *arguments)
    assert done.returncode == 2
    assert word in " ".join(done.stderr.split())


def test_few_items_and_one_line_break_it(program):
    for arguments in (
        ("--total", "3"),
        ("--rows", "1", "--columns", "4", "--total", "9"),
        ("--rows", "4", "--columns", "1", "--total", "9"),
        ("--total", "5", "--zero-weight", "0"),
        ("--preset", "ideal", "--rows", "3", "--total", "7"),
    ):
        done = program("simulate", "--tables", "30", *arguments)
        assert (done.returncode, done.stderr) == (0, ""), arguments


def test_scores_of_a_workbook_are_others(program, tmp_path):
    from openpyxl import load_workbook

    assert program("simulate", "--tables", "12", "--scores-out", "s.xlsx").returncode == 0
    book = load_workbook(tmp_path / "s.xlsx", read_only=True)
    rows = list(book[book.sheetnames[0]].values)
    book.close()
    assert rows[0] == ("table", *PAPER_METRICS)
    expected = run_to_end(Simulation(PRESETS["low_4x4"].scenario, 12))
    np.testing.assert_array_equal(np.array([row[1:] for row in rows[1:]]).T, expected.values)


def test_parquet_is_written_without_its_package(program, tmp_path):
    done = program("simulate", "--tables", "12", "--scores-out", "s.parquet")
    if done.returncode:
        assert "pyarrow" in done.stderr
        assert not (tmp_path / "s.parquet").exists()
