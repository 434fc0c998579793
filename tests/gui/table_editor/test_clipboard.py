"""Copy, cut and paste, by their keys."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication

from core.files.tables import parse_table, table_text
from core.table import ContingencyTable
from gui.table_editor import clipboard
from gui.table_editor.clipboard import ClipboardError, mime_data, pasted_text
from gui.table_editor.edits import Box
from gui.table_editor.notice import Severity

K = Qt.Key


@pytest.fixture(autouse=True)
def plain_clipboard(qapp):
    """Leave nothing on the clipboard that was made in Python: see `clipboard`."""
    yield
    QGuiApplication.clipboard().setText("")


CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def on_clipboard() -> QMimeData:
    return QGuiApplication.clipboard().mimeData()


# Copy


def test_copy_offers_tabs_csv_and_html_of_the_selected_rectangle(editor):
    # Qt's own Ctrl+C copies one cell.
    editor.select(0, 0, 1, 1)
    editor.press(K.Key_C, CTRL)
    mime = on_clipboard()
    assert mime.text() == "151\t88\n302\t330\n"
    assert bytes(mime.data("text/csv").data()) == b"151,88\n302,330\n"
    assert "<tr><td>151</td><td>88</td></tr>" in mime.html()
    assert not editor.notices


def test_the_program_closes_without_a_crash_after_a_copy():
    # The clipboard deletes what it holds after the interpreter has ended.
    program = """
from PySide6.QtWidgets import QApplication
app = QApplication([])
from core import ContingencyTable
from gui.table_editor.document import TableDocument
from gui.table_editor.view import TableView
view = TableView(TableDocument(ContingencyTable([[1, 2]])))
assert view.copy(names=True)
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


@pytest.mark.parametrize("box", [(0, 0, 3, 3), (1, 0, 1, 3), (0, 2, 3, 2)])
def test_names_go_along_with_whole_rows_and_columns(editor, box):
    editor.select(*box)
    editor.press(K.Key_C, CTRL)
    first, second = on_clipboard().text().split("\n")[:2]
    top, left, _, right = box
    assert first.split("\t")[1:] == list("0123")[left : right + 1]
    assert second.split("\t")[0] == "4567"[top]


def test_names_go_along_when_asked(editor):
    editor.select(1, 1, 1, 1)
    editor.press(K.Key_C, CTRL, SHIFT)
    mime = on_clipboard()
    assert mime.text() == "truth\\cluster\t1\n5\t330\n"
    assert "<th>5</th><td>330</td>" in mime.html()


def test_what_was_copied_with_names_reads_as_the_same_table(editor):
    # Neither shifted by a row nor transposed.
    editor.document.rename_row(0, 'a,b\t"c"')
    editor.document.rename_column(0, " x ")
    editor.press(K.Key_A, CTRL)
    editor.press(K.Key_C, CTRL)
    for text in (on_clipboard().text(), bytes(on_clipboard().data("text/csv").data()).decode()):
        assert parse_table(text).table == editor.document.snapshot()


def test_a_selection_in_pieces_is_not_copied_and_the_user_is_told(editor):
    editor.put("before")
    editor.click(0, 0)
    editor.click(2, 2, CTRL)
    editor.press(K.Key_C, CTRL)
    assert "several pieces" in editor.said
    assert editor.notices[-1].severity is Severity.WARNING
    assert on_clipboard().text() == "before"
    editor.press(K.Key_X, CTRL)
    assert editor.counts[0][0] == 151


def test_pieces_that_make_up_a_rectangle_are_copied(editor):
    editor.click(0, 0)
    editor.click(0, 1, CTRL)
    editor.press(K.Key_C, CTRL)
    assert on_clipboard().text() == "151\t88\n"


