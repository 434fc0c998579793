"""How a table is fitted to the page of a paper: size of type, turned heads, blocks of columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from core.files.paper_table import PaperTable

LINE = 345.0
"""The width of a line of LaTeX's article, in points."""

NAME_SHARE = 0.4
"""The share of a line that names take at most; longer ones are broken."""

# Lines that a page holds, with some room for notes below a table.
_PAGE = 40

_LONG_HEAD = 40
_TURNED_WIDTH = 4.0
"""Turned heads of more signs are broken at so many centimetres."""
_BASELINE = 12.0

# Computer Modern at ten points, rounded upwards.
_WIDTHS = {
    **dict.fromkeys("ijl.,:;'!|\N{NARROW NO-BREAK SPACE}", 2.9),
    **dict.fromkeys("Iftrs()[] -/", 4.2),
    **dict.fromkeys("0123456789aceoz\N{EN DASH}", 5.1),
    **dict.fromkeys('bdghknpquvxy_*?"`', 5.6),
    **dict.fromkeys("mw", 8.4),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ&+<>=#$~^\N{MINUS SIGN}", 7.9),
}
_WIDEST = 10.4
_BOLD = 1.16


@dataclass(frozen=True)
class LatexLayout:
    """How a table stands on the page.

    Attributes
    ----------
    size : str
        The command for the size of type; none if empty.
    separation : float
        Blank on both sides of a column, in points.
    turned : bool
        Whether heads read upwards.
    broken : bool
        Whether names are broken into lines.
    blocks : list of range
        The columns of numbers that stand side by side, counted from 0.
    width : float
        Of the widest block, in points, estimated.
    """

    size: str
    separation: float
    turned: bool
    broken: bool
    blocks: list[range]
    width: float


def text_width(text: str) -> float:
    """Return about how wide a text is in type of ten points, rather too much."""
    return sum(_WIDTHS.get(sign, _WIDEST) for sign in text)


def is_long_head(text: str) -> bool:
    """Return whether a turned head is broken into lines."""
    return len(text) > _LONG_HEAD


def turned_length() -> str:
    """Return how long the lines are of turned heads that are broken."""
    return f"{_TURNED_WIDTH:g}cm"


def fitted(heads: Sequence[str], names: Sequence[str], longest: Sequence[str]) -> LatexLayout:
    """Return how a table fits the line of an article.

    Smaller type comes first, then heads that read upwards, then blocks of columns.

    Parameters
    ----------
    heads : sequence of str, length c + 1
        Of the names and of the columns of numbers.
    names : sequence of str
        The first column.
    longest : sequence of str, length c
        The longest text of each column of numbers.

    Returns
    -------
    LatexLayout
    """
    name = max(map(text_width, [heads[0], *names]))
    lying = [text_width(head) for head in heads[1:]]
    standing = [_standing(head) for head in heads[1:]]
    cells = [text_width(text) * _BOLD for text in longest]
    found: list[LatexLayout] = []
    for turned, above in ((False, lying), (True, standing)):
        columns = [max(pair) for pair in zip(above, cells, strict=True)]
        for size, factor, separation in (
            ("", 1.0, 6.0),
            (r"\small", 0.93, 5.0),
            (r"\footnotesize", 0.87, 4.0),
        ):
            widths = [width * factor + 2 * separation for width in columns]
            broken = name * factor > NAME_SHARE * LINE
            first = min(name * factor, NAME_SHARE * LINE) + 2 * separation
            blocks = _blocks(widths, LINE - first)
            width = first + max(
                (sum(widths[block.start : block.stop]) for block in blocks), default=0.0
            )
            layout = LatexLayout(size, separation, turned, broken, blocks, width)
            if len(blocks) <= 1 and width <= LINE:
                return layout
            found.append(layout)
    # Turned heads are hard to read: they must be worth it.
    return min(
        found,
        key=lambda layout: (layout.width > LINE, len(layout.blocks) * (2 if layout.turned else 1)),
    )


def _standing(head: str) -> float:
    lines = 1
    if is_long_head(head):
        # Lines that are broken at words do not fill their room.
        lines = math.ceil(text_width(head) * 1.3 / (_TURNED_WIDTH / 2.54 * 72.27))
    return lines * _BASELINE


def _blocks(widths: Sequence[float], room: float) -> list[range]:
    """Return columns side by side, about as many in each block, and no more than fit."""
    greedy = _filled(widths, room, len(widths))
    if len(greedy) < 2:
        return greedy
    even = _filled(widths, room, math.ceil(len(widths) / len(greedy)))
    return even if len(even) == len(greedy) else greedy


def _filled(widths: Sequence[float], room: float, most: int) -> list[range]:
    blocks: list[range] = []
    start, taken = 0, 0.0
    for i, width in enumerate(widths):
        if i > start and (taken + width > room or i - start >= most):
            blocks.append(range(start, i))
            start, taken = i, 0.0
        taken += width
    return [*blocks, range(start, len(widths))] if widths else []


def paged(table: PaperTable, layout: LatexLayout) -> list[range]:
    """Return the lines that stand on one page, counted from 0; one range if all do."""
    above = _above(table, layout)
    pages: list[range] = []
    start, taken = 0, above
    for i, name in enumerate(table.names):
        height = _name_lines(name, layout)
        if i > start and taken + height > _PAGE:
            pages.append(range(start, i))
            start, taken = i, above
        taken += height
    return [*pages, range(start, len(table.names))]


def page_share(table: PaperTable, layout: LatexLayout) -> float:
    """Return which share of a page a block of all lines takes, its heads included."""
    lines = sum(_name_lines(name, layout) for name in table.names)
    return (lines + _above(table, layout)) / _PAGE


def _above(table: PaperTable, layout: LatexLayout) -> int:
    """Return how many lines the caption and the heads take."""
    caption = math.ceil(text_width(table.caption) / LINE) + 2
    if not layout.turned:
        return caption + 1
    length = _TURNED_WIDTH / 2.54 * 72.27
    heads = table.heads[1:]
    longest = max(length if is_long_head(head) else text_width(head) for head in heads)
    return caption + math.ceil(longest / _BASELINE)


def _name_lines(name: str, layout: LatexLayout) -> int:
    if not layout.broken:
        return 1
    # Lines that are broken at words do not fill their room.
    return math.ceil(max(1.0, text_width(name) * 1.2 / (NAME_SHARE * LINE)))
