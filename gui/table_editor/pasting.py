"""Pasting text into a document: what goes where, and what to say if it cannot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import numpy as np

from core.files.counts import is_blank
from core.files.errors import CountError, FaultKind, ReadError, shown
from gui.table_editor.blocks import Block, BlockOptions, grouped_count, read_block
from gui.table_editor.document import TableDocument
from gui.table_editor.edits import Box, ReplaceTable, TableState, cells_in, rectangle
from gui.table_editor.notice import Notice, Severity

#: Names taken from a block of at most so many cells can be taken back as counts.
_RECONSIDERED_CELLS = 10_000

Actions: TypeAlias = tuple[tuple[str, Callable[[], object]], ...]


def paste_text(
    document: TableDocument, text: str, boxes: Sequence[Box], options: BlockOptions | None = None
) -> bool:
    """Paste text at a selection: as one edit, or not at all.

    A single count fills the selection. A block without names is repeated where the
    selection is a multiple of it; else it goes to the upper left corner, and the table
    grows to hold it. Names that come with it replace those of the rows and columns that
    it covers.

    Parameters
    ----------
    document : TableDocument
    text : str
    boxes : sequence of Box
        The selection.
    options : BlockOptions, optional
        What is known of the text.

    Returns
    -------
    bool
        Whether the table changed; a notice says why not.
    """
    options = options or BlockOptions()
    try:
        block = read_block(text, options)
    except ReadError as error:
        again = partial(paste_text, document, text, boxes)
        document.warn(f"{error} The table is unchanged.", _remedies(error, options, again))
        return False
    if block.values.size == 1 and not block.named:
        cells = sum(map(cells_in, boxes))
        label = "Paste 1 x 1" if cells == 1 else f"Paste into {cells:,} cells"
        return document.fill(boxes, int(block.values[0, 0]), label)
    box = rectangle(boxes)
    if box is None:
        document.warn(
            "Nothing was pasted: the selection is in several pieces. Select the cell where the "
            "upper left corner is to go."
        )
        return False
    changed = document.paste(
        box.top,
        box.left,
        block.values if block.named else _repeated(block.values, box),
        truth=block.truth,
        clusters=block.clusters,
    )
    if changed and block.named:
        _say_names_taken(document, block, text, boxes, options)
    return changed


def _repeated(values: np.ndarray, box: Box) -> np.ndarray:
    """Return a block as often as it fits a selection without rest."""
    k, n = values.shape
    down, across = box.bottom - box.top + 1, box.right - box.left + 1
    if down % k or across % n:
        return values
    return np.tile(values, (down // k, across // n))


def _say_names_taken(
    document: TableDocument, block: Block, text: str, boxes: Sequence[Box], options: BlockOptions
) -> None:
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
    if block.truth is not None and block.clusters is not None and (k, n) != document.state.shape:
        actions += (("Make it the whole table", partial(_instead, document, block)),)
    if _reads_as_counts(block, text, options):
        counts = replace(options, names=False)
        actions += (("These are counts", partial(_as_counts, document, text, boxes, counts)),)
    document.say(Notice(f"Pasted {k:,} × {n:,} counts, with {where}.", Severity.INFO, actions))


def _reads_as_counts(block: Block, text: str, options: BlockOptions) -> bool:
    if block.values.size > _RECONSIDERED_CELLS:
        return False
    try:
        read_block(text, replace(options, names=False))
    except ReadError:
        return False
    return True


def _instead(document: TableDocument, block: Block) -> None:
    document.undo_stack.undo()
    table = TableState(block.values, block.truth or (), block.clusters or ())
    document.apply(ReplaceTable(table, "Paste the table"))


def _as_counts(
    document: TableDocument, text: str, boxes: Sequence[Box], options: BlockOptions
) -> None:
    document.undo_stack.undo()
    paste_text(document, text, boxes, options)


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


__all__ = ["paste_text"]
