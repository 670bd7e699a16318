from __future__ import annotations

import pytest
from hypothesis import given
from tests.properties.strategies import discounts, gains, ideals

from rankgauge.conventions.terms import DISCOUNTS, GAINS, IDEALS, Discount, Gain, Ideal, binary, jarvelin
from rankgauge.errors import RankgaugeError


@given(gains)
def test_gain_text_is_parsed_as_the_same_gain(gain: Gain) -> None:
    assert Gain.parse(str(gain)) == gain


@given(discounts)
def test_discount_text_is_parsed_as_the_same_discount(discount: Discount) -> None:
    assert Discount.parse(str(discount)) == discount


@given(ideals)
def test_ideal_text_is_parsed_as_the_same_ideal(ideal: Ideal) -> None:
    assert Ideal.parse(str(ideal)) == ideal


def test_terms_in_short_forms_are_accepted() -> None:
    assert Gain.parse(" binary ") == binary() == binary(0)
    assert Discount.parse("jarvelin") == jarvelin(2) == Discount.parse("jarvelin(2)")
    assert Discount.parse("log2") == Discount.parse("log(2)")
    assert Ideal.parse("perfect") == Ideal.parse("perfect(1)")


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (Gain, "exp"),
        (Gain, "exp2(x)"),
        (Gain, "binary(1,2)"),
        (Gain, "binary(nan)"),
        (Gain, "table"),
        (Gain, "table(1)"),
        (Gain, "table(0=-1)"),
        (Gain, "table(0=inf)"),
        (Discount, "log"),
        (Discount, "log(1)"),
        (Discount, "log(0.5)"),
        (Discount, "jarvelin(x)"),
        (Discount, "reciprocal(2)"),
        (Discount, "table(0.5,1)"),
        (Discount, "table(1,-1)"),
        (Ideal, "best"),
        (Ideal, "judged(3)"),
        (Ideal, "perfect(0)"),
    ],
)
def test_terms_that_are_invalid_are_refused(term: type[Gain | Discount | Ideal], text: str) -> None:
    with pytest.raises(RankgaugeError, match="Hint: "):
        term.parse(text)


@pytest.mark.parametrize("meanings", [GAINS, DISCOUNTS, IDEALS])
def test_terms_of_every_kind_have_a_meaning(meanings: dict[str, str]) -> None:
    assert all(meanings.values())
