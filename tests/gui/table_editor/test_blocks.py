"""What is read from the clipboard, and what is refused with its place."""

from __future__ import annotations

import time

import pytest

from core.files.errors import CountError, FaultKind, ReadError
from gui.table_editor import blocks
from gui.table_editor.blocks import BlockOptions, has_table, read_block, text_of_html


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1\t2\n3\t4", [[1, 2], [3, 4]]),
        ("1\t2\n3\t4\n", [[1, 2], [3, 4]]),
        ("1\t2\r\n3\t4\r\n", [[1, 2], [3, 4]]),
        ("1\t2\r3\t4\r", [[1, 2], [3, 4]]),
        ("5", [[5]]),
        ("5\n", [[5]]),
        ("151,00\n88,00\n", [[151], [88]]),
        ("151,00\t88,00\n", [[151, 88]]),
        ("151.0\t88\n", [[151, 88]]),
        ("1\u202f234\t1'234\n", [[1234, 1234]]),
        ("1;2\n3;4\n", [[1, 2], [3, 4]]),
        ("1,2,3\n4,5,6\n", [[1, 2, 3], [4, 5, 6]]),
        ("302 330 0 158\n1 2 3 4\n", [[302, 330, 0, 158], [1, 2, 3, 4]]),
        ("\ufeff7\t8\n", [[7, 8]]),
        ("1\t2\t\n3\t4\t\n\t\t\n", [[1, 2], [3, 4]]),
        ('"1"\t"2"\n', [[1, 2]]),
    ],
)
def test_blocks_of_counts(text, values):
    block = read_block(text)
    assert block.values.tolist() == values
    assert not block.named


@pytest.mark.parametrize(
    ("text", "truth", "clusters"),
    [
        ("\t0\t1\n4\t8\t2\n5\t1\t9\n", ("4", "5"), ("0", "1")),
        ("truth\\cluster\t0\t1\n4\t8\t2\n5\t1\t9\n", ("4", "5"), ("0", "1")),
        ("class\tC1\tC2\ncat\t8\t2\ndog\t1\t9\n", ("cat", "dog"), ("C1", "C2")),
        ("C1\tC2\ncat\t8\t2\ndog\t1\t9\n", ("cat", "dog"), ("C1", "C2")),
        ("C1\tC2\n8\t2\n1\t9\n", None, ("C1", "C2")),
        ("cat\t8\t2\ndog\t1\t9\n", ("cat", "dog"), None),
        ('\t"a\tb"\t"a\tb"\nx\t8\t2\nx\t1\t9\n', ("x", "x"), ("a\tb", "a\tb")),
    ],
)
def test_names_are_found_and_taken(text, truth, clusters):
    block = read_block(text)
    assert block.values.tolist() == [[8, 2], [1, 9]]
    assert block.truth == truth
    assert block.clusters == clusters


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("1\t2\n3\tx\n", FaultKind.TEXT, "Row 2, column 2 of what you pasted"),
        ("1\t2.5\n3\t4\n", FaultKind.FRACTION, "Row 1, column 2 of what you pasted"),
        ("1\t2\n-3\t4\n", FaultKind.NEGATIVE, "Row 2, column 1 of what you pasted"),
        ("1\t1.234\n3\t4\n", FaultKind.THOUSANDS, "Row 1, column 2 of what you pasted"),
        ("1,234\n", FaultKind.THOUSANDS, "Row 1, column 1"),
        ("1 234\n", FaultKind.THOUSANDS, "Row 1, column 1"),
        ("1\t2\n\t4\n", FaultKind.BLANK, "Row 2, column 1 of what you pasted"),
        ("5\n\n7\n", FaultKind.BLANK, "Row 2, column 1"),
        ("\t0\t1\n4\t8\tn/a\n5\t1\t9\n", FaultKind.MISSING, "Row 2, column 3"),
        ("1\t1e3\n", FaultKind.EXPONENT, "column 2"),
        ("1\t99999999999999999999\n", FaultKind.TOO_LARGE, "column 2"),
        ("1\t2\n3\t4\t5\n6\t7\n", FaultKind.RAGGED, "Row 2 of what you pasted has 3 cells"),
        ("1\t2\n3\t4\t5\n", FaultKind.RAGGED, "Row 1 of what you pasted has 2 cells"),
        ('"1\t2\n3\t4\n', FaultKind.QUOTE, "Line 1"),
        (" \t \n", FaultKind.EMPTY, "blank"),
    ],
)
def test_what_is_refused_is_named_by_its_place(text, kind, words):
    with pytest.raises(ReadError, match=words) as caught:
        read_block(text)
    assert caught.value.kind is kind


