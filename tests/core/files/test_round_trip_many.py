"""What is exported, of one table or of many, opens again as it was."""

import csv
import io
import tempfile
from pathlib import Path

import openpyxl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.files.opening import FileKind, open_file, open_text
from core.files.results import ScoredTable, scores_csv, scores_json, write_scores
from core.noise import Noise
from core.scoring import score
from core.table import ContingencyTable

# All that UTF-8 holds; no text file holds NUL.
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
NAMES = st.one_of(
    TEXT,
    st.text(st.sampled_from('a1,;\t "\n\r#=\\/\u00a0\ufeff\u2028\u0085🎈'), max_size=6),
    st.sampled_from(
        [
            "",
            " ",
            " a ",
            "0",
            "-1",
            "1.5",
            "nan",
            "truth\\cluster",
            "# x",
            "=1+1",
            "Total",
            "# Tallyscope scored table",
            "\n\n# Tallyscope scored table,1\n",
            "\ntruth\\cluster,a\n",
            "a\\nb",
            "'=1+1",
            "-1+2",
            "@x",
            "_x0041_",
            "a",
        ]
    ),
)
NOISE = st.none() | st.builds(
    Noise,
    st.sampled_from(["cluster", "drop", "singletons"]),
    st.lists(NAMES, min_size=1, max_size=2).map(tuple),
    st.integers(0, 99),
    st.integers(0, 9),
    st.sampled_from(["clusters", "truth"]),
)


@st.composite
def scored_tables(draw):
    r, c = draw(st.sampled_from([(1, 1), (1, 4), (4, 1), (2, 3), (3, 2)]))
    count = st.integers(0, 3) | st.integers(0, 2**58)
    counts = draw(st.lists(st.lists(count, min_size=c, max_size=c), min_size=r, max_size=r))
    truth = draw(st.lists(NAMES, min_size=r, max_size=r))
    clusters = draw(st.lists(NAMES, min_size=c, max_size=c))
    table = ContingencyTable(counts, truth, clusters).with_noise(draw(NOISE))
    scores = score(table, metrics=["ari", "ap", "row_peakiness"])
    notes = draw(st.lists(NAMES, max_size=2, unique=True))
    return ScoredTable(scores, draw(NAMES), draw(st.none() | NAMES), tuple(notes))


def content(results):
    """Return what must be the same, in a form that shows where it is not."""
    return [
        (
            one.name,
            one.source or None,
            t.truth,
            t.clusters,
            t.counts.tolist(),
            t.noise,
        )
        for one in results
        for t in [one.table if hasattr(one, "table") else one.scores.table]
    ]


def notes_kept(opened, results):
    """Return whether all notes came back, before those on how they were read."""
    return all(
        new.notes[: len(old.notes)] == old.notes
        for new, old in zip(opened.tables, results, strict=True)
    )


def plain(text, name="x", count=1):
    return ScoredTable(score(ContingencyTable([[count]], [text], [text]), ["ari"]), name)


@given(st.lists(scored_tables(), min_size=1, max_size=4), st.sampled_from([",", "\t"]))
@example([plain("\n# Tallyscope scored table\n")] * 3, ",")
@example([plain("# Tallyscope scored table"), plain("# Tallyscope scored table", count=0)], ",")
@example([plain("x", 'a "name", with\nall\\n'), plain("", "")], ",")
def test_exported_tables_open_otherwise_from_csv(results, separator):
    opened = open_text(scores_csv(results, separator))
    assert content(opened.tables) == content(results)
    assert notes_kept(opened, results)
    assert opened.is_export
    assert opened.kind is FileKind.EXPORT


@given(st.lists(scored_tables(), min_size=1, max_size=3), st.sampled_from([",", ";", "\t"]))
def test_exports_saved_again_with_all_cells_in_quotes_did_not_open(results, separator):
    text = scores_csv(results, separator=separator)
    out = io.StringIO()
    write = csv.writer(out, delimiter=separator, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    write.writerows(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    assert open_text(out.getvalue()).tables == open_text(text).tables


@given(st.lists(scored_tables(), min_size=1, max_size=4))
def test_exported_tables_open_otherwise_from_json(results):
    opened = open_text(scores_json(results))
    assert content(opened.tables) == content(results)
    assert notes_kept(opened, results)
    assert opened.is_export
    assert opened.kind is FileKind.JSON


@given(st.lists(scored_tables(), min_size=1, max_size=3), st.sampled_from(["csv", "tsv", "json"]))
def test_a_file_of_exported_tables_opens_otherwise(results, ending):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"t.{ending}")
        write_scores(path, results)
        expected = [(n, s or path.name, *rest) for n, s, *rest in content(results)]
        assert content(open_file(path).tables) == expected


@pytest.mark.parametrize("shape", [(60, 45), (1, 54), (54, 1), (54, 54)])
def test_a_table_of_many_labels_is_cut(shape):
    r, c = shape
    table = ContingencyTable([[i * j % 7 for j in range(c)] for i in range(r)])
    results = [ScoredTable(score(table, ["ari"]), f"{i}") for i in range(3)]
    for text in (scores_csv(results), scores_json(results)):
        assert [one.table for one in open_text(text).tables] == [table] * 3


# What a workbook holds: all but controls, which are written as _xHHHH_.
CELLS = st.one_of(
    st.text(
        st.characters(
            codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"
        ),
        max_size=8,
    ),
    st.sampled_from(["", " a ", "0", "1.5", "=1+1", "Total", "truth\\cluster", "a\nb", "TRUE"]),
)


@given(
    st.lists(CELLS, min_size=2, max_size=2),
    st.lists(CELLS, min_size=3, max_size=3),
    st.lists(st.lists(st.integers(0, 2**60), min_size=3, max_size=3), min_size=2, max_size=2),
    CELLS,
)
def test_a_workbook_with_a_record_opens_otherwise(truth, clusters, counts, name):
    if any("_x" in text for text in (*truth, *clusters, name)):
        return
    book = openpyxl.Workbook()
    sheet = book.create_sheet("T")
    rows = [["truth\\cluster", *clusters], *([t, *c] for t, c in zip(truth, counts, strict=True))]
    for i, row in enumerate(rows, start=3):
        for j, value in enumerate(row, start=2):
            cell = sheet.cell(
                i, j, str(value) if isinstance(value, int) and value > 2**53 else value
            )
            if isinstance(cell.value, str):
                cell.data_type = "s"
    record = book.create_sheet("tallyscope")
    for row in (["sheet", "range", "name"], ["T", "B3:E5", name]):
        record.append(row)
        record.cell(record.max_row, 3).data_type = "s"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "t.xlsx")
        book.save(path)
        opened = open_file(path)
    (one,) = opened.tables
    assert one.table == ContingencyTable(counts, truth, clusters)
    assert one.name == name
    assert opened.is_export