def test_cut_copies_and_writes_zeros_as_one_step(editor):
    editor.select(0, 0, 1, 1)
    editor.press(K.Key_X, CTRL)
    assert on_clipboard().text() == "151\t88\n302\t330\n"
    assert [row[:2] for row in editor.counts[:2]] == [[0, 0], [0, 0]]
    assert editor.labels == ["Cut 2 x 2"]
    editor.press(K.Key_Z, CTRL)
    assert editor.counts[0][0] == 151


def test_copy_while_typing_copies_the_text_of_the_editor(editor):
    editor.go(0, 0)
    editor.press(K.Key_F2)
    editor.press(K.Key_A, CTRL)
    editor.press(K.Key_C, CTRL)
    assert on_clipboard().text() == "151"
    assert editor.cell_editor is not None


# Paste


def test_a_block_is_pasted_at_the_cursor_as_one_step(editor):
    editor.go(1, 1)
    editor.paste("1\t2\n3\t4\n")
    assert editor.counts == [
        [151, 88, 72, 260],
        [302, 1, 2, 158],
        [161, 3, 4, 81],
        [490, 0, 101, 14],
    ]
    assert editor.boxes == [(1, 1, 2, 2)]
    assert editor.labels == ["Paste 2 x 2"]
    editor.press(K.Key_Z, CTRL)
    assert editor.counts[1][1] == 330
    assert editor.boxes == [(1, 1, 2, 2)]


def test_a_trailing_newline_adds_no_row(editor):
    editor.go(3, 0)
    editor.paste("1\t2\t3\t4\r\n")
    assert editor.document.state.shape == (4, 4)
    assert editor.counts[3] == [1, 2, 3, 4]


def test_the_table_grows_to_fit_and_shrinks_on_undo(editor):
    editor.go(3, 3)
    editor.paste("1\t2\t3\n4\t5\t6\n")
    assert editor.document.state.shape == (5, 6)
    assert editor.names == ([*"4567", "T1"], [*"0123", "C1", "C2"])
    assert editor.counts[4] == [0, 0, 0, 4, 5, 6]
    assert editor.boxes == [(3, 3, 4, 5)]
    assert len(editor.labels) == 1
    editor.press(K.Key_Z, CTRL)
    assert editor.document.state.shape == (4, 4)
    assert editor.boxes == [(3, 3, 3, 3)]
    editor.press(K.Key_Y, CTRL)
    assert editor.names == ([*"4567", "T1"], [*"0123", "C1", "C2"])


def test_names_come_along_with_a_whole_table_as_one_step(editor):
    editor.go(0, 0)
    editor.paste("\ta\tb\ncat\t1\t2\ndog\t3\t4\n")
    assert editor.names == (["cat", "dog", "6", "7"], ["a", "b", "2", "3"])
    assert editor.counts[0] == [1, 2, 72, 260]
    assert len(editor.labels) == 1
    assert "cluster names from the first row and class names from the first column" in editor.said
    assert editor.notices[-1].severity is Severity.INFO
    editor.press(K.Key_Z, CTRL)
    assert editor.names == (list("4567"), list("0123"))


def test_a_pasted_table_can_become_the_whole_table(editor):
    editor.go(0, 0)
    editor.paste("\ta\tb\ncat\t1\t2\ndog\t3\t4\n")
    editor.act("Make it the whole table")
    assert editor.document.snapshot() == ContingencyTable(
        [[1, 2], [3, 4]], ["cat", "dog"], ["a", "b"]
    )
    editor.press(K.Key_Z, CTRL)
    assert editor.names == (list("4567"), list("0123"))
    assert len(editor.counts) == 4


def test_numbers_taken_for_names_can_be_pasted_as_counts(editor):
    editor.go(0, 0)
    editor.paste("class\t1\t2\n5\t3\t4\n")
    assert [label for label, _ in editor.notices[-1].actions] == ["Make it the whole table"]
    editor.press(K.Key_Z, CTRL)
    editor.paste("truth/cluster\t1\n5\t3\n")
    assert editor.names[0][0] == "5"


