"""How tables are read from text: separators, names, numbers, and what is refused."""

import contextlib
import io
import json
import os
import socket
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import score
from core.files import block, decoding
from core.files.errors import CountError, FaultKind, ReadError
from core.files.results import ScoredTable, scores_csv
from core.files.tables import (
    ReadOptions,
    TableFile,
    parse_table,
    read_table,
    stamp_of,
    table_text,
)
from core.studies import study
from core.table import ContingencyTable, TableError

REFERENCE = Path(__file__).parents[2] / "reference"


def read(text, **options):
    return parse_table(text, ReadOptions(**options))


def rows(text, **options):
    return read(text, **options).table.counts.tolist()


def names(text, **options):
    table = read(text, **options).table
    return table.truth, table.clusters


def fault(text, **options):
    with pytest.raises(ReadError) as caught:
        read(text, **options)
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message
    assert isinstance(caught.value, TableError)
    return caught.value


# Separators


@pytest.mark.parametrize(
    "text",
    [
        "1\t2\n3\t4\n",
        "1;2\n3;4\n",
        "1,2\n3,4\n",
        "1, 2\n3, 4\n",
        "1 2\n3 4\n",
        "  1   2\n 3  4  \n",
        "1,2\r\n3,4\r\n",
        "1,2\r3,4\r",
        "1,2\n3,4",
        '"1","2"\n"3","4"\n',
        "sep=;\n1;2\n3;4\n",
        "\ufeff1,2\n3,4\n",
        "# made by hand\n\n1,2\n3,4\n",
    ],
)
def test_every_usual_way_to_separate_cells_is_read(text):
    assert rows(text) == [[1, 2], [3, 4]]


def test_decimal_commas_with_semicolons_are_fractions_and_not_columns():
    error = fault("10,5;3,2\n1,5;2,5\n")
    assert (error.kind, error.line, error.column) == (FaultKind.FRACTION, 1, 0)


def test_a_semicolon_wins_over_commas_in_names():
    assert names(";a,b;c,d\nx,y;1;2\n") == (("x,y",), ("a,b", "c,d"))


def test_separators_and_line_ends_in_quotes_do_not_count():
    table = read(',"a;b\n;c","d"\n"x;\ty",1,2\n').table
    assert table.clusters == ("a;b\n;c", "d")
    assert table.truth == ("x;\ty",)


def test_a_line_without_the_separator_is_named_instead_of_changing_the_separator():
    error = fault("a;b;c\n1;2;3\n4 5 6\n7;8;9\n")
    assert (error.kind, error.line) == (FaultKind.RAGGED, 3)


def test_one_column_is_a_table():
    assert rows("3\n4\n5\n") == [[3], [4], [5]]
    assert names("n\n3\n4\n")[1] == ("n",)
    assert rows("7") == [[7]]


def test_a_grouped_number_in_one_column_is_asked_about():
    assert fault("1,234\n5\n6\n").kind is FaultKind.THOUSANDS


def test_the_separator_can_be_said():
    assert rows("1;2\n3;4\n", separator=";") == [[1, 2], [3, 4]]
    assert fault("1;2\n3;4\n", separator=",").kind is FaultKind.TEXT


@pytest.mark.parametrize("separator", [None, ","])
def test_one_mark_cannot_separate_cells_and_thousands(separator):
    error = fault("K,a,b\nx,1,234,2\ny,1,005,9\n", thousands=",", separator=separator)
    assert error.kind is FaultKind.THOUSANDS
    assert "commas separate the cells, so they cannot separate thousands" in str(error).lower()
    assert rows("K;a;b\nx;1,234;2\n", thousands=",") == [[1234, 2]]
    assert rows("1 234;2\n", thousands=" ") == [[1234, 2]]


# Names


def test_numbers_are_names_below_a_blank_corner():
    parsed = read(",0,1,2,3\n4,151,88,72,260\n5,302,330,0,158\n")
    assert (parsed.header, parsed.index) == (True, True)
    assert parsed.table.truth == ("4", "5")
    assert parsed.table.clusters == ("0", "1", "2", "3")
    assert parsed.table.counts.tolist() == [[151, 88, 72, 260], [302, 330, 0, 158]]


@pytest.mark.parametrize(
    "corner", ["truth\\cluster", "class/cluster", "Truth", "true label", "class vs cluster", "id"]
)
def test_a_corner_that_speaks_of_classes_makes_numbers_names(corner):
    assert names(f"{corner},0,1\n4,1,2\n5,3,4\n") == (("4", "5"), ("0", "1"))


