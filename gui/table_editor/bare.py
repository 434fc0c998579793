"""Cells without numbers, as an image."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QImage

from core.table import IntArray
from gui.table_editor.heat import CIVIDIS, Rgb

_PALETTE = np.array(CIVIDIS, np.uint8)


def bare_colors(
    counts: IntArray, most: Sequence[int] | None, background: Rgb
) -> npt.NDArray[np.uint8]:
    """Return the colours of cells.

    Parameters
    ----------
    counts : ndarray of int64, shape (k, n)
    most : sequence of int, length k, or None
        The count with the lightest colour in each row; None: no heat colours.
    background : tuple of int
        The colour of a cell without items.

    Returns
    -------
    ndarray of uint8, shape (k, n, 3)
    """
    if most is None:
        return np.full((*counts.shape, 3), background, np.uint8)
    heights = counts / np.maximum(np.array(most, np.float64), 1)[:, None]
    colors = _PALETTE[np.minimum(heights * 255, 255).astype(np.int64)]
    colors[counts == 0] = background
    return colors


def image_of(colors: npt.NDArray[np.uint8]) -> QImage:
    """Return an image with a point for each cell, shape (k, n, 3)."""
    rows, columns = colors.shape[:2]
    points = np.ascontiguousarray(colors).tobytes()
    # A copy: the image would not keep the points alive.
    return QImage(points, columns, rows, 3 * columns, QImage.Format.Format_RGB888).copy()


__all__ = ["bare_colors", "image_of"]
