"""Random tables, labels and margins for hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Table = list[list[int]]

SMALL = st.one_of(st.integers(0, 3), st.integers(0, 12))
USUAL = st.one_of(st.just(0), st.integers(0, 3), st.integers(0, 50), st.integers(0, 3000))
# Ones beside giants, and giants that differ by next to nothing.
HUGE = st.one_of(
    st.integers(0, 3),
    st.integers(0, 10**6),
    st.integers(0, 10**12),
    st.integers(10**12 - 5, 10**12),
    st.integers(10**9 - 5, 10**9 + 5),
)


@st.composite
def tables(
    draw: Any, count: st.SearchStrategy[int] = USUAL, most: int = 6, items: bool = True
) -> Table:
    """Draw a table of at most ``most`` rows and columns; with ``items`` it has at least one."""
    r, c = draw(st.integers(1, most)), draw(st.integers(1, most))
    row = st.lists(count, min_size=c, max_size=c)
    table: Table = draw(st.lists(row, min_size=r, max_size=r))
    if items and not any(map(any, table)):
        table[draw(st.integers(0, r - 1))][draw(st.integers(0, c - 1))] = draw(st.integers(1, 9))
    return table


@st.composite
def nearly_independent(draw: Any) -> Table:
    """Draw rows that are nearly alike, some of a few items only, some cells empty."""
    c = draw(st.integers(2, 4))
    level = 10 ** draw(st.integers(3, 12))
    spread = level // 10 ** draw(st.integers(1, 12))
    wide = st.lists(st.integers(max(level - spread, 0), level + spread), min_size=c, max_size=c)
    rare = st.lists(st.integers(0, 2), min_size=c, max_size=c)
    table: Table = draw(st.lists(wide, min_size=2, max_size=3))
    table += draw(st.lists(rare, max_size=2))
    return table


@st.composite
def identical_partitions(draw: Any) -> Table:
    """Draw a table of two partitions that differ in names alone."""
    sizes = draw(
        st.lists(
            st.one_of(st.just(1), st.integers(1, 9), st.integers(1, 10**12)),
            min_size=1,
            max_size=12,
        )
    )
    order = draw(st.permutations(range(len(sizes))))
    return [
        [size if j == order[i] else 0 for j in range(len(sizes))] for i, size in enumerate(sizes)
    ]


@st.composite
def refinements(draw: Any) -> Table:
    """Draw a table whose every column lies in one row."""
    r = draw(st.integers(1, 4))
    columns = draw(
        st.lists(st.tuples(st.integers(0, r - 1), st.integers(1, 10**6)), min_size=1, max_size=8)
    )
    return [[n if i == row else 0 for row, n in columns] for i in range(r)]
