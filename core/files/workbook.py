"""The parts of an XLSX workbook: its sheets, its texts, and how its numbers are shown.

They are read by an event parser and not through openpyxl's workbooks: those give either a
formula or its value, and in their read-only form neither merged cells nor hidden rows;
nor can they be stopped. What openpyxl knows of formats and dates is used.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from xml.parsers import expat

from core.files.archive import damaged, member_pieces
from core.files.decoding import MAX_BYTES
from core.files.errors import FaultKind, ReadError
from core.studies.study import Pulse, Step

MAX_SHEET = 700_000_000
"""The most bytes of one sheet: it takes some forty for each of `MAX_CELLS` counts."""

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


class SheetPart(NamedTuple):
    """A sheet of a workbook, where it stands in the archive, and whether it is hidden."""

    name: str
    member: zipfile.ZipInfo
    hidden: bool


@dataclass(frozen=True)
class Workbook:
    """What all sheets of a workbook share.

    Attributes
    ----------
    sheets : list of SheetPart
        In the order of the tabs, charts left out.
    strings : list of str
        The texts that cells refer to by number.
    styles : list of {"", "percent", "date"}
        What a number of each style stands for.
    from_1904 : bool
        Whether days are counted from 1904.
    """

    sheets: list[SheetPart]
    strings: list[str] = field(default_factory=list)
    styles: list[str] = field(default_factory=list)
    from_1904: bool = False


class Handler:
    """What is told of the elements of an XML part, prefixes of names left out."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Take the start of an element into account."""

    def end(self, tag: str) -> None:
        """Take the end of an element into account."""

    def text(self, text: str) -> None:
        """Take a piece of text into account."""


