"""Runs the program as a process, as a user does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def environment(**changes):
    """Return an environment without a display, and without what a test may have set."""
    dropped = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "PYTHONIOENCODING", "FORCE_COLOR")
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return {**kept, "PYTHONWARNINGS": "error", "PYTHONUTF8": "1", **changes}


@pytest.fixture
def program(tmp_path):
    """Run ``main.py`` in an empty folder and return the finished process."""

    def run(*arguments, stdin=None, text=True, env=None, **options):
        if stdin is None:
            options.setdefault("stdin", subprocess.DEVNULL)
        else:
            options["input"] = stdin
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        return subprocess.run(
            [sys.executable, str(ROOT / "main.py"), *map(str, arguments)],
            cwd=tmp_path,
            env=environment(**(env or {})),
            encoding="utf-8" if text else None,
            timeout=60,
            check=False,
            **options,
        )

    return run
