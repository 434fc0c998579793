"""A quick look at a label file: what its columns seem to be."""

import pytest

from core.files.label_files import LabelOptions
from core.files.label_preview import preview
from tests.core.files.label_cases import IRIS

# Preview


def fault_of(path, **options):
    seen = preview(path, LabelOptions(**options))
    return seen.fault or ""


def test_a_preview_tells_what_the_columns_seem_to_be(file):
    seen = preview(file(IRIS))
    assert [column.guess for column in seen.columns] == ["id", "truth", "prediction", "prediction"]
    assert (seen.truth, seen.predictions, seen.noise_guess) == (1, (2, 3), ("-1",))
    assert (seen.options.separator, seen.options.header) == (",", True)
    assert seen.options.encoding == "UTF-8"
    assert seen.columns[2].first == ("0", "0", "1", "0", "10")
    assert seen.columns[2].distinct == 3
    assert seen.fault is None
    assert seen.lines[:2] == (2, 3)
    assert not seen.is_counts


@pytest.mark.parametrize(
    ("names", "truth"),
    [
        ("label,y_true,k", 1),
        ("Class,Cluster,k", 0),
        ("k,x,Ground Truth", 2),
        ("k_means,target,trueness", 1),
        ("y_pred,trueLabels,b", 1),
        ("cluster,species,b", 1),
        ("kmeans,dbscan,iris", 2),
    ],
)
def test_truth_is_found_by_its_name(file, names, truth):
    rows = "a,x,p\na,x,p\nb,y,q\nb,x,q\n"
    assert preview(file(f"{names}\n{rows}")).truth == truth


def test_measurements_are_no_labels(file):
    rows = "".join(f"{i % 3},{i % 2},{1 + i / 7:.3f}\n" for i in range(30))
    seen = preview(file("species,km,width\n" + rows))
    assert seen.predictions == (1,)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("truth\\cluster,0,1\na,8,2\nb,1,9\n", True),
        (",c1,c2\na,8,2\nb,1,9\n", True),
        ("digit,0,1,2\n4,151,88,7\n5,302,330,0\n", True),
        ("151,88,72\n302,330,0\n161,0,313\n", True),
        (IRIS, False),
        ("0,1\n0,1\n1,0\n", False),
        ("truth,cluster\n0,0\n1,1\n2,0\n", False),
    ],
)
def test_a_table_of_counts_is_told_from_labels(file, text, counts):
    assert preview(file(text)).is_counts is counts


def test_the_summary_says_what_noise_and_gaps_would_do(file):
    path = file("truth,cluster\na,0\n,0\na,-1\nb,-1\nb,1\n")
    assert "Line 3" in fault_of(path)
    seen = preview(path, LabelOptions(missing="drop", noise="singletons"))
    assert seen.fault is None
    assert seen.summary == (
        "2 classes × 4 clusters from 5 rows; 2 items labelled -1 are noise, each a cluster of "
        "its own; 1 item lacks a label and is left out"
    )


def test_a_preview_reads_a_bounded_part(file):
    seen = preview(file("truth,cluster\n" + "a,0\n" * 500_000))
    assert (len(seen.rows), seen.complete) == (50, False)
    assert seen.looked_at < 50_000
    assert "previewed" in seen.summary


def test_a_preview_shows_rows_of_any_length_with_the_fault(file):
    path = file("truth,cluster\na,0\nb\nc,1\n")
    assert preview(path).rows == (("a", "0"), ("b",), ("c", "1"))
    assert fault_of(path).startswith("Line 3: it has 1 cell")
    path = file('truth,cluster\na,0\n"b,1\n')
    assert "not closed" in fault_of(path)
    assert preview(path).rows == (("a", "0"),)


def test_a_choice_that_gives_no_table_is_a_fault_and_no_error(file):
    assert "at least one" in fault_of(file(IRIS), predictions=())
    assert "one column" in fault_of(file("a\nb\n"))
