"""The AP paper's simulations: correlations with AP, scenario by scenario."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from core.cells import FloatArray
from core.counts import IntArray
from core.metrics.catalogue import METRICS
from core.metrics.metric import BoolArray
from core.published.finding import HOLDS_SHARE, MOSTLY_SHARE, Claim, Outcome, Verdict, listed
from core.published.replications import SCENARIOS, Evidence
from core.published.sources import AP_PAPER, Maker, printed
from core.simulation.presets import PAPER_METRICS, PRESETS
from core.statistics.correlation import band

_DIGITS = 3

# The ends of the interval that single runs fall in.
_ENDS = (0.025, 0.975)

_OTHERS = tuple(key for key in PAPER_METRICS if key != "ap")
_BETWEEN = tuple(key for key in _OTHERS if key not in ("fowlkes_mallows", "f1"))

BY_CODE = "(by the paper's code)"
"""Said of claims that are checked with empty classes as the paper's code has them."""

_claim = Maker("ap", AP_PAPER)


def correlation_claims() -> list[Claim]:
    """Return the claims on correlations with AP in each scenario, figures 13 to 20."""
    values = printed("ap_paper")["correlation_with_ap"]
    claims = []
    for scenario in SCENARIOS:
        # Only there do empty classes change what the claims come to.
        handlings = (False, True) if scenario == "higher_4x2" else (False,)
        for coded in handlings:
            claims += [
                _coefficient(scenario, key, values[scenario].get(key), coded) for key in _OTHERS
            ]
            claims += _orders(scenario, coded)
    return claims


def place_of(scenario: str, what: str) -> str:
    """Return the scenario and the kind of figure that a claim is about."""
    return f"{PRESETS[scenario].name.lower()}, {what}"


