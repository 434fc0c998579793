"""The tables of the AP paper: scores of printed tables, and what is only printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from core.metrics.catalogue import METRICS
from core.published.finding import (
    Claim,
    Outcome,
    compared,
    lost_digit,
    same_as_printed,
    stated,
)
from core.published.sources import AP_PAPER, Maker, printed, printed_table
from core.scoring import score
from core.simulation.presets import PAPER_METRICS, PRESETS
from core.statistics.correlation import BANDS
from core.table import ContingencyTable

_DIGITS = 3

# Truth classes of 2,521 items, the first as large as the printed F1 asks for.
_WORST_CLASSES = (1000, 650, 600, 271)


def table_claims() -> list[Claim]:
    """Return the claims of the AP paper's tables 2 to 12."""
    paper = printed("ap_paper")
    figure_1, table_10 = printed_table(paper["figure_1"]), printed_table(paper["table_10"])
    return [
        *_peaks(paper["table_2"], figure_1),
        *_scores(paper["table_3"], figure_1, table_10),
        *_ideal_and_worst(paper["table_4"]),
        *_pictures(paper["tables_5_to_8"]),
        *_bands(paper["table_9"]),
        *_wide_table(paper["table_10"], figure_1, table_10),
        *_classes(paper["table_11"], figure_1, table_10),
        *_times(paper["table_12"]),
    ]


_claim = Maker("ap", AP_PAPER)


# Table 2


def _peaks(record: Mapping[str, Any], figure_1: ContingencyTable) -> list[Claim]:
    ordered = np.sort(np.asarray(figure_1.counts), axis=1)

    def cells(place: int) -> list[int]:
        found: list[int] = ordered[:, place].tolist()
        return found

    def largest() -> Outcome:
        return compared(record["largest"], cells(-1), 0, "Read off figure 1, row by row.")

    def second() -> Outcome:
        return compared(record["second"], cells(-2), 0, "Read off figure 1, row by row.")

    def rows() -> Outcome:
        ours = score(figure_1, ["row_peakiness"])["row_peakiness"]
        return compared(record["row_peakiness"], ours, _DIGITS, "(max1 − max2) / max1 of each row.")

    def mean() -> Outcome:
        ours = score(figure_1, ["peakiness"])["peakiness"]
        return compared([record["peakiness"]], [ours], _DIGITS, "The mean of the four rows.")

    return [
        _claim("table_2.largest", "table 2", "Largest cell of each truth class", largest),
        _claim("table_2.second", "table 2", "Second largest cell of each truth class", second),
        _claim("table_2.row_peakiness", "table 2", "Peakiness of each truth class", rows),
        _claim("table_2.peakiness", "table 2", "Peakiness of figure 1", mean),
    ]


# Table 3


def _scores(
    record: Mapping[str, Any], figure_1: ContingencyTable, table_10: ContingencyTable
) -> list[Claim]:
    def check(key: str) -> Outcome:
        named = float(score(figure_1, [key])[key])
        other = float(score(table_10, [key])[key])
        return of_two_tables(key, record[key], named, other)

    def harmonic() -> Outcome:
        c, h = record["completeness"], record["homogeneity"]
        low, high = _harmonic_ends(c, h)
        v = record["v_measure"]
        return stated(
            low <= v <= high,
            f"The harmonic mean of the printed completeness {c:.3f} and homogeneity {h:.3f} lies "
            f"between {low:.4f} and {high:.4f}, whatever was rounded off; {v:.3f} is printed.",
            printed=(v,),
            ours=(2 * c * h / (c + h),),
        )

    return [
        *(
            _claim(
                f"table_3.{key}",
                "table 3",
                f"{METRICS[key].name} of figure 1",
                partial(check, key),
            )
            for key in PAPER_METRICS
        ),
        _claim(
            "table_3.harmonic",
            "table 3",
            "V is the harmonic mean of the completeness and homogeneity",
            harmonic,
        ),
    ]


