"""Sessions, and files of several tables, on the command line."""

import csv
import json

import pytest
from openpyxl import Workbook

from core import ContingencyTable, score
from core.files.opening import open_file
from core.files.sessions import SessionContent, read_session, write_session
from core.metrics.metric import ScoreOptions
from core.named_table import NamedTable

FIRST = ContingencyTable([[8, 2, 1], [1, 9, 0]], ["cat", "dog"], ["0", "1", "2"])
SECOND = ContingencyTable([[3, 0], [0, 3]])
OPTIONS = ScoreOptions(q=2.0, average="max", empty_truth="zero", draws=7, seed=3)


@pytest.fixture
def session(tmp_path):
    tables = (NamedTable("first", FIRST, "f.csv", ("a note",)), NamedTable("second", SECOND))
    content = SessionContent(tables, 1, 0, OPTIONS, ("ari", "ap"))
    path = tmp_path / "s.tallyscope"
    write_session(content, path)
    return path


def test_tables_of_a_session_are_not_transposed(program, session, tmp_path):
    assert program("export", session, "--transpose", "--to", "x.csv").returncode == 0
    first, second = open_file(tmp_path / "x.csv").tables
    assert first.table == FIRST.transpose()
    assert second.table == SECOND.transpose()
    assert first.notes == ("a note", "rows were read as clusters, columns as classes")
    done = program("score", session, "--transpose", "--json", "--metrics", "ap")
    assert json.loads(done.stdout)["results"][0]["truth"] == ["0", "1", "2"]


def test_a_session_is_scored_with_other_options_than_its_own(program, session):
    done = program("score", session, "--json")
    found = json.loads(done.stdout)
    assert found["options"]["q"] == 2
    assert found["options"]["average"] == "max"
    assert found["results"][0]["scores"]["ami"] == score(FIRST, q=2, average="max")["ami"]
    text = program("score", session, "--metrics", "ami").stdout
    assert "max" in text


def test_what_the_command_names_gives_way_to_the_session(program, session):
    options = json.loads(program("score", session, "--json", "--q", "1").stdout)["options"]
    assert (options["q"], options["average"]) == (1, "max")


def test_sessions_of_other_options_are_scored_alike_without_a_word(program, session, tmp_path):
    other = SessionContent((NamedTable("third", SECOND),), options=ScoreOptions(average="max"))
    write_session(other, tmp_path / "t.tallyscope")
    done = program("score", session, "t.tallyscope")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "The sessions were saved with different values of q: choose one with --q.\n"
    )
    given = ("--q", "1", "--empty-truth", "zero", "--draws", "7", "--seed", "3")
    done = program("score", session, "t.tallyscope", *given, "--json", "--metrics", "ami")
    assert len(json.loads(done.stdout)["results"]) == 3


def test_a_session_loses_what_was_open(program, session, tmp_path):
    (tmp_path / "g.csv").write_text("1,2\n3,4\n", "utf-8")
    assert program("export", "g.csv", session, "--to", "o.tallyscope").returncode == 0
    found = read_session(tmp_path / "o.tallyscope")
    assert [one.name for one in found.tables] == ["g", "first", "second"]
    assert (found.options, found.columns) == (OPTIONS, ("ari", "ap"))
    assert (found.current, found.baseline) == (2, 1)
    assert program("export", session, "--metrics", "ami", "--to", "p.tallyscope").returncode == 0
    assert read_session(tmp_path / "p.tallyscope").columns == ("ami",)


@pytest.fixture
def two_folders(tmp_path):
    for folder in "ab":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "g.csv").write_text("1,2\n3,4\n", "utf-8")
    return "a/g.csv", "b/g.csv"


def names_of(done):
    lines = csv.reader(done.stdout.splitlines())
    return [line[0] for line in lines if not line[0].startswith("#")][1:]


