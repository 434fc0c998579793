"""A session of many tables: the list, one history over all, and who computes its columns."""

from __future__ import annotations

import random

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from core import score
from core.formatting import format_score
from core.metrics.catalogue import METRICS
from core.metrics.metric import ScoreOptions
from core.named_table import NamedTable
from core.table import ContingencyTable
from gui.table_editor.notice import Notice, Severity, Until
from gui.tables.entries import MAX_TABLES

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def some_tables(n, shape=(3, 3), seed=0):
    rng = np.random.default_rng(seed)
    return [
        NamedTable(f"table {i}", ContingencyTable(rng.integers(0, 60, shape))) for i in range(n)
    ]


def names(window):
    return [entry.name for entry in window.session.entries]


def shown(window):
    return window.session.current.name


def undo(window):
    window.table_page.view.table_actions["undo"].trigger()


def redo(window):
    window.table_page.view.table_actions["redo"].trigger()


def listed(window, column):
    model = window.table_page.tables.model
    return [model.index(line, column).data() for line in range(model.rowCount())]


def line(window, name):
    return listed(window, 0).index(name)


def click(window, name, modifier=Qt.KeyboardModifier.NoModifier):
    table_list = window.table_page.tables.list
    index = table_list.model().index(line(window, name), 0)
    QTest.mouseClick(
        table_list.viewport(),
        Qt.MouseButton.LeftButton,
        modifier,
        table_list.visualRect(index).center(),
    )


def settled(qtbot, window):
    qtbot.waitUntil(
        lambda: window.scorer.scores is not None and not window.jobs.jobs, timeout=10_000
    )


@pytest.fixture
def many(qtbot, window):
    """A window with figure 1 and three more tables, all scored."""
    window.session.add(some_tables(3))
    settled(qtbot, window)
    return window


def test_the_list_appears_with_the_second_table_and_goes_with_it(qtbot, window):
    tables = window.table_page.tables
    assert not tables.isVisible()
    window.session.add(some_tables(1))
    assert tables.isVisible()
    undo(window)
    assert not tables.isVisible()
    settled(qtbot, window)


def test_the_columns_have_the_scores_of_score(qtbot, many):
    board = many.board
    settled(qtbot, many)
    for i, entry in enumerate(many.session.entries):
        expected = score(entry.table, board.keys)
        for j, key in enumerate(board.keys):
            assert listed(many, 1 + j)[i] == format_score(expected[key])


def test_typing_changes_the_line_of_the_table_at_once(qtbot, many):
    click(many, "table 1")
    many.session.document.set_cell(0, 0, 500)
    settled(qtbot, many)
    expected = score(many.session.document.snapshot(), ["ap"])["ap"]
    assert listed(many, 1)[line(many, "table 1")] == format_score(expected)


def test_a_click_shows_a_table_and_edits_stay_with_theirs(qtbot, many):
    before = {e.name: e.table.counts.tolist() for e in many.session.sync()}
    click(many, "table 1")
    assert shown(many) == "table 1"
    many.session.document.set_cell(0, 0, 777)
    click(many, "table 2")
    assert many.session.document.state.counts.tolist() == before["table 2"]
    click(many, "table 1")
    assert many.session.document.state.counts[0, 0] == 777
    after = {e.name: e.table.counts.tolist() for e in many.session.sync()}
    before["table 1"][0][0] = 777
    assert after == before
    settled(qtbot, many)


def test_undo_goes_to_the_table_that_was_edited(qtbot, many):
    click(many, "table 1")
    old = int(many.session.document.state.counts[0, 0])
    many.session.document.set_cell(0, 0, 777)
    click(many, "table 2")
    many.session.document.set_cell(0, 0, 888)
    click(many, "Figure 1")
    undo(many)
    assert shown(many) == "table 2"
    undo(many)
    assert shown(many) == "table 1"
    assert many.session.document.state.counts[0, 0] == old
    redo(many)
    redo(many)
    assert shown(many) == "table 2"
    assert many.session.document.state.counts[0, 0] == 888
    settled(qtbot, many)


