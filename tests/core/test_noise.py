"""Items that a clustering left out as noise: counted as the caller says, and on record."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import ContingencyTable, TableError, score
from core.noise import Noise, NoiseChoice
from tests.core.reference import CASES

TRUTH, CLUSTER = next(
    (case["labels"]["truth"], case["labels"]["cluster"])
    for case in CASES
    if "noise" in case["what"]
)
CHOICES: tuple[NoiseChoice, ...] = ("cluster", "drop", "singletons")


def table(choice: Any, cluster: Any = CLUSTER, truth: Any = TRUTH, **more: Any) -> ContingencyTable:
    return ContingencyTable.from_labels(truth, cluster, noise=choice, **more)


def counted(labels: ContingencyTable) -> Counter[tuple[str, str]]:
    """Return the counts by names."""
    found: Counter[tuple[str, str]] = Counter()
    for i, j, n in zip(*(a.tolist() for a in labels.cells), strict=True):
        found[labels.truth[i], labels.clusters[j]] += n
    return found


# The three choices


def test_a_reader_of_scores_is_not_told_of_noise() -> None:
    table = ContingencyTable.from_labels([0, 0, 1, 1], [0, -1, 1, 1], noise="drop")
    assert "1 item labelled -1 was dropped as noise" in score(table).warnings


def test_the_reference_case_is_counted_wrongly() -> None:
    kept, dropped, alone = map(table, CHOICES)
    assert kept.clusters == ("-1", "0", "1")
    assert kept.counts.tolist() == [[1, 2, 0], [1, 1, 2]]
    assert dropped.clusters == ("0", "1")
    assert dropped.counts.tolist() == [[2, 0], [1, 2]]
    assert alone.clusters == ("0", "1", "noise 1", "noise 7")
    assert alone.counts.tolist() == [[2, 0, 1, 0], [1, 2, 0, 1]]
    assert [t.total for t in (kept, dropped, alone)] == [7, 5, 7]
    assert [t.truth for t in (kept, dropped, alone)] == [("0", "1")] * 3
    assert len({score(t, ["ari"])["ari"] for t in (kept, dropped, alone)}) == 3


LABELS = st.one_of(st.integers(-2, 3), st.sampled_from(["-1", "a", "noise 1", "noise 2"]))


@given(st.data())
def test_an_item_of_noise_is_counted_otherwise_than_by_hand(data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 25))
    kind = data.draw(st.sampled_from([LABELS, st.integers(-2, 3), st.sampled_from(["-1", "b"])]))
    cluster = data.draw(st.lists(kind, min_size=n, max_size=n))
    truth = data.draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n))
    noisy = [i for i in range(n) if cluster[i] in (-1, "-1")]
    clear = [i for i in range(n) if i not in noisy]
    pairs = [(str(t), str(c)) for t, c in zip(truth, cluster, strict=True)]

    assert counted(table("cluster", cluster, truth)) == Counter(pairs)

    alone = table("singletons", cluster, truth)
    names = alone.clusters[len(alone.clusters) - len(noisy) :]
    assert len(set(alone.clusters)) == len({str(cluster[i]) for i in clear}) + len(noisy)
    expected = Counter(pairs[i] for i in clear)
    expected += Counter((str(truth[i]), name) for i, name in zip(noisy, names, strict=True))
    assert counted(alone) == expected
    assert all(name.startswith(f"noise {i + 1}") for i, name in zip(noisy, names, strict=True))

    for made, items in ((alone, noisy), (table("cluster", cluster, truth), noisy)):
        assert made.noise is not None
        assert made.noise.items == len(items)
        assert made.noise.lost == 0
    if not clear:
        with pytest.raises(TableError, match="none is left"):
            table("drop", cluster, truth)
        return
    dropped = table("drop", cluster, truth)
    # As if the items had never been there.
    assert dropped == table(
        "cluster", [cluster[i] for i in clear], [truth[i] for i in clear]
    ).with_noise(dropped.noise)
    lost = set(truth) - {truth[i] for i in clear}
    assert dropped.noise == Noise("drop", ("-1",), len(noisy), len(lost))


WAYS: list[tuple[Any, Any]] = [
    ([-1, 5, -1, 7], -1),
    ([-1.0, 5.0, -1.0, 7.0], -1),
    ([-1, 5, -1, 7], -1.0),
    ([-1, 5, -1, 7], np.int64(-1)),
    ([-1, 5, -1, 7], Decimal(-1)),
    (["-1", "5", "-1", "7"], -1),
    (["-1", "5", "-1", "7"], "-1"),
    (["-1", "5", "-1", "7"], np.int8(-1)),
    ([b"-1", b"5", b"-1", b"7"], -1),
    ([b"-1", b"5", b"-1", b"7"], "-1"),
    ([-1, 5, "-1", 7], -1),
    ([-1, "x", -1, "y"], -1),
    ([-1, 5, -2, 7], [-1, -2]),
    ([-1, 5, -2, 7], (-1, -2)),
    ([-1, 5, -2, 7], {-1, -2}),
    ([-1, 5, -2, 7], np.array([-1, -2])),
    ([-1, 5, -2, 7], range(-2, 0)),
    (["-1", "5", "none", "7"], [-1, "none"]),
    ([(1, 2), 5, (1, 2), 7], [(1, 2)]),
    ([2**70, 5, 2**70, 7], 2**70),
    ([True, 5, 1, 7], 1),
    (["noise", "5", "noise", "7"], "noise"),
    ([None, 5, None, 7], None),
    ([float("nan"), 5.0, float("nan"), 7.0], float("nan")),
    ([None, "a", float("nan"), "b"], None),
    ([None, "a", -1, "b"], [-1, None]),
    *((np.array([-1, 5, -1, 7], dtype), -1) for dtype in ("i1", ">i2", "i8", "f2", "f8", "O")),
    *((np.array([-1, 5, -1, 7]).astype(dtype), -1) for dtype in ("U3", "S3")),
    *((np.array([255, 5, 255, 7], dtype), 255) for dtype in ("u1", "u2", "u8")),
    (np.array([2**64 - 1, 5, 2**64 - 1, 7], "u8"), 2**64 - 1),
    (np.array([-(2**63), 5, -(2**63), 7]), -(2**63)),
    (np.array([0.1, 5, 0.1, 7], "f4"), 0.1),
    (np.array([np.inf, 5, np.inf, 7]), np.inf),
    (np.array([np.nan, 5, np.nan, 7]), None),
    (np.array([np.nan, 5, np.nan, 7], "f2"), np.nan),
    (np.ma.array([0, 5, 0, 7], mask=[True, False, True, False]), None),
    (np.ma.array([0.0, 5, np.nan, 7], mask=[True, False, False, False]), None),
    (np.array(["NaT", "2021-01-01", "NaT", "2021-01-02"], "M8[D]"), np.datetime64("NaT")),
]  # fmt: skip


@pytest.mark.parametrize(("cluster", "label"), WAYS, ids=repr)
def test_a_label_of_noise_is_not_recognised(cluster: Any, label: Any) -> None:
    for choice, columns, total in (
        ("cluster", (3, 4), 4),
        ("drop", (2,), 2),
        ("singletons", (4,), 4),
    ):
        made = table(choice, cluster, "abac", noise_label=label)
        assert made.noise is not None
        assert (made.noise.items, made.total) == (2, total)
        assert made.shape[1] in columns
        assert len(set(made.clusters)) == made.shape[1] or choice == "cluster"


@pytest.mark.parametrize(
    ("cluster", "label"),
    [
        ([1, 5, 1, 7], -1),
        (np.array([1, 5, 1, 7], "u8"), -1),
        (np.array([255, 5, 255, 7], "u1"), -1),
        (np.array([2**64 - 1, 5, 2**64 - 1, 7], "u8"), -1),
        (np.array([True, False, True, False]), -1),
        ([-1, 5, -1, 7], "-1"),
        ([-1, 5, -1, 7], "noise"),
        ([-1, 5, -1, 7], -1.5),
        ([-1, 5, -1, 7], 2**80),
        ([2.0**53, 1.0, 2.0, 3.0], 2**53 + 1),
        ([0.1, 1.0, 2.0, 3.0], Decimal("0.1")),
        ([-1.0, 5.0, -1.0, 7.0], 10**400),
        (np.array([-1.0, 5.0, np.inf, 7.0], "f2"), 1e10),
        ([-1, 5, -1, 7], np.inf),
        ([-1, 5, -1, 7], None),
        ([-1, 5, -1, 7], [("-1",)]),
        (["-1.0", "5", "-1.0", "7"], -1),
        (["-1 ", "5", "-1 ", "7"], -1),
        ([2**53 + 1, 1, 2, 3], float(2**53)),
    ],
    ids=repr,
)
def test_another_label_is_taken_for_noise(cluster: Any, label: Any) -> None:
    plain = table("cluster", cluster, "abac")
    for choice in CHOICES:
        for form in (cluster, np.array(cluster)):
            made = table(choice, form, "abac", noise_label=label)
            assert made.noise is not None
            assert made.noise.items == 0
            assert made == plain


def test_a_truth_label_is_taken_for_noise() -> None:
    for choice in CHOICES:
        made = table(choice, [0, 0, 1], [-1, -1, 5])
        assert made.truth == ("-1", "5")
        assert made.counts.tolist() == [[2, 0], [0, 1]]
        assert made.noise is not None
        assert made.noise.items == 0
    with pytest.raises(TableError, match="truth label 1 is missing"):
        table("drop", [0, None, 1], [None, 2, 3], noise_label=None)


def test_a_missing_label_becomes_noise_unasked() -> None:
    for choice in CHOICES:
        for label in (-1, "nan", [-1, "None"]):
            with pytest.raises(TableError, match="cluster label 3 is missing"):
                table(choice, [0, 0, None, 1, 1, 1, 1], noise_label=label)
            with pytest.raises(TableError, match="cluster label 3 is missing"):
                table(choice, np.array([0, 0, np.nan, 1, 1, 1, 1]), noise_label=label)


def test_noise_among_labels_of_another_kind_spoils_their_order() -> None:
    mixed = ["b", "a", -1, "b"]
    assert table("cluster", mixed, "xyxy").clusters == ("-1", "a", "b")
    assert table("drop", mixed, "xyxy").clusters == ("a", "b")
    assert table("drop", mixed, "xyxy").counts.tolist() == [[0, 1], [1, 1]]
    assert table("singletons", mixed, "xyxy").clusters == ("a", "b", "noise 3")
    # What cannot be put in order stays as it came.
    assert table("cluster", ["b", 2, -1, "a"], "xyxy").clusters == ("-1", "b", "2", "a")


# Names


def test_a_cluster_of_one_item_takes_the_name_of_another() -> None:
    cluster = ["-1", "noise 1", "noise 3", "-1", "noise 4", "noise 4 (single)"]
    made = table("singletons", cluster, "aabbcc")
    assert made.clusters == (
        *("noise 1", "noise 3", "noise 4", "noise 4 (single)"),
        *("noise 1 (single)", "noise 4 (single) (single)"),
    )
    assert made.counts.tolist() == [[1, 0, 0, 0, 1, 0], [0, 1, 0, 0, 0, 1], [0, 0, 1, 1, 0, 0]]


def test_names_are_made_before_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(label: object) -> str:
        raise AssertionError(label)

    items = np.arange(3000)
    made = table("singletons", items % 40 - 1, items % 30)
    monkeypatch.setattr("core.labels.label_name", refuse)
    again = table("cluster", items % 40, items % 30)
    for each in (made, again, made.transpose(), pickle.loads(pickle.dumps(made))):
        score(each)
        assert each.shape
        assert hash(each)
        with pytest.raises(AssertionError):
            _ = each.truth + each.clusters
    monkeypatch.undo()
    assert made.truth == tuple(map(str, range(30)))
    assert made.clusters[:39] == tuple(map(str, range(39)))
    assert made.clusters[39:] == tuple(f"noise {i + 1}" for i in range(0, 3000, 40))
    assert made.clusters is made.clusters


def test_a_million_items_of_noise_are_too_many() -> None:
    cluster = np.full(1_000_000, -1)
    cluster[::1000] = 7
    made = table("singletons", cluster, np.arange(1_000_000) % 3)
    assert made.shape == (3, 1 + 999_000)
    assert not isinstance(vars(made)["_clusters"], tuple)
    assert len(made.cells.counts) == 3 + 999_000
    assert score(made, ["cluster_purity"])["cluster_purity"] > 0.999


# Record


def test_the_record_of_noise_is_incomplete() -> None:
    cluster = [-1, 0, 0, 0, 1, 1, -1]
    for choice in CHOICES:
        assert table(choice, cluster).noise == Noise(choice, ("-1",), 2)
        both = table(choice, cluster, noise_label=[1, -1]).noise
        assert both == Noise(choice, ("1", "-1"), 4)
    assert table("drop", [-1, 0, -1, 1, -1], "abcad").noise == Noise("drop", ("-1",), 3, lost=2)
    assert ContingencyTable.from_labels(TRUTH, CLUSTER).noise == Noise("cluster", ("-1",), 2)
    assert ContingencyTable([[1, 2], [3, 4]]).noise is None
    assert ContingencyTable.from_cells((2, 2), [0], [0], [5]).noise is None
    # A set has no order, but what is written of it must have one.
    words = {f"w{i}" for i in range(20)}
    many = table("drop", CLUSTER, noise_label=words).noise
    assert many is not None
    assert many.labels == tuple(sorted(words))
    twice = table("drop", CLUSTER, noise_label=[-1, -1.0, np.int8(-1)]).noise
    assert twice == Noise("drop", ("-1",), 2)


def test_the_record_of_noise_is_lost() -> None:
    for choice in CHOICES:
        made = table(choice)
        copies = [
            pickle.loads(pickle.dumps(made, p)) for p in range(2, pickle.HIGHEST_PROTOCOL + 1)
        ]
        for other in (copy.copy(made), copy.deepcopy(made), *copies):
            assert other == made
            assert hash(other) == hash(made)
            assert other.noise == made.noise
        turned = made.transpose()
        assert turned.noise == Noise(choice, ("-1",), 2, of="truth")
        assert turned.transpose() == made
        assert turned.transpose().noise == made.noise
        assert score(made, ["ari"]).table.noise == made.noise


def test_tables_that_differ_in_what_was_dropped_are_equal() -> None:
    dropped = table("drop")
    bare = dropped.with_noise(None)
    assert bare.noise is None
    assert (bare.counts.tolist(), bare.clusters) == (dropped.counts.tolist(), dropped.clusters)
    assert bare != dropped
    assert dropped != bare
    assert len({bare, dropped, table("drop")}) == 2
    # Nothing was changed by keeping noise, or by dropping none.
    kept = table("cluster")
    assert (
        kept
        == kept.with_noise(None)
        == ContingencyTable([[1, 2, 0], [1, 1, 2]], ["0", "1"], kept.clusters)
    )
    assert table("drop", noise_label=99) == kept
    assert hash(table("drop", noise_label=99)) == hash(kept)


@pytest.mark.parametrize(
    ("noise", "sentence"),
    [
        (Noise("cluster", ("-1",), 0), None),
        (Noise("cluster", ("-1",), 1), "1 item labelled -1 was kept as one cluster"),
        (Noise("cluster", ("-1",), 2), "2 items labelled -1 were kept as one cluster"),
        (Noise("cluster", ("a", "b"), 2), "2 items labelled a or b were kept as clusters"),
        (Noise("cluster", ("a", "b"), 1), "1 item labelled a or b was kept as one cluster"),
        (Noise("drop", ("-1",), 0), "no item was labelled -1, so none was treated as noise"),
        (Noise("drop", ("-1",), 1), "1 item labelled -1 was dropped as noise"),
        (Noise("drop", ("-1",), 312), "312 items labelled -1 were dropped as noise"),
        (
            Noise("drop", ("-1", "x"), 12345, 1),
            "12,345 items labelled -1 or x were dropped as noise, "
            "and with them 1 truth class that had no others",
        ),
        (
            Noise("drop", ("-1",), 9, 2, "truth"),
            "9 items labelled -1 were dropped as noise, "
            "and with them 2 clusters that had no others",
        ),
        (
            Noise("drop", ("-1",), 1, 1),
            "1 item labelled -1 was dropped as noise, and with it 1 truth class that had no others",
        ),
        (Noise("singletons", ("-1",), 1), "1 item labelled -1 became a cluster of its own"),
        (Noise("singletons", ("-1",), 2), "2 items labelled -1 became clusters of their own"),
        (
            Noise("singletons", ("-1",), 2, of="truth"),
            "2 items labelled -1 became truth classes of their own",
        ),
        (
            Noise("cluster", ("-1",), 2, of="truth"),
            "2 items labelled -1 were kept as one truth class",
        ),
    ],
    ids=repr,
)
def test_the_sentence_on_noise_is_wrong(noise: Noise, sentence: str | None) -> None:
    assert noise.sentence == sentence


# What is refused


def test_a_table_of_noise_alone_is_empty_or_crashes() -> None:
    for cluster in ([-1, -1], np.array([-1, -1]), ["-1", "-1"]):
        with pytest.raises(TableError) as caught:
            table("drop", cluster, "ab")
        assert str(caught.value) == (
            "every item is labelled -1, so none is left when noise is dropped: "
            'keep it with noise="cluster" or noise="singletons"'
        )
        assert table("cluster", cluster, "ab").counts.tolist() == [[1], [1]]
        assert table("singletons", cluster, "ab").counts.tolist() == [[1, 0], [0, 1]]
    for choice in CHOICES:
        with pytest.raises(TableError, match="there are no labels"):
            table(choice, [], [])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"noise": "dropped"}, "noise is 'dropped': choose cluster, drop, singletons"),
        ({"noise": None}, "noise is None: choose"),
        ({"noise_label": [[1], -1]}, r"noise_label is \[1\], which cannot serve as a label"),
        ({"noise_label": np.array(5)}, r"noise_label is array\(5\), which cannot serve"),
        ({"noise_label": np.eye(2)}, r"noise_label is array\(\[1., 0.\]\), which cannot serve"),
        ({"noise_label": []}, "noise_label is empty"),
        ({"noise_label": set()}, "noise_label is empty"),
    ],
)
def test_a_choice_without_a_meaning_is_taken(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ContingencyTable.from_labels(TRUTH, CLUSTER, **options)
