"""Tables made ready for the editor: those that were under edit, and large ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container, Iterator
from dataclasses import dataclass

from core.studies.study import Step
from core.table import ContingencyTable
from gui.table_editor.edits import MAX_CELLS, TableState

# A table of more cells is made ready beside the window.
_SMALL_CELLS = 400_000
# What the tables that were under edit and may be again take at most, in bytes.
_KEPT_BYTES = 400_000_000


@dataclass(frozen=True)
class MakeReady:
    """The study that prepares a large table for the editor.

    Attributes
    ----------
    key : int
    table : ContingencyTable
    name : str
        What people call it.
    """

    key: int
    table: ContingencyTable
    name: str

    def run(self) -> Iterator[Step[tuple[int, ContingencyTable, TableState]]]:
        """Yield before and after; the result is the key, the table and its state."""
        message = f"showing {self.name}"
        yield Step(0, 1, message)
        state = TableState.of(self.table)
        yield Step(1, 1, message, result=(self.key, self.table, state))


class ReadyTables:
    """Tables as they were left by the editor, the oldest forgotten first."""

    def __init__(self) -> None:
        self._states: OrderedDict[int, TableState] = OrderedDict()

    def is_quick(self, key: int, table: ContingencyTable) -> bool:
        """Whether a table can be shown at once."""
        r, c = table.shape
        return key in self._states or r * c <= _SMALL_CELLS

    def take(self, key: int, table: ContingencyTable) -> TableState:
        """Return the state of a table, which is no longer kept here."""
        return self._states.pop(key, None) or TableState.of(table)

    def keep(self, key: int, state: TableState) -> None:
        """Keep a table that is left."""
        self._states[key] = state
        size = sum(kept.counts.nbytes for kept in self._states.values())
        while size > _KEPT_BYTES and len(self._states) > 1:
            _, oldest = self._states.popitem(last=False)
            size -= oldest.counts.nbytes

    def keep_only(self, keys: Container[int]) -> None:
        """Forget all tables but these."""
        for key in [key for key in self._states if key not in keys]:
            del self._states[key]


def fits(table: ContingencyTable) -> bool:
    """Whether the editor can show a table."""
    r, c = table.shape
    return r * c <= MAX_CELLS


def too_large(name: str, table: ContingencyTable) -> str:
    """Return what to say of a table that the editor cannot show."""
    r, c = table.shape
    return (
        f"{name} has {r:,} x {c:,} cells, and the editor shows at most {MAX_CELLS:,}: "
        "its scores stand in the list and in exports."
    )
