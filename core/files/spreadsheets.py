"""Contingency tables in XLSX workbooks."""

from __future__ import annotations

import zipfile
from collections.abc import Generator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from core.files.archive import opened_zip
from core.files.decoding import read_bytes
from core.files.errors import FaultKind, ReadError, plain, shown
from core.files.options import OpenOptions, ParsedTable
from core.files.sheet_cells import SheetCells, box_of, sheet_cells
from core.files.sheet_record import RECORD_SHEET, RecordedTable, recorded_tables
from core.files.sheet_tables import SheetTable, cells_table, sheet_tables
from core.files.simulation_marks import refuse_sheets
from core.files.workbook import SheetPart, Workbook, workbook_in
from core.named_table import NamedTable
from core.studies.study import Step, run_to_end

_PREVIEW_ROWS, _PREVIEW_COLUMNS, _PREVIEW_TEXT = 20, 12, 200


class WorkbookTables(NamedTuple):
    """The tables of a workbook.

    Attributes
    ----------
    tables : tuple of NamedTable
    parsed : tuple of ParsedTable
        How each was read.
    notes : tuple of str
        What is to be said of all of them.
    is_export : bool
        Whether it is one of our exports.
    """

    tables: tuple[NamedTable, ...]
    parsed: tuple[ParsedTable, ...]
    notes: tuple[str, ...]
    is_export: bool


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


def workbook_tables(
    data: bytes, options: OpenOptions, name: str, source: str | None
) -> Generator[Step[Any], None, WorkbookTables]:
    """Yield steps while the tables of a workbook are read; return them.

    Parameters
    ----------
    data : bytes
        The file.
    options : OpenOptions
        ``sheet`` and ``cells`` choose; else every sheet that holds a table of counts is
        one, named after its sheet, and the others are named in a note.
    name : str
        What messages call the file.
    source : str or None
        Name of the file.

    Returns
    -------
    WorkbookTables

    Raises
    ------
    ReadError
        If no sheet holds a table, or the one that was chosen does not.
    """
    with opened_zip(data, name) as archive:
        book = yield from workbook_in(archive, name)
        refuse_sheets([part.name for part in book.sheets], name)
        reader = _Reader(archive, book, name, source, options)
        if options.sheet is None and options.cells is None:
            record = next((part for part in book.sheets if part.name == RECORD_SHEET), None)
            if record is not None:
                rows = yield from sheet_cells(archive, book, record, name)
                recorded = recorded_tables(rows)
                if recorded:
                    return (yield from reader.recorded(recorded))
        if options.sheet is not None or options.cells is not None:
            return (yield from reader.chosen())
        return (yield from reader.all_sheets())