def test_removed_tables_come_back_with_their_edits_at_their_places(qtbot, many):
    click(many, "table 1")
    many.session.document.set_cell(0, 0, 777)
    order = names(many)
    click(many, "table 0", CTRL)
    QTest.keyClick(many.table_page.tables.list, Qt.Key.Key_Delete)
    assert names(many) == ["Figure 1", "table 2"]
    assert shown(many) == "table 2"
    undo(many)
    assert names(many) == order
    assert many.session.sync()[many.session.entries.at(2).key].table.counts[0, 0] == 777
    undo(many)
    assert shown(many) == "table 1"
    assert many.session.document.state.counts[0, 0] != 777
    settled(qtbot, many)


def test_removing_all_tables_leaves_an_empty_one_and_undo_brings_all_back(qtbot, many):
    order = names(many)
    many.session.set_baseline(many.session.entries.at(1).key)
    many.table_page.tables.list.selectAll()
    many.table_page.tables.remove_selected()
    assert names(many) == ["Untitled"]
    assert many.session.document.state.total == 0
    undo(many)
    assert names(many) == order
    assert many.session.entries.baseline == many.session.entries.at(1).key
    settled(qtbot, many)


def test_a_baseline_that_is_removed_is_pinned_again_by_undo(qtbot, many):
    key = many.session.entries.at(2).key
    many.session.set_baseline(key)
    assert listed(many, 0)[2] == "\N{BLACK DIAMOND} table 1"
    many.session.remove([key])
    assert many.session.entries.baseline is None
    undo(many)
    assert many.session.entries.baseline == key
    undo(many)
    assert many.session.entries.baseline is None
    settled(qtbot, many)


def test_a_duplicate_has_a_name_of_its_own_and_its_own_counts(qtbot, many):
    click(many, "table 1")
    many.table_page.tables.duplicate_selected()
    assert shown(many) == "table 1 (2)"
    many.session.document.set_cell(0, 0, 777)
    click(many, "table 1")
    assert many.session.document.state.counts[0, 0] != 777
    assert names(many).index("table 1 (2)") == names(many).index("table 1") + 1
    settled(qtbot, many)


def test_f2_renames_a_table_in_the_list(qtbot, many):
    click(many, "table 1")
    table_list = many.table_page.tables.list
    table_list.setFocus()
    QTest.keyClick(table_list, Qt.Key.Key_F2)
    editor = table_list.findChild(QLineEdit)
    QTest.keyClicks(editor, "k-means")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "k-means" in names(many), timeout=2000)
    assert many.windowTitle().startswith("Untitled session")
    undo(many)
    assert "table 1" in names(many)
    assert not many.session.rename(many.session.document.key, "  ")
    assert "needs a name" in many.table_page.notices.notice.text
    settled(qtbot, many)


def test_sorting_by_a_score_puts_the_best_first_and_undefined_last(qtbot, many):
    many.session.add([NamedTable("nothing", ContingencyTable([[0, 0], [0, 0]]))])
    settled(qtbot, many)
    many.table_page.tables.list.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    shown_scores = listed(many, 1)
    assert shown_scores[-1] == "\N{EM DASH}"
    numbers = [float(text) for text in shown_scores[:-1]]
    assert numbers == sorted(numbers, reverse=True)
    many.table_page.tables.list.sortByColumn(1, Qt.SortOrder.AscendingOrder)
    assert listed(many, 1)[-1] == "\N{EM DASH}"
    many.table_page.tables.list.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert listed(many, 0) == names(many)
    settled(qtbot, many)


def test_names_with_numbers_sort_as_people_do(qtbot, window):
    tables = [NamedTable(f"run {i}", ContingencyTable([[1, 0], [0, 1]])) for i in (10, 9, 2, 1)]
    window.session.add(tables)
    window.table_page.tables.list.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert listed(window, 0) == ["Figure 1", "run 1", "run 2", "run 9", "run 10"]
    settled(qtbot, window)


def test_the_selection_survives_sorting_and_the_same_table_stays_shown(qtbot, many):
    click(many, "table 1")
    many.table_page.tables.list.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    assert shown(many) == "table 1"
    assert [many.session.entries[k].name for k in many.table_page.tables.selected] == ["table 1"]
    settled(qtbot, many)


