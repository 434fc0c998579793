"""What one must know to read exported scores, as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from core.metrics.catalogue import METRICS
from core.metrics.metric import ScoreOptions


def conventions(options: ScoreOptions, keys: Sequence[str]) -> list[str]:
    """Return what one must know to read scores, as sentences.

    Parameters
    ----------
    options : ScoreOptions
        What was chosen.
    keys : sequence of str
        The metrics; what concerns none of them is left out.

    Returns
    -------
    list of str
    """
    families = {METRICS[key].family.key for key in keys}
    parameters = {parameter for key in keys for parameter in METRICS[key].parameters}
    said = [
        "Rows are truth classes, columns are clusters.",
        "Empty truth classes and clusters are left out before anything is computed.",
    ]
    if "ap" in families:
        said.append(
            "In associativity a class whose largest count stands in several clusters votes for "
            "the first of them."
        )
    if "empty_truth" in parameters:
        said.append(
            "The mean peakiness leaves out empty truth classes."
            if options.empty_truth == "exclude"
            else "An empty truth class enters the mean peakiness as 0."
        )
    if "draws" in parameters:
        said.append(
            f"What AP is expected to be is estimated from {options.draws} random tables with the "
            f"same margins (seed {options.seed}), their clusters in random order."
        )
    if "average" in parameters:
        mean = {
            "arithmetic": "arithmetic mean",
            "geometric": "geometric mean",
            "min": "minimum",
            "max": "maximum",
        }[options.average]
        said.append(
            f"Normalised and adjusted mutual information refer to the {mean} of the two entropies."
        )
    if "beta" in parameters:
        said.append(f"The V-measure weighs completeness by beta = {options.beta!r}.")
    if "q" in parameters:
        said.append(f"The generalised entropies have the order q = {options.q!r}.")
    if "information" in families or "q" in parameters:
        said.append("Logarithms are natural, so entropies and information are in nats.")
    said.append("A score that does not exist has no value, and the reason is given.")
    return said
