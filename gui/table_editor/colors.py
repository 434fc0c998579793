"""Colours of the table editor, light and dark."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class EditorColors:
    """Every colour that the editor paints except the heat map, as ``#rrggbb``.

    Parameters
    ----------
    surround : str
        Where there are no cells: the page around the table.
    background, text : str
        Cells without heat, and their numbers.
    zero : str
        Zeros: quieter than `text`, still 4.5 to 1 on `background`.
    grid, grid_strong : str
        Lines between cells, and around the data.
    sum_background, muted : str
        Margins and what stands in them.
    stale : str
        Scores that belong to the table before the last edit.
    mark : str
        Small marks beside a score.
    header_background, header_text : str
        Names of classes and clusters.
    header_active_background, header_active_text : str
        The same, where the selection is.
    selection : str
        Tint of selected cells.
    selection_edge, current, halo : str
        Outline of the selection, frame of the current cell, and the thin line inside both
        that sets them off from any heat colour.
    editor_background, editor_text, editor_selection, editor_selected_text : str
        A cell or name while it is typed.
    warning : str
        Frame of a cell whose text is not a count.
    """

    surround: str
    background: str
    text: str
    zero: str
    grid: str
    grid_strong: str
    sum_background: str
    muted: str
    stale: str
    mark: str
    header_background: str
    header_text: str
    header_active_background: str
    header_active_text: str
    selection: str
    selection_edge: str
    current: str
    halo: str
    editor_background: str
    editor_text: str
    editor_selection: str
    editor_selected_text: str
    warning: str


LIGHT = EditorColors(
    surround="#f5f6f8",
    background="#ffffff",
    text="#1f2328",
    zero="#6b737c",
    grid="#d5dae0",
    grid_strong="#8a939d",
    sum_background="#eceff3",
    muted="#505a64",
    stale="#5f6973",
    mark="#9a4b00",
    header_background="#eceff3",
    header_text="#1f2328",
    header_active_background="#dde4fc",
    header_active_text="#2a3f9e",
    selection="#3b5bdb",
    selection_edge="#263ca6",
    current="#263ca6",
    halo="#ffffff",
    editor_background="#ffffff",
    editor_text="#1f2328",
    editor_selection="#3b5bdb",
    editor_selected_text="#ffffff",
    warning="#c62828",
)

DARK = EditorColors(
    surround="#1d1f24",
    background="#1b1e23",
    text="#e7e9ec",
    zero="#929aa4",
    grid="#363c44",
    grid_strong="#6d7680",
    sum_background="#24282e",
    muted="#b0b8c1",
    stale="#8b949e",
    mark="#f0b45a",
    header_background="#24282e",
    header_text="#e7e9ec",
    header_active_background="#2f3a66",
    header_active_text="#dbe3ff",
    selection="#8ba3ff",
    selection_edge="#a3b6ff",
    current="#b4c3ff",
    halo="#0b0d10",
    editor_background="#101215",
    editor_text="#f2f4f6",
    editor_selection="#4a63c8",
    editor_selected_text="#ffffff",
    warning="#ff7b72",
)

__all__ = ["DARK", "LIGHT", "EditorColors"]
