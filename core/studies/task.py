"""One call as a study: for work that has no steps but must not block a window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from core.studies.study import Step

_T = TypeVar("_T")


@dataclass(frozen=True)
class Task(Generic[_T]):
    """Call a function once.

    Attributes
    ----------
    function : callable
        Takes no argument; what it returns is the result.
    message : str
        What is going on, for people.
    """

    function: Callable[[], _T]
    message: str

    def run(self) -> Iterator[Step[_T]]:
        """Yield before the call, so that it can still be cancelled, and after it."""
        yield Step(0, None, self.message)
        result = self.function()
        yield Step(1, 1, self.message, result, result)
