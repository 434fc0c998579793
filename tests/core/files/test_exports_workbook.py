"""The workbook: every digit, text that stays text, and a record by which tables open again."""

import json
import tempfile
import zipfile
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from core import METRICS, ContingencyTable, score
from core.files import workbook_export
from core.files.errors import SaveError
from core.files.results import SaveScores, ScoredTable, write_scores
from core.files.workbook_limits import sheet_names
from core.heat_colors import heat, text_on
from core.noise import Noise
from core.studies import study
from core.version import __version__

FIGURE_1 = ContingencyTable(
    [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]],
    ["4", "5", "6", "7"],
    ["0", "1", "2", "3"],
)
UNDEFINED = ContingencyTable([[1, 1, 0], [0, 0, 0]], ["a", "=1+1"], ["x", "x", ""])


def scored(table, name="t", keys=None, **more):
    return ScoredTable(score(table, keys), name, **more)


def written(results, **more):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "s.xlsx")
        write_scores(path, results, **more)
        return load_workbook(path)


def record(book):
    head, *lines = book["tallyscope"].iter_rows(values_only=True)
    return [dict(zip(head, line, strict=True)) for line in lines]


def table_at(book, line):
    """Return names and counts where the record says that they stand."""
    cells = [[cell.value for cell in row] for row in book[line["sheet"]][line["range"]]]
    clusters = [name or "" for name in cells[0][1:]]
    truth = [row[0] or "" for row in cells[1:]]
    return ContingencyTable([list(map(int, row[1:])) for row in cells[1:]], truth, clusters)


def lines_of(sheet):
    return [list(row) for row in sheet.iter_rows(values_only=True)]


def test_the_first_sheet_is_not_what_scripts_read():
    results = [scored(FIGURE_1, "Figure 1", source="figure_1.csv"), scored(UNDEFINED, "u")]
    book = written(results)
    assert book.sheetnames == ["Summary", "Figure 1", "u", "tallyscope"]
    assert [sheet.sheet_state for sheet in book] == ["visible"] * 3 + ["hidden"]
    lines = lines_of(book["Summary"])
    assert lines[0][0] == "Tallyscope scored tables"
    assert lines[1][0] == __version__
    head = {line[0]: line[1] for line in lines[2:8]}
    assert head == {
        "q": 1.0,
        "beta": 1.0,
        "average": "arithmetic",
        "empty_truth": "exclude",
        "draws": 1000,
        "seed": 0,
    }
    assert ["convention", "Rows are truth classes, columns are clusters."] in [
        line[:2] for line in lines
    ]
    (top,) = [i for i, line in enumerate(lines) if line[0] == "name"]
    keys = [key for key in results[0].scores if METRICS[key].per == "table"]
    assert lines[top] == ["name", "source", "classes", "clusters", "N", *keys]
    assert lines[top - 1] == [None] * 5 + [METRICS[key].name for key in keys]
    assert lines[top + 1][:5] == ["Figure 1", "figure_1.csv", 4, 4, 2521]
    assert lines[top + 2][:5] == ["u", None, 2, 3, 2]
    for result, line in zip(results, lines[top + 1 :], strict=False):
        for key, value in zip(keys, line[5:], strict=True):
            expected = result.scores[key]
            assert value == (None if expected != expected else expected)
    reasons = [line[:3] for line in lines[top + 5 :]]
    assert ["u", "ap", results[1].scores.why("ap")] in reasons
    undefined = sum(results[1].scores.why(key) is not None for key in keys)
    assert reasons[undefined][0] is None
    (warning,) = reasons[undefined + 1 :]
    assert warning[0] == "warning"
    assert warning[1].startswith("The tables have different numbers of items, 2 to 2,521")


@given(st.floats(0, 1))
@example(0.1 + 0.2)
@example(1 / 3 + 1e-16)
@settings(max_examples=30)
def test_a_number_loses_digits(value):
    from openpyxl import Workbook

    from core.files.workbook_cells import Styles

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "s.xlsx")
        book = Workbook(write_only=True)
        sheet = book.create_sheet("s")
        cells = Styles(book).on(sheet)
        sheet.append([cells.value(value), cells.value(2**53), cells.value(2**53 + 1)])
        book.save(path)
        assert lines_of(load_workbook(path)["s"]) == [[value, 2**53, str(2**53 + 1)]]


