"""The contingency table: counts and names, checked once, immutable."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from core.cell_list import Cells, checked_cells, frozen_cells
from core.counts import MAX_TOTAL, IntArray, TableError, checked_counts
from core.labels import Labels, Names, count_pairs, encode
from core.noise import Noise, NoiseChoice, NoiseRule, grouped, noise_rule

__all__ = [
    "MAX_TOTAL",
    "Cells",
    "ContingencyTable",
    "IntArray",
    "TableError",
    "checked_counts",
    "default_names",
]

# Cells searched at a time, about a millisecond's work.
_PIECE = 1 << 18


def default_names(prefix: str, n: int, taken: Iterable[str] = ()) -> tuple[str, ...]:
    """Return ``n`` names ``prefix1, prefix2, ...`` that are not in ``taken``."""
    used = set(taken)
    names: list[str] = []
    number = 0
    while len(names) < n:
        number += 1
        if (name := f"{prefix}{number}") not in used:
            names.append(name)
    return tuple(names)


class ContingencyTable:
    """Counts of items by truth class (row) and cluster (column).

    Checked once when it is made; immutable afterwards. Only the non-empty cells are
    stored, so a table of 8,000 by 7,000 labels costs what its items cost.

    Parameters
    ----------
    counts : array_like of shape (r, c), or a scipy.sparse matrix or array
        Non-negative whole numbers.
    truth : sequence of str, optional
        Names of the truth classes, ``T1, T2, ...`` by default.
    clusters : sequence of str, optional
        Names of the clusters, ``C1, C2, ...`` by default.

    Raises
    ------
    TableError
        If a count or the shape is wrong; the error names row, column and value.

    Examples
    --------
    >>> table = ContingencyTable([[8, 2], [1, 9]], truth=["cat", "dog"])
    >>> table.shape, table.total, table.clusters
    ((2, 2), 20, ('C1', 'C2'))
    """

    def __init__(
        self,
        counts: Any,
        truth: Sequence[str] | None = None,
        clusters: Sequence[str] | None = None,
    ) -> None:
        if hasattr(counts, "tocoo"):
            self._init_sparse(counts)
        else:
            dense = checked_counts(counts)
            dense.flags.writeable = False
            # cached_property stores in __dict__, so this pre-fills it.
            self.__dict__["counts"] = dense
            self._shape = (int(dense.shape[0]), int(dense.shape[1]))
        self._truth = _names(truth, self._shape[0], "T", "truth class", "rows")
        self._clusters = _names(clusters, self._shape[1], "C", "cluster", "columns")
        self._noise: Noise | None = None

    def _init_sparse(self, matrix: Any) -> None:
        if len(matrix.shape) != 2:
            raise TableError(f"a table has rows and columns; this input has {matrix.ndim} axes")
        # checked_cells adds duplicates: scipy adds them in their own dtype, in which int8
        # overflows and True + True is True.
        coo = matrix.tocoo()
        self._shape = (int(coo.shape[0]), int(coo.shape[1]))
        self.__dict__["cells"] = checked_cells(self._shape, coo.row, coo.col, coo.data)

    @classmethod
    def from_labels(
        cls,
        truth_labels: Iterable[Hashable],
        cluster_labels: Iterable[Hashable],
        *,
        noise: NoiseChoice = "cluster",
        noise_label: Hashable | Iterable[Hashable] = -1,
    ) -> ContingencyTable:
        """Count the items of each class in each cluster.

        Parameters
        ----------
        truth_labels, cluster_labels : iterable of hashable, of equal length
            The truth class and the cluster of each item. Labels become names through
            ``str``; they are put in order where they can be compared with each other,
            else they stand in the order of their first appearance, noise before others.
        noise : {"cluster", "drop", "singletons"}
            What is done with items that the clustering left out as noise: they are one
            cluster like any other; they are dropped, and with them a class that has no
            other items; or each is a cluster of its own, named by its place among the
            items (``noise 17``) and standing behind the others. The table remembers
            the choice (`noise`). It concerns the clusters alone: a truth label is never
            noise, so leave such items out first if they shall not count.
        noise_label : hashable, or tuple, list, set or array of them
            The cluster labels that mean noise, by default that of DBSCAN and HDBSCAN. A
            number stands for its text too, None or NaN for any missing label.

        Returns
        -------
        ContingencyTable

        Raises
        ------
        TableError
            If the lengths differ, there is no item (none but noise, where it is
            dropped), or a label is missing (None, NaN).
        ValueError
            If ``noise`` is another word.

        Examples
        --------
        >>> table = ContingencyTable.from_labels(["a", "b", "a"], [0, 1, 1])
        >>> table.counts.tolist(), table.truth, table.clusters
        ([[1, 1], [0, 1]], ('a', 'b'), ('0', '1'))
        >>> table = ContingencyTable.from_labels(["a", "b", "a"], [0, 1, -1], noise="drop")
        >>> table.total, table.noise.sentence
        (2, '1 item labelled -1 was dropped as noise')
        """
        rule = noise_rule(noise, noise_label)
        truth = encode(truth_labels, "truth label")
        cluster = encode(cluster_labels, "cluster label", rule.labels)
        n = len(truth.codes)
        if n != len(cluster.codes):
            raise TableError(
                f"there are {n} truth labels but {len(cluster.codes)} cluster labels: "
                "give every item one of each"
            )
        if not n:
            raise TableError("there are no labels: give at least one item")
        return cls.from_codes(truth, cluster, rule)

    @classmethod
    def from_codes(cls, truth: Labels, cluster: Labels, rule: NoiseRule) -> ContingencyTable:
        """Count items whose labels are codes, of which there is at least one.

        Parameters
        ----------
        truth, cluster : core.labels.Labels
            Those of the same items; ``cluster.noise`` names the clusters that are noise.
        rule : core.noise.NoiseRule
            What is done with them; `TableError` if it leaves no item.
        """
        groups = grouped(truth, cluster, rule)
        cells = frozen_cells(*count_pairs(groups.rows, groups.columns, groups.shape))
        return cls._of(groups.shape, cells, groups.truth, groups.clusters, groups.noise)

    @classmethod
    def _of(
        cls,
        shape: tuple[int, int],
        cells: Cells,
        truth: Names,
        clusters: Names,
        noise: Noise | None = None,
    ) -> ContingencyTable:
        """Make a table of what is known to be right."""
        table = cls.__new__(cls)
        table._shape = shape
        table.__dict__["cells"] = cells
        table._truth, table._clusters = truth, clusters
        table._noise = noise
        return table

    @classmethod
    def from_cells(
        cls,
        shape: tuple[int, int],
        rows: npt.ArrayLike,
        columns: npt.ArrayLike,
        counts: npt.ArrayLike,
        truth: Sequence[str] | None = None,
        clusters: Sequence[str] | None = None,
    ) -> ContingencyTable:
        """Make a table from its cells; cells that are not named are 0.

        Parameters
        ----------
        shape : (int, int)
            Numbers of truth classes and clusters.
        rows, columns, counts : array_like of shape (m,)
            Place and count of each cell, in any order; repeated places are added.
        truth, clusters : sequence of str, optional
            Names.

        Returns
        -------
        ContingencyTable

        Raises
        ------
        TableError
            If a count is wrong or a place lies outside the shape.
        """
        cells = checked_cells(shape, rows, columns, counts)
        r, c = int(shape[0]), int(shape[1])
        return cls._of(
            (r, c),
            cells,
            _names(truth, r, "T", "truth class", "rows"),
            _names(clusters, c, "C", "cluster", "columns"),
        )

    @classmethod
    def from_checked(
        cls, counts: IntArray, truth: Sequence[str], clusters: Sequence[str]
    ) -> ContingencyTable:
        """Make a table from counts that are known to be right, without looking at them.

        Parameters
        ----------
        counts : ndarray of int64, shape (r, c)
            As `checked_counts` returns them. The table takes them over: nobody may
            change them afterwards.
        truth, clusters : sequence of str
            Names.

        Returns
        -------
        ContingencyTable
        """
        counts.flags.writeable = False
        table = cls.__new__(cls)
        table._shape = (int(counts.shape[0]), int(counts.shape[1]))
        table.__dict__["counts"] = counts
        table._truth, table._clusters = tuple(truth), tuple(clusters)
        table._noise = None
        return table

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of truth classes (rows) and clusters (columns), empty ones included."""
        return self._shape

    @property
    def truth(self) -> tuple[str, ...]:
        """Names of the truth classes."""
        if not isinstance(self._truth, tuple):
            self._truth = self._truth()
        return self._truth

    @property
    def clusters(self) -> tuple[str, ...]:
        """Names of the clusters."""
        if not isinstance(self._clusters, tuple):
            self._clusters = self._clusters()
        return self._clusters

    @property
    def noise(self) -> Noise | None:
        """How noise was dealt with; None where the table was not made from labels."""
        return self._noise

    def with_noise(self, noise: Noise | None) -> ContingencyTable:
        """Return the same table with another record of how noise was dealt with."""
        table = type(self).__new__(type(self))
        table.__dict__.update(self.__dict__, _noise=noise)
        return table

    @cached_property
    def counts(self) -> IntArray:
        """The whole table, shape (r, c), read-only. Made on demand where it is sparse."""
        dense = np.zeros(self._shape, dtype=np.int64)
        dense[self.cells.rows, self.cells.columns] = self.cells.counts
        dense.flags.writeable = False
        return dense

    @cached_property
    def cells(self) -> Cells:
        """The non-empty cells, row by row."""
        counts = self.counts.reshape(-1)
        # In pieces, because numpy holds the interpreter's lock while it searches, and a
        # window may be waiting for it.
        flat = np.concatenate(
            [
                np.flatnonzero(counts[start : start + _PIECE]) + start
                for start in range(0, len(counts), _PIECE)
            ]
        )
        rows, columns = np.divmod(flat, self._shape[1])
        return frozen_cells(rows, columns, counts[flat])

    @cached_property
    def total(self) -> int:
        """Number of items, N."""
        return int(self.cells.counts.sum())

    @cached_property
    def row_sums(self) -> IntArray:
        """Size of each truth class, shape (r,)."""
        return self._margin(self.cells.rows, self._shape[0])

    @cached_property
    def column_sums(self) -> IntArray:
        """Size of each cluster, shape (c,)."""
        return self._margin(self.cells.columns, self._shape[1])

    def _margin(self, index: IntArray, n: int) -> IntArray:
        sums = np.zeros(n, dtype=np.int64)
        np.add.at(sums, index, self.cells.counts)
        sums.flags.writeable = False
        return sums

    def transpose(self) -> ContingencyTable:
        """Return the table with truth classes and clusters exchanged.

        The record of noise then says that truth labels were treated.
        """
        rows, columns, counts = self.cells
        order = np.argsort(columns, kind="stable")
        return ContingencyTable._of(
            (self._shape[1], self._shape[0]),
            frozen_cells(columns[order], rows[order], counts[order]),
            self._clusters,
            self._truth,
            None if self._noise is None else self._noise.transposed(),
        )

    def _effect(self) -> Noise | None:
        """Return the record of noise where the counts would be others without it."""
        return self._noise if self._noise is not None and self._noise.changed else None

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, ContingencyTable):
            return NotImplemented
        return (
            self._shape == other._shape
            and self._effect() == other._effect()
            and all(np.array_equal(a, b) for a, b in zip(self.cells, other.cells, strict=True))
            and self.truth == other.truth
            and self.clusters == other.clusters
        )

    def __hash__(self) -> int:
        # Names are left out: tables that differ in them alone are few, and they may be many.
        return hash((self._shape, self._effect(), self.cells.counts.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        # Arrays that are unpickled could be written to; those made anew cannot.
        return _restored, (self._shape, *self.cells, self._truth, self._clusters, self._noise)

    def __repr__(self) -> str:
        r, c = self._shape
        return f"<ContingencyTable: {r} truth classes x {c} clusters, N = {self.total:,}>"


def _restored(
    shape: tuple[int, int],
    rows: IntArray,
    columns: IntArray,
    counts: IntArray,
    truth: Names,
    clusters: Names,
    noise: Noise | None,
) -> ContingencyTable:
    """Return a table that was pickled."""
    return ContingencyTable._of(shape, frozen_cells(rows, columns, counts), truth, clusters, noise)


def _names(names: Sequence[str] | None, n: int, prefix: str, what: str, axis: str) -> Names:
    if names is None:
        return partial(default_names, prefix, n)
    given = tuple(names) if not isinstance(names, str) else (names,)
    if len(given) != n:
        raise TableError(f"there are {len(given)} {what} names for {n} {axis}")
    for i, name in enumerate(given):
        if not isinstance(name, str):
            raise TableError(f"{what} name {i + 1} is {name!r}: names are text", value=name)
    return given
