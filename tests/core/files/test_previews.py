"""The first cells of a file as text, and what they are as a table."""

import openpyxl
import pytest

from core.files.errors import ReadError
from core.files.previews import CellOptions, preview_cells

FIGURE = ",a,b\ncat,8,2\ndog,1,9\n"


@pytest.fixture
def text(tmp_path):
    def write(content):
        path = tmp_path / "x.csv"
        path.write_text(content, "utf-8")
        return path

    return write


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "x.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["A title"])
    sheet = book.create_sheet("Counts")
    cells = {"C3": "a", "D3": "b", "B4": "cat", "C4": 8, "D4": 2.0, "B5": "dog", "C5": 1, "D5": 9}
    for place, value in cells.items():
        sheet[place] = value
    sheet.cell(8, 2, "Total")
    book.save(path)
    return path


def test_a_text_is_shown_with_what_it_is_as_a_table(text):
    seen = preview_cells(text("# by hand\n" + FIGURE))
    assert seen.rows == (("", "a", "b"), ("cat", "8", "2"), ("dog", "1", "9"))
    assert (seen.lines, seen.columns) == ((2, 3, 4), ("1", "2", "3"))
    assert (seen.header, seen.index, seen.separator) == (True, True, ",")
    assert seen.summary == "2 classes × 2 clusters, N = 20"
    assert seen.fault is None
    assert not seen.more


def test_options_change_what_is_shown(text):
    path = text("1.234;5\n6;7\n")
    assert "thousands" in (preview_cells(path).fault or "")
    assert preview_cells(path, CellOptions(thousands=".")).summary.endswith("N = 1\u202f252")
    assert preview_cells(path, CellOptions(separator=",")).columns == ("1",)


def test_a_fault_leaves_the_cells_visible(text):
    seen = preview_cells(text("a,b\n1,2\n3\n"))
    assert seen.rows[2] == ("3",)
    assert "line 3" in (seen.fault or "")
    seen = preview_cells(text('a,b\n1,2\n"3,4\n'))
    assert "quotation mark" in (seen.fault or "")


def test_labels_are_told_from_a_table(text):
    assert preview_cells(text("truth,cluster\na,0\nb,1\n")).is_labels


def test_a_large_text_is_shown_in_part(text):
    seen = preview_cells(text((",".join(["7"] * 60) + "\n") * 5000))
    assert (len(seen.rows), len(seen.rows[0]), seen.more) == (50, 50, True)
    assert seen.fault is None
    assert seen.summary == "the first 50 rows, 60 columns"


def test_a_range_of_a_sheet_is_shown_with_its_letters_and_rows(book):
    seen = preview_cells(book, CellOptions(sheet="Counts", range="b3:$D$5"))
    assert (seen.columns, seen.lines) == (("B", "C", "D"), (3, 4, 5))
    assert seen.rows[1] == ("cat", "8", "2")
    assert seen.summary == "2 classes × 2 clusters, N = 20"
    assert (seen.sheets, seen.sheet) == (("Sheet", "Counts"), "Counts")


def test_a_whole_sheet_is_shown_without_its_blank_edges(book):
    seen = preview_cells(book, CellOptions(sheet="Counts"))
    assert (seen.columns, seen.lines[0]) == (("B", "C", "D"), 3)
    assert seen.rows[-1] == ("Total", "", "")
    assert seen.fault is not None


@pytest.mark.parametrize("cells", ["B2:", "7", "F6:B2", "B6:F2", "", "Ä1"])
def test_what_is_no_range_is_said_to_be_none(book, cells):
    with pytest.raises(ReadError, match="B2:F6"):
        preview_cells(book, CellOptions(sheet="Counts", range=cells))


def test_a_range_without_cells_and_a_sheet_that_is_not_there_are_named(book):
    with pytest.raises(ReadError, match="no cells in X1:Z9"):
        preview_cells(book, CellOptions(sheet="Counts", range="X1:Z9"))
    with pytest.raises(ReadError, match='"Sheet", "Counts"'):
        preview_cells(book, CellOptions(sheet="Sums"))
