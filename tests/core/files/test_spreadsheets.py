"""Tables in workbooks: what a sheet says beyond its cells is neither lost nor misread."""

import contextlib
import datetime
import io
import re
import zipfile
from functools import partial
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.styles import numbers

from core.files import block
from core.files.errors import CountError, FaultKind, ReadError
from core.files.opening import FileKind, OpenFile, OpenOptions, open_file
from core.files.options import ReadOptions
from core.files.sheet_cells import Box, box_of, cell_of, column_letters
from core.files.workbook_outline import workbook_outline
from core.studies import study
from core.table import ContingencyTable

PETS = ContingencyTable([[8, 2], [1, 9]], ["cat", "dog"], ["a", "b"])
ROWS: list[list[Any]] = [["", "a", "b"], ["cat", 8, 2], ["dog", 1, 9]]


@pytest.fixture
def book():
    made = openpyxl.Workbook()
    made.active.title = "Pets"
    return made


def fill(sheet, rows, top=1, left=1):
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            if value != "":
                sheet.cell(top + i, left + j, value)
    return sheet


def opened(book, tmp_path, **options):
    path = tmp_path / "t.xlsx"
    book.save(path)
    read = {key: options.pop(key) for key in ("totals", "blank", "thousands") if key in options}
    return open_file(path, OpenOptions(ReadOptions(**read), **options))


def fault(book, tmp_path, **options):
    with pytest.raises(ReadError) as caught:
        opened(book, tmp_path, **options)
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message
    return caught.value


def test_a_sheet_is_not_a_table_named_after_it(book, tmp_path):
    fill(book.active, ROWS)
    found = opened(book, tmp_path)
    (one,) = found.tables
    assert (one.name, one.table, one.source, one.notes) == ("Pets", PETS, "t.xlsx", ())
    assert (found.kind, found.is_export, found.notes) == (FileKind.WORKBOOK, False, ())


def test_a_table_must_stand_in_the_first_cell(book, tmp_path):
    fill(book.active, ROWS, top=5, left=4)
    assert opened(book, tmp_path).tables[0].table == PETS


def test_numbers_alone_lose_their_first_row(book, tmp_path):
    fill(book.active, [[8, 2], [1, 9]])
    assert opened(book, tmp_path).tables[0].table == ContingencyTable([[8, 2], [1, 9]])


def test_sheets_without_a_table_go_unmentioned(book, tmp_path):
    fill(book.active, ROWS)
    book.create_sheet("Empty")
    fill(book.create_sheet("About me"), [["made by hand"], ["in May"]])
    fill(book.create_sheet("More"), [["", "a"], ["cat", 3]])
    fill(book.create_sheet("Shares"), [["", "a"], ["cat", 0.25]])
    found = opened(book, tmp_path)
    assert [one.name for one in found.tables] == ["Pets", "More"]
    notes = "; ".join(found.notes)
    assert 'sheet "Empty" is empty' in notes
    assert 'sheet "About me" was left out' in notes
    assert 'sheet "Shares" was left out (Shares!B2 (class cat, cluster a): "0.25" is not' in notes


def test_a_workbook_without_a_table_has_no_sentence(book, tmp_path):
    assert fault(book, tmp_path).kind is FaultKind.EMPTY
    fill(book.active, [["only", "text"]])
    assert "holds no counts" in str(fault(book, tmp_path))
    fill(book.create_sheet("B"), [["text"]])
    assert "none of its sheets" in str(fault(book, tmp_path))


def test_a_sheet_and_a_range_cannot_be_chosen(book, tmp_path):
    fill(book.active, [["x", 1, 2, 3], ["y", 4, 5, 6]])
    fill(book.create_sheet("It's B"), ROWS, top=3, left=2)
    assert opened(book, tmp_path, sheet="it's b").tables[0].table == PETS
    (one,) = opened(book, tmp_path, sheet="It's B", cells="B3:C5").tables
    assert one.table == ContingencyTable([[8], [1]], ["cat", "dog"], ["a"])
    for cells in ("'It's B'!C4:D5", "'It''s B'!$C$4:$D$5", "It's B!d5:c4"):
        (one,) = opened(book, tmp_path, cells=cells).tables
        assert one.table.counts.tolist() == [[8, 2], [1, 9]]
    error = fault(book, tmp_path, sheet="C")
    assert error.kind is FaultKind.PART
    assert '"Pets", "It\'s B"' in str(error)
    assert fault(book, tmp_path, cells="B2:C3").kind is FaultKind.PART
    assert fault(book, tmp_path, sheet="Pets", cells="B2:").kind is FaultKind.PART
    assert fault(book, tmp_path, sheet="Pets", cells="2:3").kind is FaultKind.PART
    assert fault(book, tmp_path, sheet="Pets", cells="H8:J9").kind is FaultKind.EMPTY


