"""How text becomes a contingency table: where its block of cells stands, and what it is."""

from __future__ import annotations

import csv
import re
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from core.files.block import BlockReader
from core.files.counts import is_blank
from core.files.errors import FaultKind, ReadError, sentence
from core.files.layout import (
    Separator,
    TooLongError,
    UnclosedQuoteError,
    are_labels,
    layout_of,
    records,
    separator_of,
)
from core.files.noise import read_noise
from core.files.options import ParsedTable, ReadOptions
from core.files.simulation_marks import refuse_text
from core.studies.study import Step

EXPORT_MARK = "# Tallyscope scored table"
"""How the first line of an exported scored table begins."""

COMMENT = re.compile(r"[ \t]*(?:#(?![,;\t])[^\r\n]*)?(?:\r\n|\r|\n)|[ \t]*#(?![,;\t])[^\r\n]*\Z")
EXCEL_HINT = re.compile(r'"?sep=([,;\t])"?[ \t]*(?:\r\n|\r|\n)', re.IGNORECASE)


class _Block(NamedTuple):
    """Where in a text the table stands."""

    text: str
    start: int
    first_line: int
    separator: Separator | None
    is_export: bool


def parsing(
    text: str,
    options: ReadOptions,
    name: str | None,
    encoding: str | None,
    first_line: int = 1,
) -> Generator[Step[Any], None, ParsedTable]:
    """Yield steps while a text is read; return the table, or raise ReadError."""
    text = text.removeprefix("\ufeff")
    if is_blank(text[:1000]) and is_blank(text):
        raise ReadError(
            f"{name or 'The text'} is empty: there is no table in it.",
            kind=FaultKind.EMPTY,
        )
    refuse_text(text, name)
    block, skipped = _block(text, options, first_line)
    source = _TextRows(block, options, name)
    reader = BlockReader(source, options)
    try:
        survey = yield from reader.survey()
        layout = layout_of(survey, options.header, options.index)
        if options.header is None and options.index is None and are_labels(survey):
            raise reader.error(
                "these are labels, one item a line, not a table of counts: import them as labels "
                "(the command labels, or Import labels in the window)",
                FaultKind.LABELS,
            )
        table = yield from reader.read(survey, layout)
    except TooLongError as error:
        raise reader.error(
            f"a name has more than {csv.field_size_limit():,} characters: shorten it",
            FaultKind.TOO_LONG,
            line=error.line,
        ) from None
    except UnclosedQuoteError as error:
        if block.is_export:
            raise source.cut() from None
        raise reader.error(
            "a quotation mark is opened and not closed: close it or delete it",
            FaultKind.QUOTE,
            line=error.line,
        ) from None
    notes = []
    if block.is_export:
        table = table.with_noise(read_noise(text[: block.start], block.separator or ","))
        tables = 1 + text.count("\n" + EXPORT_MARK)
        notes.append(
            f"the file holds {tables} scored tables, the first was read"
            if tables > 1
            else "the scores in the file were left out"
        )
    elif skipped:
        notes.append(f"{skipped} comment {'line was' if skipped == 1 else 'lines were'} skipped")
    if encoding == "Windows-1252":
        notes.append("the file is not UTF-8 and was taken for Windows-1252")
    notes.extend(reader.notes(table))
    parsed = ParsedTable(
        table,
        block.separator,
        layout.header,
        layout.index,
        encoding,
        tuple(notes),
        block.is_export,
    )
    if parsed.may_be_labels:
        notes.append("if each line is an item, import it as labels")
        parsed = replace(parsed, notes=tuple(notes))
    return parsed


def _block(text: str, options: ReadOptions, first_line: int) -> tuple[_Block, int]:
    """Return where the table starts, and how many comment lines stand before it."""
    start, line, comments = 0, first_line, 0
    separator = options.separator
    if hint := EXCEL_HINT.match(text):
        start, line = hint.end(), line + 1
        separator = separator or hint[1]  # type: ignore[assignment]
    while match := COMMENT.match(text, start):
        comments += "#" in match[0]
        start, line = match.end(), line + 1
    if separator is None:
        separator = separator_of(text, start)
    return _Block(text, start, line, separator, text.startswith(EXPORT_MARK)), comments


class _TextRows:
    """The rows of a block of text."""

    typed = False

    def __init__(self, block: _Block, options: ReadOptions, name: str | None) -> None:
        self._block = block
        self._options = options
        self.name = name
        self.size = len(block.text)
        self.own = block.is_export

    def place(self, line: int, column: int | None) -> list[str]:
        """Return the words that name a line, or a cell of it."""
        return [f"line {line}"] + ([] if column is None else [f"column {column + 1}"])

    def cut(self) -> ReadError:
        """Return the error for an export of which the end is missing."""
        fault = "the export ends early, so counts may be missing: export the table again"
        text = f"{self.name}: {fault}." if self.name else sentence(fault)
        return ReadError(text, kind=FaultKind.CUT)

    def _blank_line(self, line: int) -> ReadError:
        place = f"{self.name}, line {line}" if self.name else f"Line {line}"
        return ReadError(
            f"{place}: the line is blank but the table goes on: delete it.",
            kind=FaultKind.BLANK_LINE,
            line=line,
        )

    def rows(self) -> Iterator[tuple[int, int, list[str]]]:
        """Yield the rows that are not blank: line, where they end, cells.

        A blank row that others follow is an error, unless blanks are zeros and it has
        marks between its cells. In an export it is the end of the table, and must be
        there.
        """
        text, start, first_line, separator, is_export = self._block
        blank_rows: list[tuple[int, int, list[str]]] = []
        begun, end = False, start
        for line, offset, cells in records(text, start, first_line, separator):
            if not cells or (is_blank(cells[-1]) and all(map(is_blank, cells))):
                if begun and is_export:
                    # What looks blank may be the beginning of a name.
                    if text[offset - 1] not in "\r\n" or text.count('"', end, offset) % 2:
                        raise self.cut()
                    return
                if begun:
                    blank_rows.append((line, offset, cells))
                continue
            if blank_rows:
                zeros = self._options.blank == "zero"
                if not zeros or any(len(blank) < 2 for _, _, blank in blank_rows):
                    raise self._blank_line(blank_rows[0][0])
                yield from blank_rows
                blank_rows.clear()
            begun, end = True, offset
            yield line, offset, cells
        if is_export:
            raise self.cut()
