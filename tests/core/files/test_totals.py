"""Sums at the end of a table: never counted without a word, never dropped without one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.errors import FaultKind, ReadError
from core.files.tables import ReadOptions, parse_table, table_text
from core.files.totals import is_total_name
from core.table import ContingencyTable

NAMES = [
    "Total",
    "TOTAL",
    "Grand Total",
    "Row Total",
    "Sum",
    "sums",
    "Σ",
    "Summe",
    "Gesamt",
    "Gesamtergebnis",
    "Total général",
    "Somme",
    "Totale",
    "Suma",
    "Totaal",
    "Razem",
    "Итого",
    "Общий итог",
    "合计",
    "総計",
    "합계",
    "All",
]


def read(text, **options):
    return parse_table(text, ReadOptions(**options))


def test_totals_are_named_in_many_languages():
    assert [name for name in NAMES if not is_total_name(name)] == []
    for name in ("totality", "summer", "sumo", "small", "0", "", "C1", "count", "row 1", "n"):
        assert not is_total_name(name), name


@pytest.mark.parametrize("name", NAMES)
def test_a_total_is_scored_as_a_class(name):
    parsed = read(f",a,b\nx,1,2\ny,4,0\n{name},5,2\n")
    assert parsed.table == ContingencyTable([[1, 2], [4, 0]], ["x", "y"], ["a", "b"])
    assert parsed.notes == (f'the last row, "{name}", is the sum of the others and was left out',)


def test_a_total_is_scored_as_a_cluster():
    parsed = read(",a,b,Total\nx,1,2,3\ny,4,0,4\n")
    assert parsed.table.clusters == ("a", "b")
    assert parsed.notes[0].startswith('the last column, "Total",')


def test_totals_on_both_sides_are_scored():
    parsed = read(",a,b,All\nx,1,2,3\ny,4,0,4\nAll,5,2,7\n")
    assert parsed.table == ContingencyTable([[1, 2], [4, 0]], ["x", "y"], ["a", "b"])
    assert len(parsed.notes) == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (",a,b\nx,1,2\ny,4,0\nTotal,5,3\n", ["last row", "has 3", "add up to 2"]),
        (",a,Total\nx,1,1\ny,4,9\n", ["last column", "has 9", "add up to 4"]),
        (",a,b,Total\nx,1,2,3\ny,4,0,4\nTotal,5,2,8\n", ["total of all is 8", "add up to 7"]),
    ],
)
def test_a_total_that_is_no_sum_is_guessed_at(text, words):
    with pytest.raises(ReadError) as caught:
        read(text)
    assert caught.value.kind is FaultKind.TOTAL
    message = str(caught.value)
    assert all(word in message for word in [*words, "drop", "keep"])
    assert "\n" not in message


def test_a_class_that_is_named_like_a_total_cannot_be_kept():
    parsed = read(",a,b\nx,1,2\nAll,3,4\n", totals="keep")
    assert parsed.table.truth == ("x", "All")
    assert not parsed.notes
    assert read(",a,b\nx,1,2\ny,4,0\nAll,5,2\n", totals="keep").table.total == 14


def test_a_total_that_is_no_sum_cannot_be_left_out():
    parsed = read(",a,b\nx,1,2\nTotal,3,4\n", totals="drop")
    assert parsed.table.truth == ("x",)
    assert "though" in parsed.notes[0]


def test_a_sum_without_a_name_is_scored():
    parsed = read(",a,b\nx,1,2\ny,4,0\n,5,2\n")
    assert parsed.table.truth == ("x", "y")
    assert "has no name" in parsed.notes[0]
    assert read(",a,b\nx,1,2\ny,4,0\n,5,3\n").table.truth == ("x", "y", "")


def test_a_sum_by_another_name_is_dropped_or_not_mentioned():
    parsed = read(",a,b\nx,1,2\ny,4,0\nz,5,2\n")
    assert parsed.table.truth == ("x", "y", "z")
    assert parsed.notes == (
        'the last row, "z", is the sum of the others and was counted like them',
    )
    parsed = read("1,2\n4,0\n5,2\n")
    assert parsed.table.shape == (3, 2)
    assert "last row is the sum" in parsed.notes[0]


@pytest.mark.parametrize("text", ["1,2\n1,2\n", ",a\nx,3\ny,3\n", "0,0\n0,0\n0,0\n", "1\n2\n"])
def test_what_is_a_sum_by_chance_is_spoken_of(text):
    assert not read(text).notes


def test_sums_wrap_around_64_bits():
    big = 2**62
    with pytest.raises(ReadError) as caught:
        read(f",a\nx,{big}\ny,{big}\nz,{big}\nw,{big}\nTotal,0\n")
    assert caught.value.kind is FaultKind.TOTAL
    assert str(4 * big) in str(caught.value)


@given(
    st.lists(st.lists(st.integers(0, 50), min_size=3, max_size=3), min_size=1, max_size=5),
    st.booleans(),
    st.booleans(),
)
def test_totals_that_a_pivot_table_adds_change_the_table(counts, below, right):
    truth = [f"t{i}" for i in range(len(counts))]
    clusters = ["a", "b", "c"]
    table = ContingencyTable(counts, truth, clusters)
    full = [list(row) for row in counts]
    if right:
        full = [[*row, sum(row)] for row in full]
        clusters.append("Grand Total")
    if below:
        full.append([sum(column) for column in zip(*full, strict=True)])
        truth.append("Grand Total")
    text = "\n".join(
        [",".join(["", *clusters])]
        + [",".join([name, *map(str, row)]) for name, row in zip(truth, full, strict=True)]
    )
    parsed = parse_table(text)
    assert parsed.table == table
    assert sum("left out" in note for note in parsed.notes) == below + right


def test_a_table_that_was_saved_here_loses_a_class_named_total():
    table = ContingencyTable([[1, 2], [4, 0], [5, 2]], ["x", "y", "Total"], ["a", "Total"])
    parsed = parse_table(table_text(table))
    assert parsed.table == table
    assert "counted like them" in parsed.notes[0]


# Totals that do not stand last


@pytest.mark.parametrize(
    "text",
    [
        ",a,b\nAll,9,11\ncat,8,2\ndog,1,9\n",
        ",All,a,b\ncat,10,8,2\ndog,10,1,9\n",
        ",a,Total,b\ncat,8,10,2\ndog,1,10,9\n",
        ",All,a,b\nAll,20,9,11\ncat,10,8,2\ndog,10,1,9\n",
        ",a,All,b\ncat,8,10,2\nAll,9,20,11\ndog,1,10,9\n",
    ],
)
def test_a_total_that_does_not_stand_last_was_counted(text):
    parsed = read(text)
    assert parsed.table.counts.tolist() == [[8, 2], [1, 9]]
    assert parsed.table.truth == ("cat", "dog")
    assert "is the sum of the others and was left out" in parsed.notes[0]


def test_a_wrong_total_in_the_middle_is_refused_and_can_be_kept():
    text = ",a,Total,b\ncat,8,9,2\ndog,1,10,9\n"
    with pytest.raises(ReadError, match=r'Column 2, "Total", is named like a total, but has 9'):
        read(text)
    assert read(text, totals="keep").table.shape == (2, 3)
    assert read(text, totals="drop").table.counts.tolist() == [[8, 2], [1, 9]]


def test_a_wrong_corner_of_totals_that_stand_first_is_refused():
    with pytest.raises(ReadError, match="The total of all is 21"):
        read(",All,a,b\nAll,21,9,11\ncat,10,8,2\ndog,10,1,9\n")


@pytest.mark.parametrize("name", ["%", "row %", "Percent", "% of total", "Prozent"])
def test_shares_behind_a_total_were_counted_and_so_was_the_total(name):
    text = f",a,b,Total,{name}\ncat,8,2,10,50\ndog,1,9,10,50\n"
    with pytest.raises(ReadError, match="is named like shares") as error:
        read(text)
    assert error.value.kind is FaultKind.TOTAL
    assert read(text, totals="drop").table.counts.tolist() == [[8, 2], [1, 9]]
    assert read(text, totals="keep").table.shape == (2, 4)


@pytest.mark.parametrize("name", ["50%", "%a", "percentile"])
def test_a_cluster_that_is_no_share_is_counted(name):
    assert read(f",a,{name}\ncat,8,2\ndog,1,9\n").table.clusters == ("a", name)


def test_names_of_totals_alone_leave_one_cluster():
    with pytest.raises(ReadError, match="named like a total"):
        read(",sum,total\ncat,8,2\ndog,1,9\n")
    assert read(",sum,total\ncat,8,8\ndog,1,1\n").table.clusters == ("sum",)
    assert read(",%,percent\ncat,8,8\n").table.shape == (1, 2)
