"""The options of the command ``profile``."""

from __future__ import annotations

from typing import Annotated

import typer

Profiles = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PROFILE]...",
        help="Profiles that --out wrote: they are shown side by side, and nothing is measured.",
    ),
]
Instances = Annotated[int, typer.Option(metavar="N", help="Tables, each timed once.")]
TimedMetrics = Annotated[
    str | None,
    typer.Option(
        "--metrics",
        metavar="KEYS",
        help="Metrics to time, as in ap,ari,v_measure; by default the eight of the AP paper, with "
        "--scaling ap, ami, smi_q, ari, v_measure and f1.",
    ),
]
Routes = Annotated[
    str | None,
    typer.Option(
        metavar="ROUTES",
        help="Ways to the scores: paper (scikit-learn on labels), table (one a call), batch (all "
        "at once); all by default, as in paper,table,batch.",
    ),
]
TimedSeed = Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the tables.")]
ScalingAxis = Annotated[
    str | None,
    typer.Option(
        "--scaling",
        metavar="WHAT",
        help="Measure how costs grow in place of a profile: with items, shape or tables.",
    ),
]
Sizes = Annotated[
    str | None,
    typer.Option(metavar="LIST", help="Sizes for --scaling, as in 100,1000,10000."),
]
Limit = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="What one call may take with --scaling; 3 by default."),
]
Budget = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS", min=0.0, help="Say how many tables can be scored within this time."
    ),
]
Quiet = Annotated[
    str | None,
    typer.Option(
        metavar="FROM-TO",
        help="Instances that are averaged, as in 200-400; by default the quietest two fifths.",
    ),
]
Compare = Annotated[
    list[str] | None,
    typer.Option(metavar="PROFILE", help="A profile to show beside this one; may be repeated."),
]
Out = Annotated[str | None, typer.Option(metavar="OUT", help="File for the whole profile: .json.")]
TimesOut = Annotated[
    str | None, typer.Option(metavar="OUT", help="File for every time: .csv or .tsv.")
]
CostsOut = Annotated[
    str | None,
    typer.Option(
        metavar="OUT",
        help="File for the costs of each metric: .csv or .tsv; with --scaling also .json.",
    ),
]
