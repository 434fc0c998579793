"""Texts that hold a table and are none: reports of this program and of others, printed tables.

Whoever opens one is told what it is and what to do, rather than that some word is no number.
"""

from __future__ import annotations

import re

from core.files.errors import FaultKind, ReadError

_HEAD = 20_000
_WEKA = re.compile(r"<-- (?:assigned to cluster|classified as)")
_RULE = r"[ \t]*:?-{2,}:?[ \t]*"
_MARKDOWN = re.compile(rf"^[ \t]*\|?{_RULE}(?:\|{_RULE})+\|?[ \t]*$", re.MULTILINE)
_LATEX = re.compile(r"\\begin\{(?:tabular|table|longtable|array)[a-z]*\*?\}")
_HTML = re.compile(r"\s*<(?:!doctype|html|table|body|head)\b", re.IGNORECASE)
_NAME, _ONE = r"[^\s,;\t|]+", r"[^\S\r\n]*"
# "cluster" above the names of clusters, "truth" before them, as R prints a table.
_R = re.compile(rf"\A[^\S\r\n]+{_NAME}{_ONE}\r?\n{_NAME}[^\S\r\n]+\S[^\r\n]*\r?\n")
# "cluster  0  1" above "truth", as pandas prints one.
_PANDAS = re.compile(rf"\A{_NAME}[^\S\r\n]+\S[^\r\n]*\r?\n{_NAME}{_ONE}\r?\n")


def explained(text: str, name: str, error: ReadError) -> ReadError | None:
    """Return what to say of a text that could not be read, if it is known what it is.

    Parameters
    ----------
    text : str
        The text.
    name : str
        What messages call it.
    error : ReadError
        What is wrong with it as a table.

    Returns
    -------
    ReadError or None
    """
    if error.kind not in (FaultKind.TEXT, FaultKind.RAGGED, FaultKind.BLANK_LINE, FaultKind.BLANK):
        return None
    head = text[:_HEAD]
    said = None
    if _WEKA.search(head):
        said = (
            "is output of Weka: keep the lines of its matrix, write the name of each class before "
            'its counts, and leave out "|" and what follows "<--"'
        )
    elif _LATEX.search(head):
        said = "is LaTeX: keep the rows of its table, with commas or tabs between the cells"
    elif _MARKDOWN.search(head):
        said = (
            "is a table in Markdown: keep its rows without the line of dashes, with commas or tabs "
            "between the cells"
        )
    elif _HTML.match(head):
        said = "is a web page: open it in a browser, copy the table and paste it"
    elif _R.match(head):
        said = (
            "is a table as R prints it: delete the first line, which names the columns alone, or "
            "save it with write.csv"
        )
    elif _PANDAS.match(head):
        said = (
            "is a table as pandas prints it: delete the second line, which names the rows alone, "
            "or save it with to_csv"
        )
    if said is None:
        return None
    return ReadError(f"{name} {said}.", kind=FaultKind.TEXT, line=error.line)
