"""Tables for papers and for spreadsheets: nothing lost, nothing that breaks the text around it."""

import csv
import re
import shutil
import subprocess

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core import METRICS, ContingencyTable, score
from core.files.paper import HEADLINE, best_places, chosen_keys
from core.files.results import (
    ScoredTable,
    latex_text,
    markdown_text,
    summary_csv,
    write_scores,
)
from core.formatting import format_score
from core.noise import Noise
from core.scores import UnknownMetricError
from core.version import __version__

FIGURE_1 = ContingencyTable(
    [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]],
    ["4", "5", "6", "7"],
    ["0", "1", "2", "3"],
)
UNDEFINED = ContingencyTable([[1, 1, 0], [0, 0, 0]], ["a|b", "=1+1"], ["x", "x", "z"])
NASTY = "\\{}$&#%_~^<>|\"'`[]*--''-,,?`!`--->%"
TEXTS = [latex_text, markdown_text]


def scored(table, name="t", keys=None, **more):
    return ScoredTable(score(table, keys), name, **more)


def rows(markdown):
    """Return the lines of tables as lists of cells, escaped bars left alone."""
    return [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in markdown.splitlines()
        if line.startswith("|")
    ]


def test_the_headline_has_a_key_that_the_catalogue_lacks():
    assert set(HEADLINE) <= set(METRICS)
    assert all(METRICS[key].per == "table" for key in HEADLINE)


def test_keys_that_were_not_asked_for_are_shown():
    results = [scored(FIGURE_1)]
    assert chosen_keys(results, None) == list(HEADLINE)
    assert chosen_keys(results, ["rand", "row_peakiness"]) == ["rand"]
    assert chosen_keys([scored(FIGURE_1, keys=["tp", "fp"])], None) == ["tp", "fp"]
    for text in TEXTS:
        with pytest.raises(UnknownMetricError):
            text(results, ["no_metric"])
        with pytest.raises(ValueError, match="no scores"):
            text([])


@pytest.mark.parametrize("text", TEXTS)
def test_what_one_must_know_to_read_the_scores_is_left_out(text):
    table = UNDEFINED.with_noise(Noise("drop", ("-1",), 3))
    tied = ContingencyTable([[5, 5], [1, 9]], ["a|b", "c"])
    found = text(
        [
            scored(table, source="a.csv", notes=("a note",)),
            scored(FIGURE_1, "u"),
            scored(tied, "v"),
        ]
    )
    head = found[: found.index("Comparison")]
    assert f"Tallyscope {__version__}" in head
    assert "q = 1, beta = 1, average = arithmetic, empty_truth = exclude" in head
    assert "Rows are truth classes, columns are clusters." in head
    assert "arithmetic mean of the two entropies" in head
    assert "3 items labelled -1 were dropped as noise" in head
    assert "t: source: a.csv" in head
    assert "t: note: a note" in head
    assert "v: warning: class a|b has several largest cells" in head


@pytest.mark.parametrize("text", [*TEXTS, summary_csv])
def test_tables_of_other_data_stand_together_without_a_word(text):
    other = ContingencyTable([[5, 5], [1, 9]])
    found = text([scored(FIGURE_1, "a"), scored(other, "b")])
    assert "different numbers of items, 20 to 2,521" in found
    assert re.search("ssociativity depends on ties in b: ranks", found)
    swapped = ContingencyTable([[1, 9], [6, 4]])
    found = text([scored(ContingencyTable([[6, 4], [1, 9]]), "a"), scored(swapped, "b")])
    assert "different" not in found
    assert "depends on ties" not in found


@pytest.mark.parametrize("text", TEXTS)
def test_bold_type_is_not_explained(text):
    found = text([scored(FIGURE_1, "a"), scored(ContingencyTable([[5, 5], [1, 9]]), "b")])
    assert found.count("The largest count of each class is bold.") == 2
    assert len(re.findall("The best value of a (?:column|line) is bold", found)) == 1


