"""Heat colours of cells, which figures and exports have alike."""

from __future__ import annotations

from core.heat_colors import BLACK, CIVIDIS, WHITE, Rgb, contrast, heat, luminance, mixed, text_on

__all__ = ["BLACK", "CIVIDIS", "WHITE", "Rgb", "contrast", "heat", "luminance", "mixed", "text_on"]
