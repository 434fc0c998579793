"""Contingency tables in XLSX workbooks."""

from __future__ import annotations

import zipfile
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, NamedTuple

from core.files.archive import opened_zip
from core.files.errors import FaultKind, ReadError, plain, shown
from core.files.options import OpenOptions, ParsedTable
from core.files.sheet_cells import SheetCells, box_of, sheet_cells
from core.files.sheet_places import corners, export_places, is_summary, table_at
from core.files.sheet_record import RECORD_SHEET, RecordedTable, recorded_tables
from core.files.sheet_tables import SheetTable, cells_table, sheet_tables
from core.files.simulation_marks import refuse_sheets
from core.files.workbook import SheetPart, Workbook, workbook_in
from core.named_table import NamedTable
from core.studies.study import Step

# What is wrong with a sheet in which nobody would look for a table of counts.
_NO_TABLE = frozenset({FaultKind.EMPTY, FaultKind.NO_COUNTS, FaultKind.LABELS})


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
    left_out : tuple of ReadError
        Why sheets that may hold tables are not among them.
    """

    tables: tuple[NamedTable, ...]
    parsed: tuple[ParsedTable, ...]
    notes: tuple[str, ...]
    is_export: bool
    left_out: tuple[ReadError, ...] = ()


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
            if book.sheets and book.sheets[0].name == "Summary":
                first = yield from sheet_cells(archive, book, book.sheets[0], name)
                if is_summary(first):
                    # Somebody deleted the hidden sheet.
                    return (yield from reader.recorded([]))
        if options.sheet is not None or options.cells is not None:
            return (yield from reader.chosen())
        return (yield from reader.all_sheets())


@dataclass
class _Found:
    """What was found in a workbook so far."""

    tables: list[NamedTable] = field(default_factory=list)
    parsed: list[ParsedTable] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    faults: list[ReadError] = field(default_factory=list)
    left_out: list[ReadError] = field(default_factory=list)

    def add(self, table: NamedTable, parsed: ParsedTable) -> None:
        """Take a table."""
        self.tables.append(table)
        self.parsed.append(parsed)

    def result(self, said: list[str], *, is_export: bool = False) -> WorkbookTables:
        """Return all of it, with what is said of the file first."""
        return WorkbookTables(
            tuple(self.tables),
            tuple(self.parsed),
            (*said, *self.notes),
            is_export,
            tuple(self.left_out),
        )


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
        """Return the tables of an export, and of the sheets that were added to it."""
        found = _Found()
        by_sheet: dict[str, list[RecordedTable]] = {}
        for one in recorded:
            by_sheet.setdefault(one.sheet, []).append(one)
        parts = {part.name: part for part in self._book.sheets if part.name != RECORD_SHEET}
        lost = {sheet: of for sheet, of in by_sheet.items() if sheet not in parts}
        for sheet, of_sheet in by_sheet.items():
            if sheet in parts:
                cells = yield from self._cells(parts.pop(sheet))
                yield from self._at_their_places(cells, of_sheet, found)
        exported = len(found.tables)
        for part in parts.values():
            cells = yield from self._cells(part)
            if is_summary(cells):
                continue
            begun = yield from corners(cells)
            if not begun:
                yield from self._any_sheet(part, cells, found)
                continue
            known: list[RecordedTable] = []
            if len(lost) == 1:
                # The only one that is missing has the only table that nobody recorded.
                (was, known) = lost.popitem()
                found.notes.append(f"sheet {shown(was)} is called {shown(part.name)} now")
            elif recorded:
                found.notes.append(f"sheet {shown(part.name)} was added to the export, and read")
            yield from self._at_their_places(cells, known, found)
            exported += 1
        for was in lost:
            found.notes.append(f"sheet {shown(was)} of the export is not in the file any more")
        if not found.tables:
            raise ReadError(
                f"{self._name}: none of the tables of the export is in it any more: choose a sheet "
                f"of {_listed(self._book)}, or export them again.",
                kind=FaultKind.PART,
            )
        said = "the scores in the file were left out"
        if len(found.tables) > 1:
            kind = "scored tables" if exported == len(found.tables) else "tables"
            said = f"the file holds {len(found.tables)} {kind}; their scores were left out"
        return found.result([said], is_export=True)

    def _at_their_places(
        self, sheet: SheetCells, recorded: list[RecordedTable], found: _Found
    ) -> Generator[Step[Any], None, None]:
        """Read the tables of a sheet of an export, where they stand now."""
        places = yield from export_places(sheet, [one.box for one in recorded], self._name)
        read = replace(self._options.read, header=True, index=True)
        for place, one in zip_longest(places, recorded):
            parsed, notes = yield from table_at(sheet, place, read, self._name)
            notes = [*parsed.notes, *notes]
            name, source = sheet.name, self._source
            if one is not None:
                parsed = replace(parsed, table=parsed.table.with_noise(one.noise))
                name, source = one.name, one.source or source
                notes = [*one.notes, *notes]
                if place.moved:
                    notes.append(
                        f"the table stood at {one.box} when it was exported, and at {place.box} now"
                    )
            said = tuple(dict.fromkeys(notes))
            parsed = replace(parsed, notes=said, is_export=True)
            found.add(NamedTable(name, parsed.table, source, parsed.notes), parsed)

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
            return self._chosen(sheet, found, notes)
        box = box_of(cells)
        if box is None:
            raise ReadError(
                f"{shown(cells)} is not a range of cells: write it as B2:F6.", kind=FaultKind.PART
            )
        parsed = yield from cells_table(sheet, box, self._options.read, self._name)
        return self._chosen(sheet, [SheetTable("", parsed)], [f"the cells {box} were read"])

    def _chosen(
        self, sheet: SheetCells, tables: list[SheetTable], notes: list[str]
    ) -> WorkbookTables:
        found = _Found(notes=notes)
        self._name_all(sheet, tables, found)
        many = [f"the file holds {len(tables)} tables"] if len(tables) > 1 else []
        return found.result(many)

    def all_sheets(self) -> Generator[Step[Any], None, WorkbookTables]:
        """Return the tables of every sheet that holds one."""
        found = _Found()
        for part in self._book.sheets:
            sheet = yield from self._cells(part)
            yield from self._any_sheet(part, sheet, found)
        if not found.tables:
            faults = found.faults
            if len(faults) == 1:
                raise faults[0]
            first = f"; the first says: {faults[0].message}" if faults else "."
            raise ReadError(
                f"{self._name}: none of its sheets holds a table of counts{first}",
                kind=faults[0].kind if faults else FaultKind.EMPTY,
            )
        many = [f"the file holds {len(found.tables)} tables"] if len(found.tables) > 1 else []
        return found.result(many)

    def _any_sheet(
        self, part: SheetPart, sheet: SheetCells, found: _Found
    ) -> Generator[Step[Any], None, None]:
        """Read the tables of a sheet; one that holds none is left out, and that is said."""
        if sheet.used is None:
            found.notes.append(f"sheet {shown(part.name)} is empty")
            return
        try:
            tables, said = yield from self._tables(sheet)
        except ReadError as error:
            if error.kind is FaultKind.DAMAGED:
                raise
            found.faults.append(error)
            why = error.message.removeprefix(self._name).lstrip(":, ").rstrip(".")
            found.notes.append(f"sheet {shown(part.name)} was left out ({why})")
            if error.kind not in _NO_TABLE:
                found.left_out.append(error)
            return
        self._name_all(sheet, tables, found)
        found.notes += said
        if part.hidden:
            found.notes.append(f"sheet {shown(part.name)} is hidden, and was read")

    def _name_all(self, sheet: SheetCells, tables: list[SheetTable], found: _Found) -> None:
        for number, one in enumerate(tables, start=1):
            called = sheet.name
            if len(tables) > 1:
                called = f"{sheet.name}, {one.title}" if one.title else f"{called} {number}"
            parsed = one.parsed
            found.add(NamedTable(called, parsed.table, self._source, parsed.notes), parsed)

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
