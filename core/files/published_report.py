"""Findings on published results as Markdown and JSON."""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from core.files.atomic import atomic_file, encoded
from core.files.errors import SaveError, plain
from core.files.markdown import escaped
from core.files.scored import number
from core.files.writing import Saved, written
from core.published.finding import HOLDS_SHARE, VERDICTS, Finding
from core.published.replications import SCENARIOS, paper_scenario
from core.simulation.presets import PAPER_TABLES
from core.simulation.record import scenario_record
from core.studies.published import CheckPublished, PublishedResult
from core.studies.study import Step, run_to_end
from core.version import PROGRAM, __version__

SUFFIXES = (".md", ".json")
"""The endings of the files that hold findings."""


def report_conventions(result: PublishedResult) -> list[str]:
    """Return what one must know to read the findings, as sentences."""
    runs = result.study.replications
    said = ["A value agrees with the printed one if it rounds to it."]
    if not any(finding.interval or finding.held for finding in result.findings):
        return said
    said += [
        f"Each of the AP paper's simulations, figures 13 to 20, is run {runs} times with its "
        f"{PAPER_TABLES} tables, by the paper's own generator; run i of a scenario follows "
        "random.seed(1000 * seed + i), i from 0.",
        f"A value with an interval is the mean of the {runs} runs. The interval goes from their "
        "2.5 % to their 97.5 % quantile: by so much does one run of the paper's size vary.",
        f"A statement on runs holds if it is true in {HOLDS_SHARE * 100:g} % of them or more.",
        "Correlations are Pearson's.",
        "Empty truth classes are left out of every score. The paper's code leaves them out of the "
        "mean peakiness, but lets them vote for the first cluster; where that matters, claims are "
        "checked by the paper's code, too.",
        "FMI is the Fowlkes-Mallows index, which the paper calls FMS; ARI is its ARS.",
    ]
    if runs < CheckPublished.replications:
        said.append("So few runs make the intervals too narrow: take 20 or more.")
    return said


def published_markdown(result: PublishedResult) -> str:
    """Return findings as GitHub Markdown, a table for each source, explanations below it.

    Parameters
    ----------
    result : PublishedResult
        All findings or some; then the text says that they are partial.

    Returns
    -------
    str
    """
    study = result.study
    lines = [
        "# Published results, checked",
        "",
        f"{PROGRAM} {__version__}; {escaped(settings_text(study))}.",
        "",
        escaped(result.summary()),
        "",
    ]
    lines += [f"- {escaped(sentence)}" for sentence in report_conventions(result)]
    for source, findings in result.by_source().items():
        lines += ["", f"## {escaped(source)}", "", *_table(findings), ""]
        lines += _explanations(findings)
    verdicts = {finding.verdict for finding in result.findings}
    lines += ["", "## Verdicts", ""]
    lines += [f"- **{name}**: {escaped(VERDICTS[name])}" for name in VERDICTS if name in verdicts]
    return "\n".join(lines) + "\n"


def settings_text(study: CheckPublished) -> str:
    """Return what was chosen, in words."""
    only = f"; only {study.only!r}" if study.only else ""
    return f"seed {study.seed}; {study.replications} replications{only}"


def _table(findings: Sequence[Finding]) -> list[str]:
    heads = ("No.", "Place", "Claim", "Printed", "Ours", "Verdict")
    lines = [_row(heads), _row(["---:", "---", "---", "---:", "---:", "---"])]
    for i, finding in enumerate(findings, start=1):
        cells = (
            finding.place,
            finding.claim,
            finding.printed_text,
            finding.ours_text,
            finding.verdict,
        )
        lines.append(_row([str(i), *map(escaped, cells)]))
    return lines


def _explanations(findings: Sequence[Finding]) -> list[str]:
    """Return the explanations as a list; what is said of several findings is said once."""
    numbers: dict[str, list[int]] = {}
    for i, finding in enumerate(findings, start=1):
        numbers.setdefault(finding.explanation, []).append(i)
    return [
        f"- {', '.join(map(str, places))}: {escaped(explanation)}"
        for explanation, places in numbers.items()
    ]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def published_json(result: PublishedResult) -> str:
    """Return findings as strict JSON, every digit; a value that does not exist is null."""
    study = result.study
    record = {
        "program": {"name": PROGRAM, "version": __version__},
        "settings": {
            "seed": study.seed,
            "replications": study.replications,
            "tables_each": PAPER_TABLES,
            "only": study.only,
            "scenarios": {key: scenario_record(paper_scenario(key)) for key in SCENARIOS},
        },
        "conventions": report_conventions(result),
        "verdicts": dict(VERDICTS),
        "complete": result.complete,
        "planned": result.planned,
        "findings": [_record(finding) for finding in result.findings],
    }
    return json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _record(finding: Finding) -> dict[str, Any]:
    record = asdict(finding)
    for name in ("printed", "ours"):
        record[name] = [number(value) for value in record[name]]
    if finding.interval is not None:
        record["interval"] = [number(end) for end in finding.interval]
    if finding.held is not None:
        record["held"] = {"runs": finding.held[0], "of": finding.held[1]}
    first = ("key", "source", "place", "claim", "verdict")
    return {name: record[name] for name in (*first, *(n for n in record if n not in first))}


@dataclass(frozen=True, eq=False)
class SavePublished:
    """The study that writes findings to a file, by its suffix.

    Attributes
    ----------
    path : Path or str
        ``.md`` or ``.json``.
    result : PublishedResult
    """

    path: Path | str
    result: PublishedResult

    def run(self) -> Generator[Step[Saved], None, None]:
        """Write; the last step has the `Saved` file, which counts its findings.

        Raises
        ------
        SaveError
            If the suffix is another, or the file cannot be written.
        """
        path = Path(self.path)
        name, suffix = plain(path.name), path.suffix.lower()
        if suffix not in SUFFIXES:
            raise SaveError(f"{name} was not saved: give it the ending {' or '.join(SUFFIXES)}.")
        message = f"saving {name}"
        yield Step(0, 2, message)
        make = published_json if suffix == ".json" else published_markdown
        content = encoded(make(self.result), path)
        yield Step(1, 2, message)
        with atomic_file(path) as file:
            file.write(content)
            stamp = written(file)
            yield Step(1, 2, message)
        saved = Saved(path, stamp, len(self.result.findings))
        yield Step(2, 2, f"saved {name}", result=saved)


def write_published(path: Path | str, result: PublishedResult) -> Saved:
    """Write findings to a file, by its suffix; see `SavePublished`."""
    return run_to_end(SavePublished(path, result))
