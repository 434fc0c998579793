"""Every claim that the program checks, source by source."""

from __future__ import annotations

from core.published.ap_histograms import histogram_claims
from core.published.ap_simulation import correlation_claims
from core.published.ap_tables import table_claims
from core.published.chance_paper import chance_claims
from core.published.finding import Claim
from core.published.lesson import lesson_claims
from core.published.textbook import textbook_claims


def all_claims() -> tuple[Claim, ...]:
    """Return every claim, in the order in which people see them."""
    return (
        *table_claims(),
        *correlation_claims(),
        *histogram_claims(),
        *chance_claims(),
        *textbook_claims(),
        *lesson_claims(),
    )
