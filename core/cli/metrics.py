"""The command ``metrics``."""

from __future__ import annotations

from core.cli.streams import write


def metrics() -> None:
    """List the metrics: the key that --metrics takes, and the name."""
    from rich.table import Table
    from rich.text import Text

    from core.cli.report import rendered
    from core.metrics.catalogue import FAMILIES, METRICS

    width = max(map(len, METRICS))
    parts: list[Text | Table | str] = []
    for family in FAMILIES:
        table = Table.grid(padding=(0, 3, 0, 0))
        table.add_column(min_width=width, no_wrap=True, style="cyan")
        table.add_column(overflow="fold")
        for metric in METRICS.values():
            if metric.family == family:
                asked = "; only where it is asked for" if metric.when == "request" else ""
                options = f"; reads {', '.join(metric.parameters)}" if metric.parameters else ""
                table.add_row(metric.key, Text(metric.name).append(options + asked, style="dim"))
        parts += ["", Text(family.name, style="bold"), table]
    write(rendered(parts[1:]))
