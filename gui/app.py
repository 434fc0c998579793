"""Starts the window."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from core.resources import resource_path
from core.version import __version__
from gui.main_window import MainWindow
from gui.memory import GarbageKeeper, settle_memory
from gui.settings import Settings
from gui.table_editor.notice import Notice, Severity
from gui.theme import ThemeKeeper

log = logging.getLogger(__name__)


# Seconds after which a thread that wants the interpreter gets it. Python's own 5 ms, waited
# for at every call into Qt, would slow the window visibly while a worker is busy.
_SWITCH_INTERVAL = 0.0005


def make_application(arguments: Sequence[str]) -> QApplication:
    """Return the application, with its name and icon set."""
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(list(arguments))
    sys.setswitchinterval(_SWITCH_INTERVAL)
    app.setApplicationName("Tallyscope")
    app.setApplicationDisplayName("Tallyscope")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("tallyscope")
    app.setWindowIcon(QIcon(str(resource_path("tallyscope.svg"))))
    return app


def run(files: Sequence[str] = ()) -> int:
    """Open the window and stay until it is closed.

    Parameters
    ----------
    files : sequence of str
        A table file to open in place of the sample.

    Returns
    -------
    int
        The exit code.
    """
    # Qt's loop runs no Python handler, so Ctrl+C in the terminal ends the program at once;
    # the recovery file holds the work.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    app = make_application(sys.argv[:1])
    settings = Settings()
    theme = ThemeKeeper(app, settings.scheme)
    window = MainWindow(settings, theme)
    _report_faults_in(window)
    window.show()
    settle_memory()
    GarbageKeeper(app)
    # After the first paint, so that the window is on the screen at once.
    QTimer.singleShot(0, window, lambda: window.open_start([Path(name) for name in files]))
    return app.exec()


def _report_faults_in(window: MainWindow) -> None:
    """Tell the user of a fault of the program itself; the work stays open."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        log.critical("a fault of the program", exc_info=(kind, error, trace))
        window.tell(
            Notice(
                f"Something went wrong in Tallyscope itself ({kind.__name__}: {error}). "
                "Your table is still here: save it under another name.",
                Severity.ERROR,
            )
        )

    sys.excepthook = hook
