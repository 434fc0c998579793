"""Names that stand beside each other, told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence


def told_apart(
    names: Sequence[str],
    ways: Sequence[Callable[[int], str | None]],
    changeable: Sequence[bool] | None = None,
) -> list[str]:
    """Return names of which no two are the same, but for those that are empty.

    Parameters
    ----------
    names : sequence of str
        The names.
    ways : sequence of callable
        Each takes the place of a name that others have too, and returns another one that may
        be its own, or None. What they leave alike gets a number.
    changeable : sequence of bool, optional
        Which names may be changed; all by default.
    """
    may = changeable or [True] * len(names)
    found = list(names)
    for way in ways:
        times = Counter(found)
        twice = [i for i, name in enumerate(found) if name and times[name] > 1 and may[i]]
        tried = {i: text for i in twice if (text := way(i))}
        alike = Counter(tried.values())
        for i, text in tried.items():
            if alike[text] == 1 and text not in times:
                found[i] = text
    # A number must not make a name that comes later.
    times, taken = Counter(found), set[str]()
    next_number: dict[str, int] = {}
    for i, name in enumerate(found):
        if name and may[i] and name in taken:
            number = next_number.get(name, 2)
            while (numbered := f"{name} ({number})") in times or numbered in taken:
                number += 1
            next_number[name] = number + 1
            found[i] = numbered
        taken.add(found[i])
    return found
