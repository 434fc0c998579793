"""How text becomes a contingency table: where its block of cells stands, and what it is."""

from __future__ import annotations

import csv
import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.files.block import BlockReader
from core.files.corner import counts_up, is_corner
from core.files.counts import is_blank, meant_as_number
from core.files.errors import FaultKind, ReadError, sentence, shown
from core.files.export_names import EXPORT_MARK, refuse_what_is_for_people
from core.files.export_quotes import requoted
from core.files.foreign import explained
from core.files.formulas import GUARDED, unguarded
from core.files.layout import (
    SEPARATOR_NAMES,
    Separator,
    TooLongError,
    UnclosedQuoteError,
    records,
    separator_of,
)
from core.files.noise import read_noise
from core.files.options import LABELS_NOTE, ParsedTable, ReadOptions
from core.files.profile_marks import refuse_profile_text
from core.files.simulation_marks import refuse_text
from core.files.survey import Layout, are_labels, is_long, layout_of
from core.studies.study import Pulse, Step
from core.table import ContingencyTable

COMMENT = re.compile(r"[ \t]*(?:#(?![,;\t])[^\r\n]*)?(?:\r\r?\n|\r|\n)|[ \t]*#(?![,;\t])[^\r\n]*\Z")
_MARK = re.compile(r"[ \t]*#+(?P<blank>[ \t]*)")
EXCEL_HINT = re.compile(r'"?sep=([,;\t])"?[ \t]*(?:\r\r?\n|\r|\n)', re.IGNORECASE)


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
    called = name or "The text"
    text = yield from requoted(text.removeprefix("\ufeff"), name)
    refuse_what_is_for_people(text, called)
    try:
        return (yield from _parsing(text, options, name, encoding, first_line))
    except ReadError as error:
        better = explained(text, called, error)
        if better is None:
            raise
        raise better from None


def _parsing(
    text: str, options: ReadOptions, name: str | None, encoding: str | None, first_line: int
) -> Generator[Step[Any], None, ParsedTable]:
    if is_blank(text[:1000]) and is_blank(text):
        raise ReadError(
            f"{name or 'The text'} is empty: there is no table in it.",
            kind=FaultKind.EMPTY,
        )
    refuse_text(text, name)
    refuse_profile_text(text, name)
    block, skipped = _block(text, options, first_line)
    if options.thousands == block.separator is not None and not block.is_export:
        mark = SEPARATOR_NAMES[block.separator]
        raise ReadError(
            f"{name or 'The text'}: {mark} separate the cells, so they cannot separate thousands: "
            "say what else separates the cells, or write the digits of each count together.",
            kind=FaultKind.THOUSANDS,
        )
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
        if is_long(survey, options.header, options.index):
            layout = Layout(survey.width, header=True, index=True)
            table = yield from reader.read_long(survey)
        else:
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
        comments = text[: block.start]
        if f"\n# {GUARDED}" in comments:
            truth = yield from _unguarded(table.truth)
            clusters = yield from _unguarded(table.clusters)
            table = ContingencyTable.from_checked(table.counts, truth, clusters)
        table = table.with_noise(read_noise(comments, block.separator or ","))
        tables = 1 + text.count("\n" + EXPORT_MARK)
        notes.append(
            f"the file holds {tables} scored tables, the first was read"
            if tables > 1
            else "the scores in the file were left out"
        )
    else:
        notes += skipped
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
        notes.append(LABELS_NOTE)
        parsed = replace(parsed, notes=tuple(notes))
    return parsed


def _unguarded(names: Sequence[str]) -> Generator[Step[Any], None, list[str]]:
    pulse = Pulse()
    found: list[str] = []
    for name in names:
        found.append(unguarded(name))
        if pulse.due():
            yield Step(0, None, "reading the names")
    return found


def _block(text: str, options: ReadOptions, first_line: int) -> tuple[_Block, list[str]]:
    """Return where the table starts, and what is said of the comments before it."""
    start, line, comments = 0, first_line, 0
    above: tuple[int, int] | None = None
    separator = options.separator
    if hint := EXCEL_HINT.match(text):
        start, line = hint.end(), line + 1
        separator = separator or hint[1]  # type: ignore[assignment]
    while match := COMMENT.match(text, start):
        comments += "#" in match[0]
        start, line = match.end(), line + 1
        if "#" in match[0]:
            above = match.start(), line - 1
    if separator is None:
        separator = separator_of(text, start)
    block = _Block(text, start, line, separator, text.startswith(EXPORT_MARK))
    if above is None or above[1] != line - 1 or block.is_export or options.header is False:
        return block, _skipped(comments)
    named = _names_behind_mark(block, above[0])
    if named is None:
        return block, _skipped(comments)
    place, sure = named
    if not sure:
        said = text[above[0] : start].strip()
        note = f"the comment {shown(said)} has as many cells as the table: if it names the "
        return block, [*_skipped(comments), note + "clusters, delete its #"]
    note = "the names behind the # above the table were read"
    return block._replace(start=place, first_line=line - 1), [*_skipped(comments - 1), note]


def _skipped(comments: int) -> list[str]:
    if not comments:
        return []
    return [f"{comments} comment {'line was' if comments == 1 else 'lines were'} skipped"]


def _names_behind_mark(block: _Block, start: int) -> tuple[int, bool] | None:
    """Return where names stand in a comment, and whether they are sure; None if it has none."""
    text, separator = block.text, block.separator
    match = _MARK.match(text, start)
    if separator is None or match is None:
        return None
    try:
        _, _, names = next(records(text[match.end() : block.start], 0, 1, separator), (0, 0, []))
        _, _, below = next(records(text, block.start, 1, separator), (0, 0, []))
    except UnclosedQuoteError:
        return None
    if len(names) != len(below) or len(names) < 2 or not all(map(meant_as_number, below[1:])):
        return None
    texts = [cell for cell in names[1:] if not is_blank(cell) and not meant_as_number(cell)]
    numbered = counts_up(names[1:])
    if not numbered and len(texts) < len(names) - 1:
        return None
    tight = not match["blank"]
    if separator == " " and not numbered and not tight:
        # A sentence may have as many words.
        return None
    return match.end(), tight or (is_corner(names) and "/" not in names[0])


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
