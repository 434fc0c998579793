"""What a claim of a published source is, and what was found when it was checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from core.formatting import format_score

if TYPE_CHECKING:
    from core.published.replications import Evidence

Verdict = Literal[
    "reproduced",
    "reproduced within sampling error",
    "not reproduced",
    "misprint",
    "other data than named",
    "printed only, cannot be recomputed",
    "holds",
    "does not hold",
    "not computed by this program yet",
]

VERDICTS: Mapping[Verdict, str] = MappingProxyType(
    {
        "reproduced": "The value is the printed one, to the decimals that are printed.",
        "reproduced within sampling error": (
            "The printed value lies in the interval that 95 % of runs of the paper's size fall in; "
            "a statement in words is true in at least half of them."
        ),
        "not reproduced": "The value is another, or lies outside that interval.",
        "misprint": "The printed value contradicts what is printed beside it.",
        "other data than named": "The value is that of other data than the source names.",
        "printed only, cannot be recomputed": (
            "The source does not print what the value was computed from."
        ),
        "holds": "A statement in words that is true; of runs: in at least 95 % of them.",
        "does not hold": "A statement in words that is not true; of runs: not in half of them.",
        "not computed by this program yet": "The program has no such quantity.",
    }
)
"""Every verdict, with what it means."""

HOLDS_SHARE = 0.95
"""Share of the runs in which a statement must be true to be said to hold."""

MOSTLY_SHARE = 0.5
"""Share of the runs from which on a statement is reproduced within sampling error."""


@dataclass(frozen=True)
class Outcome:
    """What was found when a claim was checked.

    Attributes
    ----------
    verdict : str
        One of `VERDICTS`.
    explanation : str
        One or two sentences.
    printed, ours : tuple of float
        The values that the source prints, and those found; empty where there are none.
    digits : int
        Decimals that the source prints.
    interval : (float, float) or None
        Where ours is the mean of a sample, from the 2.5 to the 97.5 % quantile of single runs.
    held : (int, int) or None
        In how many replications a statement is true, and of how many.
    """

    verdict: Verdict
    explanation: str
    printed: tuple[float, ...] = ()
    ours: tuple[float, ...] = ()
    digits: int = 3
    interval: tuple[float, float] | None = None
    held: tuple[int, int] | None = None


@dataclass(frozen=True)
class Finding(Outcome):
    """A claim of a source, checked.

    Attributes
    ----------
    key : str
        Names the claim in files, the same in every version.
    source, place : str
        The paper, and where in it.
    claim : str
        What it says, in words.
    """

    key: str = ""
    source: str = ""
    place: str = ""
    claim: str = ""

    @property
    def printed_text(self) -> str:
        """The printed values as people read them; empty where the claim is words alone."""
        return ", ".join(_text(value, self.digits) for value in self.printed)

    @property
    def ours_text(self) -> str:
        """What was found as people read it, with its interval or its count."""
        text = ", ".join(_text(value, self.digits) for value in self.ours)
        if self.interval is not None:
            low, high = (_text(end, self.digits) for end in self.interval)
            text += f" [{low}, {high}]"
        if self.held is not None:
            count = f"{self.held[0]} of {self.held[1]} runs"
            text = f"{text}; {count}" if text else count
        return text

    @property
    def agrees(self) -> bool | None:
        """Whether the source is confirmed; None where nothing could be compared."""
        if self.verdict in ("reproduced", "reproduced within sampling error", "holds"):
            return True
        if self.verdict.startswith(("printed only", "not computed")):
            return None
        return False


@dataclass(frozen=True, eq=False)
class Claim:
    """What a source says, and how it is checked.

    Attributes
    ----------
    key, source, place, words : str
        As in `Finding`, where ``words`` is the claim.
    check : callable
        Takes the evidence and returns an `Outcome`.
    scenarios : tuple of str
        Keys of the scenarios that the evidence must hold.
    """

    key: str
    source: str
    place: str
    words: str
    check: Callable[[Evidence], Outcome]
    scenarios: tuple[str, ...] = ()

    def has(self, text: str) -> bool:
        """Return whether a text is in the claim, whatever its case; a number as a whole."""
        here = f"{self.source} {self.place} {self.words} {self.key}".casefold()
        # People type an x where the program shows a multiplication sign.
        here = f"{here} {here.replace(' × ', 'x')}"
        return re.search(rf"(?<!\d){re.escape(text.casefold())}(?!\d)", here) is not None

    def find(self, evidence: Evidence) -> Finding:
        """Return the claim, checked."""
        outcome = self.check(evidence)
        found: dict[str, Any] = {part.name: getattr(outcome, part.name) for part in fields(Outcome)}
        return Finding(
            **found, key=self.key, source=self.source, place=self.place, claim=self.words
        )


def same_as_printed(printed: float, value: float, digits: int) -> bool:
    """Return whether a value is the printed one to the decimals that are printed."""
    # What lies halfway between two printed values may be rounded either way.
    return abs(value - printed) <= 0.5 * 10.0**-digits + 1e-9


def compared(
    printed: Sequence[float], ours: Sequence[float], digits: int, explanation: str
) -> Outcome:
    """Return the outcome of printed values that were computed anew from printed data."""
    same = len(printed) == len(ours) and all(
        same_as_printed(a, b, digits) for a, b in zip(printed, ours, strict=True)
    )
    return Outcome(
        "reproduced" if same else "not reproduced",
        explanation,
        tuple(map(float, printed)),
        tuple(map(float, ours)),
        digits,
    )


def stated(true: bool, explanation: str, **more: Any) -> Outcome:
    """Return the outcome of a statement in words."""
    return Outcome("holds" if true else "does not hold", explanation, **more)


def lost_digit(printed: float, value: float, digits: int) -> bool:
    """Return whether a printed value is another with one decimal left out.

    Parameters
    ----------
    printed : float
        With ``digits`` decimals.
    value : float
        What should have been printed.
    digits : int

    Examples
    --------
    >>> lost_digit(0.275, 0.24748, 3), lost_digit(0.275, 0.25392, 3)
    (True, False)
    """
    if same_as_printed(printed, value, digits):
        return False
    longer, wanted = f"{value:.{digits + 1}f}", f"{printed:.{digits}f}"
    point = longer.index(".")
    return any(longer[:i] + longer[i + 1 :] == wanted for i in range(point + 1, len(longer)))


def listed(words: Sequence[str]) -> str:
    """Return words as a sentence has them: a, b and c."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _text(value: float, digits: int) -> str:
    if float(value).is_integer() and (digits == 0 or abs(value) > 1):
        return format_score(int(value))
    return format_score(value, digits)
