"""Labels of items counted into tables: columns, noise, what is missing, size."""

import csv
import io
import tracemalloc
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.files.errors import FaultKind
from core.files.label_files import LabelFile, LabelOptions, read_labels
from core.studies import study
from core.table import ContingencyTable
from tests.core.files.label_cases import IRIS, fault, one, workbook

# Columns


def test_each_prediction_is_a_table_named_after_its_column(file):
    labels = read_labels(file(IRIS))
    kmeans, dbscan = labels.tables
    assert (kmeans.name, kmeans.source) == ("kmeans", "labels.csv")
    assert kmeans.table == ContingencyTable.from_labels(list("aabbc"), [0, 0, 1, 0, 10])
    assert dbscan.table == ContingencyTable.from_labels(list("aabbc"), [-1, 0, 0, 1, 2])
    assert (labels.truth, labels.items) == ("truth", 5)


def test_a_number_of_each_item_is_no_prediction(file):
    assert "id" not in [table.name for table in read_labels(file(IRIS)).tables]


def test_columns_are_chosen_by_name_and_by_place(file):
    path = file(IRIS)
    assert one(path, truth="truth", predictions=("dbscan",)).name == "dbscan"
    assert one(path, truth=1, predictions=(2,)).name == "kmeans"
    # What is chosen is read, be it an id or not.
    assert one(path, truth=1, predictions=("id",)).table.shape == (3, 5)


def test_two_columns_of_one_name_are_addressed_by_place(file):
    path = file("truth,k,k\na,0,1\nb,1,1\n")
    assert "numbered" not in str(fault(path, predictions=("k",)))
    assert "2 and 3" in str(fault(path, predictions=("k",)))
    first, second = read_labels(path, LabelOptions(predictions=(1, 2))).tables
    assert (first.name, second.name) == ("k (column 2)", "k (column 3)")
    assert (first.table.shape, second.table.shape) == ((2, 2), (2, 1))


def test_a_column_that_is_not_there_is_named_with_those_that_are(file):
    assert '"id", "truth", "kmeans", "dbscan"' in str(fault(file(IRIS), truth="gold"))
    assert "numbered 1 to 4" in str(fault(file(IRIS), truth=7))
    assert "at once" in str(fault(file(IRIS), truth=1, predictions=(1,)))


def test_truth_is_asked_for_where_no_name_tells_it(file):
    path = file("one,two,three\na,x,p\na,x,p\nb,y,q\nb,x,q\n")
    assert "which" in str(fault(path))
    assert len(read_labels(path, LabelOptions(truth="two")).tables) == 2


def test_two_columns_without_names_are_truth_and_prediction(file):
    table = one(file("a,0\nb,1\na,0\n"))
    assert table.table == ContingencyTable.from_labels(["a", "b", "a"], [0, 1, 0])
    assert table.name == "column 2"


def test_one_column_is_refused(file):
    assert "one column" in str(fault(file("truth\na\nb\n")))


def test_a_swapped_table_has_the_predictions_as_rows(file):
    plain, swapped = one(file(IRIS), predictions=(2,)), one(file(IRIS), predictions=(2,), swap=True)
    assert swapped.table == plain.table.transpose()
    assert swapped.notes == ("rows are the predictions and columns the truth classes",)


# Labels


def test_labels_are_text_and_never_numbers(file):
    table = one(file("truth,cluster\n1,a\n1.0,a\n01,b\n1e0,b\n+1,b\n")).table
    assert set(table.truth) == {"1", "1.0", "01", "1e0", "+1"}


def test_whole_numbers_stand_in_the_order_of_numbers(file):
    table = one(file("truth,cluster\n10,2\n9,11\n-1,1\n"), noise_labels=("7",)).table
    assert (table.truth, table.clusters) == (("-1", "9", "10"), ("1", "2", "11"))


def test_a_word_for_noise_does_not_put_ten_before_nine(file):
    path = file("truth,cluster\na,10\nb,noise\nb,9\n")
    assert one(path, noise_labels=("noise",)).table.clusters == ("noise", "9", "10")


def test_labels_that_differ_in_blanks_around_them_are_one_and_noted(file):
    table = one(file("truth,cluster\ncat ,0\ncat,0\n dog,1\n"))
    assert table.table.truth == ("cat", "dog")
    assert table.notes == ('blanks around labels of "truth" were left out',)


def test_signs_of_missing_values_are_labels_and_mentioned(file):
    table = one(file("truth,cluster\nNA,0\na,1\n"))
    assert table.table.truth == ("NA", "a")
    assert table.notes == ('"NA" in "truth" counts as a label, not as a missing one',)


# Missing labels and noise


HOLES = "truth,cluster\na,0\n,0\na,\nb,-1\nb,1\n"


def test_a_missing_label_is_refused_with_its_place(file):
    error = fault(file(HOLES))
    assert error.kind is FaultKind.MISSING
    assert 'line 3: the item has no label in column "truth"' in str(error)
    assert 'line 4: the item has no label in column "cluster"' in str(
        fault(file(HOLES.replace(",0\n,0", ",0\na,0")))
    )


def test_a_missing_label_after_blank_lines_and_quoted_line_ends_is_found(file):
    text = 'truth,cluster\n\n"a\nb",0\n\na,\n'
    assert "line 6:" in str(fault(file(text)))


def test_items_without_a_label_are_left_out_with_a_note(file):
    table = one(file(HOLES), missing="drop")
    assert table.table == ContingencyTable.from_labels(["a", "b", "b"], [0, -1, 1])
    assert table.notes == ("2 items without a label were left out",)


