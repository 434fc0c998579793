"""Figures: one place for pyqtgraph and for writing pictures."""
