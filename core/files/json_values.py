"""JSON read piece by piece, so that it can be stopped and nobody waits for it.

``json.loads`` holds the interpreter's lock until it has read all. Here only arrays of
bare numbers are given to it, a bounded piece at a time.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Generator
from decimal import Decimal
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from core.files.errors import FaultKind, ReadError, shown
from core.studies.study import Pulse, Step

_SPACE = re.compile(r"[ \t\r\n]*")
_FLAT = re.compile(r'\[[^\[\]{}"]{0,65536}\]')
_BARE = re.compile(r"[^\s,:\[\]{}\"]{1,5000}")
_MAX_DEPTH = 64


def _fraction(text: str) -> Decimal | float:
    """Return a number that is not written as an integer, with all its digits."""
    number = Decimal(text)
    # To make an integer of 1e999999999 takes for ever.
    return number if not number or abs(number.adjusted()) < 400 else math.inf


_DECODER = json.JSONDecoder(parse_float=_fraction)


def json_value(text: str, name: str) -> Generator[Step[Any], None, Any]:
    """Yield steps while JSON is read; return its value.

    Parameters
    ----------
    text : str
        The JSON.
    name : str
        What messages call it.

    Returns
    -------
    dict, list, str, int, Decimal, float, bool or None
        Fractions are decimals, so that no digit is lost.

    Raises
    ------
    ReadError
        If it is not JSON, ends early, has an object with one key twice, or is nested
        more than 64 deep.
    """
    return (yield from _Reader(text, name).run())


class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self._text = text
        self._name = name

    def run(self) -> Generator[Step[Any], None, Any]:
        text = self._text
        pulse = Pulse()
        # The containers around the place, and the key under which the next value goes.
        stack: list[Any] = []
        keys: list[str] = []
        at = self._skip(0)
        while True:
            if pulse.due():
                yield Step(at, 2 * len(text), f"reading {self._name}")
            value, at, opened = self._value(at)
            if opened:
                if len(stack) == _MAX_DEPTH:
                    raise self._error(at, f"it is nested more than {_MAX_DEPTH} deep")
                stack.append(value)
                at = self._skip(at)
                if text[at : at + 1] != ("]" if isinstance(value, list) else "}"):
                    if isinstance(value, dict):
                        at = self._key(at, value, keys)
                    continue
                value, at = stack.pop(), at + 1
            # A value is complete; so may be those around it.
            while True:
                at = self._skip(at)
                if not stack:
                    if at < len(text):
                        raise self._error(at, "something stands behind its end")
                    return value
                inner = stack[-1]
                if isinstance(inner, list):
                    inner.append(value)
                else:
                    inner[keys.pop()] = value
                mark = text[at : at + 1]
                if mark == ",":
                    at = self._skip(at + 1)
                    if isinstance(inner, dict):
                        at = self._key(at, inner, keys)
                    break
                if mark != ("]" if isinstance(inner, list) else "}"):
                    raise self._error(at, "a comma or the end of a list is missing")
                value, at = stack.pop(), at + 1

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self._text, at)
        return match.end() if match else at

    def _value(self, at: int) -> tuple[Any, int, bool]:
        """Return a value, or an empty container that is open, and where it ends."""
        text = self._text
        first = text[at : at + 1]
        if first == '"':
            string, at = self._string(at)
            return string, at, False
        if first == "{":
            return {}, at + 1, True
        if first == "[":
            if match := _FLAT.match(text, at):
                return self._decoded(match[0], at), match.end(), False
            return [], at + 1, True
        match = _BARE.match(text, at)
        if match is None:
            raise self._error(at, "a value is missing")
        return self._decoded(match[0], at), match.end(), False

    def _decoded(self, piece: str, at: int) -> Any:
        try:
            return _DECODER.decode(piece)
        except json.JSONDecodeError as error:
            fault = f"{shown(piece, 20)} is no value" if piece[:1] != "[" else error.msg.lower()
            raise self._error(at + error.pos, fault) from None
        except ValueError:
            # Python refuses to read some thousands of digits.
            raise self._error(at, "a number has too many digits") from None

    def _string(self, at: int) -> tuple[str, int]:
        try:
            string, end = scanstring(self._text, at + 1, True)
        except json.JSONDecodeError as error:
            early = error.msg.startswith("Unterminated")
            at = len(self._text) if early else error.pos
            raise self._error(at, error.msg.lower()) from None
        return string, end

    def _key(self, at: int, into: dict[str, Any], keys: list[str]) -> int:
        if self._text[at : at + 1] != '"':
            raise self._error(at, "a name in quotation marks is missing")
        key, end = self._string(at)
        if key in into:
            raise self._error(at, f"{shown(key)} stands twice in one object: rename one")
        # A place for the key keeps the order, and finds one that comes twice.
        into[key] = None
        keys.append(key)
        end = self._skip(end)
        if self._text[end : end + 1] != ":":
            raise self._error(end, "a colon is missing")
        return self._skip(end + 1)

    def _error(self, at: int, fault: str) -> ReadError:
        if at >= len(self._text):
            return ReadError(
                f"{self._name} ends early, so counts may be missing: save it again.",
                kind=FaultKind.DAMAGED,
            )
        line = self._text.count("\n", 0, at) + 1
        column = at - (self._text.rfind("\n", 0, at) + 1) + 1
        return ReadError(
            f"{self._name}, line {line}, character {column}: this is not JSON as it should be "
            f"({fault}).",
            kind=FaultKind.DAMAGED,
            line=line,
        )
