"""Batches of cells: that every table of a batch keeps its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from core import ContingencyTable, TableError
from core.cells import CellBatch
from tests.core.strategies import HUGE, SMALL, Table, tables

BATCH = st.lists(st.one_of(tables(SMALL, items=False), tables(HUGE, items=False)), max_size=6)


@given(BATCH)
def test_margins_reach_into_another_table(given_tables: list[Table]) -> None:
    batch = CellBatch.of([ContingencyTable(table) for table in given_tables])
    assert batch.n_tables == len(given_tables)
    assert batch.shapes.tolist() == [[len(t), len(t[0])] for t in given_tables]
    rows = [(k, i, sum(row)) for k, t in enumerate(given_tables) for i, row in enumerate(t)]
    columns = [
        (k, j, sum(column))
        for k, t in enumerate(given_tables)
        for j, column in enumerate(zip(*t, strict=True))
    ]
    for margin, table, place, sums, number in (
        (rows, batch.row_table, batch.row_place, batch.row_sum, batch.n_rows),
        (columns, batch.column_table, batch.column_place, batch.column_sum, batch.n_columns),
    ):
        right = [part for part in margin if part[2]]
        assert list(zip(table.tolist(), place.tolist(), sums.tolist(), strict=True)) == right
        counted = [sum(k == part[0] for part in right) for k in range(len(given_tables))]
        assert number.tolist() == counted
    assert batch.total.tolist() == [sum(map(sum, t)) for t in given_tables]
    assert batch.total_float.tolist() == [max(float(sum(map(sum, t))), 1.0) for t in given_tables]


@given(BATCH)
def test_a_cell_is_lost_or_moved(given_tables: list[Table]) -> None:
    batch = CellBatch.of(given_tables)
    found = zip(
        batch.cell_table.tolist(),
        batch.row_place[batch.row].tolist(),
        batch.column_place[batch.column].tolist(),
        batch.count.tolist(),
        strict=True,
    )
    assert list(found) == [
        (k, i, j, n)
        for k, table in enumerate(given_tables)
        for i, row in enumerate(table)
        for j, n in enumerate(row)
        if n
    ]
    assert batch.n_cells.tolist() == [sum(n > 0 for row in t for n in row) for t in given_tables]


@given(BATCH)
def test_sums_and_maxima_reach_into_another_table(given_tables: list[Table]) -> None:
    batch = CellBatch.of(given_tables)
    for values in (batch.count, batch.count.astype(object)):
        assert batch.sum_cells(values).tolist() == batch.total.tolist()
        assert batch.sum_rows(batch.reduce_rows(np.add, values)).tolist() == batch.total.tolist()
        columns = batch.reduce_columns(np.add, values)
        assert columns.tolist() == batch.column_sum.tolist()
        assert batch.sum_columns(columns).tolist() == batch.total.tolist()
    largest = [max(row) for table in given_tables for row in table if any(row)]
    assert batch.reduce_rows(np.maximum, batch.count).tolist() == largest
    largest = [
        max(column) for table in given_tables for column in zip(*table, strict=True) if any(column)
    ]
    assert batch.reduce_columns(np.maximum, batch.count).tolist() == largest


@given(st.integers(0, 4), st.integers(1, 4), st.integers(1, 4), st.data())
def test_an_array_makes_another_batch_than_its_tables(
    k: int, r: int, c: int, data: st.DataObject
) -> None:
    flat = data.draw(st.lists(SMALL, min_size=k * r * c, max_size=k * r * c))
    array = np.array(flat, dtype=np.int64).reshape(k, r, c)
    right = CellBatch.from_tables([ContingencyTable(table) for table in array])
    for made in (CellBatch.of(array), CellBatch.of(list(array)), CellBatch.from_array(array)):
        for name in (
            *("shapes", "row", "column", "count", "row_table", "row_place"),
            *("column_table", "column_place", "row_sum", "column_sum", "total", "identical"),
        ):
            assert getattr(made, name).tolist() == getattr(right, name).tolist(), name


def test_two_partitions_that_differ_pass_for_identical() -> None:
    batch = CellBatch.of(
        [[[3, 0], [0, 1]], [[0, 3], [2, 0]], [[3, 1], [0, 1]], [[1, 1]], [[1], [1]], [[7]],
         [[0, 0, 0], [5, 0, 0], [0, 0, 2]], [[1, 1], [1, 1]]]
    )  # fmt: skip
    assert batch.identical.tolist() == [True, True, False, False, False, True, True, False]


def test_column_sums_above_2_to_the_53_are_rounded() -> None:
    odd = 2**53 + 1
    batch = CellBatch.of([[[odd, 1], [0, 1]], [[1, 2]]])
    assert batch.column_sum.tolist() == [odd, 2, 1, 2]


def test_totals_of_a_batch_overflow_together() -> None:
    most = 2**63 - 1
    batch = CellBatch.of([[[most]], [[most]], [[2]]])
    assert batch.total.tolist() == [most, most, 2]
    assert batch.column_sum.tolist() == [most, most, 2]


def test_an_intermediate_result_is_computed_twice_or_for_other_arguments() -> None:
    batch = CellBatch.of([[[8, 2], [1, 9]]])
    calls: list[tuple[Any, ...]] = []

    def counted(of: CellBatch, *args: Any) -> int:
        assert of is batch
        calls.append(args)
        return len(calls)

    assert [batch.derive(counted), batch.derive(counted, "a"), batch.derive(counted)] == [1, 2, 1]
    assert batch.derive(counted, "b") == 3
    batch.remember(counted, 77)
    assert batch.derive(counted) == 77
    assert calls == [(), ("a",), ("b",)]


def test_a_table_of_another_kind_is_not_understood() -> None:
    right = [[8, 2], [1, 9]]
    understood: list[Any] = [
        ContingencyTable(right),
        [ContingencyTable(right)],
        [right],
        [np.array(right)],
        np.array([right]),
        np.array([right], dtype=float),
        [scipy.sparse.csr_array(np.array(right))],
        (np.array(table) for table in [right]),
    ]
    for given_tables in understood:
        batch = CellBatch.of(given_tables)
        assert batch.count.tolist() == [8, 2, 1, 9]
        assert batch.n_tables == 1


@pytest.mark.parametrize(
    ("given_tables", "words", "row"),
    [
        ([[[1, 2]], [[1, -2]]], "table 2, row 1, column 2: -2 is negative", 0),
        (np.array([[[1, 2]], [[1, -2]]]), "table 2, row 1, column 2: -2 is negative", 0),
        ([[[1, 2]], [[1], [2, 3]]], "table 2, row 2 has 2 cells where row 1 has 1", 1),
        ([[[1]], [[2.5]]], "table 2, row 1, column 1: 2.5 is not a whole number", 0),
        ([[[1]], [[]]], "table 2: the table has no cells", None),
        ([[[1]], 5], "table 2: a table is a list of rows of counts, not 5", None),
        (np.ones((2, 2), int), "table 1: a table has rows and columns; this input has 1", None),
    ],
    ids=repr,
)
def test_a_fault_is_not_traced_to_its_table(given_tables: Any, words: str, row: Any) -> None:
    with pytest.raises(TableError) as caught:
        CellBatch.of(given_tables)
    assert str(caught.value).startswith(words)
    assert caught.value.row == row
