"""The tables of a session as plain data, and the edits of their list.

No Qt here. As with the edits of a table, applying an edit returns the one that undoes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.named_table import NamedTable
from core.table import ContingencyTable

#: Tables that a session may hold; more would make every list of them useless.
MAX_TABLES = 100_000
#: What a table is called that nobody has named.
UNTITLED = "Untitled"
#: What a table takes besides its cells, roughly.
_TABLE_BYTES = 2_000


@dataclass(frozen=True)
class TableEntry:
    """A table of a session.

    Attributes
    ----------
    key : int
        Tells it from all others of this session, for as long as it runs.
    named : NamedTable
        The table, its name and where it came from.
    """

    key: int
    named: NamedTable

    @property
    def name(self) -> str:
        """What people call the table."""
        return self.named.name

    @property
    def table(self) -> ContingencyTable:
        """Its counts and names, as they were when it was last under edit."""
        return self.named.table

    def with_table(self, table: ContingencyTable) -> TableEntry:
        """Return the entry with other counts or names of classes and clusters."""
        return replace(self, named=replace(self.named, table=table))

    def renamed(self, name: str) -> TableEntry:
        """Return the entry under another name."""
        return replace(self, named=replace(self.named, name=name))


class Entries:
    """The tables of a session in their order, and which of them is the baseline."""

    def __init__(self, entries: Iterable[TableEntry] = (), baseline: int | None = None) -> None:
        self._list = list(entries)
        self._at = {entry.key: i for i, entry in enumerate(self._list)}
        self.baseline = baseline

    def __len__(self) -> int:
        return len(self._list)

    def __iter__(self) -> Iterator[TableEntry]:
        return iter(self._list)

    def __contains__(self, key: object) -> bool:
        return key in self._at

    def __getitem__(self, key: int) -> TableEntry:
        return self._list[self._at[key]]

    def index(self, key: int) -> int:
        """Return where a table stands, counted from 0."""
        return self._at[key]

    def at(self, index: int) -> TableEntry:
        """Return the table at a place, counted from 0."""
        return self._list[index]

    def put(self, entry: TableEntry) -> None:
        """Put an entry in the place of the one with the same key."""
        self._list[self._at[entry.key]] = entry

    def insert(self, places: Sequence[int], entries: Sequence[TableEntry]) -> None:
        """Insert entries so that each stands at its place afterwards; places increase."""
        if places and places[0] >= len(self._list):
            self._list.extend(entries)
        else:
            for place, entry in zip(places, entries, strict=True):
                self._list.insert(place, entry)
        self._renumber()

    def remove(self, keys: Iterable[int]) -> None:
        """Take entries away."""
        gone = set(keys)
        self._list = [entry for entry in self._list if entry.key not in gone]
        self._renumber()

    def _renumber(self) -> None:
        self._at = {entry.key: i for i, entry in enumerate(self._list)}

    def told_apart(self, tables: Iterable[NamedTable]) -> list[NamedTable]:
        """Return tables with names that no table has, where it takes that with numbers."""
        taken = {entry.name for entry in self._list}
        named = []
        # Where to go on counting, or many tables of one name would take for ever.
        numbers: dict[str, int] = {}
        for table in tables:
            name, number = table.name, numbers.get(table.name, 2)
            while name in taken:
                name = f"{table.name} ({number})"
                number += 1
            numbers[table.name] = number
            taken.add(name)
            named.append(replace(table, name=name))
        return named

    def after(
        self, key: int, gone: set[int], fits: Callable[[ContingencyTable], bool]
    ) -> int | None:
        """Return which table to show once some are gone: this one, the next, one before."""
        here = self._at[key]
        order = [*self._list[here:], *self._list[:here][::-1]]
        return next((e.key for e in order if e.key not in gone and fits(e.table)), None)


@dataclass(frozen=True, eq=False)
class AddTables:
    """Insert tables so that each stands at its place.

    Attributes
    ----------
    entries : tuple of TableEntry
    places : tuple of int
        Places counted from 0, increasing.
    current : int
        Key of the table to show afterwards.
    """

    entries: tuple[TableEntry, ...]
    places: tuple[int, ...]
    current: int
    baseline: int | None = None

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it keeps alive, roughly."""
        return sum(bytes_of(entry.table) for entry in self.entries)

    def apply(self, entries: Entries, current: int) -> RemoveTables:
        """Insert the tables."""
        entries.insert(self.places, self.entries)
        if self.baseline is not None:
            entries.baseline = self.baseline
        return RemoveTables(tuple(entry.key for entry in self.entries), current)


@dataclass(frozen=True, eq=False)
class RemoveTables:
    """Take tables away.

    Attributes
    ----------
    keys : tuple of int
    current : int
        Key of the table to show afterwards, which stays.
    """

    keys: tuple[int, ...]
    current: int

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it takes."""
        return _TABLE_BYTES

    def apply(self, entries: Entries, current: int) -> AddTables:
        """Take the tables away."""
        places = sorted(entries.index(key) for key in self.keys)
        gone = tuple(entries.at(place) for place in places)
        baseline = entries.baseline if entries.baseline in set(self.keys) else None
        if baseline is not None:
            entries.baseline = None
        entries.remove(self.keys)
        return AddTables(gone, tuple(places), current, baseline)


@dataclass(frozen=True, eq=False)
class RenameTable:
    """Call a table by another name."""

    key: int
    name: str

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it takes."""
        return _TABLE_BYTES

    def apply(self, entries: Entries, _current: int) -> RenameTable:
        """Rename the table."""
        before = entries[self.key].name
        entries.put(entries[self.key].renamed(self.name))
        return RenameTable(self.key, before)


@dataclass(frozen=True, eq=False)
class SetBaseline:
    """Compare all scores with those of a table, or with none."""

    key: int | None

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it takes."""
        return _TABLE_BYTES

    def apply(self, entries: Entries, _current: int) -> SetBaseline:
        """Set the baseline."""
        before = entries.baseline
        entries.baseline = self.key
        return SetBaseline(before)


@dataclass(frozen=True, eq=False)
class ReplaceAll:
    """Put other tables in the place of all: what is left when the last one is removed."""

    entries: tuple[TableEntry, ...]
    current: int
    baseline: int | None = None

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it keeps alive, roughly."""
        return sum(bytes_of(entry.table) for entry in self.entries)

    def apply(self, entries: Entries, current: int) -> ReplaceAll:
        """Exchange the tables."""
        before = ReplaceAll(tuple(entries), current, entries.baseline)
        entries.remove([entry.key for entry in entries])
        entries.insert(range(len(self.entries)), self.entries)
        entries.baseline = self.baseline
        return before


#: Every edit of the list.
EntryEdit = AddTables | RemoveTables | RenameTable | SetBaseline | ReplaceAll


def empty_table() -> NamedTable:
    """Return a table of three classes and three clusters without items."""
    return NamedTable(UNTITLED, ContingencyTable([[0] * 3] * 3))


def bytes_of(table: ContingencyTable) -> int:
    """Return the bytes of memory that a table takes, roughly."""
    r, c = table.shape
    # A sparse table holds its non-empty cells alone, and each has an item at least.
    return _TABLE_BYTES + min(8 * r * c, 24 * table.total)
