"""A way out of the middle of a long computation.

A study may be left after any step, but one score of one large table can take many seconds.
What loops for long asks in between whether it should go on; whoever drives the work says how
to find out. Nothing here knows of threads: the question is asked where the work is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class InterruptedWork(Exception):  # noqa: N818 - nothing went wrong
    """A computation was left because nobody wants its result any more."""


_question: ContextVar[Callable[[], bool] | None] = ContextVar("wanted", default=None)


@contextmanager
def interruptible(is_unwanted: Callable[[], bool]) -> Iterator[None]:
    """Let computations within this block be left early.

    Parameters
    ----------
    is_unwanted : callable
        Returns whether the work should end; asked often, so it should be quick.

    Raises
    ------
    InterruptedWork
        From within the block, soon after the answer has become True.
    """
    token = _question.set(is_unwanted)
    try:
        yield
    finally:
        _question.reset(token)


def checkpoint() -> None:
    """Go on, unless the work is no longer wanted.

    Raises
    ------
    InterruptedWork
        If the block around it has been told so; outside of any block never.
    """
    is_unwanted = _question.get()
    if is_unwanted is not None and is_unwanted():
        raise InterruptedWork("nobody wants the result any more")
