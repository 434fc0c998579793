"""Scored tables as GitHub Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.files.errors import plain
from core.files.paper import paper_pieces
from core.files.paper_table import PaperTable
from core.files.scored import ScoredTable

_SPECIAL = re.compile(r"([\\`*_\[\]|~$@])")
# What would make a heading or a list of the line that it begins.
_AT_START = re.compile(r"^(\d*)([#+\-=.)])")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def escaped(text: str) -> str:
    """Return text so that Markdown shows it as it is."""
    return _SPECIAL.sub(r"\\\1", plain(text).translate(_ENTITIES))


class _Markdown:
    """See `Markup`."""

    def comment(self, lines: Sequence[str], names: Sequence[str]) -> str:  # noqa: ARG002
        # Two hyphens in a row may end a comment.
        inside = "\n".join(line.replace("--", "- -") for line in lines)
        return f"<!--\n{inside}\n-->\n\n"

    def text(self, text: str) -> str:
        return escaped(text)

    def value(self, text: str) -> str:
        return self.text(text)

    def bold(self, text: str) -> str:
        return f"**{text}**"

    def mark(self, number: int) -> str:
        return f"<sup>{number}</sup>"

    def is_too_wide(
        self,
        heads: Sequence[str],  # noqa: ARG002
        names: Sequence[str],  # noqa: ARG002
        longest: Sequence[str],  # noqa: ARG002
    ) -> bool:
        return False  # A page of Markdown is as wide as its tables.

    def table(self, table: PaperTable) -> Iterator[str]:
        heads = [self.text(head) for head in table.heads]
        aligned = ["---"] + ["---:"] * (len(heads) - 1)
        caption = _AT_START.sub(r"\1\\\2", self.text(table.caption).lstrip(), count=1)
        yield f"{caption}\n\n{_row(heads)}{_row(aligned)}"
        lines = table.lines(range(len(heads) - 1))
        for name, cells in zip(table.names, lines, strict=True):
            yield _row([self.text(name), *cells])
        yield "\n" + "".join(f"{note}\n\n" for note in table.notes)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def markdown_text(
    results: Sequence[ScoredTable], keys: Sequence[str] | None = None, digits: int = 3
) -> str:
    """Return scored tables as GitHub Markdown.

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
        A comment with version, options, conventions, notes and warnings; of several tables
        a comparison, the best value of each metric bold; then each table with its sums,
        its largest counts bold, and its scores. What does not exist is a dash with its
        reason below.

    Raises
    ------
    UnknownMetricError
        If a key is not in the catalogue.
    ValueError
        If there is no table, or if the options differ.
    """
    return "".join(markdown_pieces(results, keys, digits))


def markdown_pieces(
    results: Sequence[ScoredTable], keys: Sequence[str] | None = None, digits: int = 3
) -> Iterator[str]:
    """Yield the text of `markdown_text` line by line."""
    return paper_pieces(results, _Markdown(), keys, digits)
