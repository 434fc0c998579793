"""Findings on published results as PDF."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPageLayout, QPageSize, QPainter, QPdfWriter, QPen

from core.files.atomic import atomic_file
from core.files.errors import SaveError, plain
from core.files.published_report import report_conventions, settings_text
from core.files.writing import Saved, written
from core.published.finding import Finding
from core.studies.published import PublishedResult
from core.studies.study import Pulse, Step
from core.version import PROGRAM, __version__
from gui.published.model import MARKS
from gui.theme import LIGHT

_RESOLUTION = 300
_MARGIN_MM = 15.0
_BYTES_AT_ONCE = 1 << 20

_TITLE_POINTS, _SOURCE_POINTS, _POINTS, _SMALL_POINTS = 14.0, 11.0, 8.0, 7.0

#: Heads of the columns, their shares of the width, and whether they hold numbers.
_COLUMNS = (
    ("Place", 0.16, False),
    ("Claim", 0.32, False),
    ("Printed", 0.17, True),
    ("Ours", 0.18, True),
    ("Verdict", 0.17, False),
)
_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight


@dataclass(frozen=True, eq=False)
class SavePublishedPdf:
    """The study that writes findings to a PDF file, in light colours.

    Attributes
    ----------
    path : Path or str
        Ends with ``.pdf``.
    result : PublishedResult
    """

    path: Path | str
    result: PublishedResult

    def run(self) -> Generator[Step[Saved], None, None]:
        """Draw line by line and write; the last step has the `Saved` file.

        The file is replaced between the last two steps; who stops before leaves it as it
        was.

        Raises
        ------
        SaveError
            If the ending is another, or the file cannot be written.
        """
        path = Path(self.path)
        name = plain(path.name)
        if path.suffix.lower() != ".pdf":
            raise SaveError(f"{name} was not saved: give it the ending .pdf.")
        message, total = f"drawing {name}", len(self.result.findings)
        yield Step(0, total, message)
        content = QByteArray()
        buffer = QBuffer(content)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        sheet = _Sheet(buffer)
        try:
            pulse = Pulse()
            for done in sheet.draw(self.result):
                if pulse.due():
                    yield Step(done, total, message)
        finally:
            sheet.painter.end()
        buffer.close()
        data = bytes(content.data())
        with atomic_file(path) as file:
            for start in range(0, len(data), _BYTES_AT_ONCE):
                file.write(data[start : start + _BYTES_AT_ONCE])
            stamp = written(file)
            yield Step(total, total, f"saving {name}")
        yield Step(total, total, f"saved {name}", result=Saved(path, stamp, total))


class _Sheet:
    """Pages that are filled from the top; a line is never divided between two."""

    def __init__(self, buffer: QBuffer) -> None:
        self._writer = QPdfWriter(buffer)
        self._writer.setResolution(_RESOLUTION)
        self._writer.setTitle("Published results, checked")
        self._writer.setCreator(f"{PROGRAM} {__version__}")
        margin = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
        size, side = QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Landscape
        self._writer.setPageLayout(QPageLayout(size, side, margin, QPageLayout.Unit.Millimeter))
        self.painter = QPainter(self._writer)
        self._width = float(self._writer.width())
        self._foot = 2.5 * _units(_SMALL_POINTS)
        self._bottom = self._writer.height() - self._foot
        self._y = 0.0
        self._page = 1

    def draw(self, result: PublishedResult) -> Iterator[int]:
        """Draw the findings; yield how many are done."""
        self._number()
        self._text("Published results, checked", _TITLE_POINTS, bold=True)
        for line in (
            f"{PROGRAM} {__version__}; {settings_text(result.study)}.",
            result.summary(),
            *report_conventions(result),
        ):
            self._text(line, _POINTS)
        done = 0
        for source, findings in result.by_source().items():
            self._room(6 * _units(_SOURCE_POINTS))
            self._y += _units(_SOURCE_POINTS)
            self._text(source, _SOURCE_POINTS, bold=True)
            self._heads()
            for finding in findings:
                self._finding(finding)
                done += 1
                yield done

    def _finding(self, finding: Finding) -> None:
        cells = (
            finding.place,
            finding.claim,
            finding.printed_text,
            finding.ours_text,
            f"{MARKS[finding.verdict]} {finding.verdict}",
        )
        gap = _units(_POINTS) / 2
        height = max(
            self._height(cell, self._column(i)[1], _POINTS) for i, cell in enumerate(cells)
        )
        indent, _ = self._column(1)
        below = self._height(finding.explanation, self._width - indent, _SMALL_POINTS)
        if self._room(height + below + 2 * gap):
            self._heads()
        self._cells(cells, height)
        self._put(
            finding.explanation,
            QRectF(indent, self._y + height, self._width - indent, below),
            _SMALL_POINTS,
            colour=LIGHT.muted,
        )
        self._y += height + below + gap
        self._rule()
        self._y += gap / 2

    def _heads(self) -> None:
        heads = [head for head, _, _ in _COLUMNS]
        height = self._height("Place", self._width, _POINTS)
        self._cells(heads, height, colour=LIGHT.muted)
        self._y += height + _units(_POINTS) / 4
        self._rule()
        self._y += _units(_POINTS) / 4

    def _cells(self, cells: Sequence[str], height: float, colour: str = LIGHT.text) -> None:
        for i, cell in enumerate(cells):
            x, width = self._column(i)
            side = _RIGHT if _COLUMNS[i][2] else _LEFT
            self._put(cell, QRectF(x, self._y, width, height), _POINTS, side, colour=colour)

    def _column(self, number: int) -> tuple[float, float]:
        """Return where a column begins and how wide its text may be."""
        start = sum(share for _, share, _ in _COLUMNS[:number]) * self._width
        return start, _COLUMNS[number][1] * self._width - 1.5 * _units(_POINTS)

    def _text(self, text: str, points: float, *, bold: bool = False) -> None:
        height = self._height(text, self._width, points, bold=bold)
        self._room(height)
        self._put(text, QRectF(0, self._y, self._width, height), points, bold=bold)
        self._y += height + _units(points) / 4

    def _room(self, height: float) -> bool:
        """Begin a page unless this height is left; return whether it did."""
        if self._y + height <= self._bottom or self._y == 0.0:
            return False
        self._writer.newPage()
        self._y = 0.0
        self._page += 1
        self._number()
        return True

    def _number(self) -> None:
        foot = QRectF(0, self._bottom, self._width, self._foot)
        side = _RIGHT | Qt.AlignmentFlag.AlignBottom
        text = f"{PROGRAM} {__version__}, page {self._page}"
        self._put(text, foot, _SMALL_POINTS, side, colour=LIGHT.muted)

    def _rule(self) -> None:
        self.painter.setPen(QPen(QColor(LIGHT.border), _RESOLUTION / 144))
        self.painter.drawLine(0, round(self._y), round(self._width), round(self._y))

    def _height(self, text: str, width: float, points: float, *, bold: bool = False) -> float:
        self._set_font(points, bold)
        # As high as asked for: the text is measured, not fitted.
        room = QRectF(0, 0, width, 1e6)
        flags = int(Qt.TextFlag.TextWordWrap)
        return self.painter.boundingRect(room, flags, text or " ").height()

    def _put(
        self,
        text: str,
        area: QRectF,
        points: float,
        side: Qt.AlignmentFlag = _LEFT,
        *,
        bold: bool = False,
        colour: str = LIGHT.text,
    ) -> None:
        self._set_font(points, bold)
        self.painter.setPen(QColor(colour))
        self.painter.drawText(area, int(side) | int(Qt.TextFlag.TextWordWrap), text)

    def _set_font(self, points: float, bold: bool) -> None:
        font = QFont()
        font.setPointSizeF(points)
        font.setBold(bold)
        self.painter.setFont(font)


def _units(points: float) -> float:
    return points / 72 * _RESOLUTION
