"""Measures the longest pauses of the window's thread while a large table is worked on.

QT_QPA_PLATFORM=offscreen python -m tests.benchmarks.heartbeat 2000

or while tables are simulated, their number behind the word:

QT_QPA_PLATFORM=offscreen python -m tests.benchmarks.heartbeat simulation 100000

or while metrics are timed, the number of instances behind the word:

QT_QPA_PLATFORM=offscreen python -m tests.benchmarks.heartbeat profile 500
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest

from core.files.tables import write_table
from core.table import ContingencyTable
from gui.app import make_application
from gui.main_window import MainWindow
from gui.memory import settle_memory
from gui.settings import Settings
from gui.theme import Scheme, ThemeKeeper


class Heart:
    """Beats every millisecond and remembers the gaps of the present phase."""

    def __init__(self) -> None:
        self._gaps: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)
        self._timer.start(1)

    def _beat(self) -> None:
        now = time.perf_counter()
        self._gaps.append(now - self._last)
        self._last = now

    def measure(self, name: str, work: Callable[[], object], until: Callable[[], bool]) -> None:
        """Do some work, wait for its end, and write the three longest gaps."""
        self._gaps.clear()
        self._last = start = time.perf_counter()
        work()
        while not until():
            QTest.qWait(5)
        QTest.qWait(100)
        longest = sorted(self._gaps, reverse=True)[:3]
        gaps = "  ".join(f"{1e3 * gap:5.0f}" for gap in longest)
        sys.stdout.write(f"{name:12}{gaps} ms   ({time.perf_counter() - start:.1f} s in all)\n")


def main(side: int) -> None:
    """Work on a table of side x side cells."""
    app = make_application(["heartbeat"])
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        file, copy = folder / "large.csv", folder / "copy.csv"
        counts = np.random.default_rng(7).poisson(0.7, (side, side))
        write_table(ContingencyTable(counts), file)
        window = MainWindow(Settings(folder / "s.ini"), ThemeKeeper(app, Scheme.LIGHT))
        window.resize(1280, 720)
        window.show()
        window.open_start([])
        QTest.qWait(500)
        settle_memory()
        heart = Heart()
        session, view = window.session, window.table_page.view

        def idle() -> bool:
            return not window.jobs.jobs

        def type_a_count() -> None:
            view.setFocus()
            view.setCurrentIndex(view.model().index(10, 10))
            QTest.keyClicks(view, "4")
            QTest.keyClick(app.focusWidget() or view, Qt.Key.Key_Return)

        def scroll() -> None:
            for i in range(50):
                view.verticalScrollBar().setValue(i * 400)
                view.horizontalScrollBar().setValue(i * 400)
                QTest.qWait(5)

        heart.measure("open", lambda: window.files.open_file(file), lambda: session.path == file)
        heart.measure("score", lambda: None, lambda: window.scorer.scores is not None)
        heart.measure("scroll", scroll, idle)
        heart.measure("type", type_a_count, lambda: window.scorer.scores is not None)
        heart.measure("undo", view.undo, lambda: window.scorer.scores is not None)
        heart.measure("transpose", view.transpose, lambda: window.scorer.scores is not None)
        heart.measure("save", lambda: window.saving.save(copy), lambda: not window.saving.is_saving)
        heart.measure("all at once", lambda: session.document.set_cell(0, 0, 9), idle)
        session.document.set_clean()
        window.close()


def simulate(tables: int) -> None:
    """Simulate tables, look at each tab, lay a second run over the first."""
    app = make_application(["heartbeat"])
    with tempfile.TemporaryDirectory() as place:
        settings = Settings(Path(place) / "s.ini")
        window = MainWindow(settings, ThemeKeeper(app, Scheme.LIGHT))
        window.resize(1280, 720)
        window.show()
        window.open_start([])
        page = window.simulation_page
        window.show_page(window.pages.index(page))
        QTest.qWait(500)
        settle_memory()
        heart = Heart()
        page.form.fields["tables"].setText(str(tables))

        def idle() -> bool:
            return not window.jobs.jobs

        heart.measure("first run", page.start, idle)
        heart.measure("again", page.start, idle)
        first = page.runs.runs[0]
        heart.measure("overlay", lambda: page.choice.lay_over(first), idle)
        for tab in ("Correlations", "Scatter", "Numbers", "Histograms"):
            heart.measure(tab.lower(), partial(page.show_tab, tab), idle)
        result = page.runs.runs[-1].result
        rate = result.done / result.seconds
        sys.stdout.write(f"{rate:,.0f} tables a second while the histograms filled\n")
        window.session.document.set_clean()
        window.close()


def profile(instances: int) -> None:
    """Time metrics, let costs grow, look at each tab."""
    app = make_application(["heartbeat"])
    with tempfile.TemporaryDirectory() as place:
        settings = Settings(Path(place) / "s.ini")
        window = MainWindow(settings, ThemeKeeper(app, Scheme.LIGHT))
        window.resize(1280, 720)
        window.show()
        window.open_start([])
        page = window.profile_page
        window.show_page(window.pages.index(page))
        QTest.qWait(500)
        settle_memory()
        heart = Heart()
        page.form.fields["instances"].setText(str(instances))

        def idle() -> bool:
            return not window.jobs.jobs

        heart.measure("profile", page.start, idle)
        page.show_tab("Growth")
        heart.measure("growth", page.growth.start, idle)
        for tab in ("Costs", "Growth", "Budget", "Why", "Machines", "Traces"):
            heart.measure(tab.lower(), partial(page.show_tab, tab), idle)
        window.session.document.set_clean()
        window.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["simulation"]:
        simulate(int(sys.argv[2]) if len(sys.argv) > 2 else 100_000)
    elif sys.argv[1:2] == ["profile"]:
        profile(int(sys.argv[2]) if len(sys.argv) > 2 else 500)
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
