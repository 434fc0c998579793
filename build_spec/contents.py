"""What of all that PyInstaller finds goes into the standalone program."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Sequence
from pathlib import PurePosixPath

# Destination, source and kind, as PyInstaller lists what it collects.
Entry = tuple[str, str, str]

# Modules that something could import but nothing does. Never `unittest`: numpy imports it.
EXCLUDED_MODULES = (
    # GNU readline and gdbm are under the GPL, and a program without a prompt needs neither.
    *("readline", "rlcompleter", "_gdbm", "dbm.gnu"),
    *("curses", "_curses", "_curses_panel", "tkinter", "_tkinter", "idlelib", "lib2to3"),
    *("setuptools", "distutils", "_distutils_hack", "pkg_resources", "pip", "ensurepip"),
    *("pydoc_data", "sqlite3", "PyInstaller"),
    # The program never uses the network; hashlib has its own sums without OpenSSL.
    *("PySide6.QtNetwork", "PySide6.QtAsyncio", "ssl", "_ssl", "_hashlib"),
    # rich would colour source code with them, and show Markdown.
    *("pygments", "markdown_it", "mdurl"),
)

# Large packages that the window does without until somebody wants something of them.
SHARED_MODULES = (
    *("scipy", "sklearn", "narwhals", "joblib", "openpyxl"),
    *("typer", "rich", "pydantic"),
)

# Patterns of what nothing in the program uses, below the folder of PySide6.
_UNUSED_OF_QT = (
    "*/translations/*",
    # Themes of other programs, and pictures in forms that are neither read nor written.
    "*/plugins/platformthemes/libqgtk3*",
    "*/plugins/imageformats/*qgif*",
    "*/plugins/imageformats/*qicns*",
    "*/plugins/imageformats/*qjpeg*",
    "*/plugins/imageformats/*qmacheif*",
    "*/plugins/imageformats/*qmacjp2*",
    "*/plugins/imageformats/*qpdf*",
    "*/plugins/imageformats/*qtga*",
    "*/plugins/imageformats/*qtiff*",
    "*/plugins/imageformats/*qwbmp*",
    "*/plugins/imageformats/*qwebp*",
    # Drivers of devices without a desktop, and of remote screens.
    "*/plugins/egldeviceintegrations/*",
    "*/plugins/generic/*",
    "*/plugins/platforms/*qdirect2d*",
    "*/plugins/platforms/*qeglfs*",
    "*/plugins/platforms/*qlinuxfb*",
    "*/plugins/platforms/*qminimalegl*",
    "*/plugins/platforms/*qvkkhrdisplay*",
    "*/plugins/platforms/*qvnc*",
    "*/plugins/platforminputcontexts/*virtualkeyboard*",
    # The network, in any form.
    "*/plugins/networkinformation/*",
    "*/plugins/tls/*",
    "*QtNetwork*",
    # OpenGL without a graphics card: nothing is drawn with it.
    "*opengl32sw*",
    "*d3dcompiler*",
)

# What is data of packages for their own tests and documentation.
_UNUSED_DATA = ("*/tests/*", "*/testing/data/*", "pyqtgraph/examples/*", "*.pyi", "*.pyx", "*.pxd")


def wanted(entries: Iterable[Entry], symlinks: bool) -> list[Entry]:
    """Return the entries that the program needs.

    Parameters
    ----------
    entries : iterable of Entry
    symlinks : bool
        Whether to keep symbolic links. Where the loader finds every library by its folder
        they help nobody, and a folder without them can be copied to any file system.
    """
    return [entry for entry in entries if _is_wanted(entry, symlinks)]


def _is_wanted(entry: Entry, symlinks: bool) -> bool:
    destination, _, kind = entry
    if kind == "SYMLINK" and not symlinks:
        return False
    path = PurePosixPath(destination.replace("\\", "/")).as_posix()
    unused = _UNUSED_OF_QT if path.startswith("PySide6/") else _UNUSED_DATA
    return not any(fnmatch.fnmatch(path, pattern) for pattern in unused)


def reached(
    entries: Sequence[Entry],
    is_root: Callable[[Entry], bool],
    needed_by: Callable[[str], Iterable[str]],
) -> list[Entry]:
    """Return the entries without the libraries that nothing needs any more.

    A library that was collected for something that is left out is left out, too.

    Parameters
    ----------
    entries : sequence of Entry
    is_root : callable
        Says whether an entry is there for its own sake.
    needed_by : callable
        Returns the names of the libraries that a file is linked with.
    """
    by_name = {PurePosixPath(entry[0].replace("\\", "/")).name: entry for entry in entries}
    waiting = [entry for entry in entries if is_root(entry)]
    kept = {entry[0] for entry in waiting}
    while waiting:
        for name in needed_by(waiting.pop()[1]):
            entry = by_name.get(name)
            if entry is not None and entry[0] not in kept:
                kept.add(entry[0])
                waiting.append(entry)
    return [entry for entry in entries if entry[0] in kept]
