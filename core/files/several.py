"""Several tables in one text: exports, and blocks between blank lines."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, cast

from core.files.counts import is_blank, meant_as_number, trimmed
from core.files.errors import FaultKind, ReadError, shown
from core.files.export_names import EXPORT_MARK, read_origin
from core.files.layout import (
    CORNER,
    Separator,
    UnclosedQuoteError,
    records,
    separator_of,
)
from core.files.options import ParsedTable, ReadOptions
from core.files.parser import COMMENT, EXCEL_HINT, parsing
from core.named_table import NamedTable
from core.studies.study import Pulse, Step


class ManyTables(NamedTuple):
    """The tables of a text, and what is to be said of all of them."""

    tables: tuple[NamedTable, ...]
    parsed: tuple[ParsedTable, ...]
    notes: tuple[str, ...]


# Exports


def exported_tables(
    text: str, options: ReadOptions, name: str, encoding: str | None, source: str | None
) -> Generator[Step[Any], None, ManyTables]:
    """Yield steps while all tables of an export are read; return them.

    Parameters
    ----------
    text : str
        What begins with `EXPORT_MARK`.
    options : ReadOptions
        What is known already.
    name : str
        What messages call the file.
    encoding : str or None
        Its encoding, named for people.
    source : str or None
        Where a table came from that does not say it.

    Returns
    -------
    ManyTables
        With the names, sources, notes and noise of the export.

    Raises
    ------
    ReadError
        If one of them cannot be read or the end is missing.
    """
    starts = yield from _export_starts(text, name)
    tables: list[NamedTable] = []
    parsed_tables: list[ParsedTable] = []
    pulse = Pulse()
    for i, (start, line) in enumerate(starts):
        if pulse.due():
            yield Step(len(text) + 2 * start, 3 * len(text), f"reading {name}")
        end = starts[i + 1][0] if i + 1 < len(starts) else len(text)
        part = text[start:end]
        parsed = yield from _followed(parsing(part, options, name, encoding, line), start, text)
        names = (*parsed.table.truth, *parsed.table.clusters)
        if "\n" + EXPORT_MARK in part and not any(EXPORT_MARK in one for one in names):
            raise ReadError(
                f"{name}, behind line {line}: a table of the export is hidden by a quotation mark "
                "that is not closed: export the tables again.",
                kind=FaultKind.CUT,
                line=line,
            )
        head = part[: part.find("\n" + CORNER) + 1]
        origin = read_origin(head, parsed.separator or ",")
        # What is said of every export is said once, for the file.
        notes = tuple(dict.fromkeys((*origin.notes, *parsed.notes[1:])))
        tables.append(
            NamedTable(origin.name, parsed.table, origin.source or source, notes),
        )
        parsed_tables.append(replace(parsed, notes=notes))
    many = len(tables) > 1
    said = "the scores in the file were left out"
    if many:
        said = f"the file holds {len(tables)} scored tables; their scores were left out"
    return ManyTables(tuple(tables), tuple(parsed_tables), (said,))


def _export_starts(text: str, name: str) -> Generator[Step[Any], None, list[tuple[int, int]]]:
    """Return where each export starts, and its line.

    Names may hold anything, so quotation marks are followed. A row that begins like an
    export is one only behind the table, where a class has its size behind its name.
    """
    pulse = Pulse()
    starts: list[tuple[int, int]] = [(0, 1)]
    while True:
        start, line = starts[-1]
        # Comments are one line each, so the first row below them is the header.
        head = text.find("\n" + CORNER, start) + 1
        if not head:
            return starts
        separator = text[head + len(CORNER) : head + len(CORNER) + 1]
        line += text.count("\n", start, head)
        behind, before = False, head
        found: tuple[int, int] | None = None
        try:
            for row_line, offset, cells in records(text, head, line, separator or ","):
                used = _used(cells)
                marked = behind and len(used) == 2 and text.startswith(EXPORT_MARK, before)
                if marked and not used[1].isdigit():
                    found = before, row_line
                    break
                behind, before = behind or not used, offset
                if pulse.due():
                    yield Step(offset, 3 * len(text), f"reading {name}")
        except UnclosedQuoteError:
            # Where the table itself is cut, or hides others, who reads it says so.
            return starts
        if found is None:
            return starts
        starts.append(found)


# Blocks


class _Part(NamedTuple):
    """A block of a text: its title, and where its table stands."""

    title: str
    start: int
    end: int
    line: int
    rows: int
    width: int
    named: bool


def separate_tables(
    text: str,
    options: ReadOptions,
    name: str,
    encoding: str | None,
    stem: str,
    source: str | None,
    asked: bool,
) -> Generator[Step[Any], None, ManyTables | None]:
    """Yield steps while the tables between blank lines are read; return them.

    Parameters
    ----------
    text : str
        The text.
    options : ReadOptions
        What is known already.
    name : str
        What messages call the file.
    encoding : str or None
        Its encoding, named for people.
    stem : str
        What tables without a title are called, with a number behind.
    source : str or None
        Name of the file.
    asked : bool
        Whether it is known that blank lines separate tables. Else they do where every
        block has a title, or every block names its clusters, or all are blocks of numbers
        of one shape with two rows or more.

    Returns
    -------
    ManyTables or None
        None where the blocks may be one table with a blank line in it.

    Raises
    ------
    ReadError
        If a block is no table.
    """
    if options.separator is None and (hint := EXCEL_HINT.match(text)):
        options = replace(options, separator=cast(Separator, hint[1]))
    parts, left = yield from _parts(text, options, name)
    alone = len(parts) == 1 and bool(parts[0].title or left)
    if not parts or not (asked or alone or _are_tables(parts)):
        return None
    tables: list[NamedTable] = []
    parsed_tables: list[ParsedTable] = []
    pulse = Pulse()
    for number, part in enumerate(parts, start=1):
        if pulse.due():
            yield Step(len(text) + 2 * part.start, 3 * len(text), f"reading {name}")
        block = text[part.start : part.end]
        parsed = yield from _followed(
            parsing(block, options, name, encoding, part.line), part.start, text
        )
        called = part.title or (stem if len(parts) == 1 else f"{stem} {number}")
        notes = parsed.notes
        if part.title:
            notes = (*notes, f"the line above it, {shown(part.title)}, was taken for its name")
        tables.append(NamedTable(called, parsed.table, source, notes))
        parsed_tables.append(replace(parsed, notes=notes))
    said: tuple[str, ...] = ()
    if len(tables) > 1:
        said = (f"the file holds {len(tables)} tables, with blank lines between them",)
    said += tuple(f"the text {shown(one)} was left out" for one in left)
    return ManyTables(tuple(tables), tuple(parsed_tables), said)


def _are_tables(parts: list[_Part]) -> bool:
    if len(parts) == 1:
        return False
    if all(part.title for part in parts) or all(part.named for part in parts):
        return True
    first = parts[0]
    return min(first.rows, first.width) > 1 and all(
        not part.named and (part.rows, part.width) == (first.rows, first.width) for part in parts
    )


@dataclass
class _Rows:
    """The rows of a block so far, of which only the first are kept."""

    first: list[tuple[list[str], int, int, str]] = field(default_factory=list)
    rows: int = 0
    width: int = 0

    def add(self, cells: list[str], start: int, line: int, raw: str) -> None:
        if len(self.first) < 2:
            self.first.append((cells, start, line, raw))
        self.rows += 1
        self.width = max(self.width, len(cells))

    def part(self, title: str, end: int) -> _Part | str:
        """Return the block as a table, or what stands in it as the title of the next."""
        first, start, line, raw = self.first[0]
        if self.rows == 1 and not any(map(meant_as_number, first)):
            # A line of text alone belongs to what follows.
            return trimmed(raw.strip("\r\n\t;, ").strip('"'))
        rows = self.rows
        if rows > 1 and _is_title(first, self.first[1][0]):
            title = trimmed(first[-1])
            first, start, line, _ = self.first[1]
            rows -= 1
        blank_corner = len(first) > 1 and is_blank(first[0])
        texts = [cell for cell in first[1:] or first if not is_blank(cell)]
        named = blank_corner or not all(map(meant_as_number, texts))
        return _Part(title, start, end, line, rows, self.width, named)


def _parts(
    text: str, options: ReadOptions, name: str
) -> Generator[Step[Any], None, tuple[list[_Part], list[str]]]:
    """Return the blocks of a text that hold numbers, and the texts that are no title of one."""
    begin, line = (hint.end(), 2) if (hint := EXCEL_HINT.match(text)) else (0, 1)
    separator = options.separator or separator_of(text, begin)
    pulse = Pulse()
    parts: list[_Part] = []
    left: list[str] = []
    title, block, before = "", _Rows(), begin

    def finish() -> None:
        nonlocal title, block
        if block.rows:
            part = block.part(title, before)
            if title and (isinstance(part, str) or part.title != title):
                left.append(title)
            title = part if isinstance(part, str) else ""
            if isinstance(part, _Part):
                parts.append(part)
        block = _Rows()

    try:
        for row_line, offset, cells in records(text, begin, line, separator):
            used = _used(cells)
            if not used:
                finish()
            elif not block.rows and COMMENT.match(text, before):
                if title:
                    left.append(title)
                title = trimmed(text[before:offset].lstrip(" \t#"))
            else:
                raw = text[before:offset] if block.rows < 2 else ""
                block.add(used, before, row_line, raw)
            before = offset
            if pulse.due():
                yield Step(offset, 3 * len(text), f"reading {name}")
    except UnclosedQuoteError as error:
        raise ReadError(
            f"{name}, line {error.line}: a quotation mark is opened and not closed: close it or "
            "delete it.",
            kind=FaultKind.QUOTE,
            line=error.line,
        ) from None
    finish()
    if title:
        left.append(title)
    return parts, left


def _used(cells: list[str]) -> list[str]:
    """Return the cells of a row up to the last that is not blank."""
    last = len(cells)
    while last and is_blank(cells[last - 1]):
        last -= 1
    return cells[:last]


def _is_title(cells: list[str], following: list[str]) -> bool:
    """Return whether a row is one text above a row of several cells."""
    texts = [cell for cell in cells if not is_blank(cell)]
    return len(texts) == 1 and not meant_as_number(texts[0]) and len(following) > 1


def _followed(
    steps: Generator[Step[Any], None, ParsedTable], start: int, text: str
) -> Generator[Step[Any], None, ParsedTable]:
    """Pass the steps of one part on as those of the whole."""
    whole = len(text)
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            parsed: ParsedTable = end.value
            return parsed
        # The first third was finding the parts.
        yield Step(whole + 2 * start + step.done, 3 * whole, step.message)


def text_separator(parsed: tuple[ParsedTable, ...]) -> Separator | None:
    """Return what separates the cells of all tables, None where it is not one mark."""
    separators = {one.separator for one in parsed}
    return separators.pop() if len(separators) == 1 else None
