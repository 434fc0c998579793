"""What tables are called beside each other, so that people can tell them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.cli.reading import ReadTable


def told_apart(read: Sequence[ReadTable], *, files_alone: bool = False) -> list[ReadTable]:
    """Return tables of which no two have the same name.

    Tables that are called after files of one name are called after their paths, others of
    one name get the file in brackets; where that does not help, a number.

    Parameters
    ----------
    read : sequence of ReadTable
        The tables.
    files_alone : bool
        Whether names that tables brought with them stay as they are.
    """
    names = [item.name for item in read]
    after_files = [item.alone and item.name == Path(item.file).stem for item in read]
    changeable = [after or not files_alone for after in after_files]
    ways: tuple[Callable[[int], str | None], ...] = (
        lambda i: str(Path(read[i].file).with_suffix("")) if after_files[i] else None,
        lambda i: f"{read[i].name} ({read[i].file})" if read[i].name else None,
    )
    for way in ways:
        times = Counter(names)
        twice = [i for i, name in enumerate(names) if times[name] > 1 and changeable[i]]
        tried = {i: text for i in twice if (text := way(i)) is not None}
        alike = Counter(tried.values())
        for i, text in tried.items():
            if alike[text] == 1 and text not in times:
                names[i] = text
    taken: set[str] = set()
    for i, name in enumerate(names):
        number = 2
        # A table without a name is called by its place.
        while changeable[i] and names[i] and names[i] in taken:
            names[i] = f"{name} ({number})"
            number += 1
        taken.add(names[i])
    return [replace(item, name=name) for item, name in zip(read, names, strict=True)]