def of_two_tables(key: str, value: float, named: float, other: float) -> Outcome:
    """Return what was found of a score printed for figure 1.

    Parameters
    ----------
    key : str
    value : float
        As printed, with three decimals.
    named, other : float
        The score of figure 1, and of table 10, of which figure 1 is a part.
    """
    found = partial(Outcome, printed=(value,), ours=(named,), digits=_DIGITS)
    beside = f"Figure 1 gives {named:.4f}, the nine columns of table 10 {other:.4f}."
    if same_as_printed(value, named, _DIGITS) and same_as_printed(value, other, _DIGITS):
        return found(
            "reproduced",
            f"{beside} {METRICS[key].symbol} looks at the two largest cells of each row alone, "
            "and they are the same in both.",
        )
    if same_as_printed(value, named, _DIGITS):
        return found("reproduced", beside)
    if same_as_printed(value, other, _DIGITS):
        return found(
            "other data than named",
            f"{beside} The printed score is that of table 10, though the caption names figure 1.",
        )
    if lost_digit(value, other, _DIGITS) or lost_digit(value, named, _DIGITS):
        whole = other if lost_digit(value, other, _DIGITS) else named
        which = "table 10" if whole == other else "figure 1"
        return found(
            "misprint",
            f"{beside} {value:.3f} is {whole:.4f}, the score of {which}, with a digit lost.",
        )
    return found("not reproduced", f"{beside} The printed score is that of neither.")


def _harmonic_ends(x: float, y: float) -> tuple[float, float]:
    """Return between which ends the harmonic mean lies of two values printed with 3 decimals."""
    half = 0.5 * 10**-_DIGITS
    ends = [2 * (x + d) * (y + d) / (x + y + 2 * d) for d in (-half, half)]
    # The mean is rounded itself before it is printed.
    return ends[0] - half, ends[1] + half


# Table 4


def _ideal_and_worst(record: Mapping[str, Any]) -> list[Claim]:
    ideal, worst = record["ideal"], record["worst"]

    def best() -> Outcome:
        table = PRESETS["ideal"].scenario.tables(0, [0])[0]
        scores = score(table, list(ideal))
        return compared(
            list(ideal.values()),
            [scores[key] for key in ideal],
            _DIGITS,
            "Computed from a table of 4 × 4 and 2,521 items in which every truth class is a "
            "cluster of its own; any such table has these scores.",
        )

    def any_classes(key: str) -> Outcome:
        table = PRESETS["worst"].scenario.tables(0, [0])[0]
        return compared(
            [worst[key]],
            [score(table, [key])[key]],
            _DIGITS,
            "The same for any table whose items all lie in one cluster, whatever its classes.",
        )

    def of_classes(key: str) -> Outcome:
        value = float(score([[size] for size in _WORST_CLASSES], [key])[key])
        sizes = ", ".join(f"{size:,}" for size in _WORST_CLASSES)
        more = (
            "It asks for a largest class of 1,000 items, since F1 is 2x / (1 + x) where x is the "
            "share of that class, with the empty clusters left out of the mean purity."
            if key == "f1"
            else "It rests on the sizes of the classes."
        )
        return Outcome(
            "printed only, cannot be recomputed",
            f"The table is printed as a picture. {more} Classes of {sizes} items would give "
            f"{value:.3f}.",
            (worst[key],),
            (value,),
        )

    names = ", ".join(METRICS[key].symbol for key in ideal)
    sized = ("fowlkes_mallows", "f1")
    return [
        _claim("table_4.ideal", "table 4", f"The ideal table scores 1 by {names}", best),
        *(
            _claim(
                f"table_4.worst.{key}",
                "table 4",
                f"{METRICS[key].name} of the worst table",
                partial(of_classes if key in sized else any_classes, key),
            )
            for key in worst
        ),
    ]


# Tables 5 to 8


def _pictures(record: Mapping[str, Any]) -> list[Claim]:
    claims = []
    for figure in ("figure_9", "figure_10", "figure_11", "figure_12"):
        place = f"tables 5 to 8, {figure.replace('_', ' ')}"
        values = {key: value for key, value in record[figure].items() if key in METRICS}
        names = ", ".join(METRICS[key].symbol for key in values)
        claims += [
            _claim(
                f"{figure}.scores",
                place,
                f"Scores of its table: {names}",
                partial(_picture, values),
            ),
            _claim(
                f"{figure}.harmonic",
                place,
                "V is the harmonic mean of the completeness and homogeneity",
                partial(_v_of_printed, values),
            ),
        ]
    return claims


def _picture(values: Mapping[str, float]) -> Outcome:
    text = "The table is printed as a picture, so that its scores cannot be computed."
    if values.get("associativity") == 1:
        ap = values["ap"]
        text += (
            f" With its associativity of 1, AP {ap:.3f} says that its peakiness is "
            f"{ap / (2 - ap):.3f}."
        )
    elif values["ap"] == 0:
        text += (
            " AP 0 says that all classes have their largest count in the same cluster, or that "
            "none has a peak."
        )
    return Outcome("printed only, cannot be recomputed", text, tuple(map(float, values.values())))