def test_tables_of_one_name_cannot_be_told_apart(program, two_folders, tmp_path):
    assert names_of(program("score", *two_folders, "--summary")) == ["a/g", "b/g"]
    done = program("score", *two_folders, "--json", "--metrics", "ap")
    assert [one["name"] for one in json.loads(done.stdout)["results"]] == ["a/g", "b/g"]
    assert program("export", *two_folders, "--to", "o.tallyscope").returncode == 0
    assert [one.name for one in read_session(tmp_path / "o.tallyscope").tables] == ["a/g", "b/g"]
    (tmp_path / "a" / "g.tsv").write_text("1\t2\n3\t4\n", "utf-8")
    done = program("score", "a/g.csv", "a/g.tsv", "--summary")
    assert names_of(done) == ["g (a/g.csv)", "g (a/g.tsv)"]
    assert names_of(program("score", "a/g.csv", "a/g.csv", "--summary")) == ["g", "g (2)"]


def test_tables_of_one_name_in_a_file_cannot_be_told_apart(program, tmp_path):
    twice = (NamedTable("g", FIRST), NamedTable("g", SECOND), NamedTable("g (2)", SECOND))
    write_session(SessionContent(twice), tmp_path / "s.tallyscope")
    done = program("score", "s.tallyscope", "--summary")
    names = names_of(done)
    assert len(set(names)) == 3
    assert names[0] == "g"
    # A session keeps what it was given.
    assert program("export", "s.tallyscope", "--to", "o.tallyscope").returncode == 0
    kept = [one.name for one in read_session(tmp_path / "o.tallyscope").tables]
    assert kept == ["g", "g", "g (2)"]


@pytest.fixture
def one_bad_sheet(tmp_path):
    book = Workbook()
    book.active.title = "Good"
    for row in (["", "a", "b"], ["cat", 8, 2], ["dog", 1, 9]):
        book.active.append(row)
    bad = book.create_sheet("Bad")
    for row in (["", "a", "b"], ["cat", 8, None], ["dog", 1, 9]):
        bad.append(row)
    book.create_sheet("Text").append(["nothing to count"])
    book.save(tmp_path / "b.xlsx")
    return "b.xlsx"


def test_a_sheet_that_cannot_be_read_is_dropped_without_a_word(program, one_bad_sheet, tmp_path):
    said = "A sheet was left out (--sheet reads one alone): b.xlsx, Bad!C2 (class cat, cluster b)"
    for option in ("--summary", "--json", "--csv"):
        done = program("score", one_bad_sheet, option)
        assert done.returncode == 1
        assert "Good" in done.stdout
        assert done.stderr.startswith(said)
        assert done.stderr.count("\n") == 1
    done = program("export", one_bad_sheet, "--to", "o.csv")
    assert done.returncode == 1
    assert done.stderr.startswith(said)
    assert done.stderr.splitlines()[-1] == "o.csv was not written: not all sheets could be read."
    assert not (tmp_path / "o.csv").exists()
    assert program("export", one_bad_sheet, "--sheet", "Good", "--to", "o.csv").returncode == 0


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (("--sheet", "x"), "g.csv has no sheets: leave out --sheet.\n"),
        (("--range", "A1:B2"), "g.csv has no sheets: leave out --range.\n"),
        (("--array", "x"), "g.csv has no arrays: leave out --array.\n"),
    ],
)
def test_a_part_of_a_file_without_parts_is_asked_for_in_vain(program, tmp_path, option, says):
    (tmp_path / "g.csv").write_text("1,2\n3,4\n", "utf-8")
    done = program("score", "g.csv", *option)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", says)


def test_a_session_from_standard_input_has_no_remedy(program, session):
    done = program("score", "-", stdin=session.read_text("utf-8"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "standard input is a session: save it as a file, and open that.\n"


def test_a_file_without_a_name_is_a_folder(program):
    done = program("score", "")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("A file has no name: name the file to read")


def test_the_remedy_of_names_that_are_read_as_counts_is_no_option(program, tmp_path):
    (tmp_path / "g.csv").write_text("a,2,3\n4,5,6\n7,8,9\n", "utf-8")
    done = program("score", "g.csv", "--no-index")
    assert "say that the first line holds names (--header)." in done.stderr
    assert program("score", "g.csv", "--no-index", "--header").returncode == 0
