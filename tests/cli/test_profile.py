"""The command ``profile``, run as a process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from core.files.profile_file import ReadProfile
from core.simulation.presets import PAPER_METRICS
from core.studies.study import run_to_end
from tests.cli.conftest import ROOT, environment

QUICK = ("profile", "--instances", "30")


def test_people_get_costs_beside_the_papers_and_why(program, tmp_path):
    out, costs, times = (tmp_path / name for name in ("p.json", "c.csv", "t.csv"))
    done = program(
        *(*QUICK, "--budget", "60", "--out", out, "--costs-out", costs, "--times-out", times)
    )
    assert (done.returncode, done.stderr) == (0, "")
    for words in (
        "Processor: ",
        "quiet window: instances",
        "Dearest first: AMI > ",
        "Tables in 60 s",
        "5.967",
        "Where scikit-learn's AMI spends",
        "expected information",
    ):
        assert words in done.stdout, words
    result = run_to_end(ReadProfile(out))
    assert result.complete
    assert result.profile.keys == PAPER_METRICS
    assert len(costs.read_text("utf-8").splitlines()) > 24
    assert len([x for x in times.read_text().splitlines() if not x.startswith("#")]) == 31


def test_json_is_the_profile(program, tmp_path):
    done = program(*QUICK, "--routes", "batch,table", "--metrics", "ap,smi_q", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    path = tmp_path / "p.json"
    path.write_text(done.stdout)
    result = run_to_end(ReadProfile(path))
    assert list(result.profile.routes) == ["table", "batch"]
    assert list(result.profile.keys) == ["ap", "smi_q"]


def test_profiles_stand_side_by_side(program, tmp_path):
    one, two = tmp_path / "laptop.json", tmp_path / "server.json"
    options = ("--routes", "table", "--metrics", "ap,ami")
    assert program(*QUICK, *options, "--out", one).returncode == 0
    done = program(*QUICK, *options, "--out", two, "--compare", one)
    assert done.returncode == 0
    assert "here ms  laptop ms" in done.stdout
    done = program("profile", one, two)
    assert done.returncode == 0
    assert "laptop ms  server ms  laptop x AP  server x AP" in done.stdout
    assert "server: " in done.stdout
    done = program("profile", one)
    assert "Dearest first" in done.stdout


def test_growth_says_how_long_it_takes_and_what_it_found(program, tmp_path):
    out = tmp_path / "growth.json"
    done = program(
        *("profile", "--scaling", "items", "--sizes", "100,1000,10000"),
        *("--metrics", "ap,ami", "--costs-out", out),
    )
    assert done.returncode == 0
    assert "It will take about" in done.stderr
    assert "Exponent" in done.stdout
    assert "O(N max(r, c)), Romano" in done.stdout
    assert len(json.loads(out.read_text())["lines"]) == 6


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--instances", "0"), 1, "number of instances"),
        (("--metrics", "apx"), 2, "did you mean"),
        (("--metrics", "smi_q", "--routes", "paper"), 1, "cikit-learn has no"),
        (("--routes", "fast"), 1, "no route 'fast'"),
        (("--scaling", "time"), 2, "choose items, shape, tables"),
        (("--sizes", "1,2"), 2, "is for --scaling"),
        (("--limit", "1"), 2, "is for --scaling"),
        (("--scaling", "items", "--sizes", "few"), 2, "whole numbers"),
        (("--scaling", "items", "--sizes", "0"), 1, "size"),
        (("--scaling", "items", "--preset", "ideal"), 2, "is not for --scaling"),
        (("--scaling", "items", "--out", "p.json"), 2, "is not for --scaling"),
        (("--window", "9-2"), 2, "names no instances"),
        (("--window", "1-501"), 2, "names no instances"),
        (("--window", "a"), 2, "names no instances"),
        (("--out", "p.csv"), 2, ".json"),
        (("--times-out", "t.json"), 2, ".csv or .tsv"),
        (("--out", "nowhere/p.json"), 1, "the folder nowhere does not exist"),
        (("--compare", "nowhere.json"), 1, "nowhere.json"),
        (("nowhere.json",), 1, "nowhere.json"),
        (("nowhere.json", "--out", "p.json"), 2, "measured here"),
        (("nowhere.json", "--scaling", "items"), 2, "not both"),
        (("--rows", "3"), 2, "both --rows and --columns"),
    ],
)
def test_mistakes_are_said_in_a_line(program, options, code, words):
    done = program("profile", *options)
    assert done.returncode == code, done.stderr
    assert words in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_file_that_exists_is_kept(program, tmp_path):
    out = tmp_path / "p.json"
    out.write_text("mine")
    done = program(*QUICK, "--out", out)
    assert done.returncode == 1
    assert "exists already" in done.stderr
    assert out.read_text() == "mine"
    done = program("profile", "--out", out, "--costs-out", tmp_path / "." / "p.json")
    assert done.returncode in (1, 2)


@pytest.mark.skipif(os.name != "posix", reason="sends signals to a group of processes")
@pytest.mark.parametrize("keep", [False, True])
def test_ctrl_c_reaches_the_process_that_measures(tmp_path, keep):
    """A terminal sends it to every process of the group."""
    out = tmp_path / "p.json"
    options = ["profile", "--instances", "20000", "--out", str(out)]
    # A slow machine may need longer until its first instance.
    for seconds in (4, 10, 25):
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "main.py"), *options, *["--keep-partial"] * keep],
            cwd=tmp_path,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        output, said = process.communicate(timeout=30)
        if "after 0 " not in said:
            break
    assert process.returncode == 130, said
    assert "Interrupted after" in said
    assert "Traceback" not in said
    assert out.exists() is keep
    if keep:
        assert run_to_end(ReadProfile(out)).done > 0
        assert "Dearest first" in output
    else:
        assert "Nothing was written" in said