@pytest.mark.parametrize("text", TEXTS)
def test_a_table_of_many_labels_is_cut(text):
    table = ContingencyTable(np.eye(70, 90, dtype=int), [f"class{i}x" for i in range(70)])
    found = text([scored(table)])
    assert all(f"class{i}x" in found for i in range(70))
    assert all(f" C{i} " in found for i in range(1, 91))


def test_markdown_has_other_numbers_than_the_table_and_its_scores():
    result = scored(FIGURE_1, "Figure 1")
    found = rows(markdown_text([result], digits=4))
    assert found[0] == ["", "0", "1", "2", "3", "Sum"]
    assert found[2] == ["4", "151", "88", "72", "**260**", "571"]
    assert found[6] == ["Sum", "1\u202f104", "418", "486", "513", "2\u202f521"]
    shown = {row[0]: row[1] for row in found[9:]}
    for key in HEADLINE:
        assert shown[METRICS[key].name] == format_score(result.scores[key], 4)


def test_what_is_undefined_has_no_reason_below():
    result = scored(UNDEFINED)
    found = markdown_text([result], ["ap", "associativity", "cramers_v"])
    assert found.count("—<sup>1</sup>") == 2
    assert found.count("—<sup>2</sup>") == 1
    assert "\n<sup>1</sup> Associativity needs two truth classes that have items.\n" in found
    assert "\n<sup>2</sup> Cramér's V needs" in found
    found = latex_text([result], ["ap", "mutual_information"])
    assert r"\textemdash{}\textsuperscript{1} \\" in found
    assert r"\textsuperscript{1} Associativity needs two" in found
    # A metric that was not computed has none either.
    assert "It was not computed." in markdown_text([scored(FIGURE_1, keys=["ari"])], ["ap"])


def test_the_best_value_is_that_of_another_table_or_of_none():
    perfect, even = ContingencyTable([[5, 0], [0, 5]]), ContingencyTable([[3, 2], [2, 3]])
    results = [scored(even), scored(perfect), scored(ContingencyTable([[9, 0], [0, 7]]))]
    assert best_places(results, "ari", 3) == {1, 2}
    assert best_places(results, "van_dongen", 3) == {1, 2}
    assert best_places(results, "entropy_truth", 3) == set()
    assert best_places([scored(UNDEFINED), scored(even)], "ap", 3) == set()
    assert best_places([scored(UNDEFINED), *results], "ap", 3) == {2, 3}
    lines = rows(markdown_text(results, ["ari", "van_dongen"]))
    assert lines[0] == ["Table", "ARI", "Van Dongen"]
    assert lines[2][1:] == ["−0.080", "0.400"]
    assert lines[3][1:] == ["**1.000**", "**0.000**"]


def test_values_that_look_alike_are_told_apart_by_bold_type():
    close = [scored(ContingencyTable([[1000, 0], [n, 1000]])) for n in (1, 2)]
    assert close[0].scores["ari"] != close[1].scores["ari"]
    assert best_places(close, "ari", 2) == {0, 1}
    assert best_places(close, "ari", 6) == {0}


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)


@given(NAMES, NAMES)
@example(NASTY, NASTY)
@example("\n| a |\n", "-->")
def test_a_name_adds_a_cell_or_a_line_to_markdown(truth, name):
    table = ContingencyTable([[1, 2], [3, 4]], [truth, "b"])
    found = markdown_text([scored(table, name, ["ari"])])
    assert found.count("-->") == 1
    assert found.startswith("<!--\n")
    lines = rows(found[found.index("-->") :])
    assert [len(line) for line in lines] == [4] * 5 + [2] * 3


@given(NAMES)
@example(NASTY)
def test_a_name_unbalances_latex(name):
    found = latex_text([scored(ContingencyTable([[1, 2], [3, 4]], [name, name]), name, ["ari"])])
    depth = 0
    for line in found.splitlines():
        code = re.sub(r"\\[^a-zA-Z]", "", line)
        if line.startswith("%"):
            continue
        assert not re.search(r"[%#~^`]|(?<!&)&(?! )", re.sub(r"10\^|\$\^", "", code).strip(), re.A)
        depth += code.count("{") - code.count("}")
        assert depth >= 0
    assert depth == 0
    assert len([line for line in found.splitlines() if line.endswith("\\\\")]) == 6


