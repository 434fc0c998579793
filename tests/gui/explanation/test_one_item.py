"""One item: what is explained is the cell under the cursor, whatever brought it there."""

from __future__ import annotations

import random

import numpy as np
import pytest

from core.named_table import NamedTable
from core.table import ContingencyTable


def settled(qtbot, window):
    qtbot.waitUntil(
        lambda: window.scorer.scores is not None and not window.jobs.jobs, timeout=10_000
    )
    qtbot.waitUntil(lambda: window.table_page.explanation.is_settled, timeout=10_000)


def cell_under_cursor(window):
    view = window.table_page.view
    index = view.currentIndex()
    if not view.table_model.is_count(index.row(), index.column()):
        return None
    row, column = view.table_model.shown.cell(index.row(), index.column())
    return int(row), int(column)


@pytest.fixture
def explaining(qtbot, window):
    rng = np.random.default_rng(3)
    tables = [
        NamedTable(f"table {i}", ContingencyTable(rng.integers(1, 60, (3 + i, 4))))
        for i in range(3)
    ]
    window.session.add(tables)
    window.table_page.explanation.show_tab("One item")
    settled(qtbot, window)
    return window


def explained(window):
    moves = window.table_page.explanation.one_item.moves
    return None if moves is None else (moves.row, moves.column)


@pytest.mark.parametrize("by", ["size", "name", "matching"])
def test_another_table_in_an_order_explains_the_cell_of_the_cursor(qtbot, explaining, by):
    view = explaining.table_page.view
    view.orders.choose("size", by)
    settled(qtbot, explaining)
    for name in ("table 0", "table 2", "table 1", "Figure 1"):
        keys = {entry.name: entry.key for entry in explaining.session.entries}
        explaining.session.select(keys[name])
        settled(qtbot, explaining)
        qtbot.waitUntil(
            lambda: explained(explaining) == cell_under_cursor(explaining), timeout=5000
        )


def test_whatever_happens_the_cell_of_the_cursor_is_explained(qtbot, explaining):
    window, view, session = explaining, explaining.table_page.view, explaining.session
    pick = random.Random(5)
    acts = {
        "above": lambda: session.document.insert_rows(0),
        "left": lambda: session.document.insert_columns(0),
        "delete": lambda: session.document.delete_rows([0]),
        "undo": lambda: view.table_actions["undo"].trigger(),
        "redo": lambda: view.table_actions["redo"].trigger(),
        "transpose": lambda: session.document.transpose(),
        "order": lambda: view.orders.choose(
            pick.choice(["size", "name", "table"]), pick.choice(["size", "matching", "table"])
        ),
        "switch": lambda: session.select(pick.choice(list(session.entries)).key),
        "move": lambda: view.set_current(pick.randrange(3), pick.randrange(3)),
    }
    for _ in range(40):
        act = pick.choice(list(acts))
        acts[act]()
        settled(qtbot, window)
        cell = cell_under_cursor(window)
        panel = window.table_page.explanation
        qtbot.waitUntil(lambda cell=cell, panel=panel: panel._cell == cell, timeout=2000)


def test_a_duplicate_is_not_said_to_be_explained_by_the_table_before(qtbot, explaining):
    panel = explaining.table_page.explanation
    for title in ("Conventions", "Costs", "AP's rows", "One item"):
        panel.show_tab(title)
        settled(qtbot, explaining)
        explaining.session.duplicate([explaining.session.document.key])
        settled(qtbot, explaining)
        qtbot.waitUntil(lambda: panel.status == "", timeout=3000)
    # The tints are back, too.
    assert explaining.table_page.view.table_model.targets is not None
