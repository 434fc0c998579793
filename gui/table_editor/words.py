"""Numbers and names as the editor writes them."""

from __future__ import annotations

import html

#: Between groups of three digits in sums: a narrow no-break space.
GROUP_SEPARATOR = "\u202f"

#: Letters of a name that a sentence holds, and that a header can show.
_NAME_IN_SENTENCE = 80
_LONGEST_TEXT = 512


def grouped(number: int) -> str:
    """Return a whole number with its digits in groups of three."""
    return f"{number:,}".replace(",", GROUP_SEPARATOR)


def items(number: int) -> str:
    """Return a number of items in words."""
    return f"{number:,} item{'s' if number != 1 else ''}"


def named(name: str) -> str:
    """Return a name for a sentence, its end cut if it is long."""
    # Most may be blanks, but there may be very many letters too.
    flat = " ".join(name[:_LONGEST_TEXT].split())
    if len(flat) > _NAME_IN_SENTENCE or len(name) > _LONGEST_TEXT:
        flat = flat[: _NAME_IN_SENTENCE - 1] + "…"
    return flat or "(no name)"


def header_name(name: str) -> str:
    """Return a name on one line, its middle cut if no column could be so wide."""
    if len(name) > _LONGEST_TEXT:
        name = f"{name[: _LONGEST_TEXT // 2]}…{name[-_LONGEST_TEXT // 2 :]}"
    return " ".join(name.split())


def as_tool_tip(text: str | None) -> str | None:
    """Return text for a tool tip, which would take a name such as ``<b>`` for markup."""
    if text is None or "<" not in text:
        return text
    return f"<span>{html.escape(text)}</span>".replace("\n", "<br>")


__all__ = ["GROUP_SEPARATOR", "as_tool_tip", "grouped", "header_name", "items", "named"]
