"""Profiles and growing costs as text for people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.files.profile_tables import Compared
    from core.profiling.summary import Cost
    from core.studies.profiling import ProfileResult
    from core.studies.scaling import ScalingResult


def profile_report(
    result: ProfileResult,
    costs: Sequence[Cost],
    window: tuple[int, int],
    budget: float | None,
) -> str:
    """Return a profile as text: machine, costs by each route, why, what a budget buys.

    Parameters
    ----------
    result : ProfileResult
    costs : sequence of Cost
        With intervals.
    window : (int, int)
        The instances that count as quiet.
    budget : float or None
        Seconds.
    """
    from core.cli.report import rendered
    from core.formatting import UNDEFINED
    from core.metrics.catalogue import METRICS
    from core.profiling.paper import explanations, order_sentence, paper_times
    from core.profiling.routes import ROUTES
    from core.profiling.stages import STAGES
    from core.profiling.summary import affordable

    paper = paper_times()
    parts: list[Any] = [*_machine(result), ""]
    start, stop = window
    parts += [
        f"{result.profile.scenario.words}; {_done(result)}, seed {result.profile.seed}; "
        f"quiet window: instances {start + 1} to {stop}",
    ]
    bought = {(a.route, a.key): a for a in affordable(costs, 1.0 if budget is None else budget)}
    for route in result.profile.routes:
        of_route = [cost for cost in costs if cost.route == route]
        if not of_route:
            continue
        heads = ["Metric", "Mean ms", "Median", "5 %", "95 %", "Quiet mean", "x AP"]
        heads += ["95 % interval"]
        if route == "paper":
            heads += ["Paper ms", "x AP"]
        heads += ["Scores a second"]
        if budget is not None:
            heads += [f"Tables in {budget:g} s"]
        heads += ["Peak memory"]
        rows = []
        for cost in of_route:
            row = [METRICS[cost.key].symbol]
            row += [_ms(cost.mean), _ms(cost.median)]
            row += [_ms(cost.quantiles[0.05]), _ms(cost.quantiles[0.95]), _ms(cost.quiet_mean)]
            there = not math.isnan(cost.ratio_low) and cost.key != "ap"
            row += [_times(cost.ratio)]
            row += [f"{_times(cost.ratio_low)} to {_times(cost.ratio_high)}" if there else ""]
            if route == "paper":
                printed = paper.times.get(cost.key, math.nan)
                row += [_ms(printed), _times(paper.ratio(cost.key))]
            row += [f"{cost.per_second:,.0f}"]
            if budget is not None:
                row += [f"{bought[route, cost.key].tables:,}"]
            row += [UNDEFINED if math.isnan(cost.memory) else f"{cost.memory / 1e3:,.0f} kB"]
            rows.append(row)
        parts += ["", f"{ROUTES[route].name}: {ROUTES[route].note}", _table(heads, rows)]
        if order := order_sentence(costs, route):
            parts.append(f"Dearest first: {order}")
    if result.stages is not None and result.stages.total:
        parts += ["", f"Where scikit-learn's AMI spends {result.stages.total:.3f} ms:"]
        rows = [
            [STAGES[key], f"{part:.3f}", f"{100 * part / result.stages.total:.0f} %"]
            for key, part in result.stages.parts.items()
        ]
        parts.append(_table(["Part", "ms", "Share"], rows))
    parts += ["", *explanations(costs, result.stages, result.profile.scenario)]
    parts += _disturbed(result)
    return rendered(parts)


def _machine(result: ProfileResult | ScalingResult) -> list[str]:
    return [f"{name}: {value}" for name, value in result.began.lines()]


def _done(result: ProfileResult) -> str:
    asked = result.profile.instances
    done = f"{result.done:,}" if result.done == asked else f"{result.done:,} of {asked:,}"
    return f"{done} {'instance' if asked == 1 else 'instances'}"


def _disturbed(result: ProfileResult) -> list[str]:
    found = result.disturbances()
    if not found:
        return ["", "Nothing disturbed the clock that could be noticed."]
    return ["", *(f"Disturbed: {sentence}" for sentence in found)]


def scaling_report(result: ScalingResult) -> str:
    """Return how costs grow as text: a line for each size, the fitted powers, what was left out.

    Parameters
    ----------
    result : ScalingResult
    """
    from core.cli.report import rendered
    from core.formatting import UNDEFINED
    from core.metrics.catalogue import METRICS
    from core.profiling.growth import AXES
    from core.profiling.routes import ROUTES

    scaling = result.scaling
    parts: list[Any] = [*_machine(result)]
    for route in scaling.routes:
        keys = [key for key in scaling.keys if (result.of(route, key) > 0).any()]
        if not keys:
            continue
        heads = [AXES[scaling.axis], *(METRICS[key].symbol for key in keys)]
        rows = [
            [f"{size:,}", *(_ms(float(result.of(route, key)[n])) for key in keys)]
            for n, size in enumerate(scaling.sizes)
        ]
        parts += ["", f"{ROUTES[route].name}, ms a call", _table(heads, rows)]
        fits = []
        for key in keys:
            fit = result.fit(route, key)
            if fit is None:
                fits.append([METRICS[key].symbol, UNDEFINED, "", "", _complexity(route, key)])
                continue
            said = "hardly above what every call costs" if fit.flat else f"{fit.first:,.0f} on"
            ends = f"{fit.low:.2f} to {fit.high:.2f}"
            row = [METRICS[key].symbol, f"{fit.exponent:.2f}", ends, said]
            fits.append([*row, _complexity(route, key)])
        parts.append(_table(["Metric", "Exponent", "95 % interval", "From", "Known"], fits, left=2))
    if result.left_out:
        parts += ["", "Left out:"]
        parts += _left_out(result)
    return rendered(parts)


def _left_out(result: ScalingResult) -> list[str]:
    from core.metrics.catalogue import METRICS
    from core.profiling.routes import ROUTES

    found: dict[tuple[str, str], tuple[int, str]] = {}
    for (route, key, size), why in result.left_out.items():
        found.setdefault((route, key), (size, why))
    return [
        f"{METRICS[key].symbol} by {ROUTES[route].name} from {size:,} on: {why}"
        for (route, key), (size, why) in found.items()
    ]


def _complexity(route: str, key: str) -> str:
    from core.profiling.complexity import own_complexity, published_complexity

    return published_complexity(key) if route == "paper" else own_complexity(key)


def comparison_report(names: Sequence[str], lines: Sequence[Compared]) -> str:
    """Return the costs of several machines side by side.

    Parameters
    ----------
    names : sequence of str
        What the profiles are called.
    lines : sequence of Compared
    """
    from core.cli.report import rendered
    from core.metrics.catalogue import METRICS
    from core.profiling.routes import ROUTES

    parts: list[Any] = []
    for route in dict.fromkeys(line.route for line in lines):
        heads = ["Metric", *(f"{name} ms" for name in names), *(f"{name} x AP" for name in names)]
        rows = [
            [METRICS[line.key].symbol, *map(_ms, line.costs), *map(_times, line.ratios)]
            for line in lines
            if line.route == route
        ]
        parts += ["", f"{ROUTES[route].name}, means over the quiet windows", _table(heads, rows)]
    return rendered(parts)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], left: int = 0) -> Any:
    """Return a table whose first column, and so many last ones, stand at the left."""
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for number, head in enumerate(heads):
        cells = [row[number] for row in rows]
        width = max(map(cell_len, (head, *cells)))
        at_left = number == 0 or number >= len(heads) - left
        side: Any = "left" if at_left else "right"
        table.add_column(head, justify=side, no_wrap=True, min_width=width)
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _ms(value: float) -> str:
    from core.formatting import UNDEFINED

    if math.isnan(value):
        return UNDEFINED
    # As many digits as tell a microsecond, or what is below it.
    return f"{value:,.3f}" if value >= 0.1 else f"{value:.5f}"


def _times(value: float) -> str:
    from core.formatting import UNDEFINED

    return UNDEFINED if math.isnan(value) else f"{value:,.2f}" if value < 10 else f"{value:,.1f}"
