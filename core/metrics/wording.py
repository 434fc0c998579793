"""How options and families are named for people, in the window and in the terminal alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from core.metrics.catalogue import METRICS
from core.metrics.metric import Family, ScoreOptions


def option_text(value: object) -> str:
    """Return the value of an option: a float without a useless ``.0``.

    Examples
    --------
    >>> option_text(1.0), option_text(0.25), option_text("max")
    ('1', '0.25', 'max')
    """
    text = repr(float(value)) if isinstance(value, float) else str(value)
    return text.removesuffix(".0").replace("e-0", "e-").replace("e+", "e").replace("-", "−")


def family_title(family: Family, options: ScoreOptions) -> str:
    """Return the name of a family, with the option in force where its scores depend on one.

    Examples
    --------
    >>> family_title(Family("g", "Generalised information", "q"), ScoreOptions(q=1.5))
    'Generalised information, q = 1.5'
    """
    if family.option is None:
        return family.name
    return f"{family.name}, {family.option} = {option_text(getattr(options, family.option))}"


def unusual_conventions(options: ScoreOptions, keys: Iterable[str]) -> str:
    """Return what differs from the usual conventions of some metrics, in one sentence.

    Parameters
    ----------
    options : ScoreOptions
    keys : iterable of str
        The metrics; an option that none of them reads is left out.

    Returns
    -------
    str
        Empty where nothing differs.
    """
    usual = asdict(ScoreOptions())
    read = {parameter for key in keys for parameter in METRICS[key].parameters}
    differ = [
        f"{key} = {option_text(value)}"
        for key, value in asdict(options).items()
        if value != usual[key] and key in read
    ]
    return f"Not the usual conventions: {', '.join(differ)}." if differ else ""
