"""The import assistant by real keys and clicks: what is seen is what is imported."""

from __future__ import annotations

import re
import threading
from collections import Counter

import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLabel

from core.files.errors import FaultKind, ReadError
from core.files.label_files import LabelOptions, read_labels
from core.table import ContingencyTable
from gui.import_assistant import FilePreviews, ImportAssistant, Mode
from gui.import_assistant.grid import Role
from gui.jobs import JobRunner
from gui.theme import Scheme

ROWS = [("id", "species", "kmeans", "dbscan")] + [
    (i, "abc"[i % 3], i % 4, (i % 5) - 1) for i in range(1, 61)
]
TEXT = "".join(";".join(map(str, row)) + "\n" for row in ROWS)


@pytest.fixture
def jobs():
    runner = JobRunner()
    yield runner
    runner.shutdown()


@pytest.fixture
def show(qtbot, jobs, theme, tmp_path):
    """Return a function that opens the assistant with a text and waits for its preview."""

    def make(text=TEXT, name="labels.csv", wait=True, **options):
        path = tmp_path / name
        if text is not None:
            path.write_text(text, "utf-8")
        assistant = ImportAssistant(path, jobs, **options)
        assistant.set_theme(theme.theme)
        qtbot.addWidget(assistant)
        assistant.resize(assistant.sizeHint())
        with qtbot.waitActive(assistant, timeout=5000):
            assistant.show()
            assistant.activateWindow()
        if wait:
            seen(qtbot, assistant)
        return assistant

    return make


def seen(qtbot, assistant):
    qtbot.waitUntil(
        lambda: not assistant.is_looking and not assistant.reason.text().startswith("Looking"),
        timeout=10_000,
    )


def choose(qtbot, assistant, choice, text):
    """Choose a value by the keyboard, as its first letters."""
    choice.setFocus()
    place = next(i for i in range(choice.count()) if choice.itemText(i).startswith(text))
    while choice.currentIndex() != place:
        down = choice.currentIndex() < place
        qtbot.keyClick(choice, Qt.Key.Key_Down if down else Qt.Key.Key_Up)
    seen(qtbot, assistant)


def accepted(qtbot, assistant):
    with qtbot.waitSignal(assistant.accepted, timeout=5000) as signal:
        qtbot.keyClick(assistant, Qt.Key.Key_Return)
    return signal.args


def roles(assistant):
    return list(assistant.grid.grid.content.roles)


def test_what_is_found_out_is_imported_by_enter_alone(qtbot, show):
    assistant = show()
    assert roles(assistant) == [Role.UNUSED, Role.TRUTH, Role.PREDICTION, Role.PREDICTION]
    assert assistant.label_settings.truth.currentText() == "species"
    assert assistant.label_settings.separator.currentText() == "As found: semicolons"
    path, options = accepted(qtbot, assistant)
    tables = read_labels(path, options).tables
    assert [table.name for table in tables] == ["kmeans", "dbscan"]
    _, truth, kmeans, _ = zip(*ROWS[1:], strict=True)
    assert tables[0].table == ContingencyTable.from_labels(truth, kmeans)


def test_the_line_below_the_rows_says_what_they_would_give(show):
    assert show().summary.text() == (
        "3 classes × 4 clusters (kmeans), 5 clusters (dbscan) from 60 rows; "
        "12 items of dbscan labelled -1 are noise, kept as one cluster"
    )


def test_a_prediction_is_unchecked_by_the_space_bar(qtbot, show):
    assistant = show()
    predictions = assistant.label_settings.predictions
    predictions.setFocus()
    qtbot.keyClick(predictions, Qt.Key.Key_Down)
    qtbot.keyClick(predictions, Qt.Key.Key_Space)
    seen(qtbot, assistant)
    assert roles(assistant)[2:] == [Role.UNUSED, Role.PREDICTION]
    assert accepted(qtbot, assistant)[1].predictions == (3,)


def test_no_prediction_is_a_fault_with_its_remedy_and_nothing_is_imported(qtbot, show):
    assistant = show("truth,k\na,1\na,2\nb,1\n")
    predictions = assistant.label_settings.predictions
    predictions.setFocus()
    qtbot.keyClick(predictions, Qt.Key.Key_Space)
    seen(qtbot, assistant)
    assert "choose at least one" in assistant.reason.text()
    assert not assistant.import_button.isEnabled()
    with qtbot.assertNotEmitted(assistant.accepted):
        qtbot.keyClick(assistant, Qt.Key.Key_Return)
        qtbot.mouseClick(assistant.import_button, Qt.MouseButton.LeftButton)
    assert assistant.isVisible()


def test_another_truth_is_no_longer_a_prediction(qtbot, show):
    assistant = show()
    choose(qtbot, assistant, assistant.label_settings.truth, "kmeans")
    assert roles(assistant)[1:3] == [Role.PREDICTION, Role.TRUTH]
    options = accepted(qtbot, assistant)[1]
    assert (options.truth, options.predictions) == (2, (1, 3))


