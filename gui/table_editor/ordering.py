"""Keeps the lines of a table in the order that was asked for."""

from __future__ import annotations

import sys
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, Signal

from core.ordering import ColumnsBy, OrderTable, RowsBy, TableOrder
from core.studies.study import run_to_end
from gui.jobs import Job, JobRunner
from gui.table_editor.model import TableModel

#: Lines and cells of tables that are put in order at once.
_LINES_AT_ONCE, _CELLS_AT_ONCE = 4_000, 250_000
#: The same for a matching, which takes longer; the smallest ones need no solver.
_MATCHED_AT_ONCE, _FEW = 10_000, 6

_ROWS = {"size": "by size", "name": "by name"}
_COLUMNS = {"matching": "by their match with the classes", **_ROWS}


class OrderKeeper(QObject):
    """The order that was asked for, and the work that finds it.

    It is found when it is chosen, when lines come or go, and on request; not while counts
    are typed: rows must not jump under the hand.

    Parameters
    ----------
    model : TableModel
    parent : QObject, optional

    Attributes
    ----------
    rows, columns : str
        What was asked for, as in `core.ordering`.
    runner : JobRunner or None
        Where large tables are put in order beside the window; without, it waits for them.
    """

    changed = Signal()
    """Another order was asked for, or found, or has become out of date."""

    found = Signal(object)
    """The `TableOrder` that was asked for, of the table as it is."""

    failed = Signal(str)
    """An order could not be found: the sentence that says so."""

    def __init__(self, model: TableModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.rows: RowsBy = "table"
        self.columns: ColumnsBy = "table"
        self.runner: JobRunner | None = None
        #: Whether counts or names have changed since the order was found.
        self.out_of_date = False
        self._structure = model.structure
        # Of the document, when the order was found.
        self._revision = model.document.revision
        self._job: Job | None = None
        model.document.changed.connect(self._on_changed)

    @property
    def asked(self) -> bool:
        """Whether any order but that of the table was asked for."""
        return (self.rows, self.columns) != ("table", "table")

    @property
    def busy(self) -> bool:
        """Whether an order is being looked for."""
        return self._job is not None

    def sentence(self) -> str:
        """Return what the order is, in words; empty where it is that of the table."""
        parts = []
        if self.rows != "table":
            parts.append(f"Classes are shown {_ROWS[self.rows]}.")
        if self.columns != "table":
            parts.append(f"Clusters are shown {_COLUMNS[self.columns]}.")
        if parts and self.out_of_date:
            parts.append("The table has changed since: order it again.")
        return " ".join(parts)

    def choose(self, rows: RowsBy, columns: ColumnsBy) -> None:
        """Ask for an order, even if it is the same, and look for it."""
        self.rows, self.columns = rows, columns
        self._find()

    def follow(self) -> None:
        """Look for the order again if lines have come or gone."""
        if self._structure != self._model.structure and (self.asked or self.busy):
            self._find()
        self._structure = self._model.structure

    def _find(self) -> None:
        self._drop()
        self._structure = self._model.structure
        table = self._model.document.snapshot() if self.asked else None
        if table is None:
            r, c = self._model.shown.shape
            self._take(TableOrder(np.arange(r), np.arange(c)))
            return
        study = OrderTable(table, self.rows, self.columns)
        if self.runner is None or self._is_quick(table.shape):
            self._take(run_to_end(study))
            return
        job = self._job = self.runner.create(study, "Ordering the table")
        revision = self._model.document.revision
        job.finished.connect(partial(self._on_finished, job, revision))
        job.failed.connect(partial(self._on_failed, job))
        job.cancelled.connect(partial(self._on_cancelled, job))
        self.changed.emit()
        self.runner.start(job)

    def _is_quick(self, shape: tuple[int, int]) -> bool:
        r, c = shape
        if self.columns == "matching" and max(shape) > _FEW:
            # The solver takes a moment to load, the first time.
            return "scipy.optimize" in sys.modules and r * c <= _MATCHED_AT_ONCE
        return max(shape) <= _LINES_AT_ONCE and r * c <= _CELLS_AT_ONCE

    def _take(self, order: TableOrder, revision: int | None = None) -> None:
        now = self._model.document.revision
        self._revision = now if revision is None else revision
        self.out_of_date = self._revision != now
        self.found.emit(order)
        self.changed.emit()

    def _drop(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            job.abandon()

    def _on_finished(self, job: Job, revision: int, order: TableOrder | None) -> None:
        if job is not self._job:
            return
        self._job = None
        if order is None or self._structure != self._model.structure:
            self.out_of_date = True
            self.changed.emit()
            return
        self._take(order, revision)

    def _on_failed(self, job: Job, error: Exception) -> None:
        if job is self._job:
            self._job = None
            self.out_of_date = True
            self.failed.emit(f"The table could not be put in order: {error}")
            self.changed.emit()

    def _on_cancelled(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self.out_of_date = True
            self.changed.emit()

    def _on_changed(self, revision: int) -> None:
        if self.asked and not self.out_of_date and revision != self._revision:
            self.out_of_date = True
            self.changed.emit()


__all__ = ["OrderKeeper"]
