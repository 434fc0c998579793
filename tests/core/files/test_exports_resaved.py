"""Exports as CSV and TSV that a spreadsheet opens, and saves again."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import ContingencyTable, score
from core.files.errors import ReadError
from core.files.export_names import EXPORT_MARK
from core.files.formulas import guarded, is_formula, unguarded
from core.files.names_apart import told_apart
from core.files.opening import FileKind, kind_of, open_text
from core.files.results import ScoredTable, latex_text, markdown_text, scores_csv, summary_csv
from core.files.tables import parse_table

FORMULAS = ["=HYPERLINK(1)", "@SUM(A1)", "+1+1", "-x", "\t=1", "＝1", "'=quoted"]
TABLE = ContingencyTable([[8, 2], [1, 9]], ["cat", '# "dog"'], ["a\nb", ""])
NAMED = ContingencyTable([[1, 2], [3, 4]], ["# name", EXPORT_MARK], ["truth\\cluster", "x"])


def scored(table, name="t", **more):
    return ScoredTable(score(table, ["ari", "row_peakiness"]), name, **more)


def resaved(text, separator, ends):
    """Return a text as a spreadsheet saves it that quotes every cell and evens out lines."""
    rows = list(csv.reader(io.StringIO(text)))
    width = max(map(len, rows))
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, quoting=csv.QUOTE_ALL, lineterminator=ends)
    writer.writerows([*row, *[""] * (width - len(row))] for row in rows)
    return out.getvalue()


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_an_export_saved_again_with_all_cells_quoted_does_not_open(separator, ends):
    results = [scored(TABLE, "one", notes=("a note",)), scored(NAMED, "two"), scored(TABLE, "")]
    text = resaved(scores_csv(results), separator, ends)
    assert kind_of(text.encode()) is FileKind.EXPORT
    found = open_text(text)
    assert found.is_export
    # What was left over to even out lines is not a cluster.
    assert [one.name for one in found.tables] == ["one", "two", ""]
    assert found.tables[0].notes == ("a note",)
    assert [one.table for one in found.tables] == [TABLE, NAMED, TABLE]
    assert parse_table(text).table == TABLE


def test_a_quoted_export_that_is_cut_is_read_in_part():
    text = resaved(scores_csv([scored(TABLE)]), ",", "\n")
    whole = text.rindex('\n"",', 0, text.index('"metric"')) + 1
    for end in range(text.index('"cat"'), whole, 3):
        with pytest.raises(ReadError):
            open_text(text[:end])


@pytest.mark.parametrize("name", FORMULAS)
def test_a_spreadsheet_runs_a_name_as_a_formula(name):
    table = ContingencyTable([[8, 2], [1, 9]], [name, "dog"], ["-1", name])
    results = [scored(table, name, source=name, notes=(name,))]
    for text in (scores_csv(results), scores_csv(results, "\t"), summary_csv(results)):
        mark = "\t" if text.split("\n")[0].count("\t") else ","
        cells = [cell for row in csv.reader(io.StringIO(text), delimiter=mark) for cell in row]
        wrong = [cell for cell in cells if cell[:1] in set("=+-@＝\t") and cell != "-1"]
        assert [cell for cell in wrong if not cell[1:].replace(".", "").isdigit()] == []
    (found,) = open_text(scores_csv(results)).tables
    assert (found.table, found.name, found.source) == (table, name, name)
    assert found.notes == (name,)


def test_numbers_and_names_get_an_apostrophe_that_need_none():
    text = scores_csv([scored(ContingencyTable([[1, 2]], ["cat"], ["-1", "+2.5e3"]))])
    assert "guarded" not in text
    assert ",-1,+2.5e3\n" in text
    # Where no name is guarded, an apostrophe is part of the name.
    assert parse_table(text.replace("cat", "'=cat")).table.truth == ("'=cat",)


@given(st.text(st.sampled_from("'=+-@1.e \t"), max_size=6))
def test_a_guarded_name_is_not_what_it_was(text):
    assert unguarded(guarded(text)) == text
    assert not is_formula(text) or guarded(text).startswith("'")


def test_tables_of_one_name_stand_beside_each_other():
    results = [scored(TABLE, "g", source="a.csv"), scored(NAMED, "g", source="b.csv")]
    names = [line.split(",")[0] for line in summary_csv(results).splitlines()]
    assert names[-2:] == ["g (a.csv)", "g (b.csv)"]
    assert "g (a.csv)" in markdown_text(results)
    assert "g (b.csv)" in markdown_text(results)


@given(
    st.lists(st.sampled_from(["", "a", "b", "a (2)", "a (x)", "a (3)"]), max_size=7),
    st.lists(st.sampled_from(["x", "y", None]), min_size=7, max_size=7),
)
def test_two_names_are_the_same(names, more):
    found = told_apart(names, [lambda i: more[i] and f"{names[i]} ({more[i]})"])
    kept = [name for name in found if name]
    assert len(set(kept)) == len(kept)
    assert [bool(name) for name in found] == [bool(name) for name in names]
    assert all(new.startswith(old) for new, old in zip(found, names, strict=True))


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_an_export_for_people_is_called_a_bad_table(ends):
    results = [scored(TABLE, "one"), scored(NAMED, "two")]
    for text, what in (
        (summary_csv(results), "a summary of scores without the counts"),
        (summary_csv(results, "\t"), "a summary of scores without the counts"),
        (resaved(summary_csv(results), ";", "\n"), "a summary of scores without the counts"),
        (markdown_text(results), "an export of scores as Markdown"),
        (latex_text(results), "an export of scores as LaTeX"),
    ):
        with pytest.raises(ReadError, match=f"^the text is {what}, which is not read back: open"):
            open_text(text.replace("\n", ends))
