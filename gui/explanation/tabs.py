"""The tabs of the explanation, and the style of all that stands under them."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QTabBar

from gui.theme import GRID, Theme


class Tabs(QTabBar):
    """Tabs that show which one the keyboard is on."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.hasFocus():
            return
        painter = QPainter(self)
        painter.setPen(self.palette().highlight().color())
        painter.drawRect(self.tabRect(self.currentIndex()).adjusted(0, 0, -1, -1))
        painter.end()


def style_sheet(theme: Theme) -> str:
    """Return the style sheet of the panel."""
    t = theme
    return f"""
    QTabBar#explanations {{ background: transparent; }}
    QTabBar#explanations::tab {{ background: transparent; border: none; color: {t.muted};
        padding: 3px 8px 4px 8px; border-bottom: 2px solid transparent; }}
    QTabBar#explanations::tab:hover {{ color: {t.text}; }}
    QTabBar#explanations::tab:selected {{ color: {t.text}; border-bottom: 2px solid {t.accent}; }}
    QToolButton#segment {{ background: transparent; border: 1px solid {t.border};
        padding: 2px 8px; color: {t.text}; }}
    QToolButton#segment:checked {{ background: {t.track}; border-color: {t.muted}; }}
    QToolButton#segment:hover, QToolButton#segment:focus {{ border-color: {t.accent}; }}
    QToolButton#segment:disabled {{ color: {t.muted}; }}
    QListView#bars, QTableView#texts {{ background: {t.base}; outline: none;
        border: 1px solid transparent; }}
    QListView#bars:focus, QTableView#texts:focus {{ border: 1px solid {t.accent}; }}
    QTableView#texts::item {{ padding: 0 {GRID}px; }}
    QTableView#texts QHeaderView {{ background: {t.base}; }}
    QTableView#texts QHeaderView::section {{ background: {t.base}; color: {t.muted};
        border: none; border-bottom: 1px solid {t.border}; padding: 0 {GRID}px 2px {GRID}px; }}
    """