def sampled(
    values: FloatArray, ends: tuple[float, float], explanation: str, shown: Sequence[float]
) -> Outcome:
    """Return the outcome of a printed value, or range, beside those of single runs.

    Parameters
    ----------
    values : ndarray of float64, shape (runs,)
    ends : (float, float)
        What is printed: equal ends for one value.
    explanation : str
    shown : sequence of float
        What the source prints.
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return Outcome("not reproduced", "It exists in none of the runs.", tuple(shown))
    low, high = np.quantile(known, _ENDS).tolist()
    half = 0.5 * 10.0**-_DIGITS
    inside = low - half <= ends[1] and ends[0] <= high + half
    mean = float(known.mean())
    return Outcome(
        "reproduced within sampling error" if inside else "not reproduced",
        explanation,
        tuple(shown),
        (mean,),
        _DIGITS,
        (low, high),
    )


def counted(
    held: BoolArray,
    explanation: str,
    ours: Sequence[float] = (),
    shown: Sequence[float] = (),
    digits: int = _DIGITS,
) -> Outcome:
    """Return the outcome of a statement that is true in some runs, shape (runs,)."""
    count, runs = int(held.sum()), len(held)
    verdict: Verdict = "does not hold"
    if count >= HOLDS_SHARE * runs:
        verdict = "holds"
    elif count >= MOSTLY_SHARE * runs:
        verdict = "reproduced within sampling error"
    return Outcome(verdict, explanation, tuple(shown), tuple(ours), digits, held=(count, runs))


# One coefficient


def _coefficient(scenario: str, key: str, value: float | None, coded: bool) -> Claim:
    words = f"{METRICS[key].symbol} with AP"
    check: Callable[[Evidence], Outcome]
    needs: tuple[str, ...] = (scenario,)
    if value is not None:
        check = partial(_against_value, scenario, key, value, coded)
    elif scenario == "low_4x4":
        words += ": between FMI and F1"
        check = partial(_against_range, scenario, key, _range_of_low(), coded)
    elif scenario == "higher_4x4":
        words += ": moderate, 0.5 to 0.75"
        check = partial(_against_range, scenario, key, (0.5, 0.75), coded)
    else:
        words += ": below higher 4 × 4"
        needs = (scenario, "higher_4x4")
        check = partial(_below, scenario, key, coded)
    name = f"correlation.{scenario}.{key}"
    if coded:
        words, name = f"{words} {BY_CODE}", f"{name}.by_code"
    return _claim(name, place_of(scenario, "correlation"), words, check, needs)


def _range_of_low() -> tuple[float, float]:
    low = printed("ap_paper")["correlation_with_ap"]["low_4x4"]
    return low["fowlkes_mallows"], low["f1"]


def _against_value(
    scenario: str, key: str, value: float, coded: bool, evidence: Evidence
) -> Outcome:
    found = evidence[scenario].correlations(key, coded=coded)
    below = int((found <= value).sum())
    ours, theirs = band(float(np.nanmean(found))), band(value)
    bands = f"that is called {theirs}, the mean {ours}"
    if ours == theirs:
        bands = f"both are called {ours}"
    text = f"{below} of {len(found)} runs lie at or below the printed {value:.3f}; {bands}."
    beside = _beside(scenario, key, coded, evidence)
    return sampled(found, (value, value), f"{text} {beside}", (value,))


def _against_range(
    scenario: str, key: str, ends: tuple[float, float], coded: bool, evidence: Evidence
) -> Outcome:
    found = evidence[scenario].correlations(key, coded=coded)
    inside = int(((found >= ends[0]) & (found <= ends[1])).sum())
    text = (
        f"The paper prints no figure, but says where it lies; {inside} of {len(found)} runs do so."
    )
    return sampled(found, ends, f"{text} {_beside(scenario, key, coded, evidence)}", ends)


def _below(scenario: str, key: str, coded: bool, evidence: Evidence) -> Outcome:
    found = evidence[scenario].correlations(key, coded=coded)
    square = evidence["higher_4x4"].correlations(key, coded=coded)
    text = f"The means are {np.nanmean(found):.3f} here and {np.nanmean(square):.3f} at 4 × 4."
    beside = _beside(scenario, key, coded, evidence)
    return counted(found < square, f"{text} {beside}", [float(np.nanmean(found))])


def _beside(scenario: str, key: str, coded: bool, evidence: Evidence) -> str:
    """Return what empty classes change, as a sentence."""
    runs = evidence[scenario]
    empty = int(runs.with_empty.sum())
    if not empty:
        return "No table has an empty class."
    other = np.nanmean(runs.correlations(key, coded=not coded))
    tables = f"{empty:,} of {runs.with_empty.size:,} tables have an empty class"
    if coded:
        return f"{tables}; left out altogether, as this program does, the mean is {other:.3f}."
    return f"{tables}; treated as in the paper's code, the mean is {other:.3f}."


# Claims on all coefficients of a scenario


def _orders(scenario: str, coded: bool) -> list[Claim]:
    make = {
        "low_4x4": (
            "FMI is the smallest, F1 the largest, all others between",
            _least_and_most,
            (scenario,),
        ),
        "higher_4x4": ("All are moderate", _all_moderate, (scenario,)),
        "higher_4x6": (
            "Against 4 × 4: F1 goes up, every other goes down",
            _f1_up,
            (scenario, "higher_4x4"),
        ),
        "higher_4x2": (
            "Every metric below its own 4 × 4 value",
            _all_below,
            (scenario, "higher_4x4"),
        ),
    }
    words, check, needs = make[scenario]
    name = f"correlation.{scenario}.order"
    if coded:
        words, name = f"{words} {BY_CODE}", f"{name}.by_code"
    both = partial(_both, partial(check, scenario), coded)
    return [_claim(name, place_of(scenario, "correlation"), words, both, needs)]


def _both(
    check: Callable[[Evidence, bool], tuple[BoolArray, str]], coded: bool, evidence: Evidence
) -> Outcome:
    """Return the outcome, and how often the statement is true with the other AP."""
    held, text = check(evidence, coded)
    other, _ = check(evidence, not coded)
    how = "left out altogether" if coded else "treated as in the paper's code"
    return counted(
        held,
        f"{text} With empty classes {how} it is true in {int(other.sum())} of {len(other)} runs.",
    )


def _matrix(evidence: Evidence, scenario: str, keys: Sequence[str], coded: bool) -> FloatArray:
    """Return correlations with AP, shape (metrics, runs)."""
    return np.stack([evidence[scenario].correlations(key, coded=coded) for key in keys])


def _least_and_most(scenario: str, evidence: Evidence, coded: bool) -> tuple[BoolArray, str]:
    between = _matrix(evidence, scenario, _BETWEEN, coded)
    (least,), (most,) = (
        _matrix(evidence, scenario, [key], coded) for key in ("fowlkes_mallows", "f1")
    )
    lowest, highest = least < between.min(axis=0), most > between.max(axis=0)
    text = (
        f"FMI is the smallest in {int(lowest.sum())} and F1 the largest in {int(highest.sum())} "
        f"of {len(lowest)} runs."
    )
    return lowest & highest, text


def _all_moderate(scenario: str, evidence: Evidence, coded: bool) -> tuple[BoolArray, str]:
    found = _matrix(evidence, scenario, _OTHERS, coded)
    moderate = (found >= 0.5) & (found < 0.75)
    return _in_all(moderate), _weakest(moderate, "moderate")


def _f1_up(scenario: str, evidence: Evidence, coded: bool) -> tuple[BoolArray, str]:
    here, square = (_matrix(evidence, s, _OTHERS, coded) for s in (scenario, "higher_4x4"))
    rising = np.array([key == "f1" for key in _OTHERS])
    true = np.where(rising[:, None], here > square, here < square)
    return _in_all(true), _weakest(true, "as the paper says")


def _all_below(scenario: str, evidence: Evidence, coded: bool) -> tuple[BoolArray, str]:
    below = _matrix(evidence, scenario, _OTHERS, coded) < _matrix(
        evidence, "higher_4x4", _OTHERS, coded
    )
    return _in_all(below), _weakest(below, "lower")


def _in_all(true: BoolArray) -> BoolArray:
    """Return in which runs all metrics do, shape (runs,) for (metrics, runs)."""
    return np.asarray(true.all(axis=0), dtype=np.bool_)


def _weakest(true: BoolArray, what: str) -> str:
    """Return in how many runs each metric does as is said, the fewest first."""
    counts: IntArray = true.sum(axis=1)
    by_count: dict[int, list[str]] = {}
    for key, count in zip(_OTHERS, counts.tolist(), strict=True):
        by_count.setdefault(count, []).append(METRICS[key].symbol)
    said = [f"{listed(by_count[count])} in {count}" for count in sorted(by_count)]
    return f"Of {true.shape[1]} runs, it is {what} for {'; '.join(said)}."
