"""Hypergeometric random numbers of any size."""

from __future__ import annotations

from math import lgamma, log

import numpy as np

from core.cells import FloatArray
from core.chance.deviance import deviance
from core.counts import IntArray

# numpy draws them below this many items of either kind.
_NUMPY_ITEMS = 1_000_000_000

# Log-factorials below this number come from a table.
_FIRST = 16


def hypergeometric(
    good: IntArray, bad: IntArray, sample: IntArray, generator: np.random.Generator
) -> IntArray:
    """Draw how many good items are in samples without replacement, of any size.

    Parameters
    ----------
    good, bad, sample : ndarray of int64, of one shape
        Items of either kind, and items drawn; ``good + bad`` fits 64 bits.
    generator : numpy.random.Generator

    Returns
    -------
    ndarray of int64, of the same shape
    """
    drawn = np.empty(good.shape, np.int64)
    large = np.maximum(good, bad) >= _NUMPY_ITEMS
    small = ~large
    drawn[small] = generator.hypergeometric(good[small], bad[small], sample[small])
    drawn[large] = _rejected(good[large], bad[large], sample[large], generator)
    return drawn


def _rejected(
    good: IntArray, bad: IntArray, sample: IntArray, generator: np.random.Generator
) -> IntArray:
    """Draw hypergeometric numbers by rejection from binomial ones.

    For any p the law is ``Bin(x; good, p) Bin(sample - x; bad, p) / Bin(sample; N, p)``. So
    x is drawn from the first factor and kept with the probability that is the second
    over its largest value. Of the rarer kind among the smaller part of the items (the
    sample or the rest), two of three are kept.
    """
    total = good + bad
    few = np.minimum(sample, total - sample)
    rare, rest = np.minimum(good, bad), np.maximum(good, bad)
    drawn = np.zeros(len(good), np.int64)
    left = np.flatnonzero((few > 0) & (rare > 0))
    while len(left):
        few_left, rest_left, share = few[left], rest[left], few[left] / total[left]
        x = generator.binomial(rare[left], share)
        other = few_left - x
        mode = np.minimum((rest_left * share + share).astype(np.int64), rest_left)
        height = _log_binomial(np.maximum(other, 0), rest_left, share)
        height -= _log_binomial(mode, rest_left, share)
        kept = (other >= 0) & (-generator.standard_exponential(len(left)) <= height)
        drawn[left[kept]] = x[kept]
        left = left[~kept]
    # What was drawn are the rarer kind among the fewer items.
    drawn = np.where(good > bad, few - drawn, drawn)
    return np.where(sample > total - sample, good - drawn, drawn)


def _log_binomial(k: IntArray, n: IntArray, p: FloatArray) -> FloatArray:
    """Return the logarithm of ``Bin(k; n, p)`` less what depends on n and p alone.

    By deviances (Loader 2000), which do not cancel at any n as log-factorials do.
    """
    count, size = k.astype(np.float64), n.astype(np.float64)
    mean = size * p
    above = count - mean
    with np.errstate(under="ignore"):
        fit = deviance(count, mean, above) + deviance(
            (n - k).astype(np.float64), size - mean, -above
        )
    return -fit - _stirling(k) - _stirling(n - k)


_SMALL_STIRLING = np.array(
    [0.0] + [lgamma(k + 1) - k * log(k) + k for k in range(1, _FIRST)], dtype=np.float64
)


def _stirling(k: IntArray) -> FloatArray:
    """Return ``ln k! - (k ln k - k)``, to 1e-12."""
    x = np.maximum(k, _FIRST).astype(np.float64)
    square = x * x
    series = 0.5 * np.log(2.0 * np.pi * x)
    series += (1.0 - (1.0 / 30.0 - 1.0 / (105.0 * square)) / square) / (12.0 * x)
    return np.where(k < _FIRST, _SMALL_STIRLING[np.minimum(k, _FIRST - 1)], series)
