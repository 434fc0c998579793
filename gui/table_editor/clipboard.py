"""Copying to the clipboard and reading from it."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence

import numpy as np
from PySide6.QtCore import QMimeData, QStringListModel

from core.files.layout import CORNER, separator_of
from core.files.tables import quoted, table_text
from core.table import ContingencyTable, IntArray
from gui.table_editor.blocks import MAX_HTML, MAX_TEXT, has_table, text_of_html
from gui.table_editor.edits import Box, TableState, cells_in
from gui.table_editor.shown import Part

TSV = "text/plain"
CSV = "text/csv"
HTML = "text/html"

#: More cells are copied as plain text only: to write three formats would take too long, and
#: HTML of so many chokes spreadsheets.
MAX_RICH_CELLS = 20_000
_CELLS_AT_ONCE = 250_000
_NOTHING = "There is nothing on the clipboard that could be counts: copy some cells."


class ClipboardError(ValueError):
    """A clipboard from which nothing can be pasted; the message says why."""


def mime_data(state: TableState | Part, box: Box, *, names: bool) -> QMimeData:
    """Return a rectangle of the table for the clipboard.

    Parameters
    ----------
    state : TableState or Part
        The table as entered, or a part of it as shown.
    box : Box
        The rectangle.
    names : bool
        Whether the names of its classes and clusters go along.

    Returns
    -------
    QMimeData
        Text with tabs as ``text/plain``; for up to 20,000 cells also ``text/csv``, and a
        table as ``text/html``.
    """
    rows, columns = slice(box.top, box.bottom + 1), slice(box.left, box.right + 1)
    mime = _empty_mime_data()
    if cells_in(box) > MAX_RICH_CELLS:
        truth, clusters = state.truth[rows], state.clusters[columns]
        mime.setText(_lines_with_tabs(state.counts[rows, columns], truth, clusters, names=names))
        return mime
    part = ContingencyTable(state.counts[rows, columns], state.truth[rows], state.clusters[columns])
    mime.setText(table_text(part, "\t", names=names))
    mime.setData(CSV, table_text(part, ",", names=names).encode("utf-8", "replace"))
    mime.setHtml("".join(_html_lines(part, names=names)))
    return mime


def _lines_with_tabs(
    counts: IntArray, truth: Sequence[str], clusters: Sequence[str], *, names: bool
) -> str:
    """Return what `table_text` does with tabs, many times as fast."""
    rows = max(1, _CELLS_AT_ONCE // counts.shape[1])
    text = "".join(
        _digits(counts[first : first + rows]) for first in range(0, counts.shape[0], rows)
    )
    if not names:
        return text
    header = "\t".join([CORNER, *map(quoted, clusters)])
    lines = zip(map(quoted, truth), text.split("\n"), strict=False)
    return "\n".join([header, *(f"{name}\t{line}" for name, line in lines), ""])


def _digits(counts: IntArray) -> str:
    """Return counts as text, with tabs between them and a line end after each row."""
    rest = counts.reshape(-1)
    lengths = np.full(rest.size, 2)
    most = int(rest.max())
    power = 10
    while power <= most:
        lengths += rest >= power
        power *= 10
    ends = np.cumsum(lengths) - 1
    text = np.full(int(ends[-1]) + 1, ord("\t"), dtype=np.uint8)
    text[ends[counts.shape[1] - 1 :: counts.shape[1]]] = ord("\n")
    # Digit by digit from the last; fewer and fewer counts have another.
    places = ends - 1
    while rest.size:
        left = rest // 10
        text[places] = rest - 10 * left + ord("0")
        more = left > 0
        rest, places = left[more], places[more] - 1
    return text.tobytes().decode("ascii")


def _empty_mime_data() -> QMimeData:
    """Return a QMimeData that was made by Qt.

    The clipboard may delete it after the interpreter has ended, which one made in Python
    does not survive: the program would crash as it closes.
    """
    model = QStringListModel(["x"])
    mime = model.mimeData([model.index(0)])
    for name in list(mime.formats()):
        mime.removeFormat(name)
    return mime


def _html_lines(table: ContingencyTable, *, names: bool) -> Iterator[str]:
    yield '<meta charset="utf-8"><table>'
    if names:
        heads = "".join(f"<th>{html.escape(name)}</th>" for name in table.clusters)
        yield f"<tr><th></th>{heads}</tr>"
    for name, row in zip(table.truth, table.counts.tolist(), strict=True):
        head = f"<th>{html.escape(name)}</th>" if names else ""
        yield f"<tr>{head}{''.join(f'<td>{count}</td>' for count in row)}</tr>"
    yield "</table>"


def pasted_text(mime: QMimeData | None) -> tuple[str, str | None]:
    """Return the text of a clipboard, and what separates its cells if that is known.

    Plain text is preferred: spreadsheets put tabs into it. Then CSV, then HTML.

    Parameters
    ----------
    mime : QMimeData or None

    Returns
    -------
    text : str
    separator : str or None
        A tab where a table came along as HTML: then a line without tabs is one cell,
        whatever it holds.

    Raises
    ------
    ClipboardError
        If there is no text or too much of it.
    """
    if mime is None:
        raise ClipboardError(_NOTHING)
    if mime.hasFormat(TSV) or (mime.hasText() and not mime.hasUrls()):
        text = mime.text()
        _check_size(len(text), MAX_TEXT)
        if text:
            return text, "\t" if mime.hasHtml() and has_table(mime.html()) else None
    if mime.hasFormat(CSV):
        data = mime.data(CSV).data()
        _check_size(len(data), MAX_TEXT)
        text = bytes(data).decode("utf-8-sig", "replace")
        return text, separator_of(text) or ","
    if mime.hasHtml():
        markup = mime.html()
        _check_size(len(markup), MAX_HTML, "HTML")
        if (table := text_of_html(markup)) is not None:
            return table, "\t"
    raise ClipboardError(_NOTHING)


def _check_size(length: int, most: int, what: str = "text") -> None:
    if length > most:
        raise ClipboardError(
            f"The clipboard holds {length / 1e6:,.0f} MB of {what}, and at most "
            f"{most / 1e6:.0f} MB are pasted: save it as a file and open that."
        )


__all__ = ["MAX_RICH_CELLS", "ClipboardError", "mime_data", "pasted_text"]
