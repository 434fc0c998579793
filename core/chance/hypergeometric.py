"""Expectations over the hypergeometric law of one cell under fixed margins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.cells import FloatArray
from core.chance.deviance import centred, multipliable
from core.table import IntArray

# exp(-46) = 1e-20: what is left out beside the window.
TAIL_EXPONENT = 46.0

# Elements of one block; it stays in the processor's second-level cache.
_BLOCK = 1 << 15

CellFunction = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class CellLaw:
    """The law of one cell of a random table, for many cells at once.

    A cell in a row of ``a`` and a column of ``b`` items of ``N`` is hypergeometric.

    Attributes
    ----------
    a, b, total : ndarray of int64, shape (p,)
        Row sum, column sum and table total of each cell, all positive.
    """

    a: IntArray
    b: IntArray
    total: IntArray

    @property
    def mean(self) -> FloatArray:
        """Expected count ``a b / N``, shape (p,)."""
        n = self.total.astype(np.float64)
        mean: FloatArray = self.a.astype(np.float64) / n * self.b
        return mean

    @property
    def variance(self) -> FloatArray:
        """Variance ``a b (N-a) (N-b) / (N^2 (N-1))``, shape (p,)."""
        n = self.total.astype(np.float64)
        spread: FloatArray = (
            self.mean
            * ((self.total - self.a) / n)
            * ((self.total - self.b) / np.maximum(n - 1.0, 1.0))
        )
        return spread

    def reach(self) -> FloatArray:
        """Distance from the mean beyond which less than 1e-20 of the mass lies, shape (p,).

        From Bernstein's inequality, which holds for sampling without replacement too.
        """
        third = TAIL_EXPONENT / 3.0
        reach: FloatArray = third + np.sqrt(third**2 + 2.0 * TAIL_EXPONENT * self.variance)
        return reach

    def expectation(self, function: CellFunction) -> FloatArray:
        """Return ``E[function(n, mu, n - mu)]`` for each cell, shape (p,).

        Parameters
        ----------
        function : callable
            Takes counts, means and centred counts of shape (g, w), elementwise;
            must be finite for counts outside the support too.

        Notes
        -----
        Probabilities march outward from the mode by the ratio of neighbouring terms,
        the mode's taken as 1, and are divided by their sum at the end: no
        log-factorials and no underflow, since every factor is at most 1.
        """
        mean = self.mean
        # In integers: above 2**53 a rounded mean may lie outside a narrow support.
        a, b, total = multipliable(self.total, self.a, self.b, self.total)
        mode = ((a + 1) * (b + 1) // (total + 2)).astype(np.int64)
        # The mean is less than 1 away from the mode.
        reach = np.ceil(self.reach()).astype(np.int64) + 1
        low = np.maximum(np.maximum(0, self.a + self.b - self.total), mode - reach)
        high = np.minimum(np.minimum(self.a, self.b), mode + reach)
        at_mode = centred(mode, self.a, self.b, self.total)

        mass = np.zeros(len(self.a))
        moment = np.zeros(len(self.a))
        rest = self.total - self.a - self.b + mode
        up = _Arm(1.0, high - mode + 1, self.a - mode, self.b - mode, mode, rest)
        down = _Arm(-1.0, mode - low + 1, mode, rest, self.a - mode, self.b - mode)
        # The far ends of a window underflow to nothing, as they should.
        with np.errstate(under="ignore"):
            for arm in (up, down):
                arm.add(mode, mean, at_mode, function, mass, moment)
        # Both arms begin at the mode, so it was counted twice.
        peak = function(mode.astype(np.float64), mean, at_mode)
        return (moment - peak) / (mass - 1.0)


@dataclass(frozen=True, eq=False)
class _Arm:
    """One side of the windows: the mode and ``length - 1`` counts beyond it.

    The k-th ratio of neighbouring probabilities is
    ``(p - k + 1) (q - k + 1) / ((s + k) (t + k))``; it becomes 0 at the end of the
    support, so that padding a block of windows needs no mask.
    """

    sign: float
    length: IntArray
    p: IntArray
    q: IntArray
    s: IntArray
    t: IntArray

    def add(
        self,
        mode: IntArray,
        mean: FloatArray,
        at_mode: FloatArray,
        function: CellFunction,
        mass: FloatArray,
        moment: FloatArray,
    ) -> None:
        """Add the arm's probability mass and moment to the sums, in place."""
        order = np.argsort(-self.length, kind="stable")
        p, q, s, t = (x.astype(np.float64) for x in (self.p, self.q, self.s, self.t))
        position = 0
        while position < len(order):
            width = int(self.length[order[position]])
            group = order[position : position + max(1, _BLOCK // width)]
            position += len(group)
            step = np.arange(width, dtype=np.float64)
            k = step[1:]
            probability = np.ones((len(group), width))
            np.divide(
                (p[group, None] - (k - 1.0)) * (q[group, None] - (k - 1.0)),
                (s[group, None] + k) * (t[group, None] + k),
                out=probability[:, 1:],
            )
            np.cumprod(probability, axis=1, out=probability)
            offset = self.sign * step
            count = np.maximum(mode[group, None] + offset, 0.0)
            value = function(count, mean[group, None], at_mode[group, None] + offset)
            mass[group] += probability.sum(axis=1)
            moment[group] += np.einsum("ij,ij->i", probability, value)
