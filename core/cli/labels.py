"""The command ``labels``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.options import checked_separator, metric_keys, score_options
from core.cli.reading import ReadTable
from core.cli.scoring import print_scores
from core.cli.streams import complain

# What needs numpy or rich is imported where it is used: --help must not wait for it.
if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.files.errors import ReadError
    from core.files.label_files import LabelOptions, Labels
    from core.files.results import ScoredTable
    from core.metrics.metric import ScoreOptions
    from core.named_table import NamedTable


def labels(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Labels, one item a row: CSV, TSV, XLSX, Parquet, or arrays of NumPy.",
        ),
    ],
    truth: Annotated[
        str,
        typer.Option(metavar="COLUMN", help="Column of truth classes: its name, or its number."),
    ],
    predictions: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMNS",
            help="Columns of clusters by name or number, as in kmeans,dbscan or 2,3; by default "
            "all that look like labels.",
        ),
    ] = None,
    noise: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LABEL",
            help="A cluster label that means noise, -1 by default; may be given again.",
        ),
    ] = None,
    noise_policy: Annotated[
        str,
        typer.Option(metavar="RULE", help="Items that are noise: cluster, drop or singletons."),
    ] = "cluster",
    missing: Annotated[
        str,
        typer.Option(metavar="RULE", help="Items without a label: refuse, drop or noise."),
    ] = "refuse",
    swap: Annotated[
        bool, typer.Option("--swap", help="Exchange truth and predictions: transpose the tables.")
    ] = False,
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
    draws: Annotated[
        int, typer.Option(help="Random tables that a metric with no formula is estimated from.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of these tables, 0 or more.")] = 0,
    digits: Annotated[int, typer.Option(min=0, max=17, help="Decimals shown.")] = 4,
    separator: Annotated[
        str | None,
        typer.Option(metavar="MARK", help="Between columns: tab, semicolon, comma or space."),
    ] = None,
    header: Annotated[
        bool | None,
        typer.Option("--header/--no-header", help="The first line names the columns, or not."),
    ] = None,
    no_quotes: Annotated[
        bool, typer.Option("--no-quotes", help="Quotation marks are part of the labels.")
    ] = False,
    sheet: Annotated[
        str | None, typer.Option(metavar="NAME", help="Sheet of a workbook; by default the first.")
    ] = None,
    encoding: Annotated[
        str | None, typer.Option(metavar="NAME", help="Encoding of the file, as in cp1252.")
    ] = None,
) -> None:
    """Print the scores of clusterings from labels of items."""
    if json and csv:
        raise typer.BadParameter("choose --json or --csv, not both")
    _check(noise_policy, ("cluster", "drop", "singletons"), "--noise-policy")
    _check(missing, ("refuse", "drop", "noise"), "--missing")
    from core.files.errors import ReadError
    from core.files.label_files import LabelOptions

    mark = checked_separator(separator)
    keys = metric_keys(metrics)
    options = score_options(q=q, beta=beta, average=average, draws=draws, seed=seed)
    known: Any = {"noise": noise_policy, "missing": missing}
    label_options = LabelOptions(
        noise_labels=("-1",) if noise is None else tuple(noise),
        swap=swap,
        separator=mark,
        header=header,
        quotes=not no_quotes,
        encoding=encoding,
        sheet=sheet,
        **known,
    )
    if file in ("", "-"):
        what = "standard input" if file else "a file without a name"
        complain(f"Labels are not read from {what}: name the file that holds them.")
        raise typer.Exit(1)
    try:
        read = _read(file, truth, predictions, label_options)
    except ReadError as error:
        complain(_with_option(error))
        raise typer.Exit(1) from None
    scored = [_scored(table, keys, options) for table in read.tables]
    print_scores(scored, _named(read, file), digits, json=json, csv=csv)


def _check(text: str, known: tuple[str, ...], option: str) -> None:
    if text not in known:
        *others, last = known
        raise typer.BadParameter(
            f"{text!r} is no rule: choose {', '.join(others)} or {last}", param_hint=f"'{option}'"
        )


# What the messages propose, and the options that do it.
_REMEDIES = {
    "leave such items out": "--missing drop",
    "take them for noise": "--missing noise",
    "say that quotation marks are part of the labels": "--no-quotes",
}


def _with_option(error: ReadError) -> str:
    message = str(error)
    for remedy, option in _REMEDIES.items():
        message = message.replace(remedy, f"{remedy} ({option})")
    return message


def _read(file: str, truth: str, predictions: str | None, options: LabelOptions) -> Labels:
    """Return the tables of a file, its columns found by name or by number."""
    from dataclasses import replace

    from core.files.errors import plain
    from core.files.label_files import read_labels
    from core.files.label_open import open_source

    names = open_source(Path(file), plain(file), options).head.names
    wanted = None if predictions is None else tuple(_listed(predictions, names))
    chosen = replace(options, truth=_column(truth, names), predictions=wanted)
    return read_labels(file, chosen, name=file)


def _column(text: str, names: Sequence[str]) -> int | str:
    """Return a name as it is, and a number that is no name as a place."""
    text = text.strip()
    if text not in names and text.isascii() and text.isdigit() and len(text) < 10:
        return int(text) - 1
    return text


def _listed(text: str, names: Sequence[str]) -> list[int | str]:
    # A name may have a comma in it.
    if text in names:
        return [text]
    return [_column(part, names) for part in text.split(",") if part.strip()]


def _scored(table: NamedTable, keys: Sequence[str], options: ScoreOptions) -> ScoredTable:
    from dataclasses import asdict

    from core.files.results import ScoredTable
    from core.scoring import score as score_table

    scores = score_table(table.table, keys, **asdict(options))
    return ScoredTable(scores, table.name, table.source, table.notes)


def _named(read: Labels, file: str) -> list[ReadTable]:
    """Return the tables with what the report says of each."""
    from core.files.options import ParsedTable

    return [
        ReadTable(
            file,
            ParsedTable(table.table, None, header=True, index=False, notes=table.notes),
            table.name,
            table.source or Path(file).name,
            read.how,
            alone=False,
        )
        for table in read.tables
    ]