def test_a_cell_is_not_named_as_spreadsheets_do(book, tmp_path):
    book.active.title = "My pets"
    fill(book.active, [["", "a", "b"], ["cat", 8, -2], ["dog", 1, 9]], top=3, left=27)
    error = fault(book, tmp_path)
    assert isinstance(error, CountError)
    assert str(error) == (
        "t.xlsx, 'My pets'!AC4 (class cat, cluster b): \"-2\" is negative: a count is 0 or a "
        "positive whole number."
    )
    assert (error.line, error.row, error.column) == (4, 1, 2)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (2.5, FaultKind.FRACTION),
        (1.234, FaultKind.FRACTION),
        (-1, FaultKind.NEGATIVE),
        (1e30, FaultKind.TOO_LARGE),
        (True, FaultKind.TEXT),
        (datetime.date(2026, 5, 1), FaultKind.TEXT),
        (datetime.time(12, 30), FaultKind.TEXT),
        ("#N/A", FaultKind.FORMULA),
        ("#DIV/0!", FaultKind.FORMULA),
        ("1,234", FaultKind.THOUSANDS),
        ("1.234", FaultKind.THOUSANDS),
        ("12%", FaultKind.PERCENT),
        ("n/a", FaultKind.MISSING),
        ("x", FaultKind.TEXT),
        (" ", FaultKind.BLANK),
        ("", FaultKind.BLANK),
        ("=1+1", FaultKind.FORMULA),
    ],
)
def test_a_cell_that_is_no_count_is_read(book, tmp_path, value, kind):
    fill(book.active, [["", "a", "b"], ["cat", 8, 2], ["dog", 1, value], ["cow", 5, 5]])
    error = fault(book, tmp_path)
    assert error.kind is kind
    assert str(error).startswith("t.xlsx, Pets!C3 (class dog, cluster b): ")


def test_a_share_is_read_as_its_fraction_or_as_one(book, tmp_path):
    fill(book.active, ROWS)
    for value, code, shown in (
        (0.25, "0%", "25%"),
        (1, "0.00 %", "100%"),
        (1, numbers.BUILTIN_FORMATS[10], "100%"),
    ):
        book.active["C3"] = value
        book.active["C3"].number_format = code
        error = fault(book, tmp_path)
        assert error.kind is FaultKind.PERCENT
        assert f'"{shown}" is a share' in str(error)


def test_the_format_of_a_number_changes_the_count(book, tmp_path):
    fill(book.active, ROWS)
    book.active["C3"].number_format = "#,##0.00"
    book.active["B3"].number_format = '0 "items of 100%"'
    book.active["B2"].number_format = "[Red]0.0E+00"
    assert opened(book, tmp_path).tables[0].table == PETS


def test_dates_as_names_are_day_numbers(book, tmp_path):
    fill(book.active, [["", "a"], [datetime.date(2026, 5, 1), 3], ["dog", 4]])
    assert opened(book, tmp_path).tables[0].table.truth == ("2026-05-01", "dog")


def test_counts_as_text_lose_digits(book, tmp_path):
    fill(book.active, [["", "a", "b"], ["cat", "9007199254740993", 4], ["dog", "1 ", 3.0]])
    (one,) = opened(book, tmp_path).tables
    assert one.table.counts.tolist() == [[9007199254740993, 4], [1, 3]]
    assert one.notes == ()


def test_digits_that_no_sheet_can_hold_are_not_mentioned(book, tmp_path):
    fill(book.active, [["", "a", "b"], ["cat", 2**60 + 1, 4], ["dog", 10**14, 5]])
    (one,) = opened(book, tmp_path).tables
    assert len(one.notes) == 1
    assert one.notes[0].startswith("1 count is so large")


