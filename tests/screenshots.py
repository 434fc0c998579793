"""Draws every page with real content, light and dark, into a folder of PNGs."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

# Set before Qt starts: pictures must not depend on the screen or the user's settings.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from core.files.label_files import LabelOptions, read_labels
from core.files.samples import sample_labels
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


def _simulation(app: QApplication, window: MainWindow, shoot: Callable[[str], object]) -> None:
    """Run two scenarios of the paper and show every tab."""
    page = window.simulation_page
    window.show_page(window.pages.index(page))
    shoot("simulation-empty")

    def settle() -> None:
        QTest.qWait(50)
        while window.jobs.jobs:
            QTest.qWait(10)
        QTest.qWait(50)

    page.form.choose("higher_4x6")
    page.start()
    settle()
    before = page.run
    page.form.choose("higher_4x4")
    page.start()
    settle()
    shoot("simulation")
    page.choice.lay_over(before)
    settle()
    shoot("simulation-over")
    for tab in ("Correlations", "Scatter", "Numbers"):
        page.show_tab(tab)
        settle()
        shoot(f"simulation-{tab.lower()}")


def _profile(window: MainWindow, shoot: Callable[[str], object]) -> None:
    """Time the paper's eight metrics, let costs grow a little, and show every tab."""
    page = window.profile_page
    window.show_page(window.pages.index(page))
    shoot("profile-empty")

    def settle() -> None:
        QTest.qWait(50)
        while window.jobs.jobs:
            QTest.qWait(10)
        QTest.qWait(50)

    page.start()
    settle()
    page.growth.limit.setValue(0.5)
    page.growth.start()
    settle()
    for tab in ("Traces", "Costs", "Growth", "Budget", "Why", "Machines"):
        page.show_tab(tab)
        settle()
        shoot(f"profile-{tab.lower()}")


def _many_classes() -> ContingencyTable:
    generator = np.random.default_rng(7)
    counts = generator.poisson(0.4, size=(60, 45))
    for i in range(60):
        counts[i, i * 45 // 60] += generator.integers(5, 60)
    return ContingencyTable(counts)


def _wait(app: QApplication, window: MainWindow) -> None:
    """Wait until work that starts after a pause is over, too."""
    QTest.qWait(400)
    for _ in range(500):
        app.processEvents()
        if not window.jobs.jobs and window.table_page.explanation.is_settled:
            break
        QTest.qWait(10)
    QTest.qWait(50)


def _show_algorithms(window: MainWindow) -> None:
    """Open what three algorithms made of the irises, beside the first sample."""
    path = sample_labels()[0].path
    options = LabelOptions(truth="species", predictions=("k-means", "ward", "dbscan"))
    tables = read_labels(path, options).tables
    window.session.add(tables)
    entries = window.session.entries
    window.session.set_baseline(entries.at(2).key)
    window.session.select(entries.at(1).key)


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

        def shoot_dialog(name: str, dialog: QWidget | None) -> None:
            if dialog is None:
                raise RuntimeError(f"there is no dialog to draw as {name}")
            for scheme in (Scheme.LIGHT, Scheme.DARK):
                window.set_scheme(scheme)
                _wait(app, window)
                file = folder / f"{name}-{scheme.value}.png"
                dialog.grab().save(str(file))
                files.append(file)
            dialog.close()

        window.open_start([])
        _settle(app, window)
        shoot("table")
        _show_algorithms(window)
        _settle(app, window)
        shoot("tables")
        for tab in ("Costs", "One item", "AP's rows", "Conventions"):
            window.table_page.explanation.show_tab(tab)
            window.table_page.view.set_current(1, 0)
            _wait(app, window)
            shoot(f"explain-{tab.split()[-1].lower()}")
        window.table_page.explanation.show_tab("Meaning")
        window.table_page.view.set_order("table", "matching")
        shoot("table-ordered")
        window.table_page.view.set_order("table", "table")
        window.table_page.tables.list.selectAll()
        window.show_page(window.pages.index(window.compare_page))
        _settle(app, window)
        shoot("compare")
        window.show_page(0)
        window.importing.show_assistant(sample_labels()[0].path)
        _wait(app, window)
        shoot_dialog("import", window.importing.assistant)
        window.figures.ask_export()
        _wait(app, window)
        shoot_dialog("figure-dialog", window.figures.dialog)
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
        window.session.new()
        window.open_start([])
        panel = window.table_page.panel
        panel.set_folding(dict.fromkeys(panel.sections, True) | {"generalised": False})
        panel.tree.expand(panel.model.section("generalised-more"))
        window.set_option("q", 1.5)
        window.edit_option("q")
        _settle(app, window)
        panel.tree.setCurrentIndex(panel.model.index_of("p_bound"))
        shoot("scores-unfolded")
        _simulation(app, window, shoot)
        _profile(window, shoot)
        window.show_page(window.pages.index(window.published_page))
        shoot("published-empty")
        page = window.published_page
        page.check()
        while window.jobs.jobs:
            QTest.qWait(10)
        page.tree.setCurrentIndex(page.model.index_of("ap.table_3.v_measure"))
        shoot("published")
        window.show_page(len(window.pages) - 1)
        shoot("metrics")
        window.close()
        app.processEvents()
    return files


if __name__ == "__main__":
    for written in draw(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")):
        sys.stdout.write(f"{written}\n")
