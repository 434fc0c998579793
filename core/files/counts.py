"""How the text of one cell is read as a count.

The rules are our own. ``float`` takes ``1_000`` and ``nan``, and a locale reads
``1.234`` as 1234 on one machine and as a fraction on the next: here what has two
readings is never read without asking.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias, cast

from core.files.errors import CountError, FaultKind, sentence, shown
from core.files.errors import Thousands as Thousands
from core.table import MAX_TOTAL

Blank: TypeAlias = Literal["error", "zero"]

THOUSANDS: tuple[Thousands, ...] = (".", ",", " ", "'")

# What `str.strip` takes, and the two that spreadsheets and editors leave unseen.
_BLANKS = (
    " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\u200b\ufeff"
)

_WHOLE = re.compile(r"\+?[0-9]+")
# No decimal mark looks like these, so there is one reading.
_SAFELY_GROUPED = re.compile(r"\+?[1-9][0-9]{0,2}([\u00a0\u202f\u2009'’])[0-9]{3}(?:\1[0-9]{3})*")
_ZERO_FRACTION = re.compile(r"\+?(?P<whole>[0-9]+)[.,](?P<zeros>0*)")
_GROUPED = re.compile(
    r"\+?(?P<groups>[1-9][0-9]{0,2}(?P<mark>[., ])[0-9]{3}(?:(?P=mark)[0-9]{3})*)"
    r"(?P<fraction>[.,][0-9]*)?"
)
_NEGATIVE = re.compile(r"[-−–]\s*[0-9.,].*|\([0-9][0-9., ]*\)")
_FRACTION = re.compile(r"\+?[0-9]*[.,][0-9]+")
_EXPONENT = re.compile(r"[+−-]?[0-9]+(?:[.,][0-9]*)?[eE][+−-]?[0-9]+")
# As numpy.savetxt writes 8, which then has all its digits.
_ALL_DIGITS = re.compile(
    r"\+?(?P<whole>[0-9])(?:\.(?P<fraction>[0-9]+))?[eE]\+?(?P<exponent>[0-9]{1,2})"
)
_PERCENT = re.compile(r"[+−-]?[0-9., ]*[0-9]\s*[%‰]")
_UNDERSCORED = re.compile(r"\+?[0-9]+(?:_[0-9]+)+")
_INFINITE = re.compile(r"[+−-]?(?:inf|infinity|∞)", re.IGNORECASE)
_FORMULA_ERROR = re.compile(r"#[A-Z0-9/]+[!?]|#N/A", re.IGNORECASE)
_MISSING = frozenset(
    {"nan", "na", "n/a", "<na>", "null", "none", "nil", "-", "−", "–", "—", ".", "?"}
)
_LETTERS = re.compile(r"[^\W\d_]")

# What a person meant as a number, if not as a count: never a name by our own guess.
_MEANT_AS_NUMBER = frozenset(set(FaultKind) - {FaultKind.TEXT, FaultKind.BLANK})


def read_count(text: str, *, thousands: Thousands | None = None, blank: Blank = "error") -> int:
    """Return the count that the text of a cell stands for.

    Digits 0 to 9 with blanks around them are read; so are digits grouped in threes by
    a no-break space, a thin space or an apostrophe, and a fraction of zeros where it
    cannot be a group (``151.0``, ``1234,00``), and an exponent that leaves out no digit
    (``1.5100e+02``). ``1.234`` has two readings and needs ``thousands``.

    Parameters
    ----------
    text : str
        The cell.
    thousands : {".", ",", " ", "'"}, optional
        What separates thousands.
    blank : {"error", "zero"}
        Whether a blank cell is an error or 0.

    Returns
    -------
    int
        From 0 to 9223372036854775807.

    Raises
    ------
    CountError
        If the text is not a count; ``kind`` says why, the message what to do.

    Examples
    --------
    >>> read_count(" 151 "), read_count("1.234", thousands=".")
    (151, 1234)
    """
    if isinstance(text, OddCell):
        raise CountError(sentence(text.fault), kind=text.kind, fault=text.fault, value=str(text))
    cell = text.strip(_BLANKS)
    if cell.isascii() and cell.isdigit():
        return _fitting(cell, cell)
    if not cell and blank == "zero":
        return 0
    digits = _digits(cell, thousands)
    if digits is not None:
        return _fitting(digits, cell)
    kind, fault, mark = _fault(cell, thousands)
    raise CountError(sentence(fault), kind=kind, fault=fault, mark=mark, value=text)


class OddCell(str):
    """The text of a cell that is known to be no count, whatever the text looks like.

    Files with types say more than text: ``1.234`` is a fraction there, and has one reading.

    Parameters
    ----------
    text : str
        The cell as people see it, which can still be a name.
    kind : FaultKind
        Why it is no count.
    fault : str
        The same as a clause, with its remedy.
    """

    kind: FaultKind
    fault: str

    def __new__(cls, text: str, kind: FaultKind, fault: str) -> OddCell:
        """Make the cell."""
        cell = super().__new__(cls, text)
        cell.kind, cell.fault = kind, fault
        return cell


def is_blank(text: str) -> bool:
    """Return whether a cell holds nothing, or nothing but blanks."""
    return not text.strip(_BLANKS)


def trimmed(text: str) -> str:
    """Return the text of a cell without the blanks around it."""
    return text.strip(_BLANKS)


def meant_as_number(text: str) -> bool:
    """Return whether a cell looks like a number, be it a count or not; a blank does not."""
    if isinstance(text, OddCell) and text.kind is not FaultKind.MERGED:
        return text.kind in _MEANT_AS_NUMBER
    cell = text.strip(_BLANKS)
    if cell.isascii() and cell.isdigit():
        return True
    if cell[:1].isalpha():
        # Most names end here.
        return cell.casefold() in _MISSING or _INFINITE.fullmatch(cell) is not None
    return _digits(cell, None) is not None or _fault(cell, None)[0] in _MEANT_AS_NUMBER


def _digits(cell: str, thousands: Thousands | None) -> str | None:
    """Return the digits of a cell that can be read, None if it cannot."""
    if _WHOLE.fullmatch(cell):
        return cell.lstrip("+")
    if _SAFELY_GROUPED.fullmatch(cell):
        return re.sub(r"[^0-9]", "", cell)
    if match := _ALL_DIGITS.fullmatch(cell):
        return _shifted(match)
    if thousands:
        return _digits_by(cell, thousands)
    match = _ZERO_FRACTION.fullmatch(cell)
    if match and not _GROUPED.fullmatch(cell):
        return match["whole"]
    return None


def _shifted(match: re.Match[str]) -> str | None:
    """Return the digits of ``1.5100e+02``, None where it is no whole number or lacks some."""
    point, digits = int(match["exponent"]), match["fraction"] or ""
    if point > len(digits) or digits[point:].strip("0"):
        return None
    return match["whole"] + digits[:point]


def _digits_by(cell: str, thousands: Thousands) -> str | None:
    """Return the digits where it is known what separates thousands."""
    # Then the other mark, if any, starts a fraction, which must be zeros.
    marks = {".": ",", ",": "."}.get(thousands, ".,")
    groups = rf"[1-9][0-9]{{0,2}}(?:{re.escape(thousands)}[0-9]{{3}})+"
    match = re.fullmatch(rf"\+?({groups}|[0-9]+)(?:[{marks}]0*)?", cell)
    return match[1].replace(thousands, "") if match else None


def _fitting(digits: str, cell: str) -> int:
    digits = digits.lstrip("0")
    # Python refuses to read some thousands of digits at all.
    if len(digits) > 19 or int(digits or "0") > MAX_TOTAL:
        fault = f"{shown(cell)} is larger than {MAX_TOTAL}: divide all counts by a common factor"
        raise CountError(sentence(fault), kind=FaultKind.TOO_LARGE, fault=fault, value=cell)
    return int(digits or "0")


def _fault(cell: str, thousands: Thousands | None) -> tuple[FaultKind, str, Thousands | None]:
    """Return what is wrong with a cell that cannot be read, as kind, words and mark."""
    if not cell:
        return FaultKind.BLANK, "the cell is blank: write 0 if there are none", None
    it = shown(cell)
    if _EXPONENT.fullmatch(cell):
        return FaultKind.EXPONENT, f"{it} has an exponent: write all the digits of the count", None
    if _NEGATIVE.fullmatch(cell):
        return (
            FaultKind.NEGATIVE,
            f"{it} is negative: a count is 0 or a positive whole number",
            None,
        )
    if match := _GROUPED.fullmatch(cell):
        return _grouped_fault(it, match, thousands)
    if thousands and re.fullmatch(rf"\+?[0-9{thousands}]*", cell):
        return FaultKind.TEXT, f"{it} does not have its digits in groups of three", None
    if _FRACTION.fullmatch(cell):
        return FaultKind.FRACTION, f"{it} {NOT_WHOLE}", None
    if _PERCENT.fullmatch(cell):
        return FaultKind.PERCENT, f"{it} is a share: a count is a number of items", None
    if _INFINITE.fullmatch(cell):
        return FaultKind.INFINITE, f"{it} is not finite: a count is a whole number", None
    if cell.casefold() in _MISSING:
        return FaultKind.MISSING, f"{it} stands for no value: write 0 if there are none", None
    if cell[0] == "=":
        return FaultKind.FORMULA, f"{it} is a formula: write its value", None
    if _FORMULA_ERROR.fullmatch(cell):
        return FaultKind.FORMULA, f"{it} is the error of a formula: write the count", None
    if _UNDERSCORED.fullmatch(cell):
        return FaultKind.TEXT, f"{it} has underscores: write {cell.replace('_', '')}", None
    if cell.isdecimal():
        return FaultKind.TEXT, f"{it} is not written with the digits 0 to 9", None
    return FaultKind.TEXT, f"{it} is not a number: write a count, 0 if there are none", None


NOT_WHOLE = "is not a whole number: counts are whole, weights and shares are not counts"


def _grouped_fault(
    it: str, match: re.Match[str], thousands: Thousands | None
) -> tuple[FaultKind, str, Thousands | None]:
    groups, fraction = match["groups"], match["fraction"]
    mark: Thousands = cast(Thousands, match["mark"])
    if (fraction and fraction[1:].strip("0")) or (thousands and mark != thousands and mark != " "):
        return FaultKind.FRACTION, f"{it} {NOT_WHOLE}", None
    digits = groups.replace(mark, "")
    named = _MARK_NAMES[mark]
    if mark != " " and not fraction and groups.count(mark) == 1:
        fault = f"{it} is {digits} if {named} separates thousands, else a fraction: write {digits}"
        if not groups[-3:].strip("0"):
            whole = groups[:-4]
            fault = f"{it} is {digits} if {named} separates thousands, else {whole}: write either"
        return FaultKind.THOUSANDS, f"{fault}, or say that {named} separates thousands", mark
    fault = f"{it} has groups of digits: write {digits}, or say that {named} separates thousands"
    return FaultKind.THOUSANDS, fault, mark


_MARK_NAMES: dict[str, str] = {".": "a point", ",": "a comma", " ": "a space"}
