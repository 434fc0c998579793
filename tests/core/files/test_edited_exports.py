"""Exported workbooks that somebody edited: read where their tables stand now, or refused."""

import pytest
from openpyxl import load_workbook

from core import ContingencyTable, score
from core.files.errors import ReadError
from core.files.opening import open_file
from core.files.options import OpenOptions, ReadOptions
from core.files.results import ScoredTable, write_scores
from core.noise import Noise

TABLE = ContingencyTable([[8, 2, 0], [1, 9, 3], [4, 4, 7]], ["cat", "dog", "cow"], ["a", "b", "c"])
NOISE = Noise("drop", ("_x0041_", "_x000D_", "line\nbreak", "-1"), 3, 1, "clusters")


@pytest.fixture
def edited(tmp_path):
    """Export tables, edit the workbook, and open it."""

    def open_edited(edit, *results, **options):
        path = tmp_path / "e.xlsx"
        pets = ScoredTable(score(TABLE, ["ari"]), "pets", "p.csv", ("one note",))
        write_scores(path, results or [pets])
        book = load_workbook(path)
        edit(book)
        book.save(path)
        return open_file(path, OpenOptions(ReadOptions(**options)))

    return open_edited


def row_of(sheet, text):
    return next(row[0].row for row in sheet.iter_rows(max_col=1) if row[0].value == text)


def column_of(sheet, text):
    header = sheet[row_of(sheet, "truth\\cluster")]
    return next(cell.column for cell in header if cell.value == text)


def added_up(sheet):
    """Correct the sums beside a table of three clusters or four."""
    top, bottom = row_of(sheet, "truth\\cluster"), row_of(sheet, "Sum")
    right = column_of(sheet, "Sum")
    for row in range(top + 1, bottom):
        sheet.cell(row, right).value = sum(sheet.cell(row, c).value for c in range(2, right))
    for column in range(2, right + 1):
        cells = [sheet.cell(row, column).value for row in range(top + 1, bottom)]
        sheet.cell(bottom, column).value = sum(cells)


def same(found, table):
    assert found.is_export
    assert [one.table for one in found.tables] == [table]
    assert (found.tables[0].name, found.tables[0].source) == ("pets", "p.csv")
    return found.tables[0].notes


def nothing(book):
    assert book["tallyscope"].sheet_state == "hidden"


def test_an_export_that_was_not_edited_is_noted_as_moved(edited):
    assert same(edited(nothing), TABLE) == ("one note",)


@pytest.mark.parametrize(
    "edit",
    [
        lambda sheet: sheet.insert_rows(1),
        lambda sheet: sheet.insert_rows(1, 3),
        lambda sheet: sheet.delete_rows(1),
        lambda sheet: sheet.delete_rows(1, 2),
        lambda sheet: sheet.insert_cols(1),
        lambda sheet: (sheet.insert_rows(1), sheet.insert_cols(1, 2)),
        lambda sheet: (sheet.insert_rows(1), sheet.cell(1, 1, "My heading")),
    ],
)
def test_lines_above_or_beside_a_table_shift_what_is_read(edited, edit):
    *_, moved = same(edited(lambda book: edit(book["pets"])), TABLE)
    assert "stood at" in moved


def inserted_class(book):
    sheet = book["pets"]
    row = row_of(sheet, "cow")
    sheet.insert_rows(row)
    for column, value in enumerate(["pig", 5, 6, 1], start=1):
        sheet.cell(row, column, value)
    added_up(sheet)


def inserted_cluster(book):
    sheet = book["pets"]
    top = row_of(sheet, "truth\\cluster")
    sheet.insert_cols(3)
    for row, value in enumerate(["z", 5, 6, 1], start=top):
        sheet.cell(row, 3, value)
    added_up(sheet)


def deleted(book, line):
    sheet = book["pets"]
    if line in TABLE.truth:
        sheet.delete_rows(row_of(sheet, line))
    else:
        sheet.delete_cols(column_of(sheet, line))
    added_up(sheet)


def test_an_inserted_class_takes_the_place_of_the_last(edited):
    counts = [[8, 2, 0], [1, 9, 3], [5, 6, 1], [4, 4, 7]]
    table = ContingencyTable(counts, ["cat", "dog", "pig", "cow"], TABLE.clusters)
    same(edited(inserted_class), table)


def test_an_inserted_cluster_takes_the_place_of_the_last(edited):
    counts = [[8, 5, 2, 0], [1, 6, 9, 3], [4, 1, 4, 7]]
    table = ContingencyTable(counts, TABLE.truth, ["a", "z", "b", "c"])
    same(edited(inserted_cluster), table)


@pytest.mark.parametrize("line", [*TABLE.truth, *TABLE.clusters])
def test_a_deleted_line_makes_the_sums_a_class_or_a_cluster(edited, line):
    rows = [i for i, name in enumerate(TABLE.truth) if name != line]
    columns = [i for i, name in enumerate(TABLE.clusters) if name != line]
    table = ContingencyTable(
        TABLE.counts[rows][:, columns],
        [TABLE.truth[i] for i in rows],
        [TABLE.clusters[i] for i in columns],
    )
    same(edited(lambda book: deleted(book, line)), table)


