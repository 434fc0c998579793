"""Standard output and error, whatever they are."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any, TextIO

import typer

_ASCII = str.maketrans(
    {"−": "-", "—": "-", "–": "-", "×": "x", "…": "...", "’": "'", "∞": "inf", "\u202f": " "}
)


def _encodable(text: str, stream: TextIO) -> str:
    """Return text that a stream can take, which may be ASCII alone."""
    encoding = stream.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)
    return text


def write(text: str) -> None:
    """Write text to standard output, in plain signs where it has no others."""
    # A program without a console has no standard output.
    if sys.stdout is None:
        return
    with _writing():
        sys.stdout.write(_encodable(text, sys.stdout))
        sys.stdout.flush()


def write_bytes(data: bytes) -> None:
    """Write an export byte by byte: its line ends and encoding are not the console's."""
    if sys.stdout is None:
        return
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        write(data.decode("utf-8"))
        return
    with _writing():
        sys.stdout.flush()
        buffer.write(data)
        buffer.flush()


@contextlib.contextmanager
def _writing() -> Any:
    try:
        yield
    except BrokenPipeError:
        # Whoever read has seen enough; Python must not complain again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except OSError as error:
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        reason = os.strerror(error.errno).lower() if error.errno else "no reason is given"
        complain(f"The output could not be written: {reason}.")
        raise typer.Exit(1) from None


def complain(message: str) -> None:
    """Write one line to standard error."""
    if sys.stderr is not None:
        # Each mistake is one line, so that scripts can count them.
        with contextlib.suppress(OSError):
            sys.stderr.write(_encodable(message, sys.stderr).replace("\n", " ") + "\n")
