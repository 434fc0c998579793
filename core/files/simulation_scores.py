"""The scores of a simulation as files: CSV, TSV, XLSX or Parquet, a line a table."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from core.files.atomic import atomic_file, encoded
from core.files.errors import SaveError, plain
from core.files.simulation_about import about, comments
from core.files.simulation_marks import ABOUT_SHEET
from core.files.workbook_cells import SAFE_INT, Styles
from core.files.workbook_export import discard_sheets, move_sheet, zip_archive
from core.files.writing import Saved, written
from core.metrics.catalogue import METRICS
from core.studies.simulation import SimulationResult
from core.studies.study import Pulse, Step
from core.version import PROGRAM, __version__

SUFFIXES = (".csv", ".tsv", ".xlsx", ".parquet")
"""The endings of the files that hold the scores of simulated tables."""

MOST_SHEET_ROWS = 1_048_575
"""Tables whose scores a sheet holds: one line is the header."""

# Tables whose scores are written at a time: a few milliseconds.
_LINES = 500
_GROUP = 1 << 16


@dataclass(frozen=True, eq=False)
class SaveSimulatedScores:
    """The study that writes the scores of a simulation to a file, by its ending.

    A line holds the number of a table, from 1, and its scores; ``result.tables([n - 1])``
    makes table n again. A score that does not exist is empty.

    Attributes
    ----------
    result : SimulationResult
    path : Path or str
        ``.csv``, ``.tsv`` for tabs, ``.xlsx``, or ``.parquet`` where pyarrow is installed.
    """

    result: SimulationResult
    path: Path | str

    def run(self) -> Generator[Step[Saved], None, None]:
        """Write, with a step every twentieth of a second; the last has the `Saved` file.

        The file is replaced between the last two steps; who stops before leaves it as
        it was.

        Raises
        ------
        SaveError
            If the file cannot be written, or does not hold so many scores.
        """
        path = Path(self.path)
        check_score_file(path, self.result.done)
        name, total = plain(path.name), self.result.done
        message = f"writing {name}"
        pulse = Pulse()
        yield Step(0, total, message)
        with atomic_file(path) as file:
            for done in self._written(file, path):
                if pulse.due():
                    yield Step(min(done, total), total, message)
            stamp = written(file)
            yield Step(total, total, message)
        yield Step(total, total, f"wrote {name}", result=Saved(path, stamp, total))

    def _written(self, file: BinaryIO, path: Path) -> Iterator[int]:
        suffix = path.suffix.lower()
        if suffix == ".xlsx":
            return self._workbook(file)
        if suffix == ".parquet":
            return self._parquet(file)
        return self._text(file, path, "\t" if suffix == ".tsv" else ",")

    def _text(self, file: BinaryIO, path: Path, separator: str) -> Iterator[int]:
        result = self.result
        for line in comments("scores", result, separator):
            file.write(encoded(line, path))
            yield 0
        file.write((separator.join(("table", *result.keys)) + "\n").encode("ascii"))
        whole = [METRICS[key].whole for key in result.keys]
        for start in range(0, result.done, _LINES):
            rows = result.values[:, start : start + _LINES].T.tolist()
            lines = []
            for number, row in enumerate(rows, start=start + 1):
                cells = map(written_score, row, whole)
                lines.append(f"{number}{separator}{separator.join(cells)}\n")
            file.write("".join(lines).encode("ascii"))
            yield start + len(rows)

    def _workbook(self, file: BinaryIO) -> Iterator[int]:
        from openpyxl import Workbook
        from openpyxl.utils import get_column_letter
        from openpyxl.writer.excel import ExcelWriter

        result = self.result
        book = Workbook(write_only=True)
        styles = Styles(book)
        whole = [METRICS[key].whole for key in result.keys]
        try:
            with zip_archive(file) as archive:
                sheet = book.create_sheet("Scores")
                sheet.freeze_panes = "B2"
                for column in range(len(result.keys) + 1):
                    sheet.column_dimensions[get_column_letter(column + 1)].width = 22
                cells = styles.on(sheet)
                sheet.append([cells.text(head, bold=True) for head in ("table", *result.keys)])
                for start in range(0, result.done, _LINES):
                    rows = result.values[:, start : start + _LINES].T.tolist()
                    for number, row in enumerate(rows, start=start + 1):
                        values = map(_sheet_value, row, whole)
                        sheet.append([number, *map(cells.value, values)])
                        yield number
                sheet.close()
                for _ in move_sheet(book, sheet, archive):
                    yield result.done
                sheet = book.create_sheet(ABOUT_SHEET)
                sheet.column_dimensions["A"].width = 22
                cells = styles.on(sheet)
                for key, text in (("program", f"{PROGRAM} {__version__}"), *about(result)):
                    sheet.append([cells.text(key), *cells.texts(text)])
                sheet.close()
                for _ in move_sheet(book, sheet, archive):
                    yield result.done
                ExcelWriter(book, archive).write_data()
        finally:
            discard_sheets(book)

    def _parquet(self, file: BinaryIO) -> Iterator[int]:
        arrow, parquet = _pyarrow("pyarrow"), _pyarrow("pyarrow.parquet")
        result = self.result
        said = {"program": f"{PROGRAM} {__version__}"}
        for key, text in about(result):
            said[key] = f"{said[key]}\n{text}" if key in said else text
        columns = [("table", arrow.int64()), *((key, arrow.float64()) for key in result.keys)]
        schema = arrow.schema(columns, metadata={f"tallyscope.{k}": v for k, v in said.items()})
        with parquet.ParquetWriter(file, schema) as writer:
            for start in range(0, result.done, _GROUP):
                part = result.values[:, start : start + _GROUP]
                numbers = np.arange(start + 1, start + part.shape[1] + 1, dtype=np.int64)
                # A score that does not exist is null, as in the other files.
                scores = [arrow.array(np.ascontiguousarray(v), from_pandas=True) for v in part]
                writer.write_table(
                    arrow.Table.from_arrays([arrow.array(numbers), *scores], schema=schema)
                )
                yield start + part.shape[1]


def check_score_file(path: Path, tables: int) -> None:
    """Raise SaveError unless the scores of so many tables can be written to such a file.

    Parameters
    ----------
    path : Path
        Only its ending is looked at.
    tables : int
    """
    name, suffix = plain(path.name), path.suffix.lower()
    if suffix not in SUFFIXES:
        raise SaveError(
            f"{name} was not saved: give the scores the ending "
            f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}."
        )
    if suffix == ".xlsx" and tables > MOST_SHEET_ROWS:
        raise SaveError(
            f"{name} was not saved: a sheet holds the scores of {MOST_SHEET_ROWS:,} tables, not of "
            f"{tables:,}: save them as .csv."
        )
    if suffix == ".parquet":
        try:
            _pyarrow("pyarrow.parquet")
        except ImportError:
            raise SaveError(
                f"{name} was not saved: the Python package pyarrow writes Parquet files: install "
                "it, or save the scores as .csv."
            ) from None


def _pyarrow(module: str) -> Any:
    return import_module(module)


def written_score(value: float, whole: bool = False) -> str:
    """Return a score with every digit: nothing for NaN, a whole number without its point."""
    if math.isnan(value):
        return ""
    return str(int(value)) if whole and abs(value) < SAFE_INT else repr(value)


def _sheet_value(value: float, whole: bool) -> float | int | str | None:
    if math.isnan(value):
        return None
    if math.isinf(value):
        return repr(value)
    return int(value) if whole and abs(value) < SAFE_INT else value