def test_an_unknown_word_in_the_corner_is_no_cluster():
    assert names("digit,0,1\n4,1,2\n5,3,4\n") == (("4", "5"), ("0", "1"))
    assert names("digit,C1,C2\n4,1,2\n5,3,4\n") == (("4", "5"), ("C1", "C2"))


def test_words_of_classes_and_clusters_in_every_name_make_no_corner():
    assert names("cluster 0,cluster 1\n1,2\n3,4\n")[1] == ("cluster 0", "cluster 1")
    assert names("Class A,Class B\n1,2\n3,4\n")[1] == ("Class A", "Class B")


def test_a_first_line_one_cell_shorter_is_a_header_as_r_writes_it():
    assert names("0 1 2\n4 5 6 7\n5 8 9 1\n") == (("4", "5"), ("0", "1", "2"))
    assert names('"a b" "c"\n"x y" 1 2\n"z" 3 4\n') == (("x y", "z"), ("a b", "c"))
    assert names("   0  1\ncat  1  2\ndog  3  4\n") == (("cat", "dog"), ("0", "1"))


def test_names_of_classes_alone_and_of_clusters_alone_are_found():
    assert names("cat,5,3\ndog,2,9\n") == (("cat", "dog"), ("C1", "C2"))
    assert names("a,b\n5,3\n2,9\n") == (("T1", "T2"), ("a", "b"))
    assert names("cat,5,3\n") == (("cat",), ("C1", "C2"))


def test_numbers_alone_are_counts():
    parsed = read("1,2\n3,4\n")
    assert (parsed.header, parsed.index) == (False, False)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("x,88,72\n302,330,0\n161,0,313\n", 1, 1),
        ("5,x,3\n1,2,3\n", 1, 2),
        ("5,2,x\n1,2,3\n", 1, 3),
        ("4,1,2\nx,3,4\n5,6,7\n", 2, 1),
        ("4,1,2\n5,x,4\n6,6,7\n", 2, 2),
        ("cat,5,x,3\ndog,1,2,3\n", 1, 3),
        (",a,b\ncat,1,x\n", 2, 3),
    ],
)
def test_one_bad_count_does_not_become_a_name(text, line, column):
    error = fault(text)
    assert isinstance(error, CountError)
    assert (error.kind, error.line, error.column) == (FaultKind.TEXT, line, column - 1)
    assert error.row == line - 1
    assert f"line {line}, column {column}".lower() in str(error).lower()


def test_a_bad_count_is_read_as_a_name_if_the_user_says_so():
    assert names("4,1,2\nx,3,4\n", index=True)[0] == ("4", "x")
    assert names("5,x\n1,2\n", header=True)[1] == ("5", "x")
    assert rows("1,2\n3,4\n", header=True, index=True) == [[4]]
    assert rows(",a\n1,2\n", header=True, index=False) == [[1, 2]]


def test_two_names_that_are_equal_do_no_harm():
    parsed = read(",a,a\nx,1,2\nx,3,4\n")
    assert parsed.table.clusters == ("a", "a")
    assert [note for note in parsed.notes if '"a"' in note]


def test_blanks_around_names_are_dropped_in_files_of_others():
    assert names(", a ,\u00a0b\n cat, 1, 2\n") == (("cat",), ("a", "b"))


def test_how_it_was_read_is_told():
    parsed = read(",a,b\nx,1,2\n")
    assert parsed.how.startswith("Commas separate the cells")
    assert "first line names the clusters" in parsed.how


# Blank cells, rows and columns; ragged rows


def test_blank_rows_and_columns_at_the_end_are_dropped():
    assert rows("1,2,,\n3,4,,\n,,,\n,,,\n\n") == [[1, 2], [3, 4]]
    assert names(",a,b,\nx,1,2,\n,,,\n") == (("x",), ("a", "b"))


def test_a_blank_cell_is_named_and_not_taken_for_zero():
    error = fault(",a,b\nx,1,\ny,3,4\n")
    assert (error.kind, error.line, error.column) == (FaultKind.BLANK, 2, 2)
    assert "class x, cluster b" in str(error)
    parsed = read(",a,b\nx,1,\ny,3,4\n", blank="zero")
    assert parsed.table.counts.tolist() == [[1, 0], [3, 4]]
    assert "1 blank cell was read as 0" in parsed.notes


