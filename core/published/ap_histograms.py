"""The AP paper's claims on histograms: modes, ranges, zeros and ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from core.cells import FloatArray
from core.metrics.catalogue import METRICS
from core.published.ap_simulation import BY_CODE, counted, place_of
from core.published.finding import Claim, Outcome, listed, stated
from core.published.replications import Evidence
from core.published.sources import AP_PAPER, Maker
from core.simulation.presets import PAPER_METRICS
from core.statistics.summary import MODE_WIDTH, QUANTILES, Summary

# The paper reads its modes off figures: a bin beside the printed value still agrees.
_MODE_ROOM = MODE_WIDTH

_MANY_ZEROS = 0.1
_ABOUT_ONE = 0.95

# With four classes and two clusters associativity is at most 2/3, so that AP is at most 0.8.
_AP_LIMIT = 0.8

_LIKE_AMI = ("ami", "ari", "completeness", "homogeneity", "v_measure")

_claim = Maker("ap", AP_PAPER)


def histogram_claims() -> list[Claim]:
    """Return the claims on histograms, scenario by scenario."""
    low = partial(_of, "low_4x4")
    return [
        low("only_ap_zeros", "Only AP gives zeros", _only_ap_zeros),
        low("ap_mode", "The mode of AP is about 0.55", partial(_mode, "ap", 0.55)),
        low("ap_maximum", "The maximum of AP is above 0.8", _ap_maximum),
        low("ap_range", "AP has the widest range of all", _widest),
        *(
            low(
                f"{key}_mode",
                f"The mode of {METRICS[key].symbol} is about 0.15",
                partial(_mode, key, 0.15),
            )
            for key in _LIKE_AMI
        ),
        low("fmi_range", "FMI goes from 0.3 to 0.6", partial(_range, "fowlkes_mallows", 0.3, 0.6)),
        low("fmi_mode", "The mode of FMI is 0.4", partial(_mode, "fowlkes_mallows", 0.4)),
        low("f1_range", "F1 goes from 0.4 to 0.7", partial(_range, "f1", 0.4, 0.7)),
        low("f1_mode", "The mode of F1 is 0.5", partial(_mode, "f1", 0.5)),
        *(
            _of(
                "higher_4x4",
                f"{key}_shift",
                f"{METRICS[key].symbol} is shifted to higher scores against low 4 × 4",
                partial(_shifted, key),
                ("low_4x4",),
            )
            for key in PAPER_METRICS
        ),
        _of("higher_4x2", "ap_zeros", "AP gives very many zeros", _many_zeros),
        _of(
            "higher_4x2",
            "ap_limit",
            "AP is never 1, at most 0.8, if no class is empty",
            _never_one,
        ),
        _of(
            "higher_4x2",
            "ap_limit.by_code",
            f"AP is never 1, at most 0.8 {BY_CODE}",
            _never_one_by_code,
        ),
        *(
            _of(
                "higher_4x2",
                f"{key}_ones",
                f"{METRICS[key].symbol} reaches about 1",
                partial(_about_one, key),
            )
            for key in ("fowlkes_mallows", "f1")
        ),
    ]


def _of(
    scenario: str,
    key: str,
    words: str,
    check: Callable[[str, Evidence], Outcome],
    more: Sequence[str] = (),
) -> Claim:
    return _claim(
        f"histogram.{scenario}.{key}",
        place_of(scenario, "histograms"),
        words,
        partial(check, scenario),
        (scenario, *more),
    )


def _each(summaries: Sequence[Summary], of: Callable[[Summary], float]) -> FloatArray:
    return np.array([of(summary) for summary in summaries], np.float64)


def _share(value: float) -> str:
    return f"{value:.1%}".replace("%", " %")


def _only_ap_zeros(scenario: str, evidence: Evidence) -> Outcome:
    runs = evidence[scenario]
    zeros = {key: _each(runs.summaries(key), lambda s: s.zeros) for key in PAPER_METRICS}
    others = np.stack([zeros[key] for key in PAPER_METRICS if key != "ap"])
    return counted(
        (zeros["ap"] > 0) & (others == 0).all(axis=0),
        f"AP is exactly 0 in {_share(zeros['ap'].mean())} of the tables, the others in "
        f"{_share(others.mean())} of them.",
    )


def _mode(key: str, value: float, scenario: str, evidence: Evidence) -> Outcome:
    modes = _each(evidence[scenario].summaries(key), lambda s: s.mode)
    # The edges of bins are multiples of their width, which floats do not hold exactly.
    near = np.abs(modes - value) <= _MODE_ROOM + 1e-9
    found, counts = np.unique(np.round(modes, 3), return_counts=True)
    said = listed([f"{m:g} in {n}" for m, n in zip(found.tolist(), counts.tolist(), strict=True)])
    return counted(
        near,
        f"Middles of the fullest bins of width {MODE_WIDTH:g}, in so many runs: {said}. A bin "
        f"beside {value:g} still agrees.",
        [float(modes.mean())],
        [value],
    )


def _ap_maximum(scenario: str, evidence: Evidence) -> Outcome:
    highs = _each(evidence[scenario].summaries("ap"), lambda s: s.high)
    return counted(
        highs > 0.8,
        f"The largest AP of a run lies between {highs.min():.3f} and {highs.max():.3f}.",
        [float(highs.mean())],
    )


def _widest(scenario: str, evidence: Evidence) -> Outcome:
    runs = evidence[scenario]
    ranges = {key: _each(runs.summaries(key), lambda s: s.dynamic_range) for key in PAPER_METRICS}
    others = {key: values for key, values in ranges.items() if key != "ap"}
    next_key = max(others, key=lambda key: float(others[key].mean()))
    return counted(
        ranges["ap"] > np.stack(list(others.values())).max(axis=0),
        f"The mean range of AP is {ranges['ap'].mean():.3f}, the next that of "
        f"{METRICS[next_key].symbol} with {others[next_key].mean():.3f}.",
        [float(ranges["ap"].mean())],
    )


def _range(key: str, low: float, high: float, scenario: str, evidence: Evidence) -> Outcome:
    summaries = evidence[scenario].summaries(key)
    lows, highs = _each(summaries, lambda s: s.low), _each(summaries, lambda s: s.high)
    values = evidence[scenario].of(key)
    inside = ((values >= low) & (values <= high)).mean()
    return counted(
        (np.round(lows, 1) == low) & (np.round(highs, 1) == high),
        f"True where the ends of a run are {low:g} and {high:g} to one decimal; on average they "
        f"are {lows.mean():.3f} and {highs.mean():.3f}, and {_share(float(inside))} of the tables "
        f"lie between {low:g} and {high:g}.",
        [float(lows.mean()), float(highs.mean())],
        [low, high],
    )


def _shifted(key: str, scenario: str, evidence: Evidence) -> Outcome:
    there, before = evidence[scenario].summaries(key), evidence["low_4x4"].summaries(key)
    higher = np.array(
        [
            all(a.quantiles[q] > b.quantiles[q] for q in QUANTILES)
            for a, b in zip(there, before, strict=True)
        ]
    )
    middle, old = (_each(s, lambda x: x.quantiles[0.5]).mean() for s in (there, before))
    said = listed([f"{q * 100:g}" for q in QUANTILES])
    return counted(
        higher,
        f"True where the {said} % quantiles of a run are all higher; the mean median is "
        f"{middle:.3f} against {old:.3f}.",
        [float(middle)],
    )


def _many_zeros(scenario: str, evidence: Evidence) -> Outcome:
    zeros = _each(evidence[scenario].summaries("ap"), lambda s: s.zeros)
    return counted(
        zeros > _MANY_ZEROS,
        f"{_share(zeros.mean())} of the tables have AP 0; it is said to hold above "
        f"{_share(_MANY_ZEROS)}.",
        [float(zeros.mean())],
    )


def _never_one(scenario: str, evidence: Evidence) -> Outcome:
    runs = evidence[scenario]
    ap, empty = runs.of("ap"), runs.with_empty
    # Scores are rounded once, so that 0.8 itself may come out a last digit above.
    above = ap > _AP_LIMIT + 1e-12
    highest = float(np.nanmax(np.where(empty, np.nan, ap)))
    beyond = int((above & empty).sum())
    text = f"The largest AP of {int((~empty).sum()):,} tables is {highest:.3f}."
    if beyond:
        text += (
            f" {beyond} of {ap.size:,} tables exceed 0.8, up to {np.nanmax(ap):.3f}: each has a "
            "class without items, which this program leaves out, so that fewer classes share "
            "the two clusters."
        )
    return stated(not (above & ~empty).any(), text, ours=(highest,), printed=(_AP_LIMIT,))


def _never_one_by_code(scenario: str, evidence: Evidence) -> Outcome:
    ap = evidence[scenario].coded_ap
    highest = float(np.nanmax(ap))
    return stated(
        highest <= _AP_LIMIT + 1e-12,
        f"An empty class votes for the first cluster, so that associativity stays at most 2/3; "
        f"the largest AP of {ap.size:,} tables is {highest:.3f}.",
        ours=(highest,),
        printed=(_AP_LIMIT,),
    )


def _about_one(key: str, scenario: str, evidence: Evidence) -> Outcome:
    highs = _each(evidence[scenario].summaries(key), lambda s: s.high)
    return counted(
        highs >= _ABOUT_ONE,
        f"The largest of a run lies between {highs.min():.3f} and {highs.max():.3f}; it is said "
        f"to hold from {_ABOUT_ONE:g} on.",
        [float(highs.mean())],
    )
