"""Scored tables as an XLSX workbook, in pieces, so that it can be stopped."""

from __future__ import annotations

import contextlib
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from core.files.conventions import conventions
from core.files.errors import sentence
from core.files.layout import CORNER
from core.files.scored import (
    ScoredTable,
    common_options,
    keys_of,
    names_apart,
    noise_conventions,
    number,
    row_keys,
    score_of,
    table_keys,
)
from core.files.sheet_places import SUM
from core.files.sheet_record import RECORD_COLUMNS, cell_json
from core.files.workbook_cells import SAFE_INT, Cells, Styles
from core.files.workbook_limits import (
    MOST_TEXT,
    RECORD_SHEET,
    check_fits,
    harmless,
    sheet_names,
)
from core.heat_colors import heat
from core.metrics.catalogue import METRICS
from core.scores import cautions
from core.table import ContingencyTable
from core.version import PROGRAM, __version__

MOST_COLOURED = 100_000
"""Cells of a table that are coloured; a larger table is written without colours."""

_PIECE = 1 << 16

_NOISE_FIELDS = ("choice", "labels", "items", "lost", "of")


# Widths of columns, in signs.
_NAME_WIDTH = 24
_LEAST_WIDTH = 12
_MOST_WIDTH = 40


class WorkbookExport:
    """A workbook of scored tables; a context that leaves no temporary file behind.

    The first sheet compares the tables, then each has a sheet of its own. A hidden sheet,
    `RECORD_SHEET`, says where each table stands and what is known of it, so that it opens
    again: one row a table with the columns ``sheet``, ``range`` (header line and names
    included, sums excluded), ``name``, ``source`` and, empty where the table was not made
    from labels, ``noise_choice``, ``noise_labels`` (a JSON list), ``noise_items``,
    ``noise_lost`` and ``noise_of``; then ``notes`` (a JSON list), and ``name_exact`` and
    ``source_exact`` (JSON) where a cell cannot hold the name and the source as they are.

    Parameters
    ----------
    results : sequence of ScoredTable
        One or more, all with the same options.
    name : str
        What messages call the file.

    Raises
    ------
    SaveError
        If a table or a name is more than a sheet can hold.
    """

    def __init__(self, results: Sequence[ScoredTable], name: str) -> None:
        for result in results:
            check_fits(result, name, len(_about(result)))
        self._results = results
        self._sheet_names = sheet_names(results)
        self._book: Any = None

    def __enter__(self) -> WorkbookExport:
        from openpyxl import Workbook

        self._book = Workbook(write_only=True)
        self._styles = Styles(self._book)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        discard_sheets(self._book)

    def write(self, file: BinaryIO) -> Iterator[int]:
        """Write the workbook, and yield now and then how many rows of tables are written."""
        from openpyxl.utils import get_column_letter
        from openpyxl.writer.excel import ExcelWriter

        done = 0
        with zip_archive(file) as archive:
            for title, lines, widths in self._sheets():
                sheet = self._book.create_sheet(title)
                # The names stay in sight; what stands above the counts is too high to stay.
                sheet.freeze_panes = "B1"
                for number, width in enumerate(widths, start=1):
                    sheet.column_dimensions[get_column_letter(number)].width = width
                if title == RECORD_SHEET:
                    sheet.sheet_state = "hidden"
                for cells in lines(sheet):
                    sheet.append(cells)
                    done += 1
                    yield done
                sheet.close()
                for _ in move_sheet(self._book, sheet, archive):
                    yield done
            ExcelWriter(self._book, archive).write_data()
        yield done

    def _sheets(self) -> Iterator[tuple[str, Any, Sequence[int]]]:
        scores = [_LEAST_WIDTH] * len(table_keys(self._results))
        names = _width([result.name for result in self._results], _NAME_WIDTH)
        sources = _width([result.source or "" for result in self._results], _NAME_WIDTH)
        yield "Summary", self._summary, [names, sources, *[_LEAST_WIDTH] * 3, *scores]
        for result, title in zip(self._results, self._sheet_names, strict=True):
            yield title, lambda sheet, result=result: self._table(sheet, result), _widths(result)
        yield RECORD_SHEET, self._record, (_NAME_WIDTH,)

    # Each line is made when it is written: a large table never stands in cells as a whole.

    def _summary(self, sheet: Any) -> Iterator[list[Any]]:
        cells = self._styles.on(sheet)
        results = self._results
        options = common_options(results)
        yield [cells.text(f"{PROGRAM} scored tables", bold=True)]
        yield [cells.text(__version__)]
        for option, value in asdict(options).items():
            yield [cells.text(option), cells.value(value)]
        for said in [*conventions(options, keys_of(results)), *noise_conventions(results)]:
            yield [cells.text("convention"), *cells.texts(said)]
        yield []
        keys = table_keys(results)
        yield [None] * 5 + [cells.text(METRICS[key].name) for key in keys]
        heads = ("name", "source", "classes", "clusters", "N", *keys)
        yield [cells.text(head, bold=True) for head in heads]
        reasons = []
        for i, (result, called) in enumerate(zip(results, names_apart(results), strict=True)):
            table = result.scores.table
            found = [score_of(result, key) for key in keys]
            yield [
                *(cells.text(harmless(text)) for text in (called, result.source or "")),
                *(cells.value(n) for n in (*table.shape, table.total)),
                *(cells.value(value) for value, _ in found),
            ]
            reasons += [(i, key, why) for key, (_, why) in zip(keys, found, strict=True) if why]
        if reasons:
            yield []
            yield [cells.text(head, bold=True) for head in ("undefined in", "metric", "reason")]
        for i, key, why in reasons:
            name = results[i].name or self._sheet_names[i]
            yield [cells.text(harmless(name)), cells.text(key), cells.text(why)]
        names = [r.name or sheet for r, sheet in zip(results, self._sheet_names, strict=True)]
        warnings = cautions(names, [result.scores for result in results], keys)
        if warnings:
            yield []
        for caution in warnings:
            yield [cells.text("warning"), cells.text(harmless(sentence(caution)))]

    def _table(self, sheet: Any, result: ScoredTable) -> Iterator[Iterable[Any]]:
        cells = self._styles.on(sheet)
        table = result.scores.table
        yield from ([cells.text(head), *cells.texts(said)] for head, said in _about(result))
        yield []
        yield [
            cells.text(CORNER, bold=True),
            *(cells.text(name, bold=True) for name in table.clusters),
            cells.text(SUM, bold=True),
        ]
        coloured = _is_coloured(table)
        sums = table.row_sums.tolist()
        for i, counts in enumerate(table.counts):
            row = counts.tolist()
            peaks = result.scores.peak_clusters[i]
            yield _row(cells, table.truth[i], row, sums[i], peaks, coloured)
        last = [*table.column_sums.tolist(), table.total]
        yield [cells.text(SUM, bold=True), *(cells.value(n) for n in last)]
        yield []
        yield [cells.text(head, bold=True) for head in ("metric", "value", "name", "note")]
        for key in table_keys([result]):
            value, why = score_of(result, key)
            yield [
                cells.text(key),
                cells.value(value),
                cells.text(METRICS[key].name),
                cells.text(why),
            ]
        yield []
        keys = row_keys(result.scores)
        heads = ("truth", "size", *keys, "peak_clusters")
        yield [cells.text(head, bold=True) for head in heads]
        by_row = [result.scores.by_row(key).tolist() for key in keys]
        for i, peaks in enumerate(result.scores.peak_clusters):
            yield [
                cells.text(table.truth[i]),
                cells.value(sums[i]),
                *(cells.value(number(values[i])) for values in by_row),
                # A cell for each: names in one cell could not be told apart.
                *(cells.text(table.clusters[column]) for column in peaks),
            ]

    def _record(self, sheet: Any) -> Iterator[list[Any]]:
        cells = self._styles.on(sheet)
        yield [cells.text(head) for head in RECORD_COLUMNS]
        for result, title in zip(self._results, self._sheet_names, strict=True):
            table = result.scores.table
            top = len(_about(result)) + 2
            line = [title, _range(top, table), harmless(result.name)]
            line.append(harmless(result.source or ""))
            noise: list[Any] = [None] * len(_NOISE_FIELDS)
            if table.noise is not None:
                parts = {**asdict(table.noise), "labels": cell_json(table.noise.labels)}
                noise = [cells.value(parts[part]) for part in _NOISE_FIELDS]
            exact = [
                None if harmless(text) == text else cell_json(text)
                for text in (result.name, result.source or "")
            ]
            more = [_noted(result.notes), *exact]
            yield [*map(cells.text, line), *noise, *map(cells.value, more)]


