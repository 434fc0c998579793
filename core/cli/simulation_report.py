"""The numbers of a simulation as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.files.simulation_summary import SimulationSummary
    from core.studies.correlations import Correlations


def simulation_report(summary: SimulationSummary, found: Correlations | None) -> str:
    """Return the numbers of a simulation as text: a line for each metric.

    Parameters
    ----------
    summary : SimulationSummary
    found : Correlations or None
        Those that are shown.
    """
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    from core.cli.report import rendered
    from core.files.simulation_about import undefined
    from core.formatting import UNDEFINED, format_score
    from core.metrics.catalogue import METRICS
    from core.metrics.wording import unusual_conventions
    from core.simulation.presets import PRESETS

    result = summary.result
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    heads = ["Metric", "Mean", "SD", "Min", "5 %", "Median", "95 %", "Max", "Zeros", "Ones"]
    if found is not None:
        symbol = METRICS[found.reference].symbol
        heads += [f"{found.kind} with {symbol}", "95 % interval", "Band"]
    rows: list[list[str]] = []
    for key, s in summary.summaries.items():
        values = (s.mean, s.standard_deviation, s.low, *s.quantiles.values(), s.high)
        # One form for a line: among scores up to 1, a small one is rounded as they are.
        small = s.defined and max(abs(s.low), abs(s.high)) <= 1
        shown = [_fixed(v) if small else format_score(v, 3) for v in values]
        shown = shown if s.defined else [UNDEFINED] * len(shown)
        del shown[6], shown[4]
        shown += [f"{100 * x:.1f} %" if s.defined else UNDEFINED for x in (s.zeros, s.ones)]
        if found is not None:
            one = found.by_key[key]
            ends = f"{format_score(one.low, 3)} to {format_score(one.high, 3)}"
            there = one.low == one.low
            shown += [format_score(one.coefficient, 3), ends if there else "", one.band]
        rows.append([METRICS[key].symbol, *shown])
    for head, *cells in zip(heads, *rows, strict=True):
        left = head in ("Metric", "Band")
        # Rich would cut numbers where the terminal is narrow.
        width = max(map(cell_len, (head, *cells)))
        table.add_column(head, justify="left" if left else "right", no_wrap=True, min_width=width)
    for row in rows:
        table.add_row(*map(Text, row))
    simulation = result.simulation
    done = f"{result.done:,}"
    if not result.complete:
        done += f" of {simulation.tables:,}"
    noun = "table" if simulation.tables == 1 else "tables"
    names = [p.name for p in PRESETS.values() if p.scenario == simulation.scenario]
    preset = f"{names[0]}: " if names else ""
    lines = [
        "",
        f"{preset}{simulation.scenario.words}; {done} {noun}, seed {simulation.seed}; "
        f"{result.done / max(result.seconds, 1e-9):,.0f} tables a second",
    ]
    if found is not None and found.resamples:
        lines.append(
            f"Intervals: percentile bootstrap, {found.resamples:,} resamples. "
            "Bands: the AP paper's."
        )
    if chosen := unusual_conventions(simulation.options, simulation.keys):
        lines.append(chosen)
    lines += [f"Undefined: {text}" for text in undefined(result)]
    return rendered([table, *lines])


def _fixed(value: float) -> str:
    """Return a number with three decimals and a true minus sign; no zero has one."""
    text = f"{value:.3f}"
    return text.removeprefix("-") if float(text) == 0 else text.replace("-", "\N{MINUS SIGN}")
