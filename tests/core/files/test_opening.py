"""The one door: a file is opened as what it is, whatever it is called."""

import contextlib
import json
import os
import shutil
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.errors import FaultKind, ReadError
from core.files.opening import FileKind, OpenFile, OpenOptions, kind_of, open_file, open_text
from core.files.options import ReadOptions
from core.files.results import ScoredTable, scores_csv, scores_json
from core.files.stamp import stamp_of
from core.scoring import score
from core.table import ContingencyTable

CASES = json.loads((Path(__file__).parents[2] / "reference" / "cases.json").read_text("utf-8"))
TABLES = [case["table"] for case in CASES["cases"] if "table" in case]
REJECTED = [case["reject"] for case in CASES["cases"] if "reject" in case]
PETS = ContingencyTable([[8, 2], [1, 9]], ["cat", "dog"], ["a", "b"])
TEXT = ",a,b\ncat,8,2\ndog,1,9\n"


def write_csv(path, counts):
    path.write_text("\n".join(",".join(map(str, row)) for row in counts), "utf-8")


def write_xlsx(path, counts):
    book = openpyxl.Workbook()
    for row in counts:
        book.active.append(row)
    book.save(path)


def write_json(path, counts):
    path.write_text(json.dumps(counts), "utf-8")


def write_npy(path, counts):
    with path.open("wb") as file:
        np.save(file, np.array(counts))


def write_npz(path, counts):
    with path.open("wb") as file:
        np.savez(file, np.array(counts))


WRITERS = [write_csv, write_xlsx, write_json, write_npy, write_npz]


@pytest.mark.parametrize("write", WRITERS)
def test_a_table_of_a_bug_report_is_read_otherwise(tmp_path, write):
    options = OpenOptions(ReadOptions(header=False, index=False))
    for number, counts in enumerate(TABLES):
        path = tmp_path / f"{number}.dat"
        write(path, counts)
        (one,) = open_file(path, options).tables
        assert one.table.counts.tolist() == counts
        assert one.source == f"{number}.dat"


@pytest.mark.parametrize("write", WRITERS)
def test_a_table_that_must_be_refused_is_read(tmp_path, write):
    assert len(REJECTED) == 2
    for counts in REJECTED:
        path = tmp_path / "t.dat"
        write(path, counts)
        with pytest.raises(ReadError) as caught:
            open_file(path)
        row, column = next(
            (i, j) for i, row in enumerate(counts) for j, n in enumerate(row) if n < 0 or n % 1
        )
        assert (caught.value.row, caught.value.column) == (row, column)
        assert caught.value.kind in (FaultKind.NEGATIVE, FaultKind.FRACTION)


@pytest.mark.parametrize("ending", ["csv", "xlsx", "json", "npy", "npz", "txt", "zip"])
def test_the_ending_counts_more_than_the_content(tmp_path, ending):
    path = tmp_path / f"t.{ending}"
    kinds = {
        write_csv: FileKind.TABLE,
        write_xlsx: FileKind.WORKBOOK,
        write_npy: FileKind.ARRAY,
        write_npz: FileKind.ARRAY,
        write_json: FileKind.JSON,
    }
    for write, kind in kinds.items():
        if write is write_csv and ending == "json":
            continue
        write(path, [[8, 2], [1, 9]])
        opened = open_file(path)
        assert opened.kind is kind
        assert opened.tables[0].table.counts.tolist() == [[8, 2], [1, 9]]
        assert (opened.parsed is not None) == (kind is FileKind.TABLE)
        assert opened.stamp == stamp_of(path.stat())
        assert opened.how.endswith(".")


def test_one_table_of_text_is_read_otherwise_than_before(tmp_path):
    path = tmp_path / "pets.csv"
    path.write_text(TEXT, "utf-8")
    opened = open_file(path)
    (one,) = opened.tables
    assert (one.name, one.source, one.table) == ("pets", "pets.csv", PETS)
    assert opened.parsed is not None
    assert opened.parsed.separator == ","
    assert opened.how == opened.parsed.how


# Several tables in one text


def tables(text, **options):
    return open_text(text, OpenOptions(**options), stem="t")


def fault(text, **options):
    with pytest.raises(ReadError) as caught:
        tables(text, **options)
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message
    return caught.value


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (TEXT + "\n" + TEXT, ["t 1", "t 2"]),
        ("Run 1\n" + TEXT + "\nRun 2\n" + TEXT, ["Run 1", "Run 2"]),
        ("Run 1\n\n" + TEXT + "\n\n\nRun 2\n\n" + TEXT, ["Run 1", "Run 2"]),
        ("Run 1,,\n" + TEXT + ",,\nRun 2,,\n" + TEXT, ["Run 1", "Run 2"]),
        ("# Run 1\n" + TEXT + "\n# Run 2\n" + TEXT, ["Run 1", "Run 2"]),
        ('"Run 1, again"\n' + TEXT + "\nRun 2\n" + TEXT, ["Run 1, again", "Run 2"]),
        ("sep=,\n" + TEXT + "\n" + TEXT, ["t 1", "t 2"]),
        ((TEXT + "\n" + TEXT).replace(",", ";"), ["t 1", "t 2"]),
        ((TEXT + "\n" + TEXT).replace("\n", "\r\n"), ["t 1", "t 2"]),
    ],
)
def test_tables_between_blank_lines_are_one(text, names):
    opened = tables(text)
    assert [one.name for one in opened.tables] == names
    assert [one.table for one in opened.tables] == [PETS, PETS]
    assert opened.kind is FileKind.TABLES
    assert opened.notes == ("the file holds 2 tables, with blank lines between them",)