def test_a_point_is_a_thousands_mark_only_when_told():
    with pytest.raises(CountError) as caught:
        read_block("1.234\t2\n")
    assert (caught.value.mark, caught.value.value) == (".", "1.234")
    assert (caught.value.row, caught.value.column) == (0, 0)
    assert read_block("1.234\t2\n", BlockOptions(thousands=".")).values.tolist() == [[1234, 2]]


def test_blanks_are_zeros_only_when_told():
    zero = BlockOptions(blank="zero")
    assert read_block("1\t\n\t4\n", zero).values.tolist() == [[1, 0], [0, 4]]
    assert read_block("5\n\n7\n", zero).values.tolist() == [[5], [0], [7]]
    assert read_block("\t\n\t\n", zero).values.tolist() == [[0, 0], [0, 0]]


def test_cells_of_a_spreadsheet_are_not_split_at_commas():
    tab = BlockOptions(separator="\t")
    with pytest.raises(CountError, match='"1,2,3" is not a number'):
        read_block("1,2,3\n", tab)


def test_html_without_plain_text_is_read_as_cells():
    html = (
        "<html><body><TABLE><tr><th></th><th>a &amp; b<th colspan=1>c</tr>"
        "<tr><td>x<td>5</td><td> 6\n</td></tr></table><table><tr><td>9</table>"
    )
    assert has_table(html)
    text = text_of_html(html)
    assert text is not None
    block = read_block(text)
    assert (block.values.tolist(), block.truth, block.clusters) == (
        [[5, 6]],
        ("x",),
        ("a & b", "c"),
    )
    assert text_of_html("<p>1 2 3</p>") is None


@pytest.mark.parametrize(
    "noise",
    ["<![weird[x]]>", "<!--" * 100_000, "<a " * 100_000, '<a "' * 100_001, "<![" * 100_000],
    ids=["marked section", "comments", "tags", "quotes", "declarations"],
)
@pytest.mark.parametrize("where", ["{noise}{table}", "{table}{noise}", "{cut}{noise}"])
def test_no_html_breaks_or_stops_the_reader(noise, where):
    cut = "<table><tr><td>1</td><td>2</td></tr><tr><td>3"
    start = time.perf_counter()
    text = text_of_html(where.format(noise=noise, cut=cut, table=cut + "</td><td>4</td></table>"))
    assert time.perf_counter() - start < 2
    assert text is None or text.replace('"', "").startswith("1\t2\n3")


def test_html_of_spreadsheets_is_read_whatever_its_attributes_hold():
    html = (
        "<meta><style><!--td {x:y}--></style><table><!--StartFragment--><colgroup><col></colgroup>"
        '<tr><td data-f="=IF(A1>3,1,0)">1</td><td data-f=\'=A1<"3"\'>2<br>3</td></tr>'
        "<![if !x]><tr><td>4<!-- no --></td><td colspan='2'>5&lt;6</td></tr><![endif]>"
        "</table><table><tr><td>9</td></tr></table>"
    )
    assert text_of_html(html) == "1\t2 3\n4\t5<6\t\n"


def test_names_do_not_count_as_cells(monkeypatch):
    monkeypatch.setattr(blocks, "MAX_CELLS", 4)
    named = "\ta\tb\nx\t1\t2\ny\t3\t4\n"
    assert read_block(named).values.tolist() == [[1, 2], [3, 4]]
    for text in ("1\t2\t3\n4\t5\t6\n", named + "z\t5\t6\n"):
        with pytest.raises(ReadError, match="more than 4 cells"):
            read_block(text)
