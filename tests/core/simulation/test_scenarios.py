"""Random tables: the paper's generator to the last count, and what every scenario keeps."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, ks_2samp

from core import ContingencyTable, score_many
from core.simulation.around import FixedMargins, Perturbed
from core.simulation.dividers import DividedTotal
from core.simulation.extremes import Ideal, Worst
from core.simulation.presets import PAPER_METRICS, PRESETS
from core.simulation.record import scenario_from, scenario_record
from core.simulation.scenario import SimulationError

FIGURE_1 = ContingencyTable(
    [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]],
    truth=["4", "5", "6", "7"],
)
SCENARIOS = [
    *(preset.scenario for preset in PRESETS.values()),
    DividedTotal(4, 4, generator="paper"),
    DividedTotal(4, 2, zero_weight=1000, generator="paper"),
    DividedTotal(1, 5, 7),
    DividedTotal(5, 1, 7),
    DividedTotal(1, 1, 7),
    DividedTotal(3, 3, 2, 0.5),
    DividedTotal(2, 2, 10**15, 0),
    DividedTotal(40, 50, 100),
    Ideal(3, 5, 3),
    Worst(3, 1, 9),
    FixedMargins(FIGURE_1),
    FixedMargins(ContingencyTable([[0, 3], [0, 0], [0, 4]])),
    Perturbed(FIGURE_1, 0.1),
    Perturbed(FIGURE_1, 1.0, "exchange"),
    Perturbed(ContingencyTable([[10**12, 5], [3, 10**12]]), 0.5, "reassign"),
]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: f"{s.kind} {s.words}")
def test_tables_do_not_have_the_shape_and_total_asked_for(scenario):
    made = scenario.make(3, 2, min(50, scenario.block_size))
    assert made.dtype == np.int64
    assert made.shape[1:] == scenario.shape
    assert (made >= 0).all()
    assert (made.sum(axis=(1, 2)) == scenario.total).all()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: f"{s.kind} {s.words}")
def test_the_same_seed_makes_other_tables(scenario):
    few = min(7, scenario.block_size)
    whole = scenario.make(3, 1, scenario.block_size)
    assert (scenario.make(3, 1, few) == whole[:few]).all()
    size = scenario.block_size
    numbers = [size + few - 1, 0, size]
    tables = scenario.tables(3, numbers)
    assert (tables[0].counts == whole[few - 1]).all()
    assert (tables[1].counts == scenario.make(3, 0, 1)[0]).all()
    assert (tables[2].counts == whole[0]).all()
    assert tables[0].truth == scenario.names[0]
    if math.prod(scenario.shape) > 1 and scenario.total > 9:
        assert not (scenario.make(4, 1, size) == whole).all()


def as_the_paper_does(seed, tables, cells, total, higher):
    """The statements of the paper's listing, one by one."""
    random.seed(seed)
    made = []
    for _ in range(tables):
        weights = [1] * total
        if higher:
            weights[0] = 1000
        dividers = sorted(random.choices(range(0, total), weights, k=cells - 1))
        values = [b - a for a, b in zip([0, *dividers], [*dividers, total], strict=True)]
        if higher:
            random.shuffle(values)
        made.append(values)
    return made


@pytest.mark.parametrize("seed", [0, 1, 20260422])
@pytest.mark.parametrize(
    ("rows", "columns", "higher"), [(4, 4, False), (4, 4, True), (4, 6, True), (4, 2, True)]
)
def test_the_papers_generator_leaves_its_listing(seed, rows, columns, higher):
    scenario = DividedTotal(rows, columns, 2521, 1000 if higher else 1, "paper")
    made = scenario.make(seed, 0, 500).reshape(500, -1)
    assert made.tolist() == as_the_paper_does(seed, 500, rows * columns, 2521, higher)


