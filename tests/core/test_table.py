"""Contingency tables: what is taken, what is refused and in which words, and that it stays."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from core import ContingencyTable, TableError, score
from core.table import checked_counts, default_names
from tests.core.reference import BY_DEFAULT as METRICS
from tests.core.strategies import HUGE, Table, tables

MOST = 2**63 - 1
NEGATIVE = "is negative: a count must be 0 or a positive whole number"
NOT_WHOLE = "is not a whole number: counts are whole, weights are not counts"
NO_NUMBER = "is not a number"
TOO_LARGE = "is larger than 9223372036854775807"


class Lattice:
    """Something that has rows but is no list, as a data frame."""

    def __init__(self, rows: Any) -> None:
        self._rows = np.array(rows)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self._rows


# Input


@pytest.mark.parametrize(
    "counts",
    [
        [[8, 2], [1, 9]],
        ((8, 2), (1, 9)),
        [[8.0, 2], [1, 9.0]],
        [[Decimal(8), Fraction(2)], [np.float32(1), np.uint8(9)]],
        [np.array([8, 2]), np.array([1, 9])],
        ([8, 2] if i == 0 else [1, 9] for i in range(2)),
        *(
            np.array([[8, 2], [1, 9]], dtype=dtype)
            for dtype in ("i1", "u1", ">i2", "u4", "i8", "u8", "f2", "f4", "f8", "g", "O")
        ),
        np.array([[8.0, 2.0], [1.0, 9.0]], dtype=object),
        np.ma.array([[8, 2], [1, 9]], mask=False),
        np.array([[8, 1], [2, 9]]).T,
        np.asfortranarray([[8, 2], [1, 9]]),
        np.array([[8, 0, 2, 0], [7, 7, 7, 7], [1, 0, 9, 0]])[::2, ::2],
        np.array([[9, 1], [2, 8]])[::-1, ::-1],
        Lattice([[8, 2], [1, 9]]),
        Lattice([[8.0, 2.0], [1.0, 9.0]]),
        *(
            getattr(scipy.sparse, kind)(np.array([[8, 2], [1, 9]]))
            for kind in (
                *("coo_array", "csr_array", "csc_array", "lil_array", "dok_array", "bsr_array"),
                *("coo_matrix", "csr_matrix", "dia_array"),
            )
        ),
    ],
    ids=lambda counts: f"{type(counts).__name__} {getattr(counts, 'dtype', '')}",
)
def test_a_table_is_not_understood(counts: Any) -> None:
    table = ContingencyTable(counts)
    assert table.counts.tolist() == [[8, 2], [1, 9]]
    assert table.counts.dtype == np.int64
    assert table == ContingencyTable([[8, 2], [1, 9]])
    assert score(table)["ari"] == score([[8, 2], [1, 9]])["ari"]


def test_a_view_is_scored_as_another_table() -> None:
    wide = np.array([[4, 9, 0, 3, 1], [1, 9, 5, 0, 3], [7, 7, 7, 7, 7]])
    columns = np.array([True, False, True, True, True])
    rows = [[4, 0, 3, 1], [1, 5, 0, 3]]
    for view in (
        wide[:2, columns],
        np.asfortranarray(wide[:2])[:, columns],
        wide[:2, columns].T.copy().T,
        np.array(rows)[:, ::-1][:, ::-1],
    ):
        assert score(view)["ari"] == score(rows)["ari"]
        assert score(view)["ari"] == pytest.approx(0.2543, abs=5e-5)


def test_booleans_are_refused() -> None:
    assert ContingencyTable([[True, False]]).counts.tolist() == [[1, 0]]
    assert ContingencyTable(np.array([[True, False]])).counts.tolist() == [[1, 0]]
    assert ContingencyTable(np.array([[True, 2]], dtype=object)).counts.tolist() == [[1, 2]]


def test_large_integers_lose_digits() -> None:
    odd = 2**53 + 1
    assert ContingencyTable([[odd, 1.0]]).counts.tolist() == [[odd, 1]]
    assert ContingencyTable([[odd, Fraction(3)]]).counts.tolist() == [[odd, 3]]
    assert ContingencyTable([[MOST, 0]]).total == MOST
    assert ContingencyTable(np.array([[MOST]], dtype=np.uint64)).total == MOST
    assert ContingencyTable([[2**62, 2**62 - 1]]).total == MOST
    assert ContingencyTable(np.array([[2.0**62]])).total == 2**62


FAULTS: list[tuple[Any, int, int, Any, str]] = [
    ([[5, -1], [1, 3]], 0, 1, -1, NEGATIVE),
    ([[5, 1], [1, -3.0]], 1, 1, -3, NEGATIVE),
    ([[2**70, 1], [1, -3]], 0, 0, 2**70, TOO_LARGE),
    ([[1, 2], [1, -(2**70)]], 1, 1, -(2**70), NEGATIVE),
    (np.array([[5, 1], [-7, 3]], dtype=np.int8), 1, 0, -7, NEGATIVE),
    (np.array([[5, 1], [-7, 3]], dtype=float), 1, 0, -7, NEGATIVE),
    (np.array([[5, 1], [-7, 3]], dtype=object), 1, 0, -7, NEGATIVE),
    ([[2.5, 0.5], [0.5, 2.5]], 0, 0, 2.5, NOT_WHOLE),
    ([[2, 0], [0.5, 2]], 1, 0, 0.5, NOT_WHOLE),
    (np.array([[2, 0], [4.9, 2]]), 1, 0, 4.9, NOT_WHOLE),
    (np.array([[2, 0], [0.5, 2]], dtype=np.float16), 1, 0, 0.5, NOT_WHOLE),
    ([[1, Decimal("2.5")]], 0, 1, Decimal("2.5"), NOT_WHOLE),
    ([[1, Fraction(5, 2)]], 0, 1, Fraction(5, 2), NOT_WHOLE),
    ([[1, np.float32(2.5)]], 0, 1, 2.5, NOT_WHOLE),
    ([[1, 1e-300]], 0, 1, 1e-300, NOT_WHOLE),
    ([[1, 2], [3, float("nan")]], 1, 1, float("nan"), NO_NUMBER),
    ([[1, 2], [float("inf"), 4]], 1, 0, float("inf"), NO_NUMBER),
    (np.array([[1, 2], [np.nan, 4]]), 1, 0, float("nan"), NO_NUMBER),
    (np.array([[1, 2], [3, -np.inf]]), 1, 1, float("-inf"), NO_NUMBER),
    ([[1, Decimal("NaN")]], 0, 1, Decimal("NaN"), NO_NUMBER),
    ([[1, Decimal("Infinity")]], 0, 1, Decimal("Infinity"), NO_NUMBER),
    ([[1, None], [3, 4]], 0, 1, None, NO_NUMBER),
    ([[1, 2], [3, "4"]], 1, 1, "4", NO_NUMBER),
    ([["1", "2"]], 0, 0, "1", NO_NUMBER),
    ([[1, 2.5, "x"]], 0, 1, 2.5, NOT_WHOLE),
    ([[1, b"2"]], 0, 1, b"2", NO_NUMBER),
    ([[1, 2j], [3, 4]], 0, 1, 2j, NO_NUMBER),
    (np.array([["a", "b"]]), 0, 0, "a", NO_NUMBER),
    ([[1, [2, 3]], [4, 5]], 0, 1, [2, 3], NO_NUMBER),
    ([[1, np.array([2])], [4, 5]], 0, 1, None, NO_NUMBER),
    (np.array([[1, 2**63]], dtype=np.uint64), 0, 1, 2**63, TOO_LARGE),
    ([[2**63, 1]], 0, 0, 2**63, TOO_LARGE),
    ([[1, 2**200]], 0, 1, 2**200, TOO_LARGE),
    (np.array([[1.0], [2.0**63]]), 1, 0, 2.0**63, TOO_LARGE),
    ([[1e300, 1]], 0, 0, 1e300, TOO_LARGE),
    (np.ma.array([[1, -2]], mask=False), 0, 1, -2, NEGATIVE),
    (scipy.sparse.coo_array(([-2], ([1], [2])), shape=(3, 4)), 1, 2, -2, NEGATIVE),
    (scipy.sparse.csr_array(([1.5], ([1], [2])), shape=(3, 4)), 1, 2, 1.5, NOT_WHOLE),
    (scipy.sparse.csr_array(([np.nan], ([2], [0])), shape=(3, 4)), 2, 0, float("nan"), NO_NUMBER),
    (scipy.sparse.coo_array(([5, -2], ([1, 1], [0, 0])), shape=(3, 4)), 1, 0, -2, NEGATIVE),
]  # fmt: skip


@pytest.mark.parametrize(
    ("counts", "row", "column", "value", "words"), FAULTS, ids=[repr(fault[0]) for fault in FAULTS]
)
def test_a_faulty_cell_is_taken_or_another_is_named(
    counts: Any, row: int, column: int, value: Any, words: str
) -> None:
    with pytest.raises(TableError) as caught:
        ContingencyTable(counts)
    error = caught.value
    assert (error.row, error.column) == (row, column)
    assert str(error).startswith(f"row {row + 1}, column {column + 1}: ")
    assert str(error).endswith(words)
    if value is not None and value == value:
        assert error.value == value
        assert f": {value!r}" in str(error) or f": {value}" in str(error)
    assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ([], "no cells"),
        ([[]], "no cells"),
        ([[], []], "no cells"),
        (np.zeros((0, 3)), "no cells"),
        (np.zeros((3, 0), int), "no cells"),
        (scipy.sparse.coo_array((0, 3), dtype=int), "no cells"),
        (np.array([1, 2]), "1 axes"),
        (np.array(7), "0 axes"),
        (np.zeros((2, 2, 2), int), "3 axes"),
        ([[[1], [2]], [[3], [4]]], "3 axes"),
        (scipy.sparse.coo_array(np.array([1, 2])), "1 axes"),
        (scipy.sparse.coo_array(np.ones((2, 2, 2), int)), "3 axes"),
        (7, "a list of rows of counts, not 7"),
        (None, "a list of rows of counts, not None"),
        ([1, 2], "row 1 is 1: each row must be a list"),
        ([[1, 2], 3], "row 2 is 3: each row must be a list"),
        (["12", "34"], "row 1 is '12': each row must be a list"),
        ("12", "row 1 is '1': each row must be a list"),
        ([[1, 2], [3]], "row 2 has 1 cells where row 1 has 2"),
        ([[1], [2], [3, 4]], "row 3 has 2 cells where row 1 has 1"),
        ([np.array([1, 2]), np.array([3])], "row 2 has 1 cells where row 1 has 2"),
        ([[1, 2], []], "row 2 has 0 cells where row 1 has 2"),
        (np.ma.array([[1, 2]], mask=[[False, True]]), "masked"),
        ([[MOST, 1]], "add up to more than 9223372036854775807"),
        (np.full((2, 2), 2.0**62), "add up to more than 9223372036854775807"),
        (np.full((4, 4), 2**60, np.uint64), "add up to more than 9223372036854775807"),
        (scipy.sparse.csr_array(np.array([[MOST, 0], [0, 1]])), "add up to more than"),
    ],
    ids=repr,
)
def test_what_is_no_table_is_taken_or_crashes(counts: Any, words: str) -> None:
    with pytest.raises(TableError) as caught:
        ContingencyTable(counts)
    assert words in str(caught.value)


# Sparse input


def test_duplicates_of_a_sparse_table_overflow_their_type_or_are_lost() -> None:
    for data in (np.array([100, 100], np.int8), np.array([200, 0], np.uint8)):
        matrix = scipy.sparse.coo_array((data, ([1, 1], [0, 0])), shape=(2, 3))
        assert ContingencyTable(matrix).counts.tolist() == [[0, 0, 0], [200, 0, 0]]
    flags = scipy.sparse.coo_array((np.array([True, True]), ([0, 0], [1, 1])), shape=(1, 2))
    assert ContingencyTable(flags).counts.tolist() == [[0, 2]]


def test_a_sparse_table_is_changed_by_being_read() -> None:
    matrix = scipy.sparse.coo_array(([1, 2, 4], ([1, 1, 0], [0, 0, 2])), shape=(2, 3))
    ContingencyTable(matrix)
    assert matrix.data.tolist() == [1, 2, 4]
    assert matrix.nnz == 3


def test_explicit_zeros_of_a_sparse_table_count_as_cells() -> None:
    matrix = scipy.sparse.csr_array(([5, 0, 7], ([0, 0, 1], [0, 1, 1])), shape=(2, 3))
    assert matrix.nnz == 3
    table = ContingencyTable(matrix)
    assert table.cells.counts.tolist() == [5, 7]
    assert table == ContingencyTable([[5, 0, 0], [0, 7, 0]])
    empty = ContingencyTable(scipy.sparse.csr_array((2, 3), dtype=int))
    assert empty == ContingencyTable([[0, 0, 0], [0, 0, 0]])


@given(tables(HUGE, items=False), st.randoms(use_true_random=False))
def test_the_order_of_cells_of_a_sparse_table_matters(table: Table, random: Any) -> None:
    dense = np.array(table)
    places = np.argwhere(dense >= 0).tolist()
    random.shuffle(places)
    rows, columns = np.array(places).T
    counts = dense[rows, columns]
    right = ContingencyTable(table)
    matrix = scipy.sparse.coo_array((counts, (rows, columns)), shape=dense.shape)
    for made in (
        ContingencyTable(matrix),
        ContingencyTable(scipy.sparse.csc_array(matrix)),
        ContingencyTable.from_cells(right.shape, rows, columns, counts),
        ContingencyTable.from_cells(
            right.shape, rows.tolist(), columns.tolist(), [int(n) for n in counts]
        ),
    ):
        assert made == right
        assert hash(made) == hash(right)
        assert made.counts.tolist() == table
        for key in ("row_sums", "column_sums"):
            assert getattr(made, key).tolist() == getattr(right, key).tolist()
        assert made.total == right.total == sum(map(sum, table))


def test_a_large_sparse_table_is_made_dense() -> None:
    table = ContingencyTable(scipy.sparse.eye_array(200_000, dtype=np.int64))
    scores = score(table, metrics=["ari", "ami", "ap", "f1"])
    assert set(scores.values()) == {1.0}
    assert "counts" not in vars(table)


# Cells


def test_repeated_places_are_not_added() -> None:
    table = ContingencyTable.from_cells((2, 2), [1, 0, 1], [0, 1, 0], [3, 4, 5])
    assert table.counts.tolist() == [[0, 4], [8, 0]]


@pytest.mark.parametrize(
    ("shape", "rows", "columns", "counts", "words"),
    [
        ((2, 2), [2], [0], [1], "outside the shape 2 x 2"),
        ((2, 2), [0], [-1], [1], "outside the shape 2 x 2"),
        ((2, 2), [0], [2], [0], "outside the shape 2 x 2"),
        ((2, 2), [0, 1], [0], [1], "the same length"),
        ((2, 2), [0], [0], [1, 2], "the same length"),
        ((2, 2), [[0]], [[0]], [[1]], "the same length"),
        ((2, 2), 0, 0, 1, "the same length"),
        ((2, 2), [0.5], [0], [1], "whole numbers"),
        ((2, 2), ["0"], ["0"], [1], "whole numbers"),
        ((0, 2), [], [], [], "no cells"),
        ((2, 2), [0, 1], [0, 1], [1, -2], "row 2, column 2: -2 is negative"),
        ((2, 2), [1, 0], [1, 0], [1, 2.5], "row 1, column 1: 2.5 is not a whole number"),
        ((2, 2), [1, 0], [1, 0], [None, 2], "row 2, column 2: None is not a number"),
        ((2, 2), [1, 0], [1, 0], [MOST, 2], "add up to more than"),
    ],
)
def test_a_cell_out_of_place_is_taken_or_crashes(
    shape: Any, rows: Any, columns: Any, counts: Any, words: str
) -> None:
    with pytest.raises(TableError) as caught:
        ContingencyTable.from_cells(shape, rows, columns, counts)
    assert words in str(caught.value)


def test_a_table_without_cells_has_no_margins() -> None:
    table = ContingencyTable.from_cells((2, 3), [], [], [])
    assert table.counts.tolist() == [[0, 0, 0], [0, 0, 0]]
    assert table.row_sums.tolist() == [0, 0]
    assert table.column_sums.tolist() == [0, 0, 0]
    assert table.total == 0


def test_cells_are_lost_between_the_pieces_in_which_they_are_sought() -> None:
    # A million cells, more than are searched at once.
    counts = np.zeros((1000, 1024), np.int64)
    places = np.arange(0, counts.size, 8191)
    counts.flat[places] = places + 1
    table = ContingencyTable(counts)
    rows, columns = np.divmod(places, 1024)
    assert np.array_equal(table.cells.rows, rows)
    assert np.array_equal(table.cells.columns, columns)
    assert np.array_equal(table.cells.counts, places + 1)


@given(tables(HUGE, items=False))
def test_exchanging_rows_and_columns_twice_changes_a_table(table: Table) -> None:
    made = ContingencyTable(table, [f"a{i}" for i in range(len(table))])
    turned = made.transpose()
    assert turned.counts.tolist() == [list(column) for column in zip(*table, strict=True)]
    assert (turned.truth, turned.clusters) == (made.clusters, made.truth)
    assert turned.shape == made.shape[::-1]
    assert turned.transpose() == made


# Immutability


def test_a_table_changes_with_the_array_it_was_made_from() -> None:
    for make in (np.array, np.asfortranarray, lambda x: np.array(x, dtype=object)):
        array = make([[8, 2], [1, 9]])
        table = ContingencyTable(array)
        before = dict(score(table, metrics=["ap", "ari"]))
        array[0, 0] = 0
        assert table.counts.tolist() == [[8, 2], [1, 9]]
        assert dict(score(table, metrics=["ap", "ari"])) == before
        assert array[0, 0] == 0
    data, rows, columns = np.array([8, 2]), np.array([0, 1]), np.array([0, 1])
    sparse = scipy.sparse.coo_array((data, (rows, columns)), shape=(2, 2))
    tabled = [ContingencyTable(sparse), ContingencyTable.from_cells((2, 2), rows, columns, data)]
    data[:], rows[:] = 7, 0
    for table in tabled:
        assert table.counts.tolist() == [[8, 0], [0, 2]]


@pytest.mark.parametrize(
    "make",
    [
        lambda: ContingencyTable([[8, 2], [0, 9]]),
        lambda: ContingencyTable(scipy.sparse.csr_array(np.array([[8, 2], [0, 9]]))),
        lambda: pickle.loads(pickle.dumps(ContingencyTable([[8, 2], [0, 9]]))),
        lambda: copy.deepcopy(ContingencyTable([[8, 2], [0, 9]])),
        lambda: copy.copy(ContingencyTable([[8, 2], [0, 9]])),
        lambda: ContingencyTable([[8, 0], [2, 9]]).transpose(),
        lambda: ContingencyTable.from_labels([0] * 10 + [1] * 9, [0] * 8 + [1] * 11),
        lambda: ContingencyTable.from_checked(
            checked_counts([[8, 2], [0, 9]]), ("a", "b"), ("c", "d")
        ),
    ],
    ids=["dense", "sparse", "pickled", "deep copy", "copy", "transposed", "labels", "checked"],
)
def test_a_table_can_be_written_to(make: Any) -> None:
    table = make()
    assert table.counts.tolist() == [[8, 2], [0, 9]]
    for array in (table.counts, *table.cells, table.row_sums, table.column_sums):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5
    for name in ("shape", "truth", "clusters"):
        with pytest.raises(AttributeError):
            setattr(table, name, ())


@given(tables(HUGE, items=False))
def test_a_table_comes_back_from_a_worker_as_another(table: Table) -> None:
    made = ContingencyTable(table, [f"class {i}" for i in range(len(table))])
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(made, protocol))
        assert back == made
        assert hash(back) == hash(made)
        assert back.counts.tolist() == table


def test_tables_that_differ_are_equal_or_equal_ones_differ() -> None:
    base = ContingencyTable([[8, 2], [1, 9]], ["a", "b"], ["c", "d"])
    assert base == ContingencyTable([[8, 2], [1, 9]], ["a", "b"], ["c", "d"])
    for other in (
        ContingencyTable([[8, 2], [1, 9]]),
        ContingencyTable([[8, 2], [1, 9]], ["a", "b"], ["c", "e"]),
        ContingencyTable([[8, 2], [1, 9]], ["a", "x"], ["c", "d"]),
        ContingencyTable([[2, 8], [1, 9]], ["a", "b"], ["c", "d"]),
        ContingencyTable([[8, 2, 0], [1, 9, 0]], ["a", "b"]),
        "a table",
        None,
    ):
        assert base != other
    # The counts alone, row after row, are the same.
    flat = ContingencyTable([[8, 0], [0, 2]]), ContingencyTable([[0, 8], [2, 0]])
    assert flat[0] != flat[1]
    assert len({base, copy.copy(base), *flat}) == 3


# Names


def test_names_are_lost_or_mixed_up() -> None:
    table = ContingencyTable([[8, 2, 0], [1, 9, 0]], truth=["Hund", "Käfer"])
    assert table.truth == ("Hund", "Käfer")
    assert table.clusters == ("C1", "C2", "C3")
    assert ContingencyTable([[1], [2]]).truth == ("T1", "T2")
    assert ContingencyTable([[1], [2]], clusters=("x",)).clusters == ("x",)
    assert ContingencyTable([[1], [2]], clusters="x").clusters == ("x",)
    assert ContingencyTable([[1, 2]], clusters=["same", "same"]).clusters == ("same", "same")
    assert default_names("C", 3, taken=["C2", "x"]) == ("C1", "C3", "C4")
    assert default_names("C", 0) == ()


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ({"truth": ["a"]}, "there are 1 truth class names for 2 rows"),
        ({"truth": ["a", "b", "c"]}, "there are 3 truth class names for 2 rows"),
        ({"clusters": []}, "there are 0 cluster names for 2 columns"),
        ({"clusters": ["a", 7]}, "cluster name 2 is 7: names are text"),
        ({"truth": [None, "a"]}, "truth class name 1 is None: names are text"),
        ({"truth": [b"a", "b"]}, "truth class name 1 is b'a': names are text"),
    ],
)
def test_names_that_do_not_fit_are_taken(names: Any, words: str) -> None:
    for make in (
        lambda: ContingencyTable([[8, 2], [1, 9]], **names),
        lambda: ContingencyTable.from_cells((2, 2), [0], [0], [1], **names),
    ):
        with pytest.raises(TableError) as caught:
            make()
        assert str(caught.value) == words


def test_the_summary_of_a_table_is_wrong() -> None:
    table = ContingencyTable([[1500, 0, 7]])
    assert repr(table) == "<ContingencyTable: 1 truth classes x 3 clusters, N = 1,507>"


def test_an_error_loses_its_place_between_processes() -> None:
    with pytest.raises(TableError) as caught:
        ContingencyTable([[1, 2], [3, -4]])
    back = pickle.loads(pickle.dumps(caught.value))
    assert str(back) == str(caught.value)
    assert (back.row, back.column, back.value) == (1, 1, -4)


# Stacks of tables


@pytest.mark.parametrize(
    ("stack", "words"),
    [
        (np.zeros((2, 2), int), "three axes (table, row, column), not 2"),
        (np.zeros((2, 0, 2), int), "no cells"),
        (np.array([[[1, 2]], [[3, -4]]]), "table 2, row 1, column 2: -4 is negative"),
        (np.array([[[1, 2.5]], [[3, 4]]]), "table 1, row 1, column 2: 2.5 is not a whole"),
        (np.array([[[1]], [[None]]]), "table 2, row 1, column 1: None is not a number"),
        (np.array([[[1]], [[2**63]]], np.uint64), "table 2, row 1, column 1: 92233"),
        (np.array([[[1, 2]], [[MOST, 1]]]), "add up to more than"),
        (np.ma.array([[[1, 2]]], mask=[[[True, False]]]), "masked"),
    ],
    ids=repr,
)
def test_a_faulty_stack_is_taken_or_another_table_is_named(stack: Any, words: str) -> None:
    with pytest.raises(TableError) as caught:
        checked_counts(stack, ndim=3)
    assert words in str(caught.value)


def test_the_counts_of_a_stack_are_added_up_together() -> None:
    stack = np.full((3, 1, 2), 2**62 - 1)
    assert checked_counts(stack, ndim=3).tolist() == stack.tolist()


@given(tables(HUGE, items=False))
def test_a_layout_in_memory_changes_a_score(table: Table) -> None:
    right = score(table)
    array = np.array(table)
    padded = np.zeros((array.shape[0] * 2, array.shape[1] * 3), np.int64)
    padded[::2, ::3] = array
    for view in (np.asfortranarray(array), array.T.copy().T, padded[::2, ::3]):
        scores = score(view)
        for key in METRICS:
            np.testing.assert_array_equal(scores[key], right[key])
