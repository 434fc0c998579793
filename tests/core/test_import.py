"""What importing the core costs and offers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import core

ROOT = Path(__file__).parents[2]


def run(code: str) -> str:
    """Run a program in a fresh interpreter, warnings being errors; return its output."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


LOADED = """
import sys
print(*sorted({name.partition(".")[0] for name in sys.modules}
      & {"numpy", "scipy", "sklearn", "joblib", "PySide6", "shiboken6", "pyqtgraph", "gui"}))
"""


def test_importing_the_core_loads_a_heavy_library() -> None:
    assert run("import core" + LOADED) == ""


def test_scoring_loads_a_heavy_library_or_the_window() -> None:
    loaded = run(
        "import core\n"
        "core.score([[8, 2], [1, 9]])\n"
        "core.score_many([[[8, 2], [1, 9]]])\n"
        "core.ContingencyTable.from_labels('aab', [1, 2, 2])" + LOADED
    )
    assert loaded == "numpy"


@pytest.mark.parametrize(
    "name", ["score", "score_many", "METRICS", "ContingencyTable", "TableError"]
)
def test_a_name_of_the_core_is_missing_after_a_plain_import(name: str) -> None:
    assert run(f"import core\nprint(core.{name} is not None, {name!r} in dir(core))") == "True True"


def test_a_public_name_leads_nowhere() -> None:
    for name in core.__all__:
        assert getattr(core, name) is not None
        assert name in dir(core)
    with pytest.raises(AttributeError, match="module 'core' has no attribute 'scored'"):
        core.scored  # noqa: B018


def test_the_examples_of_the_documentation_do_not_run() -> None:
    output = run(
        "import doctest, importlib\n"
        "failed = tried = 0\n"
        "for name in ('table', 'scoring', 'cells', 'metrics.metric', 'metrics.wording',\n"
        "             'chance.hypergeometric', 'chance.random_tables', 'metrics.ap_adjusted'):\n"
        "    result = doctest.testmod(importlib.import_module(f'core.{name}'))\n"
        "    failed, tried = failed + result.failed, tried + result.attempted\n"
        "print(failed, tried > 5)"
    )
    assert output == "0 True"
