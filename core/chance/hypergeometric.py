"""The hypergeometric law of one cell under fixed margins, as a few weighted counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from core.cells import FloatArray
from core.chance.deviance import centred, deviance, multipliable
from core.interruption import checkpoint
from core.table import IntArray

# exp(-42) = 6e-19: what is left out beside the window.
TAIL_EXPONENT = 42.0

# exp(-48) = 1e-21: what the characteristic function keeps where a stride would fold it back.
_FOLD_EXPONENT = 48.0

# Up to this variance probabilities march from the mode step by step; above it they come
# from the saddle point, whose series for the factorials is then exact to rounding.
_MARCH_VARIANCE = 400.0

# Elements of one block; a few arrays of it stay in the processor's second-level cache.
_BLOCK = 1 << 14

# Fewer cells than this march with one stride: calls of numpy cost more than their terms.
_FEW = 64

# So far from the ends of the support the series for the factorials holds.
_STIRLING = 100

# Powers that windows and strides hold as they are.
_LOW_POWER = 4

# Cells whose windows reach further beside their mean stand together: deviances of such are
# taken in another way.
_FAR = 0.2

CellFunction = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class Nodes:
    """Counts and probabilities that stand for the laws of some cells.

    The arrays are written over when the next ones are made.

    Attributes
    ----------
    cells : ndarray of int64, shape (g,)
        The cells of the law that these are.
    count : ndarray of float64, shape (n, g)
        Counts; 0 where a window reaches below it, with no weight.
    mean : ndarray of float64, shape (g,)
        Expected counts.
    difference : ndarray of float64, shape (n, g)
        ``count - mean``, rounded once.
    weight : ndarray of float64, shape (n, g)
        Probabilities, summing to 1 over each cell's counts.
    """

    cells: IntArray
    count: FloatArray
    mean: FloatArray
    difference: FloatArray
    weight: FloatArray


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

    @property
    def share(self) -> FloatArray:
        """Expected share of the table ``a b / N^2``, shape (p,)."""
        n = self.total.astype(np.float64)
        share: FloatArray = self.a / n * (self.b / n)
        return share

    def expectation(self, function: CellFunction) -> FloatArray:
        """Return ``E[function(n, mu, n - mu)]`` for each cell, shape (p,).

        Parameters
        ----------
        function : callable
            Takes counts of shape (n, g), means of shape (g,) and centred counts of shape
            (n, g); must be smooth between the counts, as logarithms and powers are.
        """
        value = np.empty(len(self.a))
        for nodes in self.nodes():
            at_nodes = function(nodes.count, nodes.mean, nodes.difference)
            value[nodes.cells] = np.einsum("ij,ij->j", nodes.weight, at_nodes)
        return value

    def nodes(self, power: float = 0.0) -> Iterator[Nodes]:
        """Yield the law of every cell, some cells at a time.

        Parameters
        ----------
        power : float
            What is summed over the law grows as ``n ** power``.

        Notes
        -----
        A sum over the law may skip counts: with a stride of h it differs from the whole sum
        by the law's characteristic function at the multiples of ``2 pi / h`` (Poisson's
        summation formula). A hypergeometric count is a sum of independent indicators
        (Vatutin and Mikhailov, 1982), so that function is at most
        ``exp(-2 var sin(pi / h)^2)``. The largest stride that keeps it below 1e-20 takes
        some thirty counts, whatever the size of the table.

        Windows end where less than 1e-20 of the mass is left, by Bernstein's inequality.

        A high power moves the weight outward: ``n (n-1) ... (n-k+1)`` times the law is the
        law of k more in a table with k items less, so that windows and strides serve both.
        """
        variance, mean = self.variance, self.mean
        smallest, largest, outward = self._raised(power)
        # In integers: above 2**53 a rounded mean may lie outside a narrow support.
        a, b, total = multipliable(self.total, self.a, self.b, self.total)
        mode = ((a + 1) * (b + 1) // (total + 2)).astype(np.int64)
        at_mode = centred(mode, self.a, self.b, self.total)
        # The mean is less than 1 away from the mode.
        third = TAIL_EXPONENT / 3.0
        reach = np.ceil(third + np.sqrt(third**2 + 2.0 * TAIL_EXPONENT * largest)) + 1.0
        far = reach.astype(np.int64)
        outer = far + outward
        stride = _strides(smallest)
        end = np.minimum(self.a, self.b) - mode
        march = (variance <= _MARCH_VARIANCE) | (outer > end - _STIRLING) & (outward > 0)
        if len(march) <= _FEW and march.any():
            stride[march] = stride[march].min()
        up = -(-np.minimum(end, outer) // stride)
        down = -(-np.minimum(mode - np.maximum(0, self.a + self.b - self.total), far) // stride)
        length = up + down + 1
        # Alike in stride, in reach and in length, so that blocks have no gaps.
        kind = np.where(march, stride, 0)
        order = np.lexsort((length, reach > _FAR * mean, kind))
        corners = np.array(
            [self.a - mode, self.b - mode, mode, self.total - self.a - self.b + mode]
        )
        lasts = np.flatnonzero(np.diff(kind[order], append=-1)) + 1
        scratch = _Scratch()
        first = 0
        for last in lasts.tolist():
            while first < last:
                checkpoint()
                size = max(1, _BLOCK // int(length[order[first]]))
                size = max(1, _BLOCK // int(length[order[min(first + size, last) - 1]]))
                cells = order[first : min(first + size, last)]
                first += len(cells)
                below, above = int(down[cells].max()), int(up[cells].max())
                shape = (below + 1 + above, len(cells))
                scratch.clear()
                count, difference = scratch.array(shape), scratch.array(shape)
                weight = scratch.array(shape)
                mu = mean[cells]
                step = np.arange(-below, above + 1, dtype=np.float64)[:, None]
                if outward.any():
                    # The window of another cell in this block may leave the support of one,
                    # which then ends with its own last count, in ascending order still.
                    beyond = (step > up[cells]) | (step < -down[cells])
                    step = np.clip(step, -down[cells], up[cells])
                np.multiply(step, stride[cells].astype(np.float64), out=count)
                np.add(count, at_mode[cells], out=difference)
                np.maximum(difference, -mu, out=difference)
                np.add(count, mode[cells].astype(np.float64), out=count)
                # The far ends of a window underflow to nothing, as they should; what leaves
                # double precision altogether is NaN.
                with np.errstate(all="ignore"):
                    if march[cells[0]]:
                        corner = corners[:, cells].astype(np.float64)
                        _march(corner, int(stride[cells[0]]), below, scratch, out=weight)
                    else:
                        _saddle_point(self._part(cells), count, difference, scratch, out=weight)
                    if outward.any():
                        weight[beyond] = 0.0
                    weight /= weight.sum(axis=0)
                np.maximum(count, 0.0, out=count)
                yield Nodes(cells, count, mu, difference, weight)

    def _raised(self, power: float) -> tuple[FloatArray, FloatArray, IntArray]:
        """Return the least and the largest variance up to a power, and how far it moves."""
        variance = self.variance
        k = min(math.ceil(power), int(self.total.max(initial=0))) - _LOW_POWER
        if k <= 0:
            return variance, variance, np.zeros(len(variance), np.int64)
        smaller = np.minimum(self.a, self.b)
        left = CellLaw(
            np.maximum(self.a - k, 0), np.maximum(self.b - k, 0), np.maximum(self.total - k, 1)
        )
        inside = smaller > k
        moved = np.where(inside, k + left.mean, smaller) - self.mean
        raised = np.where(inside, left.variance, 0.0)
        return (
            np.minimum(variance, raised),
            np.maximum(variance, raised),
            np.ceil(np.maximum(moved, 0.0)).astype(np.int64),
        )

    def _part(self, cells: IntArray) -> CellLaw:
        return CellLaw(self.a[cells], self.b[cells], self.total[cells])


class _Scratch:
    """Memory for the arrays of a block, which would cost more to get than to fill."""

    def __init__(self) -> None:
        self._memory = np.empty(12 * _BLOCK)
        self._used = 0

    def clear(self) -> None:
        """Give all of it back."""
        self._used = 0

    def array(self, shape: tuple[int, int]) -> FloatArray:
        """Return an array that nothing else uses until all is given back."""
        size = shape[0] * shape[1]
        if self._used + size > len(self._memory):
            # A window longer than a block; the rest of the memory is of no use to it.
            return np.empty(shape)
        self._used += size
        return self._memory[self._used - size : self._used].reshape(shape)


def _strides(variance: FloatArray) -> IntArray:
    """Return the largest stride of each cell that keeps its sums exact, shape (p,)."""
    sine = np.sqrt(_FOLD_EXPONENT / (2.0 * np.maximum(variance, _FOLD_EXPONENT / 2.0)))
    stride = np.floor(np.pi / np.arcsin(sine)).astype(np.int64)
    return np.where(variance < _FOLD_EXPONENT / 2.0, 1, stride)


def _march(
    corners: FloatArray, stride: int, below: int, scratch: _Scratch, *, out: FloatArray
) -> None:
    """Write probabilities relative to the mode's, a stride apart.

    Outward from the mode the k-th ratio of neighbouring ones is
    ``(p - k + 1) (q - k + 1) / ((s + k) (t + k))``; it is 0 at the end of the support, so
    that a window may reach beyond it.

    Parameters
    ----------
    corners : ndarray of float64, shape (4, g)
        p, q, s and t upward; downward it is s, t, p and q.
    stride : int
    below : int
        Strides below the mode.
    scratch : _Scratch
    out : ndarray of float64, shape (n, g)
    """
    above, g = len(out) - 1 - below, out.shape[1]
    n = max(below, above)
    out[below] = 1.0
    if not n:
        return
    p, q = np.concatenate([corners[:2], corners[2:]], axis=1)
    s, t = np.concatenate([corners[2:], corners[:2]], axis=1)
    # A power of two takes the size out of products that would overflow, and rounds nothing.
    size = np.maximum(p, 1.0) * np.maximum(q, 1.0)
    unit: float | FloatArray = 1.0
    if stride * np.log10(size.max()) > 200.0:
        unit = np.ldexp(1.0, -np.frexp(size)[1])
        q, t = q * unit, t * unit
    k = (stride * np.arange(n, dtype=np.float64))[:, None]
    u, v, w, x, ratio, divisor = (scratch.array((n, 2 * g)) for _ in range(6))
    np.subtract(p, k, out=u)
    np.subtract(q, k * unit, out=v)
    np.add(k, s + 1.0, out=w)
    np.add(k * unit, t + unit, out=x)
    np.multiply(u, v, out=ratio)
    np.multiply(w, x, out=divisor)
    for _ in range(stride - 1):
        u -= 1.0
        v -= unit
        w += 1.0
        x += unit
        ratio *= u
        ratio *= v
        divisor *= w
        divisor *= x
    ratio /= divisor
    nearer = ratio[0]
    for farther in ratio[1:]:
        farther *= nearer
        nearer = farther
    out[below + 1 :] = ratio[:above, :g]
    out[:below] = ratio[:below, g:][::-1]


def _saddle_point(
    law: CellLaw, count: FloatArray, difference: FloatArray, scratch: _Scratch, *, out: FloatArray
) -> None:
    """Write probabilities up to a factor.

    With the cell given, so are the other three of its row and column; each adds its
    deviance, half its logarithm and the rest of Stirling's series to the exponent (Loader,
    2000, "Fast and accurate computation of binomial probabilities").
    """
    n = law.total.astype(np.float64)
    a, b = law.a.astype(np.float64), law.b.astype(np.float64)
    share_a, share_b = a / n, b / n
    rest_a, rest_b = (law.total - law.a) / n, (law.total - law.b) / n
    rest = (law.total - law.a - law.b).astype(np.float64)
    scale, other, square = (scratch.array(count.shape) for _ in range(3))
    scale[:] = 1.0
    out[:] = 0.0
    opposite = -difference
    for start, sign, share, from_mean in (
        (0.0, 1.0, share_a * share_b, difference),
        (a, -1.0, share_a * rest_b, opposite),
        (b, -1.0, rest_a * share_b, opposite),
        (rest, 1.0, rest_a * rest_b, difference),
    ):
        mean = share * n
        np.multiply(count, sign, out=other)
        other += start
        out -= deviance(other, mean, from_mean)
        np.divide(1.0, other, out=other)
        scale *= other
        scale *= mean
        np.multiply(other, other, out=square)
        other *= 1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))
        out -= other
    np.exp(out, out=out)
    np.sqrt(scale, out=scale)
    out *= scale
