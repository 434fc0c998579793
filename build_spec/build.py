"""Builds the standalone program: ``python -m build_spec.build``, from the top of the repository.

What is made lies in ``dist``: the folder, an archive of it and a file of checksums.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

from build_spec.icons import write_icons
from core.version import __version__

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
MADE = ROOT / "build" / "bundle"
SYSTEMS = {"linux": "linux", "darwin": "macos", "win32": "windows"}


def bundle_name() -> str:
    """Return the name of the folder: program, version, system and processor."""
    machine = platform.machine().lower().replace("amd64", "x86_64")
    return f"tallyscope-{__version__}-{SYSTEMS[sys.platform]}-{machine}"


def main() -> None:
    """Build everything anew."""
    started = time.monotonic()
    shutil.rmtree(MADE, ignore_errors=True)
    shutil.rmtree(DIST, ignore_errors=True)
    MADE.mkdir(parents=True)
    write_icons(ROOT / "resources" / "tallyscope.svg", MADE)
    _freeze()
    folder = DIST / bundle_name()
    _finish(folder)
    (folder / "SHA256SUMS").write_text(_checksums(folder), encoding="utf-8", newline="\n")
    archive = _archive(folder)
    sums = f"{_sha256(archive)}  {archive.name}\n"
    (DIST / "SHA256SUMS").write_text(sums, encoding="utf-8", newline="\n")
    print(f"{folder.relative_to(ROOT)}  {_size(folder) / 1e6:.0f} MB")
    print(f"{archive.relative_to(ROOT)}  {archive.stat().st_size / 1e6:.0f} MB")
    print(f"built in {time.monotonic() - started:.0f} s")


def _freeze() -> None:
    log = MADE / "pyinstaller.log"
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean"]
    command += ["--distpath", str(DIST), "--workpath", str(MADE / "work")]
    command.append(str(ROOT / "build_spec" / "tallyscope.spec"))
    environment = {**os.environ, "TALLYSCOPE_MADE": str(MADE), "QT_QPA_PLATFORM": "offscreen"}
    # What the builder has in its own folders must not get in.
    environment |= {"PYTHONNOUSERSITE": "1", "PYINSTALLER_CONFIG_DIR": str(MADE / "cache")}
    environment.pop("PYTHONPATH", None)
    with log.open("wb") as output:
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
    text = log.read_text(encoding="utf-8", errors="replace")
    if done.returncode:
        sys.exit(f"{text[-4000:]}\nPyInstaller failed; all that it said is in {log}.")
    lost = [line for line in text.splitlines() if "Library not found" in line]
    if any("qxcb" in line.lower() for line in lost):
        sys.exit("\n".join(lost) + "\nThe window would not open on a screen without these.")


def _finish(folder: Path) -> None:
    """Bring what PyInstaller has made into the form in which it is given away."""
    if sys.platform == "darwin":
        # There the program for people is the application; the folder holds nothing else.
        shutil.rmtree(DIST / "tallyscope")
        folder.mkdir()
        (DIST / "Tallyscope.app").rename(folder / "Tallyscope.app")
    else:
        (DIST / "tallyscope").rename(folder)
    if sys.platform == "linux":
        for library in (folder / "_internal").glob("libpython*"):
            subprocess.run(["strip", "--strip-debug", str(library)], check=True)
        for library in (folder / "_internal").glob("python3*/lib-dynload/*.so"):
            subprocess.run(["strip", "--strip-debug", str(library)], check=True)


def _files(folder: Path) -> Iterator[Path]:
    yield from sorted(path for path in folder.rglob("*") if path.is_file())


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in _files(folder) if not path.is_symlink())


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _checksums(folder: Path) -> str:
    """Return a line for each file, as ``sha256sum --check`` reads them."""
    return "".join(
        f"{_sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in _files(folder)
    )


def _archive(folder: Path) -> Path:
    """Pack the folder as the system unpacks it without help: ZIP on Windows, else tar."""
    if sys.platform == "win32":
        archive = DIST / f"{folder.name}.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
            for path in _files(folder):
                packed.write(path, path.relative_to(DIST))
        return archive
    archive = DIST / f"{folder.name}.tar.gz"
    with tarfile.open(archive, "w:gz", compresslevel=9) as packed:
        packed.add(folder, folder.name)
    return archive


if __name__ == "__main__":
    main()
