"""A study driven on the command line: its progress on a terminal, and Ctrl+C."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from core.studies.study import Study

_T = TypeVar("_T")


class Interrupt:
    """Whether Ctrl+C was pressed. The second time it ends the program at once.

    Attributes
    ----------
    pressed : bool
    again : bool
        Whether it was pressed a second time.
    """

    def __init__(self) -> None:
        self.pressed = self.again = False

    @contextlib.contextmanager
    def watching(self) -> Iterator[Interrupt]:
        """Take Ctrl+C as a wish to stop at the next step."""
        if threading.current_thread() is not threading.main_thread():
            yield self
            return
        before = signal.signal(signal.SIGINT, self._press)
        try:
            yield self
        finally:
            signal.signal(signal.SIGINT, before)

    def _press(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self.pressed:
            self.again = True
            raise KeyboardInterrupt
        self.pressed = True


def start_workers(n_jobs: int) -> None:
    """Start the processes that joblib will use, so that they do not hear Ctrl+C.

    A terminal sends it to them too, and each would die with a traceback. Who started them
    stops them.

    Parameters
    ----------
    n_jobs : int
        As joblib counts them.
    """
    if n_jobs == 1 or threading.current_thread() is not threading.main_thread():
        return
    import joblib

    workers = joblib.effective_n_jobs(n_jobs)
    if workers == 1:
        return
    # Processes ignore what the one that starts them ignores; for that moment it does, too.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        joblib.Parallel(n_jobs=n_jobs)(joblib.delayed(int)() for _ in range(workers))
    finally:
        signal.signal(signal.SIGINT, before)


def driven(study: Study[_T], interrupt: Interrupt, unit: str = "") -> tuple[_T | None, bool]:
    """Run a study with its progress on standard error, if that is a terminal.

    Parameters
    ----------
    study : Study
    interrupt : Interrupt
        The study is stopped at the first step after it was pressed.
    unit : str
        What is counted, for the rate; without one no rate is shown.

    Returns
    -------
    found, ended : object or None, bool
        The result; or, where the study was stopped, what it had, which may be nothing.
    """
    found: _T | None = None
    steps = study.run()
    with _shown(unit) as show:
        try:
            for step in steps:
                if step.result is not None:
                    return step.result, True
                if step.partial is not None:
                    found = step.partial
                show(step.message, step.done, step.total)
                if interrupt.pressed:
                    break
        except KeyboardInterrupt:
            # A worker process that heard Ctrl+C all the same hands it on.
            if interrupt.again:
                raise
            interrupt.pressed = True
        except RuntimeError:
            # What is left of a pool whose workers have gone.
            if not interrupt.pressed:
                raise
        finally:
            with contextlib.suppress(AttributeError):
                steps.close()  # type: ignore[attr-defined]
    return found, False


@contextlib.contextmanager
def _shown(unit: str) -> Iterator[Any]:
    """Yield a function that shows a message, and how much is done of how much."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """How many a second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text(f"{speed:,.0f} {unit}/s" if unit and speed else "")

    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        Rate(),
        TextColumn("time left"),
        TimeRemainingColumn(),
        console=Console(file=sys.stderr),
        transient=True,
    )
    with progress:
        task = progress.add_task("", total=None)

        def show(message: str, done: int, total: int | None) -> None:
            progress.update(task, description=message, completed=done, total=total)

        yield show
