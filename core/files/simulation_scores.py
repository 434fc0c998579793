"""The scores of a simulation as a file, a line a table."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from core.files.atomic import atomic_file, encoded
from core.files.errors import SaveError, plain
from core.files.simulation_about import about, comments, settings_line
from core.files.simulation_marks import ABOUT_SHEET
from core.files.workbook_cells import Styles
from core.files.writing import Saved, written
from core.studies.simulation import SimulationResult
from core.studies.study import Pulse, Step
from core.version import PROGRAM, __version__

SUFFIXES = (".csv", ".tsv", ".xlsx", ".parquet")

# Lines written at a time: some milliseconds' work.
_PIECE = 2000
_SHEET_ROWS = 1_048_575


@dataclass(frozen=True, eq=False)
class SaveSimulatedScores:
    """The study that writes the scores of a simulation, every digit of them.

    Columns are ``table``, the number from 1, and the keys of the metrics; a score that does
    not exist is blank.

    Attributes
    ----------
    result : SimulationResult
    path : Path or str
        Ends with ``.csv``, ``.tsv``, ``.xlsx`` or ``.parquet``.
    """

    result: SimulationResult
    path: Path | str

    def run(self) -> Generator[Step[Saved], None, None]:
        """Write, with a step every twentieth of a second; the last has the `Saved` file.

        Raises
        ------
        SaveError
            If the suffix is another, a sheet cannot hold so many lines, Parquet needs what is
            not installed, or the file cannot be written; then it is as it was.
        """
        path = Path(self.path)
        name, suffix = plain(path.name), path.suffix.lower()
        n = self.result.done
        if suffix not in SUFFIXES:
            raise SaveError(
                f"{name} was not saved: scores are a .csv, .tsv, .xlsx or .parquet file."
            )
        if suffix == ".xlsx" and n > _SHEET_ROWS:
            raise SaveError(
                f"{name} was not saved: a sheet has at most {_SHEET_ROWS:,} lines below its "
                f"head, and there are {n:,} tables. Choose CSV."
            )
        write = {".xlsx": self._as_workbook, ".parquet": self._as_parquet}.get(
            suffix, self._as_text
        )
        message = f"writing {name}"
        pulse = Pulse()
        with atomic_file(path) as file:
            for done in write(file, path):
                if pulse.due():
                    yield Step(done, n, message)
            stamp = written(file)
            yield Step(n, n, message)
        yield Step(n, n, f"wrote {name}", result=Saved(path, stamp))

    def _pieces(self) -> Iterator[tuple[int, list[list[float]]]]:
        """Yield the number before each piece, and its lines of scores."""
        for start in range(0, self.result.done, _PIECE):
            yield start, self.result.values[:, start : start + _PIECE].T.tolist()

    def _as_text(self, file: BinaryIO, path: Path) -> Iterator[int]:
        separator = "\t" if path.suffix.lower() == ".tsv" else ","
        for line in comments("scores", self.result, separator):
            file.write(encoded(line, path))
        file.write(encoded(separator.join(["table", *self.result.keys]) + "\n", path))
        for start, lines in self._pieces():
            texts = [
                separator.join(
                    [str(number), *("" if score != score else repr(score) for score in line)]
                )
                for number, line in enumerate(lines, start=start + 1)
            ]
            file.write(("\n".join(texts) + "\n").encode("ascii"))
            yield start + len(lines)

    def _as_workbook(self, file: BinaryIO, _path: Path) -> Iterator[int]:
        from openpyxl import Workbook

        book = Workbook(write_only=True)
        styles = Styles(book)
        sheet = book.create_sheet("scores")
        sheet.freeze_panes = "B2"
        cells = styles.on(sheet)
        sheet.append([cells.text(head, bold=True) for head in ("table", *self.result.keys)])
        for start, lines in self._pieces():
            for number, line in enumerate(lines, start=start + 1):
                sheet.append([number, *(cells.value(_cell(score)) for score in line)])
            yield start + len(lines)
        sheet = book.create_sheet(ABOUT_SHEET)
        sheet.column_dimensions["A"].width = 16
        cells = styles.on(sheet)
        sheet.append([cells.text(f"{PROGRAM} simulation scores"), cells.text(__version__)])
        for key, text in about(self.result):
            # A long text takes several cells.
            sheet.append([cells.text(key), *cells.texts(plain(text))])
        book.save(file)

    def _as_parquet(self, file: BinaryIO, path: Path) -> Iterator[int]:
        try:
            import pyarrow  # type: ignore[import-not-found]
            import pyarrow.parquet  # type: ignore[import-not-found]
        except ImportError:
            raise SaveError(
                f"{plain(path.name)} was not saved: Parquet needs the package pyarrow, which is "
                "not there. Choose CSV, or install it."
            ) from None
        numbers = np.arange(1, self.result.done + 1)
        columns: dict[str, Any] = {"table": numbers}
        columns |= dict(zip(self.result.keys, self.result.values, strict=True))
        table = pyarrow.table(columns)
        table = table.replace_schema_metadata(
            {f"{PROGRAM} {__version__} simulation": settings_line(self.result.simulation)}
        )
        pyarrow.parquet.write_table(table, file)
        yield self.result.done


def _cell(score: float) -> float | str | None:
    """Return a score as a cell; what a sheet has no number for, as text."""
    if score != score:
        return None
    return str(score) if np.isinf(score) else score
