"""A simulation in numbers as a file: CSV, Markdown or JSON."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.files.atomic import atomic_file, encoded
from core.files.errors import SaveError, plain
from core.files.markdown import escaped
from core.files.simulation_about import (
    FORMAT_VERSION,
    about,
    comments,
    said_of,
    settings_record,
)
from core.files.simulation_marks import SUMMARY_FORMAT
from core.files.writing import Saved, written
from core.formatting import UNDEFINED, format_score
from core.metrics.catalogue import METRICS
from core.statistics.histogram import Histogram
from core.statistics.summary import QUANTILES, Summary
from core.studies.correlations import Correlations
from core.studies.simulated import FillHistograms, SummariseScores, own_axis, shares_an_axis
from core.studies.simulation import SimulationResult
from core.studies.study import Step, run_to_end
from core.version import PROGRAM, __version__

SUFFIXES = (".csv", ".tsv", ".md", ".json")

_BINS = 40


@dataclass(frozen=True, eq=False)
class SimulationSummary:
    """A simulation in numbers.

    Attributes
    ----------
    result : SimulationResult
    summaries : mapping of str to Summary
        Of each metric.
    histograms : mapping of str to Histogram
    correlations : sequence of Correlations
        With a chosen metric, of one kind or several.
    """

    result: SimulationResult
    summaries: Mapping[str, Summary]
    histograms: Mapping[str, Histogram]
    correlations: Sequence[Correlations] = ()

    def columns(self) -> list[str]:
        """Return what the lines of `numbers` hold."""
        names = [
            *("metric", "defined", "undefined", "mean", "standard_deviation", "min"),
            *(f"q{round(100 * q):02d}" for q in QUANTILES),
            *("max", "dynamic_range", "mode", "zeros", "ones"),
        ]
        for found in self.correlations:
            what = f"{found.kind}_with_{found.reference}"
            names += [what, f"{what}_low", f"{what}_high", f"{what}_band"]
        return names

    def bins(self, key: str) -> list[Any]:
        """Return ends and counts of a histogram, whose bins are equally wide."""
        histogram = self.histograms[key]
        counts = " ".join(map(str, histogram.counts.tolist()))
        return [*histogram.edges[[0, -1]].tolist(), counts, histogram.below, histogram.above]

    def numbers(self, key: str) -> list[Any]:
        """Return the numbers of a metric, in the order of the columns."""
        s = self.summaries[key]
        line: list[Any] = [key, s.defined, s.undefined, s.mean, s.standard_deviation, s.low]
        line += [*s.quantiles.values(), s.high, s.dynamic_range, s.mode, s.zeros, s.ones]
        for found in self.correlations:
            one = found.by_key[key]
            line += [one.coefficient, one.low, one.high, one.band]
        return line


def summary_of(
    result: SimulationResult, correlations: Sequence[Correlations] = ()
) -> SimulationSummary:
    """Return the numbers of a simulation.

    Parameters
    ----------
    result : SimulationResult
    correlations : sequence of Correlations
        Found already.
    """
    return run_to_end(Summarise(result, correlations))


@dataclass(frozen=True, eq=False)
class Summarise:
    """The study that finds the numbers of a simulation.

    Attributes
    ----------
    result : SimulationResult
    correlations : sequence of Correlations
        Found already.
    """

    result: SimulationResult
    correlations: Sequence[Correlations] = ()

    def run(self) -> Generator[Step[SimulationSummary], None, None]:
        """Yield while counting; the last step has the summary."""
        result = self.result
        summaries: Mapping[str, Summary] = {}
        for step in SummariseScores(result.keys, result.values).run():
            summaries = step.result or summaries
            yield Step(step.done, None, step.message)
        axes = [
            (min(0.0, s.low) if s.defined else 0.0, 1.0)
            if shares_an_axis(key)
            else own_axis(s.low, s.high)
            for key, s in summaries.items()
        ]
        histograms: list[Histogram] = []
        for filled in FillHistograms(result.values, axes, _BINS).run():
            histograms = filled.result or histograms
            yield Step(filled.done, None, filled.message)
        by_key = dict(zip(result.keys, histograms, strict=True))
        summary = SimulationSummary(result, summaries, by_key, self.correlations)
        yield Step(1, 1, "summarised", result=summary)


def summary_json(summary: SimulationSummary) -> str:
    """Return a summary as strict JSON, every digit; what does not exist is null."""
    result = summary.result
    record = {
        "format": SUMMARY_FORMAT,
        "format_version": FORMAT_VERSION,
        "program": {"name": PROGRAM, "version": __version__},
        "settings": settings_record(result.simulation),
        "scored": result.done,
        "conventions": said_of(result.simulation),
        "undefined": {key: dict(why) for key, why in result.undefined.items()},
        "metrics": {
            key: {
                **dict(
                    zip(summary.columns()[1:], map(_plain, summary.numbers(key)[1:]), strict=True)
                ),
                "histogram": {
                    "edges": summary.histograms[key].edges.tolist(),
                    "counts": summary.histograms[key].counts.tolist(),
                    "below": summary.histograms[key].below,
                    "above": summary.histograms[key].above,
                },
            }
            for key in result.keys
        },
        "correlations": [
            {"with": f.reference, "kind": f.kind, "resamples": f.resamples, "seed": f.seed}
            for f in summary.correlations
        ],
    }
    return json.dumps(record, indent=2, allow_nan=False) + "\n"


def summary_text(summary: SimulationSummary, separator: str = ",") -> str:
    """Return a summary as CSV, a line a metric, every digit."""
    lines = list(comments("summary", summary.result, separator))
    lines += [
        f"# correlations{separator}{f.kind} with {f.reference}: 95 % percentile bootstrap of "
        f"{f.resamples} resamples{separator}seed {f.seed}\n"
        for f in summary.correlations
    ]
    bins = ("bins_from", "bins_to", "counts", "below", "above")
    lines.append(separator.join([*summary.columns(), *bins]) + "\n")
    for key in summary.result.keys:
        line = [*summary.numbers(key), *summary.bins(key)]
        cells = ("" if (v := _plain(value)) is None else v for value in line)
        lines.append(separator.join(c if isinstance(c, str) else repr(c) for c in cells) + "\n")
    return "".join(lines)


def summary_markdown(summary: SimulationSummary, digits: int = 3) -> str:
    """Return a summary as a table of Markdown, with what was simulated in a comment."""
    head = "".join(f"{key}: {plain(text)}\n" for key, text in about(summary.result))
    names = ["Metric", "Mean", "SD", "Min", "5 %", "Median", "95 %", "Max", "Zeros", "Ones"]
    names += [
        f"{f.kind.capitalize()} with {METRICS[f.reference].symbol}" for f in summary.correlations
    ]
    lines = [f"| {' | '.join(map(escaped, names))} |", "| --- |" + " ---: |" * (len(names) - 1)]
    for key in summary.result.keys:
        s = summary.summaries[key]
        if not s.defined:
            lines.append(
                f"| {escaped(METRICS[key].symbol)} |" + f" {UNDEFINED} |" * (len(names) - 1)
            )
            continue
        values = (
            s.mean,
            s.standard_deviation,
            s.low,
            s.quantiles[0.05],
            s.quantiles[0.5],
            s.quantiles[0.95],
            s.high,
        )
        cells = [format_score(value, digits) for value in values]
        cells += [f"{100 * share:.1f} %" for share in (s.zeros, s.ones)]
        for f in summary.correlations:
            one = f.by_key[key]
            ends = f"{format_score(one.low, digits)} to {format_score(one.high, digits)}"
            cells.append(f"{format_score(one.coefficient, digits)} ({ends}), {one.band}")
        lines.append(f"| {escaped(METRICS[key].symbol)} | {' | '.join(cells)} |")
    # Two hyphens in a row may end a comment; in the settings they stand in names alone.
    said, mark, settings = head.rpartition("settings: ")
    said = said.replace("--", "- -") + mark + settings.replace("--", "-\\u002d")
    return f"<!--\n{PROGRAM} {__version__} simulation\n{said}-->\n\n" + "\n".join(lines) + "\n"


def _plain(value: Any) -> Any:
    """Return a number as a file has it: None where it does not exist or is infinite."""
    if isinstance(value, float):
        return None if value != value or value in (float("inf"), float("-inf")) else value
    return value


@dataclass(frozen=True, eq=False)
class SaveSimulationSummary:
    """The study that writes a simulation in numbers.

    Attributes
    ----------
    result : SimulationResult
    path : Path or str
        Ends with ``.csv``, ``.tsv``, ``.md`` or ``.json``.
    correlations : sequence of Correlations
        Found already.
    """

    result: SimulationResult
    path: Path | str
    correlations: Sequence[Correlations] = ()

    def run(self) -> Generator[Step[Saved], None, None]:
        """Summarise and write; the last step has the `Saved` file.

        Raises
        ------
        SaveError
            If the suffix is another, or the file cannot be written; then it is as it was.
        """
        path = Path(self.path)
        name, suffix = plain(path.name), path.suffix.lower()
        if suffix not in SUFFIXES:
            raise SaveError(f"{name} was not saved: a summary is a .csv, .tsv, .md or .json file.")
        summary: SimulationSummary | None = None
        for step in Summarise(self.result, self.correlations).run():
            summary = step.result
            yield Step(0, None, f"writing {name}")
        assert summary is not None
        if suffix == ".json":
            text = summary_json(summary)
        elif suffix == ".md":
            text = summary_markdown(summary)
        else:
            text = summary_text(summary, "\t" if suffix == ".tsv" else ",")
        with atomic_file(path) as file:
            file.write(encoded(text, path))
            stamp = written(file)
            yield Step(1, 1, f"writing {name}")
        yield Step(1, 1, f"wrote {name}", result=Saved(path, stamp))
