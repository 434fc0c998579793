"""The command ``published``, run as a process."""

import json

from core.published.finding import VERDICTS
from core.version import __version__


def test_findings_stand_by_source_with_verdicts(program):
    done = program("published", "--only", "table 3")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Zirkind and Diehl")
    row = next(line for line in lines if "V-measure of figure 1" in line)
    assert row.split()[-3:] == ["0.275", "0.254", "misprint"]
    assert "with a digit lost" in done.stdout
    assert lines[-1].startswith("9 claims: other data than named 5;")


def test_what_is_said_of_runs_is_left_out_where_nothing_was_run(program):
    assert "random.seed" not in program("published", "--only", "table 3").stdout
    run = program("published", "--only", "low 4x4, correlation", "--replications", "2")
    assert "random.seed" in run.stdout
    assert "take 20 or more" in run.stdout


def test_a_seed_fixes_the_findings_whatever_the_workers(program):
    how = ("published", "--only", "low 4x4, correlation", "--replications", "2")
    one, two = program(*how, "--seed", "3"), program(*how, "--seed", "3", "--jobs", "2")
    assert (one.returncode, two.returncode) == (0, 0)
    assert one.stdout == two.stdout
    assert one.stdout != program(*how, "--seed", "4").stdout


def test_reports_are_written_beside_the_table(program, tmp_path):
    for name in ("out.json", "out.md"):
        done = program("published", "--only", "table 3", "--seed", "5", "--report", name)
        assert (done.returncode, done.stderr) == (0, "")
        assert "misprint" in done.stdout
    record = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert record["program"]["version"] == __version__
    assert record["settings"]["seed"] == 5
    assert len(record["findings"]) == record["planned"] == 9
    assert {finding["verdict"] for finding in record["findings"]} <= set(VERDICTS)
    text = (tmp_path / "out.md").read_text("utf-8")
    assert "seed 5; 20 replications; only 'table 3'" in text


def test_a_file_that_exists_is_not_replaced_unasked(program, tmp_path):
    (tmp_path / "out.md").write_text("mine")
    how = ("published", "--only", "table 3", "--report", "out.md")
    done = program(*how)
    assert done.returncode == 1
    assert "--force" in done.stderr
    assert done.stdout == ""
    assert (tmp_path / "out.md").read_text() == "mine"
    assert program(*how, "--force").returncode == 0
    assert "misprint" in (tmp_path / "out.md").read_text("utf-8")


def test_a_report_that_cannot_be_written_says_why_in_one_line(program):
    done = program("published", "--only", "table 3", "--report", "no folder/out.md")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "does not exist" in done.stderr


def test_wrong_usage_is_told_from_a_mistake(program):
    for arguments, word in (
        (("--only", "nonsense"), "nonsense"),
        (("--replications", "1"), "replications"),
        (("--seed", "-1"), "seed"),
        (("--jobs", "0"), "jobs"),
        (("--report", "out.txt"), ".md or .json"),
        (("--seed", str(2**63)), "seed"),
    ):
        done = program("published", *arguments)
        assert done.returncode == 2, arguments
        assert word in done.stderr


def test_a_console_of_plain_signs_gets_the_findings_too(program):
    done = program("published", "--only", "table 4", env={"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "reproduced" in done.stdout
