"""The AP paper's own times beside ours, and why they differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.metrics.catalogue import METRICS
from core.profiling.routes import ROUTES
from core.profiling.stages import Stages
from core.profiling.summary import Cost
from core.published.sources import printed

# Costs nearer than this are as good as equal.
_NEAR = 1.15


@dataclass(frozen=True)
class PaperTimes:
    """Table 12 of the AP paper.

    Attributes
    ----------
    machine : str
    times : dict of str to float
        In ms, by key; means over its instances 200 to 400.
    """

    machine: str
    times: dict[str, float]

    def ratio(self, key: str) -> float:
        """Return how many times AP a metric costs there; NaN where it is not printed."""
        return self.times[key] / self.times["ap"] if key in self.times else math.nan


def paper_times() -> PaperTimes:
    """Return table 12 of the AP paper."""
    table = printed("ap_paper")["table_12"]
    times = {key: float(value) for key, value in table.items() if key in METRICS}
    return PaperTimes(str(table["machine"]), times)


def ordered(costs: Sequence[Cost], route: str) -> list[Cost]:
    """Return what a route's metrics cost, the dearest first, by medians of the quiet window."""
    return sorted(
        (cost for cost in costs if cost.route == route), key=lambda cost: -cost.quiet_median
    )


def order_sentence(costs: Sequence[Cost], route: str) -> str:
    """Return the order of a route's metrics, dearest first, as words; empty if there is none."""
    found = ordered(costs, route)
    if len(found) < 2:
        return ""
    text = METRICS[found[0].key].symbol
    for before, cost in pairwise(found):
        near = before.quiet_median <= _NEAR * cost.quiet_median
        text += (" ≈ " if near else " > ") + METRICS[cost.key].symbol
    return text


def explanations(costs: Sequence[Cost], stages: Stages | None) -> list[str]:
    """Return how our times compare with the paper's, and why, as sentences.

    Parameters
    ----------
    costs : sequence of Cost
    stages : Stages or None
        Where the time of scikit-learn's AMI went.
    """
    return [*_against_paper(costs), *_of_stages(stages), *_of_own_routes(costs)]


def _by_key(costs: Sequence[Cost], route: str) -> dict[str, Cost]:
    return {cost.key: cost for cost in costs if cost.route == route}


def _against_paper(costs: Sequence[Cost]) -> Iterator[str]:
    ours, paper = _by_key(costs, "paper"), paper_times()
    both = [key for key in paper.times if key in ours]
    if len(both) < 2:
        return
    theirs = sorted(both, key=lambda key: -paper.times[key])
    here = sorted(both, key=lambda key: -ours[key].quiet_median)
    swapped = [
        (a, b)
        for i, a in enumerate(theirs)
        for b in theirs[i + 1 :]
        if paper.times[a] > _NEAR * paper.times[b]
        and ours[b].quiet_median > _NEAR * ours[a].quiet_median
    ]
    if not swapped:
        yield (
            "With scikit-learn the order is the paper's: "
            + " > ".join(METRICS[key].symbol for key in here)
            + " (what lies within 15 % of each other may change places)."
        )
    for a, b in swapped:
        yield (
            f"With scikit-learn {METRICS[b].symbol} is dearer than {METRICS[a].symbol} here "
            f"({_ms(ours[b])} against {_ms(ours[a])} ms); in the paper it was the other way round "
            f"({paper.times[b]:.3f} against {paper.times[a]:.3f} ms): another processor and other "
            "versions of numpy and scikit-learn."
        )
    faster = [paper.times[key] / ours[key].quiet_median for key in both]
    low, high = min(faster), max(faster)
    yield (
        f"This machine needs {1 / high:.2f} to {1 / low:.2f} times the paper's milliseconds "
        f"({paper.machine})."
    )
    if "f1" in ours and "ap" in ours:
        ratio = ours["f1"].quiet_median / ours["ap"].quiet_median
        yield (
            f"F1 costs {ratio:.1f} times AP here and {paper.ratio('f1'):.1f} times in the paper, "
            "which does not say what it computes F1 from: here the label vectors are counted into "
            "a table by scikit-learn, which AP is spared because it starts from the table."
        )


def _of_stages(stages: Stages | None) -> Iterator[str]:
    if stages is None:
        return
    handling = sum(stages.parts[key] for key in ("checks", "contingency", "rest"))
    yield (
        f"Of the {stages.total:.2f} ms of scikit-learn's AMI, {handling:.2f} ms go to checking "
        f"labels and counting the table, {stages.parts['information']:.2f} to the information, "
        f"{stages.parts['expected']:.3f} to its expectation and "
        f"{stages.parts['entropies']:.2f} to the entropies: on small tables labels cost as much "
        "as the formula or more."
    )


def _of_own_routes(costs: Sequence[Cost]) -> Iterator[str]:
    single, batch, peer = (_by_key(costs, route) for route in ("table", "batch", "paper"))
    common = [key for key in single if key in batch]
    if common:
        paid = sorted(single[key].quiet_median / batch[key].quiet_median for key in common)
        middle = paid[len(paid) // 2]
        yield (
            f"By '{ROUTES['table'].name}' a score costs {middle:.0f} times what it costs by "
            f"'{ROUTES['batch'].name}' (median of {len(paid)} metrics): for one small table "
            "nearly all is the call itself, which a batch pays once. So all metrics but those "
            "with an expectation cost about the same there, and AP has no lead."
        )
    dear = [key for key in ("ami", "smi_q", "ami_q") if key in single]
    if "ap" in single and dear:
        key = max(dear, key=lambda each: single[each].quiet_median)
        yield (
            f"{METRICS[key].symbol} stays the dearest because its chance correction sums some "
            f"thirty counts for each pair of margins: {_ms(single[key])} ms a call, "
            f"{single[key].ratio:.1f} times AP."
        )
    faster = [key for key in batch if key in peer]
    if faster:
        gains = sorted(peer[key].quiet_median / batch[key].quiet_median for key in faster)
        yield (
            f"All tables at once, this program is {gains[0]:,.0f} to {gains[-1]:,.0f} times as "
            "fast as scikit-learn on labels."
        )


def _ms(cost: Cost) -> str:
    return f"{cost.quiet_median:.3f}"
