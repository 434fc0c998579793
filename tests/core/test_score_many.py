"""Many tables: divided into batches, on one worker or many, each scored as if it were alone."""

from __future__ import annotations

import pickle
import tracemalloc
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import joblib
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from core import METRICS, ContingencyTable, TableError, UnknownMetricError, score, score_many
from core.chunks import _SIZE, apply_to_each, chunks_of
from core.metrics.metric import ScoreOptions
from core.scores import ManyScores
from tests.core.strategies import HUGE, SMALL, Table, nearly_independent, tables

ANY = st.one_of(
    tables(), tables(SMALL), tables(HUGE), nearly_independent(), tables(SMALL, items=False)
)
# What searches or draws is asked for in a test of its own, on a few tables.
USUAL_KEYS = [key for key, metric in METRICS.items() if metric.when != "request"]
SMALL_TABLES = [[[8, 2], [1, 9]], [[0, 0]], [[5]], [[3, 0, 3], [1, 4, 1]], [[2, 0], [0, 2]]]


def assert_same(found: ManyScores, right: ManyScores, tolerance: float = 0.0) -> None:
    """Compare all scores, to the bit unless told otherwise, and the reasons."""
    assert list(found) == list(right)
    for key in right:
        values, expected = found[key], right[key]
        assert len(values) == len(expected)
        if METRICS[key].per == "row":
            assert list(map(len, values)) == list(map(len, expected))
            values, expected = np.concatenate((*values, [])), np.concatenate((*expected, []))
        if tolerance:
            values, expected = np.array(values, np.float64), np.array(expected, np.float64)
            np.testing.assert_allclose(values, expected, tolerance, tolerance, err_msg=key)
        else:
            assert list(map(repr, values)) == list(map(repr, expected)), key
        for i in range(len(found[key])):
            assert found.why(key, i) == right.why(key, i), key


def assert_as_alone(many: ManyScores, given_tables: list[Any], **options: Any) -> None:
    values = dict(many)
    for i, table in enumerate(given_tables):
        alone = score(table, list(many), **options)
        for key in many:
            found = np.array(values[key][i], dtype=np.float64)
            # Of a difference that is near 0 only the absolute error is small.
            np.testing.assert_allclose(
                found, np.array(alone[key], dtype=np.float64), 1e-12, 1e-12, err_msg=key
            )
            assert many.why(key, i) == alone.why(key), key
            assert (many.why(key, i) is None) or np.isnan(found).all()


class Spy:
    """Stands for joblib.Parallel and remembers how it was called."""

    def __init__(self) -> None:
        self.n_jobs: list[int | None] = []

    def __call__(self, n_jobs: int | None = None) -> Any:
        self.n_jobs.append(n_jobs)
        return nullcontext(
            lambda calls: [function(*args, **named) for function, args, named in calls]
        )


# The same scores, however they are computed


@given(st.lists(ANY, max_size=7), st.integers(1, 40), st.booleans())
def test_batches_or_workers_change_a_score(
    given_tables: list[Table], size: int, more: bool
) -> None:
    options: dict[str, Any] = {"q": 0.7, "beta": 2.0, "average": "max", "empty_truth": "zero"}
    made = [ContingencyTable(table) for table in given_tables]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.chunks._SIZE", size)
        with joblib.parallel_config("threading", n_jobs=2 if more else 1):
            many = score_many(iter(made), USUAL_KEYS, **options)
    assert_as_alone(many, given_tables, **options)
    assert all(len(many[key]) == len(given_tables) for key in many)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.chunks._SIZE", size)
        assert_same(many, score_many(made, USUAL_KEYS, **options, n_jobs=1))


@given(st.integers(0, 9), st.integers(1, 3), st.integers(1, 4), st.integers(1, 30), st.data())
def test_batches_change_a_score_of_an_array(
    k: int, r: int, c: int, size: int, data: st.DataObject
) -> None:
    count = data.draw(st.sampled_from([SMALL, HUGE]))
    flat = data.draw(st.lists(count, min_size=k * r * c, max_size=k * r * c))
    array = np.array(flat, dtype=np.int64).reshape(k, r, c)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.chunks._SIZE", size)
        many = score_many(array, USUAL_KEYS)
    assert all(len(many[key]) == k for key in many)
    assert_as_alone(many, array.tolist())


