"""The dialog before the export of a heat map."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QDialog, QDialogButtonBox

from core.table import ContingencyTable
from gui.figure_dialog import FigureDialog, FigureSettings
from gui.jobs import JobRunner
from gui.plots.heatmap import heatmap_image

TABLE = ContingencyTable([[1, 8, 0], [9, 0, 2]])


@pytest.fixture
def dialog(qtbot):
    made = FigureDialog(TABLE, np.array([1, 0]), None)
    qtbot.addWidget(made)
    made.show()
    return made


def test_settings_are_not_those_chosen(dialog):
    assert dialog.settings == FigureSettings()
    assert not dialog.width_mm.isEnabled()
    dialog.width_choice.setCurrentIndex(1)
    assert dialog.settings.width_mm == 183
    dialog.width_choice.setCurrentIndex(2)
    assert dialog.width_mm.isEnabled()
    dialog.width_mm.setValue(120.5)
    dialog.font_size.setValue(7)
    dialog.order.setCurrentIndex(1)
    dialog.scale.setCurrentIndex(2)
    dialog.counts.setChecked(False)
    dialog.margins.setChecked(False)
    dialog.title.setText(" A title ")
    expected = FigureSettings(120.5, 7.0, False, False, "matching", "table", "A title")
    assert dialog.settings == expected
    again = FigureDialog(TABLE, settings=expected)
    assert again.settings == expected
    again.done(0)


def test_the_order_shown_is_not_that_of_the_figure(dialog):
    figure = dialog.figure()
    assert np.asarray(figure.rows).tolist() == [1, 0]
    assert figure.columns == "table"
    dialog.order.setCurrentIndex(1)
    assert dialog.figure().columns == "matching"
    other = FigureDialog(TABLE, None, np.array([2, 1, 0]))
    assert other.figure().rows == "table"
    assert np.asarray(other.figure().columns).tolist() == [2, 1, 0]


def test_the_preview_does_not_follow(qtbot, dialog):
    before = dialog.preview.grab().toImage()
    dialog.title.setText("Something")
    qtbot.waitUntil(lambda: dialog.preview.grab().toImage() != before, timeout=5000)
    assert "89 × " in dialog.size_note.text()


def test_a_large_preview_is_drawn_in_the_thread_of_the_window(qtbot):
    runner = JobRunner()
    table = ContingencyTable(np.arange(900).reshape(30, 30))
    dialog = FigureDialog(table, runner=runner)
    qtbot.addWidget(dialog)
    assert len(runner.jobs) == 1
    assert dialog.size_note.text() == ""
    qtbot.waitUntil(lambda: not runner.jobs, timeout=5000)
    assert "89 × " in dialog.size_note.text()
    dialog.title.setText("x")
    dialog.reject()
    runner.shutdown()


def test_export_and_cancel_are_the_same(dialog):
    box = dialog.findChild(QDialogButtonBox)
    box.button(QDialogButtonBox.StandardButton.Save).click()
    assert dialog.result() == QDialog.DialogCode.Accepted
    assert heatmap_image(dialog.figure(), dpi=72).width() == round(89 / 25.4 * 72)