def test_blocks_of_numbers_of_one_shape_are_one_table():
    for text in ("1,2\n3,4\n\n5,6\n7,8\n", "1 2\n3 4\n\n5 6\n7 8\n"):
        opened = tables(text)
        assert [one.table.counts.tolist() for one in opened.tables] == [
            [[1, 2], [3, 4]],
            [[5, 6], [7, 8]],
        ]


@pytest.mark.parametrize(
    "text",
    ["1,2\n\n3,4\n", "1,2\n3,4\n\n5,6\n", TEXT + "\ncow,5,5\n", TEXT + "\ncow,5,5\nhen,1,1\n"],
)
def test_a_blank_line_cuts_a_table_in_two(text):
    error = fault(text)
    assert error.kind is FaultKind.BLANK_LINE
    assert "say that blank lines separate tables" in str(error)
    assert len(tables(text, several=True).tables) == 2
    assert "say that" not in str(fault(text, several=False))


def test_a_title_above_the_only_table_is_a_row():
    (one,) = tables("My pets\n" + TEXT).tables
    assert (one.name, one.table) == ("My pets", PETS)
    assert 'the line above it, "My pets", was taken for its name' in one.notes


def test_a_text_beside_the_tables_goes_unmentioned():
    opened = tables(TEXT + "\nSource: the lab, in May\n")
    assert opened.tables[0].table == PETS
    assert opened.notes == ('the text "Source: the lab, in May" was left out',)
    opened = tables("The lab\n\nMay\n\n# Run 1\n" + TEXT + "\nRun 2\n" + TEXT + "\nend\n")
    assert [one.name for one in opened.tables] == ["Run 1", "Run 2"]
    left = [f'the text "{text}" was left out' for text in ("The lab", "May", "end")]
    assert list(opened.notes[1:]) == left


def test_lines_are_not_those_of_the_file_in_a_later_table():
    error = fault("Run 1\n" + TEXT + "\nRun 2\n,a,b\ncat,8,2\ndog,1,-9\n")
    assert (error.kind, error.line) == (FaultKind.NEGATIVE, 9)


def test_a_name_over_several_lines_cuts_a_table_in_two():
    text = ',a,"b\n\nc"\ncat,8,2\ndog,1,9\n'
    (one,) = tables(text).tables
    assert one.table.clusters == ("a", "b\n\nc")
    opened = tables(text + "\n" + text)
    assert [one.table.clusters for one in opened.tables] == [("a", "b\n\nc")] * 2


def test_a_quotation_mark_that_is_not_closed_hides_the_other_tables():
    assert fault(TEXT + "\n" + TEXT + '\n,"a,b\n1,2,3\n').kind is FaultKind.QUOTE


@given(st.text(alphabet='01,;\n "#ax', max_size=60), st.sampled_from([None, True, False]))
def test_no_text_ends_in_another_exception(text, several):
    with contextlib.suppress(ReadError):
        opened = open_text(text, OpenOptions(several=several))
        assert opened.tables
        assert opened.how


# Exports


def exported(separator=","):
    return scores_csv(
        [ScoredTable(score(PETS, ["ari"]), "x"), ScoredTable(score(PETS.transpose(), ["ari"]))],
        separator,
    )


def test_an_export_that_a_spreadsheet_saved_again_loses_tables():
    lines = [line if not line.strip() else line + ",,," for line in exported().splitlines()]
    resaved = "\r\n".join(line or ",,,," for line in lines)
    opened = open_text(resaved)
    assert [one.table for one in opened.tables] == [PETS, PETS.transpose()]
    assert opened.is_export


def test_a_blank_line_that_was_deleted_hides_a_table():
    text = exported().replace("\n\n# Tally", "\n# Tally")
    assert len(open_text(text).tables) == 2


def test_an_export_that_was_cut_is_read_as_fewer_tables():
    text = exported()
    second = text.index("\n# Tally") + 1
    whole = text.index("\n\nmetric", second) + 2
    for end in range(text.index("\n", second) + 1, whole):
        with pytest.raises(ReadError) as caught:
            open_text(text[:end])
        assert caught.value.kind is FaultKind.CUT


