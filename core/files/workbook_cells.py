"""The cells of a workbook: text that stays text, numbers with every digit, and their looks."""

from __future__ import annotations

from copy import copy
from typing import Any

from core.files.workbook_limits import MOST_TEXT, harmless
from core.heat_colors import Rgb, text_on

SAFE_INT = 2**53
"""The largest whole number that a spreadsheet keeps; larger ones are written as text."""


class Styles:
    """The looks of cells, each made once."""

    def __init__(self, book: Any) -> None:
        self._book = book
        self._known: dict[tuple[Rgb | None, bool, bool], Any] = {}

    def on(self, sheet: Any) -> Cells:
        """Return what makes the cells of a sheet."""
        return Cells(sheet, self)

    def of(self, sheet: Any, fill: Rgb | None, framed: bool, bold: bool) -> Any:
        """Return a look, for a cell that nobody else has."""
        from openpyxl.cell import WriteOnlyCell
        from openpyxl.styles import Border, Font, PatternFill, Side

        look = fill, framed, bold
        if look not in self._known:
            cell = WriteOnlyCell(sheet)
            colour = "000000"
            if fill is not None:
                cell.fill = PatternFill("solid", start_color=_hex(fill))
                colour = _hex(text_on(fill))
            cell.font = Font(bold=bold or framed, color=colour)
            if framed:
                side = Side(style="medium", color="000000")
                cell.border = Border(side, side, side, side)
            self._known[look] = cell._style
        return copy(self._known[look])


def _hex(colour: Rgb) -> str:
    return "{:02x}{:02x}{:02x}".format(*colour)


class Cells:
    """Makes the cells of a sheet."""

    def __init__(self, sheet: Any, styles: Styles) -> None:
        from openpyxl.cell import WriteOnlyCell

        self._make = WriteOnlyCell
        self._sheet = sheet
        self._styles = styles

    def text(self, text: str, *, bold: bool = False) -> Any:
        """Return a cell that is text whatever it looks like: =1+1 is no formula."""
        cell = self._make(self._sheet, text)
        cell.data_type = "s"
        if bold:
            cell._style = self._styles.of(self._sheet, None, False, True)
        return cell

    def texts(self, text: str) -> list[Any]:
        """Return a sentence, in several cells where one does not hold it."""
        text = harmless(text, MOST_TEXT * 100)
        most = MOST_TEXT // 2
        return [self.text(text[i : i + most]) for i in range(0, len(text), most)]

    def value(self, value: Any, fill: Rgb | None = None, *, framed: bool = False) -> Any:
        """Return a cell of a number with every digit; of None an empty one."""
        if value is None:
            return None
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, int) and abs(value) > SAFE_INT:
            # A number of a spreadsheet has no more digits than a float.
            cell = self.text(str(value))
        else:
            cell = self._make(self._sheet, value)
            # openpyxl would write 16 digits; some numbers need 17.
            cell._value = repr(value)
        if fill is not None or framed:
            cell._style = self._styles.of(self._sheet, fill, framed, False)
        return cell
