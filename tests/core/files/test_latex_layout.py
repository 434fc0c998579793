"""Tables on the page of a paper: none runs over its edge, and none loses a line or a column."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import ContingencyTable, score
from core.files.latex_layout import LINE, fitted
from core.files.results import ScoredTable, latex_text

LONG = "a_very_long_name_of_a_class_in_the_data"


def scored(shape, name, top=1000, truth=None, clusters=None, keys=None):
    counts = np.random.default_rng(7).integers(1, top, shape)
    return ScoredTable(score(ContingencyTable(counts, truth, clusters), keys), name)


def blocks(text):
    """Return the cells of each tabular."""
    found = []
    for tabular in re.findall(r"\\begin\{tabular\}.*?\n(.*?)\\end\{tabular\}", text, re.S):
        lines = [line[4:] for line in tabular.splitlines() if line.endswith(r"\\")]
        found.append([line.removesuffix(r" \\").split(" & ") for line in lines])
    return found


@given(
    st.lists(st.tuples(st.text("aW1 _", max_size=60), st.integers(1, 15)), min_size=1, max_size=60),
    st.lists(st.text("aW1 _", max_size=200), min_size=1, max_size=20),
)
def test_a_column_is_lost_or_shown_twice(columns, names):
    heads = ["", *(head for head, _ in columns)]
    layout = fitted(heads, names, ["0" * digits for _, digits in columns])
    assert [column for block in layout.blocks for column in block] == list(range(len(columns)))
    assert layout.width <= LINE


def test_a_small_table_is_made_small():
    found = latex_text([scored((4, 3), "t")])
    assert not re.search(r"\\(small\b|footnotesize|resizebox|rotatebox)", found)
    assert "Part" not in found


def test_a_comparison_of_many_metrics_runs_over_the_edge():
    results = [scored((4, 4), name) for name in ("first", "second", "third")]
    turned = blocks(latex_text(results))[0]
    assert turned[0] == ["Metric", "first", "second", "third"]
    assert [line[0] for line in turned[1:4]] == ["AP", "A", "P"]
    straight = blocks(latex_text(results, ["ap", "ari"]))[0]
    assert straight[0] == ["Table", "AP", "ARI"]
    assert [line[1] for line in straight[1:]] == turned[1][1:]


def test_columns_of_a_wide_table_lose_their_names_or_their_order():
    result = scored((5, 40), "wide")
    table = result.scores.table
    parts = blocks(latex_text([result], ["ari"]))[:-1]
    assert len(parts) > 1
    assert all(
        [line[0] for line in part] == ["", *(f"T{i}" for i in range(1, 6)), "Sum"] for part in parts
    )
    joined = [[cell for part in parts for cell in part[i][1:]] for i in range(7)]
    assert joined[0] == [*table.clusters, "Sum"]
    for i, line in enumerate(joined[1:6]):
        shown = [int(re.sub(r"\\textbf|\\,|\D", "", cell)) for cell in line]
        assert shown == [*table.counts[i].tolist(), int(table.row_sums[i])]
    assert "Part" not in latex_text([scored((5, 18), "w")], ["ari"])


def test_lines_below_the_page_are_lost():
    result = scored((100, 3), "tall")
    found = latex_text([result], ["ari"])
    parts = blocks(found)[:-1]
    names = [line[0] for part in parts for line in part[1:]]
    assert names == [*result.scores.table.truth, "Sum"]
    assert all(len(part) < 45 for part in parts)
    assert f"Part 1 of {len(parts)}." in found
    assert found.count(r"\begin{table}") == len(parts) + 1


CASES = {
    "3 columns": lambda: [scored((3, 3), name) for name in "ab"],
    "13 columns": lambda: [scored((8, 13), name) for name in "abc"],
    "40 columns": lambda: [scored((40, 40), "t", 100_000)],
    "20 tables": lambda: [scored((3, 3), f"algorithm number {i}") for i in range(20)],
    "long names": lambda: [
        scored(
            (4, 6),
            "x/" * 60,
            truth=[LONG * 2 + str(i) for i in range(4)],
            clusters=[f"Cluster of some long name that goes on {i}" * 2 for i in range(6)],
        ),
        scored((4, 13), "W" * 90, truth=["W" * (50 + i) for i in range(4)]),
    ],
}


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs LaTeX")
@pytest.mark.parametrize("form", ["", "[twocolumn]"])
@pytest.mark.parametrize("case", CASES)
def test_a_table_runs_over_the_edge_of_the_page(case, form, tmp_path):
    (tmp_path / "t.tex").write_text(latex_text(CASES[case]()), "utf-8")
    (tmp_path / "all.tex").write_text(
        f"\\documentclass{form}{{article}}\\usepackage[T1]{{fontenc}}"
        "\\usepackage[utf8]{inputenc}\\usepackage{booktabs}\\usepackage{array}"
        "\\usepackage{graphicx}\\begin{document}\\input{t}\\end{document}",
        "utf-8",
    )
    done = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "all.tex"],
        cwd=tmp_path,
        capture_output=True,
        timeout=100,
        check=False,
    )
    said = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, said[-2000:]
    log = (tmp_path / "all.log").read_text("utf-8", "replace")
    assert "Overfull" not in log
    assert "Float too large" not in log
