"""The command ``score``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.naming import tables_apart
from core.cli.options import (
    Array,
    Average,
    Beta,
    BlankZero,
    Cells,
    Draws,
    EmptyTruth,
    Encoding,
    Header,
    Index,
    Metrics,
    Q,
    Seed,
    Separator,
    Several,
    Sheet,
    Thousands,
    Totals,
    Transpose,
    given_options,
    metric_keys,
    read_options,
)
from core.cli.reading import ReadTable, read_files
from core.cli.streams import write, write_bytes

# What needs numpy or rich is imported where it is used: --help must not wait for it.
if TYPE_CHECKING:
    from core.files.results import ScoredTable
    from core.metrics.metric import ScoreOptions
    from core.named_table import NamedTable


def score(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Tables as CSV, TSV, XLSX, JSON, NPY, NPZ or a session, rows truth classes; - is "
            "standard input.",
        ),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print JSON, with every digit.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV, with every digit.")] = False,
    summary: Annotated[
        bool, typer.Option("--summary", help="Print CSV, with every digit, a line a table.")
    ] = False,
    metrics: Metrics = None,
    q: Q = None,
    beta: Beta = None,
    average: Average = None,
    empty_truth: EmptyTruth = None,
    draws: Draws = None,
    seed: Seed = None,
    digits: Annotated[int, typer.Option(min=0, max=17, help="Decimals shown.")] = 4,
    transpose: Transpose = False,
    separator: Separator = None,
    header: Header = None,
    index: Index = None,
    thousands: Thousands = None,
    blank_zero: BlankZero = False,
    encoding: Encoding = None,
    totals: Totals = None,
    sheet: Sheet = None,
    cells: Cells = None,
    array: Array = None,
    several: Several = None,
) -> None:
    """Print the scores of tables."""
    if json + csv + summary > 1:
        raise typer.BadParameter("choose one of --json, --csv and --summary")
    reading = read_options(
        separator=separator,
        header=header,
        index=index,
        thousands=thousands,
        blank_zero=blank_zero,
        encoding=encoding,
        totals=totals,
        sheet=sheet,
        cells=cells,
        array=array,
        several=several,
    )
    keys = metric_keys(metrics)
    given = given_options(
        q=q, beta=beta, average=average, empty_truth=empty_truth, draws=draws, seed=seed
    )
    found = read_files(files, reading, transpose)
    options = found.score_options(given)
    if options is None:
        raise typer.Exit(1)
    read = tables_apart(found.tables)
    scored = [scored_table(item, keys, options) for item in read]
    if scored:
        if summary:
            from core.files.results import summary_csv

            write_bytes(summary_csv(scored).encode("utf-8"))
        else:
            print_scores(scored, read, digits, json=json, csv=csv)
    if found.failed:
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


def named_table(item: ReadTable) -> NamedTable:
    """Return a table that was read, with what people call it."""
    from core.named_table import NamedTable

    return NamedTable(item.name, item.parsed.table, item.source, item.parsed.notes)


def scored_table(item: ReadTable, keys: Sequence[str], options: ScoreOptions) -> ScoredTable:
    """Return a table that was read, with its scores."""
    from dataclasses import asdict

    from core.files.results import ScoredTable
    from core.scoring import score as score_table

    named = named_table(item)
    scores = score_table(named.table, keys, **asdict(options))
    return ScoredTable(scores, named.name, named.source, named.notes)
