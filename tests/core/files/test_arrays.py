"""Tables in the array files of NumPy: nothing in them is run, nothing they claim is believed."""

import contextlib
import io
import struct
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files import archive, arrays, block
from core.files.errors import FaultKind, ReadError
from core.files.opening import FileKind, OpenOptions, open_file
from core.files.options import ReadOptions

COUNTS = [[8, 2, 0], [1, 9, 3]]


def save(path, array):
    np.save(path, array)
    return path


def fault(path, **options):
    with pytest.raises(ReadError) as caught:
        open_file(path, OpenOptions(**options))
    message = str(caught.value)
    assert message.startswith(path.name)
    assert message.endswith(".")
    assert "\n" not in message
    return caught.value


@pytest.mark.parametrize(
    "dtype", ["i1", "u1", "<i4", ">i4", "<i8", ">u8", "f2", "f4", ">f8", "longdouble"]
)
def test_a_type_of_number_is_not_read(tmp_path, dtype):
    opened = open_file(save(tmp_path / "t.npy", np.array(COUNTS, dtype)))
    (one,) = opened.tables
    assert one.table.counts.tolist() == COUNTS
    assert (one.name, one.source) == ("t", "t.npy")
    assert opened.kind is FileKind.ARRAY
    assert opened.parsed is None
    assert opened.stamp is not None


def test_truth_values_are_no_counts(tmp_path):
    with pytest.raises(ReadError, match="holds truth values"):
        open_file(save(tmp_path / "t.npy", np.array([[True, False]])))


def test_an_array_by_columns_is_transposed(tmp_path):
    opened = open_file(save(tmp_path / "t.npy", np.asfortranarray(COUNTS)))
    assert opened.tables[0].table.counts.tolist() == COUNTS


def test_three_axes_are_one_table(tmp_path):
    stack = np.arange(24).reshape(4, 2, 3)
    opened = open_file(save(tmp_path / "t.npy", stack))
    assert [one.name for one in opened.tables] == ["t 1", "t 2", "t 3", "t 4"]
    assert [one.table.counts.tolist() for one in opened.tables] == stack.tolist()
    assert opened.notes == ("the file holds 4 tables",)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (-1.0, FaultKind.NEGATIVE),
        (2.5, FaultKind.FRACTION),
        (np.nan, FaultKind.MISSING),
        (np.inf, FaultKind.INFINITE),
        (2.0**63, FaultKind.TOO_LARGE),
    ],
)
def test_a_bad_count_is_not_named(tmp_path, monkeypatch, value, kind):
    monkeypatch.setattr(arrays, "_PIECE", 4)
    array = np.ones((2, 5, 3))
    array[1, 3, 2] = value
    error = fault(save(tmp_path / "t.npy", array))
    assert (error.kind, error.row, error.column) == (kind, 3, 2)
    assert "table 2: row 4, column 3: " in str(error)


def test_a_total_beyond_64_bits_wraps(tmp_path, monkeypatch):
    monkeypatch.setattr(arrays, "_PIECE", 1)
    path = save(tmp_path / "t.npy", np.full((3, 1), 2**62))
    assert fault(path).kind is FaultKind.TOO_LARGE
    path = save(tmp_path / "t.npy", np.array([[2**62], [2**62 - 1]]))
    assert open_file(path).tables[0].table.total == 2**63 - 1


@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (np.array([1, 2, 3]), FaultKind.NO_COUNTS),
        (np.array(5), FaultKind.NO_COUNTS),
        (np.zeros((1, 1, 1, 1)), FaultKind.NO_COUNTS),
        (np.zeros((0, 3)), FaultKind.NO_COUNTS),
        (np.zeros((0, 2, 3)), FaultKind.NO_COUNTS),
        (np.array([["a"]]), FaultKind.TEXT),
        (np.array([[1j]]), FaultKind.TEXT),
        (np.array([["2020-01-01"]], "datetime64[D]"), FaultKind.TEXT),
        (np.array([(1, 2)], [("a", int), ("b", int)]), FaultKind.TEXT),
        (np.array([[b"x"]]), FaultKind.TEXT),
    ],
)
def test_an_array_that_is_no_table_has_no_sentence(tmp_path, array, kind):
    assert fault(save(tmp_path / "t.npy", array)).kind is kind


class Trap:
    def __reduce__(self):
        return pytest.fail, ("the file was unpickled",)


def test_a_python_object_is_loaded(tmp_path):
    path = tmp_path / "t.npy"
    np.save(path, np.array([[Trap()]], object), allow_pickle=True)
    error = fault(path)
    assert error.kind is FaultKind.NOT_TEXT
    assert "Python objects" in str(error)
    np.savez(tmp_path / "t.npz", a=np.array([[Trap()]], object))
    assert "Python objects" in str(fault(tmp_path / "t.npz"))


def header(shape, descr="<i8", length=None):
    text = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    size = len(text) if length is None else length
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", size) + text


