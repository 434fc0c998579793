"""The instances during which a machine was at its quietest."""

from __future__ import annotations

import warnings

import numpy as np
import numpy.typing as npt

SHARE = 0.4
"""Share of all instances that the quiet window has: the AP paper takes 200 of 500, by eye."""

_LEAST = 5
# A spike counts as one, however high it is.
_MOST = 1.0


def quiet_window(times: npt.NDArray[np.float64]) -> tuple[int, int]:
    """Return the window in which times differ least from what is usual.

    Parameters
    ----------
    times : ndarray of float64, shape (..., n)
        A row for each metric and route; NaN where there is no time.

    Returns
    -------
    start, stop : int
        The first instance, counted from 0, and the one behind the last. Forty of a hundred
        instances, at least five; all of them where there are fewer. The earliest of several
        that are as quiet.

    Notes
    -----
    The unrest of an instance is the mean over all rows of ``|log(time / median)|``, at
    most 1 each; the window is where its mean is least.
    """
    n = times.shape[-1]
    size = min(max(round(SHARE * n), _LEAST), n)
    if not n:
        return 0, 0
    rows = times.reshape(-1, n)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        unrest = np.abs(np.log(rows / np.nanmedian(rows, axis=1, keepdims=True)))
        mean = np.nanmean(np.minimum(unrest, _MOST), axis=0)
    mean = np.where(np.isfinite(mean), mean, _MOST)
    sums = np.concatenate([[0.0], np.cumsum(mean)])
    of_windows = sums[size:] - sums[:-size]
    # Rounding decides between none that are equal.
    start = int(np.flatnonzero(of_windows <= of_windows.min() + 1e-9)[0])
    return start, start + size
