"""Offers work that a program left behind when it was killed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from gui.pages.table import TablePage
from gui.recovery import Recovered, Recovery
from gui.session import Session
from gui.table_editor.notice import Notice, Severity
from gui.tables.origin import Origin


class LostWork(QObject):
    """Shows what the recovery finds, and restores what the user wants of it.

    Parameters
    ----------
    page : TablePage
        Where the offer stands.
    session : Session
    recovery : Recovery
    settle : callable
        Goes on with what it is given once no unsaved work can be lost by it.

    Signals
    -------
    restored(SessionContent)
        Work is open again, with options and columns of its own.
    """

    restored = Signal(object)

    def __init__(
        self,
        page: TablePage,
        session: Session,
        recovery: Recovery,
        settle: Callable[[Callable[[], None]], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._page = page
        self._session = session
        self._recovery = recovery
        self._settle = settle
        recovery.found.connect(self._on_found)
        recovery.trouble.connect(self._on_trouble)

    @Slot(object)
    def _on_found(self, orphans: list[Recovered]) -> None:
        if orphans:
            self._offer(orphans)

    @Slot(str)
    def _on_trouble(self, text: str) -> None:
        self._page.notices.show_notice(Notice(text, Severity.WARNING))

    def _offer(self, orphans: list[Recovered]) -> None:
        names = ", ".join(o.label for o in orphans)
        one = len(orphans) == 1
        restore = [
            ("Restore" if one else f"Restore {o.label}", partial(self._restore, o)) for o in orphans
        ]
        discard = ("Discard" if one else "Discard all", self._recovery.forget_orphans)
        self._page.offers.show_notice(
            Notice(
                f"Tallyscope ended without saving {names}.",
                Severity.WARNING,
                (*restore, discard),
            )
        )

    def _restore(self, work: Recovered) -> None:
        self._settle(partial(self._show, work))

    def _show(self, work: Recovered) -> None:
        content = work.content
        origin = None if work.path is None else Origin(work.path)
        self._session.show_tables(
            content.tables, origin, current=content.current, baseline=content.baseline
        )
        self._session.mark_unsaved()
        self.restored.emit(content)
        self._recovery.keep_now()
        self._recovery.forget(work)
        others = self._recovery.orphans
        if others:
            self._offer(list(others))
