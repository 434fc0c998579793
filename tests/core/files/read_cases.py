"""Rows of a table as a text, as a sheet and as JSON, opened."""

import io
import json

import pytest

from core.files.opening import OpenOptions, open_file, open_text
from core.files.options import ReadOptions

CROSSTAB = [["row_0", 0, 1, 2], ["cat", 8, 2, 0], ["dog", 1, 9, 3]]
COUNTS = [[8, 2, 0], [1, 9, 3]]


def as_csv(rows):
    return "\n".join(",".join("" if cell is None else str(cell) for cell in row) for row in rows)


def opened(kind, rows, path, **options):
    """Open rows as a text, a sheet or JSON."""
    read = OpenOptions(ReadOptions(**options))
    if kind == "csv":
        return open_text(as_csv(rows), read)
    if kind == "json":
        return open_text(json.dumps(rows), read)
    return open_file(saved(rows, path), read)


def saved(rows, path, *merged):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for cells in merged:
        book.active.merge_cells(cells)
    path = path / "t.xlsx"
    data = io.BytesIO()
    book.save(data)
    path.write_bytes(data.getvalue())
    return path


def notes(found):
    return [note for table in found.tables for note in table.notes]


KINDS = pytest.mark.parametrize("kind", ["csv", "xlsx", "json"])
