"""What the tests of files share."""

import pytest


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a file and returns its path."""

    def write(content, name="labels.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write
