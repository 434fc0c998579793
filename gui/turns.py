"""Work in small turns, between which the window can paint and listen."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from PySide6.QtCore import QObject, QTimer, Slot


class Turns(QObject):
    """Does one thing a turn of the event loop, in the order in which they were asked for.

    Ten plots drawn at once hold the window up ten times as long as one of them.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: dict[Hashable, Callable[[], None]] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._next)

    @property
    def waiting(self) -> int:
        """Number of things that are still to be done."""
        return len(self._waiting)

    def put(self, key: Hashable, work: Callable[[], None]) -> None:
        """Do something soon; what waits under the same key is replaced, and keeps its place."""
        self._waiting[key] = work
        if not self._timer.isActive():
            self._timer.start()

    def clear(self) -> None:
        """Forget what waits."""
        self._waiting.clear()
        self._timer.stop()

    @Slot()
    def _next(self) -> None:
        key = next(iter(self._waiting), None)
        if key is None:
            return
        work = self._waiting.pop(key)
        if self._waiting:
            self._timer.start()
        work()