def test_the_sheet_of_a_table_lacks_its_scores_or_its_classes():
    noisy = UNDEFINED.with_noise(Noise("drop", ("-1",), 3))
    result = scored(noisy, "u", source="u.csv", notes=("a note",))
    lines = lines_of(written([result])["u"])
    texts = [(line[0], line[1]) for line in lines]
    assert ("name", "u") in texts
    assert ("source", "u.csv") in texts
    assert ("rows", "truth classes") in texts
    assert ("columns", "clusters") in texts
    assert ("note", "A note.") in texts
    assert ("warning", "3 items labelled -1 were dropped as noise.") in texts
    (top,) = [i for i, line in enumerate(lines) if line[0] == "truth\\cluster"]
    assert lines[top][:5] == ["truth\\cluster", "x", "x", None, "Sum"]
    assert lines[top + 1][:5] == ["a", 1, 1, 0, 2]
    assert lines[top + 2][:5] == ["=1+1", 0, 0, 0, 0]
    assert lines[top + 3][:5] == ["Sum", 1, 1, 0, 2]
    assert lines[top + 5][:4] == ["metric", "value", "name", "note"]
    found = {line[0]: line for line in lines[top + 6 :]}
    for key in result.scores:
        if METRICS[key].per == "table":
            value, why = result.scores[key], result.scores.why(key)
            assert found[key][:4] == [
                key,
                None if why else value,
                METRICS[key].name,
                why,
            ]
    assert found["truth"][:4] == ["truth", "size", "row_peakiness", "peak_clusters"]
    assert found["a"][:5] == ["a", 2, 0.0, "x", "x"]
    assert found["=1+1"][:5] == ["=1+1", 0, None, None, None]


def test_cells_are_not_coloured_within_their_class_or_peaks_not_framed():
    book = written([scored(FIGURE_1)])
    cells = book["t"][record(book)[0]["range"]]
    for row, counts in zip(cells[1:], FIGURE_1.counts.tolist(), strict=True):
        for cell, count in zip(row[1:], counts, strict=True):
            colour = heat(count, max(counts))
            assert cell.fill.start_color.rgb[2:].lower() == "{:02x}{:02x}{:02x}".format(*colour)
            assert cell.font.color.rgb[2:].lower() == "{:02x}{:02x}{:02x}".format(*text_on(colour))
            assert (cell.border.left.style == "medium") == (count == max(counts))


def test_a_large_table_is_coloured_or_does_not_say_why_not(monkeypatch):
    monkeypatch.setattr(workbook_export, "MOST_COLOURED", 3)
    book = written([scored(ContingencyTable([[2**60, 1], [2, 3]]))])
    (line,) = record(book)
    assert table_at(book, line).counts.tolist() == [[2**60, 1], [2, 3]]
    cells = book["t"][line["range"]]
    assert {cell.fill.fill_type for row in cells for cell in row} == {None}
    assert [cell.border.left.style for cell in cells[1][1:]] == ["medium", None]
    assert any("not coloured" in str(row[1]) for row in lines_of(book["t"]))


# What a sheet holds: no control characters but tab and line feed.
NAMES = st.one_of(
    st.text(
        st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"),
        max_size=6,
    ),
    st.sampled_from(
        [
            "",
            " ",
            "\u2028",
            "🎈",
            " a ",
            "=1+1",
            "-1",
            "+1",
            "@a",
            "#N/A",
            "TRUE",
            "1",
            "1e5",
            "1.50",
            "2024-01-02",
            "a\nb",
            "\n",
            "\t",
            "a  b",
            "<&>\"'",
            "]]>",
            "{=1}",
            "Sum",
        ]
    ),
)
COUNTS = st.one_of(st.integers(0, 9), st.integers(2**53 - 2, 2**53 + 2), st.integers(0, 2**58))
NOISE = st.builds(
    Noise,
    st.sampled_from(["cluster", "drop", "singletons"]),
    st.lists(st.text(max_size=3), min_size=1, max_size=2).map(tuple),
    st.integers(0, 9),
    st.integers(0, 9),
    st.sampled_from(["clusters", "truth"]),
)