def test_a_blank_line_inside_is_named():
    error = fault("1,2\n\n3,4\n")
    assert (error.kind, error.line) == (FaultKind.BLANK_LINE, 2)
    assert fault("1,2\n,\n3,4\n").line == 2
    assert rows("1,2\n,\n3,4\n", blank="zero") == [[1, 2], [0, 0], [3, 4]]


@pytest.mark.parametrize(
    ("text", "line", "has"),
    [
        ("1,2,3\n4,5\n6,7,8\n", 2, 2),
        ("1,2,3\n4,5,6\n7,8,9,10\n", 3, 4),
        ("1,2\n3,4,5,6\n7,8,9,1\n", 1, 2),
        (",a,b\nx,1,2\ny,1,2,3\n", 3, 4),
        ("7,7\n3,4,5\n6,7,8\n", 1, 2),
    ],
)
def test_a_ragged_row_is_named_with_its_cells(text, line, has):
    error = fault(text)
    assert (error.kind, error.line) == (FaultKind.RAGGED, line)
    assert f"has {has} cells" in str(error)


def test_lines_are_those_of_the_file_where_comments_and_names_span_lines():
    error = fault('# a\n# b\n,"c\nd",e\nx,1,2\ny,3,-4\n')
    assert error.line == 6
    assert "class y, cluster e" in str(error)


def test_a_quotation_mark_that_is_not_closed_is_named():
    error = fault('a,b\n1,2\n3,"4\n5,6\n')
    assert (error.kind, error.line) == (FaultKind.QUOTE, 3)


@pytest.mark.parametrize(
    "name", ["x" * 131_073, f'"{"x" * 131_073}"', f'"{"x,y" * 50_000}"', f'"a\n""{"x" * 131_072}"']
)
def test_a_name_that_is_too_long_is_no_quotation_mark_that_is_not_closed(name):
    for text in (f",a,b\nc,1,2\n{name},3,4\nd,5,6\n", f",a,b\nc,1,2\n{name},3,4"):
        error = fault(text)
        assert (error.kind, error.line) == (FaultKind.TOO_LONG, 3)
        assert "131,072 characters" in str(error)


def test_a_quotation_mark_that_swallows_too_much_is_no_name_that_is_too_long():
    lines = "c,1,2\n" * 30_000
    for text in (f',a,b\n"c,1,2\n{lines}', f',a,b\n"c,1,2\n{lines}"d",1,2\n'):
        error = fault(text)
        assert (error.kind, error.line) == (FaultKind.QUOTE, 2)


@pytest.mark.parametrize("name", ["dog", 'the "dog"', "\n\ndog", "", " "])
def test_an_export_that_was_cut_is_not_read_as_a_smaller_table(name):
    table = ContingencyTable([[8, 2], [1, 9]], ["cat", name], ["a", "b"])
    text = scores_csv([ScoredTable(score(table), "pets")])
    whole = text.index("\n\nmetric") + 2
    assert read(text[:whole]).table == table
    for end in range(text.index("\n") + 1, whole):
        error = fault(text[:end])
        assert error.kind is FaultKind.CUT
        assert "export ends early" in str(error)


@pytest.mark.parametrize("text", ["", "  \n\n", ",,\n,,\n", "# only this\n", "\ufeff"])
def test_nothing_is_said_to_be_nothing(text):
    assert fault(text).kind is FaultKind.EMPTY


@pytest.mark.parametrize("text", ["a,b,c\n", ",a,b\n", "truth\\cluster,a\n"])
def test_a_header_without_counts_is_said_to_be_one(text):
    assert fault(text).kind is FaultKind.NO_COUNTS


def test_a_list_of_labels_is_not_read_as_a_table():
    error = fault("truth,cluster\n0,1\n1,1\n0,0\n")
    assert error.kind is FaultKind.LABELS
    assert "import them as labels" in str(error)
    assert rows("truth,cluster\n0,1\n1,1\n", header=True, index=False) == [[0, 1], [1, 1]]


# Counts


