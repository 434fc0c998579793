"""Scored tables as LaTeX, with the rules of booktabs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.files.errors import plain
from core.files.latex_layout import (
    LINE,
    NAME_SHARE,
    LatexLayout,
    fitted,
    is_long_head,
    page_share,
    paged,
    turned_length,
)
from core.files.paper import paper_pieces
from core.files.paper_table import PaperTable
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

# Words of more signs may be broken, after signs that part them and every so many others.
_LONG_WORD = re.compile(r"\S{17,}")
_PART = re.compile(r"[^\s_/.:,-]{1,8}[_/.:,-]*|[_/.:,-]{1,8}")

# What keeps a table from being wider than the line; a narrow one needs it nowhere.
_GUARD = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}"
_NARROW = 200.0

_END = "\\end{table}\n\n"
# LaTeX stops where more tables than some fifty wait for a place.
_MOST_WAITING = 20

# A score in powers of ten, as format_score writes it.
_POWER = re.compile(r"(?P<sign>−?)(?P<digits>\d+(?:\.\d+)?)e(?P<power>−?\d+)")

# pdfLaTeX knows these without another package, in UTF-8 with the fonts of T1.
_LAST_KNOWN = "\N{LATIN SMALL LETTER Z WITH CARON}"


class _Latex:
    """See `Markup`."""

    def comment(self, lines: Sequence[str], names: Sequence[str]) -> str:
        lines = [
            *lines,
            "packages: \\usepackage[T1]{fontenc}, \\usepackage[utf8]{inputenc}, "
            "\\usepackage{booktabs}, \\usepackage{array} and \\usepackage{graphicx}",
            f"wide tables are laid out for lines of {LINE:g} pt, and made smaller where lines are "
            "shorter",
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
        text, place, parts = plain(text), 0, []
        for word in _LONG_WORD.finditer(text):
            parts.append(_signs(text[place : word.start()]))
            parts.append(r"\allowbreak{}".join(map(_signs, _PART.findall(word[0]))))
            place = word.end()
        return "".join([*parts, _signs(text[place:])])

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

    def is_too_wide(
        self,
        heads: Sequence[str],
        names: Sequence[str],
        longest: Sequence[str],
    ) -> bool:
        layout = fitted(heads, names, longest)
        return len(layout.blocks) > 1 or layout.turned

    def table(self, table: PaperTable) -> Iterator[str]:
        layout = fitted(table.heads, table.names, table.longest)
        pages = paged(table, layout)
        blocks = layout.blocks or [range(0)]
        # Blocks of few lines stand one below the other, others are tables of their own.
        parts = len(blocks) * len(pages)
        together = len(pages) == 1 and parts * page_share(table, layout) <= 1
        number = 0
        for block in blocks:
            lines = zip(table.names, table.lines(block), strict=True)
            for page in pages:
                number += 1
                if number == 1 or not together:
                    part = "" if together else f" Part {number} of {parts}."
                    yield self._begin(table.caption + part, layout)
                else:
                    yield "  \\par\\medskip\n"
                yield from self._block(table, layout, block, page, lines)
                if number == parts:
                    for note in table.notes:
                        yield f"\n  \\par\\smallskip {{\\footnotesize {note}\\par}}\n"
                if number == parts or not together:
                    yield _END

    def _begin(self, caption: str, layout: LatexLayout) -> str:
        begin = f"\\begin{{table}}[htbp]\n  \\centering\n  \\caption{{{self.text(caption)}}}\n"
        if layout.size:
            begin += f"  {layout.size}\\setlength{{\\tabcolsep}}{{{layout.separation:g}pt}}\n"
        return begin

    def _block(
        self,
        table: PaperTable,
        layout: LatexLayout,
        block: range,
        page: range,
        lines: Iterator[tuple[str, list[str]]],
    ) -> Iterator[str]:
        """Yield some columns of some lines; those above them have been taken already."""
        names = "l"
        if layout.broken:
            names = f">{{\\raggedright\\arraybackslash}}p{{{NAME_SHARE:g}\\linewidth}}"
        heads = [table.heads[column + 1] for column in block]
        shown = [self._turned(head) if layout.turned else self.text(head) for head in heads]
        begin, end = f"\\begin{{tabular}}{{{names}{'r' * len(block)}}}", "\\end{tabular}"
        if layout.width > _NARROW:
            begin, end = f"{_GUARD}{{{begin}", f"{end}}}"
        yield f"  {begin}\n    \\toprule\n"
        yield self._row(self.text(table.heads[0]), shown)
        yield "    \\midrule\n"
        for i, (name, cells) in zip(page, lines, strict=False):
            if i == table.rule and i > page.start:
                yield "    \\midrule\n"
            yield self._row(self.text(name), cells)
        yield f"    \\bottomrule\n  {end}\n"

    def _turned(self, head: str) -> str:
        text = self.text(head)
        if is_long_head(head):
            text = f"\\parbox{{{turned_length()}}}{{\\raggedright {text}}}"
        return f"\\rotatebox{{90}}{{{text}}}"

    def _row(self, name: str, cells: Sequence[str]) -> str:
        return f"    {' & '.join([name, *cells])} \\\\\n"


def _signs(text: str) -> str:
    return _LIGATURE.sub(r"\1{}", text.translate(_ESCAPES))


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
    tables = 0
    for piece in paper_pieces(results, _Latex(), keys, digits):
        yield piece
        tables += piece == _END
        if piece == _END and tables % _MOST_WAITING == 0:
            yield "\\clearpage\n\n"
