"""Scores in exact arithmetic, written from the definitions: what the tests compare with.

Counts are Python integers, ratios are fractions, logarithms have sixty digits. Nothing is
shared with the program, and nothing is fast.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from math import comb, factorial, perm, prod
from typing import Any, TypeVar

Table = Sequence[Sequence[int]]

DIGITS = Context(prec=60)

_Number = TypeVar("_Number", Fraction, Decimal)


def decimal(value: Fraction | int) -> Decimal:
    """Return a fraction with sixty digits."""
    value = Fraction(value)
    return DIGITS.divide(Decimal(value.numerator), Decimal(value.denominator))


def non_empty(table: Table) -> list[list[int]]:
    """Return the table as Python integers without its empty rows and columns."""
    rows = [[int(n) for n in row] for row in table if any(row)]
    if not rows:
        return []
    return [list(row) for row in zip(*(c for c in zip(*rows, strict=True) if any(c)), strict=True)]


def votes_by_tie(table: Table) -> Iterator[Fraction]:
    """Yield associativity for every way to break the ties, the first largest cells first."""
    rows = non_empty(table)
    peaks = [[j for j, n in enumerate(row) if n == max(row)] for row in rows]
    pairs = comb(len(rows), 2)
    for choice in itertools.product(*peaks):
        together = sum(comb(choice.count(j), 2) for j in set(choice))
        yield 1 - Fraction(together, pairs)


def row_peakiness(table: Table) -> list[Fraction]:
    """Return the peakiness of each non-empty row."""
    found = []
    for row in non_empty(table):
        first, second, *_ = [*sorted(row, reverse=True), 0]
        found.append(Fraction(first - second, first))
    return found


def pair_counts(table: Table) -> tuple[int, int, int, int]:
    """Return TP, FP, FN, TN."""
    both = sum(comb(n, 2) for row in table for n in row)
    truth = sum(comb(sum(row), 2) for row in table)
    cluster = sum(comb(sum(column), 2) for column in zip(*table, strict=True))
    all_pairs = comb(sum(map(sum, table)), 2)
    return both, cluster - both, truth - both, all_pairs - truth - cluster + both


def pair_scores(tp: int, fp: int, fn: int, tn: int) -> dict[str, Fraction | Decimal]:
    """Return the scores that the pairs of one table decide."""
    found: dict[str, Fraction | Decimal] = {}
    every = tp + fp + fn + tn
    found["rand"] = Fraction(tp + tn, every) if every else Fraction(1)
    found["jaccard"] = Fraction(tp, tp + fp + fn) if tp + fp + fn else Fraction(1)
    chance = Fraction((tp + fp) * (tp + fn), max(every, 1))
    room = Fraction(2 * tp + fp + fn, 2) - chance
    found["ari"] = (tp - chance) / room if fp or fn else Fraction(1)
    if tp:
        found["fowlkes_mallows"] = decimal(Fraction(tp * tp, (tp + fp) * (tp + fn))).sqrt(DIGITS)
    else:
        found["fowlkes_mallows"] = Fraction(int(fp == fn == 0))
    return found


def entropy(sizes: Sequence[int]) -> Decimal:
    """Return the entropy in nats."""
    total = sum(sizes)
    with localcontext(DIGITS):
        return -sum(
            (p * p.ln() for p in (decimal(Fraction(n, total)) for n in sizes if n)), Decimal(0)
        )


def mutual_information(table: Table) -> Decimal:
    """Return the mutual information in nats."""
    rows, columns = _margins(table)
    total = sum(rows)
    cells = zip((n for row in table for n in row), itertools.product(rows, columns), strict=True)
    if all(n * total == a * b for n, (a, b) in cells):
        return Decimal(0)
    with localcontext(DIGITS):
        return entropy(rows) + entropy(columns) - entropy([n for row in table for n in row])


def variation(table: Table) -> Decimal:
    """Return the variation of information in nats."""
    rows, columns = _margins(table)
    value = Decimal(0)
    with localcontext(DIGITS):
        for i, row in enumerate(table):
            for j, n in enumerate(row):
                if n:
                    ratio = Fraction(rows[i] * columns[j], n * n)
                    value += decimal(Fraction(n, sum(rows))) * decimal(ratio).ln()
    return value


def best_matching(table: Table) -> int:
    """Return the items in the best one-to-one matching, by the sets of columns in use."""
    rows = table if len(table) >= len(table[0]) else list(zip(*table, strict=True))
    best = {frozenset[int](): 0}
    for row in rows:
        for used, items in list(best.items()):
            for j, n in enumerate(row):
                if j not in used:
                    more = used | {j}
                    best[more] = max(best.get(more, 0), items + n)
    return max(best.values())


def _bcubed(table: Table) -> dict[str, Fraction]:
    rows, columns = _margins(table)
    total = sum(rows)
    precision = recall = Fraction(0)
    for i, row in enumerate(table):
        for j, n in enumerate(row):
            precision += Fraction(n * n, columns[j] * total)
            recall += Fraction(n * n, rows[i] * total)
    return {
        "bcubed_precision": precision,
        "bcubed_recall": recall,
        "bcubed_f": _harmonic(precision, recall),
    }


def _association(table: Table) -> dict[str, Fraction | Decimal | None]:
    rows, columns = _margins(table)
    total, r, c = sum(rows), len(rows), len(columns)
    phi = -Fraction(1)
    for i, row in enumerate(table):
        for j, n in enumerate(row):
            phi += Fraction(n * n, rows[i] * columns[j])
    with localcontext(DIGITS):
        return {
            "chi2": total * phi,
            "cramers_v": decimal(phi / (min(r, c) - 1)).sqrt() if min(r, c) > 1 else None,
            "measure_of_concordance": (
                decimal(phi) / (Decimal(r * c).sqrt() - 1) if r * c > 1 else Fraction(1)
            ),
        }


def expected_term(a: int, b: int, total: int) -> Decimal:
    """Return ``E[n ln(n N / (a b))]`` by the whole sum over the hypergeometric law."""
    # The law is symmetric in both margins; binomials are short where b is close to an end.
    a, b = sorted((a, b), key=lambda size: min(size, total - size), reverse=True)
    low, high = max(0, a + b - total), min(a, b)
    with localcontext(DIGITS):
        probability = decimal(Fraction(comb(a, low) * comb(total - a, b - low), comb(total, b)))
        value = Decimal(0)
        for n in range(low, high + 1):
            if n:
                value += probability * n * decimal(Fraction(n * total, a * b)).ln()
            probability *= (a - n) * (b - n)
            probability /= (n + 1) * (total - a - b + n + 1)
        return value


def expected_mutual_information(table: Table) -> Decimal:
    """Return the expected mutual information under the margins, in nats."""
    rows, columns = _margins(table)
    total = sum(rows)
    value = Decimal(0)
    with localcontext(DIGITS):
        for a, b in itertools.product(sorted(set(rows)), sorted(set(columns))):
            value += rows.count(a) * columns.count(b) * expected_term(a, b, total)
        return value / total


def tables_with_margins(rows: Sequence[int], columns: Sequence[int]) -> Iterator[list[list[int]]]:
    """Yield every table with these margins."""
    if len(rows) == 1:
        yield [list(columns)]
        return
    spans = [range(min(rows[0], n) + 1) for n in columns]
    for first in itertools.product(*spans):
        if sum(first) == rows[0]:
            left = [n - used for n, used in zip(columns, first, strict=True)]
            for rest in tables_with_margins(rows[1:], left):
                yield [list(first), *rest]


def sum_of_squares(table: Table) -> int:
    """Return the sum of the squared counts."""
    return sum(int(n) ** 2 for row in table for n in row)


def extremes(table: Table) -> dict[str, float | int]:
    """Return the least and the most agreement over every table with the margins, by key."""
    margins = _margins(non_empty(table))
    found: dict[str, set[Fraction | Decimal | int]] = {}
    seen: set[tuple[int, ...]] = set()
    for other in tables_with_margins(*margins):
        squares, pairs = sum_of_squares(other), pair_counts(other)
        if (squares, *pairs) in seen:
            continue
        seen.add((squares, *pairs))
        found.setdefault("sum_of_squares", set()).add(squares)
        for key, value in pair_scores(*pairs).items():
            found.setdefault(key, set()).add(value)
    values: dict[str, float | int] = {}
    for key, reached in found.items():
        for end, extreme in (("min", min(reached)), ("max", max(reached))):
            values[f"{key}_{end}"] = extreme if isinstance(extreme, int) else float(extreme)
    given, most = pair_scores(*pair_counts(table))["ari"], max(found["ari"])
    if most:
        values["ari_of_max"] = float(Fraction(given) / Fraction(most))
    return values


def largest_sum_of_squares(rows: Sequence[int], columns: Sequence[int]) -> int:
    """Return the largest sum of squares over the vertices of the transportation polytope.

    The cells of a vertex form a forest, so some line has one cell only: it is filled, and
    what is left is a vertex again. All ways are tried.
    """

    @functools.cache
    def most(a: tuple[int, ...], b: tuple[int, ...]) -> int:
        if not a:
            return 0
        found = 0
        for x, y in itertools.product(set(a), set(b)):
            n = min(x, y)
            left = []
            for sums, size in ((a, x), (b, y)):
                others = list(sums)
                others.remove(size)
                left.append(tuple(sorted([*others, size - n] if size > n else others)))
            found = max(found, n * n + most(*left))
        return found

    return most(tuple(sorted(rows)), tuple(sorted(columns)))


def residual_cycle_costs_less(table: Table) -> bool:
    """Say whether items can go round a cycle of cells so that the sum of squares falls.

    One more item in a cell of n adds 2 n + 1, one less takes 2 n - 1. If no cycle has costs
    below 0 then no table with the same margins has a smaller sum (Bellman and Ford).
    """
    r, c = len(table), len(table[0])
    arcs = []
    for i, j in itertools.product(range(r), range(c)):
        n = int(table[i][j])
        arcs.append((i, r + j, 2 * n + 1))
        if n:
            arcs.append((r + j, i, 1 - 2 * n))
    cost = [0] * (r + c)
    for _ in range(r + c):
        changed = False
        for tail, head, step in arcs:
            if cost[tail] + step < cost[head]:
                cost[head] = cost[tail] + step
                changed = True
        if not changed:
            return False
    return True


def probability(table: Table) -> Fraction:
    """Return the probability of a table among all that shuffled labels may give."""
    rows, columns = _margins(table)
    above = prod(factorial(n) for n in [*rows, *columns])
    return Fraction(above, factorial(sum(rows)) * prod(factorial(n) for row in table for n in row))


def ap(table: Table, empty: int = 0) -> Fraction:
    """Return AP; so many empty classes enter its mean peakiness as 0."""
    given = non_empty(table)
    votes = [row.index(max(row)) for row in given]
    together = sum(comb(votes.count(j), 2) for j in set(votes))
    peakiness = Fraction(sum(row_peakiness(given)), len(given) + empty)
    return _harmonic(1 - Fraction(together, comb(len(given), 2)), peakiness)


def expected_ap(rows: Sequence[int], columns: Sequence[int], empty: int = 0) -> Fraction:
    """Return the mean AP of all tables with these margins, over all orders of the columns."""
    orders = list(itertools.permutations(range(len(columns))))
    value = Fraction(0)
    for table in tables_with_margins(rows, columns):
        turned = [[[row[j] for j in order] for row in table] for order in orders]
        value += probability(table) * sum(ap(t, empty) for t in turned) / len(orders)
    return value


def entropy_of_order(sizes: Sequence[int], q: float) -> Decimal:
    """Return the Tsallis entropy of order q, for q = 1 Shannon's in nats."""
    if q == 1:
        return entropy(sizes)
    total, order = sum(sizes), Decimal(q)
    with localcontext(DIGITS):
        shares = [decimal(Fraction(n, total)) for n in sizes if n]
        return (1 - sum(((p.ln() * order).exp() for p in shares), Decimal(0))) / (order - 1)


