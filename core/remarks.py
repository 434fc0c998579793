"""What a reader of a table's scores should know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from core.table import ContingencyTable


def remarks(
    table: ContingencyTable, tied: Sequence[int], ties_matter: bool | None = True
) -> Iterator[str]:
    """Yield what a reader of the scores should know: ties, empty classes, margins, names.

    Parameters
    ----------
    table : ContingencyTable
    tied : sequence of int
        Rows whose largest count stands in several columns, counted from 0.
    ties_matter : bool or None
        Whether associativity depends on how their ties are broken; None where that has not
        been looked at.

    Yields
    ------
    str
        A sentence without capital and full stop.
    """
    if not table.total:
        return
    if table.noise is not None and table.noise.sentence is not None:
        yield table.noise.sentence
    if tied and ties_matter is not False:
        names = _listed([table.truth[i] for i in tied])
        one = len(tied) == 1
        yield (
            f"{'class' if one else 'classes'} {names} {'has' if one else 'have'} several largest "
            "cells: associativity takes the first, so it "
            f"{'depends' if ties_matter else 'may depend'} on the order of the clusters"
        )
    for sums, names_of, one_word, many in (
        (table.row_sums, table.truth, "class", "classes"),
        (table.column_sums, table.clusters, "cluster", "clusters"),
    ):
        empty = np.flatnonzero(sums == 0).tolist()
        if empty:
            names = _listed([names_of[i] for i in empty])
            word, verb = (one_word, "is") if len(empty) == 1 else (many, "are")
            yield f"{word} {names} {verb} empty and left out"
        yield from _repeated_names(names_of, one_word, many)
    yield from _margins(table)
    r, c = np.count_nonzero(table.row_sums), np.count_nonzero(table.column_sums)
    if c < r:
        yield (
            f"there are fewer clusters ({c}) than truth classes ({r}): "
            "some classes must share one, so associativity cannot reach 1"
        )


def remarks_on_several(
    tables: Sequence[ContingencyTable], tied: Sequence[str] = ()
) -> Iterator[str]:
    """Yield what a reader should know before tables are ranked by their scores.

    Parameters
    ----------
    tables : sequence of ContingencyTable
    tied : sequence of str
        What those are called whose associativity depends on how ties are broken.

    Yields
    ------
    str
        A sentence without capital and full stop.
    """
    if len(tables) < 2:
        return
    yield from _other_data(tables)
    if tied:
        yield (
            f"associativity depends on ties in {_listed(tied)}: "
            "ranks by it and by AP may depend on the order of the clusters"
        )


def _other_data(tables: Sequence[ContingencyTable]) -> Iterator[str]:
    """Yield what tells that tables do not cluster the same data."""
    totals = [table.total for table in tables]
    if min(totals) != max(totals):
        yield (
            f"the tables have different numbers of items, {min(totals):,} to {max(totals):,}: "
            "they do not cluster the same data, so a rank among them says little"
        )
        return
    sizes = [np.sort(table.row_sums[table.row_sums > 0]) for table in tables]
    if any(not np.array_equal(sizes[0], other) for other in sizes[1:]):
        yield (
            "the truth classes of the tables have different sizes: they do not cluster the same "
            "data, so a rank among them says little"
        )


def _repeated_names(names: Sequence[str], one: str, many: str) -> Iterator[str]:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        word = f"a {one} name is" if len(twice) == 1 else f"{len(twice)} {one} names are"
        yield f"{word} used twice ({_listed(twice)}): the {many} are kept apart all the same"


# Larger tables are data, whose last line is not looked at for a sum.
_MARGIN_CELLS = 1_000_000


def _margins(table: ContingencyTable) -> Iterator[str]:
    """Yield what looks like a margin that came with the table and is scored with it."""
    r, c = table.shape
    if r * c > _MARGIN_CELLS:
        return
    for counts, sums, names, what in (
        (table.counts[:, -1], table.row_sums, table.clusters, "cluster"),
        (table.counts[-1], table.column_sums, table.truth, "class"),
    ):
        # With one other line, equal counts may well be data.
        if len(names) > 2 and np.array_equal(counts, sums - counts):
            yield (
                f"{what} {names[-1]} is the sum of the others: "
                "if it is a margin, delete it, or it is scored as data"
            )


def _listed(names: Sequence[str], most: int = 5) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
