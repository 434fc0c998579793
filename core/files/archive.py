"""Zip archives, of which workbooks and arrays are made, read within bounds."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from core.files.decoding import MAX_BYTES
from core.files.errors import FaultKind, ReadError
from core.studies.study import Step

_CHUNK = 1 << 18
_MAX_MEMBERS = 10_000

_FAULTS = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, KeyError, RuntimeError)


@contextmanager
def opened_zip(data: bytes | BinaryIO, name: str) -> Iterator[zipfile.ZipFile]:
    """Open a zip archive, in memory or as a file that is read where it is needed.

    Parameters
    ----------
    data : bytes or binary file
        The archive.
    name : str
        What messages call it.

    Yields
    ------
    ZipFile

    Raises
    ------
    ReadError
        If it is damaged, or has more than 10,000 members.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data) if isinstance(data, bytes) else data)
    except (*_FAULTS, NotImplementedError):
        raise damaged(name) from None
    with archive:
        if len(archive.infolist()) > _MAX_MEMBERS:
            raise ReadError(
                f"{name} has more than {_MAX_MEMBERS:,} parts: save the table alone.",
                kind=FaultKind.TOO_BIG,
            )
        yield archive


def damaged(name: str) -> ReadError:
    """Return the error for an archive that ends early or contradicts itself."""
    return ReadError(
        f"{name} is damaged or ends early: save it again, or fetch it anew.",
        kind=FaultKind.DAMAGED,
    )


def member_pieces(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str, most: int = MAX_BYTES
) -> Iterator[bytes]:
    """Yield what a member holds, piece by piece, and never more than a bound.

    Parameters
    ----------
    archive : ZipFile
        The archive.
    member : ZipInfo
        The member.
    name : str
        What messages call the archive.
    most : int
        The most bytes that are unpacked: a small archive may claim to hold very many.

    Raises
    ------
    ReadError
        If it is damaged, protected by a password, or larger.
    """
    if member.flag_bits & 1:
        raise ReadError(
            f"{name} is protected by a password: save it without one.", kind=FaultKind.NOT_TEXT
        )
    done = 0
    too_big = ReadError(
        f"{name} unpacks to more than {most / 1e6:.0f} MB: leave out empty classes and clusters, "
        "or save the table alone.",
        kind=FaultKind.TOO_BIG,
    )
    if member.file_size > most:
        raise too_big
    try:
        with archive.open(member) as stream:
            while piece := stream.read(_CHUNK):
                done += len(piece)
                if done > most:
                    raise too_big
                yield piece
    except NotImplementedError:
        raise ReadError(
            f"{name} is packed in a way that is not known: save it again.", kind=FaultKind.DAMAGED
        ) from None
    except _FAULTS as error:
        if isinstance(error, ReadError):
            raise
        raise damaged(name) from None


def member_bytes(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str, most: int = MAX_BYTES
) -> Generator[Step[Any], None, bytes]:
    """Yield steps while a member is unpacked; return its bytes. See `member_pieces`."""
    pieces: list[bytes] = []
    done = 0
    for piece in member_pieces(archive, member, name, most):
        pieces.append(piece)
        done += len(piece)
        yield Step(done, max(member.file_size, done), f"unpacking {name}")
    return b"".join(pieces)
