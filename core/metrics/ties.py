"""How ties between a row's largest cells may be broken: the extreme vote counts.

Both searches take the columns that each row may vote for and return an extreme of
``sum_j k_j (k_j - 1)`` over all choices, ``k_j`` being the votes for column j. The
smallest is an optimal semi-matching, found by augmenting paths; the largest is a
set-cover problem, found by branch and bound with a limit on its work that does not
depend on the clock, so that the same table always gives the same answer.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence

Choices = Sequence[tuple[int, ...]]

# About a second of work at most, far beyond what real tables need.
_STEPS = 400_000

# Columns taken one after the other at most: a longer search would outgrow its steps, and
# Python's stack before them.
_DEPTH = 200


class SearchTooLarge(Exception):  # noqa: N818 - a limit reached, not an error of the input
    """The search would take more work than its limit."""


def collisions(votes: Counter[int]) -> int:
    """Return ``sum_j k_j (k_j - 1)``."""
    return sum(k * (k - 1) for k in votes.values())


def most_spread(choices: Choices) -> int:
    """Return the smallest ``sum_j k_j (k_j - 1)`` over all ways to break ties.

    Raises
    ------
    SearchTooLarge
    """
    votes: Counter[int] = Counter()
    vote: list[int] = []
    voters: dict[int, set[int]] = {}
    for row, columns in enumerate(choices):
        column = min(columns, key=lambda c: (votes[c], c))
        votes[column] += 1
        vote.append(column)
        voters.setdefault(column, set()).add(row)
    budget = _STEPS
    improved = True
    while improved:
        improved = False
        for start in sorted((c for c in votes if votes[c] > 1), key=lambda c: -votes[c]):
            while votes[start] > 1:
                path, steps = _path_to_emptier(start, choices, votes, voters)
                budget -= steps
                if budget < 0:
                    raise SearchTooLarge
                if not path:
                    break
                for row, target in path:
                    voters[vote[row]].discard(row)
                    votes[vote[row]] -= 1
                    vote[row] = target
                    voters.setdefault(target, set()).add(row)
                    votes[target] += 1
                improved = True
    return collisions(votes)


def _path_to_emptier(
    start: int, choices: Choices, votes: Counter[int], voters: dict[int, set[int]]
) -> tuple[list[tuple[int, int]], int]:
    """Return moves (row, new column) that carry one vote to a column with two fewer."""
    came_from: dict[int, tuple[int, int]] = {}
    seen = {start}
    queue = deque([start])
    steps = 0
    while queue:
        column = queue.popleft()
        for row in sorted(voters.get(column, ())):
            for target in choices[row]:
                steps += 1
                if target in seen:
                    continue
                seen.add(target)
                came_from[target] = (row, column)
                if votes[target] <= votes[start] - 2:
                    path = []
                    while target != start:
                        row, previous = came_from[target]
                        path.append((row, target))
                        target = previous
                    return path, steps
                queue.append(target)
    return [], steps


def most_concentrated(choices: Choices) -> int:
    """Return the largest ``sum_j k_j (k_j - 1)`` over all ways to break ties.

    Raises
    ------
    SearchTooLarge

    Notes
    -----
    In a best choice some column takes every row that may vote for it, then the next
    takes every row left to it, and so on: moving a vote to the fuller column never
    lowers the sum. So the search is over the order of the columns.
    """
    open_rows = [set(columns) for columns in choices if len(columns) > 1]
    fixed = Counter(columns[0] for columns in choices if len(columns) == 1)
    total = 0
    # Members of a set cost about a quarter of a step each, here and in the search.
    budget = [_STEPS - sum(map(len, open_rows)) // 4]
    if budget[0] < 0:
        raise SearchTooLarge
    tied_columns: set[int] = set()
    for rows in _components(open_rows):
        columns = set().union(*rows)
        tied_columns |= columns
        base = {c: fixed[c] for c in columns}
        total += _Concentration(rows, base, budget).best()
    return total + sum(k * (k - 1) for c, k in fixed.items() if c not in tied_columns)


def _components(rows: list[set[int]]) -> list[list[set[int]]]:
    """Split rows into groups that share no column."""
    parent: dict[int, int] = {}

    def root(column: int) -> int:
        while parent.setdefault(column, column) != column:
            parent[column] = parent[parent[column]]
            column = parent[column]
        return column

    for columns in rows:
        first, *others = sorted(columns)
        for other in others:
            parent[root(other)] = root(first)
    groups: dict[int, list[set[int]]] = {}
    for columns in rows:
        groups.setdefault(root(min(columns)), []).append(columns)
    return list(groups.values())


class _Concentration:
    """Branch and bound for rows that hang together."""

    def __init__(self, rows: list[set[int]], base: dict[int, int], budget: list[int]) -> None:
        self._base = base
        self._budget = budget
        covers: dict[int, set[int]] = {c: set() for c in base}
        for i, columns in enumerate(rows):
            for column in columns:
                covers[column].add(i)
        self._covers = {c: frozenset(takers) for c, takers in covers.items()}
        self._all = frozenset(range(len(rows)))
        self._best = -1
        self._reached: dict[frozenset[int], int] = {}

    def best(self) -> int:
        self._search(self._all, self._covers, 0, _DEPTH)
        return self._best

    def _most_gain(self, votes: int, covers: dict[int, frozenset[int]]) -> int:
        """Return no less than what the votes left can add to the sum.

        The first t votes for a column that holds b add ``t (2b + t - 1)``: for each vote
        no more than where it takes all the rows it can. So the dearest columns are filled
        first, as if no row were wanted twice.
        """
        gain = 0
        prices = sorted(
            ((2 * self._base[c] + len(rows) - 1, len(rows)) for c, rows in covers.items())
        )
        while votes:
            price, room = prices.pop()
            gain += price * min(room, votes)
            votes -= min(room, votes)
        return gain

    def _search(
        self, left: frozenset[int], covers: dict[int, frozenset[int]], value: int, depth: int
    ) -> None:
        """Extend a partial order of columns; ``covers`` holds those not yet taken."""
        self._budget[0] -= 1 + len(covers) + sum(map(len, covers.values())) // 4
        if self._budget[0] < 0 or depth == 0:
            raise SearchTooLarge
        rest = sum(self._base[c] * (self._base[c] - 1) for c in covers)
        if not left:
            self._best = max(self._best, value + rest)
            return
        # What is still to gain depends on the rows left alone, not on how it came to them.
        if self._reached.get(left, -1) >= value + rest:
            return
        self._reached[left] = value + rest
        if value + rest + self._most_gain(len(left), covers) <= self._best:
            return
        order = sorted(
            (c for c, rows in covers.items() if rows),
            key=lambda c: (-(self._base[c] + len(covers[c])), c),
        )
        tried: set[tuple[int, frozenset[int]]] = set()
        for column in order:
            taken = covers[column]
            if (self._base[column], taken) in tried:
                continue
            tried.add((self._base[column], taken))
            full = self._base[column] + len(taken)
            remaining = {c: rows - taken for c, rows in covers.items() if c != column}
            self._search(left - taken, remaining, value + full * (full - 1), depth - 1)
