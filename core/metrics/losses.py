"""What each truth class takes from a score: the terms of ``1 - score``."""

from __future__ import annotations

import numpy as np

from core.cells import CellBatch, FloatArray
from core.metrics.metric import ratio


def harmonic_loss(
    batch: CellBatch,
    x: FloatArray,
    y: FloatArray,
    loss_x: FloatArray,
    loss_y: FloatArray,
    beta: float = 1.0,
) -> FloatArray:
    """Return the terms of ``1 - (1 + beta) x y / (beta x + y)``, shape (R,).

    Parameters
    ----------
    batch : CellBatch
    x, y : ndarray of float64, shape (k,)
        Two scores.
    loss_x, loss_y : ndarray of float64, shape (R,)
        The terms of ``1 - x`` and of ``1 - y``.
    beta : float
        Weight of y.

    Notes
    -----
    Exact: ``1 - (1 + beta) x y / (beta x + y)`` is
    ``(y (1 - x) + beta x (1 - y)) / (beta x + y)``. Where both scores are 0, and the mean
    with them, the weights are those of equal scores; with beta = 0 the mean of a score
    and 0 is 0 too, for want of y.
    """
    weighted = beta * x
    of_x = ratio(y, weighted + y, 1.0 / (1.0 + beta))
    of_y = ratio(weighted, weighted + y, beta / (1.0 + beta))
    without_y = (weighted + y == 0.0) & (x > 0.0)
    of_x[without_y], of_y[without_y] = 0.0, 1.0
    table = batch.row_table
    loss: FloatArray = of_x[table] * loss_x + of_y[table] * loss_y
    return loss


def row_sums(batch: CellBatch, values: FloatArray) -> FloatArray:
    """Sum values of cells (m,) by truth class (R,)."""
    return batch.reduce_rows(np.add, values)


def per_item(batch: CellBatch, items: FloatArray) -> FloatArray:
    """Return values of rows (R,) divided by the number of items of their tables."""
    share: FloatArray = items / batch.total_float[batch.row_table]
    return share