def test_noise_is_named_and_dropped(qtbot, show):
    assistant = show()
    settings = assistant.label_settings
    choose(qtbot, assistant, settings.noise, "Leave out")
    settings.noise_labels.setFocus()
    settings.noise_labels.selectAll()
    qtbot.keyClicks(settings.noise_labels, "-1, 3")
    assert not settings.noise_labels.isModified() or settings.noise_labels.text() == "-1, 3"
    qtbot.waitUntil(lambda: "-1 or 3" in assistant.summary.text(), timeout=5000)
    seen(qtbot, assistant)
    options = accepted(qtbot, assistant)[1]
    assert (options.noise_labels, options.noise) == (("-1", "3"), "drop")


def test_noise_of_another_name_is_found(qtbot, show):
    assistant = show("truth,cluster\na,1\na,noise\nb,1\n")
    qtbot.waitUntil(lambda: "labelled noise" in assistant.summary.text(), timeout=5000)
    assert assistant.label_settings.noise_labels.text() == "noise"


def test_missing_labels_are_refused_until_it_is_said_what_is_done_with_them(qtbot, show):
    assistant = show("truth,cluster\na,1\na,\nb,2\n")
    assert assistant.reason.text().startswith("Line 3: the item has no label")
    assert assistant.grid.grid.index(1, 1).data() == "missing"
    assert not assistant.import_button.isEnabled()
    choose(qtbot, assistant, assistant.label_settings.missing, "Leave")
    assert assistant.reason.text() == ""
    assert accepted(qtbot, assistant)[1].missing == "drop"


def test_rows_can_be_the_predictions(qtbot, show):
    assistant = show()
    choose(qtbot, assistant, assistant.label_settings.rows, "Predictions")
    assert accepted(qtbot, assistant)[1].swap is True


def test_another_separator_shows_other_columns(qtbot, show):
    assistant = show("truth,k;x\na,1;2\na,2;2\nb,1;3\n")
    assert assistant.grid.grid.columnCount() == 2
    choose(qtbot, assistant, assistant.label_settings.separator, "Comma")
    assert assistant.grid.grid.content.names == ("truth", "k;x")


def test_a_first_line_that_is_an_item_is_said_to_be_one(qtbot, show):
    assistant = show()
    choose(qtbot, assistant, assistant.label_settings.header, "The first item")
    assert assistant.grid.grid.content.lines[0] == 1
    assert accepted(qtbot, assistant)[1].header is False


def test_sheets_are_chosen_and_texts_have_no_sheet(qtbot, show, tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["truth", "k"])
    book.active.append(["a", 1])
    other = book.create_sheet("Run 2")
    for row in (["truth", "k"], ["b", 2], ["c", 2]):
        other.append(row)
    book.save(tmp_path / "x.xlsx")
    assistant = show(None, "x.xlsx")
    settings = assistant.label_settings
    assert settings.sheet.isVisible()
    assert not settings.separator.isVisible()
    choose(qtbot, assistant, settings.sheet, "Run 2")
    assert assistant.grid.grid.content.rows == (("b", "2"), ("c", "2"))
    assert accepted(qtbot, assistant)[1].sheet == "Run 2"
    assert not show().label_settings.sheet.isVisible()


def test_a_file_that_cannot_be_read_says_why(show):
    assistant = show(None, "none.csv")
    assert "does not exist" in assistant.reason.text()
    assert not assistant.import_button.isEnabled()
    assert assistant.grid.grid.rowCount() == 0


def test_escape_closes_without_importing(qtbot, show):
    assistant = show()
    with qtbot.assertNotEmitted(assistant.accepted), qtbot.waitSignal(assistant.closed):
        qtbot.keyClick(assistant, Qt.Key.Key_Escape)
    assert not assistant.isVisible()


# Previews under way


class Slow(FilePreviews):
    """Waits for its first preview to be let go, and counts those that were made."""

    def __init__(self):
        self.gate = threading.Event()
        self.made = 0

    def labels(self, path, options):
        self.made += 1
        if self.made == 1:
            self.gate.wait(10)
            raise ReadError("This is stale.", kind=FaultKind.EMPTY)
        return super().labels(path, options)


def test_a_preview_of_older_settings_is_dropped(qtbot, show):
    source = Slow()
    assistant = show(source=source, wait=False)
    qtbot.waitUntil(lambda: source.made == 1, timeout=5000)
    assert not assistant.import_button.isEnabled()
    assistant.label_settings.rows.setFocus()
    qtbot.keyClick(assistant.label_settings.rows, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: assistant.grid.grid.rowCount() > 0, timeout=5000)
    source.gate.set()
    qtbot.wait(100)
    seen(qtbot, assistant)
    assert "stale" not in assistant.reason.text()
    assert assistant.import_button.isEnabled()


