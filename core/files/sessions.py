"""Temporary."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from core.files.atomic import atomic_file
from core.files.stamp import stamp_of
from core.files.writing import Saved, written
from core.metrics.metric import ScoreOptions
from core.named_table import NamedTable
from core.studies.study import Step, run_to_end
from core.table import ContingencyTable


@dataclass(frozen=True)
class SessionContent:
    tables: tuple[NamedTable, ...]
    current: int = 0
    baseline: int | None = None
    options: ScoreOptions = field(default_factory=ScoreOptions)
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class OpenedSession:
    content: SessionContent
    stamp: Any


@dataclass(frozen=True)
class SaveSession:
    content: SessionContent
    path: Path

    def run(self):
        c = self.content
        yield Step(0, 1, "saving")
        d = dict(
            tables=[
                dict(
                    name=t.name,
                    truth=t.table.truth,
                    clusters=t.table.clusters,
                    counts=t.table.counts.tolist(),
                )
                for t in c.tables
            ],
            current=c.current,
            baseline=c.baseline,
            options=asdict(c.options),
            columns=c.columns,
        )
        with atomic_file(self.path) as file:
            file.write(json.dumps(d).encode())
            stamp = written(file)
            yield Step(1, 1, "saving")
        yield Step(1, 1, "saved", result=Saved(Path(self.path), stamp))


@dataclass(frozen=True)
class ReadSession:
    path: Path

    def run(self):
        yield Step(0, 1, "reading")
        d = json.loads(self.path.read_text())
        tables = tuple(
            NamedTable(t["name"], ContingencyTable(t["counts"], t["truth"], t["clusters"]))
            for t in d["tables"]
        )
        c = SessionContent(
            tables, d["current"], d["baseline"], ScoreOptions(**d["options"]), tuple(d["columns"])
        )
        yield Step(1, 1, "read", result=OpenedSession(c, stamp_of(self.path.stat())))


def read_session(path):
    return run_to_end(ReadSession(Path(path)))


def write_session(content, path):
    return run_to_end(SaveSession(content, path))