def test_thousands_and_blanks_cannot_be_said(book, tmp_path):
    fill(book.active, [["", "a", "b"], ["cat", "1,234", ""], ["dog", 1, 2]])
    counts = opened(book, tmp_path, thousands=",", blank="zero").tables[0].table.counts
    assert counts.tolist() == [[1234, 0], [1, 2]]


def patched(path, edit, part="xl/worksheets/sheet1.xml"):
    """Change a part of a workbook."""
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    members[part] = edit(members.get(part, b"").decode()).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data)


def test_the_value_of_a_formula_is_not_read(book, tmp_path):
    fill(book.active, [["", "a", "b"], ["cat", 8, "=B2/4"], ["dog", 1, 9]])
    error = fault(book, tmp_path)
    assert error.kind is FaultKind.FORMULA
    assert "Pets!C2" in str(error)
    assert '"=B2/4" has no stored value' in str(error)
    path = tmp_path / "t.xlsx"
    patched(path, lambda text: re.sub(r"<v\s*/>|<v></v>", "<v>2</v>", text))
    (one,) = open_file(path).tables
    assert one.table == PETS
    assert one.notes == ("1 cell is a formula, whose stored value was read",)


def test_a_merged_count_is_read_as_one_of_its_cells(book, tmp_path):
    fill(book.active, ROWS)
    book.active.merge_cells("B2:C2")
    error = fault(book, tmp_path)
    assert error.kind is FaultKind.MERGED
    assert "Pets!C2" in str(error)
    assert "B2:C2" in str(error)
    with pytest.raises(ReadError) as caught:
        opened(book, tmp_path, blank="zero")
    assert caught.value.kind is FaultKind.MERGED


def test_a_merged_label_above_the_table_is_a_header(book, tmp_path):
    fill(book.active, [["", "Clusters"], *ROWS])
    book.active.merge_cells("B1:C1")
    (one,) = opened(book, tmp_path).tables
    assert one.table == PETS
    assert one.notes == ('the text above it, "Clusters", was left out',)


def test_a_merged_label_left_of_the_table_is_a_class(book, tmp_path):
    fill(book.active, [["", *ROWS[0]], ["Truth", *ROWS[1]], ["", *ROWS[2]]])
    book.active.merge_cells("A2:A3")
    (one,) = opened(book, tmp_path).tables
    assert one.table == PETS
    assert one.notes == ('the text left of it, "Truth", was left out',)


def test_a_merged_name_leaves_a_class_without_one(book, tmp_path):
    fill(book.active, [["", "a"], ["cat", 1], ["", 2], ["dog", 7]])
    book.active.merge_cells("A2:A3")
    (one,) = opened(book, tmp_path).tables
    assert one.table.truth == ("cat", "cat", "dog")
    assert one.notes == ('2 truth classes are named "cat"',)


def test_hidden_rows_and_columns_are_left_out_or_not_mentioned(book, tmp_path):
    fill(book.active, ROWS)
    book.active.row_dimensions[3].hidden = True
    book.active.column_dimensions["B"].hidden = True
    (one,) = opened(book, tmp_path).tables
    assert one.table == PETS
    assert one.notes == ("1 hidden row was read", "1 hidden column was read")


def test_a_hidden_sheet_is_not_mentioned(book, tmp_path):
    fill(book.active, ROWS)
    fill(book.create_sheet("B"), ROWS).sheet_state = "hidden"
    found = opened(book, tmp_path)
    assert len(found.tables) == 2
    assert 'sheet "B" is hidden, and was read' in found.notes


def test_totals_of_a_pivot_table_are_scored(book, tmp_path):
    rows = [
        ["Row Labels", "a", "b", "Grand Total"],
        ["cat", 8, 2, 10],
        ["dog", 1, 9, 10],
        ["Grand Total", 9, 11, 20],
    ]
    fill(book.active, rows)
    (one,) = opened(book, tmp_path).tables
    assert one.table == PETS
    assert len(one.notes) == 2
    assert opened(book, tmp_path, totals="keep").tables[0].table.shape == (3, 3)
    book.active["D4"] = 21
    error = fault(book, tmp_path)
    assert error.kind is FaultKind.TOTAL
    assert opened(book, tmp_path, totals="drop").tables[0].table == PETS


