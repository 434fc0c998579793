"""The pages of the window, complete."""

from PyInstaller.utils.hooks import collect_submodules

hiddenimports = collect_submodules("gui")
