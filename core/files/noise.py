"""The record of noise in an exported scored table: written, and read back."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import get_args

from core.files.export_names import exact_comments, exact_text
from core.noise import Noise, NoiseChoice, NoiseSide

_CHOICE, _LABEL, _ITEMS, _LOST, _OF = (
    "noise",
    "noise_label",
    "noise_items",
    "noise_lost",
    "noise_of",
)
_EXACT_LABEL = "noise_label_exact"


def noise_comments(noise: Noise | None) -> Iterator[tuple[str, str]]:
    """Yield the record as keys and texts, a line of comment each."""
    if noise is not None:
        yield _CHOICE, noise.choice
        for label in noise.labels:
            yield _LABEL, label
            yield from exact_comments(_LABEL, label)
        yield _ITEMS, str(noise.items)
        yield _LOST, str(noise.lost)
        yield _OF, noise.of


def read_noise(comments: str, separator: str) -> Noise | None:
    """Return the record that the comment lines of an export hold; None if there is none.

    Parameters
    ----------
    comments : str
        The lines above the table.
    separator : str
        What separates key and text.

    Returns
    -------
    Noise or None
        None also where somebody has changed the lines so that they say nothing.
    """
    found: dict[str, list[str]] = {}
    lines = [line[2:] for line in comments.splitlines() if line.startswith(f"# {_CHOICE}")]
    try:
        for key, *texts in csv.reader(lines, delimiter=separator):
            if key == _EXACT_LABEL and texts and (exact := exact_text(texts[0])) is not None:
                found[_LABEL][-1] = exact
                continue
            found.setdefault(key, []).extend(texts[:1])
        (choice,), (items,), (lost,), (of,) = (found[k] for k in (_CHOICE, _ITEMS, _LOST, _OF))
        noise = Noise(choice, tuple(found[_LABEL]), int(items), int(lost), of)  # type: ignore[arg-type]
    except (KeyError, IndexError, ValueError, csv.Error):
        return None
    return checked_noise(noise)


def checked_noise(noise: Noise) -> Noise | None:
    """Return a record that was read, None where it says what no record can."""
    known = noise.choice in get_args(NoiseChoice) and noise.of in get_args(NoiseSide)
    return noise if known and min(noise.items, noise.lost) >= 0 else None
