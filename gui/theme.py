"""Colours, fonts and the style of the window, light and dark."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from gui.table_editor import colors
from gui.table_editor.colors import EditorColors

GRID = 8
"""Spacing unit of every layout, in device-independent pixels."""


class Scheme(StrEnum):
    """What the window follows."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True)
class Theme:
    """The colours of one scheme, as #rrggbb.

    `families` are the metric families' colours, from the colour-blind safe set of
    Okabe and Ito, the same on every page.
    """

    name: str
    window: str
    base: str
    raised: str
    text: str
    muted: str
    border: str
    accent: str
    on_accent: str
    track: str
    warning: str
    warning_background: str
    error: str
    error_background: str
    info_background: str
    families: dict[str, str]
    editor: EditorColors

    @property
    def is_dark(self) -> bool:
        """Whether text is lighter than its background."""
        return self.name == "dark"

    def family(self, key: str) -> QColor:
        """Return the colour of a metric family."""
        return QColor(self.families.get(key, self.muted))


LIGHT = Theme(
    name="light",
    window="#f5f6f8",
    base="#ffffff",
    raised="#ffffff",
    text="#1b1e24",
    muted="#5d6470",
    border="#d5d9e0",
    accent="#3b5bdb",
    on_accent="#ffffff",
    track="#e6e9ee",
    warning="#8a5a00",
    warning_background="#fff4d6",
    error="#b3261e",
    error_background="#fdecea",
    info_background="#e8edfd",
    families={
        "ap": "#d55e00",
        "matching": "#e69f00",
        "pairs": "#0072b2",
        "information": "#009e73",
        "generalised": "#cc79a7",
        "extremes": "#56b4e9",
    },
    editor=colors.LIGHT,
)

DARK = Theme(
    name="dark",
    window="#1d1f24",
    base="#24272d",
    raised="#2a2d34",
    text="#e7e9ee",
    muted="#a3a9b5",
    border="#3b3f48",
    accent="#8ba3ff",
    on_accent="#14161b",
    track="#363a43",
    warning="#f0c674",
    warning_background="#3a3220",
    error="#ff9d94",
    error_background="#402624",
    info_background="#2a3150",
    families={
        "ap": "#f07c2b",
        "matching": "#e69f00",
        "pairs": "#56b4e9",
        "information": "#2fc79a",
        "generalised": "#dd9dc0",
        "extremes": "#f0e442",
    },
    editor=colors.DARK,
)


class ThemeKeeper(QObject):
    """Applies the theme to the application and follows the system's light and dark.

    Parameters
    ----------
    app : QApplication
    scheme : Scheme
        What to follow at first.
    """

    changed = Signal()

    def __init__(self, app: QApplication, scheme: Scheme = Scheme.SYSTEM) -> None:
        super().__init__(app)
        self._app = app
        self._scheme = scheme
        self._theme = LIGHT
        app.setStyle("Fusion")
        app.styleHints().colorSchemeChanged.connect(self._on_system_changed)
        self.set_scheme(scheme)

    @property
    def theme(self) -> Theme:
        """The theme that is on the screen."""
        return self._theme

    @property
    def scheme(self) -> Scheme:
        """What the window follows."""
        return self._scheme

    def set_scheme(self, scheme: Scheme) -> None:
        """Follow the system, or stay light or dark."""
        self._scheme = scheme
        hints = self._app.styleHints()
        if scheme is Scheme.SYSTEM:
            hints.unsetColorScheme()
        else:
            hints.setColorScheme(
                Qt.ColorScheme.Dark if scheme is Scheme.DARK else Qt.ColorScheme.Light
            )
        self._apply()

    @Slot()
    def _on_system_changed(self) -> None:
        self._apply()

    def _apply(self) -> None:
        if self._scheme is Scheme.SYSTEM:
            dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        else:
            dark = self._scheme is Scheme.DARK
        theme = DARK if dark else LIGHT
        self._theme = theme
        self._app.setPalette(palette(theme))
        self._app.setStyleSheet(style_sheet(theme))
        self.changed.emit()


