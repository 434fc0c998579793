"""Programs that are killed: what they had is offered, and no file is damaged."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from core.files.sessions import SessionContent, read_session, write_session
from core.named_table import NamedTable
from core.table import ContingencyTable

ROOT = Path(__file__).parents[2]

# A program that edits every tenth of a second, tells what it has done, and saves if asked to.
PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gui.main_window import MainWindow
from gui.settings import Settings
from gui.theme import ThemeKeeper

folder, file, saving = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "save"
app = QApplication([])
window = MainWindow(Settings(folder / "settings.ini"), ThemeKeeper(app), None, folder / "kept")
window.show()
window.open_start([Path(file)] if file else [])
edits = 0

def edit():
    global edits
    if file and window.session.path is None:
        return
    edits += 1
    window.session.document.set_cell(0, 0, edits)
    if edits % 5 == 0:
        window.session.duplicate([window.session.document.key])
    if saving:
        window.saving.save(Path(file))
    sys.stdout.write(f"{edits}\\n")
    sys.stdout.flush()

timer = QTimer()
timer.timeout.connect(edit)
timer.start(100)
app.exec()
"""


def run_and_kill(folder: Path, file: Path | None, seconds: float, mode: str = "edit") -> list[int]:
    """Return the numbers that a program has typed by the time it is killed."""
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(folder), "" if file is None else str(file), mode],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    first = program.stdout.readline()
    assert first, "the program did not start"
    time.sleep(seconds)
    program.send_signal(signal.SIGKILL)
    with program.stdout:
        rest = program.stdout.read()
    program.wait(timeout=20)
    return [int(line) for line in (first + rest).split()]


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
@pytest.mark.parametrize("beside", [False, True])
def test_a_kill_loses_at_most_five_seconds_of_work(qtbot, make_window, tmp_path, beside):
    file = None
    if beside:
        (tmp_path / "data").mkdir()
        file = tmp_path / "data" / "mine.tallyscope"
        tables = [NamedTable("first", ContingencyTable([[0, 2], [3, 4]]))]
        write_session(SessionContent(tuple(tables)), file)
    typed = run_and_kill(tmp_path / "other", file, 6.0)
    kept = tmp_path / "recovery"
    (tmp_path / "other" / "kept").rename(kept)
    if beside:
        # Beside the session, so that work stays on the disk where the user has put it.
        assert len(list((tmp_path / "data").glob(".mine.tallyscope.*"))) == 1
    else:
        facts = next(kept.glob("*.json"))
        moved = facts.read_text("utf-8").replace(str(tmp_path / "other" / "kept"), str(kept))
        facts.write_text(moved, "utf-8")
    window = make_window()
    offers = window.table_page.offers
    qtbot.waitUntil(lambda: offers.notice is not None, timeout=10_000)
    offers.buttons[0].click()
    found = int(window.session.document.state.counts[0, 0])
    # Ten edits a second were made.
    assert typed[-1] - found <= 50
    assert found > 0
    assert len(window.session.entries) == 1 + found // 5
    assert window.session.is_dirty
    assert window.session.path == file
    if file is not None:
        # The file itself was not touched.
        assert read_session(file).tables[0].table.counts[0, 0] == 0
    window.session.history.set_clean()
    qtbot.waitUntil(lambda: not window.jobs.jobs, timeout=10_000)


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_a_kill_while_saving_leaves_the_old_or_the_new_file(tmp_path):
    file = tmp_path / "mine.tallyscope"
    rng = np.random.default_rng(1)
    large = ContingencyTable(rng.integers(0, 1_000, (400, 400)))
    for seconds in (0.3, 0.55, 0.8):
        write_session(SessionContent((NamedTable("large", large),)), file)
        typed = run_and_kill(tmp_path / "other", file, seconds, "save")
        content = read_session(file)
        table = content.tables[0].table
        assert np.array_equal(table.counts.ravel()[1:], large.counts.ravel()[1:])
        assert table.counts[0, 0] in {large.counts[0, 0], *typed}
