"""What is said of a metric and its value, and how its value is drawn."""

from __future__ import annotations

import html
import math
from enum import Enum

from core.formatting import format_score
from core.metrics.metric import Metric
from core.metrics.wording import option_text
from core.scores import Scores

# A longer count is rounded in the panel; it is exact in the tool tip and when copied.
COUNT_DIGITS = 12


class Gauge(Enum):
    """How a value is drawn on its range."""

    BAR = "bar"
    MARK = "mark"
    NONE = "none"


def gauge(metric: Metric, low: float, high: float) -> Gauge:
    """Return how a value is drawn: only where its place on a range says how good it is.

    A distance is a mark and not a bar, since a full bar would look like a good score.
    """
    if metric.larger_is_better is None or metric.whole or not math.isfinite(high):
        return Gauge.NONE
    if metric.larger_is_better:
        return Gauge.BAR if high > max(low, 0.0) else Gauge.NONE
    return Gauge.MARK if math.isfinite(low) and high > low else Gauge.NONE


def describe(metric: Metric, scores: Scores | None, *, pending: bool = False) -> str:
    """Return what is known of a metric and its value as HTML.

    Parameters
    ----------
    metric : Metric
    scores : Scores or None
    pending : bool
        Whether the value is that of the table before.
    """
    parts = [f"<b>{html.escape(metric.name)}</b>"]
    if scores is not None and metric.key in scores and metric.per == "table":
        parts += _value_lines(metric, scores)
        if pending:
            parts.append("of the table before; the new value is being computed")
    elif pending:
        parts.append("being computed")
    parts.append(html.escape(metric.formula))
    parts.append(f"<i>{html.escape(metric.source)}</i>")
    return "<br>".join(parts)


def _value_lines(metric: Metric, scores: Scores) -> list[str]:
    value, why = scores[metric.key], scores.why(metric.key)
    if why is not None:
        return [f"undefined: {html.escape(why)}"]
    if math.isnan(value):
        return ["undefined"]
    low, high = scores.range(metric.key)
    line = f"{format_score(value, 10)} &nbsp; range {range_text(low, high)}"
    return [f"{line}; {_direction(metric, low, high)}"]


def copied(key: str, value: float) -> str:
    """Return a score as it is copied: its key, and all its digits."""
    return f"{key}\t{'' if math.isnan(value) else repr(value)}"


def range_text(low: float, high: float) -> str:
    """Return a range in words."""
    ends = (
        format_score(end) if math.isinf(end) else option_text(float(f"{end:.4g}"))
        for end in (low, high)
    )
    return " to ".join(ends)


def direction(metric: Metric) -> str:
    """Return which end of the range is the good one."""
    if metric.larger_is_better is None:
        return "a quantity, neither good nor bad"
    return "larger is better" if metric.larger_is_better else "smaller is better"


def _direction(metric: Metric, low: float, high: float) -> str:
    kind = gauge(metric, low, high)
    if kind is Gauge.MARK:
        return "smaller is better: the further left its mark, the better"
    if kind is Gauge.BAR and math.isinf(low):
        return f"larger is better; its bar runs from 0 to {range_text(0, high)[5:]}"
    return direction(metric)
