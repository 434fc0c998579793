"""`core` offers its names lazily, so PyInstaller does not see all that it imports."""

from PyInstaller.utils.hooks import collect_submodules

hiddenimports = collect_submodules("core")
