"""The chance paper's figures 7 to 9: which of two partitions AMI_q prefers, by its order q."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from core.published.finding import Claim, Outcome, compared, listed, stated
from core.published.sources import CHANCE_PAPER, Maker, printed
from core.scoring import score, score_many
from core.table import ContingencyTable

ORDERS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 3.0, 4.0)
"""The orders q at which the two are compared."""

# Halvings of a step of ORDERS: the crossing is known to three decimals.
_HALVINGS = 11

# For each figure the orders of which it says something, whom they prefer, and the words.
_CLAIMS: Mapping[str, tuple[tuple[float, ...], str, str]] = {
    "figure_7": ((0.1, 0.25, 0.5), "U1", "AMI_q prefers U1, which has a pure cluster, for small q"),
    "figure_8": (
        (0.5, 1.0),
        "U1",
        "Small classes beside a large one: AMI_0.5 and AMI_1 prefer U1, the better one",
    ),
    "figure_9": (
        (2.0, 2.5),
        "U2",
        "Large classes of equal size: AMI_2, which is ARI, and AMI_2.5 prefer U2, the better one",
    ),
}

_claim = Maker("chance", CHANCE_PAPER)


def chance_claims() -> list[Claim]:
    """Return the claims of figures 7 to 9, and of the bound on p-values."""
    paper = printed("chance_paper")
    claims = []
    for figure, (orders, better, words) in _CLAIMS.items():
        place = figure.replace("_", " ")
        pair = _Pair(paper[figure])
        claims += [
            _claim(f"{figure}.prefers", place, words, partial(_prefers, pair, orders, better)),
            _claim(
                f"{figure}.crosses",
                place,
                "AMI_q of U1 and of U2 cross once as q grows",
                partial(_crosses, pair),
            ),
            _claim(
                f"{figure}.order_2",
                place,
                "AMI_2 is the adjusted Rand index",
                partial(_is_ari, pair),
            ),
        ]
    margins = partial(_same_margins, _Pair(paper["figure_7"]))
    bound = partial(_bound, paper["p_bound"])
    return [
        *claims,
        _claim("figure_7.margins", "figure 7", "U1 and U2 have the same margins", margins),
        _claim("p_bound", "bound on p-values", "SMI_q = 4.46 bounds the p-value by 0.0479", bound),
    ]


class _Pair:
    """Two partitions against one reference; what they have in common is computed once."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        # The paper's rows are the clusters of the solution, its columns the reference.
        self.tables = tuple(ContingencyTable(np.transpose(record[name])) for name in ("U1", "U2"))

    def values(self, q: float) -> tuple[float, float]:
        """Return AMI_q of both."""
        one, two = score_many(self.tables, ["ami_q"], q=q)["ami_q"].tolist()
        return one, two

    def difference(self, q: float) -> float:
        """Return how much better U1 is than U2."""
        one, two = self.values(q)
        return one - two

    def crossings(self) -> list[float]:
        """Return the orders at which U1 and U2 are equal."""
        differences = [self.difference(q) for q in ORDERS]
        found = []
        for (low, before), (high, after) in zip(
            zip(ORDERS, differences, strict=True),
            list(zip(ORDERS, differences, strict=True))[1:],
            strict=False,
        ):
            if (before > 0) == (after > 0):
                continue
            ends = [low, high]
            for _ in range(_HALVINGS):
                middle = sum(ends) / 2
                ends[(self.difference(middle) > 0) != (before > 0)] = middle
            found.append(sum(ends) / 2)
        return found


def _prefers(pair: _Pair, orders: tuple[float, ...], better: str) -> Outcome:
    values = {q: pair.values(q) for q in orders}
    true = all((one > two) == (better == "U1") for one, two in values.values())
    said = listed([f"q = {q:g}: {one:.3f} and {two:.3f}" for q, (one, two) in values.items()])
    return stated(true, f"AMI_q of U1 and U2: at {said}.")


def _crosses(pair: _Pair) -> Outcome:
    crossings = pair.crossings()
    first = "U1" if pair.difference(ORDERS[0]) > 0 else "U2"
    other = "U2" if first == "U1" else "U1"
    said = listed([f"q = {q:.3f}" for q in crossings])
    return stated(
        len(crossings) == 1,
        f"{first} is preferred from q = {ORDERS[0]:g} on; they are equal at {said}, and above "
        f"that {other} is preferred, up to q = {ORDERS[-1]:g}."
        if len(crossings) == 1
        else f"Between q = {ORDERS[0]:g} and {ORDERS[-1]:g} they are equal at {said or 'no q'}.",
        ours=tuple(crossings),
    )


def _is_ari(pair: _Pair) -> Outcome:
    scores = [score(table, ["ami_q", "ari"], q=2.0) for table in pair.tables]
    gap = max(abs(found["ami_q"] - found["ari"]) for found in scores)
    return stated(
        gap <= 1e-12,
        f"The two differ by at most {gap:.0e} on U1 and U2.",
        ours=tuple(float(found["ari"]) for found in scores),
    )


def _same_margins(pair: _Pair) -> Outcome:
    one, two = pair.tables
    true = np.array_equal(one.row_sums, two.row_sums) and np.array_equal(
        one.column_sums, two.column_sums
    )
    sizes = ", ".join(str(size) for size in one.column_sums.tolist())
    return stated(true, f"All classes and clusters hold {sizes} items, so that MI_q alone differs.")


def _bound(record: Mapping[str, float]) -> Outcome:
    return compared(
        [record["p"]],
        [1 / (1 + record["smi_q"] ** 2)],
        4,
        "Cantelli's inequality, 1 / (1 + SMI_q²): below 0.05.",
    )
