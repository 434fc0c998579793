"""Which route is shown."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox, QWidget

from core.profiling.routes import ROUTES


class RouteChoice(QComboBox):
    """A list of the routes that a profile has; what was chosen stays chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Route")
        self.show_routes(tuple(ROUTES))

    @property
    def route(self) -> str:
        """The route chosen."""
        return str(self.currentData())

    def show_routes(self, routes: Sequence[str]) -> None:
        """Offer other routes."""
        if [self.itemData(place) for place in range(self.count())] == list(routes):
            return
        chosen = self.currentData()
        self.clear()
        for key in routes:
            route = ROUTES[key]
            self.addItem(f"{route.name[:1].upper()}{route.name[1:]}", key)
            self.setItemData(self.count() - 1, route.note, 3)
        self.setCurrentIndex(max(self.findData(chosen), 0))
        self.setToolTip(ROUTES[self.route].note)