def test_closing_while_a_preview_is_made_leaves_no_trace(qtbot, show, jobs):
    source = Slow()
    assistant = show(source=source, wait=False)
    qtbot.waitUntil(lambda: source.made == 1, timeout=5000)
    assistant.close()
    source.gate.set()
    qtbot.waitUntil(lambda: not jobs.jobs, timeout=5000)
    assert "stale" not in assistant.reason.text()


def test_any_error_of_a_preview_is_told(qtbot, show):
    class Broken(FilePreviews):
        def labels(self, path, options):
            raise RuntimeError("a\nfault")

    assistant = show(source=Broken())
    assert assistant.reason.text() == "labels.csv could not be looked at: a\\nfault."


# Tables of counts


def test_counts_are_told_from_labels_and_the_mode_is_changed_by_its_key(qtbot, show):
    assistant = show("truth\\cluster,0,1\ncat,8,2\ndog,1,9\n")
    assert "choose Table of counts" in assistant.summary.text()
    qtbot.keyClick(assistant, Qt.Key.Key_C, Qt.KeyboardModifier.AltModifier)
    # Qt shows the button pressed for a moment first.
    qtbot.waitUntil(lambda: assistant.mode is Mode.TABLE, timeout=5000)
    seen(qtbot, assistant)
    assert assistant.summary.text() == "2 classes × 2 clusters, N = 20"
    with qtbot.waitSignal(assistant.table_accepted, timeout=5000) as signal:
        qtbot.mouseClick(assistant.import_button, Qt.MouseButton.LeftButton)
    path, chosen = signal.args
    assert path.name == "labels.csv"
    assert set(chosen) == {
        *("separator", "header", "index", "thousands", "blank", "encoding", "sheet", "range")
    }


def test_a_range_of_a_sheet_is_typed(qtbot, show, tmp_path):
    book = openpyxl.Workbook()
    for row in (["Figure 1"], [], [None, "a", "b"], ["x", 1, 2], ["y", 3, 4]):
        book.active.append(row)
    book.save(tmp_path / "x.xlsx")
    assistant = show(None, "x.xlsx", mode=Mode.TABLE)
    assert "range" in assistant.reason.text()
    field = assistant.table_settings.range
    field.setFocus()
    qtbot.keyClicks(field, "A3:C5")
    qtbot.keyClick(field, Qt.Key.Key_Tab)
    seen(qtbot, assistant)
    assert assistant.summary.text() == "2 classes × 2 clusters, N = 10"
    assert assistant.grid.grid.content.names == ("A", "B", "C")
    with qtbot.waitSignal(assistant.table_accepted, timeout=5000) as signal:
        assistant.accept()
    assert (signal.args[1]["sheet"], signal.args[1]["range"]) == ("Sheet", "A3:C5")


def test_a_thousands_mark_is_chosen(qtbot, show):
    assistant = show("1.234;5\n6;7\n", mode=Mode.TABLE)
    assert "thousands" in assistant.reason.text()
    choose(qtbot, assistant, assistant.table_settings.thousands, "Point")
    assert assistant.summary.text().endswith("N = 1\u202f252")


# Looks


@pytest.mark.parametrize("mode", list(Mode))
def test_every_field_has_a_label_with_a_key_of_its_own(show, mode):
    assistant = show(mode=mode)
    form = assistant.label_settings if mode is Mode.LABELS else assistant.table_settings
    layout = form.layout()
    assert isinstance(layout, QFormLayout)
    labels = [label for label in form.findChildren(QLabel) if label.buddy() is not None]
    assert len(labels) >= 8
    texts = [label.text() for label in labels] + [assistant.import_button.text()]
    texts += [assistant.labels_button.text(), assistant.table_button.text()]
    if mode is Mode.LABELS:
        texts.append(assistant.label_settings.quotes.text())
    keys = Counter(re.findall(r"&(\w)", "".join(texts).lower()))
    assert len(keys) == len(texts), keys
    assert max(keys.values()) == 1


def test_it_fits_a_small_screen_and_both_schemes(show, theme):
    assistant = show()
    for scheme in (Scheme.LIGHT, Scheme.DARK):
        theme.set_scheme(scheme)
        assistant.set_theme(theme.theme)
        least = assistant.minimumSizeHint()
        assert least.width() <= 1280
        assert least.height() <= 720
        image = assistant.grab().toImage()
        corner = image.pixelColor(3, 3)
        assert (corner.lightness() < 128) is theme.theme.is_dark


def test_columns_are_told_apart_by_words_and_not_by_colour_alone(show):
    grid = show().grid.grid
    heads = [grid.headerData(i, Qt.Orientation.Horizontal) for i in range(4)]
    assert heads == ["not used\nid", "Truth\nspecies", "Prediction\nkmeans", "Prediction\ndbscan"]
    assert grid.headerData(0, Qt.Orientation.Vertical) == "2"


def test_options_are_those_of_the_preview_even_if_nothing_was_touched(qtbot, show):
    options = accepted(qtbot, show())[1]
    assert options == LabelOptions(truth=1, predictions=(2, 3), separator=";", header=True)