def test_sums_that_do_not_fit_a_moved_table_are_read_past(edited):
    def edit(book):
        sheet = book["pets"]
        sheet.delete_rows(row_of(sheet, "dog"))

    with pytest.raises(ReadError, match=r'e\.xlsx, pets!B\d+: the sum is "13" where .* 12: corr'):
        edited(edit)
    found = edited(edit, totals="drop")
    assert found.tables[0].table.truth == ("cat", "cow")
    assert any("the sum in B" in note for note in found.tables[0].notes)


def test_a_corrected_count_is_refused_or_goes_unmentioned(edited):
    def edit(book):
        book["pets"].cell(row_of(book["pets"], "cat"), 2).value = 80

    note = same(edited(edit), ContingencyTable([[80, 2, 0], [1, 9, 3], [4, 4, 7]], *names()))[-1]
    assert 'is "13" where the counts add up to 85' in note


def names():
    return TABLE.truth, TABLE.clusters


def test_a_table_whose_sums_were_deleted_swallows_the_scores_below(edited):
    def edit(book):
        sheet = book["pets"]
        sheet.delete_rows(row_of(sheet, "Sum"))
        sheet.delete_cols(column_of(sheet, "Sum"))
        sheet.delete_rows(1)

    same(edited(edit), TABLE)


def behind_the_sums(book):
    sheet = book["pets"]
    row = row_of(sheet, "Sum")
    sheet.insert_rows(row + 1)
    for column, value in enumerate(["pig", 5, 6, 1], start=1):
        sheet.cell(row + 1, column, value)


def beside_the_sums(book):
    sheet = book["pets"]
    top, column = row_of(sheet, "truth\\cluster"), column_of(sheet, "Sum")
    for row, value in enumerate(["z", 5, 6, 1], start=top):
        sheet.cell(row, column + 1, value)


def without_a_corner(book):
    sheet = book["pets"]
    sheet.cell(row_of(sheet, "truth\\cluster"), 1).value = "animals"


@pytest.mark.parametrize("edit", [behind_the_sums, beside_the_sums, without_a_corner])
def test_lines_behind_the_sums_are_left_out(edited, edit):
    with pytest.raises(ReadError, match=r'sheet "pets": .* not at A\d+:D\d+ any more.*as a range'):
        edited(edit)


def test_a_table_with_a_class_called_sum_or_like_the_corner_is_cut(edited):
    names = ["Sum", "truth\\cluster", ""]
    table = ContingencyTable(TABLE.counts, names, names)
    result = ScoredTable(score(table, ["ari"]), "truth\\cluster", "p.csv")
    found = edited(nothing, result)
    assert found.tables[0].table == table
    assert not any("stood at" in note for note in found.tables[0].notes)


def test_a_renamed_sheet_is_not_found(edited):
    found = edited(lambda book: setattr(book["pets"], "title", "animals"))
    same(found, TABLE)
    assert any('"pets" is called "animals" now' in note for note in found.notes)


def test_an_export_without_its_hidden_sheet_does_not_open(edited):
    found = edited(lambda book: book.remove(book["tallyscope"]))
    assert found.is_export
    assert [(one.name, one.table) for one in found.tables] == [("pets", TABLE)]


def test_a_sheet_that_was_added_is_left_out(edited):
    def edit(book):
        sheet = book.create_sheet("new")
        for row in (["", "x", "y"], ["p", 1, 2], ["q", 3, 4]):
            sheet.append(row)
        book.copy_worksheet(book["pets"]).title = "copy"

    found = edited(edit)
    assert [one.name for one in found.tables] == ["pets", "new", "copy"]
    assert found.tables[1].table == ContingencyTable([[1, 2], [3, 4]], ["p", "q"], ["x", "y"])
    assert found.tables[2].table == TABLE
    assert found.notes[0].startswith("the file holds 3 tables")


def test_a_deleted_sheet_goes_unmentioned_or_stops_the_others(edited):
    scores = score(TABLE, ["ari"])
    results = [ScoredTable(scores, "one"), ScoredTable(scores, "two")]
    found = edited(lambda book: book.remove(book["one"]), *results)
    assert [one.name for one in found.tables] == ["two"]
    assert any('"one" of the export is not in the file' in note for note in found.notes)
    with pytest.raises(ReadError, match="none of the tables of the export"):
        edited(lambda book: book.remove(book["pets"]))


def test_notes_names_and_labels_of_noise_come_back_otherwise(edited):
    notes = ("a\nb", "_x0041_", '"quoted"')
    result = ScoredTable(score(TABLE.with_noise(NOISE), ["ari"]), "_x0042_\r", "a\x01b", notes)
    (one,) = edited(nothing, result).tables
    assert (one.name, one.source, one.notes) == ("_x0042_\r", "a\x01b", notes)
    assert one.table.noise == NOISE


def test_notes_longer_than_a_cell_break_the_record(edited):
    notes = tuple(f"{i}" * 9_000 for i in range(5))
    result = ScoredTable(score(TABLE, ["ari"]), "pets", "p.csv", notes)
    assert same(edited(nothing, result), TABLE) == notes[:3]
