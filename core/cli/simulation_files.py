"""The files that the command ``simulate`` writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from core.cli.progress import Interrupt, driven
from core.cli.streams import complain

if TYPE_CHECKING:
    from core.files.writing import Saved
    from core.studies.correlations import Correlations
    from core.studies.simulation import Simulation, SimulationResult
    from core.studies.study import Study

_HINTS = {
    "tables": "'--tables-out'",
    "scores": "'--scores-out'",
    "summary": "'--summary-out'",
    "settings": "'--settings-out'",
}


@dataclass(frozen=True)
class OutFiles:
    """The files to write, by what they hold.

    Attributes
    ----------
    paths : mapping of str to str
        ``tables``, ``scores``, ``summary`` and ``settings``, those that are wanted.
    force : bool
        Whether files that exist are replaced.
    """

    paths: Mapping[str, str]
    force: bool

    def check_endings(self) -> None:
        """Raise wrong usage for an ending that says no format or a name that comes twice."""
        names = list(self.paths.values())
        for path in names:
            if names.count(path) > 1:
                raise typer.BadParameter(f"{path!r} is named twice")
        from core.files.errors import SaveError
        from core.files.simulation_scores import check_score_file
        from core.files.simulation_summary import SUFFIXES
        from core.files.simulation_tables import check_table_ending

        for what, path in self.paths.items():
            try:
                if what == "tables":
                    check_table_ending(Path(path))
                elif what == "summary":
                    _check_ending(path, SUFFIXES, what)
                elif what == "settings":
                    _check_ending(path, (".json",), what)
                elif what == "scores":
                    check_score_file(Path(path), 0)
            except SaveError as error:
                if Path(path).suffix.lower() == ".parquet" and what == "scores":
                    complain(str(error))
                    raise typer.Exit(1) from None
                fault = str(error).removesuffix(".").partition(" was not saved: ")[2]
                raise typer.BadParameter(f"{path!r}: {fault}", param_hint=_HINTS[what]) from None

    def check(self, simulation: Simulation, inputs: list[str]) -> None:
        """End the command if a file will not be written, before hours of work."""
        from core.files.errors import SaveError, plain
        from core.files.simulation_scores import check_score_file

        seen: list[Path] = []
        for what, name in self.paths.items():
            path, shown = Path(name), plain(name)
            fault = self._fault(path, seen, inputs)
            if fault is not None:
                complain(f"{shown} {fault}.")
                raise typer.Exit(1)
            if what == "scores":
                try:
                    check_score_file(path, simulation.tables)
                except SaveError as error:
                    complain(str(error))
                    raise typer.Exit(1) from None
            seen.append(path)

    def _fault(self, path: Path, seen: list[Path], inputs: list[str]) -> str | None:
        from core.files.errors import plain

        try:
            if any(path.resolve() == other.resolve() for other in seen):
                return "is named for two of the files: choose another name for one"
            if not path.parent.is_dir():
                return f"was not saved: the folder {plain(str(path.parent))} does not exist"
            if path.is_dir():
                return "is a folder: choose the name of a file"
            if not path.exists():
                return None
            for file in inputs:
                if file != "-" and Path(file).exists() and path.samefile(file):
                    return "is one of the files to read: choose another name"
        except (OSError, ValueError, RuntimeError):
            # Whoever writes says what is wrong.
            return None
        if self.force:
            return None
        return "exists already: choose another name, or replace it with --force"

    def write(
        self, result: SimulationResult, found: Sequence[Correlations], interrupt: Interrupt
    ) -> None:
        """Write them, the shortest first; ends the command if that cannot be or is stopped."""
        from core.files.errors import SaveError, plain
        from core.files.simulation_scores import SaveSimulatedScores
        from core.files.simulation_settings import SaveSettings
        from core.files.simulation_summary import SaveSimulationSummary
        from core.files.simulation_tables import SaveSimulatedTables

        studies: dict[str, Callable[[str], Study[Saved]]] = {
            "settings": lambda path: SaveSettings(result.simulation, path),
            "summary": lambda path: SaveSimulationSummary(result, path, found),
            "scores": lambda path: SaveSimulatedScores(result, path),
            "tables": lambda path: SaveSimulatedTables(result, path),
        }
        left = [what for what in studies if what in self.paths]
        failed = False
        for number, what in enumerate(left):
            try:
                _, ended = driven(studies[what](self.paths[what]), interrupt)
            except SaveError as error:
                # The others may lie elsewhere, and what was computed is not to be lost.
                complain(str(error))
                failed = True
                continue
            if not ended:
                names = ", ".join(plain(self.paths[one]) for one in left[number:])
                complain(f"Interrupted: not written: {names}.")
                raise typer.Exit(130)
        if failed:
            raise typer.Exit(1)


def _check_ending(path: str, endings: Sequence[str], what: str) -> None:
    if Path(path).suffix.lower() not in endings:
        allowed = f"{', '.join(endings[:-1])} or {endings[-1]}" if endings[1:] else endings[0]
        raise typer.BadParameter(f"give {path!r} the ending {allowed}", param_hint=_HINTS[what])
