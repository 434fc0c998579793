"""What ``main.py`` does with its arguments, with and without a screen."""

import os
import socket
import subprocess
import sys
import tomllib

import pytest

import main
from core.version import PROGRAM, __version__
from tests.cli.conftest import ROOT, environment


def python(script, **env):
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment(**env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_the_version_stands_in_one_place():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == __version__


def test_the_version_is_printed(program):
    done = program("--version")
    assert (done.returncode, done.stdout) == (0, f"{PROGRAM} {__version__}\n")


def test_help_names_the_commands_and_no_shell_completion(program):
    done = program("--help")
    assert done.returncode == 0
    assert "score" in done.stdout
    assert "completion" not in done.stdout
    assert "completion" not in program("score", "--help").stdout


def test_help_waits_for_nothing_heavy():
    heavy = ("numpy", "scipy", "sklearn", "rich", "openpyxl", "joblib", "PySide6", "gui")
    done = python(
        "import sys, main\n"
        "main.main(['--help'])\n"
        f"sys.exit([name for name in {heavy!r} if name in sys.modules] or 0)\n"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_scoring_loads_neither_scikit_learn_nor_qt():
    done = python(
        "import sys, main\n"
        "main.main(['score', 'resources/samples/figure_1.csv'])\n"
        "heavy = ('sklearn', 'openpyxl', 'PySide6', 'gui')\n"
        "sys.exit([name for name in heavy if name in sys.modules] or 0)\n"
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there a screen is assumed")
@pytest.mark.parametrize("env", [{}, {"DISPLAY": ""}, {"DISPLAY": ":9941"}])
def test_without_a_screen_the_sample_is_scored(program, env):
    done = program(env=env)
    assert (done.returncode, done.stderr) == (0, "")
    assert "figure_1.csv   4 x 4   N = 2\u202f521" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("The window did not open: ")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there a screen is assumed")
def test_without_a_screen_the_named_files_are_scored(program, tmp_path):
    (tmp_path / "mine.csv").write_text("8,2\n1,9\n", "utf-8")
    done = program("mine.csv")
    assert done.returncode == 0
    assert done.stdout.startswith("mine.csv   2 x 2   N = 20")


def test_without_qt_the_sample_is_scored_and_what_is_missing_is_said():
    done = python(
        "import sys; sys.modules['PySide6'] = None\nimport main; sys.exit(main.main([]))",
        QT_QPA_PLATFORM="offscreen",
    )
    assert done.returncode == 0
    assert "N = 2\u202f521" in done.stdout
    last = done.stdout.splitlines()[-1]
    assert last.startswith("The window did not open: ")
    assert "PySide6" in last


def test_a_fault_of_our_own_is_not_taken_for_missing_qt():
    assert not main._is_of_qt(ImportError("cannot import name 'x'", name="gui.pages"))
    assert main._is_of_qt(ModuleNotFoundError("no module", name="PySide6.QtCore"))
    assert main._is_of_qt(ImportError("libEGL.so.1: cannot open shared object file"))


def test_files_open_the_window_and_commands_do_not(tmp_path, monkeypatch):
    opened = []

    def open_window(files):
        opened.append(list(files))
        return 0

    monkeypatch.setattr(main, "open_window", open_window)
    monkeypatch.chdir(tmp_path)
    for name in ("score", "table", "t.csv"):
        (tmp_path / name).write_text("1,2\n", "utf-8")
    assert main.main([]) == 0
    assert main.main(["t.csv"]) == 0
    assert main.main(["table", "t.csv"]) == 0
    assert main.main(["score", "missing.csv"]) == 1
    assert main.main(["missing"]) == 2
    assert main.main(["missing.csv"]) == 0
    assert opened == [[], ["t.csv"], ["table", "t.csv"], ["missing.csv"]]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="abstract sockets are Linux's")
def test_a_display_that_answers_opens_the_window(monkeypatch):
    for name in ("WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    number = 20_000 + os.getpid() % 10_000
    monkeypatch.setenv("DISPLAY", f":{number}.0")
    assert main._no_display() is not None
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0/tmp/.X11-unix/X{number}")
        server.listen()
        assert main._no_display() is None


def test_a_platform_that_is_chosen_is_honoured(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert main._no_display() is None


def test_a_missing_package_shows_a_traceback(tmp_path):
    done = subprocess.run(
        [sys.executable, "-S", str(ROOT / "main.py"), "score", "table.csv"],
        cwd=tmp_path,
        env={"PATH": os.environ.get("PATH", "")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert "use make run" in done.stderr
    assert "Traceback" not in done.stderr
