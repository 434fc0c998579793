"""The menus of the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from core.files.samples import sample_labels, sample_tables
from core.metrics.metric import Average, EmptyTruth
from core.metrics.wording import option_text
from gui.help import about_html, keyboard_html
from gui.option_editor import NUMBER_OPTIONS
from gui.settings import DIGITS
from gui.theme import Scheme

if TYPE_CHECKING:
    from gui.main_window import MainWindow

EDIT_MENU = (
    *("undo", "redo", None),
    *("cut", "copy", "copy_with_names", "paste", None),
    *("clear", "select_all"),
)
TABLE_MENU = (
    *("insert_row_above", "insert_row_below", None),
    *("insert_column_left", "insert_column_right", None),
    *("rename_row", "rename_column", None),
    *("delete_rows", "delete_columns", None),
    *("transpose", None),
)
ORDERS = ("order_rows_", "order_columns_", "order_again")
AVERAGES: dict[str, Average] = {
    "Arithmetic mean": "arithmetic",
    "Geometric mean": "geometric",
    "Smaller one": "min",
    "Larger one": "max",
}
EMPTY_TRUTH_RULES: dict[str, EmptyTruth] = {
    "Left out, as in the paper": "exclude",
    "Count as 0": "zero",
}
SCHEMES = {"As the system": Scheme.SYSTEM, "Light": Scheme.LIGHT, "Dark": Scheme.DARK}
LISTS = {"Where there are several": None, "Always": True, "Never": False}
HEAT_SCALES = {
    "Share of the largest count of the class": "row",
    "Share of the class": "share",
    "Share of the largest count of the table": "table",
    "None": "off",
}

_T = TypeVar("_T")


def make_menus(window: MainWindow) -> QMenu:
    """Fill the window's menu bar.

    Returns
    -------
    QMenu
        The menu of recent files, which is filled when it opens.
    """
    bar = window.menuBar()
    files = bar.addMenu("&File")
    files.addActions([window.commands.new, window.commands.new_session])
    files.addActions([window.commands.open, window.commands.import_labels])
    recent = files.addMenu("Open &recent")
    recent.setToolTipsVisible(True)
    recent.aboutToShow.connect(partial(_fill_recent, window, recent))
    samples = files.addMenu("Open a sa&mple")
    for path, title in sample_tables():
        samples.addAction(title).triggered.connect(partial(window.files.open_sample, path, title))
    for path, title in sample_labels():
        imported = samples.addAction(f"{title}…")
        imported.triggered.connect(partial(window.importing.show_assistant, path))
    files.addSeparator()
    files.addActions([window.commands.save, window.commands.save_as])
    files.addSeparator()
    files.addActions([window.commands.export, window.commands.export_all, window.commands.figure])
    files.addAction(window.commands.export_listed)
    files.addSeparator()
    files.addAction(window.commands.quit)
    edit = bar.addMenu("&Edit")
    _add_table_actions(window, edit, EDIT_MENU)
    clear = window.table_page.view.table_actions["clear"]
    edit.insertActions(
        clear,
        [window.commands.paste_table, window.commands.copy_latex, window.commands.copy_markdown],
    )
    edit.insertAction(clear, window.commands.copy_figure)
    edit.insertSeparator(clear)
    table = bar.addMenu("&Table")
    _add_table_actions(window, table, TABLE_MENU)
    order = table.addMenu("&Order of classes and clusters")
    _add_table_actions(window, order, _orders(window))
    table.addSeparator()
    table.addActions(list(window.table_page.tables.actions_by_name.values()))
    _fill_scores_menu(window, bar.addMenu("&Scores"))
    _fill_view_menu(window, bar.addMenu("&View"))
    about = bar.addMenu("&Help")
    about.addAction("&Keyboard", partial(window.show_text, "Keyboard", keyboard_html()))
    about.addAction(
        "&About Tallyscope", partial(window.show_text, "About Tallyscope", about_html())
    )
    return recent


def _fill_recent(window: MainWindow, menu: QMenu) -> None:
    menu.clear()
    settings = window.settings
    for i, path in enumerate(settings.recent_files):
        action = menu.addAction(f"&{(i + 1) % 10}  {path.name.replace('&', '&&')}")
        action.setToolTip(str(path))
        action.triggered.connect(partial(_open_recent, window, path))
    if not settings.recent_files:
        menu.addAction("No files yet").setEnabled(False)
        return
    menu.addSeparator()
    menu.addAction("Forget these files", settings.clear_recent_files)


def _open_recent(window: MainWindow, path: Path, _checked: bool = False) -> None:
    window.files.open_file(path)


def _add_table_actions(window: MainWindow, menu: QMenu, names: Sequence[str | None]) -> None:
    for name in names:
        if name is None:
            menu.addSeparator()
            continue
        menu.addAction(window.table_page.view.table_actions[name])


def _orders(window: MainWindow) -> list[str | None]:
    """Return the names of the actions that order lines, in groups."""
    names: list[str | None] = []
    for prefix in ORDERS:
        names += [None] if names else []
        names += [name for name in window.table_page.view.table_actions if name.startswith(prefix)]
    return names


def _fill_scores_menu(window: MainWindow, menu: QMenu) -> None:
    options = window.scorer.options
    menu.addAction(window.commands.copy_scores)
    menu.addSeparator()
    for option in NUMBER_OPTIONS:
        action = menu.addAction(option.name)
        action.triggered.connect(partial(window.edit_option, option.key))
    menu.aboutToShow.connect(partial(_show_numbers, window, menu.actions()[-len(NUMBER_OPTIONS) :]))
    average = menu.addMenu("&Average of the entropies (NMI, AMI)")
    _add_choices(average, AVERAGES, options.average, window.set_average)
    empty = menu.addMenu("&Empty truth classes in peakiness")
    _add_choices(empty, EMPTY_TRUTH_RULES, options.empty_truth, window.set_empty_truth)


def _show_numbers(window: MainWindow, actions: Sequence[QAction]) -> None:
    """Say in the menu what is in force."""
    for option, action in zip(NUMBER_OPTIONS, actions, strict=True):
        value = getattr(window.scorer.options, option.key)
        action.setText(f"{option.name}: {option_text(value)}")


def _fill_view_menu(window: MainWindow, menu: QMenu) -> None:
    for i, page in enumerate(window.pages):
        action = menu.addAction(page.title)
        action.setShortcut(QKeySequence(f"Ctrl+{i + 1}"))
        action.triggered.connect(partial(window.show_page, i))
    menu.addSeparator()
    settings = window.settings
    menu.addAction(window.table_page.view.table_actions["fit_table"])
    _add_choices(menu.addMenu("&List of tables"), LISTS, settings.show_list, window.set_list)
    _add_choices(menu.addMenu("&Appearance"), SCHEMES, settings.scheme, window.set_scheme)
    digits = {str(n): n for n in DIGITS}
    _add_choices(menu.addMenu("&Decimals"), digits, settings.digits, window.set_digits)
    _add_choices(menu.addMenu("&Heat colours"), HEAT_SCALES, settings.heat, window.set_heat)


def _add_choices(
    menu: QMenu, options: Mapping[str, _T], current: _T, choose: Callable[[_T], None]
) -> None:
    """Fill a menu with options of which one is chosen."""
    group = QActionGroup(menu)
    for text, value in options.items():
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setChecked(value == current)
        action.triggered.connect(partial(_choose, choose, value))
        group.addAction(action)


def _choose(choose: Callable[[_T], None], value: _T, _checked: bool = False) -> None:
    choose(value)