def palette(theme: Theme) -> QPalette:
    """Return Qt's palette for a theme."""
    p = QPalette()
    role = QPalette.ColorRole
    for target, colour in (
        (role.Window, theme.window),
        (role.WindowText, theme.text),
        (role.Base, theme.base),
        (role.AlternateBase, theme.window),
        (role.Text, theme.text),
        (role.Button, theme.raised),
        (role.ButtonText, theme.text),
        (role.ToolTipBase, theme.raised),
        (role.ToolTipText, theme.text),
        (role.PlaceholderText, theme.muted),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.on_accent),
        (role.Link, theme.accent),
        (role.Mid, theme.border),
        (role.Midlight, theme.track),
        (role.Light, theme.raised),
        (role.Dark, theme.border),
        (role.Accent, theme.accent),
    ):
        p.setColor(target, QColor(colour))
    for target in (role.WindowText, role.Text, role.ButtonText):
        p.setColor(QPalette.ColorGroup.Disabled, target, QColor(theme.muted))
    return p


def style_sheet(theme: Theme) -> str:
    """Return the style sheet that gives the window its calm, flat look."""
    t = theme
    return f"""
    QToolTip {{ color: {t.text}; background: {t.raised}; border: 1px solid {t.border};
        padding: 6px; }}
    QMenuBar {{ background: {t.window}; border-bottom: 1px solid {t.border}; padding: 2px 4px; }}
    QMenuBar::item {{ padding: 4px 10px; border-radius: 4px; background: transparent; }}
    QMenuBar::item:selected {{ background: {t.track}; }}
    QMenu {{ background: {t.raised}; border: 1px solid {t.border}; padding: 4px; }}
    QMenu::item {{ padding: 5px 28px 5px 24px; border-radius: 4px; }}
    QMenu::item:selected {{ background: {t.accent}; color: {t.on_accent}; }}
    QMenu::item:disabled {{ color: {t.muted}; }}
    QMenu::separator {{ height: 1px; background: {t.border}; margin: 4px 8px; }}
    QStatusBar {{ background: {t.window}; border-top: 1px solid {t.border}; color: {t.muted}; }}
    QStatusBar::item {{ border: none; }}
    QStatusBar QLabel {{ color: {t.muted}; padding: 0 8px; }}
    QSplitter::handle {{ background: {t.border}; }}
    QSplitter::handle:horizontal {{ width: 1px; }}
    QSplitter::handle:vertical {{ height: 1px; }}
    QListWidget#navigation {{ background: {t.window}; border: none; outline: none;
        padding: 8px 4px; }}
    QListWidget#navigation::item {{ padding: 8px 12px; border-radius: 6px; color: {t.text};
        margin: 1px 4px; }}
    QListWidget#navigation::item:hover {{ background: {t.track}; }}
    QListWidget#navigation::item:selected {{ background: {t.accent}; color: {t.on_accent}; }}
    QFrame#rule {{ background: {t.border}; }}
    QLabel#question {{ color: {t.muted}; }}
    QLabel#muted, ElidedLabel#muted, HeatLegend#muted {{ color: {t.muted}; }}
    QPushButton {{ background: {t.raised}; border: 1px solid {t.border}; border-radius: 5px;
        padding: 4px 12px; color: {t.text}; }}
    QPushButton:hover {{ border-color: {t.accent}; }}
    QPushButton:focus {{ border: 2px solid {t.accent}; padding: 3px 11px; }}
    QPushButton:disabled {{ color: {t.muted}; }}
    QPushButton#primary {{ background: {t.accent}; color: {t.on_accent};
        border-color: {t.accent}; }}
    QPushButton#primary:disabled {{ background: {t.track}; color: {t.muted};
        border-color: {t.border}; }}
    QProgressBar {{ background: {t.track}; border: none; border-radius: 4px; height: 8px;
        text-align: center; }}
    QProgressBar::chunk {{ background: {t.accent}; border-radius: 4px; }}
    QTreeView#metrics {{ background: {t.base}; border: 1px solid transparent; outline: none; }}
    QTreeView#metrics:focus, QTextBrowser#explanation:focus {{ border: 1px solid {t.accent}; }}
    QTreeView#metrics::item {{ padding: 0; }}
    QTreeView#published {{ background: {t.base}; alternate-background-color: {t.window};
        border: 1px solid {t.border}; outline: none; }}
    QTreeView#published::item {{ padding: 2px 6px; }}
    QTreeView#published:focus {{ border: 1px solid {t.accent}; }}
    QTreeView#published QHeaderView {{ background: {t.window}; border: none; }}
    QTreeView#published QHeaderView::section {{ background: {t.window}; color: {t.muted};
        border: none; padding: 4px 6px; border-bottom: 1px solid {t.border}; }}
    QTableView {{ background: {t.window}; }}
    QTableView#tables, QTableView#comparison {{ background: {t.base}; outline: none;
        alternate-background-color: {t.window}; border: 1px solid {t.border}; }}
    QTableView#tables:focus, QTableView#comparison:focus {{ border: 1px solid {t.accent}; }}
    QTableView#tables QHeaderView, QTableView#comparison QHeaderView,
    QTableView#comparison QTableCornerButton::section {{ background: {t.window};
        border: none; }}
    QTableView#tables QHeaderView::section, QTableView#comparison QHeaderView::section {{
        background: {t.window}; color: {t.muted}; border: none; padding: 4px 3px;
        border-bottom: 1px solid {t.border}; }}
    QTableView#comparison QHeaderView::section:vertical {{ padding-left: 6px; }}
    QTextBrowser#catalogue {{ background: {t.base}; border: 1px solid {t.border};
        border-radius: 6px; }}
    QLineEdit {{ background: {t.base}; border: 1px solid {t.border}; border-radius: 5px;
        padding: 4px 8px; color: {t.text}; }}
    QLineEdit:focus {{ border: 1px solid {t.accent}; }}
    QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0; }}
    QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 0; }}
    QScrollBar::handle {{ background: {t.border}; border-radius: 4px; margin: 2px;
        min-height: 24px; min-width: 24px; }}
    QScrollBar::handle:hover {{ background: {t.muted}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QWidget#panel {{ background: {t.base}; }}
    QTextBrowser#explanation {{ background: {t.base}; border: 1px solid transparent; }}
    QTextBrowser#catalogue:focus {{ border: 1px solid {t.accent}; }}
    QFrame#notice {{ background: {t.info_background}; border: none; border-radius: 6px; }}
    QFrame#notice[severity="warning"] {{ background: {t.warning_background}; }}
    QFrame#notice[severity="error"] {{ background: {t.error_background}; }}
    QFrame#notice QLabel {{ color: {t.text}; background: transparent; }}
    QToolButton#button {{ background: {t.raised}; border: 1px solid {t.border}; border-radius: 5px;
        padding: 4px 12px; color: {t.text}; }}
    QToolButton#button:hover, QToolButton#button:focus {{ border-color: {t.accent}; }}
    QToolButton#button:disabled {{ color: {t.muted}; }}
    QFrame#notice QToolButton {{ background: transparent; border: none; padding: 2px 6px; }}
    QFrame#notice QToolButton:hover, QFrame#notice QToolButton:focus {{ background: {t.track}; }}
    """


def tabular(font: QFont) -> QFont:
    """Return the font with figures of one width, so that digits stand in columns."""
    figures = QFont(font)
    figures.setFeature(QFont.Tag("tnum"), 1)
    return figures


def scaled(font: QFont, factor: float, *, bold: bool = False) -> QFont:
    """Return the font enlarged, whether its size is set in points or pixels."""
    larger = QFont(font)
    if font.pointSizeF() > 0:
        larger.setPointSizeF(font.pointSizeF() * factor)
    else:
        larger.setPixelSize(round(font.pixelSize() * factor))
    larger.setBold(bold)
    return larger