def _about(result: ScoredTable) -> list[tuple[str, str]]:
    """Return the lines above a table."""
    lines = [
        ("name", result.name),
        ("source", result.source or ""),
        ("rows", "truth classes"),
        ("columns", "clusters"),
        *(("note", sentence(note)) for note in result.notes),
        *(("warning", sentence(warning)) for warning in result.scores.warnings),
    ]
    if not _is_coloured(result.scores.table):
        lines.append(
            ("note", f"The table has more than {MOST_COLOURED:,} cells: they are not coloured.")
        )
    return lines


def _noted(notes: Sequence[str]) -> str | None:
    """Return notes as the record holds them; of too many for one cell, the first."""
    kept = list(notes)
    while len(text := cell_json(kept)) > MOST_TEXT:
        kept.pop()
    return text if kept else None


def _is_coloured(table: ContingencyTable) -> bool:
    return table.shape[0] * table.shape[1] <= MOST_COLOURED


def _row(
    cells: Cells, name: str, row: list[int], total: int, peaks: Sequence[int], coloured: bool
) -> Iterator[Any]:
    yield cells.text(name, bold=True)
    at_peak = frozenset(peaks)
    largest = row[peaks[0]] if peaks else 0
    for column, count in enumerate(row):
        if coloured or column in at_peak:
            fill = heat(count, largest) if coloured else None
            yield cells.value(count, fill, framed=column in at_peak)
        elif count > SAFE_INT:
            yield cells.value(count)
        else:
            # A plain number is written several times faster than a cell.
            yield count
    yield cells.value(total)


