"""Items that a clustering left out as noise: what is done with them, and its record."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from core.counts import TableError
from core.labels import Codes, Distinct, Labels, Names, label_name, names_of

NoiseChoice = Literal["cluster", "drop", "singletons"]
NoiseSide = Literal["clusters", "truth"]


@dataclass(frozen=True)
class Noise:
    """How items that a clustering left out as noise were counted.

    Attributes
    ----------
    choice : {"cluster", "drop", "singletons"}
        They were kept as one cluster, dropped, or each became a cluster of its own.
    labels : tuple of str
        The labels that mean noise, as names.
    items : int
        Number of items that had one of them.
    lost : int
        Number of truth classes that had no other items, where they were dropped.
    of : {"clusters", "truth"}
        Whose labels they were; truth where the table has been transposed.
    """

    choice: NoiseChoice
    labels: tuple[str, ...]
    items: int
    lost: int = 0
    of: NoiseSide = "clusters"

    @property
    def changed(self) -> bool:
        """Whether the counts differ from those of the labels as they came."""
        return self.choice != "cluster" and self.items > 0

    @property
    def sentence(self) -> str | None:
        """What a reader of the scores must know, as a clause; None if there is nothing."""
        if not self.items:
            if self.choice == "cluster":
                return None
            return f"no item was labelled {self._labels}, so none was treated as noise"
        many = self.items > 1
        items = f"{self.items:,} {'items' if many else 'item'} labelled {self._labels}"
        were = "were" if many else "was"
        group, other = "cluster", "truth class"
        if self.of == "truth":
            group, other = other, group
        if self.choice == "cluster":
            one = _several(group) if many and len(self.labels) > 1 else f"one {group}"
            return f"{items} {were} kept as {one}"
        if self.choice == "singletons":
            own = f"{_several(group)} of their own" if many else f"a {group} of its own"
            return f"{items} became {own}"
        also = ""
        if self.lost:
            lost = f"{self.lost:,} {other if self.lost == 1 else _several(other)}"
            also = f", and with {'them' if many else 'it'} {lost} that had no others"
        return f"{items} {were} dropped as noise{also}"

    @property
    def _labels(self) -> str:
        return " or ".join(self.labels)

    def transposed(self) -> Noise:
        """Return the record of the table with truth classes and clusters exchanged."""
        return replace(self, of="truth" if self.of == "clusters" else "clusters")


def _several(group: str) -> str:
    return group + ("es" if group.endswith("s") else "s")


class NoiseRule(NamedTuple):
    """What the caller says of noise: the choice, and the labels that mean it."""

    choice: NoiseChoice
    labels: tuple[Hashable, ...]


def noise_rule(choice: NoiseChoice, label: Any) -> NoiseRule:
    """Return the choice and the labels that mean noise, or say what is wrong with them."""
    if choice not in get_args(NoiseChoice):
        raise ValueError(f"noise is {choice!r}: choose {', '.join(get_args(NoiseChoice))}")
    labels: tuple[Any, ...] = (label,)
    if isinstance(label, tuple | frozenset | range) or not _is_hashable(label):
        try:
            labels = tuple(label)
        except TypeError:
            raise _no_noise(label) from None
    for one in labels:
        if not _is_hashable(one):
            raise _no_noise(one)
    if not labels:
        raise ValueError("noise_label is empty: name at least one label")
    if isinstance(label, set | frozenset):
        # Sets have no order; what is written of them shall not differ from run to run.
        labels = tuple(sorted(labels, key=label_name))
    return NoiseRule(choice, tuple(dict.fromkeys(labels)))


def _is_hashable(label: object) -> bool:
    try:
        hash(label)
    except TypeError:
        return False
    return True


def _no_noise(label: object) -> ValueError:
    return ValueError(f"noise_label is {label!r}, which cannot serve as a label")


class Grouped(NamedTuple):
    """Items as codes, the names that codes stand for, and how noise was dealt with.

    Attributes
    ----------
    rows, columns : ndarray of int, shape (n,)
        Truth class and cluster of each item that is counted.
    shape : (int, int)
        Numbers of truth classes and clusters.
    truth, clusters : tuple of str, or callable
        Their names, or what makes them.
    noise : Noise
    """

    rows: Codes
    columns: Codes
    shape: tuple[int, int]
    truth: Names
    clusters: Names
    noise: Noise


def grouped(truth: Labels, cluster: Labels, rule: NoiseRule) -> Grouped:
    """Return items by truth class and cluster, after noise has been dealt with.

    Parameters
    ----------
    truth, cluster : Labels
        Those of the same items; ``cluster.noise`` says which clusters are noise.
    rule : NoiseRule

    Returns
    -------
    Grouped
        Clusters of one item each stand behind the others.

    Raises
    ------
    TableError
        If all items are noise and shall be dropped.
    """
    rows, columns = truth.codes, cluster.codes
    record = Noise(rule.choice, tuple(map(label_name, rule.labels)), 0)
    classes, clusters = truth.distinct, cluster.distinct
    shape = len(classes), len(clusters)
    if not cluster.noise:
        return Grouped(rows, columns, shape, names_of(classes), names_of(clusters), record)
    kept = np.ones(len(clusters), dtype=np.bool_)
    kept[list(cluster.noise)] = False
    is_noise = ~kept[columns]
    record = replace(record, items=int(np.count_nonzero(is_noise)))
    if rule.choice == "cluster":
        return Grouped(rows, columns, shape, names_of(classes), names_of(clusters), record)
    if rule.choice == "singletons":
        alone = np.flatnonzero(is_noise)
        columns, clusters = _among(columns, clusters, kept)
        columns[alone] = np.arange(len(clusters), len(clusters) + len(alone))
        shape = len(classes), len(clusters) + len(alone)
        return Grouped(rows, columns, shape, names_of(classes), names_of(clusters, alone), record)
    if record.items == len(columns):
        raise TableError(
            f"every item is labelled {' or '.join(record.labels)}, so none is left when noise is "
            'dropped: keep it with noise="cluster" or noise="singletons"'
        )
    rows, columns = rows[~is_noise], columns[~is_noise]
    columns, clusters = _among(columns, clusters, kept)
    has_items = np.bincount(rows, minlength=len(classes)) > 0
    record = replace(record, lost=int(np.count_nonzero(~has_items)))
    if record.lost:
        rows, classes = _among(rows, classes, has_items)
    shape = len(classes), len(clusters)
    return Grouped(rows, columns, shape, names_of(classes), names_of(clusters), record)


def _among(codes: Codes, distinct: Distinct, kept: npt.NDArray[np.bool_]) -> tuple[Codes, Distinct]:
    """Return codes anew, counted among the labels that are kept, and these."""
    rank = np.cumsum(kept, dtype=codes.dtype) - 1
    if isinstance(distinct, tuple):
        return rank[codes], tuple(compress(distinct, kept.tolist()))
    return rank[codes], distinct[kept]