def information_of_order(table: Table, q: float) -> Decimal:
    """Return ``H_q(truth) + H_q(cluster) - H_q(truth, cluster)``."""
    rows, columns = _margins(table)
    with localcontext(DIGITS):
        both = entropy_of_order(rows, q) + entropy_of_order(columns, q)
        return both - entropy_of_order([n for row in table for n in row], q)


def chance_of(table: Table) -> Decimal:
    """Return the probability of a table under its margins."""
    rows, columns = _margins(table)
    ways, all_ways = 1, 1
    for row, size in zip(table[1:], rows[1:], strict=True):
        # Which items of each cluster are of this class; the first class takes the rest.
        ways *= prod(comb(n, k) for n, k in zip(columns, row, strict=True))
        all_ways *= comb(sum(columns), size)
        columns = [n - k for n, k in zip(columns, row, strict=True)]
    return decimal(Fraction(ways, all_ways))


def information_moments(
    rows: Sequence[int], columns: Sequence[int], q: float
) -> tuple[Decimal, Decimal]:
    """Return mean and variance of the information over all tables with these margins."""
    *small, largest = sorted(rows)
    with localcontext(DIGITS):
        found = []
        for rest in _fillings(small, list(columns)):
            first = [n - sum(row[j] for row in rest) for j, n in enumerate(columns)]
            table = [first, *rest]
            assert sum(table[0]) == largest
            found.append((chance_of(table), information_of_order(table, q)))
        mean = sum((p * x for p, x in found), Decimal(0))
        return mean, sum((p * (x - mean) ** 2 for p, x in found), Decimal(0))


