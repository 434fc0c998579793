"""A file is written whole or not at all, and what went wrong is one sentence."""

import contextlib
import errno
import os
import socket
import stat
from pathlib import Path

import pytest

from core.files.atomic import atomic_file, atomic_write
from core.files.errors import SaveError

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions and links")


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "t.csv"
    atomic_write(path, "größe\n")
    atomic_write(path, b"new\n")
    assert path.read_bytes() == b"new\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_in_the_middle_leaves_the_old_file(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("old", "utf-8")

    def interrupted():
        with atomic_file(path) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_value_error_of_the_caller_stays_what_it_is(tmp_path):
    with pytest.raises(ValueError, match="mine"), atomic_file(tmp_path / "t.csv"):
        raise ValueError("mine")


@POSIX
def test_permissions_are_kept_and_new_files_get_those_of_the_user(tmp_path):
    path = tmp_path / "t.csv"
    atomic_write(path, "new")
    plain = tmp_path / "plain"
    plain.touch()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    path.chmod(0o640)
    atomic_write(path, "again")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@POSIX
def test_a_link_stays_a_link_and_its_target_is_written(tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    target, link = folder / "target.csv", tmp_path / "link.csv"
    target.write_text("old", "utf-8")
    link.symlink_to(target)
    atomic_write(link, "new")
    assert link.is_symlink()
    assert target.read_text("utf-8") == "new"
    assert list(folder.iterdir()) == [target]


@POSIX
def test_a_pipe_or_a_device_is_neither_waited_for_nor_replaced(tmp_path):
    pipe, server = tmp_path / "pipe.csv", socket.socket(socket.AF_UNIX)
    os.mkfifo(pipe)
    with server:
        # The path of a socket must be short.
        with contextlib.chdir(tmp_path):
            server.bind("s.csv")
        for path in (pipe, tmp_path / "s.csv", Path("/dev/null")):
            kind = stat.S_IFMT(path.stat().st_mode)
            with pytest.raises(SaveError, match=r"^[^\n]* is a pipe or a device[^\n]*\.$"):
                atomic_write(path, "gone")
            assert stat.S_IFMT(path.stat().st_mode) == kind
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "not allowed"),
        (errno.EIO, "try another folder"),
    ],
)
def test_a_disk_that_fails_is_said_in_one_sentence(tmp_path, monkeypatch, code, words):
    path = tmp_path / "t.csv"
    path.write_text("old", "utf-8")

    def fail(_descriptor):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(SaveError, match=rf"^t\.csv [^\n]*{words}[^\n]*\.$") as caught:
        atomic_write(path, "new")
    assert "Errno" not in str(caught.value)
    monkeypatch.undo()
    assert path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_said_in_one_sentence(tmp_path):
    (tmp_path / "file").touch()
    for path, words in [
        (tmp_path, "is a folder"),
        (tmp_path / "no" / "t.csv", "does not exist"),
        (tmp_path / "file" / "t.csv", "does not exist"),
        (tmp_path / ("x" * 300), "too long"),
        (tmp_path / "a\0b", "not a name"),
    ]:
        with pytest.raises(SaveError, match=rf"^[^\n]*{words}[^\n]*\.$"):
            atomic_write(path, "new")


@POSIX
def test_a_folder_that_exists_is_said_not_to(tmp_path):
    (tmp_path / "o.csv").symlink_to(tmp_path / "gone" / "o.csv")
    with pytest.raises(SaveError, match=r"^o\.csv .* link to a file in .*gone, a folder that does"):
        atomic_write(tmp_path / "o.csv", "new")
    if Path("/proc/self").exists():
        with pytest.raises(SaveError, match=r"/proc takes no new files: choose another folder"):
            atomic_write("/proc/x.csv", "new")


def test_a_file_that_is_read_only_is_not_replaced(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text("old", "utf-8")
    # Root may write everywhere, so permissions alone prove nothing here.
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(SaveError, match="read-only"):
        atomic_write(path, "new")
    assert path.read_text("utf-8") == "old"


def test_text_that_utf8_cannot_hold_is_refused_before_the_file_is_touched(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("old", "utf-8")
    with pytest.raises(SaveError, match=r'^t\.csv .*"cat,\\ud800,dog" has a character'):
        atomic_write(path, "cat,\ud800,dog\n")
    assert path.read_text("utf-8") == "old"
