import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.counts import meant_as_number, read_count
from core.files.errors import CountError, FaultKind

LARGEST = 9_223_372_036_854_775_807


def fault_of(text, **options):
    with pytest.raises(CountError) as caught:
        read_count(text, **options)
    return caught.value


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("0", 0),
        ("151", 151),
        ("007", 7),
        ("+5", 5),
        (" 151\t", 151),
        ("\u00a0151\u00a0", 151),
        ("\ufeff151", 151),
        (str(LARGEST), LARGEST),
        ("0" * 5000 + "7", 7),
    ],
)
def test_plain_digits_are_read(text, count):
    assert read_count(text) == count


@pytest.mark.parametrize(
    "text", ["1\u00a0234\u00a0567", "1\u202f234\u202f567", "1\u2009234\u2009567", "1'234'567"]
)
def test_groups_that_no_decimal_mark_looks_like_are_read(text):
    assert read_count(text) == 1_234_567


@pytest.mark.parametrize("text", ["12'34", "1'2345", "0'123", "1'234\u00a0567", "1\u00a023"])
def test_groups_that_are_not_of_three_are_not_read(text):
    assert fault_of(text).kind is FaultKind.TEXT


@pytest.mark.parametrize(
    ("text", "count"),
    [("151.0", 151), ("151,00", 151), ("151.", 151), ("1234.000", 1234), ("0.000", 0), ("0,0", 0)],
)
def test_fractions_of_zeros_that_cannot_be_a_group_are_whole(text, count):
    assert read_count(text) == count


@pytest.mark.parametrize(
    ("text", "mark", "count"),
    [
        ("1.234", ".", 1234),
        ("1,234", ",", 1234),
        ("1.000", ".", 1000),
        ("1.234.567", ".", 1_234_567),
        ("1,234,567", ",", 1_234_567),
        ("1 234", " ", 1234),
        ("1.234,00", ".", 1234),
        ("1,234.0", ",", 1234),
    ],
)
def test_what_has_two_readings_is_never_read_without_asking(text, mark, count):
    error = fault_of(text)
    assert (error.kind, error.mark) == (FaultKind.THOUSANDS, mark)
    assert str(count) in str(error)
    assert read_count(text, thousands=mark) == count


def test_a_known_separator_of_thousands_makes_the_other_mark_a_fraction():
    assert read_count("1.000", thousands=",") == 1
    assert fault_of("1.234", thousands=",").kind is FaultKind.FRACTION
    assert fault_of("1.234,5", thousands=".").kind is FaultKind.FRACTION


def test_digits_that_contradict_the_separator_of_thousands_are_not_read():
    assert fault_of("151.0", thousands=".").kind is FaultKind.TEXT
    assert fault_of("12.34", thousands=".").kind is FaultKind.TEXT


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("-30", FaultKind.NEGATIVE),
        ("−30", FaultKind.NEGATIVE),
        ("- 30", FaultKind.NEGATIVE),
        ("-2.5", FaultKind.NEGATIVE),
        ("-1,234", FaultKind.NEGATIVE),
        ("(30)", FaultKind.NEGATIVE),
        ("2.5", FaultKind.FRACTION),
        ("2,5", FaultKind.FRACTION),
        (",5", FaultKind.FRACTION),
        ("0.123", FaultKind.FRACTION),
        ("1234.567", FaultKind.FRACTION),
        ("1.234,56", FaultKind.FRACTION),
        ("1e3", FaultKind.EXPONENT),
        ("1,5E+05", FaultKind.EXPONENT),
        ("1.2E+06", FaultKind.EXPONENT),
        ("1.23E+03", FaultKind.EXPONENT),
        ("1.5e+00", FaultKind.EXPONENT),
        ("1.51e-02", FaultKind.EXPONENT),
        ("8,000e+00", FaultKind.EXPONENT),
        ("12%", FaultKind.PERCENT),
        ("12,5 %", FaultKind.PERCENT),
        ("nan", FaultKind.MISSING),
        ("NA", FaultKind.MISSING),
        ("-", FaultKind.MISSING),
        ("—", FaultKind.MISSING),
        ("inf", FaultKind.INFINITE),
        ("-Infinity", FaultKind.INFINITE),
        ("=SUM(A1:A3)", FaultKind.FORMULA),
        ("#DIV/0!", FaultKind.FORMULA),
        ("1_000", FaultKind.TEXT),
        ("0x10", FaultKind.TEXT),
        ("x", FaultKind.TEXT),
        ("5 6", FaultKind.TEXT),
        ("1,2,3", FaultKind.TEXT),
        ("١٢", FaultKind.TEXT),
        ("²", FaultKind.TEXT),
        ("１２", FaultKind.TEXT),
        ("", FaultKind.BLANK),
        ("\u00a0 ", FaultKind.BLANK),
        (str(LARGEST + 1), FaultKind.TOO_LARGE),
        ("9" * 5000, FaultKind.TOO_LARGE),
    ],
)
def test_what_is_no_count_has_a_kind_and_one_sentence(text, kind):
    error = fault_of(text)
    assert error.kind is kind
    assert str(error).endswith(".")
    assert "\n" not in str(error)
    assert len(str(error)) < 200


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("8.000000000000000000e+00", 8),
        ("0.000000000000000000e+00", 0),
        ("1.234500000000000000e+04", 12345),
        ("1.234E+03", 1234),
        ("9.00e0", 9),
    ],
)
def test_counts_as_numpy_saves_them_were_refused_for_their_exponent(text, count):
    assert read_count(text) == count
    assert read_count(text, thousands=",") == count


def test_blanks_are_zero_only_if_the_reader_says_so():
    assert read_count(" ", blank="zero") == 0
    assert fault_of("NA", blank="zero").kind is FaultKind.MISSING


def test_names_are_not_taken_for_numbers():
    for name in ("cat", "C1", "5a", "class 5", "50% cream", "share%", "1/2", "Äpfel"):
        assert not meant_as_number(name), name
    for number in ("5", "-1", "2.5", "1e3", "1.234", "12%", "nan", "=A1"):
        assert meant_as_number(number), number


@given(st.text(max_size=30), st.sampled_from([None, ".", ",", " ", "'"]))
def test_no_text_of_a_cell_ends_in_another_exception(text, thousands):
    meant_as_number(text)
    with contextlib.suppress(CountError):
        assert 0 <= read_count(text, thousands=thousands) <= LARGEST


@given(st.integers(0, LARGEST), st.sampled_from([".", ",", " ", "'"]))
def test_grouped_counts_are_read_back(count, thousands):
    grouped = f"{count:,}".replace(",", thousands)
    assert read_count(grouped, thousands=thousands) == count
