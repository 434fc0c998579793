"""Where the parts of a heat map stand on its page, so that nothing overlaps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QFont, QFontMetricsF

#: Units of length an inch: fine enough that fonts have whole sizes, one drawing for all files.
RESOLUTION = 1_200
POINT = RESOLUTION / 72
MM = RESOLUTION / 25.4

#: Text is never smaller, in points.
LEAST_PT = 5.0

_EDGE = 1.5 * MM
_GAP = 1.2 * MM
_LARGEST_CELL = (18 * MM, 9 * MM)
_LEAST_HEIGHT = 4 * MM
_TALLEST = 240 * MM
_MOST_NAME = 32 * MM
_BAR = (50 * MM, 2.6 * MM)
#: Before the colour bar: the box for cells without items, and its word.
_BAR_INDENT = 10 * MM
#: Blank beside a text in its cell, as a share of its size: where there is room, and at least.
_AIRY, _CLOSE = 0.9, 0.6
#: Height of a line of text, as a multiple of its size.
_LINE = 1.25
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)


@dataclass(frozen=True)
class Names:
    """How the names along one side are written.

    Attributes
    ----------
    pt : float
        Size, in points.
    every : int
        1 if every line has its name, else every so many lines have one.
    turned : bool
        Whether they read upwards.
    room : float
        Length of the longest, for which there is room.
    """

    pt: float
    every: int
    turned: bool
    room: float


@dataclass(frozen=True)
class Layout:
    """A heat map on its page; lengths in units of which `RESOLUTION` make an inch.

    Attributes
    ----------
    width, height : float
        The page.
    left, top : float
        The corner of the first cell.
    cell : (float, float)
        Width and height of a cell.
    shape : (int, int)
        Rows and columns.
    row_names, column_names : Names
    row_sums, column_sums : Names or None
        None where there is no room for the sums, or nobody wants them.
    counts_pt : float
        Size of the counts; 0 where they do not fit.
    bar : (float, float, float, float)
        The colour bar: left, top, width, height.
    label_pt : float
        Size of the words along the axes.
    """

    width: float
    height: float
    left: float
    top: float
    cell: tuple[float, float]
    shape: tuple[int, int]
    row_names: Names
    column_names: Names
    row_sums: Names | None
    column_sums: Names | None
    counts_pt: float
    bar: tuple[float, float, float, float]
    label_pt: float

    @property
    def none(self) -> tuple[float, float, float, float]:
        """The box that shows the colour of a cell without items."""
        left, top, _, height = self.bar
        return left - _BAR_INDENT + 2 * MM, top, height, height

    @property
    def right(self) -> float:
        """Where the cells end."""
        return self.left + self.cell[0] * self.shape[1]

    @property
    def bottom(self) -> float:
        """Where the cells end."""
        return self.top + self.cell[1] * self.shape[0]


def font_of(family: str, pt: float, *, bold: bool = False) -> QFont:
    """Return a font of a size in points on the page."""
    font = QFont(family) if family else QFont()
    font.setPixelSize(max(1, round(pt * POINT)))
    font.setBold(bold)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    # No figures of one width: those have glyphs of their own, which a PDF cannot name, so that
    # digits could be neither found nor copied.
    return font


class Ruler:
    """Measures texts in one family of fonts."""

    def __init__(self, family: str) -> None:
        self.family = family
        # Widths grow with the size, so that one size serves for all.
        self._pt = 12.0
        self._advance: Callable[[str], float] = QFontMetricsF(
            font_of(family, self._pt)
        ).horizontalAdvance

    def width(self, text: str, pt: float) -> float:
        """Return how wide a text is."""
        return self._advance(text) * pt / self._pt

    def widest(self, texts: Sequence[str], pt: float) -> float:
        """Return how wide the widest is of those that look longest."""
        longest = sorted(texts, key=len, reverse=True)[:64]
        return max((self.width(text, pt) for text in longest), default=0.0)


def line_height(pt: float) -> float:
    """Return the height of a line of text."""
    return pt * POINT * _LINE


def largest_pt(room: float, most: float) -> float:
    """Return the largest size, up to `most`, of which a line fits a height."""
    return min(most, room / (POINT * _LINE))


def lay_out(
    ruler: Ruler,
    shape: tuple[int, int],
    truth: Sequence[str],
    clusters: Sequence[str],
    counts: tuple[Sequence[str], Sequence[str], Sequence[str]],
    *,
    width: float,
    pt: float,
    title: bool,
    show_counts: bool,
    show_margins: bool,
) -> Layout:
    """Return where the parts of a heat map stand.

    Parameters
    ----------
    ruler : Ruler
    shape : (int, int)
        Rows and columns, r and c.
    truth, clusters : sequence of str
        Their names as written.
    counts : three sequences of str
        The longest counts, and the sums of rows and of columns, as written.
    width : float
        Of the page.
    pt : float
        Size of text, in points; where it does not fit, down to 5.
    title, show_counts, show_margins : bool
        Whether there is a title, and whether counts and sums are wanted.

    Returns
    -------
    Layout
    """
    r, c = shape
    longest, row_sums, column_sums = counts
    text = line_height(pt)
    head = _EDGE + (text + _GAP if title else 0.0) + text + _GAP
    foot = text * 2 + _GAP * 3 + _BAR[1] + _EDGE
    left = _EDGE + text + _GAP
    sum_name = ruler.width("sum", pt) if show_margins else 0.0
    name_room = max(min(ruler.widest(truth, pt), _MOST_NAME, 0.28 * width), sum_name)
    left += name_room + _GAP
    sum_room = ruler.widest(["sum", *row_sums], pt) if show_margins else 0.0
    right = _EDGE + (sum_room + 2 * _GAP if show_margins else 0.0)
    cell_width = min((width - left - right) / c, _LARGEST_CELL[0])
    # Names of columns lie if all of them fit, else they stand.
    lying = ruler.widest(clusters, pt) + _AIRY * pt * POINT <= cell_width
    columns = (
        Names(pt, 1, False, cell_width)
        if lying
        else _along(ruler, clusters, pt, cell_width, _MOST_NAME, turned=True)
    )
    top = head + (text if lying else columns.room) + _GAP / 2
    below = (text + _GAP if show_margins else 0.0) + foot
    cell_height = min(max(cell_width, min(_LEAST_HEIGHT, 60 * MM / r)), _LARGEST_CELL[1])
    if r > 1:
        cell_height = min(cell_height, max(_TALLEST - top - below, 30 * MM) / r)
    rows = _along(ruler, truth, pt, cell_height, name_room, least=sum_name, turned=False)
    sums_beside = _sums(pt, sum_room, cell_height) if show_margins else None
    sums_below = None
    if show_margins:
        fitting = _fitting(ruler, column_sums, pt, cell_width, text)
        if fitting:
            sums_below = Names(fitting, 1, False, line_height(fitting))
        elif (upright := largest_pt(cell_width, pt)) >= LEAST_PT:
            room = ruler.widest(column_sums, upright)
            sums_below = Names(upright, 1, True, room)
    bottom = top + cell_height * r
    if sums_below is not None:
        bottom += sums_below.room + _GAP
    counts_pt = _fitting(ruler, longest, pt, cell_width, cell_height) if show_counts else 0.0
    # What is narrower than the page stands in its middle.
    spare = max(0.0, width - left - right - cell_width * c) / 2
    left += spare
    bar_width = min(_BAR[0], width - 2 * _EDGE - _BAR_INDENT - 4 * MM)
    middle = left + cell_width * c / 2
    bar_left = middle - (bar_width - _BAR_INDENT) / 2
    bar_left = max(_EDGE + _BAR_INDENT, min(bar_left, width - _EDGE - 4 * MM - bar_width))
    bar = (bar_left, bottom + _GAP * 2, bar_width, _BAR[1])
    return Layout(
        width,
        bar[1] + bar[3] + _GAP / 2 + text * 2 + _EDGE,
        left,
        top,
        (cell_width, cell_height),
        shape,
        rows,
        columns,
        sums_beside,
        sums_below,
        counts_pt,
        bar,
        pt,
    )


def _along(
    ruler: Ruler,
    names: Sequence[str],
    pt: float,
    size: float,
    most: float,
    *,
    least: float = 0.0,
    turned: bool,
) -> Names:
    """Return how to write names, one after the other, beside lines of a size."""
    own = largest_pt(size, pt)
    every = 1
    if own < LEAST_PT:
        own = LEAST_PT
        every = next((n for n in _STEPS if n * size >= line_height(own)), len(names))
    return Names(own, every, turned, max(min(ruler.widest(names, own), most), least))


def _fitting(ruler: Ruler, texts: Sequence[str], most: float, width: float, height: float) -> float:
    """Return the largest size in which texts fit a cell, 0 if none is legible."""
    most = largest_pt(height, most)
    widest = ruler.widest(texts, 1.0)
    airy = min(most, width / (widest + _AIRY * POINT))
    if airy >= LEAST_PT:
        return airy
    close = min(most, width / (widest + _CLOSE * POINT))
    return LEAST_PT if close >= LEAST_PT else 0.0


def _sums(most: float, width: float, height: float) -> Names | None:
    pt = largest_pt(height, most)
    return Names(pt, 1, False, width) if pt >= LEAST_PT else None


__all__ = [
    "MM",
    "POINT",
    "RESOLUTION",
    "Layout",
    "Names",
    "Ruler",
    "font_of",
    "lay_out",
    "line_height",
]
