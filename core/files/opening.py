"""The one door to tables in files: what a file is, its content says, and its ending after that.

A ``.csv`` that is really a workbook is opened as the workbook that it is.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.files.archive import opened_zip
from core.files.arrays import npy_tables, npz_tables
from core.files.decoding import decode, read_bytes
from core.files.errors import FaultKind, ReadError, plain
from core.files.export_names import EXPORT_MARK, refuse_what_is_for_people
from core.files.export_quotes import QUOTED_MARK, requoted
from core.files.json_tables import json_tables
from core.files.options import LABELS_NOTE, OpenOptions, ParsedTable
from core.files.parser import parsing
from core.files.several import ManyTables, exported_tables, separate_tables
from core.files.spreadsheets import workbook_tables
from core.files.stamp import Stamp
from core.files.standard_input import standard_input
from core.named_table import NamedTable
from core.studies.study import Step, returned, run_to_end

__all__ = [
    "FileKind",
    "OpenFile",
    "OpenOptions",
    "Opened",
    "kind_of",
    "open_file",
    "open_text",
]


# What tells a session stands in so many bytes.
_HEAD = 4_000


class FileKind(StrEnum):
    """What a file is."""

    TABLE = "table"
    """One table as text."""
    TABLES = "tables"
    """Several tables as text."""
    EXPORT = "export"
    """Scored tables as text, written by this program."""
    JSON = "json"
    ARRAY = "array"
    """An array of NumPy, or several."""
    WORKBOOK = "workbook"
    SESSION = "session"
    """Tables and options of a session, which `core.files.sessions` reads."""


@dataclass(frozen=True)
class Opened:
    """The tables of a file.

    Attributes
    ----------
    tables : tuple of NamedTable
        One or more. An export keeps the names that it had, which may be empty.
    kind : FileKind
        What the file is.
    parsed : ParsedTable or None
        How the table was read, where the file is one table of text; else None.
    stamp : tuple of int and int, or None
        When the file was last changed and its size, before it was read; None for text and
        standard input.
    is_export : bool
        Whether this program wrote the file as an export of scores.
    notes : tuple of str
        What is to be said of all tables, as clauses; what concerns one stands with it.
    how : str
        How the file was read, in one sentence.
    left_out : tuple of ReadError
        Why parts that may hold tables, such as sheets, could not be read; the notes say so too.
    """

    tables: tuple[NamedTable, ...]
    kind: FileKind
    parsed: ParsedTable | None = None
    stamp: Stamp | None = None
    is_export: bool = False
    notes: tuple[str, ...] = ()
    how: str = ""
    left_out: tuple[ReadError, ...] = ()

    @property
    def may_be_labels(self) -> bool:
        """Whether a table that was read may rather be labels, one item a line."""
        return any(LABELS_NOTE in table.notes for table in self.tables)


@dataclass(frozen=True)
class OpenFile:
    """The study that reads all tables of a file, whatever its format.

    Attributes
    ----------
    path : Path or str
        The file; ``"-"`` is standard input.
    options : OpenOptions
        What is known already.
    name : str, optional
        What messages call the file; its name by default.
    """

    path: Path | str
    options: OpenOptions = field(default_factory=OpenOptions)
    name: str | None = None

    def run(self) -> Generator[Step[Opened], None, None]:
        """Read, with a step every twentieth of a second; the last has what was `Opened`.

        Raises
        ------
        ReadError
            If the file cannot be read, or holds no table of counts.
        """
        stamp: Stamp | None = None
        source: str | None = None
        if self.path == "-":
            name = stem = self.name or "standard input"
            data = yield from standard_input(name)
        else:
            path = Path(self.path)
            name = plain(self.name or path.name or str(path))
            source, stem = path.name, path.stem
            data, stamp = yield from read_bytes(path, name)
        opened = yield from _Opening(data, self.options, name, stem, source).run()
        yield Step(1, 1, f"read {name}", result=replace(opened, stamp=stamp))


def open_file(
    path: Path | str, options: OpenOptions | None = None, *, name: str | None = None
) -> Opened:
    """Read all tables of a file, whatever its format.

    Parameters
    ----------
    path : Path or str
        The file; ``"-"`` is standard input.
    options : OpenOptions, optional
        What is known already.
    name : str, optional
        What messages call the file; its name by default.

    Returns
    -------
    Opened

    Raises
    ------
    ReadError
        If the file cannot be read, or holds no table of counts; `CountError` where one
        cell is at fault.
    """
    return run_to_end(OpenFile(path, options or OpenOptions(), name))


def open_text(
    text: str, options: OpenOptions | None = None, *, name: str = "the text", stem: str = "Table"
) -> Opened:
    """Read all tables of a text, such as that of the clipboard.

    Parameters
    ----------
    text : str
        Tables, an export or JSON.
    options : OpenOptions, optional
        What is known already.
    name : str
        What messages call the text.
    stem : str
        What a table without a name is called, with a number behind where there are more.

    Returns
    -------
    Opened

    Raises
    ------
    ReadError
        If it holds no table of counts; `CountError` where one cell is at fault.
    """
    return returned(_Opening(b"", options or OpenOptions(), name, stem, None).text(text, None))


_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NPY = b"\x93NUMPY"
_SESSION = b'"tallyscope session"'
# How the streams of an Office file are named in its directory.
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


def kind_of(data: bytes) -> FileKind | None:
    """Return what a file is by its first bytes; None for text that is to be looked at.

    Parameters
    ----------
    data : bytes
        The beginning of the file, some thousand bytes.
    """
    if data.startswith(_NPY):
        return FileKind.ARRAY
    if data.startswith(_ZIP):
        return FileKind.ARRAY if _first_member(data).endswith(b".npy") else FileKind.WORKBOOK
    head = data[:200].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"{") and _SESSION in head:
        return FileKind.SESSION
    if data.removeprefix(b"\xef\xbb\xbf").startswith((EXPORT_MARK.encode(), QUOTED_MARK.encode())):
        return FileKind.EXPORT
    return None


def is_session(path: Path | str) -> bool:
    """Return whether a file is a session, by its content.

    Parameters
    ----------
    path : Path or str
        What is no file, such as a pipe, is none, and neither is what cannot be read.
    """
    try:
        path = Path(path)
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return kind_of(file.read(_HEAD)) is FileKind.SESSION
    except (OSError, ValueError):
        return False


def _first_member(data: bytes) -> bytes:
    length = int.from_bytes(data[26:28], "little")
    return data[30 : 30 + length]


class _Opening:
    """Reads the bytes of a file as what they are."""

    def __init__(
        self, data: bytes, options: OpenOptions, name: str, stem: str, source: str | None
    ) -> None:
        self._data = data
        self._options = options
        self._name, self._stem, self._source = name, stem, source

    def run(self) -> Generator[Step[Any], None, Opened]:
        data, options, name = self._data, self._options, self._name
        if data.startswith(_OLE):
            raise self._old_office()
        kind = kind_of(data[:_HEAD])
        if kind is FileKind.SESSION:
            raise ReadError(
                f"{name} is a session: save it as a file, and open that.", kind=FaultKind.NOT_TEXT
            )
        if kind is FileKind.ARRAY and data.startswith(_NPY):
            arrays = yield from npy_tables(data, options, name, self._stem, self._source)
            return Opened(arrays.tables, kind, notes=arrays.notes, how="It is a NumPy array.")
        if data.startswith(_ZIP):
            return (yield from self._zip())
        text, encoding = decode(data, name, options.read.encoding, json=True)
        self._data = b""
        del data
        return (yield from self.text(text, encoding))

    def _old_office(self) -> ReadError:
        if _ENCRYPTED in self._data:
            fault = "is protected by a password: save it without one"
        else:
            fault = (
                "is an old Excel file (XLS), or another old Office file: save it as XLSX or CSV "
                "and open that"
            )
        return ReadError(f"{self._name} {fault}.", kind=FaultKind.NOT_TEXT)

    def _zip(self) -> Generator[Step[Any], None, Opened]:
        data, options, name = self._data, self._options, self._name
        with opened_zip(data, name) as archive:
            names = archive.namelist()
        if any(one.startswith("xl/") for one in names):
            book = yield from workbook_tables(data, options, name, self._source)
            return Opened(
                book.tables,
                FileKind.WORKBOOK,
                is_export=book.is_export,
                notes=book.notes,
                how="It is an Excel workbook.",
                left_out=book.left_out,
            )
        if names and all(one.endswith(".npy") for one in names):
            arrays = yield from npz_tables(data, options, name, self._stem, self._source)
            said = "It is an archive of NumPy arrays."
            return Opened(arrays.tables, FileKind.ARRAY, notes=arrays.notes, how=said)
        if any(one.startswith("word/") or one.startswith("ppt/") for one in names):
            what, remedy = "is a document, not a table", "copy its table and paste it"
        elif "mimetype" in names and "content.xml" in names:
            what, remedy = "is an OpenDocument file (ODS)", "save it as XLSX or CSV and open that"
        elif not names:
            what, remedy = "is an empty zip archive", "open the table itself"
        else:
            what, remedy = "is a zip archive", "unpack it and open the table inside"
        raise ReadError(f"{name} {what}: {remedy}.", kind=FaultKind.NOT_TEXT)

    def text(self, text: str, encoding: str | None) -> Generator[Step[Any], None, Opened]:
        """Return the tables of a text."""
        text = yield from requoted(text.removeprefix("\ufeff"), self._name)
        options, name = self._options, self._name
        is_json = Path(self._source or "").suffix.lower() == ".json" and not text.startswith("#")
        if is_json or _looks_like_json(text):
            found = yield from json_tables(text, options, name, self._stem, self._source)
            kind, notes = FileKind.JSON, found.notes
            return Opened(
                found.tables, kind, is_export=found.is_export, notes=notes, how="It is JSON."
            )
        refuse_what_is_for_people(text, name)
        if text.startswith(EXPORT_MARK):
            many = yield from exported_tables(text, options.read, name, encoding, self._source)
            return _opened(many, FileKind.EXPORT)
        return (yield from self._tables(text, encoding))

    def _tables(self, text: str, encoding: str | None) -> Generator[Step[Any], None, Opened]:
        options, name, read = self._options, self._name, self._options.read
        if options.several is True:
            many = yield from self._separate(text, encoding, asked=True)
            if many is not None:
                return _opened(many, FileKind.TABLES)
        try:
            parsed = yield from parsing(text, read, name, encoding)
        except ReadError as error:
            # A blank line between tables, or a title above one.
            first = error.kind is FaultKind.RAGGED and error.row == 0
            if options.several is False or not (error.kind is FaultKind.BLANK_LINE or first):
                raise
            many = yield from self._separate(text, encoding, asked=False)
            if many is None:
                if error.kind is FaultKind.BLANK_LINE:
                    raise _with_remedy(error) from None
                raise
            return _opened(many, FileKind.TABLES)
        table = NamedTable(self._stem, parsed.table, self._source, parsed.notes)
        return Opened((table,), FileKind.TABLE, parsed, how=parsed.how)

    def _separate(
        self, text: str, encoding: str | None, *, asked: bool
    ) -> Generator[Step[Any], None, ManyTables | None]:
        return (
            yield from separate_tables(
                text,
                self._options.read,
                self._name,
                encoding,
                self._stem,
                self._source,
                asked,
            )
        )


def _with_remedy(error: ReadError) -> ReadError:
    message = error.message.removesuffix(".")
    return ReadError(
        f"{message}, or say that blank lines separate tables.", kind=error.kind, line=error.line
    )


def _opened(many: ManyTables, kind: FileKind) -> Opened:
    alone = many.parsed[0] if len(many.parsed) == 1 else None
    if kind is FileKind.TABLES and alone is not None:
        kind = FileKind.TABLE
    return Opened(
        many.tables,
        kind,
        alone,
        is_export=kind is FileKind.EXPORT,
        notes=many.notes,
        how=many.parsed[0].how,
    )


def _looks_like_json(text: str) -> bool:
    head = text[:1000].lstrip()
    inner = head[1:].lstrip()[:1]
    if head[:1] == "{":
        return inner in ('"', "}")
    if head[:1] != "[" or not inner:
        return False
    # What was cut is JSON too; a bracket may also begin a name.
    ends = text[-1000:].rstrip()[-1:] == "]"
    return inner in "[{" or (ends and (inner in '"]-' or inner.isdigit()))
