"""The few questions that need a dialog: which file, and what of unsaved work."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

TABLE_FILES = (
    "Tables and sessions (*.tallyscope *.csv *.tsv *.txt *.tab *.xlsx *.xlsm *.json *.npy *.npz)"
)
ALL_FILES = "All files (*)"


class Unsaved(Enum):
    """What to do with work that no file holds."""

    SAVE = auto()
    DISCARD = auto()
    CANCEL = auto()


class Dialogs:
    """Asks without blocking the event loop: each answer arrives through a callable."""

    def ask_open(
        self,
        parent: QWidget,
        folder: Path | None,
        answer: Callable[[list[Path]], None],
        title: str = "Open tables",
        filters: tuple[str, ...] = (TABLE_FILES, ALL_FILES),
    ) -> None:
        """Ask for one or more files to open."""
        dialog = QFileDialog(parent, title)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters(list(filters))
        if folder is not None:
            dialog.setDirectory(str(folder))
        dialog.filesSelected.connect(lambda names: answer([Path(name) for name in names]))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def ask_save(
        self,
        parent: QWidget,
        title: str,
        suggestion: Path,
        filters: dict[str, str],
        answer: Callable[[Path], None],
    ) -> None:
        """Ask where to write; the suffix is added before an overwrite is asked about.

        Parameters
        ----------
        parent : QWidget
        title : str
        suggestion : Path
            Folder and name to start from.
        filters : dict
            Suffix without dot for each filter's text.
        answer : callable
        """
        dialog = QFileDialog(parent, title)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setNameFilters(list(filters))
        first = next(iter(filters.values()))
        dialog.setDefaultSuffix(first)
        dialog.filterSelected.connect(lambda name: dialog.setDefaultSuffix(filters[name]))
        dialog.setDirectory(str(suggestion.parent))
        dialog.selectFile(suggestion.name)
        dialog.fileSelected.connect(lambda name: answer(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def ask_unsaved(self, parent: QWidget, name: str, answer: Callable[[Unsaved], None]) -> None:
        """Ask what to do with unsaved work."""
        box = QMessageBox(parent)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Tallyscope")
        box.setText(f"Save the changes to {name}?")
        box.setInformativeText("They are lost if you do not save them.")
        button = QMessageBox.StandardButton
        box.setStandardButtons(button.Save | button.Discard | button.Cancel)
        box.setDefaultButton(button.Save)
        choices = {button.Save: Unsaved.SAVE, button.Discard: Unsaved.DISCARD}

        def finished(result: int) -> None:
            box.deleteLater()
            answer(choices.get(button(result), Unsaved.CANCEL))

        box.finished.connect(finished)
        box.open()

    def show_text(self, parent: QWidget, title: str, html: str) -> None:
        """Show a short text with a button to close it."""
        box = QMessageBox(parent)
        box.setWindowTitle(title)
        box.setText(html)
        box.setStandardButtons(QMessageBox.StandardButton.Close)
        box.finished.connect(box.deleteLater)
        box.open()