class _Reader:
    def __init__(
        self,
        archive: zipfile.ZipFile,
        book: Workbook,
        name: str,
        source: str | None,
        options: OpenOptions,
    ) -> None:
        self._archive, self._book = archive, book
        self._name, self._source, self._options = name, source, options

    def recorded(self, recorded: list[RecordedTable]) -> Generator[Step[Any], None, WorkbookTables]:
        """Return the tables of an export, where its record says that they stand."""
        tables: list[NamedTable] = []
        parsed_tables: list[ParsedTable] = []
        read = replace(self._options.read, header=True, index=True)
        sheets: dict[str, SheetCells] = {}
        for one in recorded:
            if one.sheet not in sheets:
                # Usually one table stands in each: one sheet in memory is enough.
                sheets = {one.sheet: (yield from self._cells(self._part(one.sheet)))}
            sheet = sheets[one.sheet]
            parsed = yield from cells_table(sheet, one.box, read, self._name, own=True)
            parsed = replace(parsed, table=parsed.table.with_noise(one.noise), is_export=True)
            parsed_tables.append(parsed)
            tables.append(
                NamedTable(one.name, parsed.table, one.source or self._source, parsed.notes)
            )
        said = "the scores in the file were left out"
        if len(tables) > 1:
            said = f"the file holds {len(tables)} scored tables; their scores were left out"
        return WorkbookTables(tuple(tables), tuple(parsed_tables), (said,), True)

    def chosen(self) -> Generator[Step[Any], None, WorkbookTables]:
        """Return the tables of the sheet that was chosen, or of its range."""
        sheet_name, cells = self._options.sheet, self._options.cells
        if cells is not None and "!" in cells:
            sheet_name, _, cells = cells.rpartition("!")
            if sheet_name[:1] == sheet_name[-1:] == "'":
                sheet_name = sheet_name[1:-1].replace("''", "'")
        if sheet_name is None:
            filled = [part for part in self._book.sheets if not part.hidden] or self._book.sheets
            if len(filled) != 1:
                raise ReadError(
                    f"{self._name} has {len(filled)} sheets: say in which of them the range "
                    f"{plain(cells or '')} is: {_listed(self._book)}.",
                    kind=FaultKind.PART,
                )
            sheet_name = filled[0].name
        sheet = yield from self._cells(self._part(sheet_name))
        if cells is None:
            found, notes = yield from self._tables(sheet)
            return self._named([(sheet, found)], notes)
        box = box_of(cells)
        if box is None:
            raise ReadError(
                f"{shown(cells)} is not a range of cells: write it as B2:F6.", kind=FaultKind.PART
            )
        parsed = yield from cells_table(sheet, box, self._options.read, self._name)
        return self._named([(sheet, [SheetTable("", parsed)])], [f"the cells {box} were read"])

    def all_sheets(self) -> Generator[Step[Any], None, WorkbookTables]:
        """Return the tables of every sheet that holds one."""
        found: list[tuple[SheetCells, list[SheetTable]]] = []
        notes: list[str] = []
        faults: list[ReadError] = []
        for part in self._book.sheets:
            sheet = yield from self._cells(part)
            if sheet.used is None:
                notes.append(f"sheet {shown(part.name)} is empty")
                continue
            try:
                tables, said = yield from self._tables(sheet)
            except ReadError as error:
                if error.kind is FaultKind.DAMAGED:
                    raise
                faults.append(error)
                why = error.message.removeprefix(self._name).lstrip(":, ").rstrip(".")
                notes.append(f"sheet {shown(part.name)} was left out ({why})")
                continue
            # What the rows are does not depend on the cells, which may be many.
            found.append((replace(sheet, rows={}), tables))
            notes += said
            if part.hidden:
                notes.append(f"sheet {shown(part.name)} is hidden, and was read")
        if not found:
            if len(faults) == 1:
                raise faults[0]
            first = f"; the first says: {faults[0].message}" if faults else "."
            raise ReadError(
                f"{self._name}: none of its sheets holds a table of counts{first}",
                kind=faults[0].kind if faults else FaultKind.EMPTY,
            )
        return self._named(found, notes)

    def _named(
        self, found: list[tuple[SheetCells, list[SheetTable]]], notes: list[str]
    ) -> WorkbookTables:
        tables: list[NamedTable] = []
        parsed_tables: list[ParsedTable] = []
        for sheet, of_sheet in found:
            for number, one in enumerate(of_sheet, start=1):
                called = sheet.name
                if len(of_sheet) > 1:
                    called = f"{sheet.name}, {one.title}" if one.title else f"{called} {number}"
                parsed = one.parsed
                tables.append(NamedTable(called, parsed.table, self._source, parsed.notes))
                parsed_tables.append(parsed)
        if len(tables) > 1:
            notes = [f"the file holds {len(tables)} tables", *notes]
        return WorkbookTables(tuple(tables), tuple(parsed_tables), tuple(notes), False)

    def _tables(
        self, sheet: SheetCells
    ) -> Generator[Step[Any], None, tuple[list[SheetTable], list[str]]]:
        options = self._options
        return (yield from sheet_tables(sheet, options.read, self._name, options.several))

    def _cells(self, part: SheetPart) -> Generator[Step[Any], None, SheetCells]:
        return (yield from sheet_cells(self._archive, self._book, part, self._name))

    def _part(self, sheet: str) -> SheetPart:
        for part in self._book.sheets:
            if part.name == sheet:
                return part
        for part in self._book.sheets:
            if part.name.casefold() == sheet.casefold():
                return part
        raise ReadError(
            f"{self._name} has no sheet {shown(sheet)}: choose {_listed(self._book)}.",
            kind=FaultKind.PART,
        )


def _listed(book: Workbook) -> str:
    names = [shown(part.name) for part in book.sheets[:8]]
    more = len(book.sheets) - len(names)
    return ", ".join(names) + (f" and {more} others" if more > 0 else "")


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
