"""Figures of simulations for print: what they say, where it stands, what the files hold."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage

from core.metrics.catalogue import METRICS
from core.statistics.correlation import Correlation
from core.statistics.histogram import Histogram
from core.studies.correlations import Correlations
from core.version import __version__
from gui.plots.charts import (
    CorrelationsFigure,
    HistogramsFigure,
    Panel,
    PointsFigure,
)
from gui.plots.charts_histograms import TALLEST, panel_letter
from gui.plots.export import DRAWING_RESOLUTION, painted
from tests.gui.plots.figures import drawn, saved, something_outside, texts_of, words

MINUS = "\N{MINUS SIGN}"
ORANGE, BLUE = "#d55e00", "#0072b2"
SETTINGS = "Tallyscope; low_4x4; 500 tables; seed 7"
LONG = "Perturbed from a table with a very long name, " * 6


def panel(title="AP", counts=(1, 4, 2), *more, ends=(0.0, 1.0), top=None, note="0.1 to 0.9"):
    heights = [np.array(each, float) for each in (counts, *more)]
    edges = Histogram(ends[0], ends[1], len(counts)).edges
    most = max(each.max() for each in heights) if top is None else top
    return Panel(title, note, ORANGE, ends, edges, heights, most)


def histograms(panels, titles=("Low association, 4 × 4",), shares=False) -> HistogramsFigure:
    return HistogramsFigure(panels, titles, shares, SETTINGS)


def correlations(values, kind="pearson", spread=0.02, tables=500) -> CorrelationsFigure:
    keys = list(METRICS)[: len(values)]
    by_key = {
        key: Correlation(value, max(value - spread, -1.0), min(value + spread, 1.0), tables)
        if not math.isnan(value)
        else Correlation(math.nan, math.nan, math.nan, 1)
        for key, value in zip(keys, values, strict=True)
    }
    found = Correlations(keys[0], kind, by_key, 1000, 0)
    symbols = {key: METRICS[key].symbol for key in keys}
    return CorrelationsFigure(found, symbols, dict.fromkeys(keys, BLUE), "A run", SETTINGS)


def points(x, y, title="A run") -> PointsFigure:
    x, y = np.array(x, float), np.array(y, float)
    return PointsFigure(x, y, ("AP", "ARI"), BLUE, title, SETTINGS)


def cloud(n) -> PointsFigure:
    numbers = np.random.default_rng(1)
    return points(numbers.random(n), numbers.random(n) * 0.5)


FIGURES = {
    "one": histograms([panel()]),
    "two runs": histograms([panel("AP", [1, 2], [40, 60])], ("First", "Second"), shares=True),
    "eight": histograms([panel(f"Metric {i}") for i in range(8)]),
    "thirty": histograms([panel(f"Truth class accuracy {i}") for i in range(30)]),
    "long": histograms(
        [panel(LONG, note=LONG), panel("χ²", ends=(0.0, 1e9), counts=(10**9, 3))],
        (LONG, LONG),
        shares=True,
    ),
    "medians": histograms(
        [replace(panel(), median=0.4), replace(panel(), median=7.0)], (LONG, "Second"), shares=True
    ),
    "empty": histograms([panel("AP", [0, 0, 0])]),
    "negative": histograms([panel("SMI", ends=(-3.0, 12.0)), panel(ends=(-1e-7, 1e-7))]),
    "correlations": correlations([1.0, 0.5, 0.2, 0.99]),
    "both signs": correlations([1.0, -0.99, 0.0, math.nan, 1.0], "spearman"),
    "a little negative": correlations([1.0, -0.1, 0.3]),
    "only one": correlations([1.0]),
    "points": cloud(300),
    "density": cloud(5_000),
    "one cell": points([0.5] * 5_000, [0.5] * 5_000),
    "no points": points([math.nan], [0.5]),
    "long points": PointsFigure(
        np.array([-5.0, 1e6]), np.array([0.0, 1.0]), (LONG, LONG), BLUE, LONG, SETTINGS
    ),
}


@pytest.mark.parametrize("name", FIGURES)
def test_something_stands_outside_the_page(qapp, name):
    assert not something_outside(FIGURES[name])


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_no_svg_or_has_another_width_than_its_column(qapp, tmp_path, name):
    path = saved(FIGURES[name], tmp_path / "figure.svg")
    text = path.read_text("utf-8")
    root = ElementTree.fromstring(text)
    assert re.match(r"(89|183)(\.\d*)?mm", root.get("width", ""))
    told = root.findtext("{*}desc") or ""
    assert f"Tallyscope {__version__}" in told
    assert "seed 7" in told
    assert words(path)


@pytest.mark.parametrize("name", ["eight", "both signs", "density"])
def test_a_pdf_does_not_open_or_has_no_text(qapp, tmp_path, name):
    path = saved(FIGURES[name], tmp_path / "figure.pdf")
    data = path.read_bytes()
    assert data.startswith(b"%PDF")
    assert b"seed 7" in data
    (box,) = re.finditer(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    assert float(box[1]) / 72 * 25.4 == pytest.approx(89 if name == "density" else 183, abs=0.3)
    reader = shutil.which("pdftotext")
    if reader is None:
        pytest.skip("there is no pdftotext to read it")
    text = subprocess.run([reader, path, "-"], capture_output=True, check=True, text=True).stdout
    for word in {
        "eight": ["Metric 7", "tables", "score"],
        "both signs": ["Spearman", "moderate", "resamples"],
        "density": ["ARI against AP", "n = 5,000"],
    }[name]:
        assert word in text


def test_a_png_has_another_size_on_paper_or_no_settings(qapp, tmp_path):
    path = saved(FIGURES["one"], tmp_path / "figure.png")
    image = QImage(str(path))
    assert image.width() == round(89 / 25.4 * 300)
    assert "seed 7" in image.text("Description")
    assert image.text("Software") == f"Tallyscope {__version__}"


# Histograms


def test_panels_have_no_letters_or_the_wrong_ones(qapp, tmp_path):
    found = texts_of(FIGURES["thirty"], tmp_path)
    letters = [text for text in found if re.fullmatch("[a-z]{1,2}", text)]
    assert letters == [panel_letter(i) for i in range(30)]
    assert letters[0] == "a"
    assert letters[25:28] == ["z", "aa", "ab"]
    assert "a" not in texts_of(FIGURES["one"], tmp_path)


def test_thirty_panels_are_taller_than_a_page(qapp):
    assert drawn(FIGURES["thirty"]).size[1] <= TALLEST * 1.001


def test_an_axis_does_not_say_what_it_counts(qapp, tmp_path):
    found = texts_of(histograms([panel("AP", [0, 1_500, 3_000])]), tmp_path)
    for word in ("AP", "0.1 to 0.9", "tables", "score", "0", "3,000", "0.0", "1.0"):
        assert word in found, word
    assert "% of tables" not in found
    found = texts_of(FIGURES["two runs"], tmp_path)
    assert "% of tables" in found
    assert {"First", "Second"} <= set(found)


def test_counts_have_halves(qapp, tmp_path):
    found = texts_of(histograms([panel("AP", [0, 1, 0])]), tmp_path)
    assert "1" in found
    # The axis of scores has its half; that of counts has none.
    assert found.count("0.5") <= 1


def test_a_metric_without_scores_is_a_blank(qapp, tmp_path):
    assert "no score exists" in texts_of(FIGURES["empty"], tmp_path)


def test_a_minus_sign_is_a_hyphen(qapp, tmp_path):
    for name in ("negative", "both signs"):
        found = texts_of(FIGURES[name], tmp_path)
        assert any(text.startswith(MINUS) for text in found)
        assert not any(text.startswith("-") for text in found)


def test_what_does_not_fit_is_cut_without_a_sign(qapp, tmp_path):
    for name in ("long", "long points"):
        found = texts_of(FIGURES[name], tmp_path)
        assert any(text.endswith("\N{HORIZONTAL ELLIPSIS}") for text in found)
        assert not any(text == LONG.strip() for text in found)


def test_titles_of_two_runs_lie_over_one_another(qapp, tmp_path):
    first, second = "A first run of five thousand tables", "A second run of three thousand"
    narrow = histograms([panel("AP", [1, 2], [40, 60])], (first, second), shares=True)
    assert {first, second} <= set(texts_of(narrow, tmp_path))


def image_of(figure, dpi=150) -> QImage:
    steps = painted(drawn(figure), dpi)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def heights_in(image: QImage, colour: QColor) -> list[int]:
    """Return the height of what has a colour, column by column, blank ones left out."""
    raw = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1).copy()
    there = (raw & 0xFFFFFF) == (colour.rgb() & 0xFFFFFF)
    return [int(n) for n in there.sum(axis=0) if n]


def test_a_bar_has_another_height_than_its_count(qapp):
    image = image_of(histograms([panel("AP", [10, 5, 1])]))
    found = heights_in(image, QColor(ORANGE))
    whole = max(found)
    for share in (1.0, 0.5, 0.1):
        assert any(abs(height - share * whole) <= 2 for height in found)
    assert min(found) >= 0.1 * whole - 2


def test_panels_that_share_a_top_have_other_scales(qapp):
    pair = [panel("AP", [10, 0], top=10), panel("AMI", [5, 0], top=10)]
    found = heights_in(image_of(histograms(pair)), QColor(ORANGE))
    assert min(found) == pytest.approx(max(found) / 2, abs=2)


def test_nothing_says_what_the_dotted_line_is(qapp, tmp_path):
    plain = panel("AP", [10, 5, 1])
    assert "median" not in texts_of(histograms([plain]), tmp_path)
    marked = replace(plain, median=0.25)
    assert "median" in texts_of(histograms([marked]), tmp_path)
    two = replace(panel("AP", [1, 2], [40, 60]), median=0.25)
    figure = histograms([two], ("First", "Second"), shares=True)
    assert "median of the bars" in texts_of(figure, tmp_path)


def test_the_median_stands_elsewhere_than_it_is(qapp):
    """In the middle of the first of two bars, whose edges are the ends of the axis."""
    image = image_of(histograms([replace(panel("AP", [10, 10]), median=0.25)]), dpi=300)
    raw = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1).copy()
    bars = np.flatnonzero(((raw & 0xFFFFFF) == (QColor(ORANGE).rgb() & 0xFFFFFF)).any(axis=0))
    rows = np.flatnonzero(((raw & 0xFFFFFF) == (QColor(ORANGE).rgb() & 0xFFFFFF)).any(axis=1))
    inside = raw[rows[0] + 5 : rows[-1] - 5] & 0xFF
    # Dark: the line is all that is so inside the bars.
    grey = [(raw[rows[0] + 5 : rows[-1] - 5] >> shift) & 0xFF for shift in (16, 8)]
    dark = np.flatnonzero(((inside < 60) & (grey[0] < 100) & (grey[1] < 60)).any(axis=0))
    dark = dark[(dark > bars[0]) & (dark < bars[-1])]
    assert dark.mean() == pytest.approx(bars[0] + 0.25 * (bars[-1] - bars[0]), abs=3)


# Correlations


def test_a_correlation_is_not_what_stands_beside_it(qapp, tmp_path):
    found = texts_of(correlations([1.0, 0.5, -0.8, math.nan], spread=0.02), tmp_path)
    assert "0.500 [0.480, 0.520]" in found
    # A sign from another font is a text of its own.
    joined = "".join(found).replace(" ", "")
    assert f"{MINUS}0.800[{MINUS}0.820,{MINUS}0.780]" in joined
    assert "\N{EM DASH}" in found
    for word in ("none", "weak", "moderate", "strong"):
        assert found.count(word) == 2
    assert "Pearson correlation with AP" in found


def test_the_chosen_metric_has_a_bar_of_its_own(qapp, tmp_path):
    found = texts_of(correlations([1.0, 0.5, 0.3]), tmp_path)
    assert "AP" not in found
    for word in ("none", "weak", "moderate", "strong"):
        assert found.count(word) == 1


def test_the_axis_does_not_say_how_many_tables_there_are(qapp, tmp_path):
    found = texts_of(correlations([1.0, 0.5, 0.2], tables=12_345), tmp_path)
    (label,) = [text for text in found if "n = " in text]
    assert "n = 12,345 tables" in label
    assert "1,000 resamples" in label
    figure = correlations([1.0, 0.5, math.nan])
    (label,) = [text for text in texts_of(figure, tmp_path) if "n = " in text]
    assert "n = 1 to 500 tables" in label


def test_bars_start_elsewhere_than_at_zero(qapp):
    """Bars of 0.5 and -0.5 are equally long."""
    image = image_of(correlations([1.0, 0.5, -0.5], spread=0.0))
    raw = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1).copy()
    there = (raw & 0xFFFFFF) == (QColor(BLUE).rgb() & 0xFFFFFF)
    rows = np.flatnonzero(there.any(axis=1))
    first, last = rows[1], rows[-2]
    assert there[first].sum() == pytest.approx(there[last].sum(), abs=2)
    assert np.flatnonzero(there[last]).max() == pytest.approx(
        np.flatnonzero(there[first]).min(), abs=4
    )


# Points


def test_tables_without_a_score_are_counted(qapp, tmp_path):
    found = texts_of(points([0.1, math.nan, 0.3], [0.1, 0.2, math.inf]), tmp_path)
    assert "A run, n = 1" in found
    assert "no table has both scores" in texts_of(FIGURES["no points"], tmp_path)


def test_the_colours_of_a_density_mean_nothing(qapp, tmp_path):
    x = np.concatenate([np.full(3_000, 0.3), [0.9]])
    found = texts_of(points(x, x), tmp_path)
    for word in ("tables in a cell", "1", "10", "100", "3,000"):
        assert word in found, word
    assert "1,000" not in found
    assert {"AP", "ARI"} <= set(found)


def test_points_are_lost_between_pieces(qapp, monkeypatch):
    whole = drawn(cloud(5_000))
    few = drawn(cloud(300))
    monkeypatch.setattr("gui.plots.charts._PIECE", 33)
    assert drawn(cloud(5_000))._counts.tolist() == whole._counts.tolist()
    assert whole._counts.sum() == 5_000
    assert drawn(cloud(300))._points[0].tolist() == few._points[0].tolist()


def test_a_density_lies_beside_its_axes(qapp):
    """All tables in one cell, at 0.75 and 0.25 of the axes from 0 to 1."""
    drawing = drawn(points([0.7501] * 3_000, [0.2501] * 3_000))
    areas: list[QRectF] = []
    axes = drawing.axes

    def watched(painter, area, *ends, **more):
        areas.append(area)
        axes(painter, area, *ends, **more)

    drawing.axes = watched
    dpi = 200
    steps = painted(drawing, dpi)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            image = end.value
            break
    scale = dpi / DRAWING_RESOLUTION
    at = (
        round((areas[0].left() + 0.7525 * areas[0].width()) * scale),
        round((areas[0].bottom() - 0.2525 * areas[0].height()) * scale),
    )
    assert image.pixelColor(*at).lightness() < 60
    assert image.pixelColor(at[0] + 20, at[1] + 20) == QColor("#ffffff")
