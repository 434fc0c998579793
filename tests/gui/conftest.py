"""A window with its own settings, dialogs that answer at once, no thread left behind."""

from __future__ import annotations

import gc
import os
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QApplication

from gui.dialogs import Dialogs, Unsaved
from gui.main_window import MainWindow
from gui.memory import GarbageKeeper
from gui.settings import Settings
from gui.theme import Scheme, ThemeKeeper


class Answers(Dialogs):
    """Answers every question at once, and remembers what was asked."""

    def __init__(self) -> None:
        self.open_path: Path | None = None
        self.save_path: Path | None = None
        self.unsaved = Unsaved.CANCEL
        self.asked: list[str] = []
        self.suggestion: Path | None = None
        self.texts: list[str] = []

    def ask_open(self, parent, folder, answer, *more):
        self.asked.append("open")
        if self.open_path is not None:
            answer([self.open_path])

    def ask_save(self, parent, title, suggestion, filters, answer):
        self.asked.append(title)
        self.suggestion = suggestion
        if self.save_path is not None:
            answer(self.save_path)

    def ask_unsaved(self, parent, name, answer):
        self.asked.append(f"unsaved {name}")
        answer(self.unsaved)

    def show_text(self, parent, title, html):
        self.texts.append(html)


@pytest.fixture(scope="session")
def garbage(qapp):
    """Collect garbage in this thread alone, as the program does."""
    keeper = GarbageKeeper()
    yield keeper
    gc.enable()


@pytest.fixture(autouse=True)
def garbage_is_collected_here(request, garbage):
    """Collect between tests: few of them run the event loop long enough for the timer."""
    yield
    garbage.collect_if_due()


@pytest.fixture(autouse=True)
def no_thread_left_behind(monkeypatch):
    """Fail a test that leaves a thread running."""
    started: list[QThread] = []
    start = QThread.start

    def remember(thread, *arguments):
        started.append(thread)
        start(thread, *arguments)

    monkeypatch.setattr(QThread, "start", remember)
    yield
    from shiboken6 import isValid

    running = [t.objectName() for t in started if isValid(t) and t.isRunning()]
    assert not running, f"threads still running: {running}"


@pytest.fixture
def answers():
    return Answers()


@pytest.fixture
def settings(tmp_path):
    return Settings(tmp_path / "settings" / "settings.ini")


@pytest.fixture
def theme(qapp: QApplication):
    keeper = ThemeKeeper(qapp, Scheme.LIGHT)
    yield keeper
    keeper.deleteLater()


@pytest.fixture
def make_window(qtbot, settings, theme, answers, tmp_path):
    """Return a function that opens a window; all are closed at the end."""
    windows: list[MainWindow] = []

    def make(
        files: list[Path] | None = None, size: tuple[int, int] | None = (1280, 720)
    ) -> MainWindow:
        window = MainWindow(settings, theme, answers, tmp_path / "recovery")
        windows.append(window)
        qtbot.addWidget(window, before_close_func=lambda w: w.session.document.set_clean())
        if size is not None:
            window.resize(*size)
        window.show()
        qtbot.waitExposed(window)
        window.open_start(files or [])
        qtbot.waitUntil(lambda: window.scorer.scores is not None, timeout=5000)
        return window

    yield make
    for window in windows:
        window.session.document.set_clean()
        window.close()


@pytest.fixture
def window(make_window):
    """A window with figure 1 of the AP paper, scored."""
    return make_window()