def walk(
    archive: zipfile.ZipFile,
    member: zipfile.ZipInfo,
    name: str,
    handler: Handler,
    most: int = MAX_BYTES,
) -> Generator[Step[Any], None, None]:
    """Yield steps while a part of a workbook is read and its handler is told of it.

    Parameters
    ----------
    archive : ZipFile
        The workbook.
    member : ZipInfo
        The part.
    name : str
        What messages call the workbook.
    handler : Handler
        Who is told of its elements.
    most : int
        The most bytes that are unpacked.

    Raises
    ------
    ReadError
        If the part is damaged or too large.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def local(call: Callable[..., None]) -> Callable[..., None]:
        return lambda tag, *rest: call(tag.rpartition(":")[2], *rest)

    def first(tag: str, attributes: dict[str, str]) -> None:
        # Few programs write prefixes; where the first element has none, none is looked for.
        if ":" in tag:
            parser.StartElementHandler = local(handler.start)
            parser.EndElementHandler = local(handler.end)
        else:
            parser.StartElementHandler = handler.start
            parser.EndElementHandler = handler.end
        parser.StartElementHandler(tag, attributes)

    def refuse(*_: object) -> None:
        # Workbooks have none, and entities can make much of little.
        raise damaged(name)

    parser.StartElementHandler = first
    parser.CharacterDataHandler = handler.text
    parser.StartDoctypeDeclHandler = refuse
    pulse = Pulse()
    done = 0
    try:
        for piece in member_pieces(archive, member, name, most):
            # Small enough that a stop is heard.
            for start in range(0, len(piece), 1 << 15):
                parser.Parse(piece[start : start + (1 << 15)], False)
                if pulse.due():
                    yield Step(done + start, max(member.file_size, done + start), f"reading {name}")
            done += len(piece)
        parser.Parse(b"", True)
    except expat.ExpatError:
        raise damaged(name) from None


def unescaped(text: str) -> str:
    """Return a text of a cell with what XML cannot hold, which is written as ``_x000D_``."""
    if "_x" not in text:
        return text
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)


def workbook_in(archive: zipfile.ZipFile, name: str) -> Generator[Step[Any], None, Workbook]:
    """Yield steps while what all sheets share is read; return it.

    Parameters
    ----------
    archive : ZipFile
        The workbook.
    name : str
        What messages call it.

    Returns
    -------
    Workbook

    Raises
    ------
    ReadError
        If it is damaged or another kind of document.
    """
    members = {member.filename.lstrip("/"): member for member in archive.infolist()}
    root = yield from _relations(archive, members, "", name)
    main = next((part for kind, part in root.values() if kind == "officeDocument"), "")
    main = main if main in members else "xl/workbook.xml"
    if main.endswith(".bin") or "xl/workbook.bin" in members:
        raise ReadError(
            f"{name} is a binary Excel workbook (XLSB): save it as XLSX or CSV and open that.",
            kind=FaultKind.NOT_TEXT,
        )
    if main not in members:
        raise damaged(name)
    book = _BookHandler()
    yield from walk(archive, members[main], name, book)
    relations = yield from _relations(archive, members, main, name)
    sheets: list[SheetPart] = []
    for title, state, relation in book.sheets:
        kind, part = relations.get(relation, ("", ""))
        if kind == "worksheet":
            if part not in members:
                raise damaged(name)
            sheets.append(SheetPart(title, members[part], state not in ("", "visible")))
    strings, styles = _StringsHandler(), _StylesHandler()
    for kind, part in relations.values():
        if kind == "sharedStrings" and part in members:
            yield from walk(archive, members[part], name, strings)
        if kind == "styles" and part in members:
            yield from walk(archive, members[part], name, styles)
    return Workbook(sheets, strings.strings, styles.meanings(), book.from_1904)


def _relations(
    archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], part: str, name: str
) -> Generator[Step[Any], None, dict[str, tuple[str, str]]]:
    """Return what a part refers to: kind and place of each, by its identity."""
    folder, file = posixpath.split(part)
    path = posixpath.join(folder, "_rels", file + ".rels")
    handler = _RelationsHandler(folder)
    if path in members:
        yield from walk(archive, members[path], name, handler)
    return handler.found


class _RelationsHandler(Handler):
    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.found: dict[str, tuple[str, str]] = {}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "Relationship" and attributes.get("TargetMode") != "External":
            target = attributes.get("Target", "")
            path = posixpath.normpath(posixpath.join("/", self._folder, target)).lstrip("/")
            kind = attributes.get("Type", "").rpartition("/")[2]
            self.found[attributes.get("Id", "")] = kind, path


class _BookHandler(Handler):
    def __init__(self) -> None:
        self.sheets: list[tuple[str, str, str]] = []
        self.from_1904 = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "workbookPr":
            self.from_1904 = attributes.get("date1904") in ("1", "true")
        elif tag == "sheet":
            relation = next((value for key, value in attributes.items() if key.endswith(":id")), "")
            state = attributes.get("state", "")
            self.sheets.append((unescaped(attributes.get("name", "")), state, relation))


class _StringsHandler(Handler):
    """Collects the shared texts; readings above Japanese text are not part of it."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self._parts: list[str] = []
        self._inside = self._phonetic = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:  # noqa: ARG002
        if tag == "si":
            self._parts = []
        elif tag == "rPh":
            self._phonetic = True
        elif tag == "t":
            self._inside = not self._phonetic

    def end(self, tag: str) -> None:
        if tag == "si":
            self.strings.append(unescaped("".join(self._parts)))
        elif tag == "rPh":
            self._phonetic = False
        elif tag == "t":
            self._inside = False

    def text(self, text: str) -> None:
        if self._inside:
            self._parts.append(text)


class _StylesHandler(Handler):
    def __init__(self) -> None:
        self._codes: dict[int, str] = {}
        self._used: list[int] = []
        self._in_cells = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "numFmt":
            self._codes[_number(attributes.get("numFmtId"))] = attributes.get("formatCode", "")
        elif tag == "cellXfs":
            self._in_cells = True
        elif tag == "xf" and self._in_cells:
            self._used.append(_number(attributes.get("numFmtId")))

    def end(self, tag: str) -> None:
        if tag == "cellXfs":
            self._in_cells = False

    def meanings(self) -> list[str]:
        """Return what a number of each style stands for."""
        from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format

        found: dict[int, str] = {}
        for number in set(self._used):
            code = self._codes.get(number, BUILTIN_FORMATS.get(number, "General"))
            bare = re.sub(r'"[^"]*"|\\.', "", code)
            date = number not in self._codes and 27 <= number <= 36
            found[number] = (
                "percent" if "%" in bare else "date" if date or is_date_format(code) else ""
            )
        return [found[number] for number in self._used]


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() else 0
