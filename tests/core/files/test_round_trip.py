"""What is written opens again as it was, whatever the names are."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.files.errors import SaveError
from core.files.results import ScoredTable, scores_csv
from core.files.tables import ReadOptions, parse_table, read_table, table_text, write_table
from core.scoring import score
from core.table import ContingencyTable

# All that UTF-8 holds; no text file holds NUL.
NAMES = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8),
    st.text(st.sampled_from('a1,;\t "\n\r#=\\/\u00a0\ufeff\u2028🎈'), max_size=6),
    st.sampled_from(["", " ", "0", "-1", "1.5", "nan", "truth\\cluster", "# x", "=1+1", "a", "a"]),
)


@st.composite
def contingency_tables(draw):
    r, c = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    count = st.integers(0, 10**15)
    counts = draw(st.lists(st.lists(count, min_size=c, max_size=c), min_size=r, max_size=r))
    truth = draw(st.lists(NAMES, min_size=r, max_size=r))
    clusters = draw(st.lists(NAMES, min_size=c, max_size=c))
    return ContingencyTable(counts, truth, clusters)


ODD = ContingencyTable([[0]], ["# not a comment"], [" both sides "])


@given(contingency_tables(), st.sampled_from([".csv", ".tsv", ".txt", ".CSV", ""]))
@example(ODD, ".csv")
@example(ContingencyTable([[0, 0], [0, 0]], ["", ""], ["", ""]), ".csv")
def test_a_saved_table_opens_as_it_was(table, suffix):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "t" + suffix)
        write_table(table, path)
        assert read_table(path).table == table
        before = path.read_bytes()
        write_table(read_table(path).table, path)
        assert path.read_bytes() == before


@given(contingency_tables(), st.sampled_from(["\t", ",", ";"]))
def test_a_copied_table_pastes_as_it_was(table, separator):
    assert parse_table(table_text(table, separator)).table == table


@given(contingency_tables(), st.text(max_size=20), st.sampled_from([",", "\t"]))
@example(ODD, 'a "name", with\nall', ",")
def test_an_exported_scored_table_opens_as_it_was(table, name, separator):
    scores = score(table, metrics=["ari", "ap", "row_peakiness"])
    text = scores_csv([ScoredTable(scores, name, name)], separator)
    parsed = parse_table(text)
    assert parsed.table == table
    assert parsed.is_export


def test_the_first_of_several_exported_tables_opens_and_that_is_said():
    tables = [ContingencyTable([[8, 2], [1, 9]]), ContingencyTable([[1, 2, 3]])]
    parsed = parse_table(scores_csv([ScoredTable(score(table, ["ari"])) for table in tables]))
    assert parsed.table == tables[0]
    assert parsed.notes == ("the file holds 2 scored tables, the first was read",)


def test_an_export_that_a_spreadsheet_saved_again_opens():
    text = scores_csv([ScoredTable(score(ODD.transpose(), ["ari"]), "n")])
    lines = [line if not line.strip() else line + ",,," for line in text.splitlines()]
    resaved = "\r\n".join(line or ",,,," for line in lines)
    assert parse_table(resaved).table == ODD.transpose()


def test_counts_alone_are_copied_for_spreadsheets():
    table = ContingencyTable([[8, 2], [1, 9]])
    assert table_text(table, names=False) == "8\t2\n1\t9\n"


def test_the_exported_table_is_not_transposed(tmp_path):
    table = ContingencyTable([[1, 2, 3]], ["class"], ["a", "b", "c"])
    write_table(table, tmp_path / "t.csv")
    lines = (tmp_path / "t.csv").read_text("utf-8").splitlines()
    assert lines == ["truth\\cluster,a,b,c", "class,1,2,3"]


def test_all_of_54_labels_are_written(tmp_path):
    table = ContingencyTable([[i + j for j in range(54)] for i in range(54)])
    write_table(table, tmp_path / "t.csv")
    assert read_table(tmp_path / "t.csv").table == table


def test_tabs_in_a_csv_and_commas_in_a_tsv_open(tmp_path):
    table = ContingencyTable([[8, 2], [1, 9]], ["a,b", "c\td"], ["0", "1"])
    write_table(table, tmp_path / "t.csv", separator="\t")
    write_table(table, tmp_path / "t.tsv", separator=",")
    assert "\t" in (tmp_path / "t.csv").read_text("utf-8")
    assert read_table(tmp_path / "t.csv").table == table
    assert read_table(tmp_path / "t.tsv").table == table


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "x" * 200_000])
def test_a_name_that_no_file_can_hold_is_refused_before_the_file_is_touched(tmp_path, name):
    path = tmp_path / "t.csv"
    path.write_text("1,2\n", "utf-8")
    for table in (ContingencyTable([[1]], [name]), ContingencyTable([[1]], None, [name])):
        with pytest.raises(SaveError, match=r"name of (truth class|cluster) 1"):
            write_table(table, path)
    assert path.read_text("utf-8") == "1,2\n"
    assert list(tmp_path.iterdir()) == [path]


def test_the_longest_name_that_is_written_opens(tmp_path):
    table = ContingencyTable([[1]], ['"' + "x" * 131_070 + "\n"])
    write_table(table, tmp_path / "t.csv")
    assert read_table(tmp_path / "t.csv").table == table


def test_known_options_read_a_saved_table_as_it_was(tmp_path):
    table = ContingencyTable([[8, 2], [1, 9]], ["1", "2"], ["3", "4"])
    write_table(table, tmp_path / "t.csv")
    options = ReadOptions(separator=",", header=True, index=True, encoding="utf-8")
    assert read_table(tmp_path / "t.csv", options).table == table