def test_missing_predictions_can_be_noise_but_missing_truth_cannot(file):
    assert "never noise" in str(fault(file(HOLES), missing="noise"))
    path = file(HOLES.replace("\n,0", "\na,0"))
    for options in ({"missing": "noise"}, {"noise_labels": ("-1", "")}):
        table = one(path, noise="drop", **options).table
        assert (table.noise.items, table.noise.labels) == (2, ("-1", "(blank)"))
        assert table.counts.tolist() == [[2, 0], [0, 1]]


def test_no_item_is_left_where_all_lack_a_label(file):
    assert "none is left" in str(fault(file("truth,cluster\na,\nb,\n"), missing="drop"))
    error = fault(file("truth,cluster\na,-1\nb,-1\n"), noise="drop")
    assert "noise=" not in str(error)
    assert "none is left" in str(error)


@pytest.mark.parametrize("noise", ["cluster", "drop", "singletons"])
@pytest.mark.parametrize("label", ["-1", "5"])
def test_noise_is_treated_as_labels_are(file, noise, label):
    truth, cluster = list("aabbc"), [-1, 0, 0, 1, -1]
    rows = "".join(f"{a},{b}\n" for a, b in zip(truth, cluster, strict=True))
    expected = ContingencyTable.from_labels(truth, cluster, noise=noise, noise_label=int(label))
    read = one(file("truth,cluster\n" + rows), noise=noise, noise_labels=(label,)).table
    assert read == expected
    assert read.noise == expected.noise


# Size and steps


def test_a_large_file_is_read_in_many_steps_that_can_be_the_last(file, monkeypatch):
    monkeypatch.setattr(study, "STEP_SECONDS", 0.0)
    monkeypatch.setattr(study.Pulse, "due", lambda _self: True)
    path = file("truth,cluster\n" + "".join(f"{i % 7},{i % 11}\n" for i in range(50_000)))
    steps = list(LabelFile(path).run())
    assert len(steps) > 10
    assert all(step.result is None for step in steps[:-1])
    result = steps[-1].result
    assert result is not None
    assert result.tables[0].table.total == 50_000
    for stop in range(0, len(steps), 5):
        running = LabelFile(path).run()
        for _ in range(stop):
            next(running)
        running.close()


def test_many_distinct_labels_are_sorted_and_counted(file):
    n = 40_000
    path = file("truth,cluster\n" + "".join(f"{(i * 7919) % n},c{i % 3}\n" for i in range(n)))
    table = one(path, truth=0, predictions=(1,)).table
    assert table.truth == tuple(map(str, range(n)))
    assert table.total == n


def test_memory_does_not_hold_the_labels_of_all_items(file):
    path = file("truth,cluster\n" + "the same long label of many items,0\n" * 200_000)
    tracemalloc.start()
    try:
        read_labels(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # Four bytes a label, the arrays made of them, and a block of text at a time.
    assert peak < 8_000_000


# Round trips


LABEL = st.one_of(
    st.integers(-1, 12).map(str),
    st.sampled_from(
        ["a", "b", "C", "1.0", "01", "ß", "x,y", 'q"q', "a b", "l\nl", "-", "#5", ";", "=1"]
    ),
    st.text(st.characters(min_codepoint=33, max_codepoint=0x2FF), min_size=1, max_size=4),
).filter(lambda label: label == label.strip(" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0") and label)
PAIRS = st.lists(st.tuples(LABEL, LABEL), min_size=1, max_size=30)


def counted(pairs):
    return Counter((a, b) for a, b in pairs)


def as_pairs(table):
    cells = zip(*(part.tolist() for part in table.cells), strict=True)
    return Counter({(table.truth[i], table.clusters[j]): n for i, j, n in cells})


@given(PAIRS, st.sampled_from([",", ";", "\t"]), st.sampled_from(["\n", "\r\n"]), st.booleans())
@settings(deadline=None)
def test_labels_written_as_text_come_back(tmp_path_factory, pairs, separator, end, header):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator=end)
    writer.writerows([("truth", "cluster")] * header + pairs)
    path = tmp_path_factory.mktemp("labels") / "x.csv"
    path.write_bytes(out.getvalue().encode())
    options = LabelOptions(
        truth=0, predictions=(1,), separator=separator, header=header, encoding="utf-8"
    )
    (read,) = read_labels(path, options).tables
    expected = ContingencyTable.from_labels(*zip(*pairs, strict=True))
    assert as_pairs(read.table) == counted(pairs) == as_pairs(expected)
    assert sorted(read.table.truth) == list(expected.truth)
    assert sorted(read.table.clusters) == list(expected.clusters)


@given(
    st.lists(st.tuples(st.integers(-3, 15), st.integers(-1, 12)), min_size=1, max_size=30),
    st.sampled_from(["cluster", "singletons"]),
)
@settings(deadline=None, max_examples=50)
def test_whole_numbers_written_anywhere_give_the_table_of_their_labels(
    tmp_path_factory, pairs, noise
):
    truth, cluster = zip(*pairs, strict=True)
    expected = ContingencyTable.from_labels(truth, cluster, noise=noise)
    folder = tmp_path_factory.mktemp("labels")
    rows = [("truth", "cluster"), *pairs]
    (folder / "x.csv").write_text("".join(f"{a},{b}\n" for a, b in rows))
    workbook(folder / "x.xlsx", rows)
    np.savez(folder / "x.npz", truth=truth, cluster=cluster)
    for name in ("x.csv", "x.xlsx", "x.npz"):
        options = LabelOptions(truth="truth", predictions=("cluster",), noise=noise)
        (read,) = read_labels(folder / name, options).tables
        assert read.table == expected
        assert read.table.noise == expected.noise
