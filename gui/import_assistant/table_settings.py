"""The settings of a table of counts: which cells, and which of them are names."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QFormLayout, QLineEdit, QWidget

from core.files.layout import SEPARATOR_NAMES
from core.files.previews import CellOptions, CellPreview
from gui.import_assistant.choices import ENCODINGS, SEPARATORS, Choice, add_row, found_first
from gui.theme import GRID

_TYPING_MS = 400


class TableSettings(QWidget):
    """A form that makes `CellOptions`.

    Signals
    -------
    changed()
        The user chose something else.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.sheet = Choice()
        self.range = QLineEdit()
        self.range.setPlaceholderText("all cells, or as in B2:F6")
        self.header = Choice(
            found_first((("Names of the clusters", True), ("Counts of a class", False)))
        )
        self.index = Choice(
            found_first((("Names of the classes", True), ("Counts of a cluster", False)))
        )
        self.thousands = Choice(
            [
                ("None", None),
                ("Point, as in 1.234", "."),
                ("Comma, as in 1,234", ","),
                ("Space, as in 1 234", " "),
                ("Apostrophe, as in 1'234", "'"),
            ]
        )
        self.blank = Choice([("A fault", "error"), ("Zero", "zero")])
        self.separator = Choice(found_first(SEPARATORS))
        self.encoding = Choice(found_first(ENCODINGS))
        self._form = form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(GRID)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        add_row(form, "S&heet", self.sheet)
        add_row(form, "&Range", self.range)
        add_row(form, "&First line", self.header)
        add_row(form, "First colum&n", self.index)
        add_row(form, "Thousan&ds mark", self.thousands)
        add_row(form, "&Blank cells", self.blank)
        add_row(form, "&Separator", self.separator)
        add_row(form, "&Encoding", self.encoding)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_MS)
        self._typing.timeout.connect(self.changed)
        self.range.textEdited.connect(self._on_edited)
        self.range.editingFinished.connect(self._on_finished)
        for choice in (
            *(self.sheet, self.header, self.index, self.thousands),
            *(self.blank, self.separator, self.encoding),
        ):
            choice.chosen.connect(self.changed)

    @property
    def options(self) -> CellOptions:
        """What the form says; what nobody touched is found out anew."""
        return CellOptions(
            separator=self.separator.value,
            header=self.header.value,
            index=self.index.value,
            thousands=self.thousands.value,
            blank=self.blank.value,
            encoding=self.encoding.value,
            sheet=self.sheet.value,
            range=self.range.text().strip() or None,
        )

    def show_preview(self, seen: CellPreview) -> None:
        """Show what was found out."""
        unknown = "" if seen.header is None else "counts"
        self.header.set_found("names" if seen.header else unknown)
        unknown = "" if seen.index is None else "counts"
        self.index.set_found("names" if seen.index else unknown)
        self.separator.set_found(SEPARATOR_NAMES[seen.separator] if seen.is_text else "")
        self.encoding.set_found(seen.encoding or "")
        self.sheet.set_items([(sheet, sheet) for sheet in seen.sheets])
        self.sheet.set_value(seen.sheet)
        for field in (self.separator, self.encoding):
            self._form.setRowVisible(field, seen.is_text)
        for sheet_field in (self.sheet, self.range):
            self._form.setRowVisible(sheet_field, not seen.is_text)

    @Slot()
    def _on_edited(self) -> None:
        self._typing.start()

    @Slot()
    def _on_finished(self) -> None:
        if self._typing.isActive():
            self._typing.stop()
            self.changed.emit()
