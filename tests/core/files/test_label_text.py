"""Labels in text: separators, encodings, quotation marks, and what is refused."""

import pytest

from core.files import label_text
from core.files.errors import FaultKind
from core.files.label_files import LabelOptions, read_labels
from core.files.label_preview import preview
from core.table import ContingencyTable
from tests.core.files.label_cases import IRIS, fault, one

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


# Items that look like something else


def test_an_item_that_was_taken_for_names_is_spoken_of(file):
    path = file("7,z,q\n1,a,b\n2,a,c\n3,d,b\n")
    read = read_labels(path, LabelOptions(truth=0, predictions=(1, 2)))
    assert all(
        'the first line, "7", "z", "q", was taken for names of columns; it can be an item '
        "(header: no)" in table.notes
        for table in read.tables
    )
    named = file("item,truth,kmeans\n1,a,b\n2,a,c\n3,d,b\n", "named.csv")
    assert not [note for note in one(named).notes if "can be an item" in note]


def test_a_first_item_with_a_number_sign_was_lost_as_a_comment(file):
    table = one(file('#2;"a;b";x\n3;c;y\n#4;c;x\n5;a;y\n'), truth=1, predictions=(2,), header=False)
    assert table.table.total == 4
    two = one(file("#1;a;x\n#2;b;x\n3;a;y\n4;b;y\n"), truth=1, predictions=(2,), header=False)
    assert two.table.total == 4


def test_a_first_item_whose_label_has_a_line_break_lost_its_beginning(file):
    path = file('#2;"a\nb";x\n#3;c;y\n4;c;x\n5;c;y\n')
    table = one(path, truth=1, predictions=(2,), header=False).table
    assert (table.total, table.truth) == (4, ("a\nb", "c"))


def test_comments_stay_comments(file):
    text = '# made by "me, on a Monday\n# 3, May, 2024, at noon\ntruth,kmeans\na,0\nb,1\na,0\n'
    table = one(file(text))
    assert table.table.total == 3
    assert "2 comment lines were skipped" in table.notes


@pytest.mark.parametrize("noise", [("-1",), ("-1.0",), (" -1 ",)])
@pytest.mark.parametrize("label", ["-1", "-1.0"])
def test_noise_written_as_a_fraction_was_kept_as_a_cluster(file, noise, label):
    path = file(f"truth,kmeans\na,{label}\nb,1.0\na,0.0\nb,{label}\n")
    table = one(path, noise="drop", noise_labels=noise).table
    assert table.clusters == ("0.0", "1.0")
    assert table.noise.labels == (label,)
    assert preview(path, LabelOptions(noise="drop", noise_labels=noise)).summary.startswith(
        "2 classes × 2 clusters"
    )
