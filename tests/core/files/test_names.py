"""A first line or a first column of numbers: names or counts, and what is said of it."""

import pytest

from core.files.errors import FaultKind, ReadError
from core.files.opening import open_file
from core.files.options import ReadOptions
from core.files.tables import parse_table
from tests.core.files.read_cases import COUNTS, CROSSTAB, KINDS, notes, opened, saved

CORNERS = ["row_0", "y_true", "cell_type", "animal", "digit", "Klasse", "Unnamed: 0", "Wahrheit"]


@KINDS
@pytest.mark.parametrize("corner", CORNERS)
def test_cluster_numbers_under_an_unknown_corner_were_counted_as_a_class(kind, corner, tmp_path):
    found = opened(kind, [[corner, *CROSSTAB[0][1:]], *CROSSTAB[1:]], tmp_path)
    table = found.tables[0].table
    assert (table.truth, table.clusters) == (("cat", "dog"), ("0", "1", "2"))
    assert table.counts.tolist() == COUNTS


@pytest.mark.parametrize("header", ["0.0,1.0,2.0", "1,2,3", "-1,0,1"])
def test_numbers_that_count_up_behind_a_text_are_names_and_it_is_said(header):
    parsed = parse_table(f"animal,{header}\ncat,8,2,0\ndog,1,9,3\n")
    assert parsed.table.clusters == tuple(header.split(","))
    assert parsed.table.counts.tolist() == COUNTS
    assert any("can be counts (header: no)" in note for note in parsed.notes)
    again = parse_table("animal,0,1,2\ncat,8,2,0\n", ReadOptions(header=False))
    assert again.table.counts.tolist() == [[0, 1, 2], [8, 2, 0]]
    assert again.table.truth == ("animal", "cat")


@pytest.mark.parametrize(
    "text",
    ["T1,1,2\nT2,3,4\n", "row_1,0,1\nrow_2,4,5\n", "x,0,1\ny,3,4\nz,1,1\n", "cat,5,3\ndog,2,9\n"],
)
def test_a_class_like_those_below_it_is_counted(text):
    table = parse_table(text).table
    assert table.clusters == ("C1", "C2")
    assert len(table.truth) == text.count("\n")


@KINDS
def test_numbers_in_order_above_numbers_were_counted_without_a_word(kind, tmp_path):
    found = opened(kind, [[0, 1, 2], *COUNTS], tmp_path)
    assert found.tables[0].table.counts.tolist() == [[0, 1, 2], *COUNTS]
    assert "the first line, 0, 1, 2, was counted" in notes(found)[0]
    found = opened(kind, [[0, 1, 2], *COUNTS], tmp_path, header=True, index=False)
    assert found.tables[0].table.clusters == ("0", "1", "2")
    assert not notes(found)


@KINDS
def test_row_numbers_without_a_header_were_counted_without_a_word(kind, tmp_path):
    rows = [[0, 8, 2], [1, 1, 9], [2, 3, 4]]
    found = opened(kind, rows, tmp_path)
    assert found.tables[0].table.counts.tolist() == rows
    assert "the first column, 0 to 2, was counted" in notes(found)[0]


def test_one_and_two_behind_an_unknown_word_are_counted_and_it_is_said():
    parsed = parse_table("pear,1,2\nplum,3,4\n")
    assert parsed.table.counts.tolist() == [[1, 2], [3, 4]]
    assert "the first line, 1, 2, was counted" in parsed.notes[0]
    assert parse_table("class,1,2\nplum,3,4\n").table.clusters == ("1", "2")


def test_ascending_counts_behind_an_unknown_word_are_spoken_of():
    parsed = parse_table("animal,3,5,7\ncat,8,2,0\ndog,1,9,3\n")
    assert parsed.table.truth == ("animal", "cat", "dog")
    assert "can be names of clusters (header: yes)" in parsed.notes[0]


