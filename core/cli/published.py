"""The command ``published``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.streams import complain, write

# What needs numpy or rich is imported where it is used: --help must not wait for it.
if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from core.published.finding import Finding
    from core.studies.published import CheckPublished, PublishedResult

_ENDINGS = (".md", ".json")


def published(
    replications: Annotated[
        int,
        typer.Option(
            min=2, max=1000, help="Runs of each of the AP paper's simulations, 500 tables each."
        ),
    ] = 20,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the simulations.")] = 0,
    jobs: Annotated[int, typer.Option(help="Workers, -1 for all cores.")] = 1,
    only: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="Check the claims with these words alone: 'table 3', 'low 4x4'."
        ),
    ] = "",
    report: Annotated[
        str | None,
        typer.Option(metavar="OUT", help="Write the findings to a file, too: .md or .json."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Check what published papers print against what this program computes."""
    target = None if report is None else Path(report)
    if target is not None and target.suffix.lower() not in _ENDINGS:
        raise typer.BadParameter(
            f"give {report!r} the ending {' or '.join(_ENDINGS)}", param_hint="'--report'"
        )
    if jobs == 0:
        raise typer.BadParameter("choose 1 or more, or -1 for all cores", param_hint="'--jobs'")
    from core.files.errors import SaveError, plain
    from core.simulation.scenario import SimulationError
    from core.studies.published import CheckPublished

    if target is not None and target.exists() and not force:
        complain(
            f"{plain(str(target))} exists already: choose another name, or replace it with --force."
        )
        raise typer.Exit(1)
    try:
        study = CheckPublished(only, replications, seed, jobs)
    except SimulationError as error:
        raise typer.BadParameter(error.message, param_hint=f"'--{error.setting}'") from None
    result = _followed(study)
    _print(result)
    if target is not None:
        from core.files.published_report import write_published

        try:
            write_published(target, result)
        except SaveError as error:
            complain(str(error))
            raise typer.Exit(1) from None


def _followed(study: CheckPublished) -> PublishedResult:
    """Run the study, with a bar on standard error where that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    latest: PublishedResult | None = None
    # A program without a console has no standard error.
    quiet = sys.stderr is None or not sys.stderr.isatty()
    with Progress(console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("", total=None)
        for step in study.run():
            bar.update(task, completed=step.done, total=step.total, description=step.message)
            latest = step.result or latest
    if latest is None:
        raise RuntimeError("the check ended without a result")
    return latest


def _print(result: PublishedResult) -> None:
    """Print a table of findings for each source, and what there is to say of them."""
    from rich.text import Text

    from core.cli.report import rendered
    from core.files.published_report import report_conventions

    parts: list[RenderableType] = []
    for source, findings in result.by_source().items():
        parts += [Text(source, style="bold"), _table(findings), ""]
    # Beside the explanations a table would be wider than any terminal.
    notes = [finding for finding in result.findings if finding.agrees is False]
    write(rendered(parts))
    lines = [f"{note.place}: {note.claim}: {note.verdict}. {note.explanation}" for note in notes]
    if lines:
        write("Where the source is not confirmed\n" + "".join(f"  {line}\n" for line in lines))
        write("\n")
    write("".join(f"{line}\n" for line in report_conventions(result)))
    write(f"\n{result.summary()}\n")


def _table(findings: list[Finding]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    for head, justify in (
        ("Place", "left"),
        ("Claim", "left"),
        ("Printed", "right"),
        ("Ours", "right"),
        ("Verdict", "left"),
    ):
        table.add_column(head, justify=justify, overflow="fold")  # type: ignore[arg-type]
    styles = {True: "", False: "yellow", None: "dim"}
    for finding in findings:
        table.add_row(
            finding.place,
            finding.claim,
            finding.printed_text,
            finding.ours_text,
            Text(finding.verdict, style=styles[finding.agrees]),
        )
    return table
