"""Temporary."""

from dataclasses import dataclass, field
from pathlib import Path

from core.files.stamp import Stamp
from core.files.tables import ParsedTable, ReadOptions, TableFile
from core.named_table import NamedTable
from core.studies.study import Step


@dataclass(frozen=True)
class OpenOptions:
    table: ReadOptions = field(default_factory=ReadOptions)


@dataclass(frozen=True)
class Opened:
    tables: tuple[NamedTable, ...]
    parsed: ParsedTable | None = None
    stamp: Stamp | None = None
    is_export: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class OpenFile:
    path: Path
    options: OpenOptions

    def run(self):
        for step in TableFile(self.path, self.options.table).run():
            if step.result is None:
                yield step
            else:
                parsed = step.result
                name = self.path.stem
                if parsed.is_export:
                    name = name.removesuffix(" scores")
                named = NamedTable(name, parsed.table, self.path.name, parsed.notes)
                yield Step(
                    1, 1, "x", result=Opened((named,), parsed, parsed.stamp, parsed.is_export)
                )
