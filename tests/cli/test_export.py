"""The command ``export``, run as a process."""

import csv
import inspect
import os
import subprocess
import sys
import time

import pytest

from core import METRICS
from core.cli.export import _ENDINGS, _SESSION, export
from core.cli.scoring import score as score_command
from core.files.results import SUFFIXES
from core.files.sessions import SESSION_SUFFIX, read_session
from core.files.tables import read_table
from tests.cli.conftest import ROOT, environment

FIGURE_1 = ROOT / "resources" / "samples" / "figure_1.csv"


@pytest.fixture
def tie(tmp_path):
    path = tmp_path / "tie.csv"
    path.write_text("1,1\n0,0\n", "utf-8")
    return path


def test_a_format_that_is_known_has_no_command():
    assert set(_ENDINGS) == {*SUFFIXES, SESSION_SUFFIX}
    assert _SESSION == SESSION_SUFFIX


def test_export_takes_other_options_than_score():
    ours = inspect.signature(export, eval_str=True).parameters
    theirs = inspect.signature(score_command, eval_str=True).parameters
    for name in theirs.keys() - {"files", "json", "csv", "digits"}:
        assert name in ours
        assert ours[name].default == theirs[name].default
        assert name == "summary" or ours[name].annotation == theirs[name].annotation


def test_a_format_is_not_what_its_ending_says(program, tmp_path, tie):
    begins = {
        ".csv": b"# Tallyscope scored table,",
        ".tsv": b"# Tallyscope scored table\t",
        ".json": b'{\n  "program": {\n',
        ".xlsx": b"PK\x03\x04",
        ".md": b"<!--\nTallyscope ",
        ".tex": b"% Tallyscope ",
        ".tallyscope": b'{"format":"tallyscope session"',
    }
    for ending in _ENDINGS:
        out = f"out{ending}"
        done = program("export", FIGURE_1, tie, "--to", out)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert (tmp_path / out).read_bytes().startswith(begins[ending])


def test_a_session_lacks_a_table_or_an_option(program, tmp_path, tie):
    arguments = ("--q", "2", "--metrics", "ari,ap", "--to", "s.tallyscope")
    assert program("export", tie, FIGURE_1, *arguments).returncode == 0
    content = read_session(tmp_path / "s.tallyscope")
    assert [(named.name, named.source) for named in content.tables] == [
        ("tie", "tie.csv"),
        ("figure_1", "figure_1.csv"),
    ]
    assert content.tables[1].table == read_table(FIGURE_1).table
    assert content.options.q == 2
    assert content.columns == ("ari", "ap")
    assert '"saved":"20' in (tmp_path / "s.tallyscope").read_text("utf-8")


def test_options_of_the_text_do_not_reach_it(program, tmp_path):
    arguments = ("--metrics", "ari", "--digits", "5", "--to", "o.md")
    assert program("export", FIGURE_1, *arguments).returncode == 0
    text = (tmp_path / "o.md").read_text("utf-8")
    assert "| Adjusted Rand index | 0.17611 |" in text
    assert METRICS["ami"].name not in text


def test_the_summary_of_export_and_that_of_score_differ(program, tmp_path, tie):
    assert program("export", FIGURE_1, tie, "--summary", "--to", "o.csv").returncode == 0
    done = program("score", FIGURE_1, tie, "--summary", text=False)
    assert done.returncode == 0
    assert (tmp_path / "o.csv").read_bytes() == done.stdout
    lines = list(csv.reader(done.stdout.decode("utf-8").splitlines()))
    assert [line[0] for line in lines if not line[0].startswith("#")] == ["name", "figure_1", "tie"]


def test_a_file_is_replaced_unasked(program, tmp_path, tie):
    out = tmp_path / "o.json"
    out.write_text("old", "utf-8")
    done = program("export", tie, "--to", out.name)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "o.json exists already: choose another name, or replace it with --force.\n"
    )
    assert out.read_text("utf-8") == "old"
    assert program("export", tie, "--to", out.name, "--force").returncode == 0
    assert out.read_text("utf-8") != "old"


def test_a_table_is_replaced_by_its_own_export(program, tmp_path, tie):
    before = tie.read_text("utf-8")
    done = program("export", FIGURE_1, tie, "--to", tie.name, "--force")
    assert done.returncode == 1
    assert done.stderr == "tie.csv is one of the files to read: choose another name.\n"
    assert tie.read_text("utf-8") == before


def test_an_export_without_a_table_looks_whole(program, tmp_path, tie):
    done = program("export", tie, "none.csv", "--to", "o.csv")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "o.csv was not written: not all files could be read."
    assert not (tmp_path / "o.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--to", "o.doc"], "o.doc"),
        (["--to", "o"], ".tallyscope"),
        ([], "--to"),
        (["--to", "o.csv", "--metrics", "no"], "no metric"),
        (["--to", "o.md", "--digits", "18"], "--digits"),
        (["--to", "o.json", "--summary"], "--summary"),
        (["--to", "o.csv", "--q", "0"], "q is 0"),
        (["--to", "o.csv", "--separator", "x"], "separator"),
    ],
)
def test_wrong_usage_writes_a_file_or_is_not_2(program, tmp_path, tie, arguments, says):
    done = program("export", tie, *arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert list(tmp_path.iterdir()) == [tie]


def test_a_file_that_cannot_be_written_is_more_than_a_line(program, tmp_path, tie):
    bad = tmp_path / "bad.csv"
    bad.write_text('"a\x0bb",1,2\nc,3,4\n', "utf-8")
    for arguments, says in (
        ((tie, "--to", "missing/o.md"), "does not exist"),
        ((bad, "--to", "o.xlsx"), "rename it"),
    ):
        done = program("export", *arguments)
        assert done.returncode == 1
        assert says in done.stderr
        assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.csv", "tie.csv"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
def test_a_device_is_replaced_by_a_file(program, tie, tmp_path):
    (tmp_path / "o.csv").symlink_to("/dev/full")
    done = program("export", tie, "--to", "o.csv", "--force")
    assert done.returncode == 1
    assert "a pipe or a device" in done.stderr


def test_a_table_from_standard_input_is_not_exported(program, tmp_path):
    assert program("export", "-", "--to", "o.csv", stdin="1,2\n3,4\n").returncode == 0
    assert read_table(tmp_path / "o.csv").table.counts.tolist() == [[1, 2], [3, 4]]


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("ending", ["xlsx", "csv"])
def test_an_export_that_is_ended_leaves_its_beginning_behind(tmp_path, ending):
    rows = "".join(",".join(["7"] * 700) + "\n" for _ in range(700))
    (tmp_path / "big.csv").write_text(rows, "utf-8")
    command = ["export", "big.csv", "--metrics", "ap", "--to", f"o.{ending}"]
    ends: list[tuple[int, bytes]] = []
    # A signal may come while Python runs what cannot be left by an exception, which it then
    # only reports; that is rare, so not three times in a row.
    while len(ends) < 3 and (143, b"") not in ends:
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "main.py"), *command],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        while process.poll() is None and not list(tmp_path.glob(".o*.tmp")):
            time.sleep(0.001)
        process.terminate()
        _, said = process.communicate(timeout=60)
        ends.append((process.returncode, said))
        (tmp_path / f"o.{ending}").unlink(missing_ok=True)
    assert (143, b"") in ends
    assert [path.name for path in tmp_path.iterdir()] == ["big.csv"]