@st.composite
def tables(draw):
    r, c = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    counts = draw(st.lists(st.lists(COUNTS, min_size=c, max_size=c), min_size=r, max_size=r))
    truth = draw(st.lists(NAMES, min_size=r, max_size=r))
    table = ContingencyTable(counts, truth, draw(st.lists(NAMES, min_size=c, max_size=c)))
    return table.with_noise(draw(st.none() | NOISE))


@given(st.lists(st.tuples(tables(), NAMES, st.none() | NAMES), min_size=1, max_size=3))
@settings(max_examples=60)
def test_a_table_does_not_stand_where_the_record_says(found):
    results = [scored(table, name, ["ari", "row_peakiness"], source=s) for table, name, s in found]
    book = written(results)
    lines = record(book)
    assert len(lines) == len(results)
    for result, line in zip(results, lines, strict=True):
        table = result.scores.table
        back = table_at(book, line)
        assert (back.counts == table.counts).all()
        assert (back.truth, back.clusters) == (table.truth, table.clusters)
        assert (line["name"] or "") == result.name
        assert (line["source"] or "") == (result.source or "")
        if table.noise is None:
            assert line["noise_choice"] is None
        else:
            assert table.noise == Noise(
                line["noise_choice"],
                tuple(json.loads(line["noise_labels"])),
                line["noise_items"],
                line["noise_lost"],
                line["noise_of"],
            )


def test_a_name_becomes_a_formula_an_error_or_a_number():
    names = ["=1+1", "#N/A", "1", "TRUE"]
    book = written([scored(ContingencyTable(np.eye(4, dtype=int), names, names), "=2", ["ari"])])
    types = {cell.data_type for sheet in book for row in sheet for cell in row if cell.value}
    assert types <= {"s", "inlineStr", "n"}
    texts = [cell for sheet in book for row in sheet for cell in row if cell.value in names]
    assert len(texts) == 4 * 4
    assert {cell.data_type for cell in texts} == {"s"}


@pytest.mark.parametrize(
    "name", ["\0", "a\x0bb", "\r", "a\r\nb", "\ud800", "\uffff", "_x0041_", "x" * 40_000]
)
def test_a_name_that_no_sheet_holds_is_changed_or_crashes(tmp_path, name):
    for table in (
        ContingencyTable([[1], [2]], ["ok", name]),
        ContingencyTable([[1]], None, [name]),
    ):
        with pytest.raises(SaveError, match=r"^The name of (truth class 2|cluster 1), [^\n]*\.$"):
            write_scores(tmp_path / "s.xlsx", [scored(table, keys=["ari"])])
    assert list(tmp_path.iterdir()) == []
    # The name of the table stands in no cell of it: it is written out.
    book = written([ScoredTable(score(FIGURE_1, ["ari"]), name, name, (name,))])
    assert len(book.sheetnames) == 3


def test_a_table_wider_or_longer_than_a_sheet_is_cut(tmp_path):
    wide = ContingencyTable.from_cells((2, 16_384), [0, 1], [0, 1], [1, 1])
    with pytest.raises(SaveError, match=r"16,384 clusters, .* transpose it, or export it as \.csv"):
        write_scores(tmp_path / "s.xlsx", [scored(wide, keys=["ari"])])
    long = ContingencyTable.from_cells((600_000, 2), [0, 1], [0, 1], [1, 1])
    with pytest.raises(SaveError, match=r"600,000 truth classes, .* export it as \.csv"):
        write_scores(tmp_path / "s.xlsx", [scored(long, keys=["ari"])])
    assert list(tmp_path.iterdir()) == []


