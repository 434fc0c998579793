"""Garbage is collected in the window's thread alone."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer, Slot

_INTERVAL_MS = 250
# Python's own thresholds, which no longer apply once it does not collect by itself.
_THRESHOLDS = (2_000, 10, 10)


class GarbageKeeper(QObject):
    """Collects garbage now and then, in the thread that it lives in.

    Python collects wherever it happens to make an object, also in a worker's thread. There
    it may find a window that was closed, whose parts refer to one another: Qt's objects
    would be destroyed in a thread that is not theirs, which crashes the program.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self.collect_if_due)
        self._timer.start()

    @Slot()
    def collect_if_due(self) -> None:
        """Collect the oldest generation that has grown enough, and those below it."""
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > _THRESHOLDS[generation]:
                gc.collect(generation)
                return


def settle_memory() -> None:
    """Leave what the start has made out of all later garbage collections.

    A collection stops every thread; with all of Qt's and numpy's objects to look at, it
    would be felt in the window while a worker makes many small objects.
    """
    gc.collect()
    gc.freeze()
