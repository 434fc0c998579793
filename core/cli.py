"""The command line: the same core without a window."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from core.version import PROGRAM, __version__

# What needs numpy or rich is imported where it is used: --help must not wait for it.
if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from core.files.errors import ReadError
    from core.files.results import ScoredTable
    from core.files.tables import ParsedTable, ReadOptions
    from core.metrics.metric import ScoreOptions

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Score clusterings from their contingency tables. Without a command the window opens, "
    "with FILE if one is named.",
    context_settings={"help_option_names": ["-h", "--help"]},
)

_SEPARATORS = {"tab": "\t", "semicolon": ";", "comma": ",", "space": " ", "\\t": "\t"}


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    arguments : sequence of str, optional
        What stands behind the name of the program; that of this process by default.

    Returns
    -------
    int
        0 done, 1 a user's mistake (one line on stderr each), 2 wrong usage, 130
        interrupted.
    """
    try:
        app(args=None if arguments is None else list(arguments))
    except SystemExit as end:
        code = end.code
        return code if isinstance(code, int) else int(code is not None)
    except KeyboardInterrupt:
        return 130
    return 0


def commands() -> tuple[str, ...]:
    """Return the names of the commands."""
    return tuple(command.name or _name_of(command.callback) for command in app.registered_commands)


def _name_of(callback: Any) -> str:
    return str(callback.__name__).replace("_", "-")


def _show_version(value: bool) -> None:
    if value:
        _write(f"{PROGRAM} {__version__}\n")
        raise typer.Exit


@app.callback()
def _program(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    pass


@app.command()
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
        typer.Option(metavar="KEYS", help="Metrics to compute, as in ap,ari,v_measure; else all."),
    ] = None,
    q: Annotated[float, typer.Option(help="Order of the generalised entropies, above 0.")] = 1.0,
    beta: Annotated[float, typer.Option(help="Weight of completeness in the V-measure.")] = 1.0,
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
        separator=_separator(separator),
        header=header,
        index=index,
        thousands=_thousands(thousands),
        blank="zero" if blank_zero else "error",
        encoding=encoding,
    )
    keys = _keys(metrics)
    options = _score_options(q=q, beta=beta, average=average, empty_truth=empty_truth)
    read, failed = _read(files, read_options, transpose)
    scored = [_scored(item, keys, options) for item in read]
    if scored:
        if json or csv:
            from core.files.results import scores_csv, scores_json

            _write_bytes((scores_json if json else scores_csv)(scored).encode("utf-8"))
        else:
            _show(scored, read, digits)
    if failed:
        raise typer.Exit(1)


# What was asked for


def _separator(text: str | None) -> Any:
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


def _keys(text: str | None) -> tuple[str, ...]:
    from core.scoring import UnknownMetricError, checked_keys

    if text is None:
        return checked_keys(None)
    keys = [key for key in (part.strip() for part in text.split(",")) if key]
    if not keys:
        raise typer.BadParameter("name at least one metric", param_hint="'--metrics'")
    try:
        return checked_keys(keys)
    except UnknownMetricError as error:
        raise typer.BadParameter(str(error), param_hint="'--metrics'") from None


def _score_options(**values: Any) -> ScoreOptions:
    from core.metrics.metric import ScoreOptions

    try:
        return ScoreOptions(**values)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


# Reading and scoring


@dataclass(frozen=True)
class _Read:
    """A table that was read from a file."""

    file: str
    parsed: ParsedTable


def _read(files: Sequence[str], options: ReadOptions, transpose: bool) -> tuple[list[_Read], bool]:
    """Return the tables that could be read, and whether one could not."""
    from dataclasses import replace

    from core.files.errors import ReadError
    from core.files.tables import read_table

    read: list[_Read] = []
    failed = False
    for file in files:
        try:
            parsed = read_table(file, options, name="standard input" if file == "-" else file)
        except ReadError as error:
            failed = True
            _complain(_with_option(error))
            continue
        if transpose:
            notes = (*parsed.notes, "rows were read as clusters, columns as classes")
            parsed = replace(parsed, table=parsed.table.transpose(), notes=notes)
        read.append(_Read("standard input" if file == "-" else file, parsed))
    return read, failed


