"""Scores as text for people."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from core.cli.reading import ReadTable
    from core.files.results import ScoredTable


def report(
    scored: Sequence[ScoredTable], read: Sequence[ReadTable], digits: int
) -> Sequence[RenderableType]:
    """Return scored tables as a text has them, family by family, then class by class.

    Parameters
    ----------
    scored : sequence of ScoredTable
        One or more, all with the same options and metrics; several stand side by side.
    read : sequence of ReadTable
        The tables that they were scored from.
    digits : int
        Decimals shown.

    Returns
    -------
    sequence of renderable
        What `rendered` takes.
    """
    from rich.text import Text

    from core.metrics.wording import unusual_conventions

    parts: list[RenderableType] = []
    for result, item in zip(scored, read, strict=True):
        parts += _heading(result, item, with_how=len(scored) == 1)
    if chosen := unusual_conventions(scored[0].scores.options, scored[0].scores):
        parts.append(Text(chosen, style="yellow"))
    files = [item.name if not item.alone else Path(item.file).name for item in read]
    for differently in ("label", "name"):
        if len(set(files)) < len(files):
            files = [getattr(item, differently) for item in read]
    parts += _score_tables(scored, files, digits)
    if len(scored) > 1:
        parts += _reasons(scored, files)
    elif rows := _rows(scored[0], digits):
        parts += ["", rows]
    return parts


def _heading(result: ScoredTable, item: ReadTable, *, with_how: bool) -> list[RenderableType]:
    from rich.text import Text

    from core.cli.reading import note_with_option
    from core.files.errors import plain, sentence
    from core.formatting import format_score

    table = result.scores.table
    r, c = table.shape
    heading = Text(plain(item.label), style="bold")
    heading.append(f"   {r} x {c}   N = {format_score(table.total)}", style="not bold")
    parts: list[RenderableType] = [heading]
    if with_how:
        parts.append(Text(item.how, style="dim"))
    parts += [
        Text(plain(f"Note: {sentence(note_with_option(note))}"), style="dim")
        for note in result.notes
    ]
    parts += [
        Text(plain(f"Warning: {sentence(warning)}"), style="yellow")
        for warning in result.scores.warnings
    ]
    return parts


def _score_tables(
    scored: Sequence[ScoredTable], files: Sequence[str], digits: int
) -> list[RenderableType]:
    """Return a table of scores for each family, all with columns of the same width."""
    from rich.cells import cell_len
    from rich.text import Text

    from core.files.errors import plain
    from core.formatting import format_score
    from core.metrics.catalogue import FAMILIES, METRICS
    from core.metrics.wording import family_title

    metrics = [METRICS[key] for key in METRICS if key in scored[0].scores]
    metrics = [metric for metric in metrics if metric.per == "table"]
    heads = ["", "", *(map(plain, files) if len(files) > 1 else [""])]
    rows = {
        metric.key: [
            metric.symbol if metric.symbol != metric.name else "",
            metric.name,
            *(format_score(result.scores[metric.key], digits) for result in scored),
        ]
        for metric in metrics
    }
    widths = [max(map(cell_len, column)) for column in zip(heads, *rows.values(), strict=True)]
    parts: list[RenderableType] = []
    if len(files) > 1:
        head = _grid(widths)
        head.add_row(*(Text(cell, style="bold") for cell in heads))
        parts += ["", head]
    for family in FAMILIES:
        table = _grid(widths)
        for metric in metrics:
            if metric.family == family:
                # With several files there is no room beside the values.
                why = scored[0].scores.why(metric.key) if len(files) == 1 else None
                table.add_row(*map(Text, rows[metric.key]), Text(why or "", style="dim"))
        if table.rows:
            parts += ["", Text(family_title(family, scored[0].scores.options), style="bold"), table]
    return parts


def _reasons(scored: Sequence[ScoredTable], files: Sequence[str]) -> list[RenderableType]:
    """Return why scores do not exist, a line for each file and reason."""
    from rich.text import Text

    from core.files.errors import plain
    from core.metrics.catalogue import METRICS

    lines: list[RenderableType] = []
    for result, file in zip(scored, files, strict=True):
        undefined: dict[str, list[str]] = {}
        for key in result.scores:
            if reason := result.scores.why(key):
                undefined.setdefault(reason, []).append(METRICS[key].symbol)
        for reason, symbols in undefined.items():
            lines.append(Text(f"{plain(file)}: {reason} ({', '.join(symbols)})", style="dim"))
    return ["", *lines] if lines else []


def _grid(widths: Sequence[int]) -> Table:
    from rich.table import Table

    table = Table.grid(padding=(0, 3, 0, 0))
    for i, width in enumerate(widths):
        table.add_column(
            no_wrap=True,
            min_width=width,
            style="cyan" if i == 0 else "",
            justify="left" if i < 2 else "right",
        )
    table.add_column(overflow="fold")
    return table


def _rows(result: ScoredTable, digits: int) -> Table | None:
    """Return what the scores say of each truth class, None if none of them does."""
    from rich.table import Table
    from rich.text import Text

    from core.files.errors import plain
    from core.formatting import format_score
    from core.metrics.catalogue import METRICS

    scores, counts = result.scores, result.scores.table
    keys = [key for key in scores if METRICS[key].per == "row"]
    if not keys:
        return None
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    table.add_column("Truth class", no_wrap=True)
    table.add_column("Size", no_wrap=True, justify="right")
    table.add_column("Peak in cluster", overflow="fold")
    for key in keys:
        table.add_column(METRICS[key].symbol, no_wrap=True, justify="right")
    values = [scores.by_row(key) for key in keys]
    for i, peaks in enumerate(scores.peak_clusters):
        table.add_row(
            Text(plain(counts.truth[i])),
            format_score(counts.row_sums[i]),
            Text(plain(", ".join(counts.clusters[column] for column in peaks))),
            *(format_score(value[i], digits) for value in values),
        )
    return table


def rendered(parts: Sequence[RenderableType]) -> str:
    """Return what is to be shown as text, with colours where it goes to a terminal."""
    from io import StringIO

    from rich.console import Console
    from rich.measure import Measurement

    # Rich would write to standard output itself, and fail where that is ASCII or full.
    outside = Console(file=sys.stdout)
    terminal = outside.is_terminal and not outside.legacy_windows
    console = Console(
        file=StringIO(), force_terminal=terminal, markup=False, emoji=False, highlight=False
    )
    wide = console.options.update_width(1_000_000)
    measured = [Measurement.get(console, wide, part) for part in parts]
    # Nothing is ever cut: what is wider than the terminal is left to it.
    if terminal:
        console.width = max(outside.width, *(part.minimum for part in measured))
    else:
        console.width = max(part.maximum for part in measured) + 1
    with console.capture() as capture:
        for part in parts:
            console.print(part)
    return "".join(line.rstrip(" ") + "\n" for line in capture.get().split("\n")[:-1])