def test_several_tables_in_a_sheet_are_one(book, tmp_path):
    fill(book.active, [["Run 1"], *ROWS])
    fill(book.active, [["Run 2"], *ROWS], top=7)
    fill(book.active, [["Source: the lab"]], top=15)
    found = opened(book, tmp_path)
    assert [one.name for one in found.tables] == ["Pets, Run 1", "Pets, Run 2"]
    assert [one.table for one in found.tables] == [PETS, PETS]
    assert 'the text in A15 of sheet "Pets" was left out' in found.notes


def test_a_blank_row_cuts_a_table_in_two(book, tmp_path):
    fill(book.active, ROWS)
    fill(book.active, [["cow", 5, 5], ["hen", 1, 1]], top=5)
    error = fault(book, tmp_path)
    assert (error.kind, error.line) == (FaultKind.BLANK_LINE, 4)
    assert "Pets, row 4" in str(error)
    assert fault(book, tmp_path, sheet="Pets", cells="A1:C6").kind is FaultKind.BLANK_LINE


def test_a_cell_far_out_takes_the_memory(book, tmp_path):
    fill(book.active, ROWS)
    book.active["XFD1048576"] = 1
    error = fault(book, tmp_path, sheet="Pets", cells="A1:XFD1048576")
    assert error.kind is FaultKind.TOO_MANY_CELLS
    assert "A1:XFD1048576" in str(error)
    assert workbook_outline(tmp_path / "t.xlsx")[0].used == "A1:XFD1048576"


def test_too_many_cells_are_read(book, tmp_path, monkeypatch):
    fill(book.active, [[1] * 4] * 4)
    monkeypatch.setattr(block, "MAX_CELLS", 8)
    assert fault(book, tmp_path).kind is FaultKind.TOO_MANY_CELLS


def test_labels_in_a_sheet_are_a_table(book, tmp_path):
    fill(book.active, [["truth", "cluster"], [0, 1], [1, 1]])
    assert fault(book, tmp_path).kind is FaultKind.LABELS


def test_names_lose_their_spaces_breaks_and_escapes(book, tmp_path):
    names = ["two\nlines", "=1+1", "1.5", "007", "é🎈", "a_x000D_b"]
    fill(book.active, [["", *names], ["cat", 1, 2, 3, 4, 5, 6]])
    for cell in book.active[1]:
        if cell.value is not None:
            cell.data_type = "s"
    (one,) = opened(book, tmp_path).tables
    assert one.table.clusters == (*names[:-1], "a\rb")


def test_shared_texts_of_several_looks_and_readings_are_cut(book, tmp_path):
    path = tmp_path / "t.xlsx"
    fill(book.active, ROWS)
    book.save(path)
    strings = (
        '<sst xmlns="x"><si><t>a</t></si><si><t xml:space="preserve">b</t></si>'
        "<si><r><t>c</t></r><r><rPr><b/></rPr><t>at</t></r><rPh><t>x</t></rPh></si></sst>"
    )
    patched(path, lambda _: strings, "xl/sharedStrings.xml")
    relation = '<Relationship Id="rId99" Type="x/sharedStrings" Target="/xl/sharedStrings.xml"/>'
    patched(
        path,
        lambda text: text.replace("</Relationships>", relation + "</Relationships>"),
        "xl/_rels/workbook.xml.rels",
    )
    for number, text in enumerate(("a", "b", "cat")):
        inline = rf't="inlineStr">\s*<is>\s*<t>{text}</t>\s*</is>'
        patched(path, partial(re.sub, inline, f't="s"><v>{number}</v>'))
    with zipfile.ZipFile(path) as file:
        assert file.read("xl/worksheets/sheet1.xml").count(b't="s"') == 3
    assert open_file(path).tables[0].table == PETS


STRICT = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData>'
    '<x:row><x:c t="inlineStr"><x:is><x:t></x:t></x:is></x:c>'
    '<x:c t="str"><x:v>a</x:v></x:c></x:row>'
    '<x:row><x:c t="inlineStr"><x:is><x:t>cat</x:t></x:is></x:c><x:c><x:v>3E1</x:v></x:c></x:row>'
    "</x:sheetData></x:worksheet>"
)


def test_a_sheet_in_another_dialect_is_not_read(book, tmp_path):
    path = tmp_path / "t.xlsx"
    book.save(path)
    patched(path, lambda _: STRICT)
    (one,) = open_file(path).tables
    assert one.table == ContingencyTable([[30]], ["cat"], ["a"])


