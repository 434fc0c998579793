"""The AP paper's own times beside ours, and why they differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.metrics.catalogue import METRICS
from core.profiling.complexity import own_complexity
from core.profiling.routes import ROUTES
from core.profiling.stages import Stages
from core.profiling.summary import Cost
from core.published.sources import printed
from core.simulation.presets import PAPER_TOTAL
from core.simulation.scenario import Scenario

# A share of a call that is worth a word; a call that costs so many times a score in a batch.
_MUCH, _CALL_RULES = 0.25, 10.0
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


def explanations(
    costs: Sequence[Cost], stages: Stages | None, scenario: Scenario | None = None
) -> list[str]:
    """Return how our times compare with the paper's, and why, as sentences.

    Parameters
    ----------
    costs : sequence of Cost
    stages : Stages or None
        Where the time of scikit-learn's AMI went.
    scenario : Scenario, optional
        What the tables were made from; the paper's by default. Times of tables of another
        size are not compared with those that it prints.
    """
    of_paper = scenario is None or (scenario.shape == (4, 4) and scenario.total == PAPER_TOTAL)
    if of_paper:
        against = list(_against_paper(costs))
    else:
        against = [
            f"The paper timed tables 4 × 4 of {PAPER_TOTAL:,} items, and these are others: its "
            "times are not compared."
        ]
    return [*against, *_of_stages(stages), *_of_own_routes(costs)]


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
        f"{stages.parts['entropies']:.2f} to the entropies"
        + (
            ": on small tables labels cost much beside the formula."
            if handling >= _MUCH * stages.total
            else "."
        )
    )


def _of_own_routes(costs: Sequence[Cost]) -> Iterator[str]:
    single, batch, peer = (_by_key(costs, route) for route in ("table", "batch", "paper"))
    common = [key for key in single if key in batch]
    if common:
        paid = sorted(single[key].quiet_median / batch[key].quiet_median for key in common)
        middle = paid[len(paid) // 2]
        said = (
            f"By '{ROUTES['table'].name}' a score costs {_factor(middle)} times what it costs by "
            f"'{ROUTES['batch'].name}' (median of {len(paid)} metrics)"
        )
        if middle > _CALL_RULES:
            said += ": for one small table nearly all is the call itself, which a batch pays once"
        yield said + "."
    if len(single) > 1:
        key = max(single, key=lambda each: single[each].quiet_median)
        ratio = "" if math.isnan(single[key].ratio) else f", {_factor(single[key].ratio)} times AP"
        yield (
            f"The dearest with this program is {METRICS[key].symbol}: {_ms(single[key])} ms a "
            f"call{ratio}. Its cost grows with {own_complexity(key)}."
        )
    faster = [key for key in batch if key in peer]
    if faster:
        gains = sorted(peer[key].quiet_median / batch[key].quiet_median for key in faster)
        yield (
            f"All tables at once, a score takes this program {1 / gains[-1]:.2g} to "
            f"{1 / gains[0]:.2g} times what it takes by '{ROUTES['paper'].name}'."
        )


def _factor(value: float) -> str:
    """Return how many times, with two digits at least."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


def _ms(cost: Cost) -> str:
    return f"{cost.quiet_median:.3f}"
