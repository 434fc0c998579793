"""Draws every page with real content, light and dark, into a folder of PNGs."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

# Set before Qt starts: pictures must not depend on the screen or the user's settings.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.table import ContingencyTable
from gui.app import make_application
from gui.main_window import MainWindow
from gui.settings import Settings
from gui.theme import Scheme, ThemeKeeper

SIZE = (1280, 720)


def _settle(app: QApplication, window: MainWindow) -> None:
    """Wait until the scores are there and the window is painted."""
    for _ in range(200):
        app.processEvents()
        if window.scorer.scores is not None and not window.jobs.jobs:
            break
        QTest.qWait(10)
    QTest.qWait(50)


def _many_classes() -> ContingencyTable:
    generator = np.random.default_rng(7)
    counts = generator.poisson(0.4, size=(60, 45))
    for i in range(60):
        counts[i, i * 45 // 60] += generator.integers(5, 60)
    return ContingencyTable(counts)


def draw(folder: Path) -> list[Path]:
    """Draw all pictures and return their files."""
    folder.mkdir(parents=True, exist_ok=True)
    app = make_application(["tallyscope"])
    for family in ("Inter", "Noto Sans", "DejaVu Sans"):
        if family in QFontDatabase.families():
            app.setFont(QFont(family, 10))
            break
    files = []
    with tempfile.TemporaryDirectory() as place:
        settings = Settings(Path(place) / "settings.ini")
        theme = ThemeKeeper(app, Scheme.LIGHT)
        window = MainWindow(settings, theme)
        window.resize(*SIZE)
        window.show()

        def shoot(name: str) -> None:
            for scheme in (Scheme.LIGHT, Scheme.DARK):
                window.set_scheme(scheme)
                _settle(app, window)
                file = folder / f"{name}-{scheme.value}.png"
                window.grab().save(str(file))
                files.append(file)

        window.open_start([])
        _settle(app, window)
        shoot("table")
        window.session.show_table(
            ContingencyTable(
                [[5, 5, 1, 0], [2, 6, 6, 0], [4, 4, 4, 0], [0, 0, 0, 0]],
                truth=["setosa", "versicolor", "virginica", "unknown"],
            ),
            "Ties and empty classes",
        )
        shoot("table-ties")
        window.session.show_table(ContingencyTable([[3, 5, 2]]), "One class")
        shoot("table-undefined")
        window.session.show_table(_many_classes(), "Sixty classes")
        shoot("table-60x45")
        window.open_start([])
        panel = window.table_page.panel
        panel.set_folding(dict.fromkeys(panel.sections, True) | {"generalised": False})
        panel.tree.expand(panel.model.section("generalised-more"))
        window.set_option("q", 1.5)
        window.edit_option("q")
        _settle(app, window)
        panel.tree.setCurrentIndex(panel.model.index_of("p_bound"))
        shoot("scores-unfolded")
        window.show_page(1)
        shoot("metrics")
        window.close()
        app.processEvents()
    return files


if __name__ == "__main__":
    for written in draw(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")):
        sys.stdout.write(f"{written}\n")
