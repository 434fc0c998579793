"""What tells the files of a simulation, so that none is taken for a table."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from core.files.errors import FaultKind, ReadError
from core.version import PROGRAM

SETTINGS_FORMAT = "tallyscope simulation"
SUMMARY_FORMAT = "tallyscope simulation summary"

MARK = f"# {PROGRAM} simulation"
"""How the first line of a text of a simulation begins."""

ABOUT_SHEET = f"{PROGRAM} simulation"
"""The sheet of a workbook that says what was simulated."""

_OTHER = "open the table that you mean"

JSON_OF_SIMULATIONS: Mapping[str, str] = MappingProxyType(
    {
        SETTINGS_FORMAT: "the settings of a simulation, not a table: run them with the command "
        "simulate --settings",
        SUMMARY_FORMAT: f"the numbers of a simulation, not a table: {_OTHER}",
    }
)

_TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "tables": "simulated tables, one a line, not a table: open them as NPZ, which "
        "the command simulate --tables-out writes",
        "scores": f"the scores of a simulation, not a table: {_OTHER}",
        "summary": f"the summary of a simulation, not a table: {_OTHER}",
    }
)


def refuse_text(text: str, name: str | None) -> None:
    """Raise ReadError if a text that should hold a table is one of a simulation."""
    if text.startswith(MARK):
        word = text[len(MARK) : len(MARK) + 20].replace("\t", ",").partition(",")[0].strip()
        raise _refusal(name, _TEXTS.get(word, _TEXTS["scores"]))


def refuse_sheets(sheets: list[str], name: str) -> None:
    """Raise ReadError if a workbook is one of a simulation, by the names of its sheets."""
    if ABOUT_SHEET in sheets:
        raise _refusal(name, _TEXTS["scores"])


def _refusal(name: str | None, what: str) -> ReadError:
    return ReadError(f"{name or 'The text'} holds {what}.", kind=FaultKind.NOT_TEXT)
