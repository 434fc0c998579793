"""How a score came about: the conventions that decided it, and what scikit-learn says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.explanation.deciding import conventions_that_decided
from core.explanation.peer import Peer, scikit_learn
from core.scores import Scores
from core.studies.study import Step


@dataclass(frozen=True)
class Account:
    """How a score came about.

    Attributes
    ----------
    sentences : tuple of str
        The conventions that decided it; empty where the formula alone did.
    peer : Peer or None
        What scikit-learn says; None where it has no such score or has not been asked yet.
    complete : bool
        Whether it has been asked.
    """

    sentences: tuple[str, ...]
    peer: Peer | None = None
    complete: bool = False


@dataclass(frozen=True, eq=False)
class AccountStudy:
    """Find out how a score came about.

    Attributes
    ----------
    scores : Scores
        Of the table; they need not have the key.
    key : str
        A metric of the catalogue with one value for the whole table.
    digits : int
        Decimals of the scores that are named.
    """

    scores: Scores
    key: str
    digits: int = 4

    def run(self) -> Iterator[Step[Account]]:
        """Yield the conventions, then what scikit-learn says, which takes longer to load.

        Raises
        ------
        UnknownMetricError, ValueError
            If the metric cannot be explained.
        """
        yield Step(0, 2, "conventions")
        sentences = tuple(conventions_that_decided(self.scores, self.key, self.digits))
        yield Step(1, 2, "asking scikit-learn", Account(sentences))
        peer = scikit_learn(self.scores.table, self.key, self.scores.options)
        account = Account(sentences, peer, True)
        yield Step(2, 2, "compared with scikit-learn", account, account)
