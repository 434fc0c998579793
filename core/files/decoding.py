"""From the bytes of a file to its text, or one sentence that says why not."""

from __future__ import annotations

import codecs
import contextlib
import errno
import os
import stat
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from core.files.errors import FaultKind, ReadError, plain
from core.files.stamp import Stamp, stamp_of
from core.studies.study import Step

MAX_BYTES = 256_000_000
"""The largest file that is read: as large as `MAX_CELLS` counts with a sum of 64 bits."""

_CHUNK = 4_000_000

_BOMS = (
    # The mark of UTF-16 begins that of UTF-32, so the longer one comes first.
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)

_SAVE_AS_CSV = "save the sheet as CSV and open that"

_MAGIC = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is an old Excel or Office file", _SAVE_AS_CSV),
    (b"PK\x03\x04", "is a zip archive", "unpack it and open the table inside"),
    (b"PK\x05\x06", "is an empty zip archive", "open a CSV or TSV file"),
    (b"\x1f\x8b", "is compressed with gzip", "unpack it and open the table inside"),
    (b"BZh", "is compressed with bzip2", "unpack it and open the table inside"),
    (b"\xfd7zXZ\x00", "is compressed with xz", "unpack it and open the table inside"),
    (b"7z\xbc\xaf\x27\x1c", "is a 7z archive", "unpack it and open the table inside"),
    (b"\x28\xb5\x2f\xfd", "is compressed with zstd", "unpack it and open the table inside"),
    (b"\x89PNG", "is a picture (PNG)", "open the numbers as a CSV or TSV file"),
    (b"\xff\xd8\xff", "is a picture (JPEG)", "open the numbers as a CSV or TSV file"),
    (b"GIF8", "is a picture (GIF)", "open the numbers as a CSV or TSV file"),
    (b"%PDF", "is a PDF document", "copy its table into a spreadsheet and save that as CSV"),
    (b"PAR1", "is a Parquet file", "write it as CSV, with pandas for example"),
    (b"\x93NUMPY", "is a NumPy array file", "write it as CSV, with numpy.savetxt for example"),
    (b"\x89HDF", "is an HDF5 file", "write its table as CSV"),
    (b"ARROW1", "is an Arrow file", "write it as CSV"),
    (b"SQLite format 3", "is an SQLite database", "export its table as CSV"),
    (b"{\\rtf", "is an RTF document", "copy its table into a spreadsheet and save that as CSV"),
)

_MARKUP = (b"<!doctype", b"<html", b"<?xml", b"<table", b"<svg")


def read_bytes(path: Path, name: str) -> Generator[Step[Any], None, tuple[bytes, Stamp]]:
    """Read a file piece by piece, and return its bytes and its stamp.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        What messages call it.

    Yields
    ------
    Step
        One for each piece.

    Returns
    -------
    data, stamp : bytes, tuple of int and int
        The stamp is that before the first piece, so that a change meanwhile shows.

    Raises
    ------
    ReadError
        If it cannot be read, is no regular file, or is larger than `MAX_BYTES`.
    """
    with opened(path, name) as (file, status):
        if status.st_size > MAX_BYTES:
            raise too_big(name, status.st_size)
        data = yield from read_stream(file, name)
        return data, stamp_of(status)


@contextlib.contextmanager
def opened(path: Path, name: str) -> Iterator[tuple[BinaryIO, os.stat_result]]:
    """Open a regular file, and say in a sentence what goes wrong while it is read.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        What messages call it.

    Yields
    ------
    file, status : BinaryIO, os.stat_result
        The status is that before the first byte was read.

    Raises
    ------
    ReadError
        If it cannot be read or is no regular file.
    """
    try:
        # To open a device may already do something, so it is looked at before.
        _check_regular(path.stat(), name)
        with os.fdopen(os.open(path, _FLAGS), "rb") as file:
            # Another may have taken its place since.
            status = os.fstat(file.fileno())
            _check_regular(status, name)
            yield file, status
    except (OSError, ValueError) as error:
        if isinstance(error, ReadError) or not _is_of_file(error):
            raise
        raise ReadError(_unreadable(name, error), kind=FaultKind.UNREADABLE) from None


def _is_of_file(error: OSError | ValueError) -> bool:
    # A name with a NUL is a plain ValueError; its kinds, such as TableError, are others' faults.
    return isinstance(error, OSError) or type(error) is ValueError


# A pipe that nobody writes to must not keep who opens it waiting.
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)


