"""Label files for tests, and how they are read."""

from __future__ import annotations

import openpyxl
import pytest

from core.files.errors import ReadError
from core.files.label_files import LabelOptions, read_labels

IRIS = "id,truth,kmeans,dbscan\n1,a,0,-1\n2,a,0,0\n3,b,1,0\n4,b,0,1\n5,c,10,2\n"


def fault(path, **options):
    """Return the error of a file, which is one sentence on one line."""
    with pytest.raises(ReadError) as caught:
        read_labels(path, LabelOptions(**options))
    message = str(caught.value)
    assert message.endswith(".")
    assert "\n" not in message
    return caught.value


def one(path, **options):
    """Return the only table of a file."""
    (table,) = read_labels(path, LabelOptions(**options)).tables
    return table


def workbook(path, rows, title="Sheet"):
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path
