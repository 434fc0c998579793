"""A table as a figure for print: its cells in the colours of a heat map."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from PySide6.QtGui import QImage

from core.heat import Heat, HeatOf, HeatScaleName
from core.ordering import ColumnsBy, OrderTable, RowsBy
from core.studies.study import Step, run_to_end
from core.table import ContingencyTable, IntArray
from gui.plots.export import Drawing, SaveDrawing, painted
from gui.plots.heatmap_content import LABELS, Content, Look
from gui.plots.heatmap_drawing import DRAWN_CELLS, HeatMapDrawing
from gui.plots.heatmap_layout import MM, Ruler, lay_out
from gui.table_editor.words import grouped, header_name

_T = TypeVar("_T")

SINGLE_COLUMN, DOUBLE_COLUMN = 89.0, 183.0
"""Widths of figures in journals, in mm."""


@dataclass(frozen=True, eq=False)
class HeatMapFigure:
    """A heat map and how it is to look.

    Attributes
    ----------
    table : ContingencyTable
        Of shape (r, c).
    rows : ndarray of int64, shape (r,), or {"table", "size", "name"}
        The order of the classes: the row of the table in each place, or what it is by.
    columns : ndarray of int64, shape (c,), or {"table", "matching", "size", "name"}
        The same for clusters.
    scale : {"row", "peak", "table"}
        Whether colours are shares of the class, of its largest count, or numbers of items.
    width_mm : float
        Width of the figure, 20 to 1000.
    font_pt : float
        Size of its text in points, 5 to 24; smaller, down to 5, where it does not fit.
    counts, margins : bool
        Whether counts stand in the cells, and sums beside them, where there is room.
    title : str
        Above the figure; none if empty.
    font_family : str
        That of the program if empty.
    name : str
        What people call the table: the title of the document.

    Raises
    ------
    ValueError
        If a size is out of range.
    """

    table: ContingencyTable
    rows: IntArray | RowsBy = "table"
    columns: IntArray | ColumnsBy = "table"
    scale: HeatScaleName = "row"
    width_mm: float = SINGLE_COLUMN
    font_pt: float = 9.0
    counts: bool = True
    margins: bool = True
    title: str = ""
    font_family: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        if not 20 <= self.width_mm <= 1000:
            raise ValueError(f"a figure is 20 to 1000 mm wide, not {self.width_mm:g}")
        if not 5 <= self.font_pt <= 24:
            raise ValueError(f"text is 5 to 24 points large, not {self.font_pt:g}")

    @property
    def settings(self) -> str:
        """How the figure was made, in words."""
        r, c = self.table.shape
        parts = [
            f"{r} x {c} contingency table{f' {self.name}' if self.name else ''}, "
            f"N = {self.table.total}",
            "rows are truth classes, columns are clusters",
            f"colour: {LABELS[self.scale]}",
            f"rows: {self.rows if isinstance(self.rows, str) else 'as shown'}",
            f"columns: {self.columns if isinstance(self.columns, str) else 'as shown'}",
            f"{self.width_mm:g} mm wide, {self.font_pt:g} pt",
        ]
        noise = self.table.noise
        if noise is not None and noise.sentence is not None:
            parts.append(noise.sentence)
        return "; ".join(parts)

    def prepare(self) -> Generator[Step[Any], None, Drawing]:
        """Find the order, the colours and the layout; the generator returns the drawing."""
        table = self.table
        by_rows = self.rows if isinstance(self.rows, str) else "table"
        by_columns = self.columns if isinstance(self.columns, str) else "table"
        given = None if isinstance(self.rows, str) else self.rows
        order = yield from _result(OrderTable(table, by_rows, by_columns, given).run())
        rows, columns = order
        if not isinstance(self.columns, str):
            columns = self.columns
        heat = yield from _result(HeatOf(table, rows, columns, self.scale).run())
        content = _content(table, rows, columns, heat)
        layout = lay_out(
            Ruler(self.font_family),
            table.shape,
            content.truth,
            content.clusters,
            (content.longest, [*content.row_sums, content.total], content.column_sums),
            width=self.width_mm * MM,
            pt=self.font_pt,
            title=bool(self.title),
            show_counts=self.counts and table.shape[0] * table.shape[1] <= DRAWN_CELLS,
            show_margins=self.margins,
        )
        look = Look(self.scale, self.title, self.font_family, self.settings, self.name)
        return HeatMapDrawing(look, content, layout)


def _content(table: ContingencyTable, rows: IntArray, columns: IntArray, heat: Heat) -> Content:
    few = table.shape[0] * table.shape[1] <= DRAWN_CELLS
    truth, clusters = table.truth, table.clusters
    largest = int(table.cells.counts.max()) if len(table.cells.counts) else 0
    return Content(
        heat,
        [header_name(truth[i]) for i in rows.tolist()],
        [header_name(clusters[j]) for j in columns.tolist()],
        [grouped(n) for n in table.row_sums[rows].tolist()],
        [grouped(n) for n in table.column_sums[columns].tolist()],
        grouped(table.total),
        [str(largest)],
        table.counts[np.ix_(rows, columns)] if few else np.zeros((0, 0), np.int64),
    )


def _result(steps: Iterator[Step[_T]]) -> Generator[Step[Any], None, _T]:
    """Pass steps on, and return what the last of them carries."""
    result: _T | None = None
    for step in steps:
        result = step.result
        yield Step(step.done, step.total, step.message)
    if result is None:
        raise RuntimeError("a study ended without a result")
    return result


def save_heatmap(figure: HeatMapFigure, path: Path | str, *, dpi: int = 300) -> SaveDrawing:
    """Return the study that writes a heat map to a file.

    Parameters
    ----------
    figure : HeatMapFigure
    path : Path or str
        Ends with ``.png``, ``.svg`` or ``.pdf``.
    dpi : int
        Points an inch of a PNG, 72 to 1200.

    Returns
    -------
    SaveDrawing
        Its last step has the path.
    """
    return SaveDrawing(figure.prepare, path, dpi)


def heatmap_image(figure: HeatMapFigure, *, dpi: float = 300) -> QImage:
    """Return a heat map as an image, for the clipboard.

    Parameters
    ----------
    figure : HeatMapFigure
    dpi : float
        Points an inch.

    Returns
    -------
    QImage
    """
    return run_to_end(HeatMapImage(figure, dpi))


@dataclass(frozen=True, eq=False)
class HeatMapImage:
    """The study that draws a heat map as an image.

    Attributes
    ----------
    figure : HeatMapFigure
    dpi : float
        Points an inch.
    """

    figure: HeatMapFigure
    dpi: float = 300

    def run(self) -> Generator[Step[QImage], None, None]:
        """Draw, with steps; the last has the image.

        Raises
        ------
        SaveError
            If the image would have more than 100 million points.
        """
        drawing = yield from self.figure.prepare()
        image = yield from painted(drawing, self.dpi)
        yield Step(1, 1, "drew the heat map", result=image)


__all__ = [
    "DOUBLE_COLUMN",
    "SINGLE_COLUMN",
    "HeatMapDrawing",
    "HeatMapFigure",
    "HeatMapImage",
    "heatmap_image",
    "save_heatmap",
]
