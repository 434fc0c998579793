"""The command ``score``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.reading import ReadTable, read_files
from core.cli.streams import write, write_bytes

# What needs numpy or rich is imported where it is used: --help must not wait for it.
if TYPE_CHECKING:
    from core.files.results import ScoredTable
    from core.metrics.metric import ScoreOptions

_SEPARATORS = {"tab": "\t", "semicolon": ";", "comma": ",", "space": " ", "\\t": "\t"}


def score(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE", help="Tables as CSV or TSV, rows truth classes; - is standard input."
        ),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print JSON, with every digit.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV, with every digit.")] = False,
    metrics: Annotated[
        str | None,
        typer.Option(
            metavar="KEYS",
            help="Metrics to compute, as in ap,ari,v_measure; by default all that neither search "
            "nor draw random tables.",
        ),
    ] = None,
    q: Annotated[float, typer.Option(help="Order of the generalised entropies, above 0.")] = 1.0,
    beta: Annotated[
        float, typer.Option(help="Weight of completeness in the V-measure, 0 or more.")
    ] = 1.0,
    average: Annotated[
        str,
        typer.Option(
            metavar="MEAN",
            help="Mean of the entropies in NMI and AMI: arithmetic, geometric, min or max.",
        ),
    ] = "arithmetic",
    empty_truth: Annotated[
        str,
        typer.Option(
            metavar="RULE", help="Empty truth classes in the mean peakiness: exclude or zero."
        ),
    ] = "exclude",
    draws: Annotated[
        int, typer.Option(help="Random tables that a metric with no formula is estimated from.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of these tables, 0 or more.")] = 0,
    digits: Annotated[int, typer.Option(min=0, max=17, help="Decimals shown.")] = 4,
    transpose: Annotated[
        bool, typer.Option("--transpose", help="Rows of the files are clusters.")
    ] = False,
    separator: Annotated[
        str | None,
        typer.Option(metavar="MARK", help="Between cells: tab, semicolon, comma or space."),
    ] = None,
    header: Annotated[
        bool | None,
        typer.Option("--header/--no-header", help="The first line holds cluster names, or not."),
    ] = None,
    index: Annotated[
        bool | None,
        typer.Option("--index/--no-index", help="The first column holds class names, or not."),
    ] = None,
    thousands: Annotated[
        str | None,
        typer.Option(metavar="MARK", help="What separates thousands in a count: . or , or a space"),
    ] = None,
    blank_zero: Annotated[
        bool, typer.Option("--blank-zero", help="A blank cell is 0, not an error.")
    ] = False,
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="Encoding of the files, as in cp1252.")
    ] = None,
) -> None:
    """Print the scores of tables."""
    if json and csv:
        raise typer.BadParameter("choose --json or --csv, not both")
    from core.files.tables import ReadOptions

    read_options = ReadOptions(
        separator=checked_separator(separator),
        header=header,
        index=index,
        thousands=_thousands(thousands),
        blank="zero" if blank_zero else "error",
        encoding=encoding,
    )
    keys = metric_keys(metrics)
    options = score_options(
        q=q, beta=beta, average=average, empty_truth=empty_truth, draws=draws, seed=seed
    )
    read, failed = read_files(files, read_options, transpose)
    scored = [_scored(item, keys, options) for item in read]
    if scored:
        print_scores(scored, read, digits, json=json, csv=csv)
    if failed:
        raise typer.Exit(1)


def print_scores(
    scored: Sequence[ScoredTable], read: Sequence[ReadTable], digits: int, *, json: bool, csv: bool
) -> None:
    """Print scored tables as they are wanted: JSON, CSV, or a text for people."""
    if json or csv:
        from core.files.results import scores_csv, scores_json

        write_bytes((scores_json if json else scores_csv)(scored).encode("utf-8"))
    else:
        from core.cli.report import rendered, report

        write(rendered(report(scored, read, digits)))


# What was asked for


def checked_separator(text: str | None) -> Any:
    """Return the separator that a word or a mark stands for; wrong usage if none."""
    if text is None:
        return None
    separator = _SEPARATORS.get(text.lower(), text)
    if separator not in _SEPARATORS.values():
        raise typer.BadParameter(
            f"{text!r} is no separator: choose tab, semicolon, comma or space",
            param_hint="'--separator'",
        )
    return separator


def _thousands(text: str | None) -> Any:
    from core.files.counts import THOUSANDS

    if text is None or text in THOUSANDS:
        return text
    raise typer.BadParameter(
        f"{text!r} does not separate thousands: choose . , ' or a space",
        param_hint="'--thousands'",
    )


def metric_keys(text: str | None) -> tuple[str, ...]:
    """Return the metrics that are asked for; wrong usage if there is none of the name."""
    from core.scores import UnknownMetricError, checked_keys

    if text is None:
        return checked_keys(None)
    keys = [key for key in (part.strip() for part in text.split(",")) if key]
    if not keys:
        raise typer.BadParameter("name at least one metric", param_hint="'--metrics'")
    try:
        return checked_keys(keys)
    except UnknownMetricError as error:
        raise typer.BadParameter(str(error), param_hint="'--metrics'") from None


def score_options(**values: Any) -> ScoreOptions:
    """Return the options of the scores; wrong usage if a value has no meaning."""
    from core.metrics.metric import ScoreOptions

    try:
        return ScoreOptions(**values)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _scored(item: ReadTable, keys: Sequence[str], options: ScoreOptions) -> ScoredTable:
    from dataclasses import asdict

    from core.files.results import ScoredTable
    from core.scoring import score as score_table

    scores = score_table(item.parsed.table, keys, **asdict(options))
    path = Path(item.file)
    return ScoredTable(scores, path.stem, path.name, item.parsed.notes)
