"""The file that a session belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.files.stamp import Stamp, stamp_of

SESSION_SUFFIX = ".tallyscope"


@dataclass(frozen=True)
class Origin:
    """The file that a session belongs to.

    Attributes
    ----------
    path : Path
    stamp : Stamp or None
        How the file was when it was read or written.
    separator : str or None
        What separates the cells of a table file.
    """

    path: Path
    stamp: Stamp | None = None
    separator: str | None = None

    @property
    def is_session(self) -> bool:
        """Whether the file can hold any number of tables."""
        return self.path.suffix.lower() == SESSION_SUFFIX

    def changed_elsewhere(self) -> bool:
        """Whether another program has changed the file since."""
        try:
            return self.stamp is not None and stamp_of(self.path.stat()) != self.stamp
        except OSError:
            return False
