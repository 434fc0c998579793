"""Which scores a simulation computes."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from core.metrics.catalogue import METRICS
from core.simulation.presets import PAPER_METRICS


class MetricsChoice(QToolButton):
    """A button with all metrics as a menu; the AP paper's eight at first.

    Signals
    -------
    refused(str)
        Why a choice was not taken, as a sentence.
    """

    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys: tuple[str, ...] = PAPER_METRICS
        self.setObjectName("button")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.set_keys(PAPER_METRICS)

    @property
    def keys(self) -> tuple[str, ...]:
        """The metrics chosen."""
        return self._keys

    def set_keys(self, keys: tuple[str, ...]) -> None:
        """Choose others."""
        self._keys = keys
        usual = keys == PAPER_METRICS
        self.setText("Metrics: the paper's eight" if usual else f"Metrics: {len(keys)}")
        self.setToolTip("Scored of every table: " + ", ".join(METRICS[k].symbol for k in keys))

    def choose(self, key: str, wanted: bool) -> None:
        """Take a metric in or leave it out; one always stays."""
        keys = {*self._keys, key} if wanted else set(self._keys) - {key}
        if not keys:
            self.refused.emit("A simulation needs a metric: the last one stays.")
            return
        # Those of the paper first, in its order; then in the order of the catalogue.
        order = (*PAPER_METRICS, *METRICS)
        self.set_keys(tuple(dict.fromkeys(each for each in order if each in keys)))

    @Slot()
    def _fill(self) -> None:
        self._menu.clear()
        usual = self._menu.addAction("The paper's eight")
        usual.triggered.connect(partial(self.set_keys, PAPER_METRICS))
        self._menu.addSeparator()
        family, menu = None, self._menu
        for key, metric in METRICS.items():
            if metric.per != "table":
                continue
            if metric.family != family:
                family = metric.family
                menu = self._menu.addMenu(family.name)
            slow = {"later": " (slow)", "request": " (very slow)"}.get(metric.when, "")
            action = menu.addAction(f"{metric.name}{slow}")
            action.setCheckable(True)
            action.setChecked(key in self._keys)
            action.toggled.connect(partial(self.choose, key))
