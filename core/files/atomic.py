"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from core.files.errors import SaveError, plain, shown


def atomic_write(path: Path | str, data: bytes | str) -> None:
    """Write a file whole: readers see the old content or the new, never a part.

    Parameters
    ----------
    path : Path or str
        The file. A link is followed; permissions of a file that exists are kept.
    data : bytes or str
        The content; text is written as UTF-8.

    Raises
    ------
    SaveError
        If it cannot be written; then the file is as it was before.
    """
    if isinstance(data, str):
        data = encoded(data, path)
    with atomic_file(path) as file:
        file.write(data)


def encoded(text: str, path: Path | str) -> bytes:
    """Return the text of a file as UTF-8, or raise SaveError if that cannot hold it."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        around = text[max(error.start - 15, 0) : error.start + 15].strip()
        raise SaveError(
            f"{plain(Path(path).name)} was not saved: {shown(around)} has a character that a text "
            "file cannot hold: rename it."
        ) from None


@contextmanager
def atomic_file(path: Path | str) -> Iterator[BinaryIO]:
    """Open a file for writing that takes the place of ``path`` when all went well.

    Parameters
    ----------
    path : Path or str
        The file. A link is followed; permissions of a file that exists are kept.

    Yields
    ------
    binary file
        What is written to it is in ``path`` once the block ends without an exception.

    Raises
    ------
    SaveError
        If it cannot be written; then the file is as it was before.
    """
    name = plain(Path(path).name or str(path))
    if "\0" in str(path):
        raise SaveError(f"{name} is not a name that a file can have.")
    try:
        target = Path(os.path.realpath(path))
        status = _status(target)
        if status is not None and stat.S_ISDIR(status.st_mode):
            raise SaveError(f"{name} is a folder: choose the name of a file.")
        if status is not None and not stat.S_ISREG(status.st_mode):
            # It must not be replaced, and who opens a pipe may wait for ever.
            raise SaveError(f"{name} is a pipe or a device, not a file: choose another name.")
        if status is not None and not os.access(target, os.W_OK):
            raise SaveError(f"{name} is read-only: choose another name or allow writing.")
        with _replacement(target, status) as file:
            yield file
    except SaveError:
        raise
    except OSError as error:
        raise SaveError(_why(name, Path(path), error)) from None


@contextmanager
def _replacement(target: Path, status: os.stat_result | None) -> Iterator[BinaryIO]:
    # Not tempfile: its files are private, a new file has the permissions that the user set.
    short = target.name.encode("utf-8", "replace")[:40].decode("utf-8", "ignore")
    temporary = target.with_name(f".{short}.{secrets.token_hex(6)}.tmp")
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    descriptor = os.open(temporary, flags, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if status is not None:
            # Who may not give files away, and Windows, leave the owner as it is.
            with contextlib.suppress(OSError, AttributeError):
                os.chown(temporary, status.st_uid, status.st_gid)
            temporary.chmod(stat.S_IMODE(status.st_mode))
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    # Where folders cannot be synchronised, as on Windows, the file itself was.
    with contextlib.suppress(OSError, AttributeError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _why(name: str, path: Path, error: OSError) -> str:
    code = error.errno
    folder = plain(str(path.parent)) if str(path.parent) != "." else "this folder"
    if code in (errno.ENOSPC, getattr(errno, "EDQUOT", None)):
        return f"{name} was not saved: the disk is full."
    if code == errno.EROFS:
        return f"{name} was not saved: {folder} is on a read-only disk."
    if code in (errno.EACCES, errno.EPERM):
        return (
            f"{name} was not saved: writing to {folder} is not allowed, or another program has "
            "the file open."
        )
    if code in (errno.ENOENT, errno.ENOTDIR):
        target = Path(os.path.realpath(path))
        if target.parent.is_dir():
            return f"{name} was not saved: {folder} takes no new files: choose another folder."
        if target.parent != Path(os.path.realpath(path.parent)):
            where = plain(str(target.parent))
            return (
                f"{name} was not saved: it is a link to a file in {where}, a folder that does not "
                "exist: choose another name."
            )
        return f"{name} was not saved: the folder {folder} does not exist."
    if code == errno.ENAMETOOLONG:
        return f"{plain(name[:40])}… was not saved: its name is too long."
    if code == errno.ELOOP:
        return f"{name} was not saved: it is a link that leads to itself."
    if code == errno.EISDIR:
        return f"{name} is a folder: choose the name of a file."
    if code == errno.EFBIG:
        return f"{name} was not saved: the disk does not take files this large."
    if code is None or code == errno.EINVAL:
        return f"{name} is not a name that a file can have."
    return f"{name} was not saved ({os.strerror(code).lower()}): try another folder."
