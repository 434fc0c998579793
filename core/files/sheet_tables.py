"""Which tables of counts a sheet holds, and how its cells become them."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from core.files import block
from core.files.block import BlockReader
from core.files.counts import OddCell, is_blank, meant_as_number, trimmed
from core.files.errors import FaultKind, ReadError, shown
from core.files.options import LABELS_NOTE, ParsedTable, ReadOptions
from core.files.sheet_cells import Box, SheetCells, column_letters
from core.files.survey import Layout, are_labels, is_long, layout_of
from core.studies.study import Step


class SheetTable(NamedTuple):
    """A table of a sheet, and the title above it, if there is one."""

    title: str
    parsed: ParsedTable


@dataclass
class _Part:
    """A block of rows of a sheet that holds numbers."""

    box: Box
    title: str = ""
    left: list[str] = field(default_factory=list)
    named: bool = False


def sheet_tables(
    sheet: SheetCells, options: ReadOptions, name: str, several: bool | None
) -> Generator[Step[Any], None, tuple[list[SheetTable], list[str]]]:
    """Yield steps while the tables of a sheet are read; return them, and notes on the rest.

    Parameters
    ----------
    sheet : SheetCells
        The sheet.
    options : ReadOptions
        What is known already.
    name : str
        What messages call the workbook.
    several : bool or None
        Whether blank rows separate tables; None lets the blocks decide, as in a text.

    Returns
    -------
    tables, notes : list of SheetTable, list of str

    Raises
    ------
    ReadError
        If the sheet holds no table of counts.
    """
    parts, notes = _parts(sheet)
    if not parts:
        raise ReadError(
            f"{name}: sheet {shown(sheet.name)} holds no counts.", kind=FaultKind.NO_COUNTS
        )
    if len(parts) > 1 and several is not True and (several is False or not _are_tables(parts)):
        gap = parts[0].box.bottom + 1
        raise ReadError(
            f"{name}, {place_of(sheet, gap)}: the row is blank but the table goes on: delete it, "
            "or choose a range of cells.",
            kind=FaultKind.BLANK_LINE,
            line=gap,
        )
    tables = []
    for part in parts:
        parsed = yield from cells_table(sheet, part.box, options, name)
        parsed = replace(parsed, notes=(*parsed.notes, *part.left))
        tables.append(SheetTable(part.title, parsed))
    return tables, notes


def cells_table(
    sheet: SheetCells, box: Box, options: ReadOptions, name: str, *, own: bool = False
) -> Generator[Step[Any], None, ParsedTable]:
    """Yield steps while the table in a rectangle of a sheet is read; return it.

    Parameters
    ----------
    sheet : SheetCells
        The sheet.
    box : Box
        The rectangle, names included.
    options : ReadOptions
        What is known already.
    name : str
        What messages call the workbook.
    own : bool
        Whether this program wrote it, so that names are kept as they are.

    Returns
    -------
    ParsedTable

    Raises
    ------
    ReadError
        If it is not a table of counts; `CountError` where one cell is at fault.
    """
    source = _SheetRows(sheet, box, name, own)
    source.check_size()
    reader = BlockReader(source, options)
    survey = yield from reader.survey()
    layout = layout_of(survey, options.header, options.index)
    if options.header is None and options.index is None and are_labels(survey):
        raise ReadError(
            f"{name}, {place_of(sheet, box.top)}: these are labels, one item a line, not a table "
            "of counts: import them as labels.",
            kind=FaultKind.LABELS,
        )
    if not own and is_long(survey, options.header, options.index):
        layout = Layout(survey.width, header=True, index=True)
        table = yield from reader.read_long(survey)
    else:
        table = yield from reader.read(survey, layout)
    notes = (*reader.notes(table), *source.notes())
    parsed = ParsedTable(table, None, layout.header, layout.index, None, notes)
    if parsed.may_be_labels and not own:
        parsed = replace(parsed, notes=(*notes, LABELS_NOTE))
    return parsed


def place_of(sheet: SheetCells, row: int, column: int | None = None) -> str:
    """Return the words that name a row or a cell of a sheet, as spreadsheets write them."""
    name = sheet.name
    if not name.replace("_", "").isalnum():
        name = "'" + name.replace("'", "''") + "'"
    return f"{name}, row {row}" if column is None else f"{name}!{column_letters(column)}{row}"


class _SheetRows:
    """The rows of a rectangle of a sheet."""

    typed = True

    def __init__(self, sheet: SheetCells, box: Box, name: str, own: bool) -> None:
        self._sheet, self._box = sheet, box
        self.name, self.own = name, own
        self.size = box.bottom - box.top + 1
        self._merged = [
            one
            for one in sheet.merged
            if one.top != one.bottom or one.left != one.right
            if one.top <= box.bottom and box.top <= one.bottom
            if one.left <= box.right and box.left <= one.right
        ]

    def check_size(self) -> None:
        """Refuse a rectangle that is too large, before memory is taken for it."""
        box = self._box
        if (box.bottom - box.top) * (box.right - box.left) > block.MAX_CELLS:
            raise ReadError(
                f"{self.name}: the cells {box} of sheet {shown(self._sheet.name)} are more than "
                f"{block.MAX_CELLS:,}: choose a smaller range, or delete what stands far out.",
                kind=FaultKind.TOO_MANY_CELLS,
            )

    def rows(self) -> Iterator[tuple[int, int, list[str]]]:
        """Yield the rows: their number, how many have been read, their cells."""
        box, sheet = self._box, self._sheet
        gap = 0
        for number in range(box.top, box.bottom + 1):
            row = sheet.rows.get(number)
            cells = [""] * (box.right - box.left + 1)
            if row is not None:
                cells = row.between(box.left, box.right)
            if self._merged:
                self._fill_merged(number, cells)
            if all(map(is_blank, cells)):
                gap = gap or number
                continue
            if gap and gap > box.top:
                raise ReadError(
                    f"{self.name}, {place_of(sheet, gap)}: the row is blank but the table goes "
                    "on: delete it, or choose a smaller range.",
                    kind=FaultKind.BLANK_LINE,
                    line=gap,
                )
            gap = 0
            yield number, number - box.top + 1, cells

    def _fill_merged(self, number: int, cells: list[str]) -> None:
        """Write the text of merged cells into all of them, marked so that it is no count."""
        left = self._box.left
        for one in self._merged:
            if not one.top <= number <= one.bottom:
                continue
            anchor = self._sheet.rows.get(one.top)
            text = anchor.between(one.left, one.left)[0] if anchor is not None else ""
            if is_blank(text):
                continue
            fault = f"the cells {one} are merged, so one count stands for several: split them"
            for column in range(max(one.left, left), min(one.right, self._box.right) + 1):
                if (number, column) != (one.top, one.left):
                    cells[column - left] = OddCell(str(text), FaultKind.MERGED, fault)

    def place(self, line: int, column: int | None) -> list[str]:
        """Return the words that name a row, or a cell of it."""
        if column is not None:
            column += self._box.left
        return [place_of(self._sheet, line, column)]

    def notes(self) -> list[str]:
        """Return what a reader of the table should know of its cells."""
        box, notes = self._box, []
        rows = [row for n, row in self._sheet.rows.items() if box.top <= n <= box.bottom]
        if formulas := sum(row.formulas for row in rows):
            cells = "1 cell is a formula" if formulas == 1 else f"{formulas:,} cells are formulas"
            notes.append(f"{cells}, whose stored value was read")
        if large := sum(row.large for row in rows):
            counts = "1 count is" if large == 1 else f"{large:,} counts are"
            notes.append(
                f"{counts} so large that a sheet keeps only its first 15 digits, so look at the "
                "others"
            )
        hidden = sum(row.hidden for row in rows)
        if hidden:
            notes.append(f"{hidden} hidden {'row was' if hidden == 1 else 'rows were'} read")
        hidden = sum(
            max(min(last, box.right) - max(first, box.left) + 1, 0)
            for first, last in self._sheet.hidden_columns
        )
        if hidden:
            notes.append(f"{hidden} hidden {'column was' if hidden == 1 else 'columns were'} read")
        return notes


def _parts(sheet: SheetCells) -> tuple[list[_Part], list[str]]:
    """Return the blocks between blank rows that hold numbers, and notes on the others."""
    parts: list[_Part] = []
    notes: list[str] = []
    title = ""
    numbers = [n for n, row in sheet.rows.items() if not all(map(is_blank, row.cells))]
    start = 0
    for i, number in enumerate(numbers):
        if i + 1 < len(numbers) and numbers[i + 1] == number + 1:
            continue
        top, start = numbers[start], i + 1
        box = sheet.bounds(top, number)
        if box is None:
            continue
        if not _has_numbers(sheet, box):
            row = sheet.rows[box.top]
            alone = box.top == box.bottom and len(_texts(row.cells)) == 1
            title = _texts(row.cells)[0] if alone else ""
            notes.append(f"the text in {box} of sheet {shown(sheet.name)} was left out")
            continue
        parts.append(_trimmed(sheet, box, title))
        title = ""
    return parts, notes


def _has_numbers(sheet: SheetCells, box: Box) -> bool:
    return any(
        any(map(meant_as_number, sheet.rows[n].cells)) for n in range(box.top, box.bottom + 1)
    )


def _texts(cells: list[str]) -> list[str]:
    return [trimmed(cell) for cell in cells if not is_blank(cell)]


def _trimmed(sheet: SheetCells, box: Box, title: str) -> _Part:
    """Return a block without the single texts above its header and left of its names."""
    left: list[str] = []
    while box.bottom - box.top > 1 or (box.bottom > box.top and not title):
        texts = _texts(sheet.rows[box.top].cells)
        below = sheet.bounds(box.top + 1, box.bottom)
        if len(texts) != 1 or meant_as_number(texts[0]) or below is None:
            break
        if below.right - below.left < 1 or (
            below.right - below.left < 2 and sheet.rows[box.top].columns[0] != below.left
        ):
            # Above two columns it may be the name of the only cluster.
            break
        title = texts[0]
        left.append(f"the text above it, {shown(title)}, was left out")
        box = below
    while box.right - box.left > 1:
        rows = [sheet.rows[n] for n in range(box.top, box.bottom + 1)]
        first = [(n, row.between(box.left, box.left)[0]) for n, row in enumerate(rows)]
        first = [(n, cell) for n, cell in first if not is_blank(cell)]
        if len(rows) < 3 or len(first) != 1 or first[0][0] == 0 or meant_as_number(first[0][1]):
            break
        left.append(f"the text left of it, {shown(trimmed(first[0][1]))}, was left out")
        box = box._replace(left=min(c for row in rows for c in row.columns if c > box.left))
    header = sheet.rows[box.top].between(box.left, box.right)
    corner = len(header) > 1 and is_blank(header[0])
    texts = [cell for cell in header[1:] or header if not is_blank(cell)]
    named = corner or not all(map(meant_as_number, texts))
    return _Part(box, title, left, named)


def _are_tables(parts: list[_Part]) -> bool:
    if all(part.named for part in parts) or all(part.title for part in parts):
        return True
    shapes = {(p.box.bottom - p.box.top, p.box.right - p.box.left) for p in parts}
    return len(shapes) == 1 and min(shapes.pop()) > 0 and not any(part.named for part in parts)
