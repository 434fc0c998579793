"""Samples without replacement from items of many kinds."""

from __future__ import annotations

import numpy as np

from core.chance.hypergeometric_draws import hypergeometric
from core.counts import IntArray


def padded(counts: IntArray) -> IntArray:
    """Return counts with zeros behind them along the last axis, so that it can be halved."""
    size = 1 << (counts.shape[-1] - 1).bit_length()
    behind = [(0, 0)] * (counts.ndim - 1) + [(0, size - counts.shape[-1])]
    return np.pad(counts, behind)


def deal(counts: IntArray, sample: IntArray, generator: np.random.Generator) -> IntArray:
    """Draw how samples without replacement fall on kinds of items.

    Parameters
    ----------
    counts : ndarray of int64, shape (..., m)
        Items of each kind; their total fits 64 bits.
    sample : ndarray of int64, shape (...)
        Items drawn, at most as many as there are.
    generator : numpy.random.Generator

    Returns
    -------
    ndarray of int64, shape (..., m)
        Multivariate hypergeometric, drawn by halving the kinds ``log m`` times for all
        samples at once.
    """
    kinds = counts.shape[-1]
    counts = padded(counts)
    dealt = sample[..., None]
    while dealt.shape[-1] < counts.shape[-1]:
        halves = counts.reshape(*sample.shape, 2 * dealt.shape[-1], -1).sum(axis=-1)
        first = hypergeometric(halves[..., ::2], halves[..., 1::2], dealt, generator)
        dealt = np.stack([first, dealt - first], axis=-1).reshape(*sample.shape, -1)
    return dealt[..., :kinds]
