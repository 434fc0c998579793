"""How labels of items are read from files and counted into tables, and what is refused."""

import csv
import io
import sys
import tracemalloc
import types
from collections import Counter

import numpy as np
import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.files import label_text
from core.files.errors import FaultKind, ReadError
from core.files.label_files import LabelFile, LabelOptions, read_labels
from core.files.label_preview import preview
from core.studies import study
from core.table import ContingencyTable

IRIS = "id,truth,kmeans,dbscan\n1,a,0,-1\n2,a,0,0\n3,b,1,0\n4,b,0,1\n5,c,10,2\n"


@pytest.fixture
def file(tmp_path):
    def write(content, name="labels.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write


def fault(path, **options):
    with pytest.raises(ReadError) as caught:
        read_labels(path, LabelOptions(**options))
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message
    return caught.value


def one(path, **options):
    (table,) = read_labels(path, LabelOptions(**options)).tables
    return table


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


# Text


@pytest.mark.parametrize(
    "text",
    [
        "truth,cluster\na b,0\n",
        "truth\tcluster\na b\t0\n",
        "truth;cluster\r\na b;0\r\n",
        "truth,cluster\ra b,0\r",
        "truth,cluster\na b,0",
        '"truth", "cluster"\n"a b", "0"\n',
        "sep=;\ntruth;cluster\na b;0\n",
        "\ufefftruth,cluster\na b,0\n",
        "# a comment\n\ntruth,cluster\na b,0\n\n\n",
        "truth,cluster\na b,0,,\n",
        '"truth" "cluster"\n"a b" 0\n',
    ],
)
def test_every_usual_way_to_separate_labels_is_read(file, text):
    separator = " " if text.endswith('"a b" 0\n') else None
    table = one(file(text), separator=separator).table
    assert (table.truth, table.clusters, table.total) == (("a b",), ("0",), 1)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32", "utf-8-sig", "cp1252"])
def test_every_usual_encoding_is_read(file, encoding):
    text = "truth,cluster\n" + "Größe,0\n" * 40_000
    assert one(file(text, encoding=encoding)).table.truth == ("Größe",)
    assert one(file(text, encoding=encoding), encoding=encoding).table.truth == ("Größe",)


def test_a_file_that_stops_being_utf_8_late_is_windows_1252(file):
    text = b"truth,cluster\n" + b"a,0\n" * 100_000 + b"Gr\xf6\xdfe,1\n"
    table = one(file(text))
    assert table.table.truth == ("Größe", "a")
    assert table.notes == ("the file is not UTF-8 and was taken for Windows-1252",)


def test_an_unknown_encoding_is_named(file):
    for encoding in ("klingon", "hex", "rot13", "a\0b"):
        assert fault(file(IRIS), encoding=encoding).kind is FaultKind.ENCODING
    assert fault(file("truth,cluster\nä,0\n"), encoding="ascii").kind is FaultKind.ENCODING


def test_a_header_as_r_writes_it_is_one_cell_short(file):
    path = file('"truth","cluster"\n"1","a","0"\n"2","b","1"\n"3","a","0"\n')
    assert one(path).table == ContingencyTable.from_labels(["a", "b", "a"], [0, 1, 0])


def test_a_header_that_begins_with_a_mark_of_comments_is_a_header(file):
    labels = read_labels(file("# by hand\n#id,truth,cluster\n1,a,0\n2,a,0\n3,b,1\n"))
    assert labels.items == 3
    assert [table.notes for table in labels.tables] == [("1 comment line was skipped",)]


def test_a_label_with_a_line_end_in_quotes_is_one_label(file):
    table = one(file('truth,cluster\n"a\nb, c",0\n"say ""so""",1\n')).table
    assert set(table.truth) == {"a\nb, c", 'say "so"'}


def test_quotation_marks_can_be_part_of_labels(file):
    path = file('truth,cluster\n"a,0\nb",1\n')
    assert one(path, quotes=False).table.truth == ('"a', 'b"')


def test_blank_lines_are_skipped_and_noted(file):
    table = one(file("truth,cluster\na,0\n\n  \nb,1\n"))
    assert table.table.total == 2
    assert table.notes == ("2 blank lines were skipped",)


@pytest.mark.parametrize("lines", [3, 200_000])
def test_a_line_of_another_length_is_named(file, lines):
    text = "# x\ntruth,cluster\n" + "a,0\n" * lines + "a\n" + "b,1\n" * 2
    error = fault(file(text))
    assert (error.kind, error.line) == (FaultKind.RAGGED, lines + 3)
    assert f"line {lines + 3}" in str(error)


@pytest.mark.parametrize("lines", [3, 200_000])
@pytest.mark.parametrize(
    ("row", "words"), [('"b,1\n', "not closed"), ('"b"c,1\n', "closes before")]
)
def test_a_quotation_mark_out_of_place_is_named(file, lines, row, words):
    error = fault(file("truth,cluster\n" + "a,0\n" * lines + row + "a,0\n" * 3))
    assert (error.kind, error.line) == (FaultKind.QUOTE, lines + 2)
    assert words in str(error)


def test_a_quotation_mark_that_swallows_the_rest_of_a_large_file_is_named(file):
    error = fault(file("truth,cluster\n" + "a,0\n" * 90_000 + '"b,1\n' + "a,0\n" * 90_000))
    assert (error.kind, error.line) == (FaultKind.QUOTE, 90_002)


@pytest.mark.parametrize("lines", [3, 200_000])
def test_a_zero_byte_is_named_by_line_and_column(file, lines):
    error = fault(file("truth,cluster\n" + "a,0\n" * lines + "b,1\0\n"))
    assert (error.line, error.column) == (lines + 2, 1)
    assert f"line {lines + 2}, column 2" in str(error)


def test_a_line_without_end_is_refused(file, monkeypatch):
    monkeypatch.setattr(label_text, "_LONGEST_LINE", 1 << 17)
    path = file("truth,cluster\na,0\n" + "x" * (1 << 19))
    assert fault(path).kind is FaultKind.TOO_LONG


@pytest.mark.parametrize(
    "content", [b"", b" \n\n", b"\xff\xfe", b"%PDF-1.4", b"\xd0\xcf\x11\xe0" * 2]
)
def test_what_holds_no_labels_is_refused_in_a_sentence(file, content):
    fault(file(content))


def test_names_without_labels_are_refused(file):
    assert "no labels" in str(fault(file("truth,cluster\n")))


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    assert "does not exist" in str(fault(tmp_path / "none.csv"))
    assert "folder" in str(fault(tmp_path))


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


# Other files


def workbook(path, rows, title="Sheet"):
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_a_sheet_is_read_with_numbers_as_they_are_shown(tmp_path):
    rows = [["truth", "kmeans"], ["a", 1], ["b", 2.0], [True, 10], [None, None], [7, "01"]]
    table = one(workbook(tmp_path / "x.xlsx", rows), truth=0, predictions=(1,))
    assert set(table.table.truth) == {"a", "b", "TRUE", "7"}
    assert table.table.clusters == ("01", "1", "2", "10")
    assert table.notes == ("1 blank row was skipped",)


def test_a_missing_label_of_a_sheet_is_named_by_its_row(tmp_path):
    rows = [[], ["", "truth", "k"], ["", "a", 1], [], [], ["", "b", "#N/A"], ["", "b", 1]]
    path = workbook(tmp_path / "x.xlsx", rows)
    assert 'sheet "Sheet", row 6' in str(fault(path, truth=0, predictions=(1,)))


def test_a_sheet_is_chosen_by_name(tmp_path):
    path = workbook(tmp_path / "x.xlsx", [["truth", "k"], ["a", 1]], "Labels")
    book = openpyxl.load_workbook(path)
    book.create_sheet("Other").append(["truth", "k"])
    book["Other"].append(["b", 2])
    book.save(path)
    assert one(path, sheet="Other").table.truth == ("b",)
    assert one(path).notes == ('the sheet "Labels" was read, one of 2',)
    assert '"Labels", "Other"' in str(fault(path, sheet="None"))


def test_a_damaged_workbook_is_refused_in_a_sentence(tmp_path):
    path = workbook(tmp_path / "x.xlsx", [["truth", "k"]] + [["a", i] for i in range(999)])
    data = path.read_bytes()
    for cut in (len(data) // 2, len(data) - 10):
        path.write_bytes(data[:cut])
        assert "damaged" in str(fault(path))


def test_arrays_are_columns(tmp_path):
    truth, kmeans = np.array(["b", "a", "b"]), np.array([10, 9, 10])
    np.savez(tmp_path / "y.npz", truth=truth, kmeans=kmeans[:2])
    assert "give every item" in str(fault(tmp_path / "y.npz"))
    np.savez(tmp_path / "x.npz", truth=truth, kmeans=kmeans, centre=np.zeros(5))
    table = one(tmp_path / "x.npz")
    assert table.table == ContingencyTable.from_labels(truth, kmeans)
    assert table.notes == ('arrays that are no labels of these items were left out: "centre"',)


def test_an_array_of_two_axes_has_a_column_of_labels_in_each(tmp_path):
    columns = np.array([[1, 0], [2, 1], [1, 1]])
    for array in (columns, np.asfortranarray(columns)):
        np.save(tmp_path / "x.npy", array)
        table = one(tmp_path / "x.npy")
        assert table.table == ContingencyTable.from_labels([1, 2, 1], [0, 1, 1])


def test_an_array_of_records_has_its_fields_as_columns(tmp_path):
    fields = [("truth", "i4"), ("cluster", "f8")]
    np.save(tmp_path / "x.npy", np.array([(1, -1.0), (2, np.nan)], dtype=fields))
    assert 'item 2: the item has no label in column "cluster"' in str(fault(tmp_path / "x.npy"))
    assert one(tmp_path / "x.npy", missing="drop").table.clusters == ("-1.0",)


def test_arrays_of_objects_are_never_unpickled(tmp_path):
    objects = np.array(["a", None], dtype=object)
    np.save(tmp_path / "x.npy", objects)
    np.savez(tmp_path / "x.npz", truth=objects)
    for name in ("x.npy", "x.npz"):
        assert "Python objects" in str(fault(tmp_path / name))


def test_an_array_that_claims_to_be_huge_is_refused(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.zeros((3, 2), int))
    data = path.read_bytes()
    claim = data.replace(b"(3, 2), }" + b" " * 10, b"(30000000000, 2), }")
    assert len(claim) == len(data)
    assert claim != data
    path.write_bytes(claim)
    assert "damaged" in str(fault(path))


def test_parquet_without_its_package_says_what_to_do(file, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert "pyarrow" in str(fault(file(b"PAR1....PAR1", "x.parquet")))


def test_parquet_is_read_batch_by_batch(file, monkeypatch):
    columns = {"truth": ["a", "b", "a"], "kmeans": [1, 10, 1], "score": [0.5, 0.6, 0.7]}

    class Batch:
        def __init__(self, names):
            self.schema = types.SimpleNamespace(names=names)
            self.num_rows = 3

        def column(self, i):
            return types.SimpleNamespace(to_pylist=lambda: columns[self.schema.names[i]])

    class ParquetFile:
        def __init__(self, path):
            self.schema_arrow = types.SimpleNamespace(names=list(columns))
            self.metadata = types.SimpleNamespace(num_rows=3)

        def iter_batches(self, batch_size, columns=("truth", "kmeans", "score")):
            yield Batch(list(columns))

    module = types.ModuleType("pyarrow.parquet")
    monkeypatch.setattr(module, "ParquetFile", ParquetFile, raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", module)
    table = one(file(b"PAR1....PAR1", "x.parquet"), truth="truth", predictions=("kmeans",))
    assert table.table == ContingencyTable.from_labels(["a", "b", "a"], [1, 10, 1])


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


# Preview


def fault_of(path, **options):
    seen = preview(path, LabelOptions(**options))
    return seen.fault or ""


def test_a_preview_tells_what_the_columns_seem_to_be(file):
    seen = preview(file(IRIS))
    assert [column.guess for column in seen.columns] == ["id", "truth", "prediction", "prediction"]
    assert (seen.truth, seen.predictions, seen.noise_guess) == (1, (2, 3), ("-1",))
    assert (seen.options.separator, seen.options.header) == (",", True)
    assert seen.options.encoding == "UTF-8"
    assert seen.columns[2].first == ("0", "0", "1", "0", "10")
    assert seen.columns[2].distinct == 3
    assert seen.fault is None
    assert seen.lines[:2] == (2, 3)
    assert not seen.is_counts


@pytest.mark.parametrize(
    ("names", "truth"),
    [
        ("label,y_true,k", 1),
        ("Class,Cluster,k", 0),
        ("k,x,Ground Truth", 2),
        ("k_means,target,trueness", 1),
        ("y_pred,trueLabels,b", 1),
        ("cluster,species,b", 1),
        ("kmeans,dbscan,iris", 2),
    ],
)
def test_truth_is_found_by_its_name(file, names, truth):
    rows = "a,x,p\na,x,p\nb,y,q\nb,x,q\n"
    assert preview(file(f"{names}\n{rows}")).truth == truth


def test_measurements_are_no_labels(file):
    rows = "".join(f"{i % 3},{i % 2},{1 + i / 7:.3f}\n" for i in range(30))
    seen = preview(file("species,km,width\n" + rows))
    assert seen.predictions == (1,)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("truth\\cluster,0,1\na,8,2\nb,1,9\n", True),
        (",c1,c2\na,8,2\nb,1,9\n", True),
        ("digit,0,1,2\n4,151,88,7\n5,302,330,0\n", True),
        ("151,88,72\n302,330,0\n161,0,313\n", True),
        (IRIS, False),
        ("0,1\n0,1\n1,0\n", False),
        ("truth,cluster\n0,0\n1,1\n2,0\n", False),
    ],
)
def test_a_table_of_counts_is_told_from_labels(file, text, counts):
    assert preview(file(text)).is_counts is counts


def test_the_summary_says_what_noise_and_gaps_would_do(file):
    path = file("truth,cluster\na,0\n,0\na,-1\nb,-1\nb,1\n")
    assert "Line 3" in fault_of(path)
    seen = preview(path, LabelOptions(missing="drop", noise="singletons"))
    assert seen.fault is None
    assert seen.summary == (
        "2 classes × 4 clusters from 5 rows; 2 items labelled -1 are noise, each a cluster of "
        "its own; 1 item lacks a label and is left out"
    )


def test_a_preview_reads_a_bounded_part(file):
    seen = preview(file("truth,cluster\n" + "a,0\n" * 500_000))
    assert (len(seen.rows), seen.complete) == (50, False)
    assert seen.looked_at < 50_000
    assert "previewed" in seen.summary


def test_a_preview_shows_rows_of_any_length_with_the_fault(file):
    path = file("truth,cluster\na,0\nb\nc,1\n")
    assert preview(path).rows == (("a", "0"), ("b",), ("c", "1"))
    assert fault_of(path).startswith("Line 3: it has 1 cell")
    path = file('truth,cluster\na,0\n"b,1\n')
    assert "not closed" in fault_of(path)
    assert preview(path).rows == (("a", "0"),)


def test_a_choice_that_gives_no_table_is_a_fault_and_no_error(file):
    assert "at least one" in fault_of(file(IRIS), predictions=())
    assert "one column" in fault_of(file("a\nb\n"))
