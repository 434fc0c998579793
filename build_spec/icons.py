"""The icon of the program in the forms that Windows and macOS want, drawn from the SVG."""

from __future__ import annotations

import os
import struct
from pathlib import Path

_ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
# Apple's names for pictures of 16 to 1024 pixels that are stored as PNG.
_ICNS_TYPES = {
    16: b"icp4",
    32: b"icp5",
    64: b"icp6",
    128: b"ic07",
    256: b"ic08",
    512: b"ic09",
    1024: b"ic10",
}


def draw(svg: Path, sizes: tuple[int, ...]) -> dict[int, bytes]:
    """Return a picture as PNG in each size."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice
    from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPainter
    from PySide6.QtSvg import QSvgRenderer

    app = QGuiApplication.instance() or QGuiApplication([])
    renderer = QSvgRenderer(str(svg))
    if not renderer.isValid():
        raise ValueError(f"{svg} cannot be drawn")
    pictures = {}
    for size in sizes:
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        if not QImageWriter(buffer, QByteArray(b"PNG")).write(image):
            raise ValueError(f"{svg} cannot be written as PNG")
        pictures[size] = bytes(buffer.data().data())
    del app
    return pictures


def ico(pictures: dict[int, bytes]) -> bytes:
    """Return an icon of Windows: a directory of pictures, then the pictures."""
    offset = 6 + 16 * len(pictures)
    entries, data = b"", b""
    for size, png in pictures.items():
        # 256 is written as 0.
        entries += struct.pack(
            "<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(png), offset + len(data)
        )
        data += png
    return struct.pack("<HHH", 0, 1, len(pictures)) + entries + data


def icns(pictures: dict[int, bytes]) -> bytes:
    """Return an icon of macOS: blocks with type and length."""
    blocks = b"".join(
        _ICNS_TYPES[size] + struct.pack(">I", 8 + len(png)) + png for size, png in pictures.items()
    )
    return b"icns" + struct.pack(">I", 8 + len(blocks)) + blocks


def write_icons(svg: Path, folder: Path) -> None:
    """Write ``tallyscope.ico`` and ``tallyscope.icns`` to a folder."""
    sizes = tuple(sorted({*_ICO_SIZES, *_ICNS_TYPES}))
    pictures = draw(svg, sizes)
    (folder / "tallyscope.ico").write_bytes(ico({size: pictures[size] for size in _ICO_SIZES}))
    (folder / "tallyscope.icns").write_bytes(icns({size: pictures[size] for size in _ICNS_TYPES}))
