"""Tallyscope: without a command its window opens, with one it works in the terminal."""

from __future__ import annotations

import multiprocessing
import os
import re
import socket
import sys
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the window, or run the command that is named.

    Parameters
    ----------
    arguments : sequence of str, optional
        What stands behind the name of the program; that of this process by default.

    Returns
    -------
    int
        The exit code.
    """
    # A frozen program starts anew in each worker; there this does not return.
    multiprocessing.freeze_support()
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or _is_file(given[0]):
        return open_window(given)
    from core.cli import run

    return run(arguments)


def _is_file(argument: str) -> bool:
    """Return whether an argument names a file, and not a command or an option."""
    if argument.startswith("-"):
        return False
    if not re.fullmatch(r"[a-z-]+", argument):
        # No command looks like this; if there is no such file, the answer says so.
        return True
    from core.cli import commands

    return argument not in commands() and os.path.exists(argument)  # noqa: PTH110


def open_window(files: Sequence[str]) -> int:
    """Open the window; where it cannot open, print the scores and say how it could.

    Parameters
    ----------
    files : sequence of str
        The tables to open.

    Returns
    -------
    int
        The exit code.
    """
    reason = _no_display()
    if reason is None:
        try:
            from gui.app import run
        except ImportError as error:
            if not _is_of_qt(error):
                raise
            reason = f"the window needs PySide6 and pyqtgraph ({error})"
        else:
            return run(list(files))
    from core.cli import run as run_command
    from core.files.samples import sample_tables

    tables = list(files) or [str(sample_tables()[0].path)]
    code = run_command(["score", *tables])
    if sys.stdout is not None:
        sys.stdout.write(f"\nThe window did not open: {reason}.\n")
    return code


def _is_of_qt(error: ImportError) -> bool:
    # A shared library that Qt lacks is reported without the name of a module.
    module = (error.name or "PySide6").partition(".")[0]
    return module in {"PySide6", "shiboken6", "pyqtgraph", "qtawesome"}


def _no_display() -> str | None:
    """Return why there is no screen to open a window on, None if there is one."""
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM"):
        return None
    if os.environ.get("WAYLAND_DISPLAY"):
        return None
    display = os.environ.get("DISPLAY")
    if not display:
        return "there is no display; start it in a desktop session, or with ssh -X"
    local = re.fullmatch(r"(?:unix)?:(\d+)(?:\.\d+)?", display)
    if local and not _answers(f"/tmp/.X11-unix/X{local[1]}"):
        return f"the display {display} does not answer; start it in a desktop session"
    return None


def _answers(path: str) -> bool:
    """Return whether a server listens at a local socket; X uses its abstract name, too."""
    addresses = ["\0" + path]
    if Path(path).exists():
        addresses.append(path)
    for address in addresses:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(2)
            try:
                connection.connect(address)
            except OSError:
                continue
            return True
    return False


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except ModuleNotFoundError as missing:
        # A module of its own that is missing is a fault, and shows as one.
        if (missing.name or "core").partition(".")[0] in ("core", "gui", "main"):
            raise
        sys.exit(f"Tallyscope needs {missing.name}, which is not installed here: use make run.")
