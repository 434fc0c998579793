"""The whole table in the view, its cells as small as that takes."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.table import ContingencyTable
from gui.table_editor.colors import LIGHT
from gui.table_editor.density import DENSE, fitted_density
from gui.table_editor.heat import CIVIDIS

rng = np.random.default_rng(7)
COUNTS = rng.poisson(0.4, (60, 45)) + 30 * np.eye(60, 45, dtype=int)


@pytest.fixture
def big(make_editor):
    return make_editor(ContingencyTable(COUNTS))


def settle() -> None:
    for _ in range(3):
        QApplication.processEvents()


def bars(editor) -> tuple[int, int]:
    settle()
    view = editor.view
    return view.horizontalScrollBar().maximum(), view.verticalScrollBar().maximum()


@pytest.mark.parametrize("size", [(700, 420), (1200, 800), (500, 1400)])
def test_a_part_of_the_table_is_out_of_sight(big, size):
    big.window.resize(*size)
    big.view.table_actions["fit_table"].trigger()
    assert big.view.table_actions["fit_table"].isChecked()
    assert bars(big) == (0, 0)
    big.window.resize(size[0] - 100, size[1] - 80)
    assert bars(big) == (0, 0)
    big.view.grab()
    big.view.table_actions["fit_table"].trigger()
    assert bars(big) != (0, 0)
    assert big.view.row_header.defaultSectionSize() == DENSE.row
    assert big.view.column_header.sectionSize(3) == 48


def test_a_small_table_becomes_harder_to_read(editor):
    before = editor.view.density
    editor.view.set_fitted(True)
    assert editor.view.density is before


def test_bare_cells_have_colours_of_others(big):
    view = big.view
    view.set_colors(LIGHT)
    view.set_order("size", "matching")
    big.before.setFocus()
    view.set_fitted(True)
    big.go(59, 44)
    settle()
    assert not view.cells.writes
    image = view.viewport().grab().toImage()
    shown = view.table_model.shown.block((0, 59), (0, 44))
    for row, column in ((0, 0), (3, 7), (20, 20), (40, 11), (57, 40)):
        rect = view.visualRect(view.table_model.index(row, column))
        colour = image.pixelColor(rect.center())
        count, most = int(shown[row, column]), int(shown[row].max())
        expected = CIVIDIS[count * 255 // most] if count else (255, 255, 255)
        got = (colour.red(), colour.green(), colour.blue())
        assert max(abs(a - b) for a, b in zip(got, expected, strict=True)) <= 1, (row, column)


def test_a_column_made_wider_shifts_the_colours_of_those_after_it(big):
    view = big.view
    view.set_colors(LIGHT)
    big.before.setFocus()
    view.set_fitted(True)
    view.column_header.resizeSection(3, 40)
    big.go(0, 0)
    settle()
    image = view.viewport().grab().toImage()
    for column in (2, 3, 4, 10):
        rect = view.visualRect(view.table_model.index(column, column))
        colour = image.pixelColor(rect.center())
        assert (colour.red(), colour.green(), colour.blue()) == CIVIDIS[255], column


def test_a_table_that_grows_no_longer_fits(make_editor):
    editor = make_editor(ContingencyTable(COUNTS[:20]))
    editor.view.set_fitted(True)
    assert bars(editor) == (0, 0)
    editor.document.insert_rows(0, 30)
    assert bars(editor) == (0, 0)
    editor.document.transpose()
    assert bars(editor) == (0, 0)


def test_one_types_into_a_cell_that_is_too_small_to_read(big):
    big.view.set_fitted(True)
    big.go(50, 40)
    big.type("12")
    assert not big.view.table_actions["fit_table"].isChecked()
    assert big.cell_editor.text() == "12"
    assert big.cell_editor.height() >= DENSE.row
    big.press(Qt.Key.Key_Return)
    assert big.document.state.counts[50, 40] == 12


def test_cells_vanish_in_a_very_large_table():
    density = fitted_density((2_000, 2_000), (400, 700))
    assert (density.row, density.column) == (2, 2)
    assert fitted_density((1, 1), (400, 700)).row == DENSE.row


def written(editor, monkeypatch) -> dict[tuple[int, int], str]:
    """Return what is written in each cell and margin, by section."""
    view, texts = editor.view, {}
    painter = view.cells
    write = type(painter)._write

    def note(self, device, script, column, baseline, text, after=0):
        width = write(self, device, script, column, baseline, text, after)
        texts[baseline, column.section] = text if width else ""
        return width

    monkeypatch.setattr(type(painter), "_write", note)
    view.viewport().grab()
    lines = sorted({baseline for baseline, _ in texts})
    return {(lines.index(b), c): text for (b, c), text in texts.items()}


def test_a_small_table_that_does_not_fit_is_left_as_it_is(editor):
    editor.window.resize(480, 500)
    settle()
    assert bars(editor)[0] > 0
    editor.view.set_fitted(True)
    assert bars(editor) == (0, 0)
    # Smaller cells will do: nothing is left out.
    assert not editor.view.density.fitted


def test_a_sum_is_left_blank_though_the_counts_are_written(make_editor, monkeypatch):
    counts = np.full((10, 10), 700)
    counts[:, 3] = 9
    editor = make_editor(ContingencyTable(counts))
    for width in (700, 620, 560):
        editor.window.resize(width, 500)
        editor.view.set_fitted(True)
        settle()
        assert editor.view.density.fitted
        texts = written(editor, monkeypatch)
        sums = [texts[10, j] for j in range(10)]
        assert all(sums), (width, sums)


def test_every_second_name_is_dropped_though_all_fit(make_editor):
    editor = make_editor(ContingencyTable(np.full((12, 12), 345)))
    editor.window.resize(720, 500)
    editor.view.set_fitted(True)
    settle()
    assert editor.view.density.fitted
    assert not editor.view.column_header._thins()
    # Where there is no room for a few letters of longer names, some are left out.
    editor.document.rename_column(0, "expectation maximisation")
    editor.window.resize(500, 500)
    settle()
    assert editor.view.column_header._thins()


def test_room_beside_the_table_is_not_used(make_editor):
    editor = make_editor(ContingencyTable(np.full((12, 14), 345)))
    editor.window.resize(720, 500)
    editor.view.set_fitted(True)
    settle()
    view = editor.view
    left = view.column_header.extent - view.column_header.length()
    # Less than a pixel a column.
    assert 0 <= left < 14


def test_the_frame_of_a_small_largest_cell_lacks_two_sides(big, make_editor):
    editor = make_editor(ContingencyTable(COUNTS[:14, :14] + 100 * np.eye(14, dtype=int)))
    editor.window.resize(620, 500)
    editor.before.setFocus()
    editor.view.set_fitted(True)
    settle()
    view = editor.view
    assert view.density.fitted
    rect = view.visualRect(view.table_model.index(5, 5))
    image = view.viewport().grab().toImage()
    sides = [
        image.pixelColor(rect.center().x() - 6, rect.top()),
        image.pixelColor(rect.center().x() - 6, rect.bottom() - 1),
        image.pixelColor(rect.left(), rect.center().y()),
        image.pixelColor(rect.right() - 1, rect.center().y()),
    ]
    assert {colour.name() for colour in sides} == {"#000000"}