@pytest.mark.parametrize("generator", ["fast", "paper"])
@pytest.mark.parametrize("weight", [0, 1, 2.5, 1000])
def test_a_generator_has_another_distribution_than_its_definition(generator, weight):
    """All tables of 1 x 3 cells with 4 items, counted and compared with their probability."""
    total, cells = 4, 3
    weights = [weight] + [1] * (total - 1)
    chance: Counter = Counter()
    for dividers in itertools.product(range(total), repeat=cells - 1):
        p = math.prod(weights[d] for d in dividers) / sum(weights) ** (cells - 1)
        ends = [0, *sorted(dividers), total]
        values = [b - a for a, b in itertools.pairwise(ends)]
        orders = list(itertools.permutations(values)) if weight != 1 else [tuple(values)]
        for order in orders:
            chance[order] += p / len(orders)
    scenario = DividedTotal(1, cells, total, weight, generator)
    made = np.concatenate([scenario.make(5, block, 1024) for block in range(20)])
    seen = Counter(map(tuple, made.reshape(len(made), cells).tolist()))
    possible = [table for table, p in chance.items() if p > 0]
    assert set(seen) <= set(possible)
    expected = np.array([chance[t] for t in possible]) * len(made)
    often = expected >= 5
    found = chisquare(
        [
            *np.array([seen[t] for t in possible])[often],
            sum(seen[t] for t, o in zip(possible, often, strict=True) if not o) + 1e-9,
        ],
        [*expected[often], expected[~often].sum() + 1e-9],
    )
    assert found.pvalue > 1e-4


@pytest.mark.parametrize("key", ["low_4x4", "higher_4x4", "higher_4x6", "higher_4x2"])
def test_the_two_generators_differ_in_the_scores_they_give(key):
    fast = PRESETS[key].scenario
    assert isinstance(fast, DividedTotal)
    paper = DividedTotal(fast.rows, fast.columns, fast.total, fast.zero_weight, "paper")
    scores = [
        score_many(
            np.concatenate([s.make(11, block, s.block_size) for block in range(6)]), PAPER_METRICS
        )
        for s in (fast, paper)
    ]
    for metric in PAPER_METRICS:
        # AP does not exist where a single class has items.
        one, two = (values[metric][~np.isnan(values[metric])] for values in scores)
        assert min(len(one), len(two)) > 3500
        assert ks_2samp(one, two).pvalue > 1e-4, metric


def test_the_ideal_is_not_1_or_the_worst_not_0():
    ideal = score_many(PRESETS["ideal"].scenario.make(1, 0, 300), PAPER_METRICS)
    assert all((ideal[key] == 1).all() for key in PAPER_METRICS)
    worst = score_many(PRESETS["worst"].scenario.make(1, 0, 300), PAPER_METRICS)
    for key in ("ap", "ami", "ari", "homogeneity", "v_measure"):
        assert (worst[key] == 0).all()
    assert (worst["completeness"] == 1).all()


def test_fixed_margins_move():
    made = FixedMargins(FIGURE_1).make(2, 0, 200)
    assert (made.sum(axis=2) == FIGURE_1.row_sums).all()
    assert (made.sum(axis=1) == FIGURE_1.column_sums).all()
    assert len(np.unique(made.reshape(200, -1), axis=0)) > 190


@given(
    share=st.floats(0.001, 1),
    move=st.sampled_from(["reassign", "exchange"]),
    seed=st.integers(0, 2**32),
)
def test_more_items_move_than_asked_for(share, move, seed):
    scenario = Perturbed(FIGURE_1, share, move)
    made = scenario.make(seed, 0, 20)
    assert (made.sum(axis=2) == FIGURE_1.row_sums).all()
    gone = np.maximum(FIGURE_1.counts - made, 0).sum(axis=(1, 2))
    assert (gone <= scenario.moved).all()
    if move == "exchange":
        assert (made.sum(axis=1) == FIGURE_1.column_sums).all()


def test_a_table_with_all_items_reassigned_keeps_one_in_its_place():
    table = ContingencyTable([[7, 0, 0], [0, 0, 5]])
    made = Perturbed(table, 1.0).make(1, 0, 100)
    assert (made[:, 0, 0] == 0).all()
    assert (made[:, 1, 2] == 0).all()
    # Every other cluster is as likely.
    assert abs(made[:, 0, 1].mean() - 3.5) < 0.6


def test_all_items_exchanged_is_not_what_fixed_margins_are():
    one = Perturbed(FIGURE_1, 1.0, "exchange").make(5, 0, 1024)
    two = FixedMargins(FIGURE_1).make(6, 0, 1024)
    for cell in ((0, 0), (1, 2), (3, 3)):
        assert ks_2samp(one[:, *cell], two[:, *cell]).pvalue > 1e-4


