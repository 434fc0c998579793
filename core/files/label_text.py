"""Labels in a text: its lines are items, streamed so that no size is too large."""

from __future__ import annotations

import contextlib
import csv
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import Any, BinaryIO

from core.files.counts import is_blank, trimmed
from core.files.decoding import decode, opened
from core.files.errors import FaultKind, ReadError
from core.files.label_decoding import BOMS, Decoder, whole_characters
from core.files.label_header import header_note, is_header
from core.files.label_lines import Counted, is_blank_line, is_row, quote_fault
from core.files.label_options import LabelOptions
from core.files.label_source import BLOCK_CELLS, Block, Head, default_columns
from core.files.layout import SEPARATOR_NAMES, Separator, separator_of, split_at_spaces
from core.files.stamp import Stamp, stamp_of
from core.studies.study import Pulse, Step

HEAD_BYTES = 1 << 17
"""How much of a file is looked at before it is read."""

_PIECE = 1 << 16
_LONGEST_LINE = 1 << 22


@dataclass
class TextSource:
    """A text file whose lines are items.

    Attributes
    ----------
    path : Path
    name : str
        What messages call it.
    options : LabelOptions
        What is known of it; the rest is found out from its first lines.
    beginning : str
        The text of the first lines.
    fallback : bool
        Whether it is known not to be UTF-8 where nobody named its encoding.
    """

    path: Path
    name: str
    options: LabelOptions
    fallback: bool = False
    stamp: Stamp | None = field(default=None, init=False)
    separator: Separator | None = field(default=None, init=False)
    encoding: str = field(default="UTF-8", init=False)
    beginning: str = field(default="", init=False, repr=False)
    _codec: str = field(default="utf-8", init=False)
    _skipped: int = field(default=0, init=False)
    _comments: int = field(default=0, init=False)
    _doubt: str | None = field(default=None, init=False)
    _blank_lines: int = field(default=0, init=False)
    _head: Head = field(init=False)

    def __post_init__(self) -> None:
        """Look at the beginning of the file."""
        with opened(self.path, self.name) as (file, status):
            data = file.read(HEAD_BYTES)
            self.stamp = stamp_of(status)
        complete = len(data) >= status.st_size
        self.beginning = text = self._decoded(data, complete)
        self._head = self._look(text, complete)

    @property
    def head(self) -> Head:
        """The beginning of the file."""
        return self._head

    @property
    def how(self) -> str:
        """How the file is read, as clauses."""
        first = "the first line names the columns" if self._head.named else "no line names columns"
        marks = SEPARATOR_NAMES[self.separator]
        return f"{marks} separate the columns; {first}; the encoding is {self.encoding}"

    @property
    def skipped(self) -> int:
        """Number of lines above the labels."""
        return self._skipped

    # The beginning

    def _decoded(self, data: bytes, complete: bool) -> str:
        """Return the text of the first bytes, of which the last may be half a character."""
        encoding = self.options.encoding
        if encoding is not None:
            self._codec = self.encoding = encoding
        else:
            for mark, codec, label in BOMS:
                if data.startswith(mark):
                    self._codec, self.encoding = codec, label
                    break
            else:
                head = data if complete else data[: whole_characters(data)]
                if self.fallback:
                    self._codec, self.encoding = "cp1252", "Windows-1252"
                    return self._decoder().decode(head, True)
                if b"\x00" in head:
                    self._refuse_nul(head)
                text, self.encoding = decode(head, self.name)
                self._codec = "cp1252" if self.encoding == "Windows-1252" else "utf-8"
                return text
        text = self._decoder().decode(data, complete)
        if is_blank(text[:1000]) and is_blank(text):
            decode(b"", self.name)
        return text.removeprefix("\ufeff")

    def _decoder(self) -> Decoder:
        return Decoder(self._codec, self.name, given=self.options.encoding is not None)

    def _refuse_nul(self, head: bytes) -> None:
        """Name the place of a zero byte in what is a text without it."""
        try:
            decode(head, self.name)
        except ReadError as error:
            if error.kind is not FaultKind.NOT_TEXT:
                raise
        decode(head.replace(b"\x00", b""), self.name)
        raise self._nul_fault()

    def _look(self, text: str, complete: bool) -> Head:
        lines = list(StringIO(text, newline=""))
        if not complete and len(lines) > 1 and not lines[-1].endswith(("\n", "\r")):
            # It is cut.
            lines.pop()
        self.separator = self._skip(lines)
        found: list[list[str]] = []
        places: list[int] = []
        fault: str | None = None
        reader = self._reader(iter(lines[self._skipped :]))
        place = self._skipped + 1
        while True:
            try:
                row = next(reader)
            except StopIteration:
                break
            except csv.Error as error:
                # A cell that goes on where the looking ends is no fault.
                if complete or "unexpected end" not in str(error):
                    fault = quote_fault(error, self.name, place)
                break
            if not is_blank_line(row):
                found.append(row)
                places.append(place)
            place = self._line_after(reader, place)
        if not found:
            raise ReadError(
                fault or f"{self.name} has no labels in it.",
                kind=FaultKind.QUOTE if fault else FaultKind.EMPTY,
            )
        return self._headed(found, places, complete, fault)

    def _skip(self, lines: list[str]) -> Separator | None:
        """Pass over what stands above the labels, and return what separates these."""
        first = lines[0].rstrip("\r\n").strip('"').lower()
        given = self.options.separator
        if len(first) == 5 and first.startswith("sep=") and first[4] in ",;\t":
            self._skipped = 1
            given = given or first[4]  # type: ignore[assignment]
        comments = []
        while self._skipped < len(lines):
            line = lines[self._skipped]
            if line.startswith("#"):
                comments.append(self._skipped)
            elif not is_blank(line):
                break
            self._skipped += 1
        separator = given or separator_of("".join(islice(lines, self._skipped, None)))
        if comments and lines[comments[-1]].count('"') % 2:
            # A label may go on below: then the line of its mark is the first of the rows.
            from_mark = given or separator_of("".join(islice(lines, comments[-1], None)))
            if is_row(lines[comments[-1] :], from_mark):
                separator = from_mark
        # "#id,truth,cluster" is no comment: it has as many cells as the rows below.
        while comments and comments[-1] == self._skipped - 1:
            if not is_row(lines[comments[-1] :], separator):
                break
            self._skipped = comments.pop()
        self._comments = len(comments)
        return separator

    def _headed(
        self, found: list[list[str]], places: list[int], complete: bool, fault: str | None
    ) -> Head:
        first, others = found[0], found[1:]
        common = Counter(map(len, others)).most_common(1)
        width = common[0][0] if common else len(first)
        # As R writes it: nothing stands above the names of the rows.
        short = self.options.header is not False and len(first) == width - 1
        header = self.options.header
        if header is None:
            header = short or is_header(first, others)
            if header and not short:
                self._doubt = header_note(first, others)
        if not header:
            names, rows, lines = default_columns(width), found, places
        else:
            names = tuple(trimmed(cell) for cell in (["", *first] if short else first)[:width])
            names += ("",) * (width - len(names))
            rows, lines = others, places[1:]
        return Head(names, header, tuple(map(tuple, rows)), tuple(lines), complete, fault)

    # Reading

    def _reader(self, lines: Iterator[str]) -> Any:
        if self.separator == " ":
            return map(split_at_spaces, lines)
        mark = self.separator or "\t"
        return csv.reader(
            lines,
            delimiter=mark,
            strict=True,
            # A blank after a comma would make the quotation mark behind it part of the label.
            skipinitialspace=mark != "\t",
            quoting=csv.QUOTE_MINIMAL if self.options.quotes else csv.QUOTE_NONE,
        )

    def _line_after(self, reader: Any, place: int) -> int:
        return place + 1 if self.separator == " " else self._skipped + reader.line_num + 1

    def blocks(self, columns: Sequence[int]) -> Iterator[Block]:
        """Yield all items block by block."""
        width = len(self._head.names)
        size = max(1, BLOCK_CELLS // max(width, 1))
        take = [itemgetter(column) for column in columns]
        self._blank_lines = 0
        with opened(self.path, self.name) as (file, status):
            lines = islice(self._lines(file), self._skipped, None)
            reader = self._reader(lines)
            record = 0
            while True:
                try:
                    rows: list[list[str]] = list(islice(reader, size))
                except csv.Error as error:
                    raise self._located(error) from None
                if not rows:
                    return
                start, record = record, record + len(rows)
                if start == 0 and self._head.named:
                    # Blank lines above it have been passed over.
                    del rows[0]
                if set(map(len, rows)) - {width}:
                    rows = self._fitted(rows, record - len(rows), width)
                yield Block(
                    [list(map(get, rows)) for get in take], len(rows), file.tell(), status.st_size
                )

    def _lines(self, file: BinaryIO, *, check: bool = True) -> Iterator[str]:
        """Yield the lines of a file with their ends."""
        decoder = self._decoder()
        rest, first = "", True
        while True:
            data = file.read(_PIECE)
            text = decoder.decode(data, not data)
            if check and "\x00" in text:
                raise self._nul_fault()
            if first:
                text, first = text.removeprefix("\ufeff"), False
            text = rest + text
            if not data:
                yield from StringIO(text, newline="")
                return
            # What ends in a carriage return may go on with a line feed.
            cut = max(text.rfind("\n"), text.rfind("\r", 0, -1)) + 1
            rest = text[cut:]
            if len(rest) > _LONGEST_LINE:
                raise ReadError(
                    f"{self.name} has a line of more than {_LONGEST_LINE:,} characters: a label "
                    "file has one line an item.",
                    kind=FaultKind.TOO_LONG,
                )
            yield from StringIO(text[:cut], newline="")

    def _fitted(self, rows: list[list[str]], start: int, width: int) -> list[list[str]]:
        """Return rows of the right width: blank lines left out, blank cells too many cut."""
        fitted = []
        for i, row in enumerate(rows):
            if len(row) == width:
                fitted.append(row)
            elif is_blank_line(row):
                self._blank_lines += 1
            elif len(row) > width and all(map(is_blank, row[width:])):
                fitted.append(row[:width])
            else:
                raise self._ragged(start + i, len(row), width)
        return fitted

    # Faults

    def _nul_fault(self) -> ReadError:
        with opened(self.path, self.name) as (file, _):
            for i, text in enumerate(self._lines(file, check=False)):
                at = text.find("\x00")
                if at >= 0:
                    mark = self.separator or separator_of(text)
                    column = 1 + (text.count(mark, 0, at) if mark else 0)
                    return ReadError(
                        f"{self.name}, line {i + 1}, column {column}: there is a zero byte, which "
                        "no text has: delete it, or write the file again.",
                        kind=FaultKind.NOT_TEXT,
                        line=i + 1,
                        column=column - 1,
                    )
        return ReadError(f"{self.name} is not a text file.", kind=FaultKind.NOT_TEXT)

    def _ragged(self, record: int, cells: int, width: int) -> ReadError:
        line = next(islice(self._places(), record, None))
        has = f"{cells} {'cell' if cells == 1 else 'cells'}"
        remedy = "add what is missing" if cells < width else "delete what is too much"
        return ReadError(
            f"{self.name}, line {line}: the line has {has} where the others have {width}: "
            f"{remedy}, or say what separates the cells.",
            kind=FaultKind.RAGGED,
            line=line,
        )

    def _located(self, error: csv.Error) -> ReadError:
        """Return the error of a quotation mark, at the line where its row begins."""
        line = self._skipped + 1
        places = self._places(ahead=True)
        with contextlib.suppress(csv.Error):
            while (following := next(places, None)) is not None:
                line = following
        return ReadError(quote_fault(error, self.name, line), kind=FaultKind.QUOTE, line=line)

    def _places(self, *, ahead: bool = False) -> Iterator[int]:
        """Yield the line of each row; with ``ahead``, before the row is read."""
        with opened(self.path, self.name) as (file, _):
            lines = Counted(islice(self._lines(file), self._skipped, None))
            reader = self._reader(iter(lines))
            while True:
                line = self._skipped + lines.taken + 1
                if ahead:
                    yield line
                if next(reader, None) is None:
                    return
                if not ahead:
                    yield line

    def place(self, item: int) -> Generator[Step[Any], None, str]:
        """Return the line of an item."""
        pulse = Pulse()
        # Blank lines are no items.
        rows = self._items()
        for i, line in enumerate(rows):
            if i == item:
                return f"line {line}"
            if i % 1000 == 0 and pulse.due():
                yield Step(i, item, f"finding the line in {self.name}")
        return f"item {item + 1}"

    def _items(self) -> Iterator[int]:
        with opened(self.path, self.name) as (file, _):
            lines = Counted(islice(self._lines(file), self._skipped, None))
            reader = self._reader(iter(lines))
            named = self._head.named
            while True:
                line = self._skipped + lines.taken + 1
                row = next(reader, None)
                if row is None:
                    return
                if named:
                    named = False
                elif not is_blank_line(row):
                    yield line

    def notes(self) -> Iterator[str]:
        """Yield what a reader should know."""
        if self._doubt:
            yield self._doubt
        if self._comments:
            n = self._comments
            yield f"{n} comment {'line was' if n == 1 else 'lines were'} skipped"
        if self._blank_lines:
            n = self._blank_lines
            yield f"{n:,} blank {'line was' if n == 1 else 'lines were'} skipped"
        if self.encoding == "Windows-1252" and self.options.encoding is None:
            yield "the file is not UTF-8 and was taken for Windows-1252"
