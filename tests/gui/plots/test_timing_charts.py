"""Figures of times for print: what they say, and where it stands."""

from __future__ import annotations

import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from gui.plots.growth import GrowthLine
from gui.plots.log_bars import LogBar
from gui.plots.timing_charts import GrowthFigure, LogBarsFigure, TracesFigure
from gui.plots.traces import Trace
from tests.gui.plots.figures import saved, something_outside, texts_of, words

ORANGE, BLUE = "#d55e00", "#0072b2"
SETTINGS = "Tallyscope; paper route; 500 tables; seed 7"
LONG = "A name of a metric that is much too long for a figure, " * 4


def traces(levels, n=50, span=(10, 40)) -> TracesFigure:
    spread = np.exp(np.random.default_rng(1).normal(0, 0.05, n))
    found = [
        Trace(name, name, ORANGE if name == "AP" else BLUE, level * spread, name == "AP")
        for name, level in levels.items()
    ]
    return TracesFigure(found, span, ("instance", "ms"), "Times", "500 tables", SETTINGS)


def growth(names, costs=None) -> GrowthFigure:
    sizes = np.logspace(2, 8, 7)
    costs = sizes**0.5 / 1e3 if costs is None else np.asarray(costs, float)
    ends = sizes[[0, -1]], costs[[0, -1]]
    lines = [
        GrowthLine(name, name, BLUE, sizes, costs, None if number else ends, number == 0)
        for number, name in enumerate(names)
    ]
    return GrowthFigure(lines, ("items N", "ms"), "Growth", "tables 4 × 4", SETTINGS)


def bars(found, mark="as printed") -> LogBarsFigure:
    return LogBarsFigure(found, "ms", ("ms", "× AP"), mark, "Times", "mean", SETTINGS)


def bar(name="AP", value=0.1, **options) -> LogBar:
    return LogBar(name, name, ORANGE, value, texts=(f"{value:.3f}", "1.0"), **options)


FIGURES = {
    "traces": traces({"AP": 0.085, "AMI": 5.967, "ARI": 1.645, "FM": 1.63, "F1": 1.6}),
    "no span": traces({"AP": 0.085}, span=(0, 0)),
    "one instance": traces({"AP": 0.085}, n=1, span=(0, 1)),
    "long names": traces({LONG: 1.0, LONG + "2": 1.01}),
    "gaps": TracesFigure(
        [Trace("a", "a", BLUE, np.array([1.0, math.nan, 2.0, 0.0, 3.0]))],
        (1, 3),
        ("instance", "ms"),
        LONG,
        LONG,
        SETTINGS,
    ),
    "thirty": traces({f"metric {i}": 1.0 + i / 50 for i in range(30)}),
    "growth": growth(["AMI  N^0.50", "SMI"]),
    "growth with gaps": growth(["AMI", LONG], [1e-6, 1e-3, math.nan, 1, 1e3, math.nan, math.nan]),
    "bars": bars([bar(mark=0.3), bar("AMI", 12.0, low=11.0, high=16.0), bar("long " + LONG, 3.0)]),
    "no value": bars([bar("AP", math.nan)], mark=""),
    "wide": bars([bar("a", 1e-6), bar("b", 1e9)]),
}


@pytest.mark.parametrize("name", FIGURES)
def test_something_stands_outside_the_page(qapp, name):
    assert not something_outside(FIGURES[name])


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_another_width_than_two_columns_or_no_settings(qapp, tmp_path, name):
    path = saved(FIGURES[name], tmp_path / "figure.svg")
    root = ElementTree.fromstring(path.read_text("utf-8"))
    assert re.match(r"183(\.\d*)?mm", root.get("width", ""))
    assert "seed 7" in (root.findtext("{*}desc") or "")
    assert words(path)


@pytest.mark.parametrize("kind", ["pdf", "png"])
def test_a_figure_has_no_picture_or_pdf(qapp, tmp_path, kind):
    path = saved(FIGURES["traces"], tmp_path / f"figure.{kind}")
    assert path.read_bytes().startswith(b"%PDF" if kind == "pdf" else b"\x89PNG")


def test_every_trace_has_its_name_and_the_axes_their_units(qapp, tmp_path):
    found = texts_of(FIGURES["traces"], tmp_path)
    assert {"AP", "AMI", "ARI", "FM", "F1", "instance", "ms", "Times"} <= set(found)


def test_bars_without_a_mark_explain_none(qapp, tmp_path):
    assert "as printed" in texts_of(FIGURES["bars"], tmp_path)
    assert "as printed" not in texts_of(FIGURES["no value"], tmp_path)


def test_names_that_are_too_long_are_cut_with_dots(qapp, tmp_path):
    for name in ("long names", "bars"):
        assert any(text.endswith("…") for text in texts_of(FIGURES[name], tmp_path))
