"""Where the tables of an exported workbook stand now: at their old place, or where they moved."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, NamedTuple, TypeAlias

from core.files.counts import is_blank, read_count
from core.files.errors import CountError, FaultKind, ReadError, shown
from core.files.layout import CORNER
from core.files.options import ParsedTable, ReadOptions
from core.files.sheet_cells import Box, SheetCells, column_letters
from core.files.sheet_tables import cells_table
from core.studies.study import Pulse, Step
from core.version import PROGRAM

SUM = "Sum"
"""What stands above the sums of the classes and left of those of the clusters."""


class ExportPlace(NamedTuple):
    """Where a table of an export stands: names and counts, and on which sides it has sums.

    Attributes
    ----------
    box : Box
        The rectangle, names included, sums not.
    sums_right, sums_below : bool
        Whether the column, and the row, behind it holds sums.
    moved : bool
        Whether it stood elsewhere when the file was written.
    """

    box: Box
    sums_right: bool
    sums_below: bool
    moved: bool


_Corners: TypeAlias = list[tuple[int, int]]


def corners(sheet: SheetCells) -> Generator[Step[Any], None, _Corners]:
    """Yield steps; return the cells that begin a table of an export, or look like it."""
    pulse = Pulse()
    found: _Corners = []
    for number, row in sheet.rows.items():
        if CORNER in row.cells:
            here = zip(row.columns, row.cells, strict=True)
            found += [(number, column) for column, cell in here if cell == CORNER]
        if pulse.due():
            yield Step(0, None, f"looking for tables in {sheet.name}")
    return found


def is_summary(sheet: SheetCells) -> bool:
    """Return whether a sheet is the one of an export that compares its tables."""
    title = f"{PROGRAM} scored tables"
    return any(title in row.cells for _, row in zip(range(5), sheet.rows.values(), strict=False))


def export_places(
    sheet: SheetCells, recorded: Sequence[Box], name: str
) -> Generator[Step[Any], None, list[ExportPlace]]:
    """Yield steps; return where the tables of a sheet of an export stand.

    Parameters
    ----------
    sheet : SheetCells
        The sheet.
    recorded : sequence of Box
        Where they stood when it was written; none of a sheet that came later.
    name : str
        What messages call the workbook.

    Returns
    -------
    list of ExportPlace
        As many as were recorded, and one where none was.

    Raises
    ------
    ReadError
        If the sheet was changed so that nobody can know where they are.
    """
    standing = [place for box in recorded if (place := _standing(sheet, box)) is not None]
    if recorded and len(standing) == len(recorded):
        return standing
    moved: list[ExportPlace] = []
    begun = yield from corners(sheet)
    for top, left in begun:
        found = yield from _moved(sheet, top, left)
        if found is not None:
            moved.append(found)
    if len(moved) == max(len(recorded), 1):
        return moved
    where = f"{name}, sheet {shown(sheet.name)}"
    if recorded:
        boxes = ", ".join(map(str, recorded))
        where += f": the table of the export is not at {boxes} any more, and"
    else:
        where += ":"
    what = "it cannot be told where it is" if begun else "no cell of it tells where it is"
    raise ReadError(
        f"{where} {what}: undo what was changed around its counts, or choose its cells as a range, "
        f"from the cell {shown(CORNER)} to the last count.",
        kind=FaultKind.PART,
    )


def table_at(
    sheet: SheetCells, place: ExportPlace, options: ReadOptions, name: str
) -> Generator[Step[Any], None, tuple[ParsedTable, list[str]]]:
    """Yield steps while a table of an export is read; return it, and notes on its sums.

    Parameters
    ----------
    sheet : SheetCells
        The sheet.
    place : ExportPlace
        Where it stands.
    options : ReadOptions
        What is known already.
    name : str
        What messages call the workbook.

    Raises
    ------
    ReadError
        If a cell is no count, or if what was moved has sums that are not those of its counts.
    """
    parsed = yield from cells_table(sheet, place.box, options, name, own=True)
    wrong = yield from _wrong_sum(sheet, place, parsed)
    if wrong is None:
        return parsed, []
    cell, has, expected = wrong
    # Where it stands as it was written, a count was corrected. Where lines were moved, the
    # line called Sum may be a class.
    if place.moved and options.totals is None:
        raise ReadError(
            f"{name}, {sheet.name}!{cell}: the sum is {shown(has)} where the counts add up to "
            f"{expected}: correct it, or leave the sums out (totals: drop).",
            kind=FaultKind.TOTAL,
        )
    return parsed, [
        f"the sum in {cell} of sheet {shown(sheet.name)} is {shown(has)} where the counts add up "
        f"to {expected}: the counts were read, which were changed since they were exported"
    ]


def _cell(sheet: SheetCells, row: int, column: int) -> str:
    found = sheet.rows.get(row)
    return found.between(column, column)[0] if found is not None and column > 0 else ""


def _standing(sheet: SheetCells, box: Box) -> ExportPlace | None:
    """Return a table that stands where it was written, with its sums or nothing behind it."""
    below = _cell(sheet, box.bottom + 1, box.left)
    right = _cell(sheet, box.top, box.right + 1)
    last = sheet.rows.get(box.bottom)
    unnamed = box.top + 1, box.right + 1
    if (
        _cell(sheet, box.top, box.left) != CORNER
        or last is None
        or not all(map(str, last.between(box.left + 1, box.right)))
        or below not in (SUM, "")
        or right not in (SUM, "")
        # The sums themselves, where a class or a cluster was deleted.
        or (not below and _cell(sheet, box.bottom, box.left) == SUM)
        or (not right and _cell(sheet, box.top, box.right) == SUM)
        or _goes_on(sheet, box.bottom + 1, box, below == SUM)
        # A cluster behind the sums, or one without a name.
        or not is_blank(_cell(sheet, *((box.top, box.right + 2) if right else unnamed)))
    ):
        return None
    return ExportPlace(box, right == SUM, below == SUM, moved=False)


def _goes_on(sheet: SheetCells, row: int, box: Box, is_sum: bool) -> bool:
    """Return whether a row that should be the sums, or blank, is a class or has one below."""
    following = sheet.rows.get(row + is_sum)
    return following is not None and not all(
        map(is_blank, following.between(box.left, box.right + 1))
    )


def _moved(
    sheet: SheetCells, top: int, left: int
) -> Generator[Step[Any], None, ExportPlace | None]:
    """Yield steps; return the table that begins with a corner; None where its end is not sure."""
    header = sheet.rows[top]
    right = header.columns[-1]
    heads = header.between(left, right)
    sums_right = heads[-1] == SUM
    if right == left or left > header.columns[0] or (not sums_right and SUM in heads):
        return None
    pulse = Pulse()
    bottom = top
    firsts: list[str] = []
    while (row := sheet.rows.get(bottom + 1)) is not None:
        cells = row.between(left, right)
        if all(map(is_blank, cells)):
            break
        firsts.append(cells[0])
        bottom += 1
        if pulse.due():
            yield Step(0, None, f"looking for tables in {sheet.name}")
    if not firsts or (firsts[-1] != SUM and SUM in firsts):
        return None
    sums_below = firsts[-1] == SUM
    box = Box(top, left, bottom - sums_below, right - sums_right)
    if box.bottom == box.top or box.right == box.left:
        return None
    return ExportPlace(box, sums_right, sums_below, moved=True)


def _wrong_sum(
    sheet: SheetCells, place: ExportPlace, parsed: ParsedTable
) -> Generator[Step[Any], None, tuple[str, str, int] | None]:
    """Return the first sum that is not that of its counts: cell, text, what it should be."""
    box, table = place.box, parsed.table
    pulse = Pulse()
    if place.sums_below:
        cells = sheet.rows[box.bottom + 1].between(box.left + 1, box.right)
        for i, (cell, total) in enumerate(zip(cells, table.column_sums.tolist(), strict=True)):
            if not _is(cell, total):
                return f"{column_letters(box.left + 1 + i)}{box.bottom + 1}", str(cell), total
    if place.sums_right:
        for i, total in enumerate(table.row_sums.tolist()):
            cell = _cell(sheet, box.top + 1 + i, box.right + 1)
            if not _is(cell, total):
                return f"{column_letters(box.right + 1)}{box.top + 1 + i}", str(cell), total
            if pulse.due():
                yield Step(i, table.shape[0], f"adding up {sheet.name}")
    return None


def _is(cell: str, total: int) -> bool:
    try:
        return read_count(cell) == total
    except CountError:
        return False
