"""A process of its own for what is timed: nothing else that the program does disturbs it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from typing import Any

_POLL = 0.05
_END = 2.0

Send = Callable[[Any], None]
Work = Callable[[Any, Send], None]


class ChildError(RuntimeError):
    """The process that measures has ended before it was done; the message says why."""


def messages_of(work: Work, task: object) -> Generator[Any, None, None]:
    """Run a function in a new process, and yield what it sends.

    Parameters
    ----------
    work : callable
        A function of a module; takes the task, and a function that sends a message.
    task : object
        Can be pickled.

    Yields
    ------
    object
        A message, or None where a twentieth of a second has brought none. Who stops, or
        drops the generator, ends the process.

    Raises
    ------
    ChildError
        If the process cannot be started, fails or is killed.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(work, task, theirs), daemon=True)
    try:
        with _without_interrupts():
            process.start()
    except OSError as error:
        ours.close()
        theirs.close()
        raise ChildError(f"the process that measures did not start: {error}") from None
    theirs.close()
    try:
        while True:
            ready = wait([ours], timeout=_POLL)
            if not ready:
                yield None
                continue
            try:
                kind, content = ours.recv()
            except EOFError:
                process.join(_END)
                raise ChildError(
                    f"the process that measures has ended by itself (code {process.exitcode})"
                ) from None
            if kind == "failed":
                raise ChildError(str(content))
            if kind == "ended":
                return
            yield content
    finally:
        _end(process)
        ours.close()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let a process that is started not hear Ctrl+C, which a terminal sends to all of them.

    Who started it stops it. A process ignores what the one that starts it ignores; for that
    moment it does, too.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(process: Any) -> None:
    """End a process; one that is done has gone by itself."""
    process.join(0.0 if process.is_alive() else _END)
    for stop in (process.terminate, process.kill):
        if process.is_alive():
            stop()
            process.join(_END)
    process.close()


def _serve(work: Work, task: object, connection: Connection) -> None:
    """Do the work in the new process, and tell what comes of it."""
    # Where it was not started from the main thread, or signals are not handed down.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_parent()

    def send(content: object) -> None:
        connection.send(("message", content))

    try:
        work(task, send)
        connection.send(("ended", None))
    except ConnectionError:
        # Nobody listens any more.
        os._exit(0)
    except Exception as error:  # noqa: BLE001 - whatever it is, who waits for it is told
        text = str(error) or type(error).__name__
        if isinstance(error, MemoryError):
            text = "there is not enough memory for such tables"
        connection.send(("failed", text))
    finally:
        connection.close()


def _end_with_parent() -> None:
    """End this process when the one that started it has ended, even if that was killed."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, name="watch the parent", daemon=True).start()