def test_cells_out_of_order_change_places(book, tmp_path):
    path = tmp_path / "t.xlsx"
    book.save(path)
    cells = {"C1": 3, "A1": 1, "B1": 2, "B2": 5, "C2": 6, "A2": 4}
    written = "".join(f'<c r="{place}"><v>{n}</v></c>' for place, n in cells.items())
    rows = f'<row r="1">{written}</row>'
    patched(path, lambda _: f"<worksheet><sheetData>{rows}</sheetData></worksheet>")
    assert open_file(path).tables[0].table.counts.tolist() == [[1, 2, 3], [4, 5, 6]]
    twice = rows.replace("B1", "A1")
    patched(path, lambda _: f"<worksheet><sheetData>{twice}</sheetData></worksheet>")
    with pytest.raises(ReadError) as caught:
        open_file(path)
    assert caught.value.kind is FaultKind.DAMAGED


def test_entities_are_expanded(book, tmp_path):
    path = tmp_path / "t.xlsx"
    book.save(path)
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    patched(path, lambda _: STRICT.replace("<x:worksheet", bomb + "<x:worksheet", 1))
    with pytest.raises(ReadError) as caught:
        open_file(path)
    assert caught.value.kind is FaultKind.DAMAGED


def test_a_small_workbook_fills_the_memory(book, tmp_path, monkeypatch):
    fill(book.active, ROWS)
    path = tmp_path / "t.xlsx"
    book.save(path)
    patched(path, lambda text: text + " " * 2_000_000)
    assert path.stat().st_size < 20_000
    monkeypatch.setattr("core.files.sheet_cells.MAX_SHEET", 1_000_000)
    with pytest.raises(ReadError) as caught:
        open_file(path)
    assert caught.value.kind is FaultKind.TOO_BIG


def test_a_cut_workbook_ends_in_another_exception(book, tmp_path):
    fill(book.active, ROWS)
    path = tmp_path / "t.xlsx"
    book.save(path)
    whole = path.read_bytes()
    for end in range(4, len(whole), 97):
        path.write_bytes(whole[:end])
        with pytest.raises(ReadError) as caught:
            open_file(path)
        assert caught.value.kind in (FaultKind.DAMAGED, FaultKind.NOT_TEXT)


WHOLE = io.BytesIO()
_made = openpyxl.Workbook()
fill(_made.active, ROWS)
_made.save(WHOLE)


@given(st.integers(0, len(WHOLE.getvalue()) - 1), st.binary(min_size=1, max_size=3))
def test_a_changed_byte_ends_in_another_exception(tmp_path_factory, place, change):
    data = bytearray(WHOLE.getvalue())
    data[place : place + len(change)] = change
    path = tmp_path_factory.mktemp("changed") / "t.xlsx"
    path.write_bytes(data)
    with contextlib.suppress(ReadError):
        assert open_file(path).tables


@pytest.mark.parametrize(
    ("members", "word"),
    [
        ({"xl/workbook.bin": b"x"}, "XLSB"),
        ({"word/document.xml": b"x"}, "document"),
        ({"mimetype": b"x", "content.xml": b"x"}, "ODS"),
        ({"a.csv": b"1,2"}, "zip archive"),
        ({"xl/other.xml": b"x"}, "damaged"),
        ({}, "empty zip"),
    ],
)
def test_another_archive_is_not_named_with_a_remedy(tmp_path, members, word):
    path = tmp_path / "t.xlsx"
    with zipfile.ZipFile(path, "w") as file:
        for name, data in members.items():
            file.writestr(name, data)
    with pytest.raises(ReadError, match=word) as caught:
        open_file(path)
    assert str(caught.value).endswith(".")


def test_an_old_or_protected_workbook_is_not_named(tmp_path):
    path = tmp_path / "t.xlsx"
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500
    path.write_bytes(ole)
    with pytest.raises(ReadError, match=r"XLS\).*save it as XLSX or CSV"):
        open_file(path)
    path.write_bytes(ole + "EncryptedPackage".encode("utf-16-le"))
    with pytest.raises(ReadError, match="password: save it without one"):
        open_file(path)


