"""Studies of many tables: the columns of a list, exports, tables side by side."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from core import METRICS, ContingencyTable, UnknownMetricError, score
from core.files.errors import SaveError
from core.files.opening import open_file
from core.files.results import markdown_text, scores_csv
from core.metrics.metric import ScoreOptions
from core.named_table import NamedTable
from core.ordering import TableOrder
from core.studies.column_scores import ColumnScores
from core.studies.comparison import CompareTables, compare
from core.studies.scored_export import ScoredExport, ScoredText
from core.studies.scored_tables import ScoredTables
from core.studies.study import run_to_end
from tests.core.strategies import tables as count_tables

KEYS = ("ap", "ami", "ari", "van_dongen")


def named(counts, name="table"):
    return NamedTable(name, ContingencyTable(counts))


@given(st.lists(count_tables(), max_size=6))
def test_columns_are_other_scores_than_those_of_score(tables):
    tables = [ContingencyTable(counts) for counts in tables]
    values = run_to_end(ColumnScores(tables, KEYS))
    assert values.shape == (len(tables), len(KEYS))
    for table, row in zip(tables, values, strict=True):
        expected = score(table, KEYS)
        np.testing.assert_allclose(row, [expected[key] for key in KEYS], rtol=1e-12, atol=1e-12)


def test_columns_follow_the_options():
    table = ContingencyTable([[5, 1, 0], [2, 6, 3]])
    options = ScoreOptions(average="max")
    values = run_to_end(ColumnScores([table], ["nmi"], options))
    assert values[0, 0] == score(table, ["nmi"], average="max")["nmi"]


def test_partial_columns_are_those_of_the_first_tables():
    tables = [ContingencyTable(np.full((40, 40), i + 1)) for i in range(60)]
    last = 0
    for step in ColumnScores(tables, ["ari"]).run():
        assert step.partial is not None
        assert len(step.partial) == step.done >= last
        last = step.done
    assert last == 60


def test_an_unknown_column_is_named():
    with pytest.raises(UnknownMetricError, match="arii"):
        run_to_end(ColumnScores([ContingencyTable([[1]])], ["arii"]))


def test_known_scores_are_taken_over_unless_options_differ():
    one = named([[5, 1], [2, 6]])
    known = score(one.table)
    assert run_to_end(ScoredTables([one], known=[known]))[0].scores is known
    other = run_to_end(ScoredTables([one], ScoreOptions(q=2.0), [known]))[0].scores
    assert other is not known
    assert other.options.q == 2.0
    # Equal counts are not enough: the scores would name another table.
    twin = named([[5, 1], [2, 6]])
    assert run_to_end(ScoredTables([twin], known=[known]))[0].scores.table is twin.table


def test_an_export_holds_the_scores_of_every_table(tmp_path):
    tables = [named([[5, 1], [2, 6]], "first"), named([[1, 0, 2]], "second")]
    run_to_end(ScoredExport(ScoredTables(tables), tmp_path / "both.csv"))
    opened = open_file(tmp_path / "both.csv")
    assert [(t.name, t.table) for t in opened.tables] == [(t.name, t.table) for t in tables]


def test_an_export_that_is_stopped_or_fails_leaves_the_file(tmp_path):
    path = tmp_path / "old.csv"
    path.write_text("old", "utf-8")
    steps = ScoredExport(ScoredTables([named([[5, 1], [2, 6]])]), path).run()
    next(steps)
    steps.close()
    assert path.read_text("utf-8") == "old"
    with pytest.raises(SaveError, match="ending"):
        run_to_end(ScoredExport(ScoredTables([named([[1]])]), tmp_path / "scores.doc"))


@given(st.lists(count_tables(), min_size=1, max_size=5))
def test_ranks_are_others_than_those_of_rankdata(tables):
    tables = [named(counts, str(i)) for i, counts in enumerate(tables)]
    comparison = run_to_end(CompareTables(tables))
    for row, key in enumerate(comparison.keys):
        values, ranks = comparison.values[row], comparison.ranks[row]
        better = METRICS[key].larger_is_better
        known = ~np.isnan(values)
        assert (np.isnan(ranks) == (~known if better is not None else True)).all()
        if better is not None and known.any():
            gaps = np.diff(np.sort(values[known]))
            if ((gaps > 0) & (gaps < 1e-11)).any():
                continue  # Whether that is rounding is a question of its own.
            expected = rankdata(-values[known] if better else values[known])
            assert (ranks[known] == expected).all()
        for column in range(len(tables)):
            if comparison.is_best(row, column):
                rest = values[known]
                assert values[column] == (rest.max() if better else rest.min())
                assert rest.min() < rest.max()


def test_a_distance_is_best_where_it_is_smallest():
    tables = [named([[9, 0], [0, 9]], "same"), named([[5, 4], [4, 5]], "mixed")]
    comparison = run_to_end(CompareTables(tables))
    row = comparison.keys.index("van_dongen")
    assert comparison.ranks[row].tolist() == [1, 2]
    assert comparison.differences(0)[row, 1] == comparison.values[row, 1]


def test_nothing_is_best_among_equals_or_alone():
    same = score([[5, 1], [2, 6]])
    comparison = compare(["a", "b"], [same, same])
    assert not any(
        comparison.is_best(row, column)
        for row in range(len(comparison.keys))
        for column in range(2)
    )
    alone = compare(["a"], [same])
    assert not any(alone.is_best(row, 0) for row in range(len(alone.keys)))


def test_partial_comparisons_grow():
    tables = [named(np.random.default_rng(i).integers(0, 9, (3, 3)), str(i)) for i in range(4)]
    sizes = [len(s.partial.names) for s in CompareTables(tables).run() if s.partial is not None]
    assert sizes == sorted(sizes)
    assert sizes[-1] == 4


def test_no_table_is_an_empty_comparison():
    comparison = run_to_end(CompareTables([]))
    assert comparison.values.shape == (0, 0)


# Comparison


def test_tables_of_other_data_are_ranked_without_a_word():
    def cautions(*tables):
        named = [str(i) for i in range(len(tables))]
        return compare(named, [score(ContingencyTable(table)) for table in tables]).cautions

    same = [[6, 4], [1, 9]], [[9, 1], [4, 6]]
    assert cautions(*same) == ()
    # The order of the classes, and empty ones, do not matter.
    assert cautions(same[0], [[1, 9], [6, 4], [0, 0]]) == ()
    (said,) = cautions(*same, [[9, 1], [5, 6]])
    assert "different numbers of items, 20 to 21" in said
    (said,) = cautions(*same, [[9, 2], [4, 5]])
    assert "different sizes" in said


def test_only_three_tables_are_named_and_the_others_are_lost():
    """The summary dropped tables that were as good as the last that it named."""
    best = score(ContingencyTable([[5, 0], [0, 5]]), ["ap", "ari"])
    worse = score(ContingencyTable([[4, 1], [1, 4]]), ["ap", "ari"])
    said = compare(list("abcde"), [best] * 4 + [worse]).summary()
    assert said.startswith("Best, ties included: a by 2, b by 2, c by 2 of 2 numbers.")
    assert "1 more table is the best by at least one, 1 of them by 2 too." in said
    assert "more" not in compare(list("abc"), [best, best, worse]).summary()
    assert compare(["a", "b"], [best, best]).summary().startswith("No table is better")


# What is exported, and in which order


def test_papers_show_another_order_than_the_screen_and_scores_follow_it():
    table = ContingencyTable([[5, 5, 0], [1, 0, 9]], ["cat", "dog"], ["x", "y", "z"])
    named = [NamedTable("t", table)]
    plain = run_to_end(ScoredTables(named))
    shown = run_to_end(ScoredTables(named, rows="size", columns="size"))
    assert dict(shown[0].scores)["ap"] == dict(plain[0].scores)["ap"]
    assert shown[0].scores.table is table
    text = markdown_text(shown, ["ap"])
    assert "|  | z | x | y | Sum |" in text
    assert "| cat | 0 | **5** | **5** | 10 |" in text
    assert "| Sum | 9 | 6 | 5 | 20 |" in text
    # Files that open again keep the order of the data.
    assert "cat,5,5,0" in scores_csv(shown)


def test_only_the_chosen_metrics_are_exported(tmp_path):
    named = [NamedTable("t", ContingencyTable([[5, 5], [1, 9]]))]
    for suffix in ("csv", "json", "md", "tex"):
        path = tmp_path / f"t.{suffix}"
        run_to_end(ScoredExport(ScoredTables(named, keys=("ari", "nmi_min")), path))
        text = path.read_text("utf-8")
        assert "fowlkes" not in text.lower()
        assert "bcubed" not in text.lower()
        assert "nmi_min" in text or "smaller entropy" in text


def test_papers_do_not_show_the_order_that_is_on_the_screen():
    """On the screen lines keep their places while counts are typed; the export sorted them."""
    table = ContingencyTable([[5, 5, 0], [1, 0, 9]], ["cat", "dog"], ["x", "y", "z"])
    other = ContingencyTable([[5, 5, 0], [1, 0, 9]], ["cat", "dog"], ["x", "y", "z"])
    shown = table, TableOrder(np.array([1, 0]), np.array([1, 2, 0]))
    scoring = ScoredTables(
        [NamedTable("t", table), NamedTable("u", other)],
        rows="size",
        columns="size",
        on_screen=shown,
    )
    results = run_to_end(scoring)
    text = markdown_text(results[:1], ["ap"])
    assert "|  | y | z | x | Sum |" in text
    assert text.index("| dog | 0 | **9** | 1 | 10 |") < text.index("| cat |")
    assert "|  | z | x | y | Sum |" in markdown_text(results[1:], ["ap"])
    # Ordered tables can be compared.
    assert results[0] == results[0].__class__(results[0].scores, "t")


def test_a_text_for_the_clipboard_is_not_that_of_the_file(tmp_path):
    scoring = ScoredTables([named([[5, 1], [2, 6]], "a"), named([[1, 0, 2]], "b")])
    for text, suffix in (
        (ScoredText(scoring, "latex"), "tex"),
        (ScoredText(scoring, "markdown"), "md"),
    ):
        path = tmp_path / f"t.{suffix}"
        run_to_end(ScoredExport(scoring, path))
        assert run_to_end(text) == path.read_text("utf-8")


def test_rounding_makes_one_of_two_equal_tables_the_best():
    """The same table with its lines in another order won by some thirty metrics."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        counts = rng.integers(1, 500, (5, 6))
        mixed = counts[rng.permutation(5)][:, rng.permutation(6)]
        if (np.sort(counts)[:, -1] == np.sort(counts)[:, -2]).any():
            continue  # Of ties the first is taken, so the order matters.
        comparison = compare(["a", "b"], [score(counts), score(mixed)])
        assert not comparison.best.any(), np.array(comparison.keys)[comparison.best.any(axis=1)]
        assert comparison.summary().startswith("No table is better")


def test_large_counts_and_small_probabilities_are_ranked_as_equal():
    big = 1 << 45
    pairs = compare(["a", "b"], [score([[big, big], [3, 5]]), score([[big, big], [4, 4]])])
    row = pairs.keys.index("mirkin")
    # They differ by 2, which no float of this size shows.
    assert pairs.ranks[row].tolist() == [1, 2]
    tiny = compare(["a", "b"], [score(np.eye(3, dtype=int) * n + 1) for n in (2000, 3000)])
    row = tiny.keys.index("p_bound")
    assert tiny.values[row].max() < 1e-3
    assert tiny.ranks[row].tolist() == [2, 1]


def test_ties_that_decide_a_rank_are_not_named():
    """With its clusters exchanged, a table was better by AP than itself."""
    tables = [[[5, 5], [1, 9]], [[5, 5], [9, 1]], [[6, 4], [1, 9]]]
    scores = [score(table, ["ap", "ari"]) for table in tables]
    (said,) = compare(["a", "b", "c"], scores).cautions
    assert said.startswith("Associativity depends on ties in a, b: ranks by it and by AP may")
    assert compare(["a", "b"], [s.only(["ari"]) for s in scores[:2]]).cautions == ()