def _v_of_printed(values: Mapping[str, float]) -> Outcome:
    c, h, v = (values[key] for key in ("completeness", "homogeneity", "v_measure"))
    low, high = _harmonic_ends(c, h)
    return stated(
        low <= v <= high,
        f"The printed completeness {c:.3f} and homogeneity {h:.3f} give a harmonic mean of "
        f"{2 * c * h / (c + h):.4f}.",
        printed=(v,),
        ours=(2 * c * h / (c + h),),
    )


# Table 9


def _bands(record: Mapping[str, Any]) -> list[Claim]:
    def limit(place: int) -> Outcome:
        printed_limit, word = record["bands"][place]
        ours, same = BANDS[place]
        return compared(
            [printed_limit],
            [ours if word == same else float("nan")],
            2,
            "The program calls correlations by the same words, with the same limits.",
        )

    def weak() -> Outcome:
        start, end = record["weak_as_printed"]
        before = record["bands"][0][0]
        return Outcome(
            "misprint" if start < before else "reproduced",
            f"The line above calls correlations below {before:g} none, so that the weak ones "
            f"begin at {before:g} and not at {start:g}.",
            (start, end),
            (BANDS[0][0], BANDS[1][0]),
            2,
        )

    return [
        *(
            _claim(
                f"table_9.{word}",
                "table 9",
                f"Absolute correlations below this are called {word}",
                partial(limit, place),
            )
            for place, (_, word) in enumerate(record["bands"])
        ),
        _claim("table_9.weak_range", "table 9", "Weak correlations are those of this range", weak),
    ]


# Tables 10 and 11


def _wide_table(
    record: Mapping[str, Any], figure_1: ContingencyTable, table_10: ContingencyTable
) -> list[Claim]:
    def part() -> Outcome:
        same = np.array_equal(np.asarray(table_10.counts)[:, :4], np.asarray(figure_1.counts))
        beyond = table_10.total - figure_1.total
        return stated(
            same,
            f"The first four columns are those of figure 1, cell by cell; the other five hold "
            f"{beyond} items that figure 1 lacks.",
        )

    def total() -> Outcome:
        return compared([record["total"]], [table_10.total], 0, "The sum of its cells.")

    return [
        _claim("table_10.part", "table 10", "Figure 1 is a part of this table", part),
        _claim("table_10.total", "table 10", "Items in all", total),
    ]


def _classes(
    record: Mapping[str, Any], figure_1: ContingencyTable, table_10: ContingencyTable
) -> list[Claim]:
    def by_class(table: ContingencyTable) -> Sequence[float]:
        counts = np.asarray(table.counts, dtype=np.float64)
        found: list[float] = (counts.max(axis=1) / counts.sum(axis=1)).tolist()
        return found

    def rows() -> Outcome:
        ours = score(table_10, ["row_peakiness"])["row_peakiness"]
        return compared(
            record["row_peakiness"], ours, _DIGITS, "The same in table 10 and in figure 1."
        )

    def accuracy() -> Outcome:
        part = ", ".join(f"{value:.3f}" for value in by_class(figure_1))
        return compared(
            record["truth_class_accuracy"],
            by_class(table_10),
            _DIGITS,
            f"Each class's largest count over its items in table 10; figure 1 would give {part}.",
        )

    return [
        _claim("table_11.row_peakiness", "table 11", "Peakiness of each truth class", rows),
        _claim("table_11.accuracy", "table 11", "Accuracy of each truth class", accuracy),
    ]


# Table 12


def _times(record: Mapping[str, Any]) -> list[Claim]:
    first, last = record["mean_over_instances"]

    def check(key: str) -> Outcome:
        ratio = record[key] / record["ap"]
        beside = "" if key == "ap" else f" It is {ratio:.0f} times that of AP."
        return Outcome(
            "printed only, cannot be recomputed",
            f"Measured on a {record['machine']}; the mean of the instances {first} to {last}. "
            f"Times of another computer are others.{beside}",
            (record[key],),
        )

    return [
        _claim(
            f"table_12.{key}",
            "table 12",
            f"Milliseconds that {METRICS[key].symbol} takes",
            partial(check, key),
        )
        for key in PAPER_METRICS
    ]
