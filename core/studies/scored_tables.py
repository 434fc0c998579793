"""The complete scores of several tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.files.scored import ScoredTable
from core.metrics.metric import ScoreOptions
from core.named_table import NamedTable
from core.ordering import ColumnsBy, OrderTable, RowsBy, TableOrder
from core.scores import Scores
from core.scoring import score_in_parts
from core.studies.study import Step
from core.table import ContingencyTable


@dataclass(frozen=True)
class ScoredTables:
    """Score tables completely, one after the other.

    Attributes
    ----------
    tables : sequence of NamedTable
    options : ScoreOptions
    known : sequence of Scores
        Scores that are there already; those of the same table and options are taken over.
    keys : sequence of str, optional
        The metrics wanted; all that are computed without being asked for by default.
    rows, columns : str
        The order in which papers show classes and clusters, as in `core.ordering.OrderTable`.
    on_screen : (ContingencyTable, TableOrder), optional
        A table whose order is there already: on the screen it does not follow every count.
    """

    tables: Sequence[NamedTable]
    options: ScoreOptions = field(default_factory=ScoreOptions)
    known: Sequence[Scores] = ()
    keys: Sequence[str] | None = None
    rows: RowsBy = "table"
    columns: ColumnsBy = "table"
    on_screen: tuple[ContingencyTable, TableOrder] | None = None

    def run(self) -> Iterator[Step[list[ScoredTable]]]:
        """Yield while scoring; partial results are the tables scored so far."""
        known = {id(s.table): s for s in self.known if s.options == self.options}
        results: list[ScoredTable] = []
        total = len(self.tables)
        for done, named in enumerate(self.tables):
            message = f"scoring {named.name}"
            scores = known.get(id(named.table))
            if scores is None:
                yield Step(done, total, message, results[:])
                for part in score_in_parts(named.table, self.options):
                    scores = part.scores
                    yield Step(done, total, message, results[:])
            assert scores is not None
            if self.keys is not None:
                scores = scores.only(self.keys)
            order: TableOrder | None = None
            if self.on_screen is not None and named.table is self.on_screen[0]:
                order = self.on_screen[1]
            elif (self.rows, self.columns) != ("table", "table"):
                for step in OrderTable(named.table, self.rows, self.columns).run():
                    order = step.result
                    yield Step(done, total, message, results[:])
            results.append(ScoredTable(scores, named.name, named.source, named.notes, order))
        yield Step(total, total, "scored", results, results)
