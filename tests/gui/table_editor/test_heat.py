"""Every colour carries legible text."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise

import pytest

from gui.table_editor.colors import DARK, LIGHT, EditorColors
from gui.table_editor.heat import BLACK, CIVIDIS, WHITE, contrast, heat, luminance, mixed, text_on


def rgb(value: str) -> tuple[int, int, int]:
    return int(value[1:3], 16), int(value[3:5], 16), int(value[5:7], 16)


def test_cividis_has_its_published_ends_and_grows_lighter_throughout():
    assert len(CIVIDIS) == 256
    assert CIVIDIS[0] == (0, 32, 77)
    assert CIVIDIS[255] == (255, 234, 70)
    lights = [luminance(colour) for colour in CIVIDIS]
    assert all(b >= a - 1e-3 for a, b in pairwise(lights))


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_text_on_heat_has_a_contrast_of_4_5_selected_or_not(colors: EditorColors):
    for colour in (*CIVIDIS, rgb(colors.background)):
        assert contrast(colour, text_on(colour)) >= 4.5
        for share in (0.2, 0.35, 0.5):
            tinted = mixed(colour, rgb(colors.selection), share)
            assert contrast(tinted, text_on(tinted)) >= 4.5


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "paper"),
    [
        ("text", "background"),
        ("zero", "background"),
        ("muted", "sum_background"),
        ("text", "sum_background"),
        ("stale", "sum_background"),
        ("mark", "sum_background"),
        ("muted", "header_background"),
        ("header_text", "header_background"),
        ("header_active_text", "header_active_background"),
        ("editor_text", "editor_background"),
        ("editor_selected_text", "editor_selection"),
    ],
)
def test_text_of_the_editor_has_a_contrast_of_4_5(colors: EditorColors, ink: str, paper: str):
    assert contrast(rgb(getattr(colors, ink)), rgb(getattr(colors, paper))) >= 4.5


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_a_frame_or_its_halo_stands_out_on_every_heat_colour(colors: EditorColors):
    for colour in (*CIVIDIS, rgb(colors.background)):
        for frame in (colors.current, colors.selection_edge):
            best = max(contrast(colour, rgb(c)) for c in (frame, colors.halo))
            assert best >= 3
    for name in ("current", "selection_edge", "warning"):
        assert contrast(rgb(getattr(colors, name)), rgb(colors.background)) >= 3


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_zeros_are_quieter_than_counts(colors: EditorColors):
    paper = rgb(colors.background)
    assert contrast(rgb(colors.zero), paper) < contrast(rgb(colors.text), paper)
    for field in fields(colors):
        assert rgb(getattr(colors, field.name))


def test_counts_near_the_64_bit_limit_do_not_overflow_the_scale():
    most = 2**63 - 1
    assert heat(most, most) == CIVIDIS[255]
    assert heat(most // 2, most) == CIVIDIS[127]
    assert heat(0, 0) == CIVIDIS[0]


def test_contrast_is_that_of_the_guidelines():
    assert contrast(BLACK, WHITE) == pytest.approx(21)
    assert contrast((119, 119, 119), WHITE) == pytest.approx(4.48, abs=0.01)
