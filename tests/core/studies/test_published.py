"""Published results: claims, their verdicts, and the study that checks them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.catalogue import METRICS
from core.published.ap_simulation import counted, sampled
from core.published.ap_tables import of_two_tables
from core.published.claims import all_claims
from core.published.finding import VERDICTS, Finding, lost_digit, same_as_printed
from core.published.replications import SCENARIOS, coded_ap, paper_scenario, replicate, replicated
from core.published.textbook import lloyd
from core.scoring import score, score_many
from core.simulation.presets import PAPER_METRICS, PAPER_TABLES
from core.simulation.scenario import SimulationError
from core.studies.published import CheckPublished
from core.studies.simulation import Simulation
from core.studies.study import run_to_end


@pytest.fixture(scope="module")
def result():
    return run_to_end(CheckPublished(replications=4))


@pytest.fixture(scope="module")
def findings(result):
    return {finding.key: finding for finding in result.findings}


# The claims


def test_every_claim_has_a_key_of_its_own():
    keys = [claim.key for claim in all_claims()]
    assert len(keys) == len(set(keys))


def test_every_claim_is_checked_and_kept_in_its_order(result):
    assert [f.key for f in result.findings] == [claim.key for claim in all_claims()]
    assert result.complete
    assert all(finding.explanation.endswith(".") for finding in result.findings)
    assert {finding.verdict for finding in result.findings} <= set(VERDICTS)


def test_only_what_cannot_be_computed_has_neither_value_nor_count(findings):
    silent = [f for f in findings.values() if f.verdict in ("reproduced", "not reproduced")]
    assert all(f.ours and f.printed for f in silent)


@pytest.mark.parametrize(
    ("key", "verdict"),
    [
        ("ap", "reproduced"),
        ("f1", "reproduced"),
        ("ami", "other data than named"),
        ("ari", "other data than named"),
        ("fowlkes_mallows", "other data than named"),
        ("completeness", "other data than named"),
        ("homogeneity", "other data than named"),
        ("v_measure", "misprint"),
    ],
)
def test_table_3_is_told_apart_from_the_table_that_it_names(findings, key, verdict):
    assert findings[f"ap.table_3.{key}"].verdict == verdict


def test_a_score_of_neither_table_is_not_explained_away():
    assert of_two_tables("ami", 0.311, 0.2529, 0.2459).verdict == "not reproduced"


def test_v_printed_in_table_3_contradicts_its_neighbours_and_the_others_do_not(findings):
    assert findings["ap.table_3.harmonic"].verdict == "does not hold"
    for figure in (9, 10, 11, 12):
        assert findings[f"ap.figure_{figure}.harmonic"].verdict == "holds"


def test_classes_that_would_give_the_worst_tables_scores_really_do(findings):
    for key, printed in (("fowlkes_mallows", 0.540), ("f1", 0.568)):
        finding = findings[f"ap.table_4.worst.{key}"]
        assert finding.verdict == "printed only, cannot be recomputed"
        assert same_as_printed(printed, finding.ours[0], 3)


def test_accuracies_of_table_11_are_those_of_the_wide_table(findings):
    finding = findings["ap.table_11.accuracy"]
    assert finding.verdict == "reproduced"
    assert "0.455" in finding.explanation  # what figure 1 would give


def test_the_weak_band_overlaps_the_one_above_it(findings):
    assert findings["ap.table_9.weak_range"].verdict == "misprint"


def test_times_of_another_computer_are_not_compared(findings):
    for key in PAPER_METRICS:
        finding = findings[f"ap.table_12.{key}"]
        assert not finding.ours
        assert finding.agrees is None


@pytest.mark.parametrize(
    ("figure", "crossing"), [("figure_7", 1.328), ("figure_8", 1.653), ("figure_9", 1.220)]
)
def test_which_partition_ami_prefers_changes_at_one_order(findings, figure, crossing):
    assert findings[f"chance.{figure}.prefers"].verdict == "holds"
    assert findings[f"chance.{figure}.order_2"].verdict == "holds"
    found = findings[f"chance.{figure}.crosses"]
    assert found.verdict == "holds"
    assert found.ours == pytest.approx((crossing,), abs=1e-3)


def test_false_positives_of_the_seventeen_points_are_not_its_false_negatives(findings):
    for key, count in (("tp", 20), ("fp", 20), ("fn", 24), ("tn", 72)):
        assert findings[f"textbook.seventeen_points.{key}"].ours == (count,)
        assert findings[f"textbook.seventeen_points.{key}"].verdict == "reproduced"


def test_k_means_on_a_line_ends_where_scikit_learn_does(findings):
    assert findings["textbook.k_means.converged"].ours == (7.0, 25.0)
    assert findings["textbook.k_means.peer"].ours == pytest.approx((7.0, 25.0))
    assert findings["textbook.k_means.iteration_3"].ours == (4.75, pytest.approx(19.6))


def test_a_mean_that_loses_its_points_stays():
    points = np.array([0.0, 1.0, 2.0])
    *_, last = lloyd(points, np.array([0.5, 50.0]))
    assert last.tolist() == [1.0, 50.0]


def test_the_lesson_agrees_and_what_is_not_computed_says_so(findings):
    for k in range(2, 11):
        assert findings[f"lesson.table.{k}"].verdict == "holds"
        assert findings[f"lesson.agreement.{k}"].verdict == "reproduced"
    for key in ("silhouette", "gap", "scatter", "within_total"):
        finding = findings[f"lesson.data.{key}"]
        assert finding.verdict == "not computed by this program yet"
        assert not finding.ours


# Digits


def test_a_digit_that_was_lost_is_found():
    assert lost_digit(0.275, 0.24748, 3)
    assert not lost_digit(0.275, 0.25392, 3)
    assert not lost_digit(0.247, 0.24748, 3)  # printed as it should be


@given(st.floats(0, 1), st.integers(2, 6))
def test_a_value_rounded_for_print_is_the_same(value, digits):
    assert same_as_printed(float(f"{value:.{digits}f}"), value, digits)
    assert not same_as_printed(value + 1.1 * 10.0**-digits, value, digits)


def test_a_count_is_not_shown_with_decimals_and_a_one_is():
    finding = Finding("holds", "", (2802.0, 1.0), (0.5,), 3, (0.25, 0.75), (3, 4))
    assert finding.printed_text == "2\N{NARROW NO-BREAK SPACE}802, 1.000"
    assert finding.ours_text == "0.500 [0.250, 0.750]; 3 of 4 runs"


# Samples


def test_a_printed_value_outside_what_single_runs_give_is_not_reproduced():
    runs = np.linspace(0.5, 0.6, 20)
    assert sampled(runs, (0.52, 0.52), "", ()).verdict == "reproduced within sampling error"
    outside = sampled(runs, (0.45, 0.45), "", ())
    assert outside.verdict == "not reproduced"
    assert outside.ours == pytest.approx((0.55,))
    assert outside.interval == pytest.approx((0.5025, 0.5975))


def test_a_score_that_never_exists_is_not_reproduced():
    assert sampled(np.full(3, np.nan), (0.5, 0.5), "", ()).verdict == "not reproduced"


@pytest.mark.parametrize(
    ("true", "verdict"),
    [
        (20, "holds"),
        (19, "holds"),
        (18, "reproduced within sampling error"),
        (10, "reproduced within sampling error"),
        (9, "does not hold"),
        (0, "does not hold"),
    ],
)
def test_a_statement_holds_by_the_number_of_runs(true, verdict):
    outcome = counted(np.arange(20) < true, "")
    assert (outcome.verdict, outcome.held) == (verdict, (true, 20))


def test_a_run_is_the_simulation_of_the_same_seed():
    run = replicated(("higher_4x2", 5))
    same = run_to_end(Simulation(paper_scenario("higher_4x2"), PAPER_TABLES, seed=5))
    np.testing.assert_array_equal(run.values, same.values)


def test_a_run_says_between_its_parts_that_it_can_be_stopped():
    steps = list(replicate("low_4x4", 0))
    assert steps[-1] is not None
    assert steps.count(None) >= 4


# Empty classes


def test_the_papers_ap_differs_only_where_a_class_is_empty():
    tables = paper_scenario("higher_4x2").make(3, 0, PAPER_TABLES)
    ours = score_many(tables, ["ap"])["ap"]
    coded = coded_ap(tables)
    empty = (tables.sum(axis=2) == 0).any(axis=1)
    np.testing.assert_allclose(coded[~empty], ours[~empty], rtol=0, atol=1e-15)
    assert (np.abs(coded[empty] - ours[empty]) > 0.01).any()
    assert coded.max() <= 0.8 + 1e-12


def test_an_empty_class_votes_for_the_first_cluster_in_the_papers_code():
    table = np.array([[[0, 0], [4, 0], [0, 4]]])
    # Votes 0, 0, 1: associativity 2/3; both other classes have a peakiness of 1.
    assert coded_ap(table) == pytest.approx([0.8])
    assert score(table[0], ["ap"])["ap"] == pytest.approx(1.0)


def test_ap_above_the_limit_is_laid_to_empty_classes(findings):
    ours = findings["ap.histogram.higher_4x2.ap_limit"]
    coded = findings["ap.histogram.higher_4x2.ap_limit.by_code"]
    assert ours.verdict == coded.verdict == "holds"
    assert "each has a class without items" in ours.explanation


# The study


def test_the_printed_correlations_are_those_of_such_runs(findings):
    printed = {
        "low_4x4.f1": 0.602,
        "higher_4x4.f1": 0.583,
        "higher_4x6.f1": 0.638,
        "higher_4x2.f1": 0.185,
        "low_4x4.fowlkes_mallows": 0.483,
    }
    for key, value in printed.items():
        finding = findings[f"ap.correlation.{key}"]
        assert finding.printed == (value,)
        # A run differs from the mean by 0.02 to 0.06.
        assert finding.ours[0] == pytest.approx(value, abs=0.1)
        assert finding.interval is not None
        assert finding.interval[0] <= finding.ours[0] <= finding.interval[1]


def test_claims_that_do_not_hold_are_shown_with_their_number(findings):
    order = findings["ap.correlation.higher_4x6.order"]
    assert order.verdict == "does not hold"
    assert order.held is not None
    assert "FMI" in order.explanation


def test_only_what_is_asked_for_is_simulated():
    steps = list(CheckPublished(only="table 3", replications=2).run())
    assert not any("simulating" in step.message for step in steps)
    assert steps[-1].result is not None
    assert {f.place for f in steps[-1].result.findings} == {"table 3"}
    low = CheckPublished(only="low 4x4, correlation", replications=2)
    messages = {step.message for step in low.run()}
    assert "simulating low 4 × 4" in messages
    assert "simulating higher 4 × 2" not in messages


def test_a_number_is_looked_for_whole():
    places = {claim.place for claim in CheckPublished(only="Table 2").claims()}
    assert places == {"table 2"}
    with pytest.raises(SimulationError):  # not tables 10 to 12, nor a table and a 1
        CheckPublished(only="table 1")


def test_words_are_found_wherever_they_stand_if_no_claim_has_the_phrase():
    found = CheckPublished(only="correlation 4x2 fmi").claims()
    assert found
    assert all(claim.place == "higher 4 × 2, correlation" for claim in found)


def test_partial_results_hold_what_is_done_and_say_so():
    study = CheckPublished(replications=2)
    partials = (step.partial for step in study.run())
    partial = next(p for p in partials if p is not None and p.findings)
    assert 0 < len(partial.findings) < partial.planned
    assert not partial.complete
    assert partial.summary().startswith("Partial: ")


def test_the_progress_never_goes_back_and_ends_whole():
    done = [step.fraction or 0.0 for step in CheckPublished(only="low", replications=2).run()]
    assert done == sorted(done)
    assert done[-1] == 1.0


def test_other_seeds_are_other_runs_and_workers_change_nothing():
    only = "low 4 × 4, correlation"
    one = run_to_end(CheckPublished(only, 2, 0, 1))
    two = run_to_end(CheckPublished(only, 2, 0, 2))
    other = run_to_end(CheckPublished(only, 2, 1, 1))
    assert one.findings == two.findings
    assert one.findings != other.findings
    assert not set(one.study.seeds()) & set(other.study.seeds())


@pytest.mark.parametrize(
    ("settings", "at_fault"),
    [
        ({"replications": 1}, "replications"),
        ({"replications": 1001}, "replications"),
        ({"replications": 2.5}, "replications"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**63 - 1}, "seed"),
        ({"only": "nonsense"}, "only"),
    ],
)
def test_settings_without_meaning_are_named(settings, at_fault):
    with pytest.raises(SimulationError) as error:
        CheckPublished(**settings)
    assert error.value.setting == at_fault


def test_every_scenario_of_the_paper_is_run_by_its_own_generator():
    for key in SCENARIOS:
        assert paper_scenario(key).generator == "paper"


def test_numbers_of_findings_are_plain_and_finite(result):
    for finding in result.findings:
        for value in (*finding.printed, *finding.ours, *(finding.interval or ())):
            assert type(value) is float
            assert math.isfinite(value)


def test_the_metrics_named_are_those_of_the_paper(findings):
    for key in PAPER_METRICS:
        assert METRICS[key].name in findings[f"ap.table_3.{key}"].claim
