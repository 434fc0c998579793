"""How ties between a row's largest cells may be broken: the extreme vote counts.

Both searches take the columns that each row may vote for and return an extreme of
``sum_j k_j (k_j - 1)`` over all choices, ``k_j`` being the votes for column j. The
smallest is an optimal semi-matching, found exactly at any size; the largest is a
set-cover problem, found by branch and bound with a limit on its work that does not
depend on the clock, so that the same table always gives the same answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Choices = Sequence[tuple[int, ...]]

# Columns looked at in the search for the largest sum: some quarter of a second of work.
_STEPS = 400_000

# Columns taken one after the other at most, because each takes a part of Python's stack.
_DEPTH = 100

# Rows that a look at a column costs one step for.
_ROWS_A_STEP = 512


class SearchTooLarge(Exception):  # noqa: N818 - a limit reached, not an error of the input
    """The search would take more work than its limit."""


def most_spread(choices: Choices) -> int:
    """Return the smallest ``sum_j k_j (k_j - 1)`` over all ways to break ties.

    Notes
    -----
    The sum is smallest when no chain of moves carries a vote from a column to one with
    two votes fewer (Harvey, Ladner, Lovász and Tamir, J. Algorithms 59 (2006), theorem
    3.1). The fullest columns are relieved first, many of them in one pass over the rows.
    When no chain leaves them any more, what their chains reach is settled: all these
    columns hold the same number of votes or one less, and no other column can do with fewer for
    their sake.
    """
    votes = _Votes(choices)
    settled: set[int] = set()
    while len(settled) < len(votes.load):
        moved, reached = votes.relieve(settled)
        if not moved:
            settled = reached
    return sum(k * (k - 1) for k in votes.load)


class _Votes:
    """A vote of each row, and the moves that spread them.

    Attributes
    ----------
    load : list of int
        Votes for each column, those of rows without ties included.
    """

    def __init__(self, choices: Choices) -> None:
        number = {c: i for i, c in enumerate(sorted({c for row in choices for c in row}))}
        self.load = [0] * len(number)
        for row in choices:
            if len(row) == 1:
                self.load[number[row[0]]] += 1
        # Rows with few choices first: those with many can still go elsewhere.
        self._choices = sorted(
            ([number[c] for c in row] for row in choices if len(row) > 1), key=len
        )
        self._voters: list[set[int]] = [set() for _ in number]
        for i, columns in enumerate(self._choices):
            column = min(columns, key=self.load.__getitem__)
            self.load[column] += 1
            self._voters[column].add(i)

    def relieve(self, settled: set[int]) -> tuple[bool, set[int]]:
        """Carry a vote from each fullest column, if a chain allows, to one with two fewer.

        Returns whether a vote has moved, and the settled columns with those that were
        reached. No two chains share a column.
        """
        left = [c for c in range(len(self.load)) if c not in settled]
        most = max(self.load[c] for c in left)
        reached = set(settled)
        moved = False
        for start in left:
            if self.load[start] == most and start not in reached:
                reached.add(start)
                moved |= self._relieve(start, reached)
        return moved, reached

    def _relieve(self, start: int, reached: set[int]) -> bool:
        few = self.load[start] - 2
        came_from: dict[int, tuple[int, int]] = {}
        queue = [start]
        for column in queue:
            for row in self._voters[column]:
                for target in self._choices[row]:
                    if target in reached:
                        continue
                    reached.add(target)
                    came_from[target] = (row, column)
                    if self.load[target] <= few:
                        self._move_along(target, came_from)
                        return True
                    queue.append(target)
        return False

    def _move_along(self, column: int, came_from: dict[int, tuple[int, int]]) -> None:
        self.load[column] += 1
        while column in came_from:
            row, previous = came_from[column]
            self._voters[previous].discard(row)
            self._voters[column].add(row)
            column = previous
        self.load[column] -= 1


def most_concentrated(choices: Choices) -> int:
    """Return the largest ``sum_j k_j (k_j - 1)`` over all ways to break ties.

    Raises
    ------
    SearchTooLarge

    Notes
    -----
    In a best choice the fullest of the columns takes every row that may vote for it:
    moving a vote to it never lowers the sum. The same holds of the rows that are left
    then. So the search is over the order of the columns.
    """
    tied = [columns for columns in choices if len(columns) > 1]
    search = _Concentration(tied)
    base = Counter(columns[0] for columns in choices if len(columns) == 1)
    covers = search.covers()
    base.update(dict.fromkeys(covers, 0))
    gain = search.most_gain(covers, base, -1, _DEPTH)
    return sum(k * k for k in base.values()) + gain - len(choices)


class _Concentration:
    """Branch and bound over the columns that take all their rows.

    ``covers`` maps columns to the rows that may vote for them, as bits of an integer, and
    ``base`` to the votes that they have already. A gain is what the votes of the rows add
    to ``sum_j k_j^2``.
    """

    def __init__(self, choices: Choices) -> None:
        self._choices = choices
        self._budget = _STEPS
        self._cost = 1 + len(choices) // _ROWS_A_STEP
        # Gains known exactly, and gains known not to be exceeded.
        self._known: dict[tuple[tuple[int, int, int], ...], int] = {}
        self._limits: dict[tuple[tuple[int, int, int], ...], int] = {}

    def covers(self) -> dict[int, int]:
        """Return the rows that may vote for each column."""
        # Four numbers cost about a step; the bits of many columns would not fit in memory.
        self._spend(sum(map(len, self._choices)) // (4 * self._cost))
        size = (len(self._choices) + 7) // 8
        bits: dict[int, bytearray] = {}
        for row, columns in enumerate(self._choices):
            byte, bit = row >> 3, 1 << (row & 7)
            for column in columns:
                if column not in bits:
                    self._spend(1)
                    bits[column] = bytearray(size)
                bits[column][byte] |= bit
        return {column: int.from_bytes(b, "little") for column, b in sorted(bits.items())}

    def most_gain(self, covers: dict[int, int], base: dict[int, int], need: int, depth: int) -> int:
        """Return the largest gain if it is above ``need``, else any number up to ``need``."""
        covers, base = dict(covers), dict(base)
        gain = self._settle(covers, base)
        groups = self._groups(covers)
        limits = [self._limit(group, base) for group in groups]
        rest = sum(limits)
        for group, limit in zip(groups, limits, strict=True):
            rest -= limit
            needed = need - gain - rest
            found = self._search(group, base, needed, depth) if limit > needed else needed
            if found <= needed:
                return need
            gain += found
        return gain

    def _search(self, covers: dict[int, int], base: dict[int, int], need: int, depth: int) -> int:
        """Do as `most_gain` for columns that hang together, none of them dominated."""
        key = tuple((c, rows, base[c]) for c, rows in covers.items())
        if key in self._known:
            return self._known[key]
        if self._limits.get(key, need + 1) <= need:
            return need
        if depth == 0:
            raise SearchTooLarge
        full = {c: base[c] + rows.bit_count() for c, rows in covers.items()}
        best = need
        for column in sorted(covers, key=lambda c: (-full[c], c)):
            # As the fullest, it bounds the others; those after it bound them more.
            if self._limit(covers, base, full[column]) <= best:
                break
            gain = full[column] ** 2 - base[column] ** 2
            taken = covers[column]
            left = {c: rows & ~taken for c, rows in covers.items() if rows & ~taken}
            if gain + self._limit(left, base, full[column]) <= best:
                continue
            best = max(best, gain + self.most_gain(left, base, best - gain, depth - 1))
        if best > need:
            self._known[key] = best
        else:
            self._limits[key] = need
        return best

    def _limit(self, covers: dict[int, int], base: dict[int, int], most: int | None = None) -> int:
        """Return no less than the gain of all rows with at most ``most`` votes a column.

        The t votes that take a column from b to b + t add ``2 b + t`` each on average:
        no more than where it takes all the rows it can. So each row goes to the dearest of its
        columns, as if that took all its rows. Returns -1 where the votes have no room.
        """
        self._spend(2 * len(covers))
        prices = []
        for column, rows in covers.items():
            votes = rows.bit_count()
            if most is not None:
                votes = min(votes, most - base[column])
            if votes > 0:
                prices.append((2 * base[column] + votes, rows))
            elif most is not None and votes < 0:
                return -1
        prices.sort(reverse=True)
        left = 0
        for rows in covers.values():
            left |= rows
        gain = 0
        for price, rows in prices:
            gain += price * (rows & left).bit_count()
            left &= ~rows
        return -1 if left else gain

    def _settle(self, covers: dict[int, int], base: dict[int, int]) -> int:
        """Drop columns that no best choice needs and votes without a choice, in place.

        Returns the gain of these votes. A column is dominated by one that has no fewer
        votes already and whose rows include its own: moving its votes there never lowers
        the sum.
        """
        gain = 0
        changed = True
        while changed:
            changed = False
            once = twice = 0
            for rows in covers.values():
                twice |= once & rows
                once |= rows
            single = once & ~twice
            self._spend(len(covers))
            for column, rows in list(covers.items()):
                votes = (rows & single).bit_count()
                gain += votes * (2 * base[column] + votes)
                base[column] += votes
                covers[column] = rows & ~single
                if not covers[column]:
                    del covers[column]
            for column in sorted(covers, key=lambda c: (base[c] + covers[c].bit_count(), -c)):
                if self._is_dominated(column, covers, base):
                    del covers[column]
                    changed = True
        return gain

    def _is_dominated(self, column: int, covers: dict[int, int], base: dict[int, int]) -> bool:
        rows, votes = covers[column], base[column]
        lowest = (rows & -rows).bit_length() - 1
        for looked_at, other in enumerate(self._choices[lowest], start=1):
            wider = other != column and not rows & ~covers.get(other, 0)
            if wider and base[other] >= votes:
                self._spend(looked_at)
                return True
        self._spend(len(self._choices[lowest]))
        return False

    def _groups(self, covers: dict[int, int]) -> list[dict[int, int]]:
        """Split columns into groups that share no row."""
        groups: list[tuple[int, dict[int, int]]] = []
        for column, rows in covers.items():
            self._spend(1 + len(groups))
            joined, columns = rows, {column: rows}
            apart = []
            for group in groups:
                if group[0] & rows:
                    joined |= group[0]
                    columns = group[1] | columns
                else:
                    apart.append(group)
            groups = [*apart, (joined, columns)]
        return [columns for _, columns in groups]

    def _spend(self, columns: int) -> None:
        self._budget -= columns * self._cost
        if self._budget < 0:
            raise SearchTooLarge
