"""Texts that a spreadsheet would take for a formula: guarded in exports, and read back."""

from __future__ import annotations

import re

GUARDED = "guarded"
"""The key of the comment line that says that names of an export are guarded."""

GUARDED_TEXT = (
    "An apostrophe stands before names that a spreadsheet would take for formulas: this program "
    "takes it away again."
)

# A plain number is no formula, and -1 is what noise is often called.
_NUMBER = r"[+\-][0-9]+(?:[.,][0-9]+)?(?:[eE][+\-]?[0-9]+)?\Z"
_FORMULA = re.compile(rf"'*(?!{_NUMBER})[=+\-@＝＋－＠\t\r]")


def guarded(text: str) -> str:
    """Return a text with an apostrophe before it if a spreadsheet would take it for a formula.

    Examples
    --------
    >>> guarded("=1+1"), guarded("'=1+1"), guarded("-1"), guarded("cat")
    ("'=1+1", "''=1+1", '-1', 'cat')
    """
    return "'" + text if is_formula(text) else text


def unguarded(text: str) -> str:
    """Return the text that `guarded` made a text of."""
    return text[1:] if text.startswith("'") and is_formula(text) else text


def is_formula(text: str) -> bool:
    """Return whether `guarded` changes a text."""
    return _FORMULA.match(text) is not None