def test_other_columns_and_other_options_are_computed_anew(qtbot, many):
    many.board.set_keys(["nmi", "not a key", "row_peakiness", "ari"])
    assert many.board.keys == ("nmi", "ari")
    many._set_options(ScoreOptions(average="max"))
    settled(qtbot, many)
    expected = [
        format_score(score(e.table, ["nmi"], average="max")["nmi"]) for e in many.session.entries
    ]
    assert listed(many, 1) == expected


def test_five_thousand_tables_are_listed_scored_sorted_and_left(qtbot, window):
    window.session.add(some_tables(5_000))
    settled(qtbot, window)
    assert "\N{HORIZONTAL ELLIPSIS}" not in listed(window, 1)
    window.table_page.tables.list.sortByColumn(1, Qt.SortOrder.DescendingOrder)
    numbers = [float(text) for text in listed(window, 1) if text != "\N{EM DASH}"]
    assert numbers == sorted(numbers, reverse=True)
    for _ in range(20):
        QTest.keyClick(window.table_page.tables.list, Qt.Key.Key_Down)
    undo(window)
    assert names(window) == ["Figure 1"]
    settled(qtbot, window)


def test_too_many_tables_are_refused_in_one_sentence(qtbot, window):
    one = some_tables(1)[0]
    assert not window.session.add([one] * (MAX_TABLES + 1))
    assert "at most 100,000" in window.table_page.notices.notice.text
    assert names(window) == ["Figure 1"]


