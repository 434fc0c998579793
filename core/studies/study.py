"""What every long task has in common: it is a generator of steps."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)
_T = TypeVar("_T")


STEP_SECONDS = 0.05
"""How often a study with many small units of work yields a step."""


@dataclass(frozen=True)
class Step(Generic[T_co]):
    """How far a study has come.

    Attributes
    ----------
    done : int
        Units of work done; what a unit is, the study decides.
    total : int or None
        Units of work in all, None where nobody knows yet.
    message : str
        What is going on, for people.
    partial : object or None
        What can be shown so far.
    result : object or None
        The result; the last step carries it.
    """

    done: int
    total: int | None = None
    message: str = ""
    partial: T_co | None = None
    result: T_co | None = None

    @property
    def fraction(self) -> float | None:
        """Share of the work that is done, 0 to 1; None where the total is not known."""
        if self.total is None:
            return None
        return min(self.done / self.total, 1.0) if self.total > 0 else 1.0


class Study(Protocol[T_co]):
    """A long task: a value that holds its parameters and can run."""

    def run(self) -> Iterator[Step[T_co]]:
        """Work, and yield a step now and then; the last step carries the result.

        Whoever drives the iterator may stop after any step, by closing it or by
        dropping it.
        """
        ...


class Pulse:
    """Says when the next step of a study is due."""

    def __init__(self) -> None:
        self._next = monotonic() + STEP_SECONDS

    def due(self) -> bool:
        """Return whether the time has come, which it then has for this step."""
        now = monotonic()
        if now < self._next:
            return False
        self._next = now + STEP_SECONDS
        return True


def returned(steps: Generator[Step[Any], None, _T]) -> _T:
    """Return what a generator of steps returns, without looking at them."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            value: _T = end.value
            return value


def run_to_end(study: Study[_T]) -> _T:
    """Run a study without looking at its steps.

    Parameters
    ----------
    study : Study

    Returns
    -------
    object
        The result that the last step carries.

    Raises
    ------
    RuntimeError
        If the study ended without a result, which is a fault of the study.
    """
    last: Step[_T] | None = None
    for step in study.run():
        last = step
    if last is None or last.result is None:
        raise RuntimeError(f"{type(study).__name__} ended without a result")
    return last.result