def _fillings(rows: Sequence[int], columns: list[int]) -> Iterator[list[list[int]]]:
    """Yield the rows of every table in which something may be left of the columns."""
    if not rows:
        yield []
        return
    for first in _compositions(rows[0], columns):
        left = [n - k for n, k in zip(columns, first, strict=True)]
        for rest in _fillings(rows[1:], left):
            yield [first, *rest]


def _compositions(total: int, most: Sequence[int]) -> Iterator[list[int]]:
    if len(most) == 1:
        if total <= most[0]:
            yield [total]
        return
    for n in range(max(0, total - sum(most[1:])), min(total, most[0]) + 1):
        for rest in _compositions(total - n, most[1:]):
            yield [n, *rest]


def power_moments(rows: Sequence[int], columns: Sequence[int], q: int) -> tuple[Fraction, Fraction]:
    """Return mean and variance of the information of a whole order, whatever the counts.

    A product of falling factorials of cells has the expectation
    ``prod [a_i]_k prod [b_j]_l / [N]_m``, k, l and m its degrees in a row, a column and in
    all; powers are sums of falling factorials.
    """
    total = sum(rows)

    def moment(cells: Sequence[tuple[int, int, int]]) -> Fraction:
        in_row: dict[int, int] = {}
        in_column: dict[int, int] = {}
        for i, j, k in cells:
            in_row[i] = in_row.get(i, 0) + k
            in_column[j] = in_column.get(j, 0) + k
        ways = prod(perm(rows[i], k) for i, k in in_row.items())
        ways *= prod(perm(columns[j], k) for j, k in in_column.items())
        return Fraction(ways, perm(total, sum(in_row.values()))) if ways else Fraction(0)

    once, twice = stirling_numbers(q), stirling_numbers(2 * q)
    cells = list(itertools.product(range(len(rows)), range(len(columns))))
    mean = sum((s * moment([(*x, k)]) for x in cells for k, s in once.items()), Fraction(0))
    square = sum((s * moment([(*x, k)]) for x in cells for k, s in twice.items()), Fraction(0))
    for x, y in itertools.permutations(cells, 2):
        for (k, s), (m, t) in itertools.product(once.items(), repeat=2):
            square += s * t * moment([(*x, k), (*y, m)])
    all_items = Fraction(total) ** q
    margins = sum(n**q for n in [*rows, *columns])
    value = (1 - (margins - mean) / all_items) / (q - 1)
    return value, (square - mean**2) / (all_items * (q - 1)) ** 2


