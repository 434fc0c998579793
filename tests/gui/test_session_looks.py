"""What a session looks like when it is opened again."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt

from core.files.sessions import ListSorting, read_session
from core.named_table import NamedTable
from core.table import ContingencyTable


def idle(qtbot, window):
    qtbot.waitUntil(
        lambda: not window.jobs.jobs and window.scorer.scores is not None, timeout=20_000
    )


def listed(window, column=0):
    model = window.table_page.tables.model
    return [model.index(line, column).data() for line in range(model.rowCount())]


@pytest.fixture
def saved(qtbot, window, tmp_path):
    """A session file with an order, and a list sorted by its second score."""
    rng = np.random.default_rng(5)
    window.session.add(
        [NamedTable(f"t{i}", ContingencyTable(rng.integers(0, 40, (3, 3)))) for i in range(6)]
    )
    idle(qtbot, window)
    window.table_page.view.set_order("size", "matching")
    header = window.table_page.tables.list.horizontalHeader()
    header.setSortIndicator(2, Qt.SortOrder.DescendingOrder)
    path = tmp_path / "looks.tallyscope"
    window.saving.save(path)
    qtbot.waitUntil(path.exists, timeout=5000)
    idle(qtbot, window)
    return path


def test_a_session_forgets_its_order_and_its_sorting(qtbot, window, saved):
    content = read_session(saved)
    assert content.order == ("size", "matching")
    assert content.sorting == ListSorting("ami", falling=True)
    before = listed(window)
    window.session.document.set_clean()
    window.session.new()
    window.table_page.view.set_order("table", "table")
    window.table_page.tables.list.set_sorting(None)
    window.files.open_file(saved)
    qtbot.waitUntil(lambda: len(window.session.entries) == 7, timeout=5000)
    idle(qtbot, window)
    orders = window.table_page.view.orders
    assert (orders.rows, orders.columns) == ("size", "matching")
    # Sorted although no score was there when the session was opened.
    qtbot.waitUntil(lambda: listed(window) == before, timeout=5000)
    header = window.table_page.tables.list.horizontalHeader()
    assert header.sortIndicatorSection() == 2


def test_an_order_stays_when_a_session_without_one_is_opened(qtbot, window, tmp_path):
    path = tmp_path / "plain.tallyscope"
    window.saving.save(path)
    qtbot.waitUntil(path.exists, timeout=5000)
    idle(qtbot, window)
    window.table_page.view.set_order("name", "name")
    window.files.open_file(path)
    orders = window.table_page.view.orders
    qtbot.waitUntil(lambda: (orders.rows, orders.columns) == ("table", "table"), timeout=5000)
    idle(qtbot, window)


def test_another_column_ends_the_sorting_by_one_that_is_still_shown(qtbot, window, saved):
    before = listed(window)
    window.board.set_keys(("ari", "ap", "ami", "nmi"))
    idle(qtbot, window)
    assert listed(window) == before
    assert window.table_page.tables.model.sorting == ListSorting("ami", falling=True)
    assert window.table_page.tables.list.horizontalHeader().sortIndicatorSection() == 3
    window.board.set_keys(("ap", "ari"))
    idle(qtbot, window)
    assert window.table_page.tables.model.sorting is None