def test_the_whole_table_copied_and_pasted_elsewhere_is_the_same(editor, make_editor):
    editor.press(K.Key_A, CTRL)
    editor.press(K.Key_C, CTRL)
    other = make_editor(ContingencyTable([[0]]))
    other.press(K.Key_V, CTRL)
    assert other.document.snapshot() == editor.document.snapshot()
    assert len(other.labels) == 1


def test_decimal_commas_of_zeros_are_whole_counts(editor):
    editor.go(0, 0)
    editor.paste("151,00\n302,00\n")
    assert [row[:2] for row in editor.counts[:2]] == [[151, 88], [302, 330]]
    editor.paste("7,00\t8,0\n")
    assert editor.counts[0][:2] == [7, 8]


def test_a_point_in_a_pasted_count_is_asked_about(editor):
    # A German locale reads 1.234 as 1234 without a word.
    editor.go(0, 0)
    editor.paste("1.234\t5\n6\t7\n")
    assert editor.counts[0][0] == 151
    assert editor.labels == []
    assert "Row 1, column 1 of what you pasted" in editor.said
    editor.go(3, 3)
    editor.act('Read "1.234" as 1234')
    assert [row[:2] for row in editor.counts[:2]] == [[1234, 5], [6, 7]]


def test_blanks_in_a_pasted_block_are_asked_about(editor):
    editor.go(0, 0)
    editor.paste("1\t2\n\t4\n")
    assert "Row 2, column 1" in editor.said
    assert editor.labels == []
    editor.act("Read blanks as 0")
    assert [row[:2] for row in editor.counts[:2]] == [[1, 2], [0, 4]]


def test_a_line_of_one_comma_is_one_cell_unless_the_user_says_otherwise(editor):
    editor.go(0, 0)
    editor.paste("1,234\n")
    assert editor.labels == []
    assert [label for label, _ in editor.notices[-1].actions] == [
        'Read "1,234" as 1234',
        "Split at commas",
    ]
    editor.act("Split at commas")
    assert editor.counts[0][:2] == [1, 234]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1\t2\n3\tx\n", 'Row 2, column 2 of what you pasted: "x" is not a number'),
        ("1\t2\n3\t4\t5\n6\t7\n", "Row 2 of what you pasted has 3 cells where the others have 2"),
        ("1\t2\n-3\t4\n", "Row 2, column 1 of what you pasted"),
        ("1\t2.5\n3\t4\n", "Row 1, column 2 of what you pasted"),
    ],
)
def test_a_bad_cell_rejects_the_whole_paste_and_is_named(editor, text, words):
    before = editor.counts
    editor.go(0, 0)
    editor.paste(text)
    assert words in editor.said
    assert "The table is unchanged." in editor.said
    assert editor.counts == before
    assert editor.labels == []


def test_one_count_fills_the_selection(editor):
    editor.select(0, 0, 1, 2)
    editor.paste("7\n")
    assert [row[:3] for row in editor.counts[:2]] == [[7, 7, 7]] * 2
    assert editor.labels == ["Paste into 6 cells"]
    editor.click(3, 0)
    editor.click(2, 3, CTRL)
    editor.paste("8")
    assert (editor.counts[3][0], editor.counts[2][3]) == (8, 8)


def test_a_block_is_repeated_where_the_selection_is_a_multiple_of_it(editor):
    editor.select(0, 0, 3, 3)
    editor.paste("1\t2\n")
    assert editor.counts == [[1, 2, 1, 2]] * 4
    editor.press(K.Key_Z, CTRL)
    editor.select(0, 0, 2, 2)
    editor.paste("1\t2\n")
    assert editor.counts[0] == [1, 2, 72, 260]
    assert editor.counts[1][0] == 302


def test_a_block_is_not_pasted_into_pieces(editor):
    editor.click(0, 0)
    editor.click(2, 2, CTRL)
    editor.paste("1\t2\n3\t4\n")
    assert "several pieces" in editor.said
    assert editor.labels == []


def test_pasting_what_is_there_already_pushes_nothing(editor):
    editor.go(0, 0)
    editor.paste("151\t88\n302\t330\n")
    assert editor.labels == []