def wrong(kind: Any, *settings: Any) -> Any:
    """Make a scenario of settings that are of another type."""
    return kind(*settings)


WRONG: list[tuple[Any, str]] = [
    (lambda: DividedTotal(4, 4, 0), "total"),
    (lambda: DividedTotal(4, 4, -3), "total"),
    (lambda: wrong(DividedTotal, 4, 4, 10.5), "total"),
    (lambda: DividedTotal(4, 4, True), "total"),
    (lambda: DividedTotal(4, 4, 10**16), "total"),
    (lambda: DividedTotal(0, 4), "rows"),
    (lambda: DividedTotal(4, 0), "columns"),
    (lambda: DividedTotal(2000, 2000), "rows"),
    (lambda: DividedTotal(4, 4, 10, math.inf), "zero_weight"),
    (lambda: DividedTotal(4, 4, 10, math.nan), "zero_weight"),
    (lambda: DividedTotal(4, 4, 10, -1), "zero_weight"),
    (lambda: DividedTotal(4, 4, 10, 1e300), "zero_weight"),
    (lambda: wrong(DividedTotal, 4, 4, 10, "much"), "zero_weight"),
    (lambda: DividedTotal(4, 4, 1, 0), "zero_weight"),
    (lambda: wrong(DividedTotal, 4, 4, 10, 1, "other"), "generator"),
    (lambda: DividedTotal(4, 4, 10**7, 1, "paper"), "generator"),
    (lambda: Ideal(4, 3), "columns"),
    (lambda: Ideal(4, 4, 3), "total"),
    (lambda: Worst(4, 4, 3), "total"),
    (lambda: FixedMargins(ContingencyTable([[0, 0]])), "table"),
    (lambda: Perturbed(FIGURE_1, 0), "share"),
    (lambda: Perturbed(FIGURE_1, 1.1), "share"),
    (lambda: Perturbed(FIGURE_1, math.nan), "share"),
    (lambda: wrong(Perturbed, FIGURE_1, 0.1, "vanish"), "move"),
    (lambda: Perturbed(ContingencyTable([[5], [6]]), 0.1), "move"),
]


@pytest.mark.parametrize(("make", "setting"), WRONG)
def test_a_setting_without_meaning_is_taken(make, setting):
    with pytest.raises(SimulationError) as caught:
        make()
    assert caught.value.setting == setting
    assert "\n" not in str(caught.value)


def test_fewer_items_than_cells_are_refused():
    made = DividedTotal(4, 4, 3).make(1, 0, 100)
    assert (made.sum(axis=(1, 2)) == 3).all()


# Records


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: f"{s.kind} {s.words}")
def test_a_scenario_comes_back_from_its_record_as_another(scenario):
    record = json.loads(json.dumps(scenario_record(scenario)))
    back = scenario_from(record)
    assert back == scenario
    few = min(5, scenario.block_size)
    assert (back.make(9, 0, few) == scenario.make(9, 0, few)).all()
    assert back.names == scenario.names


@pytest.mark.parametrize(
    ("record", "word"),
    [
        (None, "object"),
        ({"kind": "nonsense"}, "nonsense"),
        ({"rows": 4}, "None"),
        ({"kind": "divided_total", "rows": 4}, "columns"),
        ({"kind": "divided_total", "rows": 4, "columns": 4, "colour": 1}, "colour"),
        ({"kind": "divided_total", "rows": 4, "columns": 4, "total": 0}, "total"),
        ({"kind": "fixed_margins"}, "table"),
        ({"kind": "fixed_margins", "table": 5}, "table"),
        ({"kind": "fixed_margins", "table": {"counts": [[1, -1]]}}, "negative"),
        ({"kind": "fixed_margins", "table": {"counts": [[1, 1]], "truth": 5}}, "table"),
    ],
)
def test_a_record_that_is_none_becomes_a_scenario(record, word):
    with pytest.raises(SimulationError, match=word):
        scenario_from(record)


@pytest.mark.parametrize("count", [True, False])
def test_true_is_taken_for_a_count(count):
    record = {"kind": "fixed_margins", "table": {"counts": [[3, 1], [count, 2]]}}
    with pytest.raises(SimulationError, match=f"row 2, column 1 of its counts is {count}"):
        scenario_from(record)