def test_fractional_and_negative_counts_of_bug_reports_are_named():
    cases = json.loads((REFERENCE / "cases.json").read_text("utf-8"))["cases"]
    rejected = [case["reject"] for case in cases if "reject" in case]
    assert len(rejected) == 2
    for case in rejected:
        text = "\n".join("\t".join(map(str, row)) for row in case)
        error = fault(text)
        row, column = next(
            (i, j) for i, row in enumerate(case) for j, n in enumerate(row) if n < 0 or n % 1
        )
        assert (error.row, error.column) == (row, column)
        assert error.value == str(case[row][column])


def test_counts_of_bug_reports_are_read_as_they_are():
    cases = json.loads((REFERENCE / "cases.json").read_text("utf-8"))["cases"]
    for case in cases:
        if "table" in case:
            text = "\n".join(",".join(map(str, row)) for row in case["table"])
            assert rows(text, header=False, index=False) == case["table"]


def test_thousands_are_read_when_they_are_said():
    text = "1.234;5\n6;7\n"
    error = fault(text)
    assert isinstance(error, CountError)
    assert (error.kind, error.mark) == (FaultKind.THOUSANDS, ".")
    assert rows(text, thousands=error.mark) == [[1234, 5], [6, 7]]


def test_a_count_beyond_64_bits_is_named_and_does_not_wrap():
    error = fault("9223372036854775808,1\n2,3\n")
    assert (error.kind, error.row, error.column) == (FaultKind.TOO_LARGE, 0, 0)
    assert fault("9223372036854775807,1\n2,3\n").kind is FaultKind.TOO_LARGE


def test_too_many_cells_are_refused_before_memory_is(monkeypatch):
    monkeypatch.setattr(block, "MAX_CELLS", 8)
    assert rows("1,2,3,4\n5,6,7,8\n") == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert fault("1,2,3\n4,5,6\n7,8,9\n").kind is FaultKind.TOO_MANY_CELLS
    assert fault("1\n" * 9).kind is FaultKind.TOO_MANY_CELLS
    assert fault(",".join("123456789") + "\n").kind is FaultKind.TOO_MANY_CELLS


def test_names_are_no_counts_where_the_largest_table_is_read(monkeypatch):
    monkeypatch.setattr(block, "MAX_CELLS", 9)
    table = ContingencyTable(np.arange(9).reshape(3, 3))
    assert read(table_text(table)).table == table
    for shape in ((2, 5), (5, 2), (10, 1), (1, 10)):
        error = fault(table_text(ContingencyTable(np.ones(shape, int))))
        assert error.kind is FaultKind.TOO_MANY_CELLS


