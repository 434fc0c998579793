"""Tables from labels of every type."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import ContingencyTable, TableError, score
from core.labels import _PIECE, count_pairs


class Missing:
    """A missing value that refuses to be compared, such as that of pandas."""

    def __eq__(self, other: object) -> Any:
        return self

    def __ne__(self, other: object) -> Any:
        return self

    def __hash__(self) -> int:
        return 12345678901

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")


class Series:
    """Something that numpy can read, such as a column of a data frame."""

    def __init__(self, values: Any) -> None:
        self._values = np.array(values)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self._values


# The larger label twice, and both names in order.
IN_ORDER: list[tuple[Any, tuple[str, str]]] = [
    (["b", "a", "b"], ("a", "b")),
    (("b", "a", "b"), ("a", "b")),
    ("bab", ("a", "b")),
    ([10, 9, 10], ("9", "10")),
    ([-1, -2, -1], ("-2", "-1")),
    ([2.5, -0.5, 2.5], ("-0.5", "2.5")),
    ([True, False, True], ("False", "True")),
    ([10**30, 3, 10**30], ("3", str(10**30))),
    ([(1, "b"), (1, "a"), (1, "b")], ("(1, 'a')", "(1, 'b')")),
    ([b"b", b"a", b"b"], ("a", "b")),
    ([np.int64(7), 3, 7.0], ("3", "7")),
    (["a", "", "a"], ("", "a")),
    (["ß", "Ü", "ß"], ("Ü", "ß")),
    *(
        (np.array([5, 3, 5], dtype=dtype), ("3", "5"))
        for dtype in ("i1", "u1", "i2", ">i4", "u4", "i8", "u8", "O", "U3", "S3")
    ),
    (np.array([5, 3, 5], "f4"), ("3.0", "5.0")),
    (np.array([5, -3, 5], "i1"), ("-3", "5")),
    (np.array([127, -128, 127], "i1"), ("-128", "127")),
    (np.array([2**63 - 1, -(2**63), 2**63 - 1]), (str(-(2**63)), str(2**63 - 1))),
    (np.array([2**64 - 1, 0, 2**64 - 1], "u8"), ("0", str(2**64 - 1))),
    (np.array([2**63 + 5, 2**63, 2**63 + 5], "u8"), (str(2**63), str(2**63 + 5))),
    (np.array([-(2**63) + 1, -(2**63), -(2**63) + 1]), (str(-(2**63)), str(-(2**63) + 1))),
    (np.array([True, False, True]), ("False", "True")),
    (np.array(["2021-01-02", "2021-01-01", "2021-01-02"], "M8[D]"), ("2021-01-01", "2021-01-02")),
    (np.array([np.inf, -np.inf, np.inf]), ("-inf", "inf")),
    (np.array([0.0, -1.0, -0.0]), ("-1.0", "0.0")),
    (np.ma.array([5, 3, 5], mask=False), ("3", "5")),
    (np.array([[5, 0], [3, 0], [5, 0]])[:, 0], ("3", "5")),
    (Series([5, 3, 5]), ("3", "5")),
]

# Labels that cannot be put in order.
AS_THEY_COME: list[tuple[Any, tuple[str, str]]] = [
    (["x", 1, "x"], ("x", "1")),
    ([1, "1", 1], ("1", "1")),
    ([1j, 0j, 1j], ("1j", "0j")),
    (np.array(["b", 1, "b"], dtype=object), ("b", "1")),
]


@pytest.mark.parametrize(
    ("labels", "names", "counts"),
    [
        *((*pair, [[0, 1], [2, 0]]) for pair in IN_ORDER),
        *((*pair, [[2, 0], [0, 1]]) for pair in AS_THEY_COME),
    ],
    ids=repr,
)
def test_labels_are_mixed_up_or_misnamed(
    labels: Any, names: tuple[str, str], counts: list[list[int]]
) -> None:
    table = ContingencyTable.from_labels(labels, ["p", "q", "p"])
    assert table.truth == names
    assert table.counts.tolist() == counts
    assert table.clusters == ("p", "q")
    assert ContingencyTable.from_labels(["p", "q", "p"], labels) == table.transpose()


def test_generators_are_read_twice() -> None:
    table = ContingencyTable.from_labels((c for c in "aab"), iter([1, 2, 2]))
    assert table.counts.tolist() == [[1, 1], [0, 1]]
    ranged = ContingencyTable.from_labels(range(3), {"x": 0, "y": 1, "z": 2})
    assert ranged.counts.tolist() == np.eye(3).tolist()


@pytest.mark.parametrize(
    ("labels", "item"),
    [
        ([1, None, 2], 2),
        ([None, None, 2], 1),
        (["a", "b", float("nan")], 3),
        ([1.0, float("nan"), float("nan")], 2),
        ([1.0, 2.0, np.float32("nan")], 3),
        (np.array([1.0, np.nan, 2.0]), 2),
        (np.array([1.0, np.nan, 2.0], "f2"), 2),
        (np.array(["a", None, "b"], dtype=object), 2),
        (np.array(["2021-01-01", "NaT", "NaT"], "M8[D]"), 2),
        (["a", np.datetime64("NaT"), "b"], 2),
        (["a", "b", Missing()], 3),
        (np.array([1, Missing(), 2], dtype=object), 2),
        (np.ma.array([1, 2, 3], mask=[False, False, True]), 3),
        (np.ma.array([1.0, 2.0, 3.0], mask=[False, True, True]), 2),
        (["b", "a", None], 3),
    ],
    ids=repr,
)
def test_a_missing_label_becomes_a_class(labels: Any, item: int) -> None:
    with pytest.raises(TableError) as caught:
        ContingencyTable.from_labels(labels, [1, 2, 3])
    assert str(caught.value).startswith(f"truth label {item} is missing: ")
    assert caught.value.row == item - 1
    with pytest.raises(TableError, match=f"^cluster label {item} is missing: "):
        ContingencyTable.from_labels([1, 2, 3], labels)


@pytest.mark.parametrize(
    ("truth", "clusters", "words"),
    [
        ([1, 2], [1], "there are 2 truth labels but 1 cluster labels"),
        ([], [1], "there are 0 truth labels but 1 cluster labels"),
        (np.arange(3), np.arange(4), "there are 3 truth labels but 4 cluster labels"),
        ([], [], "there are no labels"),
        (np.array([]), np.array([]), "there are no labels"),
        (np.array([], int), iter(()), "there are no labels"),
        ([1, [2]], [1, 2], "truth label 2 is [2], which cannot serve as a label"),
        ([1, 2], [{}, 1], "cluster label 1 is {}, which cannot serve as a label"),
        ([1, 2], [{1}, 1], "cluster label 1 is {1}, which cannot serve as a label"),
        ([1, np.array([2])], [1, 2], "truth label 2 is array([2]), which cannot serve"),
        (np.zeros((2, 2), int), [1, 2], "truth labels must be one column, not an array of 2"),
        ([1], np.array(5), "cluster labels must be one column, not an array of 0 axes"),
        (np.array([["a", None]], dtype=object), [1], "must be one column"),
        (5, [1], "truth labels must be a list with one for each item, not 5"),
        ([1], None, "cluster labels must be a list with one for each item, not None"),
    ],
    ids=repr,
)
def test_labels_that_do_not_fit_crash_or_are_taken(truth: Any, clusters: Any, words: str) -> None:
    with pytest.raises(TableError) as caught:
        ContingencyTable.from_labels(truth, clusters)
    assert words in str(caught.value)


LABELS = st.one_of(
    st.lists(st.integers(-3, 3), min_size=1, max_size=40),
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=40),
    st.lists(st.sampled_from(["a", "b", "ä", ""]), min_size=1, max_size=40),
    # Minus zero is the same label as zero, of another name.
    st.lists(st.floats(allow_nan=False).map(lambda x: x + 0.0), min_size=1, max_size=40),
    st.lists(st.one_of(st.integers(0, 2), st.sampled_from("ab")), min_size=1, max_size=40),
)


@given(LABELS, st.data())
def test_an_item_is_counted_in_another_cell(truth: list[Any], data: st.DataObject) -> None:
    n = len(truth)
    clusters = data.draw(st.lists(st.integers(-2, 5), min_size=n, max_size=n))
    table = ContingencyTable.from_labels(truth, clusters)
    right = Counter(zip(map(str, truth), map(str, clusters), strict=True))
    found: Counter[tuple[str, str]] = Counter()
    for i, j, count in zip(*(a.tolist() for a in table.cells), strict=True):
        found[table.truth[i], table.clusters[j]] += count
    assert found == right
    try:
        ordered = sorted(set(truth))
    except TypeError:
        ordered = list(dict.fromkeys(truth))
    assert list(table.truth) == [str(label) for label in ordered]


@pytest.mark.parametrize("dtype", ["i8", "U4", "f8", "O"])
def test_an_array_gives_another_table_than_its_list(dtype: str) -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(-20, 20, 500).astype(dtype)
    clusters = rng.integers(0, 7, 500).astype(dtype)
    assert ContingencyTable.from_labels(truth, clusters) == ContingencyTable.from_labels(
        truth.tolist(), clusters.tolist()
    )


def test_the_two_ways_to_count_disagree() -> None:
    # Few classes are counted, many are sorted: the second table has the first in a corner.
    rng = np.random.default_rng(2)
    truth, clusters = rng.integers(0, 5, 400), rng.integers(0, 4, 400)
    few = ContingencyTable.from_labels(truth, clusters)
    other = np.arange(1000, 3000)
    many = ContingencyTable.from_labels(
        np.concatenate([truth, other]), np.concatenate([clusters, other])
    )
    assert many.shape == (few.shape[0] + 2000, few.shape[1] + 2000)
    assert many.counts[:5, :4].tolist() == few.counts.tolist()
    assert many.total == few.total + 2000


def test_many_labels_make_a_dense_table() -> None:
    # Dense, the table alone would take 80,000 x 70,000 x 8 bytes = 45 GB.
    items = np.arange(400_000)
    truth, clusters = items % 80_000, items % 70_000
    tracemalloc.start()
    table = ContingencyTable.from_labels(truth, clusters)
    scores = score(table, metrics=["ari", "ami", "f1", "purity", "ap"])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert table.shape == (80_000, 70_000)
    assert not any(np.isnan(value) for value in scores.values())
    assert "counts" not in vars(table)
    assert peak < 500 * len(items)


def test_the_memory_for_labels_grows_with_more_than_their_number() -> None:
    peaks = []
    for n in (100_000, 400_000):
        labels = np.arange(n) % 1000, np.arange(n) % 900
        tracemalloc.start()
        ContingencyTable.from_labels(*labels)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 6 * peaks[0]


def test_ten_million_labels_are_too_many() -> None:
    items = np.arange(10_000_000, dtype=np.int32)
    truth, clusters = items % 10, items % 15
    tracemalloc.start()
    table = ContingencyTable.from_labels(truth, clusters)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # A code of four bytes for each label.
    assert peak < 10 * len(items)
    assert table.total == len(items)
    assert table.shape == (10, 15)
    # Item i lies in cell (i mod 10, i mod 15): those agree modulo 5, and none else occur.
    assert np.count_nonzero(table.counts) == 30
    assert np.ptp(table.cells.counts) <= 1


@pytest.mark.parametrize("kind", ["counted", "wide", "float", "text", "object", "list", "bool"])
def test_items_are_lost_between_the_pieces_in_which_they_are_looked_at(kind: str) -> None:
    n = 2 * _PIECE + 3
    rng = np.random.default_rng(3)
    truth, clusters = rng.integers(0, 50, n), rng.integers(0, 40, n)
    made: dict[str, Any] = {
        "counted": truth * 3 - 70,
        "wide": truth * 10**15 - 7,
        "float": truth + 0.25,
        "text": truth.astype("U3"),
        "object": truth.astype(object),
        "list": truth.tolist(),
        "bool": truth < 3,
    }
    table = ContingencyTable.from_labels(made[kind], clusters)
    right = np.zeros((50, 40), int)
    np.add.at(right, (truth, clusters), 1)
    if kind == "bool":
        right = np.array([right[3:].sum(axis=0), right[:3].sum(axis=0)])
    elif kind == "text":
        right = right[np.argsort(np.arange(50).astype("U3"))]
    assert table.counts.tolist() == right.tolist()
    assert table.truth == tuple(str(label) for label in sorted(set(np.array(made[kind]).tolist())))


@pytest.mark.parametrize(
    "shape",
    [(2, 3), (1, 1), (3, 2**31), (2**16, 2**16), (2**16 + 1, 2**16), (2**31 - 1, 2**31 - 1)],
    ids=repr,
)
def test_a_pair_of_the_last_labels_is_counted_as_another(shape: tuple[int, int]) -> None:
    r, c = shape[0] - 1, shape[1] - 1
    rows, columns = np.array([r, 0, r, 0, r, 0]), np.array([c, 0, 0, c, c, 0])
    for dtype in (np.int32, np.int64):
        found = count_pairs(rows.astype(dtype), columns.astype(dtype), shape)
        right = Counter(zip(rows.tolist(), columns.tolist(), strict=True))
        assert list(zip(*(a.tolist() for a in found), strict=True)) == [
            (*pair, right[pair]) for pair in sorted(right)
        ]
        assert all(a.dtype == np.int64 for a in found)


@given(st.data())
def test_labels_of_a_wide_range_are_counted_as_others(data: st.DataObject) -> None:
    low = data.draw(st.sampled_from([-(2**63), -(2**31), -5, 0, 2**31, 2**63 - 4000]))
    near, far = st.integers(low, low + 40), st.integers(low, min(low + 2**63, 2**63 - 1))
    label = data.draw(st.sampled_from([near, far, st.one_of(near, far)]))
    truth = data.draw(st.lists(label, min_size=1, max_size=30))
    items = list(range(len(truth)))
    table = ContingencyTable.from_labels(np.array(truth, np.int64), items)
    assert table == ContingencyTable.from_labels(truth, items)
    assert table.truth == tuple(map(str, sorted(set(truth))))
    unsigned = np.array([label + 2**63 for label in truth], np.uint64)
    lifted = ContingencyTable.from_labels(unsigned, items)
    assert lifted.truth == tuple(str(label + 2**63) for label in sorted(set(truth)))
    assert lifted.counts.tolist() == table.counts.tolist()