def test_an_assistant_cannot_see_the_sheets(book, tmp_path):
    fill(book.active, ROWS, top=2, left=3)
    fill(book.create_sheet("B"), [[1] * 30] * 40)
    book.create_sheet("C").sheet_state = "hidden"
    book.save(tmp_path / "t.xlsx")
    pets, large, empty = workbook_outline(tmp_path / "t.xlsx")
    assert (pets.name, pets.used) == ("Pets", "C2:E4")
    assert pets.preview == (("", "a", "b"), ("cat", "8", "2"), ("dog", "1", "9"))
    assert large.used == "A1:AD40"
    assert (len(large.preview), len(large.preview[0])) == (20, 12)
    assert (empty.hidden, empty.used, empty.preview) == (True, None, ())


def test_a_large_sheet_cannot_be_stopped(book, tmp_path, monkeypatch):
    monkeypatch.setattr(study, "STEP_SECONDS", 0.0)
    fill(book.active, [[7] * 100] * 300)
    book.save(tmp_path / "t.xlsx")
    steps = list(OpenFile(tmp_path / "t.xlsx").run())
    assert len(steps) > 300
    assert steps[-1].result is not None


def test_references_are_read_wrongly():
    assert [column_letters(n) for n in (1, 26, 27, 702, 703, 16384)] == [
        "A",
        "Z",
        "AA",
        "ZZ",
        "AAA",
        "XFD",
    ]
    assert cell_of("$C$4") == (4, 3)
    assert cell_of("XFE1") is cell_of("A0") is cell_of("A1048577") is cell_of("1") is None
    assert box_of("F6:b2") == Box(2, 2, 6, 6)
    assert str(box_of("B2")) == "B2"


RECORD = ["sheet", "range", "name", "source", "noise_choice", "noise_labels", "noise_items"]


def export(book):
    fill(book.active, [["Tallyscope scored tables"], ["0.1.0"]]).title = "Summary"
    table = fill(book.create_sheet("Pets"), [["name", "my pets"], ["note", "x"]])
    fill(table, [["truth\\cluster", " a", "Total"], ["cat", "8", 2], ["Total", 8, 2]], top=5)
    fill(table, [["Sum"], [10], [10]], top=5, left=4)
    fill(table, [["Sum", 16, 4, 20], [], ["metric", "value"], ["ari", 0.5]], top=8)
    other = fill(book.create_sheet("Other"), [["truth\\cluster", "a", ""], ["cat", 8, 1]])
    fill(other, [["Sum", 8, 1]], top=3)
    record = fill(
        book.create_sheet("tallyscope"),
        [
            [*RECORD, "noise_lost", "noise_of"],
            ["Pets", "A5:C7", "=my pets", "p.csv", "drop", '["-1", "noise"]', 3, 0, "clusters"],
            ["Other", "A1:C2", "", ""],
        ],
    )
    record["C2"].data_type = "s"
    record.sheet_state = "hidden"


def test_an_export_does_not_open_where_its_record_says(book, tmp_path):
    export(book)
    found = opened(book, tmp_path)
    assert found.is_export
    first, second = found.tables
    assert (first.name, first.source) == ("=my pets", "p.csv")
    assert first.table.truth == ("cat", "Total")
    assert first.table.clusters == (" a", "Total")
    assert first.table.counts.tolist() == [[8, 2], [8, 2]]
    noise = first.table.noise
    assert noise is not None
    assert (noise.choice, noise.labels, noise.items) == ("drop", ("-1", "noise"), 3)
    assert (second.name, second.source) == ("", "t.xlsx")
    assert second.table == ContingencyTable([[8, 1]], ["cat"], ["a", ""])


def test_a_sheet_that_is_only_named_like_the_record_stops_the_others(book, tmp_path):
    fill(book.active, ROWS)
    fill(book.create_sheet("tallyscope"), [["", "x"], ["cow", 3]])
    assert [one.name for one in opened(book, tmp_path).tables] == ["Pets", "tallyscope"]


@pytest.mark.parametrize(
    ("value", "says"), [("nan", "stands for no value"), ("inf", "is not finite")]
)
def test_what_is_no_number_is_called_too_large(book, tmp_path, value, says):
    fill(book.active, [["", "x"], ["cow", 12345]])
    path = tmp_path / "t.xlsx"
    book.save(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data.replace(b"<v>12345</v>", f"<v>{value}</v>".encode()))
    with pytest.raises(CountError, match=f'B2 .*: "{value}" {says}'):
        open_file(path)
