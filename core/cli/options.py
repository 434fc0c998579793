"""The options that several commands have alike, and what they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

# What needs numpy is imported where it is used: --help must not wait for it.
if TYPE_CHECKING:
    from core.files.options import OpenOptions
    from core.metrics.metric import ScoreOptions

_SEPARATORS = {"tab": "\t", "semicolon": ";", "comma": ",", "space": " ", "\\t": "\t"}

# Of the scores

Metrics = Annotated[
    str | None,
    typer.Option(
        metavar="KEYS",
        help="Metrics to compute, as in ap,ari,v_measure; by default all that neither search "
        "nor draw random tables.",
    ),
]
# None is what the session says that is scored, and for other files the value named here.
Q = Annotated[
    float | None, typer.Option(help="Order of the generalised entropies, above 0; by default 1.")
]
Beta = Annotated[
    float | None,
    typer.Option(help="Weight of completeness in the V-measure, 0 or more; by default 1."),
]
Average = Annotated[
    str | None,
    typer.Option(
        metavar="MEAN",
        help="Mean of the entropies in NMI and AMI: arithmetic, geometric, min or max; by default "
        "arithmetic.",
    ),
]
EmptyTruth = Annotated[
    str | None,
    typer.Option(
        metavar="RULE",
        help="Empty truth classes in the mean peakiness: exclude or zero; by default exclude.",
    ),
]
Draws = Annotated[
    int | None,
    typer.Option(
        help="Random tables that a metric with no formula is estimated from; by default 1000."
    ),
]
Seed = Annotated[int | None, typer.Option(help="Seed of these tables, 0 or more; by default 0.")]

# Of reading

Transpose = Annotated[bool, typer.Option("--transpose", help="Rows of the files are clusters.")]
Separator = Annotated[
    str | None,
    typer.Option(metavar="MARK", help="Between cells: tab, semicolon, comma or space."),
]
Header = Annotated[
    bool | None,
    typer.Option("--header/--no-header", help="The first line holds cluster names, or not."),
]
Index = Annotated[
    bool | None,
    typer.Option("--index/--no-index", help="The first column holds class names, or not."),
]
Thousands = Annotated[
    str | None,
    typer.Option(metavar="MARK", help="What separates thousands in a count: . or , or a space"),
]
BlankZero = Annotated[bool, typer.Option("--blank-zero", help="A blank cell is 0, not an error.")]
Encoding = Annotated[
    str | None, typer.Option(metavar="NAME", help="Encoding of the files, as in cp1252.")
]

Totals = Annotated[
    str | None,
    typer.Option(
        metavar="RULE",
        help="A line named like a total or like shares: drop it or keep it; by default it is "
        "dropped if it is the sum of the others, else refused.",
    ),
]
Sheet = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Sheet of a workbook; by default all that hold tables."),
]
Cells = Annotated[
    str | None,
    typer.Option("--range", metavar="CELLS", help="Cells of a sheet, names too, as in B2:F6."),
]
Array = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Array of an NPZ file; by default all with two axes."),
]
Several = Annotated[
    bool | None,
    typer.Option(
        "--several/--single", help="Blank lines separate tables, or do not; else found out."
    ),
]

# What they stand for


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


def checked_thousands(text: str | None) -> Any:
    """Return the mark between thousands; wrong usage if it is none."""
    from core.files.counts import THOUSANDS

    if text is None or text in THOUSANDS:
        return text
    raise typer.BadParameter(
        f"{text!r} does not separate thousands: choose . , ' or a space",
        param_hint="'--thousands'",
    )


def _checked_totals(text: str | None) -> Any:
    if text is None or text in ("drop", "keep"):
        return text
    raise typer.BadParameter(f"{text!r} is no rule: choose drop or keep", param_hint="'--totals'")


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


def given_options(**values: Any) -> dict[str, Any]:
    """Return the options of the scores that were given; wrong usage if one has no meaning."""
    given = {option: value for option, value in values.items() if value is not None}
    score_options(**given)
    return given


def read_options(
    *,
    separator: str | None,
    header: bool | None,
    index: bool | None,
    thousands: str | None,
    blank_zero: bool,
    encoding: str | None,
    totals: str | None,
    sheet: str | None,
    cells: str | None,
    array: str | None,
    several: bool | None,
) -> OpenOptions:
    """Return how files are read; wrong usage if an option has no meaning."""
    from core.files.options import OpenOptions, ReadOptions

    read = ReadOptions(
        separator=checked_separator(separator),
        header=header,
        index=index,
        thousands=checked_thousands(thousands),
        blank="zero" if blank_zero else "error",
        encoding=encoding,
        totals=_checked_totals(totals),
    )
    return OpenOptions(read, sheet=sheet, cells=cells, array=array, several=several)