def stirling_numbers(power: int) -> dict[int, int]:
    """Return k and the factor of ``n (n-1) ... (n-k+1)`` in ``n ** power``."""
    numbers = {0: 1}
    for _ in range(power):
        numbers = {
            k: numbers.get(k - 1, 0) + k * numbers.get(k, 0) for k in range(1, max(numbers) + 2)
        }
    return numbers


def scores_of_order(table: Table, q: float, mean: Decimal, variance: Decimal) -> dict[str, float]:
    """Return the scores of order q of a table by key, given the moments of the information."""
    given = non_empty(table)
    rows, columns = _margins(given)
    with localcontext(DIGITS):
        h, k = entropy_of_order(rows, q), entropy_of_order(columns, q)
        mi, joint = (
            information_of_order(given, q),
            entropy_of_order([n for row in given for n in row], q),
        )
        found = {"entropy_truth_q": h, "entropy_cluster_q": k, "joint_entropy_q": joint}
        found |= {"mi_q": mi, "vi_q": 2 * joint - h - k, "emi_q": mean, "var_mi_q": variance}
        found["ami_q"] = (mi - mean) / ((h + k) / 2 - mean)
        found["smi_q"] = (mi - mean) / variance.sqrt()
    return {key: float(value) for key, value in found.items()}


