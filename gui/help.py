"""What the Help menu shows."""

from __future__ import annotations

from core.version import __version__

KEYS = (
    ("type, F2", "replace or edit a count"),
    ("Enter, Tab (with Shift back)", "next class, next cluster"),
    ("Delete", "set the selected cells to 0"),
    ("Ctrl+C, Ctrl+X, Ctrl+V", "copy, cut, paste a block"),
    ("Ctrl+Shift+C", "copy with names"),
    ("Ctrl+Z, Ctrl+Y", "undo, redo"),
    ("Shift+F2, Ctrl+F2", "rename the class, the cluster"),
    ("Ctrl+I, Ctrl+Shift+I", "insert a class below, a cluster to the right"),
    ("Ctrl+Delete, Ctrl+Shift+Delete", "delete the class, the cluster"),
    ("Ctrl+T", "transpose"),
    ("Ctrl+Tab", "leave the table"),
    ("arrows, Home, End (with Ctrl to the edge)", "go to a cell; with Shift, select"),
    ("Ctrl+1 to Ctrl+5", "go to a page"),
    ("Ctrl+N, Ctrl+Shift+N", "new table, new session"),
    ("Ctrl+Shift+O", "import labels, or a sheet and range"),
    ("Ctrl+Shift+V", "paste as a new table"),
    ("Ctrl+D, Ctrl+B", "duplicate the table, pin it as the baseline"),
    ("F2, Delete, Enter in the list", "rename, remove, go to the table"),
    ("Ctrl+Shift+S, Ctrl+Q", "save as, quit"),
    ("Ctrl+Shift+L", "copy the selected tables as LaTeX"),
    ("Ctrl+Alt+E, Ctrl+Shift+H", "export all tables, export the heat map"),
    ("Ctrl+Shift+E", "copy all scores"),
    ("Enter, Left, Right on a heading", "fold and unfold scores"),
    ("F2 on a score", "set its order q or its beta"),
    ("Alt with a letter", "open a menu"),
    ("Ctrl+O, Ctrl+S, Ctrl+E", "open, save, export"),
)


def keyboard_html() -> str:
    """Return the list of keys."""
    rows = "".join(
        f"<tr><td style='padding-right:24px'><b>{keys}</b></td><td>{what}</td></tr>"
        for keys, what in KEYS
    )
    return f"<table>{rows}</table>"


def about_html() -> str:
    """Return what the program is, whose it is and what it is made with."""
    return (
        f"<h3>Tallyscope {__version__}</h3>"
        "<p>Scores clusterings from their contingency tables.</p>"
        "<p>MIT licence. Made with Qt for Python (LGPL), numpy, scipy, "
        "scikit-learn and pyqtgraph.</p>"
        "<p>It never uses the network.</p>"
    )