def test_a_very_small_score_is_shown_as_nothing_in_latex():
    found = latex_text([scored(FIGURE_1)], ["p_bound", "chi2"])
    assert r"$6.224 \times 10^{-6}$" in found


def test_a_name_is_taken_for_a_number():
    table = ContingencyTable([[1, 2], [3, 4]], ["1e5", "2.5e−6"])
    found = latex_text([scored(table)])
    assert "    1e5 & 1 & " in found
    assert "    2.5e$-$6 & 3 & " in found


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs LaTeX")
def test_latex_does_not_compile(tmp_path):
    accents = "Zürich, Łódź, Čapek, «ß» –—−×∞…"
    table = ContingencyTable([[1, 1], [0, 0]], [NASTY, "[x]"], ["*", accents])
    results = [scored(table, NASTY), scored(FIGURE_1, "Figure 1"), scored(UNDEFINED, "-")]
    keys = [key for key in METRICS if METRICS[key].when != "request"]
    for i, text in enumerate([latex_text(results), latex_text(results[:2], keys, 5)]):
        (tmp_path / f"t{i}.tex").write_text(text, "utf-8")
    (tmp_path / "all.tex").write_text(
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}"
        "\\usepackage{booktabs,array,graphicx}\\begin{document}\\input{t0}\\input{t1}\\end{document}",
        "utf-8",
    )
    done = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "all.tex"],
        cwd=tmp_path,
        capture_output=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-2000:]


def test_signs_that_latex_may_not_know_are_not_named():
    table = ContingencyTable([[1, 2], [3, 4]], ["猫", "é"])
    found = latex_text([scored(table)])
    assert "% pdfLaTeX may not know these signs: 猫;" in found
    assert "may not know" not in latex_text([scored(FIGURE_1, "Zürich")])


# One line a table


def test_the_tidy_table_has_other_digits_or_loses_a_table():
    results = [
        scored(FIGURE_1, "a,b", source="x\n.csv"),
        scored(UNDEFINED, ""),
        scored(ContingencyTable([[2**61, 1]]), "big"),
    ]
    for separator in (",", "\t"):
        lines = list(csv.reader(summary_csv(results, separator).splitlines(), delimiter=separator))
        assert lines[0] == ["# Tallyscope summary", __version__]
        head = [line for line in lines if line[0].startswith("# ")]
        assert ["# q", "1.0"] in head
        assert ["# convention", "Rows are truth classes, columns are clusters."] in head
        keys = [key for key in results[0].scores if METRICS[key].per == "table"]
        names, *tidy = lines[len(head) :]
        assert names == ["name", "source", "classes", "clusters", "N", *keys]
        assert tidy[0][:5] == ["a,b", "x\\n.csv", "4", "4", "2521"]
        assert tidy[2][4] == str(2**61 + 1)
        for result, line in zip(results, tidy, strict=True):
            for key, cell in zip(keys, line[5:], strict=True):
                value = result.scores[key]
                assert cell == ("" if value != value else repr(value))
        assert len(tidy) == 3


def test_the_tidy_table_is_not_what_its_file_holds(tmp_path):
    results = [scored(FIGURE_1, "a"), scored(UNDEFINED, "b")]
    for suffix, separator in ((".csv", ","), (".tsv", "\t")):
        path = tmp_path / f"s{suffix}"
        write_scores(path, results, summary=True)
        assert path.read_bytes().decode("utf-8") == summary_csv(results, separator)


def test_a_text_is_not_what_its_file_holds(tmp_path):
    results = [scored(FIGURE_1, "a"), scored(UNDEFINED, "b")]
    for suffix, text in ((".md", markdown_text), (".tex", latex_text)):
        path = tmp_path / f"s{suffix}"
        write_scores(path, results, keys=["ari", "rand"], digits=5)
        assert path.read_bytes().decode("utf-8") == text(results, ["ari", "rand"], 5)
