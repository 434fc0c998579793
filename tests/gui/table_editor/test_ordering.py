"""Lines shown in an order are still the lines of the data."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from core.scoring import score
from core.table import ContingencyTable
from gui.jobs import JobRunner
from gui.table_editor import pasting
from gui.table_editor.colors import LIGHT
from gui.table_editor.ordering import OrderKeeper

K = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier
FIGURE_1 = [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]]


def shown(editor) -> list[list[int]]:
    model = editor.view.table_model
    r, c = editor.document.state.shape
    return [[int(model.text(i, j)) for j in range(c)] for i in range(r)]


def names(editor) -> tuple[str, str]:
    model = editor.view.table_model
    r, c = editor.document.state.shape
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    return (
        "".join(model.headerData(i, down) for i in range(r)),
        "".join(model.headerData(j, across) for j in range(c)),
    )


@pytest.fixture
def ordered(editor):
    """Figure 1 with its classes by size and its clusters matched to them."""
    assert editor.view.set_order("size", "matching")
    return editor


def test_an_order_changes_the_data(ordered):
    assert ordered.counts == FIGURE_1
    assert names(ordered) == ("5746", "1032")
    assert shown(ordered) == [
        [330, 302, 158, 0],
        [0, 490, 14, 101],
        [88, 151, 260, 72],
        [0, 161, 81, 313],
    ]
    assert ordered.document.is_clean
    ordered.view.set_order("table", "table")
    assert shown(ordered) == FIGURE_1


def test_a_count_is_typed_into_another_cell(ordered):
    ordered.go(1, 2)
    ordered.type("7")
    ordered.press(K.Key_Return)
    assert ordered.document.state.counts[3, 3] == 7
    assert shown(ordered)[1][2] == 7
    assert ordered.at == (2, 2)
    # Not put in order anew under the hand, but said.
    assert names(ordered) == ("5746", "1032")
    assert ordered.view.orders.out_of_date
    ordered.press(K.Key_Z, CTRL)
    assert ordered.counts == FIGURE_1
    assert ordered.at == (1, 2)


def test_a_remedy_writes_where_the_order_was(editor):
    editor.go(0, 3)
    editor.type("1.000")
    editor.press(K.Key_Return)
    editor.press(K.Key_Escape)
    editor.go(0, 3)
    editor.type("1.000")
    editor.click(2, 2)
    remedies = dict(editor.notices[-1].actions)
    editor.view.set_order("size", "matching")
    remedies['Read "1.000" as 1000']()
    assert editor.document.state.counts[0, 3] == 1000


def test_a_copy_is_not_what_is_seen(ordered):
    ordered.select(0, 0, 1, 1)
    ordered.press(K.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "330\t302\n0\t490\n"
    ordered.view.copy(names=True)
    assert QGuiApplication.clipboard().text().splitlines()[1:] == ["5\t330\t302", "7\t0\t490"]


def test_a_paste_goes_elsewhere_than_it_is_seen_to_go(ordered):
    ordered.go(0, 0)
    ordered.paste("1\t2\n3\t4\n")
    assert [row[:2] for row in shown(ordered)[:2]] == [[1, 2], [3, 4]]
    assert ordered.document.state.counts[1, 1] == 1
    assert ordered.document.state.counts[3, 0] == 4
    assert ordered.boxes == [(0, 0, 1, 1)]
    ordered.press(K.Key_Z, CTRL)
    assert ordered.counts == FIGURE_1
    assert sorted(ordered.boxes) == [(0, 0, 1, 1)]


def test_names_are_pasted_onto_other_lines(ordered):
    ordered.go(0, 0)
    ordered.paste("\tp\tq\na\t1\t2\nb\t3\t4\n")
    assert names(ordered) == ("ab46", "pq32")
    assert ordered.names == (["4", "a", "6", "b"], ["q", "p", "2", "3"])
    assert ordered.labels == ["Paste 2 x 2"]


def test_a_paste_makes_a_table_grow_out_of_order(ordered):
    ordered.go(3, 3)
    ordered.paste("1\t2\n3\t4\n")
    assert ordered.counts == FIGURE_1
    assert "cannot grow while it is shown in another order" in ordered.said
    ordered.act("Show in table order")
    assert shown(ordered) == FIGURE_1
    assert ordered.view.table_actions["order_rows_table"].isChecked()


def test_a_fill_misses_cells_of_a_selection(ordered):
    ordered.select(0, 1, 2, 2)
    ordered.paste("9")
    assert shown(ordered) == [[330, 9, 9, 0], [0, 9, 9, 101], [88, 9, 9, 72], [0, 161, 81, 313]]
    assert ordered.labels == ["Paste into 6 cells"]
    ordered.press(K.Key_Delete)
    assert shown(ordered)[0] == [330, 0, 0, 0]


def test_a_line_is_inserted_beside_another_than_the_one_shown(ordered):
    ordered.go(1, 0)
    ordered.view.insert_rows(True)
    # Class 7 is the last of the data; the new one has no items.
    assert ordered.names[0] == ["4", "5", "6", "7", "T1"]
    assert names(ordered)[0] == "5746T1"
    assert ordered.at[0] == 4
    ordered.press(K.Key_Z, CTRL)
    assert names(ordered)[0] == "5746"
    ordered.go(0, 0)
    ordered.view.insert_columns(False)
    assert ordered.names[1] == ["0", "C1", "1", "2", "3"]
    assert names(ordered)[1] == "1032C1"


def test_another_line_is_deleted(ordered):
    ordered.select(0, 1, 1, 1)
    ordered.view.delete_rows()
    assert ordered.names[0] == ["4", "6"]
    assert shown(ordered)[0] == [260, 151, 72, 88] or names(ordered)[0] == "46"
    ordered.press(K.Key_Z, CTRL)
    assert ordered.counts == FIGURE_1
    assert names(ordered) == ("5746", "1032")
    ordered.view.select_box(ordered.view.around_selection())
    ordered.go(0, 3)
    ordered.view.delete_columns()
    assert ordered.names[1] == ["0", "1", "3"]


def test_another_line_is_renamed(ordered):
    ordered.view.row_header.edit_name(1)
    ordered.type("seven")
    ordered.press(K.Key_Return)
    assert ordered.names[0] == ["4", "5", "6", "seven"]
    ordered.go(0, 1)
    ordered.view.rename_column()
    ordered.type("x")
    ordered.press(K.Key_Return)
    assert ordered.names[1] == ["x", "1", "2", "3"]


def test_scores_and_sums_stay_behind(ordered):
    scores = score(ordered.document.snapshot(), metrics=["row_peakiness"])
    assert ordered.view.set_row_scores(scores)
    model = ordered.view.table_model
    peakiness = scores.by_row("row_peakiness")
    assert [model.score_text(i) for i in range(4)] == [
        f"{peakiness[line]:.3f}" for line in (1, 3, 0, 2)
    ]
    assert [model.text(i, 4) for i in range(4)] == ["790", "605", "571", "555"]
    assert [model.text(4, j).replace("\u202f", "") for j in range(4)] == [
        "418",
        "1104",
        "513",
        "486",
    ]
    assert "Class 5, cluster 1: 330 items" in model.data(
        model.index(0, 0), Qt.ItemDataRole.ToolTipRole
    )


def test_the_selection_stays_where_it_was_on_the_screen(editor):
    editor.select(1, 0, 1, 3)
    editor.view.set_order("size", "table")
    assert editor.boxes == [(0, 0, 0, 3)]
    editor.view.set_order("table", "table")
    assert editor.boxes == [(1, 0, 1, 3)]
    assert editor.at == (1, 0)


def test_columns_leave_their_width_behind(editor):
    header = editor.view.column_header
    header.resizeSection(1, 200)
    editor.view.set_order("size", "matching")
    assert [header.sectionSize(j) for j in range(4)] == [200, 72, 72, 72]
    editor.document.set_cell(0, 3, 10**11)
    assert header.sectionSize(2) > 72
    editor.view.set_order("table", "table")
    assert header.sectionSize(1) == 200
    assert header.sectionSize(3) > 72


def test_a_transposed_table_has_the_order_of_its_rows(ordered):
    ordered.view.transpose()
    assert ordered.counts == np.array(FIGURE_1).T.tolist()
    # Clusters are by their match again, with classes by size.
    assert names(ordered)[0] == "0321"
    ordered.press(K.Key_Z, CTRL)
    assert names(ordered) == ("5746", "1032")


def test_nothing_shows_that_an_order_is_in_force(editor):
    editor.view.set_colors(LIGHT)
    actions = editor.view.table_actions
    before = editor.view.corner.grab().toImage()
    assert actions["order_rows_table"].isChecked()
    assert not actions["order_again"].isEnabled()
    actions["order_rows_name"].trigger()
    # By name is as entered here, and still an order.
    assert actions["order_rows_name"].isChecked()
    assert not actions["order_rows_table"].isChecked()
    assert actions["order_again"].isEnabled()
    assert editor.view.corner.grab().toImage() != before
    assert "Classes are shown by name." in editor.view.corner.toolTip()
    actions["order_columns_matching"].trigger()
    assert "their match with the classes" in editor.view.corner.toolTip()
    editor.view.show_as_entered()
    assert editor.view.corner.grab().toImage() == before


def test_an_order_out_of_date_is_not_said_or_mended(ordered):
    ordered.document.set_cell(0, 0, 5_000)
    assert names(ordered)[0] == "5746"
    assert "order it again" in ordered.view.corner.toolTip()
    ordered.view.table_actions["order_again"].trigger()
    assert names(ordered)[0] == "4576"
    assert "order it again" not in ordered.view.corner.toolTip()


def test_another_table_has_the_order_of_the_one_before(ordered):
    ordered.document.replace(ContingencyTable([[1, 2], [5, 0], [0, 9]]))
    assert shown(ordered) == [[9, 0], [0, 5], [2, 1]]
    ordered.document.replace(ContingencyTable([[3]]))
    assert shown(ordered) == [[3]]


@pytest.mark.parametrize("shape", [(1, 7), (7, 1), (1, 1)])
def test_a_table_of_one_line_cannot_be_ordered(make_editor, shape):
    counts = (np.arange(shape[0] * shape[1]) * 3 % 7).reshape(shape)
    editor = make_editor(ContingencyTable(counts))
    for rows in ("size", "name", "table"):
        for columns in ("matching", "size", "name", "table"):
            editor.view.set_order(rows, columns)
            assert sorted(count for row in shown(editor) for count in row) == sorted(
                counts.reshape(-1).tolist()
            )
            editor.view.grab()


def test_the_picture_of_an_order_is_not_that_of_the_table_in_that_order(make_editor, figure_1):
    one = make_editor(figure_1)
    one.view.set_order("size", "matching")
    rows, columns = [1, 3, 0, 2], [1, 0, 3, 2]
    other = make_editor(
        ContingencyTable(
            figure_1.counts[rows][:, columns],
            [figure_1.truth[i] for i in rows],
            [figure_1.clusters[j] for j in columns],
        )
    )
    for editor in (one, other):
        editor.go(2, 2)
        editor.before.setFocus()
        QApplication.processEvents()
    pictures = [editor.view.viewport().grab().toImage() for editor in (one, other)]
    assert pictures[0] == pictures[1]
    one.document.set_cell(0, 0, 999)
    other.document.set_cell(2, 1, 999)
    pictures = [editor.view.viewport().grab().toImage() for editor in (one, other)]
    assert pictures[0] == pictures[1]


# Beside the window


@pytest.fixture
def runner(qtbot):
    jobs = JobRunner()
    yield jobs
    jobs.shutdown()


def test_a_large_table_is_ordered_in_the_thread_of_the_window(qtbot, editor, runner, monkeypatch):
    editor.view.set_runner(runner)
    monkeypatch.setattr(OrderKeeper, "_is_quick", lambda *_: False)
    editor.view.set_order("size", "matching")
    assert editor.view.orders.busy
    assert names(editor) == ("4567", "0123")
    qtbot.waitUntil(lambda: not editor.view.orders.busy, timeout=5000)
    assert names(editor) == ("5746", "1032")


def test_an_order_of_a_table_that_is_gone_is_shown(qtbot, editor, runner, monkeypatch):
    editor.view.set_runner(runner)
    monkeypatch.setattr(OrderKeeper, "_is_quick", lambda *_: False)
    editor.view.set_order("size", "table")
    editor.document.delete_rows([1])
    editor.view.set_order("size", "matching")
    editor.document.insert_rows(0)
    qtbot.waitUntil(lambda: not runner.jobs, timeout=5000)
    assert names(editor)[0] == "746T1"


def test_rows_jump_while_a_count_is_typed(qtbot, editor, runner, monkeypatch):
    editor.view.set_runner(runner)
    monkeypatch.setattr(OrderKeeper, "_is_quick", lambda *_: False)
    editor.view.set_order("size", "table")
    editor.go(0, 0)
    editor.type("12")
    qtbot.waitUntil(lambda: not editor.view.orders.busy, timeout=5000)
    assert names(editor)[0] == "4567"
    assert editor.cell_editor.text() == "12"
    editor.press(K.Key_Return)
    qtbot.waitUntil(lambda: names(editor)[0] == "5746", timeout=5000)
    assert editor.document.state.counts[0, 0] == 12


def test_a_long_text_is_read_in_the_thread_of_the_window(qtbot, editor, runner, monkeypatch):
    editor.view.set_runner(runner)
    monkeypatch.setattr(pasting, "READ_AT_ONCE", 3)
    editor.go(3, 3)
    editor.paste("1\t2\n3\t4\n")
    assert editor.view.paster.busy
    assert editor.counts == FIGURE_1
    qtbot.waitUntil(lambda: not editor.view.paster.busy, timeout=5000)
    assert editor.document.state.shape == (5, 5)
    assert editor.labels == ["Paste 2 x 2"]
    editor.press(K.Key_Z, CTRL)
    assert editor.counts == FIGURE_1


def test_a_long_text_lands_in_a_table_that_has_changed(qtbot, editor, runner, monkeypatch):
    editor.view.set_runner(runner)
    monkeypatch.setattr(pasting, "READ_AT_ONCE", 3)
    editor.go(0, 0)
    editor.paste("1\t2\n3\t4\n")
    editor.document.set_cell(3, 3, 5)
    qtbot.waitUntil(lambda: not editor.view.paster.busy, timeout=5000)
    assert editor.document.state.counts[0, 0] == 151
    assert "the table has changed while the text was read" in editor.said
    editor.act("Paste there now")
    qtbot.waitUntil(lambda: not editor.view.paster.busy, timeout=5000)
    assert editor.document.state.counts[0, 0] == 1


def test_a_long_text_that_is_wrong_or_cancelled_is_passed_over_in_silence(
    qtbot, editor, runner, monkeypatch
):
    editor.view.set_runner(runner)
    monkeypatch.setattr(pasting, "READ_AT_ONCE", 3)
    editor.go(0, 0)
    editor.paste("1\tx\n3\t4\n")
    qtbot.waitUntil(lambda: not editor.view.paster.busy, timeout=5000)
    assert "The table is unchanged" in editor.said
    editor.paste("1\t2\n" * 60_000)
    runner.jobs[0].cancel()
    qtbot.waitUntil(lambda: not editor.view.paster.busy, timeout=5000)
    assert editor.counts == FIGURE_1
    assert "cancelled" in editor.said


# Targets


def test_targets_are_tinted_in_other_cells_than_those_of_the_data(editor):
    view = editor.view
    view.set_colors(LIGHT)
    editor.before.setFocus()
    editor.go(3, 3)
    QApplication.processEvents()

    def colour(i, j):
        rect = view.visualRect(view.table_model.index(i, j))
        image = view.viewport().grab().toImage()
        return image.pixelColor(rect.right() - 2, rect.top() + 2)

    plain = colour(1, 0)
    view.set_targets(
        1, 1, [0.02, np.nan, -0.01, 0.0], None, lambda i, j, d: f"{i} {j} changes AP by {d:+.2f}"
    )
    better, worse = colour(1, 0), colour(1, 2)
    assert better.blue() > better.red() + 40
    assert worse.red() > worse.blue() + 40 or worse.red() > 200 > worse.blue()
    assert colour(1, 3) != better
    tip = view.table_model.data(view.table_model.index(1, 0), Qt.ItemDataRole.ToolTipRole)
    assert tip.endswith("\n1 0 changes AP by +0.02")
    view.set_order("size", "matching")
    assert colour(0, 1) == better
    assert colour(0, 3) == worse
    view.set_order("table", "table")
    view.clear_targets()
    assert colour(1, 0) == plain


def test_targets_outlive_the_table_that_they_are_of(editor):
    editor.view.set_targets(1, 1, None, [0.1, 0.0, -0.2, 0.3], lambda *_: "x")
    assert editor.view.table_model.targets is not None
    editor.document.set_cell(0, 0, 3)
    assert editor.view.table_model.targets is None
    with pytest.raises(ValueError, match="3,"):
        editor.view.set_targets(1, 1, [0.1, 0.2, 0.3], None, lambda *_: "x")


def test_the_sign_of_a_tint_is_read_as_the_minus_of_a_count(editor, monkeypatch):
    """Counts are never negative: nothing but their digits is written in a cell."""
    texts, signs = [], []
    cells = type(editor.view.cells)
    write = cells._write

    def note(self, painter, script, column, baseline, text, after=0):
        texts.append(text)
        return write(self, painter, script, column, baseline, text, after)

    monkeypatch.setattr(cells, "_write", note)
    monkeypatch.setattr(
        cells, "_paint_sign", lambda _, *given: signs.append((given[2].section, given[3]))
    )
    editor.view.set_targets(1, 1, [0.02, np.nan, -0.01, 0.0], None, lambda *_: "x")
    editor.view.viewport().grab()
    assert signs == [(0, True), (2, False)]
    assert not any(character in text for text in texts for character in "+-−")


def test_a_fall_is_worse_where_less_is_better(editor):
    look = {}
    for larger in (True, False):
        editor.view.set_targets(
            1, 1, [0.02, np.nan, -0.01, 0.0], None, lambda *_: "x", larger_is_better=larger
        )
        targets = editor.view.table_model.targets
        look[larger] = [targets.look(1, j, (255, 255, 255))[2] for j in (0, 2)]
    assert look == {True: [True, False], False: [False, True]}
