"""The settings of a label file: which columns are which, and what noise and gaps mean."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from core.files.label_files import LabelOptions
from core.files.label_preview import LabelPreview
from core.files.layout import SEPARATOR_NAMES
from gui.import_assistant.choices import ENCODINGS, SEPARATORS, Choice, add_row, found_first
from gui.theme import GRID

_TYPING_MS = 250

_GUESSES = {"id": "all differ", "other": "numbers"}


class LabelSettings(QWidget):
    """A form that makes `LabelOptions`.

    Signals
    -------
    changed()
        The user chose something else.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._columns: tuple[str, ...] = ()
        self._truth: int | None = None
        self._predictions: tuple[int, ...] | None = None
        self._noise_touched = False
        self.truth = Choice()
        self.predictions = QListWidget()
        self.predictions.setMinimumHeight(GRID * 11)
        self.predictions.setUniformItemSizes(True)
        # What counts is what is checked; the keyboard's place is shown while it is here.
        self.predictions.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.noise_labels = QLineEdit("-1")
        self.noise_labels.setPlaceholderText("none")
        self.noise_labels.setToolTip("Cluster labels that mean noise, with commas between them")
        self.noise = Choice(
            [
                ("Keep as one cluster", "cluster"),
                ("Leave out", "drop"),
                ("A cluster each", "singletons"),
            ]
        )
        self.missing = Choice(
            [
                ("Refuse the file", "refuse"),
                ("Leave such items out", "drop"),
                ("Noise, where a prediction lacks", "noise"),
            ]
        )
        self.rows = Choice([("Truth classes", False), ("Predictions (swapped)", True)])
        self.sheet = Choice()
        self.separator = Choice(found_first(SEPARATORS))
        self.header = Choice(
            found_first((("Names of the columns", True), ("The first item", False)))
        )
        self.encoding = Choice(found_first(ENCODINGS))
        self.quotes = QCheckBox("&Quotation marks enclose a label")
        self.quotes.setChecked(True)
        self._form = form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(GRID)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        add_row(form, "Tr&uth", self.truth)
        add_row(form, "&Predictions", self.predictions)
        add_row(form, "N&oise labels", self.noise_labels)
        add_row(form, "No&ise items", self.noise)
        add_row(form, "&Missing labels", self.missing)
        add_row(form, "&Rows of the table", self.rows)
        add_row(form, "S&heet", self.sheet)
        add_row(form, "&First line", self.header)
        add_row(form, "&Separator", self.separator)
        add_row(form, "&Encoding", self.encoding)
        form.addRow("", self.quotes)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self.changed)
        self.truth.chosen.connect(self._on_truth)
        self.predictions.itemChanged.connect(self._on_checked)
        self.noise_labels.textEdited.connect(self._on_noise_edited)
        self.noise_labels.editingFinished.connect(self._on_noise_finished)
        for choice in (self.noise, self.missing, self.rows):
            choice.chosen.connect(self.changed)
        for choice in (self.sheet, self.separator, self.header, self.encoding):
            choice.chosen.connect(self._on_reading_changed)
        self.quotes.toggled.connect(self._on_reading_changed)

    @property
    def options(self) -> LabelOptions:
        """What the form says; what nobody touched is found out anew."""
        return LabelOptions(
            truth=self._truth,
            predictions=self._predictions,
            noise_labels=tuple(
                label for label in map(str.strip, self.noise_labels.text().split(",")) if label
            ),
            noise=self.noise.value,
            missing=self.missing.value,
            swap=self.rows.value,
            separator=self.separator.value,
            header=self.header.value,
            quotes=self.quotes.isChecked(),
            encoding=self.encoding.value,
            sheet=self.sheet.value,
        )

    def show_preview(self, seen: LabelPreview) -> bool:
        """Show what was found out; return whether that changes the options."""
        self._columns = tuple(column.name for column in seen.columns)
        self.truth.set_items([(name, i) for i, name in enumerate(self._columns)])
        self.truth.set_value(seen.truth)
        if seen.truth is None:
            self.truth.setCurrentIndex(-1)
        self._show_predictions(seen)
        found = seen.options
        self.separator.set_found(SEPARATOR_NAMES[found.separator] if seen.is_text else "")
        self.header.set_found("names" if found.header else "an item")
        self.encoding.set_found((found.encoding or "") if seen.is_text else "")
        self.sheet.set_items([(sheet, sheet) for sheet in seen.sheets])
        self.sheet.set_value(found.sheet)
        for field in (self.separator, self.encoding, self.quotes):
            self._form.setRowVisible(field, seen.is_text)
        self._form.setRowVisible(self.sheet, len(seen.sheets) > 1)
        if self._noise_touched or not seen.noise_guess:
            return False
        guess = ", ".join(seen.noise_guess)
        if guess == self.noise_labels.text():
            return False
        self.noise_labels.setText(guess)
        return True

    def _show_predictions(self, seen: LabelPreview) -> None:
        row = self.predictions.currentRow()
        with QSignalBlocker(self.predictions):
            self.predictions.clear()
            for place, column in enumerate(seen.columns):
                if place == seen.truth:
                    continue
                hint = _GUESSES.get(column.guess, f"{column.distinct:,} labels")
                item = QListWidgetItem(f"{column.name}   ({hint})")
                item.setData(Qt.ItemDataRole.UserRole, place)
                item.setToolTip("First: " + ", ".join(column.first))
                checked = place in seen.predictions
                item.setCheckState(Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked)
                self.predictions.addItem(item)
            self.predictions.setCurrentRow(max(0, min(row, self.predictions.count() - 1)))

    def checked(self) -> tuple[int, ...]:
        """Return the places of the columns that are checked."""
        items = (self.predictions.item(i) for i in range(self.predictions.count()))
        return tuple(
            int(item.data(Qt.ItemDataRole.UserRole))
            for item in items
            if item.checkState() == Qt.CheckState.Checked
        )

    @Slot()
    def _on_truth(self) -> None:
        self._truth = self.truth.value
        if self._predictions is not None:
            self._predictions = tuple(p for p in self._predictions if p != self._truth)
        self.changed.emit()

    @Slot()
    def _on_checked(self) -> None:
        self._predictions = self.checked()
        if self._truth is None:
            # What was seen beside the choice shall not change by it.
            self._truth = self.truth.value
        self.changed.emit()

    @Slot()
    def _on_noise_edited(self) -> None:
        self._noise_touched = True
        self._typing.start()

    @Slot()
    def _on_noise_finished(self) -> None:
        if self._typing.isActive():
            self._typing.stop()
            self.changed.emit()

    @Slot()
    def _on_reading_changed(self) -> None:
        # The columns are others now.
        self._truth = self._predictions = None
        self.changed.emit()
