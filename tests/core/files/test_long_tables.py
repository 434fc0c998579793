"""Long tables and labels: three columns that are no clusters, and items that are no classes."""

import json

import pytest

from core.files.errors import CountError, FaultKind, ReadError
from core.files.opening import OpenOptions, open_file, open_text
from core.files.options import LABELS_NOTE, ReadOptions
from core.files.tables import parse_table
from tests.core.files.read_cases import KINDS, as_csv, notes, opened, saved

LONG = [["cat", 0, 8], ["dog", 0, 1], ["cat", 1, 2], ["dog", 1, 9]]


def parts(found):
    table = found.tables[0].table
    return table.truth, table.clusters, table.counts.tolist()


@KINDS
@pytest.mark.parametrize(
    "names",
    [("Var1", "Var2", "Freq"), ("truth", "cluster", "n"), ("species", "kmeans", "count")],
)
def test_long_tables_were_read_as_two_clusters(kind, names, tmp_path):
    found = opened(kind, [names, *LONG], tmp_path)
    assert parts(found) == (("cat", "dog"), ("0", "1"), [[8, 2], [1, 9]])
    assert "each of the 4 lines was taken for a class" in notes(found)[0]


@KINDS
def test_long_tables_of_numbers_with_row_numbers_are_told(kind, tmp_path):
    rows = [[i, 4 + i // 2, i % 2, n] for i, n in enumerate([8, 2, 1, 9])]
    found = opened(kind, [["", "truth", "cluster", "n"], *rows], tmp_path)
    assert parts(found) == (("4", "5"), ("0", "1"), [[8, 2], [1, 9]])


def test_long_tables_as_r_writes_them_and_with_clusters_first():
    text = '"Var1" "Var2" "Freq"\n"1" "cat" "a" 8\n"2" "dog" "a" 1\n"3" "dog" "b" 9\n'
    found = open_text(text)
    assert parts(found) == (("cat", "dog"), ("a", "b"), [[8, 0], [1, 9]])
    assert "1 pair that is absent counted as 0" in notes(found)[0]
    found = open_text("cluster,truth,n\n0,cat,8\n1,cat,2\n0,dog,1\n")
    assert parts(found) == (("cat", "dog"), ("0", "1"), [[8, 2], [1, 0]])


def test_objects_of_long_tables_in_json():
    records = [dict(zip(("truth", "cluster", "n"), row, strict=True)) for row in LONG]
    assert parts(open_text(json.dumps(records)))[2] == [[8, 2], [1, 9]]


@KINDS
def test_a_pair_that_stands_twice_is_refused(kind, tmp_path):
    with pytest.raises(ReadError, match="add their counts up"):
        opened(kind, [["truth", "cluster", "n"], *LONG, LONG[0]], tmp_path)


def test_a_bad_count_of_a_long_table_is_named():
    with pytest.raises(CountError, match=r"(?i)line 3, column 3 \(dog, 0\): \"x\"") as error:
        parse_table("truth,cluster,n\ncat,0,8\ndog,0,x\ncat,1,1\n")
    assert (error.value.row, error.value.column) == (2, 2)


@pytest.mark.parametrize(
    "text",
    [
        "class,a,n\nx,1,2\ny,3,4\n",
        ",x,n\ncat,8,1\ncat,5,2\n",
        ",m,n\nx,1,2\ny,3,4\n",
        "m,n,count\n1,2,3\n4,5,6\n",
    ],
)
def test_tables_with_a_cluster_n_stay_tables(text):
    table = parse_table(text).table
    assert table.shape[0] == 2
    assert table.clusters[-1] in ("n", "count")
    assert not [note for note in parse_table(text).notes if "was taken for a class" in note]


def test_a_long_table_is_read_by_its_columns_if_that_is_said():
    found = open_text(
        as_csv([["truth", "cluster", "n"], *LONG]), OpenOptions(ReadOptions(header=True))
    )
    assert found.tables[0].table.clusters == ("cluster", "n")


ITEMS = [[i, i % 3, i % 2] for i in range(30)]
LABELS = [["id", "truth", "kmeans"], *(list(map(str, item)) for item in ITEMS)]


@KINDS
def test_labels_were_read_as_a_table_without_a_hint(kind, tmp_path):
    found = opened(kind, LABELS, tmp_path)
    assert any("import" in note and "as labels" in note for note in notes(found))
    found = opened(kind, [row[1:] for row in LABELS], tmp_path)
    assert any("import" in note and "as labels" in note for note in notes(found))


def test_a_sheet_of_labels_can_be_imported_from_its_notice(tmp_path):
    found = open_file(saved(LABELS, tmp_path))
    assert found.may_be_labels
    assert LABELS_NOTE in found.tables[0].notes


@KINDS
@pytest.mark.parametrize("names", [("truth", "cluster"), ("y_true", "y_pred")])
def test_two_columns_of_labels_are_refused(kind, names, tmp_path):
    with pytest.raises(ReadError, match="these are labels") as error:
        opened(kind, [names, [0, 1], [1, 1], [0, 0]], tmp_path)
    assert error.value.kind is FaultKind.LABELS