def scores(table: Table, *, chance: bool = True) -> dict[str, float | list[float] | None]:
    """Return the scores of a table by key, None where they do not exist.

    Without ``chance``, those that need an expectation under the margins are left out.
    """
    given = non_empty(table)
    if not given:
        raise ValueError("an empty table has no scores")
    found: dict[str, Fraction | Decimal | int | None] = {}
    rows, columns = _margins(given)
    total, m = sum(rows), len(rows)
    with localcontext(DIGITS):
        by_row = row_peakiness(given)
        peakiness = Fraction(sum(by_row), m)
        found["peakiness"] = peakiness
        if m < 2:
            for key in ("associativity", "associativity_min", "associativity_max"):
                found[key] = found[key.replace("associativity", "ap")] = None
        else:
            first_on_tie = [row.index(max(row)) for row in given]
            together = sum(comb(first_on_tie.count(j), 2) for j in set(first_on_tie))
            plain = 1 - Fraction(together, comb(m, 2))
            found |= {"associativity": plain, "ap": _harmonic(plain, peakiness)}
            if prod(row.count(max(row)) for row in given) <= 10_000:
                spread = list(votes_by_tie(given))
                for end, value in (("min", min(spread)), ("max", max(spread))):
                    found[f"associativity_{end}"] = value
                    found[f"ap_{end}"] = _harmonic(value, peakiness)

        largest_of_rows = [max(row) for row in given]
        largest_of_columns = [max(column) for column in zip(*given, strict=True)]
        accuracy = sum(map(Fraction, largest_of_rows, rows), Fraction(0)) / m
        purity = sum(map(Fraction, largest_of_columns, columns), Fraction(0)) / len(columns)
        found |= {"truth_class_accuracy": accuracy, "cluster_purity": purity}
        found["f1"] = _harmonic(accuracy, purity)
        found["purity"] = Fraction(sum(largest_of_columns), total)
        found["inverse_purity"] = Fraction(sum(largest_of_rows), total)
        found["van_dongen"] = 1 - Fraction(sum(largest_of_rows + largest_of_columns), 2 * total)
        if min(m, len(columns)) <= 10:
            found["max_matching_accuracy"] = Fraction(best_matching(given), total)
        found |= _bcubed(given)
        found |= _association(given)

        tp, fp, fn, tn = pair_counts(given)
        found |= {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "mirkin": 2 * (fp + fn)}
        found["rand"] = Fraction(tp + tn, tp + fp + fn + tn) if total > 1 else Fraction(1)
        found["pair_agreement"] = found["rand"]
        chance_tp = Fraction((tp + fp) * (tp + fn), max(tp + fp + fn + tn, 1))
        found["ari"] = (
            (tp - chance_tp) / (Fraction(2 * tp + fp + fn, 2) - chance_tp)
            if fp or fn
            else Fraction(1)
        )
        found["jaccard"] = Fraction(tp, tp + fp + fn) if tp + fp + fn else Fraction(1)
        if not tp:
            found["fowlkes_mallows"] = Fraction(int(tp + fp + fn == 0))
        else:
            found["fowlkes_mallows"] = decimal(Fraction(tp * tp, (tp + fp) * (tp + fn))).sqrt()
        found["wallace_truth"] = Fraction(tp, tp + fn) if tp + fn else None
        found["wallace_cluster"] = Fraction(tp, tp + fp) if tp + fp else None

        h, k = entropy(rows), entropy(columns)
        mi = mutual_information(given)
        found |= {"entropy_truth": h, "entropy_cluster": k, "joint_entropy": h + k - mi}
        found |= {"mutual_information": mi, "variation_of_information": variation(given)}
        homogeneity = found["homogeneity"] = mi / h if h else Decimal(1)
        completeness = found["completeness"] = mi / k if k else Decimal(1)
        found["v_measure"] = _harmonic(homogeneity, completeness)
        means = {
            "": (h + k) / 2,
            "_geometric": (h * k).sqrt(),
            "_min": min(h, k),
            "_max": max(h, k),
        }
        identical = not fp and not fn
        for name, mean in means.items():
            found[f"nmi{name}"] = 1 if identical else mi / mean if mi else 0
        if chance:
            emi = found["expected_mutual_information"] = expected_mutual_information(given)
            for name, mean in means.items():
                # 1e-50 is nothing at sixty digits: the information equals its expectation.
                far = abs(mi - emi) > Decimal("1e-50")
                found[f"ami{name}"] = 1 if identical else (mi - emi) / (mean - emi) if far else 0
    values: dict[str, float | list[float] | None] = {
        key: None if value is None else float(value) for key, value in found.items()
    }
    values["row_peakiness"] = [float(value) for value in by_row]
    return values


