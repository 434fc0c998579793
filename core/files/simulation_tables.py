"""The tables of a simulation as files: CSV, a line a table, or an archive of NumPy arrays."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from core.counts import IntArray
from core.files.atomic import atomic_file, encoded
from core.files.errors import SaveError, plain
from core.files.simulation_about import comments, settings_line
from core.files.writing import Saved, check_names, written
from core.simulation.around import FixedMargins, Perturbed
from core.studies.simulation import SimulationResult
from core.studies.study import Pulse, Step

SUFFIXES = (".csv", ".tsv", ".npz")
"""The endings of the files that hold simulated tables."""

# Cells written at a time: a few milliseconds.
_CELLS = 1 << 14

_MOST_NAME_BYTES = 64_000_000


@dataclass(frozen=True, eq=False)
class SaveSimulatedTables:
    """The study that writes the tables of a simulation to a file, by its ending.

    The tables are made again block by block, so that any number of them needs the memory
    of one block.

    Attributes
    ----------
    result : SimulationResult
        Of a simulation that was stopped, the tables that were scored are written.
    path : Path or str
        ``.csv``, ``.tsv`` for tabs, or ``.npz``.
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
            If the ending is another, the file cannot be written, or it cannot hold a name.
        """
        path = Path(self.path)
        check_table_ending(path)
        scenario = self.result.simulation.scenario
        if isinstance(scenario, FixedMargins | Perturbed):
            check_names(scenario.table)
        name, total = plain(path.name), self.result.done
        message = f"writing {name}"
        pulse = Pulse()
        yield Step(0, total, message)
        with atomic_file(path) as file:
            for done in self._archive(file, name) if _is_archive(path) else self._text(file, path):
                if pulse.due():
                    yield Step(done, total, message)
            stamp = written(file)
            yield Step(total, total, message)
        yield Step(total, total, f"wrote {name}", result=Saved(path, stamp, total))

    def _blocks(self) -> Iterator[IntArray]:
        """Yield the tables as they were made, shape (k, r, c)."""
        simulation = self.result.simulation
        for block, size in simulation.scenario.blocks(self.result.done):
            yield simulation.scenario.make(simulation.seed, block, size)

    def _text(self, file: BinaryIO, path: Path) -> Iterator[int]:
        """Write text, and yield how many tables are written."""
        separator = "\t" if path.suffix.lower() == ".tsv" else ","
        for line in comments("tables", self.result, separator):
            file.write(encoded(line, path))
            yield 0
        for piece in _header(*self.result.simulation.scenario.names, separator):
            file.write(encoded(piece, path))
            yield 0
        done = 0
        for made in self._blocks():
            for cells in made.reshape(len(made), -1):
                done += 1
                file.write(str(done).encode("ascii"))
                for start in range(0, len(cells), _CELLS):
                    counts = cells[start : start + _CELLS].tolist()
                    text = separator + separator.join(map(str, counts))
                    file.write(text.encode("ascii"))
                    yield done
                file.write(b"\n")

    def _archive(self, file: BinaryIO, name: str) -> Iterator[int]:
        """Write arrays, and yield how many tables are written."""
        simulation = self.result.simulation
        rows, columns = simulation.scenario.shape
        names = [_names(texts, what, name) for what, texts in _named(simulation.scenario.names)]
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            with _member(archive, "tables") as member:
                member.write(_npy_header((self.result.done, rows, columns), np.dtype("<i8")))
                done = 0
                for made in self._blocks():
                    flat = made.reshape(-1)
                    for start in range(0, len(flat), _CELLS):
                        part = flat[start : start + _CELLS].astype("<i8", copy=False)
                        member.write(part.tobytes())
                        yield min(done + start // (rows * columns), self.result.done)
                    done += len(made)
            more = (
                ("truth", names[0]),
                ("clusters", names[1]),
                ("settings", np.array(settings_line(simulation))),
                ("about", np.array("".join(comments("tables", self.result, "\t")))),
            )
            for key, array in more:
                with _member(archive, key) as member:
                    member.write(_npy_header(array.shape, array.dtype))
                    data = array.tobytes()
                    for start in range(0, len(data), 8 * _CELLS):
                        member.write(data[start : start + 8 * _CELLS])
                        yield self.result.done


def check_table_ending(path: Path) -> None:
    """Raise SaveError unless simulated tables can be written to a file of this ending."""
    if path.suffix.lower() not in SUFFIXES:
        raise SaveError(
            f"{plain(path.name)} was not saved: give the tables the ending "
            f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}."
        )


def _is_archive(path: Path) -> bool:
    return path.suffix.lower() == ".npz"


def cell_name(truth: str, cluster: str) -> str:
    r"""Return the name of the column of a cell.

    A bar or a backslash within a name has a backslash before it, so that names with bars
    stay apart.

    >>> cell_name("cat", "0"), cell_name("a|b", "c")
    ('cat|0', 'a\\|b|c')
    """
    return f"{_escaped(truth)}|{_escaped(cluster)}"


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace("|", "\\|")


def _header(truth: Sequence[str], clusters: Sequence[str], separator: str) -> Iterator[str]:
    yield "table"
    for one in truth:
        for start in range(0, len(clusters), _CELLS):
            part = clusters[start : start + _CELLS]
            yield separator + separator.join(always_quoted(cell_name(one, c)) for c in part)
    yield "\n"


def always_quoted(text: str) -> str:
    """Return a text in quotation marks unless it is quite plain.

    Readers that skip comments take a # in a name for the beginning of one.
    """
    if all(character.isalnum() or character in "_|-. " for character in text):
        return text
    return '"' + text.replace('"', '""') + '"'


def _named(names: tuple[Sequence[str], Sequence[str]]) -> Iterator[tuple[str, Sequence[str]]]:
    return zip(("truth classes", "clusters"), names, strict=True)


def _names(names: Sequence[str], what: str, file: str) -> npt.NDArray[Any]:
    """Return names as an array, in which each takes the room of the longest."""
    longest = max(map(len, names), default=0)
    if 4 * longest * len(names) > _MOST_NAME_BYTES:
        raise SaveError(
            f"{file} was not saved: a name of the {what} has {longest:,} characters, and an array "
            "would make all as long: shorten it, or save the tables as .csv."
        )
    return np.array(list(names), dtype=f"<U{max(longest, 1)}")


def _member(archive: zipfile.ZipFile, key: str) -> Any:
    # A fixed date: the same simulation is the same file.
    info = zipfile.ZipInfo(f"{key}.npy")
    info.compress_type = zipfile.ZIP_DEFLATED
    info._compresslevel = 1  # type: ignore[attr-defined]
    info.external_attr = 0o600 << 16
    return archive.open(info, "w", force_zip64=True)


def _npy_header(shape: tuple[int, ...], dtype: np.dtype[Any]) -> bytes:
    buffer = io.BytesIO()
    about = {
        "descr": np.lib.format.dtype_to_descr(dtype),
        "fortran_order": False,
        "shape": shape,
    }
    np.lib.format.write_array_header_1_0(buffer, about)
    return buffer.getvalue()
