"""What tables are called beside each other, so that people can tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.cli.reading import ReadTable


def tables_apart(read: Sequence[ReadTable], *, files_alone: bool = False) -> list[ReadTable]:
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
    from core.files.names_apart import told_apart

    after_files = [item.alone and item.name == Path(item.file).stem for item in read]
    names = told_apart(
        [item.name for item in read],
        [
            lambda i: str(Path(read[i].file).with_suffix("")) if after_files[i] else None,
            lambda i: f"{read[i].name} ({read[i].file})",
        ],
        after_files if files_alone else None,
    )
    return [replace(item, name=name) for item, name in zip(read, names, strict=True)]
