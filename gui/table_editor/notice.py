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
    """

    text: str
    severity: Severity = Severity.INFO
    actions: tuple[tuple[str, Callable[[], object]], ...] = ()


__all__ = ["Notice", "Severity"]
