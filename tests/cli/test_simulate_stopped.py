"""The command ``simulate``: Ctrl+C, settings that are changed, and files that are refused early."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from core.cli.progress import Interrupt, driven
from core.files.simulation_settings import read_settings
from core.studies.study import Step
from tests.cli.conftest import ROOT, environment

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are others there")

LONG = ("simulate", "--tables", "60000000", "--metrics", "ap,ari")


class Endless:
    """A study that sends its own process Ctrl+C after some steps."""

    def __init__(self, presses):
        self.presses = presses
        self.closed = False

    def run(self):
        try:
            for done in range(1000):
                if done >= 3 and self.presses:
                    self.presses -= 1
                    os.kill(os.getpid(), signal.SIGINT)
                yield Step(done, 1000, "working", partial=done)
        finally:
            self.closed = True


def test_ctrl_c_loses_what_is_there():
    study = Endless(1)
    with Interrupt().watching() as interrupt:
        assert driven(study, interrupt) == (3, False)
        assert interrupt.pressed
    assert study.closed
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


class Stuck:
    """A study that hears Ctrl+C twice before its next step."""

    def run(self):
        yield Step(0, 1, "working", partial=0)
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGINT)
        yield Step(1, 1, "worked", result=1)


def test_a_second_ctrl_c_waits_for_the_next_step():
    with Interrupt().watching() as interrupt, pytest.raises(KeyboardInterrupt):
        driven(Stuck(), interrupt)


def interrupted(folder, *arguments):
    """Press Ctrl+C, as a terminal does for all processes of a command, once it has begun."""
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "main.py"), *LONG, *arguments],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    # Long enough to have begun, on a machine that has other work, too.
    time.sleep(8)
    os.killpg(process.pid, signal.SIGINT)
    try:
        out, err = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    return process.returncode, out, err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_leaves_part_of_a_file(tmp_path, jobs):
    code, out, err = interrupted(tmp_path, "--jobs", jobs, "--scores-out", "s.csv")
    assert code == 130
    assert out == ""
    assert "of 60,000,000 tables" in err
    assert "Nothing was written." in err
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_what_is_asked_for_is_not_kept(tmp_path):
    code, out, err = interrupted(
        tmp_path,
        "--keep-partial",
        *("--scores-out", "s.csv", "--summary-out", "u.json", "--settings-out", "set.json"),
    )
    assert code == 130
    assert " of 60,000,000 tables, seed 0" in out
    scored = json.loads((tmp_path / "u.json").read_text("utf-8"))["scored"]
    assert f"{scored:,} of 60,000,000" in err
    text = (tmp_path / "s.csv").read_text("utf-8")
    assert text.count("\n") - text.count("\n#") >= scored
    assert text.splitlines()[-1].startswith(f"{scored},")
    assert read_settings(tmp_path / "set.json").tables == 60_000_000


def test_options_beside_settings_are_ignored(program, tmp_path):
    assert program("simulate", "--tables", "20", "--settings-out", "a.json").returncode == 0
    done = program(
        *("simulate", "--settings", "a.json", "--q", "2", "--draws-seed", "5", "--seed", "4"),
        *("--metrics", "smi_q,ap", "--settings-out", "b.json"),
    )
    assert done.returncode == 0, done.stderr
    before, after = read_settings(tmp_path / "a.json"), read_settings(tmp_path / "b.json")
    assert (after.options.q, after.options.seed, after.seed) == (2, 5, 4)
    assert (after.tables, after.scenario) == (20, before.scenario)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--tables", "1048576", "--scores-out", "s.xlsx"), "save them as .csv"),
        (("--tables", "9000000", "--scores-out", "no/s.csv"), "the folder no does not exist"),
        (("--tables", "9000000", "--tables-out", "folder.csv"), "is a folder"),
        (
            ("--margins", "t.csv", "--tables-out", "t.csv", "--force"),
            "is one of the files to read",
        ),
        (
            ("--tables", "9000000", "--tables-out", "a.csv", "--scores-out", "./a.csv"),
            "is named for two",
        ),
    ],
)
def test_hours_of_work_end_in_a_file_that_cannot_be(program, tmp_path, arguments, word):
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "t.csv").write_text(",a,b\ncat,8,2\ndog,1,9\n", "utf-8")
    done = program("simulate", *arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert word in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_file_of_numbers_lacks_a_correlation(program, tmp_path):
    done = program("simulate", "--tables", "40", "--summary-out", "u.csv", "--spearman")
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "u.csv").read_text("utf-8").splitlines()
    header = next(line for line in lines if not line.startswith("#"))
    assert {"pearson_with_ap", "spearman_with_ap", "counts"} <= set(header.split(","))
    assert "spearman with AP" in done.stdout


def test_a_table_that_needs_options_cannot_be_simulated(program, tmp_path):
    (tmp_path / "t.csv").write_text("8;;2\n1;9;3\n", "utf-8")
    done = program("simulate", "--margins", "t.csv", "--blank-zero", "--tables", "5", "--transpose")
    assert done.returncode == 0, done.stderr
    assert "3 × 2, N = 23" in done.stdout