def test_processes_change_a_score_or_lose_a_reason() -> None:
    rng = np.random.default_rng(4)
    array = rng.integers(0, 30, (3000, 4, 4)) * (rng.random((3000, 4, 4)) < 0.4)
    array[::500] = 0
    array[1::500, 1:] = 0
    assert len(list(chunks_of(array))) > 2
    one, two = score_many(array), score_many(array, n_jobs=2)
    assert_same(two, one)
    # A list is divided otherwise than an array, so its sums may be added in another order.
    made = [ContingencyTable(table) for table in array]
    assert_same(score_many((table for table in made), n_jobs=2), one, 1e-12)
    assert one.why("ap", 500) == "the table has no items: enter at least one count"
    assert one.why("ap", 501) == "associativity needs two truth classes that have items"
    assert_as_alone(one, list(array[:20]))


def test_a_score_that_is_only_computed_on_request_depends_on_its_neighbours() -> None:
    keys = [*(key for key in METRICS if key not in USUAL_KEYS), "ari"]
    options: dict[str, Any] = {"draws": 20, "seed": 5}
    many = score_many(SMALL_TABLES, keys, **options)
    assert_as_alone(many, SMALL_TABLES, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.chunks._SIZE", 1)
        assert_as_alone(score_many(SMALL_TABLES, keys, **options), SMALL_TABLES, **options)


# Batches


def test_a_large_table_keeps_small_ones_from_being_scored() -> None:
    rng = np.random.default_rng(5)
    small = [ContingencyTable(table) for table in rng.integers(1, 9, (5000, 2, 2))]
    labels = rng.integers(0, 3000, (2, 20_000))
    large = ContingencyTable.from_labels(*labels)
    assert len(large.cells.counts) > _SIZE
    mixed = [*small[:2500], large, *small[2500:]]
    sizes = [batch.n_tables for batch in chunks_of(mixed)]
    assert sizes.index(1) == len(sizes) // 2
    assert max(sizes) == _SIZE // 8
    assert sum(sizes) == 5001
    many, right = score_many(mixed, ["ari", "rand"]), score_many(small, ["ari", "rand"])
    for key in many:
        assert many[key][2500] == score(large, [key])[key]
        assert np.array_equal(np.delete(many[key], 2500), right[key], equal_nan=True)


def test_many_tables_are_held_at_the_same_time() -> None:
    rng = np.random.default_rng(6)
    array = rng.integers(0, 200, (100_000, 4, 4))
    keys = ["ari", "f1", "ap"]
    score_many(array[:10], keys)
    tracemalloc.start()
    many = score_many(array, keys)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert many["ari"].shape == (100_000,)
    # All in one batch take more than ten times the counts.
    assert peak < 3 * array.nbytes


def test_a_generator_is_read_to_its_end_before_anything_is_scored() -> None:
    read: list[int] = []
    scored: list[int] = []

    def some() -> Iterator[Any]:
        for i in range(50):
            read.append(i)
            yield np.full((2, 2), i + 1)

    def look(batch: Any) -> int:
        scored.append(batch.n_tables)
        assert len(read) <= sum(scored) + 1
        return int(batch.n_tables)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.chunks._SIZE", 24)
        assert apply_to_each(look, chunks_of(some())) == [3] * 16 + [2]
    assert read == list(range(50))


@pytest.mark.parametrize(
    "nothing",
    [[], (), iter(()), map(str, ()), np.zeros((0, 2, 3), int), np.zeros((0, 2, 3))],
    ids=repr,
)
def test_no_tables_have_scores(nothing: Any) -> None:
    many = score_many(nothing)
    for key, metric in METRICS.items():
        if metric.when == "request":
            continue
        assert len(many[key]) == 0
        if metric.per == "table":
            assert many[key].shape == (0,)
            assert many[key].dtype == (object if metric.whole else np.float64)


def test_a_table_of_another_kind_is_scored_as_another() -> None:
    counts = [[8, 2, 0], [1, 9, 4]]
    table = ContingencyTable(counts)
    kinds: list[Any] = [
        table,
        counts,
        np.array(counts, dtype=np.uint8),
        np.array(counts, dtype=float),
        scipy.sparse.csr_array(np.array(counts)),
    ]
    many = score_many(kinds)
    for key in many:
        for i in range(1, len(kinds)):
            np.testing.assert_array_equal(many[key][i], many[key][0])
    assert_same(score_many(table), score_many([table]))
    assert_same(score_many(np.array([counts, counts], dtype=float)), score_many([table, table]))
    fortran = np.asfortranarray(np.array([counts, counts]))
    assert_same(score_many(fortran), score_many([table, table]))


# Faults


def test_a_fault_is_said_to_be_in_another_table() -> None:
    good, bad = [[1, 2], [3, 4]], [[1, 2], [3, -4]]
    rows: list[Any] = [good] * 5000
    rows[4321] = bad
    inputs: list[Any] = [
        rows,
        (row for row in rows),
        np.array(rows),
        np.array(rows, dtype=float),
        [np.array(row) for row in rows],
    ]
    for n_jobs in (None, 2):
        for given_tables in inputs if n_jobs is None else [rows, (row for row in rows)]:
            with pytest.raises(TableError) as caught:
                score_many(given_tables, ["ari"], n_jobs=n_jobs)
            assert str(caught.value).startswith("table 4322, row 2, column 2: -4 is negative")
            assert (caught.value.row, caught.value.column, caught.value.value) == (1, 1, -4)
    with pytest.raises(TableError, match=r"^table 3: a table has rows and columns"):
        score_many([good, good, [[[1]]]])
    with pytest.raises(TableError, match=r"^table 3001: the counts add up to more than"):
        score_many(np.array([*rows[:3000], [[2**62, 2**62], [1, 1]]]))
    with pytest.raises(TableError, match=r"^table 1, row 1 is 1"):
        score_many([[1, 2], [3, 4]])
    with pytest.raises(TableError, match=r"not 5$"):
        score_many(5)


def test_an_error_of_a_generator_is_swallowed_or_waited_for() -> None:
    def failing() -> Iterator[Any]:
        for _ in range(5000):
            yield [[1, 2], [3, 4]]
        raise OSError("the disk is gone")

    for n_jobs in (None, 2):
        with pytest.raises(OSError, match="the disk is gone"):
            score_many(failing(), ["ari"], n_jobs=n_jobs)


def test_an_unknown_metric_or_option_is_found_after_the_tables_were_read() -> None:
    def never() -> Iterator[Any]:
        pytest.fail("a table was read")
        yield

    with pytest.raises(UnknownMetricError):
        score_many(never(), ["aril"])
    with pytest.raises(ValueError, match="q is"):
        score_many(never(), q=-1)


# Workers


def test_the_choice_of_workers_is_not_the_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy()
    monkeypatch.setattr(joblib, "Parallel", spy)
    right = score_many(SMALL_TABLES, n_jobs=1)
    assert_same(score_many(SMALL_TABLES), right)
    with joblib.parallel_config(n_jobs=1):
        assert_same(score_many(SMALL_TABLES), right)
    assert spy.n_jobs == []
    with joblib.parallel_config("threading", n_jobs=2):
        assert_same(score_many(SMALL_TABLES), right)
        # What joblib is told is nothing, so it takes what the caller has set.
        assert spy.n_jobs == [None]
        score_many(SMALL_TABLES, n_jobs=1)
        assert spy.n_jobs == [None]
    assert_same(score_many(SMALL_TABLES, n_jobs=2), right)
    assert spy.n_jobs == [None, 2]
    with pytest.raises(ValueError, match="n_jobs == 0"):
        score_many(SMALL_TABLES, n_jobs=0)


# What is returned


def test_scores_of_many_tables_cannot_be_kept() -> None:
    many = score_many(SMALL_TABLES, ["ap", "row_peakiness", "ari"], beta=2.0)
    back = pickle.loads(pickle.dumps(many))
    assert_same(back, many)
    assert back.options == many.options == ScoreOptions(beta=2.0)
    assert [len(rows) for rows in back["row_peakiness"]] == [2, 0, 1, 2, 2]
    for many_scores in (many, score_many(SMALL_TABLES * 2000, ["ari"])):
        with pytest.raises(ValueError, match="read-only"):
            many_scores["ari"][0] = 5.0
    assert many.why("ap", -3) == many.why("ap", 2) is not None
    with pytest.raises(IndexError):
        many.why("ap", 5)


def test_an_input_that_ends_the_program_ends_in_fewer_scores() -> None:
    def tables() -> Iterator[list[list[int]]]:
        for i in range(20_000):
            if i == 15_000:
                raise SystemExit("the input is broken")
            yield [[i % 7 + 1, 2], [1, 9]]

    with pytest.raises(SystemExit, match="the input is broken"):
        score_many(tables(), ["ap"], n_jobs=2)
