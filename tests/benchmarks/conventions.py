"""Takes the peers' column of docs/conventions.md again, of those that are installed.

python -m tests.benchmarks.conventions
"""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections.abc import Mapping

from tests.benchmarks.peers import PEERS, Call, MissingPeerError, version
from tests.conventions import Statement, agrees, statements

# The page speaks of our key, where the peer has the name of the order q = 1.
SAME = {"emi_q": "expected_mutual_information"}


def says(calls: Mapping[str, Call], stated: Statement) -> float | str:
    """Return what the peer says, or ``error`` and its message."""
    call = calls[SAME.get(stated.score, stated.score)]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return call(stated.table)
    except Exception as error:  # noqa: BLE001  whatever a peer raises is what it says
        return f"error: {type(error).__name__}: {error}"


def main() -> int:
    """Print what differs from the page; return how many values do."""
    warnings.simplefilter("ignore")
    beside = [stated for stated in statements() if stated.peer]
    wrong = 0
    for peer in dict.fromkeys(stated.peer for stated in beside):
        try:
            calls, known = PEERS[peer](), version(peer)
        except MissingPeerError as missing:
            print(f"{peer}: {missing}")
            continue
        mine = [stated for stated in beside if stated.peer == peer]
        differing = 0
        for stated in mine:
            found = says(calls, stated)
            if isinstance(found, str):
                same = stated.peer_says == "error"
            else:
                same = stated.peer_says != "error" and agrees(found, stated.peer_says)
            if not same:
                differing += 1
                print(f"{peer}: {stated.score} of {stated.name}: {found}, not {stated.peer_says}")
        print(f"{peer} {known}: {len(mine) - differing} of {len(mine)} as on the page")
        wrong += differing
    return wrong


if __name__ == "__main__":
    sys.exit(min(main(), 1))
