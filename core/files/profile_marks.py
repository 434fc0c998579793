"""What tells the files of a profile, so that none is taken for a table."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.files.errors import FaultKind, ReadError
from core.version import PROGRAM

PROFILE_FORMAT = "tallyscope profile"
SCALING_FORMAT = "tallyscope scaling"

MARK = f"# {PROGRAM} profile"
"""How the first line of a text of a profile begins."""

JSON_OF_PROFILES: Mapping[str, str] = MappingProxyType(
    {
        PROFILE_FORMAT: "times of a profile, not a table: compare them with the command profile "
        "--compare, or on the page Profile",
        SCALING_FORMAT: "times of growing tables, not a table: open the table that you mean",
    }
)


def refuse_profile_text(text: str, name: str | None) -> None:
    """Raise ReadError if a text that should hold a table is one of a profile."""
    if text.startswith(MARK):
        raise ReadError(
            f"{name or 'The text'} holds times of a profile, not a table: open the table that you "
            "mean.",
            kind=FaultKind.NOT_TEXT,
        )
