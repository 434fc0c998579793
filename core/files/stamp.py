"""What tells whether a file is still the one that was read or written."""

from __future__ import annotations

import os
from typing import TypeAlias

Stamp: TypeAlias = tuple[int, int]
"""When a file was last changed, in nanoseconds, and its size in bytes."""


def stamp_of(status: os.stat_result) -> Stamp:
    """Return the stamp of a file from its status."""
    return status.st_mtime_ns, status.st_size
