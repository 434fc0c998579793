"""What the program remembers between runs: every option, typed, in one place."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from gui.theme import Scheme

RECENT_FILES = 10
DIGITS = (3, 4, 6, 10)


class Settings:
    """Options in a plain INI file; a damaged or unwritable file means the defaults.

    Parameters
    ----------
    path : Path or None
        The file; the user's own settings folder by default.
    """

    def __init__(self, path: Path | None = None) -> None:
        if path is None:
            self._store = QSettings(
                QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Tallyscope", "Tallyscope"
            )
        else:
            self._store = QSettings(str(path), QSettings.Format.IniFormat)

    @property
    def path(self) -> Path:
        """Where the options are kept."""
        return Path(self._store.fileName())

    def sync(self) -> None:
        """Write what has changed."""
        self._store.sync()

    @property
    def scheme(self) -> Scheme:
        """Light, dark, or as the system."""
        value = str(self._store.value("view/scheme", Scheme.SYSTEM.value))
        return Scheme(value) if value in set(Scheme) else Scheme.SYSTEM

    @scheme.setter
    def scheme(self, scheme: Scheme) -> None:
        self._store.setValue("view/scheme", scheme.value)

    @property
    def digits(self) -> int:
        """Decimals of scores on the screen."""
        value = str(self._store.value("view/digits", "4"))
        return int(value) if value.isascii() and value.isdigit() and int(value) in DIGITS else 4

    @digits.setter
    def digits(self, digits: int) -> None:
        self._store.setValue("view/digits", digits)

    @property
    def heat(self) -> str:
        """What the heat colours compare: ``row``, ``share``, ``table`` or ``off``."""
        value = str(self._store.value("table/heat", "row"))
        return value if value in {"row", "share", "table", "off"} else "row"

    @heat.setter
    def heat(self, heat: str) -> None:
        self._store.setValue("table/heat", heat)

    @property
    def columns(self) -> tuple[str, ...]:
        """Keys of the metrics that the list of tables shows; empty for the usual ones."""
        value = self._store.value("tables/columns", "")
        return tuple(key for key in str(value).split(" ") if key)

    @columns.setter
    def columns(self, keys: tuple[str, ...]) -> None:
        self._store.setValue("tables/columns", " ".join(keys))

    @property
    def show_list(self) -> bool | None:
        """Whether the list of tables is shown; None where there are several."""
        value = str(self._store.value("tables/list", ""))
        return {"always": True, "never": False}.get(value)

    @show_list.setter
    def show_list(self, wanted: bool | None) -> None:
        word = "auto" if wanted is None else ("always" if wanted else "never")
        self._store.setValue("tables/list", word)

    @property
    def export_listed(self) -> bool:
        """Whether exports hold only the metrics that the list of tables shows."""
        return bool(self._store.value("export_listed", False, type=bool))

    @export_listed.setter
    def export_listed(self, wanted: bool) -> None:
        self._store.setValue("export_listed", wanted)

    def folded(self, section: str) -> bool | None:
        """Return whether the user has folded a section of the scores; None if left as it was."""
        value = str(self._store.value(f"panel/folded-{section}", ""))
        return {"true": True, "false": False}.get(value)

    def set_folded(self, section: str, folded: bool) -> None:
        """Remember that a section of the scores is folded, or not."""
        self._store.setValue(f"panel/folded-{section}", "true" if folded else "false")

    @property
    def recent_files(self) -> list[Path]:
        """Files opened or saved last, the latest first."""
        stored = self._store.value("files/recent", [])
        names = [stored] if isinstance(stored, str) else stored
        if not isinstance(names, list):
            return []
        return [Path(str(name)) for name in names if name][:RECENT_FILES]

    def add_recent_file(self, path: Path) -> None:
        """Put a file first in the list."""
        others = [p for p in self.recent_files if p != path]
        self._set_recent([path, *others])

    def forget_recent_file(self, path: Path) -> None:
        """Take a file off the list."""
        self._set_recent([p for p in self.recent_files if p != path])

    def clear_recent_files(self) -> None:
        """Forget all files."""
        self._set_recent([])

    def _set_recent(self, paths: list[Path]) -> None:
        self._store.setValue("files/recent", [str(p) for p in paths[:RECENT_FILES]])

    @property
    def folder(self) -> Path | None:
        """Where the last file was opened or saved, if it is still there."""
        value = str(self._store.value("files/folder", ""))
        return Path(value) if value and Path(value).is_dir() else None

    @folder.setter
    def folder(self, folder: Path) -> None:
        self._store.setValue("files/folder", str(folder))

    def bytes(self, key: str) -> QByteArray:
        """Return a remembered geometry or layout, empty if there is none."""
        value = self._store.value(f"layout/{key}")
        return value if isinstance(value, QByteArray) else QByteArray()

    def set_bytes(self, key: str, value: QByteArray) -> None:
        """Remember a geometry or layout."""
        self._store.setValue(f"layout/{key}", value)
