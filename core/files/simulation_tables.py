"""The tables of a simulation as a file: CSV, a line a table, or NPZ."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from core.counts import IntArray
from core.files.atomic import atomic_file, encoded
from core.files.errors import SaveError, plain
from core.files.simulation_about import comments, settings_line
from core.files.writing import Saved, quoted, written
from core.studies.simulation import SimulationResult
from core.studies.study import Pulse, Step

SUFFIXES = (".csv", ".tsv", ".npz")

# Counts written at a time: some milliseconds' work.
_PIECE = 1 << 14


@dataclass(frozen=True, eq=False)
class SaveSimulatedTables:
    """The study that writes all tables of a simulation to a file, made again from the seed.

    CSV and TSV have a line a table: its number from 1, then its counts row by row, in columns
    named ``class|cluster``. NPZ has ``tables`` of shape (n, r, c), int64, ``truth`` and
    ``clusters`` with the names, and ``settings``, which run the simulation again.

    Attributes
    ----------
    result : SimulationResult
        The tables that it has scored are written.
    path : Path or str
        Ends with ``.csv``, ``.tsv`` or ``.npz``.
    """

    result: SimulationResult
    path: Path | str

    def run(self) -> Generator[Step[Saved], None, None]:
        """Write, with a step every twentieth of a second; the last has the `Saved` file.

        Raises
        ------
        SaveError
            If the suffix is another, or the file cannot be written; then it is as it was.
        """
        path = Path(self.path)
        name = plain(path.name)
        suffix = path.suffix.lower()
        if suffix not in SUFFIXES:
            raise SaveError(f"{name} was not saved: tables are a .csv, .tsv or .npz file.")
        n = self.result.done
        message = f"writing {name}"
        pulse = Pulse()
        write = self._as_npz if suffix == ".npz" else self._as_text
        with atomic_file(path) as file:
            for done in write(file, path):
                if pulse.due():
                    yield Step(done, n, message)
            stamp = written(file)
            yield Step(n, n, message)
        yield Step(n, n, f"wrote {name}", result=Saved(path, stamp, n))

    def _blocks(self) -> Iterator[IntArray]:
        simulation = self.result.simulation
        for block, size in simulation.scenario.blocks(self.result.done):
            yield simulation.scenario.make(simulation.seed, block, size)

    def _as_text(self, file: BinaryIO, path: Path) -> Iterator[int]:
        separator = "\t" if path.suffix.lower() == ".tsv" else ","
        truth, clusters = self.result.simulation.scenario.names
        for line in comments("tables", self.result, separator):
            file.write(encoded(line, path))
        names = (quoted(plain(f"{row}|{column}")) for row in truth for column in clusters)
        file.write(encoded(separator.join(["table", *names]) + "\n", path))
        done = 0
        for block in self._blocks():
            cells = block.shape[1] * block.shape[2]
            step = max(_PIECE // cells, 1)
            for start in range(0, len(block), step):
                lines = []
                for counts in block[start : start + step].reshape(-1, cells).tolist():
                    done += 1
                    lines.append(f"{done}{separator}{separator.join(map(str, counts))}\n")
                file.write("".join(lines).encode("ascii"))
                yield done

    def _as_npz(self, file: BinaryIO, _path: Path) -> Iterator[int]:
        simulation = self.result.simulation
        rows, columns = simulation.scenario.shape
        truth, clusters = simulation.scenario.names
        done = 0
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
            with archive.open("tables.npy", "w", force_zip64=True) as member:
                member.write(_header(np.dtype("<i8"), (self.result.done, rows, columns)))
                for block in self._blocks():
                    step = max(_PIECE // (rows * columns), 1)
                    for start in range(0, len(block), step):
                        part = block[start : start + step]
                        member.write(np.ascontiguousarray(part, "<i8").tobytes())
                        done += len(part)
                        yield done
            for name, texts in (
                ("truth", truth),
                ("clusters", clusters),
                ("settings", settings_line(simulation)),
            ):
                archive.writestr(f"{name}.npy", _array(np.array(texts)))
                yield done


def _header(kind: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        buffer, {"descr": kind.str, "fortran_order": False, "shape": shape}
    )
    return buffer.getvalue()


def _array(array: npt.NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=False)
    return buffer.getvalue()
