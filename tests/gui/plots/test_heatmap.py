"""Heat maps as figures: what is drawn, where, and what the files hold."""

from __future__ import annotations

import re
import zlib
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtGui import QImage

from core.files.errors import SaveError
from core.noise import Noise
from core.studies.study import run_to_end
from core.table import ContingencyTable
from core.version import __version__
from gui.plots import heatmap_drawing
from gui.plots.heatmap import HeatMapFigure, heatmap_image, save_heatmap
from gui.plots.heatmap_layout import LEAST_PT, MM, line_height
from gui.table_editor.heat import CIVIDIS
from gui.table_editor.words import grouped

FIGURE_1 = [[151, 88, 72, 260], [302, 330, 0, 158], [161, 0, 313, 81], [490, 0, 101, 14]]


@pytest.fixture
def table() -> ContingencyTable:
    return ContingencyTable(FIGURE_1, list("4567"), ["zero", "one", "two", "three"])


def laid_out(figure: HeatMapFigure):
    steps = figure.prepare()
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value.layout


def many(r: int, c: int) -> ContingencyTable:
    counts = np.random.default_rng(7).poisson(0.4, (r, c))
    counts[np.arange(r), np.arange(r) * c // r] += 30
    return ContingencyTable(counts)


def greys(image: QImage) -> np.ndarray:
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    # A copy: the image goes with its points.
    return np.array(np.frombuffer(grey.constBits(), np.uint8), int)


def words(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    texts = [e for e in root.iter() if e.tag.endswith("}text")]
    return ["".join(e.itertext()).strip() for e in texts]


def test_text_of_an_svg_is_drawn_as_shapes_or_lost(qapp, tmp_path, table):
    path = tmp_path / "figure.svg"
    assert run_to_end(save_heatmap(HeatMapFigure(table, title="Figure 1"), path)) == path
    found = words(path.read_text("utf-8"))
    for word in (
        "Figure 1",
        "Truth class",
        "Cluster",
        "sum",
        "three",
        "330",
        "2",
        "share of the class",
    ):
        if word != "2":
            assert word in found, word
    assert found.count("790") == 1
    svg = path.read_text("utf-8")
    assert 'width="89.0' in svg
    told = ElementTree.fromstring(svg).findtext("{*}desc") or ""
    assert "Tallyscope" in told
    assert "share of the class" in told
    # 9 points in units of which 1200 are an inch.
    assert 'font-size="150"' in svg


def test_a_pdf_has_margins_or_another_size_or_no_fonts(qapp, tmp_path, table):
    path = tmp_path / "figure.pdf"
    run_to_end(save_heatmap(HeatMapFigure(table, width_mm=183, title="A title"), path))
    data = path.read_bytes()
    (box,) = re.finditer(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    assert float(box[1]) / 72 * 25.4 == pytest.approx(183, abs=0.25)
    assert b"/FontFile2" in data or b"/FontFile3" in data or b"/FontDescriptor" in data
    assert b"Tallyscope".hex().encode() in data or b"Tallyscope" in data.replace(b"\0", b"")
    assert b"share of the class" in data


def test_digits_in_a_pdf_cannot_be_found(qapp, tmp_path, table):
    path = tmp_path / "figure.pdf"
    run_to_end(save_heatmap(HeatMapFigure(table), path))
    maps = b""
    for part in re.finditer(rb"stream\r?\n(.*?)\r?\nendstream", path.read_bytes(), re.DOTALL):
        try:
            maps += zlib.decompress(part[1])
        except zlib.error:
            maps += part[1]
    named = {int(code, 16) for code in re.findall(rb"<[0-9a-fA-F]{4}> <([0-9a-fA-F]{4})>", maps)}
    listed = re.findall(rb"<[0-9a-fA-F]{4}> <[0-9a-fA-F]{4}> \[([^\]]*)\]", maps)
    named |= {int(code, 16) for part in listed for code in re.findall(rb"<([0-9a-fA-F]{4})>", part)}
    assert set(map(ord, "0123458")) <= named


def test_a_png_has_the_wrong_size_on_paper(qapp, tmp_path, table):
    path = tmp_path / "figure.png"
    run_to_end(save_heatmap(HeatMapFigure(table, title="T"), path))
    image = QImage(str(path))
    assert image.width() == round(89 / 25.4 * 300)
    assert image.dotsPerMeterX() == round(300 / 0.0254)
    assert image.text("Title") == "T"
    assert image.text("Software").startswith("Tallyscope")
    assert "89 mm" in image.text("Description")


def test_a_file_does_not_say_what_it_shows_and_how_it_was_made(qapp, tmp_path, table):
    noted = table.with_noise(Noise("drop", ("-1",), 3))
    figure = HeatMapFigure(noted, scale="peak", name="Figure <1> & more")
    told = {}
    for kind in ("svg", "pdf", "png"):
        path = tmp_path / f"figure.{kind}"
        run_to_end(save_heatmap(figure, path))
        told[kind] = path.read_bytes().decode("utf-8", "replace")
    root = ElementTree.fromstring(told["svg"])
    told["svg"] = f"{root.findtext('{*}title')} {root.findtext('{*}desc')}"
    xmp = re.search(r"<x:xmpmeta.*?</x:xmpmeta>", told["pdf"], re.S)
    assert xmp is not None
    told["pdf"] = " ".join(ElementTree.fromstring(xmp[0]).itertext())
    image = QImage(str(tmp_path / "figure.png"))
    told["png"] = " ".join(map(image.text, ("Title", "Software", "Description")))
    for kind, text in told.items():
        for words_of in (
            "Heat map of Figure <1> & more",
            f"Tallyscope {__version__}",
            "rows are truth classes, columns are clusters",
            "colour: share of the largest count of the class",
            "3 items labelled -1 were dropped",
            "N = 2521",
        ):
            assert words_of in text, (kind, words_of)


@pytest.mark.parametrize("shape", [(4, 4), (12, 20)])
def test_the_corner_lacks_the_sum_of_all_or_it_leaves_the_page(qapp, tmp_path, shape):
    wide = ContingencyTable(np.full(shape, 1234))
    figure = HeatMapFigure(wide)
    path = tmp_path / "figure.svg"
    run_to_end(save_heatmap(figure, path))
    found = words(path.read_text("utf-8"))
    layout = laid_out(figure)
    assert found.count(grouped(wide.total)) == 1
    assert layout.column_sums is not None
    assert layout.column_sums.turned is (shape[1] == 20)
    assert layout.row_sums is not None
    assert layout.right + layout.row_sums.room <= layout.width
    assert grouped(wide.total) not in words_of_figure(HeatMapFigure(wide, margins=False), path)


def words_of_figure(figure, path):
    run_to_end(save_heatmap(figure, path))
    return words(path.read_text("utf-8"))


@pytest.mark.parametrize("width", [20, 40, 89])
@pytest.mark.parametrize("scale", ["row", "peak", "table"])
def test_the_legend_leaves_a_narrow_page(qapp, table, width, scale):
    image = heatmap_image(HeatMapFigure(table, scale=scale, width_mm=width), dpi=300)
    edges = 0, 1, image.width() - 2, image.width() - 1
    assert all(
        image.pixelColor(x, y).lightness() > 250 for x in edges for y in range(image.height())
    )


def test_cells_have_colours_of_other_cells(qapp, table):
    figure = HeatMapFigure(table, counts=False, margins=False)
    layout = laid_out(figure)
    image = heatmap_image(figure, dpi=300)
    shares = np.array(FIGURE_1) / np.array(FIGURE_1).sum(axis=1, keepdims=True)
    for i in range(4):
        for j in range(4):
            x = layout.left + (j + 0.5) * layout.cell[0]
            y = layout.top + (i + 0.5) * layout.cell[1]
            colour = image.pixelColor(round(x / 4), round(y / 4))
            level = int(shares[i, j] / shares.max() * 255)
            expected = CIVIDIS[level] if shares[i, j] else (255, 255, 255)
            assert (colour.red(), colour.green(), colour.blue()) == expected, (i, j)


def test_an_order_is_not_that_of_the_figure(qapp, tmp_path, table):
    path = tmp_path / "figure.svg"
    run_to_end(save_heatmap(HeatMapFigure(table, "size", "matching", margins=False), path))
    found = words(path.read_text("utf-8"))
    rows = [w for w in found if w in "4567" and w]
    columns = [w for w in found if w in ("zero", "one", "two", "three")]
    assert rows == ["5", "7", "4", "6"]
    assert columns == ["one", "zero", "three", "two"]
    counts = [int(w) for w in found if w.isdigit() and len(w) > 1]
    assert counts[:3] == [330, 302, 158]
    shown = HeatMapFigure(table, np.array([1, 3, 0, 2]), np.array([1, 0, 3, 2]))
    assert heatmap_image(shown) == heatmap_image(HeatMapFigure(table, "size", "matching"))


@pytest.mark.parametrize(
    "shape", [(4, 4), (60, 45), (1, 12), (12, 1), (300, 300), (1, 1), (3, 900)]
)
@pytest.mark.parametrize("width", [40, 89, 183])
def test_parts_of_a_figure_overlap_or_leave_the_page(qapp, shape, width):
    names = ["a name that is much too long for any figure, and so is cut", "b"]
    table = ContingencyTable(
        many(*shape).counts,
        [names[i % 2] for i in range(shape[0])],
        [names[j % 2] for j in range(shape[1])],
    )
    layout = laid_out(HeatMapFigure(table, width_mm=width, title="A title"))
    assert layout.left - layout.row_names.room >= line_height(9)
    assert layout.right <= layout.width
    if layout.row_sums is not None:
        assert layout.right + layout.row_sums.room <= layout.width
    above = layout.column_names.room if layout.column_names.turned else line_height(9)
    assert layout.top - above >= 2 * line_height(9)
    assert layout.bar[1] > layout.bottom
    assert layout.bar[0] + layout.bar[2] <= layout.width
    assert layout.none[0] >= 0
    for names_of, size in (
        (layout.row_names, layout.cell[1]),
        (layout.column_names, layout.cell[0]),
    ):
        assert names_of.pt >= LEAST_PT
        if names_of is layout.row_names or names_of.turned:
            assert names_of.every * size >= line_height(names_of.pt) * 0.999
    if layout.counts_pt:
        assert layout.counts_pt >= LEAST_PT
        assert line_height(layout.counts_pt) <= layout.cell[1] * 1.001


def test_60_x_45_is_not_readable_on_a_page(qapp):
    layout = laid_out(HeatMapFigure(many(60, 45), width_mm=183))
    assert layout.height <= 250 * MM
    assert layout.counts_pt >= LEAST_PT
    assert layout.row_names.every == layout.column_names.every == 1


def test_a_large_table_is_drawn_cell_by_cell(qapp, tmp_path, monkeypatch):
    def refuse(*_):
        raise AssertionError("drawn one by one")

    monkeypatch.setattr(heatmap_drawing.HeatMapDrawing, "_paint_cells", refuse)
    path = tmp_path / "large.svg"
    run_to_end(save_heatmap(HeatMapFigure(many(300, 300), width_mm=183), path))
    assert "<image" in path.read_text("utf-8")


def test_strips_of_an_image_leave_gaps_or_change_it(qapp, tmp_path, monkeypatch):
    figure = HeatMapFigure(many(300, 300), width_mm=183)
    whole = heatmap_image(figure)
    monkeypatch.setattr(heatmap_drawing, "_DRAWN_AT_ONCE", 20_000)
    monkeypatch.setattr(heatmap_drawing, "_CELLS_AT_ONCE", 5_000)
    parts = heatmap_image(figure)
    layout = laid_out(figure)
    side = round(layout.cell[0] * 300 / 4)
    box = (round(layout.left / 4), round(layout.top / 4), side, side)
    one, two = (greys(image.copy(*box)) for image in (whole, parts))
    # The edges of cells may move by a point of the picture; nothing else may differ.
    assert (np.abs(one - two) > 8).mean() < 0.01


@pytest.mark.parametrize("counts", [[[0, 0], [0, 0]], [[0]], [[7]], [[0, 5], [0, 0]]])
def test_a_table_with_nothing_in_it_has_no_figure(qapp, tmp_path, counts):
    for kind in ("png", "svg", "pdf"):
        path = tmp_path / f"empty.{kind}"
        run_to_end(save_heatmap(HeatMapFigure(ContingencyTable(counts)), path))
        assert path.stat().st_size > 1_000


def test_markup_in_a_name_spoils_the_file(qapp, tmp_path):
    table = ContingencyTable([[1, 2]], ["<b>&amp;"], ['"q"', "a\tb"])
    for kind in ("svg", "pdf"):
        path = tmp_path / f"markup.{kind}"
        run_to_end(save_heatmap(HeatMapFigure(table, title="<i>R & D"), path))
    assert "<i>R & D" in words((tmp_path / "markup.svg").read_text("utf-8"))
    (meta,) = re.finditer(
        rb"<x:xmpmeta.*</x:xmpmeta>", (tmp_path / "markup.pdf").read_bytes(), re.DOTALL
    )
    assert "<i>R & D" in "".join(ElementTree.fromstring(meta[0]).itertext())


def test_a_file_that_cannot_be_written_is_half_written(qapp, tmp_path, table):
    path = tmp_path / "figure.png"
    path.write_bytes(b"before")
    for _ in zip(save_heatmap(HeatMapFigure(table), path).run(), range(3), strict=False):
        pass
    assert path.read_bytes() == b"before"
    with pytest.raises(SaveError, match=r"a figure is a \.png, \.svg or \.pdf file"):
        run_to_end(save_heatmap(HeatMapFigure(table), tmp_path / "figure.jpg"))
    with pytest.raises(SaveError, match="does not exist"):
        run_to_end(save_heatmap(HeatMapFigure(table), tmp_path / "no" / "figure.png"))
    with pytest.raises(SaveError, match="fewer points an inch"):
        run_to_end(save_heatmap(HeatMapFigure(table, width_mm=1000), path, dpi=1200))
    assert path.read_bytes() == b"before"


def test_sizes_beyond_reason_are_taken(table):
    with pytest.raises(ValueError, match="20 to 1000 mm"):
        HeatMapFigure(table, width_mm=5)
    with pytest.raises(ValueError, match="5 to 24 points"):
        HeatMapFigure(table, font_pt=3)
