"""The window is large enough to read, and no larger than its screen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, QTimer, Slot
from PySide6.QtWidgets import QMainWindow

from gui.theme import GRID

_LEAST = QSize(GRID * 110, GRID * 64)
#: Width and height of a frame that is not known before the window is shown.
_FRAME = QSize(GRID, GRID * 5)
#: A window system may put the frame around a window that is on the screen already.
_LATER_MS = 300


class ScreenFit(QObject):
    """Keeps a window within the part of its screen that is free, its frame included.

    Parameters
    ----------
    window : QMainWindow
    """

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        # The size that it was given here; one that somebody else has chosen is theirs.
        self._given = QSize()
        window.installEventFilter(self)

    def fit(self) -> None:
        """Bound the size of the window."""
        window = self._window
        most = window.screen().availableSize() - self._frame()
        needed = window.minimumSizeHint().expandedTo(_LEAST)
        window.setMinimumSize(needed.boundedTo(most))
        self._given = window.size().boundedTo(most)
        window.resize(self._given)

    def _frame(self) -> QSize:
        window = self._window
        if not window.isVisible():
            return _FRAME
        return window.frameGeometry().size() - window.geometry().size()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look at the frame once there is one."""
        if event.type() == QEvent.Type.Show and self._window.size() == self._given:
            for wait in (0, _LATER_MS):
                QTimer.singleShot(wait, self, self._fit_frame)
        return super().eventFilter(watched, event)

    @Slot()
    def _fit_frame(self) -> None:
        window = self._window
        if window.isMaximized() or window.isFullScreen() or window.size() != self._given:
            return
        self.fit()
        room, frame = window.screen().availableGeometry(), window.frameGeometry()
        place = QPoint(
            max(room.left(), min(frame.left(), room.right() + 1 - frame.width())),
            max(room.top(), min(frame.top(), room.bottom() + 1 - frame.height())),
        )
        if place != frame.topLeft():
            window.move(place)
