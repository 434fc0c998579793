"""Speed of reading and writing files, beside what a script would do with well-kept libraries.

Run by ``make benchmark ARGS="-k files"``. Each group holds ours and the peer on the same file;
the peer does less: it checks no count, names no place and offers no way to stop.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from core.files.label_files import LabelOptions, read_labels
from core.files.opening import open_file
from core.files.results import ScoredTable, write_scores
from core.files.sessions import SaveSession, SessionContent, SessionWriter, read_session
from core.files.writing import write_table
from core.named_table import NamedTable
from core.scoring import score
from core.studies.study import run_to_end
from core.table import ContingencyTable

ITEMS = 1_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def large() -> ContingencyTable:
    return ContingencyTable(np.random.default_rng(1).integers(0, 1_000, (2_000, 2_000)))


@pytest.fixture(scope="module")
def small() -> tuple[NamedTable, ...]:
    counts = np.random.default_rng(1).integers(0, 1_000, (5_000, 4, 4))
    return tuple(NamedTable(f"table {i}", ContingencyTable(c)) for i, c in enumerate(counts))


@pytest.fixture(scope="module")
def labels(folder) -> Path:
    rng = np.random.default_rng(1)
    columns = rng.integers(0, 12, (ITEMS, 3)).astype(str)
    path = folder / "labels.csv"
    lines = ["truth,first,second", *map(",".join, columns)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.mark.benchmark(group="files: a million labels, three columns")
class TestLabels:
    def test_tallyscope(self, benchmark, labels):
        options = LabelOptions(truth="truth", predictions=("first", "second"))
        read = benchmark.pedantic(read_labels, (labels, options), rounds=3)
        assert [t.table.total for t in read.tables] == [ITEMS, ITEMS]

    def test_csv_and_counter(self, benchmark, labels):
        def read() -> list[Counter]:
            counts: list[Counter] = [Counter(), Counter()]
            with labels.open(encoding="utf-8", newline="") as file:
                rows = csv.reader(file)
                next(rows)
                for truth, first, second in rows:
                    counts[0][truth, first] += 1
                    counts[1][truth, second] += 1
            return counts

        assert sum(benchmark.pedantic(read, rounds=3)[0].values()) == ITEMS


@pytest.mark.benchmark(group="files: a table of 2,000 x 2,000 as CSV")
class TestLargeTable:
    def test_tallyscope(self, benchmark, folder, large):
        write_table(large, folder / "large.csv")
        opened = benchmark.pedantic(open_file, (folder / "large.csv",), rounds=3)
        assert opened.tables[0].table == large

    def test_numpy_loadtxt(self, benchmark, folder, large):
        path = folder / "bare.csv"
        np.savetxt(path, large.counts, fmt="%d", delimiter=",")
        read = benchmark.pedantic(
            np.loadtxt, (path,), {"delimiter": ",", "dtype": np.int64}, rounds=3
        )
        assert (read == large.counts).all()


@pytest.mark.benchmark(group="files: a session of 5,000 tables")
class TestSession:
    def test_save(self, benchmark, folder, small):
        study = SaveSession(SessionContent(small), folder / "s.tallyscope")
        benchmark.pedantic(
            lambda: run_to_end(SaveSession(study.content, study.path)),
            rounds=3,
        )

    def test_save_again_with_one_table_changed(self, benchmark, folder, small):
        writer = SessionWriter()
        run_to_end(SaveSession(SessionContent(small), folder / "s.tallyscope", writer=writer))
        changed = (NamedTable("changed", ContingencyTable([[1]])), *small[1:])
        benchmark.pedantic(
            lambda: run_to_end(
                SaveSession(SessionContent(changed), folder / "s.tallyscope", writer=writer)
            ),
            rounds=3,
        )

    def test_read(self, benchmark, folder, small):
        run_to_end(SaveSession(SessionContent(small), folder / "s.tallyscope"))
        content = benchmark.pedantic(read_session, (folder / "s.tallyscope",), rounds=3)
        assert len(content.tables) == len(small)

    def test_json_dump(self, benchmark, folder, small):
        def dump() -> None:
            content = [
                {
                    "table": named.name,
                    "truth": named.table.truth,
                    "clusters": named.table.clusters,
                    "counts": named.table.counts.tolist(),
                }
                for named in small
            ]
            (folder / "s.json").write_text(json.dumps(content), "utf-8")

        benchmark.pedantic(dump, rounds=3)


@pytest.mark.benchmark(group="files: 100 scored tables as a workbook")
class TestWorkbook:
    def test_write(self, benchmark, folder, small):
        scored = [ScoredTable(score(named.table), named.name) for named in small[:100]]
        benchmark.pedantic(write_scores, (folder / "scores.xlsx", scored), rounds=1)

    def test_read(self, benchmark, folder, small):
        scored = [ScoredTable(score(named.table), named.name) for named in small[:100]]
        write_scores(folder / "scores.xlsx", scored)
        opened = benchmark.pedantic(open_file, (folder / "scores.xlsx",), rounds=3)
        assert len(opened.tables) == 100

    def test_openpyxl_reads_values(self, benchmark, folder, small):
        import openpyxl

        scored = [ScoredTable(score(named.table), named.name) for named in small[:100]]
        write_scores(folder / "scores.xlsx", scored)

        def read() -> int:
            book = openpyxl.load_workbook(folder / "scores.xlsx", read_only=True)
            cells = sum(len(row) for sheet in book for row in sheet.iter_rows(values_only=True))
            book.close()
            return cells

        assert benchmark.pedantic(read, rounds=3) > 0