def test_sheets_have_names_that_a_spreadsheet_refuses():
    names = ["a/b", "A-B", "", "summary", "tallyscope", "History", "'q'", "x" * 40, "x" * 41]
    names += ["🎈" * 20, "\0", "[]:*?/\\", "a" * 30 + "'b", *["t"] * 12]
    found = sheet_names([scored(FIGURE_1, name, ["ari"]) for name in names])
    assert len({name.casefold() for name in found}) == len(names)
    for name in found:
        assert 0 < len(name.encode("utf-16-le")) // 2 <= 31
        assert not set(name) & set("[]:*?/\\")
        assert not name.startswith("'")
        assert not name.endswith("'")
        assert name.casefold() not in ("summary", "tallyscope", "history")
    assert found[:2] == ["a-b", "A-B (2)"]


# Stopping


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setattr(study, "STEP_SECONDS", 0.0)
    return folder


def test_a_workbook_that_is_stopped_leaves_files_behind(tmp_path, temporary):
    results = [scored(FIGURE_1, "a"), scored(UNDEFINED, "b")]
    path = tmp_path / "s.xlsx"
    path.write_text("old", "utf-8")
    saving = SaveScores(path, results)
    n_steps = len(list(SaveScores(tmp_path / "other.xlsx", results).run()))
    (tmp_path / "other.xlsx").unlink()
    assert n_steps > 100
    for taken in range(0, n_steps, 7):
        steps = saving.run()
        for step in islice(steps, taken):
            assert step.result is None
        steps.close()
        assert path.read_text("utf-8") == "old"
        assert sorted(tmp_path.iterdir()) == [path, temporary]
        assert list(temporary.iterdir()) == []


def test_a_finished_workbook_leaves_files_behind_or_is_no_whole_zip(tmp_path, temporary):
    steps = list(SaveScores(tmp_path / "s.xlsx", [scored(FIGURE_1)]).run())
    fractions = [step.fraction or 0.0 for step in steps]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1
    assert list(temporary.iterdir()) == []
    with zipfile.ZipFile(tmp_path / "s.xlsx") as archive:
        assert archive.testzip() is None
        assert len(archive.namelist()) == len(set(archive.namelist()))


def test_a_full_disk_for_temporary_files_crashes(tmp_path, temporary, monkeypatch):
    def full(*args, **more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(workbook_export, "move_sheet", full)
    (tmp_path / "s.xlsx").write_text("old", "utf-8")
    with pytest.raises(SaveError, match=r"^s\.xlsx was not saved: the disk is full\.$"):
        write_scores(tmp_path / "s.xlsx", [scored(FIGURE_1)])
    assert (tmp_path / "s.xlsx").read_text("utf-8") == "old"
    assert list(temporary.iterdir()) == []


def test_names_scroll_away_or_are_cut_by_their_columns():
    long = "a cluster of many letters"
    table = ContingencyTable(
        [[2**40, 1, 1], [1, 1, 1]], ["the name of a class is long", "b"], [long, "c", "d" * 300]
    )
    book = written([scored(table, "t" * 30, source="s"), scored(FIGURE_1, "u")])
    for sheet in book:
        assert sheet.freeze_panes == "B1"
    widths = {
        key: column.width for key, column in book[book.sheetnames[1]].column_dimensions.items()
    }
    assert widths["A"] == len("the name of a class is long") + 2
    assert widths["B"] == len(long) + 2
    assert widths["C"] == 12
    assert widths["D"] == 40
    # The sum of all has its room, too.
    assert widths["E"] == len(str(table.total)) + 2
    summary = book["Summary"].column_dimensions
    assert summary["A"].width == 32
    assert summary["H"].width == 12


def test_a_workbook_that_is_stopped_in_a_row_hides_why():
    """Its sheet could not be closed any more, and StopIteration took the place of the reason."""
    from openpyxl import Workbook

    from core.files.workbook_export import discard_sheets

    book = Workbook(write_only=True)
    sheet = book.create_sheet("s")
    sheet.append([1, 2])
    # What a signal leaves that comes while openpyxl writes to the file.
    with pytest.raises(SystemExit):
        sheet._writer.xf.throw(SystemExit(143))
    discard_sheets(book)
    assert not Path(sheet._writer.out).exists()