def test_a_table_that_the_editor_cannot_show_is_scored_all_the_same(qtbot, window):
    i = np.arange(10_000)
    huge = ContingencyTable.from_labels(i, i[::-1] // 2)
    assert huge.shape[0] * huge.shape[1] > 16_000_000
    window.session.add([NamedTable("huge", huge)])
    assert shown(window) == "Figure 1"
    assert "at most 16,000,000" in window.table_page.notices.notice.text
    settled(qtbot, window)
    assert listed(window, 3)[1] == format_score(score(huge, ["ari"])["ari"])
    click(window, "huge")
    assert shown(window) == "Figure 1"
    # The table that can be shown goes: another one must come in its place.
    window.session.remove([window.session.document.key])
    assert names(window) == ["huge", "Untitled"]
    undo(window)
    assert names(window) == ["Figure 1", "huge"]
    settled(qtbot, window)


def test_a_large_table_is_made_ready_beside_the_window(qtbot, window):
    large = ContingencyTable(np.ones((1_000, 1_000), int))
    window.session.add([NamedTable("large", large)], show=False)
    settled(qtbot, window)
    click(window, "large")
    assert shown(window) == "Figure 1"
    click(window, "Figure 1")
    click(window, "large")
    qtbot.waitUntil(lambda: shown(window) == "large", timeout=5000)
    assert window.session.document.state.total == 1_000_000
    window.session.new()
    qtbot.waitUntil(lambda: not window.jobs.jobs, timeout=10_000)


def test_switching_does_not_make_the_session_dirty(qtbot, many):
    many.session.mark_saved()
    click(many, "table 1")
    click(many, "table 2")
    assert not many.isWindowModified()
    many.session.document.set_cell(0, 0, 7)
    assert many.isWindowModified()
    undo(many)
    assert not many.isWindowModified()
    settled(qtbot, many)


def test_ctrl_n_adds_a_table_and_loses_none(qtbot, window):
    window.session.document.set_cell(0, 0, 5)
    window.commands.new.trigger()
    assert names(window) == ["Figure 1", "Untitled"]
    undo(window)
    assert window.session.document.state.counts[0, 0] == 5
    settled(qtbot, window)


def test_the_record_of_noise_survives_the_editor(qtbot, window):
    labels = ContingencyTable.from_labels([0, 0, 1, 1, 1], [1, -1, 1, 1, 0], noise="drop")
    window.session.add([NamedTable("dbscan", labels)])
    window.session.document.set_cell(0, 1, 9)
    assert window.session.document.snapshot().noise == labels.noise
    window.session.document.transpose()
    assert window.session.document.snapshot().noise == labels.transpose().noise
    settled(qtbot, window)


def test_return_in_the_list_goes_to_the_table(qtbot, many):
    click(many, "table 1")
    QTest.keyClick(many.table_page.tables.list, Qt.Key.Key_Return)
    assert many.table_page.view.hasFocus()
    settled(qtbot, many)


def state_of(window):
    entries = window.session.sync()
    tables = [(e.name, e.table.counts.tolist(), e.table.truth, e.table.clusters) for e in entries]
    pinned = None if entries.baseline is None else entries.index(entries.baseline)
    return tables, pinned


def act_at_random(rng, window):
    session, document = window.session, window.session.document
    r, c = document.state.shape
    some = rng.choice(list(session.entries)).key
    choices = [
        lambda: session.add(some_tables(rng.randint(1, 3), (rng.randint(1, 4), rng.randint(1, 4)))),
        lambda: session.duplicate([some]),
        lambda: session.remove([some]),
        lambda: session.rename(some, f"name {rng.randrange(100)}"),
        lambda: session.set_baseline(rng.choice([None, some])),
        lambda: session.select(some),
        lambda: session.select(some),
        lambda: document.set_cell(rng.randrange(r), rng.randrange(c), rng.randrange(1000)),
        lambda: document.set_cell(rng.randrange(r), rng.randrange(c), rng.randrange(1000)),
        document.transpose,
        lambda: document.insert_rows(rng.randrange(r + 1)),
        lambda: document.insert_columns(rng.randrange(c + 1)),
        lambda: r > 1 and document.delete_rows([rng.randrange(r)]),
        lambda: [session.history.stack.undo() for _ in range(rng.randint(1, 5))],
        lambda: [session.history.stack.redo() for _ in range(rng.randint(1, 5))],
        lambda: window.table_page.view.set_order("size", "matching"),
        lambda: window.table_page.tables.list.sortByColumn(1, Qt.SortOrder.DescendingOrder),
    ]
    rng.choice(choices)()


@pytest.mark.parametrize("seed", range(3))
def test_what_was_done_at_random_is_undone_and_redone_exactly(qtbot, window, seed):
    rng = random.Random(seed)
    start = state_of(window)
    for _ in range(150):
        act_at_random(rng, window)
        assert window.session.document.key in window.session.entries
        assert window.table_page.tables.model.rowCount() == len(window.session.entries)
        if rng.random() < 0.1:
            qtbot.wait(5)
    end, stack = state_of(window), window.session.history.stack
    top = stack.index()
    while stack.canUndo():
        stack.undo()
    assert state_of(window) == start
    assert not window.isWindowModified()
    for _ in range(top):
        stack.redo()
    assert state_of(window) == end
    settled(qtbot, window)
    # What the list shows are the scores of what is there now.
    for entry in window.session.sync():
        expected = score(entry.table, window.board.keys)
        found = window.board.values(entry.key)
        assert found == pytest.approx([expected[k] for k in window.board.keys], nan_ok=True)


def click_header(window, title):
    table_list = window.table_page.tables.list
    header = table_list.horizontalHeader()
    column = next(
        c for c in range(header.count()) if window.table_page.tables.model.title(c) == title
    )
    start = header.sectionViewportPosition(column)
    QTest.mouseClick(
        header.viewport(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        QPoint(start + header.sectionSize(column) // 2, header.height() // 2),
    )
    return column


def test_the_first_click_on_a_score_puts_the_worst_on_top(qtbot, window):
    window.board.set_keys(("ap", "van_dongen"))
    window.session.add(some_tables(4))
    settled(qtbot, window)
    model = window.table_page.tables.model
    for title, falls in (("AP", True), (METRICS["van_dongen"].symbol, False)):
        column = click_header(window, title)
        values = [float(text) for text in listed(window, column)]
        assert values == sorted(values, reverse=falls)
        arrow = model.headerData(column, Qt.Orientation.Horizontal)[0]
        assert arrow == ("▾" if falls else "▴")
        click_header(window, title)
        values = [float(text) for text in listed(window, column)]
        assert values == sorted(values, reverse=not falls)
        # The third click brings back the order of the session.
        click_header(window, title)
        assert listed(window, 0) == names(window)
    click_header(window, "Table")
    assert listed(window, 0) == sorted(names(window))


def test_the_arrow_of_the_sorted_column_lies_over_its_name(window):
    table_list = window.table_page.tables.list
    header = table_list.horizontalHeader()
    click_header(window, "AP")
    assert not header.isSortIndicatorShown()
    text = window.table_page.tables.model.headerData(1, Qt.Orientation.Horizontal)
    assert text.endswith("AP")
    assert header.fontMetrics().horizontalAdvance(text) + 6 <= header.sectionSize(1)


# What is being typed


def type_name(window, text):
    """Open the editor of the list and type, without Return."""
    panel = window.table_page.tables
    panel.rename_current()
    editor = panel.list.viewport().findChild(QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, text)
    return editor


def type_count(window, text):
    view = window.table_page.view
    view.setFocus()
    view.set_current(0, 0)
    QTest.keyClicks(view, text[0])
    QTest.keyClicks(view.viewport().findChild(QLineEdit), text[1:])


def test_a_table_that_is_removed_while_it_is_renamed_is_asked_for(qtbot, many):
    """The editor committed to a table that was no more: KeyError."""
    click(many, "table 1")
    type_name(many, "gone")
    many.table_page.tables.actions_by_name["remove"].trigger()
    settled(qtbot, many)
    assert "gone" not in names(many)
    undo(many)
    assert "gone" in names(many)
    type_name(many, "another")
    many.session.remove([many.session.document.key])
    settled(qtbot, many)
    many.session.rename(987654, "nobody")
    assert "another" not in names(many)


@pytest.mark.parametrize("act", ["save", "duplicate", "new", "copy_markdown"])
def test_a_name_that_is_being_typed_is_lost(qtbot, many, answers, tmp_path, act):
    click(many, "table 1")
    answers.save_path = tmp_path / "s.tallyscope"
    type_name(many, "typed")
    if act == "duplicate":
        many.table_page.tables.actions_by_name["duplicate"].trigger()
    else:
        getattr(many.commands, act).trigger()
    settled(qtbot, many)
    assert "typed" in names(many)
    if act == "save":
        qtbot.waitUntil(answers.save_path.exists)
        assert '"typed"' in answers.save_path.read_text("utf-8")


def test_closing_loses_the_name_that_is_being_typed(qtbot, many, answers):
    many.session.document.set_clean()
    type_name(many, "typed")
    many.close()
    assert many.isVisible()
    assert any(asked.startswith("unsaved") for asked in answers.asked)
    assert "typed" in names(many)


@pytest.mark.parametrize("act", ["duplicate", "remove", "baseline"])
def test_a_count_that_is_being_typed_is_lost(qtbot, many, act):
    click(many, "table 1")
    type_count(many, "4321")
    many.table_page.tables.actions_by_name[act].trigger()
    settled(qtbot, many)
    if act == "remove":
        undo(many)
        click(many, "table 1")
    keys = {entry.name: entry for entry in many.session.sync()}
    assert keys["table 1"].table.counts[0, 0] == 4321


def test_undo_takes_the_name_that_is_being_typed_to_another_table(qtbot, many):
    click(many, "table 1")
    many.session.document.set_cell(0, 0, 77)
    before = names(many)
    type_name(many, "typed")
    undo(many)
    settled(qtbot, many)
    assert names(many) == before
    assert many.session.document.state.counts[0, 0] == 77
    redo(many)
    assert "typed" in names(many)


# Smaller faults


def test_a_new_column_has_no_score_of_the_table_under_edit(qtbot, many):
    many.board.set_keys((*many.board.keys, "nmi"))
    settled(qtbot, many)
    column = 1 + many.board.keys.index("nmi")
    for entry, text in zip(many.session.sync(), listed(many, column), strict=True):
        assert text == format_score(score(entry.table)["nmi"])


def test_a_notice_stays_when_what_it_says_is_undone(qtbot, many):
    notices = many.table_page.notices
    many.session.document.set_cell(0, 0, 4)
    notices.show_notice(Notice("Something was pasted.", until=Until.UNDONE))
    undo(many)
    assert notices.notice is None


def test_escape_leaves_a_notice(qtbot, many):
    notices = many.table_page.notices
    notices.show_notice(Notice("Something is wrong.", Severity.ERROR))
    many.table_page.view.setFocus()
    QTest.keyClick(many.table_page.view, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: notices.notice is None, timeout=2000)
    # In an editor it closes the editor.
    notices.show_notice(Notice("Something is wrong.", Severity.ERROR))
    type_count(many, "12")
    QTest.keyClick(many.table_page.view.viewport().findChild(QLineEdit), Qt.Key.Key_Escape)
    assert notices.notice is not None
