"""Texts and sheets that hold a table and are none: what is said of them."""

import numpy as np
import pytest

from core import score
from core.files.errors import FaultKind, ReadError
from core.files.opening import open_file, open_text
from core.files.results import ScoredTable, summary_csv
from core.files.tables import parse_table, read_table
from core.table import ContingencyTable
from tests.core.files.read_cases import as_csv, notes, saved


def said_of(text):
    with pytest.raises(ReadError) as error:
        open_text(text, name="t.txt")
    assert str(error.value).startswith("t.txt ")
    assert str(error.value).endswith(".")
    return str(error.value)


def test_a_summary_was_said_to_have_a_bad_count():
    scores = score(ContingencyTable([[8, 2], [1, 9]]), ["ari"])
    text = summary_csv([ScoredTable(scores, "g", None, ())])
    assert "is a summary of scores without the counts" in said_of(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<!--\nTallyscope 0.1.0\n-->\n| a |\n", "is an export of scores as Markdown"),
        ("% Tallyscope 0.1.0\n\\begin{table}\n", "is an export of scores as LaTeX"),
    ],
)
def test_a_table_for_a_paper_was_said_to_have_a_bad_count(text, words):
    assert words in said_of(text)


WEKA = "  0  1   <-- assigned to cluster\n  0 50 | Iris-setosa\n 47  3 | Iris-versicolor\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (WEKA, "is output of Weka"),
        (f"Clustered Instances\n\n0  61 ( 41%)\n1  50\n\nClasses to Clusters:\n\n{WEKA}", "Weka"),
        ("      cluster\ntruth  0  1\n  cat  8  2\n  dog  1  9\n", "delete the first line"),
        ("cluster  0  1\ntruth        \ncat      8  2\ndog      1  9\n", "delete the second line"),
        ("| a | 0 |\n|---|--:|\n| x | 5 |\n", "is a table in Markdown"),
        ("\\begin{tabular}{lr}\na & 5 \\\\\n\\end{tabular}\n", "is LaTeX"),
        ("<table><tr><td>5</td></tr>\n</table>\n", "is a web page"),
    ],
)
def test_printed_tables_were_said_to_have_a_word_for_a_count(text, words):
    assert words in said_of(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("      cluster\ntruth  0  1\n  cat  8  2\n  dog  1  9\n", 0),
        ("cluster  0  1\ntruth        \ncat      8  2\ndog      1  9\n", 1),
    ],
)
def test_the_remedy_for_a_printed_table_helps(text, line):
    lines = text.splitlines(keepends=True)
    del lines[line]
    table = parse_table("".join(lines)).table
    assert (table.truth, table.clusters) == (("cat", "dog"), ("0", "1"))
    assert table.counts.tolist() == [[8, 2], [1, 9]]


def test_a_bad_count_in_a_table_is_still_named():
    with pytest.raises(ReadError, match="Line 2, column 2"):
        parse_table(",a,b\ncat,x,2\n")


@pytest.mark.parametrize("delimiter", [" ", ","])
def test_what_numpy_saves_as_text_was_refused(tmp_path, delimiter):
    counts = np.array([[12345, 2], [0, 9]])
    np.savetxt(tmp_path / "t.txt", counts, delimiter=delimiter)
    assert read_table(tmp_path / "t.txt").table.counts.tolist() == counts.tolist()


PIVOT = [
    ["Count of id", "Column Labels", None, None],
    ["Row Labels", 0, 1, "Grand Total"],
    ["cat", 8, 2, 10],
    ["dog", 1, 9, 10],
    ["Grand Total", 9, 11, 20],
]


def test_a_pivot_table_was_said_to_have_a_bad_count(tmp_path):
    for found in (open_file(saved(PIVOT, tmp_path)), open_text(as_csv(PIVOT))):
        table = found.tables[0].table
        assert (table.truth, table.clusters) == (("cat", "dog"), ("0", "1"))
        assert table.counts.tolist() == [[8, 2], [1, 9]]
        assert any("that of a pivot table" in note for note in notes(found))


SIDE = [
    [None, "a", "b", None, None, "a", "b"],
    ["cat", 8, 2, None, "cat", 3, 4],
    ["dog", 1, 9, None, "dog", 5, 6],
]


def test_zeros_were_asked_for_between_tables_side_by_side(tmp_path):
    with pytest.raises(ReadError, match=r"D2 .*two tables stand side by side: choose the range"):
        open_file(saved(SIDE, tmp_path))
    with pytest.raises(ReadError, match=r"two tables stand side by side: keep one in the file"):
        open_text(as_csv(SIDE))
    with pytest.raises(ReadError, match="write 0 if there are none") as error:
        open_text(",a,b,c\nx,1,,2\ny,1,2,2\n")
    assert error.value.kind is FaultKind.BLANK