@pytest.mark.parametrize(
    "text",
    [
        ",cluster,cluster,cluster\n,0,1,2\ncat,8,2,0\ndog,1,9,3\n",
        ",cluster,,\ntruth,0,1,2\ncat,8,2,0\ndog,1,9,3\n",
        "truth,cluster,,\n,0,1,2\n4,8,2,0\n5,1,9,3\n",
    ],
)
def test_two_lines_of_names_made_a_class_of_cluster_numbers(text):
    parsed = parse_table(text)
    assert parsed.table.clusters == ("0", "1", "2")
    assert parsed.table.counts.tolist() == COUNTS
    assert 'the first line, "cluster", was taken for a title' in parsed.notes[0]


def test_merged_names_over_two_rows_made_a_class_of_cluster_numbers(tmp_path):
    rows = [["truth", "cluster", None, None], [None, 0, 1, 2], *CROSSTAB[1:]]
    table = open_file(saved(rows, tmp_path, "B1:D1", "A1:A2")).tables[0].table
    assert (table.truth, table.clusters) == (("cat", "dog"), ("0", "1", "2"))
    assert table.counts.tolist() == COUNTS


def test_dates_as_class_names_made_a_class_of_cluster_numbers(tmp_path):
    import datetime

    rows = [["day", 0, 1], [datetime.date(2024, 1, 2), 8, 2], [datetime.date(2024, 1, 3), 1, 9]]
    table = open_file(saved(rows, tmp_path)).tables[0].table
    assert (table.truth, table.clusters) == (("2024-01-02", "2024-01-03"), ("0", "1"))


def test_tables_side_by_side_under_two_lines_of_names_were_read_as_one():
    text = ",kmeans,,dbscan,\n,0,1,0,1\ncat,8,2,9,1\ndog,1,9,3,7\n"
    with pytest.raises(ReadError, match="The first two lines both seem to hold names") as error:
        parse_table(text)
    assert error.value.kind is FaultKind.TEXT


def test_two_clusters_of_one_name_are_no_title():
    assert parse_table(",a,a\nx,1,2\nx,3,4\n").table.shape == (2, 2)


# Names in a comment


@pytest.mark.parametrize(
    "text",
    [
        "#truth,a,b\ncat,8,2\ndog,1,9\n",
        "# truth,a,b\ncat,8,2\ndog,1,9\n",
        "# made in May\n#truth;a;b\ncat;8;2\ndog;1;9\n",
        "#truth\ta\tb\ncat\t8\t2\ndog\t1\t9\n",
    ],
)
def test_names_behind_a_number_sign_were_skipped_as_a_comment(text):
    parsed = parse_table(text)
    assert (parsed.table.truth, parsed.table.clusters) == (("cat", "dog"), ("a", "b"))
    assert parsed.table.counts.tolist() == [[8, 2], [1, 9]]
    assert "the names behind the # above the table were read" in parsed.notes


def test_a_comment_that_may_be_names_is_spoken_of():
    parsed = parse_table("# kmeans one, kmeans two\n8,2\n1,9\n")
    assert parsed.table.clusters == ("C1", "C2")
    assert parsed.notes[0] == "1 comment line was skipped"
    assert "if it names the clusters, delete its #" in parsed.notes[1]


@pytest.mark.parametrize(
    "text",
    [
        "# made by me\n8 2 1 4\n1 9 3 5\n",
        "#a,b\n\ntruth,a,b\ncat,8,2\n",
        "#old,x,y\ntruth,a,b\ncat,8,2\ndog,1,9\n",
        "# 10, 20\n8,2\n1,9\n",
    ],
)
def test_other_comments_are_skipped(text):
    assert parse_table(text).notes == ("1 comment line was skipped",)


def test_errors_below_names_in_a_comment_name_their_line():
    with pytest.raises(ReadError, match="Line 3, column 2"):
        parse_table("#truth,a,b\ncat,8,2\ndog,x,9\n")