def _with_option(error: ReadError) -> str:
    """Return the message of an error, with the option that is its remedy."""
    from core.files.errors import CountError

    message = str(error)
    if not isinstance(error, CountError) or error.mark is None:
        return message
    mark = '" "' if error.mark == " " else error.mark
    return f"{message.removesuffix('.')} (--thousands {mark})."


def _scored(item: _Read, keys: Sequence[str], options: ScoreOptions) -> ScoredTable:
    from dataclasses import asdict

    from core.files.results import ScoredTable
    from core.scoring import score as score_table

    scores = score_table(item.parsed.table, keys, **asdict(options))
    path = Path(item.file)
    return ScoredTable(scores, path.stem, path.name, item.parsed.notes)


# Showing


def _show(scored: Sequence[ScoredTable], read: Sequence[_Read], digits: int) -> None:
    parts: list[RenderableType] = []
    for result, item in zip(scored, read, strict=True):
        parts += _heading(result, item, with_how=len(scored) == 1)
    files = [Path(item.file).name for item in read]
    if len(set(files)) < len(files):
        files = [item.file for item in read]
    parts += _score_tables(scored, files, digits)
    if len(scored) > 1:
        parts += _reasons(scored, files)
    elif rows := _rows(scored[0], digits):
        parts += ["", rows]
    _write(_rendered(parts))


def _heading(result: ScoredTable, item: _Read, *, with_how: bool) -> list[RenderableType]:
    from rich.text import Text

    from core.files.errors import plain, sentence

    table = result.scores.table
    r, c = table.shape
    heading = Text(plain(item.file), style="bold")
    heading.append(f"   {r} x {c}   N = {table.total:,}", style="not bold")
    parts: list[RenderableType] = [heading]
    if with_how:
        parts.append(Text(item.parsed.how, style="dim"))
    parts += [Text(plain(f"Note: {sentence(note)}"), style="dim") for note in result.notes]
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
    from core.metrics.catalogue import FAMILIES, METRICS
    from core.scoring import format_score

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
            parts += ["", Text(family.name, style="bold"), table]
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
    from core.files.results import peak_clusters
    from core.metrics.catalogue import METRICS
    from core.scoring import format_score

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
    for i, peaks in enumerate(peak_clusters(counts)):
        table.add_row(
            Text(plain(counts.truth[i])),
            f"{counts.row_sums[i]:,}",
            Text(plain(", ".join(counts.clusters[column] for column in peaks))),
            *(format_score(value[i], digits) for value in values),
        )
    return table


def _rendered(parts: Sequence[RenderableType]) -> str:
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


# Standard output and error, whatever they are


_ASCII = str.maketrans({"−": "-", "—": "-", "–": "-", "×": "x", "…": "...", "’": "'"})


def _encodable(text: str, stream: TextIO) -> str:
    """Return text that a stream can take, which may be ASCII alone."""
    encoding = stream.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(encoding, "backslashreplace").decode(encoding)
    return text


def _write(text: str) -> None:
    # A program without a console has no standard output.
    if sys.stdout is None:
        return
    with _writing():
        sys.stdout.write(_encodable(text, sys.stdout))
        sys.stdout.flush()


def _write_bytes(data: bytes) -> None:
    """Write an export byte by byte: its line ends and encoding are not the console's."""
    if sys.stdout is None:
        return
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        _write(data.decode("utf-8"))
        return
    with _writing():
        sys.stdout.flush()
        buffer.write(data)
        buffer.flush()


@contextlib.contextmanager
def _writing() -> Any:
    try:
        yield
    except BrokenPipeError:
        # Whoever read has seen enough; Python must not complain again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except OSError as error:
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        reason = os.strerror(error.errno).lower() if error.errno else "no reason is given"
        _complain(f"The output could not be written: {reason}.")
        raise typer.Exit(1) from None


def _complain(message: str) -> None:
    if sys.stderr is not None:
        # Each mistake is one line, so that scripts can count them.
        with contextlib.suppress(OSError):
            sys.stderr.write(_encodable(message, sys.stderr).replace("\n", " ") + "\n")
