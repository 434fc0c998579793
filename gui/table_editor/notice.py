"""What the editor tells its user, for the page to show inline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a notice matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Until(StrEnum):
    """How long what a notice says holds."""

    CLOSED = "closed"
    """Until it is closed, or another one comes."""
    UNDONE = "undone"
    """Until the edit is undone that was the last one when it came: it tells of that edit."""
    EDIT = "edit"
    """Until the next edit, undo or redo."""


@dataclass(frozen=True)
class Notice:
    """A sentence, with what can be done about it.

    Parameters
    ----------
    text : str
        One or two sentences, plain text.
    severity : Severity
        ``WARNING`` where something that was asked for was not done, ``ERROR`` where
        something failed.
    actions : tuple of (str, callable)
        Label of a button and what it does; offered until the table changes.
    until : Until
        When it goes by itself.
    """

    text: str
    severity: Severity = Severity.INFO
    actions: tuple[tuple[str, Callable[[], object]], ...] = ()
    until: Until = Until.CLOSED


__all__ = ["Notice", "Severity", "Until"]
