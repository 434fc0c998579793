"""Figures of times for print: traces, bars, and how costs grow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.studies.study import Step
from gui.plots.charts import DOUBLE_COLUMN, Prepared
from gui.plots.charts_lines import GrowthDrawing, TracesDrawing
from gui.plots.charts_log_bars import LogBarsDrawing
from gui.plots.growth import GrowthLine
from gui.plots.log_bars import LogBar
from gui.plots.traces import Trace


@dataclass(frozen=True, eq=False)
class TracesFigure:
    """The time of each metric at each instance: the AP paper's figure 21.

    Attributes
    ----------
    traces : sequence of Trace
        One at least, each with a value above 0.
    span : (int, int)
        The instances that are averaged, counted from 0, the second one behind the last.
    labels : (str, str)
        Of the axis below and of that at the left.
    title, subtitle, settings : str
    """

    traces: Sequence[Trace]
    span: tuple[int, int]
    labels: tuple[str, str]
    title: str
    subtitle: str
    settings: str

    def prepare(self) -> Prepared:
        """Return the drawing, after a step."""
        yield Step(0, 1, "drawing the traces")
        return TracesDrawing(
            self.traces,
            self.span,
            self.labels,
            self.title,
            self.subtitle,
            self.settings,
            DOUBLE_COLUMN,
        )


@dataclass(frozen=True, eq=False)
class GrowthFigure:
    """Costs against sizes.

    Attributes
    ----------
    lines : sequence of GrowthLine
        One at least, each with a cost above 0.
    labels : (str, str)
    title, subtitle, settings : str
    """

    lines: Sequence[GrowthLine]
    labels: tuple[str, str]
    title: str
    subtitle: str
    settings: str

    def prepare(self) -> Prepared:
        """Return the drawing, after a step."""
        yield Step(0, 1, "drawing the costs")
        return GrowthDrawing(
            self.lines, self.labels, self.title, self.subtitle, self.settings, DOUBLE_COLUMN
        )


@dataclass(frozen=True, eq=False)
class LogBarsFigure:
    """Bars by logarithm with columns of numbers: the AP paper's table 12.

    Attributes
    ----------
    bars : sequence of LogBar
    unit : str
        Of the axis.
    heads : sequence of str
        Of the columns.
    mark : str
        What the marks are; empty where there are none.
    title, subtitle, settings : str
    """

    bars: Sequence[LogBar]
    unit: str
    heads: Sequence[str]
    mark: str
    title: str
    subtitle: str
    settings: str

    def prepare(self) -> Prepared:
        """Return the drawing, after a step."""
        yield Step(0, 1, "drawing the bars")
        return LogBarsDrawing(
            self.bars,
            self.unit,
            self.heads,
            self.mark,
            self.title,
            self.subtitle,
            self.settings,
            DOUBLE_COLUMN,
        )
