"""Profiles as files: they open as they were, and damaged ones say what is wrong."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

import numpy as np
import pytest

from core.files.errors import ReadError, SaveError
from core.files.opening import open_file
from core.files.profile_file import ReadProfile, SaveProfile
from core.files.profile_tables import SaveCosts, SaveScaling, SaveTimes, compared
from core.profiling.clock import Clock
from core.profiling.machine import Machine
from core.profiling.stages import STAGES, Stages
from core.simulation.dividers import DividedTotal
from core.studies.profiling import Profile, ProfileResult
from core.studies.scaling import Scaling, ScalingResult
from core.studies.study import run_to_end

MACHINE = Machine(
    "a processor, fast",
    4,
    2**33,
    "a system",
    "Python",
    "Tallyscope",
    {"numpy": "2"},
    "mains",
    2600.0,
)


def made(n=30, keys=("ap", "ami", "smi_q"), seed=0) -> ProfileResult:
    profile = Profile(DividedTotal(4, 6, 100), n, keys, ("paper", "table", "batch"), seed)
    times = np.exp(np.random.default_rng(seed).normal(0, 0.1, (3, len(keys), n)))
    times[0, -1] = np.nan
    times[2, :, 1:] = np.nan
    memory = np.full((3, len(keys)), 1000.0)
    memory[0, -1] = np.nan
    return ProfileResult(
        profile,
        times,
        np.ones(n),
        np.full(n, 0.1),
        MACHINE,
        replace(MACHINE, clock_mhz=None),
        ("mains",),
        Clock(40.0, 38.5),
        0.5,
        n,
        memory,
        Stages(1.5, dict.fromkeys(STAGES, 0.25), 10),
        3.25,
    )


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "laptop.json"
    run_to_end(SaveProfile(made(), path))
    return path


def read(path) -> ProfileResult:
    return run_to_end(ReadProfile(path))


def test_a_profile_opens_as_it_was(saved):
    before, after = made(), read(saved)
    for name in ("times", "waited", "yardstick", "memory"):
        np.testing.assert_array_equal(getattr(after, name), getattr(before, name))
    for name in ("began", "ended", "powers", "clock", "warm_up", "batch_tables", "stages"):
        assert getattr(after, name) == getattr(before, name), name
    assert after.profile == before.profile
    assert after.costs() == before.costs()
    assert after.quiet == before.quiet


def test_a_partial_profile_opens_as_one(tmp_path):
    whole = made()
    part = replace(
        whole,
        times=whole.times[:, :, :7],
        waited=whole.waited[:7],
        yardstick=whole.yardstick[:7],
        ended=None,
        memory=None,
        stages=None,
    )
    path = tmp_path / "part.json"
    run_to_end(SaveProfile(part, path))
    after = read(path)
    assert after.done == 7
    assert not after.complete
    assert after.memory is None
    assert after.stages is None


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (("format",), "tallyscope session", "holds no profile"),
        (("format_version",), 99, "newer program"),
        (("settings",), None, '"settings" must be an object'),
        (("settings", "instances"), 0, '"instances" is wrong'),
        (("settings", "instances"), "many", '"instances" is wrong'),
        (("settings", "metrics"), ["apx", "ami", "smi_q"], '"metrics" is wrong'),
        (("settings", "metrics"), "ap", '"metrics" must be a list'),
        (("settings", "routes"), [], '"routes" is wrong'),
        (("settings", "options"), {"speed": 3}, '"speed" is not known'),
        (("settings", "scenario"), {"kind": "dice"}, "is wrong"),
        (("waited",), [1.0], '"yardstick" has 30 values where there are 1'),
        (("waited",), [1.0] * 31, '"waited" has 31 instances'),
        (("yardstick",), [True] * 30, '"yardstick" has "True" among its numbers'),
        (("times", "paper", "ami"), ["fast"] * 30, '"times of ami" has "fast"'),
        (("times", "paper", "ami"), [-1.0] * 30, "has -1: times and sizes are 0 or more"),
        (("waited",), [1e999] * 30, "has inf: times and sizes"),
        (("times", "paper"), {}, '"ap" is missing'),
        (("times",), [], '"times" must be an object'),
        (("memory",), {"paper": {}}, "missing"),
        (("machine_before",), {"processor": "x"}, '"machine_before" is damaged'),
        (("machine_before", "cores"), "four", '"machine_before" is damaged'),
        (("machine_before", "power"), "sun", '"machine_before" is damaged'),
        (("powers",), ["sun"], '"powers" are mains'),
        (("clock", "overhead_ns"), -1, '"overhead_ns" must be a number'),
        (("stages", "parts"), {}, '"stages" are checks'),
        (("seconds",), None, '"seconds" must be a number'),
    ],
)
def test_a_damaged_profile_is_read_or_the_fault_is_not_named(saved, place, value, words):
    record = json.loads(saved.read_text())
    inner = record
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    saved.write_text(json.dumps(record))
    with pytest.raises(ReadError) as caught:
        read(saved)
    assert words in str(caught.value).replace("“", '"').replace("”", '"')
    assert "laptop.json" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"not json", b'{"format": 3}', b"\xff\xfe", b"\x00" * 20]
)
def test_what_is_no_profile_is_refused(tmp_path, content):
    path = tmp_path / "other.json"
    path.write_bytes(content)
    with pytest.raises(ReadError, match=r"other\.json"):
        read(path)


def test_a_profile_is_taken_for_a_table(saved, tmp_path):
    with pytest.raises(ReadError, match="times of a profile, not a table"):
        open_file(saved)
    for study in (SaveTimes(tmp_path / "t.csv", made()), SaveCosts(tmp_path / "t.csv", made())):
        run_to_end(study)
        with pytest.raises(ReadError, match="times of a profile, not a table"):
            open_file(tmp_path / "t.csv")


def lines_of(path, separator=","):
    text = path.read_text("utf-8")
    about = [line for line in text.splitlines() if line.startswith("#")]
    rest = [line for line in text.splitlines() if not line.startswith("#")]
    return about, list(csv.DictReader(rest, delimiter=separator))


def test_times_have_every_digit_and_say_what_they_are(tmp_path):
    result = made()
    run_to_end(SaveTimes(tmp_path / "t.tsv", result))
    about, rows = lines_of(tmp_path / "t.tsv", "\t")
    assert len(rows) == 30
    assert [float(row["paper.ami"]) for row in rows] == result.of("paper", "ami").tolist()
    assert "paper.smi_q" not in rows[0]
    assert [row["batch.ap"] for row in rows[1:]] == [""] * 29
    told = "\n".join(about)
    for words in ("a processor, fast", "times in ms", "quiet window", '"seed":0'):
        assert words in told


def test_costs_are_those_of_the_window(tmp_path):
    result = made()
    run_to_end(SaveCosts(tmp_path / "c.csv", result, (3, 12)))
    about, rows = lines_of(tmp_path / "c.csv")
    expected = result.costs((3, 12), intervals=True)
    assert [float(row["quiet_mean"]) for row in rows] == [cost.quiet_mean for cost in expected]
    assert "# quiet window,instances 4 to 12" in about
    (ami,) = [row for row in rows if (row["route"], row["metric"]) == ("paper", "ami")]
    assert float(ami["paper_mean"]) == 5.967
    assert float(ami["times_ap_low"]) <= float(ami["times_ap"]) <= float(ami["times_ap_high"])


def growth() -> ScalingResult:
    scaling = Scaling("items", (100, 1000, 10_000, 100_000), keys=("ap", "ami"))
    costs = np.full((3, 2, 4), 0.1)
    costs[0, 1] = [1.0, 10.0, 100.0, np.nan]
    why = {("paper", "ami", 100_000): "one call would take about 3 minutes"}
    return ScalingResult(scaling, costs, why, MACHINE, MACHINE, 4.0, 0.0, 24, 5.0)


def test_growth_stands_in_csv_and_json(tmp_path):
    for name in ("g.csv", "g.json"):
        run_to_end(SaveScaling(tmp_path / name, growth()))
    _, rows = lines_of(tmp_path / "g.csv")
    assert len(rows) == 24
    (left,) = [row for row in rows if row["left_out"]]
    assert (left["metric"], left["size"], left["cost"]) == ("ami", "100000", "")
    record = json.loads((tmp_path / "g.json").read_text())
    line = record["lines"][1]
    assert line["costs"] == [1.0, 10.0, 100.0, None]
    assert line["exponent"] == pytest.approx(1.0)
    assert line["published"].startswith("O(N max(r, c))")
    with pytest.raises(ReadError, match="times of growing tables"):
        open_file(tmp_path / "g.json")


@pytest.mark.parametrize("study", [SaveTimes, SaveCosts])
def test_another_ending_is_refused(tmp_path, study):
    with pytest.raises(SaveError, match=r"\.csv or \.tsv"):
        run_to_end(study(tmp_path / "t.xlsx", made()))


def test_machines_stand_side_by_side():
    one, other = made(), made(keys=("ami", "ap", "ari"), seed=3)
    lines = {(line.route, line.key): line for line in compared([one, other])}
    costs = {(cost.route, cost.key): cost for cost in other.costs()}
    assert lines["paper", "ami"].costs[1] == costs["paper", "ami"].quiet_mean
    assert lines["paper", "ami"].ratios[1] == costs["paper", "ami"].ratio
    assert np.isnan(lines["table", "smi_q"].costs[1])
    assert np.isnan(lines["table", "ari"].costs[0])
    assert [line.route for line in compared([one, other])] == sorted(
        (line.route for line in compared([one, other])), key=("paper", "table", "batch").index
    )
