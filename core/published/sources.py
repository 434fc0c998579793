"""The published sources that come with the program: what they print, and their tables."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.published.finding import Claim, Outcome
from core.resources import resource_path
from core.table import ContingencyTable

AP_PAPER = "Zirkind and Diehl, arXiv 2604.22655 (AP)"
CHANCE_PAPER = "Romano, Vinh, Bailey and Verspoor, JMLR 17 (2016)"
TEXTBOOK = "Manning, Raghavan and Schütze; slides of Beigy"
LESSON = "Clustering Evaluation lesson"


def printed(name: str) -> Mapping[str, Any]:
    """Return what a source prints.

    Parameters
    ----------
    name : str
        ``"ap_paper"``, ``"chance_paper"``, ``"textbook"`` or ``"lesson"``.
    """
    text = resource_path(f"published/{name}.json").read_text(encoding="utf-8")
    content: Mapping[str, Any] = json.loads(text)
    return content


def printed_table(record: Mapping[str, Any]) -> ContingencyTable:
    """Return a table of the AP paper."""
    return ContingencyTable(record["table"], record["truth"], record["clusters"])


def lesson_labels() -> Mapping[str, Sequence[str]]:
    """Return the labels of the lesson's subscribers, and of its partitions, by column."""
    path = resource_path("published/lesson_partitions.csv")
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    return dict(zip(lines[0], map(list, zip(*lines[1:], strict=True)), strict=True))


class Maker:
    """Makes the claims of one source.

    Parameters
    ----------
    prefix : str
        What their keys begin with.
    source : str
    """

    def __init__(self, prefix: str, source: str) -> None:
        self._prefix, self._source = prefix, source

    def __call__(
        self, key: str, place: str, words: str, check: Any, scenarios: Sequence[str] = ()
    ) -> Claim:
        """Return a claim; ``check`` takes nothing unless the claim rests on scenarios."""

        def alone(_evidence: object) -> Outcome:
            outcome: Outcome = check()
            return outcome

        how = check if scenarios else alone
        return Claim(f"{self._prefix}.{key}", self._source, place, words, how, tuple(scenarios))