def _range(top: int, table: ContingencyTable) -> str:
    from openpyxl.utils import get_column_letter

    return f"A{top}:{get_column_letter(table.shape[1] + 1)}{top + table.shape[0]}"


class _Archive(zipfile.ZipFile):
    """A zip file that takes what it has already from nobody again."""

    def write(self, filename: Any, arcname: Any = None, *args: Any, **more: Any) -> None:
        if arcname not in self.NameToInfo:
            super().write(filename, arcname, *args, **more)


def zip_archive(file: BinaryIO) -> zipfile.ZipFile:
    """Return the archive of a workbook, into which its sheets can be moved."""
    return _Archive(file, "w", zipfile.ZIP_DEFLATED, allowZip64=True)


def move_sheet(book: Any, sheet: Any, archive: zipfile.ZipFile) -> Iterator[None]:
    """Compress the last sheet of a book into the archive piece by piece, and empty its file.

    openpyxl would do it in one call at the end.
    """
    source = Path(sheet._writer.out)
    name = f"xl/worksheets/sheet{len(book.worksheets)}.xml"
    with source.open("rb") as reader, archive.open(name, "w", force_zip64=True) as target:
        while piece := reader.read(_PIECE):
            target.write(piece)
            yield
    source.write_bytes(b"")


def discard_sheets(book: Any) -> None:
    """Remove the temporary files of a book's sheets."""
    for sheet in book.worksheets:
        writer = sheet._writer
        if writer is None or not Path(writer.out).exists():
            continue
        # Whoever was stopped, or met a full disk, has sheets that are not closed; one that was
        # stopped in the middle of a row cannot be closed in order.
        with contextlib.suppress(OSError, StopIteration, RuntimeError, ValueError):
            if not sheet.closed:
                sheet.close()
        with contextlib.suppress(OSError):
            writer.cleanup()


def _widths(result: ScoredTable) -> list[int]:
    """Return the widths of the columns of a table: names and sums are whole, up to a bound."""
    table = result.scores.table
    return [
        _width(table.truth, _NAME_WIDTH),
        *(
            _width([name, str(total)], _LEAST_WIDTH)
            for name, total in zip(table.clusters, table.column_sums.tolist(), strict=True)
        ),
        _width([str(table.total)], _LEAST_WIDTH),
    ]


def _width(texts: Sequence[str], least: int) -> int:
    return min(max([least, *(len(text) + 2 for text in texts)]), _MOST_WIDTH)