def _check_regular(status: os.stat_result, name: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise ReadError(f"{name} is a folder: choose a file in it.", kind=FaultKind.UNREADABLE)
    if not stat.S_ISREG(status.st_mode):
        raise ReadError(
            f"{name} is a pipe or a device, not a file: save what it gives as a file first.",
            kind=FaultKind.UNREADABLE,
        )


def read_stream(stream: BinaryIO, name: str) -> Generator[Step[Any], None, bytes]:
    """Read a stream to its end, as `read_bytes` does a file."""
    pieces: list[bytes] = []
    done = 0
    while piece := stream.read(_CHUNK):
        pieces.append(piece)
        done += len(piece)
        # What is no file, such as a pipe, does not tell its size beforehand.
        if done > MAX_BYTES:
            raise too_big(name, None)
        yield Step(done, None, f"reading {name}")
    return b"".join(pieces)


def too_big(name: str, size: int | None) -> ReadError:
    """Return the error for a file that is larger than `MAX_BYTES`."""
    is_what = "is larger" if size is None else f"has {size / 1e6:,.0f} MB, more"
    return ReadError(
        f"{name} {is_what} than the {MAX_BYTES / 1e6:.0f} MB that are read: leave out empty "
        "classes and clusters, or count the labels into a smaller table first.",
        kind=FaultKind.TOO_BIG,
    )


def _unreadable(name: str, error: OSError | ValueError) -> str:
    code = getattr(error, "errno", None)
    if code == errno.ENOENT:
        return f"{name} does not exist: check the name, or whether it was moved or deleted."
    if code in (errno.EACCES, errno.EPERM):
        return f"{name} may not be read: ask for permission, or copy it to a folder of yours."
    if code == errno.ENOTDIR:
        return f"{name} does not exist: a part of its path is not a folder."
    if code == errno.EISDIR:
        return f"{name} is a folder: choose a file in it."
    if code in (errno.ENAMETOOLONG, errno.EINVAL) or not isinstance(error, OSError):
        return f"{name} is not a name that a file can have."
    if code == errno.ELOOP:
        return f"{name} is a link that leads to itself."
    reason = os.strerror(code).lower() if code else "no reason is given"
    return f"{name} could not be read ({reason}): check the disk or the connection to it."


def decode(data: bytes, name: str, encoding: str | None = None) -> tuple[str, str]:
    """Return the text of a file and the encoding it was read in.

    Parameters
    ----------
    data : bytes
        The file.
    name : str
        What messages call it.
    encoding : str, optional
        Name of the encoding. By default that of the byte order mark, else UTF-8, else
        Windows-1252 where that gives text.

    Returns
    -------
    text, encoding : str, str
        The encoding is named for people.

    Raises
    ------
    ReadError
        If the file is empty, is not text or is in another encoding.
    """
    if not data.strip(b" \t\r\n"):
        what = "holds only blanks" if data else "is empty"
        raise ReadError(f"{name} {what}: there is no table in it.", kind=FaultKind.EMPTY)
    if encoding is not None:
        return _decode_as(data, name, encoding)
    for mark, codec, label in _BOMS:
        if data.startswith(mark):
            try:
                return data.decode(codec), label
            except UnicodeDecodeError:
                raise _not_text(name, f"begins as {label} but goes on as something else") from None
    _refuse_other_formats(data, name)
    if b"\x00" in data:
        if _looks_utf16(data):
            raise ReadError(
                f"{name} seems to be UTF-16 without a byte order mark: save it as UTF-8.",
                kind=FaultKind.ENCODING,
            )
        raise _not_text(name, "is not a text file")
    try:
        return data.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        text = ""
    if not text or any(character in text for character in _CONTROLS):
        raise ReadError(
            f"{name} is neither UTF-8 nor Windows-1252 text: save it as UTF-8.",
            kind=FaultKind.ENCODING,
        )
    return text, "Windows-1252"


_CONTROLS = tuple(chr(i) for i in range(32) if chr(i) not in "\t\n\r\x0b\x0c\x1a")


def _decode_as(data: bytes, name: str, encoding: str) -> tuple[str, str]:
    try:
        text = data.decode(encoding)
    except LookupError:
        raise ReadError(
            f'"{plain(encoding)}" is not an encoding: say utf-8, utf-16 or cp1252, for example.',
            kind=FaultKind.ENCODING,
        ) from None
    except UnicodeError:
        raise ReadError(
            f"{name} is not text in {plain(encoding)}: choose another encoding.",
            kind=FaultKind.ENCODING,
        ) from None
    return text.removeprefix("\ufeff"), encoding


def _refuse_other_formats(data: bytes, name: str) -> None:
    if data.startswith(b"PK\x03\x04"):
        if b"opendocument.spreadsheet" in data[:200]:
            raise _not_text(name, "is an OpenDocument spreadsheet", _SAVE_AS_CSV)
        if b"xl/" in data or b"[Content_Types].xml" in data[:200]:
            raise _not_text(name, "is an Excel or Office file", _SAVE_AS_CSV)
    for magic, what, remedy in _MAGIC:
        if data.startswith(magic):
            raise _not_text(name, what, remedy)
    head = data[:1000].lstrip().lower()
    if head.startswith(_MARKUP):
        raise _not_text(name, "is a web page or XML", "copy its table and paste it")
    if head[:1] == b"{" and head[1:].lstrip()[:1] in (b'"', b"}"):
        raise _not_text(name, "is JSON, not a table", "open a CSV or TSV file")


def _not_text(name: str, what: str, remedy: str = "open a CSV or TSV file") -> ReadError:
    return ReadError(f"{name} {what}: {remedy}.", kind=FaultKind.NOT_TEXT)


def _looks_utf16(data: bytes) -> bool:
    even, odd = data[:2000:2].count(0), data[1:2000:2].count(0)
    pairs = len(data[:2000]) // 2
    return max(even, odd) > 0.8 * pairs and min(even, odd) < 0.1 * pairs + 1
