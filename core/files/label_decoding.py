"""Bytes to text piece by piece, for files that are larger than what is read at once."""

from __future__ import annotations

import codecs

from core.files.decoding import decode
from core.files.errors import FaultKind, ReadError, plain

BOMS = (
    # The mark of UTF-16 begins that of UTF-32, so the longer one comes first.
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)


class NotUtf8Error(ReadError):
    """A text that begins as UTF-8 and goes on as something else."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name} begins as UTF-8 and goes on as something else: say its encoding, cp1252 for "
            "example, or save it as UTF-8.",
            kind=FaultKind.ENCODING,
        )


class Decoder:
    """Decodes a file piece by piece.

    Parameters
    ----------
    codec : str
        Its encoding.
    name : str
        What messages call the file.
    given : bool
        Whether somebody named the encoding.

    Raises
    ------
    ReadError
        If there is no such encoding.
    """

    def __init__(self, codec: str, name: str, *, given: bool) -> None:
        self._codec = codec
        self._name = name
        self._given = given
        try:
            # Codecs that turn bytes into bytes have decoders too, and fail here.
            "".encode(codec)
            self._decoder = codecs.getincrementaldecoder(codec)()
        except (LookupError, UnicodeError):
            decode(b"a", name, codec)
            raise self._fault() from None
        except ValueError:
            # A name with a zero byte in it.
            raise self._fault() from None

    def decode(self, data: bytes, final: bool) -> str:
        """Return the text of the next bytes; with ``final`` there are no others.

        Raises
        ------
        ReadError
            If they are no text in this encoding; `NotUtf8Error` where another is left to try.
        """
        try:
            return self._decoder.decode(data, final)
        except ValueError:
            raise self._fault() from None

    def _fault(self) -> ReadError:
        if self._codec == "utf-8" and not self._given:
            return NotUtf8Error(self._name)
        remedy = "choose another encoding" if self._given else "save it as UTF-8"
        return ReadError(
            f"{self._name} is not text in {plain(self._codec)}: {remedy}.",
            kind=FaultKind.ENCODING,
        )


def whole_characters(data: bytes) -> int:
    """Return how many bytes of a cut UTF-8 or 8-bit text hold no half line or character."""
    line = max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
    if line:
        return line
    for cut in range(4):
        try:
            data[: len(data) - cut].decode("utf-8")
        except UnicodeDecodeError:
            continue
        return len(data) - cut
    return len(data)
