"""Hypergeometric random numbers, against their law."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import chisquare, hypergeom, kstest

from core.chance import hypergeometric_draws as module
from core.chance.hypergeometric_draws import hypergeometric

DRAWS = 50_000


def drawn(good: int, bad: int, sample: int, draws: int = DRAWS) -> np.ndarray:
    a, b, c = (np.full(draws, n, np.int64) for n in (good, bad, sample))
    return hypergeometric(a, b, c, np.random.default_rng(11))


@pytest.mark.parametrize("below", [0, 10**9], ids=["by rejection", "by numpy"])
@pytest.mark.parametrize(
    ("good", "bad", "sample"),
    [
        *[(3, 5, 4), (5, 3, 4), (1, 1, 1), (30, 5, 20), (5, 30, 28), (40, 60, 50)],
        *[(2, 1000, 3), (1000, 2, 999), (200, 300, 7), (300, 200, 493), (90, 10, 60)],
    ],
)
def test_a_number_comes_too_often(
    good: int, bad: int, sample: int, below: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_NUMPY_ITEMS", below)
    seen = np.bincount(drawn(good, bad, sample), minlength=sample + 1)
    right = hypergeom.pmf(np.arange(len(seen)), good + bad, good, sample) * DRAWS
    assert not seen[right == 0].any()
    common = right > 5
    observed = np.append(seen[common], seen[~common].sum())
    expected = np.append(right[common], right[~common].sum())
    if expected[-1] < 5:
        observed[-2] += observed[-1]
        expected[-2] += expected[-1]
        observed, expected = observed[:-1], expected[:-1]
    expected *= DRAWS / expected.sum()
    assert chisquare(observed, expected).pvalue > 1e-3


@pytest.mark.parametrize("below", [0, 10**9], ids=["by rejection", "by numpy"])
@pytest.mark.parametrize(
    ("good", "bad", "sample", "only"),
    [(0, 0, 0, 0), (0, 5, 3, 0), (5, 0, 3, 3), (5, 7, 0, 0), (5, 7, 12, 5)],
)
def test_the_only_number_is_not_drawn(
    good: int, bad: int, sample: int, only: int, below: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_NUMPY_ITEMS", below)
    assert (drawn(good, bad, sample, 20) == only).all()


@pytest.mark.parametrize(
    ("good", "bad", "sample"),
    [
        (10**10, 3 * 10**10, 2 * 10**10),
        (3 * 10**13, 10**13, 10**12),
        (10**18, 8 * 10**18, 6 * 10**18),
        (2**62, 2**62 - 1, 2**62),
    ],
)
def test_a_giant_number_has_another_law(good: int, bad: int, sample: int) -> None:
    found = drawn(good, bad, sample)
    total = good + bad
    mean = good * sample / total
    variance = mean * (bad / total) * ((total - sample) / total)
    # So wide a law is normal; the third moment would show a wrong arm.
    z = (found - mean) / math.sqrt(variance)
    assert kstest(z, "norm").pvalue > 1e-3
    assert abs((z**3).mean()) < 4 * math.sqrt(15 / DRAWS)


def test_a_rare_kind_of_giant_numbers_is_lost() -> None:
    # Three good items among 4e18, half of which are drawn: binomial, with p = 1/2.
    seen = np.bincount(drawn(3, 4 * 10**18 - 3, 2 * 10**18), minlength=4)
    assert chisquare(seen, np.array([1, 3, 3, 1]) * DRAWS / 8).pvalue > 1e-3
    seen = np.bincount(drawn(2 * 10**18, 2 * 10**18, 2), minlength=3)
    assert chisquare(seen, np.array([1, 2, 1]) * DRAWS / 4).pvalue > 1e-3


def test_numbers_of_one_element_reach_another() -> None:
    good = np.array([[0, 3, 10**10], [7, 10**12, 2]])
    bad = np.array([[5, 0, 0], [10**10, 0, 10**10]])
    sample = np.array([[2, 2, 10**9], [0, 10**11, 10**10 + 2]])
    found = hypergeometric(good, bad, sample, np.random.default_rng(1))
    assert found.tolist() == [[0, 2, 10**9], [0, 10**11, 2]]


def test_the_stirling_error_is_off() -> None:
    k = np.array([0, 1, 2, 15, 16, 17, 40, 1000])
    right = [0.0, *(math.lgamma(n + 1) - n * math.log(n) + n for n in k[1:].tolist())]
    assert module._stirling(k).tolist() == pytest.approx(right, abs=1e-11)
