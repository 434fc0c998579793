"""Where the files that come with the program lie, from its folder and frozen."""

from __future__ import annotations

import sys
from pathlib import Path


def resource_path(name: str) -> Path:
    """Return the path of a file that comes with the program.

    Parameters
    ----------
    name : str
        Path below ``resources``, with forward slashes: ``"samples/figure_1.csv"``.

    Returns
    -------
    Path
    """
    # A frozen program unpacks its data where PyInstaller says.
    root = getattr(sys, "_MEIPASS", None) or Path(__file__).resolve().parent.parent
    return Path(root, "resources", *name.split("/"))
