"""Labels in workbooks, in arrays of NumPy and in Parquet files."""

import sys
import tempfile
import types
import zipfile
from datetime import date
from pathlib import Path

import numpy as np
import openpyxl
from hypothesis import given, settings
from hypothesis import strategies as st

from core.files import sheet_cells
from core.files.errors import ReadError
from core.files.label_files import read_labels
from core.files.label_sheets import workbook as open_workbook
from core.studies import study
from core.table import ContingencyTable
from tests.core.files.label_cases import fault, one, workbook


def test_a_sheet_is_read_with_numbers_as_they_are_shown(tmp_path):
    rows = [["truth", "kmeans"], ["a", 1], ["b", 2.0], [True, 10], [None, None], [7, "01"]]
    table = one(workbook(tmp_path / "x.xlsx", rows), truth=0, predictions=(1,))
    assert set(table.table.truth) == {"a", "b", "TRUE", "7"}
    assert table.table.clusters == ("01", "1", "2", "10")
    assert table.notes == ("1 blank row was skipped",)


def test_a_missing_label_of_a_sheet_is_named_by_its_row(tmp_path):
    rows = [[], ["", "truth", "k"], ["", "a", 1], [], [], ["", "b", "#N/A"], ["", "b", 1]]
    path = workbook(tmp_path / "x.xlsx", rows)
    assert 'sheet "Sheet", row 6' in str(fault(path, truth=0, predictions=(1,)))


def test_a_sheet_is_chosen_by_name(tmp_path):
    path = workbook(tmp_path / "x.xlsx", [["truth", "k"], ["a", 1]], "Labels")
    book = openpyxl.load_workbook(path)
    book.create_sheet("Other").append(["truth", "k"])
    book["Other"].append(["b", 2])
    book.save(path)
    assert one(path, sheet="Other").table.truth == ("b",)
    assert one(path).notes == ('the sheet "Labels" was read, one of 2',)
    assert '"Labels", "Other"' in str(fault(path, sheet="None"))


def test_a_damaged_workbook_is_refused_in_a_sentence(tmp_path):
    path = workbook(tmp_path / "x.xlsx", [["truth", "k"]] + [["a", i] for i in range(999)])
    data = path.read_bytes()
    for cut in (len(data) // 2, len(data) - 10):
        path.write_bytes(data[:cut])
        assert "damaged" in str(fault(path))


CELLS = st.one_of(
    st.none(),
    st.integers(-(10**9), 10**9),
    # openpyxl writes sixteen digits of a number.
    st.integers(-(10**9), 10**9).map(lambda n: n / 1000),
    st.booleans(),
    st.text("aé_x0D猫 ", max_size=5),
    st.dates(date(1990, 1, 1), date(2050, 1, 1)),
    st.sampled_from(["#N/A", "1e5", "007", "=A1", "TRUE"]),
)


def shown(value):
    """Return how a cell is read as a label."""
    if value is None or value == "#N/A" or (isinstance(value, str) and value.startswith("=")):
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.isoformat() if isinstance(value, date) else str(value)


@settings(max_examples=60)
@given(st.lists(st.lists(CELLS, max_size=4), min_size=1, max_size=8))
def test_a_row_of_a_sheet_is_another_or_stands_elsewhere(rows):
    with tempfile.TemporaryDirectory() as folder:
        path = workbook(Path(folder, "x.xlsx"), rows)
        with open_workbook(path, "x.xlsx") as book:
            (sheet,) = book.book.sheets
            found = [list(row) for row in book.rows(sheet)]
    # Blank cells at an end of a row, and blank rows at the end of a sheet, are not there.
    expected = [[shown(value) for value in row] for row in rows]
    width = 4
    padded = [row + [""] * (width - len(row)) for row in found]
    assert len(padded) <= len(expected)
    padded += [[""] * width] * (len(expected) - len(padded))
    assert padded == [row + [""] * (width - len(row)) for row in expected]


def sheet_of_xml(path, body):
    """Write a workbook with a sheet of such rows."""
    workbook(path, [["truth", "k"]])
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["xl/worksheets/sheet1.xml"] = (
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f"<sheetData>{body}</sheetData></worksheet>"
    ).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


def test_rows_that_stand_in_no_order_are_mixed_up(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "STEP_SECONDS", 0.0)
    cell = '<c t="str" r="{}"><v>{}</v></c>'
    many = "".join(
        f'<row r="{i}">{cell.format(f"B{i}", i % 2)}{cell.format(f"A{i}", "t")}</row>'
        for i in range(2, 3000)
    )
    path = sheet_of_xml(tmp_path / "x.xlsx", many)
    with open_workbook(path, "x.xlsx") as book:
        rows = list(book.rows(book.book.sheets[0]))
    assert rows[:3] == [(), ("t", "0"), ("t", "1")]
    assert len(rows) == 2999
    again = many + f'<row r="5">{cell.format("A5", "late")}</row>'
    assert "damaged" in str(fault(sheet_of_xml(tmp_path / "y.xlsx", again)))


def test_all_rows_of_a_large_sheet_are_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "STEP_SECONDS", 0.0)
    rows = [["truth", "k"], *([f"class {i % 7}", i % 5] for i in range(20_000))]
    path = workbook(tmp_path / "x.xlsx", rows)
    handlers = []
    made = sheet_cells._SheetHandler

    def make(*args):
        handlers.append(made(*args))
        return handlers[-1]

    monkeypatch.setattr(sheet_cells, "_SheetHandler", make)
    most = 0
    with open_workbook(path, "x.xlsx") as book:
        for _ in book.rows(book.book.sheets[0]):
            most = max(most, len(handlers[-1].rows))
    assert 0 < most < 2_000


