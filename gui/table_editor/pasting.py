"""Pasting text into a document: what goes where, and what to say if it cannot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
from PySide6.QtCore import QObject, Signal

from core.files.counts import is_blank
from core.files.errors import CountError, FaultKind, ReadError, shown
from gui.jobs import Job, JobRunner
from gui.table_editor.blocks import Block, BlockOptions, ReadBlock, grouped_count, read_block
from gui.table_editor.document import TableDocument
from gui.table_editor.edits import (
    Box,
    Group,
    RenameColumns,
    RenameRows,
    ReplaceTable,
    SetCells,
    TableState,
    cells_in,
    rectangle,
)
from gui.table_editor.notice import Notice, Severity
from gui.table_editor.shown import Order, ShownTable

#: Characters of the longest text that is read at once; longer ones, beside the window.
READ_AT_ONCE = 200_000

#: Names taken from a block of at most so many cells can be taken back as counts.
_RECONSIDERED_CELLS = 10_000

Actions: TypeAlias = tuple[tuple[str, Callable[[], object]], ...]


class _Pasted(NamedTuple):
    """A text, where it is to go, and how it is read."""

    text: str
    boxes: Sequence[Box]
    options: BlockOptions


class _State(NamedTuple):
    """What decides where a text goes."""

    revision: int
    rows: Order
    columns: Order

    def is_still(self, other: _State) -> bool:
        return (
            self.revision == other.revision
            and self.rows is other.rows
            and self.columns is other.columns
        )


class Paster(QObject):
    """Pastes text: as one edit, or not at all.

    A single count fills the selection. A block without names is repeated where the
    selection is a multiple of it; else it goes to the upper left corner, and the table
    grows to hold it. Names that come with it replace those of the rows and columns that
    it covers. Under an order it goes where it is seen to go, and the table does not grow.

    Parameters
    ----------
    document : TableDocument
    shown_table : ShownTable
        The document as it is shown.
    parent : QObject, optional

    Attributes
    ----------
    runner : JobRunner or None
        Where long texts are read beside the window; without, it waits for them.
    """

    as_entered = Signal()
    """The user wants rows and columns to be shown as they are in the data."""

    def __init__(
        self, document: TableDocument, shown_table: ShownTable, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._shown = shown_table
        self.runner: JobRunner | None = None
        self._job: Job | None = None

    @property
    def busy(self) -> bool:
        """Whether a text is being read."""
        return self._job is not None

    def paste(self, text: str, boxes: Sequence[Box], options: BlockOptions | None = None) -> bool:
        """Paste text at a selection.

        Parameters
        ----------
        text : str
        boxes : sequence of Box
            The selection, as shown.
        options : BlockOptions, optional
            What is known of the text.

        Returns
        -------
        bool
            Whether the table changed. If not, a notice says why; or the text is being read,
            and pasted when that is done.
        """
        pasted = _Pasted(text, boxes, options or BlockOptions())
        if self.runner is not None and len(text) > READ_AT_ONCE:
            self._read_beside(pasted, self.runner)
            return False
        try:
            block = read_block(text, pasted.options)
        except ReadError as error:
            self._refuse(pasted, error)
            return False
        return self._write(pasted, block)

    # Beside the window

    def _read_beside(self, pasted: _Pasted, runner: JobRunner) -> None:
        if self._job is not None:
            self._document.warn("Nothing was pasted: what was pasted before is still being read.")
            return
        study = ReadBlock(pasted.text, pasted.options)
        job = self._job = runner.create(study, "Reading what was pasted")
        now = self._now()
        job.finished.connect(partial(self._on_finished, job, pasted, now))
        job.failed.connect(partial(self._on_failed, job, pasted))
        job.cancelled.connect(partial(self._on_cancelled, job))
        job.ended.connect(self._on_cancelled)
        runner.start(job)

    def _now(self) -> _State:
        return _State(self._document.revision, *self._shown.orders)

    def _on_finished(self, job: Job, pasted: _Pasted, then: _State, block: Block | None) -> None:
        if job is not self._job:
            return
        self._job = None
        if block is None:
            self._document.say(Notice("Nothing was pasted: reading was cancelled."))
        elif not then.is_still(self._now()):
            self._document.warn(
                "Nothing was pasted: the table has changed while the text was read.",
                (("Paste there now", partial(self.paste, *pasted)),),
            )
        else:
            self._write(pasted, block)

    def _on_failed(self, job: Job, pasted: _Pasted, error: Exception) -> None:
        if job is not self._job:
            return
        self._job = None
        if isinstance(error, ReadError):
            self._refuse(pasted, error)
        else:
            self._document.warn(f"Nothing was pasted: the text could not be read ({error}).")

    def _on_cancelled(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            self._document.say(Notice("Nothing was pasted: reading was cancelled."))

    # Into the table

    def _write(self, pasted: _Pasted, block: Block) -> bool:
        document, boxes = self._document, pasted.boxes
        if block.values.size == 1 and not block.named:
            cells = sum(map(cells_in, boxes))
            label = "Paste 1 x 1" if cells == 1 else f"Paste into {cells:,} cells"
            return document.apply(self._shown.filled(boxes, int(block.values[0, 0]), label))
        box = rectangle(boxes)
        if box is None:
            document.warn(
                "Nothing was pasted: the selection is in several pieces. Select the cell where "
                "the upper left corner is to go."
            )
            return False
        values = block.values if block.named else _repeated(block.values, box)
        if self._shown.ordered:
            changed = self._write_in_order(box, values, block)
        else:
            changed = document.paste(
                box.top, box.left, values, truth=block.truth, clusters=block.clusters
            )
        if changed and block.named:
            self._say_names_taken(pasted, block)
        return changed

    def _write_in_order(self, box: Box, values: np.ndarray, block: Block) -> bool:
        """Write each cell where it is shown."""
        (k, n), (r, c) = values.shape, self._shown.shape
        if box.top + k > r or box.left + n > c:
            self._document.warn(
                f"Nothing was pasted: {k:,} × {n:,} cells reach beyond the table, which cannot "
                "grow while it is shown in another order.",
                (("Show in table order", self.as_entered.emit),),
            )
            return False
        area = Box(box.top, box.left, box.top + k - 1, box.left + n - 1)
        rows = self._shown.lines(0, area.top, area.bottom)
        columns = self._shown.lines(1, area.left, area.right)
        where = self._shown.data_boxes([area]) or [Box(*(at := (rows[0], columns[0])), *at)]
        label = f"Paste {k:,} x {n:,}"
        cells = SetCells(rows[:, None], columns[None, :], values, label, tuple(where))
        if not block.named:
            return self._document.apply(cells)
        names: list[RenameRows | RenameColumns] = []
        if block.truth is not None:
            names.append(RenameRows(rows, block.truth))
        if block.clusters is not None:
            names.append(RenameColumns(columns, block.clusters))
        return self._document.apply(Group((*names, cells), label, tuple(where)))

    # What is said

    def _refuse(self, pasted: _Pasted, error: ReadError) -> None:
        again = partial(self.paste, pasted.text, pasted.boxes)
        self._document.warn(
            f"{error} The table is unchanged.", _remedies(error, pasted.options, again)
        )

    def _say_names_taken(self, pasted: _Pasted, block: Block) -> None:
        where = " and ".join(
            words
            for words, names in (
                ("cluster names from the first row", block.clusters),
                ("class names from the first column", block.truth),
            )
            if names is not None
        )
        k, n = block.values.shape
        actions: Actions = ()
        shape = self._document.state.shape
        if block.truth is not None and block.clusters is not None and (k, n) != shape:
            actions += (("Make it the whole table", partial(self._instead, block)),)
        if _reads_as_counts(block, pasted):
            actions += (("These are counts", partial(self._as_counts, pasted)),)
        text = f"Pasted {k:,} × {n:,} counts, with {where}."
        self._document.say(Notice(text, Severity.INFO, actions))

    def _instead(self, block: Block) -> None:
        self._document.undo_stack.undo()
        table = TableState(block.values, block.truth or (), block.clusters or ())
        self._document.apply(ReplaceTable(table, "Paste the table"))

    def _as_counts(self, pasted: _Pasted) -> None:
        self._document.undo_stack.undo()
        self.paste(pasted.text, pasted.boxes, replace(pasted.options, names=False))


def _repeated(values: np.ndarray, box: Box) -> np.ndarray:
    """Return a block as often as it fits a selection without rest."""
    k, n = values.shape
    down, across = box.bottom - box.top + 1, box.right - box.left + 1
    if down % k or across % n:
        return values
    return np.tile(values, (down // k, across // n))


def _reads_as_counts(block: Block, pasted: _Pasted) -> bool:
    if block.values.size > _RECONSIDERED_CELLS:
        return False
    try:
        read_block(pasted.text, replace(pasted.options, names=False))
    except ReadError:
        return False
    return True


def _remedies(
    error: ReadError, options: BlockOptions, again: Callable[[BlockOptions], object]
) -> Actions:
    """Return what can be done about a block that could not be read."""
    if error.kind in (FaultKind.BLANK, FaultKind.EMPTY) and options.blank == "error":
        return (("Read blanks as 0", partial(again, replace(options, blank="zero"))),)
    if not isinstance(error, CountError):
        return ()
    actions: Actions = ()
    text = str(error.value).strip()
    if error.mark is not None and (count := grouped_count(text, error.mark)) is not None:
        grouped = replace(options, thousands=error.mark)
        actions += ((f"Read {shown(text)} as {count}", partial(again, grouped)),)
    if options.separator is None and error.column == 0 and "," in text and not is_blank(text):
        split = replace(options, separator=",")
        actions += (("Split at commas", partial(again, split)),)
    return actions


__all__ = ["READ_AT_ONCE", "Paster"]
