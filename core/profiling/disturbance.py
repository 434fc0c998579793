"""What disturbed a measurement, said in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from core.profiling.machine import Machine, Power

_Floats = npt.NDArray[np.float64]

# An instance that took so many times the processor's time had to wait for it.
WAITED = 1.1
_MANY_WAITED = 0.05
_BUSY = 0.5
_DRIFT = 1.15
_PARTS = 10
_LEAST = 5


def disturbances(
    waited: _Floats,
    yardstick: _Floats,
    began: Machine,
    ended: Machine | None = None,
    powers: Sequence[Power] = (),
) -> list[str]:
    """Return what may have made times longer than they are.

    Parameters
    ----------
    waited : ndarray of float64, shape (n,)
        Of each instance, the time that it took over the time that the processor worked for it.
    yardstick : ndarray of float64, shape (n,)
        What always the same work took, at each instance.
    began, ended : Machine
        Its state before and after; None while it is measured.
    powers : sequence of {"mains", "battery", "unknown"}
        Where the power came from, one after the other.

    Returns
    -------
    list of str
        Sentences; none where nothing was noticed.
    """
    return list(_found(waited, yardstick, began, ended, powers))


def _found(
    waited: _Floats,
    yardstick: _Floats,
    began: Machine,
    ended: Machine | None,
    powers: Sequence[Power],
) -> Iterator[str]:
    n = len(waited)
    if began.load is not None and began.load > _BUSY * began.cores:
        yield (
            f"The machine was at work before it began (load {began.load:.1f} on {began.cores} "
            f"core{'s' if began.cores != 1 else ''}): close other programs and measure again."
        )
    share = float((waited > WAITED).mean()) if n >= _LEAST else 0.0
    if share > _MANY_WAITED:
        yield (
            f"In {100 * share:.0f} % of the instances other programs had the processor: trust the "
            "medians and the quiet window, not the means."
        )
    sentence = _clock_sentence(yardstick, began, ended)
    if sentence:
        yield sentence
    changes = [power for power in powers if power != "unknown"]
    if len(changes) > 1:
        yield (
            f"The power source changed while it was measured, from {changes[0]} to "
            f"{changes[-1]}: measure again with one."
        )
    elif changes[:1] == ["battery"]:
        yield "It ran on battery, which slows many laptops: plug it in for its full speed."
    if began.governor == "powersave" and not _is_intel_pstate(began):
        yield (
            "The clock is kept low to save power (governor powersave): times are longer than "
            "they need be."
        )


def _is_intel_pstate(machine: Machine) -> bool:
    # There powersave raises the clock under load, as schedutil does elsewhere.
    return "intel" in machine.processor.lower()


def _clock_sentence(yardstick: _Floats, began: Machine, ended: Machine | None) -> str:
    """Return what the same work says of the clock, from the first tenth to the last."""
    if len(yardstick) < _PARTS * _LEAST:
        return ""
    levels = [float(np.median(part)) for part in np.array_split(yardstick, _PARTS)]
    low, high = min(levels), max(levels)
    if high <= _DRIFT * low:
        return ""
    slowest = levels.index(high)
    where = "at the beginning" if slowest < 3 else "at the end" if slowest > 6 else "in the middle"
    told = ""
    before, after = began.clock_mhz, None if ended is None else ended.clock_mhz
    if before and after and abs(before - after) >= 1.0:
        told = f", from {before:,.0f} to {after:,.0f} MHz as the system says"
    return (
        f"The processor's speed changed: the same work took {100 * (high / low - 1):.0f} % longer "
        f"{where}{told}. The order of the metrics turns, so that ratios suffer little."
    )