def test_margins_cannot_be_pasted_over(editor):
    editor.select(0, 3, 0, 3)
    editor.paste("1\t2\n")
    assert editor.document.state.shape == (4, 5)
    assert editor.view.table_model.text(0, 5) == str(sum(editor.counts[0]))


def test_cells_of_a_spreadsheet_come_as_tabs_even_if_html_is_there(editor):
    mime = QMimeData()
    mime.setText("5\n")
    mime.setHtml("<table><tr><td>9</td></tr></table>")
    QGuiApplication.clipboard().setMimeData(mime)
    editor.go(0, 0)
    editor.press(K.Key_V, CTRL)
    assert editor.counts[0][0] == 5


@pytest.mark.parametrize("kind", ["csv", "html"])
def test_csv_and_html_are_read_where_there_is_no_plain_text(editor, kind):
    mime = QMimeData()
    if kind == "csv":
        mime.setData("text/csv", b"5,6\n7,8\n")
    else:
        mime.setHtml("<table><tr><td>5<td>6</tr><tr><td>7<td>8</tr></table>")
    QGuiApplication.clipboard().setMimeData(mime)
    editor.go(0, 0)
    editor.press(K.Key_V, CTRL)
    assert [row[:2] for row in editor.counts[:2]] == [[5, 6], [7, 8]]


def test_an_empty_clipboard_is_said_to_be_empty(editor):
    QGuiApplication.clipboard().clear()
    editor.press(K.Key_V, CTRL)
    assert "nothing on the clipboard" in editor.said


def test_a_huge_clipboard_is_refused_with_a_sentence(editor, monkeypatch):
    monkeypatch.setattr(clipboard, "MAX_TEXT", 1_000)
    editor.paste("1\t2\n" * 1_000)
    assert "MB" in editor.said
    assert editor.labels == []


def test_a_paste_beyond_the_limit_of_cells_is_refused(editor, monkeypatch):
    from gui.table_editor import state

    monkeypatch.setattr(state, "MAX_CELLS", 20)
    editor.go(3, 3)
    editor.paste("1\t2\n3\t4\n")
    assert "at most 20" in editor.said
    assert editor.document.state.shape == (4, 4)


def test_a_large_table_is_copied_and_pasted(make_editor):
    import numpy as np

    editor = make_editor(ContingencyTable(np.arange(250_000).reshape(500, 500)))
    editor.press(K.Key_A, CTRL)
    editor.press(K.Key_C, CTRL)
    assert not on_clipboard().hasHtml()
    other = make_editor(ContingencyTable([[0]]))
    other.press(K.Key_V, CTRL)
    assert other.document.snapshot() == editor.document.snapshot()


def test_a_large_copy_is_plain_text_only_and_the_user_is_told(make_editor):
    counts = np.random.default_rng(2).integers(0, 10**9, (150, 151))
    counts //= 7 ** np.arange(151).clip(0, 9)
    counts[3, 3], counts[4, 4] = 10**18, 0
    table = ContingencyTable(counts, ["a,b", *map(str, range(149))], [f"c {i}" for i in range(151)])
    editor = make_editor(table)
    editor.view.selectAll()
    editor.view.copy()
    mime = QGuiApplication.clipboard().mimeData()
    assert mime.text() == table_text(table, "\t")
    assert not mime.hasHtml()
    assert not mime.hasFormat("text/csv")
    assert "plain text" in editor.said
    state = editor.document.state
    inner = mime_data(state, Box(1, 1, 149, 149), names=False).text()
    part = ContingencyTable(counts[1:150, 1:150])
    assert inner == table_text(part, "\t", names=False)


def test_html_that_is_too_long_is_refused_with_a_sentence():
    mime = QMimeData()
    mime.setHtml("<table>" + " " * 10_000_000)
    with pytest.raises(ClipboardError, match="10 MB of HTML"):
        pasted_text(mime)
