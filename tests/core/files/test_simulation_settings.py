"""Settings files: the same numbers again, and a sentence for every file that is none."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.files.errors import FaultKind, ReadError, SaveError
from core.files.opening import open_file
from core.files.simulation_about import settings_record
from core.files.simulation_settings import (
    MOST_SETTINGS_BYTES,
    ReadSettings,
    read_settings,
    write_settings,
)
from core.metrics.metric import ScoreOptions
from core.simulation.around import FixedMargins, Perturbed
from core.simulation.dividers import DividedTotal
from core.simulation.presets import PRESETS
from core.studies.simulation import Simulation
from core.studies.study import run_to_end
from core.table import ContingencyTable

TABLE = ContingencyTable([[8, 2, 0], [1, 9, 4]], ["cat", "d\ud800g"], ["a|b", "", "a|b"])

SCENARIOS = [
    *(preset.scenario for preset in PRESETS.values()),
    DividedTotal(2, 3, int(np.int64(20)), np.float64(0.1), "paper"),
    FixedMargins(TABLE),
    Perturbed(TABLE, 0.30000000000000004, "exchange"),
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "s.json"


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.kind)
def test_settings_make_other_numbers_than_before(path, scenario):
    options = ScoreOptions(beta=0.1, average="max")
    simulation = Simulation(scenario, 20, ("ap", "v_measure", "nmi"), 2**63 - 1, options)
    write_settings(simulation, path)
    again = read_settings(path)
    assert again == simulation
    np.testing.assert_array_equal(run_to_end(again).values, run_to_end(simulation).values)
    assert again.scenario.names == scenario.names


@settings(max_examples=30, deadline=None)
@given(
    weight=st.floats(1e-300, 1e12),
    seed=st.integers(0, 2**63 - 1),
    q=st.floats(1e-300, 1e300),
    tables=st.integers(1, 1000),
)
def test_a_digit_of_a_setting_is_lost(tmp_path_factory, weight, seed, q, tables):
    path = tmp_path_factory.mktemp("s") / "s.json"
    simulation = Simulation(DividedTotal(2, 2, 9, weight), tables, ("ap",), seed, ScoreOptions(q=q))
    write_settings(simulation, path)
    assert read_settings(path) == simulation


def changed(**changes):
    record = settings_record(Simulation(FixedMargins(ContingencyTable([[1, 2], [3, 4]])), 5))
    record.update(changes)
    return json.dumps({key: value for key, value in record.items() if value is not ...})


def scenario(**changes):
    return {"kind": "divided_total", "rows": 2, "columns": 2, **changes}


def table(counts, **more):
    return {"kind": "fixed_margins", "table": {"counts": counts, **more}}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "is empty"),
        ("  \n", "is empty"),
        ("a,b\n1,2\n", "holds no settings of a simulation (it does not begin as JSON does)"),
        (b"\x93NUMPY\x01\x00", "holds no settings"),
        ("[1, 2]", "holds no settings"),
        ('{"format":"tallyscope session","format_version":1}\n', "(it is a session)"),
        ('{"truth": ["a"], "clusters": ["b"], "counts": [[1]]}', '"format" is not "tally'),
        (changed()[:-20], "ends early"),
        (changed().replace('"seed": 0,', '"seed": 0, "seed": 1,', 1), "stands twice"),
        (changed(format_version=2), "newer program"),
        (changed(format_version=...), '"format_version" must be 1, not None'),
        (changed(format_version="1"), '"format_version" must be 1'),
        (changed(seed=...), '"seed" is missing'),
        (changed(colour=1), '"colour" is not a setting'),
        (changed(tables=5.5), '"tables" is wrong: the number of tables must be a whole number'),
        (changed(tables=10**9), "GB of memory"),
        (changed(seed=-1), '"seed" is wrong'),
        (changed(seed=True), '"seed" is wrong'),
        (changed(metrics="ap"), '"metrics" must be a list'),
        (changed(metrics=[]), "at least one metric"),
        (changed(metrics=["apx"]), "there is no metric 'apx'"),
        (changed(metrics=["row_peakiness"]), "a value for each truth class"),
        (changed(options={"q": 0}), "q is 0"),
        (changed(options={"p": 1}), '"p" is not an option'),
        (changed(options=[1]), '"options" must be an object'),
        (changed(scenario=[]), "a scenario is an object"),
        (changed(scenario=scenario(total=0)), '"total" is wrong'),
        (changed(scenario=scenario(weight=1)), "no setting 'weight'"),
        (changed(scenario={"kind": "ideal", "rows": 2}), "needs 'columns'"),
        (changed(scenario={"kind": "real"}), "the kind of scenario is"),
        (changed(scenario=table([[1, 2.5]])), "row 1, column 2: 2.5 is not a whole number"),
        (changed(scenario=table([[1, 2], [3]])), "row 2 has 1 cells"),
        (changed(scenario=table([[1]], truth=5)), '"table" is wrong'),
        (changed(scenario=table(None)), '"table" is wrong'),
        (changed().replace("[3, 4]", "[3, NaN]"), "is wrong"),
    ],
)
def test_a_file_that_is_no_settings_is_run(file, content, sentence):
    path = file(content, "s.json")
    with pytest.raises(ReadError) as caught:
        read_settings(path)
    message = str(caught.value)
    assert sentence in message
    assert message.startswith("s.json")
    assert message.endswith(".")
    assert "\n" not in message


def test_a_file_without_end_is_read(tmp_path):
    path = tmp_path / "s.json"
    with path.open("wb") as sparse:
        sparse.truncate(MOST_SETTINGS_BYTES + 1)
    with pytest.raises(ReadError, match="more than 64 MB"):
        read_settings(path)


def test_a_byte_order_mark_hides_the_settings(file):
    assert read_settings(file("\ufeff" + changed(), "s.json")).tables == 5


def test_settings_open_as_a_table(path):
    write_settings(Simulation(FixedMargins(TABLE), 5), path)
    with pytest.raises(ReadError, match="settings of a simulation, not a table") as caught:
        open_file(path)
    assert caught.value.kind is FaultKind.NOT_TEXT


def test_another_version_of_numpy_goes_unsaid(file):
    notes = run_to_end(ReadSettings(file(changed(numpy="1.26.4"), "s.json"))).notes
    assert len(notes) == 1
    assert "numpy 1.26.4" in notes[0]
    assert run_to_end(ReadSettings(file(changed(), "s.json"))).notes == ()


def test_settings_that_are_there_are_lost_where_they_cannot_be_written(tmp_path, path):
    with pytest.raises(SaveError, match="folder"):
        write_settings(Simulation(FixedMargins(TABLE), 5), tmp_path)
    path.write_text("old", "utf-8")
    steps = iter(write_steps(path))
    next(steps)
    steps.close()
    assert path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def write_steps(path):
    from core.files.simulation_settings import SaveSettings

    return SaveSettings(Simulation(FixedMargins(TABLE), 5), path).run()
