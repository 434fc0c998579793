"""Findings on published results as Markdown and JSON."""

import json
import re

import pytest

from core.files.errors import SaveError
from core.files.published_report import published_json, published_markdown, write_published
from core.studies.published import CheckPublished, PublishedResult
from core.studies.study import run_to_end
from core.version import __version__


@pytest.fixture(scope="module")
def result():
    return run_to_end(CheckPublished("higher 4x2, correlation", replications=2, seed=1))


@pytest.fixture(scope="module")
def tables():
    return run_to_end(CheckPublished("arXiv 2604.22655 (AP) table", replications=2))


def test_markdown_says_what_made_it(result):
    text = published_markdown(result)
    assert f"{__version__}; seed 1; 2 replications; only 'higher 4x2, correlation'." in text
    assert "random.seed(1000 \\* seed + i)" in text
    assert "take 20 or more" in text


def test_rows_of_markdown_have_as_many_cells_as_the_heads(tables):
    rows = [line for line in published_markdown(tables).splitlines() if line.startswith("|")]
    assert len(rows) == len(tables.findings) + 2
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {7}


def test_every_explanation_is_there_and_none_twice_in_its_source(tables):
    text = published_markdown(tables)
    for sentence in {finding.explanation.split(".")[0] for finding in tables.findings}:
        assert sentence.split("*")[0].split("(")[0].strip() in text
    notes = [line.split(": ", 1)[1] for line in text.splitlines() if re.match(r"- \d", line)]
    assert len(notes) == len(set(notes))


def test_json_has_every_digit_and_the_scenarios(result):
    record = json.loads(published_json(result))
    assert [f["key"] for f in record["findings"]] == [f.key for f in result.findings]
    for written, finding in zip(record["findings"], result.findings, strict=True):
        assert written["ours"] == list(finding.ours)
        assert written["held"] == (
            None if finding.held is None else dict(zip(("runs", "of"), finding.held, strict=True))
        )
    assert record["settings"]["scenarios"]["higher_4x2"] == {
        "kind": "divided_total",
        "rows": 4,
        "columns": 2,
        "total": 2521,
        "zero_weight": 1000,
        "generator": "paper",
    }


def test_partial_findings_are_labelled_as_such(result):
    part = PublishedResult(result.study, result.findings[:3], result.planned)
    assert "Partial: 3 of" in published_markdown(part)
    assert json.loads(published_json(part))["complete"] is False


def test_a_file_gets_what_its_ending_says(result, tmp_path):
    for name, made in (("a.md", published_markdown), ("b.JSON", published_json)):
        saved = write_published(tmp_path / name, result)
        assert saved.tables == len(result.findings)
        assert (tmp_path / name).read_text("utf-8") == made(result)


def test_an_ending_that_is_none_of_ours_writes_nothing(result, tmp_path):
    with pytest.raises(SaveError, match=r"\.md or \.json"):
        write_published(tmp_path / "a.docx", result)
    assert not list(tmp_path.iterdir())
