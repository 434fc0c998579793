"""Standard input, read like a file."""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import Any

from core.files.decoding import read_stream
from core.files.errors import FaultKind, ReadError
from core.studies.study import Step


def standard_input(name: str) -> Generator[Step[Any], None, bytes]:
    """Yield steps while standard input is read to its end; return its bytes.

    Parameters
    ----------
    name : str
        What messages call it.

    Raises
    ------
    ReadError
        If there is none, or it is too large.
    """
    # A program without a console has no standard input.
    if sys.stdin is None:
        raise ReadError(f"There is no {name} to read.", kind=FaultKind.UNREADABLE)
    return (yield from read_stream(sys.stdin.buffer, name))
