"""Every route leads to the same score, and says where it does not lead."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given

from core.metrics.catalogue import METRICS
from core.metrics.metric import ScoreOptions
from core.metrics.scikit_learn import PEER_KEYS
from core.profiling.routes import ROUTES, Instance, call, formula_ap, label_f1, lacking
from core.profiling.stages import STAGES, measured_stages
from core.scoring import score
from core.simulation.presets import PAPER_METRICS, PRESETS
from tests.core.strategies import tables

TABLES = PRESETS["higher_4x6"].scenario.make(3, 0, 5)


@pytest.mark.parametrize("key", PAPER_METRICS)
def test_routes_lead_to_different_scores(key):
    for number, counts in enumerate(TABLES):
        instance = Instance.of(counts)
        found: dict[str, Any] = {
            route: call(route, key, instance, TABLES, ScoreOptions())() for route in ROUTES
        }
        ours = found["table"][key]
        assert found["paper"] == pytest.approx(ours, abs=1e-12)
        assert found["batch"][key][number] == pytest.approx(ours, abs=1e-14)


def test_options_reach_every_route():
    options = ScoreOptions(beta=2.0)
    instance = Instance.of(TABLES[0])
    paper, table = (
        cast(Any, call(route, "v_measure", instance, TABLES, options)())
        for route in ("paper", "table")
    )
    assert table["v_measure"] != score(TABLES[0], ["v_measure"])["v_measure"]
    assert paper == pytest.approx(table["v_measure"])


def test_scikit_learn_has_what_it_has_and_no_more():
    leads = {key for key in METRICS if lacking("paper", key) is None}
    assert leads == {*PEER_KEYS, "ap", "f1"}
    assert lacking("paper", "smi_q") == f"scikit-learn has no {METRICS['smi_q'].name}"
    assert all(lacking(route, key) is None for route in ("table", "batch") for key in METRICS)


@given(tables())
def test_formulas_differ_from_the_metrics(table):
    counts = np.array(table, np.int64)
    instance = Instance.of(counts)
    if not len(instance.truth):
        return
    scores = score(counts, ["ap", "f1"])
    assert formula_ap(counts) == pytest.approx(scores["ap"], nan_ok=True, abs=1e-12)
    assert label_f1(instance.truth, instance.clusters) == pytest.approx(scores["f1"], abs=1e-12)


def test_labels_are_those_of_the_table():
    instance = Instance.of(np.array([[0, 2], [1, 0]]))
    assert instance.truth.tolist() == [0, 0, 1]
    assert instance.clusters.tolist() == [1, 1, 0]
    assert len(Instance.of(TABLES[0], with_labels=False).truth) == 0


def test_stages_make_up_the_whole():
    from core.profiling.clock import Clock

    found = measured_stages([Instance.of(table) for table in TABLES], Clock.measured())
    assert list(found.parts) == list(STAGES)
    assert all(part >= 0 for part in found.parts.values())
    assert sum(found.parts.values()) >= found.total * 0.999
    assert 0 < found.share_of_formula < 1
    assert found.instances == 5
