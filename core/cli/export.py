"""The command ``export``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
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
from core.cli.reading import ReadFiles, ReadTable, read_files
from core.cli.scoring import named_table, scored_table
from core.cli.streams import complain

# What needs numpy is imported where it is used: --help must not wait for it.
if TYPE_CHECKING:
    from core.metrics.metric import ScoreOptions

_SESSION = ".tallyscope"
_TEXTS = (".md", ".tex")
_TIDY = (".csv", ".tsv")
_ENDINGS = (*_TIDY, ".json", ".xlsx", *_TEXTS, _SESSION)


def export(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Tables, as score takes them; - is standard input."),
    ],
    to: Annotated[
        str,
        typer.Option(
            metavar="OUT",
            help="The file to write; its ending says what it is: .csv, .tsv, .json, .xlsx, .md, "
            ".tex, or .tallyscope for a session.",
        ),
    ],
    metrics: Metrics = None,
    digits: Annotated[
        int, typer.Option(min=0, max=17, help="Decimals in .md and .tex; the others have all.")
    ] = 3,
    summary: Annotated[
        bool, typer.Option("--summary", help="In .csv and .tsv, a line a table and no more.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
    q: Q = None,
    beta: Beta = None,
    average: Average = None,
    empty_truth: EmptyTruth = None,
    draws: Draws = None,
    seed: Seed = None,
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
    """Write the scores of tables to a file, or the tables to a session."""
    target = Path(to)
    ending = target.suffix.lower()
    if ending not in _ENDINGS:
        raise typer.BadParameter(
            f"give {to!r} the ending {', '.join(_ENDINGS[:-1])} or {_ENDINGS[-1]}",
            param_hint="'--to'",
        )
    if summary and ending not in _TIDY:
        raise typer.BadParameter("is for .csv and .tsv", param_hint="'--summary'")
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
    if refusal := _refusal(target, files, force):
        complain(refusal)
        raise typer.Exit(1)
    found = read_files(files, reading, transpose)
    if found.failed:
        # A file that lacks a table would look whole.
        complain(f"{_shown(target)} was not written: not all {found.what_failed} could be read.")
        raise typer.Exit(1)
    options = found.score_options(given)
    if options is None:
        raise typer.Exit(1)
    from core.files.errors import SaveError

    try:
        if ending == _SESSION:
            _write_session(target, found, keys if metrics else None, options)
        else:
            read = tables_apart(found.tables)
            _write_scores(target, read, keys, options, metrics is not None, digits, summary)
    except SaveError as error:
        complain(str(error))
        raise typer.Exit(1) from None


def _refusal(target: Path, files: Sequence[str], force: bool) -> str | None:
    """Return why a file is not written, before anything is read."""
    try:
        if not target.exists():
            return None
        for file in files:
            if file != "-" and Path(file).exists() and target.samefile(file):
                return f"{_shown(target)} is one of the files to read: choose another name."
    except (OSError, ValueError):
        # Whoever reads or writes says what is wrong.
        return None
    if force:
        return None
    return f"{_shown(target)} exists already: choose another name, or replace it with --force."


def _shown(path: Path) -> str:
    from core.files.errors import plain

    return plain(str(path))


def _write_session(
    target: Path, found: ReadFiles, columns: Sequence[str] | None, options: ScoreOptions
) -> None:
    from dataclasses import replace
    from datetime import UTC, datetime

    from core.files.sessions import SessionContent, write_session

    # A session may hold two tables of one name; those of two files need not be alike.
    tables = tuple(named_table(item) for item in tables_apart(found.tables, files_alone=True))
    content = SessionContent(tables, options=options, columns=tuple(columns or ()))
    if len(found.sessions) == 1:
        # What was open stays open, wherever its tables stand now.
        ((was, first),) = found.sessions
        content = replace(
            content,
            columns=was.columns if columns is None else content.columns,
            current=first + was.current if was.tables else 0,
            baseline=None if was.baseline is None else first + was.baseline,
        )
    now = datetime.now(UTC).astimezone()
    write_session(content, target, saved=now.isoformat(timespec="seconds"))


def _write_scores(
    target: Path,
    read: Sequence[ReadTable],
    keys: Sequence[str],
    options: ScoreOptions,
    chosen: bool,
    digits: int,
    summary: bool,
) -> None:
    from core.files.paper import HEADLINE
    from core.files.results import write_scores

    if target.suffix.lower() in _TEXTS and not chosen:
        keys = HEADLINE
    scored = [scored_table(item, keys, options) for item in read]
    shown = keys if chosen else None
    write_scores(target, scored, keys=shown, digits=digits, summary=summary)
