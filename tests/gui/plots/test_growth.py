"""Costs against sizes, both by logarithm."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gui.plots.growth import GrowthLine, GrowthPlot
from gui.theme import LIGHT

SIZES = np.array([100.0, 1e4, 1e6])


@pytest.fixture
def plot(shown):
    plot = GrowthPlot()
    plot.set_theme(LIGHT)
    plot.set_axes(bottom="items", left="ms")
    return shown(plot, 640, 360)


def test_points_stand_at_their_logarithms(plot):
    costs = np.array([0.01, 0.1, math.nan])
    plot.set_lines([GrowthLine("ami", "AMI", "#009e73", SIZES, costs)])
    x, y = plot._items[-1].getData()
    np.testing.assert_allclose(x, [2, 4, 6])
    np.testing.assert_allclose(y, [-2, -1, math.nan])


def test_a_fit_is_a_line_of_its_own(plot):
    costs = SIZES**0.5
    line = GrowthLine("ami", "AMI", "#009e73", SIZES, costs, fit=(SIZES[[0, 2]], costs[[0, 2]]))
    plot.set_lines([line])
    fitted, points = plot._items
    np.testing.assert_allclose(fitted.getData()[1], [1, 3])
    assert points.opts["symbol"] == "o"


def test_all_sizes_and_costs_are_inside(plot):
    costs = np.array([0.001, 0.1, 1000.0])
    plot.set_lines([GrowthLine("ami", "AMI", "#009e73", SIZES, costs)])
    (left, right), (low, high) = plot.canvas.box.viewRange()
    assert left < 2
    assert right > 6
    assert low < -3
    assert high > 3


def test_one_size_has_an_axis_and_none_has_nothing(plot):
    plot.set_lines([GrowthLine("ap", "AP", "#d55e00", SIZES[:1], np.array([0.02]))])
    (left, right), _ = plot.canvas.box.viewRange()
    assert right > left
    plot.set_lines([])
    assert plot._items == []
    assert plot.canvas._names == []


def test_no_tick_stands_in_the_room_of_the_names(plot):
    line = GrowthLine("a", "a rather long name of a metric", "#d55e00", SIZES, SIZES)
    plot.set_lines([line])
    (left, right), _ = plot.canvas.box.viewRange()
    assert right > 7
    ticks = plot.canvas.bottom_axis.tickValues(left, right, 500)[0][1]
    assert max(ticks) == pytest.approx(6)
