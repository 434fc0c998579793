"""Figures as files: vector pictures of a graphics scene, in our own hands.

pyqtgraph's SVG exporter fails under the Qt that the program is pinned to, and its
export menu with it; Qt's own generator writes the scene instead.
"""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QGraphicsScene

from core.version import __version__


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