@pytest.mark.parametrize(
    "data",
    [
        header((2**40, 2**20)),
        header((10**30, 10**30)),
        header((2, 3)) + b"\0" * 47,
        header((-1, 3)),
        header("x"),
        header((1, 1), "nonsense"),
        header((1, 1), length=60_000),
        header("(" * 5000),
        b"\x93NUMPY",
        b"\x93NUMPY\x09\x00" + b"\0" * 50,
        b"\x93NUMPY\x02\x00\xff\xff\xff\x7f",
    ],
)
def test_a_header_that_lies_is_believed(tmp_path, data):
    path = tmp_path / "t.npy"
    path.write_bytes(data)
    assert fault(path).kind is FaultKind.DAMAGED


def test_a_cut_array_is_read(tmp_path):
    whole = save(tmp_path / "t.npy", np.array(COUNTS)).read_bytes()
    path = tmp_path / "cut.npy"
    for end in range(6, len(whole)):
        path.write_bytes(whole[:end])
        assert fault(path).kind is FaultKind.DAMAGED


def test_each_array_of_an_archive_is_not_a_table_by_its_name(tmp_path):
    path = tmp_path / "t.npz"
    np.savez_compressed(path, run_1=np.array(COUNTS), run_2=np.ones((1, 2, 2)), k=np.array([3]))
    opened = open_file(path)
    assert [one.name for one in opened.tables] == ["run_1", "run_2 1"]
    assert opened.notes == ("the file holds 2 tables", '"k" (1 axis) was left out')
    (one,) = open_file(path, OpenOptions(array="run_1")).tables
    assert one.table.counts.tolist() == COUNTS
    error = fault(path, array="run_3")
    assert error.kind is FaultKind.PART
    assert "run_1, run_2, k" in str(error)


def test_names_beside_the_counts_are_left_out(tmp_path):
    path = tmp_path / "t.npz"
    np.savez(path, counts=COUNTS, truth=["cat", "dog"], clusters=[4, 5, 6])
    (one,) = open_file(path).tables
    assert (one.table.truth, one.table.clusters) == (("cat", "dog"), ("4", "5", "6"))
    np.savez(path, counts=COUNTS, truth=["cat"])
    assert fault(path).kind is FaultKind.RAGGED


def test_a_total_among_named_rows_is_scored(tmp_path):
    path = tmp_path / "t.npz"
    np.savez(path, counts=[[1, 2], [1, 2]], truth=["cat", "Total"])
    (one,) = open_file(path).tables
    assert one.table.truth == ("cat",)
    assert open_file(path, OpenOptions(ReadOptions(totals="keep"))).tables[0].table.total == 6


def test_an_archive_without_a_table_has_no_sentence(tmp_path):
    path = tmp_path / "t.npz"
    np.savez(path, a=np.arange(3), b=np.arange(3))
    assert fault(path).kind is FaultKind.NO_COUNTS
    np.savez(path, indptr=[0], indices=[0], data=[1], shape=[1, 1])
    assert "sparse" in str(fault(path))


def test_a_small_archive_fills_the_memory(tmp_path, monkeypatch):
    path = tmp_path / "t.npz"
    np.savez_compressed(path, a=np.zeros((1000, 1000), np.int64))
    monkeypatch.setattr(arrays, "MAX_BYTES", 1_000_000)
    assert path.stat().st_size < 100_000
    assert fault(path).kind is FaultKind.TOO_BIG


def test_an_archive_that_lies_about_its_size_is_unpacked(tmp_path):
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.npy", header((1000, 1000)) + b"\0" * 8_000_000)
    with archive.opened_zip(whole.getvalue(), "t") as opened:
        member = opened.infolist()[0]
        member.file_size = 100
        with pytest.raises(ReadError):
            list(archive.member_pieces(opened, member, "t", 1_000_000))


def test_a_cut_archive_ends_in_another_exception(tmp_path):
    path = tmp_path / "t.npz"
    np.savez_compressed(path, a=np.arange(600).reshape(20, 30))
    whole = path.read_bytes()
    for end in range(4, len(whole), 7):
        path.write_bytes(whole[:end])
        assert fault(path).kind is FaultKind.DAMAGED


@given(st.integers(0, 2000), st.binary(min_size=1, max_size=4))
def test_a_changed_byte_ends_in_another_exception(tmp_path_factory, place, change):
    stream = io.BytesIO()
    np.savez_compressed(stream, a=np.arange(60).reshape(6, 10))
    data = bytearray(stream.getvalue())
    place %= len(data)
    data[place : place + len(change)] = change
    path = tmp_path_factory.mktemp("changed") / "t.npz"
    path.write_bytes(data)
    with contextlib.suppress(ReadError):
        assert open_file(path).tables


def test_too_many_cells_are_read(tmp_path, monkeypatch):
    path = save(tmp_path / "t.npy", np.ones((3, 3)))
    monkeypatch.setattr(block, "MAX_CELLS", 8)
    assert fault(path).kind is FaultKind.TOO_MANY_CELLS
