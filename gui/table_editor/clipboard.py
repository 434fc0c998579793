"""Copying to the clipboard and reading from it."""

from __future__ import annotations

import html
from collections.abc import Iterator

from PySide6.QtCore import QMimeData, QStringListModel

from core.files.layout import separator_of
from core.files.tables import table_text
from core.table import ContingencyTable
from gui.table_editor.blocks import MAX_TEXT, has_table, text_of_html
from gui.table_editor.edits import Box, TableState, cells_in

TSV = "text/plain"
CSV = "text/csv"
HTML = "text/html"

#: More cells are copied as plain text and CSV only: HTML of them chokes spreadsheets.
MAX_HTML_CELLS = 200_000
_NOTHING = "There is nothing on the clipboard that could be counts: copy some cells."


class ClipboardError(ValueError):
    """A clipboard from which nothing can be pasted; the message says why."""


def mime_data(state: TableState, box: Box, *, names: bool) -> QMimeData:
    """Return a rectangle of the table for the clipboard.

    Parameters
    ----------
    state : TableState
    box : Box
        The rectangle.
    names : bool
        Whether the names of its classes and clusters go along.

    Returns
    -------
    QMimeData
        Text with tabs as ``text/plain``, ``text/csv``, and a table as ``text/html``.
    """
    rows, columns = slice(box.top, box.bottom + 1), slice(box.left, box.right + 1)
    part = ContingencyTable(state.counts[rows, columns], state.truth[rows], state.clusters[columns])
    mime = _empty_mime_data()
    mime.setText(table_text(part, "\t", names=names))
    mime.setData(CSV, table_text(part, ",", names=names).encode("utf-8", "replace"))
    if cells_in(box) <= MAX_HTML_CELLS:
        mime.setHtml("".join(_html_lines(part, names=names)))
    return mime


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
        _check_size(len(text))
        if text:
            return text, "\t" if mime.hasHtml() and has_table(mime.html()) else None
    if mime.hasFormat(CSV):
        data = mime.data(CSV).data()
        _check_size(len(data))
        text = bytes(data).decode("utf-8-sig", "replace")
        return text, separator_of(text) or ","
    if mime.hasHtml():
        markup = mime.html()
        _check_size(len(markup))
        if (table := text_of_html(markup)) is not None:
            return table, "\t"
    raise ClipboardError(_NOTHING)


def _check_size(length: int) -> None:
    if length > MAX_TEXT:
        raise ClipboardError(
            f"The clipboard holds {length / 1e6:,.0f} MB of text, and at most "
            f"{MAX_TEXT / 1e6:.0f} MB are pasted: save it as a file and open that."
        )


__all__ = ["ClipboardError", "mime_data", "pasted_text"]
