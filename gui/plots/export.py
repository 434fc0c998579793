"""Figures as files: pictures of a drawing or of a graphics scene, in our own hands.

pyqtgraph's SVG exporter fails under the Qt that the program is pinned to, and its
export menu with it; Qt's own generator writes the scene instead.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QGraphicsScene

from core.files.atomic import atomic_file
from core.files.errors import SaveError, plain
from core.studies.study import Step
from core.version import __version__

#: Units of a drawing that make an inch.
DRAWING_RESOLUTION = 1_200
#: Points an inch that a picture may have, and how many points it may have in all.
LEAST_DPI, MOST_DPI, MOST_POINTS = 36, 1_200, 100_000_000
_BYTES_AT_ONCE = 1 << 20

Work = Generator[Step[Any], None, None]


class Drawing:
    """A figure that is ready to be drawn, in units of which 1200 make an inch.

    Parameters
    ----------
    size : (float, float)
        Width and height.
    title, creator, settings : str
        What the file says of itself.
    """

    def __init__(self, size: tuple[float, float], title: str, creator: str, settings: str) -> None:
        self.size = size
        self.title, self.creator, self.settings = title, creator, settings
        #: Whether it is drawn for a file that can be enlarged.
        self.vector = True

    def paint(self, painter: QPainter) -> Work:
        """Draw it, with a step now and then."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class SaveDrawing:
    """The study that writes a figure to a file.

    Attributes
    ----------
    prepare : callable
        Returns a generator of steps that returns a `Drawing`.
    path : Path or str
        Ends with ``.png``, ``.svg`` or ``.pdf``.
    dpi : int
        Points an inch of a PNG.
    """

    prepare: Callable[[], Generator[Step[Any], None, Drawing]]
    path: Path | str
    dpi: int = 300

    def run(self) -> Generator[Step[Path], None, None]:
        """Draw and write, with steps; the last has the path.

        The file is replaced between the last two steps; who stops before leaves it as it
        was.

        Raises
        ------
        SaveError
            If the file cannot be written, or is of another kind.
        """
        path = Path(self.path)
        kind = path.suffix.lower()
        if kind not in _WRITERS:
            raise SaveError(
                f"{plain(path.name)} was not saved: a figure is a .png, .svg or .pdf file."
            )
        drawing = yield from self.prepare()
        content = yield from _WRITERS[kind](drawing, self.dpi)
        message = f"saving {plain(path.name)}"
        with atomic_file(path) as file:
            for start in range(0, len(content), _BYTES_AT_ONCE):
                file.write(content[start : start + _BYTES_AT_ONCE])
                yield Step(start, len(content), message)
        yield Step(len(content), len(content), f"saved {plain(path.name)}", result=path)


def painted(drawing: Drawing, dpi: float) -> Generator[Step[Any], None, QImage]:
    """Draw, with steps; the generator returns the image.

    Parameters
    ----------
    drawing : Drawing
    dpi : float
        Points an inch, 36 to 1200.

    Raises
    ------
    SaveError
        If the image would have more than 100 million points.
    """
    dpi = min(max(dpi, LEAST_DPI), MOST_DPI)
    scale = dpi / DRAWING_RESOLUTION
    width, height = (max(1, round(length * scale)) for length in drawing.size)
    if width * height > MOST_POINTS:
        raise SaveError(
            f"The figure was not drawn: it would have {width:,} × {height:,} points. Choose "
            "fewer points an inch, or SVG or PDF."
        )
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    image.setDotsPerMeterX(round(dpi / 0.0254))
    image.setDotsPerMeterY(round(dpi / 0.0254))
    for key, text in (
        ("Title", drawing.title),
        ("Software", drawing.creator),
        ("Description", drawing.settings),
    ):
        image.setText(key, text)
    painter = QPainter(image)
    try:
        painter.setRenderHints(
            QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing
        )
        painter.scale(scale, scale)
        drawing.vector = False
        yield from drawing.paint(painter)
    finally:
        painter.end()
    return image


def _png(drawing: Drawing, dpi: int) -> Generator[Step[Any], None, bytes]:
    image = yield from painted(drawing, dpi)
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    yield Step(1, 2, "packing the picture")
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    buffer.close()
    return bytes(content.data())


def _svg(drawing: Drawing, _dpi: int) -> Generator[Step[Any], None, bytes]:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(DRAWING_RESOLUTION)
    width, height = drawing.size
    generator.setSize(QSize(round(width), round(height)))
    generator.setViewBox(QRectF(0, 0, round(width), round(height)))
    generator.setTitle(drawing.title)
    generator.setDescription(f"{drawing.creator}; {drawing.settings}")
    yield from _drawn(drawing, QPainter(generator))
    buffer.close()
    return bytes(content.data())


def _pdf(drawing: Drawing, _dpi: int) -> Generator[Step[Any], None, bytes]:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(DRAWING_RESOLUTION)
    writer.setTitle(drawing.title)
    writer.setCreator(drawing.creator)
    writer.setDocumentXmpMetadata(QByteArray(_xmp(drawing).encode("utf-8")))
    mm = QSizeF(*(length / DRAWING_RESOLUTION * 25.4 for length in drawing.size))
    size = QPageSize(mm, QPageSize.Unit.Millimeter, "figure", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    yield from _drawn(drawing, QPainter(writer))
    buffer.close()
    return bytes(content.data())


def _drawn(drawing: Drawing, painter: QPainter) -> Work:
    try:
        drawing.vector = True
        yield from drawing.paint(painter)
    finally:
        painter.end()


def _xmp(drawing: Drawing) -> str:
    title, creator, settings = (
        html.escape(text) for text in (drawing.title, drawing.creator, drawing.settings)
    )
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{settings}</rdf:li></rdf:Alt></dc:description>
<xmp:CreatorTool>{creator}</xmp:CreatorTool>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""


_WRITERS = {".png": _png, ".svg": _svg, ".pdf": _pdf}


def scene_svg(scene: QGraphicsScene, area: QRectF, resolution: int, title: str) -> bytes:
    """Return a part of a scene as an SVG document.

    Parameters
    ----------
    scene : QGraphicsScene
    area : QRectF
        The part of the scene, in scene units; nothing outside it should be drawn,
        since SVG generation cannot clip.
    resolution : int
        Dots an inch of the widget that shows the scene (its ``logicalDpiX()``), so that
        text keeps its size against the lines.
    title : str
        What the picture shows.

    Returns
    -------
    bytes
        UTF-8 text.
    """
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(resolution)
    generator.setSize(QSize(round(area.width()), round(area.height())))
    generator.setViewBox(QRectF(0, 0, area.width(), area.height()))
    generator.setTitle(title)
    generator.setDescription(f"Tallyscope {__version__}")
    painter = QPainter(generator)
    scene.render(painter, QRectF(0, 0, area.width(), area.height()), area)
    painter.end()
    buffer.close()
    return bytes(content.data())
