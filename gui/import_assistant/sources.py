"""Where the assistant's previews come from; they are made in a worker thread."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Protocol

from core.files.label_files import LabelOptions
from core.files.label_preview import LabelPreview, preview
from core.files.previews import CellOptions, CellPreview, preview_cells


class Mode(StrEnum):
    """What the file is taken for."""

    LABELS = "labels"
    TABLE = "table"


class PreviewSource(Protocol):
    """Looks at the beginning of a file; raises ReadError where there is nothing to show."""

    def labels(self, path: Path, options: LabelOptions) -> LabelPreview:
        """Look at a file of labels."""
        ...

    def cells(self, path: Path, options: CellOptions) -> CellPreview:
        """Look at the cells of a table of counts."""
        ...


class FilePreviews:
    """Previews as core makes them."""

    def labels(self, path: Path, options: LabelOptions) -> LabelPreview:
        """Look at a file of labels."""
        return preview(path, options)

    def cells(self, path: Path, options: CellOptions) -> CellPreview:
        """Look at the cells of a table of counts."""
        return preview_cells(path, options)