def test_a_quotation_mark_in_an_export_hides_a_table():
    text = exported()
    # It swallows the next export; what closes it stands in that one, or nowhere.
    for ending in ("", '\n"x"\n', '\nx,"y"\n'):
        broken = text.replace("peak_clusters\n", 'peak_clusters\n"', 1) + ending
        with pytest.raises(ReadError) as caught:
            open_text(broken)
        assert caught.value.kind is FaultKind.CUT


def test_notes_of_an_export_are_lost():
    result = ScoredTable(score(PETS, ["ari"]), "x", "x.csv", ('2 clusters are named "a, b"',))
    for text in (scores_csv([result]), scores_json([result])):
        opened = open_text(text)
        (one,) = opened.tables
        assert (one.name, one.source, one.notes) == (result.name, result.source, result.notes)
        assert opened.notes == ("the scores in the file were left out",)


# Files that are no tables, or not there


def refused(path, **options):
    with pytest.raises(ReadError) as caught:
        open_file(path, OpenOptions(**options))
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message
    assert "Errno" not in message
    return caught.value


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"%PDF-1.7\n", "PDF"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"<!DOCTYPE html><table>", "web page"),
        (b"\x7fELF\x02\x01\x00\x00\x00", "not a text file"),
        (b"PK\x05\x06" + b"\0" * 18, "empty zip"),
        (b'{"format": "tallyscope session", "format_version": 1}\n', "session"),
        ("1,2\n3,4\n".encode("utf-16-le"), "UTF-16 without"),
        (b"", "is empty"),
        (b"\xef\xbb\xbf", "empty"),
    ],
)
def test_a_file_of_another_kind_has_no_remedy(tmp_path, data, word):
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    error = refused(path)
    assert word in str(error)
    assert str(error).startswith("t.csv ")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_marks_of_encodings_become_names_or_hide_the_format(tmp_path, encoding):
    grid = [["", "a", "b"], ["cat", 8, 2], ["dog", 1, 9]]
    for name, text in (("t.csv", TEXT), ("t.json", json.dumps(grid))):
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        assert open_file(path).tables[0].table == PETS
    path.write_bytes("\ufeff".encode() + exported().encode(encoding))
    if encoding == "utf-8-sig":
        assert len(open_file(path).tables) == 2


def test_a_hidden_mark_inside_becomes_part_of_a_name():
    assert open_text(",\ufeffa,b\n\ufeffcat,\ufeff8,2\ndog,1,9\n").tables[0].table == PETS


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX pipes")
def test_what_is_no_file_is_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.xlsx")
    for path in (tmp_path, tmp_path / "pipe.xlsx", tmp_path / "missing.npz", Path("/dev/null")):
        assert refused(path).kind is FaultKind.UNREADABLE


def test_a_locked_file_has_no_sentence(tmp_path, monkeypatch):
    path = tmp_path / "t.xlsx"
    write_xlsx(path, [[1]])

    def forbidden(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", forbidden)
    assert "may not be read" in str(refused(path))


@pytest.mark.parametrize("write", WRITERS)
def test_a_read_only_file_cannot_be_opened(tmp_path, write):
    path = tmp_path / "t.dat"
    write(path, [[8, 2], [1, 9]])
    path.chmod(0o444)
    assert open_file(path).tables[0].table.total == 20


@pytest.mark.skipif(os.name != "posix", reason="elsewhere an open file cannot be deleted")
@pytest.mark.parametrize("write", WRITERS)
def test_a_file_that_is_deleted_meanwhile_is_half_read(tmp_path, write):
    folder = tmp_path / "gone"
    folder.mkdir()
    path = folder / "t.dat"
    write(path, [[8, 2], [1, 9]])
    steps = OpenFile(path).run()
    next(steps)
    shutil.rmtree(folder)
    opened = list(steps)[-1].result
    assert opened is not None
    assert opened.tables[0].table.total == 20


@pytest.mark.parametrize("write", WRITERS)
def test_only_the_last_step_has_the_result(tmp_path, write):
    path = tmp_path / "t.dat"
    write(path, [[8, 2]] * 50)
    steps = list(OpenFile(path).run())
    assert [step.result is not None for step in steps] == [False] * (len(steps) - 1) + [True]
    assert steps[-1].fraction == 1
    stopped = OpenFile(path).run()
    next(stopped)
    stopped.close()


@given(st.binary(max_size=200))
def test_no_bytes_end_in_another_exception(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("bytes") / "t.csv"
    for head in (
        b"",
        b"PK\x03\x04",
        b"\x93NUMPY\x01\x00",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        b"[[",
    ):
        path.write_bytes(head + data)
        with contextlib.suppress(ReadError):
            assert open_file(path).tables


def test_a_session_is_not_told_from_json():
    assert kind_of(b'{"format": "tallyscope session", "format_version": 1}') is FileKind.SESSION
    assert kind_of(b'{"counts": [[1]]}') is None
    assert kind_of(b"\xef\xbb\xbf# Tallyscope scored table,0.1.0\n") is FileKind.EXPORT