def test_arrays_are_columns(tmp_path):
    truth, kmeans = np.array(["b", "a", "b"]), np.array([10, 9, 10])
    np.savez(tmp_path / "y.npz", truth=truth, kmeans=kmeans[:2])
    assert "give every item" in str(fault(tmp_path / "y.npz"))
    np.savez(tmp_path / "x.npz", truth=truth, kmeans=kmeans, centre=np.zeros(5))
    table = one(tmp_path / "x.npz")
    assert table.table == ContingencyTable.from_labels(truth, kmeans)
    assert table.notes == ('arrays that are no labels of these items were left out: "centre"',)


def test_an_array_of_two_axes_has_a_column_of_labels_in_each(tmp_path):
    columns = np.array([[1, 0], [2, 1], [1, 1]])
    for array in (columns, np.asfortranarray(columns)):
        np.save(tmp_path / "x.npy", array)
        table = one(tmp_path / "x.npy")
        assert table.table == ContingencyTable.from_labels([1, 2, 1], [0, 1, 1])


def test_an_array_of_records_has_its_fields_as_columns(tmp_path):
    fields = [("truth", "i4"), ("cluster", "f8")]
    np.save(tmp_path / "x.npy", np.array([(1, -1.0), (2, np.nan)], dtype=fields))
    assert 'item 2: the item has no label in column "cluster"' in str(fault(tmp_path / "x.npy"))
    assert one(tmp_path / "x.npy", missing="drop").table.clusters == ("-1.0",)


def test_arrays_of_objects_are_never_unpickled(tmp_path):
    objects = np.array(["a", None], dtype=object)
    np.save(tmp_path / "x.npy", objects)
    np.savez(tmp_path / "x.npz", truth=objects)
    for name in ("x.npy", "x.npz"):
        assert "Python objects" in str(fault(tmp_path / name))


def test_an_array_that_claims_to_be_huge_is_refused(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.zeros((3, 2), int))
    data = path.read_bytes()
    claim = data.replace(b"(3, 2), }" + b" " * 10, b"(30000000000, 2), }")
    assert len(claim) == len(data)
    assert claim != data
    path.write_bytes(claim)
    assert "damaged" in str(fault(path))


def test_a_character_beyond_the_last_and_a_broken_header_are_damage(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.array([["a", "b"], ["c", "d"]]))
    data = path.read_bytes()
    path.write_bytes(data[:-1] + b"\xff")
    assert "damaged" in str(fault(path))
    path.write_bytes(data.replace(b"(2, 2)", b"(2, 2 "))
    assert "damaged" in str(fault(path))


@given(
    st.sampled_from(["x.csv", "x.npy", "x.npz", "x.xlsx"]),
    st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=3), st.integers(0, 4)), max_size=4),
)
@settings(deadline=None, max_examples=200)
def test_a_file_that_was_changed_anywhere_gives_labels_or_one_sentence(
    tmp_path_factory, name, changes
):
    path = tmp_path_factory.mktemp("labels") / name
    if name == "x.xlsx":
        workbook(path, [["truth", "k"], ["a", 1], ["b", 2]])
    elif name == "x.npz":
        np.savez(path, truth=["a", "b"], k=[1, 2])
    elif name == "x.npy":
        np.save(path, np.array([["a", "1"], ["b", "2"]]))
    else:
        path.write_text('truth,k\n"a",1\n"b\nc",2\n', "utf-8")
    data = bytearray(path.read_bytes())
    for place, new, gone in changes:
        start = int(place * len(data))
        data[start : start + gone] = new
    path.write_bytes(data)
    message = "."
    try:
        assert read_labels(path).tables
    except ReadError as error:
        message = str(error)
    assert "\n" not in message
    assert message.endswith(".")


def test_parquet_without_its_package_says_what_to_do(file, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert "pyarrow" in str(fault(file(b"PAR1....PAR1", "x.parquet")))


def test_parquet_is_read_batch_by_batch(file, monkeypatch):
    columns = {"truth": ["a", "b", "a"], "kmeans": [1, 10, 1], "score": [0.5, 0.6, 0.7]}

    class Batch:
        def __init__(self, names):
            self.schema = types.SimpleNamespace(names=names)
            self.num_rows = 3

        def column(self, i):
            return types.SimpleNamespace(to_pylist=lambda: columns[self.schema.names[i]])

    class ParquetFile:
        def __init__(self, path):
            self.schema_arrow = types.SimpleNamespace(names=list(columns))
            self.metadata = types.SimpleNamespace(num_rows=3)

        def iter_batches(self, batch_size, columns=("truth", "kmeans", "score")):
            yield Batch(list(columns))

    module = types.ModuleType("pyarrow.parquet")
    monkeypatch.setattr(module, "ParquetFile", ParquetFile, raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", module)
    table = one(file(b"PAR1....PAR1", "x.parquet"), truth="truth", predictions=("kmeans",))
    assert table.table == ContingencyTable.from_labels(["a", "b", "a"], [1, 10, 1])