def test_the_largest_counts_of_the_largest_table_fit_into_the_largest_file():
    # Their sum has 64 bits, so most of them have no more digits than their mean.
    digits = len(str(2**63 // block.MAX_CELLS))
    assert block.MAX_CELLS * (digits + 1) < decoding.MAX_BYTES


@given(st.text(alphabet='01,;\t "\n\r#.-ax\\/=\ufeff', max_size=60))
def test_no_text_ends_in_another_exception(text):
    with contextlib.suppress(ReadError):
        parsed = parse_table(text)
        assert parsed.table.counts.min() >= 0
        assert parsed.how


@given(
    st.text(alphabet="01,;\n ax", max_size=40),
    st.sampled_from([None, True, False]),
    st.sampled_from([None, True, False]),
    st.sampled_from([None, "\t", ";", ",", " "]),
    st.sampled_from(["error", "zero"]),
)
def test_no_options_end_in_another_exception(text, header, index, separator, blank):
    options = ReadOptions(separator, header, index, None, blank)
    with contextlib.suppress(ReadError):
        assert parse_table(text, options).table.counts.min() >= 0


# Files


def test_messages_name_file_line_column_class_and_cluster(tmp_path):
    path = tmp_path / "fig1.csv"
    path.write_text(",0,1\n4,151,88\n5,302,-30\n", "utf-8")
    with pytest.raises(CountError) as caught:
        read_table(path)
    assert str(caught.value) == (
        'fig1.csv, line 3, column 3 (class 5, cluster 1): "-30" is negative: '
        "a count is 0 or a positive whole number."
    )


@pytest.mark.parametrize(
    ("encoding", "label"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8"),
        ("utf-16", "UTF-16"),
        ("utf-32", "UTF-32"),
        ("cp1252", "Windows-1252"),
    ],
)
def test_encodings_are_found_out(tmp_path, encoding, label):
    path = tmp_path / "t.csv"
    path.write_bytes(",größe,café\nÄpfel,1,2\n".encode(encoding))
    parsed = read_table(path)
    assert parsed.encoding == label
    assert parsed.table.clusters == ("größe", "café")


def test_the_encoding_can_be_said(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(",коты\nпёс,1\n".encode("cp1251"))
    assert read_table(path, ReadOptions(encoding="cp1251")).table.truth == ("пёс",)
    for encoding in ("no-such", "utf-8"):
        with pytest.raises(ReadError) as caught:
            read_table(path, ReadOptions(encoding=encoding))
        assert caught.value.kind is FaultKind.ENCODING


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"PK\x03\x04....[Content_Types].xml....xl/workbook.xml", "Excel"),
        (b"PK\x03\x04....mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "OpenDocument"),
        (b"PK\x03\x04....a.csv", "zip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Excel"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"%PDF-1.7\n", "PDF"),
        (b"PAR1\x15\x04", "Parquet"),
        (b"\x93NUMPY\x01\x00", "NumPy"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"<!DOCTYPE html><table>", "web page"),
        (b'{"results": []}', "JSON"),
        (b"\x7fELF\x02\x01\x00\x00\x00", "not a text file"),
    ],
)
def test_files_of_other_kinds_are_named_with_a_remedy(tmp_path, data, word):
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    with pytest.raises(ReadError) as caught:
        read_table(path)
    assert caught.value.kind is FaultKind.NOT_TEXT
    assert word in str(caught.value)
    assert str(caught.value).startswith("t.csv ")


def test_text_in_no_known_encoding_is_refused(tmp_path):
    for data in (b"a,b\n\x81\x8d,2\n", b"a\xff\x01,2\n", "1,2\n3,4\n".encode("utf-16-le")):
        path = tmp_path / "t.csv"
        path.write_bytes(data)
        with pytest.raises(ReadError) as caught:
            read_table(path)
        assert caught.value.kind is FaultKind.ENCODING


@pytest.mark.parametrize("data", [b"", b"\n \n"])
def test_an_empty_file_is_said_to_be_empty(tmp_path, data):
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    with pytest.raises(ReadError, match=r"^t\.csv .*no table in it\.$"):
        read_table(path)


def test_what_cannot_be_opened_is_said_in_one_sentence(tmp_path, monkeypatch):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    (tmp_path / "file").write_text("1", "utf-8")
    paths = [
        tmp_path,
        tmp_path / "missing.csv",
        tmp_path / "file" / "t.csv",
        tmp_path / ("x" * 300),
        tmp_path / "nul\0",
        loop,
    ]
    for path in paths:
        with pytest.raises(ReadError, match=r"^[^\n]*\.$") as caught:
            read_table(path)
        assert caught.value.kind is FaultKind.UNREADABLE
        assert "Errno" not in str(caught.value)

    def forbidden(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", forbidden)
    with pytest.raises(ReadError, match="may not be read"):
        read_table(tmp_path / "file")


def test_a_large_file_is_refused_by_its_size_without_being_read(tmp_path, monkeypatch):
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.truncate(decoding.MAX_BYTES + 1)
    monkeypatch.setattr(decoding, "read_stream", lambda *_: pytest.fail("the file was read"))
    with pytest.raises(ReadError, match="256 MB") as caught:
        read_table(path)
    assert caught.value.kind is FaultKind.TOO_BIG


def test_a_stream_without_a_size_is_refused_once_it_is_too_large(monkeypatch):
    monkeypatch.setattr(decoding, "MAX_BYTES", 1_000_000)
    monkeypatch.setattr(decoding, "_CHUNK", 100_000)
    taken = []

    class Endless(io.BytesIO):
        def read(self, size=-1):
            taken.append(size)
            return b"1" * size

    with pytest.raises(ReadError) as caught:
        list(decoding.read_stream(Endless(), "standard input"))
    assert caught.value.kind is FaultKind.TOO_BIG
    assert sum(taken) <= 1_100_000


POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX pipes and sockets")


@POSIX
def test_a_pipe_or_a_device_is_refused_without_waiting_for_it(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with socket.socket(socket.AF_UNIX) as server:
        # The path of a socket must be short.
        with contextlib.chdir(tmp_path):
            server.bind("s.csv")
        for path in (tmp_path / "pipe.csv", tmp_path / "s.csv", "/dev/null"):
            with pytest.raises(
                ReadError, match=r"^[^\n]* is a pipe or a device[^\n]*\.$"
            ) as caught:
                read_table(path)
            assert caught.value.kind is FaultKind.UNREADABLE


@POSIX
def test_a_pipe_that_takes_the_place_of_a_file_meanwhile_is_not_waited_for(tmp_path, monkeypatch):
    path, file = tmp_path / "t.csv", tmp_path / "file"
    file.write_text("1,2\n", "utf-8")
    os.mkfifo(path)
    status = file.stat()
    monkeypatch.setattr(Path, "stat", lambda *_, **__: status)
    with pytest.raises(ReadError, match="is a pipe or a device"):
        read_table(path)


def test_a_change_while_a_file_is_read_is_in_no_stamp(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("1,2\n", "utf-8")
    before = stamp_of(path.stat())
    steps = TableFile(path).run()
    next(steps)
    path.write_text("1,2\n3,4\n", "utf-8")
    parsed = list(steps)[-1].result
    assert parsed is not None
    assert parsed.stamp == before != stamp_of(path.stat())
    assert read_table(path).stamp == stamp_of(path.stat())
    assert parse_table("1,2\n").stamp is None


# The study


def test_a_study_that_is_stopped_leaves_the_file_closed(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text("1,2\n" * 1000, "utf-8")
    opened = []
    open_file = os.fdopen

    def open_and_note(*args, **kwargs):
        opened.append(open_file(*args, **kwargs))
        return opened[-1]

    monkeypatch.setattr(os, "fdopen", open_and_note)
    steps = TableFile(path).run()
    next(steps)
    assert [file.closed for file in opened] == [False]
    steps.close()
    assert [file.closed for file in opened] == [True]


def test_steps_come_often_and_only_the_last_has_the_result(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "STEP_SECONDS", 0.0)
    path = tmp_path / "t.csv"
    path.write_text("1,2\n" * 50, "utf-8")
    steps = list(TableFile(path).run())
    assert len(steps) > 90
    assert [step.result is not None for step in steps] == [False] * (len(steps) - 1) + [True]
    fractions = [step.fraction for step in steps if step.fraction is not None]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1


def test_a_table_of_a_million_cells_is_read_exactly(tmp_path):
    counts = np.random.default_rng(7).integers(0, 10**6, (1000, 1000))
    path = tmp_path / "t.csv"
    np.savetxt(path, counts, fmt="%d", delimiter=",")
    assert np.array_equal(read_table(path).table.counts, counts)


@pytest.mark.parametrize(
    "text",
    [
        "truth,k-means\na,1\nb,2\na,1\nb,1\n",
        "0,1\n" * 20,
        "truth;k-means;dbscan\n" + "c1;0;1\nc2;1;1\n" * 5,
    ],
)
def test_labels_that_can_be_read_as_counts_are_taken_for_them_without_a_word(text):
    assert "if each line is an item, import it as labels" in parse_table(text).notes


@pytest.mark.parametrize(
    "text",
    ["1\n" * 8, ",a,b\nx,1,2\ny,3,4\nz,5,6\n", ",a\nt0,3\nt1,3\nt2,3\nt3,3\nt4,3\n"],
)
def test_small_tables_are_said_to_be_labels(text):
    assert not parse_table(text).may_be_labels


def test_truth_and_pred_over_two_columns_are_read_as_a_table():
    assert fault("truth\tpred\n0\t1\n1\t1\n0\t0\n").kind is FaultKind.LABELS


@pytest.mark.parametrize("comment", ["", "# a comment\r\r\n"])
def test_lines_that_end_with_cr_cr_lf_are_blank(comment):
    text = comment + "truth,a,b\r\r\ncat,8,2\r\r\ndog,1,x\r\r\n"
    with pytest.raises(CountError, match=f"Line {3 + bool(comment)}, column 3") as caught:
        parse_table(text)
    assert caught.value.value == "x"
    assert parse_table(text.replace("x", "9")).table.counts.tolist() == [[8, 2], [1, 9]]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_quotation_marks_behind_a_blank_are_part_of_a_name(mark):
    rows = (("K", ' "a"', ' "b, ""c"""'), ('"cat"', " 8", " 2"), (' "dog; x"', "1", ' "9"'))
    table = parse_table("".join(mark.join(row) + "\n" for row in rows)).table
    assert table == ContingencyTable([[8, 2], [1, 9]], ["cat", "dog; x"], ["a", 'b, "c"'])
