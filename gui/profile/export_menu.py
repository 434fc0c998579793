"""What can be exported of profiles and growing costs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QMenu, QStackedWidget, QWidget

from core.files.profile_file import SaveProfile
from core.files.profile_tables import SaveCosts, SaveScaling, SaveTimes
from core.profiling.growth import AXES
from gui.page_exports import PageExports
from gui.profile.costs import CostsView
from gui.profile.growth import GrowthView
from gui.profile.kept import Kept
from gui.profile.traces import TracesView

_JSON = {"JSON, opens again (*.json)": "json"}
_TEXT = {"CSV (*.csv)": "csv", "TSV, tabs (*.tsv)": "tsv"}
_GROWTH = {"CSV (*.csv)": "csv", "TSV, tabs (*.tsv)": "tsv", "JSON (*.json)": "json"}


class Shown(Protocol):
    """The page that exports."""

    traces: TracesView
    costs: CostsView
    growth: GrowthView
    stack: QStackedWidget

    @property
    def kept(self) -> Kept | None:
        """The profile that is shown."""
        ...


class ProfileExportMenu(QMenu):
    """Offers what is on the screen as a figure, and what lies behind it as files."""

    def __init__(self, exports: PageExports, page: Shown, parent: QWidget) -> None:
        super().__init__(parent)
        self._exports = exports
        self._page = page
        self.aboutToShow.connect(self.fill)
        self.fill()

    @Slot()
    def fill(self) -> None:
        """Offer what can be exported now."""
        self.clear()
        page, view = self._page, self._page.stack.currentWidget()
        kept = page.kept
        name = "profile" if kept is None else kept.name.replace("×", "x")
        figures: dict[Any, tuple[str, str]] = {
            page.traces: ("Traces", f"{name} traces"),
            page.costs: ("Costs", f"{name} costs"),
            page.growth: ("Growth", f"growth {page.growth.axis.currentData()}"),
        }
        for shown, (text, stem) in figures.items():
            figure = shown.figure()
            if shown is view and figure is not None:
                self._offer(f"{text} as a figure", partial(self._figure, shown, stem))
        self.addSeparator()
        if kept is not None and kept.result is not None and not kept.running:
            result, window = kept.result, kept.window
            for text, filters, study in (
                ("Whole profile", _JSON, lambda path: SaveProfile(result, path)),
                ("Costs", _TEXT, lambda path: SaveCosts(path, result, window)),
                ("Every time", _TEXT, lambda path: SaveTimes(path, result)),
            ):
                self._offer(
                    text,
                    partial(
                        self._exports.ask,
                        f"Export: {text.lower()}",
                        name if filters is _JSON else f"{name} {text.lower()}",
                        filters,
                        study,
                    ),
                )
        if not page.growth.busy:
            for axis, growth in page.growth.results.items():
                self._offer(
                    f"Growth with {AXES[axis]}",
                    partial(
                        self._exports.ask,
                        "Export: growth",
                        f"growth {axis}",
                        _GROWTH,
                        partial(SaveScaling, result=growth),
                    ),
                )
        if self.isEmpty() or all(action.isSeparator() for action in self.actions()):
            self.addAction("Nothing to export yet: run a profile first").setEnabled(False)

    def _figure(self, view: Any, stem: str) -> None:
        self._exports.ask_figure(view.figure(), stem)

    def _offer(self, text: str, act: Callable[[], object]) -> None:
        def triggered(_checked: bool = False) -> None:
            act()

        self.addAction(f"{text}\N{HORIZONTAL ELLIPSIS}").triggered.connect(triggered)
