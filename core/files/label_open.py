"""A file of labels as a source: what it is, its content tells, not its ending."""

from __future__ import annotations

from pathlib import Path

from core.files.decoding import opened
from core.files.label_arrays import ArraySource, ParquetSource
from core.files.label_options import LabelOptions
from core.files.label_sheets import SheetSource
from core.files.label_source import Source
from core.files.label_text import TextSource


def open_source(path: Path, name: str, options: LabelOptions, *, fallback: bool = False) -> Source:
    """Return the source of labels that a file is.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        What messages call it.
    options : LabelOptions
        What is known of it.
    fallback : bool
        Whether a text is known not to be UTF-8.

    Raises
    ------
    ReadError
        If it cannot be read, or holds no labels.
    """
    kind = file_kind(path, name)
    if kind == "workbook":
        return SheetSource(path, name, options)
    if kind == "arrays":
        return ArraySource(path, name)
    if kind == "parquet":
        return ParquetSource(path, name)
    return TextSource(path, name, options, fallback)


def file_kind(path: Path, name: str) -> str:
    """Return ``workbook``, ``arrays``, ``parquet`` or ``text``; ReadError if it is unreadable."""
    with opened(path, name) as (file, _):
        start = file.read(8)
    if start.startswith(b"\x93NUMPY"):
        return "arrays"
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith(b"PK\x03\x04"):
        from zipfile import BadZipFile, ZipFile

        try:
            with ZipFile(path) as archive:
                members = archive.namelist()
        except (BadZipFile, OSError, ValueError):
            members = []
        if any(member.startswith("xl/") for member in members):
            return "workbook"
        if members and all(member.endswith(".npy") for member in members):
            return "arrays"
        if not members and path.suffix.lower() in (".xlsx", ".xlsm"):
            return "workbook"
        if not members and path.suffix.lower() == ".npz":
            return "arrays"
    return "text"
