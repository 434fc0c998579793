"""Scored tables as LaTeX, with the rules of booktabs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.files.errors import plain
from core.files.paper import paper_pieces
from core.files.scored import ScoredTable

_SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    # At the start of a line they would belong to the end of the line before.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "\N{MINUS SIGN}": "$-$",
    "\N{EM DASH}": r"\textemdash{}",
    "\N{EN DASH}": r"\textendash{}",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
    "\N{NO-BREAK SPACE}": r"\nobreakspace{}",
    "\N{INFINITY}": r"$\infty$",
    "\N{GREEK SMALL LETTER CHI}": r"$\chi$",
    "\N{GREEK CAPITAL LETTER SIGMA}": r"$\Sigma$",
    "\N{SUPERSCRIPT TWO}": "$^2$",
    "\N{SUPERSCRIPT THREE}": "$^3$",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
}
_ESCAPES = str.maketrans(_SIGNS)

# Two of these in a row would make another sign.
_LIGATURE = re.compile(r"([-',])(?=\1)")

# A score in powers of ten, as format_score writes it.
_POWER = re.compile(r"(?P<sign>−?)(?P<digits>\d+(?:\.\d+)?)e(?P<power>−?\d+)")

# pdfLaTeX knows these without another package, in UTF-8 with the fonts of T1.
_LAST_KNOWN = "\N{LATIN SMALL LETTER Z WITH CARON}"


# Width of the text of an article on A4 or letter paper, in points.
_TEXT_WIDTH = 345.0


class _Size(NamedTuple):
    """A size of type: its command, the width of a sign and the space between columns, in pt."""

    command: str
    sign: float
    space: float


# A digit is half as wide as the type is high; names have wider letters among narrower ones.
_SIZES = (_Size("", 5.5, 12.0), _Size("\\small", 5.0, 10.0), _Size("\\footnotesize", 4.6, 8.0))


class _Latex:
    """See `Markup`."""

    def comment(self, lines: Sequence[str], names: Sequence[str]) -> str:
        lines = [
            *lines,
            "packages: \\usepackage[T1]{fontenc}, \\usepackage[utf8]{inputenc} and "
            "\\usepackage{booktabs}",
        ]
        unknown = sorted({c for c in "".join(names) if c > _LAST_KNOWN and c not in _SIGNS})
        if unknown:
            signs = plain(" ".join(unknown[:20])) + (" ..." if len(unknown) > 20 else "")
            lines.append(
                f"pdfLaTeX may not know these signs: {signs}; use LuaLaTeX or XeLaTeX with a font "
                "that has them, or \\DeclareUnicodeCharacter"
            )
        return "".join(f"% {line}\n" for line in lines) + "\n"

    def text(self, text: str) -> str:
        return _LIGATURE.sub(r"\1{}", plain(text).translate(_ESCAPES))

    def value(self, text: str) -> str:
        if power := _POWER.fullmatch(text):
            sign, power_of = power["sign"], power["power"]
            return f"${sign}{power['digits']} \\times 10^{{{power_of}}}$".replace("−", "-")
        return self.text(text)

    def bold(self, text: str) -> str:
        if text.startswith("$") and text.endswith("$"):
            return rf"\boldmath{text}\unboldmath{{}}"
        return rf"\textbf{{{text}}}"

    def mark(self, number: int) -> str:
        return rf"\textsuperscript{{{number}}}"

    def parts(self, first: int, widths: Sequence[int]) -> tuple[str, list[slice]]:
        for size in _SIZES:
            numbers = sum(width * size.sign + size.space for width in widths)
            if first * size.sign + size.space + numbers <= _TEXT_WIDTH:
                return size.command, [slice(0, len(widths))]
        parts: list[slice] = []
        size = _SIZES[-1]
        room = _TEXT_WIDTH - first * size.sign - size.space
        start, taken = 0, 0.0
        for place, width in enumerate(widths):
            needed = width * size.sign + size.space
            if place > start and taken + needed > room:
                parts.append(slice(start, place))
                start, taken = place, 0.0
            taken += needed
        return size.command, [*parts, slice(start, len(widths))]

    def begin(self, caption: str, heads: Sequence[str], *, texts: int = 1, size: str = "") -> str:
        columns = "l" * texts + "r" * (len(heads) - texts)
        space = next(each.space for each in _SIZES if each.command == size) / 2
        type_size = f"  {size}\\setlength{{\\tabcolsep}}{{{space:g}pt}}\n" if size else ""
        return (
            f"\\begin{{table}}[htbp]\n  \\centering\n{type_size}"
            f"  \\caption{{{caption}}}\n  \\begin{{tabular}}{{{columns}}}\n"
            f"    \\toprule\n{self.row(heads)}    \\midrule\n"
        )

    def row(self, cells: Sequence[str]) -> str:
        return f"    {' & '.join(cells)} \\\\\n"

    def rule(self) -> str:
        return "    \\midrule\n"

    def end(self, notes: Sequence[str]) -> str:
        below = "".join(f"\n  \\par\\smallskip {{\\footnotesize {note}\\par}}\n" for note in notes)
        return f"    \\bottomrule\n  \\end{{tabular}}\n{below}\\end{{table}}\n\n"


def latex_text(
    results: Sequence[ScoredTable], keys: Sequence[str] | None = None, digits: int = 3
) -> str:
    r"""Return scored tables as LaTeX, to be read with ``\input``.

    Parameters
    ----------
    results : sequence of ScoredTable
        One or more, all with the same options.
    keys : sequence of str, optional
        The metrics that are shown; the headline ones by default.
    digits : int
        Decimals shown.

    Returns
    -------
    str
        Comments with version, options, conventions, notes, warnings and the packages that
        the text needs; of several tables a comparison, the best value of each metric bold;
        then each table with its sums, its largest counts bold, and its scores. What does
        not exist is a dash with its reason below. Signs that pdfLaTeX does not know are
        left as they are, and named in a comment.

    Raises
    ------
    UnknownMetricError
        If a key is not in the catalogue.
    ValueError
        If there is no table, or if the options differ.
    """
    return "".join(latex_pieces(results, keys, digits))


def latex_pieces(
    results: Sequence[ScoredTable], keys: Sequence[str] | None = None, digits: int = 3
) -> Iterator[str]:
    """Yield the text of `latex_text` line by line."""
    return paper_pieces(results, _Latex(), keys, digits)
