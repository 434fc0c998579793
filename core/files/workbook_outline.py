"""The sheets of a workbook as an assistant shows them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from core.files.archive import opened_zip
from core.files.decoding import read_bytes
from core.files.errors import plain
from core.files.sheet_cells import SheetCells, sheet_cells
from core.files.workbook import workbook_in
from core.studies.study import Step, run_to_end

_PREVIEW_ROWS, _PREVIEW_COLUMNS, _PREVIEW_TEXT = 20, 12, 200


@dataclass(frozen=True)
class SheetOutline:
    """A sheet as an assistant shows it.

    Attributes
    ----------
    name : str
        The sheet.
    hidden : bool
        Whether it is hidden.
    used : str or None
        The range that holds cells, as in ``A1:F20``; None where there are none.
    preview : tuple of tuple of str
        The first cells of that range, as text.
    """

    name: str
    hidden: bool
    used: str | None
    preview: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class WorkbookOutline:
    """The study that lists the sheets of a workbook, for an assistant.

    Attributes
    ----------
    path : Path or str
        The file.
    """

    path: Path | str

    def run(self) -> Generator[Step[tuple[SheetOutline, ...]], None, None]:
        """Read, with a step every twentieth of a second; the last has the sheets.

        Raises
        ------
        ReadError
            If the file cannot be read or is no workbook.
        """
        path = Path(self.path)
        name = plain(path.name)
        data, _ = yield from read_bytes(path, name)
        outlines: list[SheetOutline] = []
        with opened_zip(data, name) as archive:
            book = yield from workbook_in(archive, name)
            for part in book.sheets:
                sheet = yield from sheet_cells(archive, book, part, name)
                outlines.append(_outline(sheet))
        yield Step(1, 1, f"read {name}", result=tuple(outlines))


def _outline(sheet: SheetCells) -> SheetOutline:
    used = sheet.used
    preview: list[tuple[str, ...]] = []
    if used is not None:
        right = min(used.right, used.left + _PREVIEW_COLUMNS - 1)
        for number in range(used.top, min(used.bottom, used.top + _PREVIEW_ROWS - 1) + 1):
            row = sheet.rows.get(number)
            cells = row.between(used.left, right) if row else [""] * (right - used.left + 1)
            preview.append(tuple(str(cell)[:_PREVIEW_TEXT] for cell in cells))
    return SheetOutline(sheet.name, sheet.hidden, str(used) if used else None, tuple(preview))


def workbook_outline(path: Path | str) -> tuple[SheetOutline, ...]:
    """Return the sheets of a workbook, their used ranges and their first cells.

    Parameters
    ----------
    path : Path or str
        The file.

    Returns
    -------
    tuple of SheetOutline

    Raises
    ------
    ReadError
        If the file cannot be read or is no workbook.
    """
    return run_to_end(WorkbookOutline(path))