def losses(table: Table, beta: Fraction | int = 1) -> dict[str, list[float]]:
    """Return what each class takes from the scores that split, item by item, pair by pair.

    For tables without empty rows, of a few items; the matching is left out, for there may
    be several.
    """
    rows, columns = _margins(table)
    total, m = sum(rows), len(rows)
    found: dict[str, list[Any]] = {}
    items = [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]

    parted, mixed = [Fraction(0)] * m, [Fraction(0)] * m
    for (i, j), (k, other) in itertools.combinations(items, 2):
        if i == k and j != other:
            parted[i] += 1
        if i != k and j == other:
            mixed[i] += Fraction(1, 2)
            mixed[k] += Fraction(1, 2)
    mispaired = [x + y for x, y in zip(parted, mixed, strict=True)]
    tp, fp, fn, tn = pair_counts(table)
    assert (sum(parted), sum(mixed)) == (fn, fp)
    score = scores(table, chance=sum(rows) > 1)
    found["mirkin"] = [2 * x for x in mispaired]
    found["rand"] = found["pair_agreement"] = _over(mispaired, tp + fp + fn + tn)
    found["jaccard"] = _over(mispaired, tp + fp + fn)
    found["wallace_truth"] = _over(parted, tp + fn)
    found["wallace_cluster"] = _over(mixed, tp + fp)
    pairs = tp + fp + fn + tn
    adjusted = Fraction((tp + fn) + (tp + fp), 2) * pairs - (tp + fn) * (tp + fp)
    found["ari"] = _over([Fraction(x, 2) * pairs for x in mispaired], adjusted)

    precision, recall = [Fraction(0)] * m, [Fraction(0)] * m
    purity, cluster_purity = [Fraction(0)] * m, [Fraction(0)] * m
    class_unknown, cluster_unknown = [Decimal(0)] * m, [Decimal(0)] * m
    for i, j in items:
        n, a, b = table[i][j], rows[i], columns[j]
        precision[i] += Fraction(b - n, b * total)
        recall[i] += Fraction(a - n, a * total)
        column = [row[j] for row in table]
        lost = Fraction(1)
        if n == max(column):
            lost -= Fraction(1, column.count(n))
        purity[i] += lost / total
        cluster_purity[i] += lost / (b * len(columns))
        with localcontext(DIGITS):
            class_unknown[i] += decimal(Fraction(b, n)).ln() / total
            cluster_unknown[i] += decimal(Fraction(a, n)).ln() / total
    accuracy = [Fraction(a - max(row), a * m) for a, row in zip(rows, table, strict=True)]
    inverse_purity = [Fraction(a - max(row), total) for a, row in zip(rows, table, strict=True)]
    found |= {"bcubed_precision": precision, "bcubed_recall": recall}
    found |= {"truth_class_accuracy": accuracy, "cluster_purity": cluster_purity}
    found |= {"purity": purity, "inverse_purity": inverse_purity}
    found["van_dongen"] = [(x + y) / 2 for x, y in zip(purity, inverse_purity, strict=True)]
    found["bcubed_f"] = _harmonic_losses(precision, recall)
    found["f1"] = _harmonic_losses(accuracy, cluster_purity)

    peakiness = found["peakiness"] = [(1 - p) / m for p in row_peakiness(table)]
    if m > 1:
        votes = [row.index(max(row)) for row in table]
        collisions = [Fraction(votes.count(vote) - 1, 2) / comb(m, 2) for vote in votes]
        found["associativity"] = collisions
        found["ap"] = _harmonic_losses(collisions, peakiness)

    with localcontext(DIGITS):
        h, g = entropy(rows), entropy(columns)
        varied = [x + y for x, y in zip(class_unknown, cluster_unknown, strict=True)]
        found["variation_of_information"] = varied
        found["homogeneity"] = [x / h if h else Decimal(0) for x in class_unknown]
        found["completeness"] = [x / g if g else Decimal(0) for x in cluster_unknown]
        found["v_measure"] = _harmonic_losses(
            found["homogeneity"], found["completeness"], decimal(beta)
        )
        found["nmi"] = [x / (h + g) if h + g else Decimal(0) for x in varied]
        if "ami" in score:
            lack = 1 - Decimal(str(score["ami"]))
            found["ami"] = [lack * x / sum(varied) if sum(varied) else x for x in varied]
    return {key: [float(x) for x in values] for key, values in found.items()}


def _over(pairs: list[Fraction], whole: Fraction | int) -> list[Fraction]:
    return [pair / whole if whole else Fraction(0) for pair in pairs]


def _harmonic_losses(of_x: Any, of_y: Any, beta: Any = 1) -> list[Any]:
    """Return what the classes take from ``(1 + beta) x y / (beta x + y)``, as the limit.

    Where both scores are 0, as of two equal ones that go to 0.
    """
    x, y = 1 - sum(of_x), 1 - sum(of_y)
    if abs(x) < Decimal("1e-50") and abs(y) < Decimal("1e-50"):
        x = y = of_x[0] * 0 + 1
    return [(y * p + beta * x * q) / (beta * x + y) for p, q in zip(of_x, of_y, strict=True)]


def _margins(table: Table) -> tuple[list[int], list[int]]:
    return [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]


def _harmonic(x: _Number, y: _Number) -> _Number:
    return 2 * x * y / (x + y) if x + y else x
