"""Reads docs/conventions.md: the tables it speaks of, and the values that it states."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "conventions.md"

Table = list[list[float]]


@dataclass(frozen=True)
class Statement:
    """A score of a table, as the page states it.

    Attributes
    ----------
    name : str
        Of the table.
    table : list of list
    score : str
        Our key and its option, as ``ami average=min``.
    says : str
        Our value.
    peer, peer_says : str
        Whose other value it stands beside, and that value; empty if there is none.
    """

    name: str
    table: Table
    score: str
    says: str
    peer: str = ""
    peer_says: str = ""

    @property
    def key(self) -> str:
        """Our key alone."""
        return self.score.split()[0]

    @property
    def options(self) -> dict[str, Any]:
        """The options of the score."""
        pairs = (part.split("=") for part in self.score.split()[1:])
        return {name: float(value) if name == "q" else value for name, value in pairs}

    def __str__(self) -> str:
        peer = f" beside {self.peer}" if self.peer else ""
        return f"{self.score} of {self.name}{peer}"


def _lines_of_tables() -> Iterator[list[list[str]]]:
    """Yield the tables of the page, each as lines of cells, without the rule."""
    lines: list[list[str]] = []
    for line in [*PAGE.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("|"):
            if not line.startswith("|---"):
                lines.append([cell.strip() for cell in line.strip("|").split("|")])
        elif lines:
            yield lines
            lines = []


def statements() -> list[Statement]:
    """Return all that the page states."""
    found = list(_lines_of_tables())
    counts: dict[str, Table] = {}
    for header, *lines in found:
        if header == ["name", "counts"]:
            counts = {name: ast.literal_eval(cell.strip("`")) for name, cell in lines}
    stated = []
    for header, *lines in found:
        if "it says" in header:
            for _, peer, peer_says, name, score, says, _ in lines:
                stated.append(
                    Statement(name, counts[name], score.strip("`"), says, peer, peer_says)
                )
        elif header[0] == "score":
            for score, *values in lines:
                for name, says in zip(header[1:], values, strict=True):
                    stated.append(Statement(name, counts[name], score.strip("`"), says))
    return stated


def agrees(value: float, says: str) -> bool:
    """Say whether a value is what the page says: whole numbers exactly, others as rounded.

    >>> agrees(0.25385, "0.2539"), agrees(0.9999999999999999, "1"), agrees(math.nan, "—")
    (True, False, True)
    """
    if says in ("—", "nan"):
        return math.isnan(value)
    says = says.replace("\N{MINUS SIGN}", "-")
    stated = float(says)
    if re.fullmatch(r"-?\d+", says):
        return value == stated
    mantissa, _, exponent = says.partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(exponent or 0)
    if len(mantissa.lstrip("-0.").replace(".", "")) > 15:
        return value == stated
    return abs(value - stated) <= 0.5000001 * 10.0**-decimals
