"""Published results, claim by claim: what is printed, what this program finds, a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.chunks import each_result
from core.published.claims import all_claims
from core.published.finding import Claim, Finding
from core.published.replications import (
    SCENARIOS,
    Replication,
    Replications,
    replicate,
    replicated,
)
from core.simulation.presets import PRESETS
from core.simulation.scenario import SimulationError, checked_whole
from core.studies.simulation import MOST_SEED
from core.studies.study import Pulse, Step

MOST_REPLICATIONS = 1000
LEAST_REPLICATIONS = 2


@dataclass(frozen=True)
class CheckPublished:
    """Check what published sources print, or some of it.

    Attributes
    ----------
    only : str
        A phrase of a claim, its source or its place; if none has it, and it has no
        number, words that one has between them. All claims by default.
    replications : int
        Runs of each of the AP paper's simulations, 2 to 1,000.
    seed : int
        Run i of a scenario follows ``random.seed(1000 * seed + i)``, i from 0.
    n_jobs : int or None
        Workers as joblib counts them; None for what the caller has set with
        ``joblib.parallel_config``. They change nothing but the time it takes.

    Raises
    ------
    SimulationError
        If a number is out of its range, or if no claim has these words.
    """

    only: str = ""
    replications: int = 20
    seed: int = 0
    n_jobs: int | None = field(default=1, compare=False)

    def __post_init__(self) -> None:
        checked_whole(
            "replications",
            "the number of replications",
            self.replications,
            LEAST_REPLICATIONS,
            MOST_REPLICATIONS,
        )
        checked_whole("seed", "the seed", self.seed, 0, MOST_SEED // MOST_REPLICATIONS - 1)
        if not self.claims():
            raise SimulationError(
                "only", f"no claim has the words {self.only!r}: try a table, a figure or a metric"
            )

    def claims(self) -> list[Claim]:
        """Return the claims that are checked, in the order in which people see them."""
        claims, words = all_claims(), self.only.split()
        phrase = [claim for claim in claims if claim.has(" ".join(words))]
        # A number means what it stands beside: "table 1" is no table and a 1 somewhere.
        if phrase or any(word.isdigit() for word in words):
            return phrase
        return [claim for claim in claims if all(map(claim.has, words))]

    def seeds(self) -> list[int]:
        """Return the seed of each run of a scenario."""
        return [self.seed * MOST_REPLICATIONS + i for i in range(self.replications)]

    def run(self) -> Iterator[Step[PublishedResult]]:
        """Yield while claims are checked; partial results hold those that are done."""
        claims = self.claims()
        needed = [s for s in SCENARIOS if any(s in claim.scenarios for claim in claims)]
        total = len(claims) + len(needed) * self.replications
        found: dict[str, Finding] = {}
        evidence: dict[str, Replications] = {}
        latest = PublishedResult(self, (), len(claims))
        runs_done = 0
        pulse = Pulse()

        def check(message: str) -> Iterator[Step[PublishedResult]]:
            nonlocal latest
            for claim in claims:
                if claim.key in found or not all(s in evidence for s in claim.scenarios):
                    continue
                found[claim.key] = claim.find(evidence)
                latest = self._so_far(claims, found)
                if pulse.due():
                    yield Step(len(found) + runs_done, total, message, latest)

        yield Step(0, total, "checking tables and figures", latest)
        yield from check("checking tables and figures")
        for scenario in needed:
            message = f"simulating {PRESETS[scenario].name.lower()}"
            runs = []
            for run in self._runs(scenario):
                if run is not None:
                    runs.append(run)
                    runs_done += 1
                if pulse.due():
                    yield Step(len(found) + runs_done, total, message, latest)
            evidence[scenario] = Replications(runs)
            yield from check(message)
            yield Step(len(found) + runs_done, total, message, latest)
        yield Step(total, total, "checked", latest, latest)

    def _runs(self, scenario: str) -> Iterator[Replication | None]:
        """Yield the runs of a scenario, and None between them."""
        if self.n_jobs == 1:
            for seed in self.seeds():
                yield from replicate(scenario, seed)
        else:
            tasks = [(scenario, seed) for seed in self.seeds()]
            yield from each_result(replicated, tasks, self.n_jobs)

    def _so_far(self, claims: Sequence[Claim], found: dict[str, Finding]) -> PublishedResult:
        there = tuple(found[claim.key] for claim in claims if claim.key in found)
        return PublishedResult(self, there, len(claims))


@dataclass(frozen=True, eq=False)
class PublishedResult:
    """What was found, all or some of it.

    Attributes
    ----------
    study : CheckPublished
    findings : tuple of Finding
        In the order of the claims.
    planned : int
        Number of claims that were to be checked.
    """

    study: CheckPublished
    findings: tuple[Finding, ...]
    planned: int

    @property
    def complete(self) -> bool:
        """Whether every claim has been checked."""
        return len(self.findings) == self.planned

    def by_source(self) -> dict[str, list[Finding]]:
        """Return the findings of each source, in their order."""
        sources: dict[str, list[Finding]] = {}
        for finding in self.findings:
            sources.setdefault(finding.source, []).append(finding)
        return sources

    def summary(self) -> str:
        """Return how many claims have which verdict, as a sentence."""
        counts: dict[str, int] = {}
        for finding in self.findings:
            counts[finding.verdict] = counts.get(finding.verdict, 0) + 1
        said = [f"{verdict} {count}" for verdict, count in sorted(counts.items(), key=_by_count)]
        checked = f"{len(self.findings)} claims"
        if not self.complete:
            checked = f"Partial: {len(self.findings)} of {self.planned} claims"
        return f"{checked}: {'; '.join(said)}." if said else f"{checked}."


def _by_count(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]
